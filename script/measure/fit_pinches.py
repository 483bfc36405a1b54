#!/usr/bin/env python3
"""Fits the weights of the score that says whether the tips of thumb and index finger touch.

    script/pinches fit        fits, prints cross-validated figures, writes PinchWeights.swift
    script/pinches ablate     prints the cross-validated figures without each quantity

`kinema gesture --explain` gives the quantities of every hand in every frame of the labelled clips; `pinch_labels.csv`
lists the frames in which the tips touch. Stick-figure hands with known labels are added. Newton's method fits a logistic
function with a ridge penalty. The figures are cross-validated: no clip is judged by weights fitted to it.
"""
import argparse, csv, json, os, subprocess, tempfile
import numpy as np
import fit_score, rods

QUANTITIES = ["gap", "reach", "dip", "depth"]
# As in ScoredPinchProcessor.Configuration and PinchEvidence.
CLOSING, OPENING, RESPONSE, MEMORY, UNKNOWN, WIDEST, LIMIT, FORGOTTEN = 1.3, -0.5, 0.03, 2, 0.6, 1.5, 3, 2
SETTLING, STEP = 0.1, 0.08
REST_GAP, REST_OPENING, REST_REACH, REST_DEPTH, RESTING = 0.42, 0.75, 0.6, 0.3, 0.15
# The weight of a clip's touching frames, of its other frames if it has both, and of its frames if none touch.
TOUCHING, APART, NEVER = 150, 150, 60
RIDGE, STREAMS, TOLERANCE = 3, 14, 0.1


class Hand:
    """A hand in a clip: its frames (time, gap, reach, depth), and whether its tips touch (1, 0, or -1 in doubt)."""

    def __init__(self, clip, frames, labels, closings):
        self.clip, self.frames, self.labels, self.closings = clip, frames, labels, closings


def recorded(arguments):
    """The hands of the labelled clips."""
    rows = {}
    for row in csv.DictReader(open(os.path.join(os.path.dirname(__file__), "pinch_labels.csv"))):
        rows.setdefault(row["file"], []).append(row)
    for file, labels in rows.items():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "explained.jsonl")
            subprocess.run([arguments.kinema, "gesture", os.path.join(arguments.shared, "data/hands", file), "--explain", path,
                            "--precision", "f32"], check=True, capture_output=True)
            lines = [json.loads(line) for line in open(path)]
        closed, doubtful, everything = set(), set(), labels[0]["doubtful"] == "all"
        for row in labels:
            if row["first"]: closed |= set(range(int(row["first"]), int(row["last"]) + 1))
            if not everything: doubtful |= {int(frame) for frame in row["doubtful"].split()}
        hands = {}
        for line in lines: hands.setdefault(line["id"], []).append(line)
        # The pinching hand is the one whose tips are closest in the touching frames.
        gaps = {id: np.mean([line["gap"] for line in seen if line["frame"] in closed] or [9]) for id, seen in hands.items()}
        for id, seen in hands.items():
            pinches = closed and gaps[id] == min(gaps.values())
            frames = np.array([[line["time"], line["gap"], line["reach"], line["depth"]] for line in seen])
            state = [-1 if everything or pinches and line["frame"] in doubtful else int(bool(pinches) and line["frame"] in closed)
                     for line in seen]
            yield Hand(file, frames, np.array(state), [float(row["closed"]) for row in labels if row["closed"]] if pinches else [])


def rendered():
    """Stick-figure hands that pinch, nearly pinch, make fists and lie flat."""
    for seed in range(STREAMS):
        frames, labels, closings = rods.stream(seed)
        yield Hand("rods", frames, labels, closings)


def terms(gap, reach, depth, opening):
    distance = max(gap, 0.23)
    return np.array([1, min(distance, 0.45), min(reach, 0.65), min(distance / max(opening, 0.45), 1), depth])


def remembered(opening, gap, elapsed):
    return min(max(gap, gap + (opening - gap) * np.exp(-elapsed / MEMORY)), WIDEST)


def table(hand):
    """The terms of every frame; the opening stays as it is while the label says that the tips touch."""
    opening, last, rows = UNKNOWN, None, []
    for (time, gap, reach, depth), label in zip(hand.frames, hand.labels):
        rows.append(terms(gap, reach, depth, opening))
        if label < 1: opening = remembered(opening, gap, 1 / 30 if last is None else time - last)
        last = time
    return np.array(rows).reshape(-1, len(QUANTITIES) + 1)


def fit(hands, kept):
    """The weights of the kept terms, the constant first, with mean, scale and the mean of touching frames."""
    rows, truth, weights = [], [], []
    for clip in dict.fromkeys(hand.clip for hand in hands):
        parts = [(table(hand), hand.labels) for hand in hands if hand.clip == clip]
        x, y = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        x, y = x[y >= 0], y[y >= 0]
        share, touch = np.zeros(len(y)), y == 1
        if touch.any():
            share[touch] = TOUCHING / touch.sum()
            share[~touch] = APART / max(1, (~touch).sum())
        else:
            share[:] = min(1, NEVER / max(1, len(y)))
        rows.append(x), truth.append(y), weights.append(share)
    x, y, weights = np.concatenate(rows), np.concatenate(truth), np.concatenate(weights)
    mean, scale, touching = x.mean(0), x.std(0), np.average(x[y == 1], axis=0, weights=weights[y == 1])
    mean[0], scale[0] = 0, 1
    return fit_score.fit((x - mean) / scale * kept, y, weights, RIDGE, constant=0), mean, scale, touching


def closings(hand, model, kept):
    """The times at which the rule reports a closing, as in ScoredPinchProcessor."""
    b, mean, scale, _ = model
    opening, last, average, is_pinched, first, rest, found = UNKNOWN, None, -1, False, None, None, []
    for time, gap, reach, depth in hand.frames:
        if last is not None and time - last > FORGOTTEN: opening, average, is_pinched, first, rest, last = UNKNOWN, -1, False, None, None, None
        elapsed = 1 / 30 if last is None else time - last
        score = float(np.clip(((terms(gap, reach, depth, opening) - mean) / scale * kept) @ b, -LIMIT, LIMIT))
        if gap < REST_GAP and opening > REST_OPENING and reach > REST_REACH and depth < REST_DEPTH:
            if rest is None or gap < rest[1] - STEP: rest = time, gap
            elif time - rest[0] >= RESTING: score = LIMIT
        else: rest = None
        average += (score - average) * (1 - np.exp(-elapsed / RESPONSE))
        first = (time if first is None else first) if score > CLOSING else None
        was, is_pinched = is_pinched, average > (OPENING if is_pinched else CLOSING)
        if is_pinched and not was:
            found.append(time if first is None else first)
            confirmed, nearest = time, gap
        # Tips that are still coming closer have not met yet.
        if is_pinched and time - confirmed <= SETTLING and gap < nearest - STEP: found[-1], nearest = time, gap
        if not is_pinched: opening = remembered(opening, gap, elapsed)
        last = time
    return found


def agreement(hands, model, kept):
    """The numbers of closings found on time, found, and labelled."""
    counts = np.zeros(3, int)
    for hand in hands:
        found = closings(hand, model, kept)
        counts += [0, len(found), len(hand.closings)]
        for closing in hand.closings:
            best = min(found, key=lambda time: abs(time - closing), default=None)
            if best is not None and abs(best - closing) <= TOLERANCE + 1e-3:
                found.remove(best)
                counts[0] += 1
    return counts


def validated(hands, kept, tells=True):
    """Prints the result of each clip with weights fitted without it; returns sums for recordings and stick figures."""
    recordings, figures, none = np.zeros(3, int), np.zeros(3, int), 0
    for clip in dict.fromkeys(hand.clip for hand in hands):
        model = fit([hand for hand in hands if hand.clip != clip], kept)
        counts = agreement([hand for hand in hands if hand.clip == clip], model, kept)
        if tells: print(f"{clip:34}{counts[1]} found of {counts[2]}, {counts[0]} on time")
        if not counts[2]: none += counts[1]
        if clip == "rods": figures += counts
        else: recordings += counts
    return " ".join(f"{name} F1 {2 * counts[0] / max(1, counts[1] + counts[2]):.3f} ({counts[1]} found of {counts[2]})"
                    for name, counts in (("recordings", recordings), ("rods", figures))) + f", {none} false ones in clips without any"


def write(model, hands, source):
    b, mean, scale, touching = model
    frames = sum(int((hand.labels >= 0).sum()) for hand in hands if hand.clip != "rods")
    clips = len({hand.clip for hand in hands} - {"rods"})
    lines = "\n".join(fit_score.rows(QUANTITIES, (mean[1:], scale[1:], b[1:], touching[1:]), digits=4))
    with open(os.path.join(source, "Sources/KinemaMotion/Gestures/PinchWeights.swift"), "w") as file:
        file.write(f"""/// The weights of `PinchEvidence`, written by `script/pinches fit`: of each term the mean and the scale over the frames used
/// for fitting, the weight, and the mean over frames in which the tips touch.
///
/// Fitted to {frames} frames of hands in {clips} recordings (labelled by eye) and {STREAMS} streams of stick-figure hands.
enum PinchWeights {{
    static let constant = {b[0]:.4g}
    static let terms: [(mean: Double, scale: Double, weight: Double, touching: Double)] = [
{lines}
    ]
}}
""")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fit", "ablate"])
    for name in ("kinema", "shared", "cache", "source"): parser.add_argument(f"--{name}", default="")
    arguments = parser.parse_args()
    hands = [*recorded(arguments), *rendered()]
    everything = np.ones(len(QUANTITIES) + 1)
    if arguments.what == "fit":
        print("Each clip, with weights fitted without it:")
        print(validated(hands, everything))
        write(fit(hands, everything), hands, arguments.source)
        return
    print(f"{'all quantities':20}{validated(hands, everything, tells=False)}")
    for index, name in enumerate(QUANTITIES):
        kept = everything.copy()
        kept[index + 1] = 0
        print(f"{'without ' + name:20}{validated(hands, kept, tells=False)}")


main()
