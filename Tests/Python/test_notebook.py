"""The documentation's notebook, cell by cell."""
import contextlib
import json
import os
import shutil
import sys
import tempfile
import unittest

from matplotlib import pyplot

from clips import ROOT, squats

sys.path.insert(0, str(ROOT / "script" / "site"))

import notebook


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stored = json.loads((ROOT / "Documentation" / "notebook.ipynb").read_text())

    def test_every_cell_runs_and_shows_what_is_stored(self):
        kinds = []
        # Charts left open by other tests would be shown with the first cell.
        pyplot.close("all")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            shutil.copy(squats(), "squats.mp4")
            for number, (cell, value) in enumerate(notebook.run(self.stored), 1):
                now = [set(output["data"]) for output in notebook.outputs(value, number)]
                self.assertEqual([set(output["data"]) for output in cell["outputs"]], now, cell["source"])
                kinds += now
            self.assertGreater(os.path.getsize("seen.mp4"), 10_000)
        # The result and two tables, a shape, a chart with its axes, a path.
        self.assertEqual(sum("text/html" in kind for kind in kinds), 3)
        self.assertEqual(sum("image/png" in kind for kind in kinds), 1)

    def test_its_page_has_code_results_and_pictures(self):
        page = notebook.text(self.stored)
        self.assertTrue(page.startswith("# Kinema in a notebook\n"))
        self.assertIn("```python\nimport kinema\n", page)
        for part in ("<svg", "data:image/jpeg;base64,/9j/", "data:image/png;base64,iVBOR", "<td>"):
            self.assertIn(part, page)
        self.assertNotIn("<style", page.replace("<style type=\"text/css\">*{", ""))


if __name__ == "__main__":
    unittest.main()
