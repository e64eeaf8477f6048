# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of curved cells whose shapes and fields are known, and VTK's evaluation of their shape functions."""
import sys

import numpy as np
from mesh_testing import TETRAHEDRA, WEDGES, cubes, linear
from tessera_testing import add_array, grid, points, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkCommonDataModel import (VTK_LAGRANGE_HEXAHEDRON, VTK_QUADRATIC_HEXAHEDRON, VTK_QUADRATIC_PYRAMID,
                                           VTK_QUADRATIC_TETRA, VTK_QUADRATIC_TRIANGLE, VTK_QUADRATIC_WEDGE,
                                           vtkHigherOrderHexahedron)

# For each kind: VTK's number, its corners in those of a cube, and the ends of the edges whose middles follow them.
RING = [(0, 1), (1, 2), (2, 0)]
QUADRATIC = {
    "tetrahedra": (VTK_QUADRATIC_TETRA, TETRAHEDRA, [*RING, (0, 3), (1, 3), (2, 3)]),
    "wedges": (VTK_QUADRATIC_WEDGE, WEDGES, [*RING, (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]),
    "hexahedra": (VTK_QUADRATIC_HEXAHEDRON, [range(8)],
                  [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]),
    "triangles": (VTK_QUADRATIC_TRIANGLE, [[0, 1, 2], [0, 2, 3]], RING),
    "pyramids": (VTK_QUADRATIC_PYRAMID, [[0, 1, 2, 3, 4]],
                 [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)])}
SCRIPT = """
import sys
sys.path[:0] = {path}
import numpy as np
from curved_meshes import lagrange, wave
from tessera_testing import add_array, points
info = self.GetOutputInformation(0)
key = self.GetExecutive().UPDATE_TIME_STEP()
data = lagrange(2, 2)
add_array(data.GetPointData(), "wave", wave(points(data).astype(float) + (info.Get(key) if info.Has(key) else 0.0)))
self.GetOutputDataObject(0).ShallowCopy(data)
"""
TIMES = """
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Remove(executive.TIME_STEPS())
for time in range(3):
    info.Append(executive.TIME_STEPS(), float(time))
info.Set(executive.TIME_RANGE(), [0.0, 2.0], 2)
"""
BAR = 3 * np.pi / 4  # volume of the bar; also the area of its bottom


def bar(p):
    """A quarter of a pipe, of the unit cube: radii 1 to 2, height 1."""
    radius, angle = 1 + p[:, 0], np.pi / 2 * p[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), p[:, 2]], axis=1)


def wave(p):
    return np.sin(2 * p[:, 0]) * np.cos(2 * p[:, 1]) + p[:, 2] ** 2


def with_fields(data):
    p = points(data).astype(float)
    add_array(data.GetPointData(), "wave", wave(p))
    add_array(data.GetPointData(), "linear", linear(p))
    add_array(data.GetCellData(), "number", np.arange(data.GetNumberOfCells(), dtype=np.int32))
    add_array(data.GetCellData(), "smooth", np.arange(data.GetNumberOfCells()) * 0.5)
    return data


def lagrange(n, degree, place=bar, kind=VTK_LAGRANGE_HEXAHEDRON):
    """n x n x n cells of nodes at equal steps. place: from the unit cube to the mesh."""
    xyz, _ = cubes(n * degree)
    m = n * degree + 1
    order, cells = [degree] * 3, []
    for c in np.ndindex(n, n, n):
        ids = [0] * (degree + 1) ** 3
        for k in np.ndindex(degree + 1, degree + 1, degree + 1):
            z, y, x = (c[a] * degree + k[a] for a in range(3))
            ids[vtkHigherOrderHexahedron.PointIndexFromIJK(k[2], k[1], k[0], order)] = (z * m + y) * m + x
        cells.append((kind, ids))
    return with_fields(grid(place(xyz), cells))


def quadratic(kind, n, place=bar):
    """n x n x n cubes of quadratic cells; of triangles the bottom of these cubes. Middles lie in the middle of the
    edges in the unit cube."""
    number, parts, edges = QUADRATIC[kind]
    xyz, corners = cubes(n)
    if kind == "triangles":
        xyz, corners = xyz[:(n + 1) ** 2], corners[:n ** 2]  # those of the bottom come first
    xyz, middles, cells = list(xyz), {}, []
    for ids in corners:
        for part in parts:
            cell = [int(ids[k]) for k in part]
            for a, b in edges:
                key = tuple(sorted((cell[a], cell[b])))
                if key not in middles:
                    middles[key] = len(xyz)
                    xyz.append((xyz[key[0]] + xyz[key[1]]) / 2)
                cell.append(middles[key])
            cells.append((number, cell))
    return with_fields(grid(place(np.array(xyz)), cells))


def evaluated(data, name, count, seed=5):
    """Random places in the cells, and the array there, by VTK's shape functions of the cells."""
    rng = np.random.default_rng(seed)
    values = vtk_to_numpy(data.GetPointData().GetArray(name)).astype(float)
    places, found = [], []
    for c in rng.integers(data.GetNumberOfCells(), size=count):
        cell = data.GetCell(int(c))
        at, there, weights = rng.random(3), [0.0] * 3, [0.0] * cell.GetNumberOfPoints()
        if cell.GetCellType() != VTK_LAGRANGE_HEXAHEDRON and at[0] + at[1] + at[2] > 1:
            at = rng.dirichlet([1, 1, 1, 1])[:3]
        cell.EvaluateLocation(reference(0), list(at), there, weights)
        places.append(there)
        found.append(np.dot(weights, [values[cell.GetPointId(k)] for k in range(cell.GetNumberOfPoints())]))
    return np.array(places), np.array(found)


def moving():
    """A source with the time steps 0, 1 and 2, by which the array wave has moved along each axis; linear stays."""
    return simple.ProgrammableSource(OutputDataSetType="vtkUnstructuredGrid", ScriptRequestInformation=TIMES,
                                     Script=SCRIPT.format(path=repr(sys.path)))
