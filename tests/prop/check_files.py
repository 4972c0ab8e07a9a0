#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check_files.py DIR: the generator's files hold what its truth says.

The host's file is read by a few lines of Python, the guest's by perf and trace-cmd where these
exist: a reader of our own that shares a mistake with the writer would not notice."""
import re
import shutil
import struct
import subprocess
import sys

from truth import Truth, recorded

QUEUES, STRIDE = 0x7F6D754AC010, 152
DROPPED = 0xFFFFFFFFFFFFFFFE
GUEST_EVENTS = {"net_dev_start_xmit": "xmit", "napi_gro_receive_entry": "receive",
                "net_dev_queue": "queue", "skb_copy_datagram_iovec": "copy"}


def fail(text):
    sys.exit("check_files: " + text)


def read_simpletrace(path):
    """(events as (name, time, args), records told lost)."""
    data = open(path, "rb").read()
    if struct.unpack_from("=QQQ", data) != (2**64 - 1, 0xF2B177CB0AA429B4, 4):
        fail("no simpletrace header")
    at, names, events, lost = 24, {}, [], 0
    while at < len(data):
        kind, event = struct.unpack_from("=QQ", data, at)
        if kind == 0:
            (size,) = struct.unpack_from("=I", data, at + 16)
            names[event] = data[at + 20:at + 20 + size].decode()
            at += 20 + size
            continue
        time, length, _ = struct.unpack_from("=QII", data, at + 16)
        args = struct.unpack_from("=%dQ" % ((length - 24) // 8), data, at + 32)
        if event == DROPPED:
            lost += args[0]
        else:
            events.append((names[event], time, args))
        at += 8 + length
    if at != len(data):
        fail("host.trace ends in the middle of a record")
    return events, lost


def check_host(folder, truth):
    events, lost = read_simpletrace(folder + "/host.trace")
    if len(events) != truth.end["host_records"]:
        fail("host.trace has %d records" % len(events))
    if lost != sum(loss["records"] for loss in truth.losses if loss["side"] == "host"):
        fail("host.trace tells of %d lost records" % lost)
    pops, fills = {}, {}
    for name, time, args in events:
        if args[0] >= QUEUES and args[0] < QUEUES + 20 * STRIDE:
            queue = (args[0] - QUEUES) // STRIDE
            if name == "virtqueue_pop":
                pops.setdefault(queue, []).append(time)
            elif name == "virtqueue_fill":
                fills[queue, time] = args[2]
    for buffer in truth.buffers:
        steps, queue = buffer["steps"], buffer["queue"]
        if recorded(buffer, "pop") and pops[queue][buffer["k"]] != steps["pop"][0]:
            fail("pop %d of queue %d is not that of the truth" % (buffer["k"], queue))
        if recorded(buffer, "fill") and buffer["parts"] == 1:
            wanted = buffer["len"] + 12 if buffer["dir"] == "rx" else 0
            if fills[queue, steps["fill"][0]] != wanted:
                fail("a fill of queue %d has not the length of the truth" % queue)


def check_order(truth):
    for buffer in truth.buffers:
        steps = {name: step[0] for name, step in buffer["steps"].items()}
        order = (["queue", "xmit", "pop", "tap-out", "fill", "push"] if buffer["dir"] == "tx" else
                 ["tap-in", "pop", "fill", "push", "receive", "stack", "copy", "free"])
        if not buffer.get("reset"):
            order.append("free")
        times = [steps[name] for name in order if name in steps]
        if times != sorted(times):
            fail("a journey of the truth goes back in time: %s" % buffer)
        for name in ("xmit", "receive", "free"):
            if name in steps and truth.clock.raw(steps[name]) != buffer["steps"][name][1]:
                fail("the clock of the truth does not give the stamp of %s" % buffer)


def check_listing(command, pattern, wanted, n_refused):
    """The listing of `command` has the (event, stamp, length) of `wanted`, and nothing else but
    `n_refused` sends that were to be repeated."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        fail("%s: %s" % (command[0], done.stderr.strip()))
    found = set()
    for line in done.stdout.splitlines():
        match = re.search(pattern, line)
        if match and match[3] in GUEST_EVENTS:
            length = re.search(r"\blen=(\d+)", line)[1]
            found.add((GUEST_EVENTS[match[3]], int(match[1] + (match[2] or "")), int(length)))
    extra = found - wanted
    if wanted - found or len(extra) != n_refused or any(event != "xmit" for event, _, _ in extra):
        fail("%s lists %d events that are not in the truth and misses %d, as %s %s" % (
            command[0], len(extra), len(wanted - found), sorted(extra)[:2],
            sorted(wanted - found)[:2]))


def guest_events(truth, convert):
    events = set()
    for buffer in truth.buffers:
        for name in GUEST_EVENTS.values():
            if recorded(buffer, name) and buffer["part"] == 0:
                length = buffer["len"] - (14 if name in ("receive", "copy") else 0)
                events.add((name, convert(buffer["steps"][name][1]) % 2**64, length))
    return events



def main():
    folder = sys.argv[1]
    truth = Truth(folder)
    check_host(folder, truth)
    check_order(truth)
    n_refused = sum(buffer.get("refused", 0) for buffer in truth.buffers)
    if shutil.which("perf"):
        check_listing(["perf", "script", "--ns", "-i", folder + "/guest.perf.data", "-F",
                       "time,event,trace"], r"(\d+)\.(\d{9}): +\w+:(\w+):",
                      guest_events(truth, truth.clock.perf_raw), n_refused)
    if shutil.which("trace-cmd"):
        check_listing(["trace-cmd", "report", "-t", "-i", folder + "/guest.dat"],
                      r"\] +(\d+)(?:\.(\d{9}))?: (\w+):",
                      guest_events(truth, lambda raw: raw), n_refused)


if __name__ == "__main__":
    main()
