# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells as a VTK filter."""
from __future__ import annotations

from .. import _core as core
from ..cells import PROPERTIES
from .algorithm import TesseraAlgorithm
from .cells_job import CellsJob


class AdaptiveCells(TesseraAlgorithm):
    """Draws the surface of meshes with curved cells: as many triangles as the criteria need.

    Input: vtkUnstructuredGrid, or a composite of such. Output: vtkPolyData, with Output Type Cells
    vtkUnstructuredGrid, or a composite of the input's structure. Properties, their units and defaults are
    those of the filter in ParaView.
    """

    properties = PROPERTIES
    input_classes = ("vtkUnstructuredGrid",)
    leaf_class = "vtkPolyData"
    job = CellsJob

    def leaf(self) -> str:
        return "vtkUnstructuredGrid" if self._values["OutputType"] == core.TSR_CELLS_VOLUMES else self.leaf_class
