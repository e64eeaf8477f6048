# SPDX-License-Identifier: BSD-3-Clause
"""Undo and redo, of every filter, in the real ParaView: after each step back the pipeline is what it
was, with the numbers that the panel then showed; after each step forward, too.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the states that ParaView saved in TESSERA_OUTPUT/gui_undo_filters."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import main
from undoing import Session

# What is changed of each: its source, property, the kind of its widget, the value.
FILTERS = {"AdaptiveGrid": ("TurbulentJet", "GridType", "ComboBox", "Fixed Coarse"),
           "AdaptiveCurves": ("RandomBezierCurves", "Vertices", "ComboBox", "Within Tolerance"),
           "AdaptivePointGrid": ("RandomDiscs", "MaximumPointsPerCell", "LineEdit0", "7"),
           "PointsToCurves": ("RandomDiscs", "CutAtGaps", "CheckBox", "true"),
           "DiscImage": ("RandomDiscs", "Falloff", "ComboBox", "Gaussian")}


def filters(desktop):
    """Each filter: made, changed, back to its source, and forth."""
    session = Session(desktop)
    for name, (source, *change) in FILTERS.items():
        session.part()
        session.events.menu("menuSources/Tessera", source)
        if source == "TurbulentJet":
            session.events.enter("Dimensions", "LineEdit2", "1")
        session.events.apply()
        before = session.save()
        session.events.menu("menuFilters/Tessera", name)
        session.events.apply()
        new = session.save()
        session.change(*change)
        session.back_and_forth(before, new, session.save())
    session.play("filters")
    kinds = {proxy.kind for proxy in session.state(session.count).values()}
    if not kinds >= set(FILTERS):
        raise RuntimeError(f"There are {kinds}")


if __name__ == "__main__":
    main("gui_undo_filters", (filters,))
