# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Point Grid as a VTK filter."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonCore import vtkDataArray, vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import (VTK_PIXEL, VTK_VOXEL, vtkDataObject, vtkDataSetAttributes,
                                           vtkPointSet, vtkPolyData, vtkUnstructuredGrid)

from .. import _core as core
from .. import pointgrid
from .._library import text_of
from ..arrays import Array
from ..errors import BadInput
from ..execution import Execution
from ..memory import Room
from ..properties import Property
from .algorithm import TesseraAlgorithm
from .datasets import pass_field_data
from .job import Job, counted, no_points, why_nothing, with_place
from .vtk_arrays import (add_generated, all_arrays, copy_roles, copy_tuples, flagged, has_tuples,
                         is_ghost_array, is_numeric, name_of, new_array, new_cells, new_like, type_number,
                         values)

_COORDINATES = "Coordinates"
_DATASET = core.TSR_POINTGRID_NOTES


class _Dataset:
    """One dataset on its way: arrays, plan, output."""

    def __init__(self, data: vtkPointSet, block: int, job: "PointGridJob") -> None:
        self.data, self.block, self.job = data, block, job
        self.points = values(data.GetPoints().GetData()) if data.GetPoints() else np.empty((0, 3), "f4")
        self.kind = job.options.output
        self.numeric = self._find_arrays()

    def _find_arrays(self) -> list[vtkDataArray]:
        data = self.data.GetPointData()
        found: list[vtkDataArray] = []
        for array in all_arrays(data):
            if is_ghost_array(array) or not has_tuples(array, len(self.points), "point", self.job.messages):
                continue
            if is_numeric(array):
                found.append(array)
            elif self.kind != pointgrid.POINTS:
                self.job.messages.add(f"The point array '{name_of(array)}' is not numeric and is left out.")
        if self.job.settings["GenerateCoordinates"] and self.kind != pointgrid.POINTS and len(self.points):
            if any(name_of(one) == _COORDINATES for one in found):
                self.job.messages.add("The input's point array 'Coordinates' is left out: Generate Coordinates "
                                      "makes arrays of its name.")
                found = [one for one in found if name_of(one) != _COORDINATES]
            found.append(self.data.GetPoints().GetData().NewInstance())
            found[-1].ShallowCopy(self.data.GetPoints().GetData())
            found[-1].SetName(_COORDINATES)
        return found

    def _spread(self) -> Array | None:
        options, name = self.job.options, self.job.settings["SpreadArray"]
        if not options.use_spread or options.spread_of != 0 or len(self.points) == 0:
            return None
        data = self.data.GetPointData()
        array = data.GetArray(name) if name else data.GetScalars()
        if array is None and not name and self.numeric:
            array = self.numeric[0]
        if not is_numeric(array):
            raise BadInput("there is no numeric point array" + (f" '{name}'" if name else "") +
                           " for the spread")
        return values(array)

    def bytes_per_cell(self) -> float:
        """That one more cell takes."""
        return 200.0 + sum(one.GetNumberOfComponents() * (8.0 + 2.0 * one.GetDataTypeSize())
                           for one in self.numeric)

    def bytes(self) -> float:
        """That the planned output takes."""
        if self.kind != pointgrid.POINTS:
            return self.bytes_per_cell() * float(self.plan.sizes.cells)
        return float(self.plan.sizes.points) * (32.0 + sum(
            one.GetNumberOfComponents() * one.GetDataTypeSize() for one in self.numeric))

    def make_plan(self, execution: Execution, room: Room) -> None:
        """room: the plan takes its part of it."""
        options = core.tsr_pointgrid_options.from_buffer_copy(self.job.options)
        options.limit_cells = room.items(self.bytes_per_cell())
        hidden = flagged(self.data.GetPointData(), len(self.points),
                         vtkDataSetAttributes.HIDDENPOINT | vtkDataSetAttributes.DUPLICATEPOINT)
        self.plan = pointgrid.Plan(pointgrid.View(self.points, hidden), options, self._spread(), execution)
        room.take(self.bytes())

    def _named(self, array: vtkDataArray, suffix: str, type_: int) -> vtkDataArray:
        made = vtkDataArray.CreateDataArray(type_)
        made.SetName(name_of(array) + suffix)
        made.SetNumberOfComponents(array.GetNumberOfComponents())
        made.CopyComponentNames(array)
        if name_of(array) == _COORDINATES and array.GetNumberOfComponents() == 3:
            for axis in range(3):
                made.SetComponentName(axis, "XYZ"[axis])
        made.SetNumberOfTuples(self.plan.sizes.cells)
        return made

    def fill(self) -> Any:
        """The output."""
        settings, sizes = self.job.settings, self.plan.sizes
        narrow = self.points.dtype == np.float32 and self.data.GetPoints() is not None
        single = settings["OutputPrecision"] == 0 or (settings["OutputPrecision"] == 2 and narrow)
        points = vtkPoints()
        points.SetDataType(type_number("f4" if single else "f8"))
        points.SetNumberOfPoints(sizes.points)
        cells, offsets, connectivity = new_cells(sizes.cells + 1, sizes.connectivity)
        outputs = {"points": values(points.GetData()), "offsets": offsets, "connectivity": connectivity}
        of_points = self.kind == pointgrid.POINTS
        wanted = [("CellId", "leaf", "id")] if of_points else [("PointCount", "count", "id")]
        if settings["GenerateDensity"] and not of_points:
            wanted.append(("Density", "density", "f8"))
        if settings["GenerateLevel"]:
            wanted.append(("Level", "level", "i4"))
        generated = []
        for name, member, dtype in wanted:
            generated.append(new_array(name, dtype, 1, sizes.points if of_points else sizes.cells))
            outputs[member] = values(generated[-1]).reshape(-1)
        if of_points:
            outputs["source_point"] = np.empty(sizes.points, np.int64)
        made, attributes = self._arrays(of_points)
        self.plan.fill_into(outputs, attributes)
        self.job.empty_cells += 0 if of_points else int((outputs["count"] == 0).sum())
        result: Any = vtkPolyData() if of_points else vtkUnstructuredGrid()
        result.SetPoints(points)
        if of_points:
            result.SetVerts(cells)
        else:
            types = vtkUnsignedCharArray()
            types.SetNumberOfValues(sizes.cells)
            values(types)[:] = VTK_VOXEL if sizes.dimension == 3 else VTK_PIXEL
            result.SetCells(types, cells)
        out = result.GetPointData() if of_points else result.GetCellData()
        for array in made:
            out.AddArray(array)
        for k, array in enumerate(generated):
            add_generated(out, array, self.job.messages)
            if k == 0 and not of_points:
                out.SetActiveScalars("PointCount")
        if of_points:
            self._keep_others(out, outputs["source_point"])
            copy_roles(self.data.GetPointData(), out)
        pass_field_data(self.data, result)
        return result

    def _arrays(self, of_points: bool) -> tuple[list[vtkDataArray], list[pointgrid.Attribute]]:
        """New arrays, and what the core is to write into them."""
        settings = self.job.settings
        made: list[vtkDataArray] = []
        attributes = []
        for array in self.numeric:
            parts: dict[str, Any] = {}
            if of_points:
                parts["out"] = new_like(array, self.plan.sizes.points)
            else:
                if settings["GenerateMeans"]:
                    parts["mean"] = self._named(array, "_mean", type_number("f8"))
                if settings["GenerateExtremes"]:
                    parts["least"] = self._named(array, "_least", array.GetDataType())
                    parts["greatest"] = self._named(array, "_greatest", array.GetDataType())
            made += parts.values()
            if parts:
                attributes.append(pointgrid.Attribute(
                    values(array), **{name: values(one) for name, one in parts.items()}))
        return made, attributes

    def _keep_others(self, out: vtkDataSetAttributes, source: Array) -> None:
        for array in all_arrays(self.data.GetPointData()):
            if array.GetNumberOfTuples() == len(self.points) and not is_numeric(array):
                to = new_like(array, len(source))
                copy_tuples(array, source, to)
                out.AddArray(to)


class PointGridJob(Job):
    """Each dataset has a grid of its own."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        super().__init__(data, properties, settings, execution)
        self.options = self.struct("tsr_pointgrid_options")
        self.struct("tsr_pointgrid_choices")
        self.empty_cells = 0

    def run(self) -> None:
        """Collect, plan, fill."""
        work: list[Any] = []
        for one in self.datasets:
            fits = isinstance(one.data, vtkPointSet)
            work.append(_Dataset(one.data, one.block, self) if fits else None)
            if not fits:
                self.notes.add(_DATASET, 1, 0, one.block)
        self.each(work, lambda one: one.make_plan(self.execution, self.room))
        good = [one for one in work if one]
        self.room.check("cells", sum(one.plan.sizes.cells for one in good), sum(one.bytes() for one in good),
                        "take a lower Maximum Level, or more points in a cell")
        self.results = self.each(work, lambda one: one.fill())
        self._conclude(good)

    def _conclude(self, good: list[_Dataset]) -> None:
        sizes = [one.plan.sizes for one in good]
        reports = [one.plan.report() for one in good]
        self.add_up(reports, "Input Points", "Cells")
        of_level = [sum(one.leaves_of_level[level] for one in sizes)
                    for level in range(core.TSR_POINTGRID_MAX_LEVEL + 1)]
        leaves = sum(of_level)
        bad = sum(one.notes[core.TSR_POINTGRID_NOTE_NOT_FINITE].count for one in sizes)
        items = sum(one.items for one in reports)
        hidden = items - bad - sum(one.kept for one in sizes)
        highest = max([level for level, n in enumerate(of_level) if n > 0], default=0)
        self.report.update({"Leaves": leaves, "Leaves Of Level": of_level[:highest + 1],
                            "Empty Cells": self.empty_cells, "Hidden Points": hidden})
        if leaves == 0:
            self.report["Nothing Was Made"] = why_nothing(items, hidden) or (
                counted(bad, "point has", "points have") +
                " a coordinate that is not finite or beyond 1e100, and no other is left")
        # Who has set a lower level wants such cells, and needs no warning.
        told = (core.TSR_POINTGRID_NOTES if self.options.max_level == core.TSR_POINTGRID_MAX_LEVEL else
                core.TSR_POINTGRID_NOTE_FULL)
        for one in good:
            for kind in range(told):
                note = one.plan.sizes.notes[kind]
                self.notes.add(kind, note.count, note.first, one.block)

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        if kind == _DATASET:
            return no_points(count, where)
        return with_place(text_of("tsr_pointgrid_note_sentence", kind, core.tsr_note_count(count, first)),
                          where)


class AdaptivePointGrid(TesseraAlgorithm):
    """Sorts points into the cells of a quadtree or octree: small ones where there are many points.

    Input: vtkPointSet, or a composite of these. Output: vtkUnstructuredGrid, or vtkPolyData for points in
    the order of their cells; or a composite of the input's structure. Properties, their units and defaults
    are those of the filter in ParaView.
    """

    properties = pointgrid.PROPERTIES
    input_classes = ("vtkPointSet",)
    leaf_class = "vtkUnstructuredGrid"
    job = PointGridJob

    def leaf(self) -> str:
        return "vtkPolyData" if self._values["OutputType"] == pointgrid.POINTS else self.leaf_class

    def check_settings(self) -> None:
        self.refuse(self._values["OutputType"] == pointgrid.TREE, "Hyper Tree Grid")
