"""Counts recordings live at several frame rates, as on machines that are too slow, and prints how many counts hold.

The frames go over the studio's socket, each after the one before was answered, with the times of their capture.
The length of a repetition is printed too: a movement of a second needs more frames than one of four.
"""

import argparse
import csv
import subprocess
import sys
import time
from pathlib import Path

from studio import Refused, Server, WebSocket

RATES = (4, 6, 8, 10, 12, 16, 30)
HEIGHT = 480
PAUSE = 1 / 55  # seconds: the studio takes at most 60 frames a second


def frames(clip, rate):
    """The frames that a camera of this rate takes, as JPEG images."""
    stream = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", clip, "-vf", f"fps={rate},scale=-2:'min({HEIGHT},ih)'", "-q:v", "4",
         "-f", "image2pipe", "-c:v", "mjpeg", "-"], check=True, capture_output=True).stdout
    return [b"\xff\xd8\xff" + part for part in stream.split(b"\xff\xd8\xff")[1:]]


def count(server, clip, rate):
    client = WebSocket(
        server.port, "/live", f"Origin: http://127.0.0.1:{server.port}", "Sec-WebSocket-Protocol: kinema.2",
        f"Authorization: Bearer {server.token}")
    client.wait_for("hello")
    client.text({"type": "start", "mode": "count", "source": {"kind": "browser"}, "keep": False})
    client.wait_for("started")
    for index, jpeg in enumerate(frames(clip, rate)):
        begin = time.monotonic()
        client.frame(index, index / rate, jpeg)
        client.wait_for("result", "dropped")
        time.sleep(max(0, begin + PAUSE - time.monotonic()))
    client.text({"type": "stop"})
    return client.wait_for("ended")["summary"]["count"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinema", required=True, help="the program kinema-studio")
    parser.add_argument("--shared", required=True, type=Path, help="the folder with the recordings")
    parser.add_argument("--most", type=float, default=32, help="seconds of the longest recording that is used")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only recordings whose names begin with one of these")
    arguments = parser.parse_args()
    folder = arguments.shared / "data/repetitions"
    with open(folder / "labels.csv") as file:
        rows = [row for row in csv.DictReader(file)
                if int(row["reps"]) >= 3 and float(row["duration"]) <= arguments.most and float(row["fps"]) >= 20
                and (not arguments.names or row["file"].startswith(tuple(arguments.names)))]
    server = Server(arguments.kinema)
    exact = dict.fromkeys(RATES, 0)
    try:
        for row in rows:
            seconds = (float(row["end"]) - float(row["start"])) / int(row["reps"])
            found = {}
            for rate in RATES:
                found[rate] = count(server, folder / row["file"], rate)
                exact[rate] += int(row["reps_low"]) <= found[rate] <= int(row["reps_high"])
            print(f"{row['file']:24} {row['reps']:>3} reps of {seconds:4.1f} s  "
                  + "  ".join(f"{rate}/s {value}" for rate, value in found.items()), flush=True)
    finally:
        server.stop()
    print(f"exact of {len(rows)}: " + "  ".join(f"{rate}/s {value}" for rate, value in exact.items()))


if __name__ == "__main__":
    try:
        main()
    except Refused as problem:
        sys.exit(str(problem))
