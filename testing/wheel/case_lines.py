# SPDX-License-Identifier: BSD-3-Clause
"""Curves and points that the plugin and the Python package are compared on."""
import numpy as np
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR, vtkIdTypeArray
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData, vtkUnstructuredGrid

from case_values import add, add_point_arrays, numbers, points_of

BEZIER, LAGRANGE, POLY_LINE, LINE, QUADRATIC, TRIANGLE, VERTEX = 75, 68, 4, 3, 21, 5, 1


def bezier_cells(rational=True):
    """Cubic, quadratic and quintic Bezier cells, Lagrange cells, polylines, lines, a vertex."""
    grid = vtkUnstructuredGrid()
    sizes = [(BEZIER, 4), (BEZIER, 3), (BEZIER, 6), (LAGRANGE, 4), (POLY_LINE, 9), (LINE, 2),
             (QUADRATIC, 3), (VERTEX, 1), (BEZIER, 4), (TRIANGLE, 3)] * 6
    n = sum(size for _, size in sizes)
    grid.SetPoints(points_of(numbers(3 * n, 1).reshape(-1, 3) * 4))
    at = 0
    for cell_type, size in sizes:
        grid.InsertNextCell(cell_type, size, list(range(at, at + size)))
        at += size
    add_point_arrays(grid, n)
    if rational:
        weights = add(grid.GetPointData(), "weights", numbers(n, 9) + 0.5)
        grid.GetPointData().SetRationalWeights(weights)
    add(grid.GetCellData(), "cell", np.arange(len(sizes)))
    return grid


def lines_of(places, lines, verts=(), polys=()):
    data = vtkPolyData()
    data.SetPoints(points_of(places))
    for put, cells in ((data.SetLines, lines), (data.SetVerts, verts), (data.SetPolys, polys)):
        array = vtkCellArray()
        for cell in cells:
            array.InsertNextCell(len(cell), list(cell))
        put(array)
    return data


def polylines(dtype=np.float32, far=0.0):
    n = 300
    t = np.arange(n) / 25.0
    places = np.stack([t, t * (3 - t) / 2 + numbers(n, 2) / 5, numbers(n, 3)], 1) + far
    lines = [range(0, 120), range(120, 200), [*range(200, 260), 200], range(260, 280), [280]]
    data = lines_of(places.astype(dtype), lines, [[290], [291, 292]], [[293, 294, 295]])
    add_point_arrays(data, n)
    ids = vtkIdTypeArray()
    ids.SetName("ids")
    for k in range(n):
        ids.InsertNextValue(k)
    data.GetPointData().SetGlobalIds(ids)
    add(data.GetCellData(), "cell", np.arange(data.GetNumberOfCells()) * 1.5)
    return data


def labelled():
    data = polylines()
    add(data.GetPointData(), "label", (np.arange(data.GetNumberOfPoints()) // 7 % 3).astype(np.int32))
    return data


def short_lines():
    """Chains of lines of two points, which change their number half way, a ring, a crossing."""
    n = 80
    t = np.arange(n) / 20.0
    places = np.stack([t, t * (4 - t) / 3, t * 0], 1)
    pairs = [(k, k + 1) for k in range(59)] + [(k, 60 + (k - 59) % 19) for k in range(60, 79)]
    data = lines_of(places, [*pairs, (10, 79), (70, 30)], [[0]])
    add_point_arrays(data, n)
    add(data.GetCellData(), "part", np.array([k > 30 for k in range(data.GetNumberOfCells())], "i4"))
    return data


def cloud(n=500, dtype=np.float64, ghosts=False):
    """Points of particles, each at several times, denser near the origin."""
    places = (numbers(3 * n, 11).reshape(-1, 3) ** 2 * 3).astype(dtype)
    data = lines_of(places, [], [[k] for k in range(n)])
    add_point_arrays(data, n)
    add(data.GetPointData(), "particle", (np.arange(n) * 7 % 23).astype(np.int32))
    add(data.GetPointData(), "time", (np.arange(n) * 31 % 97).astype(np.float32))
    add(data.GetPointData(), "radius", numbers(n, 12) * 0.2)
    add(data.GetPointData(), "opaque", numbers(n, 13))
    add(data.GetPointData(), "color", (numbers(3 * n, 14).reshape(-1, 3) * 255).astype(np.uint8))
    if ghosts:
        flags = (np.arange(n) % 5 == 0).astype(np.uint8) * 2  # hidden points
        add(data.GetPointData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return data


def cloud_with_a_hole():
    data = cloud(60)
    data.GetPoints().SetPoint(7, float("nan"), 0.0, 0.0)
    return data
