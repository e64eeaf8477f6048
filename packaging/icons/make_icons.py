#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C++ file that gives icons to Qt as ":/Tessera/NAME.svg", where the program has Qt.

Use: make_icons.py OUTPUT.cxx FILE...

It is what Qt's resource compiler would make (format 1: a tree of nodes, their names, their data), but
for one thing: Qt is not linked. A viewer has it loaded already, a server has no use for it.
"""
import os
import struct
import sys

DIRECTORY = 2  # flag of a node
ANY_COUNTRY, C_LANGUAGE = 0, 1


def hash_of(name):
    """As Qt sorts the names of a folder."""
    h = 0
    for c in name:
        h = (h << 4) + ord(c)
        h ^= (h & 0xF0000000) >> 23
        h &= 0x0FFFFFFF
    return h


def resource(folder, files):
    """The bytes of the tree, the names and the data of ":/folder/" with these files."""
    names, data, places = b"", b"", {}

    def add_name(name):
        nonlocal names
        places[name] = len(names)
        names += struct.pack(">HI", len(name), hash_of(name)) + name.encode("utf-16-be")
    add_name(folder)
    tree = struct.pack(">IHII", 0, DIRECTORY, 1, 1)  # the root, without a name
    tree += struct.pack(">IHII", places[folder], DIRECTORY, len(files), 2)
    for name in sorted(files, key=hash_of):
        add_name(name)
        tree += struct.pack(">IHHHI", places[name], 0, ANY_COUNTRY, C_LANGUAGE, len(data))
        data += struct.pack(">I", len(files[name])) + files[name]
    return tree, names, data


def array(name, content):
    rows = [", ".join(str(byte) for byte in content[i:i + 24]) for i in range(0, len(content), 24)]
    return f"const unsigned char {name}[] = {{\n  " + ",\n  ".join(rows) + "};\n"


def main():
    output, *paths = sys.argv[1:]
    files = {os.path.basename(path): open(path, "rb").read() for path in paths}
    tree, names, data = resource("Tessera", files)
    with open(output, "w", encoding="ascii") as out:
        out.write(f"""// Made by make_icons.py: do not edit.
#if defined(__GNUC__) && !defined(__APPLE__) && !defined(_WIN32)
// Weak: null in a program without Qt.
__attribute__((weak)) bool qRegisterResourceData(int version, const unsigned char *tree,
                                                 const unsigned char *names,
                                                 const unsigned char *data);

namespace {{
{array("TREE", tree)}{array("NAMES", names)}{array("DATA", data)}
const bool REGISTERED =
    qRegisterResourceData ? qRegisterResourceData(1, TREE, NAMES, DATA) : false;
}} // namespace

bool TesseraHasIcons() {{ return REGISTERED; }}
#else
bool TesseraHasIcons() {{ return false; }}
#endif
""")


if __name__ == "__main__":
    main()
