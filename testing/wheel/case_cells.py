# SPDX-License-Identifier: BSD-3-Clause
"""Meshes and curved cells that the plugin and the Python package are compared on."""
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy as numpy_from
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR, vtkIdList
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

from case_values import add, add_grid_arrays, add_point_arrays, lattice_places, numbers, points_of

LINE, QUADRATIC, TRIANGLE, VERTEX, PIXEL, TETRA, VOXEL = 3, 21, 5, 1, 8, 10, 11
HEXAHEDRON, WEDGE, POLYHEDRON = 12, 13, 42
QUADRATIC_TRIANGLE, QUADRATIC_QUAD, QUADRATIC_HEXAHEDRON, LAGRANGE_QUAD, BEZIER_TRIANGLE = 22, 23, 25, 70, 76


def _placed(grid, lattice):
    """Arrays of a grid whose points are some of a lattice of the unit cube."""
    return add_grid_arrays(grid, *np.ascontiguousarray(lattice.T))


def tetrahedra(n=9, ghosts=False):
    """A cube that is denser at one corner, each of its boxes in five tetrahedra."""
    x, y, z = lattice_places(n, n, n)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(lattice * (1 + lattice) / 2))
    at = np.arange(n**3).reshape(n, n, n)
    for k, j, i in np.ndindex(n - 1, n - 1, n - 1):
        box = at[k:k + 2, j:j + 2, i:i + 2][:, :, ::1 if (i + j + k) % 2 else -1].ravel()
        for four in ((0, 1, 2, 4), (3, 2, 1, 7), (5, 4, 7, 1), (6, 7, 4, 2), (1, 2, 4, 7)):
            grid.InsertNextCell(TETRA, 4, [int(box[one]) for one in four])
    if ghosts:
        flags = (np.arange(grid.GetNumberOfCells()) % 31 == 0).astype(np.uint8) * 32
        flags[1::97] = 1  # copies
        add(grid.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return _placed(grid, lattice)


def wrong_mesh(face=False):
    """A cell, or a face of a polyhedron, has a point that the mesh does not have."""
    if face:
        stream = vtkIdList()
        for one in (4, *(one for side in ((0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 999)) for one in (3, *side))):
            stream.InsertNextId(one)
        grid = vtkUnstructuredGrid()
        grid.SetPoints(mixed_mesh().GetPoints())
        grid.InsertNextCell(POLYHEDRON, stream)
    else:
        grid = tetrahedra(3)
        numpy_from(grid.GetCells().GetConnectivityArray())[9] = 999
    return grid


def mixed_mesh():
    """Wedges, pyramids, hexahedra and a polyhedron, on one lattice; lines and a vertex, which are ignored."""
    n = 5
    x, y, z = lattice_places(n, n, n)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(np.stack([x + y / 5, y, z + x * y / 4], 1).astype(np.float32)))
    at = np.arange(n**3).reshape(n, n, n)
    for k, j, i in np.ndindex(n - 1, n - 1, n - 1):
        a, b, d, e, f, g, p, q = (int(one) for one in at[k:k + 2, j:j + 2, i:i + 2].ravel())
        if (i + j + k) % 3 == 0:
            grid.InsertNextCell(WEDGE, 6, [a, b, d, f, g, p])
            grid.InsertNextCell(WEDGE, 6, [b, e, d, g, q, p])
        elif (i + j + k) % 3 == 1:
            grid.InsertNextCell(HEXAHEDRON, 8, [a, b, e, d, f, g, q, p])
        else:
            faces = ((a, b, e, d), (f, g, q, p), (a, b, g, f), (d, e, q, p), (a, d, p, f), (b, e, q, g))
            stream = vtkIdList()
            for one in (len(faces), *(one for face in faces for one in (4, *face))):
                stream.InsertNextId(one)
            grid.InsertNextCell(POLYHEDRON, stream)
    grid.InsertNextCell(LINE, 2, [0, 1])
    return _placed(grid, lattice)


def flat_mesh(order=1):
    """Triangles of a plane; of order 2 with the middles of their sides."""
    n = 9
    x, y, z = lattice_places(n, n, 1)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(lattice * 3))
    at, step = np.arange(n * n).reshape(n, n), order
    for j, i in np.ndindex((n - 1) // step, (n - 1) // step):
        a, b = at[j * step, i * step], at[j * step, (i + 1) * step]
        d, e = at[(j + 1) * step, i * step], at[(j + 1) * step, (i + 1) * step]
        for three in ((a, b, d), (b, e, d)):
            middles = [(one + two) // 2 for one, two in zip(three, three[1:] + three[:1])]
            ids = [int(one) for one in (three if order == 1 else (*three, *middles))]
            grid.InsertNextCell(TRIANGLE if order == 1 else QUADRATIC_TRIANGLE, len(ids), ids)
    return _placed(grid, lattice)


def curved_cells(dtype=np.float64, ghosts=False):
    """Quadratic, Lagrange and rational Bezier cells, bent; linear cells, lines and a vertex beside them."""
    kinds = ((QUADRATIC_TRIANGLE, [(0, 0), (2, 0), (0, 2), (1, 0), (1, 1), (0, 1)]),
             (QUADRATIC_QUAD, [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]),
             (LAGRANGE_QUAD, [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]),
             (BEZIER_TRIANGLE, [(0, 0), (2, 0), (0, 2), (1, 0), (1, 1), (0, 1)]),
             (QUADRATIC, [(0, 0), (2, 2), (1, 1)]), (TRIANGLE, [(0, 0), (2, 0), (0, 2)]), (LINE, [(0, 0), (2, 2)]),
             (VERTEX, [(1, 1)]))
    hexahedron = [(x, y, z) for z in (0, 2) for x, y in ((0, 0), (2, 0), (2, 2), (0, 2))]
    edges = [(k + 4 * level, (k + 1) % 4 + 4 * level) for level in (0, 1) for k in range(4)]
    edges += [(k, k + 4) for k in range(4)]
    hexahedron += [tuple((a + b) // 2 for a, b in zip(hexahedron[i], hexahedron[j])) for i, j in edges]
    grid, places = vtkUnstructuredGrid(), []
    for k in range(3):
        for kind, nodes in (*kinds, (QUADRATIC_HEXAHEDRON, hexahedron)):
            grid.InsertNextCell(kind, len(nodes), list(range(len(places), len(places) + len(nodes))))
            places += [(one[0] + 3 * k, one[1] + 3 * kind / 10, one[2] if len(one) > 2 else 0) for one in nodes]
    x, y, z = np.array(places, float).T
    grid.SetPoints(points_of(np.stack([x, y + x * x / 20, z + (x * y - y * y) / 40], 1).astype(dtype)))
    add_point_arrays(grid, len(places))
    weights = add(grid.GetPointData(), "weights", numbers(len(places), 9) + 0.5)
    grid.GetPointData().SetRationalWeights(weights)
    n = grid.GetNumberOfCells()
    add(grid.GetCellData(), "cell", np.arange(n))
    if ghosts:
        flags = (np.arange(n) % 5 == 0).astype(np.uint8) * 32
        flags[1::7] = 1  # copies
        add(grid.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return grid


def neighbours():
    """Two hexahedra with a common face, the second of which is a copy of another process's cell."""
    grid = vtkUnstructuredGrid()
    x, y, z = lattice_places(3, 2, 2)
    lattice = np.stack([x, y, z], 1)
    grid.SetPoints(points_of(lattice))
    for first in (0, 1):
        grid.InsertNextCell(HEXAHEDRON, 8, [first + one for one in (0, 1, 4, 3, 6, 7, 10, 9)])
    add(grid.GetCellData(), "vtkGhostType", np.array([0, 1], np.uint8), VTK_UNSIGNED_CHAR)
    return _placed(grid, lattice)


def boxes(flat=False, holes=False, dtype=np.float64, kind=None):
    """An octree or a quadtree of unstructured cells: eight boxes, the first of which is divided twice."""
    grid = vtkUnstructuredGrid()
    axes = 2 if flat else 3
    cells = [(1, place) for place in np.ndindex(*[2] * axes)]
    for level in (2, 3):
        first = next(one for one in cells if sum(one[1]) == 0)
        cells.remove(first)
        cells += [(level, place) for place in np.ndindex(*[2] * axes)]
    places = []
    for number, (level, place) in enumerate(cells):
        if holes and number % 7 == 3:
            continue
        ends = [(one / 2**level, (one + 1) / 2**level) for one in place]
        corners = [(x, y, z) for z in (ends[2] if axes == 3 else (0.5,)) for y in ends[1] for x in ends[0]]
        ids = list(range(len(places), len(places) + len(corners)))
        places += corners
        if kind == HEXAHEDRON:
            ids = [ids[one] for one in (0, 1, 3, 2, 4, 5, 7, 6)]
        grid.InsertNextCell(kind or (PIXEL if flat else VOXEL), len(ids), ids)
    lattice = np.array(places)
    grid.SetPoints(points_of((lattice * (1, 2, 1) + (0, 3, 0)).astype(dtype)))
    return _placed(grid, lattice)


def boxes_that_fit_no_octree():
    """Voxels, one of which has a third of another's size: a mesh."""
    grid = boxes()
    ids = list(range(8))
    places = np.array([(x, y, z) for z in (0, 1 / 3) for y in (3, 4) for x in (2, 2.3)])
    whole = np.concatenate([numpy_from(grid.GetPoints().GetData()), places])
    made = vtkUnstructuredGrid()
    made.SetPoints(points_of(whole))
    for cell in range(grid.GetNumberOfCells()):
        made.InsertNextCell(VOXEL, 8, [8 * cell + one for one in ids])
    made.InsertNextCell(VOXEL, 8, [len(whole) - 8 + one for one in ids])
    return _placed(made, whole / 4)
