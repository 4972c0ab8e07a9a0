# SPDX-License-Identifier: GPL-2.0-or-later
"""What the meta tests share: the files of the tree, and how a broken rule is told."""
import sys
from pathlib import Path

FOLDERS = [".ci", "common", "correlate", "tests", "tools"]
DATA = {"data", "corpus", "golden"}  # recordings and expected output, not sources

root = Path(sys.argv[1])
build = Path(sys.argv[2])


def sources(*suffixes):
    """Paths, from the root, of the files with these suffixes; with none, of all files."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root)
            if path.is_file() and not DATA & set(name.parts) and "__pycache__" not in name.parts:
                if not suffixes or path.suffix in suffixes:
                    yield name


def lines(name):
    return (root / name).read_text(encoding="utf-8", errors="replace").splitlines()


def finish(checked, what, broken):
    """Ends the test. A rule that had nothing to look at is broken too."""
    for line in broken:
        print(line)
    print(f"{checked} {what} checked, {len(broken)} broken")
    sys.exit(1 if broken or not checked else 0)
