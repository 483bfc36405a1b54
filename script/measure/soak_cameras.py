"""Eight simulated cameras in one `kinema watch`, each with an hour of video, faster than real time.

Each camera is motion JPEG over HTTP, without timestamps: the server sends frames at a multiple of the camera's rate, or
as fast as they are read if that is slower. Midway, one camera drops out for a while.
Prints one line per claim; fails if one does not hold.
"""
import glob
import json
import os
import socket
import struct
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from studio import pictures
from watching import Watch, WatchFault

CAMERAS, RATE, SIZE = 8, 10, "320x240"
MINUTES_OF_VIDEO = 60
# How much faster than real time the frames are sent, if the reader keeps up.
ACCELERATION = 8
SECONDS_AWAY = 4
# The first share of the frames, during which models load and buffers grow.
WARM_UP = 0.2
GOAL_GROWTH = 8


class Camera:
    """What a simulated camera has sent and still has to send."""

    def __init__(self, frames, total, offset):
        self.frames, self.total, self.offset = frames, total, offset
        self.sent = self.visits = 0
        self.is_away = False
        self.began = None

    def play(self, connection, acceleration):
        """Sends the remaining frames, each when due; ends when the camera drops out."""
        self.visits += 1
        self.began = self.began or time.monotonic()
        from_here, from_frame = time.monotonic(), self.sent
        while self.sent < self.total and not self.is_away:
            ahead = (self.sent - from_frame) / (RATE * acceleration) - (time.monotonic() - from_here)
            if ahead > 0:
                time.sleep(ahead)
            data = self.frames[(self.sent + self.offset) % len(self.frames)]
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            connection.sendall(head.encode() + data + b"\r\n")
            self.sent += 1
        if self.is_away:
            # Resets the connection, like a camera whose plug is pulled.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    @property
    def is_open(self):
        return not self.is_away and self.sent < self.total


def serve(cameras, acceleration):
    """Serves camera N at /N; returns the server."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def log_message(self, *_):
            pass

        def do_GET(self):
            camera = cameras[int(self.path[1:])]
            if not camera.is_open:
                return self.send_error(503)
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            self.wfile.flush()
            try:
                camera.play(self.connection, acceleration)
            except OSError:
                pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Claims:
    """Prints the claims, one line each, and counts those that fail."""

    def __init__(self):
        self.missed = 0

    def claim(self, holds, words):
        self.missed += not holds
        print(f"{'holds' if holds else 'FAILS':6} {words}", flush=True)


def lines_of(watch, name):
    """The number of lines in a camera's files, each complete and belonging to that camera."""
    count = 0
    for path in sorted(glob.glob(os.path.join(watch.results, name, "*.jsonl"))):
        with open(path) as file:
            for line in file:
                if json.loads(line)["camera"] != name:
                    raise WatchFault(f"{path} contains another camera's line")
                count += 1
    return count


def run_through(watch, cameras, victim, begun):
    """Follows the watch until every camera has sent its hour; returns the memory over time."""
    memory, away, back = [], None, None
    while any(camera.sent < camera.total for camera in cameras):
        time.sleep(1)
        if watch.process.poll() is not None:
            raise WatchFault(f"kinema watch ended: {'; '.join(watch.lines[-3:])}")
        share = sum(camera.sent for camera in cameras) / sum(camera.total for camera in cameras)
        now = time.monotonic()
        memory.append((share, *watch.memory()))
        if now - begun > 3600:
            raise WatchFault(f"after an hour only {share:.0%} of the frames were taken")
        if away is None and share > 0.45:
            away, victim.is_away = now, True
        elif away and back is None and now - away > SECONDS_AWAY:
            back, victim.is_away = now, False
    return memory


def settled(watch, cameras, names, victim):
    """The last reading, once nothing changes any more."""
    before = [None]

    def still(now):
        tallies = [(now.get("frames_received_total", name), now.get("frames_analysed_total", name),
                    now.get("frames_dropped_total", name), now.get("results_total", name)) for name in names]
        same, before[0] = tallies == before[0], tallies
        return same and all(tally[0] == camera.sent or camera is victim for tally, camera in zip(tallies, cameras)) and all(
            tally[0] == tally[1] + tally[2] for tally in tallies)

    try:
        watch.until(still, "the sums do not settle", 60)
    except WatchFault:
        # The claims report which sums differ.
        pass
    return watch.read()


def check(claims, watch, now, cameras, names, victim):
    others = [index for index, camera in enumerate(cameras) if camera is not victim]
    received, analysed, dropped, results, back, restarts, lost = (
        [now.get(key, name) for name in names]
        for key in ("frames_received_total", "frames_analysed_total", "frames_dropped_total", "results_total",
                    "reconnections_total", "restarts_total", "results_undelivered_total"))
    which = cameras.index(victim)
    claims.claim(all(received[index] == cameras[index].sent for index in others),
                 f"{len(others)} cameras lost nothing on the way: {[cameras[index].sent for index in others]} frames sent, "
                 f"{[received[index] for index in others]} received")
    claims.claim(all(received[index] == analysed[index] + dropped[index] for index in range(len(cameras))),
                 f"received = analysed + dropped of each: {analysed} + {dropped}")
    claims.claim(back[which] == 1 and victim.visits == 2 and sum(back) == 1,
                 f"the camera that dropped out came back once, with {received[which]} of {victim.sent} frames sent; "
                 f"reconnections {back}")
    claims.claim(not any(restarts) and not any(lost), f"no task was restarted, no result lost: {restarts}, {lost}")
    return results, analysed


def judge(claims, memory):
    """Whether the memory is flat, given (share of the frames, MB of the watch, MB with its decoders)."""
    tenths = {}
    for share, alone, _ in memory:
        tenth = min(int(share * 10), 9)
        tenths[tenth] = max(tenths.get(tenth, 0), alone)
    print(f"peak memory of the watch in each tenth of the frames, MB: {' '.join(f'{tenths[key]:.0f}' for key in sorted(tenths))}")
    early = [values for values in memory if WARM_UP <= values[0] < 0.5]
    late = [values for values in memory if values[0] >= 0.5]
    for column, whose in ((1, "of the watch"), (2, "with its decoders, shared pages once")):
        first, last = max(values[column] for values in early), max(values[column] for values in late)
        claims.claim(last - first <= GOAL_GROWTH,
                     f"memory {whose}: at most {first:.0f} MB from {WARM_UP:.0%} to half of the frames, {last:.0f} MB after; "
                     f"{GOAL_GROWTH} MB more are allowed")


def run(arguments):
    """Runs the cameras; returns whether every claim holds."""
    claims, started = Claims(), time.monotonic()
    total = round(RATE * 60 * arguments.video_minutes)
    frames = pictures(arguments.kinema, None, SIZE)
    cameras = [Camera(frames, total, index * len(frames) // CAMERAS) for index in range(CAMERAS)]
    server = serve(cameras, arguments.acceleration)
    victim = cameras[2]
    with tempfile.TemporaryDirectory(prefix="kinema-soak-") as folder:
        names = [f"camera-{index + 1}" for index in range(CAMERAS)]
        begun = time.monotonic()
        listed = [{"name": name, "input": f"http://127.0.0.1:{server.server_address[1]}/{index}", "task": "pose"}
                  for index, name in enumerate(names)]
        try:
            with Watch(os.path.abspath(arguments.kinema), folder, listed) as watch:
                memory = run_through(watch, cameras, victim, begun)
                took = time.monotonic() - min(camera.began for camera in cameras)
                now = settled(watch, cameras, names, victim)
                print(f"{CAMERAS} cameras of {SIZE} at {RATE} frames/s, {arguments.video_minutes:g} minutes of video each, in "
                      f"{took / 60:.1f} min: {60 * arguments.video_minutes / took:.1f} times as fast "
                      f"(at most {arguments.acceleration:g} requested), {sum(c.sent for c in cameras) / took:.0f} frames/s")
                results, analysed = check(claims, watch, now, cameras, names, victim)
                code = watch.stop()
                claims.claim(code == 130, f"the watch ends with Ctrl-C (exit code {code})")
                lines = [lines_of(watch, name) for name in names]
                claims.claim(lines == results == analysed,
                             f"the files hold a line for each frame analysed, as /metrics counted: {lines}")
        except WatchFault as fault:
            sys.exit(f"soak: {fault}")
    judge(claims, memory)
    print(f"{(time.monotonic() - started) / 60:.1f} min in all: {f'{claims.missed} claims fail' if claims.missed else 'everything holds'}")
    return not claims.missed
