# SPDX-License-Identifier: BSD-3-Clause
"""Fibre tracts, as of diffusion tensor images: pvbatch tracts.py FOLDER

Two made bundles of 60 tracts with a point every 12 mm and an array FA. Adaptive Curves makes them
smooth within 0.05 mm, and keeps FA within 0.01 between the points; Tangents gives the colours by
direction that tracts are usually shown in.
"""
import os
import sys

import numpy as np
from paraview.simple import *  # noqa: F403 (ParaView's own way)
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData


def bundle(rng, count, turn):
    """Arches from one side to the other, each with its own height, shift and number of points."""
    for _ in range(count):
        height, shift = rng.uniform(30, 45), rng.normal(0, 5, 2)
        angle = np.linspace(0.05, np.pi - 0.05, rng.integers(9, 13))
        x, z = 50 * np.cos(angle), height * np.sin(angle)
        y = shift[0] + 6 * np.sin(2 * angle + turn)
        points = np.stack([x, y, z + shift[1]], axis=1)
        yield points if turn == 0 else points[:, [1, 0, 2]] * [1, 0.8, 0.7]


def tracts():
    rng = np.random.default_rng(1)
    lines = [*bundle(rng, 60, 0), *bundle(rng, 60, 1)]
    xyz, cells = np.concatenate(lines), vtkCellArray()
    begin = 0
    for line in lines:
        cells.InsertNextCell(len(line))
        for i in range(begin, begin + len(line)):
            cells.InsertCellPoint(i)
        begin += len(line)
    data, points = vtkPolyData(), vtkPoints()
    points.SetData(numpy_to_vtk(xyz, deep=True))
    data.SetPoints(points)
    data.SetLines(cells)
    fa = numpy_to_vtk(0.35 + 0.3 * np.exp(-(xyz[:, 0] ** 2 + xyz[:, 1] ** 2) / 400), deep=True)
    fa.SetName("FA")
    data.GetPointData().AddArray(fa)
    return data


def main():
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(tracts())
    curves = AdaptiveCurves(Input=source, InterpretLinesAs="Catmull-Rom", ChordErrorMode="Absolute",
                            ChordError=0.05, FieldErrorArrays=["FA"], FieldErrorMode="Absolute",
                            FieldError=0.01, GenerateTangents=1, GenerateAchievedError=1)
    curves.UpdatePipeline()
    reached = curves.CellData["AchievedError"].GetRange(0)[1]
    counts = [p.GetDataInformation().GetNumberOfPoints() for p in (source, curves)]
    print(f"{counts[0]} points became {counts[1]}, off the curve by at most {reached:.3f} mm")
    colours = Calculator(Input=curves, ResultArrayName="Direction",
                         Function="abs(Tangents_X)*iHat + abs(Tangents_Y)*jHat + abs(Tangents_Z)*kHat")
    view = CreateView("RenderView", ViewSize=[1200, 420], UseColorPaletteForBackground=0,
                      Background=[1.0, 1.0, 1.0], OrientationAxesVisibility=0)
    for proxy, shift in ((source, -62.0), (colours, 62.0)):
        moved = Transform(Input=Tube(Input=proxy, Radius=0.4))
        moved.Transform.Translate = [shift, 0.0, 0.0]
        display = Show(moved, view)
        if proxy is colours:
            ColorBy(display, ("POINTS", "Direction"))
            display.MapScalars = 0
        else:
            display.ColorArrayName = [None, ""]
        display.DiffuseColor = [0.4, 0.4, 0.4]
    view.CameraPosition, view.CameraFocalPoint = [0, -200, 90], [0, 0, 10]
    view.CameraViewUp = [0, 0, 1]
    ResetCamera(view)
    GetActiveCamera().Zoom(2.8)
    SaveScreenshot(os.path.join(sys.argv[1], "tracts.png"), view)
    if not 0 < reached <= 0.05:
        sys.exit("The tracts are further from their curves than was asked for.")


main()
