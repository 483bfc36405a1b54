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
    /away?ADDRESS      sends on to the address
    /hook              takes what is posted: appends it to the folder's file "posts", but refuses the first one
    /inner             how often somebody came to the same port of 127.0.0.2, which answers the same

What speaks RTSP there is sent on to the same path at 127.0.0.2, where it is turned away.
"""

import base64
import os
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = sys.argv[2]
visits = refusals = 0


def pictures():
    names = sorted((n for n in os.listdir(FOLDER) if n.endswith(".jpg")), key=lambda n: int(n[:-4]))
    return [open(os.path.join(FOLDER, n), "rb").read() for n in names]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_):
        pass

    def handle(self):
        global visits
        if self.server.server_address[0] == "127.0.0.2":
            visits += 1
        if b" rtsp://" in self.rfile.peek(16).split(b"\r\n")[0]:
            self.send_on()
        else:
            super().handle()

    def do_POST(self):
        global refusals
        body = self.rfile.read(int(self.headers["Content-Length"]))
        refused = refusals < 1
        refusals += refused
        if not refused:
            with open(os.path.join(FOLDER, "posts"), "ab") as file:
                file.write(body)
        self.send_response(503 if refused else 204)
        self.end_headers()

    def send_on(self):
        number, inner = 0, self.server.server_address[0] == "127.0.0.2"
        while line := self.rfile.readline().strip():
            if line.lower().startswith(b"cseq:"):
                number = int(line[5:])
        port = self.server.server_address[1]
        status = "404 Not Found" if inner else f"302 Found\r\nLocation: rtsp://127.0.0.2:{port}/live"
        self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n\r\n".encode())

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
            elif path == "/away":
                self.send_response(302)
                self.send_header("Location", query)
                self.end_headers()
            elif path == "/inner":
                self.send_response(200)
                self.end_headers()
                self.wfile.write(str(visits).encode())
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
inner = ThreadingHTTPServer(("127.0.0.2", server.server_address[1]), Handler)
inner.daemon_threads = True
threading.Thread(target=inner.serve_forever, daemon=True).start()
print("ready", server.server_address[1], flush=True)
server.serve_forever()
