#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Cut a small simpletrace file out of a recording: the mappings it needs and its first events."""
import argparse
import struct


def records(data):
    """Yield (type, id, bytes) of each record after the header."""
    at = 24
    while at < len(data):
        kind, event = struct.unpack_from("=QQ", data, at)
        if kind == 0:
            length = 20 + struct.unpack_from("=I", data, at + 16)[0]
        else:
            length = 8 + struct.unpack_from("=I", data, at + 24)[0]
        yield kind, event, data[at:at + length]
        at += length


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recording")
    parser.add_argument("output")
    parser.add_argument("--skip", type=int, default=0, help="events to leave out first")
    parser.add_argument("--events", type=int, default=200)
    args = parser.parse_args()

    with open(args.recording, "rb") as file:
        data = file.read()
    mappings = {}
    events = []
    for kind, event, record in records(data):
        if kind == 0:
            mappings[event] = record
        else:
            events.append((event, record))
    events = events[args.skip:args.skip + args.events]
    used = {event for event, _ in events}
    with open(args.output, "wb") as file:
        file.write(data[:24])
        for event, record in mappings.items():
            if event in used:
                file.write(record)
        for _, record in events:
            file.write(record)


if __name__ == "__main__":
    main()
