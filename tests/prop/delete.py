# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that vanish without a mark: copies of trace files with some left out."""
import random
import struct

SIMPLETRACE_HEADER = 24
RECORD_EVENT = 1
PERF_DATA_SECTION = 40  # of struct perf_file_header: offset and size of the data
PERF_SAMPLE = 9


def thin_simpletrace(path, out, share, seed):
    """Leave out each event record with probability @share; mappings stay. Returns how many."""
    chance = random.Random(seed)
    data = open(path, "rb").read()
    kept, at, gone = [data[:SIMPLETRACE_HEADER]], SIMPLETRACE_HEADER, 0
    while at < len(data):
        kind, = struct.unpack_from("<Q", data, at)
        if kind == RECORD_EVENT:
            size = 8 + struct.unpack_from("<I", data, at + 24)[0]
        else:
            size = 20 + struct.unpack_from("<I", data, at + 16)[0]
        if kind == RECORD_EVENT and chance.random() < share:
            gone += 1
        else:
            kept.append(data[at:at + size])
        at += size
    open(out, "wb").write(b"".join(kept))
    return gone


def thin_perf_data(path, out, share, seed):
    """The same for the samples of a perf.data; what stood behind the data keeps its place."""
    chance = random.Random(seed)
    data = open(path, "rb").read()
    begin, size = struct.unpack_from("<QQ", data, PERF_DATA_SECTION)
    kept, at, gone = [], begin, 0
    while at < begin + size:
        kind, _, length = struct.unpack_from("<IHH", data, at)
        if kind == PERF_SAMPLE and chance.random() < share:
            gone += 1
        else:
            kept.append(data[at:at + length])
        at += length
    records = b"".join(kept)
    # One unknown record type fills the hole: readers skip it by its size.
    hole = size - len(records)
    while hole > 0:
        length = min(hole, 0xfff8)
        records += struct.pack("<IHH", 0xfffe, 0, length) + bytes(length - 8)
        hole -= length
    open(out, "wb").write(data[:begin] + records + data[begin + size:])
    return gone
