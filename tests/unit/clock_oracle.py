#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the clock solver against exact rational arithmetic on random cases with known truth.

usage: clock_oracle.py CLOCK_TOOL [SEED]

The oracle shares no idea with the solver: it keeps every pair, takes the range of slopes from all
pairs of constraints, and finds an envelope by trying every vertex of the polygon of lines.
"""

import random
import subprocess
import sys
from fractions import Fraction
from itertools import combinations

MAX64 = 2**63 - 1
MIN64 = -(2**63)
UPPER, LOWER = "u", "l"
N_CASES = 600


class Segment:
    """Lines k*x + b that fit a list of pairs (x, y, side, tag), with k within the prior."""

    def __init__(self, prior):
        self.prior = prior
        self.lo, self.hi = prior
        self.pairs = []
        self.cut_by = []
        self.begin = self.end = None
        self.vertices = {}

    def side(self, side):
        return [pair for pair in self.pairs if pair[2] == side]

    def slopes_with(self, pair):
        """The range of slopes once @pair is in, and whether equal times contradict."""
        lo, hi = self.lo, self.hi
        x, y, side, _ = pair
        for ox, oy, oside, _ in self.pairs:
            if oside == side:
                continue
            ux, uy, lx, ly = (x, y, ox, oy) if side == UPPER else (ox, oy, x, y)
            if lx < ux:
                hi = min(hi, Fraction(uy - ly, ux - lx))
            elif ux < lx:
                lo = max(lo, Fraction(ly - uy, lx - ux))
            elif ly > uy:
                return None
        return (lo, hi) if lo <= hi else None

    def takes(self, pair):
        slopes = self.slopes_with(pair)
        if slopes is None:
            return False
        self.lo, self.hi = slopes
        self.pairs.append(pair)
        self.vertices = {}
        self.begin = pair[0] if self.begin is None else min(self.begin, pair[0])
        self.end = pair[0] if self.end is None else max(self.end, pair[0])
        return True

    def border(self, side):
        """Every (p, q, b): slope p/q, and the extreme offset b/q that @side allows there."""
        if side not in self.vertices:
            points = [(x, y) for x, y, _, _ in self.side(side)]
            slopes = {self.lo, self.hi}
            for (ax, ay), (bx, by) in combinations(points, 2):
                if ax != bx and self.lo < Fraction(ay - by, ax - bx) < self.hi:
                    slopes.add(Fraction(ay - by, ax - bx))
            best = min if side == UPPER else max
            self.vertices[side] = [
                (k.numerator, k.denominator,
                 best(y * k.denominator - k.numerator * x for x, y in points))
                for k in slopes] if points else []
        return self.vertices[side]

    def upper(self, t):
        border = self.border(UPPER)
        return max(-((-(b + p * t)) // q) for p, q, b in border) if border else None

    def lower(self, t):
        border = self.border(LOWER)
        return min((b + p * t) // q for p, q, b in border) if border else None


def solve(pairs, prior, may_cut):
    """Longest prefixes that one line fits. Returns the segments and what fits nowhere."""
    segments, contradictions = [Segment(prior)], []
    for pair in pairs:
        if segments[-1].takes(pair):
            continue
        if may_cut:
            segments.append(Segment(prior))
            segments[-1].takes(pair)
        else:
            contradictions.append(pair)
    for i in range(len(segments) - 2, -1, -1):
        segments[i] = settle(segments[i], segments[i + 1])
    return segments, contradictions


def settle(segment, following):
    """Only the pairs up to the one that stops the following segment from reaching further back."""
    back = Segment(segment.prior)
    assert all(back.takes(pair) for pair in following.pairs)
    end = segment.pairs[0][0]
    for pair in sorted(segment.pairs, key=lambda pair: pair[0], reverse=True):
        if pair[0] < following.begin and not back.takes(pair):
            end = pair[0]
            break
    sure = Segment(segment.prior)
    for pair in segment.pairs:
        assert pair[0] > end or sure.takes(pair)
    return sure


def place(segments, t):
    i = max([i for i, s in enumerate(segments) if s.begin <= t], default=0)
    near = [segments[i]]
    if t > segments[i].end and i + 1 < len(segments):
        near.append(segments[i + 1])
    lows, highs = [s.lower(t) for s in near], [s.upper(t) for s in near]
    return (None if None in lows else min(lows)), (None if None in highs else max(highs))


class Case:
    """Pairs and queries with a known truth, in coordinates relative to the first pair."""

    def __init__(self, rng):
        self.rng = rng
        self.guest0 = rng.choice([rng.getrandbits(64), 2**64 - 5000, 2**63 - 5000, 0])
        self.host0 = rng.choice([rng.getrandbits(50), -rng.getrandbits(40), 0])
        self.cycles = rng.random() < 0.4
        self.rate = Fraction(rng.randint(900000, 1100000), 1000000)
        if self.cycles:
            self.rate = Fraction(1000000, rng.randint(1000000, 4000000))
        self.tight = rng.random() < 0.25
        if self.tight:
            self.rate = Fraction(1)
        self.prior = self.pick_prior()
        self.may_cut = rng.random() < 0.5
        self.changes = []
        self.make()

    def pick_prior(self):
        if self.rng.random() < 0.25:
            return (self.rate, self.rate)
        if self.rng.random() < 0.3:
            return (Fraction(1, 10), Fraction(10))
        slack = Fraction(self.rng.choice([150, 1000, 200000]), 1000000)
        return (self.rate * (1 - slack), self.rate * (1 + slack))

    def latency(self):
        """Tight cases have no room: many pairs touch the true line, or are collinear."""
        if self.tight:
            return self.rng.choice([0, 0, 1, 2])
        heavy = self.rng.paretovariate(1.1) if self.rng.random() < 0.3 else 1
        return int(self.rng.choice([300, 700]) * heavy + self.rng.expovariate(1 / 800))

    def truth(self, t):
        rate, offset = self.rate, Fraction(0)
        for at, new_rate, step in self.changes:
            if t >= at:
                offset += rate * at + step - new_rate * at
                rate = new_rate
        return rate * t + offset

    def make(self):
        rng, t = self.rng, 0
        order = rng.choice([UPPER, LOWER])
        span = 3 if self.tight else rng.choice([50, 20000, 10**6, 10**9, 2**54])
        one_way = rng.random() < 0.1
        may_change = self.may_cut and not one_way and not self.tight and span < 2**54
        n_changes = rng.randint(0, 3) if may_change else 0
        first_tags = [rng.randint(25, 30) * (i + 1) for i in range(n_changes)]
        self.pairs = []
        for tag in range(30 * n_changes + rng.randint(22 if n_changes else 1, 45)):
            if tag in first_tags:
                self.change(t, span)
            delay = self.latency()
            h = self.truth(t)
            y = -((-h) // 1) + delay if order == UPPER else h // 1 - delay
            self.pairs.append((t, int(y), order, tag))
            if not one_way and rng.random() < 0.6:
                order = rng.choice([UPPER, LOWER])
            t += 0 if rng.random() < 0.1 and tag + 1 not in first_tags else rng.randint(1, span)
        if not self.may_cut and rng.random() < 0.5:
            self.jitter()
        self.rebase()
        if not self.may_cut and rng.random() < 0.3:
            self.break_some()

    def change(self, t, span):
        """Slopes stay inside the prior, so that each segment's truth is among its lines."""
        new_rate = self.truth(t + 1) - self.truth(t)
        if self.prior[0] < self.rate < self.prior[1] and self.rng.random() < 0.5:
            new_rate = (new_rate + self.rng.choice(self.prior)) / 2
        step = self.rng.choice([-1, 1]) * (self.rng.randint(10**5, 10**7) + 50 * span)
        self.changes.append((t, new_rate, step))

    def jitter(self):
        for i in range(len(self.pairs) - 1):
            if self.rng.random() < 0.2:
                j = min(len(self.pairs) - 1, i + self.rng.randint(1, 4))
                self.pairs[i], self.pairs[j] = self.pairs[j], self.pairs[i]

    def rebase(self):
        """Relative to the first pair, as the solver anchors; absolute numbers only for the tool."""
        x0, y0 = self.pairs[0][0], self.pairs[0][1]
        self.guest0, self.host0 = (self.guest0 + x0) % 2**64, self.host0 + y0
        self.pairs = [(x - x0, y - y0, side, tag) for x, y, side, tag in self.pairs]
        self.origin = (x0, y0)

    def break_some(self):
        """Pairs of the wrong sign: they must be named, and must not move the map."""
        for i in range(1, len(self.pairs)):
            if self.rng.random() < 0.1:
                x, y, side, tag = self.pairs[i]
                wrong = -10**6 if side == UPPER else 10**6
                self.pairs[i] = (x, y + wrong, side, tag + 1000)

    def broken(self):
        return any(tag >= 1000 for _, _, _, tag in self.pairs)

    def truth_here(self, x):
        return self.truth(x + self.origin[0]) - self.origin[1]

    def queries(self):
        xs = [x for x, _, _, _ in self.pairs]
        width = max(xs) - min(xs) + 10
        random_ones = [self.rng.randint(min(xs) - width, max(xs) + width) for _ in range(25)]
        return sorted(xs + random_ones)

    def text(self, queries):
        lo, hi = self.prior
        lines = [f"prior {lo.numerator} {lo.denominator} {hi.numerator} {hi.denominator} "
                 f"{int(self.may_cut)}"]
        lines += [f"{side} {(x + self.guest0) % 2**64} {y + self.host0} {tag}"
                  for x, y, side, tag in self.pairs]
        lines += ["end"] + [f"q {(x + self.guest0) % 2**64}" for x in queries]
        return "\n".join(lines) + "\n"


def same(case, what, got, want):
    if got != want:
        sys.exit(f"case {case}: {what}: got {got}, the oracle says {want}")


def signed(value):
    value %= 2**64
    return value - 2**64 if value > MAX64 else value


def check_witnesses(number, case, tags, last):
    """The witnesses name the pair that broke the map, and allow no line by themselves."""
    by_tag = {pair[3]: pair for pair in case.pairs}
    same(number, "first witness", tags[0], last[3])
    limit = 2 if case.prior[0] == case.prior[1] else 3
    same(number, "few witnesses", len(tags) <= limit, True)
    alone = Segment(case.prior)
    same(number, "witnesses contradict", all(alone.takes(by_tag[tag]) for tag in tags), False)


def check_segment(number, case, line, oracle):
    words = [int(word) for word in line.split()[1:]]
    same(number, "begin", signed(words[0] - case.guest0), oracle.begin)
    same(number, "end", signed(words[1] - case.guest0), oracle.end)
    same(number, "least rate", Fraction(words[2], words[3]), oracle.lo)
    same(number, "greatest rate", Fraction(words[4], words[5]), oracle.hi)

    def half(t):
        lo, hi = oracle.lower(t), oracle.upper(t)
        return -1 if lo is None or hi is None else (hi - lo + 1) // 2

    middle = oracle.begin + (oracle.end - oracle.begin) // 2
    same(number, "half width", words[6], half(middle))
    same(number, "worst half width", words[7], max(half(oracle.begin), half(oracle.end)))


def absolute(bound, case, unbounded):
    """What does not fit 64 bits stands for unbounded."""
    return unbounded if bound is None else max(MIN64, min(MAX64, bound + case.host0))


def check_span(number, case, segments, x, span):
    lo, at, hi = span
    want_lo, want_hi = place(segments, x)
    same(number, f"lower bound at {x}", lo, absolute(want_lo, case, MIN64))
    same(number, f"upper bound at {x}", hi, absolute(want_hi, case, MAX64))
    same(number, f"order of the span at {x}", lo <= at <= hi, True)
    if not case.broken():
        truth = case.truth_here(x) + case.host0
        inside = (lo <= truth or lo == MIN64) and (truth <= hi or hi == MAX64)
        same(number, f"truth inside at {x}", inside, True)


def check_line(number, segments, queries, spans):
    """The best values of the only segment lie on one line whose slope is feasible."""
    if len(segments) > 1 or any(abs(span[1]) >= MAX64 for span in spans):
        return
    first, last = queries[0], queries[-1]
    rise, run = spans[-1][1] - spans[0][1], last - first
    ok = segments[0].lo * run - 1 <= rise <= segments[0].hi * run + 1
    same(number, "slope of the best line is feasible", ok, True)
    for x, span in zip(queries, spans):
        off = span[1] - spans[0][1] - Fraction(rise * (x - first), run)
        same(number, f"best value at {x} is on the line", abs(off) <= 2, True)


def check(number, case, queries, lines):
    segments, contradictions = solve(case.pairs, case.prior, case.may_cut)
    for segment in segments:
        check_segment(number, case, lines.pop(0), segment)
    words = lines.pop(0).split()
    same(number, "segments", words[0], "contradictions")
    same(number, "contradictions", int(words[1]), len(contradictions))
    if contradictions:
        check_witnesses(number, case, [int(tag) for tag in words[2:]], contradictions[0])
    same(number, "segments found", len(segments), 1 + len(case.changes))
    for i, change in enumerate(case.changes):
        at = change[0] - case.origin[0]
        same(number, "change localised", segments[i].end < at <= segments[i + 1].begin, True)
    spans = [tuple(int(word) for word in lines.pop(0).split()) for _ in queries]
    for x, span in zip(queries, spans):
        check_span(number, case, segments, x, span)
    check_line(number, segments, queries, spans)
    return len(queries)


def main():
    tool, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cases = [Case(random.Random(seed * 1000003 + i)) for i in range(N_CASES)]
    asked = [case.queries() for case in cases]
    text = "".join(case.text(queries) for case, queries in zip(cases, asked))
    run = subprocess.run([tool], input=text, capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    checked = sum(check(i, case, asked[i], lines) for i, case in enumerate(cases))
    same("all", "lines left over", lines, [])
    print(f"{len(cases)} cases, {checked} placements equal to the oracle's")


if __name__ == "__main__":
    main()
