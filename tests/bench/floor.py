# SPDX-License-Identifier: GPL-2.0-or-later
"""floor.py FILE: lists a simpletrace file with the steps any Python reader takes: read a record,
unpack it, look its event up, print its arguments. Stands in for QEMU's scripts/simpletrace.py
where that is missing; the real one does more for each record."""
import struct
import sys


def main():
    head, names, last = struct.Struct("=QQII"), {}, 0
    with open(sys.argv[1], "rb") as trace:
        trace.read(24)
        while kind := trace.read(8):
            if struct.unpack("=Q", kind)[0] == 0:
                event, size = struct.unpack("=QI", trace.read(12))
                names[event] = trace.read(size).decode()
                continue
            event, stamp, length, pid = head.unpack(trace.read(head.size))
            payload = trace.read(length - head.size)
            args = [struct.unpack_from("=Q", payload, at)[0] for at in range(0, len(payload), 8)]
            fields = [names.get(event, "dropped"), f"{(stamp - last) / 1000:0.3f}", f"pid={pid}"]
            fields += [f"arg{number}=0x{value:x}" for number, value in enumerate(args)]
            print(" ".join(fields))
            last = stamp


if __name__ == "__main__":
    main()
