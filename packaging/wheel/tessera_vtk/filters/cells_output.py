# SPDX-License-Identifier: BSD-3-Clause
"""What comes out of one dataset of Adaptive Cells: VTK arrays that the core fills in place."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkPolyData

from ..arrays import Array
from .cells_dataset import CellsDataset
from .datasets import pass_field_data
from .vtk_arrays import (GHOSTS, add_generated, all_arrays, copy_roles, copy_tuples, has_tuples, is_numeric, name_of,
                         new_array, new_cells, new_like, values)

_OF_ITEMS = (vtkDataSetAttributes.GLOBALIDS, vtkDataSetAttributes.RATIONALWEIGHTS,
             vtkDataSetAttributes.HIGHERORDERDEGREES)


class CellsOutput:
    """Vertices, lines and triangles with their arrays."""

    def __init__(self, dataset: CellsDataset, messages: set[str]) -> None:
        self.dataset, self.messages = dataset, messages
        self.result = vtkPolyData()
        self.sizes = dataset.plan.sizes
        self.n_cells = self.sizes.verts + self.sizes.lines + self.sizes.polys
        self.outputs: dict[str, Array] = {}
        self.attributes: list[tuple[Array, Array]] = []

    def fill(self) -> vtkPolyData:
        """Makes it all."""
        points = vtkPoints()
        points.SetDataType(10 if self.dataset.is_single else 11)
        points.SetNumberOfPoints(self.sizes.points)
        self.outputs["points"] = values(points.GetData())
        self.result.SetPoints(points)
        for name, put in (("vert", self.result.SetVerts), ("line", self.result.SetLines),
                          ("poly", self.result.SetPolys)):
            made, offsets, connectivity = new_cells(getattr(self.sizes, name + "s") + 1,
                                                    getattr(self.sizes, name + "_connectivity"))
            self.outputs |= {name + "_offsets": offsets, name + "_connectivity": connectivity}
            put(made)
        self.outputs["source_cell"] = np.empty(self.n_cells, np.int64)
        self._add_point_arrays()
        generated = self._generated()
        self.dataset.plan.fill_into(self.outputs, self.attributes)
        self._add_cell_arrays()
        if "Normals" in generated:
            add_generated(self.result.GetPointData(), generated["Normals"], self.messages)
            self.result.GetPointData().SetNormals(generated["Normals"])
        if "AchievedError" in generated:
            add_generated(self.result.GetCellData(), generated["AchievedError"], self.messages)
        pass_field_data(self.dataset.data, self.result)
        return self.result

    def _add_point_arrays(self) -> None:
        data = self.dataset.data.GetPointData()
        alone = (data.GetRationalWeights(), data.GetGlobalIds(), data.GetPedigreeIds())
        for array in all_arrays(data):
            # What belongs to single points of the input has no meaning between them.
            if name_of(array) == GHOSTS or any(array is one for one in alone) or not has_tuples(
                    array, self.dataset.data.GetNumberOfPoints(), "point", self.messages):
                continue
            if not is_numeric(array):
                self.messages.add(f"The point array '{name_of(array)}' has no numbers to interpolate, and is left "
                                  "out.")
                continue
            made = new_like(array, self.sizes.points)
            self.attributes.append((values(array), values(made)))
            self.result.GetPointData().AddArray(made)
        copy_roles(data, self.result.GetPointData(), (*_OF_ITEMS, vtkDataSetAttributes.PEDIGREEIDS))

    def _generated(self) -> dict[str, Any]:
        """The arrays that the core makes beside those of the input, by name."""
        made = {}
        for name, dtype, components, n, member in (("Normals", "f4", 3, self.sizes.points, "normals"),
                                                   ("AchievedError", "f8", 1, self.n_cells, "achieved")):
            if self.dataset.settings["Generate" + name]:
                made[name] = new_array(name, dtype, components, n)
                self.outputs[member] = values(made[name])
        return made

    def _add_cell_arrays(self) -> None:
        data, source = self.dataset.data.GetCellData(), self.outputs["source_cell"]
        for array in all_arrays(data):
            if has_tuples(array, self.dataset.data.GetNumberOfCells(), "cell", self.messages):
                made = new_like(array, self.n_cells)
                copy_tuples(array, source, made)
                self.result.GetCellData().AddArray(made)
        copy_roles(data, self.result.GetCellData(), _OF_ITEMS)
        if self.dataset.settings["GenerateSourceCell"]:
            array = new_array("SourceCell", "id", 1, self.n_cells)
            values(array)[:, 0] = source
            add_generated(self.result.GetCellData(), array, self.messages)
