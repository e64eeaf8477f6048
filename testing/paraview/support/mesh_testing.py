# SPDX-License-Identifier: BSD-3-Clause
"""Unstructured meshes for the tests of Adaptive Grid, of each linear kind of cell, and the output looked at by
slow, obvious loops of numpy."""
import itertools

import numpy as np
from grid_testing import points_of
from tessera_testing import add_array, check, grid, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList
from vtkmodules.vtkCommonDataModel import (VTK_HEXAGONAL_PRISM, VTK_HEXAHEDRON, VTK_PENTAGONAL_PRISM, VTK_PIXEL,
                                           VTK_POLYGON, VTK_POLYHEDRON, VTK_PYRAMID, VTK_QUAD, VTK_TETRA,
                                           VTK_TRIANGLE, VTK_TRIANGLE_STRIP, VTK_WEDGE)

# The corners of a cube in VTK's order of hexahedra, as (x, y, z); faces, edges and parts by their numbers.
CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
FACES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
TETRAHEDRA = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]
WEDGES = [[0, 2, 1, 4, 6, 5], [0, 3, 2, 4, 7, 6]]
TURN = np.linalg.qr(np.array([[1.0, 0.3, -0.2], [-0.4, 1.0, 0.5], [0.2, -0.3, 1.0]]))[0]

SOLIDS = {"tetrahedra": VTK_TETRA, "hexahedra": VTK_HEXAHEDRON, "wedges": VTK_WEDGE, "pyramids": VTK_PYRAMID,
          "polyhedra": VTK_POLYHEDRON, "pentagonal prisms": VTK_PENTAGONAL_PRISM,
          "hexagonal prisms": VTK_HEXAGONAL_PRISM, "mixed": None}
FLATS = {"triangles": VTK_TRIANGLE, "quads": VTK_QUAD, "polygons": VTK_POLYGON, "strips": VTK_TRIANGLE_STRIP}


def linear(p):
    return 1 + p @ [2.0, -3.0, 0.5]


def bump(p):
    """Smooth, and steep in the middle of the meshes."""
    return np.exp(-3 * ((p - p.mean(axis=0)) ** 2).sum(axis=1)) + 0.2 * np.sin(3 * p[:, 0])


def with_fields(data):
    """Point arrays linear, bump and integers; cell arrays of the number and of a smooth field at the mean of the
    corners."""
    p = points(data).astype(float)
    add_array(data.GetPointData(), "bump", bump(p))
    add_array(data.GetPointData(), "linear", linear(p))
    add_array(data.GetPointData(), "flow", np.stack([bump(p), linear(p), p[:, 2]], axis=1).astype(np.float32))
    add_array(data.GetCellData(), "smooth", bump(centres(data)))
    add_array(data.GetCellData(), "number", np.arange(data.GetNumberOfCells(), dtype=np.int32))
    return data


def corner_ids(data):
    offsets = vtk_to_numpy(data.GetCells().GetOffsetsArray())
    ids = vtk_to_numpy(data.GetCells().GetConnectivityArray())
    return [ids[b:e] for b, e in zip(offsets[:-1], offsets[1:])]


def centres(data):
    p = points(data).astype(float)
    return np.array([p[ids].mean(axis=0) for ids in corner_ids(data)]).reshape(-1, 3)


def polyhedron(data, faces):
    """Adds a polyhedron of these faces."""
    ids = vtkIdList()
    ids.InsertNextId(len(faces))
    for face in faces:
        for number in [len(face), *face]:
            ids.InsertNextId(int(number))
    data.InsertNextCell(VTK_POLYHEDRON, ids)


def prisms(sides, n, height):
    """Separate prisms of regular polygons, n x n x n of them."""
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = 0.45 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    one = np.concatenate([ring, ring + [0, 0, height]])
    xyz = [one + [i, j, k] for k, j, i in itertools.product(range(n), repeat=3)]
    kind = VTK_PENTAGONAL_PRISM if sides == 5 else VTK_HEXAGONAL_PRISM
    return np.concatenate(xyz) / n, [(kind, 2 * sides * c + np.arange(2 * sides)) for c in range(n ** 3)]


def cubes(n):
    """Points of n x n x n cubes in the unit cube, and the corners of each in VTK's order of hexahedra."""
    k, j, i = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    xyz = np.stack([i, j, k], axis=-1).reshape(-1, 3) / n
    first = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:, ::-1]
    at = first[:, None, :] + CUBE
    return xyz, at @ [1, n + 1, (n + 1) ** 2]


def solid(kind, n=6, jitter=0.0, seed=1, size=1.0, shift=(0.13, -0.4, 2.0), turn=TURN, place=None):
    """A mesh of n x n x n cubes cut into cells of a kind, turned so that no side lies along an axis. place: from
    points of the unit cube to points of the mesh, instead."""
    if "prisms" in kind:
        xyz, cells = prisms(5 if kind.startswith("penta") else 6, n, 0.8)
        data = grid(xyz @ turn.T * size + shift, cells)
        return with_fields(data)
    xyz, corners = cubes(n)
    kinds = ["hexahedra", "tetrahedra", "wedges", "pyramids", "polyhedra"] if kind == "mixed" else [kind]
    kinds = [kinds[c % len(kinds)] for c in range(len(corners))]
    tops = {c: len(xyz) + i for i, c in enumerate(np.flatnonzero(np.array(kinds) == "pyramids"))}
    xyz = np.concatenate([xyz, xyz[corners[list(tops)].astype(int)].mean(axis=1).reshape(-1, 3)])
    inner = np.all((xyz > 0.01) & (xyz < 0.99), axis=1)
    rng = np.random.default_rng(seed)
    xyz = xyz + jitter / n * inner[:, None] * rng.uniform(-1, 1, xyz.shape)
    xyz = place(xyz) if place else xyz @ turn.T * size + shift
    cells = []
    faces = []
    for c, ids in enumerate(corners):
        what = kinds[c]
        if what == "tetrahedra":
            cells += [(VTK_TETRA, ids[part]) for part in TETRAHEDRA]
        elif what == "wedges":
            cells += [(VTK_WEDGE, ids[part]) for part in WEDGES]
        elif what == "pyramids":
            cells += [(VTK_PYRAMID, [*ids[face][::-1], tops[c]]) for face in FACES]
        elif what == "polyhedra":
            cells.append((VTK_POLYHEDRON, None))
            faces.append([ids[face] for face in FACES])
        else:
            cells.append((VTK_HEXAHEDRON, ids))
    data = grid(xyz, [])
    faces = iter(faces)
    for cell_type, ids in cells:
        if cell_type == VTK_POLYHEDRON:
            polyhedron(data, next(faces))
        else:
            data.InsertNextCell(cell_type, len(ids), [int(i) for i in ids])
    return with_fields(data)


def flat(kind, n=8, plane=(0, 1), at=0.7, jitter=0.3, seed=1):
    """A mesh of n x n squares cut into cells of a kind, in a plane along two axes, turned in it."""
    j, i = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    xy = np.stack([i, j], axis=-1).reshape(-1, 2) / n
    inner = np.all((xy > 0.01) & (xy < 0.99), axis=1)
    xy = xy + jitter / n * inner[:, None] * np.random.default_rng(seed).uniform(-1, 1, xy.shape)
    xyz = np.full((len(xy), 3), at)
    xyz[:, list(plane)] = xy @ [[0.8, 0.6], [-0.6, 0.8]] + [0.2, -1.0]
    cells = []
    for y, x in itertools.product(range(n), repeat=2):
        a, b, c, d = (np.array([0, 1, n + 2, n + 1]) + y * (n + 1) + x).tolist()
        cells += {"triangles": [(VTK_TRIANGLE, [a, b, c]), (VTK_TRIANGLE, [a, c, d])],
                  "quads": [(VTK_QUAD, [a, b, c, d])], "polygons": [(VTK_POLYGON, [a, b, c, d])],
                  "strips": [(VTK_TRIANGLE_STRIP, [a, b, d, c])], "pixels": [(VTK_PIXEL, [a, b, d, c])]}[kind]
    return with_fields(grid(xyz, cells))


def volume(data):
    """Of the cells of a mesh, or the area where it is flat, by tetrahedra around the centre of each."""
    total = 0.0
    for c in range(data.GetNumberOfCells()):
        cell = data.GetCell(c)
        if cell.GetCellDimension() == 3:
            middle = np.array([cell.GetPoints().GetPoint(i) for i in range(cell.GetNumberOfPoints())]).mean(axis=0)
            for f in range(cell.GetNumberOfFaces()):
                total += abs(cone(cell.GetFace(f), middle))
        elif cell.GetCellDimension() == 2:
            total += area(cell)
    return total


def ring(face):
    p = np.array([face.GetPoints().GetPoint(i) for i in range(face.GetNumberOfPoints())])
    return p[[0, 1, 3, 2]] if face.GetCellType() in (VTK_PIXEL, VTK_TRIANGLE_STRIP) and len(p) == 4 else p


def cone(face, top):
    p = ring(face)
    middle = p.mean(axis=0)
    return sum(np.dot(np.cross(a - middle, b - middle), top - middle) for a, b in zip(p, np.roll(p, -1, axis=0))) / 6


def area(face):
    p = ring(face)
    return np.linalg.norm(sum(np.cross(a - p[0], b - p[0]) for a, b in zip(p, np.roll(p, -1, axis=0)))) / 2


class Leaves:
    """The cells of an unstructured grid of voxels or pixels, and what multilinear interpolation in them gives."""

    def __init__(self, out):
        self.out = out
        ids = vtk_to_numpy(out.GetCells().GetConnectivityArray())
        self.ids = ids.reshape(out.GetNumberOfCells(), -1)
        p = points(out).astype(float)[self.ids]
        self.low, self.high = p.min(axis=1), p.max(axis=1)
        self.axes = np.flatnonzero((self.high - self.low).max(axis=0) > 0)

    def holders(self, at, slack=1e-9):
        """For each place the numbers of the leaves that hold it, sides included."""
        low, high = self.low - slack, self.high + slack
        return [np.flatnonzero(np.all((low <= p) & (p <= high), axis=1)) for p in at]

    def values(self, name, leaf, p):
        """The interpolation in a leaf."""
        f = points_of(self.out, name)[self.ids[leaf]].astype(float)
        for axis in self.axes[::-1]:
            t = (p[axis] - self.low[leaf, axis]) / (self.high[leaf, axis] - self.low[leaf, axis])
            half = len(f) // 2
            f = f[:half] * (1 - t) + f[half:] * t
        return f[0]


def largest_error(data, out, name, tolerance=None, finest=None):
    """The largest difference, at the mesh's points, between its array and the interpolation in the leaves. With a
    tolerance, how often it is exceeded in leaves that are larger than `finest`."""
    leaves = Leaves(out)
    p = points(data).astype(float)
    used = np.unique(np.concatenate(corner_ids(data)))
    f = points_of(data, name).astype(float)
    worst, broken, lost = 0.0, 0, 0
    for i, holding in zip(used, leaves.holders(p[used])):
        lost += len(holding) == 0
        # By rounding a point on a side may be in one of its leaves only.
        errors = [(np.abs(leaves.values(name, leaf, p[i]) - f[i]).max(), leaf) for leaf in holding]
        error, leaf = min(errors, default=(0.0, 0))
        worst = max(worst, error)
        side = (leaves.high[leaf] - leaves.low[leaf]).max()
        broken += tolerance is not None and error > tolerance * (1 + 1e-9) and side > finest * 1.001
    check(lost == 0, f"{lost} points of the mesh lie in no cell of the grid")
    return worst, broken


def reported(out, name):
    """The largest error that the report gives for an array."""
    names = out.GetFieldData().GetAbstractArray("Tessera Error Arrays")
    errors = out.GetFieldData().GetArray("Tessera Largest Errors")
    for i in range(names.GetNumberOfValues()):
        if names.GetValue(i) == name:
            return errors.GetValue(i)
    raise AssertionError(f"no error of {name}")


def points_within(data, count, seed=3):
    """Random points in the cells of a mesh: means of the corners of a cell with random weights."""
    rng = np.random.default_rng(seed)
    ids = corner_ids(data)
    p = points(data).astype(float)
    found = []
    for c in rng.integers(len(ids), size=count):
        w = rng.exponential(size=len(ids[c]))
        found.append((w / w.sum()) @ p[ids[c]])
    return np.array(found)
