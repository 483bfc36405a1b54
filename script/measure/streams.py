"""How many streams one core handles, and how fast: `kinema watch` with 1, 2, 4, 8 and 16 cameras, bound to a core.

Each camera is a file of 640x480 at 30 frames/s, played in real time by GStreamer's RTSP server on the other
cores. Latencies come from the histogram in /metrics, so they are interpolated within its buckets.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

from watching import PATIENCE, Watch, WatchFault, quantile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOAL_STREAMS, GOAL_MEMORY = 16, 500


def make_film(kinema, folder, seconds):
    """A person squatting, 640x480 at 30 frames/s, with two key frames a second, as cameras send them."""
    clip, film = os.path.join(folder, "clip.mp4"), os.path.join(folder, "film.mp4")
    subprocess.run([kinema, "synth", "--scene", "squat", "--repetitions", "5", "--output", clip], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", clip, "-t", str(seconds), "-an", "-r", "30",
         "-vf", "scale=640:480:force_original_aspect_ratio=decrease,pad=640:480:-1:-1,setsar=1", "-c:v", "libx264",
         "-preset", "veryfast", "-tune", "zerolatency", "-g", "15", "-b:v", "1M", "-pix_fmt", "yuv420p", film], check=True)
    return film


class Cameras:
    """The tests' RTSP server with a video, kept off the measured core."""

    def __init__(self, film, core):
        others = sorted(os.sched_getaffinity(0) - {core}) or [core]
        self.process = subprocess.Popen(
            ["taskset", "--cpu-list", ",".join(map(str, others)), "/usr/bin/python3",
             os.path.join(ROOT, "Tests", "Servers", "rtsp.py"), "0", film], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        words = self.process.stdout.readline().split()
        if not words:
            sys.exit("bench: the RTSP server does not start; run script/bootstrap --tests")
        self.port = int(words[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def row(arguments, film, count, core):
    """One row of the table: the cost of `count` streams."""
    with tempfile.TemporaryDirectory() as folder, Cameras(film, core) as server:
        cameras = [
            {"name": f"camera-{index + 1}", "input": f"rtsp://127.0.0.1:{server.port}/film", "task": arguments.task,
             "options": [option for option in arguments.options.split(",") if option]}
            for index in range(count)]
        with Watch(arguments.kinema, folder, cameras, core) as watch:
            names = watch.names
            watch.until(
                lambda now: all(now.get("frames_analysed_total", name) >= 5 for name in names), "not every camera sent frames")
            time.sleep(arguments.warm_up)
            before, processor = watch.read(), watch.processor_seconds()
            memory = []
            while time.monotonic() < before.at + arguments.seconds:
                time.sleep(1)
                memory.append(watch.memory())
            after, processor = watch.read(), watch.processor_seconds() - processor
            seconds = after.at - before.at
            change = {
                name: after.sum(name, names) - before.sum(name, names)
                for name in ("frames_received_total", "frames_analysed_total", "frames_dropped_total",
                             "reconnections_total")}
            if change["reconnections_total"]:
                raise WatchFault(f"{count} streams: {change['reconnections_total']} were lost in between")
            return {
                "streams": count, "cores": processor / seconds,
                "received": change["frames_received_total"] / seconds / count,
                "analysed": change["frames_analysed_total"] / seconds / count,
                "dropped": change["frames_dropped_total"] / max(change["frames_received_total"], 1),
                "median": quantile(0.5, before, after, names) * 1000, "p95": quantile(0.95, before, after, names) * 1000,
                "alone": max(values[0] for values in memory), "all": max(values[1] for values in memory)}


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--streams", action="store_true")
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--task", default="count")
    parser.add_argument("--options", default="--every,1", help="of the task, separated by commas, such as --options=--search,whole")
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--seconds", type=float, default=20, help="how long each number of streams is measured")
    parser.add_argument("--warm-up", type=float, default=5)
    arguments = parser.parse_args()
    core = min(os.sched_getaffinity(0))
    print(f"kinema watch on one core, task {arguments.task}; each stream 640x480 at 30 frames/s over RTSP (H.264); "
          f"{arguments.seconds:g} s each", flush=True)
    print("streams  cores    in/s  analysed/s  dropped  median ms  p95 ms  resident MB  with decoders MB", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        # Long enough for the slowest start, the warm-up and the measured time.
        film = make_film(arguments.kinema, folder, arguments.seconds + arguments.warm_up + PATIENCE)
        try:
            for count in arguments.counts:
                found = row(arguments, film, count, core)
                print("{streams:7}  {cores:5.2f}  {received:6.1f}  {analysed:10.1f}  {dropped:7.0%}  {median:9.0f}  {p95:6.0f}"
                      "  {alone:11.0f}  {all:16.0f}".format(**found), flush=True)
        except WatchFault as fault:
            sys.exit(f"bench: {fault}")
    if found["streams"] != GOAL_STREAMS:
        return 0
    reached = found["alone"] < GOAL_MEMORY
    print(f"{'reached' if reached else 'MISSED ':8} {found['alone']:.0f} MB resident with {GOAL_STREAMS} streams in one process; "
          f"the goal is under {GOAL_MEMORY} (with the {GOAL_STREAMS} processes that decode: {found['all']:.0f} MB)")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
