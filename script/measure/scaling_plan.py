#!/usr/bin/env python3
"""The cost of analysing hours of video a day, from the processor time of sample videos: cores, money, bottleneck.

    script/measure/scaling_plan.py --kinema FILE [--hours 10000] [--batch 0.9] VIDEO …

Prints the processor time of `kinema count` for each video, then the plan for hours of such video. `--batch` is the
share of the cores that `kinema batch` was measured to use; prices and bit rates are options."""
import argparse
import hashlib
import json
import os
import resource
import subprocess
import time


def counted(kinema, video):
    """Seconds of video, frames, processor seconds and peak memory in MiB for counting."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([kinema, "count", video, "--format", "json"], stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = json.loads(run.stdout)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return result["duration"], result["frames"], cpu, after.ru_maxrss / 1024


def hashed():
    """Bytes per second that SHA-256 processes on one core, in Python like Ray's workers."""
    started, block = time.process_time(), os.urandom(1 << 20)
    digest = hashlib.sha256()
    for _ in range(256):
        digest.update(block)
    return (256 << 20) / (time.process_time() - started)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", nargs="+", metavar="VIDEO")
    parser.add_argument("--kinema", default=os.environ.get("KINEMA_COMMAND"), help="the command")
    parser.add_argument("--hours", type=float, default=10_000, help="hours of video a day (default: 10000)")
    parser.add_argument("--batch", type=float, default=0.9, help="the share of the cores in use (default: 0.9)")
    parser.add_argument("--minutes", type=float, default=1, help="length of a video in minutes (default: 1)")
    parser.add_argument("--megabits", type=float, default=4, help="bit rate of the video in Mbit/s (default: 4)")
    parser.add_argument("--task", type=float, default=1.7, help="Ray's overhead per task, ms (default: 1.7)")
    parser.add_argument("--price", type=float, default=0.04, help="dollars per core hour (default: 0.04)")
    arguments = parser.parse_args()
    seconds = cpu = 0
    for video in arguments.videos:
        length, frames, used, memory = counted(arguments.kinema, video)
        seconds, cpu = seconds + length, cpu + used
        print(f"{os.path.basename(video)}: {length:.1f} s, {frames / length:.0f} frames/s: {used:.1f} s of processor "
              f"time, {used / frames * 1000:.1f} ms per frame, {memory:.0f} MiB")
    work = cpu / seconds
    cores = arguments.hours / 24 * work / arguments.batch
    bytes_a_day = arguments.hours * 3600 * arguments.megabits * 1e6 / 8
    tasks = arguments.hours * 60 / arguments.minutes / 86_400
    print(f"a second of video takes {work:.3f} s of a core")
    print(f"{arguments.hours:.0f} hours a day: {cores:.0f} cores at {arguments.batch:.0%} load, "
          f"{cores * 24:.0f} core hours, {cores * 24 * arguments.price:.0f} dollars a day at {arguments.price} each")
    print(f"network: {bytes_a_day / 1e12:.1f} TB a day, {bytes_a_day * 8 / 86_400 / 1e9:.2f} Gbit/s all day long; "
          f"SHA-256 of it: {bytes_a_day / 86_400 / hashed():.2f} cores")
    print(f"driver: {tasks:.1f} tasks per second; Ray starts up to {1000 / arguments.task:.0f} one after the other")


if __name__ == "__main__":
    main()
