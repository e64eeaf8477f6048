# SPDX-License-Identifier: BSD-3-Clause
"""Random AMR, trees and boxes for Adaptive Grid, and which of their cells are visible."""
import copy

import numpy as np
import octree_testing
from grid_testing import KINDS
from octree_testing import GHOSTS, HIDDEN, Nested, amr, octree, trees
from tessera_testing import add_array
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkBitArray
from vtkmodules.vtkCommonDataModel import (vtkHyperTreeGridNonOrientedCursor, vtkNonOverlappingAMR,
                                           vtkOverlappingAMR, vtkUniformGrid)

MOST_FINEST = 64  # cells of the finest level along an axis: facts are looked at on their lattice


def chance(rng, p):
    return rng.random() < p


def random_box(rng, low, high, axes, ratio):
    """A box of a finer level in the box [low, high) of a coarser one."""
    box = [(0, 0)] * 3
    for a in axes:
        begin, end = np.sort(rng.choice(np.arange(low[a], high[a] + 1), 2, replace=False))
        box[a] = (int(begin) * ratio, int(end) * ratio)
    return box


def parts_of(data):
    """The datasets of AMR, or the one that it is."""
    if not data.IsA("vtkUniformGridAMR"):
        return [data]
    return list(filter(None, (data.GetDataSet(n, i) for n in range(data.GetNumberOfLevels())
                              for i in range(data.GetNumberOfDataSets(n)))))


def apart(box, others, axes):
    return not any(all(box[a][0] < o[a][1] and o[a][0] < box[a][1] for a in axes) for o in others)


def random_shape(rng):
    """Boxes of a level lie in those of the level before, and do not overlap."""
    axes = [[0, 1, 2], [0, 1], [1, 2], [0, 2]][rng.choice(4, p=[0.6, 0.2, 0.1, 0.1])]
    cells = [int(rng.integers(1, 6)) if a in axes else 0 for a in range(3)]
    size = rng.choice([1.0, 7.3, 1e-3])
    shape = Nested(cells, [], origin=rng.choice([0, 1, -50], 3) * rng.random(3) * size, size=size)
    scale = max(cells)
    for _ in range(rng.integers(0, 4)):
        ratio = int(rng.choice([2, 4], p=[0.7, 0.3]))
        scale *= ratio
        if scale > MOST_FINEST:
            break
        boxes, parents = [], shape.boxes[-1]
        for _ in range(rng.integers(1, 4)):
            parent = parents[rng.integers(len(parents))] if parents else None
            box = parent and random_box(rng, [r[0] for r in parent], [r[1] for r in parent], axes, ratio)
            if box and apart(box, boxes, axes):
                boxes.append(box)
        if not boxes:
            break
        shape.boxes.append(boxes)
        shape.ratios.append(ratio)
    return shape


def split_bottom(rng, shape):
    """Level 0 as two blocks, which may leave a gap between them."""
    a = int(rng.choice(shape.axes))
    n = int(shape.cells[a])
    if n > 1:
        begin, end = np.sort(rng.integers(1, n, size=2))
        whole = shape.boxes[0][0]
        shape.boxes[0] = [[(0, int(begin)) if b == a else r for b, r in enumerate(whole)],
                          [(int(end), n) if b == a else r for b, r in enumerate(whole)]]


def without_a_block(rng, shape):
    """The shape without one of its blocks, and the number of the block: None where it has one block. Cells of
    what is left must not lie partly under finer ones, so the block has no finer ones in it."""
    numbers = [(level, i) for level, boxes in enumerate(shape.boxes) for i in range(len(boxes))]
    fit = [n for n, (level, i) in enumerate(numbers)
           if not shape.covered(level, shape.lattice(shape.boxes[level][i])).any()]
    if len(numbers) == 1 or not fit:
        return shape, None
    number = int(rng.choice(fit))
    level, lost = numbers[number]
    left = copy.copy(shape)
    left.boxes = [[box for i, box in enumerate(boxes) if (n, i) != (level, lost)]
                  for n, boxes in enumerate(shape.boxes)]
    return left, number


def with_a_repeated_part(rng, shape):
    """The shape with one more block on some level, which lies in one of the others there."""
    more = copy.copy(shape)
    level = int(rng.integers(len(shape.boxes)))
    more.boxes = [list(boxes) for boxes in shape.boxes]
    if shape.boxes[level]:
        box = shape.boxes[level][rng.integers(len(shape.boxes[level]))]
        ratio = int(shape.ratios[level - 1]) if level else 1
        begin = [r[0] // ratio for r in box]
        inside = random_box(rng, begin, [r[1] // ratio for r in box], shape.axes, ratio)
        more.boxes[level].append([(b[0], b[1]) if a in shape.axes else box[a] for a, b in enumerate(inside)])
    return more


class UnevenShape(Nested):
    """Like Nested, with sides of the cells of level 0 at other coordinates."""

    def __init__(self, shape, rng):
        self.__dict__.update(shape.__dict__)
        self.even = [self.origin[a] + np.arange(n + 1) * self.spacing[a] for a, n in enumerate(self.cells)]
        self.uneven = [self.origin[a] + np.append(0, np.cumsum(rng.uniform(0.5, 2, n))) * self.spacing[a]
                       for a, n in enumerate(self.cells)]

    def corners(self, leaves):
        return tuple(self.mapped(c, self.even, self.uneven) for c in super().corners(leaves))

    def bottom(self):
        return tuple(np.array([x[end] for x in self.uneven]) for end in (0, -1))

    def flat(self, xyz):
        """Where a place would be if the sides were at equal distances."""
        return self.mapped(xyz, self.uneven, self.even)

    def mapped(self, xyz, old, new):
        return np.stack([np.interp(xyz[:, a], old[a], new[a]) if a in self.axes else xyz[:, a] for a in range(3)],
                        axis=1)


class Field:
    """A ridge somewhere, and a slope."""

    def __init__(self, rng, shape):
        low, high = shape.bottom()
        self.middle = low + rng.random(3) * (high - low)
        self.size = np.linalg.norm(high - low)
        self.width = rng.choice([0.05, 0.3])
        self.slope = rng.normal(size=3)

    def __call__(self, xyz):
        r = np.linalg.norm(xyz - self.middle, axis=1) / self.size
        return 1 / (1 + ((r - 0.2) / self.width) ** 2) + xyz @ self.slope / self.size


class OctreeCase:
    """data, properties; leaves (level, index) of the visible cells; refused: None."""
    refused = None

    def __init__(self, rng):
        self.shape, self.spoiled = random_shape(rng), False
        self.kind = rng.choice(["overlapping", "non-overlapping", "trees", "boxes"])
        self.uneven = self.kind == "trees" and chance(rng, 0.3)
        if self.uneven:
            self.shape = UnevenShape(self.shape, rng)
        elif self.kind != "trees" and chance(rng, 0.3):
            split_bottom(rng, self.shape)
        self.field = Field(rng, self.shape)
        octree_testing.FIELDS = {"linear": octree_testing.linear, "distance": self.field}
        self.points = self.kind == "boxes" and chance(rng, 0.7) or self.kind.endswith("g") and chance(rng, 0.5)
        self.dropped = rng.choice([0, 0, 0.02, 0.3])
        self.salt = int(rng.integers(1 << 30))
        make = getattr(self, "make_" + self.kind.replace("-", "_"))
        make(rng)
        if len(self.leaves) == 0:
            self.dropped = 0.0
            make(rng)
        if chance(rng, 0.1):
            self.spoil(rng)
        self.choose(rng)

    def spoil(self, rng):
        """A few values are not finite."""
        self.spoiled = True
        for data in parts_of(self.data):
            for kind, name in ((data.CELL, "distance_c"), (data.POINT, "distance_p")):
                array = data.GetAttributes(kind) and data.GetAttributes(kind).GetArray(name)
                if array and array.GetNumberOfTuples():
                    values = vtk_to_numpy(array)
                    values[rng.integers(len(values), size=2)] = rng.choice([np.nan, np.inf, -np.inf])

    def is_hidden(self, leaves):
        """Any cell is hidden or not whatever the kind of data it is in. leaves: level in halvings, index."""
        mixed = (leaves.astype(np.int64) + 1) @ [2654435761, 73856093, 19349663, 83492791] + self.salt
        mixed = (mixed ^ mixed >> 13) * 1274126177 & 0xffffffff
        return (mixed >> 8) % 1000 < 1000 * self.dropped

    def hide_in(self, data, leaves):
        flags = self.is_hidden(leaves)
        if flags.any():
            old = data.GetCellData().GetArray(GHOSTS)
            old = vtk_to_numpy(old) if old else np.zeros(len(flags), np.uint8)
            add_array(data.GetCellData(), GHOSTS, np.where(flags, old | HIDDEN, old).astype(np.uint8))

    def make_amr(self, rng, kind):
        ghost_layers = 0 if self.dropped else int(rng.choice(3))
        blank = kind is vtkOverlappingAMR and ghost_layers == 0 and chance(rng, 0.5)
        given, lost = self.shape, None
        if not blank and chance(rng, 0.25):
            self.shape, lost = without_a_block(rng, self.shape)
        elif chance(rng, 0.25):
            given = with_a_repeated_part(rng, self.shape)
        self.data = amr(given, kind, self.points, blank, ghost_layers, mine=lambda number: number != lost)
        for level, boxes in enumerate(given.boxes):
            halvings = int(np.log2(given.scale(level)))
            for i, box in enumerate(boxes):
                index = given.lattice(box)
                if self.data.GetDataSet(level, i) is None:
                    self.data.SetDataSet(level, i, vtkUniformGrid() if chance(rng, 0.5) else None)
                    continue
                if not self.dropped:
                    continue
                self.hide_in(self.data.GetDataSet(level, i),
                             np.column_stack([np.full(len(index), halvings), index]))
        self.leaves = self.shape.leaves()[~self.is_hidden(self.shape.leaves())]

    def make_overlapping(self, rng):
        self.make_amr(rng, vtkOverlappingAMR)

    def make_non_overlapping(self, rng):
        self.make_amr(rng, vtkNonOverlappingAMR)

    def make_boxes(self, rng):
        leaves = self.shape.leaves()
        order = rng.permutation(len(leaves))
        self.data = octree(self.shape, chance(rng, 0.5), self.points, chance(rng, 0.7), order=order)
        self.hide_in(self.data, leaves[order])
        self.leaves = leaves[~self.is_hidden(leaves)]

    def make_trees(self, rng):
        """What is hidden is masked, or a ghost; a mask on a node above hides all below it."""
        self.data = trees(self.shape, self.shape.uneven if self.uneven else None)
        nodes = self.nodes_of_trees()
        masked = self.dropped and chance(rng, 0.5)
        if masked:
            mask = vtkBitArray()
            mask.SetNumberOfValues(len(nodes))
            for i, hidden in enumerate(self.is_hidden(nodes)):
                mask.SetValue(i, int(hidden))
            self.data.SetMask(mask)
        else:
            self.hide_in(self.data, nodes)
        leaves = self.shape.leaves()
        hidden, above = self.is_hidden(leaves), leaves.copy()
        while masked and above[:, 0].max() > 0:
            up = above[:, 0] > 0
            above[up, 1:] //= 2
            above[up, 0] -= 1
            hidden |= self.is_hidden(above)
        self.leaves = leaves[~hidden]

    def nodes_of_trees(self):
        nodes = np.zeros((self.data.GetNumberOfElements(self.data.CELL), 4), int)
        cursor, axes = vtkHyperTreeGridNonOrientedCursor(), self.shape.axes

        def descend(node):
            nodes[cursor.GetGlobalNodeIndex()] = node
            for child in range(0 if cursor.IsLeaf() else 1 << len(axes)):
                below = [node[0] + 1] + [2 * i for i in node[1:]]
                for k, a in enumerate(axes):
                    below[1 + a] += child >> k & 1
                cursor.ToChild(child)
                descend(below)
                cursor.ToParent()

        for tree, index in enumerate(self.shape.lattice([(0, n) for n in self.shape.cells])):
            self.data.InitializeNonOrientedCursor(cursor, tree)
            descend([0, *index])
        return nodes

    def choose(self, rng):
        """Properties of the filter."""
        to = self.properties = {}
        flat = len(self.shape.axes) == 2
        to["OutputType"] = str(rng.choice(KINDS, p=[0.7, 0.15, 0.15]))
        to["HangingNodes"] = str(rng.choice(["Conforming", "Free", "Polygons (2D)"],
                                            p=[0.5, 0.3, 0.2] if flat else [0.6, 0.4, 0]))
        to["GridType"] = str(rng.choice(["Adaptive", "Fixed Coarse", "Fixed Fine"], p=[0.8, 0.1, 0.1]))
        to["CoarsenLevels"] = int(rng.choice(4))
        to["BufferCells"] = int(rng.choice([0, 1, 3], p=[0.7, 0.2, 0.1]))
        to["AMRBlockSize"] = str(rng.choice([2, 4, 8]))
        to["CellArrays"] = str(rng.choice(["Keep On Cells", "Move To Points"]))
        to["ThresholdMode"] = "Absolute"
        to["MeasureErrors"] = 1
        to["GenerateLevel"] = int(chance(rng, 0.5))
        to["Balance"] = str(rng.choice(["None", "Across Faces", "Across Edges", "Across Corners"]))
        self.error = float(rng.choice([0.0, 0.01, 0.1, 0.5]))
        self.array = "distance_p" if self.points and chance(rng, 0.6) else "distance_c"
        to["CriteriaArrays"] = ["POINTS" if self.array.endswith("p") else "CELLS", self.array]
        to["UseInterpolationError"], to["InterpolationError"] = 1, self.error
        if chance(rng, 0.3):
            name = str(rng.choice(["ValueRange", "StandardDeviation", "Gradient"]))
            to["Use" + name], to[name] = 1, float(rng.choice([0.05, 0.5]))
            to["UseInterpolationError"] = int(chance(rng, 0.5))
        if self.uneven and to["OutputType"] == "Overlapping AMR":
            to["OutputType"] = "Hyper Tree Grid"
        if self.error > 0 and chance(rng, 0.15):
            to["CellBudget"] = int(rng.choice([10, 100, 1000]))
