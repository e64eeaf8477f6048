# SPDX-License-Identifier: BSD-3-Clause
"""What ParaView's panel calls the choices, in the order of their numbers, and the properties that are
no options of the core. A test compares both with the panel's own XML."""
from __future__ import annotations

CURVES_LABELS = {
    "InterpretLinesAs": ("Catmull-Rom", "Quadratic Bezier", "Cubic Bezier",
                         "Quadratic B-Spline", "Cubic B-Spline", "Straight", "Automatic",
                         "Natural Cubic Spline"),
    "CatmullRomKnots": ("Uniform", "Centripetal", "Chordal"),
    "Sampling": ("Uniform", "Bisection", "Equal Error", "Equal Arc Length"),
    "Joints": ("Keep All", "Keep Where Needed"),
    "Vertices": ("On the Curve", "Within Tolerance"),
    "ChordErrorMode": ("Absolute", "Fraction of Box"),
    "FieldErrorMode": ("Absolute", "Fraction of Range"),
    "ArrayInterpolation": ("By the Curve", "Linear"),
    "OutputPrecision": ("Single", "Double", "Same as Input"),
}

GRID_LABELS = {
    "GridType": ("Adaptive", "Fixed Coarse", "Fixed Fine"),
    "Balance": ("None", "Across Faces", "Across Edges", "Across Corners"),
    "ThresholdMode": ("Absolute", "Fraction of Range"),
    "OutputType": ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"),
    "HangingNodes": ("Free", "Constrained", "Polygons (2D)", "Conforming"),
    "CellShape": ("Voxels or Pixels", "Hexahedra or Quads"),
    "OutputPrecision": ("Single", "Double", "Same as Input"),
    "OverTime": ("Each Step", "All Steps"),
}

# Of CUDA, or refused unless they have their default.
NOT_HERE = {"Device", "LaunchStrategy", "ChildStream", "PendingLaunchCount", "OutputMemory",
            "DeviceHeapSize", "LaunchThreshold", "BlockSize", "ClusterSize", "SharedMemoryCarveout",
            "NestingDepth", "KeepInputOnDevice", "OutputType", "AMRBlockSize", "OverTime"}
