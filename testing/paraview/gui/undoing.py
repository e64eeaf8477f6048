# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of undo and redo share: a session whose saved states are compared.

In ParaView 5.13 to save a state is itself a step that Undo takes back, and that leaves nothing to redo.
There a session is played once for each state, all parts up to it, and saved at the end alone."""
import glob
import os
import re

from desktop import Events, VERSION
import states

NOTHING_SAID = (Events.MESSAGES, "modelRowCount", "0")
SAVING_IS_A_STEP = (5, 12) <= VERSION < (6, 0)


def of_reports():
    """The properties that tell what was done, of all proxies."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "xml")
    texts = [open(path).read() for folder in ("", "properties")
             for path in glob.glob(os.path.join(root, folder, "*.xml"))]
    return {name for text in texts
            for name in re.findall(r'Property name="(\w+)"[^>]*information_only="1"', text)}


class Session:
    """What a user does, states saved in between, and which of these have to be alike. It consists of
    parts, which follow each other and save equally often; each has pairs of its own."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.events = None
        self.pairs = []  # (earlier, later, with reports): alike
        self.changes = []  # (earlier, later): not alike
        self.count = 0
        self.parts = []  # of each: the events between two saved states

    def part(self):
        """Begins a part."""
        self.events = Events()
        self.parts.append([self.events])

    def save(self):
        self.count += 1
        self.events = Events()
        self.parts[-1].append(self.events)
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

    def back_and_forth(self, before, new, changed):
        """Of three steps, made, applied, changed: all the ways between them."""
        self.changes += [(before, new), (new, changed)]
        self.step("Undo", like=new)
        self.step("Redo", like=changed)
        self.step("Undo", like=new)
        self.step("Undo", like=new, reports=False)
        self.step("Undo", like=before)
        for _ in range(2):
            self.step("Redo")
        self.step("Redo", like=changed)

    def state(self, number):
        if SAVING_IS_A_STEP:
            number = (number - 1) % (len(self.parts[0]) - 1) + 1
        return states.pipeline(os.path.join(self.desktop.folder, f"{number}.pvsm"))

    def play(self, name):
        if SAVING_IS_A_STEP:
            for number in range(1, len(self.parts[0])):
                events = Events()
                for part in self.parts:
                    for one in part[:number]:
                        events.lines += one.lines
                write_state(events, number)
                self.finish(f"{name}_{number}", events)
        else:
            events, number = Events(), 0
            for part in self.parts:
                events.lines += part[0].lines
                for one in part[1:]:
                    number += 1
                    write_state(events, number)
                    events.lines += one.lines
            self.finish(name, events)
        self.compare(name)

    def finish(self, name, events):
        events.see(*NOTHING_SAID)
        self.desktop.play(name, events, 280)

    def compare(self, name):
        for earlier, later, reports in self.pairs:
            a, b = (compared(self.state(one), reports) for one in (earlier, later))
            if a != b:
                differ = sorted(a.items() ^ b.items())
                raise RuntimeError(f"{name}: {later}.pvsm is not like {earlier}.pvsm: {differ}")
        for earlier, later in self.changes:
            if compared(self.state(earlier), False) == compared(self.state(later), False):
                raise RuntimeError(f"{name}: nothing was changed between {earlier}.pvsm and {later}.pvsm")


def write_state(events, number):
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", f"$PARAVIEW_TEST_ROOT/{number}.pvsm")


def compared(pipeline, reports):
    """What has to be alike in two states: (proxy, property) -> values. Times are measured anew."""
    left_out = {name for name in of_reports()
                if not reports or name.endswith("Seconds") or name == "ReportText"}
    return {(name, key): tuple(values) for name, proxy in pipeline.items()
            for key, values in proxy.settings.items() if key not in left_out}
