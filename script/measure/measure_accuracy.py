"""Prints the accuracy of `kinema measure`; see script/measure-accuracy."""

import argparse
import logging
import pathlib
from collections import Counter

import numpy as np

from measure_bench import ANGLES, Bench, level, measured, rms, side_angles, turned
from measure_peers import cameras, markers, sports2d

MOVEMENTS = ("walk", "run", "jump", "sit-to-stand", "range-of-motion")
# The joint bent in each part of the range-of-motion test that KinemaSynth's MovementTest renders, and each part's seconds.
STRETCHES = ("elbow", "shoulder", "knee", "hip", "trunk")
STRETCH_START, STRETCH = 0.3, 2.6
# Events this close to the ends of a clip may be missed: the foot must be visible before and after.
MARGIN = 0.25
# The maximum time between matching events, in seconds.
SAME = 0.2
def true_courses(truth):
    """The angles of a rendered person in each frame, by name, and the side nearer to the camera."""
    frames = [f["keypoints3D"] for f in truth["people"][0]["frames"]]
    rows = [side_angles(level(joints, truth["measurement"]["floorAngle"])) for joints in frames]
    near = "Right" if frames[0]["rightHip"][2] > frames[0]["leftHip"][2] else "Left"
    return {name: np.array([row[name] for row in rows]) for name in ANGLES}, near


class Errors:
    """Errors by quantity, with the goal for their typical size, printed as a table."""

    def __init__(self):
        self.rows = {}

    def add(self, name, unit, goal, kind, values):
        row = self.rows.setdefault(name, {"unit": unit, "goal": goal, "pixels": [], "exact": []})
        row[kind] += [float(v) for v in np.atleast_1d(values) if np.isfinite(v)]

    def print(self):
        print(f"{'':<34}{'goal':>9}   {'rendered pixels':<40}perfect joints")
        print(f"{'':<34}{'':>9}   {'median  90 %   bias  spread     n':<40}median  90 %   bias  spread     n")
        for name, row in self.rows.items():
            cells = []
            for kind in ("pixels", "exact"):
                v = np.array(row[kind])
                cells.append(f"{np.median(abs(v)):>6.2f}{np.percentile(abs(v), 90):>6.2f}{v.mean():>7.2f}"
                             f"{v.std():>8.2f}{len(v):>6}" if len(v) else f"{'none':>33}")
            goal = f"{row['goal']} {row['unit']}" if row["goal"] is not None else row["unit"]
            print(f"{name:<34}{goal:>9}   {cells[0]:<40}{cells[1]}")


def nearest(time, others):
    return min(others, key=lambda other: abs(other - time), default=np.nan)


def score_events(kind, result, truth, errors, tally):
    rate = truth["frameRate"]["timescale"] / truth["frameRate"]["ticksPerFrame"]
    last = truth["frameCount"] / rate - MARGIN
    for event in ("contact", "toe-off"):
        for side in ("left", "right"):
            pick = lambda events: [e["time"] for e in events if e["kind"] == event and e.get("side") == side]
            found, true = pick(result["events"]), pick(truth["measurement"]["events"])
            for time in (t for t in true if MARGIN < t < last):
                error = nearest(time, found) - time
                if abs(error) < SAME:
                    errors.add(f"{truth['measurement']['test']}: {event}", "frames", 1, kind, error * rate)
                else:
                    tally[kind, "missed"] += 1
            tally[kind, "false"] += sum(MARGIN < t < last and not abs(nearest(t, true) - t) < SAME for t in found)


def score_tests(kind, result, truth, errors, tally):
    """Scores steps, jumps and rises."""
    true, tests = truth["measurement"], result["tests"]
    for step in true["steps"]:
        same = [s for s in (tests.get("gait") or {}).get("steps", [])
                if s["side"] == step["side"] and abs(s["end"] - step["end"]) < SAME and s.get("length") is not None]
        errors.add(f"{true['test']}: step length", "cm", 4, kind, [100 * (s["length"] - step["length"]) for s in same])
    for jump in true["jumps"]:
        same = [j for j in tests.get("jumps") or [] if abs(j["takeOff"] - jump["takeOff"]) < SAME]
        tally[kind, "jumps missed"] += not same
        for name, key in (("time", "heightByTime"), ("rise", "heightByRise")):
            errors.add(f"jump: height by {name}", "cm", 2 if name == "time" else None, kind,
                       [100 * (j[key] - jump["height"]) for j in same if j.get(key) is not None])
    if true["rises"]:
        errors.add("sit-to-stand: rises counted", "", 0, kind,
                   ((tests.get("sitToStand") or {}).get("count") or 0) - len(true["rises"]))
        for event in ("stand", "sit"):
            found = [e["time"] for e in result["events"] if e["kind"] == event]
            errors.add(f"sit-to-stand: {event}", "s", None, kind,
                       [nearest(e["time"], found) - e["time"] for e in true["events"] if e["kind"] == event])
        test, rises = tests.get("sitToStand") or {}, true["rises"]
        if test.get("riseTime"):
            errors.add("sit-to-stand: time of a rise", "s", None, kind,
                       test["riseTime"]["mean"] - np.mean([one["standing"] - one["start"] for one in rises]))
        if test.get("fiveTimes"):
            errors.add("sit-to-stand: five times", "s", None, kind,
                       test["fiveTimes"] - (rises[4]["seated"] - rises[0]["start"]))


def score_angles(kind, result, truth, errors):
    """The root mean square error of each joint's angle over a clip, and of the ends of its range."""
    times, values = measured(result)
    courses, near = true_courses(truth)
    rate = truth["frameRate"]["timescale"] / truth["frameRate"]["ticksPerFrame"]
    index = np.clip(np.round(times * rate).astype(int), 0, truth["frameCount"] - 1)
    for name in (name for name in ANGLES if name in values):
        joint = name.split()[-1].lower()
        error = turned(values[name] - courses[name][index])
        side = "" if joint == "trunk" else " near" if name.startswith(near) else " far"
        errors.add(f"RMSE of {joint}{side}", "deg", "5 (3)", kind, rms(error[np.isfinite(error)]))
        if truth["measurement"]["test"] == "range-of-motion" and side != " far" and joint in STRETCHES:
            start = STRETCH_START + STRETCH * STRETCHES.index(joint)
            inside = (times >= start) & (times < start + STRETCH) & np.isfinite(values[name])
            if inside.any():
                errors.add(f"range of {joint}", "deg", None, kind,
                           np.ptp(values[name][inside]) - np.ptp(courses[name][index][inside]))


def rendered(bench, _, options):
    """1. Rendered truth, from pixels and from perfect joints."""
    errors, tally = Errors(), Counter()
    for scene in MOVEMENTS:
        for seed in range(1, options.clips + 1):
            clip, truth = bench.clip(scene, seed)
            true = truth["measurement"]
            for kind, poses in (("pixels", bench.poses(clip)), ("exact", bench.exact_poses(clip, truth))):
                result = bench.measure(poses, "--height", round(true["height"], 4))
                tally[kind, result["view"]] += 1
                if result.get("scale"):
                    errors.add("scale", "%", 2, kind, 100 * (result["scale"]["metresPerUnit"] / true["metresPerUnit"] - 1))
                if result.get("floor") and scene in ("walk", "run"):
                    errors.add("floor angle", "deg", 1, kind, result["floor"]["angle"] - true["floorAngle"])
                if scene in ("walk", "run"):
                    score_events(kind, result, truth, errors, tally)
                score_tests(kind, result, truth, errors, tally)
                if result["view"] != "side":
                    result = bench.measure(poses, "--height", round(true["height"], 4), "--view", "side")
                score_angles(kind, result, truth, errors)
    errors.print()
    for kind in ("pixels", "exact"):
        print(f"{kind}: " + ", ".join(f"{name} {count}" for (k, name), count in sorted(tally.items()) if k == kind))


def noise(bench, *_):
    """5. The noise floor: a person at rest, at other sizes and rates, and on a turntable."""
    def courses(scene, size, rate, *more):
        clip, truth = bench.clip(scene, 1, size, rate)
        result = bench.measure(bench.poses(clip), "--height", round(truth["measurement"]["height"], 4), *more)
        return measured(result), truth

    settings = [("1280x720", 30), ("1280x720", 60), ("854x480", 30), ("1920x1080", 30)]
    columns = [courses("rest", *setting)[0][1] for setting in settings]
    names = [f"{size} {rate}/s" for size, rate in settings]
    print(f"{'at rest: spread, change of mean':<34}" + "".join(f"{name:>18}" for name in names))
    for name in angle_names(columns):
        print(f"{name:<34}" + "".join(
            f"{np.nanstd(one[name]):>10.2f}{np.nanmean(one[name]) - np.nanmean(columns[0].get(name, np.nan)):>8.2f}"
            if name in one else f"{'none':>18}" for one in columns))
    (times, values), truth = courses("turntable", "1280x720", 30, "--view", "side")
    frames = [f["keypoints3D"] for f in truth["people"][0]["frames"]]
    index = np.clip(np.round(times * 30).astype(int), 0, len(frames) - 1)
    across = np.array([np.array(f["rightHip"]) - f["leftHip"] for f in frames])[index]
    turn = np.degrees(np.arctan2(abs(across[:, 0]), abs(across[:, 2])))
    true = true_courses(truth)[0]
    ranges = ((0, 10), (10, 20), (20, 30), (30, 45), (45, 90))
    print("on a turntable, RMS error by the angle from the side:\n"
          f"{'degrees (frames)':<34}" + "".join(
              f"{f'{low}-{high} ({((turn >= low) & (turn < high)).sum()})':>14}" for low, high in ranges))
    for name in (name for name in angle_names([values]) if name in true):
        error = turned(values[name] - true[name][index])
        print(f"{name:<34}" + "".join(
            f"{rms(error[(turn >= low) & (turn < high) & np.isfinite(error)]):>14.1f}" for low, high in ranges))


def angle_names(columns):
    """The angles that measurements contain, without velocities."""
    other = {"position", "mass position", "height", "speed"}
    return sorted({name for one in columns for name in one if not name.endswith(("velocity", "speed"))} - other)


def bars(bench, _, options):
    """6. The bar path: rendered presses and deadlifts, from pixels compared with perfect joints."""
    errors = {"rise": [], "drift": [], "meanSpeed": [], "peakSpeed": []}
    missed = 0
    for scene in ("shoulderPress", "deadlift"):
        for seed in range(1, options.clips // 2 + 1):
            clip, truth = bench.clip(scene, seed, "1280x720", 30, "--repetitions", "3")
            # The same height for every body makes the errors comparable.
            found, true = ((bench.measure(poses, "--height", 1.75, "--view", "side", "--test", "bar-path")["tests"]
                            .get("barPath") or []) for poses in (bench.poses(clip), bench.exact_poses(clip, truth)))
            for lift in true:
                same = [one for one in found if one["start"] < lift["end"] and lift["start"] < one["end"]]
                missed += not same
                for name in errors if same else ():
                    errors[name].append(same[0][name] - lift[name])
    print(f"{len(errors['rise'])} lifts, {missed} missed; median and largest error: " + ", ".join(
        f"{name} {np.median(np.abs(values)):.3f}, {np.max(np.abs(values)):.3f}" for name, values in errors.items() if values))


PARTS = {"rendered": rendered, "cameras": cameras, "markers": markers, "sports2d": sports2d, "noise": noise, "bars": bars}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    for name in ("kinema", "shared", "cache"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--clips", type=int, default=4)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: known parts are {', '.join(PARTS)}")
    bench = Bench(options.kinema.resolve(), options.cache.resolve())
    for name in options.parts or PARTS:
        print(f"\n{PARTS[name].__doc__}", flush=True)
        PARTS[name](bench, options.shared.resolve(), options)


if __name__ == "__main__":
    main()
