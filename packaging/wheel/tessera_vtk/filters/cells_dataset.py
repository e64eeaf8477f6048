# SPDX-License-Identifier: BSD-3-Clause
"""One dataset on its way through Adaptive Cells: view, plan."""
from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkUnstructuredGrid

from .. import cells
from .. import _core as core
from .._library import lib, text_of
from ..arrays import TYPES, Array
from ..execution import Execution
from ..memory import Room
from .curves_dataset import Ranges
from .vtk_arrays import all_arrays, cell_types, dtype_of, flagged, ids, is_numeric, name_of, tuple_bytes, values


class FieldRanges(Ranges):
    """Ranges of arrays by name, over all datasets, and how large their values are."""

    def largest(self, array: Any) -> float:
        """Of the magnitude of its values."""
        return max([0.0, *(max(-low, high) for low, high in self.bounds.get(name_of(array), []))])


class CellsDataset:
    """A vtkUnstructuredGrid as the core sees it."""

    def __init__(self, data: vtkUnstructuredGrid, block: int, settings: dict[str, Any]) -> None:
        self.data, self.block, self.settings = data, block, settings
        self.is_solid = settings["OutputType"] == core.TSR_CELLS_VOLUMES
        points = data.GetPoints()
        self.points = values(points.GetData()) if points else np.empty((0, 3), "f4")
        precision = settings["OutputPrecision"]
        self.is_single = precision == 0 or (precision == 2 and self.points.dtype != np.float64)
        self.view = self._view()
        self.fields = [one for one in all_arrays(data.GetPointData()) if self._is_field(one)]

    def _view(self) -> cells.View:
        data, n = self.data, self.data.GetNumberOfCells()
        weights = data.GetPointData().GetRationalWeights()
        if n == 0:
            return cells.View(self.points, np.empty(0, "u1"), [0], np.empty(0, "i8"), single_points=self.is_single)
        degrees = data.GetCellData().GetHigherOrderDegrees()
        return cells.View(self.points, cell_types(data), *ids(data.GetCells()),
                          weights=values(weights) if is_numeric(weights) else None,
                          degrees=values(degrees) if is_numeric(degrees) else None,
                          roles=self._roles(), single_points=self.is_single)

    def _roles(self) -> Array | None:
        """Ghost cells hide the faces that they share; hidden cells do not exist."""
        n, attributes = self.data.GetNumberOfCells(), self.data.GetCellData()
        copies = flagged(attributes, n, vtkDataSetAttributes.DUPLICATECELL)
        hidden = flagged(attributes, n, vtkDataSetAttributes.HIDDENCELL)
        if copies is None or hidden is None:
            return None
        roles: Array = np.where(hidden != 0, cells.ABSENT, np.where(copies != 0, cells.NEIGHBOUR, cells.DRAWN))
        return roles.astype(np.uint8)

    def _is_field(self, array: Any) -> bool:
        data, names = self.data.GetPointData(), self.settings["FieldErrorArrays"]
        if not is_numeric(array) or array.GetNumberOfTuples() != self.data.GetNumberOfPoints():
            return False
        if names:
            return name_of(array) in names
        dtype = dtype_of(array)
        return dtype is not None and dtype.kind == "f" and array is not data.GetRationalWeights()

    def has_field(self, name: str) -> bool:
        """Can the point array of that name be a field?"""
        return self._is_field(self.data.GetPointData().GetArray(name))

    def set_box(self, options: Any) -> None:
        """options: with the box of all datasets. Where single precision takes much of the chord error, points come out
        double, if the type is free."""
        self.may_curve = bool(lib.tsr_cells_may_curve(c.byref(self.view.core)))
        self.widened = (self.is_single and self.may_curve and self.settings["OutputPrecision"] == 2 and
                        bool(lib.tsr_cells_is_too_coarse(c.byref(options))))
        self.is_single = self.is_single and not self.widened
        self.view.core.single_points = self.is_single

    def rounding(self, options: Any, ranges: FieldRanges) -> list[str]:
        """Where rounding takes more than half of what is allowed. What is copied stays as it is."""
        if not self.may_curve:
            return []
        said = [text_of("tsr_cells_points_sentence", c.byref(options), self.is_single, self.widened)]
        for one in self.fields:
            said.append(text_of("tsr_cells_field_sentence", c.byref(options), name_of(one).encode(),
                                TYPES[values(one).dtype], ranges.of(one), ranges.largest(one)))
        return [text for text in said if text]

    def make_plan(self, execution: Execution, options: Any, ranges: FieldRanges, room: Room) -> None:
        """options: of all datasets. room: the plan takes its part of it."""
        own = core.tsr_cells_options.from_buffer_copy(options)
        own.limit_points = room.items(self.bytes_per_point())
        self.plan = cells.Plan(self.view, own, execution, [values(one) for one in self.fields],
                               [ranges.of(one) for one in self.fields], [ranges.largest(one) for one in self.fields])
        if self.settings["PointBudget"] == 0:
            room.take(self.bytes())

    def bytes_per_point(self) -> float:
        """That one more output point takes."""
        return (3.0 * (4.0 if self.is_single else 8.0) + tuple_bytes(self.data.GetPointData()) +
                (12.0 if self.settings["GenerateNormals"] and not self.is_solid else 0.0) +
                (32.0 if self.settings["GenerateParametricCoordinates"] and not self.is_solid else 0.0))

    def bytes(self) -> float:
        """That the planned output takes."""
        sizes = self.plan.sizes
        ids_ = (sizes.vert_connectivity + sizes.line_connectivity + sizes.poly_connectivity +
                sizes.solid_connectivity)
        per_cell = (24.0 + tuple_bytes(self.data.GetCellData()) +
                    (8.0 if self.settings["GenerateAchievedError"] else 0.0))
        return float(sizes.points * self.bytes_per_point() + 8.0 * ids_ +
                     (sizes.verts + sizes.lines + sizes.polys + sizes.solids) * per_cell)
