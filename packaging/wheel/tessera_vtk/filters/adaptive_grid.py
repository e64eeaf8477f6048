# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid as a VTK filter."""
from __future__ import annotations

from typing import Any

from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

from ..execution import Execution
from ..grid import PROPERTIES
from .algorithm import TesseraAlgorithm
from .grid_job import GridJob
from .grid_steps import GridSteps


class AdaptiveGrid(TesseraAlgorithm):
    """Makes a grid that is fine where the data change, and coarse where they do not.

    Input: vtkImageData, vtkRectilinearGrid or vtkStructuredGrid with point or cell data, 1D to 3D;
    overlapping AMR; vtkHyperTreeGrid; vtkUnstructuredGrid, which is an octree where its cells are boxes that form
    one, and else a mesh; composites of these; blanked cells are left out. Output: vtkUnstructuredGrid, or,
    unless MergeBlocks is on, a composite of the input's structure. Properties, their units and defaults are those of the filter in ParaView.
    """

    properties = PROPERTIES
    input_classes = ("vtkImageData", "vtkRectilinearGrid", "vtkStructuredGrid", "vtkUniformGridAMR",
                     "vtkHyperTreeGrid", "vtkUnstructuredGrid")
    leaf_class = "vtkUnstructuredGrid"
    job = GridJob
    only_plugin = ("OutputType",)

    def __init__(self, **values: Any) -> None:
        self._steps = GridSteps()
        super().__init__(**values)

    def joins_blocks(self) -> bool:
        return bool(self._values["MergeBlocks"])

    def _all_steps(self) -> bool:
        return bool(self._values["OverTime"] == 1)

    def RequestInformation(self, request: Any, inputs: Any, outputs: Any) -> int:
        """The input or a property has changed: All Steps starts anew."""
        info = inputs[0].GetInformationObject(0)
        self._steps.begin(info.Get(Pipeline.TIME_STEPS()) if info.Has(Pipeline.TIME_STEPS()) else [])
        return 1

    def RequestUpdateExtent(self, request: Any, inputs: Any, outputs: Any) -> int:
        """All of the input, whatever piece is asked for; with All Steps, the step that comes next."""
        info, out = inputs[0].GetInformationObject(0), outputs.GetInformationObject(0)
        if self._all_steps() and self._steps.times:
            time = Pipeline.UPDATE_TIME_STEP()
            info.Set(time, self._steps.time() if self._steps.collects() or not out.Has(time) else out.Get(time))
        if info.Has(Pipeline.WHOLE_EXTENT()):
            info.Set(Pipeline.UPDATE_EXTENT(), info.Get(Pipeline.WHOLE_EXTENT()), 6)
            info.Set(Pipeline.UPDATE_PIECE_NUMBER(), 0)
            info.Set(Pipeline.UPDATE_NUMBER_OF_PIECES(), 1)
            info.Set(Pipeline.UPDATE_NUMBER_OF_GHOST_LEVELS(), 0)
        return 1

    def RequestData(self, request: Any, inputs: Any, outputs: Any) -> int:
        request.Remove(Pipeline.CONTINUE_EXECUTING())
        if not self._all_steps() or not self._steps.collects():
            return super().RequestData(request, inputs, outputs)
        self._empty(outputs)
        try:
            self._run_job(inputs)
        except BaseException as problem:  # as in the base class; no further step is read
            self._tell(problem)
            return 1
        self.UpdateProgress(0.9 * self._steps.progress())
        request.Set(Pipeline.CONTINUE_EXECUTING(), 1)  # with the next step, or the one asked for
        return 1

    def new_job(self, data: vtkDataObject, execution: Execution) -> GridJob:
        return GridJob(data, self.properties, dict(self._values), execution,
                       self._steps if self._all_steps() else None)
