"""The wheel that script/package makes, from a small tree with a script in place of the command, and its list of parts."""
import base64
import csv
import hashlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from clips import ROOT

MAKER = ROOT / "script" / "packaging" / "wheel.py"


def loaded(path):
    """Loads a program of script/ as a module."""
    description = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(description)
    with mock.patch.object(sys, "path", [str(path.parent), *sys.path]):
        description.loader.exec_module(module)
    return module


class Wheel(unittest.TestCase):
    #: Where shells and `man` look for them.
    HELP = ("share/man/man1/kinema.1", "share/bash-completion/completions/kinema",
            "share/zsh/vendor-completions/_kinema", "share/fish/vendor_completions.d/kinema.fish")

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        tree = cls.folder / "tree"
        for name, text in (
                ("bin/kinema", '#!/bin/sh\necho "$0" "$@"\n'), ("lib/libfirst.so.1", "library"),
                ("share/kinema/models/a.tflite", "model"), *((name, "help") for name in cls.HELP)):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        (tree / "lib/libfirst.so").symlink_to("libfirst.so.1")
        (tree / "bin/kinema").chmod(0o755)
        cls.wheel = cls.make("0.9.0-dev+abc1234.changed")

    @classmethod
    def make(cls, version):
        command = [sys.executable, MAKER, "--tree", cls.folder / "tree", "--module", ROOT / "Python" / "kinema"]
        command += ["--version", version, "--libc", "2.31", "--machine", "x86_64", cls.folder]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}
        run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        return Path(run.stdout.strip())

    def test_its_name_says_version_and_c_library(self):
        self.assertEqual(self.wheel.name, "kinema-0.9.0.dev0+abc1234.changed-py3-none-manylinux_2_31_x86_64.whl")

    def test_the_record_is_that_of_the_files(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            (record,) = [name for name in names if name.endswith("/RECORD")]
            rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
            self.assertEqual([row[0] for row in rows], names)
            for name, digest, size in rows[:-1]:
                content = archive.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(size)), (f"sha256={expected}", len(content)))
            self.assertEqual(archive.read("kinema/_bundle/lib/libfirst.so"), b"library")
            self.assertIn("kinema/py.typed", names)

    def test_the_same_input_gives_the_same_bytes(self):
        before = self.wheel.read_bytes()
        self.assertEqual(self.make("0.9.0-dev+abc1234.changed").read_bytes(), before)

    def test_pip_installs_module_and_command(self):
        place = self.folder / "environment"
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index",
             "--no-deps", "--prefix", place, self.wheel], check=True)
        (module,) = place.glob("lib/python3.*/site-packages")
        environment = {"PYTHONPATH": str(module), "PATH": os.environ["PATH"]}
        command = [place / "bin" / "kinema", "count", "a b"]
        run = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.assertEqual(run.stdout.strip(), f"{module}/kinema/_bundle/bin/kinema count a b", run.stderr)
        self.assertEqual([(place / name).read_text() for name in self.HELP], ["help"] * 4)
        ask = [sys.executable, "-c", "import kinema; print(kinema.__version__)"]
        version = subprocess.run(ask, capture_output=True, text=True, env=environment).stdout.strip()
        self.assertEqual(version, "0.9.0.dev0+abc1234.changed")

    def test_one_that_is_too_large_is_refused_in_one_line(self):
        maker = loaded(MAKER)
        self.assertEqual(maker.LIMIT, 100_000_000)
        path = self.folder / "large.whl"
        for size, is_kept in ((2_000_000, True), (2_000_001, False)):
            path.unlink(missing_ok=True)
            (partial := Path(f"{path}.partial")).write_bytes(bytes(size))
            if is_kept:
                maker.keep(str(path), 2_000_000)
            else:
                with self.assertRaisesRegex(SystemExit, "^wheel.py: large.whl has 2.0 MB, above 2 MB; leave models out$"):
                    maker.keep(str(path), 2_000_000)
            self.assertEqual((path.exists(), partial.exists()), (is_kept, False))

    def test_a_version_that_python_does_not_know_is_refused(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.make("first")


class ListOfParts(unittest.TestCase):
    def test_added_models_are_in_it_as_they_state_themselves(self):
        sbom = loaded(ROOT / "script" / "supply" / "sbom.py")
        bill = sbom.Bill({})
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("a.json", "b.json")]
            stated = {"name": "tiny", "licence": "Apache-2.0", "origin": "its publisher", "sha256": "ab" * 32}
            files[0].write_text(json.dumps({**stated, "file": "tiny.xml", "decoder": "heatmap"}))
            files[1].write_text(json.dumps({"name": "own", "licence": "ask me"}))
            sbom.add_models(bill, files)
        tiny, own = bill.components.values()
        self.assertEqual((tiny["type"], tiny["name"]), ("machine-learning-model", "tiny"))
        self.assertEqual(tiny["licenses"], [{"expression": "Apache-2.0"}])
        self.assertEqual(tiny["hashes"], [{"alg": "SHA-256", "content": "ab" * 32}])
        self.assertEqual(tiny["properties"], [{"name": "kinema:origin", "value": "its publisher"}])
        self.assertEqual(own["licenses"], [{"license": {"name": "ask me"}}])
        self.assertEqual(bill.needs["kinema"], {"model:tiny", "model:own"})
        self.assertEqual(bill.faults, [])


if __name__ == "__main__":
    unittest.main()
