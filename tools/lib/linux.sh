# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# virtio_net of a distribution kernel, built as a module of its own: its source, the kernel's headers
# and the kernel that loads it, each kept in the cache. Call linux_prepare before the others.

linux_series=$top/guest/linux-patches
linux_files=(drivers/net/virtio_net.c drivers/virtio/virtio_ring.c MAINTAINERS scripts/checkpatch.pl
    scripts/spelling.txt scripts/const_structs.checkpatch)

# Sets linux_version, linux_dir, linux_release, and kernel as vm_kernel does.
linux_prepare() {
    local headers
    linux_version=$1
    [ -d "$linux_series/$linux_version" ] || die "no series for Linux $linux_version"
    linux_dir=$cache/linux-$linux_version
    mkdir -p "$linux_dir"
    linux_source
    linux_kernel
    headers=$linux_dir/headers-$linux_release
    [ -d "$headers" ] || linux_headers "$headers"
    linux_objects=$headers/usr/src/linux-headers-$linux_release
}

# Only the few files that are needed, of more than a gigabyte.
linux_source() {
    local package=linux-source-$linux_version tar
    [ ! -d "$linux_dir/source" ] || return 0
    packages_refresh
    apt-cache show "$package" >/dev/null 2>&1 || die "no package $package among apt's sources"
    say "fetching: $package into $linux_dir" >&2
    vm_unpack apt-get "$linux_dir/package" "$package" || die "could not fetch $package"
    tar=$linux_dir/package/usr/src/$package.tar.xz
    rm -rf "$linux_dir/source.part"
    mkdir "$linux_dir/source.part"
    tar -x -f "$tar" -C "$linux_dir/source.part" --strip-components=1 \
        "${linux_files[@]/#/$package/}" || die "could not unpack $tar"
    rm -rf "$linux_dir/package"
    mv "$linux_dir/source.part" "$linux_dir/source"
}

# The newest kernel of this version whose headers are offered as well.
linux_newest_release() {
    apt-cache search --names-only "^linux-headers-${linux_version//./\\.}\\.[^ ]*-amd64\$" |
        awk '{ sub("linux-headers-", "", $1); print $1 }' | grep -Ev -- '-(cloud|rt)-' | sort -V | tail -n 1
}

# The VM's own kernel when it is of this version, else one beside it.
linux_kernel() {
    kernel=$(vm_kernel_image)
    case ${kernel##*/} in
    vmlinuz-"$linux_version".*) ;;
    *)
        kernel=$(find "$linux_dir/kernel/boot" -name 'vmlinuz-*' 2>/dev/null | sort -V | tail -n 1)
        [ -n "$kernel" ] || linux_fetch_kernel
        ;;
    esac
    linux_release=${kernel##*/vmlinuz-}
}

linux_fetch_kernel() {
    local release
    packages_refresh
    release=$(linux_newest_release)
    [ -n "$release" ] || die "no kernel $linux_version with headers among apt's sources"
    say "fetching: linux-image-$release into $linux_dir" >&2
    vm_unpack apt-get "$linux_dir/kernel" "linux-image-$release" || die "could not fetch a kernel"
    [ -e "$linux_dir/kernel/lib" ] || ln -s usr/lib "$linux_dir/kernel/lib"
    kernel=$linux_dir/kernel/boot/vmlinuz-$release
}

# The packages expect to be at the root of the file system.
linux_headers() {
    local dir=$1 package=linux-headers-$linux_release
    local -a packages
    packages_refresh
    mapfile -t packages < <(apt-cache depends "$package" 2>/dev/null |
        awk '$1 == "Depends:" && $2 ~ /^linux-(headers-.*-common|kbuild-)/ { print $2 }')
    say "fetching: $package ${packages[*]} into $linux_dir" >&2
    vm_unpack apt-get "$dir" "$package" "${packages[@]}" || die "could not fetch $package"
    printf 'include %s/Makefile\n' "$dir"/usr/src/linux-headers-*-common \
        >"$dir/usr/src/$package/Makefile"
}

# A git tree of the source in $1, for git am.
linux_tree() {
    rm -rf "$1"
    cp -r "$linux_dir/source" "$1"
    linux_git "$1" init -q
    linux_git "$1" add -A
    linux_git "$1" commit -q -m "Linux $linux_version"
}

linux_git() {
    local tree=$1
    shift
    git -C "$tree" -c user.name=virtcorr -c user.email=virtcorr@localhost -c commit.gpgsign=false "$@"
}

linux_patches() {
    printf '%s\n' "$linux_series/$linux_version"/0*.patch
}

# Makes a module of the virtio_net.c in the tree $1; leaves it in the folder $2. trace/define_trace.h
# looks for the header beside itself, at ../../drivers/net: the folder trace leads it to ours.
linux_module() {
    local tree=$1 out=$2
    mkdir -p "$out/drivers/net" "$out/include/trace"
    cp "$tree"/drivers/net/*.[ch] "$out/drivers/net/"
    # shellcheck disable=SC2016 # make fills it in
    printf 'obj-m := virtio_net.o\nccflags-y := -I%s/include/trace\n' "$out" >"$out/drivers/net/Makefile"
    quietly "$out/make.log" nice -n 19 make -C "$linux_objects" CC="${CC:-gcc}" \
        M="$out/drivers/net" CONFIG_DEBUG_INFO_BTF_MODULES= modules || return 1
    ! grep -q 'warning: .*virtio_net\|virtio_net[^ ]*: warning' "$out/make.log" || return 1
    strip --strip-debug "$out/drivers/net/virtio_net.ko"
    mv "$out/drivers/net/virtio_net.ko" "$out/virtio_net.ko"
}
