"""Reads Kinema's exports with other programs and prints what they read as JSON.

    exports.py csv|trc|mot|openpose FILE      as read by pandas, Pose2Sim (Sports2D's reader) or the standard library
    exports.py coco FILE TRUTH                the export's people, scored by pycocotools against the truth
    exports.py angles FILE TRUTH              a MOT file, compared with Sports2D's own angles of the true joints

TRUTH is a COCO file for coco, and the JSON file that `kinema synth` writes for angles.
"""

import ast
import contextlib
import io
import json
import pathlib
import sys
from importlib.util import find_spec

import numpy as np
import pandas as pd


def pose2sim(*names):
    """Functions of Pose2Sim's `common`, loaded without the dozens of packages the module imports."""
    path = pathlib.Path(find_spec("Pose2Sim").submodule_search_locations[0]) / "common.py"
    wanted = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        assigned = [t.id for t in getattr(node, "targets", []) if isinstance(t, ast.Name)]
        if getattr(node, "name", None) in names or set(assigned) & set(names):
            wanted.append(node)
    scope = {"np": np, "pd": pd}
    exec(compile(ast.Module(wanted, []), str(path), "exec"), scope)
    return [scope[name] for name in names]


def unevenness(times):
    """The largest deviation of the times from even spacing, in seconds, and the even rate."""
    times = np.asarray(times, float)
    if len(times) < 2:
        return 0.0, 0.0
    row = np.linspace(times[0], times[-1], len(times))
    return float(np.abs(times - row).max()), float((len(times) - 1) / (times[-1] - times[0]))


def read_csv(path):
    table = pd.read_csv(path)
    return {"columns": list(table.columns), "rows": len(table), "numeric": all(t.kind in "if" for t in table.dtypes),
            "first": table.iloc[0].to_dict(), "frames": table["frame"].tolist()}


def read_trc(path):
    data, frames, times, markers, header = pose2sim("read_trc")[0](path)
    values = dict(zip(header[1].rstrip("\n").split("\t"), header[2].rstrip("\n").split("\t")))
    deviation, rate = unevenness(times)
    points = data.to_numpy(float).reshape(len(data), len(markers), 3)
    return {"markers": markers, "header": values, "rows": len(data), "missing": int(data.isna().sum().sum()),
            "unevenness": deviation, "rate": rate, "frames": frames.tolist(), "times": times.tolist(),
            "points": {name: points[:, i].tolist() for i, name in enumerate(markers)}}


def read_mot(path):
    data, times, header = pose2sim("read_mot")[0](path)
    deviation, rate = unevenness(times)
    return {"columns": list(data.columns), "rows": len(data), "missing": int(data.isna().sum().sum()),
            "header": [line.strip() for line in header], "unevenness": deviation, "rate": rate, "times": times.tolist(),
            "angles": {name: data[name].tolist() for name in data.columns}}


def read_openpose(folder):
    lengths, people = set(), []
    files = sorted(pathlib.Path(folder).glob("*_keypoints.json"))
    for file in files:
        frame = json.loads(file.read_text())
        people.append(len(frame["people"]))
        for person in frame["people"]:
            lengths.add((len(person["pose_keypoints_2d"]),) + tuple(
                len(person[f"{part}_keypoints_{kind}"]) for kind in ("2d", "3d")
                for part in ("face", "hand_left", "hand_right")) + (len(person["pose_keypoints_3d"]),))
    return {"files": [file.name for file in files], "people": people, "lengths": sorted(lengths)}


def score_coco(path, truth):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    with contextlib.redirect_stdout(io.StringIO()):
        export, truth = COCO(path), COCO(truth)
        keys = ("image_id", "category_id", "keypoints", "score")
        found = truth.loadRes([{key: one[key] for key in keys} for one in export.anns.values()])
        evaluation = COCOeval(truth, found, "keypoints")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return {"images": len(export.imgs), "annotations": len(export.anns), "precision": float(evaluation.stats[0]),
            "recall": float(evaluation.stats[5])}


NAMES = {"Neck": "neck", "Hip": "root"}
for letter, side in (("R", "right"), ("L", "left")):
    for name, joint in (("Hip", "Hip"), ("Knee", "Knee"), ("Ankle", "Ankle"), ("Heel", "Heel"), ("BigToe", "FootTip"),
                        ("Shoulder", "Shoulder"), ("Elbow", "Elbow"), ("Wrist", "Wrist")):
        NAMES[letter + name] = side + joint


def true_angles(joints, columns):
    """Sports2D's angles of joints in space (x right, y up, z to the camera), viewed from the body's right side."""
    angle_dict, _, fixed = pose2sim("angle_dict", "points_to_angles", "fixed_angles")
    across = joints["rightHip"] - joints["leftHip"] + joints["rightShoulder"] - joints["leftShoulder"]
    right = across / np.linalg.norm(across)
    up = np.array([0, 1, 0]) - right * right[1]
    up /= np.linalg.norm(up)
    ahead = np.cross(up, right)
    # Sports2D takes points in image coordinates, with y down.
    points = {name: np.array([joints[key] @ ahead, -(joints[key] @ up)]) for name, key in NAMES.items()}
    return [float(fixed([points[mark] for mark in angle_dict[name.lower()][0]], name.lower())) for name in columns]


def compare_angles(path, truth):
    data, times, _ = pose2sim("read_mot")[0](path)
    with open(truth) as file:
        person = json.load(file)
    rate = person["frameRate"]["timescale"] / person["frameRate"]["ticksPerFrame"]
    frames = person["people"][0]["frames"]
    errors = {name: [] for name in data.columns}
    for row, time in enumerate(times):
        index = round(time * rate)
        if index >= len(frames) or not frames[index]["keypoints3D"]:
            continue
        joints = {name: np.array(point) for name, point in frames[index]["keypoints3D"].items()}
        for name, true in zip(data.columns, true_angles(joints, data.columns)):
            errors[name].append((data[name].iloc[row] - true + 180) % 360 - 180)
    return {name: {"mean": float(np.mean(np.abs(values))), "bias": float(np.mean(values)),
                   "rms": float(np.sqrt(np.mean(np.square(values)))), "frames": len(values)}
            for name, values in errors.items() if values}


if __name__ == "__main__":
    readers = {"csv": read_csv, "trc": read_trc, "mot": read_mot, "openpose": read_openpose, "coco": score_coco,
               "angles": compare_angles}
    json.dump(readers[sys.argv[1]](*sys.argv[2:]), sys.stdout)
