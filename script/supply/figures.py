"""Checks the figures of README and the documentation: writes those of Documentation/figures.json into the pages (--write),
or finds pages that differ from it, figures without the commit that printed them, and figures older than the code.

A table row with figures ends with the program that printed them, such as `script/parity`, and the commit. In a guide, a
block of figures follows a line like "Printed by `script/parity` at 1a2b3c4."
Figures without a commit are errors; older ones are only listed, because some take hours to print again.
"""
import glob
import json
import os
import re
import subprocess
import sys

# The sources that each program measures.
COUNTING = ["Sources/KinemaCounting"]
BODIES = ["Sources/KinemaPose/BodyPose", "Sources/KinemaSampling", "Sources/KinemaMotion/PoseSmoother.swift"]
MEASURED = {
    "script/parity hands": ["Sources/KinemaPose/HandPose", "Sources/KinemaSampling"],
    "script/parity": BODIES,
    "script/coco": BODIES + ["Sources/KinemaPose/Models"],
    "script/counting": COUNTING,
    "kinema evaluate count": COUNTING,
    "script/actions": ["Sources/KinemaLearning"],
    "script/pinches": ["Sources/KinemaMotion/Gestures", "Sources/KinemaPose/HandPose"],
    "script/trajectories": ["Sources/KinemaImaging/Trajectories"],
    "kinema evaluate trajectories": ["Sources/KinemaImaging/Trajectories"],
    "kinema evaluate toss": ["Sources/KinemaToss", "Sources/KinemaImaging/Trajectories"],
    "script/measure-accuracy": ["Sources/KinemaMeasuring"] + BODIES,
    "script/crowds": ["Sources/KinemaPose/BodyPose", "Sources/KinemaSynth"],
    "script/contours": ["Sources/KinemaImaging/Contours"],
    "script/bench --hands": ["Sources/KinemaPose/HandPose", "Sources/KinemaMedia", "Sources/KinemaPose/Runtime"],
    "script/bench --stream": ["Sources/KinemaStudioCommands/Watch"] + BODIES,
    "script/bench --studio": ["Sources/KinemaStudio/Live", "Sources/KinemaStudio/Server", "Sources/KinemaHTTP"],
    "script/bench": BODIES + ["Sources/KinemaMedia", "Sources/KinemaPose/Runtime"],
}
PROGRAM = r"`((?:script/|kinema evaluate )[a-z]+[^`]*)`"
NAMED = re.compile("[Pp]rinted by " + PROGRAM + r" at ([0-9a-f]{7})\b")


def figures(root, page):
    """The line of each figure, the program that printed it, and the commit or None."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        lines = file.read().splitlines()
    has_commit = False
    for number, line in enumerate(lines, 1):
        for program, commit in NAMED.findall(line):
            yield number, program, commit
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if "printed by" in cells:
            has_commit = cells[-1] == "commit"
        elif line.startswith("|") and not line.startswith("|--"):
            row = [re.fullmatch(PROGRAM, cell) for cell in cells[-2:]]
            program = next((match[1] for match in row if match), None)
            if program and any(re.search(r"\d", cell) for cell in cells[1:]):
                commit = cells[-1].strip("`") if has_commit else ""
                yield number, program, commit if re.fullmatch("[0-9a-f]{7}", commit) else None


def newer(root, commit, program):
    """The newest commit that changed what the program measures after the figure was printed, or None."""
    paths = next((MEASURED[name] for name in sorted(MEASURED, key=len, reverse=True) if program.startswith(name)), [])
    if not paths:
        return None
    words = ["git", "-C", root, "log", "-1", "--format=%h of %cs", f"{commit}..HEAD", "--", *paths]
    ended = subprocess.run(words, capture_output=True, text=True)
    return ended.stdout.strip() or None if ended.returncode == 0 else "no commit of this history"


HEAD = "| | Kinema | MediaPipe | printed by | commit |\n|---|---|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")
NUMBER = r"\d+(?:\.\d+)?"


def table(rows, name):
    """The rows as a page's table; `name` returns a row's first cell, or None to omit the row."""
    lines = []
    for row in rows:
        if name(row) is not None:
            cells = [name(row), row["kinema"], row.get("mediapipe", ""), f"`{row['script']}`", f"`{row['commit']}`"]
            lines.append(re.sub("  +", " ", "| " + " | ".join(cells) + " |\n"))
    return HEAD + "".join(lines)


def pages(root):
    """Each page that Documentation/figures.json writes: its name, its text, the expected text, and its faults."""
    with open(os.path.join(root, "Documentation/figures.json"), encoding="utf-8") as file:
        kept = json.load(file)
    values = {f"{row['id']}.{place}": text for row in kept["rows"]
              for place, text in enumerate(re.findall(NUMBER, row["kinema"]))}
    tables = {"README.md": lambda row: row["what"] if row.get("readme") is True else row.get("readme"),
              "Documentation/accuracy.md": lambda row: row["what"]}
    for page in sorted({*tables, *kept["repeated"]}):
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        right, faults = text, []
        if page in tables:
            right, found = TABLE.subn(lambda _, page=page: table(kept["rows"], tables[page]), right)
            faults += [] if found == 1 else [f"{page}: has {found} tables of figures instead of one"]
        for sentence in kept["repeated"].get(page, []):
            parts = re.split(r"(\{[^}]*\})", sentence)
            pattern = "".join(NUMBER if part.startswith("{") else re.escape(part) for part in parts)
            filled = "".join(values[part[1:-1]] if part.startswith("{") else part for part in parts)
            right, found = re.subn(pattern, lambda _, filled=filled: filled, right)
            faults += [] if found == 1 else [f"{page}: {found} places say: {sentence}"]
        yield page, text, right, faults


def main():
    root, faulty, stale = sys.argv[1], [], []
    for page, text, right, faults in pages(root):
        faulty += faults
        if text != right and "--write" in sys.argv:
            with open(os.path.join(root, page), "w", encoding="utf-8") as file:
                file.write(right)
        elif text != right:
            faulty.append(f"{page}: differs from Documentation/figures.json; run script/docs --figures")
    guides = [sorted(glob.glob(names, root_dir=root)) for names in ("Documentation/*.md", "Documentation/lab/*.md")]
    for page in ["README.md", *guides[0], *guides[1]]:
        for number, program, commit in figures(root, page):
            if commit is None:
                faulty.append(f"{page}:{number}: does not say at which commit {program} printed it")
            elif change := newer(root, commit, program):
                stale.append(f"{page}:{number}: printed by {program} at {commit}; what it measures changed at {change}")
    print("\n".join(faulty + [f"older: {line}" for line in stale]), end="\n" if faulty or stale else "")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
