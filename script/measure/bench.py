"""Speed and memory of the whole process from file to poses, compared with MediaPipe's Python solution on the same file.

--model times that model, in one process and from its first frame, and compares it with the limit set by its inferences.
--people 3 detects three people, in a clip that shows them. --growth runs on fewer cores, then on longer and longer files.

--hands detects hands, in a clip that shows both, and the limit counts one inference per hand. Then it reports the cost of
searching for hands next to a body when none are visible.

Kinema, its bare parts and MediaPipe run alternately; every number is a median. The limit is the speed of the machine if
only inference and decoding took time: cores / (CPU time of both per frame). Kinema's time runs from the start of the
process to its end, MediaPipe's from its first frame.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from kinema_command import BENCH, command_line

GOAL_RATIO = {"f32": 4.2, "automatic": 7.0}
GOAL_RATIO_AVX2 = 3.3
GOAL_LIMIT, GOAL_LIMIT_OF_SEVERAL, GOAL_OUTSIDE = 0.88, 0.80, 0.10
# The inference library's own setting; MediaPipe has none.
ISA_SETTING = "ONEDNN_MAX_CPU_ISA"
PARTS_TOLERANCE = 0.05
# The memory of one worker, and the allowance for each further one.
GOAL_MEMORY, GOAL_WORKER, GOAL_GROWTH = 220, 60, 1.10
MEMORY_CLIP, REPEATS = "pf_correct111.mp4", 10
# The length of the video for fewer cores, and the lengths of the files whose time and memory are compared.
GROWTH_SECONDS, GROWTH_LENGTHS = 60, (10, 60, 600, 3600)
# Two hands in nearly every frame; repeated, so that start-up time weighs less.
HANDS_CLIP = "sorry.mkv"
# A person at a barbell whose hands the models do not detect.
NO_HANDS_CLIP, GOAL_NO_HANDS = "squat_barbell3.mp4", 1.10
GOAL_FLIGHTS = 200
GOAL_SANDBOX = 1.03
# A clip of one person and a clip of three.
CHOSEN_CLIPS = (("repetitions", "squat_timer12.mp4"), ("crowds", "aerobics3.avi"))
# Both 1920x1080: a table, and a hall with a person throwing.
FLIGHT_CLIPS = ("more/table_tennis_side.mp4", "ball_throw_gym.mp4")


def has_half_floats():
    """Whether the processor supports bf16 or f16 arithmetic."""
    with open("/proc/cpuinfo") as file:
        flags = set(re.findall(r"\b(?:avx512_bf16|amx_bf16|avx512_fp16|amx_fp16|asimdhp|bf16)\b", file.read()))
    return bool(flags)


def processor():
    """The processor's name and the widest of its vector instruction sets that inference may use."""
    with open("/proc/cpuinfo") as file:
        text = file.read()
    name = re.search(r"^(?:model name|CPU part)\s*:\s*(.+)$", text, re.MULTILINE)
    flags = set(re.findall(r"\b(?:avx512f|avx2|asimd|sve)\b", text))
    widest = next((one for one in ("avx512f", "avx2", "sve", "asimd") if one in flags), "no vectors")
    return name[1] if name else "an unknown processor", os.environ.get(ISA_SETTING, widest)


def run(arguments, output):
    """Runs a command; returns seconds, CPU seconds and peak memory in MB."""
    started = time.perf_counter()
    with open(output, "wb") as sink, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, stdout=sink, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - started
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"bench: {' '.join(arguments)} failed: {errors.read().decode(errors='replace').strip()[-500:]}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.output = os.path.join(folder, "output")
        self.folder = folder
        self.failures = 0
        # Inferences per frame.
        self.inferences = 1

    def poses(self, clip, precision):
        """One run of Kinema: frames, frames per second, CPU milliseconds per frame, peak memory in MB."""
        what = ["--hands", "--no-bodies"] if self.options.hands else ["--max-people", str(self.options.people)]
        arguments = [self.options.kinema, "pose", clip, "--format", "jsonl", *what]
        seconds, cpu, memory = run(arguments + ["--precision", precision], self.output)
        with open(self.output, "rb") as lines:
            counts = [len(json.loads(line)["hands" if self.options.hands else "people"]) for line in lines]
        frames = len(counts)
        if self.options.hands or self.options.people > 1:
            self.inferences = sum(counts) / frames
        return frames, frames / seconds, cpu / frames * 1000, memory

    def parts(self, clip, precision):
        """CPU milliseconds per frame of bare inference and of bare decoding."""
        what = ["--hands"] if self.options.hands else []
        run([BENCH, "parts", clip, "--precision", precision, *what], self.output)
        with open(self.output) as file:
            result = json.load(file)
        return result["inferenceCPUms"] * self.inferences, result["decodeCPUms"]

    def peer(self, clip):
        """One run of MediaPipe: frames, and frames per second by its own clock."""
        program = os.path.join(self.options.shared, "peers", "mediapipe_pose.py")
        run([sys.executable, program, clip, "--bench", "1", *["--hands"] * self.options.hands], self.output)
        with open(self.output) as file:
            result = json.loads(file.read().splitlines()[-1])
        return result["frames"], result["fps"]

    def goal(self, reached, text):
        self.failures += not reached
        print(f"{'reached' if reached else 'MISSED ':8} {text}", flush=True)

    def speed(self, clip, precision):
        ours, parts, peers = [], [], []
        for turn in range(self.options.runs):
            ours.append(self.poses(clip, precision))
            parts.append(self.parts(clip, precision))
            # MediaPipe's solution detects one person at most.
            if self.options.people == 1:
                peers.append(self.peer(clip))
            others = "".join(f", MediaPipe {peer[1]:.1f}" for peer in peers[turn:])
            print(f"  run {turn + 1}: Kinema {ours[-1][1]:.1f} frames/s{others}", flush=True)
        rate, cpu = (statistics.median(run[i] for run in ours) for i in (1, 2))
        inference, decoding = (statistics.median(part[i] for part in parts) for i in (0, 1))
        cores = len(os.sched_getaffinity(0))
        limit = cores / (inference + decoding) * 1000
        outside = 1 - (inference + decoding) / cpu
        print(f"  frames                        {ours[0][0]:8}   of {self.inferences:.2f} poses or hands each")
        print(f"  Kinema                        {rate:8.1f} frames/s")
        print(f"  CPU time of Kinema            {cpu:8.2f} ms per frame")
        print(f"  CPU time of bare inference    {inference:8.2f} ms per frame")
        print(f"  CPU time of bare decoding     {decoding:8.2f} ms per frame")
        print(f"  limit of {cores} cores              {limit:8.1f} frames/s")
        # The parts cannot take longer than the whole; if they do, the measurement is wrong.
        self.goal(outside > -PARTS_TOLERANCE, "the bare parts take no more CPU time than the whole")
        if peers:
            peer_rate = statistics.median(peer[1] for peer in peers)
            wanted = GOAL_RATIO_AVX2 if "AVX2" in processor()[1].upper() else GOAL_RATIO[precision]
            self.goal(ours[0][0] == peers[0][0], f"as many frames as MediaPipe ({peers[0][0]})")
            self.goal(rate / peer_rate >= wanted,
                      f"{rate / peer_rate:.2f} times MediaPipe's {peer_rate:.1f} frames/s; the goal is {wanted:g}")
        least = GOAL_LIMIT_OF_SEVERAL if self.options.hands or self.options.people > 1 else GOAL_LIMIT
        self.goal(rate / limit >= least, f"{rate / limit:.0%} of the limit; the goal is {least:.0%}")
        self.goal(outside < GOAL_OUTSIDE, f"{outside:.1%} of the CPU time outside inference and decoding; "
                                          f"the goal is less than {GOAL_OUTSIDE:.0%}")

    def repeated(self, clip, *options):
        """The clip repeated in one file, ten times or as FFmpeg's options say."""
        repeated = os.path.join(self.folder, f"repeated-{os.path.splitext(os.path.basename(clip))[0]}.mp4")
        loops = "-1" if options else str(REPEATS - 1)
        run(["ffmpeg", "-v", "error", "-y", "-stream_loop", loops, "-i", clip, "-map", "0:v:0", "-c", "copy", *options,
             repeated], self.output)
        return repeated

    def growth(self, clip, precision, longest):
        """Speed on fewer cores, then time and memory on longer and longer files."""
        cores = sorted(os.sched_getaffinity(0))
        words = [self.options.kinema, "pose", "--format", "jsonl", "--max-people", "1", "--precision", precision]
        film, rates = self.repeated(clip, "-t", str(GROWTH_SECONDS)), []
        for count in range(1, len(cores) + 1):
            pinned = ["taskset", "-c", ",".join(map(str, cores[:count]))]
            times = [run([*pinned, *words, film], self.output)[0] for _ in range(self.options.runs)]
            rates.append(GROWTH_SECONDS / statistics.median(times))
            print(f"  {count} {'core' if count == 1 else 'cores'}: {rates[-1]:5.2f} s of video per second, "
                  f"{rates[-1] / (count * rates[0]):.0%} of the ideal", flush=True)
        shares, peaks = [], []
        for seconds in (one for one in GROWTH_LENGTHS if one <= longest):
            took, _, memory = run([*words, self.repeated(clip, "-t", str(seconds))], self.output)
            shares.append(took / seconds)
            peaks.append(memory)
            print(f"  {seconds:5} s of video: {took:7.1f} s, {took / seconds:.3f} s per second, {memory:.0f} MB", flush=True)
        # Start-up weighs more in short files.
        grown, most = max(shares[2:]) / shares[1], GOAL_MEMORY + GOAL_WORKER * (len(cores) - 1)
        self.goal(grown <= GOAL_GROWTH, f"a second of video takes {grown:.2f} times that of {GROWTH_LENGTHS[1]} s; "
                                        f"the goal is at most {GOAL_GROWTH}")
        self.goal(max(peaks) <= most, f"{max(peaks):.0f} MB; the goal is at most {most}")

    def memory(self, precision):
        clip = os.path.join(self.options.shared, "data", "repetitions", MEMORY_CLIP)
        repeated = self.repeated(clip)
        frames, _, _, once = self.poses(clip, precision)
        many_frames, _, _, many = self.poses(repeated, precision)
        print(f"  peak memory, {MEMORY_CLIP}: {once:.0f} MB over {frames} frames, {many:.0f} MB over {many_frames}")
        most = GOAL_MEMORY + GOAL_WORKER * (len(os.sched_getaffinity(0)) - 1)
        self.goal(once <= most, f"{once:.0f} MB at 1080p; the goal is at most {most}")
        self.goal(many <= once * GOAL_GROWTH and many_frames > frames * (REPEATS - 1),
                  f"{many / once:.2f} times the memory over {many_frames / frames:.1f} times the frames; "
                  f"the goal is at most {GOAL_GROWTH}")


    def nobody(self, precision):
        """The cost of searching for hands when none are visible, in alternating pairs."""
        clip = self.repeated(os.path.join(self.options.shared, "data", "repetitions", NO_HANDS_CLIP))
        words = [self.options.kinema, "pose", clip, "--format", "jsonl", "--max-people", "1", "--precision", precision]
        times, cpus = [], []
        for turn in range(self.options.runs):
            pair = {}
            for hands in (False, True) if turn % 2 == 0 else (True, False):
                pair[hands] = run(words + ["--hands"] * hands, self.output)
            times.append(pair[True][0] / pair[False][0])
            cpus.append(pair[True][1] / pair[False][1])
        ratio = statistics.median(times)
        self.goal(ratio <= GOAL_NO_HANDS,
                  f"{ratio:.2f} times the time with --hands and no hand in view ({min(times):.2f} to {max(times):.2f}; "
                  f"processor time {statistics.median(cpus):.2f}); the goal is {GOAL_NO_HANDS:.2f}")


def chosen(options):
    """The share of the limit that pose detection with a chosen model reaches; returns 1 if it misses its goal."""
    cores, missed = len(os.sched_getaffinity(0)), 0
    clips = [options.clip] if options.clip else [os.path.join(options.shared, "data", *clip) for clip in CHOSEN_CLIPS]
    detector = ["--detector", options.detector] if options.detector else []
    for clip in clips:
        if not os.path.exists(clip):
            sys.exit(f"bench: {clip} does not exist")
        arguments = [BENCH, "parts", clip, "--model", options.model, *detector,
                     "--precision", options.precision or "f32"]
        runs = []
        for _ in range(options.runs):
            done = subprocess.run(arguments, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"bench: {done.stderr.strip()}")
            runs.append(json.loads(done.stdout))
        found = {key: statistics.median(run[key] for run in runs) for key in runs[0] if key != "precision"}
        parts = (found["inferences"] * found["inferenceCPUms"] + found["detections"] * found["detectionCPUms"]
                 + found["decodeCPUms"])
        share = parts / cores / found["wholeWallms"]
        missed += share < GOAL_LIMIT
        print(f"{os.path.basename(clip)}, {runs[0]['precision']}, medians of {options.runs} runs")
        print(f"  Kinema                        {1000 / found['wholeWallms']:8.1f} frames/s")
        print(f"  poses per frame             {found['inferences']:8.2f}   of {found['inferenceCPUms']:.2f} ms CPU time")
        print(f"  detections per frame        {found['detections']:8.2f}   of {found['detectionCPUms']:.2f} ms")
        print(f"  decoding per frame          {found['decodeCPUms']:8.2f} ms")
        print(f"  limit of {cores} cores              {1000 * cores / parts:8.1f} frames/s")
        print(f"{'reached' if share >= GOAL_LIMIT else 'MISSED ':8} {share:.0%} of the limit; the goal is {GOAL_LIMIT:.0%}",
              flush=True)
    return 1 if missed else 0


def trajectories(options):
    """The speed of flight detection on one core, without decoding; returns 1 if it misses its goal."""
    clips = [options.clip] if options.clip else [
        os.path.join(options.shared, "data", "throws", name) for name in FLIGHT_CLIPS]
    slow = 0
    for clip in clips:
        if not os.path.exists(clip):
            sys.exit(f"bench: {clip} does not exist")
        done = subprocess.run([BENCH, "trajectories", clip], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"bench: {done.stderr.strip()}")
        found = json.loads(done.stdout)
        rate = 1000 / found["cpuMilliseconds"]
        slow += rate < GOAL_FLIGHTS
        print(f"  {os.path.basename(clip)}, {found['width']}x{found['height']}: {rate:.0f} frames/s on one core, "
              f"goal {GOAL_FLIGHTS}")
    return 1 if slow else 0


def compare(options):
    """Processor time, speed and memory compared with an older command, run alternately; has no goal."""
    names = ["squat_timer12.mp4", "pf_correct111.mp4"]
    clips = [options.clip] if options.clip else [
        os.path.join(options.shared, "data", "repetitions", name) for name in names]
    commands = {"before": options.compare, "now": options.kinema}
    jobs = [(precision, ["pose", "--max-people", "1", "--precision", precision])
            for precision in ([options.precision] if options.precision else ["f32"] + ["automatic"] * has_half_floats())]
    jobs += [("hands too", ["pose", "--hands"]), ("count", ["count"])]
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output")
        print(f"medians of {options.runs} alternating runs; ratios now / before, with the smallest and the largest of a pair")
        for clip in clips:
            for title, what in jobs:
                runs = {name: [] for name in commands}
                for turn in range(options.runs + 1):
                    for name in sorted(commands, reverse=turn % 2 == 1):
                        found = run([commands[name], *what, clip, "--format", "jsonl"], output)
                        # The first pair fills the caches.
                        if turn:
                            runs[name].append(found)
                median = {name: [statistics.median(values) for values in zip(*rows)] for name, rows in runs.items()}
                print(f"{os.path.basename(clip)}, {title}")
                for index, unit in ((0, "s"), (1, "s of processor time"), (2, "MB")):
                    ratios = sorted(now[index] / before[index] for before, now in zip(runs["before"], runs["now"]))
                    print(f"  {median['before'][index]:8.2f} -> {median['now'][index]:8.2f} {unit:20}"
                          f" {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})", flush=True)
    return 0


def sandbox(options):
    """The cost of decoding in a separate process, compared with decoding in this one; returns 1 if it misses its goal.

    Runs alternate, as does which of a pair goes first; the processor time is that of both processes.
    """
    clip = options.clip or os.path.join(options.shared, "data", "repetitions", "squat_timer12.mp4")
    if not os.path.exists(clip):
        sys.exit(f"bench: {clip} does not exist")
    found = {"--sandbox": [], "--no-sandbox": []}
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "output")
        for turn in range(options.runs + 1):
            for choice in sorted(found, reverse=turn % 2 == 1):
                arguments = [options.kinema, "pose", clip, "--format", "jsonl", choice]
                seconds, processor, memory = run(arguments, output)
                # The first pair fills the caches.
                if turn:
                    found[choice].append((seconds, processor, memory))
    medians = {choice: [statistics.median(values) for values in zip(*runs)] for choice, runs in found.items()}
    print(f"{os.path.basename(clip)}, kinema pose, medians of {options.runs} alternating runs")
    for choice, (seconds, processor, memory) in medians.items():
        print(f"  {choice:14} {seconds:7.2f} s   {processor:7.2f} s of processor time   {memory:5.0f} MB")
    ratios = sorted(apart[1] / here[1] for apart, here in zip(found["--sandbox"], found["--no-sandbox"]))
    ratio = statistics.median(ratios)
    reached = ratio <= GOAL_SANDBOX
    print(f"{'reached' if reached else 'MISSED ':8} {ratio:.3f} times the processor time (of pairs: {ratios[0]:.3f} to "
          f"{ratios[-1]:.3f}); the goal is {GOAL_SANDBOX}")
    return 0 if reached else 1


def main():
    parser = command_line("bench", __doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--clip", help="a 720p file with one person, or as many as --people says")
    parser.add_argument("--hands", action="store_true", help="detect hands instead of a body")
    parser.add_argument("--people", type=int, default=1, help="how many people to find, in a clip that shows as many")
    parser.add_argument("--growth", type=int, metavar="SECONDS", nargs="?", const=GROWTH_LENGTHS[-1],
                        help="on fewer cores, and on files of up to SECONDS (default: an hour)")
    parser.add_argument("--trajectories", action="store_true", help="find flights, without decoding")
    parser.add_argument("--sandbox", action="store_true", help="with and without a decoder process")
    parser.add_argument("--precision", choices=GOAL_RATIO,
                        help="default: f32, and automatic if the processor has 16-bit floats")
    parser.add_argument("--isa", choices=("AVX2", "AVX512_CORE"), help="the widest instruction set that inference may use")
    parser.add_argument("--model", help="time this model")
    parser.add_argument("--detector", help="with --model: its detector")
    parser.add_argument("--compare", help="an older command, to run alternately with this one")
    options = parser.parse_args()
    if options.growth is not None and (options.growth < GROWTH_LENGTHS[2] or options.hands or options.people > 1):
        parser.error(f"--growth needs {GROWTH_LENGTHS[2]} s or more, and one person")
    if options.isa:
        os.environ[ISA_SETTING] = options.isa
    print("{}, {}".format(*processor()))
    if options.compare:
        return compare(options)
    if options.model:
        return chosen(options)
    if options.trajectories:
        return trajectories(options)
    if options.sandbox:
        return sandbox(options)
    default = ["hands", "asl", HANDS_CLIP] if options.hands else CHOSEN_CLIPS[options.people > 1]
    clip = options.clip or os.path.join(options.shared, "data", *default)
    if not os.path.exists(clip):
        sys.exit(f"bench: {clip} does not exist")

    precisions = [options.precision] if options.precision else ["f32"] + ["automatic"] * has_half_floats()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        if options.growth:
            bench.growth(clip, precisions[0], options.growth)
            return 1 if bench.failures else 0
        if options.hands and not options.clip:
            clip = bench.repeated(clip)
        for precision in precisions:
            print(f"speed in {precision}, {os.path.basename(clip)}, medians of {options.runs} alternating runs")
            bench.speed(clip, precision)
            if options.hands and not options.clip:
                bench.nobody(precision)
        if not options.hands and options.people == 1:
            print("memory")
            bench.memory(precisions[0])
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
