#!/usr/bin/env python3
"""The network that tells how much of a repetition each moment of a movement is: its features, training and weights.

    python counting_network.py train      --synthetic POOL … --out FILE     fits it to synthetic movement alone
    python counting_network.py fine-tune  --synthetic POOL … --from FILE --out FILE [--fold N]
    python counting_network.py average    --weights FILE … --out FILE       the mean of networks that went on from each other
    python counting_network.py evaluate   --weights FILE … [--folds]        figures on the labelled recordings
    python counting_network.py check      --weights FILE --out FILE.npz     inputs, features and outputs of some recordings

A count is the integral of a density, so movement without any clear start or end still adds up, and nothing has to be
said about where a repetition begins. The network sees how unlike the body is to itself a lag later (which is the same
whatever the exercise, and whatever the view) next to the joints. It learns from movement made by rule; counts of
labelled recordings only adjust it. Training takes JAX; a network is applied with NumPy alone.
"""
import argparse, base64, csv, functools, glob, hashlib, json, os, pickle, struct, time
import numpy as np

RATE, STRIDE, JOINTS = 15.0, 2, 13
NAMES = ["nose"] + [side + part for part in ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle") for side in ("left", "right")]
SWAPPED = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11]
TRUNK = [1, 2, 7, 8]
LAGS = sorted({round(3 * 1.115 ** k) for k in range(38)})
CHANNELS, POSE, WIDTH, DILATIONS = 5, 2 * JOINTS + 3 + JOINTS + 1, 48, (1, 2, 4, 8, 16)
LAG = CHANNELS * len(LAGS)


# ---- rows and features

def rows(times, joints, confidence, cuts=()):
    """Even rows: joints (n, 26) in body sizes, confidences (n, 13), cuts (n). `joints` (poses, 13, 2) are in picture heights."""
    count = max(2, int((times[-1] - times[0]) * RATE + 1e-6) + 1)
    at = times[0] + np.arange(count) / RATE
    right = np.clip(np.searchsorted(times, at, side="right"), 1, len(times) - 1)
    share = np.clip((at - times[right - 1]) / np.maximum(times[right] - times[right - 1], 1e-9), 0, 1)[:, None]
    even = lambda x: x[right - 1] * (1 - share) + x[right] * share
    placed, confidence = even(joints.reshape(len(times), -1)), even(confidence)
    body = placed.reshape(count, JOINTS, 2)
    size = max(np.median(np.sqrt(((body - body.mean(1, keepdims=True)) ** 2).sum(2).mean(1))), 1e-3)
    cut = np.zeros(count)
    for moment in cuts:
        cut[min(count - 1, max(0, int((moment - times[0]) * RATE + 0.5)))] = 1
    for gap in np.flatnonzero(np.diff(times) > 0.7):
        cut[(at > times[gap]) & (at < times[gap + 1])] = 1
    return (placed / size).astype(np.float32), confidence.astype(np.float32), cut.astype(np.float32)


def sums(x):
    return np.concatenate([np.zeros((1,) + x.shape[1:]), np.cumsum(x, 0, dtype=np.float64)])


def box(x, half):
    """The mean of the rows from `half` before to `half` after, as far as there are any."""
    total, at = sums(x), np.arange(len(x))
    first, end = np.maximum(0, at - half), np.minimum(len(x), at + half + 1)
    return (total[end] - total[first]) / (end - first).reshape((-1,) + (1,) * (x.ndim - 1))


def soft(x):
    """Weights 1/4, 1/2, 1/4; the first and the last row are repeated."""
    padded = np.concatenate([x[:1], x, x[-1:]])
    return padded[:-2] / 4 + padded[1:-1] / 2 + padded[2:] / 4


def slope(x):
    """Change a second: between the rows before and after, at the ends between two rows."""
    return np.gradient(x, axis=0) * RATE


def features(placed, confidence, cut):
    """(n, LAG + POSE): how unlike the body is to itself a lag later, channel by channel and lag by lag, then the pose."""
    n = len(placed)
    body = placed.astype(np.float64).reshape(n, JOINTS, 2)
    trunk = body[:, TRUNK].mean(1)
    raw = body - trunk[:, None]
    centred, picture = soft(raw), soft(body)
    mirrored = centred[:, SWAPPED]
    flipped = mirrored * [-1, 1]
    at, out = np.arange(n), np.ones((CHANNELS, len(LAGS), n))
    moments = [(sums(x.reshape(n, -1)), sums((x ** 2).sum((1, 2)))) for x in (centred, picture)]
    for index, lag in enumerate(LAGS):
        first, end = np.maximum(0, at - lag), np.minimum(n, at + lag + 1)
        width = end - first
        spread, spread_picture = (np.maximum((square[end] - square[first]) / width - (((total[end] - total[first]) / width[:, None]) ** 2).sum(1), 0) / JOINTS
                                  for total, square in moments)
        out[3, index] = np.log10(spread + 1e-4) + 2
        if n <= lag + 1: continue
        unlike = np.stack([((x[lag:] - y[:-lag]) ** 2).sum((1, 2)) for x, y in
                           ((centred, centred), (picture, picture), (centred, mirrored), (centred, flipped))], 1) / JOINTS
        smooth = box(unlike, lag // 4)
        pair = np.clip(at - lag // 2, 0, n - lag - 1)
        spread, spread_picture = 2 * spread + 2e-3, 2 * spread_picture + 2e-3
        out[0, index] = np.minimum(2, smooth[pair, 0] / spread)
        out[1, index] = np.minimum(2, unlike[pair, 0] / spread)
        out[2, index] = np.minimum(2, smooth[pair, 1] / spread_picture)
        out[4, index] = np.minimum(2, np.minimum(smooth[pair, 2], smooth[pair, 3]) / spread)
    velocity = np.clip(slope(box(trunk, 1)), -5, 5) / 2
    growth = np.clip(slope(np.log(np.sqrt((raw ** 2).sum(2).mean(1)) + 1e-3)), -3, 3)
    return np.concatenate([out.reshape(LAG, n).T - 0.5, centred.reshape(n, -1) / 3, velocity, growth[:, None], confidence, cut[:, None]],
                          1).astype(np.float32)


def targets(n, repetitions):
    """(network rows, 3): repetitions within each network row, whether it lies in one, and how near a start or end it is."""
    at = np.arange(-(-n // STRIDE)) * float(STRIDE)
    density, inside, boundary = np.zeros((3, len(at)))
    for start, end in repetitions:
        overlap = np.clip(np.minimum(at + STRIDE, end) - np.maximum(at, start), 0, STRIDE)
        density += overlap / max(end - start, 1)
        inside = np.maximum(inside, overlap / STRIDE)
        for edge in (start, end): boundary = np.maximum(boundary, np.exp(-((at + STRIDE / 2 - edge) / 1.8) ** 2 / 2))
    return np.stack([density, inside, boundary], 1)


# ---- the network

def shapes():
    """Names and shapes of the weights, in the order in which they are stored."""
    yield from (("lag", (WIDTH, LAG)), ("lag bias", (WIDTH,)), ("pose", (WIDTH // 2, POSE)), ("pose bias", (WIDTH // 2,)),
                ("mix", (WIDTH, WIDTH * 3 // 2)), ("mix bias", (WIDTH,)))
    for block in range(len(DILATIONS)):
        yield from ((f"first {block}", (WIDTH, WIDTH, 3)), (f"first bias {block}", (WIDTH,)), (f"second {block}", (WIDTH, WIDTH)), (f"second bias {block}", (WIDTH,)))
    yield from (("out", (3, WIDTH)), ("out bias", (3,)))


def fresh(seed):
    rng, weights = np.random.default_rng(seed), {}
    for name, shape in shapes():
        limit = 1 / np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 0.0
        weights[name] = (rng.uniform(-1, 1, shape) * limit * (0.3 if name.startswith("second") and len(shape) > 1 else 1)).astype(np.float32)
    weights["out bias"][:] = [0, -0.7, -2]
    return weights


def outputs(np, weights, x, mask, keeps_pose=None):
    """(batch, rows, 3) and the density, with `np` either NumPy or JAX. Masked rows count as outside."""
    relu = lambda value: np.maximum(value, 0)
    of = lambda value, name: value @ weights[name].T + weights[name + " bias"]
    pose = x[..., LAG:] if keeps_pose is None else x[..., LAG:] * keeps_pose[:, None, None]
    h = of(np.concatenate([relu(of(x[..., :LAG], "lag")), relu(of(pose, "pose"))], -1), "mix")
    rows = x.shape[1]
    for block, dilation in enumerate(DILATIONS):
        r, first = relu(h) * mask[..., None], weights[f"first {block}"]
        padded = np.pad(r, ((0, 0), (dilation, dilation), (0, 0)))
        u = sum(padded[:, tap * dilation:tap * dilation + rows] @ first[..., tap].T for tap in range(3)) + weights[f"first bias {block}"]
        h = h + relu(u) @ weights[f"second {block}"].T + weights[f"second bias {block}"]
    out = of(relu(h), "out")
    density = np.exp(np.clip(out[..., 1], -4, 2.5)) / (1 + np.exp(-np.clip(out[..., 0], -30, 30))) / RATE * STRIDE * mask
    return out, density


def density(weights, x):
    """The density of one recording, of whose features `x` holds every second row."""
    return outputs(np, weights, x[None].astype(np.float32), np.ones((1, len(x)), np.float32))[1][0]


def save(path, weights, notes):
    """Text: notes as comments, then scale and 16-bit integers of each tensor, little-endian, in base64."""
    data = b""
    for name, shape in shapes():
        scale = max(float(np.abs(weights[name]).max()), 1e-9) / 32767
        data += struct.pack("<f", scale) + np.round(np.asarray(weights[name], np.float64) / np.float32(scale)).clip(-32767, 32767).astype("<i2").tobytes()
    text = base64.b64encode(data).decode()
    layout = ", ".join(f"{name} {'x'.join(map(str, shape))}" for name, shape in shapes())
    with open(path, "w") as file:
        for note in [*notes, "Each tensor: float32 scale, then int16 values, rows first: " + layout + "."]: file.write(f"# {note}\n")
        for start in range(0, len(text), 112): file.write(text[start:start + 112] + "\n")


def notes(path):
    """How the weights of a file were made, without the layout."""
    return [line[2:].rstrip() for line in open(path) if line.startswith("#") and not line.startswith("# Each tensor")]


def load(path):
    data, at, weights = base64.b64decode("".join(line.strip() for line in open(path) if not line.startswith("#"))), 0, {}
    for name, shape in shapes():
        scale, count = struct.unpack_from("<f", data, at)[0], int(np.prod(shape))
        weights[name] = (np.frombuffer(data, "<i2", count, at + 4).reshape(shape) * np.float32(scale)).astype(np.float32)
        at += 4 + 2 * count
    return weights


# ---- training

def loss(weights, batch, keeps_pose):
    """Of the density, of being inside, of boundaries; of the whole count, and of counts of any four seconds.

    A recording of which only the count is known (`told` 0) has a density spread evenly over what may be the set: it
    weighs little, and only a count outside low … high is wrong.
    """
    import jax, jax.numpy as jnp
    x, target, mask, low, high, told = batch
    out, found = outputs(jnp, weights, x, mask, keeps_pose)
    truth, weight = target[..., 0], mask * jnp.where(told > 0, 1.0, 0.3)[:, None]
    rows, rate = mask.sum() + 1e-6, RATE / STRIDE
    cross = lambda logit, aim: jnp.maximum(logit, 0) - logit * aim + jnp.log1p(jnp.exp(-jnp.abs(logit)))
    smooth = lambda error, beta: jnp.where(jnp.abs(error) < beta, error ** 2 / (2 * beta), jnp.abs(error) - beta / 2)
    inside = (cross(out[..., 0], target[..., 1]) * weight).sum() / rows
    tempo = (smooth(jnp.sqrt(found * rate + 1e-3) - jnp.sqrt(truth * rate + 1e-3), 0.3) * weight).sum() / rows
    edges = (cross(out[..., 2], target[..., 2]) * weight * told[:, None]).sum() / rows
    count = (found * mask).sum(1)
    aim = jax.lax.stop_gradient(jnp.clip(count, low, high))
    total = (smooth(count - aim, 0.3) / jnp.sqrt(aim + 1)).mean()
    running = jnp.cumsum((found - truth) * mask, 1)
    parts = (jnp.abs(running[:, 30:] - running[:, :-30]) * weight[:, 30:]).sum() / (mask[:, 30:].sum() + 1e-6)
    return inside + 2 * tempo + 0.5 * edges + 1.2 * total + 0.7 * parts


@functools.cache
def stepped():
    """A compiled step of AdamW."""
    import jax, jax.numpy as jnp

    @jax.jit
    def step(weights, first, second, batch, keeps_pose, rate, count):
        value, slopes = jax.value_and_grad(loss)(weights, batch, keeps_pose)
        norm = jnp.sqrt(sum((slope ** 2).sum() for slope in slopes.values()))
        slopes = {name: slope / jnp.maximum(1, norm) for name, slope in slopes.items()}
        first = {name: 0.9 * first[name] + 0.1 * slope for name, slope in slopes.items()}
        second = {name: 0.999 * second[name] + 0.001 * slope ** 2 for name, slope in slopes.items()}
        moved = {name: first[name] / (1 - 0.9 ** count) / (jnp.sqrt(second[name] / (1 - 0.999 ** count)) + 1e-8) for name in slopes}
        return {name: weights[name] * (1 - 0.012 * rate) - rate * moved[name] for name in weights}, first, second, value
    return step


def batch_of(rng, samples, length):
    """Samples (features, targets[, low, high, told]) side by side, longer ones cut to `length` rows."""
    x, target, mask = np.zeros((len(samples), length, LAG + POSE), np.float32), np.zeros((len(samples), length, 3), np.float32), np.zeros((len(samples), length), np.float32)
    limits = np.zeros((3, len(samples)), np.float32)
    for index, (values, aims, *told) in enumerate(samples):
        start = int(rng.integers(max(1, len(values) - length + 1)))
        n = min(length, len(values))
        x[index, :n], target[index, :n], mask[index, :n] = values[start:start + n], aims[start:start + n], 1
        amount = target[index, :n, 0].sum()
        limits[:, index] = told if told and len(values) <= length else (amount, amount, told[2] if told else 1)
    return x, target, mask, *limits


def fit(weights, rng, steps, rate, chosen, report=500):
    """Goes on from `weights`; `chosen` gives the samples of a batch and their length."""
    step = stepped()
    first, second = ({name: np.zeros_like(value) for name, value in weights.items()} for _ in range(2))
    losses, begun = [], time.time()
    for count in range(1, steps + 1):
        samples, length = chosen()
        keeps_pose = (rng.random(len(samples)) > 0.25).astype(np.float32)
        now = rate * min(1, count / 40) * (0.5 + 0.5 * np.cos(np.pi * count / steps)) + 1e-6
        weights, first, second, value = step(weights, first, second, batch_of(rng, samples, length), keeps_pose, now, float(count))
        losses.append(float(value))
        if count % report == 0 or count == steps:
            print(f"  step {count} of {steps}: loss {np.mean(losses[-report:]):.3f}, {time.time() - begun:.0f} s", flush=True)
    return {name: np.asarray(value) for name, value in weights.items()}


BUCKETS = (60, 105, 150, 200)


class Pool:
    """Samples by length, so that those of a batch need the same room."""

    def __init__(self, paths, most=None):
        self.samples = [sample for path in paths for sample in pickle.load(open(path, "rb"))][:most]
        lengths = np.array([len(values) for values, _ in self.samples])
        bucket = np.minimum(np.searchsorted(BUCKETS, lengths), len(BUCKETS) - 1)
        self.members = [np.flatnonzero(bucket == index) for index in range(len(BUCKETS))]

    def batch(self, rng, size, bucket=None):
        if bucket is None: bucket = rng.choice(len(BUCKETS), p=[len(each) / len(self.samples) for each in self.members])
        return [self.samples[index] for index in rng.choice(self.members[bucket], size)], BUCKETS[bucket]


# ---- labelled recordings

MEDIAPIPE = [0, 11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]


class Recording:
    """Poses with a count: `low` … `high` of `kind`; `repetitions` in seconds if they are known, else the `span` of the set."""

    def __init__(self, kind, name, source, low, high, path, repetitions=None, span=None):
        self.kind, self.name, self.low, self.high, self.path, self.repetitions, self.span = kind, name, low, high, path, repetitions, span
        self.fold = int(hashlib.md5(source.encode()).hexdigest(), 16) % 4

    def read(self):
        """Times, joints in picture heights, confidences and cuts of the most prominent person; None if hardly anyone is seen."""
        if self.path.endswith(".npy"): # 15 a second, y down, stretched to the body, no confidences
            poses = np.load(self.path).astype(float) / 65535
            seen = np.flatnonzero(poses.reshape(len(poses), -1).any(1))
            if len(seen) < 8: return None
            joints = poses[seen][:, MEDIAPIPE] * [1, -1] + [0, 1]
            return seen / 15, joints, np.full((len(seen), JOINTS), 0.9), []
        frames, extent = [], {}
        for line in open(self.path):
            frame, people = json.loads(line), {}
            for person in frame["people"]:
                if not all(name in person["keypoints"] for name in NAMES): continue
                points, key = np.array([person["keypoints"][name] for name in NAMES], float), (person.get("shot", 0), person["id"])
                points[:, 0] *= frame["width"] / frame["height"]
                people[key] = points
                extent[key] = extent.get(key, 0) + np.ptp(points[:, 0]) + np.ptp(points[:, 1])
            if people: frames.append((frame["time"], people))
        if len(frames) < 8: return None
        keys = [max(people, key=extent.get) for _, people in frames]
        times, poses = np.array([time for time, _ in frames]), np.array([people[key] for key, (_, people) in zip(keys, frames)])
        for before, after in zip(poses, poses[1:]):
            lost = after[:, 2] == 0
            after[lost, :2] = before[lost, :2]
        return times, poses[..., :2], poses[..., 2], [times[index] for index in range(1, len(times)) if keys[index] != keys[index - 1]]

    def sample(self, poses, speed=1.0):
        """Features and targets, and what counts as right; a recording read `speed` times as fast."""
        times, joints, confidence, cuts = poses
        made = rows(times / speed, joints, confidence, [cut / speed for cut in cuts])
        told = self.repetitions is not None
        spread = self.repetitions if told else [(a, b) for a, b in zip(*(np.linspace(*self.span, max(1, self.high) + 1)[cut] for cut in (slice(None, -1), slice(1, None))))]
        aims = targets(len(made[0]), (np.array(spread if self.high else []).reshape(-1, 2) / speed - times[0] / speed) * RATE)
        return features(*made)[::STRIDE], aims, self.low, self.high, float(told)


def recordings(shared, poses):
    found = []
    for kind, folder in (("first", ""), ("more", "more"), ("strangers", "strangers"), ("third", "third")):
        for row in csv.DictReader(open(os.path.join(shared, "data/repetitions", folder, "labels.csv"))):
            if row["exercise"] == "dance" and kind == "third": continue # no defined count
            low, high = int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"])
            path = os.path.join(poses, f"{kind}-{os.path.splitext(row['file'])[0]}.jsonl")
            found.append(Recording(kind, row["file"], row["source"].split("@")[0], low, high, path,
                                   span=(float(row["start"] or 0), float(row["end"] or row["duration"]))))
    for row in csv.DictReader(open(os.path.join(shared, "data/repcount/labels.csv"))):
        repetitions = np.array(json.loads(row["repetitions"])).reshape(-1, 2) / 15
        found.append(Recording("repcount", row["file"], "repcount " + row["file"].split("_")[0], int(row["count"]), int(row["count"]),
                               os.path.join(shared, "data/repcount", row["file"]), repetitions))
    for path in sorted(glob.glob(os.path.join(poses, "everyday-*.jsonl"))):
        name = os.path.basename(path)[:-6]
        found.append(Recording("everyday", name, "everyday" + name.split("-")[1], 0, 0, path, np.zeros((0, 2))))
    return [recording for recording in found if os.path.exists(recording.path)]


def varied(recording, rng):
    """Samples of a recording: as it is, faster, slower, mirrored, less clearly seen."""
    poses = recording.read()
    if poses is None: return []
    times, joints, confidence, cuts = poses
    mirrored = joints[:, SWAPPED] * [-1, 1], confidence[:, SWAPPED]
    size = np.median(np.ptp(joints[..., 1], axis=1)) + 1e-3
    every = np.sort(rng.choice(len(times), max(8, int(0.6 * len(times))), replace=False))
    noisy = joints + rng.standard_normal(joints.shape) * size * 0.012
    made = [recording.sample(poses), recording.sample((times, *mirrored, cuts), rng.uniform(1.15, 1.5)), recording.sample((times, joints, confidence, cuts), rng.uniform(0.65, 0.87)),
            recording.sample((times[every], noisy[every], confidence[every], cuts)), recording.sample((times, noisy[:, SWAPPED] * [-1, 1], mirrored[1], cuts))]
    return [(sample[0].astype(np.float16), *sample[1:]) for sample in made]


def figures(counts, found):
    """A line of exact and within one by kind; `counts` by (kind, name)."""
    groups = {}
    for recording in found:
        count = counts[recording.kind, recording.name]
        error = abs(count - min(max(count, recording.low), recording.high))
        kinds = [recording.kind] + (["212"] if recording.kind in ("first", "more", "strangers") else []) + (["third 3+"] if recording.kind == "third" and recording.high >= 3 else [])
        if "212" in kinds: kinds.append(f"212 of {('none', 'one', 'two')[recording.high]}" if recording.high < 3 else "212 of 3+")
        for kind in kinds: groups.setdefault(kind, []).append(error)
    return "; ".join(f"{kind} ({len(errors)}) " + (f"false {int(np.sum(np.array(errors) > 0))}" if kind == "everyday" else f"{np.mean(np.array(errors) == 0):.3f}/{np.mean(np.array(errors) <= 1):.3f}")
                     for kind, errors in sorted(groups.items()))


def counted(weights, samples):
    return round(float(density(weights, samples[0][0]).sum())) if samples else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", "fine-tune", "average", "evaluate", "check"])
    parser.add_argument("--synthetic", nargs="*", default=[], help="what counting_synth.py wrote")
    parser.add_argument("--weights", nargs="*", default=[], help="of `evaluate`: one file, or four with --folds")
    parser.add_argument("--from", dest="base", help="weights to go on from")
    parser.add_argument("--out")
    parser.add_argument("--fold", type=int, help="the fold that is left out; without it none is")
    parser.add_argument("--folds", action="store_true", help="each recording by the weights that were fitted without its fold")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--samples", type=int, help="no more synthetic samples than these")
    parser.add_argument("--shared", default="../shared")
    parser.add_argument("--poses", default=".kinema/measured/counting")
    parser.add_argument("--cache", help="where features of the recordings are kept")
    parser.add_argument("--note", nargs="*", default=[], help="lines for the head of the weights")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    if arguments.what == "train":
        pool = Pool(arguments.synthetic, arguments.samples)
        start = load(arguments.base) if arguments.base else fresh(arguments.seed)
        weights = fit(start, rng, arguments.steps, arguments.rate or 3e-3, lambda: pool.batch(rng, 24))
        save(arguments.out, weights, [*(notes(arguments.base) if arguments.base else []), *arguments.note, f"{len(pool.samples)} synthetic samples, {arguments.steps} steps, seed {arguments.seed}."])
        return
    if arguments.what == "average":
        all_weights = [load(path) for path in arguments.weights]
        save(arguments.out, {name: np.mean([weights[name] for weights in all_weights], 0) for name in all_weights[0]},
             [*arguments.note, f"The mean of {len(all_weights)} networks:", *(note for path in arguments.weights for note in notes(path))])
        return
    if arguments.cache and os.path.exists(arguments.cache): found, samples = pickle.load(open(arguments.cache, "rb"))
    else:
        found = recordings(arguments.shared, arguments.poses)
        samples = {(each.kind, each.name): varied(each, np.random.default_rng(1)) for each in found}
        if arguments.cache: pickle.dump((found, samples), open(arguments.cache, "wb"), 4)
    if arguments.what == "fine-tune":
        pool = Pool(arguments.synthetic, arguments.samples)
        real = [samples[each.kind, each.name] for each in found if each.fold != arguments.fold and samples[each.kind, each.name]]

        def chosen():
            made, length = pool.batch(rng, 10, 3)
            picked = [variants[rng.integers(len(variants))] for variants in (real[index] for index in rng.integers(len(real), size=14))]
            return made + picked, 200
        weights = fit(load(arguments.base), rng, arguments.steps, arguments.rate or 1e-3, chosen)
        save(arguments.out, weights, [*notes(arguments.base), *arguments.note, f"Then counts of {len(real)} recordings, {arguments.steps} steps, seed {arguments.seed}."])
    elif arguments.what == "evaluate":
        for paths in [arguments.weights] if arguments.folds else [[path] for path in arguments.weights]:
            weights = [load(path) for path in paths]
            counts = {(each.kind, each.name): counted(weights[each.fold % len(weights)], samples[each.kind, each.name]) for each in found}
            print(" ".join(paths), figures(counts, found), sep="\n  ", flush=True)
    else:
        weights, kept = load(arguments.weights[0]), {}
        for index, each in enumerate(found[:90:30]):
            poses = each.read()
            placed = rows(*poses)
            x = features(*placed)
            out, amount = outputs(np, weights, x[::STRIDE][None], np.ones((1, len(x[::STRIDE])), np.float32))
            for name, value in (("times", poses[0]), ("joints", poses[1]), ("poses_confidence", poses[2]), ("placed", placed[0]), ("confidence", placed[1]),
                                ("cut", placed[2]), ("features", x), ("outputs", out[0]), ("density", amount[0]), ("name", each.kind + "-" + each.name)):
                kept[f"{name}{index}"] = np.asarray(value)
        np.savez_compressed(arguments.out, **kept)


if __name__ == "__main__": main()
