# SPDX-License-Identifier: BSD-3-Clause
"""Vertices, polygons and strips pass through with their points and arrays."""
import numpy as np
from tessera_testing import (add_array, cell_array, cell_values, check, lines, main, point_array,
                             points, polydata, run, said)
from vtkmodules.util.numpy_support import vtk_to_numpy

COORDINATES = [(i, i * i, -i) for i in range(12)]


def mixed():
    data = polydata(COORDINATES, lines=[(0, 1, 2), (2, 3)], verts=[(10,), (4, 5)],
                    polys=[(6, 7, 8), (6, 8, 9, 3)], strips=[(1, 6, 7, 9)])
    add_array(data.GetCellData(), "name", np.arange(7) * 10)
    add_array(data.GetPointData(), "id", np.arange(12))
    add_array(data.GetPointData(), "xyz", np.array(COORDINATES, float))
    return data


def ids(cells):
    offsets = vtk_to_numpy(cells.GetOffsetsArray())
    return np.split(vtk_to_numpy(cells.GetConnectivityArray()), offsets[1:-1])


def cells_and_points_survive():
    data = run(mixed(), InterpretLinesAs="Straight")
    id_of = point_array(data, "id")
    # 2 lines of 3 and 2 points, then the used points 1 3 4 5 6 7 8 9 10, each once.
    check(id_of.tolist() == [0, 1, 2, 2, 3] + [1, 3, 4, 5, 6, 7, 8, 9, 10], f"points: {id_of}")
    check(np.array_equal(points(data), np.array(COORDINATES, float)[id_of]), "coordinates")
    check(np.array_equal(point_array(data, "xyz"), points(data)), "point array")
    for cells, expected in ((data.GetVerts(), [[10], [4, 5]]), (data.GetLines(), [[0, 1, 2], [2, 3]]),
                            (data.GetPolys(), [[6, 7, 8], [6, 8, 9, 3]]),
                            (data.GetStrips(), [[1, 6, 7, 9]])):
        check([id_of[c].tolist() for c in ids(cells)] == expected, f"cells: {expected}")


def cell_arrays_keep_their_order():
    data = run(mixed(), GenerateSourceCell=1, GenerateAchievedError=1)
    # The first line is bent and gets more points; the order of the cells is vtkPolyData's.
    check(cell_values(data, "name").tolist() == [0, 10, 20, 30, 40, 50, 60], "cell array")
    check(cell_values(data, "SourceCell").tolist() == list(range(7)), "SourceCell")
    error = cell_values(data, "AchievedError")
    check(error[2] > 0 and 0 <= error[3] < 1e-12, "AchievedError of the lines")
    check((error[[0, 1, 4, 5, 6]] == 0).all(), "AchievedError of the others")


def generated_arrays_are_zero_there():
    data = run(mixed(), GenerateParameter=1, GenerateArcLength=1, GenerateCurvature=1,
               GenerateTangents=1)
    last = data.GetNumberOfPoints() - 9
    for name in ("Parameter", "ArcLength", "Curvature", "Tangents"):
        values = point_array(data, name)
        check(np.isfinite(values).all(), f"{name} is finite")
        check((values[last:] == 0).all(), f"{name} is 0 at points of no curve")


def only_lines_means_no_further_points():
    data = run(polydata(COORDINATES, [(0, 1, 2)]), InterpretLinesAs="Straight")
    check(data.GetNumberOfPoints() == 3, "unused points are not copied")


def bad_ids_are_counted():
    data = mixed()
    data.SetPolys(cell_array([(6, 7, 800), (6, 8, 9), (-1, 2, 3)]))
    add_array(data.GetCellData(), "name", np.arange(8))
    out, text = said(data)
    check("2 vertices, polygons or strips have point ids out of range" in text and
          "the first is cell 4" in text, f"the warning: {text}")
    check(out.GetNumberOfPolys() == 1 and len(lines(out)) == 2, "the rest is done")
    check(cell_values(out, "name").tolist() == [0, 1, 2, 3, 5, 7], "cell array of the rest")


main(cells_and_points_survive, cell_arrays_keep_their_order, generated_arrays_are_zero_there,
     only_lines_means_no_further_points, bad_ids_are_counted)
