# Sourced by scripts that need a bare root of a release: makes one, and runs commands in it without network.
roots=$root/.build-parts/roots

# Sets `fresh` to a new copy of a bare root, which is removed when the script exits.
fresh_root() {
    local suite=$1 mirror=$2 begun=$SECONDS architecture log
    # script/package --machine sets KINEMA_MACHINE; its root's programs then run in emulation.
    architecture=$([ "${KINEMA_MACHINE:-}" = aarch64 ] && echo arm64 || dpkg --print-architecture)
    suite=$suite-$architecture log=$roots/$suite.log
    command -v debootstrap >/dev/null || install_packages debootstrap
    mkdir -p "$roots"
    if [ ! -f "$roots/$suite.tar" ]; then
        say "making a bare root of $suite"
        rm -rf "$roots/$suite.unfinished"
        # Only the essential packages, from debootstrap's default mirror or the given one.
        debootstrap --arch="$architecture" --variant=minbase "$1" "$roots/$suite.unfinished" ${mirror:+"$mirror"} >"$log" 2>&1 ||
            { tail -3 "$log" >&2 && fail "cannot make a bare root of $suite ($log); name a mirror with --mirror"; }
        rm -rf "$roots/$suite.unfinished"/var/{cache/apt/archives/*.deb,lib/apt/lists/*}
        tar --create --file "$roots/$suite.part" --directory "$roots/$suite.unfinished" .
        mv "$roots/$suite.part" "$roots/$suite.tar"
        rm -rf "$roots/$suite.unfinished"
        say "made it in $((SECONDS - begun)) s"
    fi
    fresh=$(mktemp -d "$roots/$suite.XXXXXX")
    chmod 755 "$fresh"
    trap 'rm -rf "$fresh"' EXIT
    tar --extract --file "$roots/$suite.tar" --directory "$fresh"
}

# Runs a command in the fresh root, in its own namespaces: its only network is loopback, it sees no other process, and its mounts
# end with it. The host's folders in `shown` appear at the same paths.
shown=()
in_root() {
    # Outside the root: in an emulated one `timeout` itself fails. unshare ends at the second signal only.
    ${seconds_allowed:+timeout --kill-after=10 "$seconds_allowed"} unshare --net --mount --pid --ipc --uts --fork --kill-child bash -euc '
        fresh=$1 shown=$2
        shift 2
        mount --make-rprivate /
        mount -t proc proc "$fresh/proc"
        mount -t sysfs sysfs "$fresh/sys" -o ro
        mount -t tmpfs tmpfs "$fresh/tmp" -o mode=1777
        [ -e "$fresh/etc/hosts" ] || printf "%s\n" "127.0.0.1 localhost" >"$fresh/etc/hosts"
        mkdir -p "$fresh/dev/shm" && mount -t tmpfs tmpfs "$fresh/dev/shm" -o mode=1777
        for folder in $shown; do mkdir -p "$fresh$folder" && mount --rbind "$folder" "$fresh$folder"; done
        ip link set lo up 2>/dev/null || true
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            ${QEMU_CPU:+QEMU_CPU="$QEMU_CPU"} \
            chroot "$fresh" "$@"
    ' in_root "$fresh" "${shown[*]}" "$@"
}

# Sets `fresh` to a bare root of a release for an architecture, with packages; makes it unless it exists. Packages for another
# processor are installed in emulation or, with variant=extract, only unpacked, which takes less time.
variant=minbase
bare_root() {
    local release=$1 architecture=$2 folder log
    shift 2
    folder=$roots/$release-$architecture-$(printf '%s\n' "$@" | sort | sha256sum | cut -c1-8) log=$roots/$release-$architecture.log
    if [ ! -d "$folder" ]; then
        say "making a bare root of $release for $architecture"
        command -v mmdebstrap >/dev/null || install_packages mmdebstrap
        [ $variant = extract ] || command -v arch-test >/dev/null || install_packages arch-test
        mkdir -p "$roots"
        rm -rf "$folder.unfinished"
        # An older mirror's lists may count as expired.
        mmdebstrap --architectures="$architecture" --variant="$variant" --aptopt='Acquire::Check-Valid-Until "false"' \
            --include="$(printf '%s\n' "$@" bash coreutils | paste -sd,)" \
            "$release" "$folder.unfinished" ${KINEMA_MIRROR:+"$KINEMA_MIRROR"} >"$log" 2>&1 ||
            { tail -3 "$log" >&2 && fail "cannot make a bare root of $release for $architecture ($log); name a mirror with KINEMA_MIRROR"; }
        mv "$folder.unfinished" "$folder"
    fi
    fresh=$folder
}

# Registers an emulator so that arm64 programs start directly; the decoder process needs that.
emulate_arm64() {
    [ -x /usr/bin/qemu-aarch64-static ] || install_packages qemu-user-static
    local register=/proc/sys/fs/binfmt_misc
    [ -e $register/register ] || mount -t binfmt_misc none $register
    [ -e $register/qemu-aarch64 ] || printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' >$register/register
}

# A Swift SDK for arm64: one root has C's headers and libraries, another has Debian's Swift package, of the same version as the
# compiler. Prints the SDK's folder.
cross_sdk() {
    local sysroot=$1 swift=$2/usr/libexec/swift/lib folder=$roots/sdks-${1##*/}
    # The linker's driver looks for the start of programs in the root itself.
    ln -sfn "$swift/swift" "$sysroot/usr/lib/swift"
    ln -sfn "$swift/swift_static" "$sysroot/usr/lib/swift_static"
    mkdir -p "$folder/kinema-arm64.artifactbundle"
    cat >"$folder/kinema-arm64.artifactbundle/info.json" <<END
{"schemaVersion": "1.0", "artifacts": {"kinema-arm64": {"type": "swiftSDK", "version": "1",
 "variants": [{"path": "."}]}}}
END
    cat >"$folder/kinema-arm64.artifactbundle/swift-sdk.json" <<END
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {"sdkRootPath": "$sysroot",
 "swiftResourcesPath": "$swift/swift", "swiftStaticResourcesPath": "$swift/swift_static",
 "toolsetPaths": ["toolset.json"]}}}
END
    cat >"$folder/kinema-arm64.artifactbundle/toolset.json" <<END
{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}
END
    echo "$folder"
}
