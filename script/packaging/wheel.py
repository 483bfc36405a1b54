"""Makes a wheel from the module in Python/kinema and the tree that script/package lays out.

    wheel.py --tree TREE --module Python/kinema --version 0.9.0 --libc 2.31 --machine x86_64 FOLDER

Command, libraries, models and page go to kinema/_bundle; manual pages and completions go to the environment's share folder.
The same input gives the same bytes (SOURCE_DATE_EPOCH). Prints the wheel's path.
"""
import argparse
import base64
import hashlib
import os
import re
import stat
import sys
import time
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: kinema
Version: {version}
Summary: Sees how people move in video: counts, coaches, classifies, gives the joints of everyone as arrays
License: GPL-3.0-or-later
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: notebook
Requires-Dist: pandas; extra == "notebook"
Requires-Dist: matplotlib; extra == "notebook"
Requires-Dist: tqdm; extra == "notebook"
Description-Content-Type: text/markdown

"""
WHEEL = """\
Wheel-Version: 1.0
Generator: kinema
Root-Is-Purelib: false
Tag: {tag}
"""
SCRIPTS = "[console_scripts]\nkinema = kinema.command:main\nkinema-studio = kinema.command:main\n"
#: The maximum size of a wheel in bytes; larger ones cannot be published.
LIMIT = 100_000_000
#: Folders of the tree that other programs look up in the environment.
SHARED = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/")


def normalised(version):
    """The version in Python's form: 0.9.0-dev+abc becomes 0.9.0.dev0+abc."""
    version = version.replace("-dev", ".dev0")
    if not re.fullmatch(r"\d+(\.\d+)*(\.dev0)?(\+[a-z0-9]+(\.[a-z0-9]+)*)?", version):
        sys.exit(f"wheel.py: {version} is not a valid Python version")
    return version


def files(folder):
    """Every file below a folder; links are followed, because a wheel cannot hold links."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            yield os.path.relpath(path, folder), path


def members(options, version):
    """The content of the wheel: name and path."""
    for name, path in files(options.module):
        if name.endswith((".py", ".typed")):
            yield f"kinema/{name}", path
    for name, path in files(options.tree):
        if name == "bin/kinema-studio":  # The same command under another name.
            continue
        place = f"kinema-{version}.data/data/" if name.startswith(SHARED) else "kinema/_bundle/"
        yield place + name, path


class Wheel:
    """A wheel being written."""

    def __init__(self, path, epoch):
        # Zip files cannot hold earlier dates.
        self.date = time.gmtime(max(epoch, 315532800))[:6]
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.record = []

    def add(self, name, content, is_program=False):
        entry = zipfile.ZipInfo(name, self.date)
        entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
        entry.external_attr = (stat.S_IFREG | (0o755 if is_program else 0o644)) << 16
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")

    def finish(self, information):
        record = f"{information}/RECORD"
        self.add(record, ("".join(self.record) + f"{record},,\n").encode())
        self.archive.close()


def keep(path, limit=LIMIT):
    """Renames a finished wheel from its partial name; removes one that is too large, and exits with one line."""
    size = os.path.getsize(path + ".partial")
    if size > limit:
        os.remove(path + ".partial")
        sys.exit(f"wheel.py: {os.path.basename(path)} has {size / 1e6:.1f} MB, above {limit / 1e6:g} MB; leave models out")
    os.replace(path + ".partial", path)


def main():
    parser = argparse.ArgumentParser(prog="wheel.py")
    for name in ("tree", "module", "version", "libc", "machine"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("folder")
    options = parser.parse_args()
    version = normalised(options.version)
    tag = f"py3-none-manylinux_{options.libc.replace('.', '_')}_{options.machine}"
    path = os.path.join(options.folder, f"kinema-{version}-{tag}.whl")
    information = f"kinema-{version}.dist-info"
    wheel = Wheel(path + ".partial", int(os.environ.get("SOURCE_DATE_EPOCH", 0)))
    for name, source in members(options, version):
        with open(source, "rb") as file:
            wheel.add(name, file.read(), os.access(source, os.X_OK))
    with open(os.path.join(options.module, "..", "..", "Documentation", "python.md"), "rb") as file:
        wheel.add(f"{information}/METADATA", METADATA.format(version=version).encode() + file.read())
    wheel.add(f"{information}/WHEEL", WHEEL.format(tag=tag).encode())
    wheel.add(f"{information}/entry_points.txt", SCRIPTS.encode())
    wheel.finish(information)
    keep(path)
    print(path)


if __name__ == "__main__":
    main()
