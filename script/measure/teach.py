#!/usr/bin/env python3
"""Validates `kinema teach`: each part teaches with the built command, coaches unseen recordings, and compares."""
import argparse, collections, concurrent.futures, csv, itertools, json, os, pathlib, random, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("parts", nargs="*", default=[], help="physiotherapist, rendered, form, uiprmd, repetitions, builtin, stability, pairs, input")
parser.add_argument("--kinema", required=True)
parser.add_argument("--shared", required=True, type=pathlib.Path)
parser.add_argument("--cache", required=True, type=pathlib.Path, help="folder for poses and rendered clips")
parser.add_argument("--figures", type=int, default=4, help="figures for each rendered movement")
parser.add_argument("--movements", type=lambda text: text.split(","), help="the rendered movements, separated by commas")
parser.add_argument("--draws", type=int, default=10)
options = parser.parse_args()
WORKERS = 2
JOINTS = ("nose leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist leftHip rightHip leftKnee rightKnee "
          "leftAnkle rightAnkle").split()
VIDEOS = (".mp4", ".mov", ".webm", ".mkv", ".avi", ".gif", ".jpg")


def run(*arguments, check=True):
    done = subprocess.run([options.kinema, *map(str, arguments)], capture_output=True, text=True)
    if check and done.returncode not in (0, 2):
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done


def each(function, items):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(function, items))


def poses(video, folder):
    """The poses of a video as a file in the cache."""
    target = options.cache / folder / (video.parent.name + "-" + video.name + ".jsonl")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        part.write_text(run("pose", video, "--precision", "f32", "--format", "jsonl").stdout)
        part.rename(target)
    return target


def teach(good, wrong=()):
    handle, name = tempfile.mkstemp(suffix=".exercise.json")
    os.close(handle)
    done = run("teach", *good, "-o", name, "--name", "taught", *(["--wrong", *wrong] if wrong else []), check=False)
    if done.returncode:
        os.unlink(name)
        return None
    return name


def coach(recording, exercise):
    done = run("coach", recording, "--exercise", exercise, "--format", "json")
    return json.loads(done.stdout)["repetitions"] if done.stdout else []


def likenesses(recording, exercise):
    return [one["likeness"] for one in coach(recording, exercise) if "likeness" in one]


def auc(good, bad):
    pairs = [(g > b) + 0.5 * (g == b) for g in good for b in bad]
    return sum(pairs) / len(pairs) if pairs else float("nan")


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def middle(values):
    return sorted(values)[len(values) // 2]


def finding(fault):
    """A finding without its numbers."""
    return fault["code"] + ": " + " ".join(word for word in fault.get("text", "").split() if not word[0].isdigit())


# 0. One clip is taught and another coached, from an empty folder to an overlay and a chart
def physiotherapist():
    clips = options.shared / "data" / "repetitions" / "more"
    with tempfile.TemporaryDirectory() as folder:
        exercise, film, chart = (pathlib.Path(folder, name) for name in ("curl.exercise.json", "curl.mp4", "curl.svg"))
        began = time.time()
        run("teach", clips / "curl_home4.mp4", "-o", exercise, "--name", "curl")
        taught = time.time()
        said = run("coach", clips / "cable_curl3.mp4", "--exercise", exercise, "--overlay", film, "--explain", chart).stdout
        ended = time.time()
        if not (film.exists() and chart.exists()): sys.exit("the coach wrote no overlay or no chart")
    print(f"0 taught in {taught - began:.0f} s, coached in {ended - taught:.0f} s: {ended - began:.0f} s (goal 300); "
          + (said.strip().splitlines() or ["nothing said"])[0])


# 1. Rendered figures with exact deviations
MOVEMENTS = ("jumpingJack squat pushUp bicepsCurl frontRaise lateralRaise shoulderPress lunge deadlift sideBend kneeRaise "
             "sideLegRaise torsoTwist burpee sitUp legRaise bridge overheadExtension bentOverRow legCurl").split()
FLOOR = {"pushUp", "sitUp", "legRaise", "bridge"}
BENT = {"squat", "lunge"}
SECONDS = dict(jumpingJack=1.2, burpee=3.2, kneeRaise=1.6, sideLegRaise=1.6)


def rendered_clip(movement, seed, view, alter=""):
    folder = options.cache / "rendered"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{movement}-{seed}-{view}-{alter.replace(',', '+') or 'right'}"
    target = folder / (name + ".jsonl")
    if not target.exists():
        video = folder / (name + ".mp4")
        run("synth", "--scene", movement, "--seed", seed, "--alter", ",".join(filter(None, [view, alter])),
            "--repetitions", 3, "--size", "480x360", "--frame-rate", 20, "-o", video)
        part = target.with_suffix(".part")
        part.write_text(run("pose", video, "--precision", "f32", "--format", "jsonl").stdout)
        part.rename(target)
        video.unlink()
        video.with_suffix(".json").unlink()
    return target


def rendered():
    def usual(movement):
        return SECONDS.get(movement, 2.2)

    def changes(movement):
        seconds = usual(movement)
        yield "depth 70 %", f"seconds={seconds},depth=0.7", lambda f: f["code"] == "shallow", True
        yield "1.7 times as slow", f"seconds={seconds * 1.7:.2f}", lambda f: f["code"] == "too_slow", True
        yield "1.7 times as fast", f"seconds={seconds / 1.7:.2f}", lambda f: f["code"] == "too_fast", True
        if movement not in FLOOR | {"burpee"}:
            for amount in 10, 20:
                yield (f"lean {amount}", f"seconds={seconds},lean={amount}",
                       lambda f: any(word in f.get("text", "") for word in ("trunk leans", "hip ", "hips ", "head ")), amount == 20)
        if movement in BENT:
            for amount in 8, 15:
                yield (f"knee in {amount}", f"seconds={seconds},knee={amount}",
                       lambda f: any(word in f.get("text", "") for word in ("knees", "thigh")), amount == 15)
        if movement not in {"lunge", "sideBend", "kneeRaise", "sideLegRaise", "torsoTwist", "burpee", "sitUp", "legRaise", "bridge",
                            "pushUp", "squat", "deadlift", "legCurl"}:
            yield "uneven 15 %", f"seconds={seconds},uneven=0.15", lambda f: f["code"] == "uneven", True

    direction = {"lean": "leans more forward|more bent|lower|more bowed|leans", "knee": "closer|farther in"}
    findings, number, likeness, taught = 0, 0, [], 0
    found = collections.defaultdict(list)
    directions, builtin = [], collections.defaultdict(list)
    wrongly = collections.Counter()
    names = dict(squat="squat", pushUp="push_up", bicepsCurl="bicep_curl", frontRaise="front_raise", lateralRaise="lateral_raise",
                 shoulderPress="shoulder_press", lunge="lunge", deadlift="deadlift", jumpingJack="jumping_jack", sitUp="sit_up",
                 burpee="burpee")
    for movement in options.movements or MOVEMENTS:
        views = ("side", "sideLeft", "threeQuarter", "high") if movement in FLOOR else ("threeQuarter", "front", "side", "high")
        shown = {view: teach([rendered_clip(movement, 1, view, f"seconds={usual(movement)}")])
                 for view in dict.fromkeys([views[0], "front", "side"])}
        exercise = shown[views[0]]
        if exercise is None:
            print(f"  {movement}: cannot be taught")
            continue
        taught += 1
        clips = [(2 + i, views[i % 4]) for i in range(options.figures)]
        right = each(lambda c: coach(rendered_clip(movement, *c, f"seconds={usual(movement)}"), exercise), clips)
        repetitions = [one for clip in right for one in clip]
        number += len(repetitions)
        findings += sum(len(one["faults"]) for one in repetitions)
        likeness += [one["likeness"] for one in repetitions if "likeness" in one]
        for clip, (seed, view) in zip(right, clips):
            for one in clip:
                for fault in one["faults"]:
                    wrongly[finding(fault)] += 1
        own = {}
        for index, (name, alter, test, isLarge) in enumerate(changes(movement)):
            # Each deviation is shown in a view in which it is visible.
            facing = "front" if name.startswith(("uneven", "knee")) else "side" if name.startswith("lean") else views[0]
            if shown[facing] is None: continue
            seeds = [20 + index + 100 * figure for figure in range(options.figures)]
            clip = sum(each(lambda seed: coach(rendered_clip(movement, seed, facing, alter), shown[facing]), seeds), [])
            own[name] = mean(any(test(fault) for fault in one["faults"]) for one in clip) if clip else 0
            found[name].append(own[name])
            for one in clip:
                for fault in one["faults"]:
                    if not test(fault): continue
                    text = fault.get("text", "")
                    if name.startswith("lean"):
                        directions.append(not any(w in text for w in ("leans less", "less forward", "less bent")))
                    elif name.startswith("knee"):
                        directions.append("apart" not in text and "out" not in text)
                    elif name.startswith("depth"):
                        directions.append(True)
            if movement in names:
                codes = {"depth": "shallow", "1.7": "too_fast", "lean": "leaning", "knee": "knees_in", "uneven": "uneven"}
                code = codes[name.split()[0]]
                known = sum(each(lambda seed: coach(rendered_clip(movement, seed, facing, alter), names[movement]), seeds), [])
                builtin[name].append(mean(any(f["code"] == code for f in one["faults"]) for one in known) if known else 0)
        print(f"  {movement}: correct ones {mean(len(one['faults']) for clip in right for one in clip):.2f} findings per repetition, likeness "
              f"{mean(one.get('likeness', 0) for clip in right for one in clip):.0f}; found "
              + ", ".join(f"{name} {value:.2f}" for name, value in own.items()), flush=True)
        for file in filter(None, shown.values()): os.unlink(file)
    print(f"1 movements taught: {taught} (goal 20)")
    print(f"1a correct ones, {number} repetitions: {findings / max(1, number):.2f} findings per repetition (goal 0.3), likeness {mean(likeness):.0f}")
    for text, count in wrongly.most_common(12):
        print(f"   {count} x {text}")
    large = []
    for name, values in found.items():
        print(f"1b {name}: found {mean(values):.2f} in {len(values)} movements"
              + (f", built-in coach {mean(builtin[name]):.2f} in {len(builtin[name])}" if builtin[name] else ""))
        if name not in ("lean 10", "knee in 8"): large += values
    print(f"1b at the larger amount {mean(large):.2f} (goal 0.85); direction right {mean(directions):.2f} (goal 0.95)")


# 2. Push-ups
def form():
    folder = options.shared / "data" / "form"
    clips = {kind: sorted((folder / kind).glob("*.mp4")) for kind in ("correct", "wrong")}
    files = {kind: each(lambda v: poses(v, "form"), videos) for kind, videos in clips.items()}
    counted = {f: len(json.loads(run("count", f, "--format", "json").stdout or '{"people": []}')["people"] or []) and
               json.loads(run("count", f, "--format", "json").stdout)["count"] for f in files["correct"] + files["wrong"]}
    generator = random.Random(1)
    results = collections.defaultdict(list)
    for draw in range(options.draws):
        good = generator.sample([f for f in files["correct"] if counted[f]], 5)
        bad = generator.sample([f for f in files["wrong"] if counted[f]], 5)
        for label, wrong in (("right only", []), ("with 5 wrong", bad)):
            exercise = teach(good, wrong)
            rest = {kind: [f for f in files[kind] if f not in good and f not in bad] for kind in files}

            def score(file):
                repetitions = [one for one in coach(file, exercise) if "likeness" in one]
                if not repetitions: return None
                named = mean(any(f["code"] == "taught" for f in one["faults"]) for one in repetitions)
                return min(one["likeness"] for one in repetitions) - (10 * named if wrong else 0)
            scores = {kind: each(score, rest[kind]) for kind in rest}
            compared = {kind: [v for v in scores[kind] if v is not None] for kind in scores}
            results[label].append(auc(compared["correct"], compared["wrong"]))
            results[label + ", uncounted as 0"].append(
                auc([v or 0 for v in scores["correct"]], [v or 0 for v in scores["wrong"]]))
            known = {kind: [v for v, f in zip(scores[kind], rest[kind]) if v is not None and counted[f]] for kind in scores}
            results[label + ", where the counter finds a repetition"].append(auc(known["correct"], known["wrong"]))
            results[label + ", share compared"].append(
                sum(map(len, compared.values())) / sum(map(len, scores.values())))
            os.unlink(exercise)
    for label, values in results.items():
        print(f"2 push-ups, {label}: {mean(values):.3f} ({min(values):.3f} to {max(values):.3f})")
    for form, recordings in files.items():
        clips = each(lambda file: coach(file, "push_up"), recordings)
        faulty = mean(any(one["faults"] for one in clip) for clip in clips)
        print(f"2 push-ups, the built-in coach: any fault in {faulty:.2f} of {len(clips)} {form} clips; "
              f"no repetition in {sum(not clip for clip in clips)}")


# 2a. UI-PRMD
def uiprmd():
    import math
    import numpy
    folder = options.shared / "data" / "uiprmd"
    numbers = numpy.load(folder / "ui-prmd.npz")
    rows = list(csv.DictReader(open(folder / "labels.csv")))
    order = [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]

    def write(row, kind):
        target = options.cache / "uiprmd" / f"{row['key']}-{kind}.jsonl"
        if target.exists(): return target
        target.parent.mkdir(parents=True, exist_ok=True)
        points = numbers[row["key"]][:, order].astype(float) / 1000
        angle = math.radians(0 if kind == "space" else 45)
        x = points[..., 1] * math.cos(angle) + points[..., 0] * math.sin(angle)
        z = points[..., 0] * math.cos(angle) - points[..., 1] * math.sin(angle)
        y = points[..., 2]
        with open(target, "w") as file:
            for frame in range(len(points)):
                root = [(v[frame, 7] + v[frame, 8]) / 2 for v in (x, y, z)]
                keys = {name: [0.5 + x[frame, i] / 4 - root[0] / 4 * 0, 0.2 + y[frame, i] / 4, 1] for i, name in enumerate(JOINTS)}
                keys = {name: [round(v[0], 5), round(v[1], 5), 1] for name, v in keys.items()}
                person = {"id": 1, "shot": 0, "confidence": 1, "box": [0.2, 0.1, 0.6, 0.8], "keypoints": keys}
                if kind == "space":
                    person["keypoints3D"] = {name: [round(v[frame, i] - r, 4) for v, r in zip((x, y, z), root)] + [1]
                                             for i, name in enumerate(JOINTS)}
                json.dump({"frame": frame, "time": round(frame / 25, 3), "people": [person], "hands": [], "width": 1000, "height": 1000}, file)
                file.write("\n")
        return target

    for kind, title, goal in (("space", "3D", 0.85), ("view", "one projected view", 0.75)):
        files = {(r["exercise"], r["form"], r["subject"]): write(r, kind) for r in rows}
        totals, details = {}, {}
        for exercise in sorted({r["exercise"] for r in rows}):
            people = sorted({r["subject"] for r in rows if r["exercise"] == exercise and r["form"] == "incorrect"})

            def trial(person):
                good = [files[exercise, "correct", p] for p in sorted({r["subject"] for r in rows}) if p != person and (exercise, "correct", p) in files]
                taught = teach(good)
                if (exercise, "correct", person) not in files: return None
                done = [coach(files[exercise, form, person], taught) for form in ("correct", "incorrect")]
                os.unlink(taught)
                right, wrong = ([one["likeness"] for one in found if "likeness" in one] for found in done)
                return (auc(right, wrong) if right and wrong else 0.5, len(right) + len(wrong), f"{person} {len(done[0])} and {len(done[1])}",
                        [finding(fault) for found in done for one in found for fault in one["faults"]])
            values = [v for v in each(trial, people) if v]
            totals[exercise], details[exercise] = mean(v[0] for v in values), values
            print(f"   {exercise}: {totals[exercise]:.3f}, {sum(v[1] for v in values)} repetitions", flush=True)
        worst = min(totals, key=totals.get)
        print(f"2a UI-PRMD, {title}: mean {mean(totals.values()):.3f} (goal {goal}); worst {worst} {totals[worst]:.3f}")
        print("   its correct and incorrect repetitions, of ten each: " + "; ".join(v[2] for v in details[worst]))
        for text, count in collections.Counter(text for v in details[worst] for text in v[3]).most_common(5):
            print(f"   {count} x {text}")


# 3. Real recordings among all exercises
def labels():
    for sub in ("", "more", "strangers"):
        for row in csv.DictReader(open(options.shared / "data" / "repetitions" / sub / "labels.csv")): yield row, sub


def labelled(only=lambda row: True):
    for row, sub in labels():
        if not only(row): continue
        name = "-".join(filter(None, ["repetitions", sub, row["file"]]))
        file = options.cache.parent / "golden" / "poses" / (name + ".jsonl")
        video = options.shared / "data" / "repetitions" / sub / row["file"]
        yield row, file if file.exists() else poses(video, "repetitions")


def repetitions():
    rows = [(row, file) for row, file in labelled() if int(row["reps"]) >= 2]
    taught = dict(zip([file for _, file in rows], each(lambda r: teach([r[1]]), rows)))
    taught = {file: name for file, name in taught.items() if name}
    views = {file: tuple(json.load(open(name))["views"]) for file, name in taught.items()}
    groups = collections.defaultdict(list)
    for row, file in rows:
        if file in taught: groups[row["exercise"], views[file]].append(file)
    # All exercises in one folder, one clip of each; the other clips of an exercise have to be recognised.
    generator = random.Random(1)
    hits, number, confused = 0, 0, collections.Counter()
    families = ("push_up", "squat", "deadlift", "lunge", "crunch")
    alike = 0
    for draw in range(3):
        chosen = {group: generator.choice(files) for group, files in groups.items()}
        together = tempfile.TemporaryDirectory()
        for index, (group, file) in enumerate(chosen.items()):
            one = json.load(open(taught[file]))
            one["name"] = one["title"] = f"{group[0]} {chr(97 + index // 26)}{chr(97 + index % 26)}"  # only letters distinguish names
            pathlib.Path(together.name, f"{index}.json").write_text(json.dumps(one))
        trials = [(group, f) for group, files in groups.items() for f in files if len(files) > 1 and f != chosen[group]]

        def recognise(trial):
            result = json.loads(run("coach", trial[1], "--exercise", together.name, "--format", "json").stdout or "{}")
            return (result.get("exercise") or "none 0").rsplit(" ", 1)[0]
        for (group, _), name in zip(trials, each(recognise, trials)):
            number += 1
            hits += name == group[0]
            alike += name == group[0] or any(f in name and f in group[0] for f in families)
            if name != group[0]: confused[group[0], name] += 1
        together.cleanup()
    print(f"3 real recordings, {len(groups)} exercises and views: recognised {hits / max(1, number):.2f} of {number} (goal 0.8); "
          f"with variants of push-ups, squats, deadlifts, lunges and crunches as one {alike / max(1, number):.2f}")
    print("   " + ", ".join(f"{a} as {b} {n}" for (a, b), n in confused.most_common(10)))
    own, counter, total = 0, 0, 0
    for row, file in rows[:]:
        if file not in taught: continue
        others = [f for f in groups[row["exercise"], views[file]] if f != file]
        if not others: continue
        total += 1
        low, high = int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"])
        own += low <= len(coach(file, taught[others[0]])) <= high
        counter += low <= json.loads(run("count", file, "--format", "json").stdout)["count"] <= high
    print(f"3 counts exact: coach {own}, counter {counter} of {total}")
    pairs = [(row["exercise"] == other["exercise"], file, taught[shown])
             for row, file in rows for other, shown in rows if shown in taught and shown != file]
    for title, chosen in ("the same", [pair for pair in pairs if pair[0]]), ("another", generator.sample([pair for pair in pairs if not pair[0]], 400)):
        texts = [text for text in each(lambda pair: run("coach", pair[1], "--exercise", pair[2]).stdout, chosen) if "  1.  " in text]
        print(f"3 reported as probably another exercise: {sum('probably another' in text for text in texts)} of {len(texts)} of {title}")
    for name in taught.values(): os.unlink(name)


# 3a. Built-in exercises on the same recordings
def builtin():
    def judge(trial):
        row, file = trial
        reps, low, high = int(row["reps"]), int(row["reps_low"] or row["reps"]), int(row["reps_high"] or row["reps"])
        def result(*words):
            text = run("coach", file, *words, "--format", "json", check=False).stdout
            return json.loads(text) if text else None
        own, judged = result("--exercise", row["exercise"]), None
        if own and reps:
            counter = json.loads(run("count", file, "--format", "json").stdout)["count"]
            judged = (low <= own["count"] <= high, low <= counter <= high, abs(own["count"] - reps) <= 1, result()["exercise"] == own["exercise"])
        others = [name for name in ("squat", "push_up", "bicep_curl") if not own or own["exercise"] != name]
        return judged, [result("--exercise", name)["count"] > 0 for name in others]
    results = each(judge, labelled())
    known = [judged for judged, _ in results if judged]
    exact, counter, near, recognised = (mean(column) for column in zip(*known))
    print(f"3 built-in exercises, {len(known)} recordings: counts exact {exact:.3f} (counter {counter:.3f}), within one {near:.3f}; recognised {recognised:.3f}")
    others = [counts for _, other in results for counts in other]
    print(f"3 coached as squats, push-ups or curls although they are not: something counts in {mean(others):.3f} of {len(others)}")


# 4. Stability
def stability():
    subjects = collections.defaultdict(list)
    for row, file in labelled():
        if int(row["reps"]) >= 2: subjects[row["exercise"], row["subject"]].append(file)
    noise, halves = [], []
    for files in subjects.values():
        for file in files:
            number = len(json.loads(run("count", file, "--format", "json").stdout)["people"][0]["repetitions"]) if file else 0
            if number < 4: continue
            handle, name = tempfile.mkstemp(suffix=".json")
            os.close(handle)
            if run("teach", file, "--keep", f"1-{number // 2}", "-o", name, check=False).returncode: continue
            values = likenesses(file, name)
            os.unlink(name)
            if len(values) < 4: continue
            first, second = values[:number // 2], values[number // 2:]
            halves.append(abs(mean(first) - mean(second)))
            noise.append((sum((v - mean(second)) ** 2 for v in second) / max(1, len(second) - 1)) ** 0.5)
    print(f"4 same person, halves of {len(halves)} recordings: likeness differs by {middle(halves):.1f} (median), "
          f"{mean(v <= 5 for v in halves):.2f} within 5; noise of a repetition {middle(noise):.1f}")


def pairs():
    several = collections.Counter((row["exercise"], row["subject"]) for row, _ in labels() if int(row["reps"]) >= 2)
    exercises = {exercise for (exercise, _), number in several.items() if number > 1}
    subjects = collections.defaultdict(list)
    for row, file in labelled(lambda row: int(row["reps"]) >= 2 and row["exercise"] in exercises):
        subjects[row["exercise"], row["subject"]].append(file)
    pairs, apart = [], []
    for (exercise, subject), files in subjects.items():
        if len(files) < 2: continue
        all_of_it = [file for (movement, _), some in subjects.items() if movement == exercise for file in some]
        taught = {file: name for file, name in zip(all_of_it, each(lambda file: teach([file]), all_of_it)) if name}
        views = {file: set(json.load(open(name))["views"]) for file, name in taught.items()}
        for teacher, name in taught.items():
            seen = [file for file in files if views.get(file) == views[teacher]]
            means = {file: mean(values) for file in seen if (values := likenesses(file, name))}
            for a, b in itertools.combinations(means, 2):
                # Well and poorly done clips should differ.
                if ("wrong" in a.stem) != ("wrong" in b.stem): continue
                difference = abs(means[a] - means[b])
                if teacher in (a, b):
                    apart.append(difference)
                elif teacher not in files:
                    pairs.append(difference)
                    print(f"   {exercise}, {subject}: {means[a]:.0f} and {means[b]:.0f}, taught by {teacher.stem}")
        for name in taught.values(): os.unlink(name)
    for words, values in (("taught by another person", pairs), ("one shown, likeness of both", apart)):
        if values:
            print(f"4 same person, two recordings from one view, {words}, {len(values)} pairs: likeness differs by "
                  f"{middle(values):.1f} (median), {mean(v <= 5 for v in values):.2f} within 5 (goal: all)")


# 6. Bad input
def bad_input():
    rows = {row["file"]: file for row, file in labelled()}
    plank = next((file for row, file in labelled() if int(row["reps"]) == 0), None)
    one = next(file for row, file in labelled() if int(row["reps"]) == 1)
    good = next(file for row, file in labelled() if row["exercise"] == "squat" and int(row["reps"]) > 4)
    target = pathlib.Path(tempfile.mkdtemp()) / "x.exercise.json"
    lines = open(good).read().splitlines()
    two = target.with_name("two.jsonl")
    with open(two, "w") as file:
        for line in lines:
            frame = json.loads(line)
            if frame["people"]:
                other = json.loads(json.dumps(frame["people"][0]))
                other["id"] = 99
                other["keypoints"] = {k: [v[0] * 0.3, v[1] * 0.3, v[2]] for k, v in other["keypoints"].items()}
                other["box"] = [v * 0.3 for v in other["box"]]
                frame["people"].append(other)
            file.write(json.dumps(frame) + "\n")
    cut = target.with_name("cut.jsonl")
    with open(cut, "w") as file:
        frames = [json.loads(line) for line in lines]
        for index, frame in enumerate(frames):
            if index > len(frames) // 2:
                for person in frame["people"]:
                    person["shot"] = 7
                    person["keypoints"] = {k: [1 - v[0] * 0.5, v[1] * 0.6, v[2]] for k, v in person["keypoints"].items()}
            file.write(json.dumps(frame) + "\n")
    eighty = target.with_name("eighty.jsonl")
    with open(eighty, "w") as file:
        frames = [json.loads(line) for line in lines]
        length = frames[-1]["time"] + frames[1]["time"] - frames[0]["time"]
        number = 80 // max(1, len(coach(good, teach([good])))) + 1
        for turn in range(number):
            for frame in frames:
                file.write(json.dumps({**frame, "time": round(frame["time"] + turn * length, 4), "frame": turn * len(frames) + frame["frame"]}) + "\n")
    for label, file in (("nothing repeated", plank), ("one repetition", one), ("two people", two), ("a cut", cut), ("eighty", eighty)):
        done = run("teach", file, "-o", target, check=False)
        print(f"6 {label}: exit {done.returncode}; " + (" | ".join(done.stderr.strip().splitlines()) or done.stdout.strip().splitlines()[-4]))
    run("teach", good, "-o", target)
    text = json.load(open(target))

    def broken(label, change):
        copy = json.loads(json.dumps(text))
        change(copy)
        bad = target.with_name("bad.exercise.json")
        bad.write_text(json.dumps(copy) if not isinstance(copy.get("raw"), str) else copy["raw"])
        done = run("coach", good, "--exercise", bad, check=False)
        print(f"6 {label}: exit {done.returncode}; {done.stderr.strip()}")
    broken("newer version", lambda e: e["shown"].update(version=9))
    broken("NaN", lambda e: e.update(raw=json.dumps(text).replace('"recordings": 1', '"recordings": NaN')))
    broken("short course", lambda e: e["shown"]["measures"][0].update(courses=[[1, 2, 3]]))
    broken("huge list", lambda e: e["shown"]["measures"][0].update(spread=[1] * 100000))
    broken("no spread", lambda e: e["shown"]["measures"][0].update(spread=[0] * 21))
    broken("huge number", lambda e: e["shown"]["measures"][0].update(spread=[1e300] * 21))
    broken("unknown measure", lambda e: e["shown"]["measures"][0].update(measure="nose"))
    broken("unknown key", lambda e: e["shown"].update(colour="red"))
    broken("measure twice", lambda e: e["shown"]["measures"].append(e["shown"]["measures"][0]))


PARTS = dict(physiotherapist=physiotherapist, rendered=rendered, form=form, uiprmd=uiprmd, repetitions=repetitions, builtin=builtin, stability=stability, pairs=pairs, input=bad_input)
for part in options.parts or PARTS:
    began = time.time()
    PARTS[part]()
    print(f"   ({part}: {time.time() - began:.0f} s)", flush=True)
