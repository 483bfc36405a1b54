#!/usr/bin/env python3
"""Counts every labelled recording from the video and from its poses in each format, and reports whether they agree.

    script/counting formats [--export]     with --export also from the files that kinema pose --export writes (slow)

JSON Lines of poses hold everything that the counter uses. The other files hold less: OpenPose's and COCO's have fewer
joints and one score per person and frame, markers have no confidence, and none of them records where a shot ends.
"""
import argparse, concurrent.futures, csv, json, os, shutil, subprocess, tempfile

EXPORTS = ("csv", "openpose", "coco", "trc")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def count(kinema, source, *options):
    """The count, or the error message."""
    ended = run(kinema, "count", source, "--format", "json", *options)
    return json.loads(ended.stdout)["count"] if ended.stdout else ended.stderr.strip()[-120:]


def look(arguments, kind, video, folder):
    counts = {"video": count(arguments.kinema, video)}
    lines = os.path.join(folder, "poses.jsonl")
    first = run(arguments.kinema, "pose", video, "--precision", "f32", "--format", "jsonl")
    with open(lines, "w") as file: file.write(first.stdout)
    counts["jsonl"] = count(arguments.kinema, lines)
    record = json.loads(first.stdout.splitlines()[0])
    rate = (first.stdout.count("\n") - 1) / max(1e-3, json.loads(first.stdout.splitlines()[-1])["time"])
    # Options for what the file itself does not state.
    aspect = ("--aspect", f"{record['width']}/{record['height']}")
    said = {"csv": aspect, "openpose": (*aspect, "--fps", f"{rate:.4f}")}
    for export in EXPORTS if arguments.export and kind == "repetitions" else ():
        output = os.path.join(folder, {"openpose": "frames"}.get(export, "poses." + {"coco": "json"}.get(export, export)))
        ended = run(arguments.kinema, "pose", video, "--precision", "f32", "--format", "jsonl", "--export", export, "--output", output)
        if ended.returncode not in (0, 2):
            counts[export] = ended.stderr.strip()[-120:]
            continue
        if export == "trc" and not os.path.exists(output):
            parts = sorted(name for name in os.listdir(folder) if name.endswith(".trc"))
            output = os.path.join(folder, parts[0]) if parts else output
        counts[export] = count(arguments.kinema, output, *said.get(export, ()))
    return counts


def main():
    parser = argparse.ArgumentParser()
    for name in ("kinema", "shared", "cache"): parser.add_argument("--" + name, required=True)
    parser.add_argument("--export", action="store_true")
    arguments = parser.parse_args()
    jobs = []
    for kind in ("repetitions", "repetitions/more"):
        folder = os.path.join(arguments.shared, "data", kind)
        jobs += [(kind, os.path.join(folder, row["file"])) for row in csv.DictReader(open(os.path.join(folder, "labels.csv")))]

    def job(item):
        folder = tempfile.mkdtemp()
        try: return item, look(arguments, *item, folder)
        finally: shutil.rmtree(folder)

    equal, number = {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, video), counts in pool.map(job, jobs):
            for name, value in counts.items():
                number[name] = number.get(name, 0) + 1
                equal[name] = equal.get(name, 0) + (value == counts["video"])
            other = ", ".join(f"{name} {value}" for name, value in counts.items() if value != counts["video"])
            if other: print(f"{os.path.basename(video):32} video {counts['video']}; {other}", flush=True)
    print("equal to the video's count: " + ", ".join(f"{name} {equal[name]} of {number[name]}" for name in equal if name != "video"))
    return equal["jsonl"] != number["jsonl"]


if __name__ == "__main__": raise SystemExit(main())
