# SPDX-License-Identifier: BSD-3-Clause
"""What comes out of one dataset of Adaptive Cells: VTK arrays that the core fills in place."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_POLY_LINE, VTK_POLY_VERTEX, VTK_POLYGON, VTK_TRIANGLE,
                                           vtkDataSetAttributes, vtkPolyData, vtkUnstructuredGrid)

from ..arrays import Array
from .cells_dataset import CellsDataset
from .datasets import pass_field_data
from .vtk_arrays import (GHOSTS, add_generated, all_arrays, copy_roles, copy_tuples, has_tuples, is_numeric, name_of,
                         new_array, new_cells, new_like, values)

_OF_ITEMS = (vtkDataSetAttributes.GLOBALIDS, vtkDataSetAttributes.RATIONALWEIGHTS,
             vtkDataSetAttributes.HIGHERORDERDEGREES)


_KINDS = ("vert", "line", "poly")


class CellsOutput:
    """Vertices, lines and triangles with their arrays; or with solids, which an unstructured grid holds."""

    def __init__(self, dataset: CellsDataset, messages: set[str]) -> None:
        self.dataset, self.messages = dataset, messages
        self.result: Any = vtkUnstructuredGrid() if dataset.is_solid else vtkPolyData()
        self.sizes = dataset.plan.sizes
        self.n_cells = self.sizes.verts + self.sizes.lines + self.sizes.polys + self.sizes.solids
        self.outputs: dict[str, Array] = {}
        self.attributes: list[tuple[Array, Array]] = []

    def fill(self) -> Any:
        """Makes it all."""
        points = vtkPoints()
        points.SetDataType(10 if self.dataset.is_single else 11)
        points.SetNumberOfPoints(self.sizes.points)
        self.outputs["points"] = values(points.GetData())
        self.result.SetPoints(points)
        if self.dataset.is_solid:
            self._add_solids()
        else:
            self._add_cells()
        self.outputs["source_cell"] = np.empty(self.n_cells, np.int64)
        self._add_point_arrays()
        generated = self._generated()
        self.dataset.plan.fill_into(self.outputs, self.attributes)
        if self.dataset.is_solid:
            self._finish_solids()
        self._add_cell_arrays()
        if "Normals" in generated:
            add_generated(self.result.GetPointData(), generated["Normals"], self.messages)
            self.result.GetPointData().SetNormals(generated["Normals"])
        for name in ("ParametricCoordinates", "ParametricCell"):
            if name in generated:
                add_generated(self.result.GetPointData(), generated[name], self.messages)
        if "AchievedError" in generated:
            add_generated(self.result.GetCellData(), generated["AchievedError"], self.messages)
        pass_field_data(self.dataset.data, self.result)
        return self.result

    def _add_cells(self) -> None:
        for name, put in zip(_KINDS, (self.result.SetVerts, self.result.SetLines, self.result.SetPolys)):
            made, offsets, connectivity = new_cells(getattr(self.sizes, name + "s") + 1,
                                                    getattr(self.sizes, name + "_connectivity"))
            self.outputs |= {name + "_offsets": offsets, name + "_connectivity": connectivity}
            put(made)

    def _add_solids(self) -> None:
        """All cells lie in one list, solids last. The core counts the ids of each kind from 0."""
        lengths = [getattr(self.sizes, name + "_connectivity") for name in (*_KINDS, "solid")]
        self.cells, self.offsets, ids = new_cells(self.n_cells + 1, sum(lengths))
        self.types = new_array("", "u1", 1, self.n_cells)
        at = 0
        for name, length in zip((*_KINDS, "solid"), lengths):
            self.outputs[name + "_connectivity"] = ids[at:at + length]
            at += length
        for name in _KINDS:
            self.outputs[name + "_offsets"] = np.zeros(getattr(self.sizes, name + "s") + 1, np.int64)
        before = self.n_cells - self.sizes.solids
        self.outputs["solid_offsets"] = self.offsets[before:]
        self.outputs["solid_types"] = values(self.types).reshape(-1)[before:]

    def _finish_solids(self) -> None:
        types, first, ids = values(self.types).reshape(-1), 0, 0
        for name, one, other in (("vert", VTK_POLY_VERTEX, VTK_POLY_VERTEX), ("line", VTK_POLY_LINE, VTK_POLY_LINE),
                                 ("poly", VTK_TRIANGLE, VTK_POLYGON)):
            own = self.outputs[name + "_offsets"]
            end = first + len(own) - 1
            self.offsets[first:end] = ids + own[:-1]
            types[first:end] = np.where(np.diff(own) == 3, one, other)
            first, ids = end, ids + int(own[-1])
        self.offsets[first:] += ids
        self.result.SetCells(self.types, self.cells)

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
        inside = not self.dataset.is_solid
        settings, n_points = self.dataset.settings, self.sizes.points
        parameters = settings["GenerateParametricCoordinates"] and inside
        for wanted, name, dtype, components, n, member in (
                (settings["GenerateNormals"] and inside, "Normals", "f4", 3, n_points, "normals"),
                (settings["GenerateAchievedError"], "AchievedError", "f8", 1, self.n_cells, "achieved"),
                (parameters, "ParametricCoordinates", "f8", 3, n_points, "parameters"),
                (parameters, "ParametricCell", "id", 1, n_points, "parameter_cell")):
            if wanted:
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
