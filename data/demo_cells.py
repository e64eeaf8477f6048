# SPDX-License-Identifier: BSD-3-Clause
"""The demo's curved cells, run by testing/demo.sh: pvbatch demo_cells.py PLUGIN FOLDER

Makes a ring of six Lagrange hexahedra of degree 4 with a wave on it, and shows it as ParaView draws it and as Adaptive
Cells does. Writes FOLDER/cells.png and FOLDER/cells_table.txt.
"""
import os
import sys

import numpy as np
from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)
from vtkmodules.numpy_interface.dataset_adapter import WrapDataObject
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_LAGRANGE_HEXAHEDRON, vtkHigherOrderHexahedron, vtkUnstructuredGrid

CELLS, DEGREE, RADIUS, TUBE, SIZE = 6, 4, 1.0, 0.4, [1000, 420]


def ring(p):
    """Of the unit cube: along x around the ring, y and z across it, where the square becomes a disc."""
    angle, y, z = 2 * np.pi * p[:, 0], 2 * p[:, 1] - 1, 2 * p[:, 2] - 1
    out, up = RADIUS + TUBE * y * np.sqrt(1 - z ** 2 / 2), TUBE * z * np.sqrt(1 - y ** 2 / 2)
    return np.stack([out * np.cos(angle), out * np.sin(angle), up], axis=1)


def off(p):
    """Distance of points from the surface of the ring."""
    return np.abs(np.hypot(np.hypot(p[:, 0], p[:, 1]) - RADIUS, p[:, 2]) - TUBE)


def make_mesh():
    data, points, m = vtkUnstructuredGrid(), vtkPoints(), CELLS * DEGREE
    k, j, i = np.meshgrid(*[np.arange(DEGREE + 1)] * 2, np.arange(m), indexing="ij")
    place = ring(np.stack([i / m, j / DEGREE, k / DEGREE], axis=-1).reshape(-1, 3))
    points.SetData(numpy_to_vtk(place, deep=True))
    data.SetPoints(points)
    for cell in range(CELLS):
        ids = [0] * (DEGREE + 1) ** 3
        for c in np.ndindex(*[DEGREE + 1] * 3):
            node = ((c[2] * (DEGREE + 1) + c[1]) * m) + (cell * DEGREE + c[0]) % m
            ids[vtkHigherOrderHexahedron.PointIndexFromIJK(*c, [DEGREE] * 3)] = int(node)
        data.InsertNextCell(VTK_LAGRANGE_HEXAHEDRON, len(ids), ids)
    values = numpy_to_vtk(np.cos(6 * np.arctan2(place[:, 1], place[:, 0])) + place[:, 2], deep=True)
    values.SetName("f")
    data.GetPointData().SetScalars(values)
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    return source


def largest_error(surface):
    """Of the places of a lattice in each triangle."""
    drawn = Triangulate(Input=surface)
    drawn.UpdatePipeline()
    data = WrapDataObject(drawn.GetClientSideObject().GetOutputDataObject(0))
    corners = np.asarray(data.Points, float)[np.asarray(data.Polygons).reshape(-1, 4)[:, 1:]]
    n = 6
    return len(corners), max(off((corners * (np.array([a, b, n - a - b]) / n)[:, None]).sum(axis=1)).max()
                             for a in range(n + 1) for b in range(n + 1 - a))


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    mesh = make_mesh()
    surface, seconds = updated(AdaptiveCells(Input=mesh, ChordError=0.003, GenerateNormals=1))
    edges = AdaptiveCells(Input=mesh, ChordError=0.003, OutputType="Curves")
    view, rows = white_view(*SIZE), [["", "triangles", "off by"]]
    for i, (name, shown, drawn) in enumerate((("As ParaView draws it", mesh, ExtractSurface(Input=mesh)),
                                              ("Adaptive Cells", surface, surface))):
        n, error = largest_error(drawn)
        rows.append([name, f"{n:,}", f"{error:.4f}"])
        for data in (shown, edges) if shown is surface else (shown,):
            display = Show(data, view)
            display.Position = [i * 3.0, 0.0, 0.0]
            if data is edges:
                display.ColorArrayName, display.AmbientColor, display.DiffuseColor = [None, ""], [0, 0, 0], [0, 0, 0]
                display.LineWidth = 2
            else:
                ColorBy(display, ("POINTS", "f"))
            display.SetScalarBarVisibility(view, False)
        caption(view, f"{name}: {n:,} triangles, off by {error:.4f}", 0.09 + 0.5 * i, 0.02, 14)
    view.InteractionMode = "3D"
    ResetCamera(view)  # as the first Render would
    Render(view)
    view.CameraFocalPoint = [1.5, 0.0, -0.15]
    view.CameraPosition = [1.5, -4.0, 3.4]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraParallelProjection, view.CameraParallelScale = 1, 1.25
    SaveScreenshot(os.path.join(folder, "cells.png"), view, ImageResolution=SIZE)
    write(os.path.join(folder, "cells_table.txt"), f"A ring of six curved cells, {seconds:.2f} s\n" + table(rows))


main()
