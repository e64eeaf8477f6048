# SPDX-License-Identifier: BSD-3-Clause
"""One dataset on its way through Adaptive Curves: view and plan."""
from __future__ import annotations

import ctypes as c
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkPointSet

from .. import curves
from ..arrays import Array
from .. import _core as core
from .._library import lib
from ..execution import Execution
from ..memory import Room
from .curves_modes import Modes, join, label_codes
from .datasets import Notes
from .pass_through import POLYS, STRIPS, VERTS, PassThrough
from .vtk_arrays import (all_arrays, cell_types, dtype_of, finite_range, ids, is_numeric, name_of,
                         tuple_bytes, values)

# What is made on request: property, name of the array.
GENERATED_POINT_ARRAYS = {"GenerateParameter": "Parameter", "GenerateArcLength": "ArcLength",
                          "GenerateCurvature": "Curvature", "GenerateTangents": "Tangents"}

# VTK's cell types.
_EMPTY, _VERTEX, _POLY_VERTEX, _LINE, _POLY_LINE = 0, 1, 2, 3, 4
_QUADRATIC_EDGE, _CUBIC_LINE, _LAGRANGE_CURVE, _BEZIER_CURVE = 21, 35, 68, 75

# Notes beyond the core's.
(LEFT_OUT, BAD_CELL, TOO_LARGE, DEGREES, DATASET,
 WEIGHTS) = range(core.TSR_NOTES, core.TSR_NOTES + 6)

UNKNOWN, NOT_NUMERIC, WRONG_LENGTH, IN_USE = range(4)  # what an array of Field Error Arrays is


@dataclass
class Ranges:
    """Ranges of arrays by name, over all datasets: the largest of a component's."""

    bounds: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def add(self, array: vtkDataArray) -> None:
        """Widens those of its name."""
        known = self.bounds.setdefault(name_of(array), [])
        for k in range(array.GetNumberOfComponents()):
            low, high = finite_range(array, k)
            if k < len(known):
                known[k] = (min(known[k][0], low), max(known[k][1], high))
            else:
                known.append((low, high))

    def of(self, array: vtkDataArray) -> float:
        """At most 1e300."""
        spans = [high - low for low, high in self.bounds.get(name_of(array), [])]
        return min(max([0.0, *spans]), 1e300)


class CurvesDataset:
    """A vtkPolyData or vtkUnstructuredGrid as the core sees it."""

    def __init__(self, data: vtkPointSet, block: int, settings: dict[str, Any], options: Any,
                 choices: Any) -> None:
        self.data, self.block, self.settings = data, block, settings
        self.options = core.tsr_curves_options.from_buffer_copy(options)
        self.kind_of_lines = lib.tsr_curves_polyline_kind(c.byref(choices))
        self.own_notes = Notes()
        self.first_line = 0  # the input cell that item 0 is
        self.kinds: Array | None = None
        self.roles: Array | None = None
        self.weights: Array | None = None
        self.passed = PassThrough()
        points = data.GetPoints()
        self.points = values(points.GetData()) if points else np.empty((0, 3), "f4")
        precision = settings["OutputPrecision"]
        wide = points is not None and dtype_of(points.GetData()) == np.dtype("f8")
        self.is_single = not (precision == 1 or (precision != 0 and wide))
        weights = data.GetPointData().GetRationalWeights()
        self.weights = values(weights) if is_numeric(weights) else None
        if isinstance(data, vtkPolyData):
            self._look_at_polydata(data)
        else:
            self._look_at_grid(data)
        narrower = self.is_single and self.points.dtype == np.dtype("f8")
        self.passed.finish(data.GetNumberOfPoints(), self.points if narrower else None)
        self._join_lines()
        of_points = data.GetPointData()
        self.fields: list[Any] = []
        self.field_modes: list[int] = []
        self.labels: list[Array] = []
        self.label_names: list[str] = []
        self.field_states = [self._state_of(of_points.GetAbstractArray(name))
                             for name in settings["FieldErrorArrays"]]

    def _look_at_polydata(self, data: vtkPolyData) -> None:
        verts, lines = data.GetNumberOfVerts(), data.GetNumberOfLines()
        self.first_line, self.roles = verts, None
        self.offsets, self.connectivity = ids(data.GetLines())
        self.kinds = None
        self.passed.add(VERTS, *ids(data.GetVerts()), 0)
        self.passed.add(POLYS, *ids(data.GetPolys()), verts + lines)
        self.passed.add(STRIPS, *ids(data.GetStrips()), verts + lines + data.GetNumberOfPolys())

    def _look_at_grid(self, data: Any) -> None:
        n = data.GetNumberOfCells()
        self.offsets, self.connectivity = np.zeros(1, "i8"), np.empty(0, "i8")
        self.kinds = self.roles = None
        if n == 0:
            return
        self.offsets, self.connectivity = ids(data.GetCells())
        types = cell_types(data)
        table = np.full(256, 255, np.uint8)
        table[[_EMPTY, _VERTEX, _POLY_VERTEX]] = curves.NONE
        table[_LINE] = curves.STRAIGHT
        table[_POLY_LINE] = self.kind_of_lines
        table[[_QUADRATIC_EDGE, _CUBIC_LINE, _LAGRANGE_CURVE]] = curves.LAGRANGE
        table[_BEZIER_CURVE] = curves.BEZIER
        kinds = table[types]
        others = np.flatnonzero(kinds == 255)
        kinds[others] = curves.NONE
        if len(others):
            self.own_notes.add(LEFT_OUT, len(others), others[0], self.block)
        self._check_degrees(data, types)
        self.kinds = kinds
        self.roles = np.where(kinds == curves.NONE, 0, np.where(types == _LINE, 2, 1)).astype("u1")
        chosen = ((types == _VERTEX) | (types == _POLY_VERTEX)).astype(np.uint8)
        if chosen.any():
            self.passed.add(VERTS, self.offsets, self.connectivity, 0, chosen)

    def _check_degrees(self, data: Any, types: Array) -> None:
        degrees = data.GetCellData().GetHigherOrderDegrees()
        if not is_numeric(degrees):
            return
        first = values(degrees)[:len(types), 0]
        curved = np.isin(types[:len(first)], (_LAGRANGE_CURVE, _BEZIER_CURVE))
        bad = np.flatnonzero(curved & (first != np.diff(self.offsets)[:len(first)] - 1))
        if len(bad):
            self.own_notes.add(DEGREES, len(bad), bad[0], self.block)

    def _state_of(self, array: Any) -> int:
        if not is_numeric(array):
            return NOT_NUMERIC if array else UNKNOWN
        fits = array.GetNumberOfTuples() == self.data.GetNumberOfPoints()
        return IN_USE if fits else WRONG_LENGTH

    def choose_fields(self, modes: Modes) -> None:
        """The arrays of the field error, and those whose changes keep points."""
        data, names = self.data.GetPointData(), self.settings["FieldErrorArrays"]
        self.modes = modes
        for array in all_arrays(data):
            mode = modes.of(data, array)
            named = name_of(array) in names
            if mode == curves.NEAREST:
                if self.settings["Joints"] == 1:
                    self._add_label(array)
            elif (named or (not names and array is not data.GetRationalWeights())) and (
                    self._state_of(array) == IN_USE):
                self.fields.append(array)
                self.field_modes.append(mode)

    def _add_label(self, array: Any) -> None:
        if array.GetNumberOfTuples() == self.data.GetNumberOfPoints():
            self.label_names.append(name_of(array))
            self.labels.append(values(array) if is_numeric(array) else label_codes(array))

    def _join_lines(self) -> None:
        """Lines of two points that follow each other become polylines that stay straight."""
        self.joined = None
        self.apart: Counter[str] = Counter()
        if not self.settings["JoinLines"] or len(self.offsets) < 2:
            return
        joined = join(self.offsets, self.connectivity, self.data.GetNumberOfPoints(), self.roles,
                      self.data.GetCellData(), self.first_line, self.apart)
        if joined is None:
            return
        kinds = (np.full(len(self.offsets) - 1, self.kind_of_lines, np.uint8)
                 if self.kinds is None else self.kinds)
        self.kinds = np.where(joined.chains != 0, np.uint8(curves.STRAIGHT), kinds[joined.cells])
        self.offsets, self.connectivity, self.joined = joined.offsets, joined.connectivity, joined

    def cells_of_items(self, items: Array) -> Array:
        """The input cells that items are, or begin with."""
        return self.first_line + (items if self.joined is None else self.joined.cells[items])

    def weights_fit(self) -> bool:
        """Is there one rational weight a point, or none at all?"""
        return self.weights is None or self.weights.shape == (self.data.GetNumberOfPoints(), 1)

    def weights_count(self) -> int:
        """How many rational weights there are."""
        return 0 if self.weights is None else len(self.weights)

    def view(self) -> curves.View:
        """Of what is set by now."""
        return curves.View(self.points, self.offsets, self.connectivity,
                           self.kind_of_lines, self.kinds, self.weights, self.is_single)

    def bytes_per_point(self) -> float:
        """That one more output point takes."""
        scalars = 3 + sum(3 if name == "GenerateTangents" else 1 for name in GENERATED_POINT_ARRAYS
                          if self.settings[name])
        return scalars * (4.0 if self.is_single else 8.0) + tuple_bytes(self.data.GetPointData())

    def bytes(self) -> float:
        """That the planned output takes."""
        sizes = self.plan.sizes
        points = float(sizes.points + len(self.passed.points))
        return float(points * self.bytes_per_point() + 8.0 * sizes.connectivity +
                     sizes.cells * (32.0 + tuple_bytes(self.data.GetCellData())))

    def make_plan(self, execution: Execution, reference: float, largest_place: float,
                  ranges: Ranges, room: Room) -> None:
        """reference, largest_place: 0 = the dataset's own. room: the plan takes its part of it."""
        options = self.options
        options.reference_length, options.largest_place = reference, largest_place
        options.limit_points = room.items(self.bytes_per_point())
        options.defer_count = int(self.settings["PointBudget"] > 0)
        self.plan = curves.Plan(self.view(), options, execution,
                                [values(one) for one in self.fields],
                                [ranges.of(one) for one in self.fields], self.labels,
                                self.field_modes, [name_of(one) for one in self.fields])
        room.take(self.bytes())

    def add_notes(self, notes: Notes) -> None:
        """Adds the notes of the plan and of this dataset."""
        for kind, one in enumerate(self.plan.sizes.notes):
            if one.count:
                first = self.cells_of_items(np.array([one.first]))[0]
                notes.add(kind, one.count, first, self.block)
        notes.merge(self.own_notes)
        for kind, one in ((BAD_CELL, self.passed.bad), (TOO_LARGE, self.passed.too_large)):
            notes.add(kind, one.count, one.first, self.block)
