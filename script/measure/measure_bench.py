"""Runs `kinema measure` and reads its values, for script/measure-accuracy."""

import functools
import json
import subprocess
import sys

import numpy as np

import exports

# Pose2Sim's file is parsed at each call, which is too slow for every frame.
exports.pose2sim = functools.cache(exports.pose2sim)

JOINTS = ("ankle", "knee", "hip", "shoulder", "elbow")
ANGLES = [f"{side} {joint}" for side in ("Right", "Left") for joint in JOINTS] + ["Trunk"]


def turned(degrees):
    """The difference of two directions, within half a turn."""
    return (np.asarray(degrees, float) + 180) % 360 - 180


def rms(values):
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else float("nan")


class Bench:
    """Runs `kinema`, and keeps clips and poses in a folder."""

    def __init__(self, kinema, cache):
        self.kinema, self.cache = kinema, cache
        cache.mkdir(parents=True, exist_ok=True)

    def run(self, *words):
        run = subprocess.run([self.kinema, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if run.returncode:
            sys.exit(f"kinema {' '.join(map(str, words))} failed: {run.stderr.decode().strip()[-400:]}")
        return run.stdout

    def clip(self, scene, seed, size="1280x720", rate=30, *options):
        """A rendered clip and its truth."""
        path = self.cache / ("-".join([scene, str(seed), size, str(rate), *options]) + ".mp4")
        if not path.exists():
            self.run("synth", "--scene", scene, "--seed", seed, "--size", size, "--frame-rate", rate, *options, "--output", path)
        return path, json.loads(path.with_suffix(".json").read_text())

    def poses(self, video):
        """The poses as `kinema measure` detects them: unsmoothed, in f32, because 16 bits change the depth."""
        path = self.cache / (video.stem + ".jsonl")
        if not path.exists():
            path.write_bytes(self.run("pose", video, "--raw", "--precision", "f32", "--format", "jsonl"))
        return path

    def exact_poses(self, clip, truth):
        """Writes the true joints as a pose file."""
        path = self.cache / (clip.stem + ".exact.jsonl")
        rate = truth["frameRate"]["timescale"] / truth["frameRate"]["ticksPerFrame"]
        with open(path, "w") as file:
            for index, frame in enumerate(truth["people"][0]["frames"]):
                person = {"id": 1, "shot": 0, "confidence": 1, "box": frame["box"],
                          "keypoints": {name: [x, y, 1] for name, (x, y, _) in frame["keypoints"].items()},
                          "keypoints3D": {name: [*place, 1] for name, place in frame["keypoints3D"].items()}}
                print(json.dumps({"frame": index, "time": index / rate, "people": [person], "hands": [],
                                  "width": truth["width"], "height": truth["height"]}), file=file)
        return path

    def measure(self, poses, *options):
        return json.loads(self.run("measure", poses, *options, "--format", "json"))


def measured(result):
    """Times, and the measured angles by name; NaN where there is none."""
    values = {name: np.array([np.nan if v is None else v for v in quantity["values"]], float)
              for name, quantity in result["quantities"].items()}
    return np.array(result["times"]), values


def level(joints, degrees):
    """Levels joints in space, for a camera whose image shows the floor rising by an angle."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return {name: np.array([x * c + y * s, y * c - x * s, z]) for name, (x, y, z) in joints.items()}


def side_angles(joints):
    return dict(zip(ANGLES, exports.true_angles(joints, ANGLES)))
