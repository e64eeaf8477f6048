# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 2 4 7 symmetric
"""Adaptive Cells on several processes: box and ranges of all together, faces that neighbours share, and what comes out
of all of them, byte for byte what one process makes."""
import hashlib

import numpy as np
from tessera_testing import check, field_value, main, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_TRIQUADRATIC_HEXAHEDRON, vtkDataSetAttributes, vtkTriQuadraticHexahedron,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkParallelCore import vtkMultiProcessController

CELLS = 14  # of the column that all numbers of processes divide alike
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


def own_part():
    """This process's cells of the column, and a ghost cell at each end where it goes on."""
    first, last = CELLS * RANK // RANKS, CELLS * (RANK + 1) // RANKS
    low, high = max(first - 1, 0), min(last + 1, CELLS)
    grid = column(low, high - low)
    ghosts = np.array([vtkDataSetAttributes.DUPLICATECELL * (not first <= c < last) for c in range(low, high)], np.uint8)
    array = numpy_to_vtk(ghosts, deep=1)
    array.SetName("vtkGhostType")
    grid.GetCellData().AddArray(array)
    return grid


def rows(data):
    """For each cell that is no ghost a digest of its points and of their values, sorted."""
    places, values = (vtk_to_numpy(array) for array in (data.GetPoints().GetData(), data.GetPointData().GetArray("cube")))
    ghosts = data.GetCellData().GetArray("vtkGhostType")
    found = []
    for c in range(data.GetNumberOfCells()):
        if not (ghosts and ghosts.GetValue(c)):
            cell = data.GetCell(c)
            ids = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
            found.append(hashlib.sha256(places[ids].tobytes() + values[ids].tobytes()).digest())
    return sorted(found)


def gathered(mine):
    """The rows of all processes, sorted, on the first; the others get their own."""
    if RANK > 0:
        CONTROLLER.Send(numpy_to_vtk(np.frombuffer(b"".join(mine), np.uint8), deep=1), 0, 6)
        return mine
    found = list(mine)
    for rank in range(1, RANKS):
        array = numpy_to_vtk(np.zeros(0, np.uint8), deep=1)
        CONTROLLER.Receive(array, rank, 6)
        theirs = vtk_to_numpy(array).tobytes()
        found += [theirs[k:k + 32] for k in range(0, len(theirs), 32)]
    return sorted(found)


def the_same_bytes():
    """Triangles once each; edges between two processes are made by both."""
    for output in ("Surface", "Curves"):
        whole = rows(made_by("AdaptiveCells", column(0, CELLS), OutputType=output))
        found = gathered(rows(made_by("AdaptiveCells", own_part(), OutputType=output)))
        if output == "Curves":
            whole, found = sorted(set(whole)), sorted(set(found))
        check(len(whole) > 6 * CELLS, f"{output}: {len(whole)} cells")
        check(RANK > 0 or found == whole, f"{output}: {len(found)} cells, of one process {len(whole)}")


main(parts_fit, nothing_on_some, the_same_bytes)
