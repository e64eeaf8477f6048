# SPDX-License-Identifier: BSD-3-Clause
"""Curved meshes that Gmsh makes, of degree 2 to 8: closed, and as near to Gmsh's own evaluation of the elements as
the chord error says. Skipped without the module gmsh. Prints triangles and seconds beside VTK's subdivision."""
import tempfile
import time
from pathlib import Path

import numpy as np
from curved_testing import farthest, open_edges, subdivision, written_by
from tessera_testing import check, main, made_by, say
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_LAGRANGE_TETRAHEDRON, vtkUnstructuredGrid
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

CHORD = 2e-3


def order_of(degree, local):
    """For each node of VTK's tetrahedron, the number of Gmsh's node in its place: by a cell that VTK makes."""
    source = vtkCellTypeSource()
    source.SetCellType(VTK_LAGRANGE_TETRAHEDRON)
    source.SetCellOrder(degree)
    source.SetBlocksDimensions(1, 1, 1)
    source.Update()
    places = vtk_to_numpy(source.GetOutput().GetCell(0).GetPoints().GetData()).astype(float)
    parameters = np.linalg.solve((places[1:4] - places[0]).T, (places - places[0]).T).T
    order = [int(np.abs(local - place).sum(axis=1).argmin()) for place in parameters]
    check(sorted(order) == list(range(len(local))), "each node has its place")
    return order


def mesh_of(made, degree, shared):
    """A ball with a hole, as Lagrange tetrahedra. shared: 0: each cell has points of its own."""
    places = made[f"places_{degree}"]
    cells = made[f"cells_{degree}"][:, order_of(degree, made[f"local_{degree}"])]
    if not shared:
        places, cells = places[cells.ravel()], np.arange(cells.size).reshape(cells.shape)
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places), deep=1))
    grid.SetPoints(points)
    for cell in cells:
        grid.InsertNextCell(VTK_LAGRANGE_TETRAHEDRON, len(cell), cell.tolist())
    return grid


def ball_of_gmsh(made, degree):
    places, grid = made[f"true_{degree}"], mesh_of(made, degree, True)
    start = time.process_time()
    out = made_by("AdaptiveCells", grid, ChordError=CHORD, ChordErrorMode="Absolute", GenerateAchievedError=1, Threads=1)
    seconds = time.process_time() - start
    reported = vtk_to_numpy(out.GetCellData().GetArray("AchievedError")).max()
    off = farthest(out, places)
    check(open_edges(out) == 0, f"degree {degree}: {open_edges(out)} open edges")
    check(off <= reported <= CHORD * 1.0001, f"degree {degree}: off by {off}, reported {reported}")
    check(off > 0.02 * CHORD, f"degree {degree}: off by only {off}")
    say(f"degree {degree}, {grid.GetNumberOfCells()} tetrahedra: {out.GetNumberOfPolys()} triangles, off by {off:.1e} of "
        f"{reported:.1e}, {seconds:.3f} s; {subdivision(grid, places, 2)}")
    split = mesh_of(made, degree, False)
    alone = made_by("AdaptiveCells", split, ChordError=CHORD, ChordErrorMode="Absolute")
    check(open_edges(alone) == 0, f"degree {degree}, discontinuous: {open_edges(alone)} open edges")
    check(alone.GetNumberOfPolys() >= 4 * grid.GetNumberOfCells(), "each cell is drawn whole")
    merged = made_by("AdaptiveCells", split, ChordError=CHORD, ChordErrorMode="Absolute", MergePoints=1)
    check(open_edges(merged) == 0 and merged.GetNumberOfPolys() == out.GetNumberOfPolys(),
          f"degree {degree}, merged: {merged.GetNumberOfPolys()} triangles, not {out.GetNumberOfPolys()}")


def gmsh_meshes():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "curved.npz"
        written_by("gmsh", "write_curved.py", path)
        made = dict(np.load(path))
    for degree in range(2, 9):
        ball_of_gmsh(made, degree)


main(gmsh_meshes)
