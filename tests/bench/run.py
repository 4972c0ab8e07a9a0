#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py BUILD: speed and memory on generated traces, as ratios measured in the same run.

All on one core. Slow tools get a twentieth of the events, their time is scaled."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUBSET = 20
MILLION = 1_000_000


class Result:
    def __init__(self, seconds, kib, text):
        self.seconds, self.kib, self.text = seconds, kib, text


def measure(command, keep=False):
    """Run on one core; wall time, peak memory and, if wanted, the output."""
    with tempfile.TemporaryFile() as out:
        begin = time.monotonic()
        child = subprocess.Popen(["taskset", "-c", "0"] + command, stdout=out,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace") if keep else ""
    if child.returncode not in (0, 2):
        raise RuntimeError(f"{' '.join(command)}: exit {child.returncode}")
    return Result(seconds, usage.ru_maxrss, text)


def generate(gen, folder, events, files):
    os.makedirs(folder, exist_ok=True)
    subprocess.run([gen, "-o", folder, "--events", str(events), "--write", files], check=True)


def warm(*paths):
    """Read the files once, so that no run pays for the disk."""
    for path in paths:
        with open(path, "rb") as data:
            while data.read(1 << 20):
                pass


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.gen = options.build + "/tests/gen/virtcorr-gen"
        self.virtcorr = options.build + "/correlate/cli/virtcorr"
        self.rows = []

    def row(self, what, value, goal, ok):
        self.rows.append((what, value, goal, "yes" if ok else "no"))
        print(f"{what:58} {value:>14}  {goal:14} {'yes' if ok else 'NO'}", flush=True)

    def dump_seconds(self, path):
        warm(path)
        return min(measure([self.virtcorr, "dump", "--count", path]).seconds for _ in range(3))

    def ratio(self, what, path, slow, goal):
        ours = self.dump_seconds(path)
        theirs = measure(slow).seconds * SUBSET
        self.row(f"dump --count against {what}", f"{theirs / ours:.0f} x", f">= {goal} x",
                 theirs / ours >= goal)

    def formats(self, full, part):
        simpletrace = self.options.simpletrace
        slow = ([sys.executable, simpletrace, self.options.trace_events] if simpletrace
                else [sys.executable, HERE + "/floor.py"])
        name = "simpletrace.py" if simpletrace else "a Python loop (no simpletrace.py here)"
        self.ratio(name, full + "/host.trace", slow + [part + "/host.trace"], 200)
        walk = min(measure([self.options.build + "/tests/bench/walk",
                            full + "/host.trace"]).seconds for _ in range(3))
        ours = self.dump_seconds(full + "/host.trace")
        self.row("dump --count against a walk over lengths", f"{walk / ours:.2f} x", ">= 0.33 x",
                 walk / ours >= 1 / 3)
        if shutil.which("perf"):
            self.ratio("perf script", full + "/guest.perf.data",
                       ["perf", "script", "-i", part + "/guest.perf.data"], 20)
        if shutil.which("trace-cmd"):
            self.ratio("trace-cmd report", full + "/guest.dat",
                       ["trace-cmd", "report", "-i", part + "/guest.dat"], 20)

    def merge(self, folder, events):
        files = [folder + "/host.trace", folder + "/guest.dat"]
        warm(*files)
        counts = [int(measure([self.virtcorr, "dump", "--count", path], keep=True).text)
                  for path in files]
        result = measure([self.virtcorr, "merge"] + files)
        speed = sum(counts) / result.seconds / MILLION
        label = f"merge, {events // MILLION} M events a side"
        self.row(label + ": M events/s", f"{speed:.2f}", ">= 3", speed >= 3)
        self.row(label + ": peak MiB", f"{result.kib / 1024:.0f}", "< 200",
                 result.kib < 200 * 1024)

    def run(self):
        events = MILLION if self.options.quick else 10 * MILLION
        full, part = self.folder + "/full", self.folder + "/part"
        generate(self.gen, full, events, "host,perf,dat")
        generate(self.gen, part, events // SUBSET, "host,perf,dat")
        self.formats(full, part)
        self.merge(full, events)
        if self.options.quick:
            return
        shutil.rmtree(full)
        generate(self.gen, full, 4 * events, "host,dat")
        self.merge(full, 4 * events)

    def table(self):
        lines = ["| what | measured | goal | reached |", "|---|---|---|---|"]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows]) + "\n"


def write_table(path, table):
    """Put the table between the two marks of docs/performance.md."""
    begin, end = "<!-- table -->\n", "<!-- end -->\n"
    with open(path, encoding="utf-8") as old:
        text = old.read()
    head, rest = text.split(begin)
    with open(path, "w", encoding="utf-8") as new:
        new.write(head + begin + table + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="1 M events a side, not 10 and 40")
    parser.add_argument("--folder", help="where the traces go; 6 GB without --quick")
    parser.add_argument("--simpletrace", help="QEMU's scripts/simpletrace.py")
    parser.add_argument("--trace-events", help="the trace-events-all that belongs to it",
                        default="/usr/share/qemu/trace-events-all")
    parser.add_argument("--write", action="store_true", help="into docs/performance.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = Bench(options, folder)
        bench.run()
    if options.write:
        write_table(HERE + "/../../docs/performance.md", bench.table())


if __name__ == "__main__":
    main()
