# SPDX-License-Identifier: BSD-3-Clause
"""Curved meshes that Gmsh makes, of degree 2 to 8: closed, and as near to Gmsh's own evaluation of the elements as
the chord error says. Skipped without the module gmsh. Prints triangles and seconds beside VTK's subdivision."""
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from tessera_testing import Skipped, check, main, made_by, say
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import mutable, vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_LAGRANGE_TETRAHEDRON, vtkCellLocator, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkFeatureEdges
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

CHORD = 2e-3
WRITER = Path(__file__).resolve().parents[1] / "support/write_curved.py"


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


def farthest(surface, places):
    """Largest distance of the places from the surface."""
    locator, found, most = vtkCellLocator(), [0.0] * 3, 0.0
    locator.SetDataSet(surface)
    locator.BuildLocator()
    cell, part, squared = mutable(0), mutable(0), mutable(0.0)
    for place in places:
        locator.FindClosestPoint(place, found, cell, part, squared)
        most = max(most, float(squared) ** 0.5)
    return most


def open_edges(data):
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def subdivision(grid, places, level):
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.SetNonlinearSubdivisionLevel(level)
    start = time.process_time()
    surface.Update()
    seconds = time.process_time() - start
    out = surface.GetOutput()
    return f"VTK level {level}: {out.GetNumberOfPolys()} triangles, off by {farthest(out, places):.1e}, {seconds:.3f} s"


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
    python = shutil.which("python3")
    if not python:
        raise Skipped("there is no python3")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "curved.npz"
        clean = {name: os.environ[name] for name in os.environ if name not in ("LD_LIBRARY_PATH", "PYTHONPATH")}
        clean["OMP_NUM_THREADS"] = clean["OPENBLAS_NUM_THREADS"] = "1"
        run = subprocess.run([python, str(WRITER), str(path)], capture_output=True, text=True, env=clean, check=False)
        if run.returncode == 77:
            raise Skipped(f"there is no gmsh: {run.stdout.strip()}")
        check(run.returncode == 0, f"Gmsh: {run.stdout} {run.stderr}")
        made = dict(np.load(path))
    for degree in range(2, 9):
        ball_of_gmsh(made, degree)


main(gmsh_meshes)
