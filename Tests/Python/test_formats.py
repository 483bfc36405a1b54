"""Files of other programs, written by the libraries that those programs use."""
import json
import lzma
import pickle
import sys
import unittest
import warnings
from unittest import mock

import ezc3d
import h5py
import numpy
import pandas

from clips import FOLDER, RATE, squats

import kinema
from kinema import foreign

FIRST, SECOND = 0, 80  # Shifts to the right, in pixels.


def spaced(name):
    return "".join(f"_{one.lower()}" if one.isupper() else one for one in name)


class Source(unittest.TestCase):
    """The joints of a rendered clip of two squats, in pixels."""

    @classmethod
    def setUpClass(cls):
        cls.poses = kinema.poses(squats())
        cls.names = [spaced(name) for name in cls.poses.joint_names]
        cls.places = cls.poses.pixels[:, 0]
        cls.sure = cls.poses.keypoints[:, 0, :, 2]
        cls.wide = pandas.DataFrame({"time": cls.poses.times} | {
            f"{name}_{role}": value[:, place] for place, name in enumerate(cls.names)
            for role, value in (("x", cls.places[..., 0]), ("y", cls.places[..., 1]), ("visibility", cls.sure))})

    def deeplabcut(self, people=(), roles=("x", "y", "likelihood")):
        """A table as DeepLabCut makes it: pandas with three or four levels of names."""
        values = {}
        for person in people or [None]:
            shift = SECOND if person == "second" else FIRST
            for place, name in enumerate(self.names):
                found = self.places[:, place, 0] + shift, self.places[:, place, 1], self.sure[:, place]
                for role, value in zip(roles, found):
                    values[("DLC_resnet50",) + ((person,) if person else ()) + (name, role)] = value
        levels = ["scorer", *(["individuals"] if people else []), "bodyparts", "coords"]
        return pandas.DataFrame(values).rename_axis(columns=levels)

    def expect(self, path, people=1, **options):
        result = kinema.count(path, people="all", aspect="4/3", **options)
        self.assertEqual([person["count"] for person in result.people], [2] * people, path)
        return result


class Tables(Source):
    def test_deeplabcut_with_three_and_four_lines_of_names(self):
        for name, table, people in (("one", self.deeplabcut(), 1), ("two", self.deeplabcut(["first", "second"]), 2)):
            table.to_csv(FOLDER / f"{name}.csv")
            self.expect(FOLDER / f"{name}.csv", people, fps=RATE)
        labels = self.deeplabcut(roles=("x", "y"))
        labels.index = pandas.MultiIndex.from_tuples([("labeled-data", "clip", f"img{row:03}.png") for row in range(len(labels))])
        labels.to_csv(FOLDER / "CollectedData.csv")
        self.expect(FOLDER / "CollectedData.csv", fps=RATE)

    def test_json_of_pandas(self):
        for orient in ("records", "columns", "index", "split", "table"):
            path = FOLDER / f"{orient}.json"
            self.wide.to_json(path, orient=orient)
            self.expect(path)
            if orient == "records":
                continue  # Records leave out the index, which may hold the times.
            self.wide.set_index("time").to_json(path, orient=orient)
            self.assertAlmostEqual(self.expect(path).duration, self.poses.times[-1] + 1 / RATE, delta=0.02)
        self.wide.to_json(FOLDER / "rows.jsonl", orient="records", lines=True)
        self.expect(FOLDER / "rows.jsonl")
        self.deeplabcut().to_json(FOLDER / "levels.json")
        self.expect(FOLDER / "levels.json", fps=RATE)

    def test_packed_tables_and_other_encodings(self):
        for name in ("t.csv.xz", "t.csv.zip", "t.csv.gz"):
            self.wide.to_csv(FOLDER / name, index=False)
            self.expect(FOLDER / name)
        self.wide.to_csv(FOLDER / "utf16.csv", encoding="utf-16", index=False)
        self.expect(FOLDER / "utf16.csv")
        (FOLDER / "bomb.csv.xz").write_bytes(lzma.compress(b"nose_x,nose_y\n" + b"0" * (40 << 20)))
        with self.assertRaisesRegex(kinema.Error, "times its size"):
            kinema.count(FOLDER / "bomb.csv.xz")
        (FOLDER / "cut.csv.xz").write_bytes((FOLDER / "t.csv.xz").read_bytes()[:200] + bytes(4000))
        with self.assertRaisesRegex(kinema.Error, "damaged"):
            kinema.count(FOLDER / "cut.csv.xz")


class Libraries(Source):
    """Files that the module itself reads."""

    def test_hdf5_of_deeplabcut(self):
        for name, people in (("one", ()), ("two", ("first", "second"))):
            for form in ("table", "fixed"):
                path = FOLDER / f"{name}-{form}.h5"
                self.deeplabcut(people).to_hdf(path, key="df_with_missing", format=form, mode="w")
                self.expect(path, max(1, len(people)), fps=RATE)

    def test_hdf5_of_sleap(self):
        """The layouts of sleap-io 0.9.5: `save_analysis_h5`, also transposed as in Python, and `save_slp`."""
        tracks = numpy.stack([self.places + (shift, 0) for shift in (FIRST, SECOND)]).transpose(0, 3, 2, 1)
        scores = numpy.stack([self.sure] * 2).transpose(0, 2, 1)
        for turn in (lambda one: one, numpy.transpose):
            with h5py.File(FOLDER / "analysis.h5", "w") as file:
                file["tracks"], file["point_scores"] = turn(tracks), turn(scores)
                file["node_names"] = [name.encode() for name in self.names]
            self.expect(FOLDER / "analysis.h5", 2, fps=RATE)
        count, joints = self.places.shape[:2]
        with h5py.File(FOLDER / "project.slp", "w") as file:
            nodes = {"nodes": [{"name": name} for name in self.names], "skeletons": [{"nodes": [{"id": one} for one in range(joints)]}]}
            file.create_group("metadata").attrs["json"] = numpy.bytes_(json.dumps(nodes).encode())
            frame = [("frame_id", "u8"), ("video", "u4"), ("frame_idx", "u8"), ("instance_id_start", "u8"), ("instance_id_end", "u8")]
            file["frames"] = numpy.array([(row, 0, row, 2 * row, 2 * row + 2) for row in range(count)], frame)
            one = [("instance_id", "i8"), ("instance_type", "u1"), ("frame_id", "u8"), ("track", "i4"),
                   ("point_id_start", "u8"), ("point_id_end", "u8")]
            file["instances"] = numpy.array([(row, 1, row // 2, row % 2, row * joints, row * joints + joints)
                                             for row in range(2 * count)], one)
            point = [("x", "f8"), ("y", "f8"), ("visible", "?"), ("complete", "?")]
            file["points"] = numpy.zeros(0, point)
            places = tracks.transpose(3, 0, 2, 1).reshape(-1, 2)
            file["pred_points"] = numpy.array([(x, y, True, False, 0.9) for x, y in places], [*point, ("score", "f8")])
        self.expect(FOLDER / "project.slp", 2, fps=RATE)

    def test_hdf5_that_would_run_programs_or_holds_something_else(self):
        with h5py.File(FOLDER / "evil.h5", "w") as file:
            file.create_group("df")["table"] = numpy.zeros(3, [("index", "i8"), ("values_block_0", "f8", (3,))])
            file["df/table"].attrs["values_block_0_kind"] = numpy.void(pickle.dumps([print]))
        with h5py.File(FOLDER / "other.h5", "w") as file:
            file["weights"] = numpy.zeros(3)
        for name, words in (("evil", "may run programs"), ("other", "holds neither.*but weights; save it as .csv")):
            with self.assertRaisesRegex(kinema.Error, f"^/.*{name}.h5: .*{words}"):
                kinema.count(FOLDER / f"{name}.h5")

    def test_parquet(self):
        path = FOLDER / "t.parquet"
        long = self.poses.to_dataframe().rename(columns={"id": "person"})
        for table in (self.wide, self.wide.set_index("time"), long[["time", "person", "joint", "x", "y"]]):
            table.to_parquet(path)
            self.expect(path)
        self.deeplabcut().to_parquet(path)
        self.expect(path, fps=RATE)
        pandas.DataFrame({"frame": range(len(self.places)), "keypoints": [
            numpy.column_stack([place, sure])[self.order].tolist() for place, sure in zip(self.places, self.sure)]}).to_parquet(path)
        self.expect(path, fps=RATE)
        pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet(path)
        with self.assertRaisesRegex(kinema.Error, "t.parquet: has no columns of joints, but a, b$"):
            kinema.count(path)
        pandas.DataFrame({f"number {number}": [1, 2] for number in range(12)}).to_parquet(path)
        with self.assertRaisesRegex(kinema.Error, "t.parquet: ") as raised:  # Not the name of the file that is written.
            kinema.count(path)
        self.assertNotIn("kinema-module", str(raised.exception))

    @property
    def order(self):
        """COCO's joints among the clip's."""
        sides = [f"{side}_{part}" for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
                 for side in ("left", "right")]
        return [self.names.index(name) for name in ("nose", *sides)]

    def test_results_are_written_as_parquet_and_c3d(self):
        table = pandas.read_parquet(kinema.count(squats()).to_parquet(FOLDER / "count.parquet"))
        self.assertEqual(list(table.columns[:4]), ["id", "number", "start", "end"])
        file = ezc3d.c3d(str(self.poses.to_c3d(FOLDER / "squats.c3d")))
        point = file["parameters"]["POINT"]
        self.assertEqual((point["RATE"]["value"][0], point["UNITS"]["value"]), (RATE, ["mm"]))
        place, joint = (names.index("leftKnee") for names in (point["LABELS"]["value"], self.poses.joint_names))
        numpy.testing.assert_allclose(file["data"]["points"][:3, place].T, self.poses.keypoints_3d[:, 0, joint, :3] * 1000, atol=0.01)
        for call in (lambda: kinema.count(squats()).to_c3d("no.c3d"), lambda: self.poses.to_c3d("no.c3d", person=7)):
            with self.assertRaisesRegex(kinema.Error, "joints in space"):
                call()

    def test_c3d(self):
        """Markers with a subject's name, in millimetres; a missing marker lies at 0, 0, 0."""
        names = [name for name in self.poses.joint_names if self.poses.keypoints_3d[:, 0, self.poses.joint_names.index(name), 3].any()]
        places = self.poses.keypoints_3d[:, 0, [self.poses.joint_names.index(name) for name in names], :3]
        # On the floor, where the ankles rest, as with real markers.
        ankles = places[:, [names.index("leftAnkle"), names.index("rightAnkle")]].mean(axis=1, keepdims=True)
        points = numpy.ones((4, len(names), len(places)))
        points[:3] = (places - ankles).transpose(2, 1, 0) * 1000
        points[:3, 0, 3:5] = 0
        file = ezc3d.c3d()
        for name, value in {"RATE": [float(RATE)], "LABELS": [f"Anna:{name}" for name in names], "UNITS": ["mm"]}.items():
            file.add_parameter("POINT", name, value)
        file["data"]["points"] = points
        file.write(str(FOLDER / "anna.c3d"))
        self.assertEqual(kinema.count(FOLDER / "anna.c3d").count, 2)
        rows = [line.split("\t") for line in foreign.c3d(str(FOLDER / "anna.c3d"), ezc3d).splitlines()]
        self.assertEqual([row[2] == "" for row in rows[5:12]], [False] * 3 + [True] * 2 + [False] * 2)
        whole = (FOLDER / "anna.c3d").read_bytes()
        (FOLDER / "cut.c3d").write_bytes(whole[:len(whole) * 3 // 4])
        with self.assertWarnsRegex(UserWarning, rf"cut.c3d ends early: \d\d of {len(places)} frames were read"):
            self.assertLess(kinema.count(FOLDER / "cut.c3d").duration, self.poses.times[-1])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kinema.count(FOLDER / "anna.c3d")

    def test_bvh(self):
        """A leg of 84 cm whose knee bends by 90 degrees; the rotations of six joints agree with bvhio 1.5 within 5 micrometres."""
        bone = " {0}JOINT Left{1}\n {{\n OFFSET {2}\n CHANNELS 3 Zrotation Xrotation Yrotation\n"
        text = ("HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                + bone.format("", "UpLeg", "9 0 0") + bone.format("", "Leg", "0 -42 0") + bone.format("", "Foot", "0 -42 0")
                + " End Site\n {\n OFFSET 0 -5 0\n }\n }\n }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n")
        still = [0.0] * 15
        bent = still[:9] + [0, 90, 0] + still[:3]
        (FOLDER / "leg.bvh").write_text(text + "\n".join(" ".join(map(str, [5, 90, 0, *row[3:]])) for row in (still, bent)) + "\n")
        rows = [line.split("\t") for line in foreign.bvh(str(FOLDER / "leg.bvh"), None).splitlines()]
        self.assertEqual([name for name in rows[3][2:] if name], ["CHip", "LHip", "LKnee", "LAnkle"])
        places = numpy.array([row[2:] for row in rows[5:]], float).reshape(2, 4, 3)
        numpy.testing.assert_allclose(places[0, 1:], [[0.14, 0.9, 0], [0.14, 0.48, 0], [0.14, 0.06, 0]], atol=1e-6)
        numpy.testing.assert_allclose(places[1, 3], [0.14, 0.48, -0.42], atol=1e-6)
        (FOLDER / "leg.bvh").write_text((FOLDER / "leg.bvh").read_text().replace("-42", "-4200"))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            foreign.bvh(str(FOLDER / "leg.bvh"), None)
        self.assertIn("no unit that fits a body", str(said[0].message))

    def test_a_missing_library_is_named_and_damage_is_one_line(self):
        for start, library in ((b"\x89HDF\r\n", "h5py"), (b"PAR1", "pyarrow"), (b"\x02\x50", "ezc3d")):
            (FOLDER / "broken.bin").write_bytes(start + b"x" * 600)
            with self.assertRaises(kinema.Error) as raised:
                kinema.count(FOLDER / "broken.bin")
            self.assertRegex(str(raised.exception), f"^{FOLDER}/broken.bin: is damaged, or not as {library}")
            self.assertEqual((raised.exception.code, str(raised.exception).count("\n")), (65, 0))
            with mock.patch.dict(sys.modules, {library: None, f"{library}.parquet": None}):
                with self.assertRaisesRegex(kinema.Error, f"needs {library}, which is not installed: pip install {library}"):
                    kinema.count(FOLDER / "broken.bin")
