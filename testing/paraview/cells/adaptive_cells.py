# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells against VTK and known surfaces: shape, closedness, arrays, blocks, messages."""
import numpy as np
from curved_meshes import bar, lagrange, moving, wave
from tessera_testing import check, field_value, grid, main, made_by, messages, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_FLOAT, reference, vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_LAGRANGE_HEXAHEDRON, vtkDataSetAttributes,
                                           vtkHigherOrderHexahedron, vtkMultiBlockDataSet, vtkPolyData,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties


def ball(n, degree, kind=VTK_LAGRANGE_HEXAHEDRON):
    """n x n x n Lagrange hexahedra, whose nodes lie in the unit ball; those outside on the sphere."""
    m = n * degree + 1
    z, y, x = np.meshgrid(*[np.linspace(-1, 1, m)] * 3, indexing="ij")
    places = np.stack([x * np.sqrt(1 - y ** 2 / 2 - z ** 2 / 2 + y ** 2 * z ** 2 / 3),
                       y * np.sqrt(1 - x ** 2 / 2 - z ** 2 / 2 + x ** 2 * z ** 2 / 3),
                       z * np.sqrt(1 - x ** 2 / 2 - y ** 2 / 2 + x ** 2 * y ** 2 / 3)], axis=-1).reshape(-1, 3)
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=1))
    grid.SetPoints(points)
    order = [degree] * 3
    for c in np.ndindex(n, n, n):
        ids = [0] * (degree + 1) ** 3
        for k in np.ndindex(degree + 1, degree + 1, degree + 1):
            node = vtkHigherOrderHexahedron.PointIndexFromIJK(k[2], k[1], k[0], order)
            at = [c[a] * degree + k[a] for a in range(3)]
            ids[node] = (at[0] * m + at[1]) * m + at[2]
        grid.InsertNextCell(kind, len(ids), ids)
    lattice = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    for name, values in (("height", places[:, 2].copy()), ("place", places.astype(np.float32)), ("lattice", lattice)):
        array = numpy_to_vtk(values, deep=1)
        array.SetName(name)
        grid.GetPointData().AddArray(array)
    number = numpy_to_vtk(np.arange(n ** 3), deep=1)
    number.SetName("number")
    grid.GetCellData().AddArray(number)
    return grid


def made(data, said=None, **properties):
    """Output of Adaptive Cells. Nothing may be said, or, in one message, what `said` says."""
    return made_by("AdaptiveCells", data, said, **properties)


def points_of(data):
    return vtk_to_numpy(data.GetPoints().GetData()).astype(float)


def triangles_of(data):
    return vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)


def open_edges(data):
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def surface_of_a_ball():
    """Degree 4 with 2 x 2 x 2 cells is 4e-4 from the sphere at most."""
    for degree, chord in ((2, 3e-3), (4, 1e-3), (4, 1e-4)):
        out = made(ball(3, degree), ChordError=chord, ChordErrorMode="Absolute", UseFieldError=0)
        check(open_edges(out) == 0, f"degree {degree}: {open_edges(out)} open edges")
        mass = vtkMassProperties()
        mass.SetInputData(out)
        mass.Update()
        off = abs(mass.GetVolume() - 4 / 3 * np.pi)
        check(off < 4 * np.pi * (chord + 2e-3), f"degree {degree}: the volume is off by {off}")
        corners = points_of(out)[triangles_of(out)]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        check((np.einsum("ij,ij->i", normals, corners.mean(axis=1)) > 0).all(), "normals point outward")
    check(field_value(out, "Curved Faces").ToLongLong() == 54, "9 faces on each of 6 sides")


def error_against_vtk():
    """VTK's cells are within the errors of what is drawn. The array lattice is linear in each cell, and so says
    where a point of a triangle belongs."""
    n = 2
    grid = ball(n, 3)
    out = made(grid, ChordError=2e-3, ChordErrorMode="Absolute", FieldErrorArrays=["height"], FieldError=1e-3,
               FieldErrorMode="Absolute", GenerateSourceCell=1)
    source = vtk_to_numpy(out.GetCellData().GetArray("SourceCell"))
    arrays = [points_of(out)] + [vtk_to_numpy(out.GetPointData().GetArray(name)) for name in ("height", "lattice")]
    check(np.allclose(arrays[1], arrays[0][:, 2], atol=1e-12), "an array that is a coordinate follows it")
    off, rng = [0, 0], np.random.default_rng(1)
    for t in rng.choice(len(source), 400):
        inside = rng.dirichlet([1, 1, 1])
        place, height, lattice = (inside @ array[triangles_of(out)[t]] for array in arrays)
        cell, corner = grid.GetCell(int(source[t])), np.array(np.unravel_index(source[t], (n, n, n)))[::-1]
        weights, there = [0.0] * cell.GetNumberOfPoints(), [0.0] * 3
        cell.EvaluateLocation(reference(0), list((lattice + 1) / 2 * n - corner), there, weights)
        heights = [grid.GetPoint(cell.GetPointId(k))[2] for k in range(cell.GetNumberOfPoints())]
        off[0] = max(off[0], np.linalg.norm(place - there))
        off[1] = max(off[1], abs(height - np.dot(weights, heights)))
    check(5e-5 < off[0] <= 2e-3, f"off by {off[0]}")
    check(off[1] <= 1e-3, f"the field is off by {off[1]}")


def arrays_and_cells():
    grid = ball(2, 2)
    names = vtkStringArray()
    names.SetName("name")
    names.SetNumberOfValues(grid.GetNumberOfPoints())
    grid.GetPointData().AddArray(names)
    out = made(grid, said="The point array 'name' has no numbers", GenerateSourceCell=1)
    number = vtk_to_numpy(out.GetCellData().GetArray("number"))
    check((number == vtk_to_numpy(out.GetCellData().GetArray("SourceCell"))).all(), "cell arrays")
    check(np.allclose(vtk_to_numpy(out.GetPointData().GetArray("place")), points_of(out), atol=1e-6), "3 components")
    check(out.GetPoints().GetDataType() == 11, "double as the input")
    check(made(grid, said="name", OutputPrecision="Single").GetPoints().GetDataType() == 10, "single")


def ghosts_and_blocks():
    """Two halves, each with the other's cells as ghosts: no wall between them."""
    whole = made(ball(2, 2), UseFieldError=0)
    blocks = vtkMultiBlockDataSet()
    for half in range(2):
        grid = ball(2, 2)
        ghost = np.zeros(8, np.uint8)
        ghost[4 * half:4 * half + 4] = vtkDataSetAttributes.DUPLICATECELL
        array = numpy_to_vtk(ghost, deep=1)
        array.SetName("vtkGhostType")
        grid.GetCellData().AddArray(array)
        blocks.SetBlock(half, grid)
    blocks.SetBlock(2, vtkPolyData())
    out = made(blocks, said="1 dataset is no unstructured grid", UseFieldError=0)
    parts = [out.GetBlock(k) for k in range(2)]
    check(sum(p.GetNumberOfPolys() for p in parts) == whole.GetNumberOfPolys(), "as many triangles")


def linear_and_bad():
    grid = ball(3, 1, VTK_HEXAHEDRON)
    out = made(grid)
    check(out.GetNumberOfPolys() == 54 and out.GetPolys().GetMaxCellSize() == 4, "quadrilaterals as they are")
    grid = ball(2, 2)
    grid.GetPoints().SetPoint(0, np.nan, 0, 0)
    made(grid, said="1 cell (of cell 0) is left out")
    made(ball(2, 2), said="There is no numeric point array 'nothing'", FieldErrorArrays=["nothing"])
    made(ball(2, 2), said="are drawn too coarsely", MaximumSegments=1, ChordError=1e-6)
    empty = made(vtkUnstructuredGrid())
    check(empty.GetNumberOfCells() == 0, "nothing of nothing")


def shape_of_triangles():
    """Normals of the ball are its directions; angles and edges of triangles are as asked."""
    out = made(ball(2, 4), UseChordError=0, UseFieldError=0, UseNormalAngle=1, NormalAngle=8, UseMaximumEdgeLength=1,
               MaximumEdgeLength=0.3, GenerateNormals=1)
    normals, places = vtk_to_numpy(out.GetPointData().GetNormals()).astype(float), points_of(out)
    check(np.abs(normals - places / np.linalg.norm(places, axis=1)[:, None]).max() < 0.02, "normals point outward")
    corners, at = places[triangles_of(out)], normals[triangles_of(out)]
    edges = np.roll(corners, -1, axis=1) - corners
    check(np.linalg.norm(edges, axis=2).max() <= 0.3, "an edge is too long")
    flat = np.cross(edges[:, 0], edges[:, 1])
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    worst = np.degrees(np.arccos(np.clip(np.einsum("ik,ijk->ij", flat, at), -1, 1).min()))
    check(0.5 < worst <= 8, f"angle {worst}")
    check(open_edges(out) == 0, "closed")


def budget_and_achieved_error():
    """The points fit, and the achieved error is at most what the scaled chord error says."""
    blocks = vtkMultiBlockDataSet()
    for k in range(2):
        blocks.SetBlock(k, ball(2, 3))
    out = made(blocks, PointBudget=3000, UseFieldError=0, GenerateAchievedError=1)
    parts, scale = [out.GetBlock(k) for k in range(2)], field_value(out, "Tolerance Scale").ToDouble()
    points = sum(part.GetNumberOfPoints() for part in parts)
    check(2000 < points <= 3000 and scale > 1, f"{points} points, scale {scale}")
    used = field_value(out, "Chord Tolerance").ToDouble()
    for part in parts:
        most = vtk_to_numpy(part.GetCellData().GetArray("AchievedError")).max()
        check(0.3 * used < most <= used * 1.0001, f"{most} of {used}")
    made(ball(2, 3), said="The point budget of 10 is too small", PointBudget=10)


def curves():
    """24 faces have 48 edges; their points are points of the surface."""
    surface, out = made(ball(2, 3)), made(ball(2, 3), OutputType="Curves")
    check(out.GetNumberOfLines() == 48 and out.GetNumberOfPolys() == 0, f"{out.GetNumberOfLines()} lines")
    places = set(map(tuple, points_of(surface)))
    check(all(tuple(place) in places for place in points_of(out)), "points of the surface")
    check(out.GetCellData().GetArray("number").GetNumberOfTuples() == 48, "cell arrays")


def merge_points():
    """A ball whose cells have points of their own is drawn as the ball, and without Merge Points cell by cell."""
    ball_itself, split = ball(2, 2), vtkUnstructuredGrid()
    ids = vtk_to_numpy(ball_itself.GetCells().GetConnectivityArray())
    points = vtkPoints()
    points.SetData(numpy_to_vtk(points_of(ball_itself)[ids], deep=1))
    split.SetPoints(points)
    for cell in range(8):
        split.InsertNextCell(VTK_LAGRANGE_HEXAHEDRON, 27, list(range(27 * cell, 27 * cell + 27)))
    apart, merged = made(split), made(split, MergePoints=1)
    check(open_edges(merged) == 0 and merged.GetNumberOfPolys() == made(ball_itself, UseFieldError=0).GetNumberOfPolys(),
          f"{merged.GetNumberOfPolys()} triangles")
    check(apart.GetNumberOfPolys() > 1.5 * merged.GetNumberOfPolys(), f"{apart.GetNumberOfPolys()} triangles")


def rounding_counts():
    """Coordinates of a million are 1/16 apart in single precision. The points come out in double precision where that
    is too much, and what cannot be kept is said."""
    data = lagrange(2, 2, lambda p: bar(p) + 1e6)
    data.GetPoints().SetData(numpy_to_vtk(points_of(data).astype(np.float32), deep=1))
    near = dict(ChordErrorMode="Absolute", UseFieldError=0, GenerateAchievedError=1)
    for chord, said, properties in (
            (1.0, None, {}), (0.1, "the output points are in double precision", {}),
            (0.1, "set Output Precision to Double", {"OutputPrecision": "Single"}),
            (0.1, None, {"OutputPrecision": "Double"})):
        out = made(data, said, ChordError=chord, **near, **properties)
        error = vtk_to_numpy(out.GetCellData().GetArray("AchievedError")).max()
        kept = said is None or "are in double" in said
        check((error <= chord) == kept, f"{chord}: {properties}: {error}")
        check((out.GetPoints().GetDataType() == VTK_FLOAT) == (chord == 1 or not kept), f"{chord}: {properties}")
    made(lagrange(2, 2, lambda p: bar(p) + 1e12), "Double precision moves points", ChordError=0.015, **near)
    pressure = numpy_to_vtk((101325 + points_of(data)[:, 2] - 1e6).astype(np.float32), deep=1)
    pressure.SetName("p")
    data.GetPointData().AddArray(pressure)
    made(data, "from values of the point array 'p', more than half of its field error", UseChordError=0)
    corners = [[data.GetCell(c).GetPointId(k) for k in range(8)] for c in range(data.GetNumberOfCells())]
    linear = grid(points_of(data), [(VTK_HEXAHEDRON, ids) for ids in corners], VTK_FLOAT)
    linear.GetPointData().AddArray(pressure)
    out = made(linear, ChordErrorMode="Absolute", ChordError=0.1)
    check(out.GetPoints().GetDataType() == VTK_FLOAT, "what is copied stays as it is")


def time_steps():
    """Each step has its own values: at the nodes of the mesh those of a wave that has moved."""
    proxy = simple.AdaptiveCells(Input=moving(), UseFieldError=0)
    nodes = {tuple(place) for place in points_of(lagrange(2, 2)).tolist()}
    for time in range(3):
        proxy.UpdatePipeline(float(time))
        out = proxy.GetClientSideObject().GetOutputDataObject(0)
        there = [i for i, place in enumerate(points_of(out).tolist()) if tuple(place) in nodes]
        off = vtk_to_numpy(out.GetPointData().GetArray("wave"))[there] - wave(points_of(out)[there] + time)
        check(len(there) > 25 and np.abs(off).max() < 1e-12, f"step {time}: {len(there)} nodes, {np.abs(off).max()}")
    check(messages() == "", "no message")
    simple.Delete(proxy)


if __name__ == "__main__":
    main(surface_of_a_ball, error_against_vtk, arrays_and_cells, ghosts_and_blocks, linear_and_bad, shape_of_triangles,
         budget_and_achieved_error, curves, merge_points, rounding_counts, time_steps)
