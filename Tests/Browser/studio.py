"""A studio for the tests: a process with its own history, on its own port."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from clips import KINEMA


def free_port():
    """A port that is free, and that no other of the workers takes meanwhile."""
    workers, worker = int(os.environ.get("KINEMA_TEST_WORKERS", 1)), int(os.environ.get("KINEMA_TEST_WORKER", 0))
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # The kernel gives odd ports alone until they run out.
        if port // 2 % workers == worker:
            return port


class Studio:
    def __init__(self, *options):
        self.options = [str(option) for option in options]
        #: The same from start to start, so that a page stays known to the studio.
        self.token = secrets.token_hex(16)
        if "--token" in self.options:
            self.token = self.options[self.options.index("--token") + 1]
        self.data = Path(tempfile.mkdtemp(prefix="kinema-studio-tests."))
        self.port = free_port()
        self.process = None
        self.log = open(self.data / "log", "w+")

    @property
    def address(self):
        return f"http://localhost:{self.port}/"

    @property
    def cookie(self):
        """The cookie of a browser that opened the printed address, as Playwright takes it."""
        return {"name": f"kinema-token-{self.port}", "value": self.token, "url": self.address}

    def start(self):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.data), KINEMA_TOKEN=self.token)
        command = [KINEMA, "studio", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"the studio ended by itself: {self.said()}")
            try:
                return self.ask("api/status")
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the studio does not answer: {self.said()}")

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the studio does not end when asked to: {self.said()}") from None
        finally:
            self.process = None

    def remove(self):
        try:
            self.stop()
        finally:
            self.log.close()
            shutil.rmtree(self.data, ignore_errors=True)

    def ask(self, path, method="GET", body=None):
        request = urllib.request.Request(self.address + path, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or "null")

    def sessions(self):
        """Everything of the newest sessions."""
        return [self.ask(f"api/history/{one['id']}") for one in self.ask("api/history")["sessions"]]

    def said(self):
        self.log.flush()
        return (self.data / "log").read_text()[-800:]
