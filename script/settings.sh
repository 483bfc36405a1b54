# Sourced by every script: where the package lies and where fetched things are kept.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
kinema_home=${KINEMA_HOME:-$root/.kinema}
# What measuring keeps, for as long as nobody deletes it: not in a Python environment, which is made anew, nor in the tests' cache.
measured=$kinema_home/measured
shared=${KINEMA_SHARED:-$root/../shared}
# Debian's browser without a window, which the studio's tests drive: it takes half of what the other takes.
chromium=${KINEMA_CHROMIUM:-/usr/bin/chromium-headless-shell}

# Before anything is installed or built: the comment at the head of a script is its help.
case ${1:-} in
-h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

# Installs Debian packages; as root, or by sudo.
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

# The files that are or would be tracked, ended by NUL; all, or those that match the patterns.
files() {
    local path
    git ls-files -z --cached --others --exclude-standard -- "$@" |
        while IFS= read -r -d '' path; do if [ -f "$path" ]; then printf '%s\0' "$path"; fi; done
}

# `swift build` or `swift test` of what the tests run. They run real inference, so it is optimised, besides what hardly
# computes; a folder of its own keeps `swift build` undisturbed.
checked_swift=(env KINEMA_CHECKED=1 swift)
checked_build=(
    --package-path "$root" --scratch-path "$root/.build-checked"
    -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
)

# The version: the newest of CHANGELOG.md if its tag is what lies here, with the number of commits since that tag, or with
# -dev and the commit while there is no such tag. Changed files are told.
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

# Whatever is timed or demonstrated is a release build; the build is quiet unless it fails.
kinema=$root/.build/release/kinema
# The command that analyses, and the program that has the studio, history and watch too.
build_release() {
    build_product kinema
    build_product kinema-studio
}

# The tool in Benchmarks/KinemaBench that times parts, for the scripts of script/measure, which find it by KINEMA_BENCH.
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

# Shows the steps of `swift build` as one line that moves; without a terminal, one line a minute.
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

# Builds the command of an older commit, kept in $kinema_home/older by its hash; prints the command's path.
older_release() {
    local commit folder log
    commit=$(git -C "$root" rev-parse --quiet --verify "${1:-none}^{commit}") || fail "${1:-nothing} is no commit of this repository"
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

# An environment of Python of its own in $kinema_home/NAME with what script/requirements/NAME.txt lists, every file by its
# SHA-256; prints its interpreter. Takes Python from 3.FIRST to 3.LAST.
python_environment() {
    local name=$1 first=$2 last=$3 folder=$kinema_home/$1 list=$root/script/requirements/$1.txt python log refused minor
    if [ "$(cat "$folder/complete" 2>/dev/null)" != "$(sha256sum <"$list")" ]; then
        for python in "${PYTHON:-python3}" python3.{14..9} none; do
            minor=$("$python" -c 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)' 2>/dev/null) &&
                [ "$minor" -ge "$first" ] && [ "$minor" -le "$last" ] && break
        done
        [ "$python" != none ] || fail "this needs Python 3.$first to 3.$last; name one by PYTHON=/path/to/python"
        say "installing $(grep -oE '^[a-zA-Z0-9-]+' "$list" | sort -u | head -3 | paste -sd' ') and others into $folder"
        rm -rf "$folder"
        "$python" -m venv "$folder" >&2 || fail "cannot make a Python environment; is python3-venv installed?"
        log=$folder/pip.log
        # The list is complete, so pip needs to look for nothing; wheels only, so nothing of theirs runs meanwhile.
        if ! "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
            --requirement "$list" >"$log" 2>&1; then
            refused=$(awk '/DO NOT MATCH THE HASHES/ { told = 1 } told && / from / { print $1; exit }' "$log")
            [ -z "$refused" ] || fail "$refused was refused: its SHA-256 is not in script/requirements/$name.txt"
            fail "pip could not install what script/requirements/$name.txt lists ($log); check the network"
        fi
        sha256sum <"$list" >"$folder/complete"
    fi
    echo "$folder/bin/python"
}

# Python with the peers that Kinema is measured against, and the runtime that the models compared with run in; prints the
# interpreter. MediaPipe needs Python 3.9 to 3.12.
peers_python() {
    [ -d "$shared/peers" ] && [ -d "$shared/data" ] ||
        fail "$shared with the peers' scripts and the recordings is absent; set KINEMA_SHARED to where it lies"
    python_environment peers 9 12
}

# Bootstraps, builds, then runs a measuring program of script/measure.
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

# What the tests find by their environment, the page's in a browser too.
tests_environment() {
    export KINEMA_HOME=$kinema_home KINEMA_SHARED=$shared KINEMA_CHROMIUM=$chromium
    export KINEMA_STUDIO_TESTS=$root/out/studio-tests PYTHONDONTWRITEBYTECODE=1
    export PYTHONPATH=$kinema_home/browser-tools
    mkdir -p "$KINEMA_STUDIO_TESTS/shots"
    # Clips of renderers that have changed since.
    if [ -d "$kinema_home/cache/rendered" ]; then
        find "$kinema_home/cache/rendered" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
    fi
}

# Python with what the tests of the module in Python/ need, matplotlib and pandas among it; prints the interpreter.
module_python() { python_environment python 11 13; }

# Runs the tests of the page, and more as the options say, side by side.
run_workers() {
    python3 "$root/script/testing/run.py" --workers "${KINEMA_WORKERS:-3}" --browser "$root/Tests/Browser" \
        --times "$kinema_home/cache/test-seconds.json" "$@"
}
