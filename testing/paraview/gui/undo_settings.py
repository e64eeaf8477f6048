# SPDX-License-Identifier: BSD-3-Clause
"""Undo and redo of what changes several properties at once, in the real ParaView: presets, the button that
folds criteria, and the box of the region.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the states that ParaView saved in TESSERA_OUTPUT/gui_undo_settings."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main
from undoing import Session

SOURCES = {"AdaptiveGrid": "TurbulentJet", "AdaptiveCurves": "RandomBezierCurves"}


def presets(desktop):
    """A preset, and the button that folds criteria, are one step each, and the estimate is none."""
    session = Session(desktop)
    for name, source in SOURCES.items():
        session.part()
        session.events.source(source)
        session.events.menu("menuFilters/Tessera", name)
        session.events.apply()
        before = session.save()
        session.events.press("Draft")
        draft = session.save()
        session.events.do(f"{Events.PROPERTIES}OnlyCriteriaInUse/1QPushButton0")
        folded = session.save()
        session.changes += [(before, draft), (draft, folded)]
        session.events.do(f"{Events.PROPERTIES}Estimate/1QPushButton0")
        session.step("Undo", like=draft)
        session.step("Undo", like=before)
        session.step("Redo", like=draft)
        session.step("Redo", like=folded)
    session.play("presets")


def region(desktop):
    """A face of the box is dragged and brought back: corner, size and bounds say the same at each step."""
    session = Session(desktop)
    session.part()
    session.events.menu("menuSources/Tessera", "TurbulentJet")
    session.events.enter("Dimensions", "LineEdit2", "16")
    session.events.apply()
    session.events.menu("menuFilters/Tessera", "AdaptiveGrid")
    session.events.apply()
    session.events.advanced(True)
    session.change("UseRegion", "CheckBox", "true")
    before = session.save()
    session.events.drag_box()
    session.events.apply()
    dragged = session.save()
    session.changes.append((before, dragged))
    session.step("Undo", like=before)
    session.step("Redo", like=dragged)
    session.step("Undo", like=before)
    session.events.advanced(False)
    session.play("region")


if __name__ == "__main__":
    main("gui_undo_settings", (presets, region))
