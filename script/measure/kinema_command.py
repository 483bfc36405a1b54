"""Runs `kinema` and MediaPipe and reads their JSON Lines; what the measuring programs share."""
import argparse
import json
import os
import subprocess
import sys

# BlazePose's 33 landmarks in the model's order, by Kinema's names.
BLAZEPOSE = (
    "nose leftEyeInner leftEye leftEyeOuter rightEyeInner rightEye rightEyeOuter leftEar rightEar leftMouth rightMouth "
    "leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist leftLittleFinger rightLittleFinger "
    "leftIndexFinger rightIndexFinger leftThumb rightThumb leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle "
    "leftHeel rightHeel leftFootTip rightFootTip"
).split()

# COCO's 17 joints, and the standard deviation of the annotations of each (cocodataset.org, keypoint evaluation).
COCO = (
    "nose leftEye rightEye leftEar rightEar leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist "
    "leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle"
).split()
SIGMAS = [s / 1000 for s in (26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89)]

# A hand's 21 landmarks in the model's order, by Kinema's names.
HAND = (
    "wrist thumbCMC thumbMP thumbIP thumbTip indexMCP indexPIP indexDIP indexTip middleMCP middlePIP middleDIP middleTip "
    "ringMCP ringPIP ringDIP ringTip littleMCP littlePIP littleDIP littleTip"
).split()

NOBODY_FOUND = 2

# The tool that times parts; `build_bench` in script/settings.sh builds it.
BENCH = os.environ.get("KINEMA_BENCH", "kinema-bench")


def command_line(program, description=None):
    """A parser with the options that `measure` in script/settings.sh passes."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    for name in ("--kinema", "--shared", "--cache"):
        parser.add_argument(name, required=True)
    return parser


def check_goals(goals):
    """Prints each goal and whether it is reached; returns whether all are."""
    for name, reached in goals:
        print(f"{'reached' if reached else 'MISSED ':8} {name}")
    return all(reached for _, reached in goals)


def mediapipe(options, path, name, *mode):
    """MediaPipe's people in each frame of a file, kept in the cache under a name."""
    folder = os.path.join(options.cache, "landmarks")
    cached = os.path.join(folder, name)
    if not os.path.exists(cached):
        os.makedirs(folder, exist_ok=True)
        program = os.path.join(options.shared, "peers", "mediapipe_pose.py")
        print(f"running MediaPipe on {os.path.basename(path)}", file=sys.stderr)
        subprocess.run(
            [sys.executable, program, path, *mode, "--raw", "--out", cached + ".part"], check=True, stderr=subprocess.DEVNULL)
        os.replace(cached + ".part", cached)
    with open(cached) as lines:
        return [json.loads(line)["people"] for line in lines]


def poses(command, source, *options):
    """The frames of `kinema pose` as dictionaries; finding nobody is a valid result."""
    arguments = [command, "pose", source, "--format", "jsonl", *options]
    run = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, NOBODY_FOUND):
        sys.exit(f"{' '.join(arguments)} failed with {run.returncode}: {run.stderr.strip()}")
    return [json.loads(line) for line in run.stdout.splitlines() if line.strip()]


def pixels(point, width, height):
    """Converts a normalised point, origin at the lower left, to pixels with the origin at the upper left."""
    return point[0] * width, (1 - point[1]) * height
