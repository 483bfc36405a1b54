#!/usr/bin/env python3
"""Sends a video, or a folder of JPEGs, to a running studio and prints what it counts.

    export KINEMA_TOKEN=$(openssl rand -hex 16)     # both know it; else --studio takes the printed address
    kinema studio &
    python3 client.py squats.mp4
    python3 client.py frames/ --rate 30 --mode coach --exercise squat

Nothing but Python's standard library, and ffmpeg for videos. The interface is described in Documentation/studio.md;
the WebSocket (RFC 6455) is spoken by hand here, so that one sees all there is to it.
"""

import argparse
import base64
import json
import os
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


class Socket:
    """A client's end of a WebSocket."""

    def __init__(self, address, token):
        place = urlsplit(address)
        self.host = place.netloc
        name, _, port = self.host.partition(":")
        self.stream = socket.create_connection((name, int(port or 80)))
        self.reader = self.stream.makefile("rb")
        fields = [
            f"GET {place.path.rstrip('/')}/live HTTP/1.1", f"Host: {self.host}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: kinema.2",
        ]
        if token:
            fields.append(f"Authorization: Bearer {token}")
        self.stream.sendall("\r\n".join([*fields, "", ""]).encode())
        status = self.reader.readline().decode().strip()
        while self.reader.readline() not in (b"\r\n", b""):
            pass
        if " 101 " not in status:
            raise SystemExit(f"the studio refused: {status}")

    def send(self, kind, data):
        """Sends one message; what clients send is masked."""
        mask = os.urandom(4)
        size = len(data)
        length = struct.pack("!B", 128 | size) if size < 126 else (
            struct.pack("!BH", 254, size) if size < 65536 else struct.pack("!BQ", 255, size))
        key = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
        self.stream.sendall(bytes([128 | kind]) + length + mask + masked)

    def say(self, **message):
        self.send(1, json.dumps(message).encode())

    def messages(self):
        """The server's JSON messages, until it closes; answers its pings."""
        whole = b""
        while head := self.reader.read(2):
            kind, size = head[0] & 15, head[1] & 127
            if size > 125:
                size = int.from_bytes(self.reader.read(2 if size == 126 else 8), "big")
            data = self.reader.read(size)
            if kind == 8:
                return
            if kind == 9:
                self.send(10, data)
            elif kind < 2:
                whole += data
                if head[0] & 128:
                    yield json.loads(whole)
                    whole = b""


def pictures(source, rate):
    """The JPEGs of a folder or video with their times, as fast as they were taken."""
    if Path(source).is_dir():
        jpegs = (path.read_bytes() for path in sorted(Path(source).glob("*.jp*g")))
    else:
        jpegs = split(subprocess.Popen(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", source, "-r", str(rate), "-q:v", "3", "-f", "mjpeg", "-"],
            stdout=subprocess.PIPE).stdout)
    start = time.monotonic()
    for number, jpeg in enumerate(jpegs):
        time.sleep(max(0, start + number / rate - time.monotonic()))
        yield number, number / rate, jpeg


def split(stream):
    """Single JPEGs out of a stream of them: each ends with the bytes FF D9."""
    rest = b""
    while piece := stream.read(65536):
        *whole, rest = (rest + piece).split(b"\xff\xd9")
        yield from (jpeg + b"\xff\xd9" for jpeg in whole)


def send(studio, options):
    for number, seconds, jpeg in pictures(options.source, options.rate):
        # The size 0 × 0: the studio finds it in the JPEG.
        studio.send(2, struct.pack("<4sIdII", b"KFR1", number, seconds, 0, 0) + jpeg)
    studio.say(type="stop")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("source", help="a video, or a folder of JPEGs")
    parser.add_argument("--studio", default="http://127.0.0.1:8787", help="the address that the studio printed")
    parser.add_argument("--mode", default="count", choices=["count", "coach"])
    parser.add_argument("--exercise", default="auto", help="for --mode coach")
    parser.add_argument("--rate", type=float, default=30, help="frames a second")
    options = parser.parse_args()
    token = parse_qs(urlsplit(options.studio).query).get("token", [os.environ.get("KINEMA_TOKEN")])[0]
    studio = Socket(options.studio, token)
    for message in studio.messages():
        kind = message["type"]
        if kind == "hello":
            studio.say(type="start", mode=options.mode, exercise=options.exercise, keep=False,
                       source={"kind": "browser", "name": Path(options.source).name})
        elif kind == "started":
            threading.Thread(target=send, args=(studio, options), daemon=True).start()
        elif kind == "repetition":
            one = message["repetition"]
            faults = ", ".join(fault["code"].replace("_", " ") for fault in one.get("faults", [])) or "good"
            print(f"{one['number']:3}  {one['start']:6.2f} to {one['end']:6.2f} s"
                  + (f"  {faults}" if options.mode == "coach" else ""), flush=True)
        elif kind == "state" and message["message"]:
            print(f"     {message['message']}", flush=True)
        elif kind == "error":
            print(f"     {message['message']}", flush=True)
        elif kind == "ended":
            print(f"{message['summary']['count']} repetitions; {message['arrived']} frames sent = "
                  f"{message['analysed']} analysed + {message['dropped']} dropped")
            return


if __name__ == "__main__":
    main()
