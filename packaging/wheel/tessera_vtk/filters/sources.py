# SPDX-License-Identifier: BSD-3-Clause
"""Turbulent Jet, Random Bezier Curves, Random Discs and CUDA Device Report as VTK sources."""
from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, vtkDataObject, vtkDataObjectTypes, vtkImageData,
                                           vtkPolyData, vtkTable, vtkUnstructuredGrid)
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

from .. import sources
from .._library import call, lib
from ..arrays import Array
from ..properties import of_proxy, struct_of
from .algorithm import TesseraAlgorithm
from .vtk_arrays import new_array, new_cells, values


class SourceAlgorithm(TesseraAlgorithm):
    """What the sources have in common."""

    def RequestDataObject(self, request: Any, inputs: Any, outputs: Any) -> int:
        if vtkDataObject.GetData(outputs, 0) is None:
            outputs.GetInformationObject(0).Set(vtkDataObject.DATA_OBJECT(),
                                                vtkDataObjectTypes.NewDataObject(self.leaf_class))
        return 1

    def _make(self, inputs: Any, outputs: Any) -> None:
        self.fill(vtkDataObject.GetData(outputs, 0), outputs.GetInformationObject(0))

    def fill(self, output: Any, info: Any) -> None:
        """Makes the output."""

    def struct(self, name: str) -> Any:
        """A struct of the library with what is set."""
        return struct_of(name, self.properties, self._values)


def _array(name: str, dtype: str, given: Array) -> Any:
    """A VTK array with values of numpy."""
    made = new_array(name, dtype, given.shape[1] if given.ndim == 2 else 1, len(given))
    values(made).reshape(given.shape)[...] = given
    return made


def _points(places: Array) -> vtkPoints:
    points = vtkPoints()
    points.SetData(_array("Points", "f4", places))
    return points


class TurbulentJet(SourceAlgorithm):
    """A turbulent jet of burning gas as an image that changes with time: Velocity, Temperature, Scalar.

    Properties, their units and defaults are those of the source in ParaView.
    """

    properties = sources.JET
    leaf_class = "vtkImageData"

    def RequestInformation(self, request: Any, inputs: Any, outputs: Any) -> int:
        """The extent, and the times."""
        info, choices = outputs.GetInformationObject(0), self.struct("tsr_jet_choices")
        info.Set(Pipeline.WHOLE_EXTENT(), [one for n in choices.dimensions for one in (0, n - 1)], 6)
        steps = [lib.tsr_jet_time(c.byref(choices), k) for k in range(choices.time_steps)]
        if steps:
            info.Set(Pipeline.TIME_STEPS(), steps, len(steps))
            info.Set(Pipeline.TIME_RANGE(), [steps[0], steps[-1]], 2)
        info.Set(self.CAN_PRODUCE_SUB_EXTENT(), 1)
        return 1

    def fill(self, output: vtkImageData, info: Any) -> None:
        options, choices = self.struct("tsr_jet_options"), self.struct("tsr_jet_choices")
        call("tsr_jet_choices_check", c.byref(choices), c.byref(options))
        time = (info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else
                choices.time_range[0])
        extent = info.Get(Pipeline.UPDATE_EXTENT())
        made = sources.jet(options, choices, time, extent, 0)
        origin, spacing = sources.jet_place(options, choices)
        output.SetOrigin(origin)
        output.SetSpacing(spacing)
        output.SetExtent(extent)
        output.GetInformation().Set(vtkDataObject.DATA_TIME_STEP(), time)
        for name, array in made.items():
            output.GetPointData().AddArray(_array(name, array.dtype.str[1:], array))
        output.GetPointData().SetActiveScalars("Temperature")
        output.GetPointData().SetActiveVectors("Velocity")


class RandomBezierCurves(SourceAlgorithm):
    """Bezier curve cells with random control points.

    Properties, their units and defaults are those of the source in ParaView.
    """

    properties = sources.CURVES
    leaf_class = "vtkUnstructuredGrid"

    def fill(self, output: vtkUnstructuredGrid, info: Any) -> None:
        points = sources.random_curves(self.struct("tsr_random_curves_options"))
        n, size = points.shape[:2]
        cells, offsets, ids = new_cells(n + 1, n * size)
        offsets[:] = np.arange(n + 1) * size
        # A cell has its two ends first; the points themselves follow the curve.
        ids[:] = (np.arange(n)[:, None] * size + [0, size - 1, *range(1, size - 1)]).reshape(-1)
        output.SetPoints(_points(points.reshape(-1, 3)))
        output.SetCells(VTK_BEZIER_CURVE, cells)
        output.GetCellData().AddArray(_array("Curve", "id", np.arange(n)))


class RandomDiscs(SourceAlgorithm):
    """Points with radii, colors and opacities to draw as discs.

    Properties, their units and defaults are those of the source in ParaView.
    """

    properties = sources.DISCS
    leaf_class = "vtkPolyData"

    def fill(self, output: vtkPolyData, info: Any) -> None:
        made = sources.random_discs(self.struct("tsr_random_discs_options"))
        n = len(made["points"])
        cells, offsets, ids = new_cells(n + 1, n)
        offsets[:], ids[:] = np.arange(n + 1), np.arange(n)
        output.SetPoints(_points(made["points"]))
        output.SetVerts(cells)
        for name, member, dtype in (("Radius", "radii", "f4"), ("Opacity", "opacities", "f4"),
                                    ("Color", "colors", "u1")):
            output.GetPointData().AddArray(_array(name, dtype, made[member]))
        output.GetPointData().SetActiveScalars("Color")


class CUDADeviceReport(SourceAlgorithm):
    """A table of the CUDA devices, and whether Tessera can use them."""

    properties = of_proxy("CUDADeviceReport")
    leaf_class = "vtkTable"

    def fill(self, output: vtkTable, info: Any) -> None:
        rows, about = sources.devices(bool(self._values["Measure"]))
        for name in rows[0] if rows else ():
            column = [row[name] for row in rows]
            output.AddColumn(_texts(name, column) if isinstance(column[0], str) else
                             _array(name, "f8" if isinstance(column[0], float) else "i8", np.array(column)))
        output.AddColumn(_array("Process", "i4", np.zeros(len(rows), np.int32)))
        for name, text in about.items():
            output.GetFieldData().AddArray(_texts(name, [text]))


def _texts(name: str, texts: list[str]) -> vtkStringArray:
    array = vtkStringArray()
    array.SetName(name)
    for text in texts:
        array.InsertNextValue(text)
    return array
