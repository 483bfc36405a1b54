"""Runs the built command on damaged videos and images of every kind; exits with 1 at any crash, trace, hang or excess.

A small rendered clip is converted to each container and codec that this machine's `ffmpeg` writes (without it, to MP4
only); each is then damaged reproducibly from a seed: bits, bytes and lengths changed, chunks cut, duplicated or moved,
parts of another file inserted. Many files go through one `kinema batch`; if a run dies, its files are run one by one.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

# FFmpeg's options for each kind; kinds that this ffmpeg cannot write are skipped.
KINDS = {
    "h264.mp4": "-c:v libx264 -bf 2", "hevc.mp4": "-c:v libx265 -x265-params log-level=error", "mpeg4.mp4": "-c:v mpeg4",
    "av1.mp4": "-c:v libsvtav1", "prores.mov": "-c:v prores", "mjpeg.mov": "-c:v mjpeg", "png.mov": "-c:v png",
    "h264.mkv": "-c:v libx264", "ffv1.mkv": "-c:v ffv1", "vp8.webm": "-c:v libvpx", "vp9.webm": "-c:v libvpx-vp9",
    "mpeg4.avi": "-c:v mpeg4", "mjpeg.avi": "-c:v mjpeg", "h264.avi": "-c:v libx264", "raw.avi": "-c:v rawvideo",
    "mpeg2.ts": "-c:v mpeg2video -r 25", "h264.ts": "-c:v libx264", "mpeg1.mpg": "-c:v mpeg1video -r 25",
    "flv1.flv": "-c:v flv1", "h264.flv": "-c:v libx264", "theora.ogv": "-c:v libtheora", "a.gif": "", "a.apng": "",
    "fragments.mp4": "-c:v libx264 -movflags frag_keyframe+empty_moov", "a.h264": "-c:v libx264", "a.mjpeg": "-c:v mjpeg",
    "a.y4m": "", "a.jpg": "-frames:v 1", "a.png": "-frames:v 1", "a.webp": "-frames:v 1", "a.bmp": "-frames:v 1",
}
# Limits of one run: seconds per file, megabytes in total. The command itself allows 4 GiB for reading one input.
SECONDS = 20
MEGABYTES = 6144
TRACE = re.compile(r"Fatal error|Crash|Backtrace|Stack dump|AddressSanitizer|terminate called|Assertion|0x[0-9a-f]{8,}")
LENGTHS = (0, 1, 7, 8, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def render(kinema, folder):
    """A clip of eight frames in each kind, by name."""
    clip = folder / "clip.mp4"
    subprocess.run([kinema, "synth", "--output", clip, "--size", "128x96", "--frame-rate", "10", "--repetitions", "1"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        print("fuzz media: ffmpeg is not installed; only MP4 is tried", file=sys.stderr)
        return {"clip.mp4": clip.read_bytes()}
    files = {}
    for name, options in KINDS.items():
        path = folder / name
        run = subprocess.run([ffmpeg, "-v", "error", "-y", "-i", clip, "-frames:v", "8", "-an", *options.split(), path],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        if run.returncode == 0 and path.stat().st_size: files[name] = path.read_bytes()
        else: print(f"fuzz media: this ffmpeg cannot write {name}; skipped", file=sys.stderr)
    return files


def mutated(source, others, rng):
    """One to four kinds of damage, mostly near the start, where headers are."""
    data = bytearray(source)
    def place(size=1):
        end = max(1, len(data) - size)
        return min(end - 1, int(end * rng.random() ** rng.choice((1, 3))))
    for _ in range(rng.choice((1, 1, 2, 4))):
        if len(data) < 16: break
        kind = rng.randrange(8)
        start, size = place(64), rng.choice((1, 4, 8, 16, 64, 512))
        if kind == 0:
            for _ in range(rng.choice((1, 4, 32))): data[place()] ^= 1 << rng.randrange(8)
        elif kind == 1:
            for _ in range(rng.choice((1, 2, 8))): data[place()] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif kind == 2:
            form, mask = rng.choice(((">I", 2**32 - 1), ("<I", 2**32 - 1), (">H", 0xFFFF), ("<H", 0xFFFF)))
            struct.pack_into(form, data, min(start, len(data) - 4), rng.choice(LENGTHS) & mask)
        elif kind == 3: del data[max(12, place()):]
        elif kind == 4: data[start:start] = data[start:start + size]
        elif kind == 5: del data[start:start + size]
        elif kind == 6:
            other = place(64)
            data[start:start + size], data[other:other + size] = data[other:other + size], data[start:start + size]
        else:
            donor = rng.choice(others)
            cut = rng.randrange(max(1, len(donor)))
            data[start:start + size] = donor[cut:cut + size]
    return bytes(data)


def run(command, seconds):
    """Exit code (None for a hang), output, peak memory in megabytes."""
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told, stdin=subprocess.DEVNULL,
                                   start_new_session=True, env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})
        hung = threading.Event()
        def stop():
            hung.set()
            os.killpg(process.pid, signal.SIGKILL)
        timer = threading.Timer(seconds, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        text = told.read().decode(errors="replace")
    return None if hung.is_set() else process.returncode, text, usage.ru_maxrss // 1024


class Tally:
    def __init__(self, found):
        self.found, self.findings, self.statuses, self.codes, self.peak = found, 0, {}, {}, 0

    def note(self, path, why):
        self.findings += 1
        self.found.mkdir(parents=True, exist_ok=True)
        kept = self.found / f"media-{path.name}"
        shutil.copy(path, kept)
        print(f"fuzz media: {why}: {kept}", file=sys.stderr)

    def single(self, command, path):
        """Runs one file by itself, as users do: expects a documented exit code, and one line per error."""
        code, text, memory = run([*command[:1], "pose", path, "--format", "jsonl", *command[1:]], SECONDS)
        self.peak = max(self.peak, memory)
        self.codes[code] = self.codes.get(code, 0) + 1
        if code is None: self.note(path, f"more than {SECONDS} s")
        elif code not in (0, 1, 2, 65): self.note(path, f"exit {code}")
        elif TRACE.search(text): self.note(path, "a trace")
        elif code in (1, 65) and len([line for line in text.splitlines() if line.startswith("kinema:")]) != 1:
            self.note(path, "an error that is not one line")
        elif memory > MEGABYTES: self.note(path, f"{memory} MB")

    def batch(self, command, paths, folder):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        own = ["--", *command[1:]] if command[1:] else []
        code, text, memory = run([*command[:1], "batch", *paths, "--task", "pose", "--output", out, *own],
                                 SECONDS * len(paths))
        lines = (out / "manifest.jsonl").read_text().splitlines() if (out / "manifest.jsonl").exists() else []
        entries = {pathlib.Path(entry["source"]).name: entry for entry in map(json.loads, lines)}
        self.peak = max(self.peak, memory)
        self.codes[f"batch {code}"] = self.codes.get(f"batch {code}", 0) + 1
        whole = code in (0, 1, 2) and len(entries) == len(paths) and not TRACE.search(text) and memory <= MEGABYTES
        for path in paths:
            entry = entries.get(path.name)
            status = entry["status"] if entry else "none"
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if not whole: self.single(command, path)
            elif entry["seconds"] > SECONDS: self.note(path, f"{entry['seconds']:.0f} s")
            elif "\n" in entry.get("error", ""): self.note(path, "an error of several lines")
        if not whole: print(f"fuzz media: a batch ended with {code}; its files were run one by one", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinema", type=pathlib.Path, required=True)
    parser.add_argument("--found", type=pathlib.Path, required=True)
    parser.add_argument("--files", type=int, default=2000, help="how many damaged files in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], help="an option for the command, such as --sandbox")
    options = parser.parse_args()
    rng, tally, begin = random.Random(options.seed), Tally(options.found), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sources = render(options.kinema, folder)
        command, kinds, tried = [options.kinema, *options.option], list(sources), 0
        clips = folder / "files"
        while tried < options.files:
            shutil.rmtree(clips, ignore_errors=True)
            clips.mkdir()
            paths = []
            for index in range(min(60, options.files - tried)):
                kind = kinds[(tried + index) % len(kinds)]
                path = clips / f"{options.seed}-{tried + index:05d}-{kind}"
                path.write_bytes(mutated(sources[kind], list(sources.values()), rng))
                paths.append(path)
            tally.batch(command, paths, folder)
            # A batch does not show exit codes and error lines, so a few files also run by themselves.
            for path in rng.sample(paths, min(3, len(paths))): tally.single(command, path)
            tried += len(paths)
            print(f"\r{tried} of {options.files}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    told = ", ".join(f"{count} {status}" for status, count in sorted(tally.statuses.items()))
    codes = ", ".join(f"{code}: {count}" for code, count in sorted(tally.codes.items(), key=str))
    print(f"{tried} files of {len(kinds)} kinds, seed {options.seed}, {(time.monotonic() - begin) / 60:.1f} min: {told}; "
          f"exit codes {codes}; peak {tally.peak} MB; {tally.findings} findings")
    sys.exit(tally.findings > 0)


main()
