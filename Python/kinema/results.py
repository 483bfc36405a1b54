"""What was detected in a video: attributes, tables, charts."""
from __future__ import annotations

import base64
import contextlib
import html
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy

from . import foreign
from .command import Error, run
from .video import Place, Video

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Row = dict[str, Any]
#: What a task's table has a row for, where it is not what the task is named after.
ROWS = {"count": "repetitions", "coach": "repetitions", "gesture": "pinches", "toss": "throws", "classify": "segments",
        "pose": "people"}


class Result:
    """What a command detected in a video; `found` is False when no person, or nothing relevant, was detected.

    Every key of the command's JSON is an attribute: `count`, `people`, `duration` and so on; `data` is all of it.
    Times are seconds from the first frame; coordinates are 0 to 1, with the origin at the lower left."""

    def __init__(self, task: str, video: Video, data: Row, found: bool) -> None:
        self.task, self.video, self.data, self.found = task, video, data, found

    def __getattr__(self, name: str) -> Any:
        if name in (data := self.__dict__.get("data", {})):  # A copy that is still being made has no data yet.
            return data[name]
        raise AttributeError(f"this result has no {name}; it has {', '.join(data)}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.data]

    def __repr__(self) -> str:
        return f"<kinema {self.summary}>"

    @property
    def summary(self) -> str:
        """The task, the video, and how much was found in it."""
        return f"{self.task} of {self.video.name}, {ROWS.get(self.task, self.task)}: {len(self.rows)}"

    @property
    def rows(self) -> list[Row]:
        """A dictionary per repetition, pinch, flight, throw or segment, of everyone, in time order."""
        name = ROWS.get(self.task, self.task)
        if self.task == "measure":
            return [{"time": time, "quantity": name, "value": value, "unit": one["unit"], "confidence": sure}
                    for name, one in self.data["quantities"].items()
                    for time, value, sure in zip(self.data["times"], one["values"], one["confidence"])
                    if value is not None]
        found = self.data.get(name) or [row for person in self.data.get("people", ()) for row in person.get(name, ())]
        return sorted(map(flat, found), key=lambda row: row.get("start") or row.get("time") or 0)

    def to_dataframe(self) -> DataFrame:
        """`rows` as a table of pandas."""
        import pandas
        return pandas.DataFrame(self.rows)

    def to_parquet(self, path: Place) -> Path:
        """Writes the table as Parquet, with pandas and pyarrow; returns the path."""
        return foreign.write_parquet(self, path)

    def to_c3d(self, path: Place, person: int | None = None) -> Path:
        """Writes the joints of one person, by default the first, that `poses` measured in space as markers (C3D), with ezc3d."""
        return foreign.write_c3d(self, path, person)

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draws the rows as bars over time with matplotlib, a lane per person, hand or class; returns the axes."""
        from matplotlib import pyplot
        only = ROWS.get(self.task, self.task) if self.task in ("trajectories", "toss") else ""
        names = [only or row.get("label") or row.get("hand") or f"person {row.get('id', 1)}" for row in self.rows]
        lanes = list(dict.fromkeys(names))
        on = axes or pyplot.subplots(figsize=(8, 1.2 + 0.4 * len(lanes)))[1]
        for number, (row, name) in enumerate(zip(self.rows, names), 1):
            lane, start = lanes.index(name), float(row.get("start") or row.get("time") or 0)
            length = max(row.get("end", start) - start, 0.05)
            on.barh(lane, length, left=start, height=0.7, color=f"C{lane}", edgecolor="white")
            on.text(start + length / 2, lane, str(row.get("number", number)), ha="center", va="center", color="white")
        on.set_yticks(range(len(lanes)), lanes)
        on.set(xlim=(0, self.data["duration"]), xlabel="seconds", title=self.summary)
        return on

    def overlay(self, path: Place) -> Path:
        """Analyses the video again and draws on it; returns the path (.mp4; .png, .jpg: the first frame)."""
        run([self.task, self.video.path, *self.video.options, f"--overlay={path}"], feed=self.video.feed())
        return Path(path)

    def picture(self) -> bytes:
        """The first frame with the joints as a JPEG; empty where there is no video to take it from."""
        turned = [word for word in self.video.options if word.startswith(("--rotate=", "--mirror"))]
        with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
            file = Path(folder) / "frame.jpg"
            with contextlib.suppress(Error, ValueError):
                run(["pose", self.video.path, *turned, "--for=0.1", f"--overlay={file}"], feed=self.video.feed())
            return file.read_bytes() if file.exists() else b""

    def _repr_html_(self) -> str:
        chart = io.StringIO()  # Empty without matplotlib.
        with contextlib.suppress(ImportError):
            from matplotlib import pyplot
            figure: Any = self.plot().figure
            figure.savefig(chart, format="svg", bbox_inches="tight")
            pyplot.close(figure)
        code, rows = base64.b64encode(self.picture()).decode(), self.rows
        names = [name for name, value in rows[0].items() if not isinstance(value, list)] if rows else []
        lines = [names, *([str(row.get(name, "")) for name in names] for row in rows[:8])]
        cells = "</tr><tr>".join("".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in lines)
        return "\n".join((
            f"<p><b>{html.escape(self.summary)}</b></p>",
            f'<img alt="first frame" style="max-height: 240px" src="data:image/jpeg;base64,{code}">' if code else "",
            f"<div>{''.join(chart.getvalue().partition('<svg')[1:])}</div><table><tr>{cells}</tr></table>"))


class Poses(Result):
    """The joints of everyone in every frame.

    `keypoints`: (frames, people, joints, 3), x, y, confidence. x and y are 0 to 1, with the origin at the lower left,
    and NaN, with confidence 0, where a person is not in the frame. `keypoints_3d`: (frames, people, joints, 4), x, y, z
    in metres from the middle of the hips, confidence. `times`: (frames,), seconds. `ids`: (people,). `joint_names`:
    (joints,). `size`: in pixels. `people`: their start and end. `hands`, with `hands=True`: one per hand and frame."""

    def __init__(self, video: Video, frames: Iterable[Row], found: bool = True) -> None:
        times, seen, names, views = [], [], {}, {}  # type: list[float], list[Any], dict[str, int], dict[int, Any]
        self.size, self.hands = (0, 0), []  # type: tuple[int, int], list[Row]
        for number, frame in enumerate(frames):
            times.append(float(frame["time"]))
            self.size = (frame["width"], frame["height"])
            self.hands += [{**hand, "frame": number, "time": times[-1]} for hand in frame.get("hands", ())]
            for person in frame["people"]:
                place, view = views.setdefault(person["id"], (len(views), []))
                view.append(times[-1])
                for width, joints in ((3, person["keypoints"]), (4, person.get("keypoints3D", {}))):
                    order = [names.setdefault(name, len(names)) for name in joints]
                    seen.append((number, place, order, numpy.array([*joints.values()], "f4").reshape(-1, width)))
        self.times, self.ids, self.joint_names = numpy.array(times), numpy.array(list(views), int), list(names)
        shape = (len(times), len(views), len(names))
        self.keypoints, self.keypoints_3d = (numpy.full((*shape, width), numpy.nan, "f4") for width in (3, 4))
        self.keypoints[..., -1] = self.keypoints_3d[..., -1] = 0
        for number, place, order, values in seen:
            (self.keypoints if values.shape[1] == 3 else self.keypoints_3d)[number, place, order] = values
        people = [{"id": key, "start": view[0], "end": view[-1], "frames": len(view)} for key, (_, view) in views.items()]
        super().__init__("pose", video, {"duration": (times or [0.0])[-1], "frames": len(times), "people": people}, found)

    @property
    def pixels(self) -> numpy.ndarray:
        """(frames, people, joints, 2): x and y in pixels, with the origin at the upper left, as OpenCV draws."""
        return (self.keypoints[..., :2] * (1, -1) + (0, 1)) * self.size

    def to_dataframe(self) -> DataFrame:
        """A row per frame, person in it, and joint: frame, time, id, joint, x, y, confidence."""
        import pandas
        frame, person, joint = numpy.nonzero(~numpy.isnan(self.keypoints[..., 0]))
        x, y, confidence = self.keypoints[frame, person, joint].T
        return pandas.DataFrame({
            "frame": frame, "time": self.times[frame], "id": self.ids[person],
            "joint": numpy.array(self.joint_names, object)[joint], "x": x, "y": y, "confidence": confidence})

    def plot(self, axes: Axes | None = None,
             joints: Sequence[str] = ("nose", "leftWrist", "rightWrist", "root", "leftKnee", "rightKnee")) -> Axes:
        """Draws the height of some joints over time with matplotlib, a line per person and joint; returns the axes."""
        from matplotlib import pyplot
        on = axes or pyplot.subplots(figsize=(8, 2.5))[1]
        for place, name in enumerate(self.ids):
            for joint in filter(self.joint_names.__contains__, joints):
                heights = self.keypoints[:, place, self.joint_names.index(joint), 1]
                on.plot(self.times, heights, label=joint if len(self.ids) == 1 else f"{joint} {name}")
        on.set(xlabel="seconds", ylabel="height / frame", title=self.summary)
        if 0 < len(on.lines) <= 12:
            on.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return on


def flat(row: Row) -> Row:
    """A row with nothing nested, `tempo.pause` as `tempo_pause`, and with what names it first."""
    found: Row = {name: row[name] for name in ("id", "number", "label", "hand", "start", "end") if name in row}
    for name, value in row.items():
        found.update({f"{name}_{key}": one for key, one in value.items()} if isinstance(value, dict) else {name: value})
    return found
