#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make a small seed of a recording: drop what a trace.dat version 7 (little endian) holds of the
kernel's symbols, texts and command lines. strip_trace_dat.py IN OUT"""

import struct
import sys

UNUSED = {19, 20, 21}  # kallsyms, printk formats, command lines
OFFSET_OPTIONS = {16, 17, 18, 19, 20, 21}
OPTIONS = 0


def sections(data, at):
    """(offset, id, length with header) of each section."""
    while at + 16 <= len(data):
        ident, _, _, size = struct.unpack_from('<HHIQ', data, at)
        yield at, ident, 16 + size
        at += 16 + size


def moved(offset, cuts):
    return offset - sum(length for begin, length in cuts if begin < offset)


def patch_buffer(out, at, cuts):
    offset, = struct.unpack_from('<Q', out, at)
    struct.pack_into('<Q', out, at, moved(offset, cuts))
    at += 8
    for _ in range(2):
        at = out.index(b'\0', at) + 1
    cpus, = struct.unpack_from('<I', out, at + 4)
    for i in range(cpus):
        place = at + 8 + 20 * i + 4
        offset, = struct.unpack_from('<Q', out, place)
        struct.pack_into('<Q', out, place, moved(offset, cuts))


def patch_options(out, at, end, cuts):
    while at + 6 <= end:
        ident, size = struct.unpack_from('<HI', out, at)
        if ident in UNUSED:
            struct.pack_into('<H', out, at, 99)
        elif ident in OFFSET_OPTIONS or ident == 0:
            offset, = struct.unpack_from('<Q', out, at + 6)
            struct.pack_into('<Q', out, at + 6, moved(offset, cuts))
        elif ident == 3:
            patch_buffer(out, at + 6, cuts)
        at += 6 + size


def main(source, target):
    data = open(source, 'rb').read()
    at = data.index(b'\0', 18) + 1  # behind the page size: two texts
    at = data.index(b'\0', at) + 1
    first, = struct.unpack_from('<Q', data, at)
    found = list(sections(data, at + 8))
    cuts = [(begin, length) for begin, ident, length in found if ident in UNUSED]
    out = bytearray()
    last = 0
    for begin, length in cuts:
        out += data[last:begin]
        last = begin + length
    out += data[last:]
    struct.pack_into('<Q', out, at, moved(first, cuts))
    for begin, ident, length in found:
        if ident == OPTIONS:
            begin = moved(begin, cuts)
            patch_options(out, begin + 16, begin + length, cuts)
    open(target, 'wb').write(out)


if __name__ == '__main__':
    main(*sys.argv[1:3])
