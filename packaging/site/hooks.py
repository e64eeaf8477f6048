# SPDX-License-Identifier: BSD-3-Clause
"""What the site adds to the pages of docs/: the references of the Python package, made of its
docstrings, and of the C library, which Doxygen makes of its headers before (packaging/site/Doxyfile). Links to public
headers lead to their pages there; links to other files and folders of the repository that the site does not have become
their names, checked."""
from __future__ import annotations

import logging
import os
import re
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
DOXYGEN = os.path.join(ROOT, "build/site/doxygen")
MODULES = ("functions", "curves", "grid", "octree", "amr", "mesh", "clip", "pointgrid", "ordering", "discs", "cells",
           "sources", "device", "execution", "memory", "errors")
LOG = logging.getLogger("mkdocs.hooks.tessera")
# To a file outside docs/, or to a folder of it.
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)#\s]+|[\w/-]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages of the Python package and of the C library."""
    files.append(File.generated(config, "reference.md", content="\n".join(
        ["# The Python package", *(f"\n::: tessera_vtk.{name}" for name in MODULES)])))
    for folder, _, names in os.walk(os.path.join(DOXYGEN, "c")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), DOXYGEN)
            files.append(File(path, DOXYGEN, config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links to what the site does not have name it instead."""
    folder = os.path.dirname(os.path.join(ROOT, "docs", page.file.src_uri))

    def name(found: re.Match[str]) -> str:
        path = os.path.normpath(os.path.join(folder, found[2]))
        if not os.path.exists(path):
            LOG.warning("%s links to %s, which is not there", page.file.src_uri, found[2])
        header = "c/" + os.path.basename(path).replace("_", "__").replace(".", "_8") + ".html"
        if files.get_file_from_path(header):
            return f"[{found[1]}]({os.path.relpath(header, os.path.dirname(page.file.src_uri) or '.')})"
        return f"{found[1]} (`{os.path.relpath(path, ROOT)}`)"

    return _LINK.sub(name, markdown)
