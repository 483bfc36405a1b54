"""Clips for the camera: rendered people with their truth, and variations of them, each made once."""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import subprocess
from pathlib import Path

KINEMA = os.environ["KINEMA_COMMAND"]
FOLDER = Path(os.environ["KINEMA_STUDIO_TESTS"]) / "clips"
RENDERED_FOLDER = Path(os.environ["KINEMA_HOME"]) / "cache/rendered"
SOURCES = Path(__file__).parents[2] / "Sources"
SHARED = Path(os.environ["KINEMA_SHARED"])

RENDERED = {
    "jacks": ["--scene", "jumpingJack", "--repetitions", "4", "--seed", "1"],
    "single": ["--scene", "squat", "--repetitions", "1", "--seed", "1"],
    "faulty": ["--scene", "squat", "--repetitions", "3", "--fault", "shallow", "--seed", "5"],
    "pair": ["--scene", "two-people", "--seed", "1"],
    "ten": ["--scene", "squat", "--repetitions", "10", "--seed", "3", "--frame-rate", "15"],
    "toss": ["--scene", "toss", "--seed", "29"],
    # Those that are only sent as files have as many frames as are needed.
    "four": ["--scene", "jumpingJack", "--repetitions", "4", "--seed", "1", "--frame-rate", "15"],
    "eleven": ["--scene", "jumpingJack", "--repetitions", "11", "--seed", "1", "--frame-rate", "15"],
    "shallow": ["--scene", "squat", "--repetitions", "3", "--fault", "shallow", "--seed", "5", "--frame-rate", "15"],
}

# Chromium plays a film again and again, from when the camera is opened. Seconds of standing still before and after leave
# time to begin and to stop on a busy machine; fifteen frames a second are enough to count by.
LEAD, TAIL = 2, 5

# Quick movements are played slower, so that a machine that sees a few frames a second still sees every repetition.
SLOWED = {"jacks": 2, "faulty": 1.5, "pair": 2, "single": 1, "ten": 1.25}

# A film that goes round, where a test waits for the next repetition and not for its end.
# Before and after ten squats there is long standing still, by which a phone begins a set and a test ends it.
ROUND = {"jacks-round": (1, 1), "ten": (9, 45), "ten-upright": (9, 45)}

# How much of a clip the camera shows, in seconds: to where both people have just done a repetition.
SHOWN = {"pair": 7.24}

# What is cut from a rendered clip by FFmpeg: the clip and a filter.
CUT = {"ten-upright": ("ten", "crop=360:480,scale=480:640"), "dark": ("jacks", "eq=brightness=-0.55:contrast=0.5"), "close": ("jacks", "crop=300:225:170:30,scale=640:480"), "jacks-round": ("jacks", "null"), "sideways": ("jacks", "crop=360:480,transpose=clock,scale=640:480")}


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} failed: {done.stderr.strip()[-800:]}")


@contextlib.contextmanager
def one_at_a_time(name="lock"):
    """Of several workers one makes a clip, and the others find it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / name, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def renderer():
    """The digest of the sources that render."""
    digest = hashlib.sha256()
    for target in ("KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaSynth"):
        for path in sorted((SOURCES / target).rglob("*.swift")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def video(name):
    """A rendered clip as MP4; its truth lies beside it. Another renderer or another recipe renders anew.

    A name of the shared data, such as `data/repetitions/jacks_blue12.mp4`, is that recording itself."""
    if name.startswith("data/"):
        return SHARED / name
    mark = hashlib.sha256(json.dumps([RENDERED[name], renderer()]).encode()).hexdigest()[:12]
    path = RENDERED_FOLDER / f"studio-{renderer()[:24]}" / f"{name}-{mark}.mp4"
    with one_at_a_time():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(f".{os.getpid()}.mp4")
            run(KINEMA, "synth", *RENDERED[name], "--output", unfinished, "--truth", path.with_suffix(".json"))
            unfinished.rename(path)
    return path


def truth(name):
    """What happens in a clip: its seconds, those of its film, its count, its repetitions with their faults."""
    found = json.loads(video(name).with_suffix(".json").read_text())
    rate = found["frameRate"]
    repetitions = [one for person in found["people"] for one in person["repetitions"] if one["isCounted"]]
    seconds = found["frameCount"] * rate["ticksPerFrame"] / rate["timescale"]
    return {"duration": seconds, "count": len(repetitions), "repetitions": repetitions,
            "filmed": LEAD + seconds * SLOWED.get(name, 1)}


def bodies(name):
    """The joints of a clip's first person in every frame, 0 to 1 from the lower left."""
    found = json.loads(video(name).with_suffix(".json").read_text())
    return [frame["keypoints"] for frame in found["people"][0]["frames"]]


def people(name):
    """What each person of a clip repeats, and the seconds of the film."""
    found = json.loads(video(name).with_suffix(".json").read_text())
    rate = found["frameRate"]
    seconds = SHOWN.get(name, found["frameCount"] * rate["ticksPerFrame"] / rate["timescale"])
    counts = [sum(one["isCounted"] and one["end"] <= seconds + 0.01 for one in person["repetitions"])
              for person in found["people"]]
    return {"counts": counts, "filmed": LEAD + seconds * SLOWED[name]}


def game(name):
    """The game in a clip: its board, its hole, its throws with their points."""
    return json.loads(video(name).with_suffix(".json").read_text())["toss"]


def camera(name):
    """A clip as the film that Chromium takes for a camera."""
    if name == "empty":
        return film(FOLDER / "empty.y4m", "-f", "lavfi", "-i", "color=0x8a8f8c:s=640x480:r=15:d=3")
    if name == "hand":
        return film(FOLDER / "hand.y4m", "-i", SHARED / "data/hands/asl/no.mkv")
    base, cut = CUT.get(name, (name, "null"))
    source = video(base)
    shown = f"trim=end={SHOWN[base]}," if base in SHOWN else ""
    lead, tail = ROUND.get(name, (LEAD, TAIL))
    still = f"tpad=start_mode=clone:start_duration={lead}:stop_mode=clone:stop_duration={tail}"
    # Raw pictures need less computing, but of a long film they would fill the disk; Chromium plays thirty JPEGs a second.
    kind, rate = ("mjpeg", 30) if base == "ten" else ("y4m", 15)
    for old in FOLDER.glob(f"*-{name}*.{kind}"):
        if not old.name.startswith(source.stem):
            old.unlink(missing_ok=True)
    return film(FOLDER / f"{source.stem}-{name}{SHOWN.get(base, '')}.{kind}", "-i", source, "-vf",
                f"{shown}setpts={SLOWED[base]}*PTS,fps={rate},{cut},{still}")


def recording(name):
    """A clip as a browser records it: WebM without a length; small, for quick coding."""
    source = video(name)
    return film(FOLDER / f"{source.stem}.webm", "-i", source, "-vf", "scale=320:-2", "-c:v", "libvpx", "-b:v", "1M",
                "-deadline", "realtime", "-cpu-used", "8", "-g", "15", "-live", "1")


def film(target, *source):
    with one_at_a_time():
        if not target.exists():
            unfinished = target.with_suffix(f".part{target.suffix}")
            form = ("-pix_fmt", "yuvj420p", "-q:v", "3") if target.suffix == ".mjpeg" else ("-pix_fmt", "yuv420p")
            run("ffmpeg", "-nostdin", "-loglevel", "error", "-y", *source, "-an", *form, unfinished)
            unfinished.rename(target)
    return target


@functools.cache
def command():
    """The digest of the command."""
    return hashlib.sha256(Path(KINEMA).read_bytes()).hexdigest()
