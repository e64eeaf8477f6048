# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of undo and redo share: a session whose saved states are compared.

In ParaView 5.13 to save a state is itself a step. There an Undo after it takes that step back, and since
nothing is left to redo then, a session is played once more for each Redo that follows a saved state."""
import functools
import glob
import os
import re

from desktop import Events, VERSION
import states

NOTHING_SAID = (Events.MESSAGES, "modelRowCount", "0")
SAVING_IS_A_STEP = (5, 12) <= VERSION < (6, 0)


@functools.cache
def of_reports():
    """The properties that tell what was done, of all proxies."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "xml")
    texts = [open(path).read() for folder in ("", "properties")
             for path in glob.glob(os.path.join(root, folder, "*.xml"))]
    return {name for text in texts
            for name in re.findall(r'Property name="(\w+)"[^>]*information_only="1"', text)}


class Session:
    """What a user does, states saved in between, and which of these have to be alike. It consists of
    parts, which follow each other; each has pairs of its own."""

    def __init__(self, desktop):
        self.desktop = desktop
        self.events = None
        self.pairs = []  # (earlier, later, with reports): alike
        self.changes = []  # (earlier, later): not alike
        self.count = 0
        self.parts = []  # of each: Events, numbers of states to save, "Undo" and "Redo"
        self.part_of = {}  # the number of a state -> that of its part
        self.known = {}  # the number of a state -> what stands in it

    def part(self):
        """Begins a part."""
        self.parts.append([])
        self.then()

    def then(self, *done):
        """Adds what is done after the events so far, and begins new ones."""
        self.events = Events()
        self.parts[-1] += [*done, self.events]

    def save(self):
        self.count += 1
        self.part_of[self.count] = len(self.parts) - 1
        self.then(self.count)
        return self.count

    def step(self, way, like=None, reports=True):
        """Undo or Redo. Where the pipeline is to be like that of an earlier state: with what the filters
        report, or without."""
        self.then(way)
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

    def play(self, name):
        passes = [passes_of(part) for part in self.parts]
        for number in range(max(len(each) for each in passes)):
            events = Events()
            for part, each in zip(self.parts, passes):
                begin, end = each[min(number, len(each) - 1)]
                for place, one in enumerate(part[:end]):
                    if isinstance(one, Events):
                        events.lines += one.lines
                    elif isinstance(one, str):
                        undo_or_redo(events, one)
                    elif place >= begin:
                        write_state(events, one)
            self.finish(f"{name}_{number}", events)
        self.compare(name)

    def finish(self, name, events):
        events.see(*NOTHING_SAID)
        self.desktop.play(name, events, 280)

    def state(self, number):
        if number not in self.known:
            path = os.path.join(self.desktop.folder, f"{number}.pvsm")
            self.known[number] = states.pipeline(path)
        return self.known[number]

    def part_alone(self, number):
        """A state without what earlier parts have made: that may stand elsewhere where the session was
        played more than once."""
        earlier = {name for other, part in self.part_of.items() if part < self.part_of[number]
                   for name in self.state(other)}
        return {name: proxy for name, proxy in self.state(number).items() if name not in earlier}

    def compare(self, name):
        look = self.part_alone if SAVING_IS_A_STEP else self.state
        for earlier, later, reports in self.pairs:
            a, b = (compared(look(one), reports) for one in (earlier, later))
            if a != b:
                differ = sorted(a.items() ^ b.items())
                raise RuntimeError(f"{name}: {later}.pvsm is not like {earlier}.pvsm: {differ}")
        for earlier, later in self.changes:
            if compared(look(earlier), False) == compared(look(later), False):
                raise RuntimeError(f"{name}: nothing was changed between {earlier}.pvsm and {later}.pvsm")


def passes_of(part):
    """How often a part is played, and between which places of it states are saved then."""
    ends, saved = [], False
    for place, one in enumerate(part):
        if SAVING_IS_A_STEP and one == "Redo" and saved:
            ends.append(place)
            saved = False
        saved = saved or isinstance(one, int)
    return list(zip([0, *ends], [*ends, len(part)]))


def undo_or_redo(events, way):
    events.menu("menu_Edit", "actionEdit" + way)


def write_state(events, number):
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", f"$PARAVIEW_TEST_ROOT/{number}.pvsm")
    if SAVING_IS_A_STEP:
        undo_or_redo(events, "Undo")


def compared(pipeline, reports):
    """What has to be alike in two states: (proxy, property) -> values. Times are measured anew."""
    left_out = {name for name in of_reports()
                if not reports or name.endswith("Seconds") or name == "ReportText"}
    return {(name, key): tuple(values) for name, proxy in pipeline.items()
            for key, values in proxy.settings.items() if key not in left_out}


def in_turn(desktop, name, table):
    """Each proxy of a table: made, changed, back to what there was before, and forth. The table has for
    each the source that it is made on, or None, and what is changed: property, the kind of its widget,
    value."""
    session = Session(desktop)
    for kind, (source, *change) in table.items():
        session.part()
        if source:
            session.events.source(source)
        before = session.save()
        session.events.menu("menuFilters/Tessera" if source else "menuSources/Tessera", kind)
        session.events.apply()
        new = session.save()
        session.change(*change)
        session.back_and_forth(before, new, session.save())
    session.play(name)
    kinds = {proxy.kind for proxy in session.state(session.count).values()}
    if not kinds >= set(table):
        raise RuntimeError(f"There are {kinds}")
