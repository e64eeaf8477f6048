# SPDX-License-Identifier: BSD-3-Clause
"""The cells of unstructured grids, where they are boxes along the axes that form an octree."""
from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import (VTK_EMPTY_CELL, VTK_HEXAHEDRON, VTK_LINE, VTK_PIXEL, VTK_POLY_LINE,
                                           VTK_POLY_VERTEX, VTK_POLYGON, VTK_POLYHEDRON, VTK_PYRAMID, VTK_QUAD,
                                           VTK_TETRA, VTK_TRIANGLE, VTK_TRIANGLE_STRIP, VTK_VERTEX, VTK_VOXEL,
                                           VTK_WEDGE, vtkUnstructuredGrid)

from ..arrays import Array
from ..errors import BadInput
from ..octree import OctreeView
from .grid_octree import (COPY, HIDDEN_CELL, HIDDEN_POINT, MOST_BITS, TOLERANCE, GridOctree, OnlyArrays,
                          any_of_cell, flags_of, places_of)
from .vtk_arrays import GHOSTS, all_arrays, cell_types, copy_roles, copy_tuples, has_tuples, ids, new_like

_WORDS = {VTK_VERTEX: "a vertex", VTK_POLY_VERTEX: "a group of vertices", VTK_LINE: "a line",
          VTK_POLY_LINE: "a polyline", VTK_TRIANGLE: "a triangle", VTK_TRIANGLE_STRIP: "a triangle strip",
          VTK_POLYGON: "a polygon", VTK_PIXEL: "a pixel", VTK_QUAD: "a quadrilateral",
          VTK_TETRA: "a tetrahedron", VTK_VOXEL: "a voxel", VTK_HEXAHEDRON: "a hexahedron",
          VTK_WEDGE: "a wedge", VTK_PYRAMID: "a pyramid", VTK_POLYHEDRON: "a polyhedron",
          VTK_EMPTY_CELL: "an empty cell"}
_DIMENSION = np.zeros(256, np.int64)
_DIMENSION[[VTK_VOXEL, VTK_HEXAHEDRON]], _DIMENSION[[VTK_PIXEL, VTK_QUAD]] = 3, 2
_OPPOSITE = np.zeros(256, np.int64)  # the corner across the cell from the first one
_OPPOSITE[[VTK_VOXEL, VTK_HEXAHEDRON, VTK_PIXEL, VTK_QUAD]] = 7, 6, 3, 2


def _word(kind: Any) -> str:
    return _WORDS.get(int(kind), "of a kind with more points than corners")


def _nearest(value: float) -> int:
    """The nearest whole number to one that is not negative; halves go up."""
    floor = math.floor(value)
    return floor + (value - floor >= 0.5)


class BoxLattice:
    """The lattice in which the boxes lie: cells of level 0 along each axis, the domain's lowest corner, the
    size of its cells; the tolerance of coordinates, the finest level, and how far the lowest cell is from the
    domain's corner, in cells of that level. Raises BadInput where the boxes cannot form an octree."""

    def __init__(self, dimension: int, low: Array, high: Array, sizes: Array) -> None:
        """low, high: corners of each cell; sizes: of each, by two opposite corners."""
        self.dimension, self.low = dimension, low.min(axis=0)
        self.high, self.largest, self.least = high.max(axis=0), sizes.max(axis=0), sizes.min(axis=0)
        self.at = low[np.argmax(sizes.max(axis=1))]
        self.cells, self.shift, self.finest = [0, 0, 0], [0, 0, 0], 0
        self.origin, self.spacing = [float(one) for one in self.low], [1.0, 1.0, 1.0]
        self._find_axes()
        self._find_finest()
        for axis in self.axes:
            self._find_cells(axis)

    def _find_axes(self) -> None:
        largest = float(max(np.abs(self.low).max(), np.abs(self.high).max()))
        self.tolerance = TOLERANCE * largest
        self.axes = [axis for axis in range(3) if not self.high[axis] - self.low[axis] <= self.tolerance]
        if len(self.axes) != self.dimension:
            raise BadInput("flat cells must lie in one plane across an axis" if self.dimension == 2 else
                           "the cells have no volume")
        for axis in self.axes:
            if not self.least[axis] > 4.0 * self.tolerance:
                raise BadInput(f"the smallest cell is {self.least[axis]:.6g} wide along {'xyz'[axis]}, too little "
                               f"for coordinates up to {largest:.6g} to tell where it begins and ends")

    def _find_finest(self) -> None:
        for axis in self.axes:
            self.finest = max(self.finest, _nearest(math.log2(self.largest[axis] / self.least[axis])))
        if self.finest > MOST_BITS:
            raise BadInput(f"the largest cell is 2^{self.finest} times as wide as the smallest; the limit is "
                           f"2^{MOST_BITS}")

    def _find_cells(self, axis: int) -> None:
        whole, span = 1 << self.finest, float(self.high[axis] - self.low[axis])
        of_cell = math.ldexp(self.largest[axis], -self.finest)
        cells = _nearest(span / of_cell)
        if not cells < 1 << MOST_BITS:
            raise BadInput(f"there are more than 2^{MOST_BITS} cells of the finest level along {'xyz'[axis]}")
        # One cell is known to a few roundings only, and the whole domain, if it fits, better.
        of_domain = span / cells
        fits = abs(math.ldexp(of_domain - of_cell, self.finest)) <= 2.0 * self.tolerance
        side = of_domain if fits else of_cell
        at = _nearest(float(self.at[axis] - self.low[axis]) / side)
        self.shift[axis] = -at % whole
        self.spacing[axis] = math.ldexp(side, self.finest)
        self.origin[axis] = float(self.low[axis]) - self.shift[axis] * side
        self.cells[axis] = (cells + self.shift[axis] + whole - 1) // whole


def _tell(checks: Sequence[tuple[Array, Any]]) -> None:
    """Raises BadInput for the first cell that one of the checks finds. checks: a flag for each cell, and a
    function of the cell that makes the text; of two that find a cell the first one speaks."""
    found = [(int(np.argmax(wrong)), k) for k, (wrong, _) in enumerate(checks) if wrong.any()]
    if found:
        cell, k = min(found)
        raise BadInput(f"cell {cell} {checks[k][1](cell)}")


class _Boxes:
    """The cells of a grid, which has some."""

    def __init__(self, grid: vtkUnstructuredGrid) -> None:
        self.types = cell_types(grid)
        offsets, self.connectivity = ids(grid.GetCells())
        self.offsets = offsets.astype(np.int64, copy=False)
        self.points = places_of(grid)
        self.lattice = BoxLattice(*self._look())
        self._place()

    def _look(self) -> tuple[int, Array, Array, Array]:
        """The dimension, and of the cells of that dimension their corners and sizes, by two opposite corners."""
        dimensions, counts = _DIMENSION[self.types], np.diff(self.offsets)
        kind = (dimensions == 0) | (counts != 1 << dimensions)
        outside = (self.connectivity < 0) | (self.connectivity >= len(self.points))
        unknown = any_of_cell(np.ones(1, bool), self.offsets, np.where(outside, 0, -1))
        good = ~(kind | unknown)
        ends = [self.points[self.connectivity[self.offsets[:-1][good] + shift]].astype("f8") for shift in
                (0, _OPPOSITE[self.types[good]])]
        sizes = np.abs(ends[1] - ends[0])
        flat = np.zeros(len(good), bool)
        flat[good] = (sizes > 0.0).sum(axis=1) < dimensions[good]
        advice = ": unstructured grids must have cells of two or three dimensions"
        _tell([
            (kind, lambda cell: f"is {_word(self.types[cell])}{advice}"),
            (unknown, lambda cell: "has a point that the grid does not have"),
            (flat, lambda cell: f"is {_word(self.types[cell])} two of whose opposite corners lie in one plane "
                                "across an axis, or are not finite")])
        most = int(dimensions.max())
        whole = dimensions == most
        return most, np.minimum(*ends)[whole], np.maximum(*ends)[whole], sizes[whole]

    def _place(self) -> None:
        """Level, index and corners of each cell."""
        lattice = self.lattice
        corners = 1 << lattice.dimension
        other = _DIMENSION[self.types] != lattice.dimension
        several = "three" if lattice.dimension == 3 else "two"
        slots = np.minimum(self.offsets[:-1, None] + np.arange(corners), len(self.connectivity) - 1)
        self.ids = self.connectivity[slots].astype(np.int64)
        at = self.points[self.ids].astype("f8")
        low, high = at.min(axis=1), at.max(axis=1)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            infinite = ~np.isfinite(at.sum(axis=(1, 2)))
            upper = at - low[:, None] > high[:, None] - at
            off = ~(np.abs(at - np.where(upper, high[:, None], low[:, None])) <= lattice.tolerance)
        corner = sum(upper[:, :, axis].astype(np.int64) << bit for bit, axis in enumerate(lattice.axes))
        seen = np.bitwise_or.reduce(1 << corner, axis=1)
        _tell([
            (other, lambda cell: f"is {_word(self.types[cell])}, and other cells are {several}-dimensional"),
            (infinite, lambda cell: "has a point whose coordinates are not finite"),
            (off.any(axis=(1, 2)), lambda cell: f"is {_word(self.types[cell])} that is no box along the axes"),
            (seen != (1 << corners) - 1, lambda cell: f"is {_word(self.types[cell])} two of whose points lie at "
                                                      "one place"),
            *self._index(low, high)])
        self.corners = np.empty_like(self.ids)
        np.put_along_axis(self.corners, corner, self.ids, axis=1)

    def _index(self, low: Array, high: Array) -> list[tuple[Array, Any]]:
        """Sets the levels and the indices. Returns what may be wrong with them."""
        lattice, n = self.lattice, len(low)
        size, side = high - low, np.array([lattice.spacing[k] if lattice.cells[k] else 0.0 for k in range(3)])
        first = lattice.axes[0]
        with np.errstate(divide="ignore", invalid="ignore"):  # the nearest one, by the ratio times sqrt(2)
            ratio = 1.4142135623730951 * lattice.spacing[first] / size[:, first]
        halvings = np.where(np.isfinite(ratio), np.frexp(ratio)[1] - 1, lattice.finest)
        level = np.clip(halvings, 0, lattice.finest)
        self.level, self.index = level.astype(np.uint8), np.zeros((n, 3), np.int32)
        problems: list[tuple[Array, Any]] = []
        for axis in range(3):
            uneven = ~(np.abs(size[:, axis] - side[axis] * np.ldexp(1.0, -level)) <= 2.0 * lattice.tolerance)
            problems.append((uneven, lambda cell: (
                f"is {_by(size[cell])}, and the largest cells are {_by(side)}: the sides of cells must be 1, 1/2, "
                "1/4, ... of those of the largest cell, along all axes alike")))
            if lattice.cells[axis]:
                problems.append(self._index_along(axis, low, size, level))
        return problems

    def _index_along(self, axis: int, low: Array, size: Array, level: Array) -> tuple[Array, Any]:
        lattice = self.lattice
        finest = lattice.spacing[axis] * math.ldexp(1.0, -lattice.finest)
        start = low[:, axis] - lattice.low[axis]
        at = (np.nan_to_num(start / finest, posinf=0.0) + 0.5).astype(np.int64)
        place, rest = at + lattice.shift[axis], (1 << (lattice.finest - level)) - 1
        self.index[:, axis] = place >> (lattice.finest - level)
        return (~(np.abs(start - at * finest) <= lattice.tolerance) | (place & rest != 0), lambda cell: (
            f"begins at {'xyz'[axis]} = {low[cell, axis]:.6g}, which is no multiple of its side "
            f"{size[cell, axis]:.6g} from {lattice.origin[axis]:.6g}, the lowest corner of the octree"))


def _by(size: Array) -> str:
    """Three lengths, as "1 by 2 by 0.5"."""
    return " by ".join(f"{one:.6g}" for one in size)


def octree_of_cells(grid: vtkUnstructuredGrid, messages: set[str]) -> GridOctree:
    """The cells of a grid that has some. Raises BadInput where they are no octree."""
    boxes = _Boxes(grid)
    lattice, n = boxes.lattice, grid.GetNumberOfCells()
    cells, points = flags_of(grid, True, messages), flags_of(grid, False, messages)
    hidden = np.zeros(n, bool)
    if cells is not None:
        hidden |= (cells & np.uint8(HIDDEN_CELL)) != 0
    if points is not None:
        hidden |= any_of_cell((points & np.uint8(HIDDEN_POINT)) != 0, boxes.offsets, boxes.connectivity)
    kept = np.arange(n)
    data: Any = grid
    if cells is not None and (cells & np.uint8(COPY)).any():
        kept = np.flatnonzero((cells & np.uint8(COPY)) == 0)
        data = without_copies(grid, kept, messages)
    of_points = [one for one in all_arrays(grid.GetPointData()) if one.GetName() != GHOSTS]
    view = OctreeView(lattice.cells, boxes.level[kept], boxes.index[kept],
                      boxes.corners[kept] if of_points else None,
                      grid.GetNumberOfPoints() if of_points else 0,
                      hidden[kept].astype(np.uint8) if cells is not None or points is not None else None)
    return GridOctree(view.boxes(lattice.origin, lattice.spacing), data, boxes.points.dtype == np.float32)


def without_copies(data: Any, kept: Array, messages: set[str]) -> OnlyArrays:
    """The arrays of a dataset with the tuples of the cells that are kept."""
    made = OnlyArrays(data.GetNumberOfPoints(), len(kept))
    made.GetFieldData().PassData(data.GetFieldData())
    made.GetPointData().PassData(data.GetPointData())
    for array in all_arrays(data.GetCellData()):
        if has_tuples(array, data.GetNumberOfCells(), "cell", messages):
            to = new_like(array, len(kept))
            copy_tuples(array, kept, to)
            made.GetCellData().AddArray(to)
    copy_roles(data.GetCellData(), made.GetCellData())
    return made
