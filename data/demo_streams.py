# SPDX-License-Identifier: BSD-3-Clause
"""The demo's stream lines, run by testing/demo.sh: pvbatch demo_streams.py PLUGIN FOLDER

Follows the flow of a turbulent jet with ParaView's Stream Tracer and coarsens the lines with
Adaptive Curves, within a chord error and a field error: a segment then stands for several of the
tracer's steps. Writes FOLDER/streams.png and FOLDER/streams_table.txt.
"""
import os
import sys

from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)

ERROR = 0.004  # of a jet of length 4 and height 1
FIELD_ERROR = 0.05  # of the range of the temperature, which colours the lines
BOUNDS = [0.0, 4.0, -0.5, 0.5, -0.5, 0.5]
SEEDS = 11
WIDTH, BAND = 1400, 60  # of the picture, and of the captions between its parts, in pixels


def stream_lines():
    jet = TurbulentJet(Dimensions=[257, 65, 1], Bounds=BOUNDS)
    lines = StreamTracer(Input=jet, Vectors=["POINTS", "Velocity"], SeedType="Line",
                         IntegrationDirection="FORWARD", MaximumStreamlineLength=8.0)
    lines.SeedType.Point1, lines.SeedType.Point2 = [0.02, -0.45, 0.0], [0.02, 0.45, 0.0]
    lines.SeedType.Resolution = SEEDS - 1
    return updated(lines)


def coarsened(lines, joints):
    return updated(AdaptiveCurves(Input=lines, InterpretLinesAs="Straight", Joints=joints,
                                  ChordErrorMode="Absolute", ChordError=ERROR,
                                  FieldErrorArrays=["Temperature"], FieldError=FIELD_ERROR,
                                  GenerateAchievedError=1))


def points_of(proxy):
    return proxy.GetDataInformation().GetNumberOfPoints()


def row(name, before, curves, seconds):
    """One line of the table."""
    reached = curves.CellData["AchievedError"].GetRange(0)[1]
    if points_of(curves) == 0 or reached > ERROR:
        sys.exit(f"{name}: {points_of(curves)} points, error {reached}, but at most {ERROR} was "
                 "asked for.")
    return [name, f"{before:,}", f"{points_of(curves):,}", f"{reached:.4g}", f"{seconds:.3f}",
            backend(report(curves))]


def show_lines(view, lines, down):
    """The lines, coloured by temperature, and each vertex as a small ball, `down` below."""
    moved = Transform(Input=lines)
    moved.Transform.Translate = [0.0, -down, 0.0]
    display = Show(moved, view)
    display.Representation = "Wireframe"
    ColorBy(display, ("POINTS", "Temperature"))
    display.SetScalarBarVisibility(view, False)
    display.Ambient, display.Diffuse = 1.0, 0.0
    display.LineWidth = 2.0
    before = Transform(Input=moved)
    before.Transform.Translate = [0.0, 0.0, 0.1]
    display = Show(before, view)
    display.Representation = "Points"
    ColorBy(display, None)
    display.AmbientColor = display.DiffuseColor = [0.1, 0.1, 0.1]
    display.PointSize = 3.0


def picture(parts, path):
    pixel = (BOUNDS[1] - BOUNDS[0]) / WIDTH
    part = BOUNDS[3] - BOUNDS[2] + BAND * pixel
    height = round(len(parts) * part / pixel)
    view = white_view(WIDTH, height)
    for i, (text, lines) in enumerate(parts):
        show_lines(view, lines, i * part)
        caption(view, text, 0.006, 1.0 - (i + 0.8 * BAND * pixel / part) / len(parts), 24)
    GetColorTransferFunction("Temperature").ApplyPreset("Cool to Warm", True)
    save_picture(view, [WIDTH / 2 * pixel, (BAND / 2 - height / 2 + BOUNDS[3] / pixel) * pixel],
                 height / 2 * pixel, path)


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    lines, _ = stream_lines()
    before = points_of(lines)
    kept, needed = coarsened(lines, "Keep All"), coarsened(lines, "Keep Where Needed")
    head = ["joints", "points in", "points out", "error reached", "seconds", "backend"]
    write(os.path.join(folder, "streams_table.txt"),
          f"Stream lines of a turbulent jet, chord error at most {ERROR:g}, temperature within "
          f"{100 * FIELD_ERROR:g} % of its range\n"
          + table([head, row("Keep All", before, *kept), row("Keep Where Needed", before, *needed)]))
    picture(((f"Stream Tracer: {before:,} points", lines),
             (f"Adaptive Curves, Joints = Keep Where Needed: {points_of(needed[0]):,} points, "
              f"at most {ERROR:g} away", needed[0])), os.path.join(folder, "streams.png"))


main()
