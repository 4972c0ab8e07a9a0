#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cut a perf.data file of a little-endian machine down to a seed.

usage: cut_perf_data.py IN OUT FIRST-SAMPLE RECORD-BYTES

Keeps header, attributes, RECORD-BYTES of records without the samples before FIRST-SAMPLE, host name,
release and the event formats without their print fmt.
"""
import struct
import sys

TRACING_DATA, HOSTNAME, OSRELEASE, CLOCKID, CLOCK_DATA = 1, 3, 4, 23, 29
KEPT = (TRACING_DATA, HOSTNAME, OSRELEASE, CLOCKID, CLOCK_DATA)

SAMPLE = 9
SIDE_KINDS = (1, 3, 4, 7, 10, 17, 18)  # MMAP, COMM, EXIT, FORK, MMAP2, KSYMBOL, BPF_EVENT


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        self.at += n
        return self.data[self.at - n : self.at]

    def name(self):
        return self.take(self.data.index(b"\0", self.at) + 1 - self.at)

    def number(self, n):
        return int.from_bytes(self.take(n), "little")


def cut_tracing(data):
    """magic, version, byte order, long, page size; two headers; ftrace's formats; systems"""
    src = Reader(data)
    out = src.take(10) + src.name() + src.take(6)
    for _ in range(2):
        out += src.name() + struct.pack("<Q", 0)
        src.take(src.number(8))
    for _ in range(src.number(4)):
        src.take(src.number(8))
    systems = src.number(4)
    out += struct.pack("<II", 0, systems)
    for _ in range(systems):
        out += src.name()
        formats = src.number(4)
        out += struct.pack("<I", formats)
        for _ in range(formats):
            text = src.take(src.number(8)).split(b"print fmt:")[0] + b'print fmt: ""\n'
            out += struct.pack("<Q", len(text)) + text
    return out + bytes(16)


def whole_records(data, first, room):
    """The first records; of those about tasks and mappings one a kind."""
    out, at, seen, n = b"", 0, set(), 0
    while at + 8 <= len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if size < 8 or len(out) + size > room:
            break
        n += kind == SAMPLE
        if (kind not in SIDE_KINDS or kind not in seen) and (kind != SAMPLE or n > first):
            out += data[at : at + size]
        seen.add(kind)
        at += size
    return out


def features(data, offset, bits):
    found = {}
    for bit in (b for b in range(256) if bits >> b & 1):
        begin, size = struct.unpack_from("<QQ", data, offset)
        offset += 16
        if bit in KEPT:
            found[bit] = data[begin : begin + size]
    found[TRACING_DATA] = cut_tracing(found[TRACING_DATA])
    return found


def main(path, out_path, first, room):
    with open(path, "rb") as f:
        data = f.read()
    begin, size = struct.unpack_from("<QQ", data, 40)
    found = features(data, begin + size, int.from_bytes(data[72:104], "little"))
    out = bytearray(data[:begin]) + whole_records(data[begin : begin + size], first, room)
    struct.pack_into("<Q", out, 48, len(out) - begin)
    out[72:104] = sum(1 << bit for bit in found).to_bytes(32, "little")
    at = len(out) + 16 * len(found)
    for bit in sorted(found):
        out += struct.pack("<QQ", at, len(found[bit]))
        at += len(found[bit])
    for bit in sorted(found):
        out += found[bit]
    with open(out_path, "wb") as f:
        f.write(out)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
