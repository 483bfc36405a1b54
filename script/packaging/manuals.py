"""Writes a command's manual pages, one per subcommand, from the description that the command prints.

    kinema --experimental-dump-help | manuals.py --version 1.0 --date @SECONDS FOLDER
"""
import argparse
import datetime
import json
import os
import re
import sys


def roff(text):
    """Text escaped for roff, so that no line looks like a request."""
    text = (text or "").replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def quoted(text):
    return '"' + roff(text).replace('"', '\\(dq') + '"'


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def value_of(argument):
    return f"\\fI{roff(argument.get('valueName') or 'value')}\\fR"


def term(argument):
    """The line that names an argument: every spelling, then its value."""
    if argument["kind"] == "positional":
        return value_of(argument)
    names = ", ".join(f"\\fB{roff(spelled(name))}\\fR" for name in argument.get("names", []))
    return names + (f" {value_of(argument)}" if argument["kind"] == "option" else "")


def synopsis(argument):
    word = value_of(argument)
    if argument["kind"] != "positional":
        word = f"\\fB{roff(spelled(argument['preferredName']))}\\fR"
        if argument["kind"] == "option":
            word += f" {value_of(argument)}"
    word += "..." if argument.get("isRepeating") else ""
    return f"[{word}]" if argument["isOptional"] else word


def explained(argument):
    """An argument's meaning, its values and its default."""
    text = [part for part in (argument.get("abstract"), argument.get("discussion")) if part]
    values = argument.get("allValues") or argument.get("allValueStrings")
    if values and argument["kind"] == "option":
        text.append(f"One of: {', '.join(values)}.")
    if argument.get("defaultValue") and argument["kind"] != "flag":
        text.append(f"Default: {argument['defaultValue']}.")
    return "\n".join(text)


def shown(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def joined(arguments):
    """The arguments, with a flag and its opposite merged, because the description repeats the text for both."""
    kept = []
    for each in arguments:
        last = kept[-1] if kept else None
        pair = last and last["kind"] == each["kind"] == "flag" and last.get("abstract") == each.get("abstract")
        if pair and each["preferredName"]["name"] == "no-" + last["preferredName"]["name"]:
            kept[-1] = {**last, "names": [*last["names"], *each["names"]]}
        else:
            kept.append(each)
    return kept


def page(command, above, version, date):
    """Yields a command's page and its subcommands'; `above` has the names of its parent commands."""
    words = [*above, command["commandName"]]
    title, arguments = "-".join(words), joined(shown(command.get("arguments")))
    below = [each for each in shown(command.get("subcommands")) if each["commandName"] != "help"]
    abstract = (command.get("abstract") or "").rstrip(".")
    lines = [
        f".TH {quoted(title.upper())} 1 {quoted(date)} {quoted('kinema ' + version)} {quoted('Kinema')}",
        ".SH NAME", f"{roff(title)} \\- {roff(abstract)}",
        ".SH SYNOPSIS", f"\\fB{roff(' '.join(words))}\\fR",
        *(synopsis(each) for each in arguments if each.get("preferredName", {}).get("name") not in ("help", "version")),
        *(["\\fIsubcommand\\fR"] if below else []),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", roff(command["discussion"])]
    sections = {}
    for argument in arguments:
        default = "ARGUMENTS" if argument["kind"] == "positional" else "OPTIONS"
        sections.setdefault((argument.get("sectionTitle") or default).upper(), []).append(argument)
    for name, members in sections.items():
        lines.append(f".SH {quoted(name)}")
        for argument in members:
            lines += [".TP", term(argument), roff(explained(argument))]
    if below:
        lines.append(".SH SUBCOMMANDS")
        for each in below:
            named = "-".join([*words, each["commandName"]])
            lines += [".TP", f"\\fB{roff(named)}\\fR(1)", roff(each.get("abstract"))]
    if above:
        lines += [".SH SEE ALSO", f"\\fB{roff('-'.join(above))}\\fR(1)"]
    text = re.sub(r"\n\s*\n", "\n.PP\n", "\n".join(line for line in lines if line))
    yield title, text + "\n"
    for each in below:
        yield from page(each, words, version, date)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True, help="@ and the seconds since 1970")
    parser.add_argument("folder")
    options = parser.parse_args()
    try:
        moment = datetime.datetime.fromtimestamp(int(options.date.removeprefix("@")), datetime.timezone.utc)
        command = json.load(sys.stdin)["command"]
    except (KeyError, ValueError) as error:
        sys.exit(f"manuals: no date, or no description of a command: {error}")
    os.makedirs(options.folder, exist_ok=True)
    for title, text in page(command, [], options.version, moment.strftime("%Y-%m-%d")):
        with open(os.path.join(options.folder, f"{title}.1"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
