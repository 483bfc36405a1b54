"""Compares SECURITY.md and Documentation/security.md with the source: in a table row that ends with a link to a file, every
text in backticks in the cell before must occur in that file. The types that Documentation/architecture.md names must be
words of Sources, or files or folders there or in Tests. Prints the differences."""
import glob
import os
import re
import sys


def faults(root, page):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        link = re.fullmatch(r"\[[^]]+\]\(([^)]+\.swift)\)", cells[-1])
        if not link:
            continue
        path = os.path.normpath(os.path.join(root, os.path.dirname(page), link[1]))
        if not os.path.exists(path):
            yield f"{page}:{number}: {link[1]} does not exist"
            continue
        with open(path, encoding="utf-8") as file:
            source = file.read()
        said = re.findall(r"`([^`]+)`", cells[-2])
        if not said:
            yield f"{page}:{number}: names nothing in {link[1]}"
        for text in said:
            if not re.search(re.escape(text) + r"(?![\w])", source):
                yield f"{page}:{number}: {link[1]} does not contain: {text}"


def unknown_types(root, page):
    words = set()
    for path in glob.glob(os.path.join(root, "Sources", "**", "*.swift"), recursive=True):
        with open(path, encoding="utf-8") as file:
            words.update(re.findall(r"\w+", path + " " + file.read()))
    for path in glob.glob(os.path.join(root, "Tests", "**", "*.swift"), recursive=True):
        words.update(re.findall(r"\w+", path))
    with open(os.path.join(root, page), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for word in re.findall(r"\b[A-Z]+[a-z0-9]+[A-Z]\w*", " ".join(re.findall(r"`([^`]+)`", line))):
                if word not in words:
                    yield f"{page}:{number}: Sources do not contain: {word}"


def main():
    found = [fault for page in ("SECURITY.md", "Documentation/security.md") for fault in faults(sys.argv[1], page)]
    found += unknown_types(sys.argv[1], "Documentation/architecture.md")
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
