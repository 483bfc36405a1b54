"""Runs `kinema` and reads its JSON Lines."""
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

# A hand's 21 landmarks in the model's order, by Kinema's names.
HAND = (
    "wrist thumbCMC thumbMP thumbIP thumbTip indexMCP indexPIP indexDIP indexTip middleMCP middlePIP middleDIP middleTip "
    "ringMCP ringPIP ringDIP ringTip littleMCP littlePIP littleDIP littleTip"
).split()

NOBODY_FOUND = 2

# The tool that times parts; `build_bench` in script/settings.sh builds it.
BENCH = os.environ.get("KINEMA_BENCH", "kinema-bench")


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
