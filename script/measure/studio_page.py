"""Measures the studio as a person meets it: the page in Chromium on this machine, with a rendered clip for its camera.

The figures are those the page shows, from the moment the camera took a frame to its skeleton drawn, of ten seconds
each; the goals are held against the worst of them.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from studio import GOAL_LATENCY, GOAL_RATE, Server

SPAN = 10  # seconds over which the page takes its latencies, at thirty frames a second


def film(kinema, folder, size):
    """A rendered clip as the film that Chromium takes for a camera, again and again."""
    clip, target = os.path.join(folder, "clip.mp4"), os.path.join(folder, "camera.y4m")
    subprocess.run([kinema, "synth", "--scene", "squat", "--repetitions", "4", "--output", clip], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["ffmpeg", "-v", "error", "-i", clip, "-vf", f"fps=30,scale={size.replace('x', ':')}",
                    "-pix_fmt", "yuv420p", target], check=True)
    return target


def measure(page, arguments):
    page.goto(f"http://localhost:{arguments.port}/")
    page.locator(f"#modes input[value={arguments.mode}]").check(force=True)
    page.locator("#start").click()
    reading = "JSON.parse(document.getElementById('hud').dataset.reading ?? '{}')"
    # What is read in and compiled on the way is no part of it.
    time.sleep(5)
    readings = []
    for _ in range(max(1, int(arguments.seconds / SPAN))):
        time.sleep(SPAN)
        readings.append(page.evaluate(reading))
        if not readings[-1].get("drawn"):
            sys.exit("the page shows no results")
    page.locator("#stop").click()
    page.locator("#after").wait_for()
    return readings, page.evaluate(reading)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinema", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--mode", default="count")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--window", default="1280x800")
    arguments, _ = parser.parse_known_args()
    width, height = map(int, arguments.window.split("x"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        camera = film(arguments.kinema, folder, arguments.size)
        server = Server(arguments.kinema)
        arguments.port = server.port
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=[
            "--disable-dev-shm-usage", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={camera}"])
        try:
            page = browser.new_context(
                viewport={"width": width, "height": height}, permissions=["camera"]).new_page()
            before, began = server.processor_seconds(), time.perf_counter()
            readings, end = measure(page, arguments)
            share = (server.processor_seconds() - before) / (time.perf_counter() - began)
        finally:
            browser.close()
            server.stop()
    late, rate = max(one["p95"] for one in readings), min(one["analysis"] for one in readings)
    exact = end["sent"] == end["analysed"] + end["dropped"]
    print(f"page in Chromium, mode {arguments.mode}, camera {arguments.size} at 30/s, window {arguments.window}")
    for one in readings:
        print(f"latency      median {one['median']:.0f} ms, 95th percentile {one['p95']:.0f} ms (goal {GOAL_LATENCY:.0f}); "
              f"camera {one['capture']:.1f}/s, analysed {one['analysis']:.1f}/s (goal {GOAL_RATE:.0f})")
    print(f"accounting   sent {end['sent']} = analysed {end['analysed']} + dropped {end['dropped']}: "
          f"{'exact' if exact else 'WRONG'}")
    print(f"processor    the studio keeps {share:.2f} of {os.cpu_count()} cores busy")
    sys.exit(0 if exact and late <= GOAL_LATENCY and rate >= GOAL_RATE else 1)


if __name__ == "__main__":
    main()
