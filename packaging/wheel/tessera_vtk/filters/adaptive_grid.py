# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid as a VTK filter."""
from __future__ import annotations

from typing import Any

from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

from ..grid import PROPERTIES
from .algorithm import TesseraAlgorithm
from .grid_job import GridJob


class AdaptiveGrid(TesseraAlgorithm):
    """Makes a grid that is fine where the data change, and coarse where they do not.

    Input: vtkImageData, vtkRectilinearGrid or vtkStructuredGrid with point or cell data, 1D to 3D;
    overlapping AMR; vtkHyperTreeGrid; vtkUnstructuredGrid, which is an octree where its cells are boxes that form
    one, and else a mesh; composites of these; blanked cells are left out. Output: vtkUnstructuredGrid, or a
    composite of the input's structure. Properties, their units and defaults are those of the filter in ParaView.
    """

    properties = PROPERTIES
    input_classes = ("vtkImageData", "vtkRectilinearGrid", "vtkStructuredGrid", "vtkUniformGridAMR",
                     "vtkHyperTreeGrid", "vtkUnstructuredGrid")
    leaf_class = "vtkUnstructuredGrid"
    job = GridJob
    only_plugin = ("OutputType", "OverTime")

    def RequestUpdateExtent(self, request: Any, inputs: Any, outputs: Any) -> int:
        """All of the input, whatever piece is asked for."""
        info = inputs[0].GetInformationObject(0)
        if info.Has(Pipeline.WHOLE_EXTENT()):
            info.Set(Pipeline.UPDATE_EXTENT(), info.Get(Pipeline.WHOLE_EXTENT()), 6)
            info.Set(Pipeline.UPDATE_PIECE_NUMBER(), 0)
            info.Set(Pipeline.UPDATE_NUMBER_OF_PIECES(), 1)
            info.Set(Pipeline.UPDATE_NUMBER_OF_GHOST_LEVELS(), 0)
        return 1
