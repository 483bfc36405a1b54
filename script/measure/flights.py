"""Kinema's flights on real recordings with labelled balls, and the fit of the weights of the confidence.

Labels are NAME.ball.csv beside a recording: flight, frame, t, x, y in pixels, origin at the upper left. A flight counts
as found if at least three of its labels (half of them, if there are fewer than six) lie within 1.5 % of the image's
width of points of one reported flight. ffmpeg makes variants of the recordings; their labels follow from the
recording's own.
"""
import csv
import glob
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import fit_score
from kinema_command import command_line

NEAR, SAME_TIME = 0.015, 0.012
GOAL_FOUND, GOAL_ERROR = 0.9, 0.01
VARIANTS = ("half", "dropped", "unclocked", "stuttering", "repeated", "faint", "panned", "cropped", "streaked", "near", "small")
# None of these contain a flight.
WITHOUT = ("repetitions/*.mp4", "repetitions/more/*.mp4", "crowds/*", "hands/asl/*.mkv", "hands/pinches/*.mp4")


class Recording:
    """A video, its labelled flights as lists of (t, x, y), and the name that it shares with its variants."""

    def __init__(self, path, kind, labels=None):
        self.path, self.kind = path, kind
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.flights = labels if labels is not None else read_labels(path)
        self.isnegative = self.name.startswith("neg_") or kind == "without"


def read_labels(path):
    file = os.path.splitext(path)[0] + ".ball.csv"
    flights = defaultdict(list)
    if os.path.exists(file):
        for row in csv.DictReader(open(file)):
            flights[row.get("flight") or "1"].append((float(row["t"]), float(row["x"]), float(row["y"])))
    return {flight: points for flight, points in flights.items() if len(points) >= 3}


def recordings(shared):
    folder = os.path.join(shared, "data", "throws")
    paths = sorted(glob.glob(os.path.join(folder, "more", "*.mp4")))
    return [Recording(path, "real") for path in paths + [
        os.path.join(folder, name) for name in ("ball_throw_gym.mp4", "freethrow_yard.mp4")]]


def probe(path):
    run = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height,r_frame_rate,nb_frames",
         "-of", "csv=p=0", path], capture_output=True, text=True, check=True)
    width, height, rate, frames = run.stdout.strip().split(",")
    over, under = rate.split("/")
    return int(width), int(height), float(over) / float(under), int(frames) if frames.isdigit() else 0


def variant(recording, kind, folder):
    """A recording as another camera or program would have made it."""
    width, height, rate, frames = probe(recording.path)
    chance = random.Random(recording.name)
    left_out = sorted(chance.sample(range(5, frames), max(1, frames // 10)))
    kept = "select='not(" + "+".join(f"eq(n,{n})" for n in left_out) + ")'"
    number = lambda t: round(t * rate)
    same = lambda t, x, y: (t, x, y)
    timing = ["-vsync", "vfr"]
    if kind == "half":
        filters, label = "select='not(mod(n,2))'", lambda t, x, y: (t, x, y) if number(t) % 2 == 0 else None
    elif kind == "dropped":
        filters, label = kept, lambda t, x, y: None if number(t) in left_out else (t, x, y)
    elif kind == "unclocked":
        filters = kept + f",setpts=N/({rate})/TB"
        label = lambda t, x, y: None if number(t) in left_out else (
            (number(t) - sum(n < number(t) for n in left_out)) / rate, x, y)
    elif kind == "stuttering":
        filters, label, timing = kept + f",fps={rate}", lambda t, x, y: None if number(t) in left_out else (t, x, y), []
    elif kind == "repeated":
        filters, label, timing = f"fps={rate * 1.25}", same, []
    elif kind == "faint":
        filters, label, timing = "eq=contrast=0.45,noise=alls=6:allf=t", same, []
    elif kind == "panned":
        w, h, last = int(width * 0.8) // 2 * 2, int(height * 0.88) // 2 * 2, max(frames - 1, 1)
        filters = (f"crop={w}:{h}:x='(iw-ow)*(0.2+0.6*n/{last})+2*sin(n/3)':y='(ih-oh)/2+2*sin(n/2)'")
        label = lambda t, x, y: (t, x - (width - w) * (0.2 + 0.6 * number(t) / last), y - (height - h) / 2)
        timing = []
    elif kind == "cropped":
        top = int(height * 0.22) // 2 * 2
        filters, label, timing = f"crop=iw:ih-{top}:0:{top}", lambda t, x, y: (t, x, y - top) if y > top else None, []
    elif kind == "streaked":
        filters, label = "tmix=frames=2,select='mod(n,2)'", None
    elif kind == "near":
        spots = [point for points in recording.flights.values() for point in points] or [(0, 0, 0), (0, width, height)]
        xs, ys = [x for _, x, _ in spots], [y for _, _, y in spots]
        w = min(width, int(max(max(xs) - min(xs) + width * 0.15, width * 0.45))) // 2 * 2
        h = min(height, int(max(max(ys) - min(ys) + height * 0.15, height * 0.45))) // 2 * 2
        x0 = int(min(max(0, (max(xs) + min(xs) - w) / 2), width - w))
        y0 = int(min(max(0, (max(ys) + min(ys) - h) / 2), height - h))
        filters, label, timing = f"crop={w}:{h}:{x0}:{y0}", lambda t, x, y: (t, x - x0, y - y0), []
    else:
        scale = 480 / max(width, height)
        filters, label, timing = f"scale={round(width * scale / 2) * 2}:-2", lambda t, x, y: (t, x * scale, y * scale), []
    path = os.path.join(folder, f"{recording.name}.{kind}.mp4")
    if not os.path.exists(path):
        part = path[:-4] + ".part.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", recording.path, "-vf", filters, *timing, "-an", "-c:v", "libx264",
             "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", part], check=True)
        os.replace(part, path)
    flights = {}
    for name, points in recording.flights.items():
        moved = streaked(points, rate) if label is None else [p for p in (label(*point) for point in points) if p]
        if len(moved) >= 3:
            flights[name] = moved
    result = Recording(path, kind, flights)
    result.name, result.isnegative = recording.name, recording.isnegative
    return result


def streaked(points, rate):
    """Labels midway between each odd frame and the frame before it, which were blended."""
    moved = []
    for index, (t, x, y) in enumerate(points):
        if round(t * rate) % 2 == 0:
            continue
        one, two = (points[index - 1], points[index]) if index else points[:2]
        frames = round((two[0] - one[0]) * rate)
        if frames > 0:
            moved.append((t - 1 / rate, x - (two[1] - one[1]) / frames / 2, y - (two[2] - one[2]) / frames / 2))
    return moved


def candidates(command, path):
    """The candidates that Kinema tracked in a recording, and the image's width."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "why.jsonl")
        run = subprocess.run(
            [command, "trajectories", path, "--explain", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Exit code 2: nothing was found.
        if run.returncode not in (0, 2):
            sys.exit(f"{command} trajectories {path} failed with {run.returncode}: {run.stderr.strip()}")
        found = [json.loads(line) for line in open(file)] if os.path.exists(file) else []
    width, height, _, _ = probe(path)
    for candidate in found:
        candidate["points"] = [(t, x * width, (1 - y) * height) for t, x, y in candidate["points"]]
    return found, width


def errors(candidate, labels, width):
    """The distances of labels from the candidate's points at their times, in image widths."""
    distances = []
    for t, x, y in labels:
        near = min(candidate["points"], key=lambda point: abs(point[0] - t))
        if abs(near[0] - t) < SAME_TIME:
            distances.append(math.hypot(near[1] - x, near[2] - y) / width)
    return distances


def covers(candidate, labels, width):
    return sum(error < NEAR for error in errors(candidate, labels, width)) >= min(3, len(labels) / 2)


def measure(arguments):
    chosen = [one for one in recordings(arguments.shared)
              if not arguments.clips or any(clip in one.name for clip in arguments.clips)]
    kinds = ("real", *VARIANTS) if arguments.varied else ("real",)
    folder = os.path.join(arguments.cache, "flights")
    os.makedirs(folder, exist_ok=True)
    failed = False
    for kind in kinds:
        clips = chosen if kind == "real" else [variant(one, kind, folder) for one in chosen]
        found = labelled = false = 0
        distances, lines = [], []
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda one: candidates(arguments.kinema, one.path), clips))
        for clip, (all_candidates, width) in zip(clips, results):
            reported = [one for one in all_candidates if one["isReported"]]
            hits, misses, used = 0, [], []
            for name, labels in clip.flights.items():
                match = next((one for one in reported if covers(one, labels, width)), None)
                if match:
                    hits += 1
                    used.append(id(match))
                    distances += [error for error in errors(match, labels, width) if error < NEAR]
                    continue
                followed = [one for one in all_candidates if covers(one, labels, width)]
                best = max(followed, key=lambda one: one["confidence"], default=None)
                cause = (f"confidence {best['confidence']:.2f}, {best['verdict']}" if best
                         else "nothing was tracked there for five points")
                misses.append(f"    missed flight {name}, {labels[0][0]:.2f} to {labels[-1][0]:.2f} s: {cause}")
            others = sum(id(one) not in used for one in reported)
            found, labelled = found + hits, labelled + len(clip.flights)
            false += others if clip.isnegative else 0
            lines.append(f"  {clip.name:22} {hits} of {len(clip.flights)} flights, {others} others reported")
            lines += misses
        if kind == "real" or arguments.clips:
            print("\n".join(lines))
        middle = sorted(distances)[len(distances) // 2] if distances else 0
        print(f"{kind:10} {found} of {labelled} flights found ({found / max(labelled, 1):.3f}), "
              f"{false} reported where nothing flies, points {100 * middle:.2f} % of the width off (median)", flush=True)
        if kind == "real" and not arguments.clips:
            failed = found < GOAL_FOUND * labelled or false > 0 or middle > GOAL_ERROR
    if failed:
        sys.exit(f"missed a goal: at least {GOAL_FOUND:.0%} found, none where nothing flies, points within 1 %")


# Fitting


def rows(arguments):
    """Every candidate with its terms: (kind, source, terms, whether it is a flight, its start, its possibility)."""
    folder = os.path.join(arguments.cache, "flights")
    os.makedirs(folder, exist_ok=True)
    real = recordings(arguments.shared)
    clips = list(real)
    for kind in VARIANTS:
        clips += [variant(one, kind, folder) for one in real]
    for pattern in WITHOUT:
        clips += [Recording(path, "without", {}) for path in sorted(glob.glob(os.path.join(arguments.shared, "data", pattern)))
                  if path.endswith((".mp4", ".mkv", ".avi"))]
    clips += rendered(arguments, folder)
    table, truth = [], []
    with ThreadPoolExecutor(2) as pool:
        for clip, (found, width) in zip(clips, pool.map(lambda one: candidates(arguments.kinema, one.path), clips)):
            # In a recording with flights, a candidate away from the labels may still be a flight.
            known = clip.isnegative or clip.kind == "rendered"
            hits = defaultdict(list)
            for candidate in found:
                flight = next((name for name, labels in clip.flights.items() if follows(candidate, labels, width)), None)
                if flight is not None:
                    hits[flight].append(len(table))
                elif not known or any(touches(candidate, labels, width) for labels in clip.flights.values()):
                    continue
                terms = {name: quantity["term"] for name, quantity in candidate["quantities"].items()}
                table.append((
                    clip.kind, clip.name, terms, flight is not None, candidate["start"], candidate["possibility"]))
            truth += [(clip.kind, clip.name, name, hits[name]) for name in clip.flights]
            print(f"\r{len(truth)} flights, {len(table)} candidates", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return table, truth


def rendered(arguments, folder):
    """Forty rendered scenes with exact truth."""
    scenes = os.path.join(folder, "rendered")
    if len(glob.glob(os.path.join(scenes, "*.json"))) < 40:
        subprocess.run([arguments.kinema, "evaluate", "trajectories", "--clips", "40", "--keep", scenes],
                       check=True, stdout=subprocess.DEVNULL)
    clips = []
    for file in sorted(glob.glob(os.path.join(scenes, "*.json"))):
        path = file[:-5] + ".mp4"
        width, height, _, _ = probe(path)
        flights = {str(index): [(t, x * width, (1 - y) * height) for t, (x, y) in zip(flight["times"], flight["points"])]
                   for index, flight in enumerate(json.load(open(file))["flights"])}
        clips.append(Recording(path, "rendered", flights))
    return clips


def follows(candidate, labels, width):
    """Whether a candidate is a labelled flight: most of its points lie in the flight's time and on its labels."""
    distances = errors({"points": labels}, candidate["points"], width)
    near = sum(distance < NEAR for distance in distances)
    inside = sum(labels[0][0] - 0.05 <= t <= labels[-1][0] + 0.05 for t, _, _ in candidate["points"])
    return near >= min(3, len(labels) / 2) and near >= 0.7 * len(distances) and 2 * inside >= len(candidate["points"])


def touches(candidate, labels, width):
    """Whether any point lies on a flight, which makes the candidate neither right nor wrong."""
    return any(distance < 2 * NEAR for distance in errors({"points": labels}, candidate["points"], width))


def fitted(x, y, weights):
    return fit_score.fit(x, y, weights, ridge=1, constant=-1)


def probability(x, solution):
    return 1 / (1 + np.exp(-np.clip(x @ solution + math.log(9), -30, 30)))


def report(title, table, truth, confidence):
    print(title)
    for kind in ("real", *VARIANTS, "rendered"):
        flights = [hits for one, _, _, hits in truth if one == kind]
        found = sum(any(confidence[row] >= 0.9 for row in hits) for hits in flights)
        print(f"    {kind:10} {found} of {len(flights)} flights found ({found / max(len(flights), 1):.3f})")
    wrong = {(kind, source, round(start)) for (kind, source, _, is_flight, start, _), c in zip(table, confidence)
             if c >= 0.9 and not is_flight}
    for kind, words in (("without", "recordings without flights"), ("rendered", "rendered scenes")):
        clips = {source for one, source, *_ in table if one == kind}
        print(f"    {sum(one == kind for one, _, _ in wrong)} falsely reported in {len(clips)} {words}")
    print(f"    {sum(one not in ('without', 'rendered') for one, _, _ in wrong)} falsely reported in variants of recordings named neg_")


def fit(arguments):
    table, truth = rows(arguments)
    names = quantity_names(arguments.source)
    if sorted(names) != sorted(table[0][2]):
        sys.exit(f"FlightConfidence.swift names {names}, but the command reports {sorted(table[0][2])}; build it from this source")
    terms = np.array([[row[2][name] for name in names] for row in table])
    y = np.array([float(row[3]) for row in table])
    possibility = np.array([row[5] for row in table])
    # A variant or a rendered flight counts as a third of a real one.
    weights = np.array([1.0 if row[0] in ("real", "without") or not row[3] and row[0] == "rendered" else 0.3 for row in table])
    mean, deviation = terms.mean(0), terms.std(0)
    x = np.c_[(terms - mean) / deviation, np.ones(len(terms))]
    sources = np.array([row[1] if row[0] != "rendered" else f"rendered{int(row[1][-2:]) % 5}" for row in table])
    flown = sorted({source for source, value in zip(sources, y) if value})
    rest = sorted(set(sources) - set(flown))
    confidence = np.zeros(len(table))
    for fold in [[one] for one in flown] + [rest[start::5] for start in range(5)]:
        out = np.isin(sources, fold)
        confidence[out] = possibility[out] * probability(x[out], fitted(x[~out], y[~out], weights[~out]))
    report("At a confidence of 0.9, cross-validated by recording:", table, truth, confidence)
    for left_out in range(len(names)):
        keep = [index for index in range(x.shape[1]) if index != left_out]
        without = np.zeros(len(table))
        for fold in [[one] for one in flown] + [rest[start::5] for start in range(5)]:
            out = np.isin(sources, fold)
            without[out] = possibility[out] * probability(x[out][:, keep], fitted(x[~out][:, keep], y[~out], weights[~out]))
        found = Counter(kind for kind, _, _, hits in truth if any(without[row] >= 0.9 for row in hits))
        wrong = len({(row[1], round(row[4])) for row, c in zip(table, without) if c >= 0.9 and not row[3]})
        print(f"    without {names[left_out]:10} {found['real']} real, {sum(found[kind] for kind in VARIANTS)} of variants, "
              f"{found['rendered']} rendered, {wrong} false")
    solution = fitted(x, y, weights)
    write(arguments.source, names, mean, deviation, solution, np.average(terms[y == 1], axis=0, weights=weights[y == 1]))


def quantity_names(source):
    text = open(os.path.join(source, "Sources", "KinemaImaging", "Trajectories", "FlightConfidence.swift")).read()
    return re.findall(r'FlightTerm\(\s*"(\w+)"', text)


def write(source, names, mean, deviation, solution, typical):
    path = os.path.join(source, "Sources", "KinemaImaging", "Trajectories", "FlightWeights.swift")
    lines = open(path).read().splitlines()
    first = next(index for index, line in enumerate(lines) if "static let constant" in line)
    head = lines[:first] + [f"    static let constant = {solution[-1] + math.log(9):.5g}", lines[first + 1]]
    numbers = fit_score.rows(names, (mean, deviation, solution, typical), digits=5)
    open(path, "w").write("\n".join(head + numbers + ["    ]", "}"]) + "\n")


def main():
    parser = command_line("trajectories")
    parser.add_argument("what", choices=("measure", "fit"))
    parser.add_argument("clips", nargs="*")
    parser.add_argument("--source")
    parser.add_argument("--varied", action="store_true")
    arguments = parser.parse_args()
    (fit if arguments.what == "fit" else measure)(arguments)


main()
