"""A network of its own for the tests: a phone at another address than the studio's, whose cable can be pulled."""

import base64
import hashlib
import os
import ssl
import subprocess
from pathlib import Path


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def missing():
    """What this machine lacks for such a network; empty where it has all."""
    try:
        run("unshare", "--net", "true")
    except OSError as error:
        return f"network namespaces are not permitted here ({error})"
    try:
        run("ip", "link", "show", "lo")
    except OSError as error:
        return f"the command ip is missing ({error})"
    return ""


class Network:
    """A namespace with one interface, tied to this machine's by a pair; its programs start through `wrap`."""

    def __init__(self):
        number = os.getpid() % 4000
        place = f"10.{200 + number // 250}.{number % 250}"
        self.here, self.there = f"{place}.1", f"{place}.2"
        self.name = f"kin{number}"
        # The namespace lasts as long as this process, and with it the interfaces.
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo ready; exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        run("ip", "link", "add", self.name, "type", "veth", "peer", "name", "phone0", "netns", self.holder.pid)
        run("ip", "address", "add", f"{self.here}/24", "dev", self.name)
        run("ip", "link", "set", self.name, "up")
        for words in (("link", "set", "lo", "up"), ("address", "add", f"{self.there}/24", "dev", "phone0"),
                      ("link", "set", "phone0", "up"), ("route", "add", "default", "via", self.here)):
            self.run("ip", *words)

    def run(self, *words):
        """Runs a command at the phone's end."""
        run("nsenter", f"--net=/proc/{self.holder.pid}/ns/net", "--", *words)

    def wrap(self, program, folder):
        """A program that runs another one at the phone's end."""
        path = Path(folder) / f"there-{self.name}"
        path.write_text(f'#!/bin/sh\nexec nsenter --net=/proc/{self.holder.pid}/ns/net -- "{program}" "$@"\n')
        path.chmod(0o755)
        return path

    def pull(self):
        """The network is gone, as when the wireless is lost."""
        run("ip", "link", "set", self.name, "down")

    def plug(self):
        run("ip", "link", "set", self.name, "up")

    def remove(self):
        # A browser may still be in the namespace, which lasts as long.
        run("ip", "link", "delete", self.name)
        self.holder.stdin.close()
        self.holder.wait()
        self.holder.stdout.close()


def pinned(host, port):
    """The SHA-256 of the key of a server's certificate in Base64, by which Chromium trusts it and no other."""
    certificate = ssl.get_server_certificate((host, port)).encode()
    key = subprocess.run(["openssl", "x509", "-pubkey", "-noout"], input=certificate, capture_output=True, check=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key, capture_output=True, check=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()
