#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where the files, or the folders, of a room call each other in a ring.

Use: check_calls.py [--nm NM] [--rooms NAME,NAME... | --cuda] OBJECT...

The rooms are folders of filters/: an object file belongs to the room that its path names, as in
.../grid/tree/tree.c.o for the room grid; those of cuda/ are rooms of their own, named cuda/grid and
so on, and are looked at with --cuda; launching/ is linked by itself and a room, too. `nm` tells what
each object defines and what it needs from others; files that need each other, on whatever way through
the room, are a ring. So are folders whose files need each other's; a file at the top of a room counts as
a folder of its own. Calls through pointers are no calls here: a callback does not tie its caller to what
it is handed.
Exit status: 0 no ring, 1 a ring or nothing to look at, 77 there is no nm, or with --cuda no object
of cuda/.
"""
import argparse
import collections
import shutil
import subprocess
import sys
from pathlib import Path, PurePath

DEFINES = "TtDdBbRrWwVvCGgSs"
SOURCE = Path(__file__).resolve().parents[2]
ROOMS = ",".join(sorted(folder.name for folder in (SOURCE / "filters").iterdir() if folder.is_dir()))
CUDA_ROOMS = ",".join(sorted("launching" if folder.name == "launching" else f"cuda/{folder.name}"
                             for folder in (SOURCE / "cuda").iterdir() if folder.is_dir()))


def symbols(nm, path):
    """Global names that an object defines and those that it needs."""
    text = subprocess.run([nm, "-g", path], check=True, capture_output=True, text=True).stdout
    defined, needed = set(), set()
    for line in text.splitlines():
        fields = line.split()
        if len(fields) >= 2 and fields[-2] == "U":
            needed.add(fields[-1])
        elif len(fields) >= 3 and fields[-2] in DEFINES:
            defined.add(fields[-1])
    return defined, needed


def rings(graph):
    """Strongly connected components of more than one node (Tarjan, without recursion)."""
    number, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(sorted(graph[root])))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(sorted(graph[other]))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    ring = []
                    while not ring or ring[-1] != node:
                        ring.append(stack.pop())
                        on_stack.discard(ring[-1])
                    if len(ring) > 1:
                        found.append(sorted(ring))
    return found


def room_of(path, rooms):
    """The room of an object and the file's name in it; (None, None) where it is in none."""
    parts = PurePath(path).parts
    for k in range(len(parts) - 2, -1, -1):
        room = "cuda/" + parts[k] if k > 0 and parts[k - 1] == "cuda" else parts[k]
        if room in rooms:
            inside = PurePath(room, *parts[k + 1:])
            return room, str(inside.with_suffix(""))
        if room != parts[k]:
            break
    return None, None


def calls(nm, objects):
    """Which file calls which: {name: {name: [symbols]}}. objects: {name: path}."""
    seen = {name: symbols(nm, path) for name, path in objects.items()}
    owner = {symbol: name for name, (defined, _) in seen.items() for symbol in defined}
    graph = {name: collections.defaultdict(list) for name in objects}
    for name, (_, needed) in seen.items():
        for symbol in sorted(needed):
            if owner.get(symbol, name) != name:
                graph[name][owner[symbol]].append(symbol)
    return graph


def folders(graph):
    """Which folder calls which: {folder: {folder: [symbols]}}. Files at the top stand for themselves."""
    def folder_of(name):
        parts = PurePath(name).parts
        top = 2 if parts[0] == "cuda" else 1
        return str(PurePath(*parts[:-1])) + "/" if len(parts) > top + 1 else name

    result = {folder_of(name): collections.defaultdict(list) for name in graph}
    for name, called in graph.items():
        for other, needed in called.items():
            if folder_of(other) != folder_of(name):
                result[folder_of(name)][folder_of(other)] += needed
    return result


def report(room, what, graph):
    """Prints the rings of a graph; returns whether there is one."""
    found = rings(graph)
    for ring in found:
        print(f"{room}: these {what} call each other in a ring: {', '.join(ring)}")
        for name in ring:
            for other in ring:
                if other in graph[name]:
                    print(f"  {name} -> {other}: {', '.join(sorted(set(graph[name][other])))}")
    return bool(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--rooms", default=ROOMS)
    parser.add_argument("--cuda", action="store_const", dest="rooms", const=CUDA_ROOMS)
    parser.add_argument("objects", nargs="+")
    arguments = parser.parse_args()
    if not shutil.which(arguments.nm):
        print(f"skipped: there is no {arguments.nm}")
        return 77
    names = arguments.rooms.split(",")
    rooms = {name: {} for name in names}
    for path in arguments.objects:
        room, name = room_of(path, rooms)
        if room:
            rooms[room][name] = path
    if arguments.rooms == CUDA_ROOMS and not any(rooms.values()):
        print("skipped: built without CUDA")
        return 77
    failed = False
    for room in names:
        if not rooms[room]:
            print(f"no object of the room {room} was given")
            failed = True
        graph = calls(arguments.nm, rooms[room])
        failed = report(room, "files", graph) or failed
        failed = report(room, "folders", folders(graph)) or failed
        print(f"{room}: {len(rooms[room])} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
