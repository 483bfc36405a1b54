"""Clips for the camera: rendered people with their truth, and variations of them, made once for each build."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

KINEMA = os.environ["KINEMA_COMMAND"]
FOLDER = Path(os.environ["KINEMA_STUDIO_TESTS"]) / "clips"
SHARED = Path(os.environ["KINEMA_SHARED"])

# Small, and short enough that Chromium, which plays a file again and again, need not come to its end twice.
RENDERED = {
    "jacks": ["--scene", "jumpingJack", "--repetitions", "4", "--seed", "1"],
    "faulty": ["--scene", "squat", "--repetitions", "3", "--fault", "shallow", "--seed", "5"],
    "toss": ["--scene", "toss", "--seed", "1"],
}

# What is cut from a rendered clip by FFmpeg: the clip and a filter.
CUT = {"close": ("jacks", "crop=300:225:170:30,scale=640:480")}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} failed: {done.stderr.strip()[-800:]}")


def place(name, recipe):
    """Where a clip of a recipe lies; another build of the command renders anew."""
    build = os.stat(KINEMA)
    mark = hashlib.sha256(json.dumps([recipe, build.st_size, build.st_mtime_ns]).encode()).hexdigest()[:12]
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / f"{name}-{mark}.mp4"


def video(name):
    """A rendered clip as MP4; its truth lies beside it."""
    path = place(name, RENDERED[name])
    if not path.exists():
        for old in FOLDER.glob(f"{name}-*"):
            old.unlink()
        unfinished = path.with_suffix(".part.mp4")
        run(KINEMA, "synth", *RENDERED[name], "--output", unfinished, "--truth", path.with_suffix(".json"))
        unfinished.rename(path)
    return path


def truth(name):
    """What happens in a rendered clip: its seconds, its count, and its repetitions with their faults."""
    found = json.loads(video(name).with_suffix(".json").read_text())
    rate = found["frameRate"]
    repetitions = [one for person in found["people"] for one in person["repetitions"] if one["isCounted"]]
    seconds = found["frameCount"] * rate["ticksPerFrame"] / rate["timescale"]
    return {"duration": seconds, "count": len(repetitions), "repetitions": repetitions}


def camera(name):
    """A clip as the file that Chromium takes for a camera."""
    if name == "empty":
        return motion_jpeg(FOLDER / "empty.mjpeg", "-f", "lavfi", "-i", "color=0x8a8f8c:s=640x480:r=30:d=3")
    if name == "hand":
        return motion_jpeg(FOLDER / "hand.mjpeg", "-i", SHARED / "data/hands/asl/no.mkv", "-vf", "fps=30")
    if name in CUT:
        base, filters = CUT[name]
        source = video(base)
        return motion_jpeg(source.with_name(f"{source.stem}-{name}.mjpeg"), "-i", source, "-vf", filters)
    source = video(name)
    return motion_jpeg(source.with_suffix(".mjpeg"), "-i", source)


def motion_jpeg(target, *source):
    if not target.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_suffix(".part.mjpeg")
        run("ffmpeg", "-nostdin", "-loglevel", "error", "-y", *source, "-an", "-c:v", "mjpeg", "-q:v", "3", unfinished)
        unfinished.rename(target)
    return target
