#!/usr/bin/env python3
"""Fits the trees that distinguish repetitions from other movement, and reports what each part of the evidence is worth.

    script/counting fit       fits, prints cross-validated figures, writes CycleTrees.txt
    script/counting vary      the same figures of the labelled recordings at other rates, sizes and tempos, mirrored, backwards, …
    script/counting ablate    the same without each family of evidence and some quantities, with fewer clips, and those of simpler methods

Poses of the labelled recordings and of rendered clips are made once and cached; `kinema count --explain` gives the
evidence of every cycle of every hypothesis, the labels give the repetitions among them, and gradient-boosted trees
(LightGBM) are fitted to that, twice: if only a count is labelled, the first fit finds the likeliest repetitions with
that count, and the second fit uses these. The printed figures are cross-validated: no clip is judged by trees fitted to
another clip of its source.
"""
import argparse, base64, bisect, concurrent.futures, csv, hashlib, itertools, json, os, pickle, re, struct, subprocess, sys, tempfile
import lightgbm
import numpy as np
import counting_figures, figures

FOLDS, CYCLES_OF_A_CLIP, WEIGHT_OF_NONE = 4, 300, 1.5
# Parts of each recording: one of any length, and moments: the last seconds, as read live.
PIECES, MOMENTS, WEIGHT_OF_A_PIECE, CYCLES_OF_A_PIECE = 1, 2, 0.4, 100
WEIGHT_OF_KIND = {"rendered": 0.3, "none": 0.3, "drawn": 0.12, "drawnNone": 0.12, "idle": 0.7, "wild": 0.35, "swaying": 0.5, "exercise": 0.4, "turns": 0.3, "against": 0.3, "uiprmd": 0.5}
# Scenes rendered as videos, and scenes with ground truth only, to which the pose errors of rendered ones are added.
RENDERED, DRAWN = [*range(7000, 7059), *range(8000, 8056)], {"random": range(20000, 20500), "no-exercise": range(20000, 20250)}
FIGURES = {"idle": range(9000, 9120), "wild": range(9000, 9080), "swaying": range(9000, 9060), "exercise": range(9000, 9240),
           "turns": range(9000, 9160), "against": range(9000, 9160)}
# Recordings of other data sets in which nobody exercises; they are judged, not learnt from.
EVERYDAY = [*(f"crowds/{name}" for name in ("ntu_drink_water.avi", "one_by_one.mp4", "street_mmpose.mp4", "two_people_ntu.avi")),
            *(f"hands/asl/{word}.mkv" for word in ("again", "book", "eat", "hungry", "milk", "no", "school", "sorry", "thanks", "want")),
            "hands/nvgesture_color.avi", *(f"hands/pinches/{name}.mp4" for name in ("neg_counting_fingers", "tap_webcam_fast", "volume_portrait")),
            *(f"measure/{name}.mp4" for name in ("pose2sim_cam01", "pose2sim_cam02", "pose2sim_cam03", "pose2sim_cam04", "sports2d_demo")),
            "mend/still_camera_sways_2px.mp4", "mend/still_camera_zooms.mp4",
            *(f"throws/{name}.mp4" for name in ("ball_throw_gym", "cornhole_board_a", "cornhole_board_b", "football_juggling", "football_juggling_hd", "freethrow_yard")),
            *(f"throws/more/{name}.mp4" for name in ("court_city_a", "hurl_keepups", "tennis_serve_hard"))]
KINDS = ["first", "more", "strangers", "repcount", "uiprmd", "rendered", "none", "drawn", "drawnNone", *FIGURES]
ROUNDS = 200
TREES = {"objective": "binary", "num_leaves": 31, "learning_rate": 0.05, "min_data_in_leaf": 60, "feature_fraction": 0.5, "bagging_fraction": 0.7,
         "bagging_freq": 1, "lambda_l2": 5, "max_bin": 63, "use_missing": False, "num_threads": os.cpu_count(), "verbose": -1, "seed": 3,
         "deterministic": True, "force_row_wise": True}


class Clip:
    def __init__(self, kind, name, poses, source, low, high, reps=None, span=(0, 0), rate=None):
        self.kind, self.name, self.poses, self.source = kind, name, poses, source
        self.low, self.high, self.reps, self.span, self.rate = low, high, reps, span, rate
        # If only a count is labelled: the likeliest repetitions (`locate`).
        self.likeliest = None
        # RepCount's poses are stretched to the unit square, which has its own constants in CountingConfiguration.swift.
        self.is_stretched = rate is not None

    def amounts(self, cycles):
        """How many repetitions lie in each cycle, for each allowed count."""
        reps = self.likeliest if self.reps is None else self.reps
        if reps is not None:
            found = np.zeros(len(cycles))
            for start, end in reps:
                found += np.clip(np.minimum(end, cycles[:, 2]) - np.maximum(start, cycles[:, 0]), 0, None) / max(end - start, 1e-3)
            return [found]
        length = max(self.span[1] - self.span[0], 1e-3)
        inside = np.clip(np.minimum(self.span[1], cycles[:, 2]) - np.maximum(self.span[0], cycles[:, 0]), 0, None)
        return [inside / length * count for count in {self.low, self.high}]

    def right(self, cycles):
        best = None
        for amount in self.amounts(cycles):
            if self.reps is not None or self.likeliest is not None:
                good = (amount > 0.65) & (amount < 1.4)
            else:
                inside = (cycles[:, 1] > self.span[0] - 0.3) & (cycles[:, 1] < self.span[1] + 0.3)
                rates = []
                if len(cycles) > 1:
                    period = np.median(np.diff(cycles[:, 1]))
                    rates = [period * count / max(self.span[1] - self.span[0], 1e-3) for count in {self.low, self.high}]
                    fits = any(0.65 < rate < 1.5 for rate in rates)
                else:
                    fits = bool(inside.any()) and 0.3 < amount[0] < 1.6
                good = inside if fits and self.high > 0 else np.zeros(len(cycles), bool)
            if best is None or good.sum() > best.sum(): best = good
        return best


def scene_clip(kind, without, name, poses, truth):
    """The clip of a scene with ground truth: of one kind if it has repetitions, else of the other."""
    person = json.load(open(truth))["people"][0]
    reps = np.array([[r["start"], r["end"]] for r in person["repetitions"] if r["isCounted"]]).reshape(-1, 2)
    return Clip(kind if len(reps) else without, name, poses, name, len(reps), len(reps), reps=reps)


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

    for kind, folder in (("first", "repetitions"), ("more", "repetitions/more"), ("strangers", "repetitions/strangers")):
        folder = os.path.join(arguments.shared, "data", folder)
        for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
            low, high = int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"])
            span = (float(row["start"] or 0), float(row["end"] or row["duration"]))
            yield Clip(kind, row["file"], poses(os.path.join(folder, row["file"]), kind + "-" + os.path.splitext(row["file"])[0]),
                       row["source"].split("@")[0], low, high, span=span)
    folder = os.path.join(arguments.shared, "data", "repcount")
    for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
        reps = np.array(json.loads(row["repetitions"])).reshape(-1, 2) / 15
        yield Clip("repcount", row["file"], os.path.join(folder, row["file"]), row["file"].split("_")[0],
                   int(row["count"]), int(row["count"]), reps=reps, rate=15)
    folder = os.path.join(arguments.shared, "data", "uiprmd")
    markers = np.load(os.path.join(folder, "ui-prmd.npz"))
    for index, row in enumerate(csv.DictReader(open(os.path.join(folder, "labels.csv")))):
        path, bounds = os.path.join(cache, f"uiprmd-{row['key']}.jsonl"), np.array(row["boundaries"].split(), int) / 25
        if not os.path.exists(path):
            with open(path, "w") as file: file.writelines(figures.lines(figures.recorded(markers[row["key"]], index)))
        reps = np.stack([bounds[:-1], bounds[1:]], 1)
        yield Clip("uiprmd", row["key"], path, "uiprmd " + row["subject"], len(reps), len(reps), reps=reps)
    for scene in ("no-exercise", "random"):
        for seed in RENDERED:
            name, truth = f"{scene}-{seed}", os.path.join(cache, f"{scene}-{seed}.json")
            video = os.path.join(cache, name + ".mp4")
            if not os.path.exists(os.path.join(cache, name + ".jsonl")):
                run("synth", "--scene", scene, "--seed", str(seed), "--output", video, "--truth", truth)
            path = poses(video, name)
            if os.path.exists(video): os.remove(video)
            yield scene_clip("rendered", "none", name, path, truth)
    seen = [os.path.join(cache, f"{scene}-{seed}") for scene in DRAWN for seed in RENDERED]
    errors = [found for path in seen for found in [figures.errors(path + ".jsonl", path + ".json")] if found]
    for scene, seeds in DRAWN.items():
        for seed in seeds:
            name = f"{scene}-{seed}"
            path, truth = (os.path.join(cache, f"{name}.{end}") for end in ("jsonl", "json"))
            if not os.path.exists(path):
                run("synth", "--scene", scene, "--seed", str(seed), "--truth", truth)
                with open(path, "w") as file: file.writelines(figures.drawn(truth, errors, seed))
            yield scene_clip("drawn", "drawnNone", name, path, truth)
    for kind, seeds in FIGURES.items():
        for seed in seeds:
            name = f"figure-{kind}-{seed}"
            path, (reps, frames) = os.path.join(cache, name + ".jsonl"), getattr(figures, kind)(seed)
            if not os.path.exists(path):
                with open(path, "w") as file: file.writelines(figures.lines(frames))
            yield Clip(kind, name, path, name, len(reps), len(reps), reps=np.array(reps).reshape(-1, 2))
    for path in EVERYDAY:
        name = "everyday-" + os.path.splitext(path)[0].replace("/", "-")
        yield Clip("everyday", path, poses(os.path.join(arguments.shared, "data", path), name), os.path.dirname(path), 0, 0, span=(0, 1e3))


def pieces(clip, cache, index):
    """Files with parts of the clip: 30 to 100 % of its length, and the 3 to 20 seconds before some times."""
    if not clip.poses.endswith(".jsonl"): return
    every = open(clip.poses).readlines()
    if len(every) < 31: return
    random = np.random.RandomState(index)
    times = [json.loads(line)["time"] for line in every]
    for number in range(PIECES + MOMENTS):
        if number < PIECES:
            length = int(len(every) * random.uniform(0.3, 1))
            first = random.randint(0, len(every) - length + 1)
            last = first + length
        else:
            last = random.randint(min(len(every) - 1, 60), len(every))
            first = bisect.bisect_left(times, times[last - 1] - random.uniform(3, 20))
        path = os.path.join(cache, f"piece-{index}.jsonl")
        with open(path, "w") as file: file.writelines(every[first:last])
        yield path
        os.remove(path)


def hypotheses(poses, rate, kinema, columns):
    """For every hypothesis its cycles, its signal, and the evidence of each cycle."""
    path = poses + ".explained.jsonl" if poses.endswith(".jsonl") else os.path.join(tempfile.gettempdir(), os.path.basename(poses) + ".jsonl")
    ended = subprocess.run([kinema, "count", poses, *(["--fps", str(rate), "--aspect", "1/1"] if rate else []), "--explain", path],
                           capture_output=True, text=True)
    if ended.returncode not in (0, 2): raise SystemExit(ended.stderr.strip())
    found = []
    for line in map(json.loads, open(path) if ended.returncode == 0 else []):
        if "way" not in line: continue
        way = line["way"]
        cycles = np.array([[c["from"], c["turn"], c["to"]] for c in way["cycles"]])
        rows = np.array([[{**way["evidence"], **c["evidence"]}[name] for name in columns] for c in way["cycles"]], np.float32)
        span = way["window"][1] - way["window"][0]
        found.append((cycles, {"frame": way["frame"], "component": way["component"], "hysteresis": way["hysteresis"], "window": span}, rows))
    if os.path.exists(path): os.remove(path)
    return found


def collect(arguments):
    """The clips with their hypotheses and those of their pieces, cached as long as the command is the same."""
    whole, each = names(arguments.source)
    cache = os.path.join(arguments.cache, "counting")
    kept = os.path.join(cache, "evidence-" + hashlib.sha256(open(arguments.kinema, "rb").read()).hexdigest()[:16] + ".pickle")
    if os.path.exists(kept): return pickle.load(open(kept, "rb"))

    def look(numbered):
        index, clip = numbered
        found = hypotheses(clip.poses, clip.rate, arguments.kinema, whole + each)
        return clip, found, [hypotheses(path, None, arguments.kinema, whole + each) for path in pieces(clip, cache, index)]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool: table = list(pool.map(look, enumerate(clips(arguments))))
    for old in os.listdir(cache):
        if old.startswith("evidence-"): os.remove(os.path.join(cache, old))
    pickle.dump(table, open(kept, "wb"))
    return table


def names(source):
    """The names of the evidence, from the code that computes it."""
    evidence = open(os.path.join(source, "Sources", "KinemaMotion", "Counting", "CycleEvidence.swift")).read()
    return [re.findall(r'"(\w+)"', re.sub(r"//.*", "", part.split("]", 1)[0]))
            for part in re.split(r"static let (?:whole|each) = \[", evidence)[1:3]]


def weighed(found, probabilities, same):
    """The probabilities as in HypothesisFinder.swift: each averaged with the mean of all for the same cycle."""
    start, end = (np.concatenate([cycles[:, side] for cycles, _, _ in found]) for side in (0, 2))
    own = np.concatenate(probabilities)
    order = np.argsort(start, kind="stable")
    start, end, sorted_own, mean = start[order], end[order], own[order], np.empty(len(own))
    for first in range(0, len(own), 200):
        a, b = start[first:first + 200, None], end[first:first + 200, None]
        reach = (1 - same) / same * (b - a).max()
        near = slice(np.searchsorted(start, a[0, 0] - reach), np.searchsorted(start, a[-1, 0] + reach, "right"))
        alike = np.minimum(b, end[near]) - np.maximum(a, start[near]) > same * (np.maximum(b, end[near]) - np.minimum(a, start[near]))
        mean[order[first:first + 200]] = (alike @ sorted_own[near]) / np.maximum(1, alike.sum(1))
    return np.split((own + mean) / 2, np.cumsum([len(p) for p in probabilities])[:-1])


def chosen(found, probabilities, setting):
    """The cycles of each set that SetSelection.swift chooses, with their probabilities."""
    items = []
    for (cycles, _, _), probability in zip(found, probabilities):
        lengths = cycles[:, 2] - cycles[:, 0]
        length = np.median(lengths)
        best, total, first, run = 0, 0, 0, None
        for place, worth in enumerate((probability - setting["breakEvenProbability"]) * np.minimum(lengths, 2 * length)):
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


class Study:
    """The evidence of all clips, for some signals, without some quantities (always 0), or of a share of the sources."""

    def __init__(self, arguments, table, without=(), signals=lambda signal: True, share=1):
        self.names, self.setting = sum(names(arguments.source), []), settings(arguments.source)
        self.kept, self.random, self.rows = np.array([name not in without for name in self.names], np.float32), np.random.RandomState(2), []
        for clip, found, parts in table:
            weight = (WEIGHT_OF_NONE if clip.high == 0 else 1) * WEIGHT_OF_KIND.get(clip.kind, 1)
            found = [hypothesis for hypothesis in found if signals(hypothesis[1])]
            samples = [self.sample(clip, found, CYCLES_OF_A_CLIP, weight)]
            samples += [self.sample(clip, [h for h in part if signals(h[1])], CYCLES_OF_A_PIECE, weight * WEIGHT_OF_A_PIECE) for part in parts]
            self.rows.append({"clip": clip, "found": found, "samples": [sample for sample in samples if sample]})
        sources = sorted({row["clip"].source for row in self.rows if row["clip"].kind in KINDS})
        self.fold = dict(zip(np.random.RandomState(1).permutation(sources), [i % FOLDS for i in range(len(sources))]))
        self.fold.update({row["clip"].source: 0 for row in self.rows if row["clip"].kind not in KINDS})
        self.learnt = set(np.random.RandomState(3).permutation(sources)[:round(share * len(sources))])

    def sample(self, clip, found, most, weight):
        """Some cycles of a clip: evidence, whether they are repetitions, and weights (a run: root of its length)."""
        if not found: return None
        x, right = np.concatenate([rows for _, _, rows in found]), np.concatenate([clip.right(cycles) for cycles, _, _ in found])
        lengths = np.concatenate([np.full(len(cycles), len(cycles)) for cycles, _, _ in found])
        chosen = self.random.permutation(len(x))[:most]
        weights = 1 / np.sqrt(lengths[chosen])
        return x[chosen] * self.kept, right[chosen].astype(float), weights / weights.sum() * 100 * weight

    def learn(self, fold=None):
        samples = [sample for row in self.rows if row["clip"].source in self.learnt and self.fold[row["clip"].source] != fold
                   for sample in row["samples"]]
        x, right, weight = (np.concatenate(part) for part in zip(*samples))
        return lightgbm.train(TREES, lightgbm.Dataset(x, right, weight=weight), ROUNDS)

    def judged(self, kinds=KINDS):
        """For every clip of these kinds the hypotheses and their probabilities, from trees fitted without its source."""
        for fold in range(FOLDS):
            trees = self.learn(fold)
            for row in self.rows:
                clip, found = row["clip"], row["found"]
                if clip.kind not in kinds or self.fold[clip.source] != fold: continue
                each = []
                if found:
                    p = trees.predict(np.concatenate([rows for _, _, rows in found]))
                    each = weighed(found, np.split(p, np.cumsum([len(f[0]) for f in found])[:-1]), self.setting["sameCycle"])
                yield clip, found, each

    def counts(self, kinds):
        """For every clip the count in the whole; ignores the engine's handling of breaks."""
        for clip, found, each in self.judged(kinds):
            setting = self.setting
            if clip.is_stretched:
                setting = {**setting, "breakEvenProbability": setting["breakEvenIfStretched"], "sureProbability": setting["sureIfStretched"], "sureOfMany": setting["sureIfStretched"]}
            sets = chosen(found, each, setting) if found else []
            yield clip, sum(len(cycles) for cycles, sure in sets if len(cycles) and sure.mean() > setting["sureProbability" if len(cycles) < 3 else "sureOfMany"])

    def locate(self):
        """Gives clips that are labelled with a count only the likeliest repetitions with that count: the likelier
        cycles of a hypothesis, or the choice under another threshold or cost."""
        for clip, found, each in self.judged(counting_figures.REAL):
            if clip.reps is not None or clip.high == 0: continue
            ways = [(cycles[likely], p[likely]) for (cycles, _, _), p in zip(found, each) for least in (0, 0.3, 0.45, 0.6, 0.75)
                    for likely in [p > least]]
            for even, least, cost in itertools.product((0.2, 0.3, 0.45, 0.6, 0.7, 0.8), (0.3, 0.5, 0.7), (0.1, 0.42, 1)):
                setting = {**self.setting, "breakEvenProbability": even, "leastProbability": least, "cost": cost}
                for sure in (0.3, 0.65):
                    sets = [(cycles, p) for cycles, p in chosen(found, each, setting) if len(cycles) and p.mean() > sure] if found else []
                    if sets: ways.append(tuple(np.concatenate(part) for part in zip(*sets)))
            best = 0.35
            for cycles, p in ways:
                inside = (cycles[:, 1] > clip.span[0] - 0.3) & (cycles[:, 1] < clip.span[1] + 0.3)
                if clip.low <= inside.sum() <= clip.high and inside.any() and p[inside].mean() > best:
                    best, clip.likeliest = p[inside].mean(), cycles[inside][:, [0, 2]]


def figures_of(counts, group):
    """How many clips there are, MAE, within one and exact for each group of clips."""
    table = {}
    for clip, got in counts: table.setdefault(group(clip), []).append((got, min(max(got, clip.low), clip.high)))
    result = {}
    for kind, rows in table.items():
        rows = np.array(rows, float)
        away = np.abs(rows[:, 0] - rows[:, 1])
        result[kind] = (len(rows), np.mean(away / np.maximum(rows[:, 1], 1)), np.mean(away <= 1), np.mean(away == 0))
    return result


def settings(source):
    """The constants of the selection, from the Swift code."""
    text = open(os.path.join(source, "Sources", "KinemaMotion", "Counting", "CountingConfiguration.swift")).read()
    return {name: float(re.search(rf"\b{name}(?:: Float)? = ([0-9.]+)", text)[1])
            for name in ("sameCycle", "breakEvenProbability", "cost", "leastProbability", "overlap", "sureProbability", "sureOfMany", "breakEvenIfStretched", "sureIfStretched")}


def packed(trees, names):
    """The trees as BoostedTrees.swift reads them, in base64."""
    dump = trees.dump_model()["tree_info"]

    def thresholds(node):
        if "leaf_value" in node: return
        yield node["split_feature"], np.float32(node["threshold"])
        for side in ("left_child", "right_child"): yield from thresholds(node[side])

    steps = [set() for _ in names]
    for tree in dump:
        for quantity, threshold in thresholds(tree["tree_structure"]): steps[quantity].add(threshold)
    steps = [sorted(own) for own in steps]

    def value(node):
        """The mean of the leaves below, and how many cycles reached them."""
        if "leaf_value" in node: return node["leaf_value"], node.get("leaf_count", 1)
        (one, many), (other, rest) = value(node["left_child"]), value(node["right_child"])
        return (one * many + other * rest) / (many + rest), many + rest

    def leaves(node):
        if "leaf_value" in node: return [abs(node["leaf_value"])]
        return leaves(node["left_child"]) + leaves(node["right_child"])

    scale = max(leaf for tree in dump for leaf in leaves(tree["tree_structure"])) / 32767

    def nodes(node):
        rounded = struct.pack("<h", round(value(node)[0] / scale))
        if "leaf_value" in node: return b"\xff" + rounded
        quantity = node["split_feature"]
        step = bisect.bisect_left(steps[quantity], np.float32(node["threshold"]))
        return bytes([quantity, step]) + rounded + nodes(node["left_child"]) + nodes(node["right_child"])

    head = struct.pack("<ffB", scale, 0, len(names)) + b"".join(struct.pack(f"<B{len(own)}f", len(own), *own) for own in steps)
    return base64.b64encode(head + b"".join(nodes(tree["tree_structure"]) for tree in dump)).decode()


def write(study, source, told):
    text = packed(study.learn(), study.names)
    commit = subprocess.run(["git", "-C", source, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True).stdout.strip()
    clips = [row["clip"] for row in study.rows if row["clip"].kind in KINDS]
    numbers = ", ".join(f"{sum(clip.kind == kind for clip in clips)} {kind}" for kind in KINDS if any(clip.kind == kind for clip in clips))
    lines = "\n".join(text[i:i + 112] for i in range(0, len(text), 112))
    with open(os.path.join(source, "Sources", "KinemaMotion", "Counting", "CycleTrees.txt"), "w") as file:
        file.write(f"""# The trees of `CycleScore` as `BoostedTrees` reads them, written by `script/counting fit` at {commit}.
#
# LightGBM {lightgbm.__version__}: {ROUNDS} trees of {TREES["num_leaves"]} leaves, seeds 1 (folds), 2 (samples) and {TREES["seed"]} (trees).
# Clips by kind: {numbers}; {sum(clip.high == 0 for clip in clips)} are without exercise.
# Left out by source, MAE / within one / exact: {told}.
{lines}
""")


def components(arguments):
    """The baseline that the counter has to beat: turning points of one principal component."""
    sys.path.insert(0, os.path.join(arguments.shared, "peers"))
    import count_components
    return count_components


def movement(script, clip):
    """The joints' positions frame by frame, and frames a second."""
    if clip.poses.endswith(".npy"):
        x = np.load(clip.poses).astype(float) / 65535
        return x[x.reshape(len(x), -1).any(1)].reshape(-1, 66), clip.rate
    first = json.loads(open(clip.poses).readline())
    return script.from_lines(clip.poses, first["width"] / first["height"])


def self_similarity(x, fps, least=0.35):
    """The count from the self-similarity of postures (as in RepNet, Dwibedi et al. 2020, but without a network).

    The period at each frame is the first lag at which the mean distance over the seconds around it has a local minimum
    below `least` of the largest; the count is the sum of the periods' reciprocals.
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


FAMILIES = {
    "likeness": ["alike", "alikePlaced", "alikeInPairs", "shape", "neighbour", "unlike"], "rhythm": ["irregular", "uneven", "period", "length", "lengthOff", "count"],
    "size": ["amplitude", "range", "size", "sizeOff"], "what it explains": ["share", "path", "span"], "halves and sides": ["halves", "balance", "alikeMirrored", "mirroredHalves"],
    "the signal": ["hysteresis", "placed", "component", "detours"], "other signals": ["agreement", "density", "cycleDensity", "cycleDensityOff"],
    "rest": ["before", "after", "openBefore", "openAfter", "dwell", "pauses"], "the body": ["legsApart", "armsApart", "legShare", "trunk", "drift", "growth"],
    "ends": ["end", "endShape", "endSize"], "return": ["closure", "closures", "retrace", "retraces", "detour", "detourAll"],
}


def ablate(arguments, table):
    """The figures at the end without each family of evidence, without each of the ten quantities that the trees gain most from, with
    fewer sources and without some signals, and those of two simpler methods. Breaks are not bridged."""
    kinds, study = (*counting_figures.REAL, "repcount"), Study(arguments, table)
    script, clips = components(arguments), [clip for clip, _, _ in table if clip.kind in kinds]
    print(f"{'MAE, within one, exact':28}" + "".join(f"   {kind:17}" for kind in ("all recordings", "RepCount")))
    def tell(title, counts):
        result = figures_of([(clip, count) for clip, count in counts], lambda clip: clip.kind == "repcount")
        print(f"{title:28}" + "".join("   {:.3f} {:.3f} {:.3f}".format(*result[kind][1:]) for kind in (False, True)), flush=True)
    def without(title, **options): tell(title, Study(arguments, table, **options).counts(kinds))
    tell("all", study.counts(kinds))
    for family, own in FAMILIES.items(): without("without " + family, without=own)
    gains = study.learn().feature_importance("gain")
    for place in np.argsort(-gains)[:10]: without(f"without {study.names[place]} ({gains[place] / gains.sum():.0%})", without=[study.names[place]])
    for share in (0.25, 0.5, 0.75): without(f"{share:.0%} of the sources", share=share)
    for name, keep in {
        "without placed": lambda s: s["frame"] != "placed", "without centred": lambda s: s["frame"] != "centred",
        "without 2nd component": lambda s: s["component"] == 0, "without windows of 6 s": lambda s: not 5 < s["window"] < 7,
        "without windows of 16 s": lambda s: not 14 < s["window"] < 17, "hysteresis 0.35 only": lambda s: abs(s["hysteresis"] - 0.35) < 0.01,
    }.items(): without(name, signals=keep)
    tell("count_components.py", ((clip, script.count(*movement(script, clip), 0.3)) for clip in clips))
    tell("self-similarity", ((clip, self_similarity(*movement(script, clip))) for clip in clips))


def fitted(arguments, study):
    """Files of trees: for each fold those that were fitted without it."""
    trees = {}
    for fold in range(FOLDS):
        trees[fold] = os.path.join(arguments.cache, "counting", f"trees-{fold}.txt")
        with open(trees[fold], "w") as file: file.write(packed(study.learn(fold), study.names))
    return trees


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fit", "ablate", "vary"])
    for name in ("kinema", "shared", "cache", "source"): parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    table = collect(arguments)
    Study(arguments, table).locate()
    if arguments.what == "ablate": return ablate(arguments, table)
    study = Study(arguments, table)
    trees = fitted(arguments, study)
    if arguments.what == "vary": return counting_figures.vary(arguments, study, table, trees)
    counted = counting_figures.report(arguments, study, table, trees)
    real = [one for one in counted if one.clip.kind in counting_figures.REAL]
    told = "{:.3f} / {:.3f} / {:.3f}".format(*counting_figures.figures(real, "end"))
    write(study, arguments.source, f"{told} of {len(real)} recordings")


if __name__ == "__main__": main()
