# SPDX-License-Identifier: GPL-2.0-or-later
"""What needs a running program or a terminal: signals, progress."""
import os
import pty
import re
import signal
import subprocess
import time

import files

PATIENCE_S = 30


def generate(gen, folder, events):
    subprocess.run([gen, f"--out={folder}", f"--events={events}", "--write=host,dat"], check=True,
                   capture_output=True)
    return sorted(str(path) for path in folder.iterdir())


def wait_for(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def check_signal(program, folder, inputs, number):
    """A pipe that nobody ends keeps the program where its temporary file is already there."""
    output = folder / f"out-{number}.jsonl"
    blocker = folder / f"blocker-{number}"
    os.mkfifo(blocker)
    # Opened for both, the pipe takes some bytes and then holds the writer up.
    held = os.open(blocker, os.O_RDWR)
    child = subprocess.Popen([program, "merge", "--format=jsonl", "-o", output, "-o", blocker,
                              *inputs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             # Under nohup SIGHUP is ignored, and so it stays for the program.
                             preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    was_there = wait_for(lambda: any(folder.glob(f"{output.name}.*")))
    child.send_signal(number)
    code = child.wait(PATIENCE_S)
    os.close(held)
    left = [path.name for path in folder.glob(f"{output.name}*")]
    if not was_there or code != -number or left:
        print(f"not ok: signal {number}: begun {was_there}, exit {code}, left {left}")
        return False
    return True


def signals(program, gen, root, folder):
    """Ctrl-C leaves no temporary file, and the shell sees what it was."""
    del root
    made = folder / "made"
    made.mkdir()
    inputs = generate(gen, made, 20000)
    results = [check_signal(program, folder, inputs, number)
               for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    print(f"{len(results)} signals checked")
    return 0 if all(results) else 1


def run_on_terminal(command):
    """What @command writes when its standard error is a terminal; standard output is not."""
    master, slave = pty.openpty()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    text = b""
    while True:
        try:
            block = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not block:
            break
        text += block
    os.close(master)
    return child.wait(), text


def progress(program, gen, root, folder):
    """Nothing is drawn into a file; JSON when asked for; a bar that is shown is taken away."""
    del gen
    inputs = ["tcg.trace", "tcg.perf"]
    files.make(root, folder, inputs)
    inputs = [str(folder / name) for name in inputs]
    quiet = subprocess.run([program, "merge", *inputs], check=False, capture_output=True)
    json = subprocess.run([program, "merge", "--progress=json", *inputs], check=False,
                          capture_output=True)
    none, drawn = run_on_terminal([program, "merge", "--progress=none", *inputs])
    code, bar = run_on_terminal([program, "merge", *inputs])
    # How long the work takes depends on the machine: the bar may or may not be there.
    last = bar.split(b"\r")
    results = {
        "the work is done": quiet.returncode == json.returncode == none == code == 0,
        "nothing is drawn into a file": quiet.stderr == b"",
        "nothing is drawn with --progress=none": drawn == b"",
        "progress as JSON": re.match(rb'{"type":"progress","done":\d+,"total":\d+}\n', json.stderr),
        "the bar is taken away": bar == b"" or (len(last) > 2 and last[-2].strip() == b""
                                                and last[-1] == b""),
    }
    for sentence, is_fine in results.items():
        if not is_fine:
            print(f"not ok: {sentence}")
    print(f"{len(results)} rows checked")
    return 0 if all(results.values()) else 1


CHECKS = {"signals": signals, "progress": progress}
