"""The sessions of `script/soak`: opened, killed, starved, flooded and cut off."""
import contextlib
import os
import random
import signal
import socket
import subprocess
import threading
import time

from soak_client import PATIENCE, Client, Fault, Refused, Studio, demand, eventually, expect_kept, keep_session
from studio import pictures

# Allowed growth of resident memory over all rounds, kB: three times what LiveEnduranceTests allows two hundred sessions,
# because files are opened and decoded too.
GOAL_GROWTH = 60_000
# How many more descriptors and threads a pool may hold than before.
GOAL_REST = 4


class Sessions:
    """Sessions of every kind, each alongside another client's session that must not lose a frame."""

    def __init__(self, kinema, folder, table):
        self.kinema, self.folder, self.table = kinema, folder, table
        self.pictures = pictures(self.kinema, None, "320x240")
        self.clip_path = os.path.join(folder, "clip.mp4")
        subprocess.run(
            [self.kinema, "synth", "--scene", "squat", "--repetitions", "1", "--size", "320x240", "--output",
             self.clip_path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(self.clip_path, "rb") as file:
            self.clip = file.read()
        # Long enough to fill the buffers of a client that does not read.
        self.input_path = os.path.join(folder, "input.mp4")
        subprocess.run(
            [self.kinema, "synth", "--scene", "squat", "--repetitions", "8", "--size", "640x480", "--output",
             self.input_path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.kept = {}

    def studio(self, name="history", *options):
        temporary = os.path.join(self.folder, "temporary")
        os.makedirs(temporary, exist_ok=True)
        return Studio(self.kinema, os.path.join(self.folder, name, "history.sqlite"), temporary, *options)

    def keep(self, studio, count=12, kept=None):
        """A session that must be kept."""
        ended = keep_session(studio, self.pictures, count)
        demand(ended["kept"], f"a session was not kept: {ended['errors']}")
        (self.kept if kept is None else kept)[ended["session"]] = ended["analysed"]

    # ------------------------------------------------------------ sessions

    def several(self, studio):
        faults = []

        def one():
            try:
                self.keep(studio, 8)
            except (Fault, Refused, OSError) as fault:
                faults.append(fault)

        threads = [threading.Thread(target=one) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        demand(not faults and not any(thread.is_alive() for thread in threads), f"four sessions at once: {faults}")

    def killed_client(self, studio):
        client = Client(studio)
        client.start(mode=random.choice(["poses", "count", "coach", "draw"]), keep=False)
        for picture in self.pictures[:random.randrange(1, 10)]:
            client.show(picture)
        client.break_off()

    def replaced_session(self, studio):
        client = Client(studio)
        client.start(keep=False)
        for picture in self.pictures[:5]:
            client.show(picture)
        client.socket.text({"type": "start", "mode": "count", "source": {"kind": "browser"}, "keep": False})
        client.settled(client.until("ended"), 5)
        client.sent = 0
        client.until("started")
        client.show_and_wait(self.pictures[0])
        client.stop()
        client.close()

    def broken_frames(self, studio):
        client = Client(studio)
        client.start(keep=False)
        for index in range(12):
            picture = self.pictures[index]
            client.show(picture if index % 3 else picture[:random.randrange(10, len(picture))])
        ended = client.stop()
        client.close()
        return "counted as dropped" if ended["dropped"] >= 4 else None

    def flood(self, studio):
        client = Client(studio)
        client.start(keep=False)
        with contextlib.suppress(OSError):
            for _ in range(2000):
                client.socket.text({"type": "clear"})
        with contextlib.suppress(OSError, Fault):
            client.until("never")
        client.break_off()
        return "ended: " + (client.errors[-1]["code"] if client.errors else "connection lost")

    def slow_reader(self, studio, trickle):
        client = Client(studio, receive_buffer=4096)
        client.start({"kind": "input", "name": os.path.basename(self.input_path)}, keep=False)
        client.wait_until_let_go(studio, trickle)
        return "disconnected"

    # ------------------------------------------------------------ uploads

    def analysed_upload(self, studio, kept=None):
        name = studio.upload(self.clip)
        client = Client(studio)
        client.start({"kind": "upload", "id": name}, keepPoses=True)
        ended = client.settled(client.until("ended"))
        client.close()
        demand(ended["reason"] == "finished" and ended["dropped"] == 0, f"an upload ended with {ended['reason']}")
        demand(ended["kept"], "an upload was not kept")
        (self.kept if kept is None else kept)[ended["session"]] = ended["analysed"]
        studio.ask("DELETE", f"/api/uploads/{name}")
        eventually(lambda: not studio.files(), lambda: f"files are left: {studio.files()}")

    def cut_upload(self, studio):
        connection = socket.create_connection(("127.0.0.1", studio.port), PATIENCE)
        connection.sendall(
            f"POST /api/uploads?name=a.mp4 HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer "
            f"{studio.token}\r\nContent-Length: {len(self.clip)}\r\n\r\n".encode())
        connection.sendall(self.clip[:random.randrange(1, len(self.clip))])
        time.sleep(random.random() / 5)
        connection.close()
        eventually(lambda: not studio.files(), lambda: f"files are left: {studio.files()}")

    def left_upload(self, studio):
        """The client disconnects while its upload is analysed; the upload can be deleted afterwards."""
        name = studio.upload(self.clip)
        client = Client(studio)
        client.start({"kind": "upload", "id": name}, keep=False)
        client.break_off()
        eventually(
            lambda: studio.ask("DELETE", f"/api/uploads/{name}")[0] in (204, 404) and not studio.files(),
            lambda: f"files are left: {studio.files()}")

    def harmed_decoder(self, studio, what):
        """Stops or kills the process that decodes an upload, if there is one; only its session may end."""
        name = studio.upload(self.clip)
        client = Client(studio)
        before = set(studio.children())
        client.start({"kind": "upload", "id": name}, keep=False)
        children = set()
        for _ in range(50):
            # A process between fork and exec does not count: it cannot be stopped from outside, and the studio waits for it.
            children = {child for child in set(studio.children()) - before if studio.decodes(child)}
            if children:
                break
            time.sleep(0.01)
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, what)
        ended = client.settled(client.until("ended"))
        client.close()
        for child in children:
            eventually(lambda: child not in studio.children(), f"the decoder {child} is left")
        studio.ask("DELETE", f"/api/uploads/{name}")
        return f"its session ended: {ended['reason']}" if children else "no separate process decodes here"

    # ------------------------------------------------------------ rounds

    def witnessed(self, studio, work):
        """Runs an event during another client's session, which must not lose a frame."""
        faults, is_watching, is_over = [], threading.Event(), threading.Event()

        def watch():
            try:
                client = Client(studio)
                client.start(mode="count", keep=False)
                client.show_and_wait(self.pictures[0])
                is_watching.set()
                while not is_over.is_set() or client.sent < 3:
                    client.show_and_wait(self.pictures[client.sent % len(self.pictures)])
                    # Like a camera: frames above the studio's rate limit are rightly dropped.
                    time.sleep(1 / 30)
                ended = client.stop()
                client.close()
                demand(ended["dropped"] == 0, f"{ended['dropped']} frames of another client were dropped")
            except (Fault, Refused, OSError) as fault:
                faults.append(fault)
            finally:
                is_watching.set()

        # The witness's decoder starts first, so that the event cannot mistake it for its own.
        witness = threading.Thread(target=watch)
        witness.start()
        is_watching.wait(PATIENCE)
        try:
            outcome = work()
        finally:
            is_over.set()
            witness.join(PATIENCE)
        demand(not witness.is_alive(), "another client's session hangs")
        demand(not faults, f"another client: {faults[0] if faults else ''}")
        demand(studio.is_alive(), "the studio is gone")
        return outcome

    def events(self, studio):
        yield "session, every frame waited for, kept", lambda: self.keep(studio)
        yield "four sessions at once, kept", lambda: self.several(studio)
        for _ in range(3):
            yield "client killed in mid-session", lambda: self.killed_client(studio)
        yield "session replaced by another", lambda: self.replaced_session(studio)
        yield "broken frames among valid ones", lambda: self.broken_frames(studio)
        yield "2000 commands at once", lambda: self.flood(studio)
        yield "upload analysed, kept, deleted", lambda: self.analysed_upload(studio)
        for _ in range(3):
            yield "upload cut off", lambda: self.cut_upload(studio)
        yield "client gone while its upload is analysed", lambda: self.left_upload(studio)
        yield "decoder stopped (SIGSTOP)", lambda: self.harmed_decoder(studio, signal.SIGSTOP)
        yield "decoder killed (SIGKILL)", lambda: self.harmed_decoder(studio, signal.SIGKILL)
        yield "client that reads nothing", lambda: self.slow_reader(studio, trickle=False)
        yield "client that reads a byte now and then", lambda: self.slow_reader(studio, trickle=True)

    def rounds(self, seconds):
        """Runs rounds of all events on one studio; afterwards descriptors, threads and memory must be as before."""
        studio = self.studio("history", "--input", self.input_path)
        end, before = time.monotonic() + seconds, None
        try:
            while before is None or time.monotonic() < end:
                for name, work in self.events(studio):
                    self.table.run(name, lambda: self.witnessed(studio, work))
                if before is None:
                    # By then, everything that is reused exists.
                    time.sleep(2)
                    before = studio.measures()
            self.table.run("all sessions over: nothing is left", lambda: self.settle(studio, before))
            self.table.run("reported as kept: in the history", lambda: self.check_kept(studio, self.kept))
        finally:
            studio.stop()
        self.table.run("the same after a restart", self.restart)

    @staticmethod
    def settle(studio, before):
        def rest():
            after = studio.measures()
            return {key: after[key] - before[key] for key in before}

        eventually(lambda: rest()["descriptors"] <= GOAL_REST and rest()["threads"] <= GOAL_REST
                   and rest()["processes"] <= 0, lambda: f"more than before: {rest()}")
        demand(rest()["kB"] < GOAL_GROWTH, f"more than before: {rest()}")
        return "more than before: " + ", ".join(f"{value} {key}" for key, value in rest().items())

    @staticmethod
    def check_kept(studio, kept):
        expect_kept(studio, kept)
        return f"all {len(kept)}"

    def restart(self):
        studio = self.studio()
        try:
            return self.check_kept(studio, self.kept)
        finally:
            studio.stop()
