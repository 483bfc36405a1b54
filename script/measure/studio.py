"""Measures the studio with a real server and a client that sends frames over a real WebSocket, like a browser.

--studio       30 frames per second: time from sending a frame to its result, rate, dropped frames, memory
--studio-hour  an hour's worth of frames, each as soon as the previous one is answered: memory, descriptors, threads

Needs only the standard library.
"""
import argparse
import base64
import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

GOAL_LATENCY = 60.0
GOAL_RATE = 25.0
GOAL_GROWTH = 10_000
FRAME_STEP = 1 / 30


class Refused(SystemExit):
    """An error from the server, in one line; ends the program unless it is caught."""


class WebSocket:
    """The client side of RFC 6455, as far as the studio and a remote-controlled browser need it."""

    def __init__(self, port, path, *fields):
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [
            f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13", *fields]
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            received = self.connection.recv(4096)
            if not received:
                raise Refused("the server closed the connection before it answered")
            self.buffer += received
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0] + b" ":
            raise Refused(f"the server refused the WebSocket: {head.decode(errors='replace')}")

    def send(self, payload, opcode):
        count = len(payload)
        mask = os.urandom(4)
        if count < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | count)
        elif count < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, count)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, count)
        pattern = (mask * (count // 4 + 1))[:count]
        masked = (int.from_bytes(payload, "little") ^ int.from_bytes(pattern, "little")).to_bytes(count, "little")
        self.connection.sendall(head + mask + masked)

    def text(self, value):
        self.send(json.dumps(value).encode(), 1)

    def frame(self, sequence, capture, jpeg):
        self.send(b"KFR1" + struct.pack("<IdII", sequence, capture, 0, 0) + jpeg, 2)

    def receive(self):
        """The next message as an object; None at the end. Answers pings and skips binary messages."""
        while True:
            head = self.take(2)
            if head is None:
                return None
            opcode, count = head[0] & 15, head[1] & 127
            if count == 126:
                count = struct.unpack("!H", self.take(2))[0]
            elif count == 127:
                count = struct.unpack("!Q", self.take(8))[0]
            payload = self.take(count)
            if payload is None or opcode == 8:
                return None
            if opcode == 9:
                self.send(payload, 10)
            elif opcode == 1:
                return json.loads(payload)

    def take(self, count):
        while len(self.buffer) < count:
            received = self.connection.recv(1 << 16)
            if not received:
                return None
            self.buffer += received
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def wait_for(self, *kinds):
        while (message := self.receive()) is not None:
            if message["type"] in kinds:
                return message
            if message["type"] == "error":
                raise Refused(f"the server reports: {message['message']}")
        raise Refused("the server closed the WebSocket")


class Server:
    """`kinema studio` in its own process, without history unless the options name one."""

    def __init__(self, kinema, *options, environment=None):
        self.token = os.urandom(16).hex()
        self.process = subprocess.Popen(
            [kinema, "studio", "--port", "0", *(options or ["--no-history"])], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=dict(os.environ, KINEMA_TOKEN=self.token, **(environment or {})))
        line = ""
        for line in self.process.stdout:
            if "http://" in line:
                self.port = int(line.split("127.0.0.1:")[1].split("/")[0])
                break
        else:
            raise Refused(f"the studio did not start: exit {self.process.wait()}, {line.strip()}")
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def pictures(kinema, clip, size):
    """The frames of the clip as JPEG images, like those a browser sends."""
    with tempfile.TemporaryDirectory() as folder:
        if clip is None:
            clip = os.path.join(folder, "clip.mp4")
            subprocess.run([kinema, "synth", "--scene", "squat", "--repetitions", "6", "--output", clip], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sides = size.replace("x", ":")
        stream = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", clip, "-vf",
             f"scale={sides}:force_original_aspect_ratio=decrease,pad={sides}:-1:-1", "-r", "30", "-q:v", "4",
             "-f", "image2pipe", "-c:v", "mjpeg", "-"], check=True, capture_output=True).stdout
    return [b"\xff\xd8\xff" + part for part in stream.split(b"\xff\xd8\xff")[1:]]


def begin(server, mode):
    client = WebSocket(
        server.port, "/live", f"Origin: http://127.0.0.1:{server.port}", "Sec-WebSocket-Protocol: kinema.2",
        f"Authorization: Bearer {server.token}")
    client.wait_for("hello")
    client.text({"type": "start", "mode": mode, "source": {"kind": "browser"}, "keep": False})
    client.wait_for("started")
    return client


def live(server, frames, arguments):
    client = begin(server, arguments.mode)
    # The first frames also load the models.
    for index in range(30):
        client.frame(index, index * FRAME_STEP, frames[index % len(frames)])
        client.wait_for("result")
    sent_at, latencies, server_times = {}, [], []
    ended = {}

    def listen():
        while (message := client.receive()) is not None:
            now = time.perf_counter()
            if message["type"] == "result":
                latencies.append((now - sent_at[message["sequence"]]) * 1000)
                server_times.append(message["milliseconds"])
            elif message["type"] == "error":
                print("error:", message["message"], file=sys.stderr)
            elif message["type"] == "ended":
                ended.update(message)
                return

    listener = threading.Thread(target=listen)
    listener.start()
    before, started = server.processor_seconds(), time.perf_counter()
    count = int(arguments.seconds / FRAME_STEP)
    for index in range(count):
        due = started + index * FRAME_STEP
        time.sleep(max(0, due - time.perf_counter()))
        sequence = 30 + index
        sent_at[sequence] = time.perf_counter()
        client.frame(sequence, sequence * FRAME_STEP, frames[sequence % len(frames)])
    seconds = time.perf_counter() - started
    processor = server.processor_seconds() - before
    client.text({"type": "stop"})
    listener.join(10)
    if not ended or not latencies:
        sys.exit("no results arrived")
    latencies.sort()
    median, late = statistics.median(latencies), latencies[int(0.95 * (len(latencies) - 1))]
    rate = len(latencies) / seconds
    exact = ended["arrived"] == ended["analysed"] + ended["dropped"] == count + 30
    print(f"mode {arguments.mode}, {arguments.size}, {count} frames at 30/s, JPEG of {len(frames[0]) // 1024} kB")
    print(f"latency      median {median:.1f} ms, 95th percentile {late:.1f} ms (goal {GOAL_LATENCY:.0f})")
    print(f"  in the server median {statistics.median(server_times):.1f} ms")
    print(f"analysed     {rate:.1f} frames/s (goal {GOAL_RATE:.0f})")
    print(f"accounting   arrived {ended['arrived']} = analysed {ended['analysed']} + dropped {ended['dropped']}: "
          f"{'exact' if exact else 'WRONG'}")
    print(f"processor    {1000 * processor / max(1, len(latencies)):.1f} ms per frame")
    print(f"memory       {server.status('VmRSS') / 1000:.0f} MB resident, at most {server.status('VmHWM') / 1000:.0f}")
    return exact and late <= GOAL_LATENCY and rate >= GOAL_RATE


def hour(server, frames, arguments):
    client = begin(server, arguments.mode)
    started = time.perf_counter()
    base, due = None, started
    for index in range(arguments.frames):
        # The studio accepts sixty frames per second.
        time.sleep(max(0, due - time.perf_counter()))
        due = time.perf_counter() + 1 / 59
        client.frame(index, index * FRAME_STEP, frames[index % len(frames)])
        client.wait_for("result")
        # By then, everything that is reused has been allocated.
        if index + 1 == min(2000, arguments.frames // 4):
            base = (server.status("VmRSS"), server.descriptors(), server.status("Threads"))
            print(f"after {index + 1} frames: {base[0]} kB, {base[1]} descriptors, {base[2]} threads", flush=True)
        elif (index + 1) % 20000 == 0:
            print(f"after {index + 1} frames: {server.status('VmRSS')} kB", flush=True)
    client.text({"type": "stop"})
    ended = client.wait_for("ended")
    end = (server.status("VmRSS"), server.descriptors(), server.status("Threads"))
    growth = end[0] - base[0]
    exact = ended["arrived"] == ended["analysed"] + ended["dropped"] == arguments.frames
    print(f"after {arguments.frames} frames ({arguments.frames * FRAME_STEP / 60:.0f} min of live input, "
          f"{arguments.mode}): {end[0]} kB, {end[1]} descriptors, {end[2]} threads, "
          f"{arguments.frames / (time.perf_counter() - started):.0f} frames/s")
    print(f"memory growth {growth} kB (goal under {GOAL_GROWTH}); accounting {'exact' if exact else 'WRONG'}")
    client.connection.close()
    time.sleep(1)
    print(f"after the client disconnected: {server.descriptors()} descriptors, {server.status('Threads')} threads")
    return exact and growth < GOAL_GROWTH and end[1] <= base[1] and server.descriptors() < base[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--studio", action="store_true")
    parser.add_argument("--studio-hour", action="store_true")
    parser.add_argument("--mode", default="count")
    parser.add_argument("--clip", help="a video instead of a rendered one")
    parser.add_argument("--hold", action="store_true", help="keep the landmarks of people at rest")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--frames", type=int, default=108_000)
    # studio_page.py reads the page's own options.
    arguments, _ = parser.parse_known_args()
    frames = pictures(arguments.kinema, arguments.clip, arguments.size)
    server = Server(arguments.kinema, "--no-history", *["--hold"] * arguments.hold)
    try:
        is_good = (hour if arguments.studio_hour else live)(server, frames, arguments)
    finally:
        server.stop()
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
