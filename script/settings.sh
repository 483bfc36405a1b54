# Sourced by every script: where the package lies and where fetched things are kept.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinema_home=${KINEMA_HOME:-$root/.kinema}
shared=${KINEMA_SHARED:-$root/../shared}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# Tests run real inference, so they are built optimised; a folder of their own keeps `swift build` undisturbed.
checked_build=(
    --package-path "$root" --scratch-path "$root/.build-checked"
    -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
)
