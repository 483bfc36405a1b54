"""A web server that behaves as badly as it is told to.

    web.py PORT FOLDER

Port 0 takes a free one. Prints "ready PORT" when it listens. What it answers:

    /NAME              a file of the folder
    /locked/NAME       the same for the user "eye" with the password "glass"
    /mjpeg?FRAMES      motion JPEG at 30 a second of the folder's 0.jpg, 1.jpg, …, over and over; ends after FRAMES
    /freezing?FRAMES   the same, then nothing more, but the connection stays
    /still             0.jpg at 30 a second, for ever
    /silent            nothing at all
    /garbage           noise, for ever
"""

import base64
import os
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = sys.argv[2]


def pictures():
    names = sorted((n for n in os.listdir(FOLDER) if n.endswith(".jpg")), key=lambda n: int(n[:-4]))
    return [open(os.path.join(FOLDER, n), "rb").read() for n in names]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path, _, query = self.path.partition("?")
        count = int(query) if query.isdigit() else None
        try:
            if path == "/mjpeg":
                self.motion(pictures(), count)
            elif path == "/freezing":
                self.motion(pictures(), count)
                time.sleep(3600)
            elif path == "/still":
                self.motion(pictures()[:1], None)
            elif path == "/silent":
                time.sleep(3600)
            elif path == "/garbage":
                self.garbage()
            else:
                self.file(path)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def motion(self, frames, count):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        sent = 0
        while count is None or sent < count:
            data = frames[sent % len(frames)]
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data + b"\r\n")
            sent += 1
            time.sleep(1 / 30)

    def garbage(self):
        noise = random.Random(1)
        self.send_response(200)
        self.send_header("Content-Type", "video/mp4")
        self.end_headers()
        while True:
            self.wfile.write(noise.randbytes(1 << 16))

    def file(self, path):
        if path.startswith("/locked/"):
            wanted = "Basic " + base64.b64encode(b"eye:glass").decode()
            if self.headers.get("Authorization") != wanted:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="eye"')
                self.end_headers()
                return
            path = path.removeprefix("/locked")
        name = os.path.join(FOLDER, os.path.basename(path))
        if not os.path.isfile(name):
            return self.send_error(404)
        data = open(name, "rb").read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def end_with(parent):
    """Ends this server when the tests have ended, however they did."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
server.daemon_threads = True
print("ready", server.server_address[1], flush=True)
server.serve_forever()
