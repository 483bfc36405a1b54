"""A long video in parts over a cluster: script/ray's own code, with a stand-in that runs each task where it is called."""
import argparse
import functools
import json
import subprocess
import sys
import types
import unittest
from unittest import mock

from clips import FOLDER, ROOT, squats

import kinema
import kinema.command

#: Ray's functions as far as parts need them.
RAY = types.SimpleNamespace(
    remote=lambda task: types.SimpleNamespace(remote=functools.partial(functools.partial, task)),
    get=lambda future: future(), wait=lambda futures: (futures[:1], futures[1:]))


def long_video():
    """Five squats of some eight seconds, with a key frame a second."""
    clip = FOLDER / "long.mp4"
    if not clip.exists():
        command = ["ffmpeg", "-v", "error", "-y", "-stream_loop", "2", "-i", squats(), "-c:v", "libx264", "-g", "10", clip]
        subprocess.run(command, check=True)
    return str(clip)


class Parts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with mock.patch.dict(sys.modules, {"ray": RAY}), mock.patch.object(sys, "path", [str(ROOT / "Distributed"), *sys.path]):
            import kinema_ray
        cls.module = kinema_ray
        cls.alone = json.loads(kinema.command.run(
            ["count", long_video(), "--part-length=4", "--jobs=2", "--format=json"])[1])

    def joined(self):
        arguments = argparse.Namespace(
            task="count", options={"part_length": "4"}, output=str(FOLDER / "table"), workers=2)
        return self.module.joined(long_video(), "1", arguments)

    def test_parts_are_joined_to_what_one_machine_finds(self):
        with mock.patch.object(kinema.command.shared, "answer", side_effect=kinema.command.shared.answer) as answer:
            row = self.joined()
        self.assertEqual((row["status"], row["error"], row["count"]), ("done", "", self.alone["count"]))
        self.assertEqual(json.loads(row["result"]), self.alone)
        self.assertGreater(len(answer.mock_calls), 1)
        self.assertFalse(list((FOLDER / "table/.parts").iterdir()))

    def test_what_a_killed_run_kept_is_not_analysed_again(self):
        answer = kinema.command.shared.answer
        with mock.patch.object(kinema.command.shared, "answer", side_effect=[answer("count", long_video(), [
                "--part-length=4", "--part=0"]), KeyboardInterrupt]), self.assertRaises(KeyboardInterrupt):
            self.joined()
        with mock.patch.object(kinema.command.shared, "answer", side_effect=answer) as again:
            self.assertEqual(json.loads(self.joined()["result"]), self.alone)
        self.assertNotIn("--part=0", [words for call in again.mock_calls for words in call.args[2]])

    def test_a_video_without_parts_is_left_to_be_read_whole(self):
        arguments = argparse.Namespace(task="count", options={}, output=str(FOLDER / "table"), workers=None)
        self.assertIsNone(self.module.joined(str(squats()), "1", arguments))


if __name__ == "__main__":
    unittest.main()
