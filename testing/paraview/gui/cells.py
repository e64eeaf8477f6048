# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells in the real ParaView: curved cells from the menu, presets, the estimate and the help.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures and logs in TESSERA_OUTPUT/gui_cells."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, help_is_there, main
import states


def open_and_filter(events):
    """Quadratic hexahedra of ParaView's own source, and the filter on them."""
    events.menu("menuSources/Alphabetical", "UnstructuredCellTypes")
    events.choose("CellType", "Quadratic Hex")
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveCells")


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
        events.press(name)
        number(events, "ChordError", chord)
        number(events, "FieldError", field)
    events.see(Events.MESSAGES, "modelRowCount", "0")
    desktop.play("panel", events, 160)


def apply(desktop):
    """Nothing is said, something is drawn, and the state keeps the preset."""
    events = Events()
    open_and_filter(events)
    events.press("Draft")
    events.press("Estimate")
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
    desktop.help(events)


if __name__ == "__main__":
    main("gui_cells", (panel, apply, help_page))
