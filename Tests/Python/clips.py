"""The clips that the module's tests analyse, and the path of the module."""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Python"))
os.environ.setdefault("MPLBACKEND", "Agg")
FOLDER = Path(tempfile.mkdtemp(prefix="kinema-python-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
#: The size and frame rate of the rendered clip.
SIZE, RATE = (320, 240), 10


def squats():
    """A clip of two squats, rendered once."""
    clip = FOLDER / "squats.mp4"
    if not clip.exists():
        command = [os.environ["KINEMA_COMMAND"], "synth", "--scene", "squat", "--repetitions", "2"]
        size = ["--size", "x".join(map(str, SIZE)), "--frame-rate", str(RATE)]
        subprocess.run([*command, *size, "--output", clip], check=True, capture_output=True)
    return clip


def truth():
    """What `kinema synth` wrote about the clip."""
    return json.loads(squats().with_suffix(".json").read_text())


def decoded(order="rgb24"):
    """The clip's frames, by FFmpeg: (frames, height, width, 3)."""
    import numpy

    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", squats(), "-f", "rawvideo", "-pix_fmt", order, "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, SIZE[1], SIZE[0], 3)


def grey():
    """One second without anyone."""
    clip = FOLDER / "grey.mp4"
    source = ["-f", "lavfi", "-i", "color=gray:size=320x240:rate=10:duration=1"]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *source, clip], check=True)
    return clip


def is_there(process):
    """Whether a process still exists, even as a zombie."""
    return os.path.exists(f"/proc/{process}")
