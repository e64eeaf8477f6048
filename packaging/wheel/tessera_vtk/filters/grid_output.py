# SPDX-License-Identifier: BSD-3-Clause
"""What comes out of one dataset of Adaptive Grid: an unstructured grid whose arrays the core fills in
place."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkAbstractArray, vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_LINE, VTK_PIXEL, VTK_POLYGON,
                                           VTK_PYRAMID, VTK_QUAD, VTK_TETRA, VTK_TRIANGLE,
                                           VTK_VERTEX, VTK_VOXEL, vtkDataSetAttributes,
                                           vtkUnstructuredGrid)

from .. import grid
from ..arrays import Array
from .datasets import pass_field_data
from .grid_clip import clip_at_surface
from .grid_dataset import GridDataset, attributes_of, point_type
from .vtk_arrays import (GHOSTS, add_generated, all_arrays, copy_roles, copy_tuples, has_tuples,
                         is_numeric, name_of, new_array, new_cells, new_like, not_numeric, values)

_BOXES = (VTK_VERTEX, VTK_LINE, VTK_PIXEL, VTK_VOXEL)
_GENERAL = (VTK_VERTEX, VTK_LINE, VTK_QUAD, VTK_HEXAHEDRON)

# Made on request: property, array, member of the core's output, type.
_GENERATED = (("GenerateLevel", "Level", "level", "i4"),
              ("GenerateIndicator", "Indicator", "indicator", "f8"),
              ("GenerateSourceCell", "SourceCell", "source_cell", "id"))


class GridOutput:
    """Leaves as cells with shared points."""

    def __init__(self, dataset: GridDataset, messages: set[str]) -> None:
        self.dataset, self.messages = dataset, messages
        self.result = vtkUnstructuredGrid()
        self.sizes = dataset.plan.sizes
        self.outputs: dict[str, Array] = {}
        self.attributes: list[Any] = []
        self.names: list[tuple[str, bool]] = []  # of the attributes; True: cell data
        self.others: list[Any] = []  # copied whole, from each cell's first input cell
        self.generated: list[Any] = []
        self.errors: dict[tuple[str, bool], float] = {}  # by name; True: cell data
        self.geometric_error: float | None = None  # of a structured grid
        self.inside: Array | None = None  # of a mesh: 1 where the point lies in it

    def fill(self) -> vtkUnstructuredGrid:
        """Makes it all."""
        if self.sizes.dimension == 0:
            self.messages.add("An input of one point has no cell to refine; nothing comes of it.")
        settings = self.dataset.settings
        hexahedra = bool(settings["CellShape"]) or not self.dataset.view.is_axis_aligned()
        points = vtkPoints()
        points.SetDataType({"f4": 10, "f8": 11}[point_type(self.dataset)])
        points.SetNumberOfPoints(self.sizes.points)
        cells, offsets, connectivity = new_cells(self.sizes.cells + 1, self.sizes.connectivity)
        types = vtkUnsignedCharArray()
        types.SetNumberOfValues(self.sizes.cells)
        self.outputs |= {"points": values(points.GetData()), "offsets": offsets,
                         "connectivity": connectivity, "cell_type": values(types).reshape(-1)}
        clips = self.dataset.octree is not None and self.dataset.octree.surface is not None
        if clips:
            self.outputs["leaf"] = np.empty(self.sizes.cells, np.int64)
        self._add_arrays()
        self._add_generated()
        whole = (VTK_POLYGON if self.dataset.options.output == grid.POLYGONS else
                 (_GENERAL if hexahedra else _BOXES)[self.sizes.dimension])
        measure = bool(settings["MeasureErrors"])
        bent = self.dataset.view.core.geometry == grid.POINTS and self.sizes.cells > 0
        if bent and measure:
            self.attributes.append((values(self.dataset.data.GetPoints().GetData()), False, None))
        errors = self.dataset.plan.fill_into(self.outputs,
                                             (whole, VTK_TRIANGLE, VTK_TETRA, VTK_PYRAMID), hexahedra,
                                             self.attributes, measure)
        if bent and measure:
            self.geometric_error = errors[-1]
        for name, error in zip(self.names, errors if measure else []):
            self.errors[name] = max(self.errors.get(name, 0.0), error)
        for from_, to in self.others:
            copy_tuples(from_, np.maximum(self.outputs["source_cell"].reshape(-1), 0), to)
        if self.dataset.octree and self.dataset.octree.source is not None and "source_cell" in self.outputs:
            cell = self.outputs["source_cell"]  # of the octree: of the mesh from here on
            cell[:] = np.where(cell < 0, cell, self.dataset.octree.source[np.maximum(cell, 0)])
        self.result.SetPoints(points)
        self.result.SetCells(types, cells)
        if self.inside is not None:
            array = new_array("Inside", "u1", 1, self.sizes.points)
            values(array)[:, 0] = self.inside == 1.0
            add_generated(self.result.GetPointData(), array, self.messages)
        for array in self.generated:
            add_generated(self.result.GetCellData(), array, self.messages)
        pass_field_data(self.dataset.data, self.result)
        if clips:
            self.result = clip_at_surface(self.dataset, self.result, self.outputs["leaf"])
        return self.result

    def _add_arrays(self) -> None:
        """Cell arrays first: the roles of point arrays replace those of cell arrays that are moved."""
        data, roles = self.dataset.data, vtkDataSetAttributes
        for cells in (True, False):
            from_ = attributes_of(data, cells)
            count = data.GetNumberOfCells() if cells else data.GetNumberOfPoints()
            for array in all_arrays(from_):
                if name_of(array) != GHOSTS and has_tuples(array, count,
                                                           "cell" if cells else "point",
                                                           self.messages):
                    self._add_array(array, cells)
            # A global id belongs to one point or cell of the input.
            copy_roles(from_, attributes_of(self.result, cells), (roles.GLOBALIDS, roles.PEDIGREEIDS))
            if cells and self.dataset.options.move_cells:
                copy_roles(from_, self.result.GetPointData(), (roles.GLOBALIDS, roles.PEDIGREEIDS))
        if self.dataset.octree and self.dataset.octree.inside is not None:
            self.inside = np.empty(self.sizes.points, np.float32)
            self.attributes.append((self.dataset.octree.inside, False, self.inside))

    def _add_array(self, array: vtkAbstractArray, cells: bool) -> None:
        numeric = is_numeric(array)
        if not numeric and not cells:
            self.messages.add(not_numeric(array))
            return
        moves = bool(cells and numeric and self.dataset.options.move_cells)
        of_cells = cells and not moves
        made = new_like(array, self.sizes.cells if of_cells else self.sizes.points)
        if moves and array.GetName():
            made.SetName(self._free_name(name_of(array)))
        attributes_of(self.result, of_cells).AddArray(made)
        if numeric:
            self.attributes.append((values(array), grid.MOVED if moves else cells, values(made),
                                    self.dataset.samples(array, cells)))
            self.names.append((name_of(made), cells))
        else:
            self.others.append((array, made))

    def _free_name(self, name: str) -> str:
        """That of a cell array among the point arrays."""
        own, others = self.dataset.data.GetCellData(), self.dataset.data.GetPointData()
        taken = bool(others.HasArray(name))
        while taken:
            name += "_cells"
            taken = bool(others.HasArray(name) or own.HasArray(name))
        return name

    def _add_generated(self) -> None:
        for name, array_name, member, dtype in _GENERATED:
            if self.dataset.settings[name]:
                array = new_array(array_name, dtype, 1, self.sizes.cells)
                self.outputs[member] = values(array)
                self.generated.append(array)
        if self.others and "source_cell" not in self.outputs:
            self.outputs["source_cell"] = np.empty(self.sizes.cells, np.int64)
