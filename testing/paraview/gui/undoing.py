# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of undo and redo share: a session whose saved states are compared."""
import glob
import os
import re

from desktop import Events
import states

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
