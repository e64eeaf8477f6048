# SPDX-License-Identifier: BSD-3-Clause
"""Unstructured meshes, and the octrees with their arrays that the core makes of them."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterator, Sequence

import numpy as np
from vtkmodules import vtkCommonDataModel as vtk
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

from .. import _core as core
from .. import mesh
from ..arrays import Array
from ..errors import BadInput, BadOption, TooLarge
from ..execution import Execution
from ..memory import Room
from ..octree import OctreeView
from .grid_curved import LINEAR, Curves, corners_of, curved_cells, divide_curved
from .grid_octree import GridOctree, OnlyArrays, ghosts_of, places_of
from .vtk_arrays import (GHOSTS, all_arrays, cell_types, copy_roles, copy_tuples, has_tuples, ids, is_numeric,
                         name_of, new_like, not_numeric, values)


NOTHING_WHOLLY_INSIDE = ("No cell lies wholly inside the mesh: the output has none. Take a smaller Finest Cell, or "
                         "Touching Cells as the Boundary.")


@dataclass
class Wishes:
    """How the octrees of meshes are to be made. finest: side of the finest cells; 0: the mesh's median edge.
    boundary: a tsr_grid_boundary. source_cell: whether the mesh cell of each cell is asked for.
    bounds: what the domain holds; None: the mesh. fields: the arrays of a mesh that divide its octree."""

    finest: float
    boundary: int
    inside: bool
    source_cell: bool
    fields: Callable[[GridMesh], list[mesh.Field]]
    bounds: Sequence[float] | None = None


class GridMesh:
    """A mesh as the core takes it. why: what keeps the grid from being an octree."""

    def __init__(self, data: vtkUnstructuredGrid, why: str, execution: Execution, messages: set[str]) -> None:
        self.data, self.why = data, why
        self.types = cell_types(data)
        if ((self.types == vtk.VTK_VOXEL) | (self.types == vtk.VTK_PIXEL)).all():
            messages.add(f"The unstructured grid is taken as a mesh, not as an octree: {why}.")
        offsets, connectivity = ids(data.GetCells())
        self.points = places_of(data)
        shown = mesh.View(self.points, self.types, offsets, connectivity)
        self.hidden, copies = ghosts_of(data, shown, execution, messages)
        self.copies = 0 if copies is None else int(np.count_nonzero(copies))
        self.hidden = self.hidden if copies is None else self.hidden | copies
        # In place of the cells as they are, which `curved` keeps, the view shows those of the corners.
        self.curved = (curved_cells(self.types, offsets, connectivity, self.hidden)
                       if np.isin(self.types, list(LINEAR)).any() else None)
        self.input_cells, self.sources = len(self.types), None
        faces = faces_of(data, self.types) if (self.types == vtk.VTK_POLYHEDRON).any() else None
        if self.curved is not None:
            self.types, offsets, connectivity = corners_of(self.curved)
        self.view = mesh.View(self.points, self.types, offsets, connectivity, faces, self.hidden)


def faces_of(data: vtkUnstructuredGrid, types: Array) -> mesh.Faces:
    """Of all polyhedra. One whose faces are unusable has none: the core says so."""
    cells, offsets = np.zeros(len(types) + 1, np.int64), [0]
    every: list[Array] = []
    read = _faces_since_94(data) if hasattr(data, "GetPolyhedronFaces") else _faces_before_94(data)
    for cell in np.flatnonzero(types == vtk.VTK_POLYHEDRON):
        for face in read(int(cell)):
            every.append(face)
            offsets.append(offsets[-1] + len(face))
            cells[cell + 1] += 1
    return mesh.Faces(np.cumsum(cells), np.array(offsets, np.int64),
                      np.concatenate([np.empty(0, np.int64), *every]).astype(np.int64))


def _faces_since_94(data: Any) -> Callable[[int], Iterator[Array]]:
    faces, of = data.GetPolyhedronFaces(), data.GetPolyhedronFaceLocations()
    if not faces or not of:
        return lambda cell: iter(())
    (ends, points), (starts, numbers) = ids(faces), ids(of)

    def read(cell: int) -> Iterator[Array]:
        for number in numbers[starts[cell]:starts[cell + 1]] if cell < len(starts) - 1 else ():
            if not 0 <= number < len(ends) - 1:
                return
            yield points[ends[number]:ends[number + 1]]

    return read


def _faces_before_94(data: Any) -> Callable[[int], Iterator[Array]]:
    faces, of = ((values(one).reshape(-1) if one else np.empty(0, np.int64)) for one in
                 (data.GetFaces(), data.GetFaceLocations()))

    def read(cell: int) -> Iterator[Array]:
        at = int(of[cell]) if cell < len(of) else -1
        if not 0 <= at < len(faces):
            return
        count, at = int(faces[at]), at + 1
        for _ in range(count):
            size, at = int(faces[at]) if at < len(faces) else -1, at + 1
            if not 0 <= size <= len(faces) - at:
                return
            yield faces[at:at + size]
            at += size

    return read


def _plan(of: GridMesh, wishes: Wishes, fields: list[mesh.Field], execution: Execution) -> mesh.Plan:
    return mesh.Plan(of.view, wishes.finest, fields, wishes.bounds, wishes.boundary == core.TSR_GRID_WHOLLY_INSIDE,
                     execution=execution, extrapolate=wishes.boundary == core.TSR_GRID_CLIPPED)


def share_domain(meshes: Sequence[GridMesh], wishes: Wishes, execution: Execution) -> None:
    """Gives all meshes one lattice: finest cells of the median of their own sizes, weighted by cells, and a
    domain that holds those of all."""
    sizes: list[tuple[float, int]] = []
    bounds = [-math.inf] * 6  # lower ones negated
    for one in meshes:
        try:
            plan = _plan(one, wishes, [], execution)
        except (BadInput, BadOption, TooLarge):  # told when its octree is made
            continue
        found = plan.sizes
        # A cell of a higher degree resolves more than its edges say.
        degree = one.curved.degree if wishes.finest <= 0.0 and one.curved else 1
        size = math.ldexp(found.spacing, -plan.levels) / degree
        if size > 0.0:
            sizes.append((size, len(one.types)))
        for axis in range(3):
            bounds[2 * axis] = max(bounds[2 * axis], -found.origin[axis])
            upper = found.origin[axis] + found.cells[axis] * found.spacing
            bounds[2 * axis + 1] = max(bounds[2 * axis + 1], upper)
    below, half = 0, 0.5 * sum(cells for _, cells in sizes)
    for size, cells in sorted(sizes):
        if below < half:
            wishes.finest = size
        below += cells
    wishes.bounds = [one if side % 2 else -one for side, one in enumerate(bounds)]


def divide_meshes(meshes: Sequence[GridMesh], wishes: Wishes, all_steps: bool, room: Room, execution: Execution,
                  messages: set[str]) -> Iterator[tuple[GridMesh, BadInput]]:
    """Replaces curved cells of the meshes by tetrahedra and triangles, and sets the cell size if there are some. Gives
    the meshes for which this fails."""
    own = replace(wishes, finest=0.0)
    if not any(one.curved for one in meshes):
        return
    share_domain(meshes, own, execution)
    if own.finest <= 0.0:
        return  # no mesh can be used: it is told when the octrees are made
    finest, divided = wishes.finest if wishes.finest > 0.0 else own.finest, False
    for one in meshes:
        if one.curved:
            fields = [distances(one)._replace(tolerance=(0.5 * finest) ** 2)] if all_steps else wishes.fields(one)
            curves = Curves(one, 0.25 * min(finest, own.finest), fields, all_steps, execution, messages)
            try:
                divided = divide_curved(one, curves, room) or divided
            except BadInput as problem:
                yield one, problem
    wishes.finest = finest if divided else wishes.finest


def octree_of_mesh(of: GridMesh, wishes: Wishes, execution: Execution, messages: set[str]) -> GridOctree | None:
    """The octree with the mesh's arrays; None where it has no cell, with a sentence. Raises a TesseraError."""
    plan = _plan(of, wishes, wishes.fields(of), execution)
    notes = plan.notes() if of.sources is None else []  # parts of curved cells may be flat, or turned inside out
    messages.update(notes)
    if plan.sizes.n == 0:
        _tell_of_nothing(of, plan.sizes.dimension, bool(notes), messages)
        return None
    sizes, n_points = plan.sizes, of.data.GetNumberOfPoints()
    data, samples = OnlyArrays(sizes.points, sizes.n), OnlyArrays(n_points, len(of.types))
    data.GetFieldData().PassData(of.data.GetFieldData())
    attributes, others = _arrays(of, data, samples, messages)
    names = ["level", "index", "outside"]
    names += ["source"] * (wishes.source_cell or bool(others)) + ["inside"] * wishes.inside
    names += ["point_places"] * bool(all_arrays(samples.GetPointData()))
    names += ["cell_places"] * bool(all_arrays(samples.GetCellData()))
    made = plan.new_outputs(names)
    plan.fill_into(made, attributes)
    for from_, to in others:
        copy_tuples(from_, made["source"], to)
    if of.sources is not None and "source" in made:
        made["source"] = of.sources[made["source"]]
    view = OctreeView(sizes.cells, made["level"], made["index"], points=sizes.points, outside=made["outside"],
                      point_places=made.get("point_places"), cell_places=made.get("cell_places"))
    view.boxes(sizes.origin, [sizes.spacing] * 3)
    inside = made["inside"].astype(np.float32) if wishes.inside else None
    surface = of.view, wishes.finest, wishes.bounds, of.sources
    return GridOctree(view, data, of.points.dtype == np.float32, of.input_cells - of.copies, inside, made.get("source"),
                      samples, surface if wishes.boundary == core.TSR_GRID_CLIPPED else None)


def _arrays(of: GridMesh, data: OnlyArrays, samples: OnlyArrays,
            messages: set[str]) -> tuple[list[tuple[Array, bool, Array]], list[tuple[Any, Any]]]:
    """Adds the arrays to the octree's. Returns those that the core fills, and those that VTK copies."""
    attributes: list[tuple[Array, bool, Array]] = []
    others: list[tuple[Any, Any]] = []
    for cells in (False, True):
        from_, to, own = ((one.GetCellData() if cells else one.GetPointData()) for one in (of.data, data, samples))
        count = len(of.types) if cells else of.data.GetNumberOfPoints()
        for array in all_arrays(from_):
            if name_of(array) == GHOSTS or not has_tuples(array, count, "cell" if cells else "point", messages):
                continue
            if not is_numeric(array) and not cells:
                messages.add(not_numeric(array))
                continue
            made = new_like(array, data.GetNumberOfCells() if cells else data.GetNumberOfPoints())
            to.AddArray(made)
            own.AddArray(array)
            if is_numeric(array):
                attributes.append((values(array), cells, values(made)))
            else:
                others.append((array, made))
        copy_roles(from_, to)
    return attributes, others


def _tell_of_nothing(of: GridMesh, dimension: int, noted: bool, messages: set[str]) -> None:
    """Says why there is no cell, unless a note about ignored cells has done so."""
    if dimension > 0:
        messages.add(NOTHING_WHOLLY_INSIDE)
    elif of.hidden is not None and of.hidden.all():
        messages.add(f"All {len(of.types)} cells of the input are hidden: the output has none.")
    elif not noted:
        raise BadInput(of.why)


def distances(of: GridMesh) -> mesh.Field:
    """The square of the distance of each point from the first one: no cell of the octree with a point of the mesh
    interpolates it exactly."""
    points = of.points
    away = points.astype("f8") - points[:1].astype("f8")
    return mesh.Field(away[:, 0] ** 2 + away[:, 1] ** 2 + away[:, 2] ** 2, 0.0, False)


def one_component(array: Any, component: int, tolerance: float, relative: bool) -> mesh.Field:
    """A field of all components of an array, or of one (below 0: all)."""
    tuples = values(array)
    if component >= 0 and tuples.shape[1] > 1:
        tuples = tuples[:, component].astype("f8")
    return mesh.Field(tuples, tolerance, relative)


