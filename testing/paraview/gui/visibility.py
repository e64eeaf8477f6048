# SPDX-License-Identifier: BSD-3-Clause
"""Each property of Adaptive Curves, Adaptive Grid and Turbulent Jet is shown in the real ParaView's
panel where it applies, and only there.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs in TESSERA_OUTPUT/gui_visibility."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main
import adaptive_curves

CURVE_CRITERIA = {
    "UseChordError": ["ChordError", "ChordErrorMode"],
    "UseTurningAngle": ["TurningAngle"],
    "UseMaximumSegmentLength": ["MaximumSegmentLength"],
    "UseFieldError": ["FieldError", "FieldErrorArrays"],
    "UseCurvatureFactor": ["CurvatureFactor", "MinimumPoints", "MaximumPoints"],
}
CURVE_ADVANCED = ["MaximumLevel", "OutputPrecision", "Threads"]

THRESHOLDS = {"UseInterpolationError": "InterpolationError", "UseValueRange": "ValueRange",
              "UseGradient": "Gradient", "UseSecondDerivative": "SecondDerivative",
              "UseStandardDeviation": "StandardDeviation", "UseVorticity": "Vorticity",
              "UseQCriterion": "QCriterion", "UseArrayInRange": "ArrayInRange"}
IDLE_WITHOUT = ["BufferCells", "CellBudget", "CriteriaArrays", "ThresholdMode"]
OF_CRITERIA = [*IDLE_WITHOUT, "OnlyCriteriaInUse"]
GRID_ADVANCED = ["UseRegion", "Component", "CellShape", "OutputPrecision", "MeasureErrors",
                 "Threads", "LaunchStrategy"]
REPORT = ["InputCells", "CellsOut", "PointsOut", "FineCells", "Saving", "LargestErrors",
          "ThresholdScale"]
BOX = "InteractiveBox"


def curves(desktop):
    """Adaptive Curves."""
    events = Events()
    adaptive_curves.open_and_filter(events)
    events.groups("Curve", "Presets", "Points", "Criteria", "Limits", "Output", "Size of the Output",
                  "Execution", "Report")
    events.shown("InterpretLinesAs", "CatmullRomKnots", "Tension", "Sampling", "PointBudget",
                 "ArrayInterpolation", "GenerateParameter", "Backend", *CURVE_CRITERIA)
    events.hidden(*CURVE_ADVANCED)
    events.advanced(True)
    events.shown(*CURVE_ADVANCED)
    events.advanced(False)
    events.hidden(*CURVE_ADVANCED)
    for kind in ("Quadratic Bezier", "Cubic Bezier", "Quadratic B-Spline",
                 "Cubic B-Spline", "Straight"):
        events.choose("InterpretLinesAs", kind)
        events.hidden("CatmullRomKnots", "Tension")
    events.choose("InterpretLinesAs", "Natural Cubic Spline")
    events.shown("CatmullRomKnots")
    events.hidden("Tension")
    events.choose("InterpretLinesAs", "Catmull-Rom")
    events.shown("CatmullRomKnots", "Tension")
    for use, properties in CURVE_CRITERIA.items():
        events.switch(use, False)
        events.hidden(*properties)
        events.switch(use, True)
        events.shown(*properties)
        events.switch(use, False)
        events.hidden(*properties)
    events.hidden("Joints", "PointBudget", "NumberOfSegments")  # no criterion that they serve
    events.switch("UseChordError", True)
    events.shown("Sampling", "Joints", "PointBudget")
    events.choose("Sampling", "Equal Arc Length")
    events.shown("NumberOfSegments", "UseMaximumSegmentLength", "PointBudget")
    events.hidden("Joints", "UseChordError", "ChordError", "UseTurningAngle",
                  "UseFieldError", "UseCurvatureFactor")
    events.switch("UseMaximumSegmentLength", True)
    events.shown("MaximumSegmentLength")
    events.hidden("NumberOfSegments")
    events.switch("UseMaximumSegmentLength", False)
    events.choose("Sampling", "Equal Error")
    events.shown("Joints", "UseChordError", "ChordError")
    events.hidden("NumberOfSegments")
    events.switch("UseCurvatureFactor", True)
    events.hidden("Joints")
    desktop.play("curves", events, 120)


def folded(events):
    """The button leaves what is in use, and brings the rest back."""
    rest = [use for use in THRESHOLDS if use != "UseInterpolationError"]
    for hides in (True, False):
        events.do(Events.PROPERTIES + "OnlyCriteriaInUse/1QPushButton0")
        events.shown("UseInterpolationError", "InterpolationError")
        (events.hidden if hides else events.shown)(*rest)


def idle(events):
    """What no criterion that is switched on looks at is hidden."""
    for use in THRESHOLDS:
        events.switch(use, False)
    events.hidden(*IDLE_WITHOUT, "Balance", "OverTime")
    events.switch("UseVorticity", True)
    events.shown("ThresholdMode", "Balance", "OverTime", "BufferCells")
    events.hidden("CriteriaArrays")
    events.switch("UseVorticity", False)
    events.switch("UseSecondDerivative", True)
    events.shown("CriteriaArrays")
    events.hidden("ThresholdMode")
    for use in THRESHOLDS:
        events.switch(use, True)
    events.shown(*IDLE_WITHOUT)


def grid(desktop):
    """Turbulent Jet and Adaptive Grid."""
    events = Events()
    events.menu("menuSources/Alphabetical", "TurbulentJet")
    events.groups("Image", "Turbulence", "Time")
    events.shown("Dimensions", "Modes", "Strength", "Seed", "TimeSteps")
    events.hidden("Bounds", "Speed", "TemperatureRange", "TimeRange", "OutputPrecision")
    events.enter("Dimensions", "LineEdit2", "1")
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveGrid")
    events.groups("Grid", "Presets", "Criteria", "Criteria of Flows", "Output", "Size of the Output",
                  "Execution", "Report")
    events.shown("GridType", "CoarsenLevels", "RefineLevels", "Balance", "OutputType", "Backend",
                 "HangingNodes", "GenerateLevel", *REPORT, *OF_CRITERIA, *THRESHOLDS)
    events.hidden(*GRID_ADVANCED, "VelocityArray", "AMRBlockSize", "LeavesAboveThreshold", BOX)
    folded(events)
    for use, threshold in THRESHOLDS.items():
        events.switch(use, False)
        events.hidden(threshold)
        events.switch(use, True)
        events.shown(threshold)
    idle(events)
    events.shown("VelocityArray")
    events.switch("UseVorticity", False)
    events.shown("VelocityArray")  # the Q-criterion looks at it
    events.advanced(True)
    events.shown(*GRID_ADVANCED)
    events.hidden(BOX, "LevelInside", "LevelOutside")
    events.switch("UseRegion", True)
    events.shown(BOX, "LevelInside", "LevelOutside")
    for kind in ("Fixed Coarse", "Fixed Fine"):
        events.choose("GridType", kind)
        events.hidden(*OF_CRITERIA, *THRESHOLDS, *THRESHOLDS.values(), "VelocityArray", "Component",
                      "UseRegion", BOX, "LevelInside", "LevelOutside", "Balance", "OverTime")
    events.choose("GridType", "Adaptive")
    events.shown("ValueRange", BOX)
    events.choose("OutputType", "Hyper Tree Grid")
    events.hidden("HangingNodes", "CellShape", "OutputPrecision", "AMRBlockSize")
    events.choose("OutputType", "Overlapping AMR")
    events.hidden("HangingNodes", "CellShape", "OutputPrecision")
    events.shown("AMRBlockSize")
    events.choose("Backend", "CPU")
    events.hidden("Device", "LaunchStrategy")
    events.advanced(False)
    desktop.play("grid", events, 120)


if __name__ == "__main__":
    main("gui_visibility", (curves, grid), adaptive_curves.write_inputs)
