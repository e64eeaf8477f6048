# SPDX-License-Identifier: BSD-3-Clause
"""The demo's mesh, run by testing/demo.sh: pvbatch demo_mesh.py PLUGIN FOLDER

Makes a mesh of polyhedra that is fine around a point, its adaptive grid, and a contour on the grid. Writes
FOLDER/mesh.png and FOLDER/mesh_table.txt.
"""
import os
import sys

import numpy as np
from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_POLYHEDRON, vtkUnstructuredGrid

CELLS, SIZE, APART = 10, [1000, 380], 1.1
FINE_AT = np.array([0.5, 0.5, 0.5])


def front(p):
    """Steep across a wavy sphere."""
    r = np.linalg.norm(p - FINE_AT, axis=1)
    return np.tanh(14 * (r - 0.27 - 0.05 * np.sin(14 * p[:, 0]) * np.sin(14 * p[:, 1])))


def octahedra():
    """Faces of truncated octahedra around the nodes of a body-centred lattice, as lists of places."""
    corners = np.array([p for a in (0, 1, 2) for b in (0, 1, 2) if a != b for s in (-1, 1) for t in (-1, 1)
                        for p in [np.eye(3)[a] * s * 2 + np.eye(3)[b] * t]])
    normals = [np.eye(3)[a] * s for a in range(3) for s in (-1, 1)]
    normals += [np.array([i, j, k]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    faces = []
    for n in normals:
        on = corners[np.isclose(corners @ n, (corners @ n).max())]
        middle = on.mean(axis=0)
        u = on[0] - middle
        v = np.cross(n, u)
        faces.append(on[np.argsort(np.arctan2((on - middle) @ v / np.linalg.norm(v),
                                              (on - middle) @ u / np.linalg.norm(u)))])
    nodes = [np.array([i, j, k]) * 4 + shift for i in range(CELLS) for j in range(CELLS) for k in range(CELLS)
             for shift in (0, 2)]
    return [[face + node for face in faces] for node in nodes]


def make_mesh():
    data, number, xyz = vtkUnstructuredGrid(), {}, []
    for cell in octahedra():
        ids = vtkIdList()
        ids.InsertNextId(len(cell))
        for face in cell:
            ids.InsertNextId(len(face))
            for p in np.rint(face).astype(int).tolist():
                if tuple(p) not in number:
                    number[tuple(p)] = len(xyz)
                    xyz.append(p)
                ids.InsertNextId(number[tuple(p)])
        data.InsertNextCell(VTK_POLYHEDRON, ids)
    t = np.array(xyz, float)
    t = (t - t.min(axis=0)) / np.ptp(t, axis=0)
    # Along each axis steps are a third as long around FINE_AT as far from it.
    p = FINE_AT + (t - FINE_AT) * (0.33 + 0.67 * np.abs(t - FINE_AT) / np.maximum(FINE_AT, 1 - FINE_AT))
    points = vtkPoints()
    points.SetData(numpy_to_vtk(p, deep=True))
    data.SetPoints(points)
    values = numpy_to_vtk(front(p), deep=True)
    values.SetName("f")
    data.GetPointData().SetScalars(values)
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    return source


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    mesh = make_mesh()
    grid, seconds = updated(AdaptiveGrid(Input=mesh, CriteriaArrays=["f"], InterpolationError=0.05,
                                         FinestCell=0.025, CoarsenLevels=4))
    contour = Contour(Input=grid, ContourBy=["POINTS", "f"], Isosurfaces=[0.0])
    view, rows = white_view(*SIZE), [["", "cells"]]
    shows = (("Slice of polyhedra", mesh), ("Slice of the grid", grid), ("Contour of f = 0", contour))
    for i, (name, data) in enumerate(shows):
        data.UpdatePipeline()
        n = data.GetDataInformation().GetNumberOfCells()
        rows.append([name, f"{n:,}"])
        shown = data
        if data is not contour:
            shown = Slice(Input=data, Triangulatetheslice=0)
            shown.SliceType.Origin, shown.SliceType.Normal = [0.5, 0.507, 0.5], [0.0, 1.0, 0.0]
        display = Show(shown, view)
        display.Representation = "Surface With Edges" if data is not contour else "Surface"
        if data is contour:
            display.ColorArrayName, display.DiffuseColor = [None, ""], [0.55, 0.68, 0.85]
        else:
            ColorBy(display, ("POINTS", "f"))
            display.EdgeColor = [0.25, 0.25, 0.25]
        display.SetScalarBarVisibility(view, False)
        display.Position = [i * APART, 0.0, 0.0]
        caption(view, f"{name}: {n:,} {'triangles' if data is contour else 'cells'}", 0.06 + 0.317 * i, 0.02, 14)
    view.InteractionMode = "3D"
    ResetCamera(view)  # as the first Render would
    Render(view)
    middle = 0.5 + APART
    view.CameraFocalPoint = [middle, 0.5, 0.43]
    view.CameraPosition = [middle, -4.0, 0.43]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraParallelProjection, view.CameraParallelScale = 1, 0.67
    SaveScreenshot(os.path.join(folder, "mesh.png"), view, ImageResolution=SIZE)
    write(os.path.join(folder, "mesh_table.txt"), f"A mesh of polyhedra, {seconds:.2f} s\n" + table(rows))


main()
