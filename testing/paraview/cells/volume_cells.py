# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells with Output Type Cells: volumes, closedness, arrays, what other filters make of the tetrahedra."""
import numpy as np
from adaptive_cells import ball, made, open_edges, points_of
from tessera_testing import check, field_value, main
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_HEXAHEDRON, VTK_HEXAHEDRON, VTK_LAGRANGE_HEXAHEDRON, VTK_TETRA,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkMassProperties, vtkTriangleFilter
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes


def solid(data, said=None, **properties):
    return made(data, said, OutputType="Cells", ChordErrorMode="Absolute", **properties)


def bent_cube(n, degree, kind):
    """The cube [-1, 1]^3, whose inner nodes are moved and whose sides stay plane: its volume stays 8."""
    grid = ball(n, degree, kind)
    at = vtk_to_numpy(grid.GetPointData().GetArray("lattice"))
    inside = np.prod(1 - at ** 2, axis=1)[:, None]
    points_of_grid = vtk_to_numpy(grid.GetPoints().GetData())
    points_of_grid[:] = at + 0.2 * inside * np.sin(3 * at[:, [1, 2, 0]])
    return grid


def tetrahedra_of(data):
    ids = vtk_to_numpy(data.GetCells().GetConnectivityArray()).reshape(-1, 4)
    p = points_of(data)[ids]
    return np.einsum("ij,ij->i", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0]) / 6


def outside_of(data):
    surface, triangles = vtkGeometryFilter(), vtkTriangleFilter()
    surface.SetInputData(data)
    triangles.SetInputConnection(surface.GetOutputPort())
    triangles.Update()
    return triangles.GetOutput()


def volume_within(surface):
    mass = vtkMassProperties()
    mass.SetInputData(surface)
    mass.Update()
    return mass.GetVolume()


def integral(data):
    it = vtkIntegrateAttributes()
    it.SetInputData(data)
    it.Update()
    cells, points = it.GetOutput().GetCellData(), it.GetOutput().GetPointData()
    return cells.GetArray("Volume").GetValue(0), points.GetArray("height").GetValue(0)


def volume_of_a_ball():
    """Degree 4 with 2 x 2 x 2 cells is 4e-4 from the sphere at most, degree 2 with 3 x 3 x 3 cells 2e-3."""
    for n, degree, chord in ((3, 2, 1e-2), (2, 4, 1e-2)):
        out = solid(ball(n, degree), ChordError=chord, UseFieldError=0)
        check(set(vtk_to_numpy(out.GetCellTypesArray())) == {VTK_TETRA}, "tetrahedra")
        volumes, (volume, height) = tetrahedra_of(out), integral(out)
        # The ball's cells are flat along the edges of the lattice, where two sides meet in a plane.
        at = vtk_to_numpy(out.GetPointData().GetArray("lattice"))[vtk_to_numpy(
            out.GetCells().GetConnectivityArray()).reshape(-1, 4)].mean(axis=1)
        turned = volumes <= 0
        check((np.sort(np.abs(at[turned]), axis=1)[:, 1] > 0.5).all() and volumes[turned].sum() > -1e-3,
              f"degree {degree}: {turned.sum()} tetrahedra are turned inside out, of volume {volumes[turned].sum()}")
        check(abs(volumes.sum() - volume) < 1e-9, "the volume of Integrate Variables")
        off = abs(volume - 4 / 3 * np.pi)
        check(off < 4 * np.pi * (chord + 2e-3), f"degree {degree}: the volume is off by {off}")
        check(abs(height) < 1e-2, f"degree {degree}: the integral of z is {height}")
        surface = outside_of(out)
        check(open_edges(surface) == 0, f"degree {degree}: {open_edges(surface)} open edges outside")
        check(abs(volume_within(surface) - volume) < 1e-5, "the tetrahedra fill their surface")


def volume_of_a_bent_cube():
    """Where the sides are plane, the tetrahedra have the volume of the cube whatever happens inside."""
    for kind in (VTK_LAGRANGE_HEXAHEDRON, VTK_BEZIER_HEXAHEDRON):
        for degree in (2, 3):
            out = solid(bent_cube(2, degree, kind), ChordError=0.02, UseFieldError=0)
            check(abs(tetrahedra_of(out).sum() - 8) < 1e-9, f"type {kind}, degree {degree}: {tetrahedra_of(out).sum()}")
            check(abs(volume_within(outside_of(out)) - 8) < 1e-5, f"type {kind}, degree {degree}: the surface")


def arrays_come_along():
    """A cell has the number of its input cell. Each of the 27 cells of the bent cube's lattice keeps its points."""
    data = bent_cube(3, 2, VTK_LAGRANGE_HEXAHEDRON)
    out = solid(data, ChordError=0.02, FieldErrorArrays=["height"], FieldError=0.05, GenerateSourceCell=1)
    number = vtk_to_numpy(out.GetCellData().GetArray("number"))
    check((number == vtk_to_numpy(out.GetCellData().GetArray("SourceCell"))).all(), "number and source cell")
    check(set(number) == set(range(27)), "every cell has tetrahedra")
    at = vtk_to_numpy(out.GetPointData().GetArray("lattice"))
    ids = vtk_to_numpy(out.GetCells().GetConnectivityArray()).reshape(-1, 4)
    low = np.stack([number % 3, number // 3 % 3, number // 9], axis=1)[:, ::-1] / 1.5 - 1
    middle = at[ids].mean(axis=1)
    order = low[:, ::-1] if (middle >= low[:, ::-1] - 1e-6).all() else low
    check((middle >= order - 1e-6).all() and (middle <= order + 1 / 1.5 + 1e-6).all(), "tetrahedra lie in their cells")


def other_filters():
    """The plane z = 0 cuts the ball in a disc."""
    contour = vtkContourFilter()
    contour.SetInputData(solid(ball(3, 2), ChordError=5e-3, UseFieldError=0))
    contour.SetInputArrayToProcess(0, 0, 0, 0, "height")
    contour.SetValue(0, 0.1)
    contour.Update()
    mass = vtkMassProperties()
    mass.SetInputData(contour.GetOutput())
    mass.Update()
    exact = np.pi * (1 - 0.1 ** 2)
    check(abs(mass.GetSurfaceArea() - exact) < 0.02 * exact, f"the disc has area {mass.GetSurfaceArea()}, not {exact}")


def linear_cells_and_refusals():
    data, linear = vtkUnstructuredGrid(), ball(2, 1, VTK_HEXAHEDRON)
    out = solid(linear, UseFieldError=0)
    check(out.GetNumberOfCells() == 8 and out.GetCellType(0) == VTK_HEXAHEDRON, "linear cells are copied")
    made(ball(1, 2), "Generate Normals and Generate Parametric Coordinates make nothing with Output Type Cells",
         OutputType="Cells", GenerateNormals=1)
    check(solid(data).GetNumberOfCells() == 0, "nothing of nothing")
    check(field_value(out, "Curved Faces").ToLongLong() == 0, "no curved face")


main(volume_of_a_ball, volume_of_a_bent_cube, arrays_come_along, other_filters, linear_cells_and_refusals)
