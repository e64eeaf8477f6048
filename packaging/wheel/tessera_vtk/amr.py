# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of AMR on numpy arrays: which of their cells lie under no finer ones, as `octree.OctreeView` takes
them."""
from __future__ import annotations

import ctypes as c
from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _core as core
from . import arrays
from ._library import lib
from ._plan import Borrowing
from .arrays import Array
from .execution import Execution


class Block(NamedTuple):
    """An image along the axes.

    level, number: of the block, and within its level; 0 is the coarsest. corner: its lowest point. spacing: sides of
    a cell. cells: along each axis; 0 along an axis with one point. cell_ghosts, point_ghosts: ghost arrays, uint8
    with VTK's bits, x fastest; None: there is none.
    """

    level: int
    number: int
    corner: Sequence[float]
    spacing: Sequence[float]
    cells: Sequence[int]
    cell_ghosts: Array | None = None
    point_ghosts: Array | None = None


class Blocks(Borrowing):
    """Blocks in one lattice. Raises BadInput where they do not fit together.

    sizes: a tsr_grid_amr_sizes. level, index, corners, hidden: of the cells that stay, one block after the other, x
    fastest; hidden: None where no cell can be hidden.

    Examples
    --------
    A block of 2 by 2 cells, and on one of them a finer one:

    >>> from tessera_vtk import amr
    >>> coarse = amr.Block(0, 0, [0, 0, 0], [1, 1, 1], [2, 2, 0])
    >>> fine = amr.Block(1, 0, [1, 0, 0], [0.5, 0.5, 1], [2, 2, 0])
    >>> blocks = amr.Blocks([coarse, fine])
    >>> blocks.level.tolist(), blocks.dropped(0).tolist()
    ([0, 0, 0, 1, 1, 1, 1], [0, 1, 0, 0])
    """

    _handle: c.c_void_p | None = None
    _kept: list[Any]

    def __init__(self, blocks: Sequence[Block], execution: Execution | None = None) -> None:
        run = execution or Execution(1)
        self._blocks, self._kept = blocks, [run]
        rows = arrays.vector(core.tsr_grid_amr_block, [self._row(one) for one in blocks])
        self._handle = c.c_void_p()
        run.call("tsr_grid_amr_create", rows, len(blocks), None, c.byref(self._handle))
        self.sizes = lib.tsr_grid_amr_plan_sizes(self._handle).contents
        n = self.sizes.n
        self.level, self.index = np.empty(n, "u1"), np.empty((n, 3), "i4")
        self.corners = np.empty((n, 1 << self.sizes.dimension), "i8")
        self.hidden = np.empty(n, "u1") if self.sizes.any_hidden else None
        run.call("tsr_grid_amr_fill", self._handle, c.byref(run.core),
                 *map(arrays.pointer, (self.level, self.index, self.corners, self.hidden)))

    def __del__(self) -> None:
        if self._handle is not None:
            lib.tsr_grid_amr_free(self._handle)

    def _row(self, one: Block) -> Any:
        cells = [int(n) for n in arrays.numbers(one.cells, "list of cells", 3)]
        made = core.tsr_grid_amr_block(one.level, one.number)
        made.corner[:] = arrays.numbers(one.corner, "corner", 3)
        made.spacing[:] = arrays.numbers(one.spacing, "spacing", 3)
        made.cells[:] = cells
        for name, ghosts, more in (("cell_ghosts", one.cell_ghosts, 0), ("point_ghosts", one.point_ghosts, 1)):
            if ghosts is not None:
                n = int(np.prod([max(1, k + more) for k in cells]))
                self._kept.append(arrays.flat(ghosts, "ghost array", n, "u1"))
                setattr(made, name, arrays.pointer(self._kept[-1]))
        return made

    def dropped(self, i: int) -> Array | None:
        """Of each cell of a block: 0: it stays, 1: it lies under others or is a copy, 2: it is hidden. None: the
        block is left out, since it has one point along an axis on which others have cells."""
        place = lib.tsr_grid_amr_dropped(self._handle, i)
        n = int(np.prod([max(1, int(k)) for k in self._blocks[i].cells]))
        return None if not place else arrays.copied(place, n, "u1")
