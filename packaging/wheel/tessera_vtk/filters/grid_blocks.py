# SPDX-License-Identifier: BSD-3-Clause
"""The cells of AMR as cells of several sizes: those of each block that lie under no finer ones."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkUniformGridAMR

from .. import amr
from ..arrays import Array
from ..errors import BadInput
from ..execution import Execution
from ..octree import OctreeView
from .grid_octree import GridOctree, OnlyArrays, flags_of
from .vtk_arrays import GHOSTS, all_arrays, copy_tuples, name_of, new_like


class Part(NamedTuple):
    """A dataset whose arrays are used. kept: numbers of the cells that stay."""

    data: Any
    kept: Array


def _blocks(data: vtkUniformGridAMR, messages: set[str]) -> tuple[list[Any], list[amr.Block]]:
    """The images that have points."""
    images, found = [], []
    at: Any = data.NewIterator()
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        image = at.GetCurrentDataObject()
        level, number = at.GetCurrentLevel(), at.GetCurrentIndex()
        at.GoToNextItem()
        name = f"block {number} of level {level}"
        if not isinstance(image, vtkImageData) or not image.GetDirectionMatrix().IsIdentity():
            raise BadInput(f"{name} is no image along the axes")
        if image.GetNumberOfPoints() == 0:
            continue
        extent, spacing = image.GetExtent(), image.GetSpacing()
        corner = [image.GetOrigin()[k] + extent[2 * k] * spacing[k] for k in range(3)]
        cells = [extent[2 * k + 1] - extent[2 * k] for k in range(3)]
        ghosts = [flags_of(image, one, messages, f" The block is {name}.") for one in (True, False)]
        images.append(image)
        found.append(amr.Block(level, number, corner, spacing, cells, *ghosts))
    return images, found


def octree_of_blocks(data: vtkUniformGridAMR, execution: Execution, messages: set[str]) -> GridOctree | None:
    """The cells; None where there are none. Raises BadInput where the blocks do not fit together."""
    images, found = _blocks(data, messages)
    blocks = amr.Blocks(found, execution)
    sizes = blocks.sizes
    if sizes.n == 0:
        return None
    flags = [blocks.dropped(k) for k in range(len(found))]
    parts = [Part(image, np.flatnonzero(one != 1)) for image, one in zip(images, flags) if one is not None]
    arrays, n_points = join_arrays(parts, messages)
    arrays.GetFieldData().PassData(data.GetFieldData())
    view = OctreeView(sizes.cells, blocks.level, blocks.index, blocks.corners if n_points else None, n_points,
                      blocks.hidden)
    return GridOctree(view.boxes(sizes.origin, sizes.spacing), arrays, False)


def join_arrays(parts: Sequence[Part], messages: set[str]) -> tuple[OnlyArrays, int]:
    """The arrays that all blocks have, one block behind the other, and how many points have tuples."""
    has = any(name_of(one) != GHOSTS for part in parts for one in all_arrays(part.data.GetPointData()))
    n_points = sum(one.data.GetNumberOfPoints() for one in parts) if has else 0
    made = OnlyArrays(n_points, sum(len(one.kept) for one in parts))
    for cells in (False, True):
        kept = [one.kept if cells else np.arange(one.data.GetNumberOfPoints()) for one in parts]
        sources = [one.data.GetCellData() if cells else one.data.GetPointData() for one in parts]
        to = made.GetCellData() if cells else made.GetPointData()
        for array in all_arrays(sources[0]):
            others = [one.GetAbstractArray(array.GetName()) if array.GetName() else None for one in sources]
            if name_of(array) == GHOSTS or not all(_alike(array, other, part, cells) for other, part in
                                                   zip(others, parts)) or to.HasArray(name_of(array)):
                continue
            joined, first = new_like(array, sum(map(len, kept))), 0
            for other, tuples in zip(others, kept):
                copy_tuples(other, tuples, joined, first)
                first += len(tuples)
            to.AddArray(joined)
            for role in range(to.NUM_ATTRIBUTES):
                if sources[0].GetAbstractAttribute(role) is array:
                    to.SetActiveAttribute(array.GetName(), role)
        _tell_of_others(sources, to, cells, messages)
    return made, n_points


def _alike(array: Any, other: Any, part: Part, cells: bool) -> bool:
    return bool(other is not None and other.GetDataType() == array.GetDataType() and
                other.GetNumberOfComponents() == array.GetNumberOfComponents() and
                other.GetNumberOfTuples() == part.data.GetNumberOfElements(1 if cells else 0))


def _tell_of_others(sources: Sequence[Any], to: Any, cells: bool, messages: set[str]) -> None:
    """Warns of arrays that are not on every block."""
    for name in {name_of(one) for data in sources for one in all_arrays(data)} - {GHOSTS}:
        if not name:
            messages.add("An array without a name is left out, since it may lie in several blocks.")
        elif not to.HasArray(name):
            messages.add(f"The {'cell' if cells else 'point'} array '{name}' is not the same on every block and is "
                         "left out.")
