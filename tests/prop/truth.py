# SPDX-License-Identifier: GPL-2.0-or-later
"""What virtcorr-gen wrote into truth.jsonl, and the guest's clock as exact fractions."""
import json
import os
from fractions import Fraction

WRAP = 1 << 64
TSC_SHIFT = 31  # perf's own conversion of cycles, as TIME_CONV says


def signed(value):
    value %= WRAP
    return value - WRAP if value >= WRAP // 2 else value


class Clock:
    """raw = piece.raw + floor((t - piece.begin) * num / den), modulo 2**64."""

    def __init__(self, line):
        self.pieces = line["pieces"]
        self.tsc_khz = line["tsc_khz"]

    def raw(self, t):
        piece = next(p for p in reversed(self.pieces) if p["begin"] <= t)
        return signed(piece["raw"] + (t - piece["begin"]) * piece["num"] // piece["den"])

    def perf_raw(self, raw):
        """The stamp that perf.data has for the clock's `raw`."""
        if not self.tsc_khz:
            return raw
        mult = (1000000 << TSC_SHIFT) // self.tsc_khz
        return signed((raw % WRAP) * mult >> TSC_SHIFT)

    def true_times(self, raw):
        """All (lo, hi) of true time, as fractions, in which the clock shows `raw`."""
        spans = []
        for piece, following in zip(self.pieces, self.pieces[1:] + [None]):
            gone = (raw - piece["raw"]) % WRAP
            if gone > WRAP // 2:
                continue
            rate = Fraction(piece["den"], piece["num"])
            lo, hi = piece["begin"] + gone * rate, piece["begin"] + (gone + 1) * rate
            if following is None or lo < following["begin"]:
                spans.append((lo, hi))
        return spans


class Truth:
    """buffers, losses and resets of a run, and its clock."""

    def __init__(self, folder):
        self.buffers, self.losses, self.resets = [], [], []
        with open(os.path.join(folder, "truth.jsonl"), encoding="ascii") as lines:
            for text in lines:
                self._take(json.loads(text))

    def _take(self, line):
        kind = line["type"]
        if kind == "buffer":
            self.buffers.append(line)
        elif kind == "loss":
            self.losses.append(line)
        elif kind == "reset":
            self.resets.append(line["time"])
        elif kind == "clock":
            self.clock = Clock(line)
        elif kind == "end":
            self.end = line


def recorded(buffer, *steps):
    """Whether the traces have all of `steps` of this buffer."""
    return all(buffer["steps"].get(step, (0, 0, ""))[2] == "recorded" for step in steps)


def host_half(buffer):
    return recorded(buffer, "pop", "fill", "push")


def guest_half(buffer):
    return recorded(buffer, "xmit") if buffer["dir"] == "tx" else recorded(buffer, "receive")
