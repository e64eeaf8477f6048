# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 symmetric
"""Adaptive Cells on several processes: box and ranges of all together, and faces that neighbours share."""
import numpy as np
from tessera_testing import check, field_value, main, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_TRIQUADRATIC_HEXAHEDRON, vtkTriQuadraticHexahedron,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkParallelCore import vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANKS, RANK = CONTROLLER.GetNumberOfProcesses(), CONTROLLER.GetLocalProcessId()


def column(first, n):
    """n curved hexahedra of 27 points on top of each other, the first at height `first`; the array grows upward."""
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    places = [(x, y, z) for z in range(2 * n + 1) for y in range(3) for x in range(3)]
    for x, y, z in places:
        height = first + z / 2
        points.InsertNextPoint(x / 2 + 0.3 * np.sin(height) + 0.05 * y ** 2, y / 2 + 0.1 * x ** 2 + height / 9, height)
    grid.SetPoints(points)
    at = {place: k for k, place in enumerate(places)}
    lattice = (2 * np.array(vtkTriQuadraticHexahedron().GetParametricCoords()[:81]).reshape(27, 3)).round().astype(int)
    for c in range(n):
        grid.InsertNextCell(VTK_TRIQUADRATIC_HEXAHEDRON, 27, [at[x, y, z + 2 * c] for x, y, z in lattice])
    array = numpy_to_vtk(np.array([(first + z / 2) ** 3 for _, _, z in places]), deep=1)
    array.SetName("cube")
    grid.GetPointData().AddArray(array)
    return grid


def rim(data, height):
    """The points of the four edges at a height, sorted."""
    places = vtk_to_numpy(data.GetPoints().GetData())
    return sorted(tuple(place) for place in places[np.abs(places[:, 2] - height) < 1e-6].round(5).tolist())


def parts_fit():
    """Each process makes the points of a whole mesh: the edges between two processes are the same."""
    whole = made_by("AdaptiveCells", column(0, RANKS))
    part = made_by("AdaptiveCells", column(RANK, 1))
    check(field_value(part, "Chord Tolerance").ToDouble() == field_value(whole, "Chord Tolerance").ToDouble(), "the box")
    mine = rim(part, RANK + 1)
    below = rim(part, RANK)
    for rank in range(RANKS - 1):
        if RANK == rank:
            CONTROLLER.Send(numpy_to_vtk(np.array(mine), deep=1), rank + 1, 5)
        elif RANK == rank + 1:
            array = numpy_to_vtk(np.zeros((0, 3)))
            CONTROLLER.Receive(array, rank, 5)
            theirs = [tuple(row) for row in vtk_to_numpy(array).tolist()]
            on_edges = [place for place in theirs if place in set(below)]
            check(len(on_edges) >= 8, f"{len(on_edges)} points in common")


def nothing_on_some():
    data = column(0, 1) if RANK == 0 else vtkUnstructuredGrid()
    out = made_by("AdaptiveCells", data)
    check((out.GetNumberOfCells() > 0) == (RANK == 0), "only the first has cells")
    check(field_value(out, "Curved Faces").ToLongLong() == 6, "the report is of all")


main(parts_fit, nothing_on_some)
