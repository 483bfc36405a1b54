"""Counts short clips on a Ray cluster of three local nodes, one of which is killed midway: `script/ray --trial`.

Prints whether every clip has exactly one result, equal to that of `kinema batch`, even if the driver is killed and run
again; whether Ray's data sets accept the module's mapper; the speed with one, two and three workers; and Ray's overhead,
measured with empty tasks."""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(root, "Distributed"), os.path.join(root, "Examples", "Ray")]
import kinema_ray  # noqa: E402  (before Ray is loaded: turns its reports off and makes a token)

import pyarrow.parquet  # noqa: E402
import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

import kinema as module  # noqa: E402
from count_folder import counted  # noqa: E402
from short_clips import render  # noqa: E402


def single(kinema, clips, folder, *options):
    """The results of `kinema batch` for each clip, and how long it took."""
    started = time.monotonic()
    run = subprocess.run([kinema, "batch", clips, "-o", folder, *options], stdout=subprocess.DEVNULL, check=False)
    seconds = time.monotonic() - started
    if run.returncode != 0:
        sys.exit(f"kinema batch ended with {run.returncode}")
    results = {}
    with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as file:
        for entry in map(json.loads, file):
            with open(os.path.join(folder, entry["result"]), encoding="utf-8") as result:
                results[entry["sha256"]] = without_source(json.load(result))
    return results, seconds


def without_source(result):
    return {name: value for name, value in result.items() if name != "source"}


class Nodes:
    """A cluster of nodes, each with one core in Ray's accounting."""

    def __init__(self, count):
        self.cluster = Cluster(initialize_head=True, head_node_args=self.node())
        self.others = [self.cluster.add_node(**self.node()) for _ in range(count - 1)]
        self.cluster.wait_for_nodes()
        self.address = self.cluster.address

    @staticmethod
    def node():
        return {"num_cpus": 1, "object_store_memory": 100 << 20, "include_dashboard": False}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cluster.shutdown()


def some(clips, folder, count):
    """Links to some of the clips, the same number of each movement."""
    os.makedirs(folder)
    names = sorted(
        (name, os.path.basename(place), place) for place, _, all in os.walk(clips) for name in all
        if name.endswith(".mp4") and "/." not in place)
    for name, movement, place in names[:count]:
        os.symlink(os.path.abspath(os.path.join(place, name)), os.path.join(folder, f"{movement}-{name}"))
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def start(clips, folder, address, *options):
    command = [sys.executable, kinema_ray.__file__, clips, "-o", folder, "--address", address, *options]
    # Ray prints long reports about dead nodes on standard output.
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def rows(folder):
    names = sorted(name for name in os.listdir(folder) if name.startswith("part-")) if os.path.isdir(folder) else []
    return [row for name in names for row in pyarrow.parquet.read_table(os.path.join(folder, name)).to_pylist()]


def differences(found, truth):
    """The rows that differ from those of the single machine, one line each."""
    hashes = [row["sha256"] for row in found]
    if len(hashes) != len(set(hashes)):
        yield f"{len(hashes) - len(set(hashes))} rows too many"
    if set(hashes) != set(truth):
        yield f"{len(set(truth) - set(hashes))} clips without a row"
    wrong = [row["address"] for row in found if without_source(json.loads(row["result"])) != truth.get(row["sha256"])]
    if wrong:
        yield f"{len(wrong)} results differ, {wrong[0]} first"


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def join(address):
    ray.init(address=address, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False


def mapped(paths, truth):
    """Counts with the module's mapper in Ray's data sets, as a class and as an instance; yields the differences from the
    single machine, one line each."""
    with Nodes(3) as nodes:
        join(nodes.address)
        data = ray.data.from_items(paths)
        forms = {"class": counted(paths), "instance": data.map_batches(module.batch_mapper("count"), batch_size=8)}
        for form, found in ((form, rows.take_all()) for form, rows in forms.items()):
            wrong = [row["item"] for row in found if row["count"] != truth[digest(row["item"])]["count"]]
            print(f"the mapper as {form}: {len(found)} rows, {len(wrong)} with a count other than kinema batch's", flush=True)
            if wrong or sorted(row["item"] for row in found) != sorted(paths):
                yield f"the mapper as {form} differs"
        ray.shutdown()


def overhead(address, count):
    """Seconds of Ray's overhead per task, measured with empty tasks."""
    join(address)

    def seconds(tasks):
        started = time.monotonic()
        ray.data.range(tasks, override_num_blocks=tasks).map_batches(lambda block: block).materialize()
        return time.monotonic() - started

    first = seconds(6)
    each = (seconds(count + 6) - first) / count
    ray.shutdown()
    return each


def few(truth):
    """The number of rows per file, small enough that some are written before most clips are analysed."""
    return str(max(1, len(truth) // 30))


def killed(clips, folder, truth):
    """Runs on three nodes and kills one of them once a third of the rows are written; returns the rows."""
    with Nodes(3) as nodes:
        victim = nodes.others[0]
        process = start(clips, folder, nodes.address, "--rows-per-file", few(truth))
        while len(rows(folder)) < len(truth) // 3 and process.poll() is None:
            time.sleep(0.2)
        written = rows(folder)
        nodes.cluster.remove_node(victim, allow_graceful=False)
        told = process.communicate()[1]
        found = rows(folder)
    by_victim = [row for row in found if victim.node_id.startswith(row["node"])]
    print(f"killed: {len(written)} of {len(truth)} rows were written when it died; {len(by_victim)} of all rows are from it")
    print(f"the driver ended with {process.returncode}: {told.strip().splitlines()[-1]}")
    return found


def interrupted(clips, folder, truth):
    """Kills the driver once a third of the rows are written, and runs it again on the cluster, which keeps running."""
    with Nodes(2) as nodes:
        process = start(clips, folder, nodes.address, "--rows-per-file", few(truth))
        while len(rows(folder)) < len(truth) // 3 and process.poll() is None:
            time.sleep(0.2)
        process.kill()
        process.communicate()
        written = len(rows(folder))
        told = start(clips, folder, nodes.address).communicate()[1]
    print(f"the driver was killed with {written} rows; run again: {told.strip().splitlines()[-1]}")
    return rows(folder)


def lengthened(clips, place, seconds, rate):
    """One recording of the given length, made from many clips."""
    names = sorted(os.path.join(folder, name) for folder, _, all in os.walk(clips) for name in all
                   if name.endswith(".mp4"))
    with open(place + ".txt", "w", encoding="utf-8") as file:
        file.writelines(f"file '{os.path.abspath(name)}'\n" for name in names)
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "-1", "-f", "concat", "-safe", "0", "-i",
                    place + ".txt", "-t", str(seconds), "-vf", f"scale=640:360,setsar=1,fps={rate}", "-preset", "ultrafast",
                    "-g", str(10 * rate), "-an", place], check=True)


def long(kinema, seconds, rate, work, clips):
    """Analyses one long recording in parts on three nodes; kills one node after a third of the parts, the driver after two
    thirds. Prints which parts already existed and whether the result equals the single machine's."""
    film, table = os.path.join(work, "long.mp4"), os.path.join(work, "long")
    lengthened(clips, film, seconds, rate)
    started = time.monotonic()
    alone = subprocess.run([kinema, "count", film, "--format", "json", "--jobs", "2", "--part-length", "20"],
                           stdout=subprocess.PIPE, check=True)
    print(f"{seconds} s of video, in parts of 20 s on this machine alone: {time.monotonic() - started:.0f} s; the load is "
          f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")

    def parts():
        return {os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns
                for folder, _, all in os.walk(table) for name in all if name.endswith(".json") and name != "run.json"}

    def wait(process, count):
        while len(parts()) < count and process.poll() is None:
            time.sleep(0.2)

    third, started = max(1, seconds // 20 // 3), time.monotonic()
    with Nodes(3) as nodes:
        process = start(film, table, nodes.address, "--split")
        wait(process, third)
        nodes.cluster.remove_node(nodes.others[0], allow_graceful=False)
        before = parts()
        print(f"{len(before)} parts existed when a node was killed", flush=True)
        wait(process, 2 * third)
        process.kill()
        process.communicate()
        there = parts()
        again = [name for name in before if there.get(name) != before[name]]
        print(f"{len(there)} parts existed when the driver was killed; {len(again)} of the first were written again",
              flush=True)
        process = start(film, table, nodes.address, "--split")
        seen, again = dict(there), 0
        while process.poll() is None:
            for name, time_ in parts().items():
                again += seen.setdefault(name, time_) != time_
            time.sleep(0.1)
        said = process.communicate()[1].strip().splitlines()[-1:]
        print(f"run again: {len(seen) - len(there)} other parts, {again} written again; "
              f"{time.monotonic() - started:.0f} s in all; {said}")
    found = [without_source(json.loads(row["result"])) for row in rows(table)]
    is_equal = found == [without_source(json.loads(alone.stdout))]
    print(f"one row, equal to the single machine's: {'yes' if is_equal else 'no'}")
    return is_equal and again == 0


def main():
    parser = argparse.ArgumentParser(prog="script/ray --trial", description=__doc__)
    parser.add_argument("--kinema", default=os.environ.get("KINEMA_COMMAND"), help="the command")
    parser.add_argument("--clips", type=int, default=300, help="how many clips (default: 300)")
    parser.add_argument("--speed-clips", type=int, help="how many of them to measure the speed with (default: all)")
    parser.add_argument("--long", type=int, metavar="SECONDS", help="try one recording of this length, in parts, instead")
    parser.add_argument("--rate", type=int, default=25, help="with --long: its frames per second (default: 25)")
    parser.add_argument("--recordings", help="with --long: a folder of clips to make it from (default: rendered ones)")
    parser.add_argument("--cache", help="a folder for the clips, which are then kept")
    arguments = parser.parse_args()
    os.environ["KINEMA_COMMAND"] = arguments.kinema
    with tempfile.TemporaryDirectory(prefix="kinema-ray-") as work:
        if arguments.long:
            clips = arguments.recordings or render(arguments.kinema, os.path.join(work, "clips"), 40)
            sys.exit(0 if long(arguments.kinema, arguments.long, arguments.rate, work, clips) else 1)
        clips = render(arguments.kinema, arguments.cache or os.path.join(work, "clips"), arguments.clips)
        truth, seconds = single(arguments.kinema, clips, os.path.join(work, "batch"))
        print(f"kinema batch: {len(truth)} clips in {seconds:.1f} s; the load is {os.getloadavg()[0]:.1f} on "
              f"{os.cpu_count()} cores")
        bad = list(differences(killed(clips, os.path.join(work, "killed"), truth), truth))
        bad += mapped(some(clips, os.path.join(work, "mapped"), arguments.clips), truth)
        bad += differences(interrupted(clips, os.path.join(work, "interrupted"), truth), truth)
        print(f"exactly one result per clip, equal to kinema batch's: {'no: ' + '; '.join(bad) if bad else 'yes'}")
        times, chosen = {}, some(clips, os.path.join(work, "some"), arguments.speed_clips or arguments.clips)
        measured = {each: truth[each] for each in map(digest, chosen)}
        for count in (1, 2, 3):
            with Nodes(count) as nodes:
                folder = os.path.join(work, f"workers-{count}")
                process = start(os.path.join(work, "some"), folder, nodes.address)
                started = time.monotonic()
                told = process.communicate()[1]
                times[count] = time.monotonic() - started
                bad += differences(rows(folder), measured)
                print(f"{count} {'worker' if count == 1 else 'workers'}: {times[count]:.1f} s, "
                      f"{times[1] / times[count]:.2f} times one; {told.strip().splitlines()[-1]}")
                if count == 3:
                    empty = overhead(nodes.address, arguments.clips)
        share = empty / (times[1] / len(measured))
        print(f"Ray's overhead: {empty * 1000:.2f} ms per task, {share:.2%} of a clip's time with one "
              "worker")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
