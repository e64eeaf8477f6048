# SPDX-License-Identifier: BSD-3-Clause
"""Every type of input cell, against the curve's formula."""
import math

import numpy as np
from tessera_testing import (add_array, check, grid, lines, main, messages, point_array, points,
                             polydata, run, said)
from vtkmodules.vtkCommonComputationalGeometry import vtkCardinalSpline
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, VTK_CUBIC_LINE, VTK_EMPTY_CELL,
                                           VTK_LAGRANGE_CURVE, VTK_LINE, VTK_POLY_LINE,
                                           VTK_POLY_VERTEX, VTK_QUADRATIC_EDGE, VTK_TETRA,
                                           VTK_TRIANGLE, VTK_VERTEX)
from vtkmodules.vtkFiltersGeneral import vtkSplineFilter


def ends_first(values):
    """VTK's order of the points of a higher-order cell, from the order along it."""
    return [values[0], values[-1]] + list(values[1:-1])


def nodes(n, f):
    """n points of the curve f at equal steps, in VTK's order."""
    return ends_first([f(i / (n - 1)) for i in range(n)])


def check_on(data, f, what):
    """Every output point lies on f, which is a graph over x in [0, 1]."""
    xyz = points(data)
    expected = np.array([f(x) for x in xyz[:, 0]])
    check(np.abs(xyz - expected).max() < 1e-12, f"{what}: points off the curve")
    check((np.diff(xyz[:, 0]) > 0).all(), f"{what}: points out of order")
    check(xyz[0, 0] == 0.0 and xyz[-1, 0] == 1.0, f"{what}: ends missing")


def chord_errors(data, f):
    """Distance of points of f from the polyline, measured densely."""
    xyz = points(data)
    worst = 0.0
    for a, b in zip(xyz[:-1], xyz[1:]):
        for x in np.linspace(a[0], b[0], 33):
            p = np.array(f(x)) - a
            t = np.clip(p @ (b - a) / ((b - a) @ (b - a)), 0, 1)
            worst = max(worst, np.linalg.norm(p - t * (b - a)))
    return worst


def polynomial_cells():
    square = lambda x: (x, x * x, 0.0)
    cubic = lambda x: (x, 4 * x * (x - 0.5) * (x - 1), x * x)
    quintic = lambda x: (x, x ** 5 - x ** 2, 0.0)
    cases = [("quadratic edge", VTK_QUADRATIC_EDGE, nodes(3, square), square),
             ("cubic line", VTK_CUBIC_LINE, nodes(4, cubic), cubic),
             ("Lagrange curve of degree 2", VTK_LAGRANGE_CURVE, nodes(3, square), square),
             ("Lagrange curve of degree 5", VTK_LAGRANGE_CURVE, nodes(6, quintic), quintic)]
    # Control points of y = x^2 and of y = x^5 - x^2 (the blossom of x^k in degree n).
    bezier2 = ends_first([(0, 0, 0), (0.5, 0, 0), (1, 1, 0)])
    blossom2 = [0, 0, 0.1, 0.3, 0.6, 1]
    bezier5 = ends_first([(i / 5, (i == 5) - blossom2[i], 0) for i in range(6)])
    cases += [("Bezier curve of degree 2", VTK_BEZIER_CURVE, bezier2, square),
              ("Bezier curve of degree 5", VTK_BEZIER_CURVE, bezier5, quintic)]
    for what, cell_type, coordinates, f in cases:
        data = run(grid(coordinates, [(cell_type, range(len(coordinates)))]),
                   ChordErrorMode="Absolute", ChordError=1e-3)
        check(data.GetNumberOfLines() == 1 and data.GetNumberOfPoints() > 4, f"{what}: too coarse")
        check_on(data, f, what)
        check(chord_errors(data, f) <= 1e-3, f"{what}: chord error above the tolerance")


def straight_cells_and_polylines():
    coordinates = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (5, 5, 5)]
    data = run(grid(coordinates, [(VTK_LINE, (4, 0)), (VTK_POLY_LINE, (0, 1, 2, 3))]),
               InterpretLinesAs="Straight")
    first, second = lines(data)
    check(points(data)[first].tolist() == [[5, 5, 5], [0, 0, 0]], "VTK_LINE")
    check(points(data)[second].tolist() == [list(c) for c in coordinates[:4]], "VTK_POLY_LINE")
    smooth = run(grid(coordinates, [(VTK_LINE, (4, 0)), (VTK_POLY_LINE, (0, 1, 2, 3))]))
    check(len(lines(smooth)[0]) == 2, "VTK_LINE is straight however lines are interpreted")
    check(len(lines(smooth)[1]) > 4, "VTK_POLY_LINE is interpreted")


def catmull_rom_goes_through_the_points():
    rng = np.random.default_rng(1)
    coordinates = rng.random((20, 3))
    for knots in ("Uniform", "Centripetal", "Chordal"):
        data = run(polydata(coordinates, [range(20)]), CatmullRomKnots=knots, GenerateParameter=1)
        parameter = point_array(data, "Parameter")
        whole = points(data)[parameter == np.floor(parameter)]
        check(np.array_equal(whole, coordinates), f"{knots}: the input points come out exactly")


def natural_splines_are_those_of_vtk():
    """vtkCardinalSpline with second derivatives of 0 at open ends, at the same knots; and what
    vtkSplineFilter makes of it, whose knots are chordal."""
    rng = np.random.default_rng(2)
    coordinates = rng.random((9, 3))
    for knots, power in (("Uniform", 0.0), ("Centripetal", 0.5), ("Chordal", 1.0)):
        for closed in (False, True):
            ids = [*range(9), 0] if closed else list(range(9))
            data = run(polydata(coordinates, [ids]), InterpretLinesAs="Natural Cubic Spline",
                       CatmullRomKnots=knots, GenerateParameter=1, ChordError=1e-6)
            legs = np.linalg.norm(np.diff(coordinates[ids], axis=0), axis=1) ** power
            at = np.concatenate([[0.0], np.cumsum(legs)])
            parameter = point_array(data, "Parameter")
            t = np.interp(parameter, np.arange(len(at)), at)
            off = [abs(x - [spline.Evaluate(one) for one in t]).max() for spline, x in zip(
                cardinal_splines(coordinates, at, closed), points(data).T)]
            check(max(off) < 1e-12, f"{knots}, closed {closed}: off by {max(off)}")
    vtk_filter = vtkSplineFilter()
    vtk_filter.SetLength(1e-3)
    vtk_filter.SetSubdivideToLength()
    vtk_filter.SetSpline(natural_spline())
    vtk_filter.SetInputData(polydata(coordinates, [range(9)]))
    vtk_filter.Update()
    ours = points(run(polydata(coordinates, [range(9)]), InterpretLinesAs="Natural Cubic Spline",
                      CatmullRomKnots="Chordal", ChordErrorMode="Absolute", ChordError=1e-5))
    theirs = points(vtk_filter.GetOutput())
    far = [distance_to_polyline(one, ours) for one in theirs[::50]]
    check(max(far) < 1e-5 + 1e-6, f"vtkSplineFilter is {max(far)} away")  # its points are floats


def natural_spline():
    spline = vtkCardinalSpline()
    for end in (spline.SetLeftConstraint, spline.SetRightConstraint):
        end(2)  # the second derivative is what SetLeftValue says: 0
    return spline


def cardinal_splines(coordinates, at, closed):
    splines = []
    for values in coordinates.T:
        spline = natural_spline()
        spline.SetClosed(closed)
        if closed:
            spline.SetParametricRange(at[0], at[-1])
        for t, value in zip(at, values):
            spline.AddPoint(t, value)
        splines.append(spline)
    return splines


def distance_to_polyline(point, vertices):
    legs = np.diff(vertices, axis=0)
    t = np.clip(((point - vertices[:-1]) * legs).sum(1) / (legs ** 2).sum(1), 0, 1)
    return np.linalg.norm(vertices[:-1] + t[:, None] * legs - point, axis=1).min()


def closed_polyline_closes_on_its_first_point():
    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    for kind in ("Catmull-Rom", "Quadratic B-Spline", "Cubic B-Spline",
                 "Natural Cubic Spline"):
        data = run(polydata(square, [(0, 1, 2, 3, 0)]), InterpretLinesAs=kind, GenerateTangents=1)
        ids, = lines(data)
        check(ids[0] == ids[-1], f"{kind}: closed")
        check(len(set(ids.tolist())) == data.GetNumberOfPoints() == len(ids) - 1,
              f"{kind}: no point twice")


def rational_circle():
    coordinates = ends_first([(0, 1, 0), (1, 1, 0), (1, 0, 0)])
    data = grid(coordinates, [(VTK_BEZIER_CURVE, (0, 1, 2))])
    data.GetPointData().SetRationalWeights(
        add_array(data.GetPointData(), "w", [1.0, 1.0, math.sqrt(0.5)]))
    out = run(data, ChordErrorMode="Absolute", ChordError=1e-5, GenerateCurvature=1)
    radius = np.linalg.norm(points(out)[:, :2], axis=1)
    check(np.abs(radius - 1).max() < 1e-12, "points on the circle")
    check(np.abs(point_array(out, "Curvature") - 1).max() < 1e-9, "curvature of the circle")
    middle = [math.hypot(*m) for m in (points(out)[1:, :2] + points(out)[:-1, :2]) / 2]
    check(1 - min(middle) <= 1e-5, "chord error of the circle")
    check(out.GetPointData().GetRationalWeights() is None, "the weights' role ends here")
    check(out.GetPointData().HasArray("w"), "their values do not")


def others_are_left_out_with_one_warning():
    coordinates = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    cells = [(VTK_EMPTY_CELL, ()), (VTK_VERTEX, (3,)), (VTK_TRIANGLE, (0, 1, 2)),
             (VTK_LINE, (1, 2)), (VTK_TETRA, (0, 1, 2, 3)), (VTK_POLY_VERTEX, (0, 1))]
    data, text = said(grid(coordinates, cells))
    check(text.count("Warning") == 1 and "2 cells are neither curves nor" in text and "(Adaptive Cells draws" in text and
          "the first is cell 2" in text, f"the warning: {text}")
    check(data.GetNumberOfLines() == 1 and data.GetNumberOfVerts() == 2, "lines and vertices")


def degrees_that_do_not_fit_are_named():
    coordinates = ends_first([(0, 0, 0), (0.5, 0, 0), (1, 1, 0)])
    data = grid(coordinates, [(VTK_BEZIER_CURVE, (0, 1, 2)), (VTK_BEZIER_CURVE, (0, 1, 2))])
    degrees = add_array(data.GetCellData(), "degrees", np.array([[2.0, 0, 0], [3.0, 0, 0]]))
    data.GetCellData().SetHigherOrderDegrees(degrees)
    out, text = said(data)
    check("1 cell has HigherOrderDegrees" in text and "cell 1" in text, f"the warning: {text}")
    check(len(lines(out)[0]) == len(lines(out)[1]) > 2, "the point count is used")


def narrow_ids():
    data = polydata([(0, 0, 0), (1, 2, 0), (2, 0, 0)], [(0, 1, 2)])
    wide = run(data)
    data.GetLines().ConvertTo32BitStorage()
    check(np.array_equal(points(run(data)), points(wide)), "32-bit ids give the same points")
    check(messages() == "", "and nothing is said")


main(polynomial_cells, straight_cells_and_polylines, catmull_rom_goes_through_the_points,
     natural_splines_are_those_of_vtk,
     closed_polyline_closes_on_its_first_point, rational_circle,
     others_are_left_out_with_one_warning, degrees_that_do_not_fit_are_named, narrow_ids)
