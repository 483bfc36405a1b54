"""`kinema watch` in its own process, with its metrics and system figures. Needs only the standard library."""
import glob
import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request

# Seconds after which anything counts as hung.
PATIENCE = 120
MB_OF_KB = 1 / 1024


class WatchFault(Exception):
    """A claim that does not hold, in one line."""


class Reading:
    """A reading of /metrics."""

    def __init__(self, text):
        self.at = time.monotonic()
        self.values = {}
        for line in text.splitlines():
            if match := re.fullmatch(r'(\w+)\{camera="([^"]*)"(?:,le="([^"]*)")?\} (\S+)', line):
                name, camera, bound, value = match.groups()
                self.values[name, camera, bound] = float(value)

    def get(self, name, camera):
        return int(self.values[f"kinema_{name}", camera, None])

    def sum(self, name, cameras):
        return sum(self.get(name, camera) for camera in cameras)

    def buckets(self, cameras):
        """For each bucket's upper bound in seconds, how many frames of these cameras took at most that long."""
        sums = {}
        for (name, camera, bound), value in self.values.items():
            if name == "kinema_frame_latency_seconds_bucket" and camera in cameras:
                sums[float(bound)] = sums.get(float(bound), 0) + value
        return sorted(sums.items())


def quantile(share, before, after, cameras):
    """The quantile of the seconds per frame between two readings, interpolated linearly within a bucket."""
    earlier = dict(before.buckets(cameras))
    counts = [(bound, count - earlier[bound]) for bound, count in after.buckets(cameras)]
    wanted, low, below = share * counts[-1][1], 0.0, 0
    for bound, count in counts:
        if count >= wanted and count > below:
            return low if bound == float("inf") else low + (bound - low) * (wanted - below) / (count - below)
        low, below = bound, count
    return low


class Watch:
    """A running `kinema watch` of live cameras, each with a name, an address, a task and options."""

    def __init__(self, kinema, folder, cameras, core=None):
        self.names = [camera["name"] for camera in cameras]
        self.results = os.path.join(folder, "results")
        path = os.path.join(folder, "cameras.yaml")
        with open(path, "w") as file:
            # JSON is YAML.
            json.dump({"folder": self.results, "listen": "127.0.0.1:0", "cameras": cameras}, file)
        pin = ["taskset", "--cpu-list", str(core)] if core is not None else []
        self.process = subprocess.Popen(
            [*pin, kinema, "watch", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line.strip())
            if match := re.search(r"metrics at (http://\S+)/metrics", line):
                self.address = match[1]
                break
        else:
            raise WatchFault(f"kinema watch did not start: {' '.join(self.lines)[-300:]}")
        threading.Thread(target=lambda: self.lines.extend(map(str.strip, self.process.stderr)), daemon=True).start()

    def read(self):
        with urllib.request.urlopen(self.address + "/metrics", timeout=PATIENCE) as answer:
            return Reading(answer.read().decode())

    def until(self, holds, words, seconds=PATIENCE):
        """Waits for a reading that meets a condition, and returns it."""
        end = time.monotonic() + seconds
        while True:
            reading = self.read()
            if holds(reading):
                return reading
            if time.monotonic() > end:
                raise WatchFault(f"{words}: {'; '.join(self.lines[-3:])}")
            if self.process.poll() is not None:
                raise WatchFault(f"kinema watch ended: {'; '.join(self.lines[-3:])}")
            time.sleep(0.2)

    def processes(self):
        """The watch and its decoder processes."""
        found = [self.process.pid]
        for path in glob.glob(f"/proc/{self.process.pid}/task/*/children"):
            try:
                with open(path) as file:
                    found += map(int, file.read().split())
            except OSError:
                pass
        return found

    def processor_seconds(self):
        """The processor time of the watch and its decoders, including those that have ended."""
        total = 0
        for process in self.processes():
            try:
                with open(f"/proc/{process}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            total += sum(map(int, fields[11:15 if process == self.process.pid else 13]))
        return total / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident MB of the watch alone, and with its decoders, counting shared pages once."""
        with open(f"/proc/{self.process.pid}/status") as file:
            alone = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        shared = 0
        for process in self.processes():
            try:
                with open(f"/proc/{process}/smaps_rollup") as file:
                    shared += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
            except OSError:
                continue
        return alone * MB_OF_KB, shared * MB_OF_KB

    def stop(self):
        """Ends the watch as Ctrl-C does; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise WatchFault("kinema watch does not end")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
