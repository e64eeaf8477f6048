# SPDX-License-Identifier: BSD-3-Clause
"""Streamlines that are round again: pvbatch streamlines.py FOLDER

In a vortex (-y, x, 2) every streamline is a helix, so its distance from the axis is known. Stream
Tracer takes long steps, and its polylines cut the corners; Adaptive Curves puts the bends back.
"""
import os
import sys

import numpy as np
from paraview import servermanager
from paraview.simple import *  # noqa: F403 (ParaView's own way)
from vtkmodules.util.numpy_support import vtk_to_numpy

TOLERANCE = 0.02
STEP = 4.0


def polylines(proxy):
    """The points of every line."""
    data = servermanager.Fetch(proxy)
    xyz = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    offsets = vtk_to_numpy(data.GetLines().GetOffsetsArray())
    ids = vtk_to_numpy(data.GetLines().GetConnectivityArray())
    return [xyz[ids[b:e]] for b, e in zip(offsets[:-1], offsets[1:])]


def worst(lines, traced, radii):
    """Largest distance from the helix of the middle of any segment. The first and the last step of
    a traced line are left out: beyond its ends nothing says how it goes on."""
    largest = 0.0
    for line, steps, radius in zip(lines, traced, radii):
        x, y, z = ((line[1:] + line[:-1]) / 2).T
        inner = (z > steps[1, 2]) & (z < steps[-2, 2])
        largest = max(largest, np.abs(np.hypot(x, y) - radius)[inner].max())
    return largest


def main():
    image = Wavelet(WholeExtent=[-12, 12, -12, 12, -12, 12])
    flow = Calculator(Input=image, ResultArrayName="Velocity",
                      Function="-coordsY*iHat + coordsX*jHat + 2*kHat")
    lines = StreamTracer(Input=flow, Vectors=["POINTS", "Velocity"], SeedType="Line",
                         IntegrationDirection="FORWARD", IntegratorType="Runge-Kutta 4",
                         IntegrationStepUnit="Length", InitialStepLength=STEP,
                         MaximumStreamlineLength=200.0)
    lines.SeedType.Point1, lines.SeedType.Point2 = [6.0, 0.0, -12.0], [11.0, 0.0, -12.0]
    lines.SeedType.Resolution = 5
    curves = AdaptiveCurves(Input=lines, InterpretLinesAs="Catmull-Rom",
                            ChordErrorMode="Absolute", ChordError=TOLERANCE)
    radii = np.linspace(6.0, 11.0, 6)
    for proxy in (lines, curves):
        proxy.UpdatePipeline()
    traced = polylines(lines)
    before, after = worst(traced, traced, radii), worst(polylines(curves), traced, radii)
    points = [p.GetDataInformation().GetNumberOfPoints() for p in (lines, curves)]
    print(f"{points[0]} points, segments off the helix by up to {before:.3f}")
    print(f"{points[1]} points, segments off the helix by up to {after:.3f}")
    view = CreateView("RenderView", ViewSize=[1200, 560], UseColorPaletteForBackground=0,
                      Background=[1.0, 1.0, 1.0], OrientationAxesVisibility=0)
    for proxy, shift in ((lines, -13.0), (curves, 13.0)):
        moved = Transform(Input=Tube(Input=proxy, Radius=0.12))
        moved.Transform.Translate = [shift, 0.0, 0.0]
        display = Show(moved, view)
        ColorBy(display, ("POINTS", "IntegrationTime"))
        display.SetScalarBarVisibility(view, False)
    view.CameraPosition, view.CameraFocalPoint = [0, -30, 60], [0, 0, 0]
    view.CameraViewUp = [0, 1, 0]
    ResetCamera(view)
    GetActiveCamera().Zoom(2.4)
    SaveScreenshot(os.path.join(sys.argv[1], "streamlines.png"), view)
    if not after < before / 4:
        sys.exit("Adaptive Curves did not bring the streamlines closer to the helix.")


main()
