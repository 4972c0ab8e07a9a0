#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check_truth.py DIR RUN.jsonl: what `virtcorr merge` says of generated traces is true.

Halves of a buffer are known by their stamps. Checked: no exact or ordered join is of two
different buffers; each step belongs to its buffer; the true time of each guest step lies in its
[lo, hi]; enough buffers outside barriers are joined; no order violations."""
import argparse
import collections
import json
import sys

from truth import Truth, guest_half, host_half, signed

CERTAIN = ("exact", "ordered")
HOST_STEPS = ("pop", "push", "tap-in", "tap-out")
GUEST_STEPS = ("queue", "xmit", "receive")
LATER_STEPS = ("stack", "copy", "free")  # of the skb: merged packets share their head's
MAX_SHOWN = 5


class Index:
    """Which buffers have a step with this stamp in this queue."""

    def __init__(self, truth, perf):
        self.owners = collections.defaultdict(set)
        self.times = {}
        self.parts = collections.defaultdict(list)   # of a packet
        self.merged = collections.defaultdict(list)  # of an skb, after GRO
        for number, buffer in enumerate(truth.buffers):
            self.parts[buffer["packet"]].append(number)
            self.merged[buffer.get("merged_into", buffer["packet"])].append(number)
        for number, buffer in enumerate(truth.buffers):
            for step, (time, raw, fate) in buffer["steps"].items():
                if fate != "recorded":
                    continue
                if perf and step not in ("pop", "fill", "push", "tap-in", "tap-out"):
                    raw = truth.clock.perf_raw(raw)
                key = (buffer["queue"], step, signed(raw))
                self.times[key] = time
                self.owners[key].update(self._who(number, buffer, step))

    def _who(self, number, buffer, step):
        """Numbers of the buffers that this step is a step of."""
        if step in ("pop", "fill"):
            return [number]
        return (self.merged if step in LATER_STEPS else self.parts)[buffer["packet"]]


class Checker:
    def __init__(self, truth, perf):
        self.truth = truth
        self.index = Index(truth, perf)
        self.knows_inverse = not (perf and truth.clock.tsc_khz)
        self.problems = collections.defaultdict(list)
        self.joined = set()
        self.queues = {}
        self.barriers = []
        self.summary = None

    def line(self, line):
        kind = line["type"]
        if kind == "queue" and line["driver"] == "virtio-net":
            self.queues[line["queue"]] = line["index"]
        elif kind in ("journey", "orphan") and line["queue"] in self.queues:
            self.journey(line)
        elif kind == "loss":
            self.barriers.append((line["begin"], line["end"]))
        elif kind == "summary":
            self.summary = line

    def journey(self, line):
        queue = self.queues[line["queue"]]
        certain = line.get("grade") in CERTAIN
        owners = None
        for step in line["steps"]:
            known = self.index.owners.get((queue, step["step"], signed(step["raw"])))
            if step["step"] in HOST_STEPS + GUEST_STEPS + LATER_STEPS:
                if known is None:
                    self.problems["step that nobody made"].append((line["seq"], step))
                elif owners is not None and not owners & known:
                    kind = "wrong join" if step["step"] not in LATER_STEPS else "wrong step"
                    if certain or line["type"] == "orphan":
                        self.problems[kind].append((line, step["step"]))
                else:
                    owners = known if owners is None else owners & known
            if step["side"] == "guest" and certain:
                self.contained(queue, step, line)
        if certain and owners:
            self.joined |= owners

    def contained(self, queue, step, line):
        lo, hi = step["lo"], step["hi"]
        lo = float("-inf") if lo is None else lo
        hi = float("inf") if hi is None else hi
        time = self.index.times.get((queue, step["step"], signed(step["raw"])))
        if time is not None:
            spans = [(time, time)]
        elif self.knows_inverse:
            spans = self.truth.clock.true_times(step["raw"])
        else:
            return
        if not any(begin <= hi and lo <= end for begin, end in spans):
            self.problems["true time outside its bound"].append(
                (line["queue"], line["seq"], step, [float(s[0]) for s in spans]))

    def in_barrier(self, buffer):
        times = [step[0] for step in buffer["steps"].values()]
        begin, end = min(times), max(times)
        return any(begin <= loss_end and loss_begin <= end for loss_begin, loss_end in self.barriers)

    def untold_losses(self):
        """Losses that no reported one covers. simpletrace proves less than what is true: what is
        reported is longer, so the barriers are the reported ones."""
        return [loss for loss in self.truth.losses
                if not any(begin <= loss["begin"] and loss["end"] <= end
                           for begin, end in self.barriers)]

    def share(self):
        """(joined, due): buffers that both sides recorded and that no barrier touches."""
        due = [number for number, buffer in enumerate(self.truth.buffers)
               if host_half(buffer) and guest_half(buffer) and not buffer.get("reset")
               and not buffer.get("dropped") and not self.in_barrier(buffer)]
        return sum(number in self.joined for number in due), len(due)


def check(folder, run, perf, min_share):
    """(problems, one line that sums up)."""
    checker = Checker(Truth(folder), perf)
    with open(run, encoding="utf-8") as lines:
        for text in lines:
            checker.line(json.loads(text))
    problems = [f"{kind}: {len(found)} times, such as {found[0]}"
                for kind, found in checker.problems.items()]
    problems += [f"a loss that is not told: {loss}" for loss in checker.untold_losses()[:1]]
    joined, due = checker.share()
    if joined < due * min_share / 100:
        problems.append(f"only {joined} of {due} buffers are joined")
    if checker.summary is None:
        problems.append("no summary")
    elif checker.summary["violations"]:
        problems.append(f"{checker.summary['violations']} order violations")
    return problems, f"{joined} of {due} joined"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("run")
    parser.add_argument("--perf", action="store_true", help="the guest's file was perf.data")
    parser.add_argument("--min-share", type=float, default=99)
    options = parser.parse_args()
    problems, text = check(options.folder, options.run, options.perf, options.min_share)
    print(text)
    for problem in problems[:MAX_SHOWN]:
        print("  " + problem[:1500])
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
