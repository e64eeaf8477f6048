#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the rule of rooms (CONTRIBUTING.md) over every #include, and forbids cycles of headers and
include guards that are not named after their file.

Use: check_includes.py SOURCE_FOLDER
"""
import os
import re
import sys

C_LIBRARY = {name + ".h" for name in (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar "
    "wctype").split()}
LAYERS = ("filters", "cuda", "plugin", "tools")
SOURCE = re.compile(r"\.(h|hpp|hxx|cuh|c|cc|cpp|cxx|cu|in)$")
CUDA = re.compile(
    r"^(cuda|cub/|cooperative_groups|thrust/|device_launch|device_atomic|curand|nv/|sm_)")
UMBRELLA = "filters/tessera.h"
# Rooms of plugin/ that the others may use.
SHARED_GLUE = ("frame", "mpi")


def guard_of(path):
    """The include guard that a header must have: its path below the layer, in plugin/ its name."""
    if path.startswith("plugin/"):
        return re.sub(r"\W", "_", path.split("/")[-1])
    return "TSR_" + re.sub(r"\W", "_", path.split("/", 1)[1]).upper()


def room(path):
    """The room of a file of a layer; of a file at the layer's top: ''."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


class Tree:
    """The source files of the layers, what they include, and what is wrong about it."""

    def __init__(self, root):
        self.root = root
        self.files = set()
        self.edges = {}
        self.problems = []
        self.count = 0
        for layer in LAYERS:
            for folder, _, names in os.walk(os.path.join(root, layer)):
                for name in names:
                    path = os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
                    if SOURCE.search(name):
                        self.files.add(path)

    def complain(self, path, text):
        self.problems.append(f"{path}: {text}")

    def resolve(self, path, name):
        """The file of ours that `name` means in `path`, as the compiler finds it; else None."""
        layer = path.split("/")[0]
        near = os.path.normpath(os.path.join(os.path.dirname(path), name)).replace(os.sep, "/")
        places = [near, f"filters/{name}"]
        if layer == "cuda":
            places.append(name)
        elif layer == "plugin":
            places.append(f"plugin/{name}")
        return next((place for place in places if place in self.files), None)

    def read(self):
        for path in sorted(self.files):
            if path.startswith("filters/") and not re.search(r"\.[ch]$", path):
                self.complain(path, "filters/ is C")
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                for line in file:
                    if re.match(r"[ \t]*#[ \t]*include", line):
                        self.read_include(path, line.strip())
                    guard = re.match(r"#ifndef (\w+_(?:H|CUH|h))$", line)
                    if guard and guard.group(1) != guard_of(path):
                        self.complain(path, f"its guard is {guard.group(1)}, not {guard_of(path)}")

    def read_include(self, path, line):
        self.count += 1
        found = re.match(r"#\s*include\s*[<\"]([^>\"]+)[>\"]", line)
        if not found:
            self.complain(path, f"cannot tell what this includes: {line}")
            return
        name = found.group(1)
        target = self.resolve(path, name)
        if target:
            self.edges.setdefault(path, []).append(target)
        why = self.refusal(path, name, target)
        if why:
            self.complain(path, f"includes {name}: {why}")

    def refusal(self, path, name, target):
        """Why the include breaks a rule, or None."""
        layer, own = path.split("/")[0], room(path)
        if "../" in name and target != "filters/common/tessera_common.h":
            return "headers are named from the folder of their layer"
        if layer == "filters":
            if not target and name not in C_LIBRARY:
                return "filters/ may include the C library and filters/ only"
            if target and path != UMBRELLA and room(target) not in ("common", own):
                return f"the room {own} may use filters/common and itself only"
        elif layer == "cuda":
            if re.search(r"(^|/)vtk", name) or (target or "").startswith("plugin/"):
                return "cuda/ must not know VTK"
            if target and own != "launching" and room(target) not in ("common", own):
                return f"the room {own} may use common rooms and itself only"
        elif layer == "tools":
            if not target and name not in C_LIBRARY:
                return "tools/ may include the C library and tessera.h only"
            if target and target != UMBRELLA and not target.startswith("tools/"):
                return "tools/ may include tessera.h only, no other header of ours"
        elif layer == "plugin":
            if target and target.startswith("filters/") and target != UMBRELLA:
                return "plugin/ may include tessera.h only, no other header of filters/"
            if CUDA.search(name) or (target or "").startswith("cuda/"):
                return "plugin/ must not know CUDA"
            if target and target.startswith("plugin/"):
                if own and room(target) not in SHARED_GLUE + (own,):
                    return f"the room {own} may use frame, mpi and itself only"
        return None

    def find_cycles(self):
        """Follows the headers from every file; a header that is met again on the way is a cycle."""
        state = {}

        def visit(path, way):
            state[path] = "open"
            for target in self.edges.get(path, []):
                if state.get(target) == "open":
                    cycle = way[way.index(target):] + [target]
                    self.problems.append("headers in a circle: " + " -> ".join(cycle))
                elif target not in state:
                    visit(target, way + [target])
            state[path] = "done"

        for path in sorted(self.files):
            if path not in state:
                visit(path, [path])

    def check_xml(self):
        for folder, _, names in os.walk(os.path.join(self.root, "xml")):
            for name in names:
                if not (name.endswith(".xml") or name in ("CMakeLists.txt", "paraview.plugin")):
                    self.complain(os.path.join(folder, name), "xml/ holds names only, no code")


def main():
    tree = Tree(sys.argv[1])
    tree.read()
    tree.find_cycles()
    tree.check_xml()
    if not tree.count:
        print(f"no include was found under '{sys.argv[1]}': it must be the source folder")
        return 1
    if tree.problems:
        print("The rule of rooms is broken:\n  " + "\n  ".join(tree.problems))
        return 1
    print(f"{tree.count} includes keep to the rooms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
