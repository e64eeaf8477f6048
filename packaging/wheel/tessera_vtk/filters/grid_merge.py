# SPDX-License-Identifier: BSD-3-Clause
"""The datasets of a composite as one mesh."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonDataModel import (VTK_POLYHEDRON, vtkDataObject, vtkDataSet, vtkDataSetAttributes,
                                           vtkImageData, vtkPointSet, vtkRectilinearGrid, vtkStructuredGrid,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkCommonExecutionModel import vtkAlgorithm
from vtkmodules.vtkFiltersCore import vtkAppendFilter

from ..arrays import Array
from .datasets import block_text, datasets, pass_field_data
from .grid_blocks import Part, join_arrays
from .grid_mesh import faces_of
from .grid_octree import flags_of
from .job import counted
from .vtk_arrays import GHOSTS, cell_types, ids, new_array, new_like, values

_FLOAT = 10
_TAKEN = vtkUnstructuredGrid, vtkImageData, vtkRectilinearGrid, vtkStructuredGrid


def merge_datasets(data: vtkDataObject, messages: set[str]) -> vtkUnstructuredGrid:
    """One unstructured grid of all datasets, in their order, with the arrays that all have, and their ghost arrays.
    Other kinds, grids with unusable ids, and arrays that are not on every dataset are left out, with a sentence. Points
    are not merged: for the core, two faces are the same if their points have equal coordinates."""
    parts: list[Part] = []
    places: list[str] = []
    others: list[str] = []
    for one in datasets(data):
        where = block_text(data, one.block)
        if not isinstance(one.data, _TAKEN):
            others.append(where)
        elif one.data.GetNumberOfCells() > 0:
            why = _why_unusable(one.data) if isinstance(one.data, vtkUnstructuredGrid) else ""
            if why:
                messages.add(f"The unstructured grid {where} is left out: {why}.")
                continue
            parts.append(Part(one.data, np.arange(one.data.GetNumberOfCells())))
            places.append(f" The dataset is {where}.")
    if others:
        messages.add(counted(len(others), "dataset is of a kind that Merge Blocks does not take and is left out",
                             "datasets are of kinds that Merge Blocks does not take and are left out") +
                     f"; the first is {others[0]}.")
    _add_weights(parts)
    made = vtkUnstructuredGrid()
    if parts:
        made.ShallowCopy(_bare([one.data for one in parts]))
        _add_arrays(made, parts, places, messages)
    pass_field_data(data, made)
    return made


def _add_weights(parts: list[Part]) -> None:
    """Where only some datasets have rational weights, gives the others weights of 1, as their cells have."""
    like = next((w for w in (one.data.GetPointData().GetRationalWeights() for one in parts) if w), None)
    for k, part in enumerate(parts):
        if like and like.GetName() and not part.data.GetPointData().HasArray(like.GetName()):
            copy: Any = part.data.NewInstance()
            copy.ShallowCopy(part.data)
            ones = new_like(like, copy.GetNumberOfPoints())
            values(ones)[:] = 1
            copy.GetPointData().AddArray(ones)
            copy.GetPointData().SetActiveAttribute(like.GetName(), vtkDataSetAttributes.RATIONALWEIGHTS)
            parts[k] = Part(copy, part.kept)


def _why_unusable(data: vtkUnstructuredGrid) -> str:
    """Why the ids cannot be put behind those of others, among which wrong ids would pass for right ones."""
    if not data.GetCells().IsValid():
        return "the offsets of its cells do not fit their ids"
    n_points = data.GetNumberOfPoints()
    offsets, connectivity = ids(data.GetCells())
    used = connectivity[:offsets[-1]]
    lost = np.flatnonzero((used < 0) | (used >= n_points))
    far = int(np.searchsorted(offsets, lost[0], "right")) - 1 if len(lost) else len(offsets)
    types = cell_types(data)
    faceless = _faceless(data, types, n_points) if (types == VTK_POLYHEDRON).any() else len(offsets)
    if far <= faceless and far < len(offsets):
        return f"cell {far} of the mesh has a point that the mesh does not have"
    if faceless < len(offsets):
        return (f"cell {faceless} of the mesh is a polyhedron whose faces are missing, or have points that the mesh "
                "does not have")
    return ""


def _faceless(data: vtkUnstructuredGrid, types: Array, n_points: int) -> int:
    """The first polyhedron with unusable faces; beyond all cells where there is none."""
    faces = faces_of(data, types)
    cells, offsets, every = (np.asarray(one) for one in faces)
    bad = (every < 0) | (every >= n_points)
    before = np.concatenate([[0], np.cumsum(bad)])
    wrong = before[offsets[cells[1:]]] > before[offsets[cells[:-1]]]
    found = np.flatnonzero((types == VTK_POLYHEDRON) & (wrong | (np.diff(cells) == 0)))
    return int(found[0]) if len(found) else len(types) + 1


def _bare(several: list[vtkDataSet]) -> vtkUnstructuredGrid:
    """Points and cells of all, without arrays."""
    append: Any = vtkAppendFilter()
    single = all(isinstance(one, vtkPointSet) and one.GetPoints().GetDataType() == _FLOAT for one in several)
    append.SetOutputPointsPrecision(vtkAlgorithm.SINGLE_PRECISION if single else vtkAlgorithm.DOUBLE_PRECISION)
    for one in several:
        structure: Any = one.NewInstance()
        structure.CopyStructure(one)
        append.AddInputData(structure)
    append.Update()
    made: vtkUnstructuredGrid = append.GetOutput()
    return made


def _add_arrays(made: vtkUnstructuredGrid, parts: list[Part], places: list[str], messages: set[str]) -> None:
    arrays, _ = join_arrays(parts, messages)
    made.GetPointData().ShallowCopy(arrays.GetPointData())
    made.GetCellData().ShallowCopy(arrays.GetCellData())
    for cells in (False, True):
        flags = [flags_of(one.data, cells, messages, where) for one, where in zip(parts, places)]
        if all(one is None for one in flags):
            continue
        counts = [one.data.GetNumberOfElements(1 if cells else 0) for one in parts]
        ghosts = new_array(GHOSTS, "u1", 1, sum(counts))
        values(ghosts)[:, 0] = np.concatenate(
            [np.zeros(count, np.uint8) if own is None else own for own, count in zip(flags, counts)])
        (made.GetCellData() if cells else made.GetPointData()).AddArray(ghosts)
