# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells in the real ParaView: curved cells from the menu, presets, the estimate, the icon and the help.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures and logs in TESSERA_OUTPUT/gui_cells."""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, help_is_there, main
import states

REPORTED = {"CellsOut": "cells", "PointsOut": "points"}


def open_and_filter(events):
    """Quadratic hexahedra of ParaView's own source, and the filter on them."""
    events.menu("menuSources/Alphabetical", "UnstructuredCellTypes")
    events.choose("CellType", "Quadratic Hex")
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveCells")


def press(events, name):
    events.do(f"{Events.PROPERTIES}{name}/1QPushButton0")


def number(events, name, text):
    events.see(f"{Events.PROPERTIES}{name}/DoubleLineEdit0", "text", text)


def panel(desktop):
    """Groups and presets; what a criterion needs is shown where it is switched on."""
    events = Events()
    open_and_filter(events)
    events.groups("Output", "Presets", "Criteria", "Size of the Output", "Execution", "Report")
    events.shown("Draft", "Balanced", "Fine", "ChordError", "FieldError", "OutputType", "Estimate", "ReportText")
    events.hidden("NormalAngle", "MaximumEdgeLength", "LargestOutput", "MaximumSegments")
    events.switch("UseNormalAngle", True)
    events.shown("NormalAngle")
    for name, chord, field in (("Draft", "0.005", "0.05"), ("Fine", "0.0001", "0.001"), ("Balanced", "0.001", "0.01")):
        press(events, name)
        number(events, "ChordError", chord)
        number(events, "FieldError", field)
    events.see(Events.MESSAGES, "modelRowCount", "0")
    desktop.play("panel", events, 160)


def apply(desktop):
    """The estimate before Apply is what comes out, and the state keeps the preset."""
    events = Events()
    open_and_filter(events)
    press(events, "Draft")
    press(events, "Estimate")
    events.see(f"{Events.PROPERTIES}ReportText/ReportText", "plainText", "-")
    events.apply()
    events.see(Events.MESSAGES, "modelRowCount", "0")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/cells.pvsm")
    picture, _ = desktop.look("apply", events, "cells.pvsm", 160)
    saved = states.only(os.path.join(desktop.folder, "cells.pvsm"), "AdaptiveCells")
    if saved["FieldError"] != ["0.05"]:
        raise RuntimeError(f"The state has {saved}")
    colours = desktop.colours_in(picture, "900x800+500+200")
    if colours < 20:
        raise RuntimeError(f"The view shows nothing: {colours} colours in apply.png")


def help_page(desktop):
    """The ? opens the filter's page."""
    if not help_is_there():
        return
    events = Events()
    open_and_filter(events)
    events.do(Events.PANEL + "Help")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/help.pvsm")
    process, said = desktop.start_script("help", events)
    try:
        desktop.wait_for("help.pvsm", 120, lambda: os.path.exists(os.path.join(desktop.folder, "help.pvsm")))
        desktop.wait_for_window("Online Help")
        desktop.picture("help.png")
    except RuntimeError as problem:
        raise RuntimeError(f"{problem}\n{said()[-3000:]}") from problem
    finally:
        desktop.stop(process)


if __name__ == "__main__":
    main("gui_cells", (panel, apply, help_page))
