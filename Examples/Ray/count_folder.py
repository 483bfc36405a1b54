"""Counts the repetitions in every video of a folder on a Ray cluster, and writes a row per video as Parquet.

    python count_folder.py CLIPS OUTPUT

The cluster is the one that RAY_ADDRESS names, otherwise one of this machine alone. Every worker needs the same paths,
the module and the command (KINEMA_COMMAND)."""
import sys
from pathlib import Path

import kinema
import ray.data


def counted(paths, workers=2):
    """A data set with the columns item, status, error, result and count. Of the class, Ray keeps a process per worker."""
    return ray.data.from_items(list(map(str, paths))).map_batches(
        kinema.batch_mapper, fn_constructor_args=("count",), batch_size=8,
        compute=ray.data.ActorPoolStrategy(size=workers))


if __name__ == "__main__":
    clips, output = sys.argv[1:]
    counted(sorted(Path(clips).resolve().rglob("*.mp4"))).write_parquet(output)
