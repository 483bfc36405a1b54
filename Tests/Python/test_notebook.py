"""The notebook of the documentation, cell after cell."""
import ast
import contextlib
import json
import os
import shutil
import tempfile
import unittest

from clips import ROOT, squats


class Notebook(unittest.TestCase):
    def test_every_cell_runs_and_shows_something(self):
        cells = json.loads((ROOT / "Documentation" / "notebook.ipynb").read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 5)
        before, values, names = os.getcwd(), [], {}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            shutil.copy(squats(), "squats.mp4")
            for text in code:
                values.append(self.run_cell(text, names))
            self.assertGreater(os.path.getsize("seen.mp4"), 10_000)
        self.assertEqual(os.getcwd(), before)
        self.assertEqual(names["counted"].count, 2)
        shown = [value._repr_html_() for value in values if hasattr(value, "_repr_html_")]
        # The result, and two tables of pandas.
        self.assertEqual(["<svg" in html for html in shown], [True, False, False])

    @staticmethod
    def run_cell(text, names):
        """Runs a cell as a notebook does; the value of its last line."""
        tree = ast.parse(text)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


if __name__ == "__main__":
    unittest.main()
