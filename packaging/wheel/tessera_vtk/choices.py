# SPDX-License-Identifier: BSD-3-Clause
"""What ParaView's panel calls the choices, in the order of their numbers, and the properties that are
no options of the core. A test compares both with the panel's own XML."""
from __future__ import annotations

CURVES_LABELS = {
    "InterpretLinesAs": ("Catmull-Rom", "Quadratic Bezier Chain", "Cubic Bezier Chain",
                         "Quadratic B-Spline", "Cubic B-Spline", "Straight"),
    "CatmullRomKnots": ("Uniform", "Centripetal", "Chordal"),
    "Sampling": ("Uniform in Parameter", "Bisection", "Equal Error"),
    "Joints": ("Keep All", "Keep Where Needed"),
    "ChordErrorMode": ("Absolute", "Relative to Bounding Box"),
    "FieldErrorMode": ("Absolute", "Relative to Array Range"),
    "ArrayInterpolation": ("By the Curve", "Linear"),
    "OutputPrecision": ("Single", "Double", "Same as Input"),
}

GRID_LABELS = {
    "GridType": ("Adaptive", "Fixed Coarse", "Fixed Fine"),
    "Balance": ("None", "Across Faces", "Across Edges", "Across Corners"),
    "ThresholdMode": ("Absolute", "Fraction of Range"),
    "OutputType": ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"),
    "HangingNodes": ("Free", "Constrained", "Polygons (2D)", "Conforming"),
    "CellShape": ("Voxels and Pixels", "Hexahedra and Quads"),
    "OutputPrecision": ("Single", "Double", "Same as Input"),
    "OverTime": ("Each Step", "All Steps"),
}
