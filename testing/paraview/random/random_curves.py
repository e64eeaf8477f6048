# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves of random cells with random properties: random_curves.py [CASES [SEED [FIRST]]].

Each case is made from its number and the seed alone, so that `random_curves.py 1 SEED CASE` plays one
again. What has to hold is worked out by curve_shapes.py, from the definitions of the curves.
"""
import collections
import re
import sys

import numpy as np
from curve_shapes import along, bezier, evaluate, lagrange, polyline
from tessera_testing import (add_array, cell_values, check, lines, main, point_array, points, say,
                             vtk_points)
from tessera_testing import said as made_and_said
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_DOUBLE, VTK_FLOAT
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, VTK_CUBIC_LINE, VTK_LAGRANGE_CURVE,
                                           VTK_LINE, VTK_POLY_LINE, VTK_QUADRATIC_EDGE,
                                           vtkUnstructuredGrid)

CASES, SEED, FIRST = (int(text) for text in (sys.argv[1:] + ["200", "1", "0"][len(sys.argv) - 1:]))
SIZES = {VTK_LINE: (2, 2), VTK_QUADRATIC_EDGE: (3, 3), VTK_CUBIC_LINE: (4, 4),
         VTK_LAGRANGE_CURVE: (2, 7), VTK_BEZIER_CURVE: (2, 7), VTK_POLY_LINE: (1, 12)}
MEANINGS = ("Catmull-Rom", "Quadratic Bezier", "Cubic Bezier", "Quadratic B-Spline",
            "Cubic B-Spline", "Straight")
INNER = np.linspace(0, 1, 13)  # where the curve is looked at between two output points


class Case:
    """A dataset, the properties, and what the curves are."""

    def __init__(self, number):
        self.rng = np.random.default_rng([SEED, number])
        self.choose()
        self.make_points()
        self.make_cells()

    def one_of(self, *values):
        return values[self.rng.integers(len(values))]

    def choose(self):
        self.scale = 10.0 ** self.rng.uniform(-3, 3)
        self.error = self.scale * 10.0 ** self.rng.uniform(-3, 0)
        self.field_error = 10.0 ** self.rng.uniform(-2.5, 0)
        flip = lambda share: int(self.rng.random() < share)
        self.chosen = {
            "InterpretLinesAs": self.one_of(*MEANINGS), "JoinLines": 0,
            "CatmullRomKnots": self.one_of("Uniform", "Centripetal", "Chordal"),
            "Tension": self.rng.random() * flip(0.1),
            "Sampling": self.one_of("Uniform", "Bisection", "Equal Error", "Equal Arc Length"),
            "NumberOfSegments": self.rng.integers(1, 50),
            "Vertices": self.one_of("On the Curve", "On the Curve", "Within Tolerance"),
            "Joints": self.one_of("Keep All", "Keep Where Needed"),
            "ChordErrorMode": "Absolute", "ChordError": self.error,
            "UseTurningAngle": flip(0.2), "TurningAngle": self.rng.uniform(5, 90),
            "UseMaximumSegmentLength": flip(0.2), "MaximumSegmentLength": 0.3 * self.scale,
            "UseFieldError": flip(0.5), "FieldErrorMode": "Absolute",
            "FieldError": self.field_error, "FieldErrorArrays": ["value"],
            "OutputPrecision": self.one_of("Same as Input", "Same as Input", "Double", "Single"),
            "ArrayInterpolation": self.one_of("By the Curve", "By the Curve", "Linear"),
            "MaximumLevel": self.one_of(24, 24, 24, self.rng.integers(0, 7)),
            "PointBudget": flip(0.1) * self.rng.integers(2, 300),
            "Threads": self.one_of(0, 1, 3),
            "GenerateParameter": 1, "GenerateSourceCell": 1, "GenerateAchievedError": 1,
            "GenerateArcLength": flip(0.5), "GenerateCurvature": flip(0.3),
            "GenerateTangents": flip(0.3)}
        self.limited = self.chosen["MaximumLevel"] < 24 or self.chosen["PointBudget"] > 0
        self.whole = not self.limited
        self.by_curve = self.chosen["ArrayInterpolation"] == "By the Curve"
        if self.chosen["Vertices"] != "On the Curve":
            self.chosen["Sampling"] = "Equal Error"

    def make_points(self):
        n = self.rng.integers(2, 60)
        xyz = self.rng.normal(size=(n, 3)).cumsum(axis=0) * 0.3 if self.rng.random() < 0.5 \
            else self.rng.uniform(-1, 1, (n, 3))
        if self.rng.random() < 0.3:
            xyz[:, 2] = 0.0
        if self.rng.random() < 0.2:
            xyz[self.rng.integers(n)] = xyz[0]
        xyz = self.scale * (xyz + self.one_of(0.0, 0.0, 100.0))
        single = self.rng.random() < 0.5
        xyz = xyz.astype(np.float32).astype(float) if single else xyz
        self.data = vtkUnstructuredGrid()
        self.data.SetPoints(vtk_points(xyz, VTK_FLOAT if single else VTK_DOUBLE))
        value = self.rng.uniform(-1, 1, n)
        self.weights = self.rng.uniform(0.2, 5.0, n) if self.rng.random() < 0.4 else None
        self.rows = np.column_stack([xyz, value])
        attributes = self.data.GetPointData()
        add_array(attributes, "value", value)
        add_array(attributes, "place", xyz)
        add_array(attributes, "number", np.arange(n))
        if self.weights is not None:
            add_array(attributes, "weights", self.weights)
            attributes.SetRationalWeights(attributes.GetArray("weights"))

    def make_cells(self):
        """`curves`: of each cell its spans, or None."""
        self.curves, self.cells = [], []
        n = len(self.rows)
        for _ in range(self.rng.integers(1, 8)):
            kind = self.one_of(*SIZES, VTK_POLY_LINE)
            least, most = SIZES[kind]
            ids = self.rng.choice(n, self.rng.integers(least, most + 1))
            if kind == VTK_POLY_LINE and len(ids) > 3 and self.rng.random() < 0.3:
                ids[-1] = ids[0]
            self.data.InsertNextCell(kind, len(ids), ids.tolist())
            self.cells.append(ids)
            self.curves.append(self.spans(kind, ids))
        add_array(self.data.GetCellData(), "cell", np.arange(len(self.cells)) * 10)

    def spans(self, kind, ids):
        rows = self.rows[ids]
        weights = None if self.weights is None else self.weights[ids]
        if kind == VTK_BEZIER_CURVE:
            return [bezier(along(rows), None if weights is None else along(weights))]
        if kind in (VTK_QUADRATIC_EDGE, VTK_CUBIC_LINE, VTK_LAGRANGE_CURVE):
            return lagrange(along(rows))
        closed = len(ids) > 2 and ids[0] == ids[-1]
        meaning = "Straight" if kind == VTK_LINE else self.chosen["InterpretLinesAs"]
        if meaning == "Catmull-Rom" and self.chosen["Tension"] > 0:
            return None
        return polyline(rows, weights, closed, meaning, self.chosen["CatmullRomKnots"])

    def run(self):
        self.output, self.text = made_and_said(self.data, **self.chosen)
        self.whole = self.whole and "coarser than asked for" not in self.text
        self.bounded = self.whole and self.chosen["Sampling"] != "Equal Arc Length"
        self.xyz, self.parameter = points(self.output).astype(float), point_array(self.output,
                                                                                  "Parameter")
        self.source = cell_values(self.output, "SourceCell")
        self.achieved = cell_values(self.output, "AchievedError")

    def parameters(self, ids, spans):
        """Rising along a polyline; a closed one ends where it began."""
        found = self.parameter[ids].astype(float)
        if len(ids) > 1 and ids[0] == ids[-1]:
            found[-1] = len(spans)
        check((np.diff(found) > 0).all() and found[0] == 0 and found[-1] in (0, len(spans)),
              f"parameters {found}")
        return found

    def slack(self, spans, p):
        """What a row may differ since it is worked out in another order, and since parameters are
        stored in the precision of the points."""
        single = self.output.GetPoints().GetDataType() == VTK_FLOAT
        blur = (2.0 ** -24 if single else 2.0 ** -53) * np.maximum(p, 1e-3)
        moved = evaluate(spans, np.minimum(p + blur, len(spans))) - evaluate(spans, p - blur)
        return np.abs(moved).max(axis=0) + 1e-12 * np.abs(self.rows).max(axis=0)


def all_is_finite(case):
    check(np.isfinite(case.xyz).all(), "a coordinate is not finite")
    for data in (case.output.GetPointData(), case.output.GetCellData()):
        for array in (data.GetArray(i) for i in range(data.GetNumberOfArrays())):
            check(np.isfinite(vtk_to_numpy(array)).all(), f"{array.GetName()} is not finite")


def zero_length(case, ids):
    return len(ids) > 1 and (case.rows[ids, :3] == case.rows[ids[0], :3]).all()


def heard(case):
    """What was said, a sentence each, without numbers; each has its reason in the input, and counts
    the cells that have it where that is plain to see."""
    found = []
    for text in re.findall(r"vtkAdaptiveCurves \(\w+\): (.*)", case.text):
        cells = int(re.match(r"\d+", text).group()) if text[0].isdigit() else 0
        found.append(re.sub(r"\d+(\.\d+)?(e[+-]\d+)?", "#", text))
        if "there is only one point" in text:
            check(cells == sum(len(ids) == 1 for ids in case.cells), text)
        elif "of zero length" in text:
            check(cells == sum(zero_length(case, ids) for ids in case.cells), text)
        elif "the number of points does not fit" in text:
            check("Spline" in case.chosen["InterpretLinesAs"]
                  or "Bezier" in case.chosen["InterpretLinesAs"], text)
        elif "coarser than asked for" in text:
            check(case.limited or case.chosen["UseTurningAngle"], text)
        elif "bent by more than the turning angle" in text:
            check(case.chosen["UseTurningAngle"], text)
        elif "point budget" in text:
            check(case.chosen["PointBudget"] > 0, text)
        elif "single precision" in text:
            check(case.chosen["OutputPrecision"] != "Double", text)
        else:
            raise AssertionError(f"unexpected: {text}")
    return found


def cells_are_there(case):
    """In input order, each with its arrays; whatever is missing was left out with a word."""
    check((np.diff(case.source) > 0).all(), "cells out of order")
    check((cell_values(case.output, "cell") == 10 * case.source).all(), "a cell array went astray")
    check(len(case.source) == len(case.cells), f"{len(case.cells)} cells, {len(case.source)} out")
    used = np.concatenate(lines(case.output))
    check(set(used) == set(range(len(case.xyz))), "a point belongs to no polyline")


def segments(ids):
    return list(zip(ids[:-1], ids[1:]))


def distance(p, a, b):
    """Of points from a segment, and where on it the nearest place is."""
    along_it = (b - a) @ (b - a)
    s = np.clip((p - a) @ (b - a) / along_it, 0, 1) if along_it > 0 else np.zeros(len(p))
    return np.linalg.norm(p - a - s[:, None] * (b - a), axis=1), s


def errors_hold(case, ids, spans, p, slack, achieved):
    """The curve between two output points is within AchievedError of the segment between them, or of
    its neighbours where points lie off the curve, and so is the array."""
    off = case.chosen["Vertices"] != "On the Curve"
    values = point_array(case.output, "value")
    for k in range(len(ids) - 1):
        rows = evaluate(spans, p[k] + INNER * (p[k + 1] - p[k]))
        near = range(max(k - 1, 0), min(k + 2, len(ids) - 1)) if off else (k,)
        found = [distance(rows[:, :3], case.xyz[ids[i]], case.xyz[ids[i + 1]]) for i in near]
        worst = np.min([d for d, _ in found], axis=0).max()
        check(worst <= achieved * (1 + 1e-9) + slack[:3].max(), f"{worst} away, not {achieved}")
        length = np.linalg.norm(case.xyz[ids[k + 1]] - case.xyz[ids[k]])
        if case.chosen["UseFieldError"] and case.by_curve and case.bounded and not off and length > 0:
            drawn = values[ids[k]] + found[0][1] * (values[ids[k + 1]] - values[ids[k]])
            worst = np.abs(rows[:, 3] - drawn).max()
            check(worst <= case.field_error * (1 + 1e-6) + slack[3], f"the array is {worst} off")


def points_are_on_the_curve(case, ids, spans, p, slack):
    """And so is an array of their places, which goes along the curve as they do."""
    rows = evaluate(spans, p)[:, :3]
    if case.by_curve:
        away = np.abs(rows - point_array(case.output, "place")[ids]).max()
        check(away <= slack[:3].max(), f"an array is {away} off what it is on the curve")
    single = case.output.GetPoints().GetDataType() == VTK_FLOAT
    rounding = np.abs(rows).max() * 2.0 ** -24 if single else 0.0
    away = np.abs(rows - case.xyz[ids]).max()
    if case.chosen["Vertices"] == "On the Curve":
        check(away <= slack[:3].max() + rounding, f"a point is {away} off the curve")


def other_criteria_hold(case, ids):
    steps = np.diff(case.xyz[ids], axis=0)
    if case.chosen["UseMaximumSegmentLength"] and case.whole:
        longest = np.linalg.norm(steps, axis=1).max(initial=0.0)
        check(longest <= case.chosen["MaximumSegmentLength"] * (1 + 1e-6), f"{longest} long")
    if case.chosen["GenerateArcLength"]:
        measured = np.concatenate([[0.0], np.linalg.norm(steps, axis=1).cumsum()])
        check(np.allclose(point_array(case.output, "ArcLength")[ids][:len(ids) - 1],
                          measured[:-1], rtol=1e-5, atol=1e-5 * case.scale), "arc length")


def arcs_are_equal(case, closed, spans, p):
    """By the chords of 4000 steps to each segment: one that cuts a corner loses little; as many segments as asked for."""
    fine = np.concatenate([p[k] + np.linspace(0, 1, 4000, False) * (p[k + 1] - p[k])
                           for k in range(len(p) - 1)] + [p[-1:]])
    steps = np.linalg.norm(np.diff(evaluate(spans, fine)[:, :3], axis=0), axis=1)
    arcs = steps.reshape(-1, 4000).sum(axis=1)
    check(np.allclose(arcs, arcs.mean(), rtol=1e-3, atol=1e-4 * case.scale), f"arcs of {arcs}")
    least = 3 if closed else 1
    if not case.whole:
        return
    if case.chosen["UseMaximumSegmentLength"]:
        asked = np.ceil(arcs.sum() / case.chosen["MaximumSegmentLength"])
        check(abs(len(arcs) - max(asked, least)) <= 1, f"{len(arcs)} segments, not {asked}")
    else:
        check(len(arcs) == max(case.chosen["NumberOfSegments"], least), f"{len(arcs)} segments")


def look_at(case):
    all_is_finite(case)
    cells_are_there(case)
    for ids, source, achieved in zip(lines(case.output), case.source, case.achieved):
        check(achieved <= case.error * (1 + 1e-12) or not case.bounded or "half of it" in case.text,
              f"AchievedError {achieved} of {case.error}")
        other_criteria_hold(case, ids)
        spans = case.curves[source]
        if spans:
            p = case.parameters(ids, spans)
            slack = case.slack(spans, p)
            points_are_on_the_curve(case, ids, spans, p, slack)
            errors_hold(case, ids, spans, p, slack, achieved)
            if case.chosen["Sampling"] == "Equal Arc Length":
                arcs_are_equal(case, len(ids) > 1 and ids[0] == ids[-1], spans, p)


def random_curves():
    said, bad = collections.Counter(), []
    for number in range(FIRST, FIRST + CASES):
        try:
            case = Case(number)
            case.run()
            said.update(heard(case))
            look_at(case)
        except AssertionError as problem:
            bad.append(f"case {number} of seed {SEED}: {problem}")
            say(bad[-1])
    for text, count in said.most_common():
        say(f"{count} times: {text}")
    check(not bad, f"{len(bad)} of {CASES} cases")


main(random_curves)
