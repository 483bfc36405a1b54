"""The module's functions, on a rendered clip whose truth is known."""
import contextlib
import copy
import datetime
import io
import json
import pickle
import unittest
import warnings

import numpy
import pandas

from clips import FOLDER, RATE, SIZE, decoded, grey, squats, truth

import kinema
from kinema.joints import NAMES

COCO = ["nose", *(f"{side}_{part}" for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
                  for side in ("left", "right"))]


def coco():
    """COCO's joints of six squats in 12 s, 20 frames/s, seen from the front, as fractions of a frame of 16/9."""
    depth = (1 - numpy.cos(numpy.pi * numpy.arange(240) / 20)) / 2
    still = numpy.array([(0, 0.17), (0.01, 0.15), (-0.01, 0.15), (0.02, 0.16), (-0.02, 0.16), (0.05, 0.27), (-0.05, 0.27), (0.06, 0.41),
                         (-0.06, 0.41), (0.06, 0.52), (-0.06, 0.52), (0.03, 0.53), (-0.03, 0.53), (0.04, 0.71), (-0.04, 0.71),
                         (0.04, 0.9), (-0.04, 0.9)])
    joints = numpy.full((240, 17, 3), 0.9)
    joints[..., :2] = still + (0.5, 0)
    joints[:, :13, 1] += 0.2 * depth[:, None]
    joints[:, 13:15, 1] += 0.04 * depth[:, None]
    joints[:, 13:15, 0] += numpy.array([0.04, -0.04]) * depth[:, None]
    return joints


class Analyses(unittest.TestCase):
    """Files."""

    @classmethod
    def setUpClass(cls):
        cls.counted = kinema.count(squats())
        cls.poses = kinema.poses(str(squats()))

    def test_counts_what_is_true(self):
        expected = truth()["people"][0]["repetitions"]
        self.assertEqual(self.counted.count, len(expected))
        self.assertTrue(self.counted.found)
        for row, repetition in zip(self.counted.rows, expected):
            self.assertAlmostEqual(row["start"], repetition["start"], delta=0.5)
            self.assertAlmostEqual(row["end"], repetition["end"], delta=0.5)

    def test_poses_are_arrays_with_times_and_ids(self):
        frames, joints = truth()["frameCount"], len(self.poses.joint_names)
        self.assertEqual(self.poses.keypoints.shape, (frames, 1, joints, 3))
        self.assertEqual(self.poses.keypoints_3d.shape, (frames, 1, joints, 4))
        numpy.testing.assert_allclose(self.poses.times, numpy.arange(frames) / RATE, atol=1e-6)
        self.assertEqual(self.poses.ids.tolist(), [1])
        self.assertEqual(self.poses.size, SIZE)

    def test_joints_lie_where_they_were_rendered(self):
        person = truth()["people"][0]["frames"]
        for name in ("leftHip", "rightKnee", "leftShoulder"):
            joint = self.poses.keypoints[:, 0, self.poses.joint_names.index(name), :2]
            true = numpy.array([frame["keypoints"][name][:2] for frame in person])
            self.assertLess(numpy.nanmedian(numpy.abs(joint - true)), 0.03, name)
            pixels = self.poses.pixels[:, 0, self.poses.joint_names.index(name)]
            numpy.testing.assert_allclose(pixels, (true * (1, -1) + (0, 1)) * SIZE, atol=25)

    def test_tables(self):
        table = self.counted.to_dataframe()
        self.assertEqual(list(table.columns[:4]), ["id", "number", "start", "end"])
        self.assertEqual(len(table), 2)
        joints = self.poses.to_dataframe()
        self.assertEqual(list(joints), ["frame", "time", "id", "joint", "x", "y", "confidence"])
        self.assertEqual(len(joints), self.poses.keypoints.shape[0] * len(self.poses.joint_names))
        nose = joints[joints.joint == "nose"]
        numpy.testing.assert_array_equal(nose.y, self.poses.keypoints[:, 0, self.poses.joint_names.index("nose"), 1])

    def test_a_row_has_nothing_nested(self):
        coached = kinema.coach(squats(), exercise="squat")
        self.assertEqual(coached.exercise, "squat")
        self.assertIn("tempo_eccentric", coached.rows[0])
        self.assertIn("depth", coached.to_dataframe())

    def test_shows_picture_chart_and_table(self):
        for result in (self.counted, self.poses):
            shown = result._repr_html_()
            self.assertIn("data:image/jpeg;base64,/9j/", shown)
            self.assertIn("<svg", shown)
            self.assertIn("<td>start</td>", shown)
        self.assertEqual(len(self.counted.plot().patches), 2)
        self.assertEqual(len(self.poses.plot(joints=["nose", "root"]).lines), 2)

    def test_overlay_is_a_video_with_as_many_frames(self):
        path = self.counted.overlay(FOLDER / "seen.mp4")
        self.assertEqual(len(kinema.poses(path).times), truth()["frameCount"])

    def test_nobody_is_a_result(self):
        with self.assertLogs("kinema", "WARNING"):
            nobody, empty = kinema.count(grey()), kinema.poses(grey())
        self.assertEqual((nobody.found, nobody.count, nobody.rows), (False, 0, []))
        self.assertEqual((empty.found, empty.keypoints.shape), (False, (10, 0, 0, 3)))
        self.assertEqual(len(empty.to_dataframe()), 0)

    def test_options_are_those_of_the_command(self):
        fewer = kinema.poses(squats(), every=2, raw=True, mirror=False)
        self.assertEqual(len(fewer.times), truth()["frameCount"] / 2)

    def test_errors_are_one_line(self):
        broken = FOLDER / "broken.mp4"
        broken.write_text("this is no video")
        for function in (kinema.count, kinema.poses):
            with self.assertRaisesRegex(kinema.Error, "^.*broken.mp4: not a video or image, or damaged.*$") as caught:
                function(broken)
            self.assertEqual(caught.exception.code, 65)
            for place, complaint in (("absent.mp4", "no such file; check the path"), ("", "is a folder; give a video")):
                with self.assertRaisesRegex(kinema.Error, f"^{FOLDER / place}: {complaint}"):
                    function(FOLDER / place)
            name = "pose" if function is kinema.poses else "count"
            complaint = f"^Unknown option '--max-peple'. Did you mean '--max-people'.; see kinema {name} --help$"
            with self.assertRaisesRegex(kinema.Error, complaint) as caught:
                function(squats(), max_peple=3)
            self.assertEqual(caught.exception.code, 64)
        self.assertEqual(str(pickle.loads(pickle.dumps(caught.exception))), str(caught.exception))

    def test_results_can_be_copied_and_sent(self):
        for twin in (copy.copy(self.counted), pickle.loads(pickle.dumps(self.counted))):
            self.assertEqual(twin.people, self.counted.people)
            self.assertEqual(twin.video.path, str(squats()))
        with self.assertRaisesRegex(AttributeError, "no strokes; it has count"):
            _ = self.counted.strokes

    def test_batch_keeps_the_order_and_the_errors(self):
        found = kinema.batch([squats(), FOLDER / "absent.mp4", squats()], progress=False)
        self.assertEqual([found[0].count, found[2].count], [2, 2])
        self.assertIsInstance(found[1], kinema.Error)
        with self.assertRaisesRegex(kinema.Error, "bogus"):
            kinema.batch([squats()], bogus=True)

    def test_a_batch_shows_a_bar_on_standard_error(self):
        for progress, expected in ((True, r"count: 100%.* 2/2 .*video"), (False, "^$")):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                kinema.batch([squats(), squats()], progress=progress)
            self.assertRegex(said.getvalue(), expected)

    def test_a_mapper_adds_columns_to_a_block(self):
        mapper = pickle.loads(pickle.dumps(kinema.batch_mapper("count", people="all")))
        block = {"item": numpy.array([str(squats()), "/absent.mp4"], dtype=object)}
        mapped = mapper(block)
        self.assertEqual(list(block), ["item"])
        self.assertEqual((mapped["status"], mapped["count"]), (["done", "failed"], [2, -1]))
        self.assertEqual(json.loads(mapped["result"][0])["count"], 2)
        self.assertIn("no such file", mapped["error"][1])
        table = kinema.batch_mapper(column="path")(pandas.DataFrame({"path": [str(squats())]}))
        self.assertEqual(table["count"].tolist(), [2])


class Frames(unittest.TestCase):
    """Arrays instead of files."""

    def test_frames_give_what_the_file_gives(self):
        # In 16 bits, where the processor has them, a joint may waver between two positions.
        poses, filed = (kinema.poses(one, precision="f32", **more) for one, more in ((decoded(), {"fps": RATE}), (squats(), {})))
        numpy.testing.assert_allclose(poses.times, filed.times, atol=1e-6)
        self.assertEqual(poses.size, SIZE)
        # FFmpeg's colours differ slightly from those that Kinema decodes.
        self.assertLess(numpy.abs(poses.keypoints - filed.keypoints)[..., :2].max(), 0.01)
        self.assertEqual(kinema.count(decoded(), fps=RATE).count, 2)

    def test_order_says_which_colour_comes_first(self):
        blue_first = kinema.poses(iter(decoded("bgr24")), fps=RATE, order="BGR")
        numpy.testing.assert_array_equal(blue_first.keypoints, kinema.poses(decoded(), fps=RATE).keypoints)

    def test_times_may_be_uneven(self):
        times = numpy.cumsum([0, 0.1, 0.05, 0.2, 0.1])
        numpy.testing.assert_allclose(kinema.poses(decoded()[:5], times=times).times, times, atol=1e-4)

    def test_times_have_a_unit_and_increase(self):
        frames = decoded()[:5]
        with self.assertWarnsRegex(UserWarning, "read as milliseconds"):
            numpy.testing.assert_allclose(
                kinema.poses(frames, times=[0, 40, 80, 120, 160]).times, [0, 0.04, 0.08, 0.12, 0.16], atol=1e-4)
        dates = numpy.datetime64("2026-11-29T12:00") + numpy.arange(5) * numpy.timedelta64(40, "ms")
        numpy.testing.assert_allclose(kinema.poses(frames, times=dates).times, numpy.arange(5) * 0.04, atol=1e-4)
        for times, complaint in (([0, 0.2, 0.1, 0.3, 0.4], "frame 2 is at 0.1 s, which is not after 0.2 s"),
                                 ([0, 1e14, 2e14, 3e14, 4e14], "no unit makes")):
            with self.assertRaisesRegex(ValueError, complaint):
                kinema.poses(frames, times=times)

    def test_joints_are_counted_and_measured(self):
        poses = kinema.poses(squats(), raw=True, precision="f32")
        order = ["nose", "leftEye", "rightEye", "leftEar", "rightEar", "leftShoulder", "rightShoulder", "leftElbow",
                 "rightElbow", "leftWrist", "rightWrist", "leftHip", "rightHip", "leftKnee", "rightKnee", "leftAnkle",
                 "rightAnkle"]
        joints = poses.keypoints[:, 0, [poses.joint_names.index(name) for name in order]].astype(numpy.float32)
        joints[..., 1] = 1 - joints[..., 1]
        shape = f"{SIZE[0]}/{SIZE[1]}"
        self.assertEqual(kinema.count(joints, fps=RATE, aspect=shape).count, 2)
        self.assertEqual(kinema.count(joints, fps=RATE, aspect=shape, ignore_joints=["nose", "leftEye"]).count, 2)
        measured = kinema.measure(joints, fps=RATE, aspect=shape, height=1.75)
        self.assertTrue(measured.found and measured.rows and measured.rows[0]["unit"])

    def test_own_poses_are_analysed_as_they_are_and_as_arrays(self):
        """A result of `poses`, its arrays, and parts of them: y upwards, from the upper left, and in space."""
        poses = kinema.poses(squats())
        self.assertEqual(poses.joint_names, NAMES)
        both = numpy.concatenate([poses.keypoints, poses.keypoints + (0.05, 0, 0)], axis=1)
        for content, options in (
                (poses, {}), (poses.keypoints, {"fps": RATE}), (poses.keypoints[:, 0], {"times": poses.times}),
                (poses.keypoints[:, 0, :, :2], {"fps": RATE}), (poses.pixels[:, 0], {"times": list(poses.times)}),
                (poses.keypoints_3d[:, 0], {"fps": RATE}), (poses.keypoints_3d, {"fps": RATE}), (poses.to_dataframe(), {})):
            self.assertEqual(kinema.count(content, **options).count, 2)
        for content in (poses, poses.keypoints[:, 0], poses.pixels[:, 0]):
            options = {} if content is poses else {"fps": RATE, "aspect": "4/3"}
            self.assertEqual(kinema.coach(content, **options).exercise, "squat")
            self.assertTrue(kinema.measure(content, height=1.75, **options).quantities)
        self.assertEqual(len(kinema.count(both, fps=RATE, people="all").people), 2)
        # Frames without a person, and the numbers of those in them.
        late = copy.copy(poses)
        late.keypoints, late.ids = both.copy(), numpy.array([3, 8])
        late.keypoints[:20, 1] = (numpy.nan, numpy.nan, 0)
        self.assertEqual({one["id"] for one in kinema.count(late, people="all").people}, {3, 8})
        hips = [kinema.measure(content, height=1.75, **options).quantities["Left hip abduction"]["values"]
                for content, options in ((squats(), {}), (poses, {}), (poses.pixels[:, 0], {"times": poses.times}))]
        filmed, stored, pixels = (numpy.nanpercentile(numpy.array(one, float), [5, 95]) for one in hips)
        numpy.testing.assert_allclose(stored, filmed, atol=6)
        numpy.testing.assert_allclose(pixels, filmed, atol=6)
        self.assertAlmostEqual(kinema.count(poses, fps=2 * RATE).duration, kinema.count(poses).duration / 2, delta=0.1)

    def test_joints_are_numbers_of_any_kind_with_times(self):
        """COCO's joints of six squats in 12 s: what is counted depends on neither type nor container."""
        joints, count = coco(), 240
        times = numpy.arange(count) / 20
        whole = (joints * (1280, 720, 1)).astype(int)
        shape = {"aspect": "16/9"}
        given = [
            (joints, {"times": times}), (joints, {"times": list(times)}), (joints, {"times": 1000 * times}),
            (joints, {"times": [datetime.timedelta(seconds=float(time)) for time in times]}),
            (joints, {"times": numpy.datetime64("2026-11-29") + (1e6 * times).astype("timedelta64[us]")}),
            (joints.reshape(count, -1), {"times": times}), (joints[:, None], {"times": times}),
            (whole, {}), (whole.astype("u2"), {}), ((joints * 255).astype("u1"), {}), (joints.astype(object), {}),
            (joints.tolist(), {}), (list(joints), {}), (numpy.ma.masked_less(joints, -1), {}), (joints.reshape(count, -1), {}),
            (numpy.where(numpy.arange(17)[:, None] == 3, numpy.nan, joints), {"times": times})]
        for content, options in given:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = kinema.count(content, **shape, **(options or {"fps": 20}))
            self.assertEqual((found.count, round(found.duration)), (6, 12), (type(content), getattr(content, "dtype", ""), options.keys()))
        pair = kinema.count(numpy.stack([joints, joints + (0.3, 0, 0)], axis=1), fps=20, people="all", **shape)
        self.assertEqual([one["count"] for one in pair.people], [6, 6])
        names = ["nose", "leftEye"]
        for ignored in (set(names), numpy.array(names), (name for name in names)):
            self.assertEqual(kinema.count(joints, fps=20, ignore_joints=ignored, **shape).count, 6)

    def test_tables_of_pandas_are_joints(self):
        joints = coco()
        columns = {f"{name}_{axis}": joints[:, place, number] for place, name in enumerate(COCO)
                   for number, axis in enumerate(("x", "y", "score"))}
        seconds = numpy.arange(240) / 20
        plain = pandas.DataFrame(columns)
        dated = plain.set_index(pandas.Timestamp("2026-11-29") + pandas.to_timedelta(seconds, unit="s"))
        for table, options in ((plain.assign(time=seconds), {}), (plain, {"times": seconds}), (plain, {"fps": 20}), (dated, {}),
                               (plain.set_index(pandas.to_timedelta(seconds, unit="s")), {}), (plain.set_index(seconds), {})):
            found = kinema.count(table, aspect="16/9", **options)
            self.assertEqual((found.count, round(found.duration)), (6, 12), options.keys())
        with self.assertRaisesRegex(kinema.Error, "^has no columns of joints, but a, b$"):
            kinema.count(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}))

    def test_what_is_no_array_of_joints_is_said_without_a_file(self):
        joints = coco()
        for content, options, complaint in (
                (joints.astype(complex), {}, "^joints are numbers, .*these are complex128$"), (joints > 0, {}, "these are bool$"),
                ([joints[0], joints[1][:5]], {}, "^joints are numbers, as many in every frame"),
                (joints, {"times": numpy.arange(239)}, "^there are 240 frames of joints, but 239 times$"),
                (joints, {"times": numpy.arange(240)[::-1] / 20}, "^frame 1 is at .* not after"),
                (joints.transpose(2, 1, 0), {}, "^frame 0 is .*joints are .frames, joints, 2 to 5.$")):
            with self.assertRaisesRegex((ValueError, TypeError), complaint):
                kinema.count(content, **options)
        with self.assertRaisesRegex(kinema.Error, r"^joints: has the shape \[240, 19, 3\]"):
            kinema.count(numpy.concatenate([joints, joints[:, :2]], axis=1))

    def test_an_array_can_be_drawn_on_and_an_iterator_cannot(self):
        kept = kinema.count(decoded(), fps=RATE)
        self.assertTrue(kept.overlay(FOLDER / "kept.mp4").exists())
        self.assertTrue(kept.picture())
        spent = kinema.count(iter(decoded()), fps=RATE)
        with self.assertRaisesRegex(ValueError, "of an iterator can be used once; give an array or a list"):
            spent.overlay(FOLDER / "spent.mp4")
        self.assertFalse(spent.picture())

    def test_what_is_no_frame_is_an_error(self):
        good = numpy.zeros((8, 8, 3), numpy.uint8)
        for frames, complaint in (
                ([good.astype(float)], "frame 0 is float64"), ([good[..., 0]], "frame 0 is uint8 .8, 8."),
                ([good, good[:4]], "frame 1 is uint8 .4, 8, 3."), ([], "no frames"),
                ([good.tolist()], "frame 0 is int64"), (["a.mp4"], "frame 0 is <U5")):
            with self.assertRaisesRegex(ValueError, complaint):
                kinema.count(frames)


class Training(unittest.TestCase):
    """Trains on stored sequences, so that no model has to run."""

    def test_a_classifier_learns_and_recognises(self):
        upright = numpy.array([
            (0.5, 0.15), (0.52, 0.13), (0.48, 0.13), (0.54, 0.14), (0.46, 0.14), (0.58, 0.25), (0.42, 0.25), (0.6, 0.4),
            (0.4, 0.4), (0.6, 0.52), (0.4, 0.52), (0.55, 0.55), (0.45, 0.55), (0.55, 0.72), (0.45, 0.72), (0.55, 0.9),
            (0.45, 0.9)])
        for label, joints, rise in (("bend", slice(0, 13), 0.2), ("raise", slice(7, 11), -0.25)):
            (FOLDER / "classes" / label).mkdir(parents=True)
            for period in (30, 36):
                share = (1 - numpy.cos(2 * numpy.pi * numpy.arange(90) / period)) / 2
                poses = numpy.ones((90, 17, 3))
                poses[..., :2] = upright
                poses[:, joints, 1] += rise * share[:, None]
                numpy.save(FOLDER / "classes" / label / f"{period}.npy", poses)
        with self.assertLogs("kinema") as logged:
            kinema.command.log.warning("there may be none")
            model = kinema.train(FOLDER / "classes", FOLDER / "mine.model", validation="none", augment="none")
        self.assertTrue(logged.output)
        found = kinema.classify(FOLDER / "classes" / "raise" / "30.npy", model)
        self.assertEqual(found.rows[0]["label"], "raise")


if __name__ == "__main__":
    unittest.main()
