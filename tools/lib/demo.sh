# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What tools/demo shows.

# A command as the user can type it, then its output.
demo_run() {
    printf '\n$ %s\n' "$*"
    "$@" || demo_failed "$@"
}

demo_failed() {
    warn "this ended with an error: $*"
    demo_failures=$((${demo_failures:-0} + 1))
}

# A path that works where the user stands, and is short when it can be.
demo_path() {
    local path
    path=$(realpath "$1")
    say "${path#"$PWD"/}"
}

# Recordings are unpacked once; a newer one in the tree replaces an older one.
demo_unpack() {
    local packed file
    for packed in "$top"/tests/data/*/*.zst; do
        file=$build/demo/${packed#"$top"/tests/data/}
        file=${file%.zst}
        if [ "$packed" -nt "$file" ]; then
            mkdir -p "$(dirname "$file")"
            zstd -q -f -d "$packed" -o "$file"
            touch "$file" # zstd keeps the packed file's time
        fi
    done
}

demo_next() {
    local program=$1 host=$2 guest=$3
    heading "What to try next"
    cat <<EOF
  $program show tx --slower-than=2ms $host $guest
  $program stat $host $guest
  $program clock $host $guest
  $program dump $host | head
  $program merge $host $guest -o run.jsonl
  $program --help
EOF
}
