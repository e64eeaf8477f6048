# SPDX-License-Identifier: BSD-3-Clause
"""The demo's points, run by testing/demo.sh: pvbatch demo_points.py PLUGIN FOLDER

Makes a cloud of points as a laser scanner would see a hilly town and sorts it into a quadtree, joins
shuffled points of tracks into curves, refines random Bezier curves, and draws a scene of discs. Writes FOLDER/points.png,
FOLDER/points_table.txt and FOLDER/quadtree.vtu.
"""
import os
import sys

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData

from demo_tools import *  # noqa: F403 (with paraview.simple, as ParaView's own scripts)

MOST = 64  # points in a cell of the quadtree
TRACKS, STEPS = 60, 40
BEZIERS = 2000
WIDTH, HEIGHT = 1650, 640
GAP = 1.05  # from one part of the picture to the next; each is one unit wide


def source(places, **arrays):
    """A source of points with arrays."""
    points, data = vtkPoints(), vtkPolyData()
    points.SetData(numpy_to_vtk(places.astype("f4"), deep=1))
    data.SetPoints(points)
    for name, values in arrays.items():
        array = numpy_to_vtk(values, deep=1)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    producer = TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def cloud():
    """Hills seen from along a road: many points near it, few far from it, and a tower."""
    rng = np.random.default_rng(7)
    x = rng.uniform(0, 1, 60000)
    y = np.clip(0.5 + 0.15 * np.sin(6 * x) + 0.08 * rng.standard_cauchy(60000), 0, 1)
    far = rng.uniform(0, 1, (4000, 2))
    tower = 0.02 * rng.standard_normal((8000, 2)) + [0.75, 0.8]
    flat = np.clip(np.concatenate([np.column_stack([x, y]), far, tower]), 0, 1)
    height = 0.05 * np.sin(5 * flat[:, 0]) * np.cos(4 * flat[:, 1])
    return source(np.column_stack([flat, height]))


def tracks():
    """Particles on their ways, as a table would list them after a shuffle."""
    rng = np.random.default_rng(3)
    t = np.linspace(0, 1, STEPS)
    way = [np.column_stack([t, 0.5 + (k / TRACKS - 0.5) * (0.3 + 0.7 * t) +
                            0.05 * np.sin(9 * t + 0.3 * k), 0 * t]) for k in range(TRACKS)]
    order = rng.permutation(TRACKS * STEPS)
    return source(np.concatenate(way)[order],
                  particle=np.repeat(np.arange(TRACKS, dtype="i4"), STEPS)[order],
                  time=np.tile(t, TRACKS)[order])


def show(view, proxy, shift, name, place):
    moved = Transform(Input=proxy)
    moved.Transform.Translate = [shift, 0.0, 0.0]
    display = Show(moved, view)
    display.Ambient, display.Diffuse = 1.0, 0.0
    ColorBy(display, (place, name))
    display.RescaleTransferFunctionToDataRange(True)
    display.SetScalarBarVisibility(view, False)
    return display


def main(plugin, folder):
    LoadPlugin(plugin, remote=False, ns=globals())
    scan, shuffled = cloud(), tracks()
    tree, tree_seconds = updated(AdaptivePointGrid(Input=scan, MaximumPointsPerCell=MOST,
                                                   TreeShape="Quadtree in XY", Balance="Across Faces"))
    joined, joined_seconds = updated(PointsToCurves(Input=shuffled, GroupArray="particle",
                                                    OrderArray="time"))
    smooth, smooth_seconds = updated(AdaptiveCurves(Input=joined))
    random, random_seconds = updated(AdaptiveCurves(Input=RandomBezierCurves(
        NumberOfCurves=BEZIERS, Degree=5, Seed=3)))
    discs, disc_seconds = updated(DiscImage(Input=RandomDiscs(Scene="Snow", NumberOfDiscs=4000),
                                            Resolution=[500, 500], RadiusArray="Radius",
                                            ColorMode="Array of Colors", ColorArray="Color",
                                            OpacityArray="Opacity", Falloff="Gaussian",
                                            Background=[0.1, 0.15, 0.3], BackgroundOpacity=1.0))
    points = scan.GetDataInformation().GetNumberOfPoints()
    counts = vtk_to_numpy(servermanager.Fetch(tree).GetCellData().GetArray("PointCount"))
    lines = joined.GetDataInformation().GetNumberOfCells()
    beziers = random.GetDataInformation().GetNumberOfCells()
    if counts.sum() != points or counts.max() > MOST or (lines, beziers) != (TRACKS, BEZIERS):
        sys.exit(f"{lines} tracks and {beziers} curves came out, and cells of {counts.sum()} points.")
    rows = [["filter", "points in", "out", "seconds", "ran on"]]
    for name, in_, out, proxy, seconds in (
            ("Adaptive Point Grid", points, f"{tree.LeavesOut:.0f} cells", tree, tree_seconds),
            ("Points To Curves", TRACKS * STEPS, f"{lines} curves", joined, joined_seconds),
            ("Adaptive Curves", TRACKS * STEPS,
             f"{smooth.GetDataInformation().GetNumberOfPoints()} points", smooth, smooth_seconds),
            ("Adaptive Curves of Random Bezier Curves", BEZIERS * 6,
             f"{random.GetDataInformation().GetNumberOfPoints()} points", random, random_seconds),
            ("Disc Image", 4000, f"{discs.DiscsDrawn:.0f} discs", discs, disc_seconds)):
        rows.append([name, f"{in_:,}", out, f"{seconds:.3f}", backend(report(proxy))])
    write(os.path.join(folder, "points_table.txt"), table(rows))
    SaveData(os.path.join(folder, "quadtree.vtu"), proxy=tree, DataMode="Ascii")
    view = white_view(WIDTH, HEIGHT)
    show(view, tree, 0.0, "Level", "CELLS").Representation = "Surface With Edges"
    show(view, smooth, GAP, "particle", "POINTS").LineWidth = 2.0
    bounds = discs.GetDataInformation().GetBounds()
    scaled = Transform(Input=discs)
    size = 1.0 / (bounds[1] - bounds[0])
    scaled.Transform.Translate = [2 * GAP - bounds[0] * size, -bounds[2] * size, -bounds[4]]
    scaled.Transform.Scale = [size, size, 1.0]
    display = Show(scaled, view)
    display.Ambient, display.Diffuse = 1.0, 0.0
    ColorBy(display, ("POINTS", "Colors"))
    display.MapScalars = 0
    for part, text in enumerate((f"{points:,} points in {tree.LeavesOut:,.0f} cells",
                                 f"{lines} tracks of shuffled points", "4,000 discs, one after another")):
        caption(view, text, 0.01 + 0.333 * part, 0.02, 22)
    save_picture(view, [1.5 * GAP - 0.025, 0.46], 0.62, os.path.join(folder, "points.png"))


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
