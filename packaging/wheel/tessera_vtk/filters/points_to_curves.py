# SPDX-License-Identifier: BSD-3-Clause
"""Points To Curves as a VTK filter."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from vtkmodules.vtkCommonCore import vtkIdTypeArray, vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData

from .. import _core as core
from .. import ordering
from .._library import text_of
from ..arrays import Array
from ..errors import BadInput
from ..execution import Execution
from ..properties import Property
from .algorithm import TesseraAlgorithm
from .joined_points import JoinedPoints
from .job import Job, counted, no_points, why_nothing, with_place
from .vtk_arrays import copy_tuples, is_numeric, new_array, new_cells, new_like, values

_DATASET = core.TSR_ORDERING_NOTES


class OrderingJob(Job):
    """The points of all datasets become one polydata."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        super().__init__(data, properties, settings, execution)
        self.options = self.struct("tsr_ordering_options")
        self.plan: ordering.Plan | None = None
        self.without_group = 0

    def run(self) -> None:
        """Join the points, plan, fill."""
        self.points = JoinedPoints(self.datasets, self.messages)
        for block in self.points.others:
            self.notes.add(_DATASET, 1, 0, block)
        if self.points.count == 0:
            self.results = [vtkPolyData()]
            self._conclude()
            return
        group = self._chosen("GroupArray", "group", "group", True)
        order = self._chosen("OrderArray", "order", "order", False)
        view = ordering.View(values(self.points.places), self._numbers(group), self._numbers(order))
        self.plan = ordering.Plan(view, self.options, self.execution)
        self.room.check("points", self.plan.sizes.points, self._bytes(), "take fewer points")
        self.results = [self._fill(group, order)]
        self._conclude()

    def _chosen(self, setting: str, role: str, verb: str, texts: bool) -> Any:
        """The array that the user has named, checked."""
        name = self.settings[setting]
        if not name:
            return None
        array = self.points.columns.get(name)
        if array is None:
            why = self.points.why_left_out.get(name)
            raise BadInput(f"there is nothing to {verb} the points by: {why}" if why else
                           f"there is no point array '{name}' to {verb} the points by")
        if not is_numeric(array) and not (texts and isinstance(array, vtkStringArray)):
            raise BadInput(f"the {role} array '{name}' " +
                           ("holds neither numbers nor texts" if texts else "does not hold numbers"))
        if array.GetNumberOfComponents() != 1:
            raise BadInput(f"the {role} array '{name}' has {array.GetNumberOfComponents()} components "
                           "instead of 1")
        return array

    def _numbers(self, array: Any) -> Array | None:
        """Its values; of texts, their places in the list of all, by their bytes."""
        if array is None or is_numeric(array):
            return None if array is None else values(array).reshape(-1)
        texts = [array.GetValue(k).encode() for k in range(array.GetNumberOfValues())]
        self.without_group = texts.count(b"")
        places = {text: k for k, text in enumerate(sorted(set(texts)))}
        return np.array([places[text] for text in texts], np.int64)

    def _bytes(self) -> float:
        assert self.plan is not None
        sizes = self.plan.sizes
        each = 8.0 + 3.0 * self.points.places.GetDataTypeSize() + sum(
            one.GetNumberOfComponents() * one.GetDataTypeSize() for one in self.points.columns.values())
        return float(sizes.points * each + (sizes.verts + sizes.lines) * 40.0)

    def _fill(self, group: Any, order: Any) -> vtkPolyData:
        assert self.plan is not None
        sizes = self.plan.sizes
        cells = sizes.verts + sizes.lines
        result, points = vtkPolyData(), vtkPoints()
        points.SetData(new_like(self.points.places, sizes.points))
        verts, vert_offsets, vert_ids = new_cells(sizes.verts + 1, sizes.verts)
        lines, line_offsets, line_ids = new_cells(sizes.lines + 1, sizes.points - sizes.verts)
        length = new_array("Length", "f8", 1, cells)
        ids = {name: np.empty(sizes.points if name == "point_ids" else cells, np.int64)
               for name in ("point_ids", "first_ids", "last_ids")}
        made = {name: new_like(array, sizes.points) for name, array in self.points.columns.items()}
        attributes = [(values(array), values(made[name]), ordering.AT_POINTS)
                      for name, array in self.points.columns.items() if is_numeric(array)]
        self.plan.fill_into({"points": values(points.GetData()), "vert_offsets": vert_offsets,
                             "vert_connectivity": vert_ids, "line_offsets": line_offsets,
                             "line_connectivity": line_ids, "length": values(length), **ids}, attributes)
        result.SetPoints(points)
        result.SetVerts(verts)
        result.SetLines(lines)
        for name, like, where in (("Group", group, "first_ids"), ("FirstOrder", order, "first_ids"),
                                  ("LastOrder", order, "last_ids")):
            if like is not None:
                array = new_like(like, cells)
                array.SetName(name)
                copy_tuples(like, ids[where], array)
                result.GetCellData().AddArray(array)
            elif name != "Group":
                array = vtkIdTypeArray()
                array.SetName(name)
                array.SetNumberOfValues(cells)
                values(array).reshape(-1)[:] = ids[where]
                result.GetCellData().AddArray(array)
        result.GetCellData().AddArray(length)
        for name, array in made.items():
            if not is_numeric(self.points.columns[name]):
                copy_tuples(self.points.columns[name], ids["point_ids"], array)
            result.GetPointData().AddArray(array)
            for role in self.points.roles[name]:
                result.GetPointData().SetActiveAttribute(name, role)
        return result

    def _conclude(self) -> None:
        self.add_up([] if self.plan is None else [self.plan.report()], "Input Points", "Curves")
        sizes = core.tsr_ordering_sizes() if self.plan is None else self.plan.sizes
        for kind, note in enumerate(sizes.notes):
            self.notes.add(kind, note.count, note.first, 0)
        hidden = self.points.hidden
        self.report.update({"Repeats": sizes.repeats, "Cuts": sizes.cuts,
                            "Single Points Dropped": sizes.singles_dropped, "Hidden Points": hidden,
                            "Points Without Group": self.without_group})
        if sizes.verts + sizes.lines > 0:
            return
        why = why_nothing(self.report["Input Points"] + hidden, hidden)
        if sizes.singles_dropped:
            why = "Single Points leaves out " + counted(sizes.singles_dropped, "curve, which has one point",
                                                        "curves, which have one point each")
        if why:
            self.report["Nothing Was Made"] = why

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        if kind == _DATASET:
            return no_points(count, where)
        return with_place(text_of("tsr_ordering_note_sentence", kind, core.tsr_note_count(count, first)),
                          where)


class PointsToCurves(TesseraAlgorithm):
    """Joins points into polylines, by a group array and in the order of another.

    Input: vtkPointSet, or a composite of these. Output: vtkPolyData with the points of all blocks.
    Properties, their units and defaults are those of the filter in ParaView.
    """

    properties = ordering.PROPERTIES
    input_classes = ("vtkPointSet",)
    leaf_class = "vtkPolyData"
    job = OrderingJob
    only_plugin = ("Temporal", "UpToCurrentTime")
    joins = True


