"""Runs the documentation's notebook and stores the output of its cells; renders it as a page.

    KINEMA_COMMAND=… notebook.py Documentation/notebook.ipynb
"""
import ast
import base64
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile

#: The clip that the notebook names.
CLIP = ["synth", "--scene", "squat", "--repetitions", "2", "--size", "320x240", "--frame-rate", "10"]


def run(notebook):
    """Runs every code cell as a notebook does, in this folder; yields the cell and the value of its last line."""
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "cell", "exec"), names)
            yield cell, eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def outputs(value, number):
    """What a notebook stores for a value and for the charts drawn so far."""
    from matplotlib import pyplot

    found = []
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = re.sub(r"<style.*?</style>", "", value._repr_html_(), flags=re.DOTALL).splitlines(True)
        found.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    for figure in map(pyplot.figure, pyplot.get_fignums()):
        picture = io.BytesIO()
        figure.savefig(picture, format="png", bbox_inches="tight", dpi=80, metadata={"Software": None})
        code = base64.b64encode(picture.getvalue()).decode()
        found.append({"output_type": "display_data", "metadata": {}, "data": {"image/png": code}})
    pyplot.close("all")
    return found


def text(notebook):
    """The notebook as Markdown with its results as HTML."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for data in (output["data"] for output in cell.get("outputs", [])):
            if "text/html" in data:
                # In Markdown, an empty line ends HTML.
                inside = re.sub(r"\n\s*\n", "\n", "".join(data["text/html"]))
                parts.append(f'<div class="wide result">\n{inside}\n</div>')
            elif "image/png" in data:
                parts.append(f'<div class="result"><img alt="chart" src="data:image/png;base64,{data["image/png"]}"></div>')
            elif "text/plain" in data:
                parts.append("```text\n" + "".join(data["text/plain"]) + "\n```")
    return "\n\n".join(parts) + "\n"


def main(path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "kinema"
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        command = [os.environ["KINEMA_COMMAND"], *CLIP, "--output", "squats.mp4"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for number, (cell, value) in enumerate(run(notebook), 1):
            cell["execution_count"], cell["outputs"] = number, outputs(value, number)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
