# SPDX-License-Identifier: BSD-3-Clause
"""The demo's grids, run by testing/demo.sh: pvbatch demo_grid.py PLUGIN FOLDER

Makes a fixed coarse, an adaptive and a fixed fine grid of a turbulent jet, flat for the picture and
in three dimensions, follows the flow through each flat one with ParaView's Stream Tracer, and writes
FOLDER/grid.png, FOLDER/grid_table.txt and FOLDER/jet.vtu.
"""
import os
import sys

from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)

ERROR = 0.02  # of the range of temperature and velocity, at every point of the input
ARRAYS = ("Temperature", "Scalar", "Velocity")
LEVELS = 4  # coarse cells hold 16 fine ones along each axis
FLAT, SOLID = [257, 65, 1], [193, 97, 97]
BOUNDS = [0.0, 4.0, -0.5, 0.5, -0.5, 0.5]
WIDTH, BAND = 1600, 84  # of the picture, and of the captions between its parts, in pixels
COLOURS = [0.0, 0.03, 0.05, 0.16, 0.3, 0.16, 0.11, 0.4, 0.6, 0.55, 0.16, 0.45, 0.85, 0.87, 0.35,
           0.26, 1.0, 0.97, 0.62, 0.24]


def three_grids(dimensions):
    """Makes each kind of grid from one jet: (name, filter, seconds) of each."""
    jet = TurbulentJet(Dimensions=dimensions, Bounds=BOUNDS)
    jet.UpdatePipeline()  # so that the seconds do not count the making of the jet
    return [(name, *updated(AdaptiveGrid(Input=jet, GridType=name, CoarsenLevels=LEVELS,
                                         CriteriaArrays=["Temperature", "Velocity"],
                                         ThresholdMode="Fraction of Range",
                                         InterpolationError=ERROR)))
            for name in ("Fixed Coarse", "Adaptive", "Fixed Fine")]


def facts_of(grid):
    """Cells, the part of the fine grid's that is saved, and the largest errors by array."""
    facts = report(grid)
    names, errors = facts["Error Arrays"], facts["Largest Errors"]
    largest = {names.GetValue(i): errors.GetValue(i) for i in range(names.GetNumberOfValues())}
    return (grid.GetDataInformation().GetNumberOfCells(), facts["Saving"].GetValue(0), largest,
            backend(facts))


def rows_of(grids):
    low, high = grids[-1][1].PointData["Temperature"].GetRange(0)
    rows = []
    for name, grid, seconds in grids:
        cells, saving, largest, ran_on = facts_of(grid)
        if cells == 0 or name == "Adaptive" and largest["Temperature"] > ERROR * (high - low):
            sys.exit(f"{name}: {cells} cells, error {largest['Temperature']:g}, but at most "
                     f"{ERROR:g} of {high - low:g} was asked for.")
        rows.append([name, f"{cells:,}", f"{100 * saving:.1f} %",
                     *(f"{largest[array]:.4g}" for array in ARRAYS),
                     f"{seconds:.3f}", ran_on])
    return rows


def show_grid(view, grid, down):
    """The temperature and, before it, the lines of the grid, `down` below the origin."""
    for kind, forward in (("Surface", 0.0), ("Wireframe", 0.01)):
        moved = Transform(Input=grid)
        moved.Transform.Translate = [0.0, -down, forward]
        display = Show(moved, view)
        display.Representation = kind
        display.Ambient, display.Diffuse = 1.0, 0.0
        if kind == "Surface":
            ColorBy(display, ("POINTS", "Temperature"))
            display.InterpolateScalarsBeforeMapping = 1
            display.SetScalarBarVisibility(view, False)
        else:
            ColorBy(display, None)
            display.AmbientColor = display.DiffuseColor = [1.0, 1.0, 1.0]
            display.Opacity = 0.6


def stream_lines(grid):
    """The flow through the grid as Stream Tracer follows it from seven points at the nozzle."""
    lines = StreamTracer(Input=grid, Vectors=["POINTS", "Velocity"], SeedType="Line",
                         IntegrationDirection="FORWARD", MaximumStreamlineLength=8.0)
    lines.SeedType.Point1, lines.SeedType.Point2 = [0.02, -0.3, 0.0], [0.02, 0.3, 0.0]
    lines.SeedType.Resolution = 6
    return updated(lines)[0]


def show_lines(view, lines, down):
    moved = Transform(Input=lines)
    moved.Transform.Translate = [0.0, -down, 0.02]
    display = Show(moved, view)
    ColorBy(display, None)
    display.Ambient, display.Diffuse = 1.0, 0.0
    display.AmbientColor = display.DiffuseColor = [0.35, 0.95, 1.0]
    display.LineWidth = 3.0


def length_of(lines):
    """How long all lines are together."""
    lengths = IntegrateVariables(Input=lines)
    lengths.UpdatePipeline()
    return lengths.CellData["Length"].GetRange(0)[0]


def picture(grids, path):
    pixel = (BOUNDS[1] - BOUNDS[0]) / WIDTH
    part = BOUNDS[3] - BOUNDS[2] + BAND * pixel
    height = round(3 * part / pixel)
    view = white_view(WIDTH, height)
    colours = GetColorTransferFunction("Temperature")
    colours.RGBPoints, colours.ColorSpace = COLOURS, "RGB"
    colours.RescaleTransferFunction(*grids[-1][1].PointData["Temperature"].GetRange(0))
    for i, (name, grid, _) in enumerate(grids):
        show_grid(view, grid, i * part)
        lines = stream_lines(grid)
        show_lines(view, lines, i * part)
        cells, saving, largest, _ = facts_of(grid)
        saved = f" ({100 * saving:.0f} % saved)" if name == "Adaptive" else ""
        bottom = 1.0 - (i + 0.8 * BAND * pixel / part) / 3
        caption(view, f"{name}: {cells:,} cells{saved}, temperature off by at most "
                f"{largest['Temperature']:.0f} K, stream lines {length_of(lines):.1f} long",
                0.006, bottom, 30)
    save_picture(view, [WIDTH / 2 * pixel, BAND / 2 * pixel - part], height / 2 * pixel, path)


def main():
    plugin, folder = sys.argv[1], sys.argv[2]
    LoadPlugin(os.path.abspath(plugin), remote=False, ns=globals())
    flat, solid = three_grids(FLAT), three_grids(SOLID)
    head = ["grid", "cells", "saved", *(f"{array} error" for array in ARRAYS), "seconds", "backend"]
    tables = [f"{' x '.join(map(str, dimensions))} points\n" + table([head] + rows_of(grids))
              for dimensions, grids in ((FLAT, flat), (SOLID, solid))]
    write(os.path.join(folder, "grid_table.txt"),
          f"A turbulent jet, temperature and velocity within {100 * ERROR:g} % of their ranges\n"
          + "\n".join(tables))
    SaveData(os.path.join(folder, "jet.vtu"), proxy=solid[1][1], DataMode="Binary",
             CompressorType="ZLib")
    picture(flat, os.path.join(folder, "grid.png"))


main()
