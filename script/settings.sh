# Sourced by every script: where the package is and where downloads are kept.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinema_home=${KINEMA_HOME:-$root/.kinema}
# Measurements, kept until someone deletes them: not in a Python environment, which may be rebuilt, nor in the tests' cache.
measured=$kinema_home/measured
shared=${KINEMA_SHARED:-$root/../shared}
# Debian's headless browser, which the studio's tests drive: it needs half of what the full browser needs.
chromium=${KINEMA_CHROMIUM:-/usr/bin/chromium-headless-shell}

# The comment at the head of a script is its help, printed before anything is installed or built.
case ${1:-} in
-h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# Installs Debian packages, as root or with sudo.
install_packages() {
    local as_root=()
    command -v apt-get >/dev/null ||
        fail "these are missing, and without apt-get you must install them yourself: $*"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            fail "run as root, or install sudo, or have these packages installed: $*"
        as_root=(sudo)
    fi
    say "installing $*"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3)
    "${apt[@]}" update >&2 || fail "apt-get update failed; check the network and the package sources"
    "${apt[@]}" install -y --no-install-recommends "$@" >&2 || fail "apt-get could not install: $*"
}

# The files that are or would be tracked, each ended by NUL: all, or those that match the patterns.
files() {
    local path
    git ls-files -z --cached --others --exclude-standard -- "$@" |
        while IFS= read -r -d '' path; do if [ -f "$path" ]; then printf '%s\0' "$path"; fi; done
}

# Builds and runs the tests. They run real inference, so the build is optimised, except targets with little computation; its
# own folder leaves that of `swift build` alone.
checked_swift=(env KINEMA_CHECKED=1 swift)
checked_build=(
    --package-path "$root" --scratch-path "$root/.build-checked"
    -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
)

# The newest version of CHANGELOG.md: alone if its tag is checked out, with the number of commits since that tag, or with -dev
# and the commit if there is no such tag. Changed files are marked.
kinema_version() {
    local number tag changed
    number=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' "$root/CHANGELOG.md" | head -1)
    [ -n "$number" ] || fail "CHANGELOG.md names no version"
    if tag=$(git -C "$root" describe --tags --long --abbrev=7 --match "v$number" 2>/dev/null); then
        tag=${tag#"v$number-"}
        if [[ $tag != 0-* ]]; then number+=+${tag%%-*}.${tag##*-g}; fi
    else
        number+=-dev
        if tag=$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null); then number+=+$tag; fi
    fi
    changed=$(git -C "$root" status --porcelain --untracked-files=no 2>/dev/null | head -1)
    if [ -n "$changed" ]; then if [[ $number = *+* ]]; then number+=.changed; else number+=+changed; fi; fi
    echo "$number"
}

# Timings and demos use a release build, which is quiet unless it fails.
kinema=$root/.build/release/kinema
# kinema analyses; kinema-studio also has the studio, the history and watch.
build_release() {
    build_product kinema
    build_product kinema-studio
}

# Builds the tool in Benchmarks/KinemaBench that times parts; scripts in script/measure find it through KINEMA_BENCH.
build_bench() {
    [ -n "${KINEMA_BENCH:-}" ] || build_product kinema-bench
    export KINEMA_BENCH=${KINEMA_BENCH:-$root/.build/release/kinema-bench}
}

build_product() {
    local log
    log=$(mktemp)
    [ -x "$root/.build/release/$1" ] && say "building $1" || say "building $1; the first time takes about 4 minutes on two cores"
    if ! KINEMA_VERSION=$(kinema_version) swift build --package-path "$root" -c release --product "$1" 2>&1 | tee "$log" | show_steps; then
        cat "$log" >&2
        rm -f "$log"
        fail "the build failed"
    fi
    rm -f "$log"
}

# Shows the steps of `swift build` in one updating line; without a terminal, one line per minute.
show_steps() {
    local line last=0
    while IFS= read -r line; do
        [[ $line =~ ^\[[0-9]+/[0-9]+\]\ .* ]] || continue
        if [ -t 2 ]; then
            printf '\r\033[K%.78s' "$line" >&2
        elif [ $((SECONDS - last)) -ge 60 ]; then
            last=$SECONDS
            say "$line"
        fi
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Builds an older commit's command, kept in $kinema_home/older under its hash, and prints its path.
older_release() {
    local commit folder log
    commit=$(git -C "$root" rev-parse --quiet --verify "${1:-none}^{commit}") || fail "'${1:-}' is not a commit of this repository"
    folder=$kinema_home/older/$commit
    if [ ! -x "$folder/.build/release/kinema" ]; then
        rm -rf "$folder"
        mkdir -p "$folder"
        log=$kinema_home/older/build.log
        git -C "$root" archive "$commit" | tar -x -C "$folder"
        say "building $(git -C "$root" log -1 --format='%h, %s' "$commit")"
        swift build --package-path "$folder" -c release --product kinema >"$log" 2>&1 || fail "that commit does not build here; see $log"
    fi
    echo "$folder/.build/release/kinema"
}

# Makes a Python environment in $kinema_home/NAME with the files that script/requirements/NAME.txt lists, each checked by its
# SHA-256, and prints its interpreter. Accepts Python 3.FIRST to 3.LAST.
python_environment() {
    local name=$1 first=$2 last=$3 folder=$kinema_home/$1 list=$root/script/requirements/$1.txt python log refused minor
    if [ "$(cat "$folder/complete" 2>/dev/null)" != "$(sha256sum <"$list")" ]; then
        for python in "${PYTHON:-python3}" python3.{14..9} none; do
            minor=$("$python" -c 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)' 2>/dev/null) &&
                [ "$minor" -ge "$first" ] && [ "$minor" -le "$last" ] && break
        done
        [ "$python" != none ] || fail "this needs Python 3.$first to 3.$last; name one with PYTHON=/path/to/python"
        say "installing $(grep -oE '^[a-zA-Z0-9-]+' "$list" | sort -u | head -3 | paste -sd' ') and others into $folder"
        rm -rf "$folder"
        "$python" -m venv "$folder" >&2 || fail "cannot create a Python environment; is python3-venv installed?"
        log=$folder/pip.log
        # The list is complete, so pip resolves nothing; only wheels are allowed, so no package runs code while installing.
        if ! "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
            --requirement "$list" >"$log" 2>&1; then
            refused=$(awk '/DO NOT MATCH THE HASHES/ { told = 1 } told && / from / { print $1; exit }' "$log")
            [ -z "$refused" ] || fail "$refused was rejected: its SHA-256 is not in script/requirements/$name.txt"
            fail "pip could not install what script/requirements/$name.txt lists ($log); check the network"
        fi
        sha256sum <"$list" >"$folder/complete"
    fi
    echo "$folder/bin/python"
}

# Python with the systems that Kinema is compared with, and the runtime of the models compared; prints the interpreter.
# MediaPipe needs Python 3.9 to 3.12.
peers_python() {
    [ -d "$shared/peers" ] && [ -d "$shared/data" ] ||
        fail "$shared does not exist; set KINEMA_SHARED to the folder with the recordings and the peers' scripts"
    python_environment peers 9 12
}

# Bootstraps, builds, then runs a program of script/measure.
measure() {
    local program=$1 python
    shift
    "$root/script/bootstrap"
    python=$(peers_python)
    [ -n "${KINEMA_COMMAND:-}" ] || build_release
    case $program in bench.py | coco.py | contours.py) build_bench ;; esac
    KINEMA_HOME=$kinema_home exec "$python" "$root/script/measure/$program" --kinema "${KINEMA_COMMAND:-$kinema}" \
        --shared "$shared" --cache "$measured" "$@"
}

# Measures `kinema watch` with cameras that the tests' RTSP server plays; needs no peers.
measure_streams() {
    "$root/script/bootstrap" --tests
    [ -n "${KINEMA_COMMAND:-}" ] || build_release
    KINEMA_HOME=$kinema_home PYTHONDONTWRITEBYTECODE=1 exec python3 "$root/script/measure/streams.py" \
        --kinema "${KINEMA_COMMAND:-$kinema}" "$@"
}

# Measures the studio through its socket and, except for the hour, through its page in a browser; needs no peers.
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

# Sets the environment of the tests, including those of the page in a browser.
tests_environment() {
    export KINEMA_HOME=$kinema_home KINEMA_SHARED=$shared KINEMA_CHROMIUM=$chromium
    export KINEMA_STUDIO_TESTS=$root/out/studio-tests PYTHONDONTWRITEBYTECODE=1
    export PYTHONPATH=$kinema_home/browser-tools
    mkdir -p "$KINEMA_STUDIO_TESTS/shots"
    # Removes clips of outdated renderers.
    if [ -d "$kinema_home/cache/rendered" ]; then
        find "$kinema_home/cache/rendered" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
    fi
}

# Installs what the tests in Tests/Python need, including matplotlib and pandas; prints the Python interpreter.
module_python() { python_environment python 11 13; }

# Runs the tests of the page, and more as the options say, in parallel.
run_workers() {
    python3 "$root/script/testing/run.py" --workers "${KINEMA_WORKERS:-3}" --browser "$root/Tests/Browser" \
        --times "$kinema_home/cache/test-seconds.json" "$@"
}
