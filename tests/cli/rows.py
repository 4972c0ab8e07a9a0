# SPDX-License-Identifier: GPL-2.0-or-later
"""The table: a sentence, what is run, the exit code, what must (or, with !, must not) be said."""
from typing import NamedTuple


class Row(NamedTuple):
    """@words: arguments, or a line for bash in which $V is the program."""
    sentence: str
    words: object
    code: int
    err: list = []
    out: list = []
    colour: bool = False


NOTHING = [r"^virtcorr: nothing was joined; .*same VM, boot and time"]


def unusable():
    cases = {
        "empty": r"empty: the file is empty",
        "diary": r"diary: not a trace: expected",
        "noise": r"noise: not a trace: expected",
        "folder": r"folder: is a directory",
        "dangling": r"dangling: cannot open: No such file",
        "missing": r"missing: cannot open: No such file",
        "/dev/null": r"/dev/null: is a device",
        "/dev/zero": r"/dev/zero: is a device",
    }
    return [Row(f"{command} {name}", [command, name], 1, [f"^virtcorr: {text}"], [r"!."])
            for name, text in cases.items()
            for command in ("merge", "show", "stat", "clock", "dump")]


def cut(name, beside, percents):
    """A recording that is cut short gives what is whole in it."""
    return [Row(f"{name} cut at {percent} %", ["merge", *beside, f"cut-{percent}-{name}"], code, [],
                [out]) for percent, code, out in percents]


GROUPS = {
    "unusable": unusable(),
    "belonging": [
        Row("a host file of another VM beside the right one does no harm",
            ["merge", "tcg.trace", "host.trace", "guest.dat"], 0, [], [r"^177 packets joined"]),
        Row("a guest of another VM has nothing in common with the host",
            ["merge", "tcg.trace", "guest.dat"], 1, NOTHING, [r"^0 packets joined"]),
        Row("a guest of another boot has nothing in common with the host",
            ["merge", "host.trace", "vhost.dat"], 1, NOTHING, [r"^0 packets joined"]),
        Row("a program gets whole JSON also when nothing was joined",
            ["merge", "--format=jsonl", "host.trace", "vhost.dat"], 1, NOTHING,
            [r'^{"type":"summary".*}$']),
        Row("vhost=on without the host kernel's events: what to record is said",
            ["merge", "vhost.trace", "vhost.dat"], 1, [r"trace-cmd record -C mono -e net"]),
        Row("two guests are one too many", ["merge", "host.trace", "guest.dat", "vhost.dat"], 1,
            [r"vhost.dat: a second guest trace beside guest.dat"]),
        Row("the same host file twice", ["merge", "host.trace", "host.trace", "guest.dat"], 1,
            [r"host.trace: is the same file as host.trace; give each trace once"]),
        Row("the same file once by itself and once as --host",
            ["merge", "host.trace", "--host=./host.trace"], 1, [r"is the same file as"]),
        Row("a host file given as --guest beside the guest",
            ["merge", "guest.dat", "--guest=host.trace"], 1, [r"a second guest trace beside"]),
        Row("host and guest confused", ["merge", "--host=guest.dat", "--guest=host.trace"], 1,
            [r"^virtcorr: nothing was joined"]),
        Row("host alone", ["merge", "host.trace"], 0, [r"!."],
            [r"no guest trace", r"pop → push", r"trace-cmd record -e net"]),
        Row("guest alone", ["merge", "guest.dat"], 0, [r"!."],
            [r"no host trace", r"isr → receive", r"qemu -trace"]),
        Row("the order of the files does not matter", "$V merge host.trace guest.dat --format=jsonl"
            " | grep -v '\"type\":\"run\"' > a; $V merge guest.dat host.trace --format=jsonl |"
            " grep -v '\"type\":\"run\"' > b; test -s a && cmp a b", 0),
        Row("the same bytes come out each time", "for i in a b; do $V merge tcg.trace tcg.perf"
            " --format=jsonl > $i; done; test -s a && cmp a b", 0),
    ],
    "clocks": [
        Row("a guest on the counter clock", ["merge", "host.trace", "uptime.dat"], 1,
            [r"uptime.dat: its clock \(uptime\) is not a time.*record the guest with another"]),
        Row("a host on x86-tsc without conversion", ["merge", "--host=tcg.dat", "guest.dat"], 1,
            [r"tcg.dat: left out: its clock \(x86-tsc\) is not a time in ns"]),
    ],
    "cut": [
        *cut("host.trace", ["guest.dat"],
             [(10, 1, r"cut off.*offset 47759"), (50, 0, r"^96 packets joined"),
              (90, 0, r"^177 packets joined")]),
        *cut("tcg.perf", ["tcg.trace"],
             [(10, 1, r"the file is cut short.*first at offset"),
              (90, 1, r"the file is cut short.*first at offset")]),
        Row("a trace.dat without its last options gives all its pages", "head -c 1418550 guest.dat"
            " > cut.dat; $V merge host.trace cut.dat", 0, [],
            [r"^177 packets joined", r"cut.dat: the last options are missing.*first at offset"]),
        Row("a trace.dat cut in its events gives what is whole", "head -c 1410000 guest.dat >"
            " cut.dat; $V merge host.trace cut.dat", 0, [],
            [r"^130 packets joined", r"cut.dat: the last options are missing.*first at offset"]),
        Row("a trace.dat that ends before its events names the offset",
            ["merge", "host.trace", "cut-90-guest.dat"], 1,
            [r"cut-90-guest.dat: at offset \d+: .*record again, or copy the file again"]),
    ],
    "pipes": [
        Row("/dev/stdin", "cat host.trace | $V merge /dev/stdin guest.dat", 0, [],
            [r"^177 packets joined"]),
        Row("-", "cat host.trace | $V merge - guest.dat", 0, [], [r"^177 packets joined"]),
        Row("process substitution", "$V merge <(cat host.trace ) <(cat guest.dat )", 0, [],
            [r"^177 packets joined"]),
        Row("an empty pipe", "true | $V merge - guest.dat", 1, [r"virtcorr: -: the file is empty"]),
        Row("a reader that goes away early kills quietly",
            "$V dump host.trace | head -1; echo ${PIPESTATUS[0]}", 0, [r"!."], [r"^141$"]),
        Row("standard output full", "$V merge host.trace guest.dat > /dev/full", 1,
            [r"standard output: No space left"]),
        Row("dump to a full disk", "$V dump host.trace > /dev/full", 1,
            [r"standard output could not be written"]),
    ],
    "names": [
        Row("a netdev of escape sequences on a terminal", ["merge", "tcg.trace", "ansi.perf"], 0,
            [], [r"\[7m", r"packets joined"]),
        Row("the same as a chart", ["show", "tcg.trace", "ansi.perf"], 0),
        Row("the same in JSON", ["merge", "--format=jsonl", "tcg.trace", "ansi.perf"], 0, [],
            [r"\\u001b\[7m"]),
        Row("the same as events", ["dump", "ansi.perf"], 0, [], [r"\\x1b\[7m"]),
        Row("HTML and invalid UTF-8", ["merge", "tcg.trace", "html.perf"], 0),
        Row("HTML and invalid UTF-8 in JSON",
            ["merge", "--format=jsonl", "tcg.trace", "html.perf"], 0),
        *[Row(f"a mapping record whose name rings and clears is damaged: {words}",
              ["dump", *words, "bell.trace"], 0, [r"a record is damaged; .*first at offset \d+"],
              [r"!2Jstatus"]) for words in ([], ["--json"])],
    ],
    "options": [
        Row("no file", ["merge"], 1, [r"no trace file given; see 'virtcorr merge --help'"]),
        Row("unknown command", ["mrege"], 1, [r"there is no command 'mrege'"]),
        Row("unknown option", ["merge", "--offset"], 1, [r"Unknown option --offset"]),
        Row("missing argument", ["merge", "host.trace", "-o"], 1, [r"Missing argument for -o"]),
        Row("unknown format", ["merge", "--format=xyz", "host.trace"], 1, [r"there is no format"]),
        Row("unknown suffix", ["merge", "-o", "run.xyz", "host.trace"], 1, [r"give --format"]),
        Row("a folder that is not there", ["merge", "-o", "no/run.jsonl", "host.trace"], 1,
            [r"^virtcorr: no/run.jsonl: No such file"], [r"!."]),
        Row("a folder as output", ["merge", "--format=text", "-o", "folder", "host.trace"], 1,
            [r"^virtcorr: folder: Is a directory"], [r"!."]),
        Row("output is an input", ["merge", "--format=text", "-o", "./host.trace", "host.trace"], 1,
            [r"is an input and would be overwritten"]),
        Row("output on a full disk",
            ["merge", "--format=jsonl", "-o", "/dev/full", "host.trace", "guest.dat"], 1,
            [r"^virtcorr: /dev/full: No space left"], [r"^177 packets joined"]),
        Row("wrong colour", ["merge", "--color=red", "host.trace"], 1, [r"--color is auto, always"]),
        Row("wrong progress", ["merge", "--progress=fast", "host.trace"], 1, [r"--progress is"]),
        Row("colours when wanted", ["merge", "--color=always", "host.trace"], 0, [], [r"\x1b\["],
            True),
        Row("--color=always is stronger than NO_COLOR",
            "NO_COLOR=1 $V merge --color=always host.trace", 0, [], [r"\x1b\["], True),
        Row("orphans of the capture's edges are not shown", ["show", "host.trace", "guest.dat"], 0,
            [], [r"!capture-begin", r"!capture-end"]),
        Row("unless they are asked for", ["show", "--orphans", "host.trace", "guest.dat"], 0, [],
            [r"capture-begin"]),
        Row("or all that there is", ["show", "guest.dat"], 0, [], [r"eth0"]),
        Row("stat has no such option", ["stat", "--orphans", "host.trace"], 1, [r"Unknown option"]),
    ],
}
