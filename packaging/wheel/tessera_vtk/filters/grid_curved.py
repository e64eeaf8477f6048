# SPDX-License-Identifier: BSD-3-Clause
"""Cells of higher order of a mesh: their corners, and the tetrahedra and triangles that they become."""
from __future__ import annotations

import ctypes as c
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from vtkmodules import vtkCommonDataModel as vtk
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes

from .. import _core as core
from .. import cells, mesh
from .._library import lib, new, text_of
from ..arrays import Array
from ..errors import TooLarge
from ..execution import Execution
from ..memory import Room
from .cells_output import _OF_ITEMS
from .grid_octree import OnlyArrays
from .vtk_arrays import (GHOSTS, all_arrays, copy_roles, copy_tuples, dtype_of, has_tuples, is_numeric, name_of,
                         new_like, not_numeric, tuple_bytes, values)

# As in plugin/grid/mesh/TesseraGridMeshCurved.cxx, which has the reasons.
_FIELD_ERROR, _LEAST_FIELD_ERROR, _LARGER_TOLERANCE = 0.01, 1e-6, 4.0
_CELLS_OF_A_POINT, _SMALL_MESH, _MOST_POINTS = 6.0, 200000, 10
_REASONS = ((core.TSR_CELLS_NOTE_SOLID, "of a kind that cannot be divided into tetrahedra"),
            (core.TSR_CELLS_NOTE_TYPE, "of a kind that cannot be divided into tetrahedra"),
            (core.TSR_CELLS_NOTE_COUNT, "with a number of points that does not fit the kind"),
            (core.TSR_CELLS_NOTE_DEGREE, "of a degree that is not a whole number from 1 to 10"),
            (core.TSR_CELLS_NOTE_ID, "with a point that the mesh does not have"),
            (core.TSR_CELLS_NOTE_WEIGHT, "with a rational weight that is not above 0"))


def _linear() -> dict[int, tuple[int, int]]:
    """The linear kind of cell that has the corners of one of higher order, and their number."""
    found, corners = {}, c.c_int()
    for kind in range(256):
        linear = lib.tsr_mesh_linear_kind(kind, c.byref(corners))
        if linear:
            found[kind] = linear, corners.value
    return found


LINEAR = _linear()


@dataclass
class Curved:
    """The cells of a mesh, some of them of higher order."""

    types: Array
    offsets: Array
    connectivity: Array
    roles: Array
    degree: int  # the median one of the cells that are drawn


def curved_cells(types: Array, offsets: Array, connectivity: Array, hidden: Array | None) -> Curved:
    """Hidden cells, and cells of a lower dimension than others, take part in nothing."""
    seen = np.ones(len(types), bool) if hidden is None else hidden == 0
    dimension = np.zeros(256, int)
    for kind in np.unique(types[seen]):
        cell = vtk.vtkGenericCell.InstantiateCell(int(kind))
        dimension[kind] = cell.GetCellDimension() if cell else 3
    drawn = seen & (dimension[types] == max(dimension[types[seen]], default=0))
    kinds, where = np.unique(np.diff(offsets).astype("i8") * 256 + types, return_inverse=True)
    degrees = np.array([lib.tsr_cells_degree(int(kind) % 256, int(kind) // 256) for kind in kinds], int)[where]
    ordered = np.sort(degrees[drawn])
    degree = int(ordered[(len(ordered) - 1) // 2]) if len(ordered) else 1
    return Curved(types, offsets, connectivity, np.where(drawn, cells.DRAWN, cells.ABSENT).astype(np.uint8), degree)


def corners_of(of: Curved) -> tuple[Array, Array, Array]:
    """The linear cells of the corners: types, offsets, ids. Too few ids are found, and told, later."""
    kinds, most = np.arange(256, dtype=np.uint8), np.full(256, np.iinfo(np.int64).max)
    for kind, (linear, corners) in LINEAR.items():
        kinds[kind], most[kind] = linear, corners
    offsets, connectivity = of.offsets, of.connectivity
    counts = np.minimum(np.diff(offsets), most[of.types])
    slots = np.arange(len(connectivity)) - np.repeat(offsets[:-1], np.diff(offsets)) if len(connectivity) else []
    kept = slots < np.repeat(counts, np.diff(offsets))
    return (kinds[of.types], np.concatenate([[0], np.cumsum(counts)]),
            connectivity[offsets[0]:offsets[-1]][kept].astype("i8"))


def _range_of(array: Array) -> float:
    """The width of the range of the finite values of all components."""
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    return float(finite.max()) - float(finite.min()) if finite.size else 0.0


class Curves:
    """One mesh, and the plan of its parts. chord: the error of the shape. fields: the arrays that the criteria bound;
    alone: whether these are all."""

    def __init__(self, of: Any, chord: float, fields: list[mesh.Field], alone: bool,
                 execution: Execution, messages: set[str]) -> None:
        self.of, self.execution, self.messages = of, execution, messages
        self.fields: list[Array] = []
        self.tolerances: list[float] = []
        self.ranges: list[float] = []
        for field in fields:
            array = np.asarray(field.values)
            self._add(array, field.tolerance * (_range_of(array) if field.relative else 1.0))
        self.bounded = len(self.fields)
        for array in [] if alone else all_arrays(of.data.GetPointData()):
            dtype = dtype_of(array) if is_numeric(array) else None
            if (dtype is not None and dtype.kind == "f" and array is not of.data.GetPointData().GetRationalWeights()
                    and array.GetNumberOfTuples() == len(of.points)
                    and not any(_same(values(array), one) for one in self.fields)):
                self._add(values(array), _FIELD_ERROR * _range_of(values(array)))
        self.options = new("tsr_cells_options")
        self.options.output, self.options.chord_relative, self.options.chord_error = core.TSR_CELLS_VOLUMES, 0, chord
        self.options.field_error, self.options.merge_points = 1.0, 1

    def _add(self, array: Array, tolerance: float) -> None:
        self.fields.append(array)
        self.ranges.append(_range_of(array))
        self.tolerances.append(max(tolerance, _LEAST_FIELD_ERROR * self.ranges[-1]))

    def make_plan(self, room: Room) -> None:
        """The shape takes what it needs, and fields what is reasonable beside it."""
        of, data = self.of, self.of.data
        weights, degrees = data.GetPointData().GetRationalWeights(), data.GetCellData().GetHigherOrderDegrees()
        self.view = cells.View(of.points, of.curved.types, of.curved.offsets, of.curved.connectivity,
                               weights=values(weights) if is_numeric(weights) else None,
                               degrees=values(degrees) if is_numeric(degrees) else None, roles=of.curved.roles,
                               single_points=of.points.dtype == np.float32)
        each = (3.0 * of.points.dtype.itemsize + tuple_bytes(data.GetPointData()) +
                _CELLS_OF_A_POINT * (57.0 + tuple_bytes(data.GetCellData())))
        most = room.items(each) or np.iinfo(np.int64).max
        try:
            self._plan(0, most)
            limit = min(most, max(_SMALL_MESH, _MOST_POINTS * len(of.points), 2 * self.plan.sizes.points))
            self._plan_fields(limit)
        except TooLarge as problem:
            raise TooLarge(f"the tetrahedra of the curved cells are too many: {problem}; take a larger Finest Cell, "
                           "or a larger Largest Output") from None

    def _plan(self, n: int, limit: int) -> None:
        self.options.limit_points = limit
        self.plan = cells.Plan(self.view, self.options, self.execution, self.fields[:n], self.tolerances[:n])

    def _plan_fields(self, limit: int) -> None:
        """Arrays that no criterion bounds give way first: the grid promises nothing of them."""
        n = len(self.fields)
        if n == 0 or self._fits(n, limit) or self._give_way(self.bounded, n, limit) is not None:
            return
        least = self._give_way(0, self.bounded, limit)
        if least is None:
            self._plan(0, limit)
        else:
            self.messages.add("Between the nodes of curved cells, the arrays of Interpolation Error may be off by "
                              f"{100.0 * min(least, 1.0):.3g} % of their range: following them more closely takes more "
                              f"than {limit} points.")

    def _fits(self, n: int, limit: int) -> bool:
        try:
            self._plan(n, limit)
        except TooLarge:
            return False
        return True

    def _give_way(self, first: int, last: int, limit: int) -> float | None:
        """Enlarges the tolerances of the fields from first on, before last, and drops these at last, until there are
        few enough points. Returns the least of them as a part of a range; None where that does not help."""
        both = zip(self.tolerances[first:last], self.ranges[first:last])
        least = min([t / r for t, r in both if r > 0.0], default=math.inf)
        while least <= 1.0:
            least *= _LARGER_TOLERANCE
            for i in range(first, last):
                self.tolerances[i] = max(self.tolerances[i], least * self.ranges[i])
            if self._fits(last if least <= 1.0 else first, limit):
                return least
        return None

    def why_not(self) -> str:
        """Why a cell cannot be divided, as the end of a sentence; empty if all can."""
        for kind, what in _REASONS:
            note = self.plan.sizes.notes[kind]
            if note.count > 0:
                return f"{note.count} cell{'' if note.count == 1 else 's'} {what} (the first is cell {note.first})"
        return ""

    def fill(self) -> tuple[OnlyArrays, Array, Array, Array, Array, Array]:
        """Arrays, points, types, offsets, ids and sources of the parts, which have one dimension."""
        sizes, solid = self.plan.sizes, self.plan.sizes.solids > 0
        n = sizes.solids if solid else sizes.polys
        data = OnlyArrays(sizes.points, n)
        attributes = self._add_point_arrays(data)
        kind = "solid" if solid else "poly"
        ids = np.empty(sizes.solid_connectivity if solid else sizes.poly_connectivity, np.int64)
        made = {"points": np.empty((sizes.points, 3), self.of.points.dtype), "source_cell": np.empty(n, np.int64),
                kind + "_offsets": np.zeros(n + 1, np.int64), kind + "_connectivity": ids}
        if solid:
            made["solid_types"] = np.empty(n, np.uint8)
        self.plan.fill_into(made, attributes)
        source, offsets = made["source_cell"], made[kind + "_offsets"]
        if not solid:
            count, from_ = np.diff(offsets), self.of.curved.types[source]
            quad = (count == 4) & ((from_ == vtk.VTK_QUAD) | (from_ == vtk.VTK_PIXEL))
            made["solid_types"] = np.where(count == 3, vtk.VTK_TRIANGLE,
                                           np.where(quad, vtk.VTK_QUAD, vtk.VTK_POLYGON)).astype(np.uint8)
        for array in all_arrays(self.of.data.GetCellData()):
            if has_tuples(array, len(self.of.curved.types), "cell", self.messages):
                copy = new_like(array, n)
                copy_tuples(array, source, copy)
                data.GetCellData().AddArray(copy)
        copy_roles(self.of.data.GetCellData(), data.GetCellData(), _OF_ITEMS)
        data.GetFieldData().PassData(self.of.data.GetFieldData())
        return data, made["points"], made["solid_types"], offsets, ids, source

    def _add_point_arrays(self, data: OnlyArrays) -> list[tuple[Array, Array]]:
        own = self.of.data.GetPointData()
        attributes: list[tuple[Array, Array]] = []
        alone = (own.GetRationalWeights(), own.GetGlobalIds(), own.GetPedigreeIds())
        for array in all_arrays(own):
            if name_of(array) == GHOSTS or any(array is one for one in alone) or not has_tuples(
                    array, len(self.of.points), "point", self.messages):
                continue
            if not is_numeric(array):
                self.messages.add(not_numeric(array))
                continue
            made = new_like(array, data.GetNumberOfPoints())
            attributes.append((values(array), values(made)))
            data.GetPointData().AddArray(made)
        copy_roles(own, data.GetPointData(), (*_OF_ITEMS, vtkDataSetAttributes.PEDIGREEIDS))
        return attributes


def _same(a: Array, b: Array) -> bool:
    """Are they the values of one array?"""
    return a.ctypes.data == b.ctypes.data and a.shape == b.shape and a.dtype == b.dtype


def divide_curved(of: Any, curves: Curves, room: Room) -> bool:
    """Replaces the cells of a mesh by the parts. Where a cell cannot be divided, those of the corners stay, with a
    warning. Says whether they are replaced. Raises a TesseraError."""
    curves.make_plan(room)
    why, sizes = curves.why_not(), curves.plan.sizes
    if why:
        curves.messages.add("Cells of quadratic and higher order are taken as the linear cells of their corners, since "
                            f"the mesh has {why}.")
    if why or sizes.solids + sizes.polys == 0:
        of.curved = None
        return False
    bad = sizes.notes[core.TSR_CELLS_NOTE_PLACE]
    if bad.count > 0:
        curves.messages.add(text_of("tsr_cells_note_sentence", core.TSR_CELLS_NOTE_PLACE, bad))
    of.data, of.points, of.types, offsets, ids, of.sources = curves.fill()
    of.hidden = of.curved = None
    of.view = mesh.View(of.points, of.types, offsets, ids)
    return True
