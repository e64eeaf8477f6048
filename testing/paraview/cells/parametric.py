# SPDX-License-Identifier: BSD-3-Clause
"""Parametric coordinates against VTK: its cells, asked for the place with these coordinates, give the point."""
import numpy as np
from tessera_testing import check, main, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import reference, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkGenericCell, vtkUnstructuredGrid
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

# Of these VTK counts parameters from parts of the cell, or finds them from its points.
WITHOUT = {2: 4, 4: 5, 6: 6, 7: 5}
LATTICES = [number for number in range(68, 81) if number != 74]
OTHERS = [1, 3, 5, *range(8, 17), *range(21, 36), 37]
PRISM = 15  # VTK's own coordinates of its corners are cut to 6 digits


def grid_of(types, cells, places):
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places, float), deep=1))
    grid.SetPoints(points)
    for number, ids in zip(types, cells):
        grid.InsertNextCell(number, len(ids), [int(k) for k in ids])
    return grid


def bent(places, amount, seed):
    return places + np.random.default_rng(seed).uniform(-amount, amount, places.shape)


def nodes_of(number):
    """The nodes of a cell of the type in places where it has no folds."""
    cell = vtkGenericCell.InstantiateCell(number)
    if number in WITHOUT or number < 4:
        n = WITHOUT.get(number, number if number < 2 else 2)
        return np.array([[k // 2, k % 2, 0.0] for k in range(n)])
    n = cell.GetNumberOfPoints()
    places = np.array(cell.GetParametricCoords()[:3 * n]).reshape(n, 3)
    if number in (14, 27):  # collapsed: towards the apex x and y shrink
        places[:, :2] += (0.5 - places[:, :2]) * places[:, 2:]
    return places


def check_points(grid, name, **properties):
    """Each point that has parameters is where VTK's cell says. Returns how many have."""
    out = made_by("AdaptiveCells", grid, GenerateParametricCoordinates=1, UseFieldError=0, **properties)
    at = vtk_to_numpy(out.GetPointData().GetArray("ParametricCoordinates"))
    cells = vtk_to_numpy(out.GetPointData().GetArray("ParametricCell"))
    places, known = vtk_to_numpy(out.GetPoints().GetData()).astype(float), ~np.isnan(at[:, 0])
    points = np.flatnonzero(known)
    for point in points[::1 + len(points) // 200]:
        cell, there = grid.GetCell(int(cells[point])), [0.0] * 3
        exact = 1e-5 if cell.GetCellType() == PRISM else 1e-9
        cell.EvaluateLocation(reference(0), at[point].tolist(), there, [0.0] * cell.GetNumberOfPoints())
        off = np.linalg.norm(np.array(there) - places[point])
        check(off < exact, f"{name}: {at[point]} of cell {cells[point]} is {there}, not {places[point]}")
    check(len(cells) == len(places) and (cells >= 0).all() and (cells < grid.GetNumberOfCells()).all(), f"{name}: cells")
    return int(known.sum()), len(known)


def every_type():
    for number in OTHERS:
        places = bent(nodes_of(number), 0.05 if number > 20 else 0.0, number)
        grid = grid_of([number], [range(len(places))], places)
        for kind in ("Surface", "Curves"):
            known, points = check_points(grid, f"type {number}, {kind}", OutputType=kind, ChordError=0.01)
            check(known == points > 0, f"type {number}, {kind}: {known} of {points}")
    for number, n in WITHOUT.items():
        grid = grid_of([number], [range(n)], nodes_of(number))
        check(check_points(grid, f"type {number}")[0] == 0, f"type {number} has none")


def lattices():
    for number in LATTICES:
        for degree in (1, 2, 4):
            source = vtkCellTypeSource()
            source.SetCellType(number)
            source.SetCellOrder(degree)
            source.SetBlocksDimensions(2, 1, 1)
            source.Update()
            grid = source.GetOutput()
            places = bent(vtk_to_numpy(grid.GetPoints().GetData()).astype(float), 0.03, degree)
            points = vtkPoints()
            points.SetData(numpy_to_vtk(places, deep=1))
            grid.SetPoints(points)
            grid.GetPointData().Initialize()
            for rational in range(2 if number > 74 else 1):
                if rational:
                    weights = numpy_to_vtk(np.random.default_rng(degree).uniform(0.8, 1.25, len(places)), deep=1)
                    weights.SetName("weights")
                    grid.GetPointData().SetRationalWeights(weights)
                for kind in ("Surface", "Curves"):
                    name = f"type {number}, degree {degree}, rational {rational}, {kind}"
                    known, points = check_points(grid, name, OutputType=kind, ChordError=0.05)
                    check(known == points > degree, f"{name}: {known} of {points}")


def where_cells_meet():
    """A polygon and a square with a common side: the polygon has no parameters, so the side has the square's. Of two
    squares the first one counts."""
    places = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0], [2, 1, 0], [-1, 0, 0], [-1, 0.5, 0], [-1, 1, 0]], float)
    grid = grid_of([7, 9, 9], [[0, 3, 8, 7, 6], [0, 1, 2, 3], [1, 4, 5, 2]], places)
    out = made_by("AdaptiveCells", grid, GenerateParametricCoordinates=1)
    cells = vtk_to_numpy(out.GetPointData().GetArray("ParametricCell"))
    check(list(cells) == [1, 1, 1, 1, 2, 2, 0, 0, 0], f"{cells}")
    check(made_by("AdaptiveCells", grid).GetPointData().GetArray("ParametricCell") is None, "on request alone")


main(every_type, lattices, where_cells_meet)
