"""Reads Markdown as GitHub and DocC do, and turns links between files into links between pages."""
import html
import os
import posixpath
import re

from markdown_it import MarkdownIt


def slug(text, taken):
    """The name by which GitHub links to a heading."""
    base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    taken.add(name)
    return name


def plain(token):
    """An inline token's text, without markup."""
    return "".join(child.content for child in token.children or [] if child.type in ("text", "code_inline"))


class Reader:
    def __init__(self, root, targets, titles, catalogue):
        self.root, self.targets, self.titles, self.catalogue = root, targets, titles, catalogue
        # Images and other files that pages show or link to, to be copied.
        self.files = set()
        self.markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        rules = self.markdown.renderer.rules
        rules["table_open"] = lambda *_: '<div class="wide"><table>\n'
        rules["table_close"] = lambda *_: "</table></div>\n"

    def page(self, path, text, target):
        tokens = self.markdown.parse(text)
        taken, title, faults = set(), None, []
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                name = plain(tokens[index + 1])
                token.attrSet("id", slug(name, taken))
                title = title or name
            elif token.type == "inline":
                line = (token.map or [0])[0] + 1
                faults += [f"{path}:{line}: {fault}" for fault in self.turn(token.children, path, target)]
        content = self.markdown.renderer.render(tokens, self.markdown.options, {})
        return {"title": title or path, "content": content, "faults": faults}

    def turn(self, tokens, path, target):
        """Rewrites the links and images of a paragraph; yields those that lead nowhere."""
        inside = None
        for token in tokens or []:
            if token.type == "image":
                file = posixpath.normpath(posixpath.join(posixpath.dirname(path), token.attrs["src"]))
                if not os.path.isfile(os.path.join(self.root, file)):
                    yield f"no image {file}"
                self.files.add(file)
                token.attrSet("src", self.between(target, file))
                token.attrSet("loading", "lazy")
            elif token.type == "link_open":
                inside = None
                address = token.attrs["href"]
                if re.match(r"https?://|mailto:", address):
                    continue
                if address.startswith("doc:"):
                    address, path_of = address[4:] + ".md", self.catalogue
                else:
                    path_of = posixpath.dirname(path)
                file, _, heading = address.partition("#")
                file = posixpath.normpath(posixpath.join(path_of, file)) if file else path
                kept = f"#{heading}" if heading else ""
                if file == self.catalogue:
                    file = f"{file}/Kinema.md"
                if file in self.targets:
                    token.attrSet("href", self.between(target, self.targets[file]) + kept)
                elif not os.path.exists(os.path.join(self.root, file)):
                    yield f"no file {file}"
                elif file == "LICENSE":
                    self.files.add(file)
                    token.attrSet("href", self.between(target, file))
                else:
                    # A repository file that is not a page: its name stays, without a link.
                    token.tag, token.attrs = "span", {"class": "file", "title": file}
                    inside = token
            elif token.type == "link_close":
                if inside is not None:
                    token.tag, inside = "span", None
            elif token.type == "text" and token.content.startswith("doc:"):
                token.content = self.titles.get(f"{self.catalogue}/{token.content[4:]}.md", token.content)

    @staticmethod
    def between(source, target):
        return posixpath.relpath(target, posixpath.dirname(source) or ".")


def escaped(text):
    return html.escape(text or "", quote=False)
