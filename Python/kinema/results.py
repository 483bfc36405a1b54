"""What was detected in a video: attributes, tables, charts."""
from __future__ import annotations

import base64
import html
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import numpy

from .command import Error
from .video import Place, Video

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Row = dict[str, Any]
#: What a task's table has a row for.
TABLES = {"count": "repetitions", "coach": "repetitions", "gesture": "pinches", "trajectories": "trajectories",
          "toss": "throws", "classify": "segments"}
#: The columns that a table begins with.
FIRST = ("id", "number", "label", "hand", "start", "end")


class Result:
    """What a command detected in a video.

    Every key of the command's JSON is an attribute: `count`, `people`, `duration` and so on; `data` is all of it.
    Times are seconds from the first frame; coordinates are 0 to 1, with the origin at the lower left.
    `found` is False when no person, or nothing relevant, was detected.
    """

    def __init__(self, task: str, video: Video, data: Row, found: bool) -> None:
        self.task, self.video, self.data, self.found = task, video, data, found

    def __getattr__(self, name: str) -> Any:
        # A copy that is still being made has no data yet.
        data = self.__dict__.get("data", {})
        if name in data:
            return data[name]
        raise AttributeError(f"this result has no {name}; it has {', '.join(data)}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.data]

    def __repr__(self) -> str:
        return f"<kinema {self.summary}>"

    @property
    def summary(self) -> str:
        """The task, the video, and how much was found in it."""
        return f"{self.task} of {self.video.name}, {TABLES[self.task]}: {len(self.rows)}"

    @property
    def rows(self) -> list[Row]:
        """A dictionary per repetition, pinch, flight, throw or segment, of everyone, in time order."""
        name = TABLES[self.task]
        people = self.data.get("people", ())
        found = self.data[name] if name in self.data else [row for person in people for row in person[name]]
        return sorted(map(flat, found), key=start_of)

    def to_dataframe(self) -> DataFrame:
        """`rows` as a table of pandas."""
        import pandas

        table: DataFrame = pandas.DataFrame(self.rows)
        return table

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draws the rows as bars over time with matplotlib, a lane per person, hand or class; returns the axes."""
        lanes: dict[str, int] = {}
        for row in self.rows:
            lanes.setdefault(self.lane(row), len(lanes))
        on = axes or new_axes(1.2 + 0.4 * len(lanes))
        for number, row in enumerate(self.rows, 1):
            lane, start = lanes[self.lane(row)], start_of(row)
            length = max(row.get("end", start) - start, 0.05)
            on.barh(lane, length, left=start, height=0.7, color=f"C{lane}", edgecolor="white")
            on.text(start + length / 2, lane, str(row.get("number", number)), ha="center", va="center", color="white")
        on.set_yticks(range(len(lanes)), list(lanes))
        on.set(xlim=(0, self.data["duration"]), xlabel="seconds", title=self.summary)
        return on

    def lane(self, row: Row) -> str:
        if self.task in ("trajectories", "toss"):
            return TABLES[self.task]
        return str(row.get("label") or row.get("hand") or f"person {row.get('id', 1)}")

    def overlay(self, path: Place) -> Path:
        """Writes the video with the results drawn on it (.mp4; .png or .jpg for the first frame) and returns its path.

        This analyses the video again. Frames from an iterator are gone by then, which is an Error.
        """
        self.video.run(self.task, [*self.video.options, f"--overlay={path}"])
        return Path(path)

    def picture(self) -> bytes | None:
        """The first frame with the joints as a JPEG; None where there is no video to take it from."""
        turned = [word for word in self.video.options if word.startswith(("--rotate=", "--mirror"))]
        with tempfile.TemporaryDirectory(prefix="kinema-") as folder:
            file = Path(folder) / "frame.jpg"
            try:
                self.video.run("pose", [*turned, "--for=0.1", f"--overlay={file}"])
                return file.read_bytes()
            except (Error, OSError):
                return None

    def chart(self) -> str | None:
        """What `plot` draws, as SVG; None without matplotlib."""
        try:
            from matplotlib import pyplot
        except ImportError:
            return None
        text, figure = io.StringIO(), self.plot().figure  # type: io.StringIO, Any
        figure.savefig(text, format="svg", bbox_inches="tight")
        pyplot.close(figure)
        return "<svg" + text.getvalue().partition("<svg")[2]

    def _repr_html_(self) -> str:
        picture, chart, rows = self.picture(), self.chart(), self.rows
        code = base64.b64encode(picture).decode() if picture else ""
        names = [name for name, value in rows[0].items() if not isinstance(value, list)] if rows else []
        lines = [[str(row.get(name, "")) for name in names] for row in rows[:8]]
        cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in [names, *lines]]
        return "\n".join((
            f"<p><b>{html.escape(self.summary)}</b></p>",
            f'<img alt="first frame" style="max-height: 240px" src="data:image/jpeg;base64,{code}">' if code else "",
            f"<div>{chart}</div>" if chart else "",
            f"<table><tr>{'</tr><tr>'.join(cells)}</tr></table>",
            f"<p>and {len(rows) - 8} more</p>" if len(rows) > 8 else ""))


class Poses(Result):
    """The joints of everyone in every frame.

    `keypoints`: (frames, people, joints, 3), x, y, confidence. x and y are 0 to 1, with the origin at the lower left,
    and NaN, with confidence 0, where a person is not in the frame. `keypoints_3d`: (frames, people, joints, 4), x, y, z
    in metres from the middle of the hips, confidence. `times`: (frames,), seconds. `ids`: (people,), the number that
    each person keeps. `joint_names`: (joints,). `size`: width and height of the frames in pixels.
    """

    def __init__(self, video: Video, frames: Iterable[Row], found: bool = True) -> None:
        times: list[float] = []
        seen: list[tuple[int, int, Row]] = []
        places: dict[int, int] = {}
        names: dict[str, int] = {}
        self.size = (0, 0)
        for number, frame in enumerate(frames):
            times.append(frame["time"])
            self.size = (frame["width"], frame["height"])
            for person in frame["people"]:
                for name in person["keypoints"]:
                    names.setdefault(name, len(names))
                place = places.setdefault(person["id"], len(places))
                seen.append((number, place, {"keypoints": numpy_of(person["keypoints"], names, 3),
                                             "keypoints_3d": numpy_of(person.get("keypoints3D", {}), names, 4)}))
        self.times, self.ids, self.joint_names = numpy.array(times), numpy.array(list(places), int), list(names)
        shape = (len(times), len(places), len(names))
        self.keypoints, self.keypoints_3d = (numpy.full((*shape, width), numpy.nan, numpy.float32) for width in (3, 4))
        self.keypoints[..., -1] = self.keypoints_3d[..., -1] = 0
        for number, place, joints in seen:
            for name, values in joints.items():
                getattr(self, name)[number, place, :len(values)] = values
        super().__init__("pose", video, {"duration": times[-1] if times else 0.0, "frames": len(times)}, found)

    @property
    def pixels(self) -> numpy.ndarray:
        """(frames, people, joints, 2): x and y in pixels, with the origin at the upper left, as OpenCV draws."""
        return (self.keypoints[..., :2] * (1, -1) + (0, 1)) * self.size

    @property
    def summary(self) -> str:
        return f"poses of {self.video.name}, frames: {len(self.times)}, people: {len(self.ids)}"

    @property
    def rows(self) -> list[Row]:
        """A dictionary per person: their number, and when they are in view."""
        present = [self.times[self.keypoints[:, place, :, 2].any(axis=1)] for place in range(len(self.ids))]
        return [{"id": int(name), "start": float(times[0]), "end": float(times[-1]), "frames": len(times)}
                for name, times in zip(self.ids, present)]

    def to_dataframe(self) -> DataFrame:
        """A row per frame, person in it, and joint: frame, time, id, joint, x, y, confidence."""
        import pandas

        frame, person, joint = numpy.nonzero(~numpy.isnan(self.keypoints[..., 0]))
        x, y, confidence = self.keypoints[frame, person, joint].T
        names = numpy.array(self.joint_names, dtype=object)[joint]
        table: DataFrame = pandas.DataFrame({
            "frame": frame, "time": self.times[frame], "id": self.ids[person], "joint": names, "x": x, "y": y,
            "confidence": confidence})
        return table

    def plot(self, axes: Axes | None = None,
             joints: Sequence[str] = ("nose", "leftWrist", "rightWrist", "root", "leftKnee", "rightKnee")) -> Axes:
        """Draws the height of some joints over time with matplotlib, a line per person and joint; returns the axes."""
        on = axes or new_axes(2.5)
        for place, name in enumerate(self.ids):
            for joint in filter(self.joint_names.__contains__, joints):
                label = joint if len(self.ids) == 1 else f"{joint} {name}"
                on.plot(self.times, self.keypoints[:, place, self.joint_names.index(joint), 1], label=label)
        on.set(xlabel="seconds", ylabel="height / frame", title=self.summary)
        if 0 < len(on.lines) <= 12:
            on.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return on


def numpy_of(joints: dict[str, list[float]], names: dict[str, int], width: int) -> numpy.ndarray:
    """The values of the joints in the order of their names."""
    missing = [numpy.nan] * (width - 1) + [0.0]
    values = [joints.get(name, missing) for name in names] if joints else []
    return numpy.array(values, numpy.float32).reshape(-1, width)


def start_of(row: Row) -> float:
    return row["start"] if "start" in row else row.get("time", 0)  # type: ignore[no-any-return]


def flat(row: Row) -> Row:
    """A row with nothing nested, `tempo.pause` as `tempo_pause`, and with what names it first."""
    found: Row = {name: row[name] for name in FIRST if name in row}
    for name, value in row.items():
        nested = isinstance(value, dict)
        found.update({f"{name}_{inner}": one for inner, one in value.items()} if nested else {name: value})
    return found


def new_axes(height: float) -> Axes:
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(8, height))[1]
