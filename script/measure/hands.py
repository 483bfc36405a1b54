"""Distance of Kinema's 21 hand landmarks from MediaPipe's, in percent of the longer side of the hand's box; PCK@0.2 of
both on annotated images; and the pinches that each rule finds in ten signed words.

Both run without smoothing. Hands of MediaPipe and Kinema match if their mean landmark distance is below the length of
the box; each hand is matched once, the nearest first.
"""
import json
import os
import subprocess
import sys

import cv2
import numpy as np

from kinema_command import HAND, check_goals, command_line, mediapipe, pixels, poses

CLIPS = "again book eat hungry milk no school sorry thanks want".split()
PICTURES = ("freihand", "onehand10k")
PCK = 0.2
GOAL_MEDIAN, GOAL_95 = 1.5, 6.0
# The word whose sign is three pinches, the frames in which they close, and the tolerance in frames.
PINCHED, CLOSINGS, FRAMES_OFF = "no", (28, 37, 46), 2


def peer_hands(options, path, *mode):
    """MediaPipe's hands by frame as 21 x (x, y), normalised, origin at the upper left; cached between runs."""
    frames = mediapipe(options, path, f"{os.path.basename(path)}.{os.path.getsize(path)}.hands.jsonl", "--hands", *mode)
    return [[np.array(list(hand["keypoints"].values()))[:, :2] for hand in people] for people in frames]


def our_hands(options, path, width, height):
    """Kinema's hands by frame as 21 x (x, y), pixels."""
    frames = poses(options.kinema, path, "--hands", "--no-bodies", "--raw", "--precision", options.precision)
    return [[np.array([pixels(hand["keypoints"][name], width, height) for name in HAND]) for hand in frame["hands"]]
            for frame in frames]


def pairs(theirs, ours):
    """Matches MediaPipe's hands with Kinema's; yields the distances of the 21 landmarks in percent of the box."""
    size = [np.ptp(hand, axis=0).max() for hand in theirs]
    candidates = sorted((np.hypot(*(a - b).T).mean() / size[i], i, j)
                        for i, a in enumerate(theirs) for j, b in enumerate(ours))
    matched_theirs, matched_ours = set(), set()
    for distance, i, j in candidates:
        if distance < 1 and i not in matched_theirs and j not in matched_ours:
            matched_theirs.add(i)
            matched_ours.add(j)
            yield np.hypot(*(theirs[i] - ours[j]).T) / size[i] * 100


def compare(options, clip):
    path = os.path.join(options.shared, "data", "hands", "asl", clip + ".mkv")
    if not os.path.exists(path):
        sys.exit(f"parity: {path} does not exist")
    height, width = cv2.VideoCapture(path).read()[1].shape[:2]
    theirs = [[hand * (width, height) for hand in frame] for frame in peer_hands(options, path)]
    ours = our_hands(options, path, width, height)
    distances = [row for a, b in zip(theirs, ours) for row in pairs(a, b)]
    return {
        "clip": clip, "frames": len(theirs), "ourFrames": len(ours), "peer": sum(map(len, theirs)),
        "ours": sum(map(len, ours)), "both": len(distances),
        "distances": np.concatenate(distances) if distances else np.empty(0)}


def line(row):
    median, tail = np.percentile(row["distances"], (50, 95)) if len(row["distances"]) else (np.inf, np.inf)
    print(f"{row['clip']:8} {row['frames']:6} {row['peer']:6} {row['ours']:6} {row['both']:6} {median:8.2f} {tail:7.2f}",
          flush=True)
    return median, tail


def parity(options):
    """Prints the distances; yields the goals."""
    print(f"{'clip':8} {'frames':>6} {'peer':>6} {'hands':>6} {'both':>6} {'median %':>8} {'95th %':>7}")
    rows = [compare(options, clip) for clip in options.clips or CLIPS]
    for row in rows:
        line(row)
    total = {key: sum(row[key] for row in rows) for key in ("frames", "ourFrames", "peer", "ours", "both")}
    median, tail = line({**total, "clip": "all", "distances": np.concatenate([row["distances"] for row in rows])})
    yield f"median at most {GOAL_MEDIAN} %", median <= GOAL_MEDIAN
    yield f"95th percentile at most {GOAL_95:g} %", tail <= GOAL_95
    yield "at least as many hands as the peer", total["ours"] >= total["peer"]
    yield "as many frames as the peer", total["ourFrames"] == total["frames"]


def pck(options):
    """Prints the share of annotated points found within a fifth of the hand's box; yields the goal."""
    correct, points = {"MediaPipe": 0, "Kinema": 0}, 0
    for folder in PICTURES:
        folder = os.path.join(options.shared, "data", "hands", "keypoints21", folder)
        with open(os.path.join(folder, f"test_{os.path.basename(folder)}.json")) as file:
            data = json.load(file)
        for picture in data["images"]:
            path = os.path.join(folder, picture["file_name"])
            height, width = cv2.imread(path).shape[:2]
            truth = next(a for a in data["annotations"] if a["image_id"] == picture["id"])
            joints = np.array(truth["keypoints"]).reshape(-1, 3)
            seen = joints[:, 2] > 0
            reach = PCK * max(truth["bbox"][2:])
            found = {
                "MediaPipe": [hand * (width, height) for hand in peer_hands(options, path, "--still")[0]],
                "Kinema": our_hands(options, path, width, height)[0]}
            points += int(seen.sum())
            for who, hands in found.items():
                correct[who] += max(
                    (int((np.hypot(*(hand - joints[:, :2]).T)[seen] <= reach).sum()) for hand in hands), default=0)
    for who, count in correct.items():
        print(f"PCK@{PCK} {who:10} {count / points:.3f} ({count} of {points} points)")
    yield "PCK at least MediaPipe's", correct["Kinema"] >= correct["MediaPipe"]


def pinches(options):
    """Prints the pinches that each rule finds in each clip, as first and last frames; yields the goal."""
    print(f"{'clip':8} {'scored':32} {'strict':32} sample")
    closings = []
    for clip in CLIPS:
        path = os.path.join(options.shared, "data", "hands", "asl", clip + ".mkv")
        rate = cv2.VideoCapture(path).get(cv2.CAP_PROP_FPS)
        cells = []
        for rule in ("scored", "strict", "sample"):
            run = subprocess.run(
                [options.kinema, "gesture", path, "--format", "json", "--rule", rule, "--precision", options.precision],
                stdout=subprocess.PIPE, check=True)
            found = json.loads(run.stdout)["pinches"]
            if (clip, rule) == (PINCHED, "scored"):
                closings = [round(pinch["start"] * rate) for pinch in found]
            cells.append(", ".join(f"{pinch['hand']} {round(pinch['start'] * rate)}-{round(pinch['end'] * rate)}"
                                   for pinch in found) or "-")
        print(f"{clip:8} {cells[0]:32} {cells[1]:32} {cells[2]}", flush=True)
    near = len(closings) == len(CLOSINGS) and all(abs(a - b) <= FRAMES_OFF for a, b in zip(closings, CLOSINGS))
    yield f"three scored pinches in {PINCHED}, closing within {FRAMES_OFF} frames of {CLOSINGS}", near


def main():
    parser = command_line("parity hands", __doc__)
    parser.add_argument("--precision", default="f32")
    parser.add_argument("clips", nargs="*")
    options = parser.parse_args()
    goals = [*parity(options), *pck(options), *pinches(options)]
    return 0 if check_goals(goals) else 1


if __name__ == "__main__":
    sys.exit(main())
