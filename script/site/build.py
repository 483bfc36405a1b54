"""Makes one site from the repository's pages, the library's guides and the command's description of itself.

    kinema --experimental-dump-help | build.py --version 1.0 ROOT OUT

Fails if a link of a page leads nowhere: to no file of the repository, no page of the site, or no heading of a page.
"""
import argparse
import glob
import html
import json
import os
import shutil
import sys

import check
import command
import markup
import notebook

# Where each file goes, and its section of the sidebar. Other guides go under "Guides".
PARTS = ["Start", "Guides", "Library", "Command", "Project"]
PLACES = {
    "README.md": ("index.html", "Start"),
    "Documentation/install.md": ("install.html", "Start"),
    "Documentation/cookbook.md": ("cookbook.html", "Start"),
    "Documentation/architecture.md": ("architecture.html", "Project"),
    "Documentation/security.md": ("security-tests.html", "Project"),
    "CHANGELOG.md": ("changelog.html", "Project"),
    "CONTRIBUTING.md": ("contributing.html", "Project"),
    "SECURITY.md": ("security.html", "Project"),
    "THIRD_PARTY.md": ("third-party.html", "Project"),
}
CATALOGUE = "Sources/Kinema/Kinema.docc"
# Made by DocC, if present.
REFERENCE = "reference/documentation/index.html"

FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{up}base.css">
<link rel="stylesheet" href="{up}site.css">
</head>
<body class="site">
<a class="skip" href="#content">To the page</a>
<header><a class="name" href="{up}index.html"><img src="{up}icon.svg" alt="" width="32" height="32">Kinema</a>
<span>{version}</span><a class="all" href="#pages">Pages</a></header>
<div class="columns">
<main id="content">
{content}
</main>
<nav id="pages" aria-label="Pages">
{pages}
</nav>
</div>
</body>
</html>
"""


def sources(root):
    """Every page's file and its target."""
    found = {path: place for path, place in PLACES.items() if os.path.exists(os.path.join(root, path))}
    for path in sorted(glob.glob("Documentation/*.md", root_dir=root)):
        found.setdefault(path, (os.path.basename(path).lower().replace(".md", ".html"), "Guides"))
    for path in sorted(glob.glob("Documentation/*.ipynb", root_dir=root)):
        found[path] = (os.path.basename(path).replace(".ipynb", ".html"), "Guides")
    for path in sorted(glob.glob("Documentation/lab/*.md", root_dir=root)):
        found[path] = (f"lab/{os.path.basename(path).lower().replace('.md', '.html')}", "Project")
    for path in [f"{CATALOGUE}/Kinema.md", *sorted(glob.glob(f"{CATALOGUE}/*.md", root_dir=root))]:
        name = os.path.basename(path)
        target = "library/index.html" if name == "Kinema.md" else f"library/{name.lower().replace('.md', '.html')}"
        found[path] = (target, "Library")
    return found


def listed(pages, current):
    """The list of all pages, as links from the current one."""
    lines = []
    up = "../" * current.count("/")
    for part in PARTS:
        members = [page for page in pages if page["part"] == part]
        if not members:
            continue
        lines.append(f"<h2>{part}</h2><ul>")
        for page in members:
            here = ' aria-current="page"' if page["target"] == current else ""
            name = html.escape(page["name"])
            lines.append(f'<li><a href="{up}{page["target"]}"{here}>{name}</a></li>')
        lines.append("</ul>")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("root")
    parser.add_argument("out")
    options = parser.parse_args()
    places = sources(options.root)
    texts = {}
    for path in places:
        with open(os.path.join(options.root, path), encoding="utf-8") as file:
            texts[path] = notebook.text(json.load(file)) if path.endswith(".ipynb") else file.read()
    titles = {path: text.split("\n", 1)[0].lstrip("# ").replace("`", "") for path, text in texts.items()}
    reader = markup.Reader(options.root, {path: place[0] for path, place in places.items()}, titles, CATALOGUE)
    pages, faults = [], []
    for path, (target, part) in places.items():
        page = reader.page(path, texts[path], target)
        faults += page.pop("faults")
        name = {"README.md": "Overview", f"{CATALOGUE}/Kinema.md": "The library"}.get(path, page["title"])
        pages.append({**page, "target": target, "part": part, "name": name})
    if os.path.exists(os.path.join(options.out, REFERENCE)):
        pages.append({"target": REFERENCE, "part": "Library", "name": "Reference", "title": "Reference", "content": None})
    try:
        description = json.load(sys.stdin)["command"]
    except (KeyError, ValueError) as error:
        sys.exit(f"site: no description of a command: {error}")
    pages += command.pages(description)
    for page in pages:
        if page["content"] is None:
            continue
        place = os.path.join(options.out, page["target"])
        os.makedirs(os.path.dirname(place), exist_ok=True)
        title = page["title"] if page["title"] == "Kinema" else f'{page["title"]} - Kinema'
        with open(place, "w", encoding="utf-8") as file:
            file.write(FRAME.format(
                title=html.escape(title), up="../" * page["target"].count("/"), version=html.escape(options.version),
                pages=listed(pages, page["target"]), content=page["content"]))
    for path in reader.files:
        place = os.path.join(options.out, path)
        os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
        shutil.copyfile(os.path.join(options.root, path), place)
    page_of_studio = os.path.join(options.root, "Sources/KinemaStudio/Page")
    shutil.copyfile(os.path.join(page_of_studio, "css/base.css"), os.path.join(options.out, "base.css"))
    shutil.copyfile(os.path.join(page_of_studio, "icon.svg"), os.path.join(options.out, "icon.svg"))
    shutil.copyfile(os.path.join(os.path.dirname(__file__), "site.css"), os.path.join(options.out, "site.css"))
    faults += check.faults(options.out, [page["target"] for page in pages if page["content"] is not None])
    print("\n".join(faults), end="\n" if faults else "")
    print(f"{len(pages)} pages", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
