# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on cells of several sizes: each kind of input with each kind of output. What is true of the
cells is computed here from the boxes that they were made of."""
import itertools

import numpy as np
from grid_testing import KINDS, Boxes, adapt, cells_of, points_of
from octree_testing import (amr, distance, errors_told, linear, nested, octree, sizes_of, trees,
                            worst_at_corners)
from tessera_testing import Kept, check, field_value, main, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkNonOverlappingAMR
from vtkmodules.vtkFiltersCore import vtkCellCenters

INPUTS = {"overlapping AMR": amr,
          "AMR with point arrays": lambda shape: amr(shape, points=True),
          "AMR that blanks": lambda shape: amr(shape, blank=True),
          "AMR with ghost cells": lambda shape: amr(shape, ghost_layers=2),
          "non-overlapping AMR": lambda shape: amr(shape, vtkNonOverlappingAMR, points=True),
          "trees": trees,
          "voxels or pixels": octree,
          "hexahedra or quads": lambda shape: octree(shape, hexahedra=True),
          "float coordinates": lambda shape: octree(shape, double=False),
          "cell arrays alone": lambda shape: octree(shape, points=False)}
SHAPES = {"3D": nested(3, origin=(-3.0, 0.25, 7.0), size=2.0), "2D": nested(4, dimension=2),
          "in YZ": nested(2, plane=(1, 2), origin=(5.0, 0.0, 0.0)), "in XZ": nested(3, plane=(0, 2)),
          "ratio 4": nested(2, cells=4, ratios=[4]), "ratios 4 and 2": nested(3, ratios=[4, 2])}
PLAIN = dict(HangingNodes="Free", OutputType=KINDS[0])
OUTPUTS = {"Free": dict(HangingNodes="Free"), "Conforming": dict(HangingNodes="Conforming"),
           "Polygons (2D)": dict(HangingNodes="Polygons (2D)"),
           KINDS[1]: dict(OutputType=KINDS[1]), KINDS[2]: dict(OutputType=KINDS[2], AMRBlockSize="4")}


def centres_of(grid):
    centres = vtkCellCenters()
    centres.SetInputData(grid)
    centres.Update()
    return points(centres.GetOutput())


def cells_fill_the_domain(sizes, volume, what):
    check(sizes.min() > 0, f"{what}: a cell of size {sizes.min()}")
    check(abs(sizes.sum() - volume) < 1e-6 * volume, f"{what}: volume {sizes.sum()} of {volume}")


def linear_cells_are_exact(middle, cells, what):
    """The mean of a linear field over a box is its value in the middle. A cut leaf's parts have its value."""
    for name in ("linear_c", "linear_p"):
        if name in cells:
            off = np.abs(cells[name] - linear(middle)).max()
            check(off < 2e-5, f"{what}: {name} is off by {off}")


def points_are_exact(out, name, what):
    if out.GetPointData().HasArray(name):
        off = np.abs(points_of(out, name) - linear(points(out).astype(float))).max()
        check(off < 2e-5, f"{what}: {name} is off by {off}")


def every_input_and_every_output():
    for kind, make in INPUTS.items():
        for title, shape in SHAPES.items():
            with Kept("AdaptiveGrid", make(shape), CoarsenLevels=1, InterpolationError=0.05) as grid:
                every_output(grid, shape, f"{kind}, {title}")


def every_output(grid, shape, what_input):
    cells, volume = len(shape.leaves()), shape.volume()
    for output, settings in OUTPUTS.items():
        if output == "Polygons (2D)" and len(shape.axes) == 3:
            continue
        for fixed in ("Adaptive", "Fixed Fine", "Fixed Coarse"):
            what = f"{what_input}, {output}, {fixed}"
            out = grid.output(GridType=fixed, **{**PLAIN, **settings})
            kind = settings.get("OutputType", KINDS[0])
            check(out.IsA("vtk" + kind.replace(" ", "")), f"{what}: a {out.GetClassName()}")
            check(field_value(out, "Input Cells").ToLongLong() == cells, f"{what}: input cells")
            # Balance may divide cells of the input that are much larger than their neighbours.
            whole = output not in ("Conforming", "Polygons (2D)") and "ratio" not in what
            if out.IsA("vtkUnstructuredGrid"):
                cells_fill_the_domain(sizes_of(out), volume, what)
                points_are_exact(out, "linear_p", what)
                if whole:
                    linear_cells_are_exact(centres_of(out), {"linear_c": cells_of(out, "linear_c")}, what)
            else:
                boxes = Boxes(out)
                cells_fill_the_domain((boxes.high - boxes.low)[:, shape.axes].prod(axis=1), volume, what)
                if whole:
                    linear_cells_are_exact((boxes.low + boxes.high) / 2, boxes.arrays, what)


def fine_leaves_are_the_input():
    for kind, make in INPUTS.items():
        shape = SHAPES["3D"]
        out = adapt(make(shape), GridType="Fixed Fine", Balance="None", GenerateLevel=1, CoarsenLevels=2)
        low, high = shape.corners(shape.leaves())
        boxes = Boxes(out)
        expected = np.lexsort(np.round((low + high).T, 4))
        got = np.lexsort(np.round((boxes.low + boxes.high).T, 4))
        check(len(low) == len(boxes.low), f"{kind}: {len(boxes.low)} of {len(low)} cells")
        check(np.allclose(low[expected], boxes.low[got], atol=1e-5) and
              np.allclose(high[expected], boxes.high[got], atol=1e-5), f"{kind}: the boxes")
        check(np.array_equal(shape.leaves()[expected, 0] + 2, boxes.arrays["Level"][got]),
              f"{kind}: the levels")
        centre = (low + high)[expected] / 2
        check(np.allclose(boxes.arrays["distance_c"][got], distance(centre), rtol=0, atol=2e-5),
              f"{kind}: the values")


def moved_cells_are_exact_where_linear():
    for kind, make in INPUTS.items():
        for title, shape in SHAPES.items():
            whole = distance(np.concatenate(shape.corners(shape.leaves())))
            width = 1.8 * shape.spacing[shape.axes].max()
            with Kept("AdaptiveGrid", make(shape), CoarsenLevels=1, InterpolationError=0.02,
                      CellArrays="Move To Points") as grid:
                for output, fixed in itertools.product(("Free", "Conforming"), ("Adaptive", "Fixed Fine")):
                    what = f"{kind}, {title}, {output}, {fixed}, moved"
                    out = grid.output(HangingNodes=output, GridType=fixed)
                    check(out.GetCellData().GetNumberOfArrays() == 0, f"{what}: cell arrays are left")
                    points_are_exact(out, "linear_c", what)
                    inside = points_of(out, "distance_c")
                    check(whole.min() - width < inside.min() and inside.max() < whole.max() + width,
                          f"{what}: {inside.min()} to {inside.max()}")


def moving_is_for_points_alone():
    shape = SHAPES["2D"]
    for kind in KINDS[1:]:
        kept = adapt(trees(shape), OutputType=kind)
        moved = adapt(trees(shape), OutputType=kind, CellArrays="Move To Points")
        for name in ("linear_c", "distance_c"):
            check(np.array_equal(Boxes(kept).arrays[name], Boxes(moved).arrays[name]), f"{kind}: {name}")


def the_bound_holds():
    """For the interpolant of each Free cell, at the corners of the input cells in it: by an obvious loop. A
    point of finer cells that hangs on an input cell is none of its corners."""
    for title in ("3D", "2D", "ratio 4"):
        shape = SHAPES[title]
        data = octree(shape)
        out = adapt(data, CoarsenLevels=2, ThresholdMode="Absolute", InterpolationError=0.03,
                    CriteriaArrays=["POINTS", "distance_p"])
        check(out.GetNumberOfCells() < data.GetNumberOfCells(), f"{title}: {out.GetNumberOfCells()} cells")
        below, above = shape.corners(shape.leaves())
        ids = vtk_to_numpy(data.GetCells().GetConnectivityArray()).reshape(len(below), -1)
        worst = worst_at_corners(out, below, above, ids, points(data), points_of(data, "distance_p"), "distance_p")
        told = errors_told(out)
        check(abs(told["distance_p"] - worst) < 1e-12, f"{title}: {told} are not {worst}")
        check(worst <= 0.03, f"{title}: error {worst}")


main(every_input_and_every_output, fine_leaves_are_the_input, moved_cells_are_exact_where_linear,
     moving_is_for_points_alone, the_bound_holds)
