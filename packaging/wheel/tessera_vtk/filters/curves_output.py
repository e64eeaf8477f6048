# SPDX-License-Identifier: BSD-3-Clause
"""What comes out of one dataset of Adaptive Curves: VTK arrays that the core fills in place."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkPolyData

from ..arrays import Array
from .curves_dataset import GENERATED_POINT_ARRAYS, CurvesDataset
from .datasets import pass_field_data
from .pass_through import POLYS, STRIPS, VERTS
from .vtk_arrays import (add_generated, all_arrays, copy_roles, copy_tuples, has_tuples, is_numeric,
                         new_array, new_cells, new_like, values)

_MEMBERS = {"Parameter": "parameter", "ArcLength": "arc_length", "Curvature": "curvature",
            "Tangents": "tangents"}


class CurvesOutput:
    """Points of curves first, then those of the cells that pass through; cells in VTK's order:
    vertices, lines, polygons, strips."""

    def __init__(self, dataset: CurvesDataset, messages: set[str]) -> None:
        self.dataset, self.messages = dataset, messages
        self.result = vtkPolyData()
        self.sizes = dataset.plan.sizes
        self.n_curve = self.sizes.points
        self.n_points = self.n_curve + len(dataset.passed.points)
        self.scalar = "f4" if dataset.is_single else "f8"
        self.outputs: dict[str, Array] = {}
        self.attributes: list[Any] = []
        self.by_nearest: list[Any] = []
        self.generated: list[Any] = []

    def fill(self) -> vtkPolyData:
        """Makes it all."""
        self._add_points()
        self._add_cells()
        self._add_generated()
        self._add_point_arrays()
        if self.n_curve > 0:
            self.dataset.plan.fill_into(self.outputs, self.attributes)
        for from_, to in self.by_nearest:
            copy_tuples(from_, self.outputs["nearest_point"], to)
        self._finish_cells()
        for array in self.generated:
            add_generated(self.result.GetPointData(), array, self.messages)
        self._add_generated_of_cells()
        pass_field_data(self.dataset.data, self.result)
        return self.result

    def _add_points(self) -> None:
        points = vtkPoints()
        points.SetDataType({"f4": 10, "f8": 11}[self.scalar])
        points.SetNumberOfPoints(self.n_points)
        places = values(points.GetData())
        if self.n_points > self.n_curve:
            passed = self.dataset.points[self.dataset.passed.points]
            places[self.n_curve:] = passed.astype("f8", copy=False)
        self.outputs["points"] = places
        self.result.SetPoints(points)

    def _add_cells(self) -> None:
        lines, offsets, connectivity = new_cells(self.sizes.cells + 1, self.sizes.connectivity)
        self.outputs["offsets"], self.outputs["connectivity"] = offsets, connectivity
        self.lines = lines
        passed = self.dataset.passed
        self.result.SetVerts(passed.new_cells(VERTS, self.n_curve))
        self.result.SetPolys(passed.new_cells(POLYS, self.n_curve))
        self.result.SetStrips(passed.new_cells(STRIPS, self.n_curve))
        verts, polys, strips = (passed.cell_ids(slot) for slot in (VERTS, POLYS, STRIPS))
        self.lines_at = slice(len(verts), len(verts) + self.sizes.cells)
        items = np.zeros(self.sizes.cells, np.int64)
        self.source = np.concatenate([verts, items, polys, strips]).astype(np.int64, copy=False)
        self.outputs["source_item"] = self.source[self.lines_at]

    def _add_generated(self) -> None:
        for name, array_name in GENERATED_POINT_ARRAYS.items():
            if not self.dataset.settings[name]:
                continue
            components = 3 if array_name == "Tangents" else 1
            array = new_array(array_name, self.scalar, components, self.n_points)
            values(array)[self.n_curve:] = 0.0
            self.outputs[_MEMBERS[array_name]] = values(array)
            self.generated.append(array)
        self.reached = None
        if self.dataset.settings["GenerateAchievedError"]:
            self.reached = new_array("AchievedError", "f8", 1, len(self.source))
            values(self.reached)[:] = 0.0
            self.outputs["achieved_error"] = values(self.reached)[self.lines_at]

    def _add_point_arrays(self) -> None:
        data = self.dataset.data.GetPointData()
        out = self.result.GetPointData()
        passed = self.dataset.passed.points
        for from_ in all_arrays(data):
            if not has_tuples(from_, self.dataset.data.GetNumberOfPoints(), "point", self.messages):
                continue
            to = new_like(from_, self.n_points)
            copy_tuples(from_, passed, to, self.n_curve)
            if is_numeric(from_):
                self.attributes.append((values(from_), values(to),
                                        self.dataset.modes.of(data, from_)))
            else:
                self.by_nearest.append((from_, to))
            out.AddArray(to)
        # A global id belongs to one point, rational weights to the control points of a curve.
        roles = vtkDataSetAttributes
        copy_roles(data, out, (roles.GLOBALIDS, roles.RATIONALWEIGHTS, roles.HIGHERORDERDEGREES))
        if self.by_nearest:
            self.outputs["nearest_point"] = np.empty(self.n_curve, np.int64)

    def _finish_cells(self) -> None:
        self.result.SetLines(self.lines)
        self.source[self.lines_at] = self.dataset.cells_of_items(self.source[self.lines_at])
        data = self.dataset.data.GetCellData()
        out = self.result.GetCellData()
        for from_ in all_arrays(data):
            if has_tuples(from_, self.dataset.data.GetNumberOfCells(), "cell", self.messages):
                to = new_like(from_, len(self.source))
                copy_tuples(from_, self.source, to)
                out.AddArray(to)
        roles = vtkDataSetAttributes
        copy_roles(data, out, (roles.RATIONALWEIGHTS, roles.HIGHERORDERDEGREES))

    def _add_generated_of_cells(self) -> None:
        out = self.result.GetCellData()
        if self.dataset.settings["GenerateSourceCell"]:
            array = new_array("SourceCell", "id", 1, len(self.source))
            values(array)[:, 0] = self.source
            add_generated(out, array, self.messages)
        if self.reached:
            add_generated(out, self.reached, self.messages)
