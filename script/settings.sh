# Sourced by every script: where the package lies and where fetched things are kept.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinema_home=${KINEMA_HOME:-$root/.kinema}
shared=${KINEMA_SHARED:-$root/../shared}
# Debian's browser, which the studio's tests drive.
chromium=${KINEMA_CHROMIUM:-/usr/bin/chromium}

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

# Whatever is timed or demonstrated is a release build; the build is quiet unless it fails.
kinema=$root/.build/release/kinema
build_release() {
    local log
    log=$(mktemp)
    say "building"
    if ! swift build --package-path "$root" -c release --product kinema >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        fail "the build failed"
    fi
    rm -f "$log"
}

# Python with the peers that Kinema is measured against, in an environment of its own; prints the interpreter.
peers_python() {
    local folder=$kinema_home/peers python
    local packages=("mediapipe==0.10.21" "opencv-contrib-python-headless<4.12" "pycocotools==2.0.11")
    [ -d "$shared/peers" ] && [ -d "$shared/data" ] ||
        fail "$shared with the peers' scripts and the recordings is absent; set KINEMA_SHARED to where it lies"
    if [ "$(cat "$folder/complete" 2>/dev/null)" != "${packages[*]}" ]; then
        for python in "${PYTHON:-python3}" python3.12 python3.11 python3.10 python3.9 none; do
            "$python" -c 'import sys; sys.exit(not (3, 9) <= sys.version_info < (3, 13))' 2>/dev/null && break
        done
        [ "$python" != none ] || fail "MediaPipe needs Python 3.9 to 3.12; name one by PYTHON=/path/to/python"
        say "installing the peers into $folder"
        rm -rf "$folder"
        "$python" -m venv "$folder" >&2 || fail "cannot make a Python environment; is python3-venv installed?"
        "$folder/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >&2 ||
            fail "pip could not install the peers; check the network"
        echo "${packages[*]}" >"$folder/complete"
    fi
    # The models that Kinema is compared with run in the same runtime.
    "$folder/bin/python" -c 'import openvino' 2>/dev/null ||
        "$folder/bin/pip" install --quiet --disable-pip-version-check "openvino==2026.4.1" "numpy<2" >&2 ||
        fail "pip could not install openvino; check the network"
    echo "$folder/bin/python"
}

# Bootstraps, builds, then runs a measuring program of script/measure.
measure() {
    local program=$1 python
    shift
    "$root/script/bootstrap"
    python=$(peers_python)
    [ -n "${KINEMA_COMMAND:-}" ] || build_release
    KINEMA_HOME=$kinema_home exec "$python" "$root/script/measure/$program" --kinema "${KINEMA_COMMAND:-$kinema}" \
        --shared "$shared" --cache "$kinema_home/peers" "$@"
}

# Measures the studio, by its socket alone and, but for the hour, by its page in a browser too; needs no peers.
measure_studio() {
    "$root/script/bootstrap" --tests
    [ -n "${KINEMA_COMMAND:-}" ] || build_release
    local command=${KINEMA_COMMAND:-$kinema} status=0
    export KINEMA_HOME=$kinema_home PYTHONDONTWRITEBYTECODE=1
    python3 "$root/script/measure/studio.py" --kinema "$command" "$@" || status=1
    case " $* " in
    *" --studio "*)
        python3 "$root/script/measure/studio_page.py" --kinema "$command" --chromium "$chromium" "$@" || status=1
        ;;
    esac
    return "$status"
}
