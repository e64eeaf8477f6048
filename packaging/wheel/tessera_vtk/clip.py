# SPDX-License-Identifier: BSD-3-Clause
"""Cells of a grid on numpy arrays, cut at the surface of a mesh."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays
from ._library import lib, new
from ._plan import Borrowing
from .arrays import Array
from .execution import Execution
from .mesh import View


class Pieces(Borrowing):
    """The simplices that replace leaves of a grid at the surface of a mesh. Frees itself.

    Parameters
    ----------
    view : mesh.View
        The mesh.
    leaves : array_like, (n, 4)
        Of each leaf the lowest corner, in cells of level 0 from the origin of the octree of the mesh, 0 along an axis
        without cells; and its side, in cells of level 0.
    cell_size : float
        As the mesh.Plan of the octree had it.
    bounds : sequence of 6 float, optional
        As the mesh.Plan of the octree had them.

    Attributes
    ----------
    cut : (n,) uint8
        1: the leaf is replaced by its pieces, of which it may have none.
    points, places : (points, 3) float64
        Points of the pieces in space, and in cells of level 0.
    connectivity : (pieces, dimension + 1) int64
        Tetrahedra or triangles.
    leaf, source : (pieces,) int64
        The leaf and the mesh cell that a piece is a part of.

    Examples
    --------
    A square of one cell that half a triangle fills:

    >>> from tessera_vtk import clip, mesh
    >>> view = mesh.View([[0, 0], [1, 0], [0, 1]], [5], [0, 3], [0, 1, 2])
    >>> octree = mesh.Plan(view, cell_size=1.0 / 16)
    >>> pieces = clip.Pieces(view, [[0, 0, 0, 1]], 1.0 / 16)
    >>> pieces.cut.tolist(), pieces.connectivity.shape, octree.sizes.spacing
    ([1], (1, 3), 1.0)
    """

    _handle: c.c_void_p | None = None

    def __init__(self, view: View, leaves: ArrayLike, cell_size: float, bounds: Sequence[float] | None = None,
                 execution: Execution | None = None) -> None:
        self._run, boxes = execution or Execution(1), np.ascontiguousarray(leaves, "f8").reshape(-1, 4)
        self._kept = view, boxes
        set_ = new("tsr_mesh_clip_options")
        set_.lattice.cell_size = cell_size
        if bounds is not None:
            set_.lattice.bounds[:] = arrays.numbers(bounds, "list of bounds", 6)
        set_.leaves, set_.n_leaves = arrays.pointer(boxes), len(boxes)
        self._handle = c.c_void_p()
        self._run.call("tsr_mesh_clip_create", c.byref(view.core), c.byref(set_), c.byref(self._run.core),
                       c.byref(self._handle))
        sizes = lib.tsr_mesh_clip_plan_sizes(self._handle).contents
        self._counts = sizes.points, sizes.pieces
        self.cut = np.empty(len(boxes), "u1")
        self.points, self.places = np.empty((sizes.points, 3)), np.empty((sizes.points, 3))
        self.connectivity = np.empty((sizes.pieces, sizes.dimension + 1), "i8")
        self.leaf, self.source = np.empty(sizes.pieces, "i8"), np.empty(sizes.pieces, "i8")
        self._fill({name: getattr(self, name) for name in ("cut", "points", "places", "connectivity", "leaf",
                                                           "source")}, [])

    def __del__(self) -> None:
        if self._handle is not None:
            lib.tsr_mesh_clip_free(self._handle)

    def fill_into(self, attributes: Iterable[tuple[ArrayLike, bool, Array]]) -> None:
        """Fills arrays that are there. attributes: an array of the mesh, of cells?, and an array of its type for the
        points or the pieces."""
        self._fill({}, attributes)

    def _fill(self, outputs: dict[str, Array], attributes: Iterable[tuple[ArrayLike, bool, Array]]) -> None:
        made, kept, rows = new("tsr_mesh_clip_output"), [], []
        for name, array in outputs.items():
            setattr(made, name, arrays.pointer(array))
        for k, (one, of_cells, out) in enumerate(attributes):
            kept.append(arrays.tidy(one, f"attribute {k}"))
            view = arrays.view(kept[-1], f"attribute {k}")
            to: Any = arrays.target(out, f"output of attribute {k}", self._counts[of_cells] * view.components,
                                    kept[-1].dtype)
            rows.append(core.tsr_mesh_attribute(view, bool(of_cells), to))
        held = arrays.vector(core.tsr_mesh_attribute, rows)
        made.attributes, made.n_attributes = arrays.address(held), len(rows)
        self._run.call("tsr_mesh_clip_fill", self._handle, c.byref(made))
