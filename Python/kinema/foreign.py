"""Files that other libraries read, rewritten as tables or markers that the command reads: HDF5, Parquet, C3D and BVH; and
results written as Parquet and C3D."""
from __future__ import annotations

import ast
import importlib
import io
import json
import math
import os
import pickle
import re
import warnings
from pathlib import Path
from typing import Any, Iterable, Sequence

import numpy

from .command import Error, kept
from .joints import refuse

#: Metres of a unit of length. The last is that of CMU's recordings, whose unit is 1/0.45 inch.
UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "cmu": 0.0254 / 0.45}
#: Names of the joints where bones begin, in rigs whose bones are named after what follows: Mixamo, Rokoko, CMU; DAZ.
BONES = {"arm": "Shoulder", "forearm": "Elbow", "hand": "Wrist", "upleg": "Hip", "leg": "Knee", "foot": "Ankle",
         "toebase": "BigToe", "toe": "BigToe", "shldr": "Shoulder", "thigh": "Hip", "shin": "Knee"}


def stored(path: str, owner: object) -> str:
    """The path of a file that the command reads: the same, or one that lasts as long as its owner."""
    try:
        with open(path, "rb") as file:
            head = file.read(9)
    except OSError:
        return path  # The command says why.
    kind = next((kind for start, kind in READERS.items() if head.startswith(start)), None)
    # C3D begins with the block of its parameters, then a fixed byte.
    if kind is None and (len(head) < 2 or not 2 <= head[0] <= 10 or head[1] != 0x50):
        return path
    ending, module, read = kind or (".trc", "ezc3d", c3d)
    library = module.split(".")[0]
    try:
        text = read(path, importlib.import_module(module))
    except ImportError:
        raise Error(f"{path}: reading it needs {library}, which is not installed: pip install {library}") from None
    except Error as error:
        raise Error(f"{path}: {error}", 65) from None
    except Exception as error:
        raise Error(f"{path}: is damaged, or not as {library} reads it ({' '.join(str(error).split())[:200]})", 65) from error
    made = kept(os.path.basename(path) + ending, owner)
    made.write_text(text, encoding="utf-8")
    return str(made)


def table(names: Sequence[str], joints: numpy.ndarray, frames: Iterable[int] | None = None) -> str:
    """A table with a row per frame and person of joints (frames, people, joints, 3), NaN where there is none."""
    words = [re.sub(r"[^\w]+", "_", name) for name in names]
    lines = ["frame,id," + ",".join(f"{name}_{role}" for name in words for role in ("x", "y", "score"))]
    for frame, everyone in zip(range(len(joints)) if frames is None else frames, joints):
        for number, person in enumerate(everyone, 1):
            cells = ("" if math.isnan(value) else f"{value:.7g}" for value in person.ravel())
            lines.append(f"{frame},{number},{','.join(cells)}")
    return "\n".join(lines) + "\n"


def markers(names: Sequence[str], places: numpy.ndarray, rate: float) -> str:
    """Markers (frames, names, 3) in metres as TRC, NaN where there is none."""
    head = [["PathFileType", "4", "(X/Y/Z)", "markers.trc"],
            "DataRate CameraRate NumFrames NumMarkers Units OrigDataRate OrigDataStartFrame OrigNumFrames".split(),
            [f"{rate:g}", f"{rate:g}", str(len(places)), str(len(names)), "m", f"{rate:g}", "1", str(len(places))],
            ["Frame#", "Time", *(cell for name in names for cell in (re.sub(r"\s+", "_", name), "", ""))],
            ["", "", *(f"{axis}{number}" for number in range(1, len(names) + 1) for axis in "XYZ")]]
    rows = ([str(frame + 1), f"{frame / rate:.6f}", *("" if math.isnan(one) else f"{one:.5f}" for one in place.ravel())]
            for frame, place in enumerate(places))
    return "\n".join(map("\t".join, [*head, *rows])) + "\n"


def named(columns: Sequence[Sequence[str]], values: numpy.ndarray, frames: Iterable[int] | None = None) -> str:
    """A table of columns with several levels (scorer, perhaps individual, body part, coordinate), as DeepLabCut's."""
    keys = [(column[-3] if len(column) > 3 else "", column[-2], column[-1]) for column in columns]
    people, parts = ([*dict.fromkeys(key[level] for key in keys)] for level in (0, 1))
    joints = numpy.full((len(values), len(people), len(parts), 3), numpy.nan)
    joints[..., 2] = 1
    for key, value in zip(keys, values.T):
        if key[2] in ("x", "y", "likelihood"):
            joints[:, people.index(key[0]), parts.index(key[1]), ("x", "y", "likelihood").index(key[2])] = value
    joints[numpy.isnan(joints[..., 0])] = numpy.nan
    return table(parts, joints, frames)


class Plain(pickle.Unpickler):
    """Unpickles lists, tuples, texts and numbers: what names anything else may run what it likes."""

    def find_class(self, module: str, name: str) -> Any:
        raise Error("names its columns by objects, which may run programs; save it as .csv")


def hdf5(path: str, h5py: Any) -> str:
    with h5py.File(path, "r") as file:
        if "tracks" in file and "node_names" in file:
            return analysis(file)
        if "pred_points" in file and "metadata" in file:
            return sleap(file)
        for group in filter(lambda one: hasattr(one, "keys"), file.values()):
            columns: list[Any] = []
            values: list[numpy.ndarray] = []
            if "table" in group:  # The format "table" of pandas, whose blocks have a type each.
                rows = group["table"][()]
                for name in filter(lambda one: one.startswith("values_block"), rows.dtype.names or ()):
                    columns += Plain(io.BytesIO(bytes(group["table"].attrs[f"{name}_kind"]))).load()
                    values.append(rows[name].reshape(len(rows), -1))
            for block in range(int(group.attrs.get("nblocks", 0))):  # The format "fixed".
                item = f"block{block}_items_"
                levels = [[name.decode() for name in group[f"{item}level{level}"]]
                          for level in range(int(group.attrs[f"{item}nlevels"]))]
                labels = [group[f"{item}label{level}"][()] for level in range(len(levels))]
                columns += [[names[label[place]] for names, label in zip(levels, labels)] for place in range(len(labels[0]))]
                values.append(group[f"block{block}_values"][()])
            if columns:
                return named(columns, numpy.concatenate(values, axis=1))
        found = ", ".join([*file][:8])
        raise Error(f"holds neither a table of DeepLabCut nor tracks of SLEAP, but {found}; save it as .csv")


def analysis(file: Any) -> str:
    """SLEAP's analysis file: tracks x (x, y) x nodes x frames, or the reverse."""
    names = [name.decode() for name in file["node_names"]]
    places, scores = file["tracks"][()], file["point_scores"][()] if "point_scores" in file else None
    if places.shape[1] != 2 or places.shape[2] != len(names):
        places, scores = places.T, None if scores is None else scores.T
    if places.ndim != 4 or places.shape[1:3] != (2, len(names)):
        raise Error(f"has tracks of the shape {places.shape}, not tracks x 2 x {len(names)} nodes x frames")
    joints = numpy.ones((places.shape[3], places.shape[0], len(names), 3))
    joints[..., :2] = places.transpose(3, 0, 2, 1)
    if scores is not None:
        joints[..., 2] = scores.transpose(2, 0, 1)
    joints[numpy.isnan(joints[..., 0])] = numpy.nan
    return table(names, joints)


def sleap(file: Any) -> str:
    """SLEAP's project (.slp) with the instances of one video."""
    data = json.loads(file["metadata"].attrs["json"])
    order = [node["id"] if isinstance(node, dict) else node for node in data["skeletons"][0]["nodes"]]
    names = [data["nodes"][place]["name"] for place in order]
    frames, instances = file["frames"][()], file["instances"][()]
    if len(set(frames["video"])) > 1:
        raise Error("has several videos; export the one to read")
    points = {0: file["points"][()], 1: file["pred_points"][()]}
    most = max((int(one["instance_id_end"] - one["instance_id_start"]) for one in frames), default=1)
    tracks = [*dict.fromkeys(int(one) for one in instances["track"] if one >= 0)]
    people = max(1, len(tracks) or most)
    joints = numpy.full((len(frames), people, len(names), 3), numpy.nan)
    for row, frame in enumerate(frames):
        for place, one in enumerate(instances[frame["instance_id_start"]:frame["instance_id_end"]]):
            person = tracks.index(one["track"]) if one["track"] >= 0 else place
            found = points[int(one["instance_type"])][one["point_id_start"]:one["point_id_end"]]
            if person >= people or not numpy.isnan(joints[row, person]).all() and not one["instance_type"] == 0:
                continue  # What was corrected by hand takes the place of what was predicted.
            seen = found["visible"] & ~numpy.isnan(found["x"])
            sure = found["score"] if "score" in found.dtype.names else numpy.ones(len(found))
            joints[row, person, seen] = numpy.stack([found["x"], found["y"], sure], 1)[seen]
    order = numpy.argsort(frames["frame_idx"])
    return table(names, joints[order], frames["frame_idx"][order])


def parquet(path: str, library: Any) -> str:
    rows = library.read_table(path)
    names = rows.column_names
    if all(name.startswith("(") for name in names if not name.startswith("__index")):
        kept = [name for name in names if name.startswith("(")]
        values = numpy.stack([rows[name].to_numpy() for name in kept], 1)
        return named([ast.literal_eval(name) for name in kept], values)
    refuse(names)
    # pandas' index; lists and dates as JSON has them.
    rows = rows.rename_columns(["time" if name.startswith("__index") else name for name in names])
    return "".join(json.dumps(row, default=str) + "\n" for row in rows.to_pylist())


def c3d(path: str, ezc3d: Any) -> str:
    file = ezc3d.c3d(path)
    point = file["parameters"]["POINT"]
    names = [name for key in sorted(point) if re.fullmatch(r"LABELS\d*", key) for name in point[key]["value"]]
    unit = (point["UNITS"]["value"] or ["mm"])[0].strip() if "UNITS" in point else "mm"
    if unit not in UNITS:
        raise Error(f"has markers in {unit}; m, cm, mm and in can be read")
    places = file["data"]["points"][:3].transpose(2, 1, 0) * UNITS[unit]
    places = places[:, :len(names)]
    places[(places == 0).all(axis=2)] = numpy.nan  # A marker that was not seen lies at 0, 0, 0.
    # By the header of little-endian files; what ezc3d gives has the length of what it could read.
    count, _, first, last = map(int, numpy.fromfile(path, "<u2", 5)[1:])
    if count == file["header"]["points"]["size"] and len(places) < last - first + 1 < 65_535:
        warnings.warn(f"{path} ends early: {len(places)} of {last - first + 1} frames were read", stacklevel=2)
    return markers(names[:places.shape[1]], places, float(point["RATE"]["value"][0]))


def bvh(path: str, _: Any) -> str:
    """The joints of a skeleton's motion, by its offsets and rotations from the root on."""
    with open(path, encoding="utf-8", errors="replace") as file:
        words = iter(file.read().split())
    names, offsets, parents, channels, open_joints = [], [], [], [], []  # type: Any
    for word in words:
        if word in ("ROOT", "JOINT", "End"):
            names.append("" if word == "End" and next(words) else next(words))
            parents.append(open_joints[-1] if open_joints else -1)
            channels.append([])
        elif word == "{":
            open_joints.append(len(names) - 1)
        elif word == "}":
            open_joints.pop()
        elif word == "OFFSET":
            offsets.append([float(next(words)) for _ in range(3)])
        elif word == "CHANNELS":
            channels[-1] = [next(words) for _ in range(int(next(words)))]
        elif word == "MOTION":
            break
    next(words)  # Frames:
    count, step = int(next(words)), float([next(words) for _ in range(3)][2])
    values = numpy.array([*words], float).reshape(count, sum(map(len, channels)))
    places, turns, column = [], [], 0  # type: Any
    for parent, offset, own in zip(parents, offsets, channels):
        place, turn = numpy.tile(offset, (count, 1)).astype(float), numpy.tile(numpy.eye(3), (count, 1, 1))
        if any(name.endswith("position") for name in own):
            place[:] = 0 if parent < 0 else place
        for name in own:
            axis = "XYZ".index(name[0])
            if name.endswith("position"):
                place[:, axis] += values[:, column]
            else:
                turn = turn @ about(axis, numpy.radians(values[:, column]))
            column += 1
        if parent >= 0:
            place = places[parent] + (turns[parent] @ place[..., None])[..., 0]
            turn = turns[parent] @ turn
        places.append(place)
        turns.append(turn)
    kept = [place for place, name in enumerate(names) if name]
    joints = [joint(names[place]) for place in kept]
    found = numpy.stack([places[place] for place in kept], 1)
    return markers(joints, found * length(joints, found), 1 / step)


def about(axis: int, angle: numpy.ndarray) -> numpy.ndarray:
    """Rotations about an axis (frames, 3, 3)."""
    turn = numpy.tile(numpy.eye(3), (len(angle), 1, 1))
    one, other = (axis + 1) % 3, (axis + 2) % 3
    turn[:, one, one] = turn[:, other, other] = numpy.cos(angle)
    turn[:, other, one] = numpy.sin(angle)
    turn[:, one, other] = -turn[:, other, one]
    return turn


def joint(bone: str) -> str:
    """The joint where a bone begins, as RKnee: of `mixamorig:RightLeg`, `rShin` and `RightKnee` the same."""
    name = bone.split(":")[-1]
    found = re.fullmatch(r"(?i)(left|right|l|r)_?([a-z]+?)\d*|([a-z]+?)_?(left|right|l|r)", name)
    if not found:
        return {"hips": "CHip", "head": "Nose"}.get(name.lower(), name)
    side, part = (found[1] or found[4])[0].upper(), (found[2] or found[3])
    return side + BONES.get(part.lower(), part)


def length(names: Sequence[str], places: numpy.ndarray) -> float:
    """Metres of a skeleton's unit, which its file does not state: the one in which a leg has a leg's length."""
    def distance(one: str, other: str) -> float:
        if one not in names or other not in names:
            return math.nan
        return float(numpy.median(numpy.linalg.norm(places[:, names.index(one)] - places[:, names.index(other)], axis=1)))

    leg = distance("LHip", "LKnee") + distance("LKnee", "LAnkle")
    # From hip to ankle, 5-year-olds to giants (Winter 2009: 0.49 of the height).
    for metres in UNITS.values():
        if 0.45 <= leg * metres <= 1.15:
            return metres
    if not leg > 0:
        raise Error(f"has no legs with known names (LeftUpLeg, LeftLeg, LeftFoot), but {', '.join(names[:8])}")
    warnings.warn("lengths have no unit that fits a body; the legs are taken to be 0.85 m long", stacklevel=2)
    return 0.85 / leg


def write_parquet(result: Any, path: Any) -> Path:
    try:
        result.to_dataframe().to_parquet(path)
    except ImportError:
        raise Error("writing Parquet needs pandas and pyarrow: pip install pandas pyarrow") from None
    return Path(path)


def write_c3d(poses: Any, path: Any, person: int | None = None) -> Path:
    """Millimetres from the middle of the hips, x to the right and y up, at an even rate."""
    try:
        import ezc3d
    except ImportError:
        raise Error("writing C3D needs ezc3d, which is not installed: pip install ezc3d") from None
    if poses.task != "pose":
        raise Error(f"{poses.task} has no joints in space; use kinema.poses(...).to_c3d")
    place = 0 if person is None else next(iter(numpy.flatnonzero(poses.ids == person)), -1)
    if not 0 <= place < len(poses.ids) or len(poses.times) < 2 or not poses.keypoints_3d[:, place, :, 3].any():
        raise Error(f"there are no joints in space of person {person or 1}; the people are {poses.ids.tolist()}")
    step = float(numpy.median(numpy.diff(poses.times)))
    times = numpy.arange(poses.times[0], poses.times[-1] + step / 2, step)
    seen = numpy.flatnonzero(poses.keypoints_3d[:, place, :, 3].any(axis=0))
    points = numpy.ones((4, len(seen), len(times)))
    for number, joint in enumerate(seen):
        for axis in range(3):
            points[axis, number] = numpy.interp(times, poses.times, poses.keypoints_3d[:, place, joint, axis]) * 1000
    file = ezc3d.c3d()
    for name, value in {"RATE": [1 / step], "LABELS": [poses.joint_names[joint] for joint in seen], "UNITS": ["mm"],
                        "X_SCREEN": ["+X"], "Y_SCREEN": ["+Y"]}.items():
        file.add_parameter("POINT", name, value)
    file["data"]["points"] = points
    file.write(str(path))
    return Path(path)


READERS = {b"\x89HDF": (".csv", "h5py", hdf5), b"PAR1": (".jsonl", "pyarrow.parquet", parquet),
           b"HIERARCHY": (".trc", "numpy", bvh)}
