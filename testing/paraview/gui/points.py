# SPDX-License-Identifier: BSD-3-Clause
"""The filters of points and their sources in the real ParaView, by mouse and keyboard.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures and logs in TESSERA_OUTPUT/gui_points."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main

DISCS = 10000  # of Random Discs by default
CURVES = 1000  # of Random Bezier Curves
NOTHING_SAID = (Events.MESSAGES, "modelRowCount", "0")


def on_discs(events, name):
    """Random Discs, and a filter on them."""
    events.menu("menuSources/Alphabetical", "RandomDiscs")
    events.apply()
    events.menu("menuFilters/Alphabetical", name)


def report_is(events, name, text):
    events.see(f"{Events.PROPERTIES}{name}/DoubleLineEdit0", "text", text)


def visibility(desktop):
    """Each property is shown where it applies, and only there."""
    events = Events()
    on_discs(events, "AdaptivePointGrid")
    events.groups("Tree", "Output", "Size of the Output", "Execution", "Report")
    events.shown("TreeShape", "MaximumPointsPerCell", "MaximumLevel", "UseSpread", "Balance",
                 "OutputType", "GenerateMeans", "GenerateExtremes", "Backend", "PointsIn", "LeavesOut")
    events.hidden("SpreadArray", "Spread", "SpreadComponent", "OutputPrecision", "Threads")
    events.switch("UseSpread", True)
    events.shown("SpreadArray", "Spread")
    events.choose("OutputType", "Points In Cell Order")
    events.hidden("GenerateMeans", "GenerateExtremes", "GenerateDensity")
    events.choose("Backend", "CPU")
    events.hidden("Device", "LaunchStrategy")
    desktop.play("grid_visibility", events, 120)
    events = Events()
    on_discs(events, "PointsToCurves")
    events.hidden("MaximumGap", "MaximumDistance", "RepeatTolerance")
    for use, value in (("CutAtGaps", "MaximumGap"), ("CutAtDistances", "MaximumDistance"),
                       ("RemoveRepeats", "RepeatTolerance")):
        events.switch(use, True)
        events.shown(value)
    desktop.play("curves_visibility", events, 120)
    events = Events()
    on_discs(events, "DiscImage")
    events.hidden("Sharpness", "Region", "OrderArray", "ColorArray", "ColorMap")
    events.choose("Falloff", "Gaussian")
    events.shown("Sharpness")
    events.switch("UseRegion", True)
    events.shown("Region")
    events.choose("Order", "Array")
    events.shown("OrderArray")
    events.choose("ColorMode", "Color Map")
    events.shown("ColorArray")
    desktop.play("discs_visibility", events, 120)


def results(desktop):
    """Every point comes through, by default settings and without a message; the report says so."""
    events = Events()
    on_discs(events, "AdaptivePointGrid")
    events.apply()
    report_is(events, "PointsIn", str(DISCS))
    on_discs(events, "PointsToCurves")
    events.apply()
    report_is(events, "PointsOut", str(DISCS))
    report_is(events, "CurvesOut", "1")
    on_discs(events, "DiscImage")
    events.apply()
    report_is(events, "DiscsIn", str(DISCS))
    report_is(events, "DiscsDrawn", str(DISCS))
    events.menu("menuSources/Alphabetical", "RandomBezierCurves")
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveCurves")
    events.apply()
    report_is(events, "CurvesIn", str(CURVES))
    events.see(*NOTHING_SAID)
    desktop.play("results", events, 200)


def bad_value(desktop):
    """Cells of no points: one sentence that names the setting, and nothing is made."""
    events = Events()
    on_discs(events, "AdaptivePointGrid")
    events.enter("MaximumPointsPerCell", "LineEdit0", "0")
    events.apply()
    report_is(events, "LeavesOut", "0")
    events.see(Events.MESSAGES, "modelRowCount", "1")
    said = desktop.play("bad_value", events, 120)
    if "but is 0" not in said and "not 0" not in said:
        raise RuntimeError(f"The message does not name the value:\n{said}")


if __name__ == "__main__":
    main("gui_points", (visibility, results, bad_value))
