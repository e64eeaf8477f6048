# SPDX-License-Identifier: BSD-3-Clause
"""A CT image on an adaptive grid: pvbatch ct.py FOLDER

A made head: air, tissue, a skull, two ventricles, with noise of 5 Hounsfield units. The tolerance
of 60 units lies above the noise and below the steps between tissues: cells stay large inside each
tissue. A contour of the skull is compared with that of the full image.
"""
import os
import sys

import numpy as np
from paraview import servermanager
from paraview.simple import *  # noqa: F403 (ParaView's own way)
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData

SIZE, TOLERANCE, BONE = 97, 60.0, 500.0


def inside(xyz, centre, radii):
    """1 within an ellipsoid, 0 outside, with a rim as soft as a scanner's."""
    d = np.sqrt(sum(((p - c) / r) ** 2 for p, c, r in zip(xyz, centre, radii)))
    return 1 / (1 + np.exp((d - 1) * min(radii) * 60))


def head():
    axis = np.linspace(-1, 1, SIZE)
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    xyz = (x, y, z)
    values = -1000 + 1900 * inside(xyz, (0, 0, 0), (0.7, 0.85, 0.8))
    values -= 860 * inside(xyz, (0, 0, 0), (0.62, 0.77, 0.72))
    for side in (-0.2, 0.2):
        values -= 150 * inside(xyz, (side, 0.05, 0), (0.1, 0.35, 0.2))
    values += np.random.default_rng(1).normal(0, 5, values.shape).clip(-15, 15)
    image = vtkImageData()
    image.SetDimensions(SIZE, SIZE, SIZE)
    image.SetSpacing(2.0, 2.0, 2.0)
    array = numpy_to_vtk(values.astype(np.float32).ravel(), deep=True)
    array.SetName("HU")
    image.GetPointData().SetScalars(array)
    return image


def skull(source):
    contour = Contour(Input=source, ContourBy=["POINTS", "HU"], Isosurfaces=[BONE])
    area = IntegrateVariables(Input=contour)
    area.UpdatePipeline()
    return contour, servermanager.Fetch(area).GetCellData().GetArray("Area").GetValue(0)


def main():
    image = TrivialProducer()
    image.GetClientSideObject().SetOutput(head())
    grid = AdaptiveGrid(Input=image, CoarsenLevels=4, CriteriaArrays=["HU"],
                        ThresholdMode="Absolute", InterpolationError=TOLERANCE)
    grid.UpdatePipeline()
    (_, of_image), (bone, of_grid) = skull(image), skull(grid)
    error = servermanager.Fetch(grid).GetFieldData().GetArray("Tessera Largest Errors").GetValue(0)
    print(f"{grid.CellsOut:.0f} cells of {(SIZE - 1) ** 3}, {100 * grid.Saving:.0f} % saved, "
          f"off by at most {error:.0f} HU")
    print(f"skull: {of_image:.0f} mm2 in the image, {of_grid:.0f} mm2 on the grid")
    view = CreateView("RenderView", ViewSize=[1200, 600], UseColorPaletteForBackground=0,
                      Background=[1.0, 1.0, 1.0], OrientationAxesVisibility=0)
    middle = (SIZE - 1.0) + 0.5
    cut = Slice(Input=grid)
    cut.SliceType.Origin, cut.SliceType.Normal = [middle] * 3, [0, 0, 1]
    display = Show(cut, view)
    display.Representation, display.EdgeColor = "Surface With Edges", [0.2, 0.5, 0.9]
    ColorBy(display, ("POINTS", "HU"))
    GetColorTransferFunction("HU").ApplyPreset("X Ray", True)
    display.SetScalarBarVisibility(view, False)
    half = Clip(Input=bone)
    half.ClipType.Origin, half.ClipType.Normal = [middle] * 3, [0, -1, 0]
    moved = Transform(Input=half)
    moved.Transform.Translate, moved.Transform.Rotate = [200, 0, 100], [-90, 0, 0]
    Show(moved, view).ColorArrayName = [None, ""]
    view.CameraParallelProjection = 1
    view.CameraPosition, view.CameraFocalPoint = [200, 100, 900], [200, 100, 0]
    ResetCamera(view)
    GetActiveCamera().Zoom(2.0)
    SaveScreenshot(os.path.join(sys.argv[1], "ct.png"), view)
    if not (error <= TOLERANCE and abs(of_grid / of_image - 1) < 0.02):
        sys.exit("The grid does not keep what it should.")


main()
