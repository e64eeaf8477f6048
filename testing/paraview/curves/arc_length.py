# SPDX-License-Identifier: BSD-3-Clause
"""Sampling Equal Arc Length in ParaView: beside vtkSplineFilter, with arrays, in the estimate, within
limits, and what it says of settings that make no sense."""
import numpy as np
from paraview import simple
from tessera_testing import (add_array, cell_values, check, field_value, lines, main, messages,
                             point_array, points, polydata, run, said, source_of)
from vtkmodules.vtkCommonComputationalGeometry import vtkCardinalSpline
from vtkmodules.vtkFiltersGeneral import vtkSplineFilter

ARCS = dict(Sampling="Equal Arc Length")
UNEVEN = [[0, 0, 0], [1, 0, 0], [4, 0, 0], [4.5, 0, 0], [10, 0, 0]]


def helix(n):
    angle = np.linspace(0, 6 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle), 0.2 * angle])


def spline_filter(data, length):
    """The points of vtkSplineFilter by length, on the natural spline."""
    spline = vtkCardinalSpline()
    for end in (spline.SetLeftConstraint, spline.SetRightConstraint):
        end(2)
    made = vtkSplineFilter()
    made.SetSpline(spline)
    made.SetSubdivideToLength()
    made.SetLength(length)
    made.SetInputData(data)
    made.Update()
    return points(made.GetOutput())


def beside_the_spline_filter():
    """Both filters make the same points where the length is a whole number of segments. Elsewhere
    the spline filter rounds the number of segments down, Adaptive Curves up."""
    line = polydata(UNEVEN, [range(5)])
    theirs = spline_filter(line, 2.0)
    for kind in ("Straight", "Natural Cubic Spline", "Catmull-Rom"):
        ours = run(line, InterpretLinesAs=kind, CatmullRomKnots="Chordal",
                   UseMaximumSegmentLength=1, MaximumSegmentLength=2.0, **ARCS)
        check(len(theirs) == len(points(ours)) == 6, f"{kind}: {len(points(ours))} points")
        check(np.abs(points(ours) - theirs).max() < 1e-6, f"{kind}: other points")
    check(len(spline_filter(line, 3.0)) == 4, "theirs rounds down")
    check(run(line, InterpretLinesAs="Straight", UseMaximumSegmentLength=1,
              MaximumSegmentLength=3.0, **ARCS).GetNumberOfPoints() == 5, "ours rounds up")
    # On a helix of even points the spline filter's parameter, the chord length, is the arc length.
    wound = polydata(helix(301), [range(301)])
    chords = np.linalg.norm(np.diff(helix(301), axis=0), axis=1).sum()
    theirs = spline_filter(wound, chords / 60.5)
    ours = points(run(wound, InterpretLinesAs="Natural Cubic Spline", CatmullRomKnots="Chordal",
                      NumberOfSegments=60, **ARCS))
    check(len(theirs) == 61, f"{len(theirs)} points of the spline filter")
    check(np.abs(ours - theirs).max() < 1e-3, f"{np.abs(ours - theirs).max()} away")


def known_answers():
    """A helix: turns, arrays and cell arrays; joints do not stay; a closed square."""
    data = polydata(helix(1001), [range(1001)])
    add_array(data.GetPointData(), "angle", np.linspace(0, 6 * np.pi, 1001))
    add_array(data.GetCellData(), "name", np.array([42]))
    out = run(data, NumberOfSegments=37, GenerateAchievedError=1, **ARCS)
    check(out.GetNumberOfPoints() == 38, f"{out.GetNumberOfPoints()} points")
    expected = 6 * np.pi * np.arange(38) / 37
    check(np.abs(point_array(out, "angle") - expected).max() < 1e-3, "the array")
    check(np.abs(points(out)[:, 2] - 0.2 * expected).max() < 1e-3, "the places")
    check(cell_values(out, "name") == [42], "the cell array")
    # A chord of an arc of half an angle a of radius 1 is 1 - cos(a) away from it.
    sagitta = 1 - np.cos(3 * np.pi / 37)
    error = cell_values(out, "AchievedError")[0]
    check(sagitta * 0.999 < error < 1.05 * sagitta, f"the error is {error}, not {sagitta}")
    square = polydata([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3, 0]])
    out = run(square, InterpretLinesAs="Straight", NumberOfSegments=8, **ARCS)
    check(out.GetNumberOfPoints() == 8 and len(lines(out)[0]) == 9, "a closed line")
    check(np.abs(points(out)[:4] - [[0, 0, 0], [.5, 0, 0], [1, 0, 0], [1, .5, 0]]).max() < 1e-7,
          f"{points(out)}")
    out = run(square, InterpretLinesAs="Straight", NumberOfSegments=1, **ARCS)
    check(out.GetNumberOfPoints() == 3, "a closed line has three segments")


def default_criteria_do_not_count():
    """All that is on by default stays on, and has no effect; nor is there a word of precision."""
    far = polydata(helix(101) + 1e6, [range(101)], data_type=10)
    out, text = said(far, UseFieldError=1, UseTurningAngle=1, Joints="Keep Where Needed",
                     NumberOfSegments=10, **ARCS)
    check(out.GetNumberOfPoints() == 11 and text == "", f"{out.GetNumberOfPoints()} points: {text}")
    check(out.GetPoints().GetDataType() == 10, "float points stay float")
    check(field_value(out, "Chord Tolerance").ToDouble() == 0, "no chord tolerance")


def limits():
    """Budget, estimate, largest output, and what is refused."""
    data = polydata(np.concatenate([helix(101), helix(101) + 5]),
                    [range(101), range(101, 202)])
    for settings in (dict(NumberOfSegments=500),
                     dict(UseMaximumSegmentLength=1, MaximumSegmentLength=0.01)):
        out = run(data, PointBudget=100, **settings, **ARCS)
        check(95 <= out.GetNumberOfPoints() <= 100, f"{out.GetNumberOfPoints()} points")
    curves = simple.AdaptiveCurves(Input=source_of(data), NumberOfSegments=500, **ARCS)
    curves.SMProxy.InvokeCommand("Estimate")
    text = curves.SMProxy.GetProperty("EstimateText").GetElement(0)
    check(text.startswith("1,002 points, about "), text)
    check(messages() == "", "an estimate without a word")
    many = simple.AdaptiveCurves(Input=source_of(data), NumberOfSegments=10 ** 8, LargestOutput=1,
                                 **ARCS)
    many.UpdatePipeline()
    text = messages()
    check("lower Number Of Segments, or set Point Budget to" in text, text)
    for settings, word in ((dict(NumberOfSegments=0), "segments must be at least 1"),
                           (dict(Vertices="Within Tolerance"), "Equal Error"),
                           (dict(UseMaximumSegmentLength=1, MaximumSegmentLength=-1.0),
                            "segment length")):
        out, text = said(data, **settings, **ARCS)
        check(out.GetNumberOfPoints() == 0 and word in text, f"{settings}: {text}")
    out, text = said(polydata([[1, 1, 1]] * 3, [range(3)]), NumberOfSegments=5, **ARCS)
    check(out.GetNumberOfPoints() == 6 and "zero length" in text, f"a point: {text}")


main(beside_the_spline_filter, known_answers, default_criteria_do_not_count, limits)
