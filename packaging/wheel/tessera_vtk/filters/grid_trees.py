# SPDX-License-Identifier: BSD-3-Clause
"""The leaves of hyper tree grids as cells of several sizes."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkCommonDataModel import vtkHyperTreeGrid

from ..arrays import Array
from ..errors import BadInput
from ..octree import OctreeView
from .grid_octree import COPY, HIDDEN_CELL, MOST_BITS, GridOctree, OnlyArrays, flags_of
from .vtk_arrays import GHOSTS, all_arrays, copy_roles, copy_tuples, has_tuples, new_like, values


def _is_even(sides: Array, single: bool) -> bool:
    """Are the coordinates at equal distances, but for 16 roundings of the largest one?"""
    rounding = 16.0 * (6e-8 if single else 1.2e-16)
    first, last, cells = sides[0], sides[-1], len(sides) - 1
    at = first + (last - first) * (np.arange(cells + 1) / cells)
    return bool((np.abs(sides - at) <= rounding * max(abs(first), abs(last))).all())


class _Lattice:
    """The roots. Raises BadInput where they cannot be used."""

    def __init__(self, data: Any) -> None:
        if data.GetBranchFactor() != 2:
            raise BadInput(f"the hyper tree grid divides cells into {data.GetBranchFactor()} along each axis; only a "
                           "branch factor of 2 can be used")
        coordinates = [data.GetXCoordinates(), data.GetYCoordinates(), data.GetZCoordinates()]
        dimensions = [int(one) for one in data.GetDimensions()]
        self.sides, self.single = [], True
        for axis, array in enumerate(coordinates):
            count = array.GetNumberOfTuples() if array else 0
            if count != dimensions[axis]:
                raise BadInput(f"the hyper tree grid has {count} coordinates along {'xyz'[axis]} for "
                               f"{dimensions[axis]} points")
            sides = values(array)[:, 0].astype("f8")
            falls = ~np.isfinite(sides)
            falls[1:] |= ~(sides[1:] > sides[:-1])
            if falls.any():
                raise BadInput(f"the coordinates of the hyper tree grid must rise along {'xyz'[axis]}, and number "
                               f"{int(np.argmax(falls))} does not")
            self.sides.append(sides)
            self.single = self.single and array.GetDataType() == 10
        self.cells = [len(one) - 1 for one in self.sides]
        self.even = all(n == 0 or _is_even(one, self.single) for n, one in zip(self.cells, self.sides))

    def place(self, view: OctreeView) -> OctreeView:
        """Where the cells of level 0 are."""
        if not self.even:
            return view.sides(self.sides)
        return view.boxes([one[0] for one in self.sides],
                          [(one[-1] - one[0]) / n if n else 1.0 for n, one in zip(self.cells, self.sides)])


def _leaves(data: Any, cells: list[int]) -> Iterator[tuple[int, list[int], int, bool]]:
    """Level, index, number in cell arrays, and whether a mask hides it, of each leaf."""
    mask = data.GetMask() if data.HasMask() else None
    masked = [] if mask is None else [mask.GetValue(k) != 0 for k in range(mask.GetNumberOfValues())]
    deepest, axes = data.GetDepthLimiter(), [axis for axis in range(3) if cells[axis] > 0]
    for number in range(data.GetMaxNumberOfTrees()):
        tree = data.GetTree(number)
        if tree is None:
            continue
        root = [reference(0), reference(0), reference(0)]
        data.GetLevelZeroCoordinatesFromIndex(number, *root)
        stack = [(0, 0, [int(one) for one in root], False)]
        while stack:
            vertex, level, index, hidden = stack.pop()
            place = tree.GetGlobalIndexFromLocal(vertex)
            hidden = hidden or (place < len(masked) and masked[place])
            if level >= deepest or tree.IsLeaf(vertex):
                yield level, index, place, hidden
                continue
            if level == MOST_BITS:
                raise BadInput(_too_deep())
            elder = tree.GetElderChildIndex(vertex)
            for child in reversed(range(1 << len(axes))):  # taken from the back: child 0 is next
                below = [0, 0, 0]
                for bit, axis in enumerate(axes):
                    below[axis] = 2 * index[axis] + (child >> bit & 1)
                stack.append((elder + child, level + 1, below, hidden))


def _too_deep() -> str:
    return f"the trees of the hyper tree grid have more than 2^{MOST_BITS} cells along an axis"


def octree_of_trees(data: vtkHyperTreeGrid, messages: set[str]) -> GridOctree | None:
    """The leaves; None where there are none. Raises BadInput where the grid cannot be used."""
    lattice, nodes = _Lattice(data), data.GetNumberOfElements(1)
    found = list(_leaves(data, lattice.cells))
    places = np.array([one[2] for one in found], np.int64)
    index = np.array([one[1] for one in found], np.int64).reshape(-1, 3)
    level = np.array([one[0] for one in found], np.int64)
    if ((index + 1) > 1 << MOST_BITS).any():
        raise BadInput(_too_deep())
    if ((places < 0) | (places >= nodes)).any():
        raise BadInput(f"nodes of the hyper tree grid have numbers beyond the {nodes} tuples of its cell arrays")
    flags = flags_of(data, True, messages)
    hidden, kept = np.array([one[3] for one in found], bool), np.ones(len(found), bool)
    if flags is not None:
        hidden |= (flags[places] & np.uint8(HIDDEN_CELL)) != 0
        kept = (flags[places] & np.uint8(COPY)) == 0
    if not kept.any():
        return None
    arrays = OnlyArrays(0, int(kept.sum()))
    arrays.GetFieldData().PassData(data.GetFieldData())
    for array in all_arrays(data.GetCellData()):
        if array.GetName() != GHOSTS and has_tuples(array, nodes, "cell", messages):
            to = new_like(array, arrays.GetNumberOfCells())
            copy_tuples(array, places[kept], to)
            arrays.GetCellData().AddArray(to)
    copy_roles(data.GetCellData(), arrays.GetCellData())
    view = OctreeView(lattice.cells, level[kept].astype(np.uint8), index[kept].astype(np.int32),
                      hidden=hidden[kept].astype(np.uint8))
    return GridOctree(lattice.place(view), arrays, lattice.single)
