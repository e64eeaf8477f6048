# SPDX-License-Identifier: BSD-3-Clause
"""Joints: Keep Where Needed, the default, on what ParaView's own Stream Tracer makes: every segment
is within the tolerances of what it stands for, found by slow loops here."""
import numpy as np
from paraview import simple
from tessera_testing import (add_array, cell_values, check, field_value, lines, made_by, main,
                             point_array, points, polydata)
from vtkmodules.vtkCommonCore import vtkStringArray


def streamlines():
    """Stream lines of the gradient of Wavelet's RTData, with the arrays that the tracer adds."""
    wavelet = simple.Wavelet(WholeExtent=[-10, 10, -10, 10, -10, 10])
    gradient = simple.Gradient(Input=wavelet)
    gradient.ScalarArray = ["POINTS", "RTData"]
    gradient.ResultArrayName = "Gradient"
    tracer = simple.StreamTracer(Input=gradient, SeedType="Line")
    tracer.SeedType.Point1 = [-9, -8, -7]
    tracer.SeedType.Point2 = [9, 7, 8]
    tracer.SeedType.Resolution = 20
    tracer.MaximumStreamlineLength = 20
    tracer.Vectors = ["POINTS", "Gradient"]
    tracer.InitialStepLength = 0.05
    tracer.MaximumStepLength = 0.05
    tracer.UpdatePipeline()
    data = tracer.GetClientSideObject().GetOutputDataObject(0)
    copy = data.NewInstance()
    copy.DeepCopy(data)
    check(copy.GetNumberOfLines() > 20, "streamlines")
    return copy


def frechet(segment, chain):
    """Least distance at which the chain's points have places on the segment in order."""
    a, b = segment
    length = np.linalg.norm(b - a)
    unit = (b - a) / length if length > 0 else np.zeros(3)
    along = (chain - a) @ unit
    across = np.linalg.norm(chain - a - np.outer(along, unit), axis=1)
    low, high = 0.0, np.linalg.norm(chain - a, axis=1).max() + length

    def holds(distance):
        place = 0.0
        for s, d in zip(along, across):
            if d > distance:
                return False
            half = np.sqrt(distance * distance - d * d)
            place = max(place, s - half)
            if place > min(s + half, length):
                return False
        return True

    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def arrays_of(data):
    point_data = data.GetPointData()
    names = [point_data.GetArrayName(i) for i in range(point_data.GetNumberOfArrays())]
    return {name: point_array(data, name).astype(float).reshape(data.GetNumberOfPoints(), -1)
            for name in names}


def stream_tracer_straight():
    data = streamlines()
    xyz, values = points(data).astype(float), arrays_of(data)
    diagonal = np.linalg.norm(xyz.max(axis=0) - xyz.min(axis=0))
    out = made_by("AdaptiveCurves", data, InterpretLinesAs="Straight", GenerateParameter=1,
                  GenerateSourceCell=1, GenerateAchievedError=1, OutputPrecision="Double")
    tolerance = field_value(out, "Chord Tolerance").ToDouble()
    check(abs(tolerance - 0.001 * diagonal) < 1e-6 * diagonal, "a thousandth of the diagonal")
    check(out.GetNumberOfPoints() < data.GetNumberOfPoints() / 4,
          f"{data.GetNumberOfPoints()} points in, {out.GetNumberOfPoints()} out")
    check(np.array_equal(cell_values(out, "SourceCell"), np.arange(data.GetNumberOfLines())),
          "the curves' order")
    check(np.array_equal(cell_values(out, "SeedIds"), cell_values(data, "SeedIds")), "cell arrays")
    check((cell_values(out, "AchievedError") <= tolerance * (1 + 1e-9)).all(), "the errors reached")
    ranges = {name: max(np.ptp(v[np.isfinite(v).all(axis=1)], axis=0)) for name, v in values.items()}
    parameter, new_xyz, new_values = point_array(out, "Parameter"), points(out), arrays_of(out)
    for ids, new_ids in zip(lines(data), lines(out)):
        check(parameter[new_ids[-1]] == len(ids) - 1, "the end stays")
        for a, b in zip(new_ids[:-1], new_ids[1:]):
            between = ids[int(parameter[a]):int(parameter[b]) + 1]
            segment = new_xyz[[a, b]]
            distance = frechet(segment, xyz[between])
            check(distance <= tolerance * (1 + 1e-9), f"{distance} of {tolerance}")
            step = segment[1] - segment[0]
            place = np.clip((xyz[between] - segment[0]) @ step / max(step @ step, 1e-300), 0, 1)
            for name, old in values.items():
                drawn = new_values[name][a] + np.outer(place, new_values[name][b] - new_values[name][a])
                off = np.abs(drawn - old[between]).max()
                check(off <= 0.01 * ranges[name] * (1 + 1e-6), f"{name}: {off} of {ranges[name]}")


def stream_tracer_by_default():
    data = streamlines()
    out = made_by("AdaptiveCurves", data)  # Automatic: straight, and the points are some of the input's
    check(out.GetNumberOfPoints() < data.GetNumberOfPoints() / 4,
          f"{data.GetNumberOfPoints()} points in, {out.GetNumberOfPoints()} out")
    given = {tuple(p) for p in points(data).tolist()}
    check(all(tuple(p) in given for p in points(out).tolist()), "points of the input")
    plain = made_by("AdaptiveCurves", data, Joints="Keep All", UseFieldError=0)
    check(plain.GetNumberOfPoints() == data.GetNumberOfPoints(), "all joints stay")
    smooth = made_by("AdaptiveCurves", data, InterpretLinesAs="Catmull-Rom")
    check(smooth.GetNumberOfPoints() > out.GetNumberOfPoints(), "a curve through all points")
    few = made_by("AdaptiveCurves", data, PointBudget=5 * data.GetNumberOfLines())
    check(few.GetNumberOfPoints() <= 5 * data.GetNumberOfLines(), "a budget below the input")
    check(few.GetNumberOfLines() == data.GetNumberOfLines(), "all lines are there")


def a_sketch_becomes_smooth():
    sketch = polydata([(0, 0, 0), (1, 1, 0), (2, 0, 0), (3, 1, 0)], [range(4)])
    by_default, named = (made_by("AdaptiveCurves", sketch, **settings)
                         for settings in ({}, {"InterpretLinesAs": "Catmull-Rom"}))
    check(by_default.GetNumberOfPoints() > 20 and np.array_equal(points(by_default), points(named)),
          "a Catmull-Rom curve")
    lines = polydata([*points(sketch), (0, 0, 1), (9, 0, 1)], [range(4), (4, 5)])
    for data, settings, smooth in ((lines, {}, 1), (lines, {"InterpretLinesAs": "Straight"}, 0),
                                   (sketch, {"InterpretLinesAs": "Catmull-Rom"}, 0)):
        out = made_by("AdaptiveCurves", data, **settings)
        check(field_value(out, "Smooth Lines").ToInt() == smooth, f"Automatic drew {smooth} lines as curves")


WHY = "{} of neighbouring points {} kept since the point array '{}' changes between them"


def kept(out):
    """What the report says of points kept for labels."""
    array = out.GetFieldData().GetAbstractArray("Tessera Points Kept")
    return array.GetValue(0) if array else ""


def labels_stay():
    n = 30
    data = polydata([(i, 0, 0) for i in range(n)], [range(n)])
    check(made_by("AdaptiveCurves", data).GetNumberOfPoints() == 2, "a straight line")
    names = vtkStringArray()
    names.SetName("part")
    for i in range(n):
        names.InsertNextValue("a" if i < 10 else "b")
    data.GetPointData().AddArray(names)
    out = made_by("AdaptiveCurves", data)
    check([x for x, _, _ in points(out)] == [0, 9, 10, n - 1], "points where the text changes")
    add_array(data.GetPointData(), "constant", np.full(n, 7, np.int64) * 2**55 + 1)
    out = made_by("AdaptiveCurves", data)
    check(out.GetNumberOfPoints() == 4, "a constant array asks for nothing")
    check((point_array(out, "constant") == 7 * 2**55 + 1).all(), "and keeps its value")
    check(kept(out) == "1 " + WHY.format("pair", "was", "part"), kept(out))
    add_array(data.GetPointData(), "half", np.arange(n, dtype=int) // 15)
    check(kept(made_by("AdaptiveCurves", data)) ==
          "; ".join("1 " + WHY.format("pair", "was", name) for name in ("half", "part")), "of each")
    check(kept(made_by("AdaptiveCurves", data, Joints="Keep All")) == "", "all joints are kept anyway")


def ids_keep_all():
    """Ids differ from point to point: two lines of 30 points have 58 changes."""
    n = 30
    data = polydata([(i % n, i // n, 0) for i in range(2 * n)], [range(n), range(n, 2 * n)])
    check(kept(made_by("AdaptiveCurves", data)) == "", "no labels")
    add_array(data.GetPointData(), "ids", np.arange(2 * n))
    data.GetPointData().SetGlobalIds(data.GetPointData().GetArray("ids"))
    out = made_by("AdaptiveCurves", data)
    check(out.GetNumberOfPoints() == 2 * n, "all points stay")
    check(kept(out) == "58 " + WHY.format("pairs", "were", "ids"), kept(out))


def chosen_arrays():
    n = 100
    data = polydata([(i, 0, 0) for i in range(n)], [range(n)])
    add_array(data.GetPointData(), "wave", np.sin(0.3 * np.arange(n)))
    add_array(data.GetPointData(), "ramp", np.arange(n))
    counts = [made_by("AdaptiveCurves", data, **chosen).GetNumberOfPoints()
              for chosen in ({}, {"FieldErrorArrays": ["ramp"]}, {"UseFieldError": 0})]
    check(counts[0] > 30 and counts[1:] == [2, 2], f"{counts}")


main(stream_tracer_straight, stream_tracer_by_default, a_sketch_becomes_smooth, labels_stay,
     ids_keep_all, chosen_arrays)
