"""Encrypts a server that does not: for https:// before http://, for rtsps:// before rtsp://.

    tls.py PORT TARGET FOLDER

Takes encrypted connections and passes what comes on to port TARGET of this machine. Its certificate, made anew, is of the
host "localhost" and signed by itself; it lies in FOLDER as own.pem. What was said inside is kept in FOLDER as heard. Port 0
takes a free one. Prints "ready PORT" when it listens.
"""

import os
import socket
import ssl
import subprocess
import sys
import threading
import time

FOLDER = sys.argv[3]
OWN = os.path.join(FOLDER, "own.pem")
KEY = os.path.join(FOLDER, "key.pem")


def certify():
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", KEY, "-out", OWN, "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        capture_output=True,
    )


def pour(source, target, kept=None):
    try:
        while data := source.recv(1 << 16):
            if kept:
                kept.write(data)
                kept.flush()
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection, context):
    try:
        inside = context.wrap_socket(connection, server_side=True)
    except OSError:
        return
    target = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
    threading.Thread(target=pour, args=(target, inside), daemon=True).start()
    with open(os.path.join(FOLDER, "heard"), "ab") as kept:
        pour(inside, target, kept)


def end_with(parent):
    """Ends this server when the tests have ended, however they did."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
if not os.path.exists(OWN):
    certify()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(OWN, KEY)
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print("ready", listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    threading.Thread(target=serve, args=(connection, context), daemon=True).start()
