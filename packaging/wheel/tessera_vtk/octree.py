# SPDX-License-Identifier: BSD-3-Clause
"""Cells of several sizes on numpy arrays: what AMR, hyper tree grids, octrees and meshes are to
`tessera_vtk.grid`."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Sequence

from numpy.typing import ArrayLike

from . import _core as core
from . import arrays
from ._library import lib
from .arrays import Array
from .errors import BadInput
from .grid import RECTILINEAR, UNIFORM, View


class OctreeView(View):
    """Cells of several sizes for `grid.Plan`. Arrays are borrowed where the library can read them as they are.

    Parameters
    ----------
    cells : sequence of 3 int
        Cells of level 0 along each axis; 0 along an axis without cells.
    level : array_like, (n,)
        Of each cell; level 0 is the coarsest.
    index : array_like, (n, 3)
        Of each cell, among those of its level along each axis.
    corners : array_like, (n, 2**dimension), optional
        The tuple in point arrays of each corner, in VTK's order of voxels. None: tuples are in the order of the
        corners' Morton numbers, each place once, as `mesh.Plan` makes them.
    points : int, default: 0
        How many tuples point arrays have; 0: there are none.
    hidden : array_like, (n,), optional
        Not 0: the cell is hidden.
    outside : array_like, (n,), optional
        Not 0: the cell has values, but is no part of what the octree stands for.
    point_places, cell_places : array_like, (m, 3), optional
        Where `samples` of point and cell data are known, in cells of level 0.
    """

    def __init__(self, cells: Sequence[int], level: ArrayLike, index: ArrayLike,
                 corners: ArrayLike | None = None, points: int = 0, hidden: ArrayLike | None = None,
                 outside: ArrayLike | None = None, point_places: ArrayLike | None = None,
                 cell_places: ArrayLike | None = None) -> None:
        super().__init__([side for one in arrays.numbers(cells, "list of cells", 3) for side in (0, int(one))])
        self.core.whole[:] = self.core.extent[:]
        self.octree = core.tsr_grid_octree()
        self.octree.cells[:] = [int(one) for one in cells]
        dimension = sum(one > 0 for one in self.octree.cells)
        levels = arrays.flat(level, "array of levels", None, "u1")
        n = len(levels)
        self.octree.n, self.octree.level = n, self._keep(levels)
        self.octree.index = self._keep(self._table(index, "array of indices", n, 3, "i4"))
        if corners is not None:
            ids = self._table(corners, "array of corners", n, 1 << dimension, "i8")
            self.octree.corners = self._keep(ids)
        self.octree.points = points
        if outside is not None:
            self.octree.outside = self._keep(arrays.flat(outside, "array of outside cells", n, "u1"))
        if hidden is not None:
            self.core.hidden_cells = self._keep(arrays.flat(hidden, "array of hidden cells", n, "u1"))
        for name, places in (("at_points", point_places), ("at_cells", cell_places)):
            if places is not None:
                held = self._table(places, "array of places", None, 3, "f8")
                setattr(self.octree, name, core.tsr_grid_samples(len(held), self._keep(held)))
        self.core.octree = c.addressof(self.octree)
        self._axes: Any = None
        self._refuse_device("cells of several sizes")

    def _keep(self, array: Array) -> int | None:
        self._kept.append(array)
        return arrays.pointer(array)

    @staticmethod
    def _table(given: ArrayLike, what: str, n: int | None, components: int, dtype: str) -> Array:
        array = arrays.tidy(given, what)
        if array.ndim != 2 or array.shape[1] != components or n not in (None, len(array)):
            raise BadInput(f"the {what} must have the shape ({'n' if n is None else n}, {components}), not "
                           f"{array.shape}")
        return array.astype(dtype, copy=False)

    def boxes(self, origin: Iterable[float], spacing: Iterable[float]) -> "OctreeView":
        """Where the cells of level 0 lie. origin: lowest corner of the domain."""
        self.core.geometry = UNIFORM
        self.core.origin[:] = arrays.numbers(origin, "origin", 3)
        self.core.spacing[:] = arrays.numbers(spacing, "spacing", 3)
        return self

    def sides(self, axes: Iterable[ArrayLike]) -> "OctreeView":
        """The coordinates of the sides of the cells of level 0 along x, y and z."""
        self.core.geometry = RECTILINEAR
        held = [arrays.flat(one, "array of coordinates", None, "f8") for one in axes]
        for k, one in enumerate(held):
            self._keep(one)
            self.core.coordinates[k] = arrays.view(one, "array of coordinates", 1)
        self._axes = (c.c_void_p * 3)(*map(arrays.pointer, held))
        return self

    def region(self, box: Iterable[float]) -> list[float]:
        """As of `grid.Axes`."""
        corners = (c.c_double * 6)()
        sides = (c.c_double * 6)(*arrays.numbers(box, "box", 6))
        lib.tsr_grid_region(c.byref(self.core), self._axes, sides, corners)
        return list(corners)

    def whole_cells(self) -> int:
        return int(self.octree.n)
