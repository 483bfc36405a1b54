"""Counts short clips alternately with the Python module and `kinema batch`: clips per second of each, and their ratio.

    script/python-tests --speed [--clips 60] [--runs 3]"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Python"))
import kinema  # noqa: E402

from short_clips import render  # noqa: E402

GOAL = 0.95


def module(paths):
    """Seconds that the module takes, including the start and end of its process."""
    started = time.monotonic()
    found = kinema.batch(paths, progress=False)
    kinema.close()
    seconds = time.monotonic() - started
    if bad := [str(one) for one in found if isinstance(one, kinema.Error)]:
        sys.exit(f"python_trial: {len(bad)} clips failed: {bad[0]}")
    return seconds


def command(program, clips, output):
    """Seconds that `kinema batch` takes with as many jobs as the module has."""
    started, jobs = time.monotonic(), str(len(os.sched_getaffinity(0)))
    subprocess.run([program, "batch", clips, "-o", output, "--jobs", jobs], capture_output=True, check=True)
    return time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(prog="script/python-tests --speed", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=int, default=60, help="how many clips (default: 60)")
    parser.add_argument("--runs", type=int, default=3, help="how often each counts them (default: 3)")
    arguments = parser.parse_args()
    program, ratios = os.environ["KINEMA_COMMAND"], []
    with tempfile.TemporaryDirectory(prefix="kinema-module-") as work:
        clips = render(program, os.path.join(work, "clips"), arguments.clips)
        paths = sorted(os.path.join(place, name) for place, _, all in os.walk(clips) for name in all
                       if name.endswith(".mp4") and "/." not in place)
        for run in range(arguments.runs):
            ours, theirs = module(paths), command(program, clips, os.path.join(work, f"run-{run}"))
            ratios.append(theirs / ours)
            print(f"{len(paths)} clips: module {len(paths) / ours:.2f} clips/s, kinema batch {len(paths) / theirs:.2f}, "
                  f"{ratios[-1]:.0%}; the load is {os.getloadavg()[0]:.1f}", flush=True)
    ratio = statistics.median(ratios)
    print(f"{'reached' if ratio >= GOAL else 'MISSED'}: the module has {ratio:.0%} of the speed of kinema batch, median of "
          f"{len(ratios)}; the goal is {GOAL:.0%}")
    sys.exit(0 if ratio >= GOAL else 1)


if __name__ == "__main__":
    main()
