# SPDX-License-Identifier: BSD-3-Clause
"""What the panels have in common, in the real ParaView: presets, the estimate before Apply, the limit,
the report as text, the toolbar, the help, and one view as before though there is a second output.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui_panel."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, help_is_there, main
import states

# Fixed Coarse on the flat jet: 16 x 8 cells, each with 20 bytes of arrays and 100 of its own.
SIZE = "128 cells, about 15.0 KiB of the 100 MiB allowed."


def open_and_filter(events, flat=True):
    """A jet, and the filter on it."""
    events.menu("menuSources/Alphabetical", "TurbulentJet")
    if flat:
        events.enter("Dimensions", "LineEdit2", "1")
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveGrid")


def text_is(events, name, text):
    events.see(f"{Events.PROPERTIES}{name}/{name}", "plainText", text)


def before_apply(desktop):
    """Presets fill the panel, the estimate says what Apply then makes, and the state keeps it."""
    events = Events()
    events.see(Events.TOOLBAR, "visible", "true")
    open_and_filter(events)
    events.shown("Draft", "Balanced", "Fine", "Estimate", "EstimateText", "ReportText")
    events.hidden("LargestOutput")
    events.press("Draft")
    events.see(f"{Events.PROPERTIES}InterpolationError/DoubleLineEdit0", "text", "0.05")
    events.advanced(True)
    events.enter("LargestOutput", "LineEdit0", "100")
    events.choose("GridType", "Fixed Coarse")
    events.press("Estimate")
    text_is(events, "EstimateText", SIZE)
    events.see(f"{Events.PROPERTIES}CellsOut/DoubleLineEdit0", "text", "0")
    text_is(events, "ReportText", "-")
    events.apply()
    text_is(events, "EstimateText", SIZE)
    events.see(f"{Events.PROPERTIES}CellsOut/DoubleLineEdit0", "text", "128")
    events.advanced(False)
    events.see(Events.MESSAGES, "modelRowCount", "0")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/panel.pvsm")
    desktop.play("before_apply", events, 280)
    state = os.path.join(desktop.folder, "panel.pvsm")
    views = states.views(state)
    if views != ["RenderView"]:
        raise RuntimeError(f"A second output has opened a view: {views}")
    saved = states.only(state, "AdaptiveGrid")
    if (saved["LargestOutput"], saved["InterpolationError"]) != (["100"], ["0.05"]):
        raise RuntimeError(f"The state has {saved}")


def too_large(desktop):
    """An output above the limit: one sentence, with a threshold that fits."""
    events = Events()
    open_and_filter(events, flat=False)
    events.advanced(True)
    events.enter("InterpolationError", "DoubleLineEdit0", "1e-7")
    events.enter("LargestOutput", "LineEdit0", "1")
    events.apply()
    events.see(Events.MESSAGES, "modelRowCount", "1")
    events.advanced(False)
    said = desktop.play("too_large", events, 280)
    if "it would fit with Interpolation Error" not in said:
        raise RuntimeError(f"The message names no threshold:\n{said[-3000:]}")


def help_page(desktop):
    """The ? opens the filter's page in ParaView's help, with its picture."""
    if not help_is_there():
        return
    events = Events()
    open_and_filter(events)
    picture = desktop.help(events)
    # The picture of the jet has thousands of colours, text and an empty page a few hundred.
    colours = desktop.colours_in(picture, "700x500+380+150")
    if colours < 2000:
        raise RuntimeError(f"The help shows no picture of the filter: {colours} colours in help.png")


if __name__ == "__main__":
    main("gui_panel", (before_apply, too_large, help_page))
