# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid and Turbulent Jet in the real ParaView, by mouse and keyboard.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui_grid."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main
import states

# The default jet has 128 points along x and 64 along y; flat, 127 x 63 cells.
CELLS = 127 * 63
COARSE_CELLS = 16 * 8


def open_and_filter(events, layers=1):
    """A jet, flat unless there are several layers of points, and the filter on it."""
    events.menu("menuSources/Alphabetical", "TurbulentJet")
    events.enter("Dimensions", "LineEdit2", str(layers))
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveGrid")


def report_is(events, name, text):
    events.see(f"{Events.PROPERTIES}{name}/DoubleLineEdit0", "text", text)


def fixed_grids(desktop):
    """Fixed grids have the cells that one counts by hand, and the report follows each Apply."""
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
    main("gui_grid", (region_box, fixed_grids, bad_value))
