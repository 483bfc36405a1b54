"""The client side of `script/soak`: sessions over real sockets, uploads, and inspection of the studio's process."""
import http.client
import json
import os
import socket
import struct
import time

from studio import FRAME_STEP, Refused, Server, WebSocket

# Seconds after which anything counts as hung: far beyond the studio's own limits.
PATIENCE = 120


class Fault(Exception):
    """A claim that does not hold, in one line."""


def demand(holds, words):
    if not holds:
        raise Fault(words)


def eventually(holds, words, seconds=PATIENCE):
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Fault(words() if callable(words) else words)
        time.sleep(0.1)


class Studio(Server):
    """A studio with its own history and folder for uploads."""

    def __init__(self, kinema, history, temporary, *options):
        super().__init__(kinema, "--history", history, *options, environment={"TMPDIR": temporary})
        self.temporary = temporary

    def ask(self, method, path, body=None, headers=None):
        """Status and body of an HTTP response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {self.token}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def upload(self, data):
        status, body = self.ask("POST", "/api/uploads?name=clip.mp4", data)
        demand(status == 201, f"an upload returned {status}: {body[:200]}")
        return json.loads(body)["upload"]

    def files(self):
        """The uploaded files on disk."""
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.temporary) for name in names]

    def children(self):
        """The processes that the studio started."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid and fields[0] != "Z":
                found.append(int(name))
        return found

    @staticmethod
    def decodes(child):
        """Whether a process that the studio started runs as a decoder already."""
        try:
            with open(f"/proc/{child}/cmdline", "rb") as file:
                return b"decode-apart" in file.read()
        except OSError:
            return False

    def holds(self, port):
        """Whether the studio still has its end of a connection from this port open."""
        with open("/proc/net/tcp") as file:
            rows = [line.split() for line in file][1:]
        ends = (f":{self.port:04X}", f":{port:04X}")
        return any(row[1].endswith(ends[0]) and row[2].endswith(ends[1]) and row[9] != "0" for row in rows)

    def measures(self):
        return {
            "descriptors": self.descriptors(), "threads": self.status("Threads"), "processes": len(self.children()),
            "kB": self.status("VmRSS")}

    def is_alive(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)


class Client:
    """A client like the page: a socket, and counts of what it sent."""

    def __init__(self, studio, receive_buffer=None):
        self.socket = WebSocket(
            studio.port, "/live", f"Origin: http://127.0.0.1:{studio.port}", "Sec-WebSocket-Protocol: kinema.2",
            f"Authorization: Bearer {studio.token}")
        self.connection = self.socket.connection
        self.connection.settimeout(PATIENCE)
        if receive_buffer:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.sent, self.errors = 0, []
        self.until("hello")

    def until(self, *kinds):
        """The next message of one of the kinds; errors about single frames are collected."""
        while (message := self.socket.receive()) is not None:
            if message["type"] in kinds:
                return message
            if message["type"] == "error":
                self.errors.append(message)
        last = f": {self.errors[-1]['message']}" if self.errors else ""
        raise Fault(f"the socket closed before {' or '.join(kinds)}{last}")

    def start(self, source=None, mode="poses", **options):
        self.socket.text({"type": "start", "mode": mode, "source": source or {"kind": "browser"}, **options})
        return self.until("started")["session"]

    def show(self, picture):
        self.socket.frame(self.sent, self.sent * FRAME_STEP, picture)
        self.sent += 1

    def show_and_wait(self, picture):
        self.show(picture)
        while True:
            message = self.until("result", "dropped", "error")
            if message.get("sequence") == self.sent - 1:
                demand(message["type"] != "error", f"a valid frame was rejected: {message}")
                return message

    def stop(self):
        self.socket.text({"type": "stop"})
        return self.settled(self.until("ended"), self.sent)

    @staticmethod
    def settled(ended, sent=None):
        """The content of `ended`, if its sums agree."""
        sums = f"arrived {ended['arrived']}, analysed {ended['analysed']}, dropped {ended['dropped']}, sent {sent}"
        demand(ended["arrived"] == ended["analysed"] + ended["dropped"], f"the sums do not agree: {sums}")
        demand(sent is None or ended["arrived"] == sent, f"not every frame arrived: {sums}")
        return ended

    def close(self):
        self.connection.close()

    def break_off(self):
        """Disconnects without closing, like a killed process."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def wait_until_let_go(self, studio, trickle=False):
        """Reads nothing, or a byte now and then, until the server closes its end. Data sent before may still be on its way,
        so this looks for the server's end in the system's list of connections."""
        port = self.connection.getsockname()[1]
        end = time.monotonic() + PATIENCE
        while studio.holds(port):
            demand(time.monotonic() < end, "a client that reads too little is never disconnected")
            if trickle:
                self.connection.recv(1)
            time.sleep(0.2)
        self.close()


def keep_session(studio, pictures, count=12, before_stop=None):
    """Runs a session whose poses are kept; returns its end. The client waits for every frame, so none may be dropped."""
    client = Client(studio)
    try:
        client.start(keepPoses=True)
        for index in range(count):
            client.show_and_wait(pictures[index % len(pictures)])
        if before_stop:
            before_stop()
        ended = client.stop()
        ended["errors"] = client.errors
    finally:
        client.close()
    demand(ended["dropped"] == 0, f"{ended['dropped']} frames of a client that waits for each were dropped")
    return ended


def expect_kept(studio, sessions):
    """Checks that every session reported as kept is in the history, with a line of poses for each frame analysed."""
    for name, frames in sessions.items():
        status, _ = studio.ask("GET", f"/api/history/{name}")
        demand(status == 200, f"session {name} was reported as kept but is not in the history ({status})")
        status, body = studio.ask("GET", f"/api/history/{name}/export?format=poses.jsonl")
        while status == 503:
            time.sleep(0.2)
            status, body = studio.ask("GET", f"/api/history/{name}/export?format=poses.jsonl")
        lines = body.count(b"\n")
        demand(status == 200 and lines == frames, f"session {name} has poses of {lines} frames, reported were {frames}")


__all__ = ["Client", "Fault", "PATIENCE", "Refused", "Studio", "demand", "eventually", "expect_kept", "keep_session"]
