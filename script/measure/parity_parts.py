"""Differences between analysing recordings in parts and in one piece: frames, times, shots, people, joints and counts.

Each clip is analysed twice: in parts of a forced length, two at once, and with --jobs 1. A joint's distance is in percent
of the longer side of the person's body, over all people that both runs detect.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from kinema_command import NOBODY_FOUND, command_line, poses

GOAL_MEDIAN, GOAL_95, GOAL_PEOPLE = 0.2, 1.5, 0.99


def read(command, path, words, folder):
    """The frames of a run, and the number of repetitions of each person."""
    kept = os.path.join(folder, "poses.jsonl")
    frames = poses(command, path, *words)
    with open(kept, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(frame) + "\n" for frame in frames)
    count = subprocess.run(
        [command, "count", kept, "--format", "json", "--people", "all"], capture_output=True, text=True)
    if count.returncode not in (0, NOBODY_FOUND):
        sys.exit(f"counting {path} failed: {count.stderr.strip()}")
    result = json.loads(count.stdout)
    return frames, sorted(len(person["repetitions"]) for person in result["people"] if person["repetitions"])


def distances(one, other):
    """The distance of each of a person's joints, in percent of the longer side of the box around the joints."""
    columns, rows = zip(*(place[:2] for place in one["keypoints"].values()))
    size = max(max(columns) - min(columns), max(rows) - min(rows), 1e-6)
    for key, (x, y, *_) in one["keypoints"].items():
        if key in other["keypoints"]:
            yield 100 * np.hypot(x - other["keypoints"][key][0], y - other["keypoints"][key][1]) / size


def compare(command, path, length):
    readings = (["--jobs", "1"], ["--jobs", "2", "--part-length", length])
    with tempfile.TemporaryDirectory() as folder:
        (whole, counted), (parts, counted_in_parts) = (read(command, path, words, folder) for words in readings)
    times = [frame["time"] for frame in whole] == [frame["time"] for frame in parts]
    same, joints, shots = 0, [], True
    for one, other in zip(whole, parts):
        known, new = ({person["id"]: person for person in frame["people"]} for frame in (one, other))
        same += known.keys() == new.keys()
        first = [next((person["shot"] for person in people.values()), None) for people in (known, new)]
        shots &= None in first or first[0] == first[1]
        for number in known.keys() & new.keys():
            joints += distances(known[number], new[number])
    everyone = [len({person["id"] for frame in reading for person in frame["people"]}) for reading in (whole, parts)]
    return len(whole), times, shots, same / max(1, len(whole)), everyone, joints, (counted, counted_in_parts)


def main():
    parser = command_line("parity parts", __doc__)
    parser.add_argument("--length", default="3")
    parser.add_argument("clips", nargs="*")
    options = parser.parse_args()
    data = os.path.join(options.shared, "data")
    folders = ["repetitions", "crowds", "mend", "repetitions/more"]
    clips = options.clips or [
        os.path.join(data, folder, name) for folder in folders for name in sorted(os.listdir(os.path.join(data, folder)))
        if name.endswith((".mp4", ".avi"))]
    print(f"{'clip':34} {'frames':>7} {'times':>6} {'shots':>6} {'same people':>12} {'people':>8} {'median':>7} {'95 %':>6}  counts")
    every, people, failed = [], [], []
    for path in clips:
        count, times, shots, same, everyone, joints, counted = compare(options.kinema, path, options.length)
        every += joints
        people.append(same)
        median, high = np.percentile(joints, [50, 95]) if joints else (0, 0)
        equal = counted[0] == counted[1]
        print(f"{os.path.basename(path):34} {count:7} {'equal' if times else 'DIFFER':>6} "
              f"{'equal' if shots else 'DIFFER':>6} {same:12.1%} "
              f"{everyone[0]:3} {everyone[1]:3}  {median:6.2f} {high:6.2f}  "
              f"{sum(counted[0])}{'' if equal else f' and {sum(counted[1])}'}", flush=True)
        if not (times and shots and equal):
            failed.append(os.path.basename(path))
    median, high = np.percentile(every, [50, 95])
    print(f"all: median {median:.2f} % (goal {GOAL_MEDIAN}), 95 % {high:.2f} % (goal {GOAL_95}), "
          f"{len(clips) - len(failed)} of {len(clips)} clips with equal times, shots and counts, "
          f"{np.mean(people):.1%} of their frames with the same people (goal {GOAL_PEOPLE:.0%})")
    if failed:
        sys.exit("different times, shots or counts: " + ", ".join(failed))
    if median > GOAL_MEDIAN or high > GOAL_95 or np.mean(people) < GOAL_PEOPLE:
        sys.exit("the joints or the people differ by more than the goals")


main()
