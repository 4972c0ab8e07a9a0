# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that vanish without a mark: merges generated traces with some left out, and counts what
is wrong then. A measurement for docs/limitations.md, not a test: virtcorr does not stand it yet.

usage: delete.py GENERATOR VIRTCORR
"""
import collections
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile

import check_truth

TRAFFIC = ["", "--burst pingpong", "--burst bulk", "--rx-mode mergeable --burst bulk",
           "--burst constant", "--queues 2 --cpus 3 --coalesce"]
SHARES = [0.001, 0.01]
SIDES = ["host", "guest", "both"]
SEEDS = [1, 2]

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


def find_problems(generator, virtcorr, folder, traffic, share, side, seed):
    """The kinds of wrong things in one run."""
    host, guest, run = (os.path.join(folder, name)
                        for name in ("host.trace", "guest.perf.data", "run.jsonl"))
    subprocess.run([generator, "-o", folder, "--packets", "1000", "--seed", str(seed),
                    *traffic.split()], check=True, capture_output=True)
    if side != "guest":
        thin_simpletrace(host, host, share, seed)
    if side != "host":
        thin_perf_data(guest, guest, share, seed + 7)
    subprocess.run([virtcorr, "merge", host, guest, "-o", run], check=False, capture_output=True,
                   timeout=60)
    problems, _ = check_truth.check(folder, run, True, 0)
    return {problem.split(":")[0].lstrip("0123456789 ") for problem in problems}


def main():
    generator, virtcorr = sys.argv[1:]
    for share in SHARES:
        counts = collections.Counter()
        runs = list(itertools.product(TRAFFIC, SIDES, SEEDS))
        for traffic, side, seed in runs:
            with tempfile.TemporaryDirectory() as folder:
                counts.update(find_problems(generator, virtcorr, folder, traffic, share, side,
                                            seed))
        print(f"{share:.1%} of the records gone, {len(runs)} runs; runs with")
        for kind, n in counts.most_common():
            print(f"  {n:3} {kind}")


if __name__ == "__main__":
    main()
