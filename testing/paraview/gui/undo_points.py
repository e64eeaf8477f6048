# SPDX-License-Identifier: BSD-3-Clause
"""Undo and redo, of the filters that take points, in the real ParaView: after each step
back the pipeline is what it was, with the numbers that the panel then showed; after each step forward,
too.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the states that ParaView saved in TESSERA_OUTPUT/gui_undo_points."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import main
from undoing import in_turn

# What is changed of each: its source, property, the kind of its widget, the value.
FILTERS = {"AdaptivePointGrid": ("RandomDiscs", "MaximumPointsPerCell", "LineEdit0", "7"),
           "PointsToCurves": ("RandomDiscs", "CutAtGaps", "CheckBox", "true"),
           "DiscImage": ("RandomDiscs", "Falloff", "ComboBox", "Gaussian")}


def filters(desktop):
    """Each filter: made, changed, back to its source, and forth."""
    in_turn(desktop, "filters", FILTERS)


if __name__ == "__main__":
    main("gui_undo_points", (filters,))
