# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What a test VM is made of, each kept in the cache: virtme-ng (boots a kernel on the machine's own
# root file system) and a distribution kernel. Nothing of it is installed on the machine.

vm_suite=trixie # the first Debian release with a virtme-ng that does what is needed here

# The archive that this machine's apt uses already.
vm_archive() {
    # shellcheck disable=SC2016 # apt-get fills these in
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 2>/dev/null |
        awk '$3 == "main" && $2 !~ /-/ && $1 ~ /\/debian\/?$/ { print $1; exit }'
}

# apt-get with sources and state of its own, so that the machine's are left alone.
vm_apt() {
    apt-get -qq -o Dir::Etc::SourceList="$cache/apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$cache/apt/lists" -o Dir::Cache="$cache/apt" \
        -o APT::Sandbox::User=root -o Acquire::Retries=3 -o Acquire::Languages=none "$@"
}

vm_apt_source() {
    local archive
    archive=$(vm_archive)
    [ -n "$archive" ] || return 1
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
    printf 'deb [signed-by=%s] %s %s main\n' /usr/share/keyrings/debian-archive-keyring.gpg \
        "$archive" "$vm_suite" >"$cache/apt/sources.list"
    vm_apt update
}

# Unpacks packages into a folder, which appears only when it is whole. $1 is the command that
# knows the packages' source: apt-get, or vm_apt.
vm_unpack() {
    local apt=$1 dir=$2 deb
    shift 2
    rm -rf "$dir.part"
    mkdir -p "$dir.part/debs"
    (cd "$dir.part/debs" && "$apt" -qq -o APT::Sandbox::User=root download "$@" >/dev/null) || return 1
    for deb in "$dir.part"/debs/*.deb; do
        dpkg-deb -x "$deb" "$dir.part" || return 1
    done
    rm -rf "$dir.part/debs" "$dir"
    mv "$dir.part" "$dir"
}

# virtme-ng from the machine's own release where that has a new enough one, else from $vm_suite.
vm_virtme_ng() {
    local candidate apt=apt-get
    vng=$cache/virtme-ng/usr/bin/vng
    [ ! -x "$vng" ] || return 0
    packages_refresh
    candidate=$(apt-cache policy virtme-ng 2>/dev/null | awk '$1 == "Candidate:" { print $2 }')
    if ! dpkg --compare-versions "${candidate:-0}" ge 1.33; then
        apt=vm_apt
        vm_apt_source || die "no Debian archive among apt's sources to take virtme-ng from"
    fi
    say "fetching: virtme-ng into $cache"
    vm_unpack "$apt" "$cache/virtme-ng" virtme-ng || die "could not fetch virtme-ng"
}

# Names of the packages that make up the distribution's generic kernel, image and modules.
vm_kernel_packages() {
    local meta=linux-image-amd64
    [ "$(os_id)" != ubuntu ] || meta=linux-image-generic
    apt-cache depends --recurse --important "$meta" 2>/dev/null |
        grep -oE '^linux-(image|modules|modules-extra)-[0-9][^ ]*' | grep -v unsigned | sort -u
}

vm_kernel_image() {
    find "$cache/kernel/boot" -name 'vmlinuz-*' 2>/dev/null | sort -V | tail -n 1
}

# Debian's generic kernel, since the -cloud one lacks 9p. Debian 13 ships modules under usr/lib only.
vm_kernel() {
    local -a packages
    kernel=$(vm_kernel_image)
    [ -z "$kernel" ] || return 0
    packages_refresh
    mapfile -t packages < <(vm_kernel_packages)
    [ "${#packages[@]}" -gt 0 ] || die "no generic kernel package among apt's sources"
    say "fetching: ${packages[*]} into $cache"
    vm_unpack apt-get "$cache/kernel" "${packages[@]}" || die "could not fetch a kernel"
    [ -e "$cache/kernel/lib" ] || ln -s usr/lib "$cache/kernel/lib"
    kernel=$(vm_kernel_image)
}

# Sets vng and kernel. Call it after the packages of a VM were installed.
vm_prepare() {
    vm_virtme_ng
    vm_kernel
}

# perf's own binary: Ubuntu's wrapper refuses a kernel that it was not built for.
vm_perf() {
    local perf
    perf=$(find /usr/lib/linux-tools -name perf -type f -perm -u+x 2>/dev/null | sort -V | tail -n 1)
    [ -n "$perf" ] || perf=$(command -v perf) || return 1
    say "$perf"
}

# Boots one VM and runs a script in it, as root, with the machine's root file system read-only and
# one folder under /tmp writable. Further arguments go to QEMU. Gives the script's exit status.
vm_run() {
    local dir=$1 script=$2
    shift 2
    (cd /tmp && PATH=$(dirname "$vng"):/usr/sbin:/usr/bin:/sbin:/bin \
        PYTHONPATH=$cache/virtme-ng/usr/lib/python3/dist-packages \
        timeout "${VIRTCORR_VM_TIMEOUT:-900}" "$vng" --run "$kernel" --force-9p --disable-kvm \
        --user root --cpus 2 --memory 1G --network user --rwdir "$dir" \
        --qemu "${QEMU:-/usr/bin/qemu-system-x86_64}" --qemu-opts="$*" -- "$script" </dev/null)
}
