"""The module's functions in processes of Dask, as Documentation/scaling.md shows them."""
import unittest

import dask.bag
import pandas

from clips import FOLDER, ROOT, squats

import kinema


class Dask(unittest.TestCase):
    def test_a_bag_maps_videos_in_processes(self):
        videos = dask.bag.from_sequence([str(squats())] * 3, npartitions=2)
        counts = videos.map(kinema.count).map(lambda result: result.count)
        self.assertEqual(counts.compute(scheduler="processes", num_workers=2), [2, 2, 2])

    def test_a_mapper_takes_partitions(self):
        paths = pandas.DataFrame({"item": [str(squats()), str(FOLDER / "absent.mp4")]})
        parts = dask.bag.from_sequence([paths[:1], paths[1:]], npartitions=2)
        found = parts.map(kinema.batch_mapper("count", people="all")).compute(scheduler="processes", num_workers=2)
        table = pandas.concat(found)
        self.assertEqual(table["status"].tolist(), ["done", "failed"])
        self.assertEqual(table["count"].tolist(), [2, -1])

    def test_the_examples_compile(self):
        for path in [*ROOT.glob("Examples/*/*.py"), *ROOT.glob("Distributed/*.py")]:
            compile(path.read_text(), str(path), "exec")


if __name__ == "__main__":
    unittest.main()
