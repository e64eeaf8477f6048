#!/usr/bin/env pvpython
# SPDX-License-Identifier: BSD-3-Clause
"""Writes vtk_answers.h, of quadratic and Lagrange cells, and vtk_answers_bezier.h: what VTK's own cells are at places
on their faces, for test_cells_orders.c.

Use: pvpython vtk_answers.py FOLDER

Node k of a cell has the value ((7919 k + 13) mod 1009) / 1009, and the rational weight 1 + ((31 k) mod 7) / 10. A
row is one place: type, degrees, number of nodes, face (-1: the place is one of the cell), place, rational or not,
value.
"""
import sys
from pathlib import Path

import vtk

VALUE = [((7919 * k + 13) % 1009) / 1009 for k in range(2000)]
WEIGHT = [1 + ((31 * k) % 7) / 10 for k in range(2000)]

SIMPLEX = [(0.3, 0.25, 0), (0.2, 0, 0.35), (0, 0.15, 0.45), (0.4, 0.25, 0.35)]
BRICK = [(0, 0.3, 0.55), (1, 0.2, 0.7), (0.15, 0, 0.65), (0.35, 1, 0.8), (0.6, 0.45, 0), (0.85, 0.1, 1)]
WEDGE = [(0.3, 0.25, 0), (0.2, 0.45, 1), (0.35, 0, 0.6), (0.7, 0.3, 0.25), (0, 0.8, 0.4)]
LINE, TRIANGLE, QUAD = [(0.35, 0, 0)], [(0.3, 0.45, 0)], [(0.3, 0.85, 0)]
PLACES = {21: LINE, 35: [(-0.3, 0, 0)], 22: TRIANGLE, 34: TRIANGLE, 23: QUAD, 28: QUAD, 30: QUAD, 24: SIMPLEX, 25: BRICK,
          29: BRICK, 33: BRICK, 26: WEDGE, 31: WEDGE, 68: LINE, 69: TRIANGLE, 70: QUAD, 71: SIMPLEX,
          72: BRICK, 73: WEDGE}
PLACES.update({t + 7: PLACES[t] for t in range(68, 74)})


def cell_of(kind, n=None, order=None):
    cell = vtk.vtkGenericCell.InstantiateCell(kind)
    n = n or cell.GetNumberOfPoints()
    cell.GetPointIds().SetNumberOfIds(n)
    cell.GetPoints().SetNumberOfPoints(n)
    for k in range(n):
        cell.GetPointIds().SetId(k, k)
        cell.GetPoints().SetPoint(k, VALUE[k], 0, 0)
    if order and hasattr(cell, "SetOrder"):
        cell.SetOrder(*order)
    cell.Initialize()
    return cell


def value_at(cell, place, rational=False):
    n = cell.GetNumberOfPoints()
    # The wrapper of the linear wedge asks for more weights than there are.
    weights = [0.0] * (15 if cell.GetCellType() == 31 else n)
    if rational:
        cell.GetRationalWeights().SetNumberOfTuples(n)
        for k in range(n):
            cell.GetRationalWeights().SetValue(k, WEIGHT[k])
    cell.InterpolateFunctions(place, weights)
    return sum(w * VALUE[cell.GetPointId(k)] for k, w in enumerate(weights[:n]))


def rows_of(kind, order, n=None, rational=False):
    d = (list(order or (2,)) * 3)[:3]
    cell = cell_of(kind, n, order)
    for place in PLACES[kind]:
        # VTK's cubic line alone has its parameter from -1 to 1.
        told = [(1 + place[0]) / 2, 0, 0] if kind == 35 else place
        yield kind, *d, cell.GetNumberOfPoints(), -1, *told, int(rational), value_at(cell, place, rational)


def lattice_rows(kind, rational):
    shape = (kind - 68) % 7
    orders = [(d,) for d in range(1, 11)]
    if shape == 2:
        orders = [(d, d) for d in range(1, 11)] + [(2, 5), (7, 3)]
    if shape == 4:
        orders = [(d, d, d) for d in range(1, 11)] + [(2, 3, 4), (5, 1, 2), (3, 7, 6)]
    if shape == 5:
        orders = [(d, d, d) for d in range(1, 11)] + [(2, 2, 5), (6, 6, 3)]
    for order in orders:
        a, b, c = (list(order) * 3)[:3]
        n = {0: a + 1, 1: (a + 1) * (a + 2) // 2, 2: (a + 1) * (b + 1), 3: (a + 1) * (a + 2) * (a + 3) // 6,
             4: (a + 1) * (b + 1) * (c + 1), 5: (a + 1) * (a + 2) // 2 * (c + 1)}[shape]
        set_order = {2: order, 4: order, 5: (*order, n)}.get(shape)
        d = (list(order) * 3)[:3]
        cell = cell_of(kind, n, set_order)
        for place in PLACES[kind]:
            yield kind, *d, n, -1, *place, int(rational), value_at(cell, place, rational)


def face_rows(kind):
    cell = cell_of(kind)
    for f in range(5):
        face = cell.GetFace(f)
        yield kind, 2, 2, 2, cell.GetNumberOfPoints(), f, 0.3, 0.45, 0, 0, value_at(face, (0.3, 0.45, 0))


def rows_with_nodes():
    for kind in (21, 35, 22, 34, 23, 28, 30, 24, 25, 29, 33, 26, 31):
        yield from rows_of(kind, (3,) if kind == 35 else None)
    # A pyramid has other parameters than its faces. The wrapper of the other wedge takes too few weights.
    for kind in (27, 32, 37):
        yield from face_rows(kind)
    for kind, n in ((69, 7), (71, 15), (73, 21)):
        order = (2, 2, 2, 21) if kind == 73 else None
        cell = cell_of(kind, n, order)
        for place in PLACES[kind]:
            yield kind, 2, 2, 2, n, -1, *place, 0, value_at(cell, place)
    for kind in range(68, 74):
        yield from lattice_rows(kind, False)


def bezier_rows():
    for rational in (False, True):
        for kind in range(75, 81):
            yield from lattice_rows(kind, rational)


def write(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        out.write("/* SPDX-License-Identifier: BSD-3-Clause */\n"
                  f"/* Made by vtk_answers.py with VTK {vtk.vtkVersion.GetVTKVersion()}. */\n"
                  "/* clang-format off */\n")
        for kind, *d, n, face, r, s, t, rational, value in rows:
            out.write(f"{{{kind}, {{{d[0]}, {d[1]}, {d[2]}}}, {n}, {face}, {{{r}, {s}, {t}}}, {rational}, {value:.17g}}},\n")


def main():
    folder = Path(sys.argv[1])
    write(folder / "vtk_answers.h", rows_with_nodes())
    write(folder / "vtk_answers_bezier.h", bezier_rows())


main()
