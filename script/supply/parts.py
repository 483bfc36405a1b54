"""What Kinema consists of in this checkout and on this machine: the source of `script/sbom`."""
import functools
import json
import os
import re
import subprocess


class Fault(Exception):
    """What is missing or wrong, in one line."""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def output(*command, check=True):
    """A command's output; empty if the command fails or does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=check).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


# ---------------------------------------------------------------- THIRD_PARTY.md

SCOPES = {
    "Linked": "required", "Loaded at run time": "required", "Models": "optional", "Started as programs": "optional",
    "Only for building, testing and measuring": "excluded",
}


def licences(root):
    """Each part in a table of THIRD_PARTY.md: its licence, the scope of its chapter, its version."""
    parts, scope = {}, None
    for number, line in enumerate(read(root, "THIRD_PARTY.md").splitlines(), 1):
        if line.startswith("## "):
            scope = SCOPES.get(line[3:].strip())
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not scope or not line.startswith("| `") or len(cells) != 5:
            continue
        licence = re.fullmatch("`([^`]+)`", cells[2])
        if not licence:
            raise Fault(f"THIRD_PARTY.md:{number}: the licence is not an SPDX expression in backticks")
        for name in re.findall("`([^`]+)`", cells[0]):
            if name in parts:
                raise Fault(f"THIRD_PARTY.md:{number}: {name} is listed twice")
            parts[name] = {"licence": licence[1], "scope": scope, "version": cells[1], "use": cells[3]}
    return parts


# ---------------------------------------------------------------- Swift packages

def swift_packages(root):
    """The packages of Package.resolved, each with its dependencies."""
    try:
        pins = json.loads(read(root, "Package.resolved"))["pins"]
    except OSError as error:
        raise Fault("there is no Package.resolved; run swift package resolve") from error
    names = {pin["identity"] for pin in pins}
    packages = [
        {"name": pin["identity"], "version": pin["state"].get("version"), "revision": pin["state"]["revision"],
         "address": re.sub(r"\.git$", "", pin["location"])} for pin in pins]
    for package in packages:
        package["needs"] = needs(checkout(root, package["address"]), names)
    return packages, needs(root, names)


def checkout(root, address):
    for build in (".build", ".build-checked", ".build-package"):
        folder = os.path.join(root, build, "checkouts", address.rsplit("/", 1)[1])
        if os.path.isdir(folder):
            return folder
    return None


def needs(folder, names):
    """The resolved packages that a manifest names."""
    if folder is None:
        return []
    found = re.findall(r'\.package\(\s*(?:name:[^,]*,\s*)?url:\s*"([^"]+)"', read(folder, "Package.swift"))
    identities = {re.sub(r"\.git$", "", address).rsplit("/", 1)[1].lower() for address in found}
    return sorted(identities & names)


def measuring_packages(root):
    """The packages that the manifest in Benchmarks names, which only `script/benchmarks` resolves: address, version."""
    return re.findall(r'url:\s*"([^"]+?)(?:\.git)?",\s*from:\s*"([^"]+)"', read(root, "Benchmarks", "Package.swift"))


# Programs that a script requires but never installs.
ASKED_FOR = ["valgrind"]


def swift_version():
    found = re.search(r"Swift version (\S+)", output("swift", "--version"))
    return found[1] if found else None


# ---------------------------------------------------------------- system packages

@functools.cache
def database():
    """Every installed Debian package with its version, architecture and source."""
    text = output("dpkg-query", "--show", "--showformat=${Package}\t${Version}\t${Architecture}\t${source:Package}\t"
                  "${db:Status-Status}\n")
    rows = (line.split("\t") for line in text.splitlines())
    return {row[0]: row[1:4] for row in rows if len(row) == 5 and row[4] == "installed"}


def distribution():
    """The distribution's name in package addresses (purl)."""
    try:
        found = re.search(r'^ID="?([a-z]+)', read("/etc/os-release"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else "debian"


def installed(package):
    """Version, architecture and source of an installed Debian package; None if it is not installed."""
    return database().get(package)


def owners(paths):
    """The Debian package of each file, by path. A package may list the path from before /lib became a link."""
    real = {path: os.path.realpath(path) for path in paths}
    asked = {candidate for path in real.values() for candidate in (path, path.removeprefix("/usr"))}
    text = output("dpkg-query", "--search", *sorted(asked), check=False) if asked else ""
    known = dict(reversed(line.split(": ", 1)) for line in text.splitlines() if ": " in line)
    found = {path: known.get(place) or known.get(place.removeprefix("/usr")) for path, place in real.items()}
    return {path: package.split(",")[0].split(":")[0] for path, package in found.items() if package}


def libraries(development_packages):
    """The packages of shared libraries that the libraries of -dev packages load, each with the -dev package that names it
    directly, or None if only another library loads it."""
    files = {}
    for package in development_packages:
        for path in output("dpkg-query", "--listfiles", package).splitlines():
            if re.search(r"/lib[^/]+\.so$", path) and os.path.exists(path):
                files[path] = package
    loaded = re.findall(r"=> (/\S+)", output("ldd", *sorted(files)) if files else "")
    found = dict.fromkeys(sorted(set(owners(loaded).values())))
    found.update({package: files[path] for path, package in owners(files).items()})
    return found


# Debian's short names of licences in SPDX form.
SPDX = {
    "Expat": "MIT", "MIT/X11": "MIT", "MIT": "MIT", "X11": "X11", "ISC": "ISC", "Zlib": "Zlib", "WTFPL-2": "WTFPL",
    "Apache-2.0": "Apache-2.0", "MPL-2.0": "MPL-2.0", "BSD-2-clause": "BSD-2-Clause", "BSD-2-Clause": "BSD-2-Clause",
    "BSD-3-clause": "BSD-3-Clause", "BSD-3-Clause": "BSD-3-Clause", "BSD-3-Clause-Clear": "BSD-3-Clause-Clear",
    "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-2.0+": "GPL-2.0-or-later", "GPL-3+": "GPL-3.0-or-later",
    "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later", "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3+": "LGPL-3.0-or-later", "FTL": "FTL", "libpng": "Libpng",
}


def stated_licence(package):
    """The licence that a Debian package states for most of its files, in SPDX form if there is one."""
    try:
        text = read("/usr/share/doc", package, "copyright")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r"^Files:\s*\*\s*$.*?^License:[ \t]*(\S[^\n]*)$", text, re.MULTILINE | re.DOTALL)
    if not found:
        return None
    words = re.split(r" (or|and) ", found[1].strip())
    terms = [word.upper() if word in ("or", "and") else SPDX.get(word) for word in words]
    return " ".join(terms) if all(terms) and len({*terms} & {"OR", "AND"}) < 2 else found[1].strip()


# ---------------------------------------------------------------- what scripts download

def downloads(root):
    """The lines of script/downloads.txt as (kind, name, version, SHA-256, what distinguishes it from others of its name)."""
    for line in read(root, "script", "downloads.txt").splitlines():
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        kind = fields[0]
        if kind == "wheel":
            name, version = fields[3].split("==")
            yield kind, name, version, fields[6], fields[5]
        elif kind == "tool":
            name, version = fields[1].split("==")
            yield kind, name, version, fields[2], None
        elif kind == "model":
            yield kind, os.path.basename(fields[1]), None, fields[2], None
        elif kind == "runtime":
            name = fields[1].split("/", 1)[1] if fields[1].endswith("licenses/*") else os.path.basename(fields[1])
            yield kind, name, None, None, None
        else:
            raise Fault(f"script/downloads.txt has an unknown kind of line: {kind}")


def fetchable_models(root):
    """The models of `kinema models fetch`: name and files with their SHA-256."""
    text = read(root, "Sources/KinemaPose/Models/FetchableModel.swift")
    for block in text.split("= FetchableModel(")[1:]:
        name = re.search(r'manifest\(\s*"([^"]+)"', block)[1]
        files = re.findall(r'File\(\s*name: "([^"]+)".*?sha256: "([0-9a-f]{64})"', block, re.DOTALL)
        yield name, files


def requirements(root):
    """The Python packages of script/requirements: (name, version, hashes, file)."""
    folder = os.path.join(root, "script/requirements")
    for file in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
        text = re.sub(r"^\s*#.*$", "", read(folder, file), flags=re.MULTILINE).replace("\\\n", " ")
        for line in filter(None, map(str.strip, text.splitlines())):
            found = re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line)
            hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", line)
            if not found or not hashes:
                raise Fault(f"script/requirements/{file}: no version or no SHA-256 in: {line[:60]}")
            yield found[1].lower(), found[2], hashes, file
