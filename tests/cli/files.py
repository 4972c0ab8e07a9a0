# SPDX-License-Identifier: GPL-2.0-or-later
"""The files that the rows name: recordings, and what is made of them."""
import subprocess
import tempfile

# Name in the test's folder → recording.
RECORDED = {
    "host.trace": "kvm-local/host.trace",
    "guest.dat": "kvm-local/guest.dat",
    "tcg.trace": "tcg-stock/host.trace",
    "tcg.dat": "tcg-stock/guest.dat",
    "tcg.perf": "tcg-stock/guest.perf.data",
    "vhost.trace": "kvm-vhost/host.trace",
    "vhost.dat": "kvm-vhost/guest.dat",
    "vhostkvm.dat": "kvm-vhost/hostkvm.dat",
}

# Name → recording, and what replaces what in its bytes (of the same length).
PATCHED = {
    "uptime.dat": ("tcg.dat", [(b"[x86-tsc]", b"[uptime] "), (b"x86-tsc\0", b"uptime\0\0")]),
    "ansi.perf": ("tcg.perf", [(b"enp0s10\0", b"\x1b[7mi\x07\n\0")]),
    "html.perf": ("tcg.perf", [(b"enp0s10\0", b"<b>\xff\xc2\x9b&\0")]),
    "bell.trace": ("host.trace", [(b"virtio_set_status", b"virtio\x07\x1b[2Jstatus")]),
}


def unpack(root, name):
    path = root / "tests" / "data" / (RECORDED[name] + ".zst")
    return subprocess.run(["zstd", "-dqc", path], check=True, capture_output=True).stdout


def patched(root, name):
    origin, changes = PATCHED[name]
    data = unpack(root, origin)
    for old, new in changes:
        if len(old) != len(new) or old not in data:
            raise ValueError(f"{name}: {old!r} cannot be replaced in {origin}")
        data = data.replace(old, new)
    return data


def content(root, name):
    """The bytes of @name; cut-P-NAME is the first P percent of NAME."""
    if name in RECORDED:
        return unpack(root, name)
    if name in PATCHED:
        return patched(root, name)
    if name.startswith("cut-"):
        _, percent, origin = name.split("-", 2)
        data = unpack(root, origin)
        return data[:len(data) * int(percent) // 100]
    raise KeyError(name)


def make(root, folder, words):
    """Write every file that a word of @words names, and those that are always there."""
    (folder / "empty").touch()
    (folder / "diary").write_bytes(b"Dear diary,\n" * 100)
    (folder / "folder").mkdir()
    (folder / "dangling").symlink_to("nowhere")
    (folder / "noise").write_bytes(bytes(range(7, 256)) * 300)
    for word in words:
        name = word.split("=", 1)[-1]
        known = name in RECORDED or name in PATCHED or name.startswith("cut-")
        if known and not (folder / name).exists():
            (folder / name).write_bytes(content(root, name))


def new_folder():
    return tempfile.TemporaryDirectory(prefix="virtcorr-cli-")
