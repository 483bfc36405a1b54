"""HOTA, IDF1, identity switches, fragmentations and coverage of Kinema in rendered crowds, checked against TrackEval.

TrackEval is used in two ways: its metrics get the keypoint similarities (OKS) computed here, and its MOTChallenge
benchmark reads boxes from files in that format, as is usual for trackers. Kinema's report must agree with both.
"""
import argparse
import contextlib
import io
import json
import math
import os
import subprocess
import sys

from kinema_command import COCO, SIGMAS

AREA_OF_BOX = 0.53
SIDE, TOP, BOTTOM = 0.07, 0.09, 0.07
DISTRACTOR = 8
# Coordinates have five decimals, which occasionally moves a pair across a threshold.
TOLERANCE = 0.002


def run(*arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 2):
        sys.exit(f"{' '.join(arguments)} failed with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def clip(options, people, seed):
    """A rendered crowd and its truth, kept between runs."""
    stem = os.path.join(options.cache, f"crowd-{people}-{seed}")
    if not (os.path.exists(stem + ".mp4") and os.path.exists(stem + ".json")):
        run(options.kinema, "synth", "--scene", "crowd", "--people", str(people), "--seed", str(seed), "-o",
            stem + ".mp4")
    with open(stem + ".json") as file:
        return stem, json.load(file)


def follow(options, stem, truth):
    """Kinema's report against a truth, and the people it detected in every frame."""
    report = stem + ".report.json"
    lines = run(
        options.kinema, "pose", stem + ".mp4", "--format", "jsonl", "--max-people", "40", "--track-report", report,
        "--track-truth", truth, *options.options)
    with open(report) as file:
        return json.load(file), [json.loads(line)["people"] for line in lines.splitlines() if line]


def oks(real, found, width, height):
    area = max(1, AREA_OF_BOX * real["box"][2] * width * real["box"][3] * height)
    total = count = 0
    for name, sigma in zip(COCO, SIGMAS):
        joint = real["keypoints"].get(name)
        if joint is None or joint[2] == 0:
            continue
        count += 1
        if name in found["keypoints"]:
            x, y, _ = found["keypoints"][name]
            square = ((x - joint[0]) * width) ** 2 + ((y - joint[1]) * height) ** 2
            total += math.exp(-square / (8 * sigma * sigma * area))
    return total / count if count else 0


def outline(found):
    """The box around a detected person's outline: x, y, width and height, origin at the lower left."""
    points = [p for name, p in found["keypoints"].items() if name in COCO and p[2] >= 0.2]
    if not points:
        return None
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low, high = min(p[1] for p in points), max(p[1] for p in points)
    tall = high - low
    return left - SIDE * tall, low - BOTTOM * tall, right - left + 2 * SIDE * tall, tall * (1 + TOP + BOTTOM)


def by_key_points(truth, frames):
    """TrackEval's metrics from OKS; hidden people are removed, as it removes MOTChallenge's distractors."""
    import numpy as np
    import trackeval
    from scipy.optimize import linear_sum_assignment

    data = {"gt_ids": [], "tracker_ids": [], "similarity_scores": [], "num_timesteps": len(frames)}
    truth_ids, found_ids = {}, {}
    for index, people in enumerate(frames):
        real = [(p["id"], p["frames"][index]) for p in truth["people"] if p["frames"][index].get("box")]
        similarity = np.array(
            [[oks(r, f, truth["width"], truth["height"]) for f in people] for _, r in real]
        ).reshape(len(real), len(people))
        scores = np.where(similarity < 0.5 - np.finfo("float").eps, 0, similarity)
        rows, columns = linear_sum_assignment(-scores)
        dropped = {c for r, c in zip(rows, columns) if scores[r, c] > 0 and real[r][1]["isHidden"]}
        keep = [c for c in range(len(people)) if c not in dropped]
        count = [r for r in range(len(real)) if not real[r][1]["isHidden"]]
        data["gt_ids"].append(
            np.array([truth_ids.setdefault(real[r][0], len(truth_ids)) for r in count], dtype=int))
        data["tracker_ids"].append(
            np.array([found_ids.setdefault(people[c]["id"], len(found_ids)) for c in keep], dtype=int))
        data["similarity_scores"].append(similarity[np.ix_(count, keep)])
    data["num_gt_ids"], data["num_tracker_ids"] = len(truth_ids), len(found_ids)
    data["num_gt_dets"] = sum(map(len, data["gt_ids"]))
    data["num_tracker_dets"] = sum(map(len, data["tracker_ids"]))
    with contextlib.redirect_stdout(io.StringIO()):
        metrics = trackeval.metrics
        found = {}
        for measure in (metrics.HOTA(), metrics.CLEAR({"PRINT_CONFIG": False}),
                        metrics.Identity({"PRINT_CONFIG": False})):
            found.update(measure.eval_sequence(data))
    return summary(found)


def summary(found):
    return {
        "HOTA": float(found["HOTA"].mean()), "DetA": float(found["DetA"].mean()),
        "AssA": float(found["AssA"].mean()), "IDF1": float(found["IDF1"]), "MOTA": float(found["MOTA"]),
        "switches": int(found["IDSW"]), "fragments": int(found["Frag"]),
    }


def write_challenge(truth, frames, folder, name):
    """Writes truth and tracks as MOTChallenge files; returns the path of the truth."""
    width, height = truth["width"], truth["height"]

    def row(frame, number, box, *rest):
        x, y, w, h = box
        values = (x * width + 1, (1 - y - h) * height + 1, w * width, h * height)
        return ",".join([str(frame + 1), str(number)] + [f"{v:.4f}" for v in values] + [str(r) for r in rest])

    base = os.path.join(folder, "gt", "CROWD-test", name)
    tracks = os.path.join(folder, "trackers", "CROWD-test", "kinema", "data")
    for path in (os.path.join(base, "gt"), tracks, os.path.join(folder, "gt", "seqmaps")):
        os.makedirs(path, exist_ok=True)
    with open(os.path.join(base, "seqinfo.ini"), "w") as file:
        file.write(f"[Sequence]\nname={name}\nseqLength={len(frames)}\nimWidth={width}\nimHeight={height}\n")
    with open(os.path.join(folder, "gt", "seqmaps", "CROWD-test.txt"), "w") as file:
        file.write(f"name\n{name}\n")
    path = os.path.join(base, "gt", "gt.txt")
    with open(path, "w") as file:
        for person in truth["people"]:
            for index, seen in enumerate(person["frames"]):
                if seen.get("box"):
                    hidden = seen["isHidden"]
                    share = seen["visibleShare"]
                    print(row(index, person["id"] + 1, seen["box"], int(not hidden), DISTRACTOR if hidden else 1, share),
                          file=file)
    with open(os.path.join(tracks, name + ".txt"), "w") as file:
        for index, people in enumerate(frames):
            for person in people:
                box = outline(person)
                if box:
                    print(row(index, person["id"], box, 1, -1, -1, -1), file=file)
    return path


def by_boxes(folder):
    """TrackEval's MOTChallenge benchmark on the files."""
    import trackeval

    with contextlib.redirect_stdout(io.StringIO()):
        evaluator = trackeval.Evaluator({
            **trackeval.Evaluator.get_default_eval_config(), "PRINT_RESULTS": False, "OUTPUT_SUMMARY": False,
            "OUTPUT_DETAILED": False, "PLOT_CURVES": False, "PRINT_CONFIG": False, "TIME_PROGRESS": False})
        data = trackeval.datasets.MotChallenge2DBox({
            **trackeval.datasets.MotChallenge2DBox.get_default_dataset_config(),
            "GT_FOLDER": os.path.join(folder, "gt"), "TRACKERS_FOLDER": os.path.join(folder, "trackers"),
            "BENCHMARK": "CROWD", "SPLIT_TO_EVAL": "test", "PRINT_CONFIG": False})
        metrics = trackeval.metrics
        measures = [metrics.HOTA(), metrics.CLEAR({"PRINT_CONFIG": False}), metrics.Identity({"PRINT_CONFIG": False})]
        results, _ = evaluator.evaluate([data], measures)
    found = {}
    for part in results["MotChallenge2DBox"]["kinema"]["COMBINED_SEQ"]["pedestrian"].values():
        found.update(part)
    return summary(found)


def difference(ours, theirs):
    """The largest difference of a metric; switches and fragments count as shares of the matches."""
    counts = [abs(ours[key] - theirs[key]) / max(1, ours["matches"]) for key in ("switches", "fragments")]
    return max([abs(ours[key] - theirs[key]) for key in ("HOTA", "DetA", "AssA", "IDF1", "MOTA")] + counts)


def flesh(truths):
    """How far outlines extend beyond the joints, as shares of the joints' height: sides, top, bottom."""
    sums, count = [0, 0, 0], 0
    for truth in truths:
        aspect = truth["width"] / truth["height"]
        for person in truth["people"]:
            for seen in person["frames"][::10]:
                if not seen.get("box") or seen["visibleShare"] < 0.95:
                    continue
                points = [seen["keypoints"][name] for name in COCO if name in seen["keypoints"]]
                low, high = min(p[1] for p in points), max(p[1] for p in points)
                wide = (max(p[0] for p in points) - min(p[0] for p in points)) * aspect
                x, y, w, h = seen["box"]
                sums[0] += (w * aspect - wide) / 2 / (high - low)
                sums[1] += (y + h - high) / (high - low)
                sums[2] += (low - y) / (high - low)
                count += 1
    return [value / max(1, count) for value in sums]


def main():
    own, _, rest = "\0".join(sys.argv[1:]).partition("\0--\0")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--people", type=int, nargs="+", default=[5, 10, 20])
    parser.add_argument("--seeds", type=int, nargs="+", default=[3, 4, 5])
    options = parser.parse_args(own.split("\0") if own else [])
    options.options = rest.split("\0") if rest else []
    os.makedirs(options.cache, exist_ok=True)
    try:
        import trackeval  # noqa: F401
        checks = True
    except ImportError:
        checks = False
    print("| people | HOTA | DetA | AssA | IDF1 | MOTA | switches | fragments | coverage | lost by detection | "
          "by identity |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    worst = {"OKS": 0, "IoU": 0}
    truths = []
    for people in options.people:
        rows = []
        for seed in options.seeds:
            stem, truth = clip(options, people, seed)
            report, frames = follow(options, stem, stem + ".json")
            ours = {entry["similarity"]: entry for entry in report["truth"]}
            rows.append(ours["OKS"])
            truths.append(truth)
            if checks:
                worst["OKS"] = max(worst["OKS"], difference(ours["OKS"], by_key_points(truth, frames)))
                folder = f"{stem}.mot"
                challenge = write_challenge(truth, frames, folder, os.path.basename(stem))
                theirs = by_boxes(folder)
                worst["IoU"] = max(worst["IoU"], difference(ours["IoU"], theirs))
                if len(truths) == 1:
                    boxes, _ = follow(options, stem, challenge)
                    worst["IoU"] = max(worst["IoU"], difference(boxes["truth"][0], theirs))

        def mean(key):
            return sum(row[key] for row in rows) / len(rows)

        coverage = sum(p["coverage"] for row in rows for p in row["people"]) / sum(len(r["people"]) for r in rows)
        print(f"| {people} | " + " | ".join(f"{mean(k):.3f}" for k in ("HOTA", "DetA", "AssA", "IDF1", "MOTA"))
              + f" | {mean('switches'):.1f} | {mean('fragments'):.1f} | {coverage:.3f} | {mean('lostByDetection'):.3f}"
              + f" | {mean('lostByIdentity'):.3f} |", flush=True)
    print(f"\nmeans of {len(options.seeds)} crowds each; similarity is OKS")
    print("outlines reach beyond joints by (sides, top, bottom, relative to the joints' height): "
          + ", ".join(f"{value:.2f}" for value in flesh(truths)))
    if not checks:
        print("TrackEval is not installed; the metrics are not checked")
        return
    print(f"largest difference from TrackEval: {worst['OKS']:.5f} with OKS, {worst['IoU']:.5f} with boxes (gt.txt)")
    if max(worst.values()) > TOLERANCE:
        sys.exit("crowds: the metrics differ from TrackEval's")


if __name__ == "__main__":
    main()
