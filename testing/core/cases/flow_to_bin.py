#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Turns the flow cases into the flat files that case_file.c reads (see cases_to_bin.py).

Use: flow_to_bin.py OUTPUT_FOLDER FLOW_FOLDER

carotid.bin: dims, spacing, origin, p:scalars, p:vectors. combustor.bin: dims, points, p:density,
p:momentum. Needs nothing but Python's own modules. Leaves out what is missing; ends with 77 if all is.
"""
import array
import os
import struct
import sys

FLOAT, INT64, DOUBLE = 8, 6, 9


def big_endian_floats(data, at, count):
    values = array.array("f")
    values.frombytes(data[at:at + 4 * count])
    if len(values) != count:
        raise ValueError("the file is too short")
    if sys.byteorder == "little":
        values.byteswap()
    return values


def after(data, text):
    """Where the line that begins with `text` ends, and its words."""
    start = data.index(text.encode())
    end = data.index(b"\n", start)
    return end + 1, data[start:end].decode().split()


def read_carotid(path):
    """A legacy binary structured-points file with float scalars and vectors."""
    with open(path, "rb") as file:
        data = file.read()
    arrays = []
    for word in ("DIMENSIONS", "SPACING", "ORIGIN"):
        numbers = [float(number) for number in after(data, word)[1][1:]]
        if word == "DIMENSIONS":
            points = int(numbers[0] * numbers[1] * numbers[2])
            arrays.append(("dims", INT64, 1, array.array("q", [int(n) for n in numbers])))
        else:
            arrays.append((word.lower(), DOUBLE, 1, array.array("d", numbers)))
    at = after(data, "LOOKUP_TABLE")[0]
    arrays.append(("p:scalars", FLOAT, 1, big_endian_floats(data, at, points)))
    at = after(data, "VECTORS")[0]
    arrays.append(("p:vectors", FLOAT, 3, big_endian_floats(data, at, 3 * points)))
    return arrays


def read_combustor(grid_path, q_path):
    """A PLOT3D pair: big endian, one block, no record lengths; each array after the other."""
    with open(grid_path, "rb") as file:
        grid = file.read()
    with open(q_path, "rb") as file:
        q = file.read()
    dims = struct.unpack(">3i", grid[:12])
    points = dims[0] * dims[1] * dims[2]
    xyz = big_endian_floats(grid, 12, 3 * points)
    values = big_endian_floats(q, 12 + 16, 4 * points)
    interleaved = array.array("f", bytes(12 * points))
    momentum = array.array("f", bytes(12 * points))
    for a in range(3):
        interleaved[a::3] = xyz[a * points:(a + 1) * points]
        momentum[a::3] = values[(a + 1) * points:(a + 2) * points]
    return [("dims", INT64, 1, array.array("q", dims)), ("points", FLOAT, 3, interleaved),
            ("p:density", FLOAT, 1, values[:points]), ("p:momentum", FLOAT, 3, momentum)]


def write_flat(path, arrays):
    with open(path, "wb") as file:
        for name, type_number, components, values in arrays:
            if sys.byteorder == "big":
                values.byteswap()
            data = values.tobytes()
            file.write(struct.pack("<64s3q", name.encode(), type_number, components,
                                   len(values) // components))
            file.write(data + b"\0" * (-len(data) % 8))


def main(folder, flow):
    paths = [os.path.join(flow, name) for name in ("carotid.vtk", "combxyz.bin", "combq.bin")]
    missing = [path for path in paths if not os.path.isfile(path)]
    for path in missing:
        print("skipped: no " + path)
    if len(missing) == len(paths):
        return 77
    os.makedirs(folder, exist_ok=True)
    if paths[0] not in missing:
        write_flat(os.path.join(folder, "carotid.bin"), read_carotid(paths[0]))
    if not set(paths[1:]) & set(missing):
        write_flat(os.path.join(folder, "combustor.bin"), read_combustor(paths[1], paths[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
