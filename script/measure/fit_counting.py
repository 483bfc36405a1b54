#!/usr/bin/env python3
"""Fits the weights of the score that tells repetitions from other movement, and says what each part of it is worth.

    script/counting fit       fits, prints cross-validated figures, writes CycleWeights.swift
    script/counting ablate    the figures without each signal and each quantity of evidence, and those of simpler methods

Poses of the labelled recordings and of rendered clips are made once and kept; `kinema count --explain` tells the
evidence of every cycle of every hypothesis, the labels tell which of them are repetitions, and a logistic function is
fitted to that by Newton's method with a ridge. What it prints is cross-validated: no clip is judged by weights that
were fitted with another one of its source.
"""
import argparse, bisect, concurrent.futures, csv, hashlib, json, os, pickle, re, subprocess, sys, tempfile
import numpy as np
import figures

FOLDS, RIDGE, CYCLES_OF_A_CLIP, WEIGHT_OF_NONE, CLIPPED = 8, 60, 400, 1.5, 2.5
# Pieces of each clip, for sets are also looked at when only a part of them was seen; what a piece weighs; its cycles.
PIECES, WEIGHT_OF_A_PIECE, CYCLES_OF_A_PIECE = 4, 0.15, 100
WEIGHT_OF_KIND = {"idle": 1, "exercise": 0.5}
RENDERED, FIGURES = range(7000, 7059), range(9000, 9065)
KINDS = ["first", "more", "repcount", "rendered", "none", "idle", "exercise"]


class Clip:
    def __init__(self, kind, name, poses, source, low, high, reps=None, span=(0, 0), rate=None):
        self.kind, self.name, self.poses, self.source = kind, name, poses, source
        self.low, self.high, self.reps, self.span, self.rate = low, high, reps, span, rate
        # RepCount's poses are stretched to the unit square, for which WholeCount.swift has other constants.
        self.is_stretched = rate is not None

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
    for kind, make in (("idle", figures.idle), ("exercise", figures.exercise)):
        for seed in FIGURES:
            name = f"figure-{kind}-{seed}"
            path, (reps, frames) = os.path.join(cache, name + ".jsonl"), make(seed)
            if not os.path.exists(path):
                with open(path, "w") as file: file.writelines(figures.lines(frames))
            yield Clip(kind, name, path, name, len(reps), len(reps), reps=np.array(reps).reshape(-1, 2))


def pieces(clip, cache, index):
    """Files with a part of the clip each, of 30 to 100 hundredths of its length."""
    if not clip.poses.endswith(".jsonl"): return
    every = open(clip.poses).readlines()
    random = np.random.RandomState(index)
    for number in range(PIECES):
        length = int(len(every) * random.uniform(0.3, 1))
        first = random.randint(0, len(every) - length + 1)
        path = os.path.join(cache, f"piece-{index}.jsonl")
        with open(path, "w") as file: file.writelines(every[first:first + length])
        yield path
        os.remove(path)


def hypotheses(poses, rate, kinema, columns):
    """Of every hypothesis the cycles, what signal it follows, and the evidence of each cycle; and what was told while it went on."""
    path = poses + ".explained.jsonl" if poses.endswith(".jsonl") else os.path.join(tempfile.gettempdir(), os.path.basename(poses) + ".jsonl")
    ended = subprocess.run([kinema, "count", poses, *(["--fps", str(rate), "--aspect", "1/1"] if rate else []), "--explain", path],
                           capture_output=True, text=True)
    if ended.returncode not in (0, 2): raise SystemExit(ended.stderr.strip())
    found, told = [], []
    for line in map(json.loads, open(path) if ended.returncode == 0 else []):
        if line.get("repetition", {}).get("found") == "live": told.append((line["repetition"]["start"], line["repetition"]["end"]))
        if "way" not in line: continue
        way = line["way"]
        cycles = np.array([[c["from"], c["turn"], c["to"]] for c in way["cycles"]])
        rows = np.array([[{**way["evidence"], **c["evidence"]}[name] for name in columns] for c in way["cycles"]], np.float32)
        span = way["window"][1] - way["window"][0]
        found.append((cycles, {"frame": way["frame"], "component": way["component"], "hysteresis": way["hysteresis"], "window": span}, rows))
    if os.path.exists(path): os.remove(path)
    return found, told


def collect(arguments):
    """The clips with their hypotheses and those of their pieces, kept for as long as the command is the same."""
    whole, each, _ = names(arguments.source)
    cache = os.path.join(arguments.cache, "counting")
    kept = os.path.join(cache, "evidence-" + hashlib.sha256(open(arguments.kinema, "rb").read()).hexdigest()[:16] + ".pickle")
    if os.path.exists(kept): return pickle.load(open(kept, "rb"))

    def look(numbered):
        index, clip = numbered
        found, clip.told = hypotheses(clip.poses, clip.rate, arguments.kinema, whole + each)
        return clip, found, [hypotheses(path, None, arguments.kinema, whole + each)[0] for path in pieces(clip, cache, index)]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool: table = list(pool.map(look, enumerate(clips(arguments))))
    for old in os.listdir(cache):
        if old.startswith("evidence-"): os.remove(os.path.join(cache, old))
    pickle.dump(table, open(kept, "wb"))
    return table


def names(source):
    """The names of the evidence and of the products, from the code that computes them."""
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
    z, b, ridge = np.clip((x - mean) / scale, -CLIPPED, CLIPPED), np.zeros(x.shape[1]), np.full(x.shape[1], RIDGE)
    ridge[0] = 1e-6
    for _ in range(12):
        p = 1 / (1 + np.exp(-np.clip(z @ b, -30, 30)))
        step = np.linalg.solve((z * (weight * p * (1 - p))[:, None]).T @ z + np.diag(ridge), z.T @ (weight * (right - p)) - ridge * b)
        b += step
        if np.abs(step).max() < 1e-4: break
    return mean, scale, b


def chosen(found, probabilities, setting):
    """The cycles of each set that SetSelection.swift chooses, with their probabilities."""
    items = []
    for (cycles, _, _), probability in zip(found, probabilities):
        lengths = cycles[:, 2] - cycles[:, 0]
        length = np.median(lengths)
        best, total, first, run = 0, 0, 0, None
        for place, worth in enumerate((probability - setting["even"]) * np.minimum(lengths, 2 * length)):
            if total <= 0: total, first = 0, place
            total += worth
            if total > best: best, run = total, slice(first, place + 1)
        if run and best > setting["cost"] * length:
            likely = probability[run] > setting["leastProbability"]
            items.append((cycles[run][-1, 2] - setting["overlap"] * length, cycles[run][0, 0], best - setting["cost"] * length, len(items),
                          (cycles[run][likely], probability[run][likely])))
    items.sort()
    ends, worth, sets = [item[0] for item in items], [0.0], [[]]
    for index, (end, start, value, _, item) in enumerate(items):
        earlier = bisect.bisect_right(ends, start, 0, index)
        take = value + worth[earlier] > worth[index]
        worth.append(value + worth[earlier] if take else worth[index])
        sets.append(sets[earlier] + [item] if take else sets[index])
    return sets[-1]


def both(told, sets, unsure, found, setting):
    """How many repetitions WholeCount.swift makes of what was told, of the sets, and of those for recordings that these leave unexplained."""
    if not found: return len(told)
    seconds = max(cycles[:, 2].max() for cycles, _, _ in found) - min(cycles[:, 0].min() for cycles, _, _ in found)
    known = list(told)

    def add(cycles):
        inside = sum(cycles[0, 0] <= (start + end) / 2 <= cycles[-1, 2] for start, end in known)
        if inside < setting["leastTold"] * len(cycles): known.extend((start, end) for start, _, end in cycles[:max(0, len(cycles) - inside)])

    for cycles, probability in sets:
        if probability.mean() > setting["sureProbability"]: add(cycles)
    if (sum(end - start for start, end in known) < setting["leastFilled"] * seconds
            <= sum(cycles[-1, 2] - cycles[0, 0] for cycles, _ in unsure)):
        for cycles, _ in unsure: add(cycles)
    return len(known)


class Study:
    """The evidence of all clips, of some signals and with some quantities left out."""

    def __init__(self, arguments, table, without=(), signals=lambda signal: True):
        self.whole, self.each, self.products = names(arguments.source)
        self.setting = settings(arguments.source)
        place = {name: index for index, name in enumerate(self.whole + self.each)}
        terms = ["constant", *place, *(n + " squared" for n in place), *(a + " times " + c for a, c in self.products)]
        self.terms, self.random = terms, np.random.RandomState(2)
        self.kept = np.array([not set(re.split(" times | squared", term)) & set(without) for term in terms])
        self.rows = []
        for clip, found, parts in table:
            weight = (WEIGHT_OF_NONE if clip.high == 0 else 1) * WEIGHT_OF_KIND.get(clip.kind, 1)
            row = self.row(clip, [h for h in found if signals(h[1])], place, CYCLES_OF_A_CLIP, weight)
            row["parts"] = [self.row(clip, [h for h in part if signals(h[1])], place, CYCLES_OF_A_PIECE, weight * WEIGHT_OF_A_PIECE) for part in parts]
            for part in row["parts"]: part["x"], part["right"] = part["x"][part["chosen"]], part["right"][part["chosen"]]
            self.rows.append(row)
        sources = sorted({row["clip"].source for row in self.rows})
        self.fold = dict(zip(np.random.RandomState(1).permutation(sources), [i % FOLDS for i in range(len(sources))]))

    def row(self, clip, found, place, most, weight):
        x = np.concatenate([rows for _, _, rows in found]) if found else np.zeros((0, len(place)), np.float32)
        right = np.concatenate([clip.right(cycles) for cycles, _, _ in found]).astype(float) if found else np.zeros(0)
        chosen = self.random.permutation(len(x))[:most]
        return {"clip": clip, "found": found, "x": expand(x, place, self.products)[:, self.kept].astype(np.float32), "right": right,
                "chosen": chosen, "weight": np.full(len(chosen), 100 / max(1, len(chosen)) * weight)}

    def learn(self, fold=None):
        x, right, weight = [], [], []
        for row in self.rows:
            if self.fold[row["clip"].source] == fold: continue
            for part in row["parts"]: x.append(part["x"]), right.append(part["right"]), weight.append(part["weight"])
            x.append(row["x"][row["chosen"]]), right.append(row["right"][row["chosen"]]), weight.append(row["weight"])
        return fit(np.concatenate(x).astype(float), np.concatenate(right), np.concatenate(weight))

    def counts(self):
        """Of every clip what the whole alone and what both together count, by weights fitted without its source."""
        for fold in range(FOLDS):
            mean, scale, b = self.learn(fold)
            for row in self.rows:
                clip, found = row["clip"], row["found"]
                if self.fold[clip.source] != fold: continue
                p = 1 / (1 + np.exp(-np.clip(np.clip((row["x"] - mean) / scale, -CLIPPED, CLIPPED) @ b, -30, 30)))
                each = np.split(p, np.cumsum([len(f[0]) for f in found])[:-1])
                setting = self.setting
                if clip.is_stretched:
                    even = setting["evenIfStretched"]
                    setting = {**setting, "even": even, "evenIfFilled": even, "sureProbability": 0, "leastFilled": 0}
                sets, unsure = (chosen(found, each, {**setting, "even": even}) if found else []
                                for even in (setting["even"], setting["evenIfFilled"]))
                yield clip, sum(len(cycles) for cycles, _ in sets), both(clip.told, sets, unsure, found, setting)


def figures_of(counts):
    """MAE, within one and exact of each kind of clip."""
    table = {}
    for clip, got in counts: table.setdefault(clip.kind, []).append((got, min(max(got, clip.low), clip.high)))
    result = {}
    for kind, rows in table.items():
        rows = np.array(rows, float)
        away = np.abs(rows[:, 0] - rows[:, 1])
        result[kind] = (len(rows), np.mean(away / np.maximum(rows[:, 1], 1)), np.mean(away <= 1), np.mean(away == 0))
    return result


def settings(source):
    """The constants of the choice, from the code that has them."""
    text = open(os.path.join(source, "Sources", "KinemaMotion", "Counting", "CountingConfiguration.swift")).read()
    return {name: float(re.search(rf"\b{name}(?:: Float)? = ([0-9.]+)", text)[1])
            for name in ("even", "cost", "leastProbability", "overlap", "sureProbability", "leastTold", "leastFilled", "evenIfFilled",
                         "evenIfStretched")}


def write(study, source):
    mean, scale, b = study.learn()
    lines = "\n".join(f"        ({m:.5g}, {s:.5g}, {w:.5g}),  // {t}" for m, s, w, t in zip(mean, scale, b, study.terms))
    clips = [row["clip"] for row in study.rows]
    drawn = sum(clip.kind in ("idle", "exercise") for clip in clips)
    none = sum(clip.high == 0 for clip in clips)
    with open(os.path.join(source, "Sources", "KinemaMotion", "Counting", "CycleWeights.swift"), "w") as file:
        file.write(f"""/// The weights of `CycleScore`, written by `script/counting fit`: of each term the mean and the scale among the cycles it
/// was fitted with, and the weight.
///
/// Fitted with {len(clips) - drawn} recordings and rendered clips (labels by eye, labels of RepCount, and the renderer's truth) and
/// {drawn} figures of rods; {none} of all are without exercise.
enum CycleWeights {{
    static let terms: [(mean: Float, scale: Float, weight: Float)] = [
{lines}
    ]
}}
""")


def components(arguments):
    """The script that the counter has to beat: turning points of one principal component."""
    sys.path.insert(0, os.path.join(arguments.shared, "peers"))
    import count_components
    return count_components


def movement(script, clip):
    """The joints' places frame by frame, and frames a second."""
    if clip.poses.endswith(".npy"):
        x = np.load(clip.poses).astype(float) / 65535
        return x[x.reshape(len(x), -1).any(1)].reshape(-1, 66), clip.rate
    first = json.loads(open(clip.poses).readline())
    return script.from_lines(clip.poses, first["width"] / first["height"])


def self_similarity(x, fps, least=0.35):
    """The count by how alike postures are some time apart (as in RepNet, Dwibedi et al. 2020, but without a network).

    Of every moment the period is the first time after which the next seconds are again as they were, if these are more alike
    than `least` of the mean distance; the count is the sum of the periods' reciprocals.
    """
    if len(x) < 15: return 0
    step = max(1, round(fps / 15))
    x, rate = x[::step] - x[::step].mean(0), fps / step
    apart = np.sqrt(((x[:, None] - x[None]) ** 2).sum(2)) / max(1e-6, np.sqrt((x ** 2).sum(1)).mean())
    reach, total = int(2 * rate), 0
    for now in range(len(x) - 3):
        lags = np.arange(3, min(int(8 * rate), len(x) - now))
        means = np.array([np.diagonal(apart, lag)[max(0, now - reach):now + reach].mean() for lag in lags])
        dips = [i for i in range(1, len(means) - 1) if means[i] < means[i - 1] and means[i] <= means[i + 1] and means[i] < least * means.max()]
        if dips: total += 1 / lags[dips[0]]
    return round(total)


def tell(name, result):
    print(f"{name:24}" + "".join("   {:.3f} {:.3f} {:.3f}".format(*result[kind][1:]) if kind in result else " " * 20 for kind in KINDS), flush=True)


def ablate(arguments, table):
    print(f"{'MAE, within one, exact':24}" + "".join(f"   {kind:17}" for kind in KINDS))
    def both_of(**options): return figures_of((clip, count) for clip, _, count in Study(arguments, table, **options).counts())
    tell("all", both_of())
    for name, keep in {
        "without placed": lambda s: s["frame"] != "placed", "without centred": lambda s: s["frame"] != "centred",
        "without 2nd component": lambda s: s["component"] == 0, "without windows of 6 s": lambda s: not 5 < s["window"] < 7,
        "without windows of 16 s": lambda s: not 14 < s["window"] < 17, "hysteresis 0.35 only": lambda s: abs(s["hysteresis"] - 0.35) < 0.01,
    }.items(): tell(name, both_of(signals=keep))
    groups = [["alike", "alikePlaced"], ["alikeInPairs"], ["irregular", "uneven"], ["amplitude", "range"], ["share", "path", "span"],
              ["period"], ["halves"], ["detours"], ["hysteresis", "placed", "component"], ["agreement", "density", "cycleDensity", "cycleDensityOff"],
              ["before", "after", "openBefore", "openAfter"], ["dwell", "pauses"], ["legsApart", "armsApart", "legShare", "trunk"],
              ["drift", "growth"], ["shape", "neighbour", "unlike"], ["size", "length", "sizeOff", "lengthOff"], ["balance"], ["end", "endShape", "endSize"],
              ["closure", "closures", "retrace", "retraces", "detour", "detourAll"]]
    for group in groups: tell("without " + group[0] + (" …" if len(group) > 1 else ""), both_of(without=group))
    script = components(arguments)
    tell("count_components.py", figures_of((clip, script.count(*movement(script, clip), 0.3)) for clip, _, _ in table))
    tell("self-similarity", figures_of((clip, self_similarity(*movement(script, clip))) for clip, _, _ in table))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fit", "ablate"])
    for name in ("kinema", "shared", "cache", "source"): parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    table = collect(arguments)
    if arguments.what == "ablate": return ablate(arguments, table)
    study = Study(arguments, table)
    counts = list(study.counts())
    for title, place in (("The look at the whole alone", 1), ("What is told while it goes on and what the whole adds", 2)):
        print(title + ", cross-validated by source:")
        for kind, (number, *values) in figures_of((row[0], row[place]) for row in counts).items():
            print(f"  {kind:9} {number:4} clips  MAE {values[0]:.3f}  within one {values[1]:.3f}  exact {values[2]:.3f}")
    write(study, arguments.source)


if __name__ == "__main__": main()
