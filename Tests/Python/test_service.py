"""The process behind the module: there is one, it starts again when it dies, and it ends with Python."""
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import unittest
from unittest import mock

import numpy

from clips import FOLDER, ROOT, is_there, squats

import kinema
from kinema.command import shared
from kinema.video import Video

#: A command that answers at once, but is killed by a video named deadly, and by one named once the first time; for one
#: named like nonsense it writes an invalid answer.
FAKE = '''
    import json, os, signal, sys
    for line in sys.stdin:
        job = json.loads(line)
        mark = job["path"] + ".tried"
        if "deadly" in job["path"] or "once" in job["path"] and not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        if "nonsense" in job["path"]:
            print(job["path"].rpartition("nonsense")[2].replace("ID", str(job["id"])), flush=True)
            break
        result = {"count": 1, "people": [], "source": job["path"]}
        print(json.dumps({"id": job["id"], "status": "done", "result": result, "seconds": 0}), flush=True)
'''


class RealProcess(unittest.TestCase):
    def tearDown(self):
        kinema.close()

    def test_threads_share_one_process(self):
        counts = []
        threads = [threading.Thread(target=lambda: counts.append(kinema.count(squats()).count)) for _ in range(4)]
        for thread in threads:
            thread.start()
        first = shared.running().process.pid
        for thread in threads:
            thread.join()
        self.assertEqual(counts, [2, 2, 2, 2])
        self.assertEqual(shared.process.process.pid, first)

    def test_killed_in_the_middle_of_a_batch_it_loses_nothing(self):
        process = shared.running()
        asked, original = threading.Event(), process.ask

        def ask(job):
            asked.set()
            return original(job)

        def kill():
            asked.wait()
            # Two jobs are running, because none can finish before this.
            os.kill(process.process.pid, signal.SIGKILL)

        with mock.patch.object(process, "ask", ask):
            killer = threading.Thread(target=kill)
            killer.start()
            found = kinema.batch([squats()] * 4, jobs=2, progress=False)
            killer.join()
        self.assertEqual([one.count for one in found], [2] * 4)
        self.assertEqual(process.process.returncode, -signal.SIGKILL)
        self.assertFalse(is_there(process.process.pid), "a zombie is left behind")
        self.assertNotEqual(shared.process.process.pid, process.process.pid)

    def test_an_interrupted_batch_leaves_no_process(self):
        def interrupted(_):
            shared.running()
            raise KeyboardInterrupt
            yield

        def close():
            shared.close()
            # Gives waiting jobs time to start, if they were not cancelled.
            threading.Event().wait(0.3)

        begin = kinema.analyse

        def begin_late(*job):
            threading.Event().wait(0.1)
            return begin(*job)

        with mock.patch("kinema.as_completed", interrupted), mock.patch("kinema.close", close), \
                mock.patch("kinema.analyse", begin_late), self.assertRaises(KeyboardInterrupt):
            kinema.batch([squats()] * 6, jobs=2, progress=False)
        for thread in threading.enumerate():
            if thread.name.startswith("kinema_"):
                thread.join()
        self.assertIsNone(shared.process)

    def test_closed_it_is_gone_and_the_next_video_starts_another(self):
        kinema.count(squats())
        process = shared.process.process
        kinema.close()
        self.assertFalse(is_there(process.pid))
        self.assertEqual(kinema.count(squats()).count, 2)

    def test_it_ends_with_python(self):
        program = f"""
            import sys; sys.path.insert(0, {str(ROOT / "Python")!r})
            import kinema
            from kinema.command import shared
            kinema.count({str(squats())!r})
            print(shared.process.process.pid)
        """
        for end in ("", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"):
            run = subprocess.run([sys.executable, "-c", textwrap.dedent(program) + end], capture_output=True, text=True)
            process = int(run.stdout)
            # When Python is killed, the process ends a moment later, because its input is closed.
            for _ in range(1200):
                if not is_there(process):
                    break
                threading.Event().wait(0.05)
            self.assertFalse(is_there(process), end)

    def test_a_fork_has_a_process_of_its_own(self):
        kinema.count(squats())
        child = os.fork()
        if child == 0:
            is_well = shared.process is None and kinema.count(squats()).count == 2
            kinema.close()
            os._exit(0 if is_well else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(kinema.count(squats()).count, 2)


class FakeProcess(unittest.TestCase):
    """A command that dies on demand."""

    def setUp(self):
        kinema.close()
        command = FOLDER / "fake"
        command.write_text(f"#!{sys.executable}\n" + textwrap.dedent(FAKE))
        command.chmod(0o755)
        patch = mock.patch.dict(os.environ, KINEMA_COMMAND=str(command))
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(kinema.close)

    def test_a_job_under_way_is_tried_once_more(self):
        self.assertEqual(kinema.count(FOLDER / "once").count, 1)

    def test_a_video_that_kills_it_takes_no_other_along(self):
        names = ["a", "deadly", "b", "c", "deadly too", "d"]
        found = kinema.batch([FOLDER / name for name in names], jobs=3, progress=False)
        failed = [name for name, one in zip(names, found) if isinstance(one, kinema.Error)]
        self.assertEqual(failed, ["deadly", "deadly too"])
        self.assertEqual(found[1].code, -signal.SIGKILL)
        self.assertRegex(str(found[1]), "deadly: kinema died twice while it analysed this$")
        children = subprocess.run(["ps", "-o", "stat=", "--ppid", str(os.getpid())], capture_output=True, text=True)
        self.assertNotIn("Z", children.stdout)

    def test_what_is_no_answer_ends_the_wait(self):
        for line in ("y", "[1]", '{"id": [1]}', '{"id": ID}', '{"id": ID, "status": "done", "result": 5}',
                     '{"id": ID, "status": "failed"}', "[" * 50_000,
                     '{"id": null, "status": "failed", "error": "too long", "code": 64}'):
            with self.subTest(line[:40]), self.assertLogs("kinema", "ERROR") as logs, \
                    self.assertRaisesRegex(kinema.Error, "died twice"):
                kinema.count(f"/nonsense{line}")
            self.assertRegex(logs.output[0], "is it the right command")

    def test_a_job_that_is_too_long_is_an_error_of_its_own(self):
        found = kinema.batch(["/x" * 40_000, "/a.mp4"], progress=False)
        self.assertRegex(str(found[0]), "too long")
        self.assertEqual((found[0].code, found[1].count), (65, 1))
        with self.assertRaisesRegex(kinema.Error, "too long") as caught:
            kinema.count("/a.mp4", exercise="x" * 70_000)
        self.assertEqual(caught.exception.code, 64)

    def test_a_name_that_no_file_can_have_is_an_error_of_its_own(self):
        paths = ["/a.mp4", "/caf\udce9.mp4", "", "/a\0.mp4", "http://a/\0", "/b.mp4"]
        found = kinema.batch(paths, progress=False)
        self.assertEqual([getattr(one, "code", 0) for one in found], [0, 65, 65, 65, 65, 0])
        self.assertEqual(str(found[1]), "/caf?.mp4: the name is not UTF-8; rename the file")
        self.assertEqual(kinema.batch_mapper()({"item": paths})["status"], ["done", *["failed"] * 4, "done"])
        for place in ("", "a\0b", "\udcff"):
            for function in (kinema.count, kinema.poses, lambda place: kinema.classify("/a.mp4", place),
                             lambda place: kinema.train(place, "model")):
                with self.subTest(place), self.assertRaises(kinema.Error) as caught:
                    function(place)
                self.assertEqual(caught.exception.code, 65)

    def test_what_frames_raise_is_no_end_of_the_command(self):
        def frames():
            yield numpy.zeros((4, 4, 3), numpy.uint8)
            raise BrokenPipeError("the camera is gone")

        command = FOLDER / "reads"
        command.write_text("#!/bin/sh\ncat > /dev/null\necho '{}'\n")
        command.chmod(0o755)
        with mock.patch.dict(os.environ, KINEMA_COMMAND=str(command)), \
                self.assertRaisesRegex(BrokenPipeError, "the camera is gone"):
            kinema.count(frames())

    def test_a_command_that_stops_reading_says_why(self):
        command = FOLDER / "refuses"
        command.write_text("#!/bin/sh\necho 'kinema: enough' >&2\nexit 65\n")
        command.chmod(0o755)
        endless = itertools.repeat(numpy.zeros((64, 64, 3), numpy.uint8))
        with mock.patch.dict(os.environ, KINEMA_COMMAND=str(command)), self.assertRaisesRegex(kinema.Error, "^enough$"):
            kinema.count(endless)

    def test_a_wrong_address_of_a_batch_is_an_error_of_its_own(self):
        with mock.patch("kinema.run", side_effect=kinema.Error("http://…: the address has no host", 64)):
            found = kinema.batch(["http://", "/a.mp4"], progress=False)
        self.assertEqual((found[0].code, found[1].count), (64, 1))

    def test_what_is_no_video_or_no_time_is_a_clear_error(self):
        frames = numpy.zeros((2, 4, 4, 3), numpy.uint8)
        for words in ({"times": [-1, 0]}, {"times": [0, 1e15]}, {"times": [0, float("nan")]}, {"fps": 1e-15}):
            with self.subTest(words), self.assertRaisesRegex(ValueError, "^frame [01] is at .* s; times are seconds"):
                list(Video(frames, {**words}).feed())
        for times in ([0], iter([0])):
            with self.subTest(times), self.assertRaisesRegex(ValueError, "^frame 1 has no time$"):
                list(Video(frames, {"times": times}).feed())
        with self.assertRaisesRegex(TypeError, "^a video is a path, frames or joints, not NoneType$"):
            kinema.count(None)

    def test_one_run_that_answers_nonsense_is_an_error(self):
        frames = numpy.zeros((2, 4, 4, 3), numpy.uint8)
        # `count` also receives what the command prints for `help=True`.
        for name, function in (("yes", kinema.poses), ("echo", kinema.poses), ("echo", kinema.count)):
            command = FOLDER / name
            command.write_text(f"#!/bin/sh\nexec {name}\n")
            command.chmod(0o755)
            with self.subTest(name), mock.patch.dict(os.environ, KINEMA_COMMAND=str(command)), \
                    self.assertRaisesRegex(kinema.Error, "right command"):
                function(frames)

    def test_an_address_is_the_commands_to_read(self):
        with mock.patch("kinema.run", return_value=(True, {"count": 3})) as run:
            self.assertEqual(kinema.count("https://host/squats.mp4", for_=5).count, 3)
        self.assertEqual(run.call_args[0][0], ["count", "https://host/squats.mp4", "--for=5", "--format=json"])
        # A title shows no password; what only looks like an address is a path.
        names = [Video(path, {}).name for path in ("rtsp://user:secret@camera/a?token=b", "http://host", "s3://bucket/b.mp4")]
        self.assertEqual(names, ["camera/a", "host", "b.mp4"])
        self.assertTrue(os.path.isabs(Video("s3://bucket/b.mp4", {}).path))

    def test_one_picture_is_one_frame(self):
        stream = b"".join(Video(numpy.zeros((4, 6, 3), numpy.uint8), {}).feed())
        self.assertEqual(stream.count(b"\x1f\x43\xb6\x75"), 1)

    def test_people_are_in_view_from_when_to_when(self):
        person = {"id": 7, "keypoints": {"nose": [0.5, 0.5, 1]}}
        frames = [{"time": time, "width": 8, "height": 8, "people": [person] * seen}
                  for time, seen in ((0.0, 0), (0.5, 1), (1.0, 1), (1.5, 0))]
        poses = kinema.Poses(kinema.video.Video("a.mp4", {}), frames)
        self.assertEqual(poses.rows, [{"id": 7, "start": 0.5, "end": 1.0, "frames": 2}])
        self.assertEqual(numpy.isnan(poses.keypoints[:, 0, 0, 0]).tolist(), [True, False, False, True])

    def test_a_capture_of_opencv_is_frames(self):
        frames = [numpy.full((4, 6, 3), number, numpy.uint8) for number in range(3)]
        for rate, options, expected in ((20.0, {}, (20, "BGR")), (0.0, {}, (30, "BGR")),
                                        (20.0, {"fps": 5, "order": "RGB"}, (5, "RGB"))):
            left = iter([(True, frame) for frame in frames])
            capture = mock.Mock(spec=["isOpened", "read", "get"], read=lambda: next(left, (False, None)))
            capture.get = {5: rate}.get
            video = Video(capture, options)
            self.assertEqual((video.fps, video.order, video.options), (*expected, []))
            stream = b"".join(video.feed())
            self.assertEqual(stream.count(b"\x1f\x43\xb6\x75"), 3)
            self.assertTrue(all(frame.tobytes() in stream for frame in frames))
        with self.assertRaisesRegex(ValueError, "^no frames; is the capture open?"):
            list(video.feed())

    def test_hands_say_in_which_frame_they_are(self):
        hand = {"id": 1, "chirality": "left", "keypoints": {"wrist": [0.5, 0.5, 1]}}
        frames = [{"time": time, "width": 8, "height": 8, "people": [], "hands": [hand] * seen}
                  for time, seen in ((0.0, 0), (0.5, 2), (1.0, 1))]
        poses = kinema.Poses(Video("a.mp4", {}), frames)
        self.assertEqual([(one["frame"], one["time"]) for one in poses.hands], [(1, 0.5), (1, 0.5), (2, 1.0)])
        self.assertEqual({name: poses.hands[0][name] for name in hand}, hand)
        self.assertEqual(kinema.Poses(Video("a.mp4", {}), [{**frames[0], "hands": []}]).hands, [])

    def test_one_path_is_no_list(self):
        with self.assertRaisesRegex(TypeError, r"batch\(\['a.mp4'\]\)"):
            kinema.batch("a.mp4")

    def test_a_folder_named_like_an_option_is_a_folder(self):
        with mock.patch("kinema.run") as run:
            kinema.train("--output=elsewhere", "model")
        self.assertEqual(run.call_args[0][0][1], os.path.abspath("--output=elsewhere"))

    def test_more_jobs_than_a_pipe_holds(self):
        found = kinema.batch([f"/clips/{'long' * 900}/{number}" for number in range(300)], jobs=300, progress=False)
        self.assertEqual([one.count for one in found], [1] * 300)

    def test_the_job_is_one_line_of_the_protocol(self):
        self.assertEqual(
            kinema.video.words({"people": "all", "max_people": 3, "hands": True, "raw": False, "model": None}),
            ["--people=all", "--max-people=3", "--hands"])
        with mock.patch.object(kinema.command.Process, "ask", return_value={"status": "done", "result": {}}) as ask:
            shared.answer("count", "/a.mp4", ["--people=all"])
        job = {"task": "count", "path": "/a.mp4", "options": ["--people=all"]}
        self.assertEqual(ask.call_args[0][0], job)

    def test_without_a_command_the_error_says_what_to_do(self):
        for environment in ({"KINEMA_COMMAND": "/nowhere/kinema"}, {"KINEMA_COMMAND": "", "PATH": "/nowhere"}):
            with mock.patch.dict(os.environ, environment), self.assertRaisesRegex(kinema.Error, "install the wheel"):
                kinema.count("/a.mp4")


if __name__ == "__main__":
    unittest.main()
