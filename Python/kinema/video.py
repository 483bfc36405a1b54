"""What is analysed: a file, or frames of numpy, which go to the command as Matroska with uncompressed pictures."""
from __future__ import annotations

import datetime
import itertools
import math
import os
import re
import struct
import tempfile
import warnings
import weakref
from typing import Any, Iterable, Iterator, Union

import numpy

from . import foreign
from .command import Error

Place = Union[str, "os.PathLike[str]"]
#: A path, or frames: an array or an iterable of (height, width, 3) of uint8; a cv2.VideoCapture at run time, too.
Content = Union[Place, numpy.ndarray, Iterable[numpy.ndarray]]
UNITS = {1e3: "milliseconds", 1e6: "microseconds", 1e9: "nanoseconds"}
FILES = {"--classifier", "--detector", "--exercise", "--model"}  # These name a file, or something built in.


class Video:
    """A file or frames, with the command's options. Of frames, `fps`, `times` and `order` say what they are."""

    def __init__(self, content: Content, options: dict[str, Any]) -> None:
        self.path, self.name, self.frames = "-", "frames", ()  # type: tuple[str, str, Iterable[numpy.ndarray]]
        if hasattr(content, "isOpened"):  # OpenCV's capture, whose property 5 is the frame rate, 0 if unknown.
            options = {"order": "BGR", "fps": content.get(5) or 30, **options}  # type: ignore[union-attr]
            content = (frame for _, frame in iter(content.read, (False, None)))  # type: ignore[union-attr]
        if isinstance(content, (str, os.PathLike)):
            path = os.fspath(content)
            url = re.match(r"(?i)(?:rtsps?|https?)://(?:[^/]*@)?([^?#\0]*)[^\0]*\Z", path)  # No user, no password.
            self.path, self.name = (path, url[1]) if url else (foreign.stored(absolute(path), self), os.path.basename(path))
        elif not hasattr(content, "__iter__") and not hasattr(content, "__getitem__"):
            raise TypeError(f"a video is a path, or frames of numpy, not {type(content).__name__}")
        else:
            if (joints := numpy.asarray(content) if getattr(content, "dtype", None) is not None else None) is not None \
                    and joints.dtype.kind == "f" and joints.ndim in (3, 5) and 2 <= joints.shape[-1] <= 5:
                self.path, self.name, self.options = stored(joints, self), "joints", words(options)
                return
            self.frames = content[None] if getattr(content, "ndim", 0) == 3 else content  # type: ignore[index]
            self.fps, self.order, self.times = options.pop("fps", 30), options.pop("order", "RGB"), options.pop("times", None)
        self.options = words(options)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "frames": ()}  # Results travel between processes without their frames.

    def feed(self) -> Iterator[bytes]:
        """What the command reads: frames as Matroska, of a file nothing. Throws ValueError for what is no frame."""
        if self.path != "-":
            return
        if not self.fps > 0 or self.order not in ("RGB", "BGR"):
            raise ValueError("fps must be above 0, and order RGB or BGR")
        times = iter((number / self.fps for number in itertools.count()) if self.times is None else seconds(self.times))
        last = -math.inf
        shape: tuple[int, ...] = ()
        for number, frame in enumerate(map(numpy.asarray, self.frames)):
            if frame.dtype != numpy.uint8 or frame.shape != (shape or (*frame.shape[:2], 3)):
                raise ValueError(f"frame {number} is {frame.dtype} {frame.shape}, not uint8 {shape or '(height, width, 3)'}")
            if (time := next(times, None)) is None:
                raise ValueError(f"frame {number} has no time")
            if time <= last:
                raise ValueError(f"frame {number} is at {time} s, which is not after {last} s before it")
            last = time
            if not 0 <= time < 1e12:  # Microseconds of 64 bits.
                raise ValueError(f"frame {number} is at {time} s; times are seconds from 0 on, fewer than 1e12")
            if not shape:
                shape = frame.shape
                yield header(shape[1], shape[0], self.order)
            yield element(0x1F43B675, element(0xE7, round(time * 1e6)) + element(0xA3, b"\x81\0\0\x80" + frame.tobytes()))
        if not shape:
            raise ValueError("no frames; is the capture open? Those of an iterator can be used once; give an array or a list")


def absolute(place: Place) -> str:
    """The whole path: the process behind the module stays where it was started. Throws Error for what is no path."""
    path = os.path.abspath(place)
    if not os.fspath(place) or "\0" in path:
        raise Error("a path has at least one character, and no NUL", 65)
    if (shown := path.encode(errors="replace").decode()) != path:
        raise Error(f"{shown}: the name is not UTF-8; rename the file", 65)
    return path


def words(options: dict[str, Any]) -> list[str]:
    """`people="all", hands=True, for_=10` as `--people=all --hands --for=10`; lists repeat; None and False are left out."""
    found = []
    for key, value in options.items():
        name = "--" + key.rstrip("_").replace("_", "-")
        is_file = isinstance(value, os.PathLike) or name in FILES and isinstance(value, str) and os.path.exists(value)
        if isinstance(value, (list, tuple)):
            found += [f"{name}={one}" for one in value]
        elif value is not None and value is not False:
            found.append(name if value is True else f"{name}={absolute(value) if is_file else value}")
    return found


def stored(joints: numpy.ndarray, owner: object) -> str:
    """The path of an array of joints, as a file that lasts as long as its owner."""
    folder = tempfile.TemporaryDirectory(prefix="kinema-")
    weakref.finalize(owner, folder.cleanup)
    path = os.path.join(folder.name, "joints.npy")
    numpy.save(path, joints)
    return path


def seconds(times: Iterable[Any]) -> Iterator[float]:
    """Times in seconds from dates, or from numbers whose steps can only be milli-, micro- or nanoseconds: a frame every
    1.5 s or more of a body that moves is not possible. Throws ValueError where no unit is."""
    rest = iter(times)
    head = list(itertools.islice(rest, 300))
    if head and (isinstance(head[0], datetime.datetime) or getattr(head[0], "dtype", numpy.dtype(float)).kind in "mM"):
        for time in itertools.chain(head, rest):
            passed = time - head[0]
            yield float(passed.total_seconds() if hasattr(passed, "total_seconds") else passed / numpy.timedelta64(1, "s"))
        return
    step = float(numpy.median(numpy.diff(numpy.asarray(head, dtype=float)))) if len(head) > 2 else 0.0
    unit = 1.0
    if step > 1.5:
        unit = next((one for one in (1e3, 1e6, 1e9) if 0.001 <= step / one <= 1.5), 0)
        if not unit:
            raise ValueError(f"times have steps of {step:g}, which no unit makes the time between two frames")
        warnings.warn(f"times are read as {UNITS[unit]}: a frame every {step:g} s is not possible", stacklevel=2)
    for time in itertools.chain(head, rest):
        yield float(time) / unit


def element(name: int, content: bytes | int) -> bytes:
    """An element of Matroska: its name, the length of its content in eight bytes, its content."""
    content = content.to_bytes(8, "big") if isinstance(content, int) else content
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + struct.pack(">Q", len(content) | 1 << 56) + content


def header(width: int, height: int, order: str) -> bytes:
    """What comes before the pictures, whose times are microseconds: a segment of unknown length."""
    kind = element(0x1A45DFA3, element(0x4282, b"matroska") + element(0x4287, 4) + element(0x4285, 2))
    picture = element(0xB0, width) + element(0xBA, height) + element(0x2EB524, order.encode() + b"\x18")
    track = element(0xD7, 1) + element(0x73C5, 1) + element(0x83, 1) + element(0x86, b"V_UNCOMPRESSED")
    tracks = element(0x1654AE6B, element(0xAE, track + element(0xE0, picture)))
    return kind + b"\x18\x53\x80\x67\x01" + b"\xff" * 7 + element(0x1549A966, element(0x2AD7B1, 1000)) + tracks
