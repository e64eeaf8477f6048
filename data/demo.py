# SPDX-License-Identifier: BSD-3-Clause
"""The demo's curves, run by testing/demo.sh: pvbatch demo.py PLUGIN FOLDER

Reads FOLDER/font.vtu and FOLDER/glyphs.vtu (made by font_outlines.py), applies Adaptive Curves
in three ways with the same chord error, and writes FOLDER/font.vtp, FOLDER/demo.png and a table.
"""
import os
import sys

from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)

ERROR = 1.0  # font units; the em of DejaVu Sans has 2048


def three_ways(source):
    """The source tessellated in three ways with the same chord error, as (name, filter, seconds)."""
    return [(name, *updated(AdaptiveCurves(Input=source, Sampling=name, ChordErrorMode="Absolute",
                                           ChordError=ERROR, GenerateAchievedError=1)))
            for name in ("Uniform", "Bisection", "Equal Error")]


def points_of(proxy):
    return proxy.GetDataInformation().GetNumberOfPoints()


def row(source, name, curves, seconds):
    """One line of the table."""
    facts = report(curves)
    points = points_of(curves)
    reached = curves.CellData["AchievedError"].GetRange(0)[1]
    if points == 0 or reached > ERROR:
        sys.exit(f"{name}: {points} points, error {reached}, but at most {ERROR} was asked for.")
    return [name, first(facts["Curves"]), str(points_of(source)), str(points), f"{reached:.4g}",
            f"{seconds:.3f}", f"{points / seconds:.3g}", backend(facts)]


def show_side(view, curves, shift, color):
    """Lines, and each vertex as a small ball, `shift` to the right."""
    for kind in ("Wireframe", "Points"):
        moved = Transform(Input=curves)
        moved.Transform.Translate = [shift, 0.0, 0.0]
        display = Show(moved, view)
        display.Representation = kind
        display.ColorArrayName = [None, ""]
        display.DiffuseColor = display.AmbientColor = color
        display.LineWidth = 1.2
        display.PointSize = 6.0
        display.RenderPointsAsSpheres = 1


def picture(source, path):
    source.UpdatePipeline()
    view = white_view(1200, 800)
    bounds = source.GetDataInformation().GetBounds()
    width, height = bounds[1] - bounds[0], bounds[3] - bounds[2]
    side = width * 1.12
    colors = ([0.45, 0.45, 0.45], [0.75, 0.25, 0.1], [0.05, 0.35, 0.7])
    for i, (name, curves, _) in enumerate(three_ways(source)):
        show_side(view, curves, i * side, colors[i])
        caption(view, f"{name}: {points_of(curves)} points", 0.05 + 0.315 * i, 0.945, 18)
    caption(view, f"The same chord error: at most {ERROR:g} of 2048 font units", 0.27, 0.015, 18)
    center = [bounds[0] + side + width / 2, (bounds[2] + bounds[3]) / 2]
    save_picture(view, center, height * 0.58, path)  # with room for the captions


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    font = XMLUnstructuredGridReader(FileName=[os.path.join(folder, "font.vtu")])
    font.UpdatePipeline()  # so that the seconds do not count reading
    ways = three_ways(font)
    head = ["sampling", "curves", "points in", "points out", "error reached", "seconds",
            "points/s", "backend"]
    write(os.path.join(folder, "table.txt"),
          f"Every glyph of DejaVu Sans, chord error at most {ERROR:g} font unit\n"
          + table([head] + [row(font, *way) for way in ways]))
    # Inline data: see font_outlines.py.
    SaveData(os.path.join(folder, "font.vtp"), proxy=ways[-1][1], DataMode="Binary",
             CompressorType="ZLib")
    glyphs = XMLUnstructuredGridReader(FileName=[os.path.join(folder, "glyphs.vtu")])
    picture(glyphs, os.path.join(folder, "demo.png"))


main()
