# SPDX-License-Identifier: BSD-3-Clause
"""The cells of unstructured grids, where they are boxes along the axes that form an octree."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

from .. import mesh
from ..arrays import Array
from ..execution import Execution
from ..octree import OctreeView
from .grid_octree import GridOctree, OnlyArrays, ghosts_of, places_of
from .vtk_arrays import GHOSTS, all_arrays, cell_types, copy_roles, copy_tuples, has_tuples, ids, new_like


def octree_of_cells(grid: vtkUnstructuredGrid, execution: Execution, messages: set[str]) -> GridOctree:
    """The cells of a grid that has some. Raises BadInput where they are no octree."""
    places = places_of(grid)
    shown = mesh.View(places, cell_types(grid), *ids(grid.GetCells()))
    boxes = mesh.Boxes(shown, execution)
    hidden, copies = ghosts_of(grid, shown, execution, messages)
    kept = np.arange(len(boxes.level))
    data: Any = grid
    if copies is not None and copies.any():
        kept = np.flatnonzero(copies == 0)
        data = without_copies(grid, kept, messages)
    of_points = [one for one in all_arrays(grid.GetPointData()) if one.GetName() != GHOSTS]
    view = OctreeView(boxes.core.cells, boxes.level[kept], boxes.index[kept],
                      boxes.corners[kept] if of_points else None,
                      grid.GetNumberOfPoints() if of_points else 0,
                      None if hidden is None else hidden[kept])
    return GridOctree(view.boxes(boxes.core.origin, boxes.core.spacing), data, bool(boxes.core.single))


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
