# SPDX-License-Identifier: BSD-3-Clause
"""Real data whose lengths, shapes or arrays are known from elsewhere."""
import numpy as np
from tessera_testing import (case, check, field_value, length, lines, main, point_array, points, run,
                             simple)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray


def read(name):
    reader = simple.XMLUnstructuredGridReader(FileName=[case(name)])
    reader.UpdatePipeline()
    return reader.GetClientSideObject().GetOutputDataObject(0)


def lengths_from_below(data, exact, tolerances):
    """Polylines on a curve are never longer than it; with the tolerance the gap goes to nothing.
    Fewer points use more of the tolerance: equal errors reach the same gap at half of it."""
    check_gaps(data, exact, tolerances, "Bisection")
    check_gaps(data, exact, [0.5 * tolerance for tolerance in tolerances], "Equal Error")


def check_gaps(data, exact, tolerances, sampling):
    gaps = []
    for tolerance in tolerances:
        out = run(data, ChordErrorMode="Absolute", ChordError=tolerance, OutputPrecision="Double",
                  Sampling=sampling, GenerateAchievedError=1)
        gaps.append(1 - length(out) / exact)
        reached = out.GetCellData().GetArray("AchievedError").GetRange()[1]
        check(reached <= tolerance, f"an error of {reached} for {tolerance}")
        check(out.GetNumberOfLines() == data.GetNumberOfCells(), "one polyline a cell")
    # The published length is rounded in its last digit.
    check(all(gap > -1e-10 for gap in gaps), f"longer than the curve: {gaps}")
    check(gaps == sorted(gaps, reverse=True) and gaps[-1] < 3e-6, f"gaps {gaps}")


def dejavu_sans():
    lengths_from_below(read("curves/DejaVuSans_bezier.vtu"), 49230273.35968, (20, 5, 1, 0.1, 0.01))


def tiger():
    lengths_from_below(read("curves/tiger_bezier.vtu"), 46940.342975, (1, 0.1, 0.01, 1e-3, 1e-4))


def quarter_circle():
    data = read("peers/vtk_rational_quarter_circle.vtu")
    for error in (1e-2, 1e-5):
        for sampling in ("Uniform", "Bisection", "Equal Error"):
            out = run(data, ChordErrorMode="Absolute", ChordError=error, Sampling=sampling,
                      OutputPrecision="Double")
            check(np.abs(np.linalg.norm(points(out), axis=1) - 1).max() < 1e-12, "radius 1")
            # A chord with sagitta e on the unit circle spans 2 acos(1 - e).
            least = (np.pi / 2) / (2 * np.arccos(1 - error))
            check(out.GetNumberOfPoints() - 1 >= least, "no fewer segments than any polyline needs")
            check(field_value(out, "Polylines").ToInt() == 1, "one polyline")


def circle_from_outside():
    """Vertices within the tolerance: all but the ends outside of the circle, and as few segments as
    there can be between the circles of radius 1 - e and 1 + e."""
    data = read("peers/vtk_rational_quarter_circle.vtu")
    for error in (1e-2, 1e-5):
        out = run(data, ChordErrorMode="Absolute", ChordError=error, OutputPrecision="Double",
                  Vertices="Within Tolerance", GenerateAchievedError=1)
        radius = np.linalg.norm(points(out), axis=1)
        check(abs(radius[0] - 1) < 1e-15 and abs(radius[-1] - 1) < 1e-15, "the ends on the circle")
        check((radius[1:-1] > 1).all() and radius.max() <= 1 + error, "the others outside")
        middle = np.linalg.norm((points(out)[1:] + points(out)[:-1]) / 2, axis=1)
        check(middle.min() >= 1 - error, "no segment farther inside than the error")
        step = np.arccos((1 - error) / (1 + error))
        least = 2 + np.ceil((np.pi / 2 - 2 * (np.arccos(1 - error) + step)) / (2 * step))
        n = out.GetNumberOfPoints() - 1
        check(least <= n <= 1.02 * least + 1, f"{n} segments, and {least} are needed")


def real_tracts():
    """305 fibre tracts with 9 point and 5 cell arrays."""
    reader = simple.LegacyVTKReader(FileNames=[case("curves/tract_example.vtk")])
    reader.UpdatePipeline()
    data = reader.GetClientSideObject().GetOutputDataObject(0)
    out = run(data, GenerateParameter=1, ChordErrorMode="Absolute", ChordError=0.01)
    check(data.GetPointData().GetNumberOfArrays() == 9 and
          data.GetCellData().GetNumberOfArrays() == 5, "the input is the file that was meant")
    check(out.GetNumberOfPoints() > data.GetNumberOfPoints(), "refined")
    parameter = point_array(out, "Parameter")
    where = np.concatenate([ids[parameter[ids] == np.floor(parameter[ids])] for ids in lines(out)])
    source = np.concatenate(lines(data))
    check(len(where) == len(source), "every input point is there")
    check(np.array_equal(points(out)[where], points(data)[source]), "where it was")
    for i in range(9):
        name = data.GetPointData().GetArrayName(i)
        check(np.array_equal(point_array(out, name)[where], point_array(data, name)[source],
                             equal_nan=True), f"point array {name}")
    for i in range(5):
        before, after = (d.GetCellData().GetAbstractArray(i) for d in (data, out))
        check(before.GetName() == after.GetName(), f"cell array {i}: name")
        if isinstance(before, vtkDataArray):
            check(np.array_equal(vtk_to_numpy(before), vtk_to_numpy(after), equal_nan=True),
                  f"cell array {before.GetName()}")


main(real_tracts, dejavu_sans, tiger, quarter_circle, circle_from_outside)
