"""Compares Kinema's classifiers with their ONNX exports, run by onnxruntime and by Kinema.

    onnx_classifiers.py --kinema COMMAND --work FOLDER [--windows N] [--shared FOLDER]

Trains on synthetic bodies and hands with two movements and, if present, on the recorded push-ups, which differ in posture.
Windows with jittering and missing joints are classified by onnxruntime and by `kinema classify --classifier m.onnx`.
Prints the largest difference of a probability from the classifier's own; fails above 0.001 (the command prints four
decimals).
"""

import argparse
import json
import pathlib
import subprocess
import sys

import numpy
import onnxruntime

FRAMES, RATE, LIMIT = 60, 30.0, 0.001


def movement(joints, label, person, frames, random):
    """A figure whose joints lie on a circle and swing, some of them more for one label; x, y down, confidence."""
    place = numpy.array([[numpy.cos(2.4 * j), 1.0 + 0.15 * j] for j in range(joints)])
    time = numpy.arange(frames)[:, None, None] / RATE * (1 + 0.1 * person)
    swing = numpy.array([(j % 4) * (0.06 if label == "a" else 0.2 * (j % 2)) for j in range(joints)])
    position = place[None] + numpy.sin(5 * time + person) * swing[None, :, None] * [1, 0.5]
    position = 200 + 80 * (position + random.normal(0, 0.01, position.shape))
    return numpy.concatenate([position, numpy.full((frames, joints, 1), 0.9)], 2).astype(numpy.float32)


def damaged(window, random):
    """Drops two joints for some frames, and another one completely."""
    result = window.copy()
    joints = window.shape[1]
    start = random.integers(0, FRAMES - 15)
    result[start : start + 12, random.integers(3, joints)] = 0
    result[:, random.integers(3, joints)] = 0
    result[:4, random.integers(3, joints)] = 0
    return result


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments[:2]))}: {done.stderr.strip()}")
    return done.stdout


def train(kinema, folder, joints, options):
    model = folder / "m.kinema"
    if str(options[0] if options else "").endswith(".csv"):
        run(kinema, "train", options[0], "-o", model, "--export", folder / "m.onnx")
        return model
    random = numpy.random.default_rng(1)
    for label in "ab":
        (folder / "data" / label).mkdir(parents=True, exist_ok=True)
        for person in range(5):
            numpy.save(folder / "data" / label / f"{person}.npy", movement(joints, label, person, 120, random))
    run(kinema, "train", folder / "data", "-o", model, "--export", folder / "m.onnx", *options)
    return model


def predicted(kinema, window, model):
    """The probabilities that the command prints for a window."""
    lines = run(kinema, "classify", window, "--classifier", model, "--format", "jsonl").splitlines()
    found = next(json.loads(line) for line in lines if "probabilities" in line)
    return found.get("prediction", found)["probabilities"]


def compare(kinema, folder, model, joints, count):
    """The largest differences for onnxruntime and for Kinema's own ONNX reader."""
    session = onnxruntime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
    labels = session.get_modelmeta().custom_metadata_map["labels"].split("\n")
    random = numpy.random.default_rng(2)
    others, own = 0.0, 0.0
    for index in range(count):
        window = movement(joints, "ab"[index % 2], 0.5 + index % 5, FRAMES, random)
        if index % 4 == 3:
            # One movement turns into the other, so the classifier is uncertain.
            turn = 20 + index % 20
            window[turn:] = movement(joints, "ba"[index % 2], 0.5 + index % 5, FRAMES, random)[turn:]
        window = damaged(window, random) if index % 3 else window
        numpy.save(folder / "w.npy", window)
        expected = predicted(kinema, folder / "w.npy", model)
        poses = window.transpose(0, 2, 1)[None].copy()
        poses[:, :, 1] *= -1
        found = session.run(["labelProbabilities"], {"poses": poses})[0][0]
        others = max([others] + [abs(expected[name] - value) for name, value in zip(labels, found)])
        read = predicted(kinema, folder / "w.npy", folder / "m.onnx")
        if sorted(read) != sorted(expected):
            sys.exit(f"{folder / 'm.onnx'}: read back, its classes are {sorted(read)}")
        own = max([own] + [abs(expected[name] - read[name]) for name in labels])
    return others, own


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--windows", type=int, default=12)
    parser.add_argument("--shared", type=pathlib.Path)
    given = parser.parse_args()
    worst = 0.0
    sets = [
        ("bodies", 18, []),
        ("bodies, unvalidated", 18, ["--validation", "none"]),
        ("hands", 21, ["--hands"]),
    ]
    recorded = given.shared and given.shared / "sequences/pushfit_movenet/index.csv"
    if recorded and recorded.exists():
        sets.append(("push-ups", 18, [recorded]))
    for name, joints, options in sets:
        folder = given.work / name.split(",")[0] / str(len(options))
        folder.mkdir(parents=True, exist_ok=True)
        model = train(given.kinema, folder, joints, options)
        others, own = compare(given.kinema, folder, model, joints, given.windows)
        share = json.loads(model.read_text())["summary"].get("postureShare", 0)
        print(
            f"{name}: posture's share {share:.1f}, {given.windows} windows, "
            f"largest difference in onnxruntime {others:.5f}, read back {own:.5f}"
        )
        worst = max(worst, others, own)
    if not worst <= LIMIT:
        sys.exit(f"the largest difference {worst:.5f} is above {LIMIT}")


if __name__ == "__main__":
    main()
