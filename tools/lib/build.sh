# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Configuring and compiling, into as many build folders as a command wants.

# meson setup is a no-op for a folder that is configured; options then go through configure.
build_in() {
    local dir=$1
    shift
    if [ -f "$dir/build.ninja" ]; then
        quietly "$dir/setup.log" meson configure "$dir" "$@" || return 1
    else
        quietly "$dir/setup.log" meson setup "$dir" "$top" "$@" || return 1
    fi
    quietly "$dir/compile.log" meson compile -C "$dir" || return 1
}

# Where meson puts the program.
build_program() {
    say "$build/correlate/cli/virtcorr"
}
