# SPDX-License-Identifier: BSD-3-Clause
"""No point of a mesh is lost: random points in meshes of every kind of cell, thin and far away ones among them, lie in
cells of the grid that Adaptive Grid makes with its defaults (but for Hanging Nodes Free, whose cells fill the same
space and are boxes).

    random_points.py [POINTS] [SEED]

A point is made by the shape functions of its cell, or in a simplex of those that docs/adaptive-grid.md cuts it into.
"""
import sys

import numpy as np
from grid_testing import adapt
from mesh_testing import FLATS, SOLIDS, Leaves, corner_ids, flat, solid
from tessera_testing import cell_types, check, main, points, say
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_PYRAMID, VTK_QUAD, VTK_TETRA, VTK_TRIANGLE, VTK_WEDGE)

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
AT_ONCE = 200000  # points, for memory


def layers(p):
    """A boundary layer along a bent wall: its thinnest cells are a thousand times as long as high."""
    height = 0.25 * (np.exp2(12 * p[:, 2]) - 1) / 4095
    return np.stack([p[:, 0], p[:, 1], 0.1 * np.sin(3 * p[:, 0]) + height], axis=1)


def meshes():
    for kind in SOLIDS:
        yield kind, solid(kind, 4, jitter=0.0 if "prisms" in kind else 0.2)
    for kind in FLATS:
        yield kind, flat(kind)
    yield "thin hexahedra", solid("hexahedra", 6, place=layers)
    yield "thin tetrahedra", solid("tetrahedra", 6, place=layers)
    yield "far away", solid("mixed", 4, jitter=0.2, shift=(1e6, -2e6, 3e6))


def simplices(kind, cell, ids):
    """Weights of the cell's points at the corners of each simplex that it is cut into."""
    n, corner = len(ids), np.eye(len(ids))
    if kind in (VTK_TETRA, VTK_TRIANGLE):
        return [corner]
    middle = corner.mean(axis=0)
    if cell.GetCellDimension() == 2:
        if cell.GetNumberOfEdges() == n and cell.GetClassName() == "vtkPolygon":
            return [np.array([middle, corner[i], corner[(i + 1) % n]]) for i in range(n)]
        return [corner[i:i + 3] for i in range(n - 2)]  # a strip
    of, found = {int(number): i for i, number in enumerate(ids)}, []
    for f in range(cell.GetNumberOfFaces()):
        face = cell.GetFace(f).GetPointIds()
        ring = corner[[of[face.GetId(i)] for i in range(face.GetNumberOfIds())]]
        found += [np.array([middle, ring.mean(axis=0), a, b]) for a, b in zip(ring, np.roll(ring, -1, axis=0))]
    return found


def in_simplices(rng, parts, count):
    """Weights at random places in random simplices."""
    w = rng.exponential(size=(count, len(parts[0])))
    return np.einsum("ij,ijk->ik", w / w.sum(axis=1, keepdims=True), np.array(parts)[rng.integers(len(parts), size=count)])


def weights(rng, kind, cell, ids, count):
    """Of the cell's points, at random places in it."""
    r, s, t = rng.random((3, count))
    square = np.array([(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s])
    if kind == VTK_QUAD:
        return square.T
    if kind == VTK_HEXAHEDRON:
        return np.concatenate([square * (1 - t), square * t]).T
    if kind == VTK_PYRAMID:
        return np.concatenate([square * (1 - t), t[None]]).T
    if kind == VTK_WEDGE:
        w = rng.exponential(size=(3, count))
        w /= w.sum(axis=0)
        return np.concatenate([w * (1 - t), w * t]).T
    return in_simplices(rng, simplices(kind, cell, ids), count)


class Boxes:
    """The leaves of a grid by their places in lattices, one for each size of leaf."""

    def __init__(self, out):
        self.leaves = Leaves(out)
        low, high, axes = self.leaves.low, self.leaves.high, self.leaves.axes
        sides = (high - low)[:, axes[0]]
        self.axes, self.first = axes, np.floor(low.min(axis=0) / sides.max() + 1e-6) * sides.max()
        self.levels = []
        for height in np.unique(np.round(np.log2(sides / sides.min())).astype(int)):
            side = sides.min() * 2.0 ** height
            mine = np.abs(sides / side - 1) < 0.1
            self.levels.append((side, np.unique(self.keys(np.rint((low[mine] - self.first) / side)))))

    def keys(self, at):
        return at[:, self.axes].astype(np.int64) @ (1 << 21 * np.arange(len(self.axes)))

    def lost(self, p):
        """The points that lie in no leaf."""
        inside = np.zeros(len(p), bool)
        for side, keys in self.levels:
            inside |= np.isin(self.keys(np.floor((p - self.first) / side)), keys)
        rest = p[~inside]  # on sides, by rounding
        slack = 1e-9 * self.levels[0][0] + 1e-14 * np.abs(p).max()
        return [one for one, holding in zip(rest, self.leaves.holders(rest, slack)) if len(holding) == 0]


def no_point_is_lost():
    rng, total, lost = np.random.default_rng(SEED), 0, 0
    every = list(meshes())
    for name, data in every:
        boxes = Boxes(adapt(data, CriteriaArrays=["bump"]))
        p, ids, kinds = points(data).astype(float), corner_ids(data), cell_types(data)
        left = max(POINTS // len(every), len(ids))
        each = -(-left // len(ids))
        waiting, n = [], 0
        for c, of in enumerate(ids):
            waiting.append(weights(rng, kinds[c], data.GetCell(c), of, each) @ p[of])
            n += each
            if n >= AT_ONCE or c + 1 == len(ids):
                found = boxes.lost(np.concatenate(waiting))
                lost += len(found)
                total += n
                for one in found[:3]:
                    say(f"{name}: {one.tolist()} lies in no cell of the grid")
                waiting, n = [], 0
    say(f"{total} random points in {len(every)} meshes: {lost} of them outside the grid")
    check(lost == 0 and total >= POINTS, f"{lost} of {total} points are lost")


main(no_point_is_lost)
