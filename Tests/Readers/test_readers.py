"""Reads Kinema's exports with the programs they are made for: `script/readers --test`.

Each test is one row of the table in Documentation/exports.md."""
import contextlib
import csv
import importlib.util
import io
import json
import logging
import os
import subprocess
import sys
import unittest
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "Python"), str(ROOT / "script" / "measure")]

import numpy

from clips import FOLDER, RATE, SIZE, squats, truth
from kinema_command import COCO as JOINTS

import kinema

logging.disable(logging.WARNING)


def export(form, name, video=None):
    """Exports the clip, or another video, and returns the path."""
    path = FOLDER / name
    if not path.exists():
        command = [os.environ["KINEMA_COMMAND"], "pose", video or squats(), "--export", form, "--output", path]
        subprocess.run(command, check=True, capture_output=True)
    return path


def quiet():
    return contextlib.redirect_stdout(io.StringIO())


class OpenSim(unittest.TestCase):
    """OpenSim's own readers of TRC and MOT."""

    def test_opensim_reads_markers(self):
        import opensim

        table = opensim.TimeSeriesTableVec3(str(export("trc", "squats.trc")))
        self.assertEqual((table.getNumRows(), table.getNumColumns()), (truth()["frameCount"], 19))
        self.assertEqual(table.getTableMetaDataAsString("Units"), "m")
        self.assertEqual(float(table.getTableMetaDataAsString("DataRate")), RATE)
        self.assertIn("RKnee", table.getColumnLabels())
        numpy.testing.assert_allclose(table.getIndependentColumn(), numpy.arange(table.getNumRows()) / RATE, atol=1e-4)

    def test_opensim_reads_angles(self):
        import opensim

        table = opensim.TimeSeriesTable(str(export("mot", "squats.mot")))
        self.assertEqual(table.getTableMetaDataAsString("inDegrees"), "yes")
        self.assertIn("Right knee", table.getColumnLabels())
        knee = table.getDependentColumn("Right knee").to_numpy()
        self.assertEqual(len(knee), truth()["frameCount"])
        # The squat bends the knees by more than 60 degrees, and straightens them.
        self.assertGreater(knee.max(), 60)
        self.assertLess(knee.min(), 30)


class Pose2Sim(unittest.TestCase):
    """Pose2Sim's own demo, four cameras around a walking person, from our poses to its markers."""

    def test_pose2sim_triangulates_four_cameras(self):
        import exports
        import opensim
        import rtoml
        from Pose2Sim import Pose2Sim as pose2sim

        demo = Path(find_spec("Pose2Sim").submodule_search_locations[0]) / "Demo_SinglePerson"
        project = FOLDER / "walk"
        (project / "calibration").mkdir(parents=True)
        (project / "calibration" / "Calib.qca.txt").write_bytes((demo / "calibration" / "Calib.qca.txt").read_bytes())
        (project / "pose").mkdir()
        for camera in ("cam01", "cam02", "cam03", "cam04"):
            export("openpose", f"walk/pose/{camera}_json", demo / "videos" / f"{camera}.mp4")
        config = rtoml.loads((demo / "Config.toml").read_text())
        config["project"].update(project_dir=str(project), frame_rate=60)
        config["pose"]["pose_model"] = "BODY_25"
        with contextlib.chdir(project), quiet(), contextlib.redirect_stderr(io.StringIO()):
            for step in (pose2sim.calibration, pose2sim.personAssociation, pose2sim.triangulation):
                step(config)
        (path,) = (project / "pose-3d").glob("*.trc")
        table = opensim.TimeSeriesTableVec3(str(path))
        self.assertEqual(table.getNumRows(), 100)
        points = {name: numpy.array(place) for name, place in exports.read_trc(str(path))["points"].items()}
        thigh = numpy.linalg.norm(points["RHip"] - points["RKnee"], axis=1)
        shank = numpy.linalg.norm(points["RKnee"] - points["RAnkle"], axis=1)
        # Lengths of an adult in metres, unfiltered. Their standard deviation is 0.03 and 0.04 while the person walks, and
        # 0.10 and 0.13 with two cameras exchanged.
        for length in (thigh, shank):
            self.assertTrue(0.3 < numpy.median(length) < 0.5, numpy.median(length))
            self.assertLess(numpy.std(length), 0.07)
        # The person walks through the room, upright (y is up).
        self.assertGreater(numpy.linalg.norm(numpy.ptp(points["RHip"][:, [0, 2]], axis=0)), 0.5)
        self.assertGreater(numpy.median(points["Nose"][:, 1] - points["RAnkle"][:, 1]), 1)


class Pictures(unittest.TestCase):
    """COCO, boxes and tracks."""

    def coco_truth(self):
        """The clip's true joints in COCO's layout."""
        people = []
        for number, frame in enumerate(truth()["people"][0]["frames"]):
            joints = numpy.array([frame["keypoints"][name] for name in JOINTS])
            joints[:, :2] = (joints[:, :2] * (1, -1) + (0, 1)) * SIZE
            (left, top), (width, height) = joints[:, :2].min(0), numpy.ptp(joints[:, :2], axis=0)
            people.append({"id": number + 1, "image_id": number, "category_id": 1, "iscrowd": 0, "num_keypoints": 17,
                           "keypoints": joints.ravel().tolist(), "area": width * height * 0.53,
                           "bbox": [left, top, width, height]})
        images = [{"id": number, "width": SIZE[0], "height": SIZE[1]} for number in range(len(people))]
        path = FOLDER / "truth-coco.json"
        path.write_text(json.dumps({
            "images": images, "annotations": people, "categories": [{"id": 1, "name": "person"}]}))
        return path

    def test_pycocotools_scores_poses(self):
        import exports

        score = exports.score_coco(str(export("coco", "squats.coco.json")), str(self.coco_truth()))
        self.assertEqual(score["images"], truth()["frameCount"])
        self.assertGreater(score["precision"], 0.8)

    def test_supervision_draws_poses(self):
        import supervision

        poses = kinema.poses(squats())
        points = supervision.KeyPoints(poses.pixels[20].astype("f4"), keypoint_confidence=poses.keypoints[20, ..., 2])
        self.assertEqual(points.xy.shape, (1, len(poses.joint_names), 2))
        blank = numpy.zeros((*SIZE[::-1], 3), numpy.uint8)
        drawn = supervision.VertexAnnotator(radius=3).annotate(blank.copy(), points)
        self.assertGreater(numpy.count_nonzero(drawn), 500)
        # Its box surrounds the rendered person.
        (left, top, right, bottom), = points.as_detections().xyxy
        true = numpy.array([frame["keypoints"]["nose"] for frame in truth()["people"][0]["frames"]])[20]
        self.assertTrue(left < true[0] * SIZE[0] < right and abs(top - (1 - true[1]) * SIZE[1]) < 20)

    def test_cvat_takes_poses_for_correction_and_gives_them_back(self):
        from datumaro.components.dataset import Dataset

        folder = FOLDER / "cvat"
        (folder / "annotations").mkdir(parents=True)
        (folder / "images").mkdir()
        name = "person_keypoints_default.json"
        (folder / "annotations" / name).write_bytes(export("coco", "squats.coco.json").read_bytes())
        poses = Dataset.import_from(str(folder), "coco_person_keypoints")
        frames = {f"frame_{number:06}" for number in range(truth()["frameCount"])}
        self.assertEqual({item.id for item in poses}, frames)
        people = [one for item in poses for one in item.annotations if one.type.name == "points"]
        self.assertEqual({len(person.points) for person in people}, {2 * 17})
        poses.export(str(FOLDER / "corrected"), "coco_person_keypoints")
        # The corrected file is counted like the video.
        counted = kinema.count(FOLDER / "corrected" / "annotations" / name, fps=RATE)
        self.assertEqual(counted.count, 2)

    def test_trackeval_scores_tracks(self):
        import crowds

        clip, found = FOLDER / "pair.mp4", FOLDER / "tracks"
        command = [os.environ["KINEMA_COMMAND"], "synth", "--scene", "crowd", "--people", "2", "--seed", "3"]
        subprocess.run([*command, "-o", clip], check=True, capture_output=True)
        real = json.loads(clip.with_suffix(".json").read_text())
        lines = subprocess.run([os.environ["KINEMA_COMMAND"], "pose", clip, "--format", "jsonl"], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        frames = [json.loads(line)["people"] for line in lines]
        self.assertGreater(crowds.by_key_points(real, frames)["HOTA"], 0.6)
        found.mkdir()
        crowds.write_challenge(real, frames, str(found), "pair")
        self.assertGreater(crowds.by_boxes(str(found))["IDF1"], 0.6)


class LabelStudio(unittest.TestCase):
    """Counts corrected in Label Studio; its own package checks them against the labelling interface."""

    @classmethod
    def setUpClass(cls):
        place = ROOT / "Examples" / "LabelStudio" / "label_studio.py"
        spec = importlib.util.spec_from_file_location("label_studio", place)
        cls.example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.example)

    def test_label_studio_takes_counts_and_gives_labels_back(self):
        from label_studio_sdk.label_interface import LabelInterface

        interface = LabelInterface(self.example.CONFIG.format(rate=RATE))
        interface.validate()
        task = self.example.task("squats.mp4", kinema.count(squats()), RATE)
        self.assertTrue(interface.validate_task({"data": task["data"]}))
        (prediction,) = task["predictions"]
        self.assertEqual(interface.validate_prediction(prediction, return_errors=True), [])
        for region, real in zip(prediction["result"], truth()["people"][0]["repetitions"]):
            (span,) = region["value"]["ranges"]
            self.assertAlmostEqual((span["start"] - 1) / RATE, real["start"], delta=0.5)
        # A region of another kind is rejected, so this check can fail.
        broken = {"result": [{**prediction["result"][0], "value": {"start": 1, "labels": ["repetition"]}}]}
        self.assertTrue(interface.validate_prediction(broken, return_errors=True))
        # The correction removes the second repetition.
        corrected = [{**task, "annotations": [{"result": prediction["result"][:1]}]}, {**task, "annotations": []}]
        self.assertTrue(interface.validate_annotation(corrected[0]["annotations"][0]))
        table = FOLDER / "labels.csv"
        with open(table, "w", newline="") as file:
            csv.writer(file).writerows([("file", "reps"), *self.example.labels(corrected)])
        self.assertEqual(table.read_text().split(), ["file,reps", "squats.mp4,1"])
        run = subprocess.run([os.environ["KINEMA_COMMAND"], "evaluate", "count", table], capture_output=True, text=True)
        # The command counts two; the label now says one.
        self.assertRegex(run.stdout, r"squats.mp4 +1 +2 ", run.stderr)


if __name__ == "__main__":
    unittest.main()
