# SPDX-License-Identifier: BSD-3-Clause
"""One execution of Adaptive Cells over all datasets of an input."""
from __future__ import annotations

import ctypes as c
import math
from typing import Any, Sequence

from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkUnstructuredGrid

from .. import cells
from .. import _core as core
from .._library import call, text_of
from ..execution import Execution
from ..properties import Property
from .cells_dataset import CellsDataset, FieldRanges
from .cells_output import CellsOutput
from .datasets import Dataset
from .job import Job, counted, with_place

_DATASET = core.TSR_CELLS_NOTES


class CellsJob(Job):
    """Shares the box, the ranges and the budget among the datasets."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        super().__init__(data, properties, settings, execution)
        self.options, self.choices = self.struct("tsr_cells_options"), self.struct("tsr_cells_choices")
        call("tsr_cells_choices_check", c.byref(self.choices))
        if not settings["UseFieldError"]:
            settings["FieldErrorArrays"] = []
        self.options.defer_count = int(settings["PointBudget"] > 0)
        self.cells: list[CellsDataset | None] = []
        self.ranges = FieldRanges()
        self.scale = 1.0

    def run(self) -> None:
        """Collect, share box and ranges, plan, fill."""
        self.cells = self.each(self.datasets, self._collect)
        good = [one for one in self.cells if one]
        self._share_box(good)
        for one in good:
            for array in one.fields:
                self.ranges.add(array)
        for one in good:
            one.set_box(self.options)
        self.each(self.cells, lambda one: one.make_plan(self.execution, self.options, self.ranges, self.room))
        if self.settings["PointBudget"] > 0:
            self.scale = cells.fit_budget([one.plan for one in good], self.settings["PointBudget"])
        self.room.check("points", sum(one.plan.sizes.points for one in good), sum(one.bytes() for one in good),
                        "take a larger chord error or field error, or set Point Budget")
        self.results = self.each(self.cells, lambda one: CellsOutput(one, self.messages).fill())
        for one in good:
            for kind, note in enumerate(one.plan.sizes.notes):
                self.notes.add(kind, note.count, note.first, one.block)
        self.add_up([one.plan.report() for one in good], "Input Cells", "Output Cells", self.scale)
        self.report["Curved Faces"] = sum(one.plan.sizes.faces for one in good)

    def _collect(self, dataset: Dataset) -> CellsDataset | None:
        if isinstance(dataset.data, vtkUnstructuredGrid):
            return CellsDataset(dataset.data, dataset.block, self.settings)
        self.notes.add(_DATASET, 1, 0, dataset.block)
        return None

    def _share_box(self, good: list[CellsDataset]) -> None:
        """The diagonal of the box of all points, and the largest coordinate."""
        bounds = [one.data.GetBounds() for one in good if one.data.GetNumberOfPoints() > 0]
        low = [-max(-one[2 * axis] for one in bounds) for axis in range(3) if bounds]
        high = [max(one[2 * axis + 1] for one in bounds) for axis in range(3) if bounds]
        square = 0.0
        for one, other in zip(low, high):
            square += (other - one) * (other - one)
        if bounds and math.isfinite(square):
            self.options.reference_length = math.sqrt(square)
            self.options.largest_place = max(0.0, *[-one for one in low], *high)

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        if kind == _DATASET:
            return counted(count, "dataset is no unstructured grid and is left out",
                           "datasets are no unstructured grids and are left out") + f"; the first is{where}."
        note = core.tsr_note_count(count, first)
        return with_place(text_of("tsr_cells_note_sentence", kind, note), where)

    def warnings(self) -> list[str]:
        found = super().warnings()
        if math.isinf(self.scale):
            found.append(f"The point budget of {self.settings['PointBudget']} is too small: the corners of the "
                         "faces alone are more, and the coarsest output was made.")
        good = [one for one in self.cells if one]
        found += dict.fromkeys(text for one in good for text in one.rounding(self.options, self.ranges))
        if self.settings["OutputType"] == core.TSR_CELLS_VOLUMES:
            if len(self.cells) > 1:
                found.append("With Output Type Cells the tetrahedra of different processes and blocks may not fit "
                             "along their common faces, since each divides a face by its own cells.")
            if self.settings["GenerateNormals"] or self.settings["GenerateParametricCoordinates"]:
                found.append("Generate Normals and Generate Parametric Coordinates make nothing with Output Type "
                             "Cells.")
        return found + [f"There is no numeric point array '{name}', so its field error was not considered."
                        for name in self.settings["FieldErrorArrays"] if not any(one.has_field(name) for one in good)]
