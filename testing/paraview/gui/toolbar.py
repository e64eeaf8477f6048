# SPDX-License-Identifier: BSD-3-Clause
"""The toolbar Tessera: each button makes its filter where the input fits, and is off where it does not;
and the ? of every source and filter opens its own page in ParaView's help.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and a state in TESSERA_OUTPUT/gui_toolbar."""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, help_is_there, main
import states

WINDOW = ("-qwindowgeometry", "1590x1000+2+30")  # wide enough for all buttons
# In the order of their names, as in the menu: name and label.
FILTERS = {path.stem: re.search(r'<\w+ name="%s"\s[^>]*?label="([^"]+)"' % path.stem, text)[1]
           for path in sorted((Path(__file__).resolve().parents[3] / "xml").glob("*.xml"))
           if 'ProxyGroup name="filters"' in (text := path.read_text(encoding="utf-8"))}
# What a filter takes, as its page says: cells, lines, grids, and all that has points of its own.
FITS = {"TurbulentJet": {"AdaptiveGrid"}, "RandomBezierCurves": set(FILTERS), "CUDADeviceReport": set()}
# An unstructured grid may have cells of two or three dimensions, so Adaptive Grid is on; of curves it says that they are none.
MESSAGES = 1
SOURCES = {"TurbulentJet": "Turbulent Jet", "RandomBezierCurves": "Random Bezier Curves",
           "RandomDiscs": "Random Discs", "CUDADeviceReport": "CUDA Device Report"}
BROWSER = Events.WINDOW + "pqHelpWindow/1QTextBrowser0"


def button(name):
    return f"{Events.TOOLBAR}/1QToolButton{list(FILTERS).index(name)}"


def enabled(events, names):
    for name in FILTERS:
        events.see(button(name), "enabled", "true" if name in names else "false")


def toolbar(desktop):
    """A button a filter, on where the input fits; a press makes the filter and nothing else."""
    events = Events()
    for name, label in FILTERS.items():
        events.see(button(name), "text", label)
    enabled(events, ())  # nothing is there
    for name in FILTERS:
        events.do(button(name))
    made = []
    for kind, fits in FITS.items():
        events.source(kind)
        enabled(events, fits)
        made.append(kind)
        for name in sorted(fits):
            events.source(kind)
            events.do(button(name))
            events.apply()
            made += [kind, name]
        events.source(kind)
        made.append(kind)
        for name in sorted(set(FILTERS) - fits):
            events.do(button(name))
    events.see(Events.MESSAGES, "modelRowCount", str(MESSAGES))
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/made.pvsm")
    desktop.play("toolbar", events, 280, *WINDOW)
    found = sorted(one.kind for one in
                   states.pipeline(os.path.join(desktop.folder, "made.pvsm")).values())
    if found != sorted(made):
        raise RuntimeError(f"The buttons made {found} instead of {sorted(made)}")


def pages(desktop):
    """The ? opens the page of the panel that it stands in."""
    if not help_is_there():
        return
    events = Events()
    for name, label in SOURCES.items():
        events.source(name)
        events.do(Events.PANEL + "Help")
        events.see(BROWSER, "documentTitle", label)
    for name, label in FILTERS.items():
        events.source("TurbulentJet" if name == "AdaptiveGrid" else "RandomBezierCurves")
        events.menu("menuFilters/Tessera", name)
        events.do(Events.PANEL + "Help")
        events.see(BROWSER, "documentTitle", label)
    desktop.play("pages", events, 280, *WINDOW)


if __name__ == "__main__":
    main("gui_toolbar", (toolbar, pages))
