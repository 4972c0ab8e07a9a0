# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Which Debian packages a command needs, and how the missing ones are installed.

# The packages for a purpose, one a line.
packages_for() {
    case $1 in
    build) printf '%s\n' gcc meson ninja-build pkg-config libglib2.0-dev libtraceevent-dev libzstd-dev zstd ;;
    test) printf '%s\n' python3 jq shellcheck ;;
    vm)
        printf '%s\n' qemu-system-x86 seabios ipxe-qemu busybox-static kmod udev iproute2 procps file \
            python3 python3-argcomplete python3-pkg-resources python3-requests trace-cmd
        # The package that holds perf has another name on Ubuntu.
        if [ "$(os_id)" = ubuntu ]; then say linux-tools-generic; else say linux-perf; fi
        ;;
    esac
}

packages_missing() {
    local name
    for name in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
            printf '%s\n' "$name"
    done
}

apt_quiet() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

# Once a run. A source of the user's own that cannot be reached must not stop us: the install tells.
packages_refresh() {
    local log=$cache/apt-update.log
    [ -z "${packages_refreshed:-}" ] || return 0
    packages_refreshed=1
    quietly "$log" apt_quiet update || warn "apt-get update had errors; going on with what it has"
}

# Installs what is missing for these purposes; silent when nothing is.
packages_install() {
    local purpose
    local -a wanted missing
    mapfile -t wanted < <(for purpose in "$@"; do packages_for "$purpose"; done | sort -u)
    if ! have apt-get || ! have dpkg-query; then
        say "This is not a Debian-like system. Nothing is installed; these Debian packages (or what"
        say "your system calls them) are needed: ${wanted[*]}"
        return 0
    fi
    mapfile -t missing < <(packages_missing "${wanted[@]}")
    [ "${#missing[@]}" -gt 0 ] || return 0
    say "installing: ${missing[*]}"
    packages_refresh
    quietly "$cache/apt-install.log" apt_quiet install --no-install-recommends "${missing[@]}" ||
        die "apt-get could not install: ${missing[*]}"
}

os_id() {
    sed -n 's/^ID=//p' /etc/os-release 2>/dev/null | tr -d '"'
}
