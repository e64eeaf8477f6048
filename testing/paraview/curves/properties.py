# SPDX-License-Identifier: BSD-3-Clause
"""Every property does what its help text says."""
import math

import numpy as np
from tessera_testing import (add_array, cell_values, check, field_value, length, lines, main,
                             point_array, points, polydata, run, said)

RNG = np.random.default_rng(4)
COORDINATES = RNG.random((40, 3))
LINES = [range(0, 10), range(10, 25), range(25, 40)]


def curves():
    data = polydata(COORDINATES, LINES)
    add_array(data.GetPointData(), "f", RNG.random(40))
    return data


def count(**properties):
    return run(curves(), **properties).GetNumberOfPoints()


def interpretations():
    data = polydata(COORDINATES, [range(7), range(7, 20)])  # 6 and 12 fit degrees 2 and 3
    outputs = [points(run(data, InterpretLinesAs=kind)) for kind in
               ("Catmull-Rom", "Quadratic Bezier", "Quadratic B-Spline", "Cubic B-Spline",
                "Straight", "Cubic Bezier", "Natural Cubic Spline")]
    for i, a in enumerate(outputs):
        check(all(a.shape != b.shape or not np.array_equal(a, b) for b in outputs[:i]),
              f"interpretation {i} differs from the others")
    check(np.array_equal(outputs[4], COORDINATES[:20]), "straight: the points themselves")


def knots_and_tension():
    shapes = [points(run(curves(), CatmullRomKnots=k)) for k in ("Uniform", "Centripetal", "Chordal")]
    check(not np.array_equal(shapes[0], shapes[1]) and not np.array_equal(shapes[1], shapes[2]),
          "knots")
    straight = length(run(curves(), InterpretLinesAs="Straight"))
    lengths = [length(run(curves(), Tension=t, ChordError=1e-5)) for t in (0, 0.5, 1)]
    check(lengths[0] > lengths[1] > lengths[2], "a tighter curve is shorter")
    check(abs(lengths[2] - straight) < 1e-9 * straight, "tension 1 is straight")


def chord_error():
    counts = [count(ChordError=e) for e in (1e-2, 1e-3, 1e-4, 1e-5)]
    check(counts == sorted(counts) and counts[0] < counts[-1], f"counts {counts}")
    # A chord error of e needs points in proportion to 1 / sqrt(e).
    check(2 < counts[3] / counts[2] < 4.5, f"counts {counts}")
    diagonal = np.linalg.norm(np.ptp(COORDINATES, axis=0))
    relative = run(curves(), ChordError=1e-3)
    absolute = run(curves(), ChordError=1e-3 * diagonal, ChordErrorMode="Absolute")
    check(np.array_equal(points(relative), points(absolute)), "relative to the diagonal")
    check(abs(field_value(relative, "Chord Tolerance").ToDouble() - 1e-3 * diagonal) < 1e-12,
          "the tolerance in force is reported")
    check(count(UseChordError=0) == 40, "no criterion: the input points of a Catmull-Rom curve")


def sampling_and_level():
    for sampling in ("Uniform", "Bisection", "Equal Error"):
        parameter = point_array(run(curves(), Sampling=sampling, GenerateParameter=1,
                                    ChordError=1e-4, OutputPrecision="Double"), "Parameter")
        dyadic = np.all(parameter * 2 ** 24 == np.floor(parameter * 2 ** 24))
        check(dyadic == (sampling == "Bisection"), f"{sampling}: parameters")
    check(count(ChordError=1e-4, Sampling="Bisection") <
          count(ChordError=1e-4, Sampling="Uniform"), "bisection needs fewer points")
    check(count(ChordError=1e-4) == count(ChordError=1e-4, Sampling="Equal Error"),
          "equal error is the default")
    check(count(ChordError=1e-4) < 0.8 * count(ChordError=1e-4, Sampling="Bisection"),
          "equal error needs still fewer")
    out, text = said(curves(), MaximumLevel=1, ChordError=1e-6)
    check("maximum level" in text, f"a warning where the level is not enough: {text}")
    check(out.GetNumberOfPoints() == 40 + 37, "every piece halved once")


def turning_angle():
    for angle in (20.0, 5.0):
        out = run(curves(), UseChordError=0, UseTurningAngle=1, TurningAngle=angle)
        worst = 0.0
        for ids in lines(out):
            step = np.diff(points(out)[ids], axis=0)
            step /= np.linalg.norm(step, axis=1)[:, None]
            worst = max(worst, np.degrees(np.arccos(np.clip((step[1:] * step[:-1]).sum(1), -1, 1))).max())
        check(worst <= angle * (1 + 1e-9), f"{worst} degrees for {angle}")


def segment_length():
    for longest in (0.1, 0.03):
        out = run(curves(), UseChordError=0, UseMaximumSegmentLength=1, MaximumSegmentLength=longest)
        most = max(np.linalg.norm(np.diff(points(out)[ids], axis=0), axis=1).max()
                   for ids in lines(out))
        check(most <= longest, f"a segment of {most} for {longest}")


def field_error():
    data = curves()
    for error in (0.1, 0.01):
        out = run(data, UseChordError=0, UseFieldError=1, FieldError=error, FieldErrorArrays=["f"],
                  GenerateParameter=1)
        fine = run(data, ChordErrorMode="Absolute", ChordError=1e-6, GenerateParameter=1)
        for ids, dense in zip(lines(out), lines(fine)):
            parameter = point_array(out, "Parameter")[ids]
            segment = np.searchsorted(parameter, point_array(fine, "Parameter")[dense], "right") - 1
            a = ids[np.clip(segment, 0, len(ids) - 2)]
            b = ids[np.clip(segment, 0, len(ids) - 2) + 1]
            step = points(out)[b] - points(out)[a]  # drawn: linear along the segment
            place = ((points(fine)[dense] - points(out)[a]) * step).sum(axis=1) / (step**2).sum(axis=1)
            linear = point_array(out, "f")[a] + np.clip(place, 0, 1) * (
                point_array(out, "f")[b] - point_array(out, "f")[a])
            worst = np.abs(linear - point_array(fine, "f")[dense]).max()
            check(worst <= error + 1e-9, f"a field error of {worst} for {error}")
    check(count(UseFieldError=1, FieldError=1e-4, FieldErrorArrays=["f"]) > count(), "more points")
    check(count(UseFieldError=1, FieldError=1e-4) >= count(UseFieldError=1, FieldError=1e-4,
                                                           FieldErrorArrays=["f"]), "all arrays")


def curvature_factor():
    # One quadratic piece: k = |P1 - (P0 + P2) / 2| / |P2 - P0| = 1 / 2, so n = factor / 2.
    data = polydata([(0, 0, 0), (1, 1, 0), (2, 0, 0)], [(0, 1, 2)])
    n = lambda **p: run(data, InterpretLinesAs="Quadratic Bezier", UseChordError=0,
                        Sampling="Uniform", UseCurvatureFactor=1, **p).GetNumberOfPoints()
    check(n() == 8, f"factor 16 makes 8 points, not {n()}")
    check(n(CurvatureFactor=33) == 16, "factor 33")
    check(n(CurvatureFactor=1) == 4 and n(CurvatureFactor=1, MinimumPoints=7) == 7, "minimum")
    check(n(CurvatureFactor=1000) == 32 and n(CurvatureFactor=1000, MaximumPoints=99) == 99, "maximum")
    closed = polydata([(0, 0, 0), (1, 1, 0), (0, 0, 0)], [(0, 1, 2)])
    out = run(closed, InterpretLinesAs="Quadratic Bezier", UseChordError=0,
              Sampling="Uniform", UseCurvatureFactor=1)
    check(out.GetNumberOfPoints() == 32, "a zero chord takes the maximum")


def point_budget():
    free = count(ChordError=1e-5)
    for budget in (free // 2, free // 5):
        out = run(curves(), ChordError=1e-5, PointBudget=budget)
        check(budget * 0.7 < out.GetNumberOfPoints() <= budget,
              f"{out.GetNumberOfPoints()} points for a budget of {budget}")
        check(field_value(out, "Tolerance Scale").ToDouble() > 1, "scale")
    check(count(ChordError=1e-5, PointBudget=free) == free, "a budget that is enough changes nothing")


def generated_arrays():
    t = np.linspace(0, 2 * math.pi, 400)
    data = polydata(np.stack([2 * np.cos(t), 2 * np.sin(t), 0 * t], axis=1), [range(400)])
    out = run(data, GenerateParameter=1, GenerateArcLength=1, GenerateCurvature=1,
              GenerateTangents=1, GenerateSourceCell=1, GenerateAchievedError=1)
    arc = point_array(out, "ArcLength")
    check(abs(arc[-1] - length(out)) < 1e-9 and abs(arc[-1] - 4 * math.pi) < 1e-3, "ArcLength")
    inner = slice(20, -20)
    check(np.abs(point_array(out, "Curvature")[inner] - 0.5).max() < 1e-3, "Curvature")
    tangents = point_array(out, "Tangents")
    check(np.abs(np.linalg.norm(tangents, axis=1) - 1).max() < 1e-12, "unit Tangents")
    check(np.abs((tangents * points(out)).sum(1)[inner]).max() < 1e-3, "across the radius")
    check(point_array(out, "Parameter")[[0, -1]].tolist() == [0, 399], "Parameter")
    check(cell_values(out, "SourceCell").tolist() == [0], "SourceCell")
    check(cell_values(out, "AchievedError")[0] <= field_value(out, "Chord Tolerance").ToDouble(),
          "AchievedError")
    plain = run(data)
    check(plain.GetPointData().GetNumberOfArrays() == plain.GetCellData().GetNumberOfArrays() == 0,
          "nothing that was not asked for")


main(interpretations, knots_and_tension, chord_error, sampling_and_level, turning_angle,
     segment_length, field_error, curvature_factor, point_budget, generated_arrays)
