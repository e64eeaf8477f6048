#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the pages of ParaView's own help (the ? of a panel): one a proxy, of docs/ and of the
panel's XML, and the pages of docs/ that they lead to.

Use: make_help.py DOCS OUTPUT XML...

DOCS: the folder docs/. OUTPUT: a folder, which receives the pages, their pictures and Tessera.qhp for
qhelpgenerator. XML: the proxies' files as ParaView reads them. The help's browser knows HTML 4 and no
Markdown, so what docs/ uses of the latter is written as HTML here.
"""
import html
import os
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

PICTURES = {"AdaptiveCurves": "demo.png", "AdaptiveGrid": "grid.png", "TurbulentJet": "grid.png",
            "AdaptivePointGrid": "points.png", "PointsToCurves": "points.png",
            "DiscImage": "points.png", "RandomDiscs": "points.png"}
# What they lead to.
OTHERS = ("panel.md", "criteria.md", "execution.md", "speed.md", "cuda.md", "adaptive-grid-cuda.md")
WIDTH = 640  # of a picture, in pixels


def described(docs):
    """Where docs/README.md says that each proxy is described: {name: (page, section)}. The section is None
    where the page is about this proxy alone."""
    with open(os.path.join(docs, "README.md"), encoding="utf-8") as file:
        table_of = re.search(r"^\| filter or source \|.*\n\|---.*\n((?:\|.*\n)+)", file.read(), re.MULTILINE)
    found = {}
    for labels, page in re.findall(r"^\| (.*?) \| \[(.*?)\]", table_of.group(1), re.MULTILINE):
        labels = labels.split(", ")
        for label in labels:
            found[label.replace(" ", "")] = (page, label if len(labels) > 1 else None)
    return found


def page_of(name, group):
    return f"{group}.{name}.html"


def anchor(title):
    """As GitHub makes them of headings."""
    return re.sub(r"[^\w -]", "", re.sub(r"[`*]", "", title).lower()).strip().replace(" ", "-")


def inline(text, links):
    """Code, pictures, links, bold and italics within a paragraph. links: page of docs/ -> file."""
    kept = []

    def keep(part):
        kept.append(part)
        return f"\0{len(kept) - 1}\0"

    def link(match):
        words, target = match.group(1), match.group(2)
        page, _, place = target.partition("#")
        if target.startswith("http"):
            where = target
        elif page == "" or page in links:
            where = links.get(page, "") + ("#" + place if place else "")
        else:  # a file of the sources
            return inline_plain(words)
        return keep(f'<a href="{html.escape(where)}">') + inline_plain(words) + keep("</a>")

    def inline_plain(words):
        return html.escape(words, quote=False)

    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"`([^`]*)`", lambda m: keep(f"<tt>{html.escape(m.group(1))}</tt>"), text)
    pieces = re.split(r"(\[[^\]]*\]\([^)\s]*\))", text)
    text = "".join(link(re.match(r"\[([^\]]*)\]\(([^)]*)\)", p)) if i % 2 else inline_plain(p)
                   for i, p in enumerate(pieces))
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<i>\1</i>", text)
    while re.search("\0\\d+\0", text):
        text = re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], text)
    return text


def table(lines, links):
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            for line in lines]
    out = ['<table border="1" cellspacing="0" cellpadding="4">']
    for k, row in enumerate(rows):
        if k == 1:  # the line below the titles
            continue
        tag = "th" if k == 0 else "td"
        cells = "".join(f'<{tag} align="left">{inline(c.replace(chr(92) + "|", "|"), links)}</{tag}>'
                        for c in row)
        out.append(f"<tr>{cells}</tr>")
    return "\n".join(out + ["</table>"])


def items(lines, links):
    """A list: an item begins with -, * or a number; what is indented goes on."""
    ordered = bool(re.match(r"\s*\d", lines[0]))
    out, item = [], []

    def end():
        if item:
            out.append(f"<li>{inline(' '.join(item), links)}</li>")
            item.clear()
    for line in lines:
        if re.match(r"\s*(-|\*|\d+\.) ", line):
            end()
            line = re.sub(r"^\s*(-|\*|\d+\.) ", "", line)
        item.append(line.strip())
    end()
    tag = "ol" if ordered else "ul"
    return f"<{tag}>\n" + "\n".join(out) + f"\n</{tag}>"


def to_html(text, links):
    """The body of a page of docs/."""
    out, lines, at = [], text.splitlines(), 0

    def take(good):
        nonlocal at
        begin = at
        while at < len(lines) and good(lines[at]):
            at += 1
        return lines[begin:at]
    while at < len(lines):
        line = lines[at]
        if line.startswith("<!--"):  # the marks of testing/bench/tables.sh
            at += 1
        elif line.startswith("```"):
            at += 1
            code = take(lambda one: not one.startswith("```"))
            at += 1
            out.append("<pre>" + html.escape("\n".join(code)) + "</pre>")
        elif line.startswith("    ") and line.strip():
            code = take(lambda one: one.startswith("    ") or not one.strip())
            out.append("<pre>" + html.escape("\n".join(c[4:] for c in code).rstrip()) + "</pre>")
        elif re.match(r"#+ ", line):
            depth, title = len(line.split(" ")[0]), line.lstrip("#").strip()
            out.append(f'<h{depth}><a name="{anchor(title)}"></a>{inline(title, links)}</h{depth}>')
            at += 1
        elif line.startswith("|"):
            out.append(table(take(lambda one: one.startswith("|")), links))
        elif re.match(r"(-|\*|\d+\.) ", line):
            out.append(items(take(lambda one: re.match(r"(-|\*|\d+\.) |  +\S", one)), links))
        elif line.strip():
            words = take(lambda one: one.strip() and not re.match(r"#+ |\||```|<!--|(-|\*|\d+\.) ", one))
            out.append(f"<p>{inline(' '.join(words), links)}</p>")
        else:
            at += 1
    return "\n".join(out)


def section_of(text, title):
    """A section of a page, without its heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"make_help.py: there is no section '{title}'")
    return found.group(1)


def words_of(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def values_of(element):
    """What a property may be: its choices, or its bounds."""
    entries = [entry.get("text") for entry in element.findall("EnumerationDomain/Entry")]
    if entries:
        return ", ".join(entries)
    if element.find("BooleanDomain") is not None:
        return "off, on"
    bounds = next((d for d in element if d.tag.endswith("RangeDomain")), None)
    least, most = (bounds.get("min"), bounds.get("max")) if bounds is not None else (None, None)
    if least and most:
        return f"{least} to {most}"
    return f"{least} or more" if least else ""


def default_of(element):
    value = element.get("default_values") or ""
    for entry in element.findall("EnumerationDomain/Entry"):
        if entry.get("value") == value:
            return entry.get("text")
    if element.find("BooleanDomain") is not None:
        return {"0": "off", "1": "on"}.get(value, value)
    return value


def properties_table(proxy):
    """Everything on the panel: what can be set, and then what it reports."""
    def row(element, *cells):
        name, label = element.get("name"), element.get("label") or element.get("name")
        cells = (f"<b>{html.escape(label)}</b><br/><tt>{name}</tt>",
                 *(html.escape(c) for c in cells), html.escape(words_of(element.find("Documentation"))))
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"

    def head(*titles):
        return ('<table border="1" cellspacing="0" cellpadding="4"><tr>'
                + "".join(f'<th align="left">{title}</th>' for title in titles) + "</tr>")
    on_panel = [e for e in proxy if e.tag.endswith("Property") and e.get("command")]
    is_set = [e for e in on_panel if e.get("information_only") != "1"]
    told = [e for e in on_panel if e.get("information_only") == "1"]
    out = ["<h2>The panel</h2>", "<p>The name in scripts stands below the label.</p>",
           head("property", "default", "values", "what it does")]
    out += [row(e, default_of(e), values_of(e)) for e in is_set]
    out.append("</table>")
    if told:
        out += ["<h2>The report in the panel</h2>", head("entry", "what it says")]
        out += [row(e) for e in told] + ["</table>"]
    return "\n".join(out)


def write_page(folder, name, title, body):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        out.write(f"<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>"
                  f"<title>{html.escape(title)}</title></head>\n<body>\n{body}\n</body></html>\n")


def proxy_page(docs, folder, name, group, proxy, place, links):
    """Title, picture, what docs/ says, and the panel. place: of described()."""
    page, section = place
    label = proxy.get("label") or name
    with open(os.path.join(docs, page), encoding="utf-8") as file:
        text = file.read()
    text = section_of(text, section) if section else re.sub(r"\A# .*\n", "", text)
    body = [f"<h1>{html.escape(label)}</h1>"]
    if name in PICTURES:
        shutil.copy(os.path.join(docs, PICTURES[name]), folder)
        body.append(f'<p><img src="{PICTURES[name]}" width="{WIDTH}"/></p>')
    body += [to_html(text, links), properties_table(proxy)]
    write_page(folder, page_of(name, group), label, "\n".join(body))
    return label


def write_project(folder, sections):
    """Tessera.qhp; sections: (title, file) in the order of the contents."""
    files = "\n".join(f"      <file>{name}</file>" for name in sorted(os.listdir(folder))
                      if name.endswith((".html", ".png")))
    contents = "\n".join(f'      <section title="{html.escape(title)}" ref="{ref}"/>'
                         for title, ref in sections)
    with open(os.path.join(folder, "Tessera.qhp"), "w", encoding="utf-8") as out:
        out.write(f"""<?xml version="1.0" encoding="UTF-8"?>
<QtHelpProject version="1.0">
  <namespace>Tessera.org</namespace>
  <virtualFolder>Tessera</virtualFolder>
  <filterSection>
    <toc>
      <section title="Tessera" ref="index.html">
{contents}
      </section>
    </toc>
    <keywords/>
    <files>
{files}
    </files>
  </filterSection>
</QtHelpProject>
""")


def main():
    docs, folder, *paths = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    proxies = {}
    for path in paths:
        for group in ElementTree.parse(path).getroot().findall("ProxyGroup"):
            for proxy in group:
                proxies[proxy.get("name")] = (group.get("name"), proxy)
    links = {page: page.replace(".md", ".html") for page in OTHERS}
    places = described(docs)
    for name, (group, _) in proxies.items():
        if name not in places:
            sys.exit(f"make_help.py: the table of filters in docs/README.md has no page of {name}")
        links.setdefault(places[name][0], page_of(name, group))
    sections = []
    for name, (group, proxy) in sorted(proxies.items()):
        label = proxy_page(docs, folder, name, group, proxy, places[name], links)
        sections.append((label, page_of(name, group)))
    for page in OTHERS:
        with open(os.path.join(docs, page), encoding="utf-8") as file:
            text = file.read()
        title = re.match(r"# (.*)", text).group(1)
        write_page(folder, links[page], title, to_html(text, links))
        sections.append((title, links[page]))
    entries = "\n".join(f'<li><a href="{ref}">{html.escape(title)}</a></li>'
                        for title, ref in sections)
    write_page(folder, "index.html", "Tessera", f"<h1>Tessera</h1>\n<ul>\n{entries}\n</ul>")
    write_project(folder, sections)


if __name__ == "__main__":
    main()
