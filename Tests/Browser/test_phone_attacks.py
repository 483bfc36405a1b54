"""What somebody on the network can try on the phones' listener of a running studio: nothing gets in, nothing falls."""

import json
import socket
import ssl
import stat
import subprocess
import unittest

from studio import Studio, free_port

ADDRESS = next((one for one in subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split() if "." in one), None)


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0].startswith("HTTP/") else None
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["error"]["code"]


@unittest.skipUnless(ADDRESS, "this machine has no address in a network")
class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.studio = Studio("--phone", "--phone-port", cls.port)
        cls.addClassCleanup(cls.studio.remove)
        cls.studio.start()

    def connect(self, version=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if version:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
        plain = socket.create_connection((ADDRESS, self.port), 20)
        return context.wrap_socket(plain, server_hostname=None)

    def ask(self, method, target, body=b"", cookie=None, length=None, **fields):
        head = [f"{method} {target} HTTP/1.1", f"Host: {ADDRESS}:{self.port}", "Connection: close"]
        head += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        head += [f"Content-Length: {len(body) if length is None else length}"] + ([f"Cookie: {cookie}"] if cookie else [])
        with self.connect() as link:
            link.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + body)
            raw = b""
            try:
                while piece := link.recv(1 << 16):
                    raw += piece
            except OSError:
                pass
        return Answer(raw)

    def owner(self, method, path, body=None):
        with socket.create_connection(("127.0.0.1", self.studio.port), 20) as link:
            content = json.dumps(body).encode() if body is not None else b""
            link.sendall(
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nAuthorization: Bearer {self.studio.token}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode() + content)
            raw = b""
            while piece := link.recv(1 << 16):
                raw += piece
        return Answer(raw)

    def pair(self):
        """A new phone's cookie, and the code it used."""
        code = self.owner("POST", "/api/phones/pairing").json["url"].split("#pair=")[1]
        answer = self.ask("POST", "/api/pair", json.dumps({"token": code, "name": "test"}).encode())
        self.assertEqual(answer.status, 200)
        return answer.fields["set-cookie"].split(";")[0], code

    def test_without_a_cookie_nothing_is_answered(self):
        for path in ("/api/status", "/api/history", "/api/phones", "/api/room", "/live", "/index.html", "/history.html"):
            self.assertEqual(self.ask("GET", path).status, 401, path)
        for field in ({"Authorization": f"Bearer {self.studio.token}"}, {"Origin": "https://evil.example"}):
            self.assertIn(self.ask("GET", "/api/history", **field).status, (401, 403))
        self.assertEqual(self.ask("GET", f"/api/history?token={self.studio.token}").status, 401)

    def test_a_code_is_used_once_and_is_in_no_log(self):
        _, code = self.pair()
        replayed = self.ask("POST", "/api/pair", json.dumps({"token": code}).encode())
        self.assertEqual((replayed.status, replayed.code), (403, "pairing-expired"))
        self.assertNotIn("set-cookie", replayed.fields)
        self.studio.log.flush()
        said = (self.studio.data / "log").read_text()
        self.assertNotIn("#pair=", said)
        self.assertNotIn(code, said)

    def test_a_phone_is_no_owner(self):
        cookie, _ = self.pair()
        self.assertEqual(self.ask("GET", "/api/phone", cookie=cookie).status, 200)
        for method, path in (
            ("GET", "/api/history"), ("DELETE", "/api/history"), ("GET", "/api/history/archive"), ("GET", "/api/phones"),
            ("POST", "/api/phones/pairing"), ("PUT", "/api/room/now"), ("POST", "/api/uploads"), ("GET", "/api/people"),
        ):
            answer = self.ask(method, path, cookie=cookie)
            self.assertEqual((answer.status, answer.code), (403, "owner-only"), path)
        self.assertEqual(self.ask("GET", "/api/phone", cookie=cookie + "0").status, 401)
        for phone in self.owner("GET", "/api/phones").json["phones"]:
            self.assertEqual(self.owner("DELETE", f"/api/phones/{phone['id']}").status, 204)
        self.assertEqual(self.ask("GET", "/api/phone", cookie=cookie).status, 401)

    def test_plain_http_and_old_tls_get_nothing(self):
        with socket.create_connection((ADDRESS, self.port), 20) as link:
            link.sendall(b"GET /phone HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            answer = Answer(link.recv(1 << 16))
        self.assertEqual((answer.status, answer.fields["location"]), (301, f"https://{ADDRESS}:{self.port}/"))
        with self.assertRaises(OSError):
            self.connect(ssl.TLSVersion.TLSv1_1)

    def test_slow_handshakes_and_large_bodies_end(self):
        slow = []
        for _ in range(100):
            link = socket.create_connection((ADDRESS, self.port), 20)
            link.sendall(b"\x16\x03\x01")
            slow.append(link)
        for link in slow:
            # Reset or closed after ten seconds at the latest; the socket's own limit would raise TimeoutError.
            try:
                self.assertEqual(link.recv(1), b"")
            except ConnectionError:
                pass
            link.close()
        self.assertEqual(self.ask("GET", "/icon.svg").status, 200)
        cookie, _ = self.pair()
        key = self.ask("POST", "/api/live", cookie=cookie).json["key"]
        huge = self.ask("POST", f"/api/live/{key}", cookie=cookie, length=7 << 20, Content_Type="application/octet-stream")
        self.assertEqual((huge.status, huge.code), (413, "too-large"))
        self.assertEqual(self.ask("GET", "/api/phone", cookie=cookie).status, 200)

    def test_the_files_are_the_owners_alone(self):
        folder = self.studio.data / "kinema" / "history.phones"
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
        self.assertIn("key.pem", files)
        self.assertEqual(set(files.values()), {0o600})


if __name__ == "__main__":
    unittest.main()
