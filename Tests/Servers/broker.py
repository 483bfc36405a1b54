"""A real broker of MQTT for the tests: mosquitto, behind a relay that can be killed with it.

    broker.py PORT FOLDER [--closed] [--silent | --flooding]

What is published is appended to the file "messages" of FOLDER, a line each: the topic, a tab, the payload. The broker's
answers are passed on only when what it took lies in that file, so a message that was acknowledged is there even if all is
killed. --closed is only for the user "eye" with the password "glass"; --silent takes connections and never answers;
--flooding accepts a client and sends it messages without end, unasked. Port 0 takes a free one. Prints "ready PORT" when
it listens.
"""

import ctypes
import getpass
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = sys.argv[2]
IS_CLOSED, IS_SILENT, IS_FLOODING = (word in sys.argv for word in ("--closed", "--silent", "--flooding"))
USER, PASSWORD = "eye", "glass"


def start(folder):
    """Starts mosquitto at a socket of the folder; it dies with this process."""
    place = os.path.join(folder, "socket")
    lines = [f"listener 0 {place}", f"user {getpass.getuser()}", "persistence false", "log_dest none"]
    if IS_CLOSED:
        subprocess.run(["mosquitto_passwd", "-b", "-c", os.path.join(folder, "users"), USER, PASSWORD], check=True)
        lines += ["allow_anonymous false", f"password_file {folder}/users"]
    else:
        lines += ["allow_anonymous true"]
    with open(os.path.join(folder, "mosquitto.conf"), "w") as file:
        file.write("\n".join(lines) + "\n")
    die_with_parent = ctypes.CDLL(None).prctl
    subprocess.Popen(
        ["mosquitto", "-c", os.path.join(folder, "mosquitto.conf")], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=lambda: die_with_parent(1, signal.SIGKILL))
    return place


def connect(place):
    for _ in range(1000):
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(place)
            return connection
        except OSError:
            time.sleep(0.01)
    sys.exit("mosquitto does not start")


def text(words):
    return len(words).to_bytes(2, "big") + words.encode()


def packet(kind, body):
    assert len(body) < 128
    return bytes([kind, len(body)]) + body


class Listener:
    """A client that keeps what everyone publishes."""

    def __init__(self, place):
        self.connection = connect(place)
        self.stream = self.connection.makefile("rb")
        self.lock = threading.Lock()
        self.messages = open(os.path.join(FOLDER, "messages"), "ab", buffering=0)
        flags, login = (0xC2, text(USER) + text(PASSWORD)) if IS_CLOSED else (0x02, b"")
        self.connection.sendall(packet(0x10, text("MQTT") + bytes([4, flags, 0, 0]) + text("listener") + login))
        self.until(0x20)
        self.connection.sendall(packet(0x82, b"\0\1" + text("#") + b"\0"))
        self.until(0x90)

    def next(self):
        kind, = self.stream.read(1)
        length, shift = 0, 0
        while True:
            byte, = self.stream.read(1)
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return kind, self.stream.read(length)

    def until(self, wanted):
        while True:
            kind, body = self.next()
            if kind == wanted:
                return
            if kind >> 4 == 3:
                end = 2 + int.from_bytes(body[:2], "big")
                self.messages.write(body[2:end] + b"\t" + body[end:] + b"\n")

    def catch_up(self):
        """Returns when everything that the broker took before is in the file: it answers in order."""
        with self.lock:
            self.connection.sendall(packet(0xC0, b""))
            self.until(0xD0)


def listen_on(listener):
    """Looks for what the broker says by itself, such as a will."""
    while True:
        listener.catch_up()
        time.sleep(0.02)


def pour(source, target, before=lambda: None):
    try:
        while data := source.recv(1 << 16):
            before()
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def flood(connection):
    """Sends messages of quality of service 2 and never releases them."""
    number = 0
    try:
        connection.recv(1 << 16)
        connection.sendall(packet(0x20, b"\0\0"))
        while True:
            number = number % 65535 + 1
            connection.sendall(packet(0x34, text("topic") + number.to_bytes(2, "big") + bytes(100)))
    except OSError:
        pass


def end_with(parent):
    """Ends this server when the tests have ended, however they did."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def main():
    os.environ["PATH"] += ":/usr/sbin"
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        if not IS_SILENT and not IS_FLOODING:
            place = start(folder)
            listener = Listener(place)
            threading.Thread(target=listen_on, args=(listener,), daemon=True).start()
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64)
        print("ready", server.getsockname()[1], flush=True)
        kept = []
        while True:
            connection, _ = server.accept()
            # The acknowledgements are small and are not to wait for each other.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            kept.append(connection)
            if IS_FLOODING:
                threading.Thread(target=flood, args=(connection,), daemon=True).start()
            elif not IS_SILENT:
                broker = connect(place)
                threading.Thread(target=pour, args=(connection, broker), daemon=True).start()
                threading.Thread(target=pour, args=(broker, connection, listener.catch_up), daemon=True).start()


main()
