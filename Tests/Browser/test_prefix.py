"""The studio in a folder of another server: a proxy takes the folder off every address, as nginx and Caddy do."""

import socket
import subprocess
import sys
import threading

import clips
from browsing import BrowserCase, expect
from test_client import CLIENT

FOLDER = "/kinema"


class Proxy:
    """Forwards the requests of a folder, each on a connection of its own, and remembers the others."""

    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.strays = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(65536)
                if not more:
                    return
                head += more
            method, path, rest = head.split(b" ", 2)
            if not path.startswith(FOLDER.encode() + b"/"):
                self.strays.append(path.decode())
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            if b"upgrade: websocket" not in rest.lower():
                first, fields = rest.split(b"\r\n", 1)
                rest = first + b"\r\nConnection: close\r\n" + fields.replace(b"Connection: keep-alive\r\n", b"")
            with socket.create_connection(self.target) as studio:
                studio.sendall(b" ".join([method, path[len(FOLDER):], rest]))
                threading.Thread(target=self.pipe, args=(client, studio), daemon=True).start()
                self.pipe(studio, client)

    @staticmethod
    def pipe(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.listener.close()


class BehindAPrefix(BrowserCase):
    options = ("--allow-host", "localhost")
    is_known = False
    first = None

    def setUp(self):
        super().setUp()
        self.proxy = Proxy(self.studio.port)
        self.addCleanup(self.proxy.close)
        self.root = f"http://localhost:{self.proxy.port}{FOLDER}/"

    def test_everything_stays_in_the_folder(self):
        page = self.page
        page.goto(f"{self.root}?token={self.studio.token}")
        self.assertEqual(page.url, self.root)
        self.ready()
        kept = [cookie for cookie in self.context.cookies() if cookie["name"].startswith("kinema-token")]
        self.assertEqual([cookie["path"] for cookie in kept], [FOLDER])
        # The socket with the browser's camera, and a session that is kept.
        self.choose("poses")
        self.start()
        self.wait_for_result(after=0.3)
        self.stop()
        # An upload, and what is made from it.
        self.reload()
        self.choose("count")
        page.locator("#source-kind").select_option("upload")
        page.locator("#upload-file").set_input_files(clips.video("four"))
        page.locator("#start").click()
        expect(page.locator("#after")).to_be_visible(timeout=120_000)
        for link in page.locator("#after-links a[download]").evaluate_all("all => all.map(link => link.href)"):
            self.assertTrue(link.startswith(self.root), link)
            self.assertEqual(self.context.request.get(link).status, 200, link)
        # The history, its exports, and what is changed in it.
        page.goto(self.root + "history.html")
        expect(page.locator("a.session")).to_have_count(2)
        page.locator("a.session").first.click()
        expect(page.locator("#repetition-list li")).to_have_count(clips.truth("four")["count"])
        self.assertEqual(page.url.split("#")[0], self.root + "review.html")
        scope = page.evaluate("async () => (await navigator.serviceWorker.ready).scope")
        self.assertEqual(scope, self.root)
        # Your own program, by the same address.
        options = ["--studio", f"{self.root}?token={self.studio.token}", clips.video("four")]
        said = subprocess.run([sys.executable, CLIENT, *map(str, options)], capture_output=True, text=True, timeout=120)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.proxy.strays, [])
