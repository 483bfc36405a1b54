"""Distance of Kinema's 33 body landmarks from MediaPipe's, in percent of the person's height.

Only frames in which the peer's mean visibility is at least 0.5 count. The height is that of the box around the peer's
landmarks. Both run without smoothing, to compare the models and regions, not the filters.
"""
import os
import sys

import cv2
import numpy as np

from kinema_command import BLAZEPOSE, check_goals, command_line, mediapipe, pixels, poses

# Clips of different sizes and rates that show the person clearly; the goals apply to these.
CLIPS = (
    "squat_timer12 jacks_slow4 curl_side5 deadlift2 squat_barbell3 jacks_blue12 front_raise2 press_side2 "
    "squat_crossfit9 jacks_loop3"
).split()
# Push-ups from the front and a bar in front of the body, where both models guess: printed, but without goals.
HARD = "squat_smith1 pushup_dumbbell5 pf_correct112 pf_correct75".split()
MINIMUM_VISIBILITY = 0.5
GOAL_MEDIAN, GOAL_95 = 0.7, 3.0


def peer_frames(options, clip, path):
    """MediaPipe's landmarks by frame as 33 x (x, y, z, visibility), None without a person; cached between runs."""
    frames = mediapipe(options, path, f"{clip}.{os.path.getsize(path)}.raw.jsonl")
    return [np.array(list(people[0]["keypoints"].values())) if people else None for people in frames]


def our_frames(options, path, width, height):
    """Kinema's landmarks by frame as 33 x (x, y) in pixels, NaN for a missing joint, None without a person."""
    result = {}
    for frame in poses(
            options.kinema, path, "--raw", "--max-people", "1", "--precision", options.precision,
            *["--jobs", "1"] * options.exact):
        person = frame["people"][0]["keypoints"] if frame["people"] else None
        result[frame["frame"]] = person and np.array(
            [pixels(person[name], width, height) if name in person else (np.nan, np.nan) for name in BLAZEPOSE])
    return result


def compare(options, clip):
    """The measures of a clip: size, rate, frames, detection rates, and all distances in percent of the height."""
    path = os.path.join(options.shared, "data", "repetitions", clip + ".mp4")
    if not os.path.exists(path):
        sys.exit(f"parity: {path} does not exist")
    capture = cv2.VideoCapture(path)
    ok, picture = capture.read()
    height, width = picture.shape[:2]
    rate = capture.get(cv2.CAP_PROP_FPS)
    peer, ours = peer_frames(options, clip, path), our_frames(options, path, width, height)
    distances, counted, lost = [], 0, 0
    for index, landmarks in enumerate(peer):
        if landmarks is None or landmarks[:, 3].mean() < MINIMUM_VISIBILITY:
            continue
        counted += 1
        mine = ours.get(index)
        if mine is None:
            lost += 1
            continue
        theirs = landmarks[:, :2] * (width, height)
        distances.append(np.hypot(*(mine - theirs).T) / np.ptp(theirs[:, 1]) * 100)
    joined = np.concatenate(distances) if distances else np.empty(0)
    return {
        "clip": clip, "size": f"{width}x{height}", "rate": rate, "frames": len(peer), "ourFrames": len(ours),
        "counted": counted, "lost": lost, "distances": np.where(np.isnan(joined), np.inf, joined),
        "peerFound": sum(p is not None for p in peer), "found": sum(p is not None for p in ours.values()),
    }


def main():
    parser = command_line("parity", __doc__)
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--exact", action="store_true", help="make each frame wait for the previous one")
    parser.add_argument("clips", nargs="*")
    options = parser.parse_args()
    print(f"{'clip':18} {'size':>9} {'fps':>5} {'frames':>6} {'counted':>7} {'lost':>4} "
          f"{'found':>7} {'peer':>7} {'median %':>8} {'95th %':>7}")
    clear = group(options, options.clips or CLIPS, "all")
    hard = {"found": 0, "peerFound": 0} if options.clips else group(options, HARD, "all hard ones")
    return not check_goals(goals(clear, clear["found"] + hard["found"] >= clear["peerFound"] + hard["peerFound"]))


def line(row):
    median, tail = quantiles(row["distances"])
    print(f"{row['clip']:18} {row['size']:>9} {row['rate']:5} {row['frames']:6} {row['counted']:7} {row['lost']:4} "
          f"{row['found'] / row['frames']:7.1%} {row['peerFound'] / row['frames']:7.1%} {median:8.2f} {tail:7.2f}",
          flush=True)


def group(options, clips, title):
    """Prints the measures of each clip and of all clips together."""
    rows = []
    for clip in clips:
        rows.append(compare(options, clip))
        rows[-1]["rate"] = round(rows[-1]["rate"], 1)
        line(rows[-1])
    total = {key: sum(row[key] for row in rows) for key in ("frames", "counted", "lost", "found", "peerFound", "ourFrames")}
    total.update(clip=title, size="", rate="", distances=np.concatenate([row["distances"] for row in rows]))
    line(total)
    return total


def goals(total, found):
    """The goals. The person must be found in the hard clips too."""
    median, tail = quantiles(total["distances"])
    return [
        (f"median at most {GOAL_MEDIAN} %", median <= GOAL_MEDIAN),
        (f"95th percentile at most {GOAL_95:g} %", tail <= GOAL_95),
        ("found in at least as many frames as the peer", found),
        ("as many frames as the peer", total["ourFrames"] == total["frames"]),
    ]


def quantiles(distances):
    """The median and the 95th percentile, infinite without distances."""
    return np.percentile(distances, (50, 95), method="lower") if len(distances) else (np.inf, np.inf)


if __name__ == "__main__":
    sys.exit(main())
