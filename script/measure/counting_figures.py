"""How the counter does on recordings its trees were not fitted to: live, at the end, altered, and without parts of its evidence.

Every clip is counted by `kinema count --trees`, with trees fitted without the clip's source.
"""
import collections, concurrent.futures, copy, json, os, subprocess, tempfile
import numpy as np

REAL = ("first", "more", "strangers", "third")
DRAWN = ("idle", "wild", "swaying", "exercise", "jump", "quick")
KINDS = (*REAL, "repcount", "everyday", *DRAWN)
Counted = collections.namedtuple("Counted", "clip live end repetitions duration posterior")


def count(arguments, clip, weights, poses=None, options=()):
    """The clip's live and final count, its repetitions, and the probability of each count."""
    stretched = ["--fps", str(clip.rate), "--aspect", "1/1"] if clip.rate else []
    command = [arguments.kinema, "count", poses or clip.poses, *stretched, "--weights", weights, *options, "--format", "json"]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode not in (0, 2): raise SystemExit(ended.stderr.strip())
    result = json.loads(ended.stdout) if ended.returncode == 0 else {"people": [], "count": 0, "duration": 0}
    repetitions = [one for person in result["people"] for one in person["repetitions"]]
    posterior = {one["count"]: one["probability"] for person in result["people"] for one in person.get("likely", [])}
    return Counted(clip, sum(person["reported"] for person in result["people"]), result["count"], repetitions, result["duration"], posterior)


def count_all(arguments, clips, weights, options=()):
    """Counts every clip with the weights fitted without its fold."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda clip: count(arguments, clip, weights[clip.fold], options=options), clips))


def figures(counted, which):
    """MAE, share within one and share exact, of the live or the final count."""
    rows = [(getattr(one, which), min(max(getattr(one, which), one.clip.low), one.clip.high)) for one in counted]
    got, truth = np.array(rows, float).T
    away = np.abs(got - truth)
    return np.mean(away / np.maximum(truth, 1)), np.mean(away <= 1), np.mean(away == 0)


def line(title, counted):
    numbers = ["{:.3f} {:.3f} {:.3f}".format(*figures(counted, which)) for which in ("live", "end")]
    none = [one for one in counted if one.clip.high == 0]
    false = " ".join(f"{sum(getattr(one, which) > 0 for one in none):5}" for which in ("live", "end"))
    print(f"{title:28}{len(counted):5}   {numbers[0]}   {numbers[1]}" + (f"   {false} of {len(none)}" if none else ""), flush=True)


def times(counted):
    """How often the start and end of a true repetition are right, and how soon it is reported."""
    starts, ends, later, first = [], [], [], []
    for one in counted:
        if one.clip.reps is None or len(one.clip.reps) == 0: continue
        known = []
        for start, end in one.clip.reps:
            shared = lambda r: (min(end, r["end"]) - max(start, r["start"])) / max(1e-3, max(end, r["end"]) - min(start, r["start"]))
            best = max(one.repetitions, key=shared, default=None)
            best = best if best and shared(best) > 0.3 else None
            starts.append(best is not None and abs(best["start"] - start) <= 0.15)
            ends.append(best is not None and abs(best["end"] - end) <= 0.15)
            known.append(best["known"] if best else np.inf)
        later += [at <= end + 0.3 for at, (_, end) in list(zip(known, one.clip.reps))[2:]]
        if len(known) > 1: first.append(max(known[:2]) <= one.clip.reps[1][1] + 0.5)
    return [np.mean(values) for values in (starts, ends, later, first)]


def reliability(counted):
    """How often the count is right, by its stated probability, and the expected calibration error."""
    rows = [(one.posterior.get(one.end, 1.0), one.clip.low <= one.end <= one.clip.high) for one in counted if one.posterior]
    said, right = np.array(rows, float).T
    bins, error = np.minimum((said * 10).astype(int), 9), 0
    print("stated probability of the count, and how often it is right:")
    for index in range(10):
        own = bins == index
        if not own.any(): continue
        error += own.mean() * abs(said[own].mean() - right[own].mean())
        print(f"  {said[own].mean():.2f}   {right[own].mean():.2f}   of {own.sum()}")
    print(f"expected calibration error {error:.3f}", flush=True)


def report(arguments, clips, weights):
    """Prints the figures of every kind of clip, the reliability of confidences and the twenty worst recordings."""
    counted = count_all(arguments, clips, weights)
    real = [one for one in counted if one.clip.kind in REAL]
    print(f"{'MAE, within one, exact':28}{'clips':>5}   {'live':17}   {'at the end':17}   counted without exercise: live, end")
    line("all labelled recordings", real)
    for kind in KINDS: line(kind, [one for one in counted if one.clip.kind == kind])
    for title, own in (("nothing to count", [one for one in real if one.clip.high == 0]), ("a single repetition", [one for one in real if one.clip.high == 1]),
                       ("two", [one for one in real if one.clip.low == 2]), ("three and more", [one for one in real if one.clip.low >= 3])): line(title, own)
    anything = count_all(arguments, [clip for clip in clips if clip.kind in (*REAL, "everyday", *DRAWN)], weights, ["--expect", "anything"])
    line("expecting anything: all", [one for one in anything if one.clip.kind in REAL])
    line("  nothing to count", [one for one in anything if one.clip.kind in REAL and one.clip.high == 0])
    for kind in ("everyday", *DRAWN): line(f"  {kind}", [one for one in anything if one.clip.kind == kind])
    line("  three and more", [one for one in anything if one.clip.kind in REAL and one.clip.low >= 3])
    print(f"the end differs from live in {np.mean([one.live != one.end for one in real]):.3f} of the recordings")
    zero = [one.clip.name for one in real if one.clip.low >= 3 and one.end == 0]
    print(f"none counted where there are three or more: {', '.join(zero) or 'in no recording'}")
    reliability(real)
    print("the worst recordings:")
    def error(one): return abs(one.end - min(max(one.end, one.clip.low), one.clip.high)) / max(one.clip.high, 1)
    for one in sorted(real, key=error)[:-21:-1]:
        if error(one): print(f"  {one.clip.kind + ' ' + one.clip.name:42} {one.clip.low}-{one.clip.high}, live {one.live}, end {one.end}   {sorted(one.posterior.items(), key=lambda q: -q[1])[:4]}", flush=True)
    return counted


def altered(lines):
    """The frames of a pose file under each name as if recorded differently; only "looped" changes the true count."""
    def fresh():
        frames = [json.loads(text) for text in lines]
        for frame in frames:
            frame.pop("camera", None)
            for person in frame["people"]: person.pop("keypoints3D", None)
        return frames

    def moved(change):
        """`change` returns a joint's new position and confidence."""
        frames = fresh()
        for frame in frames:
            for person in frame["people"]:
                person["keypoints"] = {name: change(*joint, frame["time"]) for name, joint in person["keypoints"].items()}
        return frames

    def timed(change):
        frames = fresh()
        for frame in frames: frame["time"] = round(change(frame["time"]), 6)
        return frames

    def resampled(rate):
        """The nearest frames, or means of two if the rate is higher than the recording's own."""
        frames = fresh()
        own = [frame["time"] for frame in frames]
        isDenser, found = rate > (len(own) - 1) / max(own[-1] - own[0], 1e-6), []
        for index, time in enumerate(np.arange(own[0], own[-1] + 1e-6, 1 / rate)):
            place = int(np.clip(np.searchsorted(own, time), 1, len(own) - 1))
            share = float(np.clip((time - own[place - 1]) / max(1e-6, own[place] - own[place - 1]), 0, 1))
            near, other = (place, place - 1) if share >= 0.5 else (place - 1, place)
            frame, weight = json.loads(json.dumps(frames[near])), min(share, 1 - share)
            others = {person["id"]: person["keypoints"] for person in frames[other]["people"]}
            for person in frame["people"] if isDenser else []:
                for name, joint in person["keypoints"].items():
                    beside = others.get(person["id"], {}).get(name, joint)
                    joint[:2] = [(1 - weight) * joint[axis] + weight * beside[axis] for axis in (0, 1)]
            found.append({**frame, "frame": index, "time": round(float(time), 6)})
        return found

    def mirrored():
        frames = moved(lambda x, y, c, _: [1 - x, y, c])
        other = lambda name: name.replace("left", "right") if name.startswith("left") else name.replace("right", "left")
        for frame in frames:
            for person in frame["people"]: person["keypoints"] = {other(name): joint for name, joint in person["keypoints"].items()}
        return frames

    def looped():
        frames = fresh()
        length = frames[-1]["time"] - frames[0]["time"] + 1 / 30
        return frames + [{**frame, "time": round(frame["time"] + length, 6)} for frame in frames]

    last = json.loads(lines[-1])["time"]
    yield from {f"{rate} frames a second": resampled(rate) for rate in (5, 10, 60, 120)}.items()
    yield "half the tempo", timed(lambda time: 2 * time)
    yield "twice the tempo", timed(lambda time: time / 2)
    yield "mirrored", mirrored()
    yield "backwards", timed(lambda time: last - time)[::-1]
    yield "the outer tenth cropped", moved(lambda x, y, c, _: [x, y, c if 0.1 < x < 0.9 and 0.1 < y < 0.9 else 0])
    yield "half the size", moved(lambda x, y, c, _: [0.25 + x / 2, 0.25 + y / 2, c])
    yield "a quarter of the size", moved(lambda x, y, c, _: [0.375 + x / 4, 0.375 + y / 4, c])
    yield "swayed", moved(lambda x, y, c, t: [x + 0.02 * np.sin(2 * t), y + 0.015 * np.sin(2.7 * t), c])
    yield "looped", looped()


def vary(arguments, clips, weights):
    """Prints the figures of the labelled recordings as they are and altered."""
    def variants(clip):
        found = {}
        for name, frames in altered(open(clip.poses).readlines()):
            twin = copy.copy(clip)
            if name == "looped": twin.low, twin.high = 2 * clip.low, 2 * clip.high
            with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
                file.writelines(json.dumps(frame, separators=(",", ":")) + "\n" for frame in frames)
                file.flush()
                found[name] = count(arguments, twin, weights[clip.fold], file.name)
        return found

    real = [clip for clip in clips if clip.kind in REAL]
    print(f"{'MAE, within one, exact':28}{'clips':>5}   {'live':17}   {'at the end':17}")
    line("as they are", count_all(arguments, real, weights))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool: found = list(pool.map(variants, real))
    for name in found[0]: line(name, [one[name] for one in found])
