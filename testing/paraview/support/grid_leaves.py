# SPDX-License-Identifier: BSD-3-Clause
"""The leaves of an output of Adaptive Grid in index space, and what its cells interpolate there.

Indices count from the lowest corner of the input. A leaf is the node of its level that a cell lies in,
so parts of conforming cells say theirs as well.
"""
import numpy as np
from grid_testing import Boxes, points_of
from tessera_testing import cell_types, check
from vtkmodules.util.numpy_support import vtk_to_numpy

VTK_TRIANGLE, VTK_POLYGON, VTK_TETRA, VTK_PYRAMID = 5, 7, 10, 14
CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)])
FACES = {VTK_TETRA: [[0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]],
         VTK_PYRAMID: [[0, 1, 2, 3], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
         VTK_TRIANGLE: [[0, 1], [1, 2], [2, 0]],
         3: [[0], [1]], 8: [[0, 1], [1, 3], [3, 2], [2, 0]], 9: [[0, 1], [1, 2], [2, 3], [3, 0]],
         11: [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]],
         12: [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [3, 2, 6, 7], [0, 3, 7, 4], [1, 2, 6, 5]]}


def nodes_within(low, high):
    """The input points in boxes: which boxes, and a row of points each; boxes of one size at a time."""
    first, last = np.ceil(low - 1e-9).astype(int), np.floor(high + 1e-9).astype(int)
    counts, group = np.unique(last - first + 1, axis=0, return_inverse=True)
    for k, count in enumerate(counts):
        mine = np.flatnonzero(group.ravel() == k)
        if (count > 0).all():
            yield mine, first[mine][:, None] + np.array(list(np.ndindex(*count)))


class Leaves:
    """`low`, `high`, `level` of each leaf, `of_cell`: the leaf of each cell of the output; `arrays` of
    the cells. Of an unstructured grid also its points in index space. moved: the cells are not where
    the input's points are."""

    def __init__(self, case, output, moved=False):
        self.case, self.output, self.moved = case, output, moved
        self.whole_boxes = not output.IsA("vtkUnstructuredGrid")
        if self.whole_boxes:
            boxes = Boxes(output)
            self.arrays = boxes.arrays
            place = [np.stack([self.index(a, x[:, a]) for a in range(3)], axis=1)
                     for x in (boxes.low, boxes.high)]
            middle = (place[0] + place[1]) / 2
            self.box_low, self.box_high = boxes.low, boxes.high
        else:
            cells = output.GetCellData()
            self.arrays = {cells.GetArrayName(i): vtk_to_numpy(cells.GetArray(i))
                           for i in range(cells.GetNumberOfArrays())}
            self.read_points()
            middle = np.add.reduceat(self.at[self.ids], self.offsets[:-1]) / self.counts[:, None]
        self.find(middle)
        if self.whole_boxes and not moved:
            check(np.allclose(place[0], self.low[self.of_cell], atol=1e-3) and
                  np.allclose(place[1], self.high[self.of_cell], atol=1e-3), "boxes are leaves")

    def index(self, axis, x):
        along = self.case.axes()[axis]
        if along[0] > along[-1]:
            x, along = -x, -along
        return np.interp(x, along, np.arange(len(along))) if len(along) > 1 else np.zeros(len(x))

    def read_points(self):
        """Places in index space are halves of the finest leaf."""
        out = self.output
        self.offsets = vtk_to_numpy(out.GetCells().GetOffsetsArray())
        self.ids = vtk_to_numpy(out.GetCells().GetConnectivityArray())
        self.counts, self.types = np.diff(self.offsets), cell_types(out)
        fine = 2 ** (self.case.refine + 1)
        exact = points_of(out, "ijk") - self.case.extent[0::2]
        near = 1e-9
        if self.case.kind == "rectilinear" and self.case.properties["HangingNodes"] == "Constrained":
            xyz = vtk_to_numpy(out.GetPoints().GetData())  # the index of hanging points is interpolated
            exact, near = np.stack([self.index(a, xyz[:, a]) for a in range(3)], axis=1), 1e-3
        self.key = np.rint(exact * fine).astype(int)
        self.at = self.key / fine
        check(abs(self.at - exact).max() < near, "points lie on the lattice")
        self.sorted = np.argsort(self.number(self.key))
        self.keys = self.number(self.key)[self.sorted]
        check((np.diff(self.keys) > 0).all(), "no point twice")

    def number(self, key):
        n = self.case.n * 2 ** (self.case.refine + 1) + 1
        return key[..., 0] + n[0] * (key[..., 1] + n[1] * key[..., 2])

    def point_at(self, place):
        """The output's point at a place in index space; -1: there is none."""
        key = self.number(np.rint(place * 2 ** (self.case.refine + 1)).astype(int))
        k = np.minimum(np.searchsorted(self.keys, key), len(self.keys) - 1)
        return np.where(self.keys[k] == key, self.sorted[k], -1)

    def find(self, middle):
        level = self.arrays["Level"]
        check(level.min() >= 0 and level.max() <= self.case.coarsen + self.case.refine,
              f"levels {level.min()} to {level.max()}")
        side = 2.0 ** (self.case.coarsen - level)[:, None]
        low = np.floor(middle / side) * side
        low[:, self.case.n == 0] = 0
        rows, first, self.of_cell = np.unique(np.concatenate([low, level[:, None]], axis=1), axis=0,
                                              return_index=True, return_inverse=True)
        self.of_cell, self.first = self.of_cell.ravel(), first
        self.low, self.level = rows[:, :3], rows[:, 3].astype(int)
        self.side = 2.0 ** (self.case.coarsen - self.level)
        self.high = np.minimum(self.low + self.side[:, None], self.case.n)

    def corner_points(self):
        """The points at the corners of each leaf."""
        return self.point_at(np.where(CORNERS, self.high[:, None], self.low[:, None]))

    def centres(self):
        """The points that are no corner of a leaf, but the middle of one; and which leaf's. Only cut
        leaves have such points. What is cut follows from the tree alone: where that goes on in hidden
        cells, points on sides of leaves are no corner of a visible one, but have the values of one."""
        ids = np.unique(self.corner_points())
        check(len(ids) == 0 or ids[0] >= 0, "leaves have points at their corners")
        others = np.setdiff1d(np.arange(len(self.at)), ids)
        leaf = {tuple(m): k for k, m in enumerate(((self.low + self.high) / 2).tolist())}
        number = np.array([leaf.get(tuple(p), -1) for p in self.at[others].tolist()], int)
        check(self.case.parts_are_due or len(others) == 0, "each point is a corner of a leaf")
        check(self.case.hidden.any() or (number >= 0).all(), "other points are centres of leaves")
        return others[number >= 0], number[number >= 0]

    def corners(self):
        """All points but the centres of cut leaves."""
        return np.setdiff1d(np.arange(len(self.at)), self.centres()[0])

    def plain_corners(self):
        """The corners that hang on no leaf: each leaf around has a corner there."""
        leaf, _ = self.lattice()
        padded = np.pad(leaf, 1, constant_values=-1)
        ids = self.corners()
        plain = np.ones(len(ids), bool)
        place = np.rint(self.at[ids] * 2 ** self.case.refine).astype(int)
        for step in CORNERS[[not (c[self.case.n == 0]).any() for c in CORNERS]]:
            k = padded[tuple((place + step + (self.case.n == 0)).T)]
            low, high = self.low[k], self.high[k]
            plain &= (k < 0) | ((self.at[ids] == low) | (self.at[ids] == high)).all(axis=1)
        return ids[plain]

    def space(self):
        """Points of the output where cells interpolate: of rectilinear grids in space."""
        if self.case.kind != "rectilinear":
            return self.at
        place = self.case.place(self.at)
        centre, leaf = self.centres()
        if len(centre):
            place[centre] = self.case.place(np.stack([self.low, self.high])[:, leaf]).mean(axis=0)
        return place

    def volume(self):
        """In index space, without the axes that have no cells."""
        return np.where(self.case.n > 0, self.high - self.low, 1).prod(axis=1)

    def lattice(self):
        """The leaf at each place of the finest lattice (i j k), -1 where there is none, and how many."""
        parts = 2 ** self.case.refine
        leaf = np.full(np.maximum(self.case.n * parts, 1), -1)
        count = np.zeros(leaf.shape, int)
        for k, (a, b) in enumerate(zip((self.low * parts).astype(int), (self.high * parts).astype(int))):
            box = tuple(slice(a[x], max(b[x], a[x] + 1)) for x in range(3))
            leaf[box] = k
            count[box] += 1
        return leaf, count

    def visible(self):
        """Which places of the finest lattice are not hidden."""
        result = ~self.case.hidden.transpose(2, 1, 0)
        for axis in np.flatnonzero(self.case.n):
            result = np.repeat(result, 2 ** self.case.refine, axis=axis)
        return result

    def is_cut(self):
        """Of each cell: is it a part of a leaf?"""
        if self.whole_boxes:
            return np.zeros(len(self.of_cell), bool)
        return np.isin(self.types, (VTK_TRIANGLE, VTK_TETRA, VTK_PYRAMID))

    def parts(self, kind):
        """The cells of a type, and their points."""
        mine = np.flatnonzero(self.types == kind)
        count = {VTK_TRIANGLE: 3, VTK_TETRA: 4, VTK_PYRAMID: 5}[kind]
        return mine, self.ids[self.offsets[mine][:, None] + np.arange(count)]

    def made(self, values):
        """For the leaves that are no smaller than input cells, and parts of them: the indices of the
        input points in them, and what the cells interpolate there from the points' `values` (rows)."""
        whole = np.zeros(len(self.low), bool)
        whole[self.of_cell[~self.is_cut()]] = True
        whole = np.flatnonzero(whole & (self.level <= self.case.coarsen))
        for mine, nodes in nodes_within(self.low[whole], self.high[whole]):
            low, high = self.low[whole[mine]], self.high[whole[mine]]
            corner = self.point_at(np.where(CORNERS, high[:, None], low[:, None]))
            check((corner >= 0).all(), "leaves have points at their corners")
            weights = self.case.weights(nodes, low, high)
            yield nodes.reshape(-1, 3), weighted(weights, values[corner]).reshape(-1, values.shape[1])
        space = self.space() if self.is_cut().any() else None
        for kind in (VTK_TRIANGLE, VTK_TETRA, VTK_PYRAMID):
            cells, ids = self.parts(kind)
            large = self.level[self.of_cell[cells]] <= self.case.coarsen
            ids = ids[large]
            if len(ids) == 0:
                continue
            for mine, nodes in nodes_within(self.at[ids].min(axis=1), self.at[ids].max(axis=1)):
                weights = weights_in_part(space[ids[mine]], self.case.place(nodes), self.case.n > 0)
                inside = (weights > -1e-9).all(axis=2)
                yield nodes[inside], weighted(weights, values[ids[mine]])[inside]


def weighted(weights, values):
    """Sums over the corners: weights (.. nodes corners), values (cells corners components). What has no
    weight does not count, even if it is not finite."""
    if np.isfinite(values).all():
        return weights @ values
    zero = (weights < 1e-12)[..., None]
    return np.where(zero, 0.0, weights[..., None] * np.where(zero, 0.0, values[:, None])).sum(axis=2)


def weights_in_part(corners, nodes, axes):
    """VTK's weights of the corners of triangles, tetrahedra and pyramids at nodes; some are negative
    where the node lies outside."""
    origin, count = corners[:, :1], corners.shape[1]
    ends = [1, 3, 4] if count == 5 else list(range(1, count))
    sides = (corners[:, ends] - origin)[..., axes].transpose(0, 2, 1)
    t = np.linalg.solve(sides[:, None], ((nodes - origin)[..., axes])[..., None])[..., 0]
    if count < 5:
        return np.concatenate([1 - t.sum(axis=2, keepdims=True), t], axis=2)
    top = t[..., 2]
    down = np.where(abs(1 - top) < 1e-12, 1.0, 1 - top)
    r, s = t[..., 0] / down, t[..., 1] / down
    base = np.stack([(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s], axis=2)
    inside = (t[..., :2].min(axis=2) > -1e-9) & (t[..., :2].max(axis=2) < 1 - top + 1e-9)
    return np.where(inside[..., None],
                    np.concatenate([base * (1 - top)[..., None], top[..., None]], axis=2), -1.0)
