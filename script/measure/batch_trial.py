#!/usr/bin/env python3
"""Runs short clips through a `kinema batch` that is killed repeatedly: is every result there exactly once, and how fast?

    script/measure/batch_trial.py --kinema FILE [--clips 1000] [--kills 3]
    script/measure/batch_trial.py --kinema FILE --speed [--clips 1000] [--jobs auto]

Prints the findings after the last run. With --speed: the speed of an undisturbed run, as a share of what all cores could
reach, given the processor time of single runs of `kinema count`."""
import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

from short_clips import render


def finished(folder):
    """The complete lines of the manifest."""
    try:
        with open(os.path.join(folder, "manifest.jsonl"), encoding="utf-8") as file:
            return [line for line in file if line.endswith("\n")]
    except OSError:
        return []


def killed(command, folder, kills, clips):
    """Starts the command and kills it with its children several times, at random points of its progress."""
    for number in range(kills):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        goal = clips * (number + random.uniform(0.2, 0.8)) / (kills + 1)
        while len(finished(folder)) < goal and process.poll() is None:
            time.sleep(0.05)
        alive = process.poll() is None
        if alive:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        told = "killed" if alive else "ended before it could be killed"
        print(f"{told} with {len(finished(folder))} done", flush=True)


def faults(folder, clips, table):
    """The differences from the outcome of an undisturbed run, one line each."""
    entries = [json.loads(line) for line in finished(folder)]
    sources = {entry["source"] for entry in entries}
    if len(entries) != clips or len(sources) != clips:
        yield f"{len(entries)} lines for {len(sources)} of {clips} clips"
    bad = [entry for entry in entries if entry["status"] != "done"]
    if bad:
        yield f"{len(bad)} not done: {bad[0]}"
    results = [entry["result"] for entry in entries if entry.get("result")]
    if len(set(results)) != clips:
        yield f"{len(set(results))} results"
    names = {os.path.relpath(os.path.join(place, name), folder) for place, _, all in os.walk(folder) for name in all}
    extra = names - set(results) - {"manifest.jsonl", ".kinema-batch.lock"}
    if extra:
        yield f"left behind: {sorted(extra)[:3]}"
    rows = {}
    with open(table, encoding="utf-8") as file:
        for row in map(json.loads, file):
            rows.setdefault(row["video"], []).append(row)
    if set(rows) != sources or any(len(row) != 1 for row in rows.values()):
        yield "the table does not have exactly one row per clip"
    for entry in entries:
        with open(os.path.join(folder, entry["result"]), encoding="utf-8") as file:
            if rows[entry["source"]][0]["result"] != json.load(file):
                yield f"the table differs from {entry['result']}"
                return


def used(command):
    """Processor seconds of a command with its children, and its elapsed seconds."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - started


def busy():
    """Busy seconds of all cores since the machine started, for any process."""
    with open("/proc/stat", encoding="utf-8") as file:
        numbers = [int(number) for number in file.readline().split()[1:9]]
    return (sum(numbers) - numbers[3] - numbers[4]) / os.sysconf("SC_CLK_TCK")


def survives(batch, work, arguments):
    """Kills the command repeatedly, lets it finish, and returns what is wrong."""
    folder, table = os.path.join(work, "killed"), os.path.join(work, "killed.jsonl")
    command = [*batch, "-o", folder, "--resume", "--table", table]
    killed(command, folder, arguments.kills, arguments.clips)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    found = list(faults(folder, arguments.clips, table))
    print(f"every result once, and the table complete: {'no: ' + '; '.join(found) if found else 'yes'}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinema", default=os.environ.get("KINEMA_COMMAND"), help="the command")
    parser.add_argument("--clips", type=int, default=1000, help="how many clips (default: 1000)")
    parser.add_argument("--kills", type=int, default=3, help="how often it is killed (default: 3)")
    parser.add_argument("--jobs", default="auto", help="for kinema batch (default: auto)")
    parser.add_argument("--cache", help="a folder for the clips, which are then kept")
    parser.add_argument("--speed", action="store_true", help="measure the speed, and kill nothing")
    arguments = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="kinema-batch-") as work:
        clips = render(arguments.kinema, arguments.cache or os.path.join(work, "clips"), arguments.clips)
        batch = [arguments.kinema, "batch", clips, "--jobs", arguments.jobs]
        if not arguments.speed:
            sys.exit(1 if survives(batch, work, arguments) else 0)
        names = [os.path.join(place, name) for place, _, all in os.walk(clips) for name in all
                 if name.endswith(".mp4") and "/." not in place]
        alone = [used([arguments.kinema, "count", name]) for name in random.Random(1).sample(names, 20)]
        processor = sum(cpu for cpu, _ in alone) / len(alone)
        others = busy()
        cpu, seconds = used([*batch, "-o", os.path.join(work, "speed")])
        others = max(0, busy() - others - cpu)
        rate, bound = arguments.clips / seconds, cores / processor
        print(f"one clip alone: {processor:.3f} s of processor time, {sum(s for _, s in alone) / len(alone):.3f} s")
        print(f"batch: {arguments.clips} clips in {seconds:.1f} s, {rate:.2f} clips/s, {cpu / arguments.clips:.3f} s "
              f"of processor time each")
        print(f"{rate / bound:.0%} of {bound:.2f} clips/s, which is {cores} cores / the processor time alone")
        left = max(0.01, cores - others / seconds)
        print(f"other programs used {others / seconds:.2f} cores meanwhile; of the {left:.2f} left: "
              f"{rate / (left / processor):.0%}, and {cpu / seconds / left:.0%} of them in use")


if __name__ == "__main__":
    main()
