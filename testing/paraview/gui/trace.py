# SPDX-License-Identifier: BSD-3-Clause
"""Every filter in one session of the real ParaView, which is traced and saved: the trace, the state and
the state as Python make the same points and cells in pvbatch as the panels reported.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves logs and the files that ParaView saved in TESSERA_OUTPUT/gui_trace."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main

HERE = os.path.dirname(os.path.abspath(__file__))
SAVED = ("trace.py", "state.py", "state.pvsm")


def session(events):
    """Each source with settings of its own, each filter with settings of its own, applied."""
    events.menu("menuSources/Tessera", "RandomBezierCurves")
    events.enter("NumberOfCurves", "LineEdit0", "50")
    events.apply()
    events.menu("menuFilters/Tessera", "AdaptiveCurves")
    events.enter("ChordError", "DoubleLineEdit0", "0.02")
    events.choose("Vertices", "Within Tolerance")
    events.switch("UseFieldError", False)
    events.apply()
    events.menu("menuSources/Tessera", "TurbulentJet")
    events.enter("Dimensions", "LineEdit2", "1")
    events.apply()
    events.menu("menuFilters/Tessera", "AdaptiveGrid")
    events.enter("InterpolationError", "DoubleLineEdit0", "0.05")
    events.choose("HangingNodes", "Free")
    events.apply()
    events.menu("menuSources/Tessera", "RandomDiscs")
    events.enter("NumberOfDiscs", "LineEdit0", "400")
    events.apply()
    events.menu("menuFilters/Tessera", "AdaptivePointGrid")
    events.enter("MaximumPointsPerCell", "LineEdit0", "7")
    events.apply()
    events.menu("menuSources/Tessera", "RandomDiscs")
    events.enter("Seed", "LineEdit0", "3")
    events.apply()
    events.menu("menuFilters/Tessera", "PointsToCurves")
    events.switch("CutAtDistances", True)
    events.enter("MaximumDistance", "DoubleLineEdit0", "0.25")
    events.apply()
    events.menu("menuSources/Tessera", "RandomDiscs")
    events.apply()
    events.menu("menuFilters/Tessera", "DiscImage")
    events.enter("Resolution", "LineEdit0", "370")
    events.enter("Resolution", "LineEdit1", "230")
    events.apply()


def save(events):
    editor = Events.WINDOW + "1pqPythonScriptEditor0/"
    events.menu("menuTools", "actionToolsStartStopTrace")
    events.do(editor + "PythonScriptEditorMenuBar/File", "activate", "Save &As...")
    events.do(editor + "FileOpenDialog", "filesSelected", "$PARAVIEW_TEST_ROOT/trace.py")
    events.do(editor + "PythonScriptEditorMenuBar/File", "activate", "C&lose")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/state.pvsm")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/state.py")
    events.do("StateOptionsDialog/widget/OKButton")


def replayed(desktop):
    """What was saved makes the same again."""
    events = Events()
    events.menu("menuTools", "actionToolsStartStopTrace")
    events.do("TraceOptionsDialog/widget/OKButton")
    session(events)
    events.see(Events.MESSAGES, "modelRowCount", "0")
    save(events)
    desktop.play("session", events, 280)
    for name in SAVED:
        done = desktop.run("pvbatch", os.path.join(HERE, "check_replayed.py"),
                           os.path.join(desktop.folder, name),
                           os.path.join(desktop.folder, "state.pvsm"), seconds=180, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{name} is not right:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main("gui_trace", (replayed,))
