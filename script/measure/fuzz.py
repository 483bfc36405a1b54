"""Runs libFuzzer's harnesses one by one and prints a table of what each tried; exits with 1 if anything is found."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Limits per input: seconds, megabytes in total, megabytes per allocation. A parser given a few kilobytes needs
# milliseconds and a few megabytes; the rest is the sanitizer's overhead.
LIMITS = {"timeout": 10, "rss_limit_mb": 1024, "malloc_limit_mb": 256}
# Seconds per harness and round if a number of inputs is required; fast harnesses make up for slow ones.
ROUND = 15
# libFuzzer's exit codes for findings.
HANG = 70


def environment(name, folder):
    symbolizer = shutil.which("llvm-symbolizer") or ""
    lines = (pathlib.Path(__file__).parents[1] / "sanitize.supp").read_text().splitlines()
    (pathlib.Path(folder) / "leaks").write_text("\n".join(line for line in lines if line.startswith("leak:")))
    return os.environ | {
        "KINEMA_FUZZ": name, "TMPDIR": folder, "SWIFT_BACKTRACE": "enable=no",
        "LSAN_OPTIONS": f"suppressions={folder}/leaks:print_suppressions=0",
        "ASAN_OPTIONS": f"detect_leaks=1:external_symbolizer_path={symbolizer}:allocator_may_return_null=0"}


def number(pattern, text, last=False):
    found = re.findall(pattern, text)
    return int(found[-1 if last else 0]) if found else 0


def fuzz(options, name, longest, seconds):
    """Runs one harness for the given time; returns what it tried and found."""
    corpus = options.corpus / name
    corpus.mkdir(parents=True, exist_ok=True)
    options.found.mkdir(parents=True, exist_ok=True)
    before = set(options.found.glob(f"{name}-*"))
    command = [options.harness, *(f"-{key}={value}" for key, value in LIMITS.items()), f"-max_len={longest}",
               f"-seed={options.seed}", f"-artifact_prefix={options.found}/{name}-", "-print_final_stats=1",
               f"-max_total_time={seconds}", corpus, options.seeds / name]
    begin = time.monotonic()
    # Small files are created and removed thousands of times a second.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        run = subprocess.run(command, env=environment(name, folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = run.stdout.decode(errors="replace")
    found = sorted(set(options.found.glob(f"{name}-*")) - before)
    tried = number(r"stat::number_of_executed_units:\s*(\d+)", text) or number(r"^#(\d+)", text, last=True)
    row = {"name": name, "inputs": max(0, tried - number(r"#(\d+)\s+INITED", text)),
           "seconds": time.monotonic() - begin, "edges": number(r" cov: (\d+)", text, last=True),
           "corpus": number(r" corp: (\d+)", text, last=True),
           "crashes": int(run.returncode not in (0, HANG)), "hangs": int(run.returncode == HANG),
           "memory": number(r"stat::peak_rss_mb:\s*(\d+)", text) or number(r"rss: (\d+)Mb", text, last=True)}
    if run.returncode != 0:
        (options.found / f"{name}.log").write_text(text)
        told = [line for line in text.splitlines() if re.match(r"broken:|Fatal error|==\d+== ?ERROR|SUMMARY|.*Fatal error", line)]
        print(f"{name}: exit {run.returncode}; {'; '.join(told[:3]) or text[-300:]}", file=sys.stderr)
        for path in found: print(f"{name}: script/fuzz --replay {path} {name}", file=sys.stderr)
    return row


def replay(options, name):
    with tempfile.TemporaryDirectory() as folder:
        command = [options.harness, *(f"-{key}={value}" for key, value in LIMITS.items()), options.replay]
        return subprocess.run(command, env=environment(name, folder)).returncode


def run(options, names, lengths):
    """Runs all harnesses in turn, repeatedly if a number of inputs is required, except those with a finding."""
    rows, seconds = {}, max(1, int(options.minutes * 60 / len(names))) if options.inputs is None else ROUND
    while True:
        for name in names:
            old = rows.get(name)
            if old and (old["crashes"] or old["hangs"]): continue
            row = fuzz(options, name, lengths[name], seconds)
            options.seed += 1
            if old:
                for key in ("inputs", "seconds"): row[key] += old[key]
                row["memory"] = max(row["memory"], old["memory"])
            rows[name] = row
            print(f"{name}: {row['inputs']} inputs, {row['edges']} edges", file=sys.stderr)
        tried = sum(row["inputs"] for row in rows.values())
        stuck = all(row["crashes"] or row["hangs"] for row in rows.values())
        if options.inputs is None or tried >= options.inputs or stuck: return list(rows.values())


def table(rows):
    print(f"{'harness':20}{'inputs':>10}{'inputs/s':>10}{'edges':>8}{'corpus':>8}{'crashes':>9}{'hangs':>7}{'peak MB':>9}")
    total = {"name": "all", "memory": max(row["memory"] for row in rows)} | {
        key: sum(row[key] for row in rows) for key in ("inputs", "seconds", "edges", "corpus", "crashes", "hangs")}
    for row in [*rows, total]:
        rate = row["inputs"] / row["seconds"] if row["seconds"] else 0
        print(f"{row['name']:20}{row['inputs']:>10}{rate:>10.0f}{row['edges']:>8}{row['corpus']:>8}{row['crashes']:>9}"
              f"{row['hangs']:>7}{row['memory']:>9}")
    print(f"{total['inputs']} inputs in {total['seconds'] / 60:.1f} min: {total['crashes']} crashes, {total['hangs']} hangs")


def main():
    parser = argparse.ArgumentParser()
    for name in ("harness", "seeds", "corpus", "found"): parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000 + 1)
    parser.add_argument("--replay", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="HARNESS")
    options = parser.parse_args()
    listed = subprocess.run([options.harness, "list"], check=True, capture_output=True, text=True).stdout
    lengths = dict(line.split() for line in listed.splitlines())
    unknown = [name for name in options.names if name not in lengths]
    if unknown: sys.exit(f"unknown harness {unknown[0]}; the harnesses are {', '.join(lengths)}")
    if options.replay:
        if len(options.names) != 1: sys.exit("--replay takes the file and one harness")
        sys.exit(replay(options, options.names[0]))
    names = options.names or list(lengths)
    print(f"seed {options.seed}", file=sys.stderr)
    rows = run(options, names, lengths)
    table(rows)
    sys.exit(any(row["crashes"] or row["hangs"] for row in rows))


main()
