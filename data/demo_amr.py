# SPDX-License-Identifier: BSD-3-Clause
"""The demo's AMR, run by testing/demo.sh: pvbatch demo_amr.py PLUGIN FOLDER

Makes an overlapping AMR of three levels with cell data, and a contour of it in two ways: as ParaView makes it
of the blocks, and of the conforming cells of Adaptive Grid. Writes FOLDER/amr.png and FOLDER/amr_table.txt.
"""
import os
import sys

import numpy as np
from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkOverlappingAMR, vtkUniformGrid

# By level: the ranges of its blocks along x, y and z, in cells of the level. Level 0 has 12 along each axis.
BOXES = [[((0, 12), (0, 12), (0, 12))], [((6, 24), (0, 24), (6, 24))], [((26, 48), (4, 26), (20, 48))]]
VALUE, APART = 0.36, 0.88
SIZE = [1000, 480]


def field(x, y, z):
    """A distance from the middle, with waves."""
    r = np.sqrt((x - 0.5) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2)
    return r + 0.03 * np.sin(18 * x) * np.sin(18 * y) * np.sin(18 * z)


def block_of(level, box):
    step = 1.0 / (12 * 2 ** level)
    block = vtkUniformGrid()
    block.SetOrigin([low * step for low, _ in box])
    block.SetSpacing([step] * 3)
    block.SetDimensions([high - low + 1 for low, high in box])
    x, y, z = ((np.arange(*r) + 0.5) * step for r in box)
    z, y, x = np.meshgrid(z, y, x, indexing="ij")
    values = numpy_to_vtk(field(x, y, z).ravel(), deep=True)
    values.SetName("f")
    block.GetCellData().SetScalars(values)
    return block


def make_amr():
    data = vtkOverlappingAMR()
    data.Initialize(len(BOXES), [len(boxes) for boxes in BOXES])
    data.SetOrigin([0.0] * 3)
    data.SetGridDescription(8)  # VTK's word for x, y and z
    for level, boxes in enumerate(BOXES):
        data.SetSpacing(level, [1.0 / (12 * 2 ** level)] * 3)
        data.SetRefinementRatio(level, 2)
        for i, box in enumerate(boxes):
            data.SetAMRBox(level, i, vtkAMRBox([r[0] for r in box], [r[1] - 1 for r in box]))
            data.SetDataSet(level, i, block_of(level, box))
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    return source


def contour_of(data):
    contour = Contour(Input=data, ContourBy=["POINTS", "f"], Isosurfaces=[VALUE])
    return MergeBlocks(Input=contour) if data.GetDataInformation().IsCompositeDataSet() else contour


def open_edges(surface):
    """Edges that only one triangle has, once points are merged that differ by rounding."""
    whole = Clean(Input=ExtractSurface(Input=surface), ToleranceIsAbsolute=1, AbsoluteTolerance=1e-6)
    edges = FeatureEdges(Input=whole, FeatureEdges=0, NonManifoldEdges=0, ManifoldEdges=0)
    edges.UpdatePipeline()
    return edges


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    blocks = make_amr()
    points = CellDatatoPointData(Input=blocks)
    points.UpdatePipeline()
    grid, seconds = updated(AdaptiveGrid(Input=blocks, CellArrays="Move To Points", CriteriaArrays=["f"],
                                         GridType="Fixed Fine", CoarsenLevels=0))
    view, rows = white_view(*SIZE), [["contour of", "triangles", "open edges"]]
    for i, (name, data) in enumerate((("the blocks", points), ("the conforming cells", grid))):
        surface = contour_of(data)
        surface.UpdatePipeline()
        edges = open_edges(surface)
        n = edges.GetDataInformation().GetNumberOfCells()
        rows.append([name, f"{surface.GetDataInformation().GetNumberOfCells():,}", f"{n:,}"])
        for shown, colour, width in ((surface, [0.75, 0.8, 0.9], 1), (edges, [0.85, 0.1, 0.1], 4)):
            display = Show(shown, view)
            display.Representation = "Surface With Edges" if shown is surface else "Surface"
            display.AmbientColor = display.DiffuseColor = colour
            display.EdgeColor, display.LineWidth = [0.45, 0.5, 0.6], width
            display.Ambient, display.Diffuse = (0.25, 0.75) if shown is surface else (1.0, 0.0)
            display.Position = [i * APART, 0.0, 0.0]
            display.ColorArrayName = [None, ""]
        caption(view, f"Contour of {name}: {n} open edges", 0.06 + 0.48 * i, 0.02, 18)
    view.InteractionMode = "3D"
    ResetCamera(view)  # as the first Render would
    Render(view)
    middle = 0.5 + APART / 2
    view.CameraFocalPoint = [middle, 0.5, 0.46]
    view.CameraPosition = [middle + 0.2, -4.0, 1.6]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraParallelProjection, view.CameraParallelScale = 1, 0.46
    SaveScreenshot(os.path.join(folder, "amr.png"), view, ImageResolution=SIZE)
    write(os.path.join(folder, "amr_table.txt"), f"An AMR of three levels, {seconds:.2f} s\n" + table(rows))


main()
