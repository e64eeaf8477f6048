# SPDX-License-Identifier: BSD-3-Clause
"""No panel is wider than its place: at the default width of ParaView's window and its panel nothing is
to be scrolled sideways, with every property of every filter and source in sight.

After Apply ParaView's own Display section asks for more than there is, for any dataset (44 pixels of 304
for a Sphere in 5.11), hence that section is folded there.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main

WIDTH = 1500
PANEL = Events.PANEL + "scrollArea/"
CONTENTS = PANEL + "qt_scrollarea_viewport/scrollAreaWidgetContents/"
# Where the filter's input comes from, and what shows its hidden properties: switch -> what it shows.
GRID = {"UseValueRange": "ValueRange", "UseGradient": "Gradient",
        "UseSecondDerivative": "SecondDerivative", "UseStandardDeviation": "StandardDeviation",
        "UseVorticity": "Vorticity", "UseQCriterion": "VelocityArray",
        "UseArrayInRange": "ArrayInRange", "UseRegion": "LevelInside"}
CURVES = {"UseTurningAngle": "TurningAngle", "UseMaximumSegmentLength": "MaximumSegmentLength",
          "UseCurvatureFactor": "CurvatureFactor"}
POINTS = {"CutAtGaps": "MaximumGap", "CutAtDistances": "MaximumDistance",
          "RemoveRepeats": "RepeatTolerance"}
FILTERS = {"AdaptiveCurves": ("RandomBezierCurves", CURVES), "AdaptiveGrid": ("TurbulentJet", GRID),
           "AdaptivePointGrid": ("RandomDiscs", {"UseSpread": "Spread"}),
           "PointsToCurves": ("RandomDiscs", POINTS), "DiscImage": ("RandomDiscs", {"UseRegion": "Region"})}


def fits(events):
    events.see(PANEL + "qt_scrollarea_hcontainer/1QScrollBar0", "maximum", "0")


def click(events, widget):
    for what in ("mousePress", "mouseRelease"):
        events.do(widget, what, "1,1,0,20,8" if what == "mousePress" else "1,0,0,20,8")


def play(desktop, name, events):
    # Qt's own argument for the size of the first window.
    desktop.play(name, events, 280, "-qwindowgeometry", f"{WIDTH}x1000+10+30")


def sources(desktop):
    """Each source, without and with what is advanced."""
    events = Events()
    events.see(Events.WINDOW[:-1], "width", str(WIDTH))
    for kind in ("TurbulentJet", "RandomBezierCurves", "RandomDiscs", "CUDADeviceReport"):
        events.advanced(False)
        events.menu("menuSources/Alphabetical", kind)
        fits(events)
        events.advanced(True)
        fits(events)
    play(desktop, "sources", events)


def filters(desktop):
    """Each filter, with every criterion in use, before and after Apply."""
    events = Events()
    events.see(Events.WINDOW[:-1], "width", str(WIDTH))
    for number, (kind, (source, switches)) in enumerate(FILTERS.items()):
        events.advanced(False)
        events.menu("menuSources/Alphabetical", source)
        events.apply()
        if number == 0:
            click(events, CONTENTS + "DisplayButtons/DisplayButton")
        events.menu("menuFilters/Alphabetical", kind)
        fits(events)
        events.advanced(True)
        for switch, shown in switches.items():
            events.switch(switch, True)
            events.shown(shown)
        fits(events)
        events.apply()
        fits(events)
    play(desktop, "filters", events)


if __name__ == "__main__":
    main("gui_width", (sources, filters))
