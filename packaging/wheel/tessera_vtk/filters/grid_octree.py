# SPDX-License-Identifier: BSD-3-Clause
"""Datasets with cells of several sizes as Adaptive Grid takes them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import (vtkCellData, vtkDataSetAttributes, vtkFieldData, vtkPointData,
                                           vtkUnstructuredGrid)

from .. import mesh
from ..arrays import Array
from ..execution import Execution
from ..octree import OctreeView
from .vtk_arrays import GHOSTS, all_arrays, contiguous, name_of, values

HIDDEN_CELL = vtkDataSetAttributes.HIDDENCELL | vtkDataSetAttributes.REFINEDCELL
MOST_BITS = 30  # indices are 32-bit
COPY = vtkDataSetAttributes.DUPLICATECELL


class OnlyArrays:
    """Point, cell and field data of a dataset that has no points and cells to show."""

    def __init__(self, points: int, cells: int) -> None:
        self._points, self._cells = points, cells
        self._data = vtkPointData(), vtkCellData(), vtkFieldData()

    def GetNumberOfPoints(self) -> int:
        return self._points

    def GetNumberOfCells(self) -> int:
        return self._cells

    def GetPointData(self) -> vtkPointData:
        return self._data[0]

    def GetCellData(self) -> vtkCellData:
        return self._data[1]

    def GetFieldData(self) -> vtkFieldData:
        return self._data[2]


@dataclass
class GridOctree:
    """The cells, and the dataset whose arrays have as many tuples as there are cells and points.

    single: the input's coordinates are of single precision. The rest is of a mesh: mesh_cells: the number of
    its cells. inside: 1 for points of the octree in the mesh; None: nobody wants to know. source: the mesh cell
    whose tuple each cell has. samples: the mesh's own arrays, in the order of those of `data`. surface: where cells are
    to be cut at its surface, the mesh, size of the finest cells and bounds as its octree was made with, and the cell of
    the input that each cell of the mesh is a part of (None: the cell itself).
    """

    view: OctreeView
    data: Any
    single: bool
    mesh_cells: int = 0
    inside: Array | None = None
    source: Array | None = None
    samples: OnlyArrays | None = None
    surface: tuple[mesh.View, float, Sequence[float] | None, Array | None] | None = None

    def samples_of(self, array: Any, cells: bool) -> Array | None:
        """Values of the mesh's array of which `array` was made."""
        if self.samples is None:
            return None
        made, own = ((one.GetCellData() if cells else one.GetPointData()) for one in (self.data, self.samples))
        return next((values(own.GetAbstractArray(k)) for k, one in enumerate(all_arrays(made)) if one is array),
                    None)


def flags_of(data: Any, cells: bool, messages: set[str], where: str = "") -> Array | None:
    """The ghost array's values; None where there is none, or with a sentence where it cannot be used. where:
    follows that sentence."""
    array = (data.GetCellData() if cells else data.GetPointData()).GetAbstractArray(GHOSTS)
    noun = "cell" if cells else "point"
    count = data.GetNumberOfElements(1 if cells else 0)
    if isinstance(array, vtkUnsignedCharArray) and array.GetNumberOfValues() == count:
        return values(array).reshape(-1)
    if array is not None:
        messages.add(unusable_ghosts(array, noun, count) + where)
    return None


def unusable_ghosts(array: Any, noun: str, count: int) -> str:
    """What is said of a ghost array of another type or length."""
    return (f"The {noun} array '{name_of(array)}' has {array.GetNumberOfValues()} values of type "
            f"{array.GetDataTypeAsString()}, not one unsigned char for each of {count} {noun}s, and hides "
            "nothing.")


def places_of(data: vtkUnstructuredGrid) -> Array:
    """(n, 3), float32 or float64."""
    if data.GetPoints() is None:
        return np.empty((0, 3))
    array = data.GetPoints().GetData()
    return values(array if array.GetDataType() in (10, 11) else contiguous(array, 11))


def ghosts_of(data: vtkUnstructuredGrid, cells: mesh.View, execution: Execution,
              messages: set[str]) -> tuple[Array | None, Array | None]:
    """As mesh.read_ghosts, of the cells of `data`; None where there is no ghost array."""
    of_cells, of_points = (flags_of(data, one, messages) for one in (True, False))
    if of_cells is None and of_points is None:
        return None, None
    return mesh.read_ghosts(cells, of_cells, of_points, execution)
