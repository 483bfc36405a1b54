"""The command `kinema`: where it is, and one run of it."""
from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, BinaryIO, Callable, Iterator, NoReturn, Sequence

log = logging.getLogger("kinema")
#: The exit code when no person, or nothing relevant, was detected; the result is written all the same.
NOTHING = 2


class Error(Exception):
    """What went wrong, in the one line that the command prints.

    `code` is the command's exit code: 1 failed, 64 wrong options, 65 unreadable input, 127 no command, 130 interrupted,
    negative for the signal that killed it. `missing`: a model or library is not installed, so every video fails.
    """

    def __init__(self, message: str, code: int = 1, missing: bool = False) -> None:
        super().__init__(message, code, missing)
        self.code, self.missing = code, missing

    def __str__(self) -> str:
        return str(self.args[0])


def command() -> str:
    """The path of the command: KINEMA_COMMAND, else the one in this package, else the one in PATH."""
    bundled = Path(__file__).with_name("_bundle") / "bin" / "kinema"
    named = os.environ.get("KINEMA_COMMAND") or (str(bundled) if bundled.exists() else "kinema")
    found = shutil.which(named)
    if not found:
        raise Error(f"{named} is not a program here; install the wheel, or name the command by KINEMA_COMMAND", 127)
    return found


def main() -> NoReturn:
    """Becomes the command: the console script of the wheel."""
    try:
        os.execv(command(), ["kinema", *sys.argv[1:]])
    except Error as error:
        print(f"kinema: {error}", file=sys.stderr)
        sys.exit(error.code)


def line_of(message: bytes) -> str:
    return message.decode(errors="replace").strip().replace("kinema: ", "", 1)


def run(words: Sequence[str], read: Callable[[Iterator[bytes]], Any] = b"".join,
        feed: Callable[[BinaryIO], None] | None = None) -> tuple[bool, Any]:
    """Runs the command once. Returns whether it detected something, and what `read` makes of the lines it prints.

    `feed` writes its standard input. Throws Error.
    """
    faults: list[BaseException] = []

    def write() -> None:
        try:
            with process.stdin as stream:  # type: ignore[union-attr]
                feed(stream)  # type: ignore[misc, arg-type]
        except BrokenPipeError:
            pass  # The command has ended, and says why.
        except BaseException as error:
            faults.append(error)
            process.kill()

    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen([command(), *words], stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=messages)
        writer = threading.Thread(target=write, daemon=True)
        try:
            if feed:
                writer.start()
            with process.stdout as lines:  # type: ignore[union-attr]
                result = read(iter(lines))
            code = process.wait()
        finally:
            # Interrupted, too, it leaves no process behind.
            process.kill()
            process.wait()
        if feed:
            writer.join()
        messages.seek(0)
        said = [line_of(line) for line in messages]
    if faults:
        raise faults[0]
    if code not in (0, NOTHING):
        raise Error(said[-1] if said else f"kinema ended with {code}", code)
    for line in said:
        log.warning("%s", line)
    return code == 0, result
