# SPDX-License-Identifier: BSD-3-Clause
"""Cells that go from the input to the output as they are: vertices, polygons and strips."""
from __future__ import annotations

import ctypes as c

from typing import Any

from .. import arrays
from .. import _core as core
from .._library import call, lib
from ..arrays import Array
from .vtk_arrays import new_cells

VERTS, POLYS, STRIPS = range(core.TSR_PASS_LISTS)


class PassThrough:
    """Three lists of cells, the points that they use, and which of them have to stay behind."""

    def __init__(self) -> None:
        self._view = core.tsr_pass_view()
        self._handle = c.c_void_p()
        self._kept: list[Array] = []

    def __del__(self) -> None:
        lib.tsr_pass_free(self._handle)

    def add(self, slot: int, offsets: Array, connectivity: Array, first_cell: int,
            chosen: Array | None = None) -> None:
        """Cells of one list, all or the chosen ones; first_cell: number of the first one."""
        row = self._view.lists[slot]
        row.n_cells, row.n_connectivity = len(offsets) - 1, len(connectivity)
        row.offsets, row.connectivity = arrays.pointer(offsets), arrays.pointer(connectivity)
        row.index_type = arrays.TYPES[offsets.dtype]
        row.chosen, row.first_cell = arrays.pointer(chosen), first_cell
        self._kept += [offsets, connectivity] + ([] if chosen is None else [chosen])

    def finish(self, n_points: int, points: Array | None) -> None:
        """points: where they will be stored in single precision."""
        self._view.n_points = n_points
        if points is not None:
            self._view.points = arrays.view(points)
            self._kept.append(points)
        call("tsr_pass_create", c.byref(self._view), c.byref(self._handle))
        self.sizes = lib.tsr_pass_get_sizes(self._handle).contents
        self.bad, self.too_large = self.sizes.bad, self.sizes.too_large
        self.points = arrays.copied(lib.tsr_pass_points(self._handle), self.sizes.points, "i8")

    def cell_ids(self, slot: int) -> Array:
        """The numbers in the dataset of the cells of a list that go along."""
        return arrays.copied(lib.tsr_pass_cells(self._handle, slot), self.sizes.cells[slot], "i8")

    def new_cells(self, slot: int, first_point: int) -> Any:
        """The cells of a list that go along, with the points in use numbered from first_point on; None if the
        list has no cells."""
        n = self.sizes.cells[slot]
        if n == 0:
            return None
        cells, offsets, connectivity = new_cells(n + 1, self.sizes.connectivity[slot])
        lib.tsr_pass_fill(self._handle, slot, first_point, arrays.pointer(offsets),
                          arrays.pointer(connectivity))
        return cells


