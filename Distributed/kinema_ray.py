"""Runs a task of kinema on many videos over a Ray cluster, into Parquet: `script/ray --help`."""
import argparse
import fcntl
import functools
import glob
import hashlib
import json
import logging
import os
import pathlib
import re
import secrets
import shutil
import signal
import sys
import tempfile

# Before Ray is loaded: it sends nothing about its use to anyone. Anyone who reaches a port of Ray can run programs on its
# workers, so a cluster of this run alone accepts only this run's token. One that is joined has a token of its own, or none.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
if not any(word.split("=")[0] == "--address" for word in sys.argv):
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))

import fsspec
import pandas
import ray

import kinema
import kinema.command
import kinema.video

#: What `kinema batch` takes for videos in folders.
ENDINGS = set("3gp avi flv gif m2ts m4v mkv mov mp4 mpeg mpg mts mxf ogv ts webm wmv".split())
#: Tasks whose result fits a row, first those of which parts can be joined; poses are files: `kinema batch --task pose`.
PARTED = ("count", "coach", "classify", "toss")
TASKS = (*PARTED, "gesture", "trajectories")
KEPT = ("address", "version", "sha256", "node", "status", "result", "count")


def analysed(block, mapper, known):
    """The rows of a block of videos, without those whose content has a row."""
    rows, reasons = {"address": [], "version": [], "path": [], "sha256": [], "node": []}, []
    with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
        for address, version in zip(block["address"], block["version"]):
            path, digest, reason = address, "", ""
            try:
                if "://" in address:
                    path = os.path.join(folder, f"{len(reasons)}{pathlib.Path(address.split('?')[0]).suffix}")
                    store, name = fsspec.core.url_to_fs(address)
                    store.get_file(name, path)
                with open(path, "rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except Exception as error:  # What fails is different for each kind of store.
                reason = f"{shown(address)}: {' '.join(str(error).split()).replace(address, shown(address))[:300]}"
            if digest not in known:
                node = ray.get_runtime_context().get_node_id()[:12]
                for name, value in zip(rows, (shown(address), version, path, digest, node)):
                    rows[name].append(value)
                reasons.append(reason)
        rows = mapper(rows)
        rows["result"] = [json.dumps({**json.loads(result), "source": address}) if result else ""
                          for address, result in zip(rows["address"], rows["result"])]
        return {**rows, "error": [reason or error for reason, error in zip(reasons, rows["error"])]}


@ray.remote
def part(task, path, words, number):
    """A part of a video for the option --parts of the command; without starts if it cannot be read alone."""
    try:
        return kinema.command.shared.answer(task, path, [*words, f"--part={number}"])[1]
    except kinema.Error as error:
        if error.missing or error.code == 64:
            raise
        return {"starts": []}


def joined(address, version, arguments):
    """The row of a long video, whose parts are a task each; nothing for one that is better read whole. The parts are kept
    until all are there, so that a killed run can go on."""
    words = kinema.video.words(arguments.options)
    mark = hashlib.sha256(json.dumps([address, version]).encode()).hexdigest()[:16]
    folder = os.path.join(arguments.output, ".parts", mark)
    os.makedirs(folder, exist_ok=True)

    def place(number):
        return os.path.join(folder, f"{number}.json")

    def keep(number, found):
        if found["starts"]:
            pathlib.Path(place(number) + ".new").write_text(json.dumps(found), encoding="utf-8")
            os.replace(place(number) + ".new", place(number))
        return len(found["starts"])

    try:
        count = len(json.loads(pathlib.Path(place(0)).read_text(encoding="utf-8"))["starts"])
    except (OSError, ValueError, LookupError, TypeError):  # Not there, or cut off by a crash of the machine.
        count = keep(0, ray.get(part.remote(arguments.task, address, words, 0)))
    missing, running = [number for number in range(count) if not os.path.exists(place(number))], {}
    while missing or running:
        while missing and len(running) < (arguments.workers or count):
            number = missing.pop(0)
            running[part.remote(arguments.task, address, words, number)] = number
        for task in ray.wait(list(running))[0]:
            keep(running.pop(task), ray.get(task))
    row = None
    if count:
        with open(address, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        row = {"address": address, "version": version, "sha256": digest, "node": "", "error": "", "result": ""}
        try:
            found, text = kinema.command.run([arguments.task, address, *words, f"--parts={folder}", "--format=json"])
            result = json.loads(text)
            row |= {"status": "done" if found else "nothing", "result": json.dumps(result)}
            row |= {"count": result["count"]} if arguments.task in ("count", "coach") else {}
        except kinema.Error as error:
            row |= {"status": "failed", "error": str(error)}
    shutil.rmtree(folder)
    return row


def shown(address):
    """An address without what may be secret in it: a password, a signature in its query."""
    return re.sub(r"^([a-z0-9+.-]+://)[^/@]*@", r"\1", address.split("?")[0]) if "://" in address else address


def videos(address):
    """The videos of a path or address, each with what changes when its content does."""
    store, path = fsspec.core.url_to_fs(address)
    if address.startswith(("http://", "https://")):
        return {address: ""}
    return {
        store.unstrip_protocol(name) if "://" in address else name:
            "/".join(str(about[key]) for key in ("ETag", "size", "mtime", "LastModified") if key in about)
        for name, about in store.find(path, detail=True).items()
        if name == path or name.rsplit(".", 1)[-1].lower() in ENDINGS and "/." not in name}


def batches(arguments, todo, known):
    """The rows of videos as tables: one for each that is analysed in parts, then the others'."""
    whole = []
    for video in todo:
        row = joined(**video, arguments=arguments) if arguments.split and "://" not in video["address"] else None
        if row:
            yield pandas.DataFrame([row])
        else:
            whole.append(video)
    if not whole:
        return
    mapper = kinema.batch_mapper(arguments.task, column="path", **arguments.options)
    # A task per video, so that a node that is lost takes little along; of very many videos, a task per some.
    data = ray.data.from_items(whole, override_num_blocks=min(len(whole), 5000))
    work = functools.partial(analysed, mapper=mapper, known=known)
    results = data.map_batches(work, batch_size=1, compute=ray.data.TaskPoolStrategy(size=arguments.workers))
    yield from results.iter_batches(batch_size=arguments.rows_per_file, batch_format="pandas")


def run(arguments):
    """Analyses what has no row yet. Only this process writes, and a file appears whole, so a killed run can go on."""
    addresses = [*arguments.addresses, *(pathlib.Path(arguments.list).read_text().split("\n") if arguments.list else [])]
    found = {name: version for address in addresses if address for name, version in videos(address).items()}
    parts = sorted(glob.glob("part-*.parquet", root_dir=arguments.output))
    rows = [pandas.read_parquet(os.path.join(arguments.output, part), columns=KEPT[:3]) for part in parts]
    known = {digest for part in rows for digest in part.sha256}
    seen = {(address, version) for part in rows for address, version in zip(part.address, part.version)}
    todo = [{"address": name, "version": version} for name, version in found.items()
            if (shown(name), version) not in seen]
    failures, counts = [], {"known": len(found) - len(todo)}
    if todo:
        quiet = {"log_to_driver": False, "logging_level": "error"}
        here = {"num_cpus": arguments.workers, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        ray.init(arguments.address or "local", **quiet, **({} if arguments.address else here))
        logging.getLogger("ray.data").setLevel("ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = sys.stderr.isatty()
        for batch in batches(arguments, todo, known):
            good = batch[(batch.status != "failed") & ~batch.sha256.isin(known)].drop_duplicates("sha256")
            known.update(good.sha256)
            for status, count in batch.status.value_counts().items():
                counts[status] = counts.get(status, 0) + int(count)
            failures += batch[batch.status == "failed"][["address", "error"]].to_dict("records")
            if len(good):
                path = os.path.join(arguments.output, f"part-{len(parts):06}.parquet")
                good.reindex(columns=[name for name in KEPT if name in good]).to_parquet(path + ".partial", index=False)
                os.replace(path + ".partial", path)
                parts.append(path)
    with open(os.path.join(arguments.output, "failed.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(failure) + "\n" for failure in failures)
    print("kinema-ray: " + ", ".join(f"{count} {status}" for status, count in counts.items() if count), file=sys.stderr)
    return 1 if failures else 0 if counts["known"] or counts.get("done") else 2


def parsed(words):
    parser = argparse.ArgumentParser(
        prog="script/ray", description="Runs a task of kinema on many videos over a Ray cluster, into Parquet.",
        epilog="Options of the task come after --, those that kinema serve-jobs takes. Exit codes: 0 done, 1 some "
               "videos failed (failed.jsonl; the next run tries them again), 2 nothing was found, 64 wrong usage.")
    parser.add_argument("addresses", nargs="*", metavar="PATH",
                        help="videos and folders: paths, s3://…, http(s)://… (there single videos)")
    parser.add_argument("--list", metavar="FILE", help="a file with a path or address a line")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the folder for part-*.parquet")
    parser.add_argument("--task", default="count", choices=TASKS, help="the task (default: count)")
    parser.add_argument("--address", help="the cluster, HOST:PORT or auto (default: one of this machine alone)")
    parser.add_argument("--workers", type=int, metavar="N",
                        help="the most videos or parts at once (default: one per core)")
    parser.add_argument("--split", action="store_true",
                        help="analyse long videos in parts, a task each (not those at addresses)")
    parser.add_argument("--rows-per-file", type=int, default=1000, metavar="N", help="rows of a file (default: 1000)")
    parser.error = lambda message: parser.exit(64, f"kinema-ray: {message}; see script/ray --help\n")
    place = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:place])
    if not arguments.addresses and not arguments.list or (arguments.workers or 1) < 1 or arguments.rows_per_file < 1:
        parser.error("name videos, folders, addresses or a --list; --workers and --rows-per-file take 1 or more")
    if arguments.split and arguments.task not in PARTED:
        parser.error(f"--split is for {', '.join(PARTED)}")
    arguments.options, name = {}, None
    for word in words[place + 1:]:
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            name = name.replace("-", "_")
            arguments.options[name] = value or True
        elif name:
            arguments.options[name] = word
    return arguments


def main(words):
    arguments = parsed(words)
    # On SIGTERM, too, Ray's processes end with this one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        os.makedirs(arguments.output, exist_ok=True)
        with open(os.path.join(arguments.output, "run.json"), "a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.seek(0)
            settings, before = json.dumps({"task": arguments.task, "options": arguments.options}), file.read()
            if before not in ("", settings):
                sys.exit(f"kinema-ray: {arguments.output}: holds results of another task or other options")
            file.write("" if before else settings)
            file.flush()
            return run(arguments)
    except BlockingIOError:
        sys.exit(f"kinema-ray: {arguments.output}: another run writes into this folder; wait for it or name another")
    except ray.exceptions.RayError as error:
        # Wrong options or a missing model: every video would fail.
        cause = getattr(error, "cause", None) or error
        sys.exit(f"kinema-ray: {getattr(cause, 'cause', None) or cause}")
    except OSError as error:
        sys.exit(f"kinema-ray: {error.filename or arguments.output}: {error.strerror or error}")
    except KeyboardInterrupt:
        print("kinema-ray: interrupted; run the same command again to go on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
