#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py GEN VIRTCORR: the promises of docs on generated traces, a row a kind of VM.

Prints TAP. With --files only the generator's own files are checked."""
import argparse
import os
import subprocess
import sys
import tempfile

import check_truth

TIMEOUT = 20
HERE = os.path.dirname(os.path.abspath(__file__))

# What must hold, the generator's options, and the seeds.
ROWS = [
    ("a plain VM", "", 3),
    ("receive packets of several buffers", "--rx-mode mergeable --burst bulk", 2),
    ("queue pairs are told apart", "--queues 4 --cpus 4 --coalesce", 2),
    ("more vCPUs than queue pairs", "--queues 2 --cpus 5 --burst bulk", 1),
    ("a ring of two buffers", "--ring 2 --packets 300", 1),
    ("the largest ring", "--ring 32768 --burst bulk", 1),
    ("a small ring that is always full", "--ring 16 --burst bulk --coalesce", 2),
    ("kicks and irqs suppressed by event index", "--coalesce", 2),
    ("requests and answers with pauses", "--burst pingpong", 2),
    ("lengths that say nothing", "--burst constant", 3),
    ("a guest clock in cycles", "--clock tsc", 2),
    ("a guest clock that drifts", "--clock drift", 2),
    ("a guest clock that jumps or stands still", "--clock step", 4),
    ("a guest clock near 2^63", "--offset 9223372036854775000", 1),
    ("a guest clock near 2^64", "--offset 18446744073700000000", 1),
    ("only sending", "--one-way tx", 2),
    ("only receiving", "--one-way rx", 2),
    ("sends that are dropped or refused", "--drop-rate 0.02", 2),
    ("the guest's trace is a part of the host's", "--guest-begin 0.3 --guest-end 0.8", 2),
    ("the host's trace is a part of the guest's", "--host-begin 0.3 --host-end 0.8", 2),
    ("the traces overlap", "--guest-end 0.7 --host-begin 0.3", 2),
    ("lengths that say nothing, in a part", "--burst constant --guest-begin 0.4", 2),
    ("the device is reset", "--reset 3", 3),
    ("resets of several queues in bulk", "--reset 2 --queues 2 --cpus 3 --burst bulk", 2),
    ("records of the guest are lost", "--loss guest:4 --packets 5000", 3),
    ("records of the host are lost", "--loss host:2 --packets 9000", 3),
    ("losses on both sides and a reset",
     "--loss guest:2 --loss host:1 --reset 1 --packets 9000", 2),
]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)


def generate(gen, folder, options, seed):
    done = run([gen, "-o", folder, "--packets", "1000", "--seed", str(seed)] + options.split())
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())


def merge(virtcorr, folder, guest, out):
    try:
        done = run([virtcorr, "merge", folder + "/host.trace", f"{folder}/{guest}", "-o", out])
    except subprocess.TimeoutExpired:
        return [f"no end after {TIMEOUT} s"]
    return [] if done.returncode == 0 else [f"exit {done.returncode}: {done.stderr.strip()[:200]}"]


def same_bytes(first, second):
    with open(first, "rb") as a, open(second, "rb") as b:
        return a.read() == b.read()


def check_row(options, folder, arguments, seed):
    # perf's clock counts ns: it cannot come near 2^63.
    is_perf = seed % 2 == 1 and "--offset" not in arguments
    guest = "guest.perf.data" if is_perf else "guest.dat"
    runs = [f"{folder}/run{i}.jsonl" for i in range(2)]
    problems = merge(options.virtcorr, folder, guest, runs[0])
    if not os.path.exists(runs[0]):
        return problems
    found, text = check_truth.check(folder, runs[0], is_perf, options.min_share)
    print(f"# {guest}: {text}")
    if seed == 1:
        merge(options.virtcorr, folder, guest, runs[1])
        if not same_bytes(*runs):
            found.append("the same input gave other bytes")
    return problems + found


def check_files(folder):
    done = run([sys.executable, HERE + "/check_files.py", folder])
    return [] if done.returncode == 0 else [done.stderr.strip()]


def test(options, number, row, seed):
    sentence, arguments, _ = row
    with tempfile.TemporaryDirectory() as folder:
        generate(options.gen, folder, arguments, seed)
        problems = check_files(folder) if options.files else check_row(options, folder, arguments, seed)
    print(f"{'not ok' if problems else 'ok'} {number} - {sentence}, seed {seed}")
    for problem in problems:
        print("# " + problem[:600].replace("\n", " "))
    sys.stdout.flush()
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gen")
    parser.add_argument("virtcorr")
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--min-share", type=float, default=99)
    options = parser.parse_args()
    cases = [(row, seed) for row in ROWS
             for seed in range(1, 2 if options.files else row[2] + 1)]
    print(f"1..{len(cases)}")
    results = [test(options, number, row, seed) for number, (row, seed) in enumerate(cases, 1)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
