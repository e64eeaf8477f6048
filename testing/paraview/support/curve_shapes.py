# SPDX-License-Identifier: BSD-3-Clause
"""What a curve cell is, from the textbooks: `spans(...)` gives a list of functions, one a span, from
parameters in [0, 1] to rows of numbers. A row of the input is a control point with whatever else goes
along the curve.

Sources: de Casteljau and de Boor in Farin, Curves and Surfaces for CAGD; Catmull-Rom splines with
knots in Barry and Goldman, A recursive evaluation algorithm for a class of Catmull-Rom splines (1988);
the order of points in VTK's higher-order cells in vtkHigherOrderCurve.
"""
import numpy as np

KNOTS = {"Uniform": 0.0, "Centripetal": 0.5, "Chordal": 1.0}
DEGREES = {"Quadratic Bezier": 2, "Cubic Bezier": 3, "Quadratic B-Spline": 2, "Cubic B-Spline": 3}


def along(rows):
    """The order along the curve, from VTK's with both ends first."""
    return np.concatenate([rows[:1], rows[2:], rows[1:2]])


def mix(a, b, t):
    return (1 - t) * a + t * b


def bezier(rows, weights=None):
    weights = np.ones(len(rows)) if weights is None else weights
    homogeneous = np.column_stack([rows * weights[:, None], weights])

    def at(t):
        level = [np.broadcast_to(row, (len(t), len(row))) for row in homogeneous]
        while len(level) > 1:
            level = [mix(a, b, t[:, None]) for a, b in zip(level[:-1], level[1:])]
        return level[0][:, :-1] / level[0][:, -1:]
    return at


def lagrange(rows):
    """The polynomial through all rows at equal steps, span by span, by Neville's scheme."""
    nodes = np.arange(len(rows), dtype=float)

    def span(k):
        def at(t):
            u = (k + t)[:, None]
            level = [np.broadcast_to(row, (len(t), len(row))) for row in rows]
            for d in range(1, len(rows)):
                level = [((nodes[i + d] - u) * level[i] + (u - nodes[i]) * level[i + 1])
                         / (nodes[i + d] - nodes[i]) for i in range(len(rows) - d)]
            return level[0]
        return at
    return [span(k) for k in range(len(rows) - 1)]


def barry_goldman(p, knots):
    """Between p[1] and p[2]."""
    t0, t1, t2, t3 = knots

    def at(t):
        u = mix(t1, t2, t)[:, None]
        a = [mix(p[i], p[i + 1], (u - knots[i]) / (knots[i + 1] - knots[i])) for i in range(3)]
        b = [mix(a[0], a[1], (u - t0) / (t2 - t0)), mix(a[1], a[2], (u - t1) / (t3 - t1))]
        return mix(b[0], b[1], (u - t1) / (t2 - t1))
    return at


def catmull_rom(rows, closed, knots):
    """Where a neighbour is missing the end point stands for it, an equal interval further out."""
    steps = np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1) ** KNOTS[knots]
    n, found = len(rows) - 1, []
    for k in range(n):
        before = k - 1 if k > 0 else (n - 1 if closed else None)
        after = k + 1 if k + 1 < n else (0 if closed else None)
        p = [rows[k if before is None else before], rows[k], rows[k + 1],
             rows[k + 1 if after is None else after + 1]]
        h = [steps[k if i is None else i] for i in (before, k, after)]
        found.append(barry_goldman(p, [-h[0], 0.0, h[1], h[1] + h[2]]))
    return found


def bezier_chain(rows, weights, degree):
    """What is left over makes a last span of lower degree."""
    pieces = [slice(i, min(i + degree, len(rows) - 1) + 1) for i in range(0, len(rows) - 1, degree)]
    return [bezier(rows[p], None if weights is None else weights[p]) for p in pieces]


def b_spline(rows, weights, degree):
    """Open, clamped, uniform knots; too few points make a piece of lower degree."""
    degree = min(degree, len(rows) - 1)
    n = len(rows) - degree
    weights = np.ones(len(rows)) if weights is None else weights
    homogeneous = np.column_stack([rows * weights[:, None], weights])
    knots = np.concatenate([np.zeros(degree), np.arange(n + 1), np.full(degree, n)])

    def span(k):
        def at(t):
            u = (k + t)[:, None]
            level = [np.broadcast_to(homogeneous[k + i], (len(t), homogeneous.shape[1]))
                     for i in range(degree + 1)]
            for r in range(1, degree + 1):
                for i in range(degree, r - 1, -1):
                    low, high = knots[k + i], knots[k + i + degree + 1 - r]
                    level[i] = mix(level[i - 1], level[i], (u - low) / (high - low))
            return level[degree][:, :-1] / level[degree][:, -1:]
        return at
    return [span(k) for k in range(n)]


def polyline(rows, weights, closed, meaning, knots):
    """None where this module has no words for the curve: closed B-splines, and Catmull-Rom curves with
    points in the same place, whose ends are a matter of choice."""
    if meaning == "Straight":
        return [bezier(rows[k:k + 2]) for k in range(len(rows) - 1)]
    if meaning == "Catmull-Rom":
        apart = np.linalg.norm(np.diff(rows[:, :3], axis=0), axis=1).min(initial=np.inf) > 0
        return catmull_rom(rows, closed, knots) if apart else None
    if "Bezier" in meaning:
        return bezier_chain(rows, weights, DEGREES[meaning])
    return None if closed else b_spline(rows, weights, DEGREES[meaning])


def evaluate(spans, parameters):
    """Rows at parameters that are the number of the span plus the parameter in it."""
    k = np.clip(np.floor(parameters).astype(int), 0, len(spans) - 1)
    found = {}
    for span in np.unique(k):
        found[span] = iter(spans[span](parameters[k == span] - span))
    return np.array([next(found[span]) for span in k])
