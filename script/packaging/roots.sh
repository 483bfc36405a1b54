# Sourced by what needs a bare root of a release: makes one, and runs commands in it without network.
roots=$root/.build-parts/roots

# Sets `fresh` to a new copy of a bare root, which ends with the script.
fresh_root() {
    local suite=$1 mirror=$2 log=$roots/$1.log begun=$SECONDS
    command -v debootstrap >/dev/null || install_packages debootstrap
    mkdir -p "$roots"
    if [ ! -f "$roots/$suite.tar" ]; then
        say "making a bare root of $suite"
        rm -rf "$roots/$suite.unfinished"
        # Nothing beyond the essential packages, from the mirror that debootstrap knows or the one that was named.
        debootstrap --variant=minbase "$suite" "$roots/$suite.unfinished" ${mirror:+"$mirror"} >"$log" 2>&1 ||
            { tail -3 "$log" >&2 && fail "no bare root of $suite ($log); name a mirror by --mirror"; }
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

# Runs a command in the fresh root: in namespaces of its own, so that it has no network but its own loopback, sees no
# other process, and all it mounts ends with it. It sees the folders of the host in `shown` at the same places.
shown=()
in_root() {
    unshare --net --mount --pid --ipc --uts --fork --kill-child bash -euc '
        fresh=$1 shown=$2
        shift 2
        mount --make-rprivate /
        mount -t proc proc "$fresh/proc"
        mount -t sysfs sysfs "$fresh/sys" -o ro
        mount -t tmpfs tmpfs "$fresh/tmp" -o mode=1777
        mkdir -p "$fresh/dev/shm" && mount -t tmpfs tmpfs "$fresh/dev/shm" -o mode=1777
        for folder in $shown; do mkdir -p "$fresh$folder" && mount --rbind "$folder" "$fresh$folder"; done
        ip link set lo up 2>/dev/null || true
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            chroot "$fresh" "$@"
    ' in_root "$fresh" "${shown[*]}" "$@"
}
