#!/usr/bin/env python3
"""Compares Kinema's results for recordings and rendered scenes with stored ones; see script/golden."""
import argparse, collections, concurrent.futures, glob, hashlib, json, os, queue, re, subprocess, sys, tempfile, threading
import drawn_hand

CAPABILITIES = ("poses", "count", "coach", "gesture", "classify", "trajectories", "toss")
VIDEOS = (".mp4", ".mkv", ".avi")
EXERCISES = ("jumpingJack", "squat", "pushUp", "bicepsCurl", "lunge", "deadlift", "kneeRaise", "torsoTwist", "burpee", "sitUp")
# The movements that the classifier learns and then distinguishes.
MOVEMENTS = ("squat", "lunge", "sitUp")
# f32 on every processor; each command has its own core, so an inference has one thread.
EXACT = ("--precision", "f32")
# Scene of kinema synth, seed, options: forty in total.
SCENES = (
    [("random", seed, ()) for seed in range(1, 11)]
    + [(name, 1, ()) for name in EXERCISES]
    + [(name, 2, ("--fault", "shallow")) for name in ("squat", "pushUp")]
    + [("no-exercise", seed, ()) for seed in (1, 2, 3)] + [("two-people", 1, ()), ("crossing", 1, ()), ("crowd", 1, ("--people", "6", "--seconds", "6"))]
    + [("throws", seed, ()) for seed in range(1, 7)] + [("toss", seed, ()) for seed in range(1, 7)]
)


# How far decimals may differ from the record: times by half a frame at 30 frames/s, positions by a hundredth of the image.
HALF_FRAME, NEAR = 1 / 60 + 0.006, 0.01
NUMBER = re.compile(r"-?\d+\.\d+")
# The recorded joints, and the step between recorded frames.
JOINTS, STEP = ("nose", "leftWrist", "rightWrist", "leftAnkle", "rightAnkle"), 30


def same(recorded, found, tolerance):
    """Whether two lines have equal words and integers, and decimals that differ by no more than the tolerance."""
    if NUMBER.sub("#", recorded) != NUMBER.sub("#", found): return False
    pairs = zip(NUMBER.findall(recorded), NUMBER.findall(found))
    return all(abs(float(one) - float(other)) <= tolerance for one, other in pairs)


def renderer():
    """The hash of the renderer's sources, as in Tests/Browser/clips.py."""
    sources, found = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources"), hashlib.sha256()
    for target in ("KinemaCore", "KinemaDraw", "KinemaMedia", "KinemaSynth"):
        for path in sorted(glob.glob(os.path.join(sources, target, "**", "*.swift"), recursive=True)):
            with open(path, "rb") as file: found.update(file.read())
    return found.hexdigest()[:24]


class Golden:
    def __init__(self, arguments, fresh):
        self.kinema, self.cache, self.shared = arguments.kinema, arguments.cache, os.path.join(arguments.shared, "data")
        # Files in `fresh` are made in each run.
        self.scenes, self.fresh = os.path.join(self.cache, "scenes-" + renderer()), fresh
        self.making = collections.defaultdict(threading.Lock)
        self.cores = queue.SimpleQueue()
        for core in os.sched_getaffinity(0): self.cores.put(core)

    def run(self, *words):
        core = self.cores.get()
        try: ended = subprocess.run(["taskset", "--cpu-list", str(core), self.kinema, *words], capture_output=True)
        finally: self.cores.put(core)
        if ended.returncode not in (0, 2): raise RuntimeError(ended.stderr.decode(errors="replace").strip().splitlines()[-1])
        return ended.stdout

    def keep(self, path, make):
        """A file that is made once, by the first job that needs it."""
        with self.making[path]:
            if not os.path.exists(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                part = path + ".part" + os.path.splitext(path)[1]
                make(part)
                os.replace(part, path)
        return path

    def scene(self, name, seed, options):
        words = ("synth", "--scene", name, "--seed", str(seed), *options)
        label = "-".join((name, str(seed), *options)).replace("--", "")
        truth = os.path.join(self.fresh, label + ".truth.json")
        return self.keep(os.path.join(self.scenes, label + ".mp4"), lambda part: self.run(*words, "--output", part, "--truth", truth))

    def moves(self, name, seed):
        """The pose lines of a movement's truth, without a model."""
        def make(part):
            self.run("synth", "--scene", name, "--seed", str(seed), "--truth", part + ".truth.json")
            with open(part + ".truth.json") as file: truth = json.load(file)
            rate = truth["frameRate"]["timescale"] / truth["frameRate"]["ticksPerFrame"]
            with open(part, "w") as file:
                for index, frame in enumerate(truth["people"][0]["frames"]):
                    joints = {joint: [x, y, 1] for joint, (x, y, _) in frame["keypoints"].items()}
                    person = {"id": 1, "confidence": 1, "box": frame["box"], "keypoints": joints}
                    file.write(json.dumps({"frame": index, "time": round(index / rate, 6), "people": [person]}) + "\n")
        return self.keep(os.path.join(self.fresh, f"{name}-{seed}.jsonl"), make)

    def moves_model(self):
        def make(part):
            with open(part + ".csv", "w") as table:
                table.write("file,label,start,end\n")
                table.writelines(f"{self.moves(name, 1)},{name},{start},{start + 3}\n" for name in MOVEMENTS for start in (1, 4, 7))
            self.run("train", part + ".csv", "-o", part)
        return self.keep(os.path.join(self.fresh, "moves.model"), make)

    def hand(self, movement):
        def make(part):
            with open(part, "w") as file: file.writelines(line + "\n" for line in drawn_hand.lines(movement))
        return self.keep(os.path.join(self.fresh, f"hand {movement}.jsonl"), make)

    def lines(self, video, *options):
        name = os.path.relpath(video, self.shared).replace("/", "-") + "".join(options) + ".jsonl"

        def make(part):
            with open(part, "wb") as file: file.write(self.run("pose", video, *EXACT, "--format", "jsonl", *options))
        return self.keep(os.path.join(self.cache, "poses", name), make)

    # The record of one input is a line of text.

    def poses(self, source):
        frames = [json.loads(line) for line in self.run("pose", source, "--hands", *EXACT, "--format", "jsonl").splitlines()]
        def person(one):
            places = " ".join("%.3f,%.3f" % tuple(one["keypoints"][joint][:2]) for joint in JOINTS if joint in one["keypoints"])
            return f"{one['id']} {places}"
        seen = sum(1 for frame in frames if frame["people"])
        return f"{seen} of {len(frames)} " + "; ".join(
            f"{frame['frame']}: " + ", ".join(person(one) for one in frame["people"]) + f" {len(frame['hands'])} hands" for frame in frames[::STEP])

    def report(self, command, source, *options):
        return json.loads(self.run(command, source, "--format", "jsonl", *options).splitlines()[-1])

    def count(self, source, *options):
        report = self.report("count", source, *options)
        people = ["%d: %s" % (person["id"], " ".join("%.2f-%.2f" % (one["start"], one["end"]) for one in person["repetitions"])) for person in report["people"]]
        return f"{report['count']} [{'; '.join(people)}]"

    def coach(self, source, *options):
        report = self.report("coach", source, *options)
        faults = [fault["code"] for one in report.get("repetitions", []) for fault in one.get("faults", [])]
        return f"{report.get('exercise')} {report.get('count')} [{' '.join(faults)}]"

    def gesture(self, source):
        report = self.report("gesture", source)
        return f"{len(report['pinches'])} [{' '.join('%.2f-%.2f' % (one['start'], one['end']) for one in report['pinches'])}]"

    def classify(self, source, model):
        report = self.report("classify", source, "--classifier", model)
        return " ".join("%s %.2f-%.2f" % (one["label"], one["start"], one["end"]) for one in report["segments"])

    def trajectories(self, source):
        found = [json.loads(line) for line in self.run("trajectories", source, "--format", "jsonl").splitlines()]
        return f"{len(found)} [{' '.join('%.2f-%.2f' % (one['start'], one['end']) for one in found)}]"

    def toss(self, source):
        report = self.report("toss", source, *EXACT)
        return f"{report['total']} [{' '.join(one['type'] + '/' + str(one['score']) for one in report['throws'])}]"

    # The inputs: capability, name, and the function that returns the line.

    def rendered(self):
        for name, seed, options in SCENES:
            def scene(name=name, seed=seed, options=options): return self.scene(name, seed, options)
            label = " ".join((name, str(seed), *options))
            if name == "throws": yield "trajectories", label, lambda scene=scene: self.trajectories(scene())
            elif name == "toss": yield "toss", label, lambda scene=scene: self.toss(scene())
            else:
                everyone = ("--people", "all") if name in ("two-people", "crossing", "crowd") else ()
                yield "count", label, lambda scene=scene, everyone=everyone: self.count(scene(), *EXACT, *everyone)
                yield "coach", label, lambda scene=scene, everyone=everyone: self.coach(scene(), *EXACT, *everyone)
                if seed == 1: yield "poses", label, lambda scene=scene: self.poses(scene())
        for movement in drawn_hand.MOVEMENTS:
            yield "gesture", movement, lambda movement=movement: self.gesture(self.hand(movement))
        for name in MOVEMENTS:
            yield "classify", f"{name} 2", lambda name=name: self.classify(self.moves(name, 2), self.moves_model())

    def recorded(self):
        def files(*folders):
            paths = [path for folder in folders for path in glob.glob(os.path.join(self.shared, folder, "*"))]
            return sorted(path for path in paths if path.endswith(VIDEOS))
        for video in files("repetitions", "repetitions/more", "repetitions/strangers", "form/correct", "form/wrong", "crowds"):
            name = os.path.relpath(video, self.shared)
            yield "count", name, lambda video=video: self.count(self.lines(video))
            yield "coach", name, lambda video=video: self.coach(self.lines(video))
        for path in sorted(glob.glob(os.path.join(self.shared, "repcount", "*.npy"))):
            yield "count", os.path.relpath(path, self.shared), lambda path=path: self.count(path, "--fps", "15")
        for video in files("hands/asl", "hands/pinches"):
            yield "gesture", os.path.relpath(video, self.shared), lambda video=video: self.gesture(self.lines(video, "--hands"))
        for video in files("throws", "throws/more"):
            yield "trajectories", os.path.relpath(video, self.shared), lambda video=video: self.trajectories(video)
        yield from self.sequences()

    def sequences(self):
        folder = os.path.join(self.shared, "sequences", "motions5")
        with open(os.path.join(folder, "index.csv")) as file: rows = [line.strip().split(",") for line in file if line.strip()]
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as table:
            table.write("file,label\n" + "".join(f"{os.path.join(folder, row[0])},{row[1]}\n" for row in rows[1::2]))
        model = os.path.join(self.cache, "motions.model")
        if os.path.exists(model): os.remove(model)
        self.run("train", table.name, "-o", model)
        os.remove(table.name)
        for row in rows[2::2]:
            path = os.path.join(folder, row[0])
            yield "classify", row[0], lambda path=path: self.classify(path, model)


def compare(jobs, folder, kept, records, wanted):
    """Runs the jobs and reports where the results differ from the stored ones; returns whether all are equal."""
    def line(job):
        try: return job[0], job[1], job[2]()
        except Exception as error: return job[0], job[1], f"FAILED {error}"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool: found = list(pool.map(line, jobs))
    equal = True
    for capability in wanted:
        text = "".join(f"{name}: {result}\n" for kind, name, result in found if kind == capability)
        if not text: continue
        path = os.path.join(folder, capability + ".txt")
        for failure in [line for line in text.splitlines() if ": FAILED " in line]:
            equal = False
            print(f"failed    {capability:13}{failure}")
        if records:
            os.makedirs(folder, exist_ok=True)
            with open(path, "w") as file: file.write(text)
            print(f"recorded  {capability:13}{text.count(chr(10)):4} {kept}")
            continue
        if not os.path.exists(path):
            equal = False
            print(f"no record {capability:13}{len(text.splitlines()):4} {kept}; make one with script/golden record")
            continue
        before = open(path).read().splitlines()
        now = text.splitlines()
        tolerance = NEAR if capability == "poses" else HALF_FRAME
        pairs = zip(before + [""] * len(now), now + [""] * len(before))
        different = [(one, other) for one, other in pairs if (one or other) and not same(one, other, tolerance)]
        print(f"{'equal' if not different else 'DIFFERENT':10}{capability:13}{len(now):4} {kept}" + (f", {len(different)} differ; the first:" if different else ""))
        if different:
            equal = False
            print(f"    recorded  {different[0][0]}\n    now       {different[0][1]}")
            with open(os.path.join(tempfile.gettempdir(), f"golden-{kept.split()[0]}-{capability}.txt"), "w") as file: file.write(text)
    return equal


def main():
    parser = argparse.ArgumentParser()
    for name in ("kinema", "shared", "cache", "committed"): parser.add_argument("--" + name, required=True)
    parser.add_argument("what", nargs="*")
    arguments = parser.parse_args()
    records = "record" in arguments.what
    wanted = [name for name in arguments.what if name != "record"] or list(CAPABILITIES)
    for name in wanted:
        if name not in CAPABILITIES: sys.exit(f"golden: use {', '.join(CAPABILITIES)} or record, not {name}")
    with tempfile.TemporaryDirectory() as fresh:
        golden = Golden(arguments, fresh)
        jobs = [job for job in golden.rendered() if job[0] in wanted]
        equal = compare(jobs, arguments.committed, "rendered scenes", records, wanted)
        if os.path.isdir(golden.shared):
            recorded = [job for job in golden.recorded() if job[0] in wanted]
            equal &= compare(recorded, os.path.join(arguments.cache, "recordings"), "recordings", records, wanted)
            jobs += recorded
        else:
            print(f"skipped the recordings: {golden.shared} does not exist")
    if idle := [name for name in wanted if name not in {job[0] for job in jobs}]:
        sys.exit(f"golden: nothing was compared for {', '.join(idle)}")
    sys.exit(0 if equal else 1)


main()
