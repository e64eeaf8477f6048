# SPDX-License-Identifier: BSD-3-Clause
"""One structured dataset on its way through Adaptive Grid: view, criteria, plan."""
from __future__ import annotations

import ctypes as c
import math
from dataclasses import dataclass
from typing import Any

from vtkmodules.vtkCommonCore import vtkDataArray, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import (vtkDataObject, vtkDataSet, vtkDataSetAttributes,
                                           vtkImageData, vtkRectilinearGrid, vtkStructuredGrid)

from .. import grid
from ..arrays import Array
from .. import _core as core
from .._library import lib
from ..errors import TesseraError
from ..execution import Execution
from ..memory import Room
from .grid_octree import GridOctree, unusable_ghosts
from .grid_steps import GridSteps, Marks
from .vtk_arrays import (GHOSTS, all_arrays, finite_range, flagged, is_numeric, name_of, tuple_bytes,
                         values)

_HIDDEN_CELL = (vtkDataSetAttributes.HIDDENCELL | vtkDataSetAttributes.REFINEDCELL |
                vtkDataSetAttributes.DUPLICATECELL)


@dataclass(frozen=True)
class Search:
    """The array that criteria look at: a name, or "" for the active one."""

    name: str
    velocity: bool  # 3 components
    places: tuple[bool, ...] = (False, True)  # of cells? in the order of the search

    def missing(self) -> str:
        """That it is nowhere, for the user."""
        if len(self.places) == 1:
            noun = "cell" if self.places[0] else "point"
            return f"there is no numeric {noun} array '{self.name}'"
        if self.velocity:
            return (f"there is no array '{self.name}' of 3 components" if self.name else
                    "there is no array of 3 components for the vorticity or the Q-criterion")
        return (f"there is no numeric point or cell array '{self.name}'" if self.name else
                "there is no numeric point or cell array for the criteria")


def wishes(options: Any, choices: Any) -> list[Any]:
    """The criteria that are switched on, as tsr_grid_wish, in the order of the panel; none for fixed
    grids."""
    if options.mode != 0:
        return []
    found = (core.tsr_grid_wish * core.TSR_GRID_WISHES)()
    return list(found[:lib.tsr_grid_choices_wishes(c.byref(choices), found)])


def is_flow(wish: Any) -> bool:
    """Does it look at the velocity?"""
    return bool(lib.tsr_grid_measure_is_flow(wish.measure))


def searches(settings: dict[str, Any], criteria: list[Any]) -> list[Search]:
    """All arrays that the criteria look at; none where no criterion decides."""
    found = []
    if any(not is_flow(one) and not one.geometry for one in criteria):
        names = list(settings["CriteriaArrays"] or [""])
        while names:
            place = {"POINTS": (False,), "CELLS": (True,)}.get(names[0]) if names[1:] else None
            found.append(Search(names.pop(1 if place else 0), False, place or (False, True)))
            names = names[1:] if place else names
    if any(is_flow(one) for one in criteria):
        found.append(Search(settings["VelocityArray"], True))
    return found


GEOMETRY = "gcoordinates"  # the key of the points: no array has its letter


@dataclass(frozen=True)
class Criterion:
    """One criterion on one array. key: what its range belongs to: "p" or "c" for point or cell data, "j"
    or "k" for the range of all components together, and the name."""

    core: Any
    array: vtkDataArray
    name: str
    key: str
    is_flow: bool


def view_of(data: vtkDataSet) -> grid.View | None:
    """Where a structured dataset lies; None for others."""
    if isinstance(data, vtkImageData):
        matrix = data.GetDirectionMatrix()
        direction = [matrix.GetElement(i, j) for i in range(3) for j in range(3)]
        return grid.View(data.GetExtent()).image(data.GetOrigin(), data.GetSpacing(), direction)
    if isinstance(data, vtkRectilinearGrid):
        axes = (data.GetXCoordinates(), data.GetYCoordinates(), data.GetZCoordinates())
        return grid.View(data.GetExtent()).rectilinear(
            values(one).reshape(-1) if is_numeric(one) else None for one in axes)
    if isinstance(data, vtkStructuredGrid):
        points = data.GetPoints()
        return grid.View(data.GetExtent()).structured(values(points.GetData()) if points else None)
    return None


def attributes_of(data: Any, cells: bool) -> vtkDataSetAttributes:
    """Its cell data or point data."""
    found: vtkDataSetAttributes = data.GetCellData() if cells else data.GetPointData()
    return found


def find_array(data: Any, search: Search) -> tuple[Any, bool]:
    """The array, of points before cells, and whether it is of cells."""
    for cells in search.places:
        attributes = attributes_of(data, cells)
        if search.name:
            named = attributes.GetArray(search.name)
            candidates = [named] if is_numeric(named) else []
        else:
            active = attributes.GetVectors() if search.velocity else attributes.GetScalars()
            candidates = [active] if is_numeric(active) else [
                one for one in all_arrays(attributes)
                if is_numeric(one) and name_of(one) != GHOSTS and
                (not search.velocity or one.GetNumberOfComponents() == 3)]
        if candidates:
            fits = not search.velocity or candidates[0].GetNumberOfComponents() == 3
            return (candidates[0], cells) if fits else (None, False)
    return None, False


class GridDataset:
    """An image, a rectilinear or a structured grid, or cells of several sizes, as the core sees it."""

    def __init__(self, data: Any, view: grid.View, block: int, settings: dict[str, Any],
                 options: Any, criteria: list[Any], octree: GridOctree | None = None) -> None:
        self.data, self.view, self.block, self.settings = data, view, block, settings
        self.options, self.wishes = core.tsr_grid_options.from_buffer_copy(options), criteria
        self.octree = octree
        self.criteria: list[Criterion] = []
        self.ghost_problems: list[str] = []
        self.corners: list[float] | None = None
        self.marks: Array | None = None
        self.keep_marks = False
        if octree:
            self.options.refine_levels = 0  # cells of several sizes are never divided
            self.region = octree.view.region
            return
        axes = view.settle(data.GetDataObjectType())
        self.region = lambda box: axes.region(view, box)
        self.options.move_cells = 0
        self.view.hide(self._hidden(True), self._hidden(False))

    def _attributes(self, cells: bool) -> vtkDataSetAttributes:
        return attributes_of(self.data, cells)

    def mesh_cells(self) -> int:
        """Of the mesh that the octree stands for; 0 for others."""
        return self.octree.mesh_cells if self.octree else 0

    def samples(self, array: Any, cells: bool) -> Array | None:
        """The values of the mesh of which the array was made."""
        return self.octree.samples_of(array, cells) if self.octree else None

    def has_cell_arrays(self) -> bool:
        """Any but the ghost array."""
        return any(name_of(one) != GHOSTS for one in all_arrays(self._attributes(True)))

    def _hidden(self, cells: bool) -> Array | None:
        """What the ghost array hides: uint8, one a cell or point."""
        array = self._attributes(cells).GetAbstractArray(GHOSTS)
        count = self.data.GetNumberOfCells() if cells else self.data.GetNumberOfPoints()
        if array is None:
            return None
        if not isinstance(array, vtkUnsignedCharArray) or array.GetNumberOfValues() != count:
            self.ghost_problems.append(unusable_ghosts(array, "cell" if cells else "point", count))
            return None
        flags = _HIDDEN_CELL if cells else vtkDataSetAttributes.HIDDENPOINT
        return flagged(self._attributes(cells), count, flags)

    def find_arrays(self, wanted_arrays: list[Search]) -> list[bool]:
        """Makes the criteria of those arrays that are here. The interpolation error looks at a cell array
        only where no other criterion does. Returns which arrays are here."""
        found = [find_array(self.data, one) for one in wanted_arrays]
        others = any(not is_flow(one) and one.measure != grid.INTERPOLATION_ERROR for one in self.wishes)
        for one in self.wishes:
            if one.geometry:
                if self.view.core.geometry == grid.POINTS and self.data.GetPoints():
                    self._add(one, self.data.GetPoints().GetData(), False)
                continue
            left_out = others and one.measure == grid.INTERPOLATION_ERROR
            for search, (array, of_cells) in zip(wanted_arrays, found):
                if array and search.velocity == is_flow(one) and not (left_out and of_cells):
                    self._add(one, array, of_cells)
        return [array is not None for array, _ in found]

    def _add(self, one: Any, array: vtkDataArray, of_cells: bool) -> None:
        flow, geometry = is_flow(one), bool(one.geometry)
        component = -1 if flow or geometry else self.settings["Component"]
        joint = one.measure == grid.INTERPOLATION_ERROR and component < 0
        samples = self.samples(array, of_cells) if one.measure == grid.INTERPOLATION_ERROR else None
        made = grid.criterion(one.measure, values(array), of_cells, component, one.threshold,
                              one.lower, one.upper, self.settings["ThresholdMode"] == 1, samples)
        key = GEOMETRY if geometry else ("jk" if joint else "pc")[of_cells] + name_of(array)
        self.criteria.append(Criterion(made, array, one.name.decode(), key, flow))

    def has_bits(self, name: str) -> bool:
        """Is there an array of that name, of bits, which criteria cannot look at?"""
        found = [self._attributes(cells).GetArray(name) for cells in (False, True)] if name else []
        return any(one is not None and one.GetDataType() == 1 for one in found)

    def ranges(self) -> dict[str, tuple[float, float]]:
        """Least and largest value of the array of each criterion, by key; vorticity and Q have none."""
        found = {}
        for one in self.criteria:
            if one.is_flow:
                continue
            n = one.array.GetNumberOfComponents()
            if one.key == GEOMETRY:
                continue
            if one.key[0] in "jk":
                each = [finite_range(one.array, k) for k in range(n)]
                found[one.key] = (min(low for low, _ in each), max(high for _, high in each))
            else:
                component = 0 if n == 1 else self.settings["Component"]
                found[one.key] = finite_range(one.array, component)
        return found

    def bounds(self) -> list[tuple[float, float]]:
        """Of the points along x, y and z, where a geometric error looks at them."""
        for one in self.criteria:
            if one.key == GEOMETRY:
                return [finite_range(one.array, axis) for axis in range(3)]
        return []

    def set_diagonal(self, diagonal: float) -> None:
        """What a geometric error is a fraction of."""
        for one in self.criteria:
            if one.key == GEOMETRY:
                one.core.range[:] = (0.0, diagonal)

    def set_ranges(self, ranges: dict[str, tuple[float, float]]) -> None:
        """What the thresholds are fractions of, in place of this dataset's own ranges."""
        for one in self.criteria:
            if not one.is_flow and one.key in ranges:
                one.core.range[:] = ranges[one.key]

    def look_at_region(self) -> bool:
        """Finds the region in index space. True where it touches a cell."""
        self.corners = self.region(self.settings["Region"])
        return math.isfinite(self.corners[1])

    def take_marks(self, steps: GridSteps) -> None:
        """Lets the plan refine the nodes that other time steps have refined; while `steps` collects, the plan keeps
        its own. Raises BadInput where they are of another grid."""
        self.marks = steps.marks_for(self.block, list(self.view.core.whole), self.octree is not None)
        self.keep_marks = steps.collects()

    def give_marks(self, steps: GridSteps) -> None:
        """Replaces the marks of this dataset by those of the plan."""
        steps.marks[self.block] = Marks(list(self.view.core.whole), self.plan.marks())

    def bytes_per_cell(self) -> float:
        """That one output cell takes, roughly."""
        return 100.0 + sum(tuple_bytes(self._attributes(cells)) for cells in (False, True))

    def make_plan(self, execution: Execution, budget: int, room: Room) -> None:
        """budget: 0 = off. room: the plan takes its part of it."""
        options = self.options
        options.cell_budget = budget
        options.limit_cells = room.items(self.bytes_per_cell())
        if self.corners:
            options.use_region = 1
            options.region[:] = [one if side % 2 else -one
                                 for side, one in enumerate(self.corners)]
        try:
            self.plan = grid.Plan(self.view, options, [one.core for one in self.criteria], execution, self.marks,
                                  self.keep_marks)
        except TesseraError as problem:
            raise self._with_criterion(problem) from None
        room.take(self.bytes_per_cell() * self.plan.sizes.cells)

    def cells_with(self, execution: Execution, scale: float) -> int:
        """How many cells there would be with the thresholds times `scale`."""
        rows = [type(one.core).from_buffer_copy(one.core) for one in self.criteria]
        for row, one in zip(rows, self.criteria):
            row.borrowed, row.borrowed_samples = one.core.borrowed, one.core.borrowed_samples
            row.threshold *= scale
        return seen_cells(grid.Plan(self.view, self.options, rows, execution).sizes, self.options)

    def _with_criterion(self, problem: TesseraError) -> TesseraError:
        if not 0 <= problem.item < len(self.criteria):
            return problem
        one = self.criteria[problem.item]
        return type(problem)(f"{problem} (criterion {problem.item} is the {one.name} of "
                             f"'{one.key[1:]}')", problem.item)


def seen_cells(sizes: Any, options: Any) -> int:
    """Cells of the output."""
    return int(sizes.cells if options.output == grid.CONFORMING else sizes.leaves)


def point_type(dataset: GridDataset) -> str:
    """Of the output's points."""
    precision = dataset.settings["OutputPrecision"]
    view = dataset.view.core
    type_in = (view.points if view.geometry == grid.POINTS else view.coordinates[0]).type
    wide = not dataset.octree.single if dataset.octree else view.geometry == grid.UNIFORM or type_in == 9
    return "f8" if precision == 1 or (precision != 0 and wide) else "f4"
