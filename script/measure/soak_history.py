"""The history of `script/soak`: the studio killed while it stores, a full disk, the file replaced and damaged."""
import contextlib
import os
import random
import resource
import shutil
import socket
import subprocess
import threading
import time

from soak_client import PATIENCE, Fault, Refused, demand, eventually, expect_kept, keep_session

# The size of the disk to fill, in kilobytes.
DISK = 4096


class History:
    def __init__(self, sessions):
        self.sessions, self.table = sessions, sessions.table
        self.folder, self.pictures = sessions.folder, sessions.pictures

    def all(self, seconds):
        end, kept, count = time.monotonic() + seconds, {}, 0
        while count < 3 or time.monotonic() < end:
            self.table.run("studio killed while it stores", lambda: self.killed(kept))
            count += 1
            if count % 3 == 0:
                self.table.run("disk full, then not", self.full_disk)
                self.table.run("history replaced by another file", self.replaced)
                self.table.run("history removed", self.removed)
                self.table.run("history damaged while the studio runs", self.damaged)
        self.table.run("reported as kept before the kills: in the history", lambda: self.after_kills(kept))

    # ------------------------------------------------------------ killed

    def killed(self, kept):
        """Kills the studio while sessions are stored and an upload arrives."""
        studio = self.sessions.studio("killed")
        told, faults = [], []
        expect_kept(studio, dict(list(kept.items())[-5:]))

        def one():
            try:
                while True:
                    ended = keep_session(studio, self.pictures, 3)
                    told.append(ended)
            except (Fault, Refused, OSError) as fault:
                faults.append(fault)

        threads = [threading.Thread(target=one) for _ in range(3)]
        for thread in threads:
            thread.start()
        with socket.create_connection(("127.0.0.1", studio.port), PATIENCE) as upload:
            upload.sendall(
                f"POST /api/uploads?name=a.mp4 HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nAuthorization: Bearer "
                f"{studio.token}\r\nContent-Length: {len(self.sessions.clip)}\r\n\r\n".encode())
            upload.sendall(self.sessions.clip[:-100])
            eventually(lambda: told or len(faults) == 3, "no session ended before the kill")
            time.sleep(random.random())
            studio.kill()
        for thread in threads:
            thread.join(PATIENCE)
        demand(told, f"no session was reported as kept: {faults}")
        kept.update({ended["session"]: ended["analysed"] for ended in told if ended["kept"]})

    def after_kills(self, kept):
        studio = self.sessions.studio("killed")
        try:
            # The next studio removes the uploads that killed ones left behind.
            self.sessions.analysed_upload(studio, kept)
            return self.sessions.check_kept(studio, kept)
        finally:
            studio.stop()

    # ------------------------------------------------------------ full disk

    @contextlib.contextmanager
    def disk(self, name):
        """A small disk for a history, with functions to fill it and to clear it again: a mounted one or, if mounting is
        not allowed, a limit on file sizes."""
        place = os.path.join(self.folder, name)
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK}k", "tmpfs", place], capture_output=True).returncode == 0
        ballast = os.path.join(place, "ballast")

        def fill(studio):
            if mounted:
                with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
                    while True:
                        file.write(bytes(4096))
            else:
                size = max(os.path.getsize(os.path.join(place, each)) for each in os.listdir(place))
                resource.prlimit(studio.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        def clear(studio):
            if mounted:
                os.remove(ballast)
            else:
                resource.prlimit(
                    studio.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        try:
            yield fill, clear, "a disk of 4 MB" if mounted else "a limit on file sizes"
        finally:
            if mounted:
                subprocess.run(["umount", "--lazy", place], check=False)

    def full_disk(self):
        with self.disk("disk") as (fill, clear, what):
            kept, refused = {}, 0
            studio = self.sessions.studio("disk")
            try:
                for _ in range(3):
                    self.sessions.keep(studio, 4, kept)
                fill(studio)
                for _ in range(4):
                    ended = keep_session(studio, self.pictures, 12)
                    if ended["kept"]:
                        kept[ended["session"]] = ended["analysed"]
                    else:
                        refused += 1
                        demand([each["code"] for each in ended["errors"]] == ["not-kept"],
                               f"a full disk is reported as {ended['errors']}")
                demand(refused, "a full disk rejected no session")
                expect_kept(studio, kept)
                clear(studio)
                self.sessions.keep(studio, 4, kept)
            finally:
                studio.stop()
            studio = self.sessions.studio("disk")
            try:
                expect_kept(studio, kept)
            finally:
                studio.stop()
            return f"{what}: reported as not kept; what was kept stays"

    # ------------------------------------------------------------ replaced and damaged

    def fresh(self, name):
        shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        return os.path.join(self.folder, name, "history.sqlite")

    def meddled(self, name, meddle):
        """Tampers with the history of a running studio, then restarts it. Sessions reported as kept afterwards must
        exist."""
        file, before, after = self.fresh(name), {}, {}
        studio = self.sessions.studio(name)
        try:
            for _ in range(3):
                self.sessions.keep(studio, 4, before)
            meddle(file)
            ends = [keep_session(studio, self.pictures, 4) for _ in range(3)]
            after = {ended["session"]: ended["analysed"] for ended in ends if ended["kept"]}
            for ended in ends:
                demand(ended["kept"] or ended["errors"], "a session is not kept and nothing is reported")
            demand(studio.is_alive(), "the studio is gone")
        finally:
            studio.stop()
        try:
            studio = self.sessions.studio(name)
        except Refused as refusal:
            demand("exit 65" in str(refusal) and not after, f"{refusal}; reported as kept: {len(after)} sessions")
            return f"{len(ends) - len(after)} of 3 reported as not kept; the next start reports the damage"
        try:
            expect_kept(studio, after)
        finally:
            studio.stop()
        return f"{len(after)} of 3 reported as kept and there" if after else "3 of 3 reported as not kept"

    def replaced(self):
        """A backup replaces the history, as if by a user unaware that the studio is running."""
        backup = self.fresh("backup")
        studio = self.sessions.studio("backup")
        try:
            self.sessions.keep(studio, 4, {})
        finally:
            studio.stop()
        return self.meddled("replaced", lambda file: os.replace(backup, file))

    def removed(self):
        def meddle(file):
            for end in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(file + end)

        return self.meddled("removed", meddle)

    def damaged(self):
        def meddle(file):
            with open(file, "r+b") as database:
                size = database.seek(0, os.SEEK_END)
                for _ in range(200):
                    database.seek(random.randrange(100, max(size, 101)))
                    database.write(os.urandom(64))

        file = self.fresh("damaged")
        studio = self.sessions.studio("damaged")
        told, kept = 0, 0
        try:
            for _ in range(3):
                self.sessions.keep(studio, 4, {})
            studio.stop()
            studio = self.sessions.studio("damaged")
            meddle(file)
            for _ in range(3):
                ended = keep_session(studio, self.pictures, 4)
                kept += ended["kept"]
                told += bool(ended["errors"])
                demand(ended["kept"] or ended["errors"], "a session is not kept and nothing is reported")
            status, _ = studio.ask("GET", "/api/history")
            demand(status in (200, 500), f"the list of a damaged history returns {status}")
            demand(studio.is_alive(), "the studio is gone")
        finally:
            studio.stop()
        bytes_before = open(file, "rb").read()
        try:
            self.sessions.studio("damaged").stop()
            return "the studio keeps running; the next start reads it"
        except Refused as refusal:
            demand("exit 65" in str(refusal), str(refusal))
            demand(open(file, "rb").read() == bytes_before, "a damaged history was written to")
            return "the studio keeps running; the next start reports the damage and leaves the file"
