# SPDX-License-Identifier: BSD-3-Clause
"""What the site adds to the pages of docs/: the references of the Python package, made of its
docstrings, and of the C library, made of its headers; and links to
files and folders of the repository that the site does not have become their names, checked."""
from __future__ import annotations

import logging
import os
import re
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
MODULES = ("functions", "curves", "grid", "octree", "mesh", "pointgrid", "ordering", "discs", "cells", "sources",
           "device", "execution", "memory", "errors")
LOG = logging.getLogger("mkdocs.hooks.tessera")
# To a file outside docs/, or to a folder of it.
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)#\s]+|[\w/-]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages of the Python package and of the C library."""
    files.append(File.generated(config, "reference.md", content="\n".join(
        ["# The Python package", *(f"\n::: tessera_vtk.{name}" for name in MODULES)])))
    files.append(File.generated(config, "c-reference.md", content=c_reference()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links to what the site does not have name it instead."""
    folder = os.path.dirname(os.path.join(ROOT, "docs", page.file.src_uri))

    def name(found: re.Match[str]) -> str:
        path = os.path.normpath(os.path.join(folder, found[2]))
        if not os.path.exists(path):
            LOG.warning("%s links to %s, which is not there", page.file.src_uri, found[2])
        return f"{found[1]} (`{os.path.relpath(path, ROOT)}`)"

    return _LINK.sub(name, markdown)


def c_reference() -> str:
    """Every public header: its comment as text, and its declarations, whose comments describe them."""
    with open(os.path.join(ROOT, "filters/tessera.h"), encoding="utf-8") as file:
        headers = re.findall(r'^#include "(.*)"', file.read(), re.M)
    lines = ["# The C library", "", "A program includes `tessera.h`, which gathers the headers below, and links "
             "`Tessera::core`. Each header is here as it is.", ""]
    for header in headers:
        with open(os.path.join(ROOT, "filters", header), encoding="utf-8") as file:
            text = file.read()
        body = text.split("*/\n", 1)[1]
        about = re.match(r"/\*\*(.*?)\*/", body, re.S)
        code = body[about.end():] if about else body
        code = re.sub(r"^#(ifndef|define) TSR_\w+_H\n|^#ifdef __cplusplus\n(extern \"C\" {|})\n#endif\n"
                      r"|^#endif\n?\Z", "", code, flags=re.M)
        said = re.sub(r"^ \* ?", "", about[1] if about else "", flags=re.M).strip()
        lines += [f"## {header}", "", "```text", said, "```", "", "```c", code.strip(), "```", ""]
    return "\n".join(lines)
