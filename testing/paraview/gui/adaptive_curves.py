# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves in the real ParaView, by mouse and keyboard.

What it needs beside the environment of the other tests: Xvfb, openbox, xdotool and ImageMagick.
It leaves pictures, logs and the files that ParaView saved in TESSERA_OUTPUT/gui."""
import math
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Events, main

HERE = os.path.dirname(os.path.abspath(__file__))

# An open line of 5 points, a closed one of 5, and one of 4: 4 + 5 + 3 = 12 spans.
LINES = [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 5], [10, 11, 12, 13]]
POINTS = [(0, 0, 0), (1, 2, 0), (2, 0, 0), (3, 2, 0), (4, 0, 0),
          (0, 3, 0), (2, 5, 0), (4, 3, 0), (2.5, 4, 0), (1, 3, 1),
          (5, 0, 0), (6.5, 1, 1), (5, 2, 0), (6, 5, 0)]
BROKEN_POINT = 12  # of the third line


def write_curves(path, points):
    """A legacy VTK file, in binary since the reader does not know nan in ASCII."""
    ids = [value for line in LINES for value in (len(line), *line)]
    with open(path, "wb") as file:
        def section(head, kind, values):
            numbers = struct.pack(f">{len(values)}{kind}", *values)
            file.write(head.encode() + b"\n" + numbers + b"\n")

        file.write(b"# vtk DataFile Version 3.0\nthree lines\nBINARY\nDATASET POLYDATA\n")
        section(f"POINTS {len(points)} float", "f", [value for point in points for value in point])
        section(f"LINES {len(LINES)} {len(ids)}", "i", ids)
        file.write(f"POINT_DATA {len(points)}\n".encode())
        section("SCALARS Temperature float 1\nLOOKUP_TABLE default", "f", range(len(points)))
        section("VECTORS Velocity float", "f", [1, 0, 0] * len(points))


def open_and_filter(events, file="curves.vtk"):
    events.menu("menu_File", "actionFileOpen")
    events.file("FileOpenDialog", "$PARAVIEW_TEST_ROOT/" + file)
    events.apply()
    events.menu("menuFilters/Alphabetical", "AdaptiveCurves")


def apply_and_save(desktop):
    """Five points a span make 12 x 4 + 2, since an open line has a point more than segments.

    State and trace bring the same back."""
    events = Events()
    events.menu("menuTools", "actionToolsStartStopTrace")
    events.do("TraceOptionsDialog/widget/OKButton")
    open_and_filter(events)
    events.choose("Sampling", "Uniform")
    for criterion in ("UseChordError", "UseFieldError"):  # the two that are on by default
        events.switch(criterion, False)
    events.switch("UseCurvatureFactor", True)
    events.switch("GenerateArcLength", True)
    for points, total in ((9, 12 * 8 + 2), (5, 12 * 4 + 2)):  # the report follows each Apply
        events.enter("MinimumPoints", "LineEdit0", str(points))
        events.enter("MaximumPoints", "LineEdit0", str(points))
        events.apply()
        events.see(Events.PROPERTIES + "PointsOut/DoubleLineEdit0", "text", str(total))
    events.see(Events.PROPERTIES + "CurvesIn/DoubleLineEdit0", "text", "3")
    events.see(Events.MESSAGES, "modelRowCount", "0")
    events.menu("menuTools", "actionToolsStartStopTrace")
    editor = Events.WINDOW + "1pqPythonScriptEditor0/"
    events.do(editor + "PythonScriptEditorMenuBar/File", "activate", "Save &As...")
    events.do(editor + "FileOpenDialog", "filesSelected", "$PARAVIEW_TEST_ROOT/trace.py")
    events.do(editor + "PythonScriptEditorMenuBar/File", "activate", "C&lose")
    events.menu("menu_File", "actionFileSaveServerState")
    events.file("FileSaveServerStateDialog", "$PARAVIEW_TEST_ROOT/state.pvsm")
    desktop.play("apply", events, 120)
    check_saved(desktop, "state.pvsm", "trace.py")


def check_saved(desktop, *names):
    """Looks in pvpython at what the GUI saved."""
    for name in names:
        done = desktop.run("pvpython", os.path.join(HERE, "check_saved.py"),
                           os.path.join(desktop.folder, name), seconds=90, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{name} is not right:\n{done.stdout}{done.stderr}")


def bad_input(desktop):
    """A point that is no number: a sentence names its line, the others come out."""
    events = Events()
    open_and_filter(events, "broken.vtk")
    events.apply()
    events.see(Events.PROPERTIES + "PolylinesOut/DoubleLineEdit0", "text", "2")
    events.see(Events.MESSAGES, "modelRowCount", "1")
    said = desktop.play("bad_input", events, 120)
    if "1 cell (number 2) is left out: a coordinate is not finite" not in said:
        raise RuntimeError(f"The message does not name the line:\n{said}")


def write_inputs(folder):
    write_curves(os.path.join(folder, "curves.vtk"), POINTS)
    broken = list(POINTS)
    broken[BROKEN_POINT] = (5, math.nan, 0)
    write_curves(os.path.join(folder, "broken.vtk"), broken)


if __name__ == "__main__":
    main("gui", (apply_and_save, bad_input), write_inputs)
