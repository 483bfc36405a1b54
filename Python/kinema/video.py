"""What is analysed: a file, or frames of numpy, which go to the command as Matroska with uncompressed pictures."""
from __future__ import annotations

import itertools
import os
import re
import struct
from typing import Any, Iterable, Iterator, Union

import numpy

from . import foreign
from .command import Error
from .joints import joints, seconds

Place = Union[str, "os.PathLike[str]"]
#: A path, or frames: an array or an iterable of (height, width, 3) of uint8; at run time a cv2.VideoCapture or joints, too.
Content = Union[Place, numpy.ndarray, Iterable[numpy.ndarray]]
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
        elif path := joints(content, options, self):
            self.path, self.name = path, "joints"
        elif not hasattr(content, "__iter__") and not hasattr(content, "__getitem__"):
            raise TypeError(f"a video is a path, frames or joints, not {type(content).__name__}")
        else:
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
        times = seconds(*((number / self.fps for number in itertools.count()), 1) if self.times is None else (self.times,))
        shape: tuple[int, ...] = ()
        for number, frame in enumerate(map(numpy.asarray, self.frames)):
            if frame.dtype != numpy.uint8 or frame.shape != (shape or (*frame.shape[:2], 3)):
                wanted = shape or "(height, width, 3); joints are (frames, joints, 2 to 5)"
                raise ValueError(f"frame {number} is {frame.dtype} {frame.shape}, not uint8 {wanted}")
            if (time := next(times, None)) is None:
                raise ValueError(f"frame {number} has no time")
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
        if hasattr(value, "__iter__") and not isinstance(value, str):
            found += [f"{name}={one}" for one in value]
        elif value is not None and value is not False:
            found.append(name if value is True else f"{name}={absolute(value) if is_file else value}")
    return found


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
