"""The example client counts what the clip shows, over the documented interface alone."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import clips
from studio import Studio

CLIENT = Path(__file__).parents[2] / "Examples/StudioClient/client.py"
ENDED = re.compile(r"(\d+) repetitions; (\d+) frames sent = (\d+) analysed \+ (\d+) dropped")


class Client(unittest.TestCase):
    is_live = True

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio()
        cls.addClassCleanup(cls.studio.remove)
        cls.studio.start()

    def run_client(self, *options):
        done = subprocess.run(
            [sys.executable, CLIENT, "--studio", f"http://127.0.0.1:{self.studio.port}/?token={self.studio.token}", *map(str, options)],
            capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        count, sent, analysed, dropped = map(int, ENDED.search(done.stdout).groups())
        self.assertEqual(sent, analysed + dropped)
        return done.stdout, count, sent

    def test_a_folder_and_a_video_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            clips.run("ffmpeg", "-nostdin", "-loglevel", "error", "-i", clips.video("jacks"), "-frames:v", "10",
                      f"{folder}/%03d.jpg")
            _, count, sent = self.run_client(folder)
        self.assertEqual((count, sent), (0, 10))
        # Slowed, so that a moment without frames does not part the set.
        said, count, sent = self.run_client(clips.camera("jacks"), "--rate", 15)
        truth = clips.truth("jacks")
        self.assertEqual(count, truth["count"], said)
        self.assertAlmostEqual(sent, 15 * (truth["filmed"] + clips.TAIL), delta=4)
        self.assertEqual(self.studio.sessions(), [], "the client asked for nothing to be kept")
