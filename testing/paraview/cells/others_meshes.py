# SPDX-License-Identifier: BSD-3-Clause
"""A curved mesh that Gmsh makes, of degree 2: closed, and as near to Gmsh's own evaluation of the elements as
the chord error says. Skipped without the module gmsh. Prints triangles and seconds beside VTK's subdivision."""
import time

import numpy as np
from tessera_testing import Skipped, check, main, made_by, say
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import mutable, vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_LAGRANGE_TETRAHEDRON, vtkCellLocator, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkFeatureEdges
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter
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


def mesh_of(gmsh, degree, shared):
    """A ball with a hole, as Lagrange tetrahedra. shared: 0: each cell has points of its own."""
    tags, places, _ = gmsh.model.mesh.getNodes()
    at = {int(tag): k for k, tag in enumerate(tags)}
    places = np.array(places).reshape(-1, 3)  # a copy: Gmsh frees what its own array refers to
    kinds, _, nodes = gmsh.model.mesh.getElements(3)
    check(len(kinds) == 1, "tetrahedra alone")
    local = np.array(gmsh.model.mesh.getElementProperties(int(kinds[0]))[4]).reshape(-1, 3)
    cells = np.array([at[int(tag)] for tag in nodes[0]]).reshape(-1, len(local))[:, order_of(degree, local)]
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


def true_places(gmsh):
    """Places on the curved triangles of the surface, by Gmsh."""
    kind = int(gmsh.model.mesh.getElements(2)[0][0])
    local = [(i / 6, j / 6, 0.0) for i in range(7) for j in range(7 - i)]
    return np.array(gmsh.model.mesh.getJacobians(kind, np.ravel(local))[2]).reshape(-1, 3)


def subdivision(grid, places, level):
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.SetNonlinearSubdivisionLevel(level)
    start = time.process_time()
    surface.Update()
    seconds = time.process_time() - start
    out = surface.GetOutput()
    return f"VTK level {level}: {out.GetNumberOfPolys()} triangles, off by {farthest(out, places):.1e}, {seconds:.3f} s"


def ball_of_gmsh(gmsh, degree):
    gmsh.model.mesh.setOrder(degree)
    places, grid = true_places(gmsh), mesh_of(gmsh, degree, True)
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
    alone = made_by("AdaptiveCells", mesh_of(gmsh, degree, False), ChordError=CHORD, ChordErrorMode="Absolute")
    check(open_edges(alone) == 0, f"degree {degree}, discontinuous: {open_edges(alone)} open edges")
    check(alone.GetNumberOfPolys() >= 4 * grid.GetNumberOfCells(), "each cell is drawn whole")


def gmsh_meshes():
    try:
        import gmsh
    except (ImportError, OSError) as reason:
        raise Skipped(f"there is no gmsh: {reason}") from reason
    gmsh.initialize(interruptible=False)
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.6)
    gmsh.model.occ.cut([(3, gmsh.model.occ.addSphere(0, 0, 0, 1))], [(3, gmsh.model.occ.addSphere(0.3, 0, 0, 0.4))])
    gmsh.model.occ.synchronize()
    gmsh.model.mesh.generate(3)
    ball_of_gmsh(gmsh, 2)
    gmsh.finalize()


main(gmsh_meshes)
