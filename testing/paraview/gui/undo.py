# SPDX-License-Identifier: BSD-3-Clause
"""Undo and redo, of every source and filter, in the real ParaView: after each step back the pipeline is
what it was, with the numbers that the panel then showed; after each step forward, too.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the states that ParaView saved in TESSERA_OUTPUT/gui_undo."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import main
from undoing import Session

# What is changed of each: property, the kind of its widget, the value.
SOURCES = {"TurbulentJet": ("Dimensions", "LineEdit2", "1"),
           "RandomBezierCurves": ("NumberOfCurves", "LineEdit0", "50"),
           "RandomDiscs": ("NumberOfDiscs", "LineEdit0", "400"),
           "CUDADeviceReport": ("Measure", "CheckBox", "true")}
FILTERS = {"AdaptiveGrid": ("TurbulentJet", "GridType", "ComboBox", "Fixed Coarse"),
           "AdaptiveCurves": ("RandomBezierCurves", "Vertices", "ComboBox", "Within Tolerance"),
           "AdaptivePointGrid": ("RandomDiscs", "MaximumPointsPerCell", "LineEdit0", "7"),
           "PointsToCurves": ("RandomDiscs", "CutAtGaps", "CheckBox", "true"),
           "DiscImage": ("RandomDiscs", "Falloff", "ComboBox", "Gaussian")}


def back_and_forth(session, before, new, changed):
    """Of three steps, made, applied, changed: all the ways between them."""
    session.changes += [(before, new), (new, changed)]
    session.step("Undo", like=new)
    session.step("Redo", like=changed)
    session.step("Undo", like=new)
    session.step("Undo", like=new, reports=False)
    session.step("Undo", like=before)
    for _ in range(2):
        session.step("Redo")
    session.step("Redo", like=changed)


def sources(desktop):
    """Each source: made, changed, back to nothing, and forth."""
    session = Session(desktop)
    for name, change in SOURCES.items():
        before = session.save()
        session.events.menu("menuSources/Tessera", name)
        session.events.apply()
        new = session.save()
        session.change(*change)
        back_and_forth(session, before, new, session.save())
    session.play("sources")
    kinds = {proxy.kind for proxy in session.state(session.count).values()}
    if kinds != set(SOURCES):
        raise RuntimeError(f"There are {kinds}")


def filters(desktop):
    """Each filter: made, changed, back to its source, and forth."""
    session = Session(desktop)
    for name, (source, *change) in FILTERS.items():
        session.events.menu("menuSources/Tessera", source)
        if source == "TurbulentJet":
            session.events.enter("Dimensions", "LineEdit2", "1")
        session.events.apply()
        before = session.save()
        session.events.menu("menuFilters/Tessera", name)
        session.events.apply()
        new = session.save()
        session.change(*change)
        back_and_forth(session, before, new, session.save())
    session.play("filters")
    kinds = {proxy.kind for proxy in session.state(session.count).values()}
    if not kinds >= set(FILTERS):
        raise RuntimeError(f"There are {kinds}")


if __name__ == "__main__":
    main("gui_undo", (sources, filters))
