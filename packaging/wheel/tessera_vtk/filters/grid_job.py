# SPDX-License-Identifier: BSD-3-Clause
"""One execution of Adaptive Grid over all datasets of an input."""
from __future__ import annotations

import ctypes as c
import math
from typing import Any, Sequence

from vtkmodules.vtkCommonDataModel import vtkDataObject

from .. import _core as core
from .._library import call, lib, text_of
from ..execution import Execution
from ..properties import Property
from . import grid_collect
from .datasets import is_composite
from .grid_collect import Collector
from .grid_dataset import GridDataset, searches, seen_cells, wishes
from .grid_merge import merge_datasets
from .grid_mesh import NOTHING_WHOLLY_INSIDE
from .grid_output import GridOutput
from .grid_steps import GridSteps
from .job import Job, counted, require, with_place


class GridJob(Job):
    """Each dataset is a grid of its own, or with Merge Blocks all are one; they share the ranges of their arrays and the budget. steps: of one grid for
    all time steps, whose marks are used; while it collects, a run adds those of a step and makes nothing else."""

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution, steps: GridSteps | None = None) -> None:
        told: set[str] = set()
        if settings["MergeBlocks"] and is_composite(data):
            data = merge_datasets(data, told)
        super().__init__(data, properties, settings, execution)
        self.messages |= told
        self.steps = steps
        self.composite = is_composite(data)
        self.options, self.choices = self.struct("tsr_grid_options"), self.struct("tsr_grid_choices")
        call("tsr_grid_choices_check", c.byref(self.choices), c.byref(self.options), self.composite)
        lib.tsr_grid_choices_apply(c.byref(self.choices), c.byref(self.options))
        call("tsr_grid_check_options", c.byref(self.options))
        self.wishes = wishes(self.options, self.choices)
        self.grids: list[GridDataset | None] = []
        self.cut_more = 0  # cells that cutting at the surface of meshes has added
        self.geometric_error: float | None = None
        self.errors: dict[tuple[str, bool], float] = {}  # by name; True: cell data

    def run(self) -> None:
        """Collect, find arrays, share ranges and region, plan, fill."""
        collector = Collector(self.data, self.composite, self.settings, self.options, self.choices, self.wishes,
                              self.execution, self.messages, self.notes)
        self.grids = self.each(self.datasets, collector.collect)
        of_meshes = self.each(collector.meshes(self.datasets), collector.of_mesh)
        self.grids = [one or other for one, other in zip(self.grids, of_meshes)]
        good = [one for one in self.grids if one]
        collector.choices_without_effect(good)
        self._find_arrays(good)
        if self.composite and self.settings["ThresholdMode"] == 1:
            self._share_ranges(good)
        self._share_diagonal(good)
        # A list: each of them looks.
        if self.settings["UseRegion"] and not any([one.look_at_region() for one in good]) and good:
            self.messages.add("The region touches no cell of the input; Level Outside holds "
                              "everywhere.")
        self.input_cells = sum(one.view.whole_cells() for one in good)
        self.each(self.grids, self._plan)
        if self.steps and self.steps.collects():
            self._add_step(good)
            return
        self.results = self.each(self.grids, self._fill)
        self._conclude(good)

    def _find_arrays(self, good: list[GridDataset]) -> None:
        wanted = searches(self.settings, self.wishes)
        here = [one.find_arrays(wanted) for one in good]
        for k, search in enumerate(wanted if good else []):
            bits = any(one.has_bits(search.name) for one in good)
            require(any(found[k] for found in here),
                    f"the array '{search.name}' holds bits, which criteria cannot look at: make it "
                    "numbers first" if bits else search.missing())
        for one in good if wanted else []:
            if not one.criteria:
                self.notes.add(grid_collect.NO_ARRAY, 1, 0, one.block)

    def _share_ranges(self, good: list[GridDataset]) -> None:
        shared: dict[str, tuple[float, float]] = {}
        for one in good:
            for key, (low, high) in one.ranges().items():
                known = shared.get(key, (low, high))
                shared[key] = (min(known[0], low), max(known[1], high))
        for one in good:
            one.set_ranges(shared)

    def _share_diagonal(self, good: list[GridDataset]) -> None:
        """Of the bounds of all blocks that a geometric error looks at."""
        found = [bounds for bounds in (one.bounds() for one in good) if bounds]
        if found:
            sides = [max(0.0, max(one[axis][1] for one in found) - min(one[axis][0] for one in found))
                     for axis in range(3)]
            for one in good:
                one.set_diagonal(math.sqrt(sides[0] ** 2 + sides[1] ** 2 + sides[2] ** 2))

    def _plan(self, dataset: GridDataset) -> None:
        if self.steps:
            dataset.take_marks(self.steps)
        dataset.make_plan(self.execution, self._budget(dataset), self.room)

    def _add_step(self, good: list[GridDataset]) -> None:
        """Adds the marks of this time step."""
        assert self.steps
        for one in good:
            one.give_marks(self.steps)
        self.steps.add(bool(self.settings["UseInterpolationError"]))

    def _budget(self, one: GridDataset) -> int:
        budget = int(self.settings["CellBudget"])
        return int(lib.tsr_grid_budget_share(budget, one.view.whole_cells(), self.input_cells)
                   if self.composite else budget)

    def _fill(self, dataset: GridDataset) -> vtkDataObject:
        output = GridOutput(dataset, self.messages)
        made = output.fill()
        self.cut_more += made.GetNumberOfCells() - dataset.plan.sizes.cells
        if output.geometric_error is not None:
            self.geometric_error = max(self.geometric_error or 0.0, output.geometric_error)
        for name, error in output.errors.items():
            self.errors[name] = max(self.errors.get(name, 0.0), error)
        return made

    def _conclude(self, good: list[GridDataset]) -> None:
        sizes = [one.plan.sizes for one in good]
        for one in good:
            # The report gives the last note, of leaves above the threshold: most meshes have some.
            for kind, note in enumerate(one.plan.sizes.notes[:core.TSR_GRID_NOTE_SAMPLES]):
                self.notes.add(kind, note.count, note.first, one.block)
        scale = max([1.0, *(one.threshold_scale for one in sizes)])
        reports = [one.plan.report() for one in good]
        for report, one in zip(reports, good):
            report.items = one.mesh_cells() or report.items
        for report in reports[:1]:
            report.cells += self.cut_more
        self.add_up(reports, "Input Cells", "Cells", scale)
        del self.report["Chord Tolerance"]  # of curves
        seen = self.cut_more + sum(seen_cells(one, self.options) for one in sizes)
        fine, leaves = sum(one.fine_cells for one in sizes), sum(one.leaves for one in sizes)
        self._warn_of_growth(good, seen, fine, leaves)
        levels = max([self.settings["CoarsenLevels"] + self.settings["RefineLevels"] + 1,
                      *(one.levels + 1 for one in sizes)])
        self.report |= {"Leaves": leaves, "Fine Cells": fine,
                        "Saving": 1.0 - seen / fine if fine else 0.0,
                        "Balance": self._balance(sizes), "Error Bound": self._error_bound(good),
                        "Leaves Of Level": [sum(one.leaves_of_level[level] for one in sizes)
                                            for level in range(levels)]}
        if self._bounds_mesh(good):
            self.report["Leaves Above Threshold"] = sum(one.notes[core.TSR_GRID_NOTE_SAMPLES].count for one in sizes)
        if self.geometric_error is not None:
            self.report["Largest Geometric Error"] = self.geometric_error
        bytes_in, bytes_out = (1024 * sum(one.GetActualMemorySize() for one in of if one) for of in
                               ([self.data], self.results))
        self.report |= {"Input Bytes": bytes_in, "Output Bytes": bytes_out,
                        "Saving In Bytes": 1.0 - bytes_out / bytes_in if bytes_in else 0.0}
        hidden = sum(one.view.whole_cells() for one in good if one.plan.sizes.dimension > 0)
        if fine == 0 and hidden > 0:
            # A mesh whose cells are all hidden has no octree.
            self.messages.add(NOTHING_WHOLLY_INSIDE if hidden == self._of_meshes(good) else
                              f"All {hidden} cells of the input are hidden: the output has none.")
        if self.errors:
            keys = sorted(self.errors, key=lambda key: (key[0], not key[1]))
            self.report |= {"Error Arrays": [self._shown(*key) for key in keys],
                            "Largest Errors": [self.errors[key] for key in keys]}

    def _warn_of_growth(self, good: list[GridDataset], seen: int, fine: int, leaves: int) -> None:
        """Says that the output has no fewer cells than the fine grid, and what would make it smaller."""
        tolerances = (core.tsr_tolerance * core.TSR_GRID_WISHES)()
        n = lib.tsr_grid_choices_tolerances(c.byref(self.choices), tolerances)
        # Pieces at the surface are as many whatever the thresholds are.
        clips = self.choices.boundary == core.TSR_GRID_CLIPPED
        if clips or self.options.mode != 0 or n == 0 or fine == 0 or seen < fine:
            return
        refined = self.options.refine_levels > 0 or self._of_meshes(good) > 0  # the fine grid of a mesh is its octree
        growth = core.tsr_grid_growth(seen, fine, leaves, refined, 0.0, 0)
        # The marks of other time steps stay, whatever the thresholds.
        k, tries = 0, not self.steps and any(one.value > 0.0 for one in tolerances[:n])
        while tries and growth.scale == 0.0 and lib.tsr_grid_growth_scale(k) > 0.0:
            scale = lib.tsr_grid_growth_scale(k)
            growth.fewer = sum(one.cells_with(self.execution, scale) for one in good)
            growth.scale = scale if growth.fewer < fine else 0.0
            k += 1
        text = c.create_string_buffer(600)
        lib.tsr_grid_growth_sentence(c.byref(growth), tolerances, n, text, len(text))
        if text.value:
            self.messages.add(text.value.decode(errors="replace"))

    def _shown(self, name: str, cells: bool) -> str:
        """The name in the report: a point and a cell array of one name are told apart."""
        if (name, not cells) not in self.errors:
            return name
        return f"{name} (cells)" if cells else f"{name} (points)"

    @staticmethod
    def _of_meshes(good: list[GridDataset]) -> int:
        """Cells of octrees that stand for meshes."""
        return sum(one.view.whole_cells() for one in good if one.mesh_cells() > 0)

    def _bounds_mesh(self, good: list[GridDataset]) -> bool:
        """Does Interpolation Error hold for a mesh?"""
        used = self.options.mode == 0 and bool(self.settings["UseInterpolationError"])
        return used and self._of_meshes(good) > 0

    def _error_bound(self, good: list[GridDataset]) -> str:
        used = int(self.settings["UseInterpolationError"])
        text = str(lib.tsr_grid_bound_text(c.byref(self.options), used).decode())
        return text + ("; of a mesh, leaves of the finest cells may exceed it: Leaves Above Threshold counts them"
                       if self._bounds_mesh(good) else "")

    def _balance(self, sizes: list[Any]) -> str:
        most = max([0, *(one.dimension for one in sizes)])
        return text_of("tsr_grid_balance_text", c.byref(self.options), most)

    def say(self, kind: int, count: int, first: int, where: str) -> str:
        several = {
            grid_collect.DATASET: ("dataset is of a kind that is not taken and is left out",
                                   "datasets are of kinds that are not taken and are left out"),
            grid_collect.UNFIT: ("further unstructured grid is unusable and is left out",
                                 "further unstructured grids are unusable and are left out"),
            grid_collect.NO_ARRAY: ("block has no array that a criterion can look at and comes out as the "
                                    "coarsest grid",
                                    "blocks have no array that a criterion can look at and come out as the "
                                    "coarsest grid")}
        if kind in several:
            return f"{counted(count, *several[kind])}; the first is{where}."
        note = core.tsr_note_count(count, first)
        return with_place(text_of("tsr_grid_note_sentence", kind, note), where)
