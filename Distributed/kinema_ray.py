"""Runs `kinema` on many videos over a Ray cluster: `script/ray --help`.

Ray spreads, retries and, where it runs under an autoscaler, asks for machines. Here is only what a worker does with a
video, and how the one driver writes what comes back, so that there is exactly one row for each content."""
import argparse
import atexit
import contextlib
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Before Ray is loaded: it sends nothing about its use to anyone, and serves no page.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Whoever reaches a port of Ray's could have its workers run anything: a cluster of our own takes only this run's token.
# One that is joined has a token of its own, or none.
if not any(word.split("=")[0] == "--address" for word in sys.argv):
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)

import fsspec
import pyarrow
import pyarrow.parquet
import ray

# What `kinema batch` takes for videos in folders.
ENDINGS = {"3gp", "avi", "flv", "gif", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "ogv", "ts",
           "webm", "wmv"}
SCHEMA = pyarrow.schema([
    ("sha256", pyarrow.string()), ("address", pyarrow.string()), ("size", pyarrow.int64()),
    ("version", pyarrow.string()), ("status", pyarrow.string()), ("result", pyarrow.string()),
    ("error", pyarrow.string()), ("code", pyarrow.int32()), ("seconds", pyarrow.float64()), ("node", pyarrow.string()),
])
# A row is written for what a video is; what only this run met (no answer, no network) is tried again by the next.
LASTING = {"done", "nothing", "failed"}


class Trouble(Exception):
    """What ends a run, in one line."""


# ---------------------------------------------------------------- a worker

class Service:
    """A `kinema serve-jobs` that has its models loaded; begun anew when it dies."""

    def __init__(self, kinema):
        self.process = subprocess.Popen(
            [kinema, "serve-jobs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True)
        atexit.register(self.end)

    def ask(self, job, timeout):
        """The answer to a job; None when the process died or took too long."""
        timer = threading.Timer(timeout, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            return json.loads(answer) if answer.endswith(b"\n") else None
        except OSError:
            return None
        finally:
            timer.cancel()

    def end(self):
        self.process.kill()
        self.process.wait()


# The service of this worker process; Ray gives a process one task after the other.
services = {}


def answer(path, settings):
    """What `kinema` says of a file, from a service that is kept; None when it died with it each time."""
    job = {"id": 1, "task": settings["task"], "path": path, "options": settings["options"]}
    for _ in range(settings["retries"] + 1):
        service = services.get("kinema") or Service(settings["kinema"])
        services["kinema"] = service
        found = service.ask(job, settings["timeout"])
        if found is not None:
            return found
        service.end()
        del services["kinema"]
    return None


@contextlib.contextmanager
def local(address, settings):
    """The path of an address's content on this machine; what is fetched is gone afterwards."""
    if "://" not in address:
        yield address
        return
    with tempfile.NamedTemporaryFile(prefix="kinema-", suffix=os.path.splitext(address.split("?")[0])[1]) as file:
        for attempt in range(settings["retries"] + 1):
            try:
                file.seek(0)
                file.truncate()
                with fsspec.open(address, "rb") as source:
                    shutil.copyfileobj(source, file, 1 << 20)
                break
            except Exception:  # what fails is different for each kind of storage
                if attempt == settings["retries"]:
                    raise
                time.sleep(2 ** attempt)
        file.flush()
        yield file.name


def shown(address):
    """An address without what may be secret in it: a password, a signature in its query."""
    return re.sub(r"^([a-z0-9+.-]+://)[^/@]*@", r"\1", address.split("?")[0]) if "://" in address else address


def reason(error, address):
    """What an error of a store says, in one line."""
    words = " ".join(str(error).split()).replace(address, shown(address))[:300]
    return f"cannot be read: {words or type(error).__name__}"


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def analyse(job, settings, known):
    """The row of a video; its status is `known` when its content has a row, `lost` when there was no answer."""
    row = {**job, "address": shown(job["address"]), "node": ray.get_runtime_context().get_node_id()[:12]}
    started = time.monotonic()
    try:
        with local(job["address"], settings) as path:
            row["size"] = row.get("size") or os.stat(path).st_size
            row["sha256"] = digest(path)
            if row["sha256"] in known:
                return {**row, "status": "known"}
            found = answer(os.path.abspath(path), settings)
    except Exception as error:
        return {**row, "status": "lost", "error": reason(error, job["address"])}
    if found is None:
        return {**row, "status": "lost", "error": "kinema died or gave no answer in time"}
    if found.get("missing"):
        return {**row, "status": "missing", "error": found["error"]}
    if found.get("code") == 130:
        return {**row, "status": "lost", "error": "kinema was told to end"}
    result = found.get("result")
    if isinstance(result, dict) and "source" in result:
        result["source"] = row["address"]
    return {
        **row, "status": found["status"], "result": None if result is None else json.dumps(result),
        "error": found.get("error"), "code": found.get("code"), "seconds": round(time.monotonic() - started, 3)}


# ---------------------------------------------------------------- what there is to do

def jobs(arguments):
    """Each video as a job: its address, with its content's hash or what tells without reading it whether it changed."""
    addresses = list(arguments.addresses)
    if arguments.list:
        try:
            with open(arguments.list, encoding="utf-8") as file:
                addresses += [line.strip() for line in file if line.strip() and not line.startswith("#")]
        except (OSError, UnicodeDecodeError) as error:
            raise Trouble(f"{arguments.list}: {error}") from error
    places = [address for address in addresses if "://" not in address]
    found = planned(places, arguments) if places else []
    for address in addresses:
        if "://" in address:
            found += remote(address)
    if not found:
        raise Trouble("no video found")
    # One of those that are known to be the same.
    return list({job.get("sha256") or job["address"]: job for job in found}.values())


def planned(places, arguments):
    """Local videos, as `kinema batch` finds them."""
    command = [arguments.kinema, "batch", *places, "-o", arguments.output, "--task", arguments.task, "--plan"]
    run = subprocess.run([*command, "--", *arguments.options], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise Trouble(run.stderr.strip().removeprefix("kinema: ") or "kinema batch --plan failed")
    items = map(json.loads, run.stdout.splitlines())
    return [{"address": item["path"], "size": item.get("size"), "sha256": item.get("sha256")} for item in items]


def remote(address):
    """The videos of an address: itself, or what lies below a folder of a store that can be listed."""
    try:
        store, path = fsspec.core.url_to_fs(address)
        if address.startswith(("http://", "https://")):
            return [{"address": address}]
        is_folder = address.endswith("/") or store.isdir(path)
        listed = store.find(path, detail=True) if is_folder else {path: store.info(path)}
    except Exception as error:
        raise Trouble(f"{shown(address)}: {reason(error, address)}") from error
    return [
        {"address": store.unstrip_protocol(name), "size": info.get("size"),
         "version": str(info.get("ETag") or info.get("LastModified") or info.get("mtime") or "")}
        for name, info in sorted(listed.items())
        if not is_folder or name.rsplit(".", 1)[-1].lower() in ENDINGS and "/." not in name]


# ---------------------------------------------------------------- what is kept

class Partitions:
    """The rows so far, and those that come: files of Parquet, each of which appears whole."""

    def __init__(self, folder, settings, rows_per_file):
        self.folder, self.rows_per_file, self.rows = folder, rows_per_file, []
        os.makedirs(folder, exist_ok=True)
        self.lock = open(os.path.join(folder, ".kinema-ray.lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Trouble(f"{folder}: another run writes into this folder; wait for it or name another") from error
        self.keep({name: settings[name] for name in ("task", "options")})
        self.known, self.seen = set(), set()
        self.files = sorted(name for name in os.listdir(folder) if re.fullmatch(r"part-\d{6,}\.parquet", name))
        for name in self.files:
            table = pyarrow.parquet.read_table(
                os.path.join(folder, name), columns=["sha256", "address", "size", "version"])
            for row in table.to_pylist():
                self.known.add(row["sha256"])
                if row["version"]:
                    self.seen.add((row["address"], row["size"], row["version"]))
        self.flushed = time.monotonic()

    def keep(self, settings):
        """A folder holds the results of one task with one set of options."""
        path = os.path.join(self.folder, "run.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if json.load(file) != settings:
                    raise Trouble(f"{self.folder}: holds results of another task or other options; name another folder")
        else:
            replace(path, text(json.dumps(settings) + "\n"))

    def has(self, job):
        state = (shown(job["address"]), job.get("size"), job.get("version"))
        return job.get("sha256") in self.known or state in self.seen

    def add(self, row):
        """Takes a row, unless its content has one."""
        if row["sha256"] in self.known:
            return False
        self.known.add(row["sha256"])
        self.rows.append({name: row.get(name) for name in SCHEMA.names})
        if len(self.rows) >= self.rows_per_file or time.monotonic() - self.flushed > 60:
            self.flush()
        return True

    def flush(self):
        self.flushed = time.monotonic()
        if not self.rows:
            return
        number = int(self.files[-1][5:-8]) + 1 if self.files else 0
        name = f"part-{number:06}.parquet"
        table = pyarrow.Table.from_pylist(self.rows, schema=SCHEMA)
        replace(os.path.join(self.folder, name), lambda path: pyarrow.parquet.write_table(table, path))
        self.files.append(name)
        self.rows = []


def replace(path, write):
    """Writes a file beside its place, on to the disk, and puts it there in one step."""
    partial = os.path.join(os.path.dirname(path), "." + os.path.basename(path) + ".partial")
    write(partial)
    with open(partial, "rb") as file:
        os.fsync(file.fileno())
    os.replace(partial, path)


def text(content):
    """What writes a text, for `replace`."""
    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    return write


# ---------------------------------------------------------------- the driver

def connect(arguments):
    """Joins a cluster, or makes one of this machine; gives how many jobs it has place for now."""
    quiet = {"log_to_driver": False, "logging_level": "error"}
    if arguments.address:
        ray.init(address=arguments.address, **quiet)
    else:
        processors = len(os.sched_getaffinity(0))
        places = arguments.workers or max(1, int(processors / arguments.cpus))
        ray.init(address="local", num_cpus=max(1, round(places * arguments.cpus)), include_dashboard=False,
                 object_store_memory=256 << 20, _node_ip_address="127.0.0.1", **quiet)
    return max(1, int(ray.cluster_resources().get("CPU", 1) / arguments.cpus))


def spread(todo, task, limit, take):
    """Gives each job to Ray, never more at once than `limit`, and each answer to `take`."""
    pending = {}

    def collect(timeout):
        ready, _ = ray.wait(list(pending), num_returns=1, timeout=timeout)
        for reference in ready:
            job = pending.pop(reference)
            try:
                row = ray.get(reference)
            except ray.exceptions.RayError as error:
                row = {"address": shown(job["address"]), "status": "lost",
                       "error": f"lost with its node: {type(error).__name__}"}
            take(row)

    for job in todo:
        while len(pending) >= limit:
            collect(None)
        pending[task(job)] = job
    while pending:
        collect(None)


def run(arguments):
    settings = {
        "kinema": arguments.kinema, "task": arguments.task, "options": arguments.options, "retries": arguments.retries,
        "timeout": arguments.timeout}
    found = jobs(arguments)
    if arguments.plan:
        for job in found:
            shown_job = {**job, "address": shown(job["address"])}
            print(json.dumps({**shown_job, "task": arguments.task, "options": arguments.options}))
        return 0
    partitions = Partitions(arguments.output, settings, arguments.rows_per_file)
    todo = [job for job in found if not partitions.has(job)]
    counts, failures, started = {"known": len(found) - len(todo)}, [], time.monotonic()
    if not todo:
        print(f"kinema-ray: {len(found)} videos, all done already", file=sys.stderr)
        return 0
    places = connect(arguments)
    known = ray.put(frozenset(partitions.known))
    remote_task = ray.remote(analyse).options(num_cpus=arguments.cpus, max_retries=arguments.retries)

    def take(row):
        status = row["status"]
        # No other video would do better without a model, or with these options.
        if status == "missing" or row.get("code") == 64:
            raise Trouble(row["error"])
        if status in LASTING and not partitions.add(row):
            status = "known"
        counts[status] = counts.get(status, 0) + 1
        if status in ("failed", "lost"):
            failures.append({name: row.get(name) for name in ("address", "status", "error", "code")})
            print(f"kinema-ray: {row['address']}: {row['error']}", file=sys.stderr)
        tell(sum(counts.values()), len(found), time.monotonic() - started, len(todo))

    # A few jobs wait beside those that run: the time between two is nothing, and an autoscaler sees that there is more.
    limit = arguments.workers or max(2 * places, places + 4)
    try:
        spread(todo, lambda job: remote_task.remote(job, settings, known), limit, take)
    finally:
        partitions.flush()
        lines = text("".join(json.dumps(failure) + "\n" for failure in failures))
        replace(os.path.join(arguments.output, "failed.jsonl"), lines)
        told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()) if count)
        print(f"kinema-ray: {told} in {time.monotonic() - started:.1f} s", file=sys.stderr)
    return 1 if failures else 0 if counts.get("done") or counts["known"] else 2


def tell(done, total, elapsed, todo):
    """Progress, for a person at a terminal."""
    if sys.stderr.isatty():
        mine = done - (total - todo)
        left = elapsed * (total - done) / mine if mine else 0
        print(f"\r\x1b[K{done}/{total}, {left / 60:.0f} min left", end="" if done < total else "\n", file=sys.stderr)


def options():
    parser = Parser(
        prog="script/ray", description="Runs a command of kinema on many videos over a Ray cluster, into Parquet.",
        epilog="Options for the command come after --, those that kinema serve-jobs takes. Exit codes: 0 done, 1 some "
               "videos failed, 2 nothing was found, 64 wrong usage, 130 interrupted.")
    parser.add_argument("addresses", nargs="*", metavar="PATH",
                        help="videos and folders: paths, s3://…, http(s)://… (there single videos)")
    parser.add_argument("--list", metavar="FILE", help="a file with a path or address a line")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for part-*.parquet")
    parser.add_argument("--task", default="count", help="the command to run (default: count)")
    parser.add_argument("--address", help="the cluster, HOST:PORT or auto (default: one of this machine alone)")
    parser.add_argument("--workers", type=int, metavar="N",
                        help="the most videos at once (default: as many as the cluster has cores for)")
    parser.add_argument("--cpus", type=float, default=1, metavar="N",
                        help="cores that Ray keeps for a video (default: 1)")
    parser.add_argument("--retries", type=int, default=3, metavar="N",
                        help="how often a video is tried again when its node or kinema dies (default: 3)")
    parser.add_argument("--timeout", type=float, default=6 * 3600, metavar="S",
                        help="the most seconds for a video (default: 21600)")
    parser.add_argument("--rows-per-file", type=int, default=1000, metavar="N", help="rows of a file (default: 1000)")
    parser.add_argument("--kinema", default=os.environ.get("KINEMA_COMMAND", "kinema"), metavar="FILE",
                        help="the command, by the same path on every machine")
    parser.add_argument("--plan", action="store_true", help="only write what there is, a line of JSON a video")
    return parser


class Parser(argparse.ArgumentParser):
    """Ends with the exit code that every command of Kinema has for wrong usage."""

    def error(self, message):
        self.exit(64, f"kinema-ray: {message}; see {self.prog} --help\n")


def parsed(words):
    place = words.index("--") if "--" in words else len(words)
    parser = options()
    arguments = parser.parse_args(words[:place])
    arguments.options = words[place + 1:]
    if not arguments.addresses and not arguments.list:
        parser.error("name videos, folders or addresses, or a --list")
    if not 0 < arguments.cpus <= 1024 or (arguments.workers or 1) < 1 or arguments.retries < 0:
        parser.error("--cpus and --workers take more than 0, --retries 0 or more")
    return arguments


def main(words):
    arguments = parsed(words)
    # Told to end, what is done is written all the same.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(arguments)
    except Trouble as error:
        print(f"kinema-ray: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"kinema-ray: {error.filename or arguments.output}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("kinema-ray: interrupted; run the same command again to go on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
