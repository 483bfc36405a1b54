#!/usr/bin/env python3
"""Fits the trees of the counter, and prints what it counts of recordings that they have not seen.

    script/counting fit       fits, prints figures, writes CycleTrees.txt and SolutionTrees.txt
    script/counting report    only the figures, by the weights of the last fit
    script/counting vary      the same figures of the labelled recordings at other rates, sizes and tempos, mirrored, backwards, …

Poses of the labelled recordings are made once and kept. `kinema count --explain FILE.evidence` gives the evidence of every
cycle of every hypothesis, and of every solution. Boosted trees (LightGBM) learn from the labels which cycles are repetitions;
then others learn which solution has the right count: their sums are the logarithms of probabilities that compete. Everything
printed is left out by source: no clip is judged by a network or trees fitted to another clip of its source.
"""
import argparse, base64, bisect, concurrent.futures, csv, hashlib, json, os, pickle, re, shutil, struct, subprocess
import lightgbm
import numpy as np
import counting_figures, counting_motion, counting_synth, figures

FOLDS = 4
REAL = counting_figures.REAL
# How much a clip of a kind counts, in the fit of cycles and in that of solutions.
WEIGHTS = {"synthetic": (0.3, 0.15), "altered": (0.5, 0.5), "uiprmd": (0.5, 0.3), "repcount": (1, 0.7), "everyday": (1, 1)}
# Stick figures of figures.py by kind, in the report alone.
REPORTED_SEED, REPORTED = 30_000, {"idle": 160, "wild": 80, "swaying": 40, "exercise": 120, "jump": 40, "quick": 20}
WEIGHT_OF_NONE = 1.5
CYCLES_OF_A_CLIP, CYCLES_OF_OTHERS = 220, 70
SYNTHETIC, SYNTHETIC_SEED, ALTERED = 800, 900_001, 1
# Recordings of other data sets in which nobody exercises.
EVERYDAY = [*(f"crowds/{name}" for name in ("ntu_drink_water.avi", "one_by_one.mp4", "street_mmpose.mp4", "two_people_ntu.avi")),
            *(f"hands/asl/{word}.mkv" for word in ("again", "book", "eat", "hungry", "milk", "no", "school", "sorry", "thanks", "want")),
            "hands/nvgesture_color.avi", *(f"hands/pinches/{name}.mp4" for name in ("neg_counting_fingers", "tap_webcam_fast", "volume_portrait")),
            *(f"measure/{name}.mp4" for name in ("pose2sim_cam01", "pose2sim_cam02", "pose2sim_cam03", "pose2sim_cam04", "sports2d_demo")),
            "mend/still_camera_sways_2px.mp4", "mend/still_camera_zooms.mp4",
            *(f"throws/{name}.mp4" for name in ("ball_throw_gym", "cornhole_board_a", "cornhole_board_b", "football_juggling", "football_juggling_hd", "freethrow_yard")),
            *(f"throws/more/{name}.mp4" for name in ("court_city_a", "hurl_keepups", "tennis_serve_hard"))]
CYCLES = {"objective": "binary", "num_leaves": 15, "learning_rate": 0.08, "min_data_in_leaf": 60, "feature_fraction": 0.5, "bagging_fraction": 0.7,
          "bagging_freq": 1, "lambda_l2": 5, "max_bin": 63, "use_missing": False, "num_threads": 2, "verbose": -1, "seed": 3, "deterministic": True, "force_row_wise": True}
SOLUTIONS = {"num_leaves": 7, "learning_rate": 0.06, "min_data_in_leaf": 40, "feature_fraction": 0.4, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 10,
             "max_bin": 63, "use_missing": False, "num_threads": 2, "verbose": -1, "deterministic": True, "force_row_wise": True}
ROUNDS, ROUNDS_OF_SOLUTIONS, SEEDS = 140, 160, 3


class Clip:
    def __init__(self, kind, name, poses, source, low, high, reps=None, span=(0, 1e9), rate=None):
        self.kind, self.name, self.poses, self.low, self.high, self.reps, self.span, self.rate = kind, name, poses, low, high, reps, span, rate
        # The same folds as in counting_network.py, whatever is added.
        self.fold = int(hashlib.md5(source.encode()).hexdigest(), 16) % FOLDS
        self.located = None

    def right(self, cycles):
        """Which cycles (start, turn, end) are repetitions: known, located by the right solution, or as often as labelled."""
        reps = self.reps if self.reps is not None else self.located
        if self.high == 0: return np.zeros(len(cycles))
        if reps is not None:
            found = np.zeros(len(cycles))
            for start, end in reps: found += np.clip(np.minimum(end, cycles[:, 2]) - np.maximum(start, cycles[:, 0]), 0, None) / max(end - start, 1e-3)
            return ((found > 0.6) & (found < 1.4)).astype(float)
        length, best = max(self.span[1] - self.span[0], 1e-3), np.zeros(len(cycles))
        inside = (cycles[:, 1] > self.span[0] - 0.3) & (cycles[:, 1] < self.span[1] + 0.3)
        for count in {self.low, self.high} - {0}:
            if len(cycles) > 1: fits = 0.68 < np.median(np.diff(cycles[:, 1])) * count / length < 1.45
            else: fits = inside.any() and 0.3 < (cycles[0, 2] - cycles[0, 0]) / length * count < 1.6
            if fits and inside.sum() > best.sum(): best = inside.astype(float)
        return best

    def worth(self, counts):
        """How right each count is: 1, or a little where it is one off but not none or some."""
        away = np.abs(counts - np.clip(counts, self.low, self.high))
        return np.where(away == 0, 1.0, np.where((away == 1) & ((counts == 0) == (self.low == 0)), 0.08, 0.0))

    def weight(self, of_solutions):
        return WEIGHTS.get(self.kind, (1, 1))[of_solutions] * (WEIGHT_OF_NONE if self.high == 0 else 1)


# ---- clips

def recordings(arguments, cache):
    def poses(video, name, rate):
        path = os.path.join(cache, name + ".jsonl")
        if not os.path.exists(path):
            every = str(max(1, round(rate / 15)))
            ended = subprocess.run([arguments.kinema, "pose", video, "--every", every, "--precision", "f32", "--format", "jsonl"], capture_output=True, text=True)
            if ended.returncode not in (0, 2): raise SystemExit(ended.stderr.strip())
            with open(path + ".part", "w") as file: file.write(ended.stdout)
            os.rename(path + ".part", path)
        return path

    for kind, folder in (("first", ""), ("more", "more"), ("strangers", "strangers"), ("third", "third")):
        folder = os.path.join(arguments.shared, "data", "repetitions", folder)
        for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
            if kind == "third" and row["exercise"] == "dance": continue  # no defined count
            path = poses(os.path.join(folder, row["file"]), kind + "-" + os.path.splitext(row["file"])[0], float(row["fps"]))
            yield Clip(kind, row["file"], path, row["source"].split("@")[0], int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"]),
                       span=(float(row["start"] or 0), float(row["end"] or row["duration"])))
    folder = os.path.join(arguments.shared, "data", "repcount")
    for row in csv.DictReader(open(os.path.join(folder, "labels.csv"))):
        reps = np.array(json.loads(row["repetitions"])).reshape(-1, 2) / 15
        yield Clip("repcount", row["file"], os.path.join(folder, row["file"]), "repcount " + row["file"].split("_")[0], int(row["count"]), int(row["count"]), reps, rate=15)
    for path in EVERYDAY:
        name = "everyday-" + os.path.splitext(path)[0].replace("/", "-")
        yield Clip("everyday", path, poses(os.path.join(arguments.shared, "data", path), name, 30), "everyday" + name.split("-")[1], 0, 0)


def made(arguments, cache):
    """Clips that nobody recorded: markers of UI-PRMD seen by a camera, and what counting_synth makes."""
    folder = os.path.join(arguments.shared, "data", "uiprmd")
    markers = np.load(os.path.join(folder, "ui-prmd.npz"))
    for index, row in enumerate(csv.DictReader(open(os.path.join(folder, "labels.csv")))):
        path, bounds = os.path.join(cache, f"uiprmd-{row['key']}.jsonl"), np.array(row["boundaries"].split(), int) / 25
        if not os.path.exists(path):
            with open(path, "w") as file: file.writelines(figures.lines(figures.recorded(markers[row["key"]], index)))
        yield Clip("uiprmd", row["key"], path, "uiprmd " + row["subject"], len(bounds) - 1, len(bounds) - 1, np.stack([bounds[:-1], bounds[1:]], 1))
    folder = os.path.join(cache, "synthetic")
    index = os.path.join(folder, "index.pickle")
    if not os.path.exists(index):
        os.makedirs(folder, exist_ok=True)
        rng, kept = np.random.default_rng(SYNTHETIC_SEED), []
        tables = {"exercises": counting_motion.kinds(counting_motion.EXERCISES), "everyday": counting_motion.kinds(counting_motion.EVERYDAY),
                  "captured": counting_synth.captured(arguments.shared), "scenes": []}
        while len(kept) < SYNTHETIC:
            found = counting_synth.sample(rng, tables)
            if found is None: continue
            placed, confidence, cut, reps = found
            path = os.path.join(folder, f"{len(kept)}.jsonl")
            with open(path, "w") as file: file.writelines(pose_lines(placed, confidence, cut))
            kept.append((path, np.array(reps).reshape(-1, 2) / counting_synth.RATE, len(placed) / counting_synth.RATE))
        pickle.dump(kept, open(index, "wb"))
    for number, (path, reps, seconds) in enumerate(pickle.load(open(index, "rb"))[:SYNTHETIC]):
        # A repetition that the end cuts off may count or not.
        inside = [np.clip(end, 0, seconds) - np.clip(start, 0, seconds) for start, end in reps]
        whole = sum(part > 0.9 * (end - start) for part, (start, end) in zip(inside, reps))
        some = sum(part > 0.35 * (end - start) for part, (start, end) in zip(inside, reps))
        yield Clip("synthetic", str(number), path, f"synthetic {number}", whole, some, reps)


def drawn(cache):
    """Stick figures that stand, talk, fling their arms about, sway, or exercise."""
    folder = os.path.join(cache, "drawn")
    os.makedirs(folder, exist_ok=True)
    for kind, count in REPORTED.items():
        for seed in range(REPORTED_SEED, REPORTED_SEED + count):
            path = os.path.join(folder, f"{kind}-{seed}")
            if not os.path.exists(path + ".pickle"):
                reps, frames = getattr(figures, kind)(seed)
                with open(path + ".jsonl", "w") as file: file.writelines(figures.lines(frames))
                pickle.dump(np.array(reps).reshape(-1, 2), open(path + ".pickle", "wb"))
            reps = pickle.load(open(path + ".pickle", "rb"))
            yield Clip(kind, f"{kind} {seed}", path + ".jsonl", f"{kind} {seed}", len(reps), len(reps), reps)


def pose_lines(placed, confidence, cut):
    """Lines of `kinema pose` for joints in body sizes, 15 rows a second."""
    shot = 0
    for index, (row, sure, is_cut) in enumerate(zip(placed.reshape(-1, 13, 2), confidence, cut)):
        shot += int(is_cut > 0)
        joints = {name: [round(float(v), 5) for v in (0.5 + 0.15 * x, 0.5 + 0.15 * y, c)] for name, (x, y), c in zip(counting_synth.NAMES, row, sure)}
        yield json.dumps({"frame": index, "time": round(index / 15, 5), "width": 1000, "height": 1000,
                          "people": [{"id": 1, "shot": shot, "confidence": 1, "box": [0.2, 0.2, 0.6, 0.6], "keypoints": joints}]}, separators=(",", ":")) + "\n"


def altered(clips, cache):
    """The labelled recordings seen and done otherwise: another tempo, mirrored, jittered, frames lost."""
    folder = os.path.join(cache, "altered")
    os.makedirs(folder, exist_ok=True)
    for index, clip in enumerate(clips):
        if clip.kind not in REAL: continue
        for number in range(ALTERED):
            rng = np.random.RandomState(1000 * number + index)
            path, speed, mirrors = os.path.join(folder, f"{clip.kind}-{clip.name}-{number}.jsonl"), np.exp(rng.uniform(-0.4, 0.4)), rng.rand() < 0.5
            jitter, lost = rng.choice([0, 0.004, 0.01]), rng.choice([0, 0.2, 0.4])
            if not os.path.exists(path):
                with open(path, "w") as file:
                    for line in open(clip.poses):
                        frame = json.loads(line)
                        if rng.rand() < lost: continue
                        frame["time"] = round(frame["time"] / speed, 5)
                        for person in frame["people"]:
                            person.pop("keypoints3D", None)
                            joints = person["keypoints"]
                            if mirrors:
                                other = lambda name: name.replace("left", "right") if name.startswith("left") else name.replace("right", "left")
                                joints = {other(name): [1 - x, y, c] for name, (x, y, c) in joints.items()}
                            person["keypoints"] = {name: [round(x + jitter * rng.randn(), 5), round(y + jitter * rng.randn(), 5), c] for name, (x, y, c) in joints.items()}
                        frame.pop("camera", None) if mirrors else None
                        file.write(json.dumps(frame, separators=(",", ":")) + "\n")
            twin = Clip("altered", f"{clip.name}-{number}", path, "", clip.low, clip.high, span=tuple(second / speed for second in clip.span))
            twin.fold = clip.fold
            yield twin


# ---- evidence

class Evidence:
    """What the command decided from: hypotheses as (cycles x 3 times, rows of evidence), solutions as (count, repetitions, evidence)."""

    def __init__(self, path, names, keeps_hypotheses):
        numbers, (whole, each, solution) = np.fromfile(path, "<f4"), (len(part) for part in names)
        self.hypotheses, self.solutions, self.stretches, at = [], [], [], 0

        def take(count):
            nonlocal at
            at += count
            return numbers[at - count:at]
        while at < len(numbers):
            take(1)
            for _ in range(int(take(1)[0])):
                count = int(take(3)[0])
                cycles, own = take(3 * count).reshape(count, 3), take(whole)
                each_own = take(each * count)
                if keeps_hypotheses: self.hypotheses.append((cycles, np.hstack([np.repeat(own[None], count, 0), each_own.reshape(count, each)])))
            stretch = []
            for _ in range(int(take(1)[0])):
                count, probability, reps = take(3)
                stretch.append((int(count), take(2 * int(reps)).reshape(-1, 2), take(solution), float(probability)))
            self.stretches.append(stretch)


def evidence_of(arguments, clip, weights, names, keeps_hypotheses):
    path = os.path.join(arguments.cache, "counting", "evidence", hashlib.md5(clip.poses.encode()).hexdigest() + ".evidence")
    stretched = ["--fps", str(clip.rate), "--aspect", "1/1"] if clip.rate else []
    ended = subprocess.run([arguments.kinema, "count", clip.poses, *stretched, "--weights", weights, "--explain", path], capture_output=True, text=True)
    if ended.returncode not in (0, 2): raise SystemExit(f"{clip.poses}: {ended.stderr.strip()}")
    if not os.path.exists(path): return None
    found = Evidence(path, names, keeps_hypotheses)
    os.remove(path)
    return found


def all_evidence(arguments, clips, names, keeps_hypotheses=False):
    """Of every clip, by the weights of its fold."""
    os.makedirs(os.path.join(arguments.cache, "counting", "evidence"), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda clip: evidence_of(arguments, clip, folder(arguments, clip.fold), names, keeps_hypotheses), clips))


def folder(arguments, fold):
    """The weights that are fitted without a fold; None: to all."""
    return os.path.join(arguments.cache, "counting", "weights", "all" if fold is None else str(fold))


def sources(arguments): return os.path.join(arguments.source, "Sources", "KinemaCounting")


def names(arguments):
    """The names of the evidence of runs, cycles and solutions, from the code that computes it."""
    def listed(file, name):
        part = re.split(rf"static let {name}\s*=\s*\[", open(os.path.join(sources(arguments), file)).read())[1].split("]", 1)[0]
        return re.findall(r'"(\w+)"', re.sub(r"//.*", "", part))
    whole, each = (listed("CycleEvidence.swift", part) for part in ("whole", "each"))
    return whole, each, listed("CountSolution.swift", "names") + ["seed" + name[0].upper() + name[1:] for name in whole]


# ---- fits

def learn_cycles(clips, found, without=None):
    random, rows, labels, weights = np.random.RandomState(2), [], [], []
    for clip, evidence in zip(clips, found):
        if evidence is None or not evidence.hypotheses or clip.fold == without: continue
        x, y = np.concatenate([own for _, own in evidence.hypotheses]), np.concatenate([clip.right(cycles) for cycles, _ in evidence.hypotheses])
        lengths = np.concatenate([np.full(len(cycles), len(cycles)) for cycles, _ in evidence.hypotheses])
        some = random.permutation(len(x))[:CYCLES_OF_A_CLIP if clip.kind in REAL else CYCLES_OF_OTHERS]
        weight = 1 / np.sqrt(lengths[some])
        rows.append(x[some]), labels.append(y[some]), weights.append(weight / weight.sum() * 100 * clip.weight(False))
    return lightgbm.train(CYCLES, lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), weight=np.concatenate(weights)), ROUNDS)


def groups(clips, found, without=None):
    """Solutions of clips that are one stretch: features, how right each is, the sizes of groups, the weights of groups."""
    rows, right, sizes, weights = [], [], [], []
    for clip, evidence in zip(clips, found):
        if evidence is None or clip.fold == without or len(evidence.stretches) != 1 or len(evidence.stretches[0]) < 2: continue
        worth = clip.worth(np.array([count for count, _, _, _ in evidence.stretches[0]]))
        if worth.sum() == 0: continue
        rows.append(np.array([own for _, _, own, _ in evidence.stretches[0]])), right.append(worth), sizes.append(len(worth)), weights.append(clip.weight(True))
    return np.concatenate(rows), np.concatenate(right), np.array(sizes), np.array(weights)


def learn_solutions(clips, found, without=None):
    """Several forests whose mean competes: the likelihood of the right counts among all solutions is what they maximise."""
    x, right, sizes, weights = groups(clips, found, without)
    starts, each = np.concatenate([[0], np.cumsum(sizes)[:-1]]), np.repeat(weights, sizes)

    def gradient(sums, _):
        p = np.exp(sums - np.repeat(np.maximum.reduceat(sums, starts), sizes))
        p /= np.repeat(np.add.reduceat(p, starts), sizes)
        aim = p * right
        aim /= np.repeat(np.add.reduceat(aim, starts) + 1e-12, sizes)
        return (p - aim) * each, np.maximum(p * (1 - p), 0.02) * each
    return [lightgbm.train({**SOLUTIONS, "objective": gradient, "seed": seed}, lightgbm.Dataset(x, right), ROUNDS_OF_SOLUTIONS) for seed in range(SEEDS)]


def locate(clips, found, arguments):
    """Gives clips that are labelled with a count only the repetitions of the solution with that count that is worth most."""
    worth = names(arguments)[2].index("worth")
    for clip, evidence in zip(clips, found):
        if evidence is None or clip.reps is not None or clip.high == 0 or len(evidence.stretches) != 1: continue
        fitting = [one for one in evidence.stretches[0] if clip.low <= one[0] <= clip.high]
        best = max(fitting, key=lambda one: one[2][worth], default=None)
        # One that explains much less than the best of all is no witness.
        most = max(one[2][worth] for one in evidence.stretches[0])
        clip.located = best[1] if best and best[2][worth] > 0.5 * most else None


# ---- files

def packed(forests, count):
    """Forests, whose mean counts, as BoostedTrees.swift reads them, in base64."""
    dump = [tree["tree_structure"] for forest in forests for tree in forest.dump_model()["tree_info"]]

    def thresholds(node):
        if "leaf_value" in node: return
        yield node["split_feature"], np.float32(node["threshold"])
        for side in ("left_child", "right_child"): yield from thresholds(node[side])

    steps = [set() for _ in range(count)]
    for tree in dump:
        for quantity, threshold in thresholds(tree): steps[quantity].add(threshold)
    steps = [sorted(own) for own in steps]

    def value(node):
        """The mean of the leaves below, and how many rows reached them."""
        if "leaf_value" in node: return node["leaf_value"] / len(forests), max(1, node.get("leaf_count", 1))
        (one, many), (other, rest) = value(node["left_child"]), value(node["right_child"])
        return (one * many + other * rest) / (many + rest), many + rest

    def leaves(node):
        if "leaf_value" in node: return [abs(node["leaf_value"]) / len(forests)]
        return leaves(node["left_child"]) + leaves(node["right_child"])

    scale = max(leaf for tree in dump for leaf in leaves(tree)) / 32767

    def nodes(node):
        rounded = struct.pack("<h", round(value(node)[0] / scale))
        if "leaf_value" in node: return b"\xff" + rounded
        quantity = node["split_feature"]
        return bytes([quantity, bisect.bisect_left(steps[quantity], np.float32(node["threshold"]))]) + rounded + nodes(node["left_child"]) + nodes(node["right_child"])

    head = struct.pack("<ffB", scale, 0, count) + b"".join(struct.pack(f"<B{len(own)}f", len(own), *own) for own in steps)
    return base64.b64encode(head + b"".join(nodes(tree) for tree in dump)).decode()


def write(path, title, notes, text):
    lines = "\n".join(text[index:index + 112] for index in range(0, len(text), 112))
    with open(path, "w") as file: file.write(f"# {title}, written by `script/counting fit`.\n#\n" + "".join(f"# {note}\n" for note in notes) + lines + "\n")


def cycles_file(arguments, fold, trees, notes=()):
    whole, each, _ = names(arguments)
    write(os.path.join(folder(arguments, fold), "CycleTrees.txt"), "The trees that judge cycles, as `BoostedTrees` reads them", notes, packed([trees], len(whole) + len(each)))


def solutions_file(arguments, fold, forests, notes=()):
    write(os.path.join(folder(arguments, fold), "SolutionTrees.txt"), "The trees that judge solutions, as `BoostedTrees` reads them", notes, packed(forests, len(names(arguments)[2])))


def fit(arguments, clips):
    told = names(arguments)
    for fold in [*range(FOLDS), None]:
        os.makedirs(folder(arguments, fold), exist_ok=True)
        network = os.path.join(arguments.networks, f"fold{fold}.txt") if fold is not None and arguments.networks else os.path.join(sources(arguments), "RepetitionNetwork.txt")
        shutil.copy(network, os.path.join(folder(arguments, fold), "RepetitionNetwork.txt"))
        # Until they are fitted: trees that say nothing.
        for name, count in (("CycleTrees.txt", len(told[0]) + len(told[1])), ("SolutionTrees.txt", len(told[2]))):
            if arguments.again and name == "CycleTrees.txt": continue
            with open(os.path.join(folder(arguments, fold), name), "w") as file: file.write(base64.b64encode(struct.pack("<ffB", 1, 0, count) + bytes(count) + b"\xff\0\0").decode())
    # First by the labels as they are, then by where the solutions with the right counts lie.
    for turn in range(1 if arguments.again else 0, 2):
        print("evidence of cycles", flush=True)
        found = all_evidence(arguments, clips, told, True)
        if turn: locate(clips, found, arguments)
        for fold in range(FOLDS): cycles_file(arguments, fold, learn_cycles(clips, found, fold))
    print("evidence of solutions", flush=True)
    judged = all_evidence(arguments, clips, told)
    for fold in range(FOLDS): solutions_file(arguments, fold, learn_solutions(clips, judged, fold))
    kinds = {kind: sum(clip.kind == kind for clip in clips) for kind in dict.fromkeys(clip.kind for clip in clips)}
    notes = [f"LightGBM {lightgbm.__version__}; clips by kind: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()) + "."]
    cycles_file(arguments, None, learn_cycles(clips, found), notes)
    solutions_file(arguments, None, learn_solutions(clips, judged), notes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["fit", "report", "vary"])
    for name in ("kinema", "shared", "cache", "source"): parser.add_argument("--" + name, required=True)
    parser.add_argument("--networks", help="a folder with the networks that were fitted without each fold, fold0.txt to fold3.txt")
    parser.add_argument("--again", action="store_true", help="go on from the last fit's trees of cycles, for the same evidence")
    arguments = parser.parse_args()
    cache = os.path.join(arguments.cache, "counting")
    os.makedirs(cache, exist_ok=True)
    clips = list(recordings(arguments, cache))
    if arguments.what == "fit":
        fit(arguments, clips + list(made(arguments, cache)) + list(altered(clips, cache)))
        for name in ("CycleTrees.txt", "SolutionTrees.txt"): shutil.copy(os.path.join(folder(arguments, None), name), sources(arguments))
    weights = {fold: folder(arguments, fold) for fold in range(FOLDS)}
    if arguments.what == "vary": return counting_figures.vary(arguments, clips, weights)
    counting_figures.report(arguments, clips + list(drawn(cache)), weights)


if __name__ == "__main__": main()
