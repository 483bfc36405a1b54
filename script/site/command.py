"""Pages of a command, one per subcommand, from the description that it prints, like the manual pages."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../packaging"))

import manuals  # noqa: E402
from markup import escaped  # noqa: E402


def value(argument):
    return f"<var>{escaped(argument.get('valueName') or 'value')}</var>"


def term(argument):
    if argument["kind"] == "positional":
        return value(argument)
    names = ", ".join(f"<code>{escaped(manuals.spelled(name))}</code>" for name in argument.get("names", []))
    return names + (f" {value(argument)}" if argument["kind"] == "option" else "")


def synopsis(argument):
    if argument["kind"] == "rest":
        return "[<var>options</var>]"
    word = value(argument)
    if argument["kind"] != "positional":
        word = escaped(manuals.spelled(argument["preferredName"])) + (f" {word}" if argument["kind"] == "option" else "")
    word += "…" if argument.get("isRepeating") else ""
    return f"[{word}]" if argument["isOptional"] else word


def paragraphs(text):
    """Paragraphs, with indented text kept as it is; words in backticks become code."""
    found = []
    for part in re.split(r"\n\s*\n", (text or "").strip("\n")):
        if part.startswith("    "):
            found.append(f"<pre><code>{escaped(part)}</code></pre>")
        elif part.strip():
            found.append("<p>" + re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(part)) + "</p>")
    return found


def page(command, above):
    words = [*above, command["commandName"]]
    arguments = manuals.joined(manuals.shown(command.get("arguments")))
    below = [each for each in manuals.shown(command.get("subcommands")) if each["commandName"] != "help"]
    needed = [each for each in arguments if each["kind"] == "positional" or not each["isOptional"]]
    used = [*needed, *([{"kind": "rest"}] if len(needed) < len(arguments) else [])]
    lines = [f"<h1>{' '.join(words)}</h1>", f"<p>{escaped(command.get('abstract'))}</p>"]
    usage = [*words, *map(synopsis, used), *(["<var>subcommand</var>"] if below else [])]
    lines.append(f'<pre class="usage"><code>{" ".join(usage)}</code></pre>')
    lines += paragraphs(command.get("discussion"))
    sections = {}
    for argument in arguments:
        default = "Arguments" if argument["kind"] == "positional" else "Options"
        sections.setdefault((argument.get("sectionTitle") or default).capitalize(), []).append(argument)
    if below:
        lines.append("<h2>Subcommands</h2><dl>")
        for each in below:
            name = "-".join([*words, each["commandName"]])
            lines.append(f'<dt><a href="{name}.html">{escaped(each["commandName"])}</a></dt><dd>{escaped(each.get("abstract"))}</dd>')
        lines.append("</dl>")
    for name, members in sections.items():
        lines.append(f"<h2>{escaped(name)}</h2><dl>")
        lines += [f"<dt>{term(each)}</dt><dd>{''.join(paragraphs(manuals.explained(each)))}</dd>" for each in members]
        lines.append("</dl>")
    if above:
        lines.append(f'<p>A part of <a href="{"-".join(above)}.html">{" ".join(above)}</a>.</p>')
    title = " ".join(words)
    yield {
        "target": f"command/{'-'.join(words)}.html", "title": title, "name": title, "content": "\n".join(lines),
        # The sidebar shows the commands; their pages list their subcommands.
        "part": "Command" if len(words) < 3 else None,
    }
    for each in below:
        yield from page(each, words)


def pages(command):
    return list(page(command, []))
