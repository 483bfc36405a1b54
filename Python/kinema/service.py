"""The process behind the module: `kinema serve-jobs`, which has the models loaded."""
from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import subprocess
import threading
from concurrent.futures import Future
from typing import Any, Sequence

from .command import Error, command, line_of, log

Answer = dict[str, Any]
#: Jobs that the process accepts at once; how many there are is up to the threads that ask.
MOST_JOBS = 64


class Process:
    """One `kinema serve-jobs`: threads ask, a thread hands the answers out."""

    def __init__(self) -> None:
        # In a session of its own, since Ctrl-C in a terminal is Python's to handle.
        self.process = subprocess.Popen(
            [command(), "serve-jobs", "--jobs", str(MOST_JOBS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input, self.output, self.messages = self.process.stdin, self.process.stdout, self.process.stderr
        self.waiting: dict[int, Future[Answer | None]] = {}
        self.numbers, self.lock, self.writing = itertools.count(1), threading.Lock(), threading.Lock()
        self.is_over = self.is_closing = False
        self.threads = [threading.Thread(target=loop, daemon=True) for loop in (self.read, self.warn)]
        for thread in self.threads:
            thread.start()

    def read(self) -> None:
        with self.output:
            for line in self.output:
                # A line that is cut off belongs to a process that died.
                if line.endswith(b"\n"):
                    answer = json.loads(line)
                    with self.lock:
                        asked = self.waiting.pop(answer["id"], None)
                    if asked:
                        asked.set_result(answer)
        self.process.wait()
        with self.lock:
            self.is_over = True
            with contextlib.suppress(OSError):
                self.input.close()
            unanswered = list(self.waiting.values())
        for asked in unanswered:
            asked.set_result(None)

    def warn(self) -> None:
        with self.messages:
            for line in self.messages:
                log.warning("%s", line_of(line))

    def ask(self, job: dict[str, Any]) -> Answer | None:
        """The answer to a job; None if the process died before it answered."""
        asked: Future[Answer | None] = Future()
        with self.lock:
            if self.is_over:
                return None
            number = next(self.numbers)
            self.waiting[number] = asked
        # Not under the other lock: the pipe may be full until `read` has taken an answer. Where the process has died,
        # `read` says so to everyone who waits.
        with self.writing, contextlib.suppress(OSError, ValueError):
            self.input.write(json.dumps({"id": number, **job}).encode() + b"\n")
            self.input.flush()
        try:
            answer = asked.result()
        except BaseException:
            # Interrupted. A job cannot be called off, so the process ends if it has no other.
            with self.lock:
                self.waiting.pop(number, None)
                is_idle = not self.waiting
            if is_idle:
                self.close()
            raise
        if answer is None and self.is_closing:
            raise Error("kinema was closed", 130)
        return answer

    def close(self) -> None:
        """Ends the process and waits until it is gone."""
        self.is_closing = True
        self.process.terminate()
        self.threads[0].join(2)
        self.process.kill()
        for thread in self.threads:
            thread.join()


class Service:
    """Starts the process for the first job, and again when it has died."""

    def __init__(self) -> None:
        self.process: Process | None = None
        #: How often it was closed.
        self.closings = 0
        self.lock, self.alone = threading.Lock(), threading.Lock()

    def answer(self, task: str, path: str, options: Sequence[str], closings: int | None = None) -> Answer:
        """The answer to a job: its status is done or nothing. Throws Error, also if it was closed since `closings`.

        A job that was under way when the process died is tried once more, in a process of its own: a video that kills
        it then takes no other along.
        """
        job = {"task": task, "path": path, "options": list(options)}
        found = self.running(closings).ask(job)
        if found is None:
            with self.alone:
                process = Process()
                try:
                    found = process.ask(job)
                finally:
                    process.close()
            if found is None:
                raise Error(f"{path}: kinema died twice while it analysed this", process.process.returncode)
        if found["status"] == "failed":
            raise Error(f"{path}: {found['error']}", found["code"], found.get("missing", False))
        return found

    def running(self, closings: int | None = None) -> Process:
        with self.lock:
            if closings not in (None, self.closings):
                raise Error("kinema was closed", 130)
            if self.process is None or self.process.is_over or self.process.is_closing:
                self.process = Process()
            return self.process

    def close(self) -> None:
        with self.lock:
            self.closings += 1
            if self.process:
                self.process.close()
            self.process = None


shared = Service()
atexit.register(shared.close)
# After a fork the process belongs to the parent.
os.register_at_fork(after_in_child=shared.__init__)  # type: ignore[misc]
