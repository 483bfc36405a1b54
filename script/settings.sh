# Sourced by every script: where the package lies and where fetched things are kept.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinema_home=${KINEMA_HOME:-$root/.kinema}
shared=${KINEMA_SHARED:-$root/../shared}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# The files that are or would be tracked, ended by NUL; all, or those that match the patterns.
files() {
    local path
    git ls-files -z --cached --others --exclude-standard -- "$@" |
        while IFS= read -r -d '' path; do if [ -f "$path" ]; then printf '%s\0' "$path"; fi; done
}

# Tests run real inference, so they are built optimised; a folder of their own keeps `swift build` undisturbed.
checked_build=(
    --package-path "$root" --scratch-path "$root/.build-checked"
    -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
)
