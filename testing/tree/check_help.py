#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pages of ParaView's help and looks at them: one a proxy, well formed, every property and
its default on it, no link and no picture that leads nowhere, and nothing left of Markdown.

Use: check_help.py SOURCE_FOLDER XML_FOLDER WORK_FOLDER
"""
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

CLOSED = {"p", "table", "tr", "td", "th", "ul", "ol", "li", "pre", "tt", "b", "i", "a", "h1", "h2", "h3",
          "html", "head", "title", "body"}


class Page(HTMLParser):
    """What a page has: links, anchors, pictures, text, and tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.pictures, self.open, self.bad = [], set(), [], [], []
        self.text, self.in_code = [], 0
        self.feed(text)
        self.bad += [f"<{tag}> has no end" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag in CLOSED:
            self.open.append(tag)
        self.in_code += tag in ("pre", "tt")
        self.links += [found["href"]] if "href" in found else []
        self.anchors |= {found["name"]} if tag == "a" and "name" in found else set()
        self.pictures += [found["src"]] if tag == "img" else []

    def handle_startendtag(self, tag, attributes):
        self.pictures += [dict(attributes)["src"]] if tag == "img" else []

    def handle_endtag(self, tag):
        self.in_code -= tag in ("pre", "tt")
        if not self.open or self.open.pop() != tag:
            self.bad.append(f"</{tag}> ends nothing")

    def handle_data(self, data):
        self.text.append("" if self.in_code else data)


def problems_of(name, page, pages, work):
    yield from page.bad
    for link in page.links:
        if not link.startswith("http"):
            where, _, place = link.partition("#")
            target = pages.get(where or name)
            if target is None or (place and place not in target.anchors):
                yield f"the link {link} leads nowhere"
    yield from (f"there is no picture {one}" for one in page.pictures if not (work / one).exists())
    text = "".join(page.text)
    for sign in (r"\*\*", r"\]\(", r"`", r"^\|", "\0"):
        found = re.search(sign, text, re.MULTILINE)
        if found:
            yield f"'{found.group(0)}' is left in: {text[max(0, found.start() - 40):found.end() + 40]}"


def main():
    source, xml, work = (Path(one) for one in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    files = sorted(xml.glob("*.xml"))
    subprocess.run([sys.executable, source / "packaging/help/make_help.py", source / "docs", work, *files],
                   check=True)
    pages = {path.name: Page(path.read_text(encoding="utf-8")) for path in work.glob("*.html")}
    problems, entries = [], 0
    for name, page in pages.items():
        problems += [f"{name}: {one}" for one in problems_of(name, page, pages, work)]
    for path in files:
        for group in ElementTree.parse(path).getroot().findall("ProxyGroup"):
            for proxy in group:
                name = f"{group.get('name')}.{proxy.get('name')}.html"
                if name not in pages:
                    problems.append(f"there is no {name}, which the ? of its panel asks for")
                    continue
                text = (work / name).read_text(encoding="utf-8")
                for one in proxy:
                    if one.tag.endswith("Property") and one.get("command") and one.tag != "InputProperty":
                        entries += 1
                        if f"<tt>{one.get('name')}</tt>" not in text:
                            problems.append(f"{name} has no {one.get('name')}")
    project = (work / "Tessera.qhp").read_text(encoding="utf-8")
    problems += [f"Tessera.qhp has no {name}" for name in pages if f"<file>{name}</file>" not in project]
    if problems or not entries:
        print("The pages of the help:\n  " + "\n  ".join(problems))
        return 1
    print(f"{len(pages)} pages, {entries} entries of panels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
