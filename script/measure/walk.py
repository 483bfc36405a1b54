"""Lists the files that a frame enters, from the counters of two traced runs; see script/walk."""
import collections
import json
import os
import subprocess
import sys
import tempfile

# What runs, and the scenes of kinema synth that it runs on, a short and a long one: options and frames.
WALKS = {
    "count": (("count", "--overlay", "seen.mp4"), ("--scene", "squat", "--repetitions", "2"), ("--scene", "squat", "--repetitions", "6")),
    "toss": (("toss", "--overlay", "seen.mp4"), ("--scene", "toss", "--seed", "4"), ("--scene", "toss", "--seed", "5")),
}


def traced(programs, words, folder):
    """How often each function of each file ran, and how many frames were analysed."""
    raw = os.path.join(folder, "counters.profraw")
    environment = dict(os.environ, LLVM_PROFILE_FILE=raw)
    ended = subprocess.run([os.path.join(programs, "kinema"), *words], capture_output=True, text=True, env=environment, cwd=folder)
    if ended.returncode not in (0, 2): sys.exit(f"walk: {' '.join(words)}: {ended.stderr.strip()}")
    merged = os.path.join(folder, "counters.profdata")
    subprocess.run(["llvm-profdata", "merge", "-o", merged, raw], check=True)
    exported = subprocess.run(
        ["llvm-cov", "export", "-instr-profile", merged, os.path.join(programs, "kinema")], check=True, capture_output=True).stdout
    counts = collections.Counter()
    for function in json.loads(exported)["data"][0]["functions"]:
        for name in function["filenames"][:1]: counts[name, function["name"]] += function["count"]
    return counts, json.loads(ended.stdout.splitlines()[-1])["frames"]


def walk(programs, sources, name):
    """The files that a frame enters, by their paths in Sources."""
    command, *scenes = WALKS[name]
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for number, scene in enumerate(scenes):
            clip = os.path.join(folder, f"{number}.mp4")
            subprocess.run([os.path.join(programs, "kinema-studio"), "synth", *scene, "--output", clip], check=True, capture_output=True, env=dict(os.environ, LLVM_PROFILE_FILE="/dev/null"))
            # In one process and in one piece: a decoder's process keeps its counters, and parts have frames of their own.
            runs.append(traced(programs, (*command, clip, "--no-sandbox", "--format", "json"), folder))
    (before, few), (after, many) = runs
    least = (many - few) / 2
    paths = {path for (path, function), count in after.items() if count - before[path, function] >= least}
    return {os.path.relpath(path, sources) for path in paths if path.startswith(sources + os.sep)}


def main():
    programs, sources, *names = sys.argv[1:]
    names = names or list(WALKS)
    for name in names:
        if name not in WALKS: sys.exit(f"walk: knows {' and '.join(WALKS)}, not {name}")
    files = {name: walk(os.path.realpath(programs), os.path.realpath(sources), name) for name in {*names, "count"}}
    for name in names:
        print(f"{name}: {len(files[name])} files in {len({os.path.dirname(path) for path in files[name]})} folders" + (f", {len(files[name] - files['count'])} beyond those of a count" if name != "count" else ""))
        for path in sorted(files[name]): print("    " + path)


main()
