# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid and Turbulent Jet in the real ParaView, by mouse and keyboard.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui_grid."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main
import states

HERE = os.path.dirname(os.path.abspath(__file__))

THRESHOLDS = {"UseInterpolationError": "InterpolationError", "UseValueRange": "ValueRange",
              "UseGradient": "Gradient", "UseSecondDerivative": "SecondDerivative",
              "UseStandardDeviation": "StandardDeviation", "UseVorticity": "Vorticity",
              "UseQCriterion": "QCriterion", "UseArrayInRange": "ArrayInRange"}
IDLE_WITHOUT = ["BufferCells", "CellBudget", "CriteriaArrays", "ThresholdMode"]
OF_CRITERIA = [*IDLE_WITHOUT, "OnlyInUse"]
ADVANCED = ["UseRegion", "Component", "CellShape", "OutputPrecision", "MeasureErrors", "Threads",
            "LaunchStrategy"]
REPORT = ["InputCells", "CellsOut", "PointsOut", "FineCells", "Saving", "LargestErrors",
          "ThresholdScale"]
# The default jet has 128 points along x and 64 along y; flat, 127 x 63 cells.
CELLS = 127 * 63
COARSE_CELLS = 16 * 8
KINDS = {"Unstructured Grid": "cells", "Hyper Tree Grid": "trees", "Overlapping AMR": "blocks"}
BOX = "InteractiveBox"
VIEW = "900x560+520+330"  # a part of the window that shows nothing but the grid


def open_and_filter(events, layers=1):
    """A jet, flat unless there are several layers of points, and the filter on it."""
    events.menu("menuSources/Alphabetical", "TurbulentJet")
    events.enter("Dimensions", "LineEdit2", str(layers))
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveGrid")


def report_is(events, name, text):
    events.see(f"{Events.PROPERTIES}{name}/DoubleLineEdit0", "text", text)


def represent(events, text):
    events.do(Events.WINDOW + "representationToolbar/displayRepresentation/comboBox", "activated",
              text)


def folded(events):
    """The button leaves what is in use, and brings the rest back."""
    rest = [use for use in THRESHOLDS if use != "UseInterpolationError"]
    for hides in (True, False):
        events.do(Events.PROPERTIES + "OnlyInUse/1QPushButton0")
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


def visibility(desktop):
    """Each property is shown where it applies, and only there."""
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
    events.hidden(*ADVANCED, "VelocityArray", "AMRBlockSize", BOX)
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
    events.shown(*ADVANCED)
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
    desktop.play("visibility", events, 120)


def fixed_grids(desktop):
    """They have the cells that one counts by hand, and the report follows each Apply."""
    events = Events()
    open_and_filter(events)
    for kind, cells, saving in (("Fixed Coarse", COARSE_CELLS, 1 - COARSE_CELLS / CELLS),
                                ("Fixed Fine", CELLS, 0)):
        events.choose("GridType", kind)
        events.apply()
        report_is(events, "InputCells", str(CELLS))
        report_is(events, "CellsOut", str(cells))
        report_is(events, "FineCells", str(CELLS))
        report_is(events, "Saving", str(saving))
    events.see(Events.MESSAGES, "modelRowCount", "0")
    desktop.play("fixed", events, 120)


def adaptive_grids(desktop):
    """Each kind of output, by settings from the panel: it is seen, without a message, and right."""
    for kind, name in KINDS.items():
        events = Events()
        open_and_filter(events)
        # The arrays stand in the order of their names.
        events.do(Events.PROPERTIES + "CriteriaArrays/ArraySelectionWidget", "setCheckState",
                  "1.0,2")
        events.enter("InterpolationError", "DoubleLineEdit0", "0.05")
        events.switch("GenerateLevel", True)
        events.choose("OutputType", kind)
        events.apply()
        represent(events, "Surface With Edges")
        report_is(events, "FineCells", str(CELLS))
        events.menu("menu_File", "actionFileSaveServerState")
        events.file("FileSaveServerStateDialog", f"$PARAVIEW_TEST_ROOT/{name}.pvsm")
        picture, said = desktop.look(name, events, name + ".pvsm", 60)
        colours = desktop.colours_in(picture, VIEW)
        if "ERR|" in said or "critical" in said or colours < 100:
            raise RuntimeError(f"{name}.png has {colours} colours in the view:\n{said[-3000:]}")
        done = desktop.run("pvpython", os.path.join(HERE, "check_grid.py"),
                           os.path.join(desktop.folder, name + ".pvsm"), seconds=90, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{name}.pvsm is not right:\n{done.stdout}{done.stderr}")


def region_box(desktop):
    """A face of the box in the view is dragged: the region goes along."""
    events = Events()
    open_and_filter(events, layers=16)
    events.apply()
    events.advanced(True)
    events.switch("UseRegion", True)
    events.apply()
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/box_before.pvsm")
    events.drag_box()
    events.apply()
    events.advanced(False)
    events.see(Events.MESSAGES, "modelRowCount", "0")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/box_after.pvsm")
    desktop.play("region_box", events, 120)
    before, after = (states.only(os.path.join(desktop.folder, f"box_{name}.pvsm"), "AdaptiveGrid")
                     for name in ("before", "after"))
    moved = [float(b) - float(a) for a, b in zip(before["Region"], after["Region"])]
    # A tenth of the height is half a unit of length.
    if abs(moved.pop(3) + 0.51) > 0.1 or max(abs(one) for one in moved) > 1e-6:
        raise RuntimeError(f"The region was {before['Region']} and is {after['Region']}")
    if after["RegionCorner"] != after["Region"][::2]:
        raise RuntimeError(f"The corner is {after['RegionCorner']} of {after['Region']}")


def bad_value(desktop):
    """A threshold below 0: one sentence that names it, and nothing is made."""
    events = Events()
    open_and_filter(events)
    events.enter("InterpolationError", "DoubleLineEdit0", "-1")
    events.apply()
    report_is(events, "CellsOut", "0")
    events.see(Events.MESSAGES, "modelRowCount", "1")
    said = desktop.play("bad_value", events, 120)
    if "but is -1" not in said or "Interpolation Error" not in said:
        raise RuntimeError(f"The message does not name the threshold:\n{said}")


if __name__ == "__main__":
    main("gui_grid", (visibility, region_box, fixed_grids, adaptive_grids, bad_value))
