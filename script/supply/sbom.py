"""Prints what Kinema consists of as CycloneDX 1.6 JSON. `--check` prints only what is missing from THIRD_PARTY.md,
`--package FILE` the parts of a package whose libraries the file lists, `--models FILE …` adds models to it."""
import argparse
import datetime
import json
import os
import re
import sys
import uuid

import parts


class Bill:
    """The components by reference, and their dependencies."""

    def __init__(self, listed):
        self.listed, self.used = listed, set()
        self.components, self.needs = {}, {}
        self.faults = []

    def add(self, reference, name, kind="library", version=None, listed_as=None, **more):
        """Adds a component; its licence and scope are those of THIRD_PARTY.md. Returns its reference."""
        row = self.listed.get(listed_as or name)
        if row is None:
            self.faults.append(f"{listed_as or name} is not listed in THIRD_PARTY.md")
            return reference
        self.used.add(listed_as or name)
        component = {"type": kind, "bom-ref": reference, "name": name, "scope": row["scope"],
                     "licenses": [{"expression": row["licence"]}]}
        self.put(component, version, **more)
        return reference

    def put(self, component, version=None, hashes=(), **more):
        if version:
            component["version"] = version
        if hashes:
            component["hashes"] = [{"alg": "SHA-256", "content": each} for each in sorted(set(hashes))]
        component.update({key: value for key, value in more.items() if value})
        known = self.components.setdefault(component["bom-ref"], component)
        if known is not component and hashes:
            merged = {each["content"]: each for each in known.get("hashes", []) + component["hashes"]}
            known["hashes"] = [merged[key] for key in sorted(merged)]

    def depend(self, reference, needs):
        self.needs.setdefault(reference, set()).update(needs)


def property_of(**named):
    return [{"name": f"kinema:{key}", "value": value} for key, value in named.items() if value]


def add_swift(bill, root):
    packages, direct = parts.swift_packages(root)
    addresses = {each["name"]: f"pkg:swift/{each['address'].split('://')[1]}@{each['version'] or each['revision']}"
                 for each in packages}
    for each in packages:
        reference = bill.add(
            addresses[each["name"]], each["name"], version=each["version"] or each["revision"],
            purl=addresses[each["name"]], properties=property_of(revision=each["revision"]),
            externalReferences=[{"type": "vcs", "url": each["address"]}])
        bill.depend(reference, [addresses[name] for name in each["needs"]])
    bill.depend("kinema", [addresses[name] for name in direct])
    version = parts.swift_version()
    bill.depend("kinema", [bill.add("swift-runtime", "swift-runtime", "framework", version)])


def add_measuring(bill, root):
    """What only `script/benchmarks` builds and runs."""
    for address, version in parts.measuring_packages(root):
        reference = f"pkg:swift/{address.split('://')[1]}@{version}"
        bill.add(reference, address.rsplit("/", 1)[1].lower(), version=version, purl=reference,
                 externalReferences=[{"type": "vcs", "url": address}])
    for name in parts.ASKED_FOR:
        facts = parts.installed(name)
        address = package_address(name, facts) if facts else None
        bill.add(address or f"deb:{name}", name, "application", facts[0] if facts else None, purl=address)


def package_address(package, facts):
    version, architecture, source = facts
    upstream = f"&upstream={source}" if source != package else ""
    escaped = version.replace(":", "%3A").replace("+", "%2B")
    return f"pkg:deb/{parts.distribution()}/{package}@{escaped}?arch={architecture}{upstream}"


def add_system(bill, root):
    names = parts.output(f"{root}/script/bootstrap", "--packages").split()
    if not names:
        raise parts.Fault("script/bootstrap --packages lists no package")
    for name in names:
        facts = parts.installed(name)
        address = package_address(name, facts) if facts else None
        kind = "library" if name.startswith("lib") else "application"
        bill.add(address or f"deb:{name}", name, kind, facts[0] if facts else None, purl=address)
    development = [name for name in names if name.endswith("-dev")]
    brought = {name: row for name, row in bill.listed.items()
               if name.startswith("lib") and not name.endswith("-dev") and ".so" not in name}
    found = parts.libraries(development)
    for package, named_by in found.items():
        facts = parts.installed(package)
        if not facts:
            continue
        address = package_address(package, facts)
        family = next((name for name in brought if re.fullmatch(name + r"-?[\d.]+", package)), None)
        if named_by or family:
            bill.add(address, package, version=facts[0], listed_as=named_by or family, purl=address)
        else:
            add_brought(bill, package, facts[0], address)
        if named_by:
            bill.depend("kinema", [address])
    # The distribution decides which of them loads which: libavdevice loads every other FFmpeg library.
    addresses = {each: package_address(each, parts.installed(each)) for each in found if parts.installed(each)}
    for package, address in addresses.items():
        if package.startswith("libavdevice"):
            bill.depend(address, [each for name, each in addresses.items() if not found[name]])


def add_bundled(bill, path):
    """The libraries in a package: lines of file, Debian package, and `ffmpeg` for those built from its source."""
    owned = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            file, package, *built = line.rstrip("\n").split("\t")
            owned.setdefault((package, *built), []).append(file)
    named = {name.removesuffix("-dev").removesuffix("g1"): name for name in bill.listed if name.endswith("-dev")}
    families = [name for name in bill.listed if re.fullmatch(r"lib[^*]*(?<!-dev)", name)]
    for (package, *built), files in sorted(owned.items()):
        facts = parts.installed(package)
        address = package_address(package, facts)
        if built:
            bill.add(address, "ffmpeg", version=facts[0], listed_as="libavcodec-dev", purl=address,
                     properties=property_of(files=" ".join(files), built="script/packaging/ffmpeg"))
            bill.depend("kinema", [address])
            continue
        family = next((name for name in families if re.fullmatch(name + r"-?[\d.]+", package)), None)
        # libcairo2 is listed as libcairo2-dev, libsqlite3-0 as libsqlite3-dev.
        family = family or next((named[stem] for stem in named if re.fullmatch(stem + r"-?[\d.]*", package)), None)
        if family:
            bill.add(address, package, version=facts[0], listed_as=family, purl=address)
        else:
            add_brought(bill, package, facts[0], address)
        bill.depend("kinema", [address])


def add_brought(bill, package, version, address):
    """A library loaded by others, with the licence that its Debian package states."""
    licence = licence_of(parts.stated_licence(package), f"see /usr/share/doc/{package}/copyright")
    bill.put({"type": "library", "bom-ref": address, "name": package, "scope": "required", "licenses": [licence]},
             version, purl=address)


def licence_of(stated, otherwise):
    """A licence in CycloneDX form: an SPDX expression, or the text that names it."""
    is_expression = stated is not None and all(
        word in ("OR", "AND") or word in parts.SPDX.values() for word in stated.split(" "))
    return {"expression": stated} if is_expression else {"license": {"name": stated or otherwise}}


def add_models(bill, files):
    """The models added to a package, as each model.json states them."""
    for path in files:
        about = json.loads(parts.read(path))
        component = {"type": "machine-learning-model", "bom-ref": f"model:{about['name']}", "name": about["name"],
                     "scope": "optional", "licenses": [licence_of(about.get("licence"), "not stated")]}
        bill.put(component, hashes=[about["sha256"]] if "sha256" in about else [],
                 properties=property_of(origin=about.get("origin")))
        bill.depend("kinema", [component["bom-ref"]])


def add_downloads(bill, root, is_package=False):
    runtime = []
    for kind, name, version, digest, told_by in parts.downloads(root):
        row = bill.listed.get(name, {})
        if version and row and row["version"] not in (version, "pinned"):
            bill.faults.append(f"{name} is {version} in script/downloads.txt, {row['version']} in THIRD_PARTY.md")
        if is_package and kind == "tool":
            continue
        if kind == "runtime":
            runtime.append(bill.add(f"file:{name}", name, "file" if "licenses" in name else "library"))
            continue
        address = f"pkg:pypi/{name}@{version}" + (f"?platform={told_by}" if told_by else "") if version else None
        reference = bill.add(
            address or f"file:{name}", name, "machine-learning-model" if kind == "model" else "library", version,
            hashes=[digest], purl=address)
        if kind == "model" or name == "openvino":
            bill.depend("kinema", [reference])
    for wheel in [each for each in bill.components if each.startswith("pkg:pypi/openvino@")]:
        bill.depend(wheel, runtime)
    if is_package:
        return
    for name, files in parts.fetchable_models(root):
        if not files:
            bill.faults.append(f"{name} has no file with a SHA-256 in FetchableModel.swift")
        inner = [{"type": "file", "bom-ref": f"model:{name}/{file}", "name": file,
                  "hashes": [{"alg": "SHA-256", "content": digest}]} for file, digest in files]
        bill.add(f"model:{name}", name, "machine-learning-model", components=inner)
    for name, version, digests, file in parts.requirements(root):
        address = f"pkg:pypi/{name}@{version}"
        bill.add(f"{address}#measuring" if name in ("openvino", "mediapipe") else address, name, version=version,
                 hashes=digests, purl=address, properties=property_of(requirements=f"script/requirements/{file}"))


def moment():
    """The time of the list: now, or SOURCE_DATE_EPOCH, with which repeated builds give the same list."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    zone = datetime.timezone.utc
    return datetime.datetime.fromtimestamp(int(seconds), zone) if seconds else datetime.datetime.now(zone)


def document(bill, root, version=None):
    commit = parts.output("git", "-C", root, "rev-parse", "HEAD").strip()
    source = parts.read(root, "Sources/Kinema/KinemaVersion+Unsafe.swift")
    version = version or re.search(r'number = "([^"]+)"', source)[1]
    kinema = {"type": "application", "bom-ref": "kinema", "name": "kinema", "version": version,
              "licenses": [{"expression": "Apache-2.0"}], "properties": property_of(revision=commit)}
    references = ["kinema", *bill.components]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{version} {commit} {moment()}')}", "version": 1,
        "metadata": {
            "timestamp": moment().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": "script/sbom", "version": version}]},
            "component": {key: value for key, value in kinema.items() if value},
        },
        "components": list(bill.components.values()),
        "dependencies": [
            {"ref": each, "dependsOn": sorted(bill.needs[each])} if bill.needs.get(each) else {"ref": each}
            for each in references],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--package", metavar="FILE")
    parser.add_argument("--models", metavar="FILE", nargs="*", default=[])
    parser.add_argument("--version")
    arguments = parser.parse_args()
    try:
        bill = Bill(parts.licences(arguments.root))
        add_swift(bill, arguments.root)
        if arguments.package:
            add_bundled(bill, arguments.package)
            add_models(bill, arguments.models)
        else:
            add_system(bill, arguments.root)
            add_measuring(bill, arguments.root)
        add_downloads(bill, arguments.root, arguments.package is not None)
        result = document(bill, arguments.root, arguments.version)
    except parts.Fault as fault:
        sys.exit(f"sbom: {fault}")
    # A system library may be listed under its name in one release and be used only in another.
    stale = [name for name in bill.listed if name not in bill.used and not name.startswith("lib")]
    faults = [*bill.faults, *(f"{name} is listed in THIRD_PARTY.md but not used" for name in stale)]
    if arguments.package:
        faults = bill.faults
    if not arguments.check:
        json.dump(result, sys.stdout, indent=1)
        print()
    elif not faults:
        print(f"{len(result['components'])} parts are listed with their licences")
    for fault in dict.fromkeys(faults):
        print(f"sbom: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
