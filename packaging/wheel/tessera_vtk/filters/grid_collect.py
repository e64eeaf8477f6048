# SPDX-License-Identifier: BSD-3-Clause
"""The grids that an input of Adaptive Grid consists of."""
from __future__ import annotations

from typing import Any, Sequence

from vtkmodules.vtkCommonDataModel import (vtkDataObject, vtkHyperTreeGrid, vtkImageData, vtkRectilinearGrid,
                                           vtkStructuredGrid, vtkUniformGridAMR, vtkUnstructuredGrid)

from .. import grid, mesh
from .. import _core as core
from ..errors import BadInput
from ..execution import Execution
from ..memory import Room
from .datasets import Dataset, Notes, block_text
from .grid_blocks import octree_of_blocks
from .grid_boxes import octree_of_cells
from .grid_dataset import GridDataset, find_array, searches, view_of
from .grid_mesh import GridMesh, Wishes, distances, divide_meshes, octree_of_mesh, one_component, share_domain
from .grid_octree import GridOctree
from .grid_trees import octree_of_trees

DATASET, UNFIT, NO_ARRAY = range(core.TSR_GRID_NOTES, core.TSR_GRID_NOTES + 3)


class Collector:
    """Makes a GridDataset of each dataset, or None where nothing comes of it. The meshes of an input share one
    lattice. options: as the choices have changed them."""

    def __init__(self, data: vtkDataObject, composite: bool, settings: dict[str, Any], options: Any, choices: Any,
                 criteria: list[Any], execution: Execution, messages: set[str], notes: Notes) -> None:
        self.data, self.composite, self.settings, self.execution = data, composite, settings, execution
        self.options, self.choices, self.criteria = options, choices, criteria
        self.messages, self.notes = messages, notes
        self._meshes: dict[int, GridMesh] = {}
        self._unfit = 0
        self._wishes = Wishes(settings["FinestCell"], choices.boundary, bool(choices.inside),
                              bool(settings["GenerateSourceCell"]), self._fields)

    def collect(self, dataset: Dataset) -> GridDataset | None:
        """What comes of a dataset; None for a mesh, which waits for the others."""
        data = dataset.data
        if isinstance(data, vtkUnstructuredGrid):
            if data.GetNumberOfCells() == 0:
                return None
            try:
                return self._of_octree(octree_of_cells(data, self.execution, self.messages), dataset.block)
            except BadInput as problem:  # here alone is decided what is an octree, and what a mesh
                self._meshes[dataset.block] = GridMesh(data, str(problem), self.execution, self.messages)
                return None
        if isinstance(data, vtkHyperTreeGrid):
            return self._of_octree(octree_of_trees(data, self.messages) if data.GetNumberOfElements(1) else None,
                                   dataset.block)
        if isinstance(data, vtkUniformGridAMR):
            return self._of_octree(octree_of_blocks(data, self.execution, self.messages), dataset.block)
        if not isinstance(data, (vtkImageData, vtkRectilinearGrid, vtkStructuredGrid)):
            self.notes.add(DATASET, 1, 0, dataset.block)
            return None
        view = view_of(data)
        assert view is not None
        extent = view.core.extent
        if any(extent[2 * axis + 1] < extent[2 * axis] for axis in range(3)):
            return None
        made = GridDataset(data, view, dataset.block, self.settings, self.options, self.criteria)
        self.messages.update(made.ghost_problems)
        return made

    def _of_octree(self, octree: GridOctree | None, block: int) -> GridDataset | None:
        if octree is None or octree.view.whole_cells() == 0:
            return None
        return GridDataset(octree.data, octree.view, block, self.settings, self.options, self.criteria, octree)

    def meshes(self, datasets: Sequence[Dataset]) -> list[tuple[GridMesh, int] | None]:
        """The meshes that wait, and their blocks."""
        blocks = {id(one): block for block, one in self._meshes.items()}
        for one, problem in divide_meshes(list(self._meshes.values()), self._wishes, bool(self.choices.all_steps),
                                          Room(self.settings["LargestOutput"]), self.execution, self.messages):
            if not self.composite:
                raise problem
            self._leave_out(blocks[id(one)], problem)
            del self._meshes[blocks[id(one)]]
        if len(self._meshes) > 1:
            share_domain(list(self._meshes.values()), self._wishes, self.execution)
        return [(self._meshes[one.block], one.block) if one.block in self._meshes else None for one in datasets]

    def of_mesh(self, waiting: tuple[GridMesh, int]) -> GridDataset | None:
        """What comes of one."""
        try:
            octree = octree_of_mesh(waiting[0], self._wishes, self.execution, self.messages)
        except BadInput as problem:
            if not self.composite:
                raise
            self._leave_out(waiting[1], problem)
            return None
        return self._of_octree(octree, waiting[1])

    def _leave_out(self, block: int, problem: BadInput) -> None:
        """Tells why of the first; of others only that there are some."""
        if self._unfit > 0:
            self.notes.add(UNFIT, 1, 0, block)
        else:
            self.messages.add(f"The unstructured grid {block_text(self.data, block)} is left out: {problem}.")
        self._unfit += 1

    def _fields(self, of: GridMesh) -> list[mesh.Field]:
        """The arrays whose interpolation error divides the octree."""
        error = self.choices.thresholds[grid.INTERPOLATION_ERROR]
        found: list[mesh.Field] = []
        if self.options.mode != 0 or not error.use:
            return found
        if self.choices.all_steps:  # the nodes must be those of all time steps, so they do not follow the values of one
            return [distances(of)]
        for search in searches(self.settings, self.criteria):
            array, of_cells = (None, False) if search.velocity else find_array(of.data, search)
            component = self.settings["Component"]
            if (array is None or of_cells or array.GetNumberOfTuples() != len(of.points) or
                    component >= array.GetNumberOfComponents()):
                continue  # it is told later
            found.append(one_component(array, component, error.threshold, bool(self.choices.relative)))
        return found

    def choices_without_effect(self, grids: Sequence[GridDataset]) -> None:
        """Warns of choices that have no effect on the input."""
        for one in grids:
            if one.octree and self.options.refine_levels > 0:
                self.messages.add("Refine Levels counts as 0 for AMR, hyper tree grids and unstructured grids, "
                                  "whose cells are never divided.")
            if not one.octree and self.options.move_cells and one.has_cell_arrays():
                self.messages.add("Cell arrays of images, rectilinear grids and structured grids stay on cells, "
                                  "though Cell Arrays is Move To Points: put Cell Data to Point Data before this "
                                  "filter.")
