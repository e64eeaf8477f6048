# SPDX-License-Identifier: BSD-3-Clause
"""Each kind of output of Adaptive Grid, by settings from the panel of the real ParaView.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui_grid_outputs."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from adaptive_grid import CELLS, open_and_filter, report_is
from desktop import Events, main

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"Unstructured Grid": "cells", "Hyper Tree Grid": "trees", "Overlapping AMR": "blocks"}
VIEW = "900x560+520+330"  # a part of the window that shows nothing but the grid


def represent(events, text):
    events.do(Events.WINDOW + "representationToolbar/displayRepresentation/comboBox", "activated",
              text)


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


if __name__ == "__main__":
    main("gui_grid_outputs", (adaptive_grids,))
