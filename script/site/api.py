#!/usr/bin/env python3
"""Writes the public symbols of symbol graphs to a list, or compares them with it; see script/api."""
import argparse, collections, glob, json, os, sys

parser = argparse.ArgumentParser()
parser.add_argument("--graphs", required=True)
parser.add_argument("--list", required=True)
parser.add_argument("--check", action="store_true")
arguments = parser.parse_args()

lines = collections.defaultdict(set)
for path in glob.glob(os.path.join(arguments.graphs, "*.symbols.json")):
    module = os.path.basename(path).split(".")[0].split("@")[0]
    with open(path) as file: graph = json.load(file)
    inherited = {relation["source"] for relation in graph["relationships"] if "sourceOrigin" in relation}
    for symbol in graph["symbols"]:
        # Conformances add symbols that the source does not declare.
        if symbol["identifier"]["precise"] in inherited or "location" not in symbol: continue
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        owner = ".".join(symbol["pathComponents"][:-1])
        lines[module].add(f"{owner + ': ' if owner else ''}{' '.join(declaration.split())}")

text = "".join(f"# {module}: {len(found)}\n" + "".join(line + "\n" for line in sorted(found)) + "\n" for module, found in sorted(lines.items()))
total = sum(len(found) for found in lines.values())
text = f"# Public symbols of the library, {total} in all; written by script/api.\n\n" + text

if arguments.check:
    with open(arguments.list) as file: known = file.read()
    if known != text:
        before, now = set(known.splitlines()), set(text.splitlines())
        changes = sorted(["- " + line for line in before - now if line[:1] != "#"] + ["+ " + line for line in now - before if line[:1] != "#"])
        print("\n".join(changes[:40]) or "the order or the numbers differ")
        sys.exit("Documentation/api.txt differs from the source; run script/api and review the difference")
else:
    with open(arguments.list, "w") as file: file.write(text)
    print(f"{total} public symbols")
