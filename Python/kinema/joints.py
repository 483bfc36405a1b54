"""Joints that are given as numbers, written as files that the command reads; and the times of frames."""
from __future__ import annotations

import contextlib
import datetime
import itertools
import json
import math
import re
import warnings
from typing import Any, Iterable, Iterator, Sequence

import numpy

from .command import Error, kept

UNITS = {1e3: "milliseconds", 1e6: "microseconds", 1e9: "nanoseconds"}
#: The joints in the arrays of `poses`.
NAMES = ("nose leftEye rightEye leftEar rightEar neck leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist root "
         "leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle leftEyeInner leftEyeOuter rightEyeInner rightEyeOuter "
         "leftMouth rightMouth leftLittleFinger rightLittleFinger leftIndexFinger rightIndexFinger leftThumb rightThumb "
         "leftHeel rightHeel leftFootTip rightFootTip").split()


def joints(content: Any, options: dict[str, Any], owner: object) -> str:
    """The path of a file with joints: those of `poses`, its arrays, other arrays and lists of numbers, a table of pandas.
    Empty for what holds none. What the file states is taken out of the options. Throws ValueError, TypeError, Error."""
    if hasattr(content, "to_csv"):
        return table(content, options, owner)
    is_found = hasattr(content, "keypoints_3d")
    if (values := content.keypoints if is_found else numbers(content)) is None:
        return ""
    names, size = (content.joint_names, content.size) if is_found else (NAMES, ())
    times = options.pop("times", content.times if is_found and "fps" not in options else None)
    is_named = values.ndim in (3, 4) and values.shape[-2:] in [(len(names), width) for width in (2, 3, 4)]
    values = values[:, 0] if values.ndim == 4 and values.shape[1] == 1 else values
    if times is None and not is_named and values.ndim != 4:
        numpy.save(path := kept("joints.npy", owner), values)
        return str(path)
    if not (fps := float(options.pop("fps", 30))) > 0:
        raise ValueError("fps must be above 0")
    times = numpy.arange(len(values)) / fps if times is None else numpy.array([*seconds(times)])
    if len(times) != len(values):
        raise ValueError(f"there are {len(values)} frames of joints, but {len(times)} times")
    values = values if values.ndim == 4 else values[:, None]
    ids = content.ids if is_found else range(1, values.shape[1] + 1)
    places, space = values, values if is_named and values.shape[-1] == 4 else None
    if space is not None:  # Seen from the front, in a picture of four metres.
        places, size = numpy.concatenate([space[..., :2] / 4 + 0.5, space[..., 3:]], -1), (1000, 1000)
    elif is_named and (values[..., :2] > 10).any():  # Pixels, as the command knows them, from the upper left.
        size = (math.ceil(numpy.nanmax(values[..., :2])),) * 2
        places = numpy.concatenate([values[..., :2] / size * (1, -1) + (0, 1), values[..., 2:]], -1)
    if size and not is_found:
        options.pop("aspect", None)
    # In space only where nothing else is known: the command coaches videos by the picture.
    with open(path := kept("joints.jsonl", owner), "w", encoding="utf-8") as file:
        for row, time in enumerate(times):
            people = [{"id": int(ids[place]), "keypoints": by_name(names, one) if is_named else plain(one)}
                      | ({} if space is None else {"keypoints3D": by_name(names, space[row, place])})
                      for place, one in enumerate(places[row]) if numpy.isfinite(one[..., 0] if one.ndim > 1 else one).any()]
            file.write(json.dumps({"time": float(time), **dict(zip(("width", "height"), size)), "people": people}) + "\n")
    return str(path)


def by_name(names: Sequence[str], one: numpy.ndarray) -> dict[str, list[float]]:
    """The joints of a person that were seen, with a confidence."""
    return {name: [*map(float, row), 1.0][:max(3, len(row))] for name, row in zip(names, one) if numpy.isfinite(row).all()}


def plain(one: numpy.ndarray) -> Any:
    """The joints of a person in their order, nothing for numbers that are none."""
    return numpy.where(numpy.isfinite(one), one, None).tolist()


def table(content: Any, options: dict[str, Any], owner: object) -> str:
    """The path of a table of pandas, whose index may be times."""
    is_flat = content.columns.nlevels == 1
    times = options.pop("times", content.index if content.index.dtype.kind in "mMf" and is_flat else None)
    if is_flat:
        refuse([*map(str, content.columns)])
    elif times is not None:
        raise ValueError("columns with several levels of names have no times; give fps")
    content = content if times is None else content.assign(time=[*seconds(times)])
    content.to_csv(path := kept("joints.csv", owner), index=not is_flat)
    return str(path)


def refuse(names: Sequence[str]) -> None:
    """Throws Error for the columns of a table without joints: those of a body are many, or name x, or hold lists."""
    if len(names) < 10 and not re.search(r"\bx\b|_x\b|keypoint|landmark|joint|people|pose", " ".join(names).lower()):
        raise Error(f"has no columns of joints, but {', '.join(names)}", 65)


def numbers(content: Any) -> numpy.ndarray | None:
    """Joints (frames, joints, 2 to 5), perhaps with people before the joints; None for pictures and what is no array."""
    if not isinstance(content, (list, tuple)) and not hasattr(content, "__array__"):
        return None
    try:  # Of a list the first frame tells: it may be a long one of pictures.
        first = numpy.asarray(content if hasattr(content, "__array__") else content[:1])
    except ValueError:
        return None
    # Orders of joints have 17 to 35; no picture is that narrow.
    is_body, is_place = first.ndim > 1 and 16 < first.shape[-2] <= 40, first.ndim > 1 and 2 <= first.shape[-1] <= 5
    is_byte = first.dtype == numpy.uint8
    if not {2: not is_byte, 3: is_place and (is_body or not is_byte), 4: is_place and is_body and not is_byte,
            5: is_place and first.dtype.kind == "f"}.get(first.ndim, False):
        return None
    with contextlib.suppress(ValueError, TypeError):
        if first.dtype.kind in "fiuO":
            values = numpy.ma.filled(numpy.ma.asarray(content).astype("f4"), numpy.nan)
            # A confidence below 1 was lost in whole numbers.
            is_lost = first.dtype.kind in "iu" and values.ndim == 3 and values.shape[-1] == 3 and not values[..., 2].any()
            return values[..., :2] if is_lost else values
    raise TypeError(f"joints are numbers, as many in every frame, and NaN where one was not seen; these are {first.dtype}")


def seconds(times: Iterable[Any], unit: Any = None) -> Iterator[float]:
    """Times in seconds from dates, or from numbers whose steps can only be milli-, micro- or nanoseconds: a frame every
    1.5 s or more of a body that moves is not possible. Throws ValueError where no unit is, and for times that go back."""
    rest, zero, last = iter(times), None, -math.inf  # type: Iterator[Any], Any, float
    head = list(itertools.islice(rest, 300))
    if head and isinstance(head[0], (datetime.datetime, datetime.timedelta)):
        zero, unit = head[0], datetime.timedelta(seconds=1)
    elif head and getattr(head[0], "dtype", numpy.dtype(float)).kind in "mM":
        zero, unit = head[0], numpy.timedelta64(1, "s")
    step = float(numpy.median(numpy.diff(numpy.asarray(head, dtype=float)))) if len(head) > 2 and not unit else 0.0
    if step > 1.5:
        unit = next((one for one in UNITS if 0.001 <= step / one <= 1.5), 0)
        if not unit:
            raise ValueError(f"times have steps of {step:g}, which no unit makes the time between two frames")
        warnings.warn(f"times are read as {UNITS[unit]}: a frame every {step:g} s is not possible", stacklevel=2)
    for number, time in enumerate(itertools.chain(head, rest)):
        now = float(time) / (unit or 1) if zero is None else float((time - zero) / unit)
        if now <= last:
            raise ValueError(f"frame {number} is at {now} s, which is not after {last} s before it")
        if not 0 <= now < 1e12:  # Microseconds of 64 bits.
            raise ValueError(f"frame {number} is at {now} s; times are seconds from 0 on, fewer than 1e12")
        last = now
        yield now
