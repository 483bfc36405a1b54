#!/usr/bin/env python3
"""Fits the weights of the score that tells repetitions from other movement, and writes CycleWeights.swift.

    script/counting fit

Poses of the labelled recordings and of rendered clips are made once and kept; `kinema count --explain` tells the
evidence of every cycle of every hypothesis, the labels tell which of them are repetitions, and a logistic function is
fitted to that by Newton's method with a ridge. What it prints is cross-validated: no clip is judged by weights that
were fitted with another one of its source.
"""
import argparse, csv, json, os, subprocess
import numpy as np

FOLDS, RIDGE, CYCLES_OF_A_CLIP, WEIGHT_OF_NONE = 8, 1.0, 400, 3.0
EVEN, COST, LEAST, OVERLAP = 0.6, 0.15, 0.3, 0.15  # as in WholeCount.swift
RENDERED = range(7000, 7030)


class Clip:
    def __init__(self, kind, name, poses, source, low, high, reps=None, span=(0, 0), rate=None):
        self.kind, self.name, self.poses, self.source = kind, name, poses, source
        self.low, self.high, self.reps, self.span, self.rate = low, high, reps, span, rate

    def amounts(self, cycles):
        """How many repetitions lie in each cycle, by each count that is allowed."""
        if self.reps is not None:
            found = np.zeros(len(cycles))
            for start, end in self.reps:
                found += np.clip(np.minimum(end, cycles[:, 2]) - np.maximum(start, cycles[:, 0]), 0, None) / max(end - start, 1e-3)
            return [found]
        length = max(self.span[1] - self.span[0], 1e-3)
        inside = np.clip(np.minimum(self.span[1], cycles[:, 2]) - np.maximum(self.span[0], cycles[:, 0]), 0, None)
        return [inside / length * count for count in {self.low, self.high}]

    def right(self, cycles):
        best = None
        for amount in self.amounts(cycles):
            if self.reps is not None:
                good = (amount > 0.75) & (amount < 1.35)
            else:
                inside = (cycles[:, 1] > self.span[0] - 0.3) & (cycles[:, 1] < self.span[1] + 0.3)
                rates = []
                if len(cycles) > 1:
                    period = np.median(np.diff(cycles[:, 1]))
                    rates = [period * count / max(self.span[1] - self.span[0], 1e-3) for count in {self.low, self.high}]
                    fits = any(0.62 < rate < 1.55 for rate in rates)
                else:
                    fits = bool(inside.any()) and 0.3 < amount[0] < 1.6
                good = inside if fits and self.high > 0 else np.zeros(len(cycles), bool)
            if best is None or good.sum() > best.sum(): best = good
        return best


def clips(arguments):
    kinema, cache = arguments.kinema, os.path.join(arguments.cache, "counting")
    os.makedirs(cache, exist_ok=True)

    def run(*words): return subprocess.run([kinema, *words], check=True, capture_output=True, text=True).stdout

    def poses(video, name):
        path = os.path.join(cache, name + ".jsonl")
        if not os.path.exists(path):
            text = run("pose", video, "--precision", "f32", "--format", "jsonl")
            with open(path + ".part", "w") as file: file.write(text)
            os.rename(path + ".part", path)
        return path

    for kind, folder in (("first", "repetitions"), ("more", "repetitions/more")):
        folder = os.path.join(arguments.shared, "data", folder)
        for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
            low, high = int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"])
            span = (float(row["start"] or 0), float(row["end"] or row["duration"]))
            yield Clip(kind, row["file"], poses(os.path.join(folder, row["file"]), os.path.splitext(row["file"])[0]),
                       row["source"].split("@")[0], low, high, span=span)
    folder = os.path.join(arguments.shared, "data", "repcount")
    for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
        reps = np.array(json.loads(row["repetitions"])).reshape(-1, 2) / 15
        yield Clip("repcount", row["file"], os.path.join(folder, row["file"]), row["file"].split("_")[0],
                   int(row["count"]), int(row["count"]), reps=reps, rate=15)
    for scene in ("no-exercise", "random"):
        for seed in RENDERED:
            name, truth = f"{scene}-{seed}", os.path.join(cache, f"{scene}-{seed}.json")
            video = os.path.join(cache, name + ".mp4")
            if not os.path.exists(os.path.join(cache, name + ".jsonl")):
                run("synth", "--scene", scene, "--seed", str(seed), "--output", video, "--truth", truth)
            path = poses(video, name)
            if os.path.exists(video): os.remove(video)
            person = json.load(open(truth))["people"][0]
            reps = np.array([[r["start"], r["end"]] for r in person["repetitions"] if r["isCounted"]]).reshape(-1, 2)
            yield Clip("rendered" if len(reps) else "none", name, path, name, len(reps), len(reps), reps=reps)


def hypotheses(clip, kinema, cache):
    path = os.path.join(cache, "explanation.jsonl")
    rate = ["--fps", str(clip.rate)] if clip.rate else []
    ended = subprocess.run([kinema, "count", clip.poses, *rate, "--explain", path], capture_output=True, text=True)
    if ended.returncode not in (0, 2): raise SystemExit(ended.stderr.strip())
    found = []
    for line in open(path) if ended.returncode == 0 else []:
        way = json.loads(line)["way"]
        cycles = np.array([[c["from"], c["turn"], c["to"]] for c in way["cycles"]])
        found.append((cycles, way["evidence"], [c["evidence"] for c in way["cycles"]]))
    return found


def names(source):
    """The names of the evidence and of the products, from the code that computes them."""
    import re
    folder = os.path.join(source, "Sources", "KinemaMotion", "Counting")
    evidence = open(os.path.join(folder, "CycleEvidence.swift")).read()
    lists = [re.findall(r'"(\w+)"', re.sub(r"//.*", "", part.split("]", 1)[0]))
             for part in re.split(r"static let (?:whole|each) = \[", evidence)[1:3]]
    score = open(os.path.join(folder, "CycleScore.swift")).read()
    products = re.findall(r'\("(\w+)", "(\w+)"\)', score.split("products", 1)[1].split("]\n", 1)[0])
    return lists[0], lists[1], products


def expand(x, place, products):
    return np.hstack([np.ones((len(x), 1)), x, x ** 2] + [(x[:, place[a]] * x[:, place[b]])[:, None] for a, b in products])


def fit(x, right, weight):
    mean, scale = x.mean(0), x.std(0)
    mean[0], scale[0], scale[scale < 1e-6] = 0, 1, 1
    z, b, ridge = (x - mean) / scale, np.zeros(x.shape[1]), np.full(x.shape[1], RIDGE)
    ridge[0] = 1e-6
    for _ in range(12):
        p = 1 / (1 + np.exp(-np.clip(z @ b, -30, 30)))
        step = np.linalg.solve((z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(ridge), z.T @ (weight * (right - p)) - ridge * b)
        b += step
        if np.abs(step).max() < 1e-4: break
    return mean, scale, b


def count(found, probabilities):
    """What WholeCount.swift does."""
    items = []
    for (cycles, _, _), probability in zip(found, probabilities):
        lengths = cycles[:, 2] - cycles[:, 0]
        length = np.median(lengths)
        best, total, first, run = 0, 0, 0, None
        for place, worth in enumerate((probability - EVEN) * np.minimum(lengths, 2 * length)):
            if total <= 0: total, first = 0, place
            total += worth
            if total > best: best, run = total, (first, place + 1)
        if run and best > COST * length:
            told = int((probability[run[0]:run[1]] > LEAST).sum())
            items.append((cycles[run[1] - 1, 2] - OVERLAP * length, cycles[run[0], 0], best - COST * length, told))
    items.sort()
    worth, told = [0.0], [0]
    for index, (end, start, value, number) in enumerate(items):
        earlier = max([k + 1 for k in range(index) if items[k][0] <= start], default=0)
        take = value + worth[earlier] > worth[index]
        worth.append(value + worth[earlier] if take else worth[index])
        told.append(number + told[earlier] if take else told[index])
    return told[-1]


def main():
    parser = argparse.ArgumentParser()
    for name in ("kinema", "shared", "cache", "source"): parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    whole, each, products = names(arguments.source)
    place = {name: index for index, name in enumerate(whole + each)}
    random = np.random.RandomState(2)
    table = []
    for clip in clips(arguments):
        found = hypotheses(clip, arguments.kinema, arguments.cache)
        rows = [[evidence[n] for n in whole] + [cycle[n] for n in each] for _, evidence, cycles in found for cycle in cycles]
        right = np.concatenate([clip.right(cycles) for cycles, _, _ in found]) if found else np.zeros(0)
        x = np.array(rows, float).reshape(-1, len(place))
        chosen = random.permutation(len(x))[:CYCLES_OF_A_CLIP]
        weight = np.full(len(chosen), 100 / max(1, len(chosen)) * (WEIGHT_OF_NONE if clip.high == 0 else 1))
        table.append((clip, found, expand(x, place, products), chosen, right.astype(float), weight))
    sources = sorted({row[0].source for row in table})
    fold = dict(zip(np.random.RandomState(1).permutation(sources), [i % FOLDS for i in range(len(sources))]))

    def learn(rows):
        return fit(*(np.concatenate(part) for part in zip(*((x[chosen], right[chosen], weight) for _, _, x, chosen, right, weight in rows))))

    counted = {}
    for k in range(FOLDS):
        mean, scale, b = learn([row for row in table if fold[row[0].source] != k and len(row[3])])
        for clip, found, x, _, _, _ in table:
            if fold[clip.source] != k: continue
            p = 1 / (1 + np.exp(-np.clip((x - mean) / scale @ b, -30, 30)))
            got = count(found, np.split(p, np.cumsum([len(f[0]) for f in found])[:-1])) if found else 0
            counted.setdefault(clip.kind, []).append((got, min(max(got, clip.low), clip.high)))
    print("The whole looked at, cross-validated by source:")
    for kind, rows in counted.items():
        rows = np.array(rows, float)
        away = np.abs(rows[:, 0] - rows[:, 1])
        print(f"  {kind:9} {len(rows):4} clips  MAE {np.mean(away / np.maximum(rows[:, 1], 1)):.3f}  "
              f"within one {np.mean(away <= 1):.3f}  exact {np.mean(away == 0):.3f}")
    mean, scale, b = learn([row for row in table if len(row[3])])
    terms = ["constant", *whole, *each, *(n + " squared" for n in whole + each), *(a + " times " + c for a, c in products)]
    lines = "\n".join(f"        ({m:.5g}, {s:.5g}, {w:.5g}),  // {t}" for m, s, w, t in zip(mean, scale, b, terms))
    none = sum(row[0].high == 0 for row in table)
    with open(os.path.join(arguments.source, "Sources", "KinemaMotion", "Counting", "CycleWeights.swift"), "w") as file:
        file.write(f"""/// The weights of `CycleScore`, written by `script/counting fit`: of each term the mean and the scale among the cycles it
/// was fitted with, and the weight.
///
/// Fitted with {len(table)} recordings and rendered clips (labels by eye, labels of RepCount, and the renderer's truth), among
/// them {none} without exercise.
enum CycleWeights {{
    static let terms: [(mean: Float, scale: Float, weight: Float)] = [
{lines}
    ]
}}
""")


if __name__ == "__main__": main()
