#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns case files (.vtu and .vtp with inline arrays, legacy binary .vtk polylines) into flat files.

Use: cases_to_bin.py OUTPUT_FOLDER FILE...

A flat file is a row of arrays. Each is: the name in 64 bytes (padded with NUL), the type (a
tsr_type), the components and the tuples as 64-bit integers, then the values, padded to 8 bytes.
All of it is little endian. The arrays of the mesh are called points, offsets, connectivity and
types, those of the points p:NAME and those of the cells c:NAME.
Needs nothing but Python's own modules. Leaves out files that are missing; ends with 77 if all are.
"""
import array
import base64
import os
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

# Name in VTK's XML and legacy files -> (value of tsr_type, code of the array module)
TYPES = {
    "Int8": (0, "b"), "UInt8": (1, "B"), "Int16": (2, "h"), "UInt16": (3, "H"),
    "Int32": (4, "i"), "UInt32": (5, "I"), "Int64": (6, "q"), "UInt64": (7, "Q"),
    "Float32": (8, "f"), "Float64": (9, "d"),
    "char": (0, "b"), "unsigned_char": (1, "B"), "short": (2, "h"), "unsigned_short": (3, "H"),
    "int": (4, "i"), "unsigned_int": (5, "I"), "float": (8, "f"), "double": (9, "d"),
}


def inline_values(element):
    """The values of one <DataArray>, in text or in blocks compressed by zlib."""
    code = TYPES[element.get("type")][1]
    text = element.text.strip()
    if element.get("format") == "ascii":
        number = float if code in "fd" else int
        return array.array(code, [number(word) for word in text.split()])
    blocks = struct.unpack("<I", base64.b64decode(text[:8])[:4])[0]
    header_bytes = 4 * (3 + blocks)
    header_text = (header_bytes + 2) // 3 * 4
    header = struct.unpack(f"<{3 + blocks}I", base64.b64decode(text[:header_text])[:header_bytes])
    packed = base64.b64decode(text[header_text:])
    values = array.array(code)
    at = 0
    for size in header[3:]:
        values.frombytes(zlib.decompress(packed[at:at + size]))
        at += size
    return values


def read_xml(path):
    """Arrays of the one piece of an unstructured grid, or of the points of polydata: (name, type
    name, components, values)."""
    piece = ElementTree.parse(path).getroot().find("*/Piece")
    arrays = []
    for section, prefix in (("Points", ""), ("Cells", ""), ("PointData", "p:"), ("CellData", "c:")):
        for element in piece.findall(section + "/DataArray"):
            name = "points" if section == "Points" else prefix + element.get("Name")
            values = inline_values(element)
            if name == "offsets":
                values.insert(0, 0)
            components = int(element.get("NumberOfComponents", "1"))
            arrays.append((name, element.get("type"), components, values))
    return arrays


class LegacyReader:
    """Reads words, lines and big-endian values of a legacy file in turn."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def line(self):
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        text = self.data[self.at:end].decode("latin-1").strip()
        self.at = end + 1
        return text

    def keyword(self):
        """The next line with a word in it, METADATA blocks left out; None at the end."""
        while self.at < len(self.data):
            text = self.line()
            if text == "METADATA":
                while self.line():
                    pass
            elif text:
                return text.split()
        return None

    def values(self, type_name, count):
        values = array.array(TYPES[type_name][1])
        size = values.itemsize * count
        values.frombytes(self.data[self.at:self.at + size])
        self.at += size
        if sys.byteorder == "little":
            values.byteswap()
        return values


def read_legacy(path):
    """Arrays of a legacy binary polydata of lines, as read_vtu."""
    with open(path, "rb") as file:
        reader = LegacyReader(file.read())
    if not reader.line().startswith("# vtk DataFile") or not reader.line():
        raise ValueError(f"{path} is no legacy VTK file")
    if reader.line() != "BINARY" or reader.line() != "DATASET POLYDATA":
        raise ValueError(f"{path} is no binary polydata")
    arrays = []
    prefix = ""
    while (words := reader.keyword()) is not None:
        if words[0] == "POINTS":
            count = int(words[1])
            arrays.append(("points", words[2], 3, reader.values(words[2], 3 * count)))
        elif words[0] == "LINES":
            packed = reader.values("int", int(words[2]))
            offsets, ids, at = array.array("q", [0]), array.array("q"), 0
            while at < len(packed):
                ids.extend(packed[at + 1:at + 1 + packed[at]].tolist())
                at += 1 + packed[at]
                offsets.append(len(ids))
            arrays.append(("offsets", "Int64", 1, offsets))
            arrays.append(("connectivity", "Int64", 1, ids))
        elif words[0] in ("CELL_DATA", "POINT_DATA"):
            prefix = "c:" if words[0] == "CELL_DATA" else "p:"
        elif words[0] == "FIELD":
            for _ in range(int(words[2])):
                name, components, tuples, type_name = reader.keyword()
                values = reader.values(type_name, int(components) * int(tuples))
                arrays.append((prefix + name, type_name, int(components), values))
        else:
            raise ValueError(f"{path}: unknown word {words[0]}")
    return arrays


def write_flat(path, arrays):
    with open(path, "wb") as file:
        for name, type_name, components, values in arrays:
            if sys.byteorder == "big":
                values.byteswap()
            data = values.tobytes()
            tuples = len(values) // components
            file.write(struct.pack("<64s3q", name.encode(), TYPES[type_name][0], components, tuples))
            file.write(data + b"\0" * (-len(data) % 8))


def main(folder, *paths):
    present = [path for path in paths if os.path.isfile(path)]
    for path in paths:
        if path not in present:
            print("skipped: no " + path)
    if not present:
        return 77
    os.makedirs(folder, exist_ok=True)
    for path in present:
        name = re.sub(r"\.\w+$", "", os.path.basename(path))
        read = read_legacy if path.endswith(".vtk") else read_xml
        write_flat(os.path.join(folder, name + ".bin"), read(path))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
