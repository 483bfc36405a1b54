"""Runs the tests in parallel workers: suites of Swift Testing, the page's tests in a browser, and those of the Python
module with an interpreter that has what they need.

    run.py [--workers 2] [--swift BINARY] [--browser FOLDER] [--module FOLDER --interpreter PYTHON] [--only PATTERN]
           [--times FILE] [--log FILE]

Each job is a process that runs some suites one test after the other, so that a test's seconds are its own. Real-time jobs (a
suite tagged `.realTime`, a class of browser tests with `is_live`) run one at a time, and the other jobs yield to them. Exits
with 1 if a test fails or is left out.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: A test's name up to its function: target, suite, nested suites.
SUITE = re.compile(r"^(\w+\.\w+(?:/\w+)*?)/(?:`|\w+\()")
TAGGED = re.compile(r"@Suite\(([^{]*?)\)\s*(?:struct|enum|final class|actor)\s+(\w+)")
PASSED = re.compile(r"^\W+ Test (?!run with )(.+) (?:passed|failed) after ([0-9.]+) seconds", re.MULTILINE)
SUITE_TOOK = re.compile(r"^\W+ Suite (\w+) passed after ([0-9.]+) seconds", re.MULTILINE)
SWIFT_RAN = re.compile(r"Test run with (\d+) tests?")
BROWSER_RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
CLASS_TOOK = re.compile(r"^class (\S+) took ([0-9.]+)$", re.MULTILINE)
BROWSER_TIME = re.compile(r"^seconds ([0-9.]+) (.+)$", re.MULTILINE)
#: The usual seconds of the longer suites, with three workers on two cores, until a run has measured them.
USUAL = Path(__file__).with_name("seconds.json")
#: Suites share processes of about this length, and no process may take longer than the limit.
JOB_SECONDS, LIMIT = 100, 900
#: The most seconds that a test should take, unless sweeps are complete.
AIM = 20


class Job:
    """One process; `units` maps what it runs to the number of its tests."""

    def __init__(self, units, command, is_real_time, seconds, ran, **process):
        # Colours would disturb the parsing of the output.
        process["env"] = dict(process.get("env", os.environ), NO_COLOR="1")
        self.units, self.command, self.is_real_time, self.seconds = units, command, is_real_time, seconds
        self.ran, self.process = ran, process
        self.failed, self.output, self.took, self.computed, self.running = True, "", 0.0, 0.0, None

    @property
    def name(self):
        names = [unit.split("/")[-1].split(".")[-1] for unit in self.units]
        return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")

    def run(self):
        started = time.monotonic()
        # Other jobs yield to real-time jobs.
        command = self.command if self.is_real_time else ["nice", "-n", "10", *self.command]
        try:
            with subprocess.Popen(
                ["timeout", "--signal", "INT", "--kill-after", "20", str(LIMIT), *command], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **self.process) as running:
                self.running = running
                self.output = running.stdout.read().decode(errors="replace")
                _, status, used = os.wait4(running.pid, 0)
                code = running.returncode = os.waitstatus_to_exitcode(status)
                # Includes the processes that it started and waited for.
                self.computed = used.ru_utime + used.ru_stime
        except OSError as error:
            code, self.output = 1, str(error)
        self.took = time.monotonic() - started
        wanted = sum(self.units.values())
        found = sum(int(number) for number in self.ran.findall(self.output))
        self.failed = code != 0 or found != wanted
        if code == 124:
            self.output += f"\nended after {LIMIT} s\n"
        elif code == 0 and self.failed:
            self.output += f"\n{found} of {wanted} tests ran\n"


class Queue:
    """Hands out jobs in order, real-time jobs one at a time."""

    def __init__(self, jobs):
        self.waiting = jobs
        self.is_taken = False
        self.changed = threading.Condition()

    def take(self):
        with self.changed:
            while self.waiting:
                for job in self.waiting:
                    if not (job.is_real_time and self.is_taken):
                        self.waiting.remove(job)
                        self.is_taken |= job.is_real_time
                        return job
                self.changed.wait()
        return None

    def give_back(self, job):
        with self.changed:
            if job.is_real_time:
                self.is_taken = False
            self.changed.notify_all()


def real_time_suites():
    """The names of the suites tagged `.realTime`."""
    names = set()
    for file in (ROOT / "Tests").rglob("*.swift"):
        names |= {name for traits, name in TAGGED.findall(file.read_text()) if ".realTime" in traits}
    return names


def swift_jobs(binary, known, only):
    """Processes of the test bundle, each with suites of one kind, of about equal length."""
    listed = subprocess.run(
        [binary, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    suites = {}
    for line in listed.stdout.splitlines():
        if (found := SUITE.match(line)) is None:
            sys.exit(f"{line}: a test outside a suite")
        if not re.search(only, found[1]):
            continue
        suites[found[1]] = suites.get(found[1], 0) + 1
    tagged = real_time_suites()

    def seconds(suite):
        # Commands run models; most other tests check rules.
        return known.get(suite, suites[suite] * (2 if "CommandTests/" in suite else 0.3))

    jobs = []
    for is_real_time in (True, False):
        bins = []
        chosen = [one for one in suites if (one.split("/")[-1].split(".")[-1] in tagged) == is_real_time]
        for suite in sorted(chosen, key=seconds, reverse=True):
            # Suites of a target share its models.
            target = suite.split(".")[0]
            fitting = [one for one in bins if one[0] == target and one[1] + seconds(suite) <= JOB_SECONDS]
            if fitting:
                fitting[0][1] += seconds(suite)
                fitting[0][2].append(suite)
            else:
                bins.append([target, seconds(suite), [suite]])
        for _, length, names in bins:
            pattern = "^(" + "|".join(re.escape(name) for name in names) + r")/(`|\w+\()"
            command = [binary, "--testing-library", "swift-testing", "--no-parallel", "--filter", pattern]
            jobs.append(Job({name: suites[name] for name in names}, command, is_real_time, length, SWIFT_RAN))
    return jobs


def class_jobs(folder, workers, known, only, interpreter=sys.executable):
    """Processes of Python test classes that need the same browser; each class has its own studio."""
    program = str(ROOT / "Tests" / "Browser" / "classes.py")
    listed = subprocess.run([interpreter, program], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    classes = [(known.get(name, 5 * count), name, count, (is_live, needs))
               for name, count, is_live, needs in json.loads(listed.stdout) if re.search(only, name)]
    bins = []
    for seconds, name, count, kind in sorted(classes, reverse=True):
        fitting = [one for one in bins if one[0] == kind and one[1] + seconds <= JOB_SECONDS]
        if fitting:
            fitting[0][1] += seconds
            fitting[0][2][name] = count
        else:
            bins.append([kind, seconds, {name: count}])
    return [
        Job(units, [interpreter, program, *units], is_live, seconds, BROWSER_RAN, cwd=folder,
            env=dict(os.environ, KINEMA_TEST_WORKERS=str(workers)))
        for (is_live, _), seconds, units in bins]


def report(jobs, seconds):
    """Prints the slowest tests, the number of tests, and what failed; returns whether any failed."""
    tests = []
    for job in jobs:
        for name, took in PASSED.findall(job.output) if job.ran is SWIFT_RAN else ():
            tests.append((float(took), name))
        for took, name in BROWSER_TIME.findall(job.output):
            tests.append((float(took), name))
    print("the slowest tests:")
    is_full = os.environ.get("KINEMA_TESTS") == "full"
    for took, name in sorted(tests, reverse=True)[:20]:
        print(f"{took:8.1f} s  {name}{f'  (over {AIM} s)' if took > AIM and not is_full else ''}")
    failed = [job for job in jobs if job.failed]
    ran = sum(sum(job.units.values()) for job in jobs if not job.failed)
    chain = sum(job.took for job in jobs if job.is_real_time)
    print(f"{ran} tests passed in {len(jobs) - len(failed)} processes, in {seconds:.0f} s; the processes took "
          f"{sum(job.took for job in jobs):.0f} s together, {chain:.0f} s of them in real time, one after the other, "
          f"and {sum(job.computed for job in jobs):.0f} s of processor time")
    for job in failed:
        lines = [line for line in job.output.splitlines() if re.search(r"✘|^(FAIL|ERROR): |recorded an issue", line)]
        print(f"failed: {job.name}", *(lines or job.output.splitlines()[-20:]), sep="\n    ")
    return bool(failed)


def remember(jobs, known, file):
    """Stores the seconds of each suite for the next run, which starts with the longest."""
    for job in jobs:
        took = dict(SUITE_TOOK.findall(job.output)) | {
            name.split(".")[-1]: seconds for name, seconds in CLASS_TOOK.findall(job.output)}
        for unit in job.units:
            known[unit] = float(took.get(unit.split("/")[-1].split(".")[-1], job.took))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(known, indent=0, sort_keys=True))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--swift")
    parser.add_argument("--browser")
    parser.add_argument("--module", help="the folder with the tests of the Python module")
    parser.add_argument("--interpreter", help="the Python interpreter for them")
    parser.add_argument("--only", help="only suites and classes whose names match this pattern", default="")
    parser.add_argument("--times", type=Path)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    known = json.loads(USUAL.read_text())
    if options.times and options.times.exists():
        known |= json.loads(options.times.read_text())
    jobs = swift_jobs(options.swift, known, options.only) if options.swift else []
    if options.browser:
        jobs += class_jobs(options.browser, options.workers, known, options.only)
    if options.module:
        jobs += class_jobs(options.module, options.workers, known, options.only, options.interpreter)
    if not jobs:
        sys.exit("no test matches")
    queue = Queue(sorted(jobs, key=lambda job: (job.is_real_time, job.seconds), reverse=True))
    started, done, telling = time.monotonic(), [], threading.Lock()
    log = options.log.open("w") if options.log else None

    def work(worker):
        while (job := queue.take()) is not None:
            job.process["env"]["KINEMA_TEST_WORKER"] = str(worker)
            try:
                job.run()
            finally:
                queue.give_back(job)
            with telling:
                done.append(job)
                if log:
                    print(job.output, file=log, flush=True)
                if job.failed:
                    print(job.output)
                print(f"[{len(done)}/{len(jobs)}] {'FAILED ' if job.failed else ''}{job.name}: "
                      f"{sum(job.units.values())} tests, {job.took:.0f} s, {job.computed:.0f} s of processor time", flush=True)

    def end(number, _):
        # `timeout` passes the signal on to its children.
        for job in jobs:
            if job.running and job.running.poll() is None:
                job.running.terminate()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    workers = [threading.Thread(target=work, args=(worker,)) for worker in range(options.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if options.times:
        remember([job for job in jobs if not job.failed], known, options.times)
    return report(jobs, time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main())
