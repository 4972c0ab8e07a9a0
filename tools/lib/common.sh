# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every command in tools/ needs: where things are, and how to speak to the user.

export LC_ALL=C.UTF-8 # what other programs say is read here
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${VIRTCORR_BUILD:-$top/build}
# What takes long to fetch or to unpack outlives the checkout.
cache=${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/virtcorr

say() {
    printf '%s\n' "$*"
}

heading() {
    printf '\n== %s\n' "$*"
}

warn() {
    printf 'warning: %s\n' "$*" >&2
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Runs a command as root: directly, or through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        warn "needs root: $* (run as root, or install sudo)"
        return 1
    fi
}

# Runs a command with its output in a log; shows the end of the log when the command fails.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if "$@" >"$log" 2>&1 </dev/null; then
        return 0
    fi
    tail -n 30 "$log" >&2
    warn "failed: $* (whole output in $log)"
    return 1
}
