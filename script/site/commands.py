"""Writes Documentation/commands.md: what all commands share, written by hand, then every command from its help.

    kinema --experimental-dump-help | commands.py PAGE            writes the page
    kinema --experimental-dump-help | commands.py --check PAGE    fails if the page differs from the help
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../packaging"))

import manuals  # noqa: E402

MARK = "<!-- from the help -->"
# Options that every help contains.
USUAL = {"help", "version"}


def cell(text):
    return re.sub(r"\s+", " ", text or "").strip().replace("|", "\\|").replace("<", "&lt;")


def term(argument):
    value = f" {argument.get('valueName') or 'value'}"
    if argument["kind"] == "positional":
        return f"`{argument.get('valueName', 'value').upper()}`"
    names = ", ".join(manuals.spelled(name) for name in argument.get("names", []))
    return f"`{names}{value if argument['kind'] == 'option' else ''}`".replace("|", "\\|")


def meaning(argument):
    return cell(manuals.explained(argument))


def sections(command, above=()):
    words = [*above, command["commandName"]]
    below = [each for each in manuals.shown(command.get("subcommands")) if each["commandName"] != "help"]
    if above:
        yield f"{'#' * min(4, len(words))} {' '.join(words)}\n"
        yield cell(command.get("abstract")) + "\n"
        arguments = [
            each for each in manuals.joined(manuals.shown(command.get("arguments")))
            if not USUAL & {name["name"] for name in each.get("names", [])}]
        if arguments:
            yield "| argument | |\n|---|---|\n" + "".join(f"| {term(each)} | {meaning(each)} |\n" for each in arguments)
    for each in below:
        yield from sections(each, words)


def main():
    *options, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        before = file.read()
    top = before[:before.index(MARK) + len(MARK)]
    command = json.load(sys.stdin)["command"]
    page = top + "\n\n" + "\n".join(sections(command))
    if options == ["--check"]:
        if page != before:
            sys.exit(f"{path} differs from the help; run script/docs --commands")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


main()
