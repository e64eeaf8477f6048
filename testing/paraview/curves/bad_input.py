# SPDX-License-Identifier: BSD-3-Clause
"""Wrong options and wrong data: a sentence each, a valid output, the rest still done."""
import itertools
import math
import time

import numpy as np
from paraview import simple
from tessera_testing import (add_array, cell_values, check, grid, lines, main, messages,
                             point_array, points, polydata, run, said)
from vtkmodules.vtkCommonCore import VTK_DOUBLE, VTK_FLOAT, vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, VTK_LAGRANGE_CURVE, VTK_POLY_LINE,
                                           vtkPolyData, vtkUnstructuredGrid)

NAN = float("nan")
BEND = [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)]


def with_bad_point(bad):
    return polydata(BEND + [bad], [(0, 1, 4), (0, 1, 2, 3)])


def bad_options_are_errors():
    cases = [(dict(ChordError=0), "chord error"), (dict(ChordError=-1), "chord error"),
             (dict(ChordError=NAN), "chord error"), (dict(ChordError=math.inf), "chord error"),
             (dict(Tension=1.5), "tension"), (dict(Tension=-0.1), "tension"),
             (dict(MaximumLevel=-1), "maximum level"), (dict(MaximumLevel=31), "maximum level"),
             (dict(UseCurvatureFactor=1, CurvatureFactor=-1), "curvature factor"),
             (dict(UseCurvatureFactor=1, MinimumPoints=1), "minimum of points"),
             (dict(UseCurvatureFactor=1, MinimumPoints=9, MaximumPoints=8), "9"),
             (dict(UseTurningAngle=1, TurningAngle=0), "turning angle"),
             (dict(UseTurningAngle=1, TurningAngle=181), "turning angle"),
             (dict(UseMaximumSegmentLength=1, MaximumSegmentLength=0), "segment length"),
             (dict(UseFieldError=1, FieldError=-2), "field error"),
             (dict(Vertices="Within Tolerance", Sampling="Bisection"), "Equal Error"),
             (dict(Vertices="Within Tolerance", UseChordError=0), "chord error"),
             (dict(PointBudget=-1), "Point Budget"), (dict(Threads=-1), "Threads")]
    data = polydata(BEND, [range(4)])
    for properties, word in cases:
        out, text = said(data, **properties)
        check("ERR" in text.upper() and word in text, f"{properties}: {text}")
        check(out.IsA("vtkPolyData") and out.GetNumberOfPoints() == 0 and
              out.GetNumberOfCells() == 0, f"{properties}: a valid, empty output")


def tolerances_that_nothing_keeps():
    """They are refused at once, by name, and what is proposed instead is taken."""
    on = {"ChordError": dict(ChordErrorMode="Absolute"), "MaximumSegmentLength": {},
          "FieldError": dict(FieldErrorMode="Absolute", FieldErrorArrays=["f", "c"])}
    cases = [("ChordError", 1e-300, "the chord error, 1e-300", {}),
             ("MaximumSegmentLength", 1e-12, "the segment length, 1e-12", {}),
             ("FieldError", 1e-300, "the field error of 'f', 1e-300", {}),
             ("FieldError", 1e-300, "the field error of 'f'", dict(FieldErrorMode="Fraction of Range")),
             ("FieldError", 1e-300, "the field error of 'f'", dict(PointBudget=100))]
    for (name, value, text, more), kind in itertools.product(cases, ("f8", "f4", "i4")):
        data = polydata(BEND, [range(4)])
        add_array(data.GetPointData(), "f", np.array([0, 3, 1, 4], kind))
        add_array(data.GetPointData(), "c", np.array([7, 7, 7, 7], kind))
        properties = {f"Use{one}": int(one == name) for one in on} | on[name] | more
        began = time.process_time()
        out, sentence = said(data, **properties, **{name: value})
        check(text in sentence and "ERR" in sentence.upper(), f"{name} of {value}: {sentence}")
        check(time.process_time() - began < 1.0, f"{name} of {value} takes long")
        check(out.GetNumberOfPoints() == 0, f"{name} of {value}: nothing is made")
        instead = float(sentence.split("set ")[1].split()[0])
        out, sentence = said(data, **properties, **{name: instead})
        check("ERR" not in sentence.upper() and out.GetNumberOfPoints() > 50,
              f"{name} of {instead}: {sentence}")


def unused_options_do_not_matter():
    out = run(polydata(BEND, [range(4)]), CurvatureFactor=-1, TurningAngle=0, FieldError=0,
              MaximumSegmentLength=-5)
    check(out.GetNumberOfPoints() > 4, "criteria that are off are not checked")


def bad_lines_are_left_out_and_named():
    for bad in ((NAN, 0, 0), (0, math.inf, 0), (0, 0, -math.inf), (1e200, 0, 0)):
        out, text = said(with_bad_point(bad))
        check("1 cell (number 0)" in text and "coordinate" in text, f"{bad}: {text}")
        check(len(lines(out)) == 1 and np.isfinite(points(out)).all(), f"{bad}: the rest is done")
    data = polydata(BEND, [(0, 1, 99), (0, 1, 2, 3), (-1, 2, 3)])
    out, text = said(data)
    check("2 cells (the first is number 0)" in text and "point id" in text, f"ids: {text}")
    check(len(lines(out)) == 1, "ids: the rest is done")
    data = polydata(BEND, [(0, 1, 99)], verts=[(0,), (1,)])
    check("number 2" in said(data)[1], "numbers are cells of the dataset: vertices come first")


def points_beyond_single_precision():
    """Infinite points never come out: 3.4e38 is the largest number in single precision."""
    for size, precision, kind in ((1e60, "Single", VTK_DOUBLE), (1e39, "Single", VTK_DOUBLE),
                                  (3.3e38, "Same as Input", VTK_FLOAT)):
        xyz = [(size * x, size * y, size * z) for x, y, z in ((-1, 0, 0), (1, 1, 0), (1, 0, 1))]
        data = polydata(BEND + xyz, [(0, 1, 2, 3), (4, 5, 6)], verts=[(0,), (5,)],
                        polys=[(0, 1, 2), (0, 4, 6)], data_type=kind)
        out, text = said(data, OutputPrecision=precision)
        check("1 cell (number 3) is left out: a coordinate is beyond 3e35, too large for points in "
              "single precision (Output Precision: Double holds it)." in text, f"{size}: {text}")
        check(np.isfinite(points(out)).all() and len(lines(out)) == 1, f"{size}: the rest is done")
        check(kind == VTK_FLOAT or "2 vertices, polygons or strips have coordinates beyond single "
              "precision and are left out; the first is cell 1." in text, f"{size}: {text}")
        out, text = said(data, OutputPrecision="Double")
        check(text == "" and len(lines(out)) == 2 and out.GetNumberOfVerts() == 2,
              f"{size}: double precision holds it: {text}")
        check(np.isfinite(points(out)).all(), f"{size}: and all is finite")


def weights_of_the_wrong_length():
    data = grid([(0, 0, 0), (2, 0, 0), (1, 1, 0)], [(VTK_BEZIER_CURVE, (0, 1, 2))])
    data.GetPointData().SetRationalWeights(add_array(data.GetPointData(), "w", [1.0, 1.0]))
    out, text = said(data)
    check("rational weights has 2 tuples instead of 3" in text and out.GetNumberOfPoints() == 0,
          f"alone it is an error: {text}")


def odd_lines_have_documented_outcomes():
    data = polydata(BEND + [(0, 0, 0)], [(2,), (), (0, 4), (1, 1, 1), (0, 1, 1, 2, 2, 3)])
    out, text = said(data, GenerateSourceCell=1)
    check("number 0) is kept" in text.replace("1 cell (", "1 cell ("), f"one point: {text}")
    check("number 1) is left out: there are no points" in text, f"no points: {text}")
    check("2 cells (the first is number 2) are of zero length" in text, f"zero length: {text}")
    check([len(ids) for ids in lines(out)][0] == 1, "one point comes out as it is")
    check(len(lines(out)) == 4 and np.isfinite(points(out)).all(), "all but the empty one")
    through = points(out)[lines(out)[3]].tolist()
    check(all(list(map(float, p)) in through for p in BEND), "repeated points")


def chains_that_do_not_fit():
    for kind, count in (("Quadratic Bezier", 4), ("Cubic Bezier", 6),
                        ("Cubic Bezier", 5), ("Cubic B-Spline", 3), ("Quadratic B-Spline", 2)):
        xyz = [(i, i % 2, 0) for i in range(count)]
        out, text = said(polydata(xyz, [range(count)]), InterpretLinesAs=kind)
        check("lower degree" in text, f"{kind}, {count} points: {text}")
        check(points(out)[lines(out)[0][-1]].tolist() == [count - 1.0, (count - 1.0) % 2, 0.0],
              f"{kind}, {count} points: the last point is lost")


def degrees_beyond_the_limit():
    xyz = [(i, 0, 0) for i in range(18)]
    cells = [(VTK_LAGRANGE_CURVE, range(17)), (VTK_BEZIER_CURVE, range(16)), (VTK_POLY_LINE, range(18))]
    out, text = said(grid(xyz, cells))
    check("number 0) is left out: the degree is above 15" in text, text)
    check(len(lines(out)) == 2, "the rest is done")


def bad_weights():
    for bad in (0.0, -1.0, NAN, math.inf):
        data = grid([(0, 0, 0), (2, 0, 0), (1, 1, 0)],
                    [(VTK_BEZIER_CURVE, (0, 1, 2)), (VTK_LAGRANGE_CURVE, (0, 1, 2))])
        data.GetPointData().SetRationalWeights(add_array(data.GetPointData(), "w", [1.0, 1.0, bad]))
        out, text = said(data)
        check("weight" in text and "number 0" in text, f"{bad}: {text}")
        check(len(lines(out)) == 1, f"{bad}: a Lagrange curve has no weights")


def arrays_of_one_name():
    """The first comes along; many points: memory that is freed must not be written."""
    x = np.arange(50000.0)
    data = polydata(np.stack([x, x % 7, 0 * x], axis=1), lines=[range(50000)])
    for sign in (1, -1):
        add_array(data.GetPointData(), f"new {sign}", sign * x).SetName("a")
        add_array(data.GetCellData(), f"new {sign}", [sign]).SetName("b")
    out, text = said(data)
    for noun, name in (("point", "a"), ("cell", "b")):
        check(f"There are several {noun} arrays '{name}'; all but the first are left out." in text,
              f"said: {text}")
    check(np.array_equal(point_array(out, "a"), points(out)[:, 0]), "the first array")
    check(out.GetPointData().GetNumberOfArrays() == 1 and cell_values(out, "b")[0] == 1, "alone")


def unknown_arrays_are_named():
    data = polydata(BEND, [range(4)])
    names = vtkStringArray()
    names.SetName("names")
    names.SetNumberOfValues(4)
    data.GetPointData().AddArray(names)
    add_array(data.GetPointData(), "f", [0.0, 5.0, 0.0, 5.0])
    out, text = said(data, UseFieldError=1, FieldErrorArrays=["nothing", "names", "f"])
    check("There is no point array 'nothing'" in text, text)
    check("The point array 'names' is not numeric" in text, text)
    check("'f'" not in text, text)
    add_array(data.GetPointData(), "short", [0.0, 5.0, 0.0])
    _, text = said(data, UseFieldError=1, FieldErrorArrays=["short", "f"])
    check("The point array 'short' has 3 tuples for 4 points, so its field error was not "
          "considered." in text, text)
    check("numeric" not in text and "There is no" not in text, text)
    data.GetPointData().RemoveArray("short")
    plain = run(data)
    check(out.GetNumberOfPoints() > plain.GetNumberOfPoints(), "the known array is considered")
    _, text = said(data, FieldErrorArrays=["nothing"])
    check(text == "", "no warning about a criterion that is off")


def more_than_the_memory():
    rng = np.random.default_rng(3)
    data = polydata(rng.random((400, 3)), [range(400)])
    out, text = said(data, Sampling="Uniform", UseMaximumSegmentLength=1,
                     MaximumSegmentLength=1e-8, MaximumLevel=30)
    check("points" in text and any(c.isdigit() for c in text), f"numbers in: {text}")
    check("ERR" in text.upper(), f"an error: {text}")
    check(out.GetNumberOfPoints() == 0, "nothing is made")


def budget_below_the_coarsest():
    out, text = said(polydata(BEND, [range(4)]), PointBudget=2)
    check("The point budget of 2 is too small" in text, text)
    check(out.GetNumberOfPoints() >= 4, "the coarsest output is made")


def empty_inputs():
    no_points = vtkPolyData()
    for data in (no_points, vtkUnstructuredGrid(), polydata([], []), polydata(BEND, [])):
        add_array(data.GetPointData(), "point array", np.zeros(data.GetNumberOfPoints()))
        add_array(data.GetCellData(), "cell array", np.zeros((0, 3)))
        out = run(data, GenerateCurvature=1, GenerateSourceCell=1, GenerateAchievedError=1,
                  PointBudget=10)
        check(out.IsA("vtkPolyData") and out.GetNumberOfCells() == 0, "empty")
        check(out.GetPointData().HasArray("point array") and
              out.GetCellData().HasArray("cell array"), "the arrays are there all the same")


def cuda_that_is_not_there():
    data = polydata(BEND, [range(4)])
    out, text = said(data, Backend="CUDA")
    ran = out.GetNumberOfPoints() > 0
    check(ran or ("CUDA" in text and "ERR" in text.upper()), f"an error, never a silent CPU: {text}")


main(bad_options_are_errors, tolerances_that_nothing_keeps, unused_options_do_not_matter,
     bad_lines_are_left_out_and_named, points_beyond_single_precision,
     weights_of_the_wrong_length, odd_lines_have_documented_outcomes, chains_that_do_not_fit,
     arrays_of_one_name, degrees_beyond_the_limit, bad_weights, unknown_arrays_are_named, more_than_the_memory,
     budget_below_the_coarsest, empty_inputs, cuda_that_is_not_there)
