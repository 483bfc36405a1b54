"""Analyses how people move in video: counts, coaches, classifies, and returns everyone's joints as arrays.

    import kinema
    kinema.count("squats.mp4").count

A function takes a path, an OpenCV capture, or frames: an array (frames, height, width, 3) of uint8, or an iterable.
For frames, give `fps` (default 30), or `times` in seconds if the rate varies, and `order`: "RGB" or OpenCV's "BGR".
`count`, `coach` and `measure` also take joints: the result of `poses` and its arrays, an array (frames, joints, 2 to 5) as in a
`.npy` file, a table of pandas, and files of joints: those of the command, and HDF5, Parquet, C3D and BVH.
An option that takes several values takes a list: `ignore_joints=["nose", "leftEye"]`. All other keywords are options of the command with underscores: `people="all"`, `max_people=24`, `for_=10`. Failures are
`kinema.Error`. All functions may be called from several threads, and share a process that has the models loaded.
"""
from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Iterable, Union

from . import foreign
from .command import Error, run, shared
from .results import Poses, Result
from .video import Content, Place, Video, absolute, words

__all__ = ["Error", "Poses", "Result", "batch", "batch_mapper", "classify", "close", "coach", "count", "gesture",
           "measure", "poses", "teach", "toss", "train", "trajectories"]
close = shared.close
__version__ = next((found.version for found in importlib.metadata.distributions(name="kinema")), "unknown")


def count(video: Content, **options: Any) -> Result:
    """Counts the repetitions of the most prominent person, or with `people="all"` of everyone: `.count`, and `.people`,
    each with `repetitions` from `start` to `end`. The path may also be that of stored poses."""
    return analyse("count", video, options)


def coach(video: Content, **options: Any) -> Result:
    """Recognises the exercise, or takes `exercise`: `.exercise`, `.repetitions` with depth, tempo and faults."""
    return analyse("coach", video, options)


def measure(video: Content, **options: Any) -> Result:
    """Measures one person in metres and degrees; `height` in metres, or `scale`, is needed: `.tests` with gait, jumps and
    others, `.quantities` with values at `.times`, `.events`, `.warnings`. `rows` has a row per quantity and time."""
    return analyse("measure", video, options)


def classify(video: Content, classifier: Place, **options: Any) -> Result:
    """Recognises the actions that a classifier of `train` knows: `.segments` with start, end, label, confidence."""
    return analyse("classify", video, {"classifier": absolute(classifier), **options})


def gesture(video: Content, **options: Any) -> Result:
    """Detects pinches and what the hands draw with them: `.pinches` with start, end, hand; `.strokes` with points."""
    return analyse("gesture", video, options)


def trajectories(video: Content, **options: Any) -> Result:
    """Detects small flying objects: `.trajectories` with start, end, times, detectedPoints and projectedPoints."""
    return analyse("trajectories", video, options)


def toss(video: Content, **options: Any) -> Result:
    """Scores a game of bean-bag toss: `.throws`, `.total`, the averages, and the `.board`."""
    return analyse("toss", video, options)


def poses(video: Content, **options: Any) -> Poses:
    """Detects everyone's joints in every frame, as arrays, in a process of its own on all cores: see `Poses`."""
    source = Video(video, options)
    found, result = run(["pose", source.path, *source.options, "--format=jsonl"],
                        lambda lines: Poses(source, map(json.loads, lines)), source.feed())
    result.found = found
    return result  # type: ignore[no-any-return]


def train(data: Place, output: Place, **options: Any) -> Path:
    """Trains a classifier on a folder that has a folder of clips per class, or a table of clips; returns its file."""
    run(["train", absolute(data), f"--output={os.fspath(output)}", *words(options)])
    return Path(output)


def teach(good: Union[Place, Iterable[Place]], output: Place, **options: Any) -> Path:
    """Learns an exercise from recordings of correct repetitions, or folders of them; returns its file, which `coach` takes
    as `exercise`. `wrong` is a list of recordings of faults."""
    places = [good] if isinstance(good, (str, os.PathLike)) else good
    kept: set[str] = set()  # What is rewritten lasts as long as this.
    run(["teach", *(foreign.stored(absolute(place), kept) for place in places), f"--output={os.fspath(output)}", *words(options)])
    return Path(output)


def analyse(task: str, content: Content, options: dict[str, Any], closings: int | None = None) -> Result:
    """One task on one video: a file in the process behind the module, frames and addresses in one of their own."""
    video = Video(content, options)
    if os.path.isabs(video.path):
        found, data = shared.answer(task, video.path, video.options, closings)
    else:
        found, data = run([task, video.path, *video.options, "--format=json"], json.load, video.feed())
    return Poses(video, data["frames"], found) if task == "pose" else Result(task, video, data, found)


def batch(paths: Iterable[Place], task: str = "count", *, jobs: int | None = None, progress: bool = True,
          **options: Any) -> list[Union[Result, Error]]:
    """Analyses many files, `jobs` at once (one per core), with a progress bar where tqdm is installed. The results have
    the order of the paths; a video that fails has its Error there. Wrong options and missing models are raised."""
    if isinstance(paths, (str, os.PathLike)):
        raise TypeError(f"batch takes a list of paths: batch([{os.fspath(paths)!r}])")
    pool = ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0)), "kinema")
    asked = [pool.submit(analyse, task, path, {**options}, shared.closings) for path in paths]
    done: Iterable[Any] = as_completed(asked)
    with contextlib.suppress(ImportError):
        from tqdm.auto import tqdm
        done = tqdm(done, total=len(asked), desc=task, unit="video", disable=not progress)
    try:
        for future in done:
            error = future.exception()
            # Wrong options are those of every video; a wrong address is not.
            if error and (not isinstance(error, Error) or error.missing or error.code == 64 and "://" not in str(error)):
                raise error
    except KeyboardInterrupt:
        close()  # What has not reached the process by now starts no other.
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return [future.exception() or future.result() for future in asked]  # type: ignore[misc]


class batch_mapper:
    """A function for Ray's `map_batches`, Dask's `map_partitions`, and others that map blocks of a table.

        ray.data.from_items(paths).map_batches(kinema.batch_mapper("count", people="all"))

    It reads paths from a column and adds the columns status (done, nothing, failed), error, result (JSON), and for
    count and coach, count (-1 where it failed). Each worker process loads the models once."""

    def __init__(self, task: str = "count", *, column: str = "item", jobs: int = 1, **options: Any) -> None:
        self.task, self.column, self.jobs, self.options = task, column, jobs, options

    def __call__(self, block: Any) -> Any:
        found = batch(map(str, block[self.column]), self.task, jobs=self.jobs, progress=False, **self.options)
        block, good = block.copy(), [one if isinstance(one, Result) else None for one in found]
        block["status"] = [("done" if one.found else "nothing") if one else "failed" for one in good]
        block["error"] = ["" if isinstance(one, Result) else str(one) for one in found]
        block["result"] = [json.dumps(one.data) if one else "" for one in good]
        if self.task in ("count", "coach"):
            block["count"] = [one.data["count"] if one else -1 for one in good]
        return block
