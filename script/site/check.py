"""Checks the links of pages; links that leave the site are not followed."""
import html.parser
import os
import posixpath


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id":
                self.names.add(value)


def faults(folder, targets):
    pages = {}
    for target in targets:
        pages[target] = Page()
        with open(os.path.join(folder, target), encoding="utf-8") as file:
            pages[target].feed(file.read())
    for target, page in pages.items():
        for link in page.links:
            if link.startswith(("http://", "https://", "mailto:", "data:")):
                continue
            file, _, name = link.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(target), file)) if file else target
            if not os.path.isfile(os.path.join(folder, file)):
                yield f"{target}: {link} leads to no file"
            elif name and file in pages and name not in pages[file].names:
                yield f"{target}: {link} leads to no heading"
