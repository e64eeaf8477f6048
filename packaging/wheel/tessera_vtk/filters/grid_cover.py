# SPDX-License-Identifier: BSD-3-Clause
"""Which cells of the blocks of AMR lie under cells of other blocks."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

import numpy as np

from ..arrays import Array
from .grid_octree import COPY


@dataclass
class Box:
    """Cells [low, high) of one block, counted in the domain's cells of their level; an axis without cells has the
    one cell 0. Of two boxes of one level, that of the lower block covers."""

    block: int
    level: int
    low: list[int]
    high: list[int]

    def own_cells(self, ghosts: Array | None) -> list[Box]:
        """Boxes of the cells that are no copies of cells of other blocks: the block, or runs along x."""
        if ghosts is None or not (ghosts & np.uint8(COPY)).any():
            return [self]
        found = []
        sizes = [high - low for low, high in zip(self.low, self.high)]
        for k, plane in enumerate(((ghosts & np.uint8(COPY)) == 0).reshape(sizes[::-1])):
            for j, row in enumerate(plane):
                ends = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
                for first, last in zip(ends[::2].tolist(), ends[1::2].tolist()):
                    low = [self.low[0] + first, self.low[1] + j, self.low[2] + k]
                    found.append(Box(self.block, self.level, low, [self.low[0] + last, low[1] + 1, low[2] + 1]))
        return found


class Cover:
    """Boxes of own cells of all blocks. active: the axes that have cells."""

    def __init__(self, boxes: Sequence[Box], active: Sequence[bool]) -> None:
        self.boxes, self.active = list(boxes), np.array(active)
        self._low, self._high = (np.array([getattr(one, name) for one in boxes], np.int64).reshape(-1, 3)
                                 for name in ("low", "high"))
        self._level = np.array([one.level for one in boxes], np.int64)
        self._block = np.array([one.block for one in boxes], np.int64)

    def _over(self, under: Box) -> Array:
        """Numbers of the boxes that cover a part of a box."""
        finer = (self._level > under.level) | ((self._level == under.level) & (self._block < under.block))
        shift = np.where(self.active, np.maximum(self._level - under.level, 0)[:, None], 0)
        meets = ((self._low < np.array(under.high) << shift) & (np.array(under.low) << shift < self._high)).all(axis=1)
        return np.flatnonzero(finer & meets)

    def flag(self, block: Box, flags: Array) -> int:
        """Sets the flag, one a cell, to 1 for each cell of a block that lies wholly under others. A cell that lies
        partly under finer ones gets 1, too, if it has a flag; returns the first one that has none, or -1."""
        low, sizes = np.array(block.low), np.array(block.high) - np.array(block.low)
        shaped = flags.reshape(sizes[::-1])
        partly: dict[int, list[int]] = {}
        for number in self._over(block).tolist():
            shift = np.where(self.active, self._level[number] - block.level, 0)
            rest = (1 << shift) - 1
            first = np.maximum(0, (self._low[number] >> shift) - low)
            last = np.minimum(sizes, ((self._high[number] + rest) >> shift) - low)
            begin, end = ((self._low[number] + rest) >> shift) - low, (self._high[number] >> shift) - low
            touched = np.zeros(shaped.shape, bool)
            touched[_slices(first, last)] = True
            whole = np.zeros(shaped.shape, bool)
            whole[_slices(np.maximum(begin, 0), np.minimum(np.maximum(end, begin), sizes))] = True
            for cell in np.flatnonzero(touched & ~whole).tolist():
                partly.setdefault(cell, []).append(number)
            shaped[touched & whole] = 1
        for cell in sorted(partly):
            if flags[cell] == 0 and not self._is_whole(block, cell, partly[cell]):
                return cell
            flags[cell] = 1
        return -1

    def _is_whole(self, block: Box, cell: int, numbers: Sequence[int]) -> bool:
        """Do the boxes together cover the cell?"""
        level = max([block.level, *(self.boxes[one].level for one in numbers)])
        nx, ny = block.high[0] - block.low[0], block.high[1] - block.low[1]
        at = np.array(block.low) + (cell % nx, cell // nx % ny, cell // nx // ny)
        down = np.where(self.active, level - block.level, 0)
        covered = np.zeros((1 << down)[::-1], bool)  # cells of the finest of the boxes
        for one in numbers:
            up = np.where(self.active, level - self._level[one], 0)
            first, last = (self._low[one] << up) - (at << down), (self._high[one] << up) - (at << down)
            covered[_slices(np.maximum(first, 0), np.minimum(last, 1 << down))] = True
        return bool(covered.all())


def _slices(low: Array, high: Array) -> tuple[slice, slice, slice]:
    """Of an array whose last axis is x."""
    z, y, x = (slice(int(low[axis]), max(int(low[axis]), int(high[axis]))) for axis in (2, 1, 0))
    return z, y, x
