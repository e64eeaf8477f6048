# SPDX-License-Identifier: BSD-3-Clause
"""The properties of Adaptive Curves: the core's, and what this side of it does with the output."""
from __future__ import annotations

from .. import curves
from .._library import core
from ..properties import CHOICE, COMMON, INT, INT64, NAMES, Property

_KINDS = (curves.CATMULL_ROM, curves.QUADRATIC_BEZIER_CHAIN, curves.CUBIC_BEZIER_CHAIN,
          curves.QUADRATIC_B_SPLINE, curves.CUBIC_B_SPLINE, curves.STRAIGHT, curves.AUTOMATIC,
          curves.NATURAL_SPLINE)

# What is made on request: property, name of the array.
GENERATED_POINT_ARRAYS = {"GenerateParameter": "Parameter", "GenerateArcLength": "ArcLength",
                          "GenerateCurvature": "Curvature", "GenerateTangents": "Tangents"}


def _choice(name: str, default: int) -> Property:
    labels = core.LABELS[name]
    return Property(name, CHOICE, default, 1, 0, len(labels) - 1, labels)


PROPERTIES: tuple[Property, ...] = (
    *COMMON,
    *curves.PROPERTIES.values(),
    _choice("InterpretLinesAs", 6),
    Property("JoinLines", INT, 1, 1, 0, 1),
    *(Property(name, NAMES, []) for name in
      ("FieldErrorArrays", "CurveArrays", "LinearArrays", "NearestArrays")),
    Property("PointBudget", INT64, 0, 1, 0),
    _choice("OutputPrecision", 2),
    *(Property(name, INT, 0, 1, 0, 1) for name in
      (*GENERATED_POINT_ARRAYS, "GenerateSourceCell", "GenerateAchievedError")),
)


def kind_of_lines(values: dict) -> int:
    """What the points of a polyline mean, as the core says it."""
    return _KINDS[values["InterpretLinesAs"]]
