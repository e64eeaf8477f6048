# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves as a VTK filter."""
from __future__ import annotations

from ..curves import PROPERTIES
from .algorithm import TesseraAlgorithm
from .curves_job import CurvesJob


class AdaptiveCurves(TesseraAlgorithm):
    """Tessellates polylines and curve cells: fine where they bend, coarse where they do not.

    Input: the lines of a vtkPolyData; line, polyline, quadratic, cubic, Lagrange and Bezier cells of
    a vtkUnstructuredGrid; composites of these. Output: vtkPolyData, or a composite of the input's
    structure. Properties, their units and defaults are those of the filter in ParaView.
    """

    properties = PROPERTIES
    input_classes = ("vtkPolyData", "vtkUnstructuredGrid")
    leaf_class = "vtkPolyData"
    job = CurvesJob
