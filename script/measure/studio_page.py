"""Measures the studio as a user experiences it: the page in Chromium on this machine, with a rendered clip as camera.

The latencies are those the page shows, from the capture of a frame to the screen refresh with its skeleton, over ten
seconds each; the goals apply to the worst of them. The DevTools protocol controls Chromium and reads only what the page
shows: Playwright would report every WebSocket message, which doubles the latency.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

from studio import GOAL_LATENCY, GOAL_RATE, Server, WebSocket

SPAN = 10  # seconds over which the page measures latency, at 30 fps


class Browser:
    """A Chromium with one page."""

    def __init__(self, chromium, folder, window, *options):
        self.profile = os.path.join(folder, "profile")
        # The sandbox needs privileges that a container does not have; Chromium opens only our page.
        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage",
             f"--user-data-dir={self.profile}", "--remote-debugging-port=0",
             f"--window-size={window.replace('x', ',')}", *options, "about:blank"], stderr=subprocess.DEVNULL)
        port = self.port()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=10) as answer:
            page = next(one for one in json.load(answer) if one["type"] == "page")
        self.socket = WebSocket(port, "/" + page["webSocketDebuggerUrl"].split("/", 3)[3])
        self.number = 0

    def port(self):
        for _ in range(300):
            try:
                with open(os.path.join(self.profile, "DevToolsActivePort")) as file:
                    return int(file.readline())
            except (FileNotFoundError, ValueError):
                time.sleep(0.1)
        sys.exit("Chromium did not start")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.text({"id": self.number, "method": method, "params": parameters})
        while (message := self.socket.receive()) is not None:
            if message.get("id") == self.number:
                return message.get("result", {})
        sys.exit("Chromium closed the connection")

    def ask(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression):
        for _ in range(300):
            if self.ask(expression):
                return
            time.sleep(0.1)
        sys.exit(f"the page never fulfilled {expression}")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def camera_file(kinema, folder, scene, size):
    """A rendered clip as the file that Chromium plays in a loop as its camera."""
    clip, target = os.path.join(folder, "clip.mp4"), os.path.join(folder, "camera.y4m")
    subprocess.run([kinema, "synth", "--scene", scene, "--repetitions", "4", "--output", clip], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["ffmpeg", "-v", "error", "-i", clip, "-vf", f"fps=30,scale={size.replace('x', ':')}",
                    "-pix_fmt", "yuv420p", target], check=True)
    return target


def measure(browser, server, arguments):
    reading = "JSON.parse(document.getElementById('hud').dataset.reading ?? '{}')"
    browser.call("Page.navigate", url=f"http://localhost:{server.port}/?token={server.token}")
    settings = {"people": "all" if arguments.people == "all" else "prominent", "hands": arguments.hands, "keep": False,
                "preview": False}
    browser.ask(f"localStorage.setItem('kinema', {json.dumps(json.dumps(settings))})")
    browser.call("Page.navigate", url=f"http://localhost:{server.port}/?again")
    browser.until("document.querySelectorAll('#source-kind option').length > 1")
    browser.ask(f"document.querySelector('#modes input[value={arguments.mode}]').click()")
    browser.ask("document.getElementById('start').click()")
    browser.until(f"{reading}.drawn > 0")
    # Excludes loading and compiling.
    time.sleep(5)
    readings = []
    for _ in range(max(1, int(arguments.seconds / SPAN))):
        time.sleep(SPAN)
        readings.append(browser.ask(reading))
    browser.ask("document.getElementById('stop').click()")
    browser.until("!document.getElementById('after').hidden")
    return readings, browser.ask(reading)


def tree_seconds(root):
    """The processor seconds of a process and of each process below it, by process ID."""
    spent, waiting = {}, [root]
    while waiting:
        one = waiting.pop()
        try:
            with open(f"/proc/{one}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/children") as file:
                    waiting += file.read().split()
        except OSError:
            continue
        spent[one] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def spent_since(before, root):
    """The processor seconds since `before`, without processes that have ended in the meantime."""
    return sum(seconds - before.get(one, 0) for one, seconds in tree_seconds(root).items())


def idle_shares(server, browser, seconds=10):
    """The share of a core that the studio and the browser use while nothing runs."""
    time.sleep(3)
    roots = (server.process.pid, browser.process.pid)
    before, began = [tree_seconds(one) for one in roots], time.perf_counter()
    time.sleep(seconds)
    return [spent_since(earlier, one) / (time.perf_counter() - began) for one, earlier in zip(roots, before)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--mode", default="count")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--window", default="1280x800")
    parser.add_argument("--scene", default="squat", help="the scene rendered for the camera, such as two-people")
    parser.add_argument("--people", default="prominent", help="prominent or all")
    parser.add_argument("--hands", action="store_true", help="detect hands too, in mode poses")
    parser.add_argument("--hold", action="store_true", help="keep the landmarks of people at rest")
    arguments, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        camera = camera_file(arguments.kinema, folder, arguments.scene, arguments.size)
        server = Server(arguments.kinema, "--no-history", *["--hold"] * arguments.hold)
        browser = Browser(
            arguments.chromium, folder, arguments.window, "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={camera}")
        try:
            before, began = server.processor_seconds(), time.perf_counter()
            readings, end = measure(browser, server, arguments)
            share = (server.processor_seconds() - before) / (time.perf_counter() - began)
            idle = idle_shares(server, browser)
        finally:
            browser.stop()
            server.stop()
    late, rate = max(one["p95"] for one in readings), min(one["analysis"] for one in readings)
    exact = end["arrived"] == end["analysed"] + end["dropped"]
    what = f"mode {arguments.mode}, {arguments.scene}, {arguments.people}{', hands' if arguments.hands else ''}"
    print(f"page in Chromium, {what}, camera {arguments.size} at 30/s, window {arguments.window}")
    for one in readings:
        print(f"latency      median {one['median']:.0f} ms, 95th percentile {one['p95']:.0f} ms (goal {GOAL_LATENCY:.0f}); "
              f"camera {one['capture']:.1f}/s, analysed {one['analysis']:.1f}/s (goal {GOAL_RATE:.0f})")
    print(f"accounting   arrived {end['arrived']} = analysed {end['analysed']} + dropped {end['dropped']}: "
          f"{'exact' if exact else 'WRONG'}")
    print(f"processor    the studio keeps {share:.2f} of {os.cpu_count()} cores busy")
    print(f"idle         stopped, with the page open: studio {100 * idle[0]:.1f} %, browser {100 * idle[1]:.1f} % of a core")
    sys.exit(0 if exact and late <= GOAL_LATENCY and rate >= GOAL_RATE else 1)


if __name__ == "__main__":
    main()
