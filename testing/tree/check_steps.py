#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds how many existing files a new filter touches: those in bold in the steps of docs/architecture.md,
at most eight. No other list may name a room: neither a CMakeLists.txt nor a Python file that checks or makes
something for all filters.

Use: check_steps.py SOURCE_FOLDER
"""
import re
import sys
from pathlib import Path

MOST = 8
# Rooms, and the names of their files: of a filter with CUDA code, and of the one that was added last.
NAMES = re.compile(r"\b(?:discs|cells)/|\b(?:tessera|test|bench|fuzz|case)_(?:discs|cells)\w*\.\w+|\b(?:DiscImage|AdaptiveCells)\b|"
                   r"\b(?:disc-image|adaptive-cells)\.md\b")
LISTS = ("CMakeLists.txt", "*.cmake", "packaging/help/*.py", "testing/tree/check_*.py", "filters/*.h",
         "xml/paraview.plugin", "plugin/vtk.module")
# A picture for the page of help, which may be left out.
OTHERS = {"packaging/help/make_help.py", "testing/tree/check_steps.py"}


def main():
    source = Path(sys.argv[1])
    text = (source / "docs/architecture.md").read_text(encoding="utf-8")
    steps = re.search(r"^## Add a filter.*", text, re.MULTILINE | re.DOTALL).group(0)
    touched = set(re.findall(r"\*\*`([^`]+)`\*\*", steps))
    problems = [f"docs/architecture.md names {path}, which is missing"
                for path in sorted(touched) if not (source / path).exists()]
    if not 0 < len(touched) <= MOST:
        problems.append(f"a new filter touches {len(touched)} existing files, more than {MOST}")
    lists = {path for pattern in LISTS for path in
             (source.glob(pattern) if "/" in pattern else
              [*source.glob(pattern), *(p for top in ("cuda", "filters", "packaging", "plugin", "testing",
                                                       "tools", "xml")
                                        for p in (source / top).rglob(pattern))])}
    for path in sorted(lists):
        name = path.relative_to(source).as_posix()
        found = NAMES.search(path.read_text(encoding="utf-8"))
        if found and name not in touched | OTHERS:
            problems.append(f"{name} names '{found.group(0)}': a list of it is to be made from the folders")
    if problems:
        print("A new filter touches more than the steps say:\n  " + "\n  ".join(problems))
        return 1
    print(f"a new filter touches {len(touched)} existing files; {len(lists)} lists name no room")
    return 0


if __name__ == "__main__":
    sys.exit(main())
