# SPDX-License-Identifier: BSD-3-Clause
"""One execution of Adaptive Curves over all datasets of an input."""
from __future__ import annotations

import ctypes as c
import math
from collections import Counter
from typing import Any, Sequence

from vtkmodules.vtkCommonDataModel import (vtkCompositeDataSet, vtkDataObject, vtkPolyData,
                                           vtkUnstructuredGrid)

from .. import curves
from .. import _core as core
from .._library import call, lib, text_of
from ..execution import Execution
from ..properties import Property
from . import curves_dataset
from .curves_dataset import CurvesDataset, Ranges
from .curves_modes import Modes
from .curves_output import CurvesOutput
from .job import Job, named_counts, with_place

_SENTENCES = {  # one, many, what the first is called
    curves_dataset.LEFT_OUT: ("cell is neither a curve nor a vertex and is left out (Adaptive Cells draws surfaces and "
                              "volumes)",
                              "cells are neither curves nor vertices and are left out (Adaptive Cells draws surfaces "
                              "and volumes)"),
    curves_dataset.BAD_CELL: ("vertex, polygon or strip has point ids out of range and is left out",
                              "vertices, polygons or strips have point ids out of range and are left "
                              "out"),
    curves_dataset.TOO_LARGE: ("vertex, polygon or strip has a coordinate beyond single precision and "
                               "is left out",
                               "vertices, polygons or strips have coordinates beyond single precision "
                               "and are left out"),
    curves_dataset.DEGREES: ("cell has HigherOrderDegrees that do not fit the number of points, which "
                             "is used instead",
                             "cells have HigherOrderDegrees that do not fit the number of points, "
                             "which is used instead"),
}


class CurvesJob(Job):
    """Shares the box, the ranges and the budget among the datasets."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        super().__init__(data, properties, settings, execution)
        self.options, self.choices = self.struct("tsr_curves_options"), self.struct("tsr_curves_choices")
        call("tsr_curves_choices_check", c.byref(self.choices))
        # With those criteria off that the sampling does not look at.
        lib.tsr_curves_options_settle(c.byref(self.options))
        for one in properties:
            if one.table == "tsr_curves_properties":
                settings[one.name] = one.value_in(self.options)
        if not settings["UseFieldError"]:
            settings["FieldErrorArrays"] = []
        self.curves: list[CurvesDataset | None] = []
        self.corners = [-math.inf] * 6  # -xmin xmax ...: the maximum joins two boxes
        self.reference = self.largest_place = 0.0
        self.too_coarse = False
        self.ranges = Ranges()
        self.scale = 1.0

    def run(self) -> None:
        """Collect, look at boxes and ranges, plan, fill."""
        settings = self.settings
        self._collect()
        self.modes = Modes(settings)
        for dataset in filter(None, self.curves):
            self.modes.add(dataset.data)
        self.modes.agree()
        for dataset in filter(None, self.curves):
            dataset.choose_fields(self.modes)
        if settings["UseChordError"] or settings["Sampling"] == curves.EQUAL_ARC_LENGTH:
            self.each(self.curves, self._add_bounds)
            self._share_bounds()
        if settings["UseChordError"]:
            self._choose_precision()
        if settings["UseFieldError"] and settings["FieldErrorMode"] == 1:
            for dataset in filter(None, self.curves):
                for array in dataset.fields:
                    self.ranges.add(array)
        self.each(self.curves, lambda dataset: dataset.make_plan(
            self.execution, self.reference, self.largest_place, self.ranges, self.room))
        good = [dataset for dataset in self.curves if dataset]
        if settings["PointBudget"] > 0:
            self.scale = curves.fit_budget([dataset.plan for dataset in good], settings["PointBudget"])
        self.room.check("points", sum(dataset.plan.sizes.points for dataset in good),
                        sum(dataset.bytes() for dataset in good))
        self.results = self.each(self.curves,
                                 lambda dataset: CurvesOutput(dataset, self.messages).fill())
        reports = [dataset.plan.report() for dataset in good]
        self.add_up(reports, "Curves", "Polylines", self.scale)
        self.report["Smooth Lines"] = sum(one.smooth_lines for one in reports)
        apart: Counter[str] = Counter()
        kept: Counter[str] = Counter()
        for dataset in good:
            dataset.add_notes(self.notes)
            apart.update(dataset.apart)
            for name, changes in zip(dataset.label_names, dataset.plan.label_changes()):
                kept[name] += changes
        if apart:
            self.report["Lines Not Joined"] = named_counts(
                apart, "joint between lines was kept since the cell array",
                "joints between lines were kept since the cell array", " differs")
        if +kept:
            self.report["Points Kept"] = named_counts(
                +kept, "pair of neighbouring points was kept since the point array",
                "pairs of neighbouring points were kept since the point array",
                " changes between them")

    def _collect(self) -> None:
        composite = isinstance(self.data, vtkCompositeDataSet)
        for one in self.datasets:
            self.curves.append(None)
            if not isinstance(one.data, (vtkPolyData, vtkUnstructuredGrid)):
                self.notes.add(curves_dataset.DATASET, 1, 0, one.block)
                continue
            dataset = CurvesDataset(one.data, one.block, self.settings, self.options, self.choices)
            # Alone it is an error; among others they can go on without it.
            if composite and not dataset.weights_fit():
                self.notes.add(curves_dataset.WEIGHTS, 1, dataset.weights_count(), one.block)
            else:
                self.curves[-1] = dataset

    def _add_bounds(self, dataset: CurvesDataset) -> None:
        for side, place in enumerate(dataset.view().bounds(self.execution)):
            self.corners[side] = max(self.corners[side], place if side % 2 else -place)

    def _share_bounds(self) -> None:
        square = 0.0
        for axis in range(3):
            side = self.corners[2 * axis + 1] + self.corners[2 * axis]
            square += side * side if side > 0.0 else 0.0
        self.reference = math.sqrt(square)
        bounds = [one if side % 2 else -one for side, one in enumerate(self.corners)]
        self.largest_place = lib.tsr_curves_largest_place((c.c_double * 6)(*bounds))

    def _choose_precision(self) -> None:
        """Where single precision takes too much of the chord error, points come out double."""
        self.options.reference_length = self.reference
        single = any(dataset and dataset.is_single for dataset in self.curves)
        self.too_coarse = single and bool(lib.tsr_curves_is_too_coarse(c.byref(self.options),
                                                                       self.largest_place))
        if self.too_coarse and self.settings["OutputPrecision"] == 2:
            for dataset in filter(None, self.curves):
                dataset.is_single = False

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        if kind in _SENTENCES:
            one, many = _SENTENCES[kind]
            return f"{count} {one if count == 1 else many}; the first is cell {first}{where}."
        if kind == curves_dataset.WEIGHTS:
            subject = "dataset has" if count == 1 else "datasets have"
            verb = "is" if count == 1 else "are"
            return (f"{count} {subject} another number of rational weights than of points and "
                    f"{verb} left out; the first, with {first} weights, is{where}.")
        if kind == curves_dataset.DATASET:
            what = ("dataset is neither a polydata nor an unstructured grid and is left out"
                    if count == 1 else
                    "datasets are neither polydata nor unstructured grids and are left out")
            return f"{count} {what}; the first is{where}."
        note = core.tsr_note_count(count, first)
        return with_place(text_of("tsr_note_sentence", kind, note, b"cell"), where)

    def warnings(self) -> list[str]:
        found = super().warnings()
        if math.isinf(self.scale):
            found.append(f"The point budget of {self.settings['PointBudget']} is too small: the "
                         f"coarsest output has {self.report['Points']} points, and that is what was "
                         "made.")
        if self.too_coarse:
            found.append(text_of("tsr_rounding_sentence", lib.tsr_curves_rounding(self.largest_place),
                                 self.settings["OutputPrecision"] == 0))
        filled = any(dataset and dataset.data.GetNumberOfPoints() > 0 for dataset in self.curves)
        return found + self._field_warnings() + (self.modes.missing() if filled else [])

    def _field_warnings(self) -> list[str]:
        if not self.settings["UseFieldError"]:
            return []
        found = []
        filled = [dataset for dataset in self.curves if dataset and dataset.data.GetNumberOfPoints() > 0]
        for k, name in enumerate(self.settings["FieldErrorArrays"]):
            states = {dataset.field_states[k] for dataset in filled}
            if curves_dataset.IN_USE in states:
                continue
            what = {curves_dataset.NOT_NUMERIC: f"The point array '{name}' is not numeric",
                    curves_dataset.WRONG_LENGTH: f"The point array '{name}' has another number of "
                                                 "tuples than there are points",
                    curves_dataset.UNKNOWN: f"There is no point array '{name}'"}
            found += [f"{text}, so its field error was not considered."
                      for state, text in what.items() if state in states][:1]
        return found
