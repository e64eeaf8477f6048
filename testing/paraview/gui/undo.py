# SPDX-License-Identifier: BSD-3-Clause
"""Undo and redo, of every source and filter, in the real ParaView: after each step back the pipeline is
what it was, with the numbers that the panel then showed; after each step forward, too.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the states that ParaView saved in TESSERA_OUTPUT/gui_undo."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main
import states

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
NOTHING_SAID = (Events.MESSAGES, "modelRowCount", "0")


def of_reports():
    """The properties that tell what was done, of all proxies."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "xml")
    texts = [open(path).read() for folder in ("", "properties")
             for path in glob.glob(os.path.join(root, folder, "*.xml"))]
    return {name for text in texts
            for name in re.findall(r'Property name="(\w+)"[^>]*information_only="1"', text)}


class Session:
    """What a user does, states saved in between, and which of these have to be alike."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.events = Events()
        self.pairs = []  # (earlier, later, with reports): alike
        self.changes = []  # (earlier, later): not alike
        self.count = 0

    def save(self):
        self.count += 1
        self.events.menu("menu_File", "actionFileSaveServerState")
        self.events.file("FileSaveServerStateDialog", f"$PARAVIEW_TEST_ROOT/{self.count}.pvsm")
        return self.count

    def step(self, way, like=None, reports=True):
        """Undo or Redo. Where the pipeline is to be like that of an earlier state: with what the filters
        report, or without."""
        self.events.menu("menu_Edit", "actionEdit" + way)
        if like:
            self.pairs.append((like, self.save(), reports))

    def change(self, name, widget, value):
        if widget == "ComboBox":
            self.events.choose(name, value)
        elif widget == "CheckBox":
            self.events.switch(name, value == "true")
        else:
            self.events.enter(name, widget, value)
        self.events.apply()

    def state(self, number):
        return states.pipeline(os.path.join(self.desktop.folder, f"{number}.pvsm"))

    def play(self, name):
        self.events.see(*NOTHING_SAID)
        self.desktop.play(name, self.events, 280)
        for earlier, later, reports in self.pairs:
            a, b = (compared(self.state(one), reports) for one in (earlier, later))
            if a != b:
                differ = sorted(a.items() ^ b.items())
                raise RuntimeError(f"{name}: {later}.pvsm is not like {earlier}.pvsm: {differ}")
        for earlier, later in self.changes:
            if compared(self.state(earlier), False) == compared(self.state(later), False):
                raise RuntimeError(f"{name}: nothing was changed between {earlier}.pvsm and {later}.pvsm")


def compared(pipeline, reports):
    """What has to be alike in two states: (proxy, property) -> values. Times are measured anew."""
    left_out = {name for name in of_reports()
                if not reports or name.endswith("Seconds") or name == "ReportText"}
    return {(name, key): tuple(values) for name, proxy in pipeline.items()
            for key, values in proxy.settings.items() if key not in left_out}


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


def presets(desktop):
    """A preset, and the button that folds criteria, are one step each."""
    session = Session(desktop)
    for name in ("AdaptiveGrid", "AdaptiveCurves"):
        session.events.menu("menuSources/Tessera", FILTERS[name][0])
        if name == "AdaptiveGrid":
            session.events.enter("Dimensions", "LineEdit2", "1")
        session.events.apply()
        session.events.menu("menuFilters/Tessera", name)
        session.events.apply()
        before = session.save()
        session.events.do(f"{Events.PROPERTIES}Draft/1QPushButton0")
        draft = session.save()
        session.events.do(f"{Events.PROPERTIES}OnlyInUse/1QPushButton0")
        folded = session.save()
        session.changes += [(before, draft), (draft, folded)]
        session.step("Undo", like=draft)
        session.step("Undo", like=before)
        session.step("Redo", like=draft)
        session.step("Redo", like=folded)
    session.play("presets")


def region(desktop):
    """A face of the box is dragged and brought back: corner, size and bounds say the same at each step."""
    session = Session(desktop)
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
    main("gui_undo", (sources, filters, presets, region))
