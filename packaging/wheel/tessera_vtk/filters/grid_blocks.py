# SPDX-License-Identifier: BSD-3-Clause
"""The cells of AMR as cells of several sizes: those of each block that lie under no finer ones."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkUniformGridAMR

from ..arrays import Array
from ..errors import BadInput
from ..octree import OctreeView
from .grid_cover import Box, Cover
from .grid_octree import (COPY, HIDDEN_CELL, HIDDEN_POINT, MOST_BITS, TOLERANCE, GridOctree, OnlyArrays, flags_of)
from .vtk_arrays import GHOSTS, all_arrays, copy_tuples, name_of, new_like


@dataclass
class Block:
    """A block and where it lies. cells: along each axis; 0 along an axis with one point."""

    data: Any
    level: int
    number: int
    corner: list[float]
    spacing: list[float]
    cells: list[int]

    def name(self) -> str:
        """For messages."""
        return f"block {self.number} of level {self.level}"


def _blocks(data: vtkUniformGridAMR) -> list[Block]:
    """Those that have points."""
    found = []
    at: Any = data.NewIterator()
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        image = at.GetCurrentDataObject()
        block = Block(image, at.GetCurrentLevel(), at.GetCurrentIndex(), [], [], [])
        at.GoToNextItem()
        if not isinstance(image, vtkImageData) or not image.GetDirectionMatrix().IsIdentity():
            raise BadInput(f"{block.name()} is no image along the axes")
        if image.GetNumberOfPoints() == 0:
            continue
        extent, block.spacing = image.GetExtent(), list(image.GetSpacing())
        block.corner = [image.GetOrigin()[k] + extent[2 * k] * block.spacing[k] for k in range(3)]
        block.cells = [extent[2 * k + 1] - extent[2 * k] for k in range(3)]
        found.append(block)
    return found


def _round(value: float) -> int:
    """The nearest whole number; halves go away from 0."""
    nearest = math.floor(abs(value))
    nearest += abs(value) - nearest >= 0.5
    return nearest if value >= 0.0 else -nearest


class BlockLattice:
    """The lattice of the blocks. Raises BadInput where they do not fit together."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.active = [any(one.cells[axis] > 0 for one in blocks) for axis in range(3)]
        largest = 0.0
        for one in blocks:
            for corner, spacing, cells in zip(one.corner, one.spacing, one.cells):
                ends = corner, corner + cells * spacing
                if not all(map(math.isfinite, ends)) or (cells > 0 and not spacing > 0.0):
                    raise BadInput(f"{one.name()} needs a finite origin, and spacings above 0")
                largest = max(largest, *map(abs, ends))
        self.tolerance = TOLERANCE * largest
        self.blocks = [one for one in blocks if any(self.active) and
                       not any(self.active[axis] and one.cells[axis] == 0 for axis in range(3))]
        self.depths: dict[int, int] = {}
        self.origin, self.spacing, self.cells = [0.0] * 3, [1.0] * 3, [0, 0, 0]
        if self.blocks:
            self._find_levels()
            for one in self.blocks:
                self._check(one)
            self._find_domain()

    def spacing_at(self, one: Block, axis: int) -> float:
        """Of the cells of its level."""
        return math.ldexp(self.spacing[axis], -self.depths[one.level])

    def _find_levels(self) -> None:
        first = {one.level: one for one in reversed(self.blocks)}
        coarser: Block | None = None
        for level in sorted(first):
            if coarser is None:
                self.spacing, self.depths[level] = list(first[level].spacing), 0
            else:
                self._add_level(first[level], coarser)
            coarser = first[level]

    def _add_level(self, block: Block, coarser: Block) -> None:
        halvings, ratio = 0, 0.0
        for axis in filter(lambda axis: self.active[axis], range(3)):
            here = coarser.spacing[axis] / block.spacing[axis]
            power = _round(math.log2(here))
            fits = power >= 1 and abs(math.ldexp(1.0, power) - here) <= 1e-3 * here  # 3 is far from 2 and 4
            if not fits or (ratio != 0.0 and power != halvings):
                along = f" along one axis and {here:.6g} times along another" if fits else ""
                raise BadInput(f"cells of level {block.level} are {ratio if fits else here:.6g} times smaller than those "
                               f"of level {coarser.level}{along}: refinement ratios must be 2, 4 or another power of 2, "
                               "the same along all axes")
            halvings, ratio = power, here
        depth = self.depths[block.level] = self.depths[coarser.level] + halvings
        if depth > MOST_BITS:
            raise BadInput(f"level {block.level} has cells of 2^-{depth} of the coarsest ones; the limit is "
                           f"2^-{MOST_BITS}")

    def _check(self, one: Block) -> None:
        for axis in filter(lambda axis: self.active[axis], range(3)):
            spacing = self.spacing_at(one, axis)
            if not abs(one.spacing[axis] - spacing) * max(1, one.cells[axis]) <= min(self.tolerance, 0.25 * spacing):
                raise BadInput(f"{one.name()} has the spacing {one.spacing[axis]:.6g} along {'xyz'[axis]}, and other "
                               f"levels ask for {spacing:.6g}")

    def _find_domain(self) -> None:
        coarsest = [one for one in self.blocks if self.depths[one.level] == 0]
        origin = [min(one.corner[axis] for one in coarsest) for axis in range(3)]
        low, high = [0, 0, 0], [0, 0, 0]  # in cells of level 0
        for one in self.blocks:
            for axis in range(3):
                start = one.corner[axis] - origin[axis]
                if not self.active[axis]:
                    if not abs(start) <= self.tolerance:
                        raise BadInput(f"{one.name()} lies at {'xyz'[axis]} = {one.corner[axis]:.6g}, other blocks at "
                                       f"{origin[axis]:.6g}: flat blocks must lie in one plane")
                    continue
                spacing, depth = self.spacing_at(one, axis), self.depths[one.level]
                at = _round(start / spacing)
                if not abs(start - at * spacing) <= min(self.tolerance, 0.25 * spacing):
                    raise BadInput(f"{one.name()} begins at {'xyz'[axis]} = {one.corner[axis]:.6g}, between cells of "
                                   "its level, which the coarser levels place")
                if not abs(at) + one.cells[axis] < 1 << MOST_BITS:
                    raise BadInput(f"{one.name()} lies more than 2^{MOST_BITS} of its cells from the others")
                low[axis] = min(low[axis], at >> depth)
                high[axis] = max(high[axis], (at + one.cells[axis] + (1 << depth) - 1) >> depth)
        for axis in range(3):
            self.origin[axis] = origin[axis] + low[axis] * self.spacing[axis]
            self.cells[axis] = high[axis] - low[axis]

    def box(self, one: Block) -> Box:
        """The block as a box of the domain's cells of its level."""
        low = [_round((one.corner[axis] - self.origin[axis]) / self.spacing_at(one, axis)) if self.active[axis] else 0
               for axis in range(3)]
        return Box(one.number, self.depths[one.level], low, [at + max(1, n) for at, n in zip(low, one.cells)])


class _Part:
    """What a block gives. dropped: 1 for cells that lie under others or are copies, 2 for hidden ones."""

    def __init__(self, block: Block, box: Box, messages: set[str]) -> None:
        self.block, self.box = block, box
        where = f" The block is {block.name()}."
        self.ghosts, self.point_ghosts = (flags_of(block.data, cells, messages, where) for cells in (True, False))
        self.dropped = np.zeros(block.data.GetNumberOfCells(), np.uint8)
        if self.ghosts is not None:
            self.dropped[(self.ghosts & np.uint8(HIDDEN_CELL)) != 0] = 2
            self.dropped[(self.ghosts & np.uint8(COPY)) != 0] = 1

    def cells(self, active: Sequence[bool]) -> tuple[Array, Array]:
        """Index and first point of each cell that stays, x fastest."""
        box, sizes = self.box, [high - low for low, high in zip(self.box.low, self.box.high)]
        at = np.stack(np.unravel_index(np.flatnonzero(self.dropped != 1), sizes[::-1]), 1)[:, ::-1]
        return at + np.array(box.low), at @ self.strides(active)

    def strides(self, active: Sequence[bool]) -> Array:
        """From a point to the next along each axis."""
        made, step = [], 1
        for axis in range(3):
            made.append(step)
            step *= self.box.high[axis] - self.box.low[axis] + 1 if active[axis] else 1
        return np.array(made)


def octree_of_blocks(data: vtkUniformGridAMR, messages: set[str]) -> GridOctree | None:
    """The cells; None where there are none. Raises BadInput where the blocks do not fit together."""
    lattice = BlockLattice(_blocks(data))
    parts = [_Part(one, lattice.box(one), messages) for one in lattice.blocks]
    cover = Cover([own for one in parts for own in one.box.own_cells(one.ghosts)], lattice.active)
    for one in parts:
        bad = cover.flag(one.box, one.dropped)
        if bad >= 0:
            raise BadInput(f"cell {bad} of {one.block.name()} lies partly under finer cells: blocks must begin and end "
                           "where cells of the coarser level do")
    n = sum(int((one.dropped != 1).sum()) for one in parts)
    if n == 0:
        return None
    arrays, n_points = _join(parts, messages)
    arrays.GetFieldData().PassData(data.GetFieldData())
    levels = np.concatenate([np.full(int((one.dropped != 1).sum()), one.box.level, np.uint8) for one in parts])
    index, corners, hidden, first = [], [], [], 0
    axes = [axis for axis in range(3) if lattice.active[axis]]
    steps = np.array([[corner >> bit & 1 for bit in range(len(axes))] for corner in range(1 << len(axes))])
    for one in parts:
        places, points = one.cells(lattice.active)
        of_cell = points[:, None] + steps @ one.strides(lattice.active)[axes]
        index.append(places)
        corners.append(of_cell + first)
        hides = one.dropped[one.dropped != 1] == 2
        if one.point_ghosts is not None:
            hides = hides | ((one.point_ghosts[of_cell] & np.uint8(HIDDEN_POINT)) != 0).any(axis=1)
        hidden.append(hides)
        first += one.block.data.GetNumberOfPoints()
    flags = np.concatenate(hidden)
    any_hidden = flags.any() or any(one.point_ghosts is not None for one in parts)
    view = OctreeView(lattice.cells, levels, np.concatenate(index).astype(np.int32),
                      np.concatenate(corners).astype(np.int64) if n_points else None, n_points,
                      flags.astype(np.uint8) if any_hidden else None)
    return GridOctree(view.boxes(lattice.origin, lattice.spacing), arrays, False)


def _join(parts: Sequence[_Part], messages: set[str]) -> tuple[OnlyArrays, int]:
    """The arrays that all blocks have, one block behind the other, and how many points have tuples."""
    has = any(name_of(one) != GHOSTS for part in parts for one in all_arrays(part.block.data.GetPointData()))
    n_points = sum(one.block.data.GetNumberOfPoints() for one in parts) if has else 0
    made = OnlyArrays(n_points, sum(int((one.dropped != 1).sum()) for one in parts))
    for cells in (False, True):
        kept = [np.flatnonzero(one.dropped != 1) if cells else np.arange(one.block.data.GetNumberOfPoints())
                for one in parts]
        sources = [one.block.data.GetCellData() if cells else one.block.data.GetPointData() for one in parts]
        to = made.GetCellData() if cells else made.GetPointData()
        for array in all_arrays(sources[0]):
            others = [one.GetAbstractArray(array.GetName()) if array.GetName() else None for one in sources]
            if name_of(array) == GHOSTS or not all(_alike(array, other, part, cells) for other, part in
                                                   zip(others, parts)) or to.HasArray(name_of(array)):
                continue
            joined, first = new_like(array, sum(map(len, kept))), 0
            for other, tuples in zip(others, kept):
                copy_tuples(other, tuples, joined, first)
                first += len(tuples)
            to.AddArray(joined)
            for role in range(to.NUM_ATTRIBUTES):
                if sources[0].GetAbstractAttribute(role) is array:
                    to.SetActiveAttribute(array.GetName(), role)
        _tell_of_others(sources, to, cells, messages)
    return made, n_points


def _alike(array: Any, other: Any, part: _Part, cells: bool) -> bool:
    return bool(other is not None and other.GetDataType() == array.GetDataType() and
                other.GetNumberOfComponents() == array.GetNumberOfComponents() and
                other.GetNumberOfTuples() == part.block.data.GetNumberOfElements(1 if cells else 0))


def _tell_of_others(sources: Sequence[Any], to: Any, cells: bool, messages: set[str]) -> None:
    """Warns of arrays that are not on every block."""
    for name in {name_of(one) for data in sources for one in all_arrays(data)} - {GHOSTS}:
        if not name:
            messages.add("An array without a name is left out, since it may lie in several blocks.")
        elif not to.HasArray(name):
            messages.add(f"The {'cell' if cells else 'point'} array '{name}' is not the same on every block and is "
                         "left out.")
