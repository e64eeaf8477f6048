# SPDX-License-Identifier: BSD-3-Clause
"""The grid of a mesh, cut at the mesh's surface."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import VTK_TETRA, VTK_TRIANGLE, vtkUnstructuredGrid

from .. import clip
from .._library import new
from ..arrays import Array
from .grid_dataset import GridDataset
from .vtk_arrays import all_arrays, copy_roles, copy_tuples, ids, is_numeric, name_of, new_cells, new_like, values

# Generated arrays: by property and name.
_GENERATED = {"Level": "GenerateLevel", "Indicator": "GenerateIndicator", "SourceCell": "GenerateSourceCell",
              "Inside": "GenerateInside"}


def clip_at_surface(dataset: GridDataset, made: vtkUnstructuredGrid, leaves: Array) -> vtkUnstructuredGrid:
    """Replaces cells of leaves that the boundary of the mesh touches by their intersections with cells of the mesh.
    Cells inside stay, with their points, which pieces share at corners of leaves. leaves: that of each cell."""
    return _Clipper(dataset, made, leaves).join()


def _leaf_boxes(dataset: GridDataset) -> Array:
    level, index = dataset.plan.nodes()
    side = np.ldexp(1.0, dataset.options.coarsen_levels - level)
    return np.concatenate([index * side[:, None], side[:, None]], axis=1)


class _Clipper:
    def __init__(self, dataset: GridDataset, grid: vtkUnstructuredGrid, leaves: Array) -> None:
        assert dataset.octree is not None and dataset.octree.surface is not None
        self.dataset, self.grid, self.octree = dataset, grid, dataset.octree
        shown, size, bounds, self.sources = dataset.octree.surface
        self.pieces = clip.Pieces(shown, _leaf_boxes(dataset), size, bounds, dataset.plan.execution)
        self.kept_cells = np.flatnonzero(self.pieces.cut[leaves] == 0)
        self.first_cell = np.full(len(self.pieces.cut), -1)
        self.first_cell[leaves[::-1]] = np.arange(len(leaves))[::-1]
        self.offsets, self.connectivity = ids(grid.GetCells())
        self.counts = np.diff(self.offsets)
        self.kept_ids = self.connectivity[np.repeat(self.pieces.cut[leaves] == 0, self.counts)]
        self._number()

    def _number(self) -> None:
        """Numbers the points that stay, and those of the pieces behind them. Both have their places in the lattice,
        whole multiples of half a finest cell, where corners of leaves meet."""
        used = np.zeros(self.grid.GetNumberOfPoints(), bool)
        used[self.kept_ids] = True
        self.kept_points, self.new_point = np.flatnonzero(used), np.cumsum(used) - 1
        halves, view = 2.0 ** (new("tsr_mesh_options").levels + 1), self.octree.view
        origin, spacing = np.array(view.core.origin[:]), np.array(view.core.spacing[:])
        at = values(self.grid.GetPoints().GetData())[self.kept_points].astype("f8")
        corners = _nearest((at - origin) / spacing * halves) * (np.array(view.octree.cells[:]) > 0)
        places = self.pieces.places * halves
        whole = (np.floor(places) == places).all(axis=1)
        _, number = np.unique(np.concatenate([corners, _nearest(places)]), axis=0, return_inverse=True)
        number, n = number.reshape(-1), len(corners)
        corner_of = np.full(len(number), -1)
        corner_of[number[:n]] = np.arange(n)
        self.piece_point = np.where(whole, corner_of[number[n:]], -1)
        self.own = np.flatnonzero(self.piece_point < 0)
        self.piece_point[self.own] = n + np.arange(len(self.own))

    def join(self) -> vtkUnstructuredGrid:
        """The cells that stay, and the pieces behind them."""
        made, points = vtkUnstructuredGrid(), vtkPoints()
        points.SetDataType(self.grid.GetPoints().GetDataType())
        points.SetNumberOfPoints(len(self.kept_points) + len(self.own))
        values(points.GetData())[:] = np.concatenate(
            [values(self.grid.GetPoints().GetData())[self.kept_points], self.pieces.points[self.own]])
        made.SetPoints(points)
        counts = np.concatenate([self.counts[self.kept_cells],
                                 np.full(len(self.pieces.leaf), self.pieces.connectivity.shape[1])])
        cells, offsets, connectivity = new_cells(len(counts) + 1, int(counts.sum()))
        offsets[1:] = np.cumsum(counts)
        connectivity[:] = np.concatenate([self.new_point[self.kept_ids],
                                          self.piece_point[self.pieces.connectivity.reshape(-1)]])
        types = vtkUnsignedCharArray()
        types.SetNumberOfValues(len(counts))
        kinds = values(types).reshape(-1)
        kinds[:] = VTK_TETRA if self.pieces.connectivity.shape[1] == 4 else VTK_TRIANGLE
        kinds[:len(self.kept_cells)] = [self.grid.GetCellType(int(one)) for one in self.kept_cells]
        made.SetCells(types, cells)
        for of_cells in (False, True):
            self._join_arrays(made, of_cells)
        made.GetFieldData().PassData(self.grid.GetFieldData())
        return made

    def _join_arrays(self, made: vtkUnstructuredGrid, of_cells: bool) -> None:
        """The arrays of the mesh come first, in its order, then generated ones."""
        assert self.octree.samples is not None
        from_, to, own = ((one.GetCellData() if of_cells else one.GetPointData()) for one in
                          (self.grid, made, self.octree.samples))
        kept, samples = self.kept_cells if of_cells else self.kept_points, all_arrays(own)
        more = len(self.pieces.leaf) if of_cells else len(self.own)
        for k, array in enumerate(all_arrays(from_)):
            joined = new_like(array, len(kept) + more)
            copy_tuples(array, kept, joined)
            if k >= len(samples) or self.dataset.settings.get(_GENERATED.get(name_of(array), ""), 0):
                self._set_generated(array, joined, len(kept), of_cells)
            elif is_numeric(samples[k]):
                new_values = values(new_like(samples[k], len(self.pieces.leaf if of_cells else self.pieces.points)))
                self.pieces.fill_into([(values(samples[k]), of_cells, new_values)])
                values(joined)[len(kept):] = new_values if of_cells else new_values[self.own]
            else:
                copy_tuples(samples[k], self.pieces.source, joined, len(kept))
            to.AddArray(joined)
        copy_roles(from_, to)

    def _set_generated(self, array: Any, joined: Any, first: int, of_cells: bool) -> None:
        if not of_cells:  # Inside: parts of divided cells have means there, though they lie in the mesh, too
            values(joined)[:] = 1
        elif name_of(joined) == "SourceCell":
            source = self.pieces.source
            values(joined)[first:, 0] = source if self.sources is None else self.sources[source]
        else:
            copy_tuples(array, self.first_cell[self.pieces.leaf], joined, first)


def _nearest(at: Array) -> Array:
    """The nearest whole numbers; halves go away from 0."""
    down = np.floor(np.abs(at))
    found: Array = (np.sign(at) * (down + (np.abs(at) - down >= 0.5))).astype(np.int64)
    return found
