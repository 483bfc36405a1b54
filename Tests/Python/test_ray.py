"""A long video in parts on a cluster: script/ray's own code, with a stand-in for Ray that runs each task where it is called."""
import argparse
import contextlib
import functools
import io
import json
import subprocess
import sys
import types
import unittest
from unittest import mock

import pandas

from clips import FOLDER, ROOT, squats

import kinema
import kinema.command

#: Ray's functions that the parts need.
RAY = types.SimpleNamespace(
    remote=lambda task: types.SimpleNamespace(remote=functools.partial(functools.partial, task)),
    get=lambda future: future(), wait=lambda futures: (futures[:1], futures[1:]))


def table(rows):
    """What the module's mapper adds to a block of rows given as a dictionary."""
    found = kinema.batch_mapper("count", column="path")(pandas.DataFrame({"path": rows["path"]}))
    return {name: found[name].tolist() for name in ("status", "error", "result", "count")}


def long_video():
    """Five squats in about eight seconds, with a key frame every second."""
    clip = FOLDER / "long.mp4"
    if not clip.exists():
        command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", "2", "-i", squats(), "-c:v", "libx264", "-g", "10", clip]
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

    def test_what_fits_no_row_and_what_has_no_parts_is_refused(self):
        for words in (["--task", "pose"], ["--task", "gesture", "--split"]):
            with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()) as said:
                self.module.parsed(["clips", "-o", "table", *words])
            self.assertEqual(ended.exception.code, 64, said.getvalue())

    def test_a_result_names_the_address_that_was_read(self):
        ray = types.SimpleNamespace(get_node_id=lambda: "node")
        block = {"address": [squats().as_uri(), "file:///nowhere.mp4"], "version": ["", ""]}
        with mock.patch.object(RAY, "get_runtime_context", lambda: ray, create=True):
            rows = self.module.analysed(block, lambda rows: {**rows, **table(rows)}, set())
        self.assertEqual(json.loads(rows["result"][0])["source"], squats().as_uri())
        self.assertEqual((rows["result"][1], rows["error"][0]), ("", ""))
        self.assertIn("file:///nowhere.mp4: ", rows["error"][1])

    def test_a_video_without_parts_is_left_to_be_read_whole(self):
        arguments = argparse.Namespace(task="count", options={}, output=str(FOLDER / "table"), workers=None)
        self.assertIsNone(self.module.joined(str(squats()), "1", arguments))


if __name__ == "__main__":
    unittest.main()
