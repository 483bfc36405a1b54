"""The command `kinema`: where it is, one run of it, and the process behind the module, which has the models loaded."""
from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, Any, Callable, Iterable, NoReturn, Sequence

log = logging.getLogger("kinema")
LONGEST, LONGEST_JOB, LONGEST_PATH = 65 << 20, 1 << 16, 4096  # Bytes of an answer (a result has 64 MiB), a job, a path.


class Error(Exception):
    """A failure, with the command's line. `code` is its exit code: 1 failed, 64 wrong options, 65 unreadable input, 127
    no command, 130 interrupted, negative for a signal. `missing`: a model or library is, so every video fails."""

    def __init__(self, message: str, code: int = 1, missing: bool = False) -> None:
        super().__init__(named(message))
        self.code, self.missing = code, missing


def kept(name: str, owner: object) -> Path:
    """A file for the command to read, to be written now, which lasts as long as its owner."""
    folder = tempfile.TemporaryDirectory(prefix="kinema-module-")
    weakref.finalize(owner, folder.cleanup)
    return Path(folder.name, name)


def named(message: str) -> str:
    """A message with the names of the user's files, not of those of `kept`."""
    return re.sub(r"/\S*/kinema-module-\w+/(.*?)\.(?:csv|jsonl|trc|npy)(?=: )", r"\1", message)


def command() -> str:
    """The path of the command: KINEMA_COMMAND, else the one in this package, else the one in PATH."""
    bundled = os.path.join(os.path.dirname(__file__), "_bundle", "bin", "kinema")
    named = os.environ.get("KINEMA_COMMAND") or (bundled if os.path.exists(bundled) else "kinema")
    if found := shutil.which(named):
        return found
    raise Error(f"{named} is not a program here; install the wheel, or name the command by KINEMA_COMMAND", 127)


def main() -> NoReturn:
    """Becomes the command: the console script of the wheel."""
    try:
        os.execv(command(), ["kinema", *sys.argv[1:]])
    except Error as error:
        print(f"kinema: {error}", file=sys.stderr)
        sys.exit(error.code)


def run(words: Sequence[str], read: Callable[[IO[bytes]], Any] = b"".join,
        feed: Iterable[bytes] = ()) -> tuple[bool, Any]:
    """One run of the command on `feed`: whether it detected something, and what `read` makes of its output."""
    with tempfile.TemporaryFile() as messages, ThreadPoolExecutor(1) as pool, \
            Popen([command(), *words], stdin=PIPE, stdout=PIPE, stderr=messages) as process:
        try:
            found = pool.submit(read, process.stdout)  # type: ignore[arg-type]
            # A broken pipe is a command that has ended, and says why; one that `feed` raises is an error.
            for part in feed:
                try:
                    process.stdin.write(part)  # type: ignore[union-attr]
                    process.stdin.flush()  # type: ignore[union-attr]
                except BrokenPipeError:
                    break
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]
            if error := found.exception():
                process.kill()  # What reads the lines takes no more, so the command would wait for it.
            code = process.wait()
        finally:
            process.kill()  # Interrupted, too, it leaves no process behind.
        messages.seek(0)
        said = [line.decode(errors="replace").strip().removeprefix("kinema: ") for line in messages]
    # 2: no person, or nothing relevant, was detected; the result is written all the same.
    if error and code in (0, -9):
        raise Error("kinema was killed, or its answer (its help?) is no result; is it the right command?") from error
    if code not in (0, 2) or error:
        raise Error(said[-1] if said else f"kinema ended with {code}", code) from error
    for line in said:
        log.warning("%s", named(line))
    return code == 0, found.result()


class Process:
    """One `kinema serve-jobs`: threads ask, a thread hands the answers out."""

    def __init__(self) -> None:
        self.program, self.is_over, self.is_closing = command(), False, False
        # The threads that ask decide how many jobs run at once. Ctrl-C in a terminal is Python's to handle.
        self.process = Popen([self.program, "serve-jobs", "--jobs", "64"], stdin=PIPE, stdout=PIPE, stderr=PIPE,
                             start_new_session=True)
        self.waiting: dict[int, Future[dict[str, Any] | None]] = {}
        self.numbers, self.lock, self.writing = itertools.count(1), threading.Lock(), threading.Lock()
        self.threads = [threading.Thread(target=loop, daemon=True) for loop in (self.read, self.warn)]
        for thread in self.threads:
            thread.start()

    def read(self) -> None:
        with self.process.stdout as lines:  # type: ignore[union-attr]
            try:
                # A line that is cut off belongs to a process that died, or is too long to be an answer.
                while (line := lines.readline(LONGEST)).endswith(b"\n") or len(line) == LONGEST:
                    answer = json.loads(line)
                    if answer["status"] == "failed":
                        answer["error"], answer["code"] = str(answer["error"]), int(answer["code"])
                    elif answer["status"] not in ("done", "nothing") or not isinstance(answer["result"], (dict, type(None))):
                        raise TypeError
                    if asked := self.waiting.pop(int(answer["id"]), None):  # Without a number it would be waited for.
                        asked.set_result(answer)
            except Exception:  # Whatever is wrong with it, it is no answer.
                log.error("%s does not answer as kinema does; is it the right command?", self.program)
                self.process.kill()
        self.process.wait()
        with self.lock, contextlib.suppress(OSError):
            self.is_over = True
            self.process.stdin.close()  # type: ignore[union-attr]
        for unanswered in [*self.waiting.values()]:
            unanswered.set_result(None)

    def warn(self) -> None:
        with self.process.stderr as lines:  # type: ignore[union-attr]
            for line in lines:
                log.warning("%s", named(line.decode(errors="replace").strip().removeprefix("kinema: ")))

    def ask(self, job: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a job; None if the process died before it answered."""
        number, asked = next(self.numbers), Future()  # type: tuple[int, Future[dict[str, Any] | None]]
        line = json.dumps({"id": number, **job}).encode()
        if len(line) > LONGEST_JOB:
            raise Error("path and options are too long", 65 if len(job["path"]) > LONGEST_PATH else 64)
        with self.lock:
            if self.is_over:
                return None
            self.waiting[number] = asked
        # Not under the other lock: the pipe may be full until `read` has taken an answer.
        with self.writing, contextlib.suppress(OSError, ValueError):
            self.process.stdin.write(line + b"\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        try:
            answer = asked.result()
        except BaseException:  # A job cannot be called off, so the process ends if it has no other.
            self.waiting.pop(number, None)
            if not self.waiting:
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
    """Starts the process for the first job, and again when it has died; `closings` counts how often it was closed."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self.closings, self.lock, self.alone = 0, threading.Lock(), threading.Lock()

    def answer(self, task: str, path: str, options: Sequence[str], closings: int | None = None) -> tuple[bool, Any]:
        """Whether a job detected something, and its result. If the process dies, its jobs run again, each alone."""
        found = self.running(closings).ask(job := {"task": task, "path": path, "options": list(options)})
        if found is None:
            with self.alone, contextlib.closing(Process()) as process:
                found = process.ask(job) or {"status": "failed", "code": process.process.returncode,
                                             "error": "kinema died twice while it analysed this"}
        if found["status"] == "failed":
            place = "" if found["error"].endswith("--help") else f"{path}: "  # The help is about options.
            raise Error(place + found["error"], found["code"], found.get("missing", False))
        return found["status"] == "done", found["result"]

    def running(self, closings: int | None = None) -> Process:
        with self.lock:
            if closings not in (None, self.closings):
                raise Error("kinema was closed", 130)
            if self.process is None or self.process.is_over or self.process.is_closing:
                self.process = Process()
            return self.process

    def close(self) -> None:
        """Ends the process behind the module; the next video starts another."""
        with self.lock:
            self.closings, process, self.process = self.closings + 1, self.process, None
            if process:
                process.close()


shared = Service()
atexit.register(shared.close)
os.register_at_fork(after_in_child=shared.__init__)  # type: ignore[misc]  # The process is the parent's.
