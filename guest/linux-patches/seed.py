#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts the tracepoints of the patch of January 2026 into a virtio_net.c, to compare ours with.

usage: seed.py MAIL TREE

The mail has lost the patch's indentation and has long lines broken in two, so that no tool applies
it. Its trace header is taken as it is. Its calls are put where their lines of context are. Instead
of the definitions that it moves out of virtio_ring.c it gets those of the tree, since they must
agree with the running kernel. All is unconditional: DEBUG would make each packet print a line, too.
"""
import re
import sys
from pathlib import Path

RING = ("struct vring_desc_state_split {", "struct vring_virtqueue {")


def broken(line, following):
    """Whether the mail broke a line of the patch here: inside a string, or among arguments."""
    if not line.startswith(("+", "@@")):
        return False
    return line.count('"') % 2 == 1 or (line.endswith(",") and not following.startswith("+"))


def patch_lines(mail):
    """The lines of the patch, without the quote marks and with broken lines joined."""
    lines = []
    for line in mail.split("\n"):
        if not line.startswith(">"):
            continue  # the reviewer's
        line = line[1:].removeprefix(" ")
        if lines and broken(lines[-1], line):
            lines[-1] += " " + line
        else:
            lines.append(line)
    return lines


def of_file(lines, name):
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"diff --git a/{name} "))
    rest = lines[begin + 1 :]
    end = next((i for i, line in enumerate(rest) if line.startswith("diff --git ")), len(rest))
    return rest[:end]


def trace_header(lines, tree):
    added = (line for line in lines if line.startswith("+") and not line.startswith("+++"))
    text = "\n".join(line[1:] for line in added)
    text = text.replace("#if defined(DEBUG)", "#if 1")
    text = text.replace("#include <linux/virtio_ring.h>", '#include "virtio_net_vring.h"')
    if "virtnet_sq_free_unused_buf_done" not in (tree / "drivers/net/virtio_net.c").read_text():
        # Before 6.10, __assign_str() took the source as well.
        sources = dict(re.findall(r"__string\(\s*(\w+),\s*([^)]*?)\s*\)", text))
        for name, value in sources.items():
            text = text.replace(f"__assign_str({name})", f"__assign_str({name}, {value})")
        text = text.replace("container_of_const", "container_of")
        text = text.replace("vvq = container_of(vq,", "vvq = container_of((struct virtqueue *)vq,")
    return text + "\n"


def ring_definitions(tree):
    source = (tree / "drivers/virtio/virtio_ring.c").read_text()
    end = source.index("\n};\n", source.index(RING[1])) + len("\n};\n")
    body = source[source.index(RING[0]) : end]
    return "#pragma once\n#include <linux/virtio_ring.h>\n#include <linux/dma-mapping.h>\n" + body


def calls(lines):
    """Each call with the lines of context before and after it."""
    found = []
    for i, line in enumerate(lines):
        if line.startswith("+trace_") or re.match(r"\+\s*trace_\w+\(", line):
            before = [l.strip() for l in lines[:i] if l[:1] not in "+-" and l.strip()]
            after = [l.strip() for l in lines[i:] if l[:1] not in "+-" and l.strip()]
            found.append((line[1:].strip(), before, after))
    return found


def place(code, call, before, after):
    """Index in the lines of code where the call goes, inside the function that it is named after."""
    name = re.match(r"trace_(\w+)", call)[1]
    opens = re.compile(rf"(static )?[\w ]*\b{name}\([^;]*$")
    begin = next(i for i, line in enumerate(code) if opens.match(line))
    end = next(i for i in range(begin, len(code)) if code[i] == "}")
    body = [line.strip() for line in code[begin:end]]
    for want, shift in ((before[-2:], 2), (before[-1:], 1), (after[:1], 0)):
        at = [i for i in range(len(body)) if body[i : i + len(want)] == want]
        if len(at) == 1:
            return begin + at[0] + shift
    sys.exit(f"no place for {call}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines, tree = patch_lines(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    source = tree / "drivers/net/virtio_net.c"
    header = trace_header(of_file(lines, "drivers/net/virtio_net_trace.h"), tree)
    (tree / "drivers/net/virtio_net_vring.h").write_text(ring_definitions(tree))
    code = source.read_text().split("\n")
    for call, before, after in calls(of_file(lines, "drivers/net/virtio_net.c")):
        code.insert(place(code, call, before, after), "\t" + call)
    first = max(i for i, line in enumerate(code) if line.startswith("#include <net/"))
    code[first + 1 : first + 1] = ["#define CREATE_TRACE_POINTS", '#include "virtio_net_trace.h"']
    source.write_text("\n".join(code))
    (tree / "drivers/net/virtio_net_trace.h").write_text(header)


main()
