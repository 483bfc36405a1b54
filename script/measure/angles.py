"""Prints the error of exported joint angles on rendered people; see script/angles."""

import json
import pathlib
import subprocess
import sys
import tempfile

from exports import compare_angles

# The rendered clips: each movement with four seeds; the seed also sets the camera.
CLIPS = [(name, seed) for name in ("squat", "lunge", "deadlift", "bicepsCurl", "frontRaise", "kneeRaise")
         for seed in range(1, 5)]
JOINTS = ("ankle", "knee", "hip", "shoulder", "elbow")


def mean_of_sides(errors, joint):
    return sum(errors[f"{side} {joint}"]["mean"] for side in ("Left", "Right")) / 2


def main(kinema):
    errors_by_joint = {joint: [] for joint in JOINTS}
    print(f"{'clip':<14}{'facing':>8}" + "".join(f"{joint:>10}" for joint in JOINTS) + f"{'trunk':>10}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, seed in CLIPS:
            clip, angles = folder / "clip.mp4", folder / "clip.mot"
            run = lambda *words: subprocess.run([kinema, *map(str, words)], check=True, stdout=subprocess.DEVNULL,
                                                stderr=subprocess.DEVNULL)
            run("synth", "--scene", name, "--seed", seed, "--repetitions", 2, "--output", clip)
            run("pose", clip, "--export", "mot", "--output", angles)
            errors = compare_angles(angles, clip.with_suffix(".json"))
            row = [mean_of_sides(errors, joint) for joint in JOINTS] + [errors["Trunk"]["mean"]]
            for joint, value in zip(JOINTS, row):
                errors_by_joint[joint].append(value)
            print(f"{name + ' ' + str(seed):<14}{facing(clip.with_suffix('.json')):>7}\u00b0"
                  + "".join(f"{value:>9.1f}\u00b0" for value in row), flush=True)
    print(f"{'mean':<22}" + "".join(f"{sum(values) / len(values):>9.1f}\u00b0" for values in errors_by_joint.values()))


def facing(truth):
    """The person's rotation away from the camera in the first frame, in degrees; 0 faces it."""
    import numpy as np

    with open(truth) as file:
        joints = next(f["keypoints3D"] for f in json.load(file)["people"][0]["frames"] if f["keypoints3D"])
    across = np.array(joints["rightHip"]) - np.array(joints["leftHip"])
    return round(abs(float(np.degrees(np.arctan2(across[2], -across[0])))))


main(sys.argv[1])
