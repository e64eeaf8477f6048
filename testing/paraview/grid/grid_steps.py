# SPDX-License-Identifier: BSD-3-Clause
# ranks: none 2 4
"""One grid for all time steps of the jet: 50 small ones on one process, 14 on several.

Facts from outside: Value Range without balance refines what any step refines, so the levels are the
largest of the steps' own; the interpolation in the cells is numpy's, and VTK's Resample.
"""
import numpy as np
from grid_testing import points_of
from paraview import servermanager
from tessera_testing import check, main, messages, say, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkProbeFilter
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
SIZE, STEPS = (41, 19, 21), 50 if RANKS == 1 else 14  # ranks take turns on few cores
RANGE = 1900.0  # of the temperature, kelvin
ALL = dict(CriteriaArrays=["Temperature"], ThresholdMode="Absolute", CoarsenLevels=3,
           GenerateLevel=1)


def jet():
    return simple.TurbulentJet(Dimensions=SIZE, TimeSteps=STEPS, OutputPrecision="Double",
                               TimeRange=[0, 0.5])


def gathered(proxy, time):
    """What all processes have, in one: to ask each for its piece takes turns of all."""
    append = servermanager.filters.ReductionFilter(Input=proxy, PostGatherHelperName="vtkAppendFilter")
    append.UpdatePipeline(time)
    return append.GetClientSideObject().GetOutputDataObject(0)


def at(proxy, step):
    made = gathered(proxy, 0.5 * step / (STEPS - 1))
    said = messages()
    check(said == "", f"step {step}: {said}")
    return made


def places(data):
    """The index of each point."""
    low = np.array([0, -1, -1.0])
    step = np.array([4, 2, 2.0]) / (np.array(SIZE) - 1)
    return np.rint((vtk_to_numpy(data.GetPoints().GetData()) - low) / step).astype(int)


def values_of(data):
    """Of the jet's temperature, by index."""
    whole = np.full(SIZE[::-1], np.nan)
    whole[tuple(places(data).T[::-1])] = points_of(data, "Temperature")
    return whole


def boxes(output):
    """Lowest and highest index of each voxel, the values at its corners, its level."""
    ids = vtk_to_numpy(output.GetCells().GetConnectivityArray()).reshape(-1, 8)
    ijk = places(output)
    return (ijk[ids[:, 0]], ijk[ids[:, 7]], points_of(output, "Temperature")[ids],
            vtk_to_numpy(output.GetCellData().GetArray("Level")))


def levels(output):
    """Of the cell that each input cell lies in."""
    found = np.full([n - 1 for n in SIZE], -1)
    for low, high, _, level in zip(*boxes(output)):
        part = found[tuple(slice(a, b) for a, b in zip(low, high))]
        check((part == -1).all(), "cells lie on each other")
        part[...] = level
    check((found >= 0).all(), "cells are missing")
    return found


def largest_error(output, field):
    """Between the input's points and what the voxels' corners interpolate there."""
    most = 0.0
    for low, high, corner, _ in zip(*boxes(output)):
        x, y, z = ((np.arange(b - a + 1) / (b - a)) for a, b in zip(low, high))
        v = corner.reshape(2, 2, 2)
        v = v[0] + z[:, None, None] * (v[1] - v[0])
        v = v[:, :1] + y[None, :, None] * (v[:, 1:] - v[:, :1])
        v = v[:, :, :1] + x * (v[:, :, 1:] - v[:, :, :1])
        i, j, k = (slice(a, b + 1) for a, b in zip(low, high))
        most = max(most, np.abs(v - field[k, j, i]).max())
    return most


def the_largest_level_of_all_steps():
    source = jet()
    settings = dict(UseInterpolationError=0, UseValueRange=1, ValueRange=0.4 * RANGE,
                    Balance="None", HangingNodes="Free", **ALL)
    each = simple.AdaptiveGrid(Input=source, **settings)
    own = [levels(at(each, step)) for step in range(STEPS)]
    expected = np.max(own, axis=0)
    grid = simple.AdaptiveGrid(Input=source, OverTime="All Steps", **settings)
    for step in range(STEPS - 1, -1, -7):
        check((levels(at(grid, step)) == expected).all(), f"step {step}: not the largest levels")
    differ = sum((one != own[0]).any() for one in own)
    check(differ > STEPS / 2, "the steps' own grids differ")
    say(f"levels are {expected.mean():.2f} in the mean, {own[0].mean():.2f} at the first step")


def the_error_holds_at_every_step():
    source = jet()
    settings = dict(InterpolationError=0.08 * RANGE, HangingNodes="Free", **ALL)
    grid = simple.AdaptiveGrid(Input=source, OverTime="All Steps", **settings)
    each = simple.AdaptiveGrid(Input=source, **settings)
    first, finest = None, (SIZE[0] - 1) * (SIZE[1] - 1) * (SIZE[2] - 1)
    for step in range(STEPS):
        made = at(grid, step)
        now = levels(made)
        first = now if first is None else first
        check((now == first).all(), f"step {step}: other cells")
        field = values_of(at(source, step))
        error = largest_error(made, field)
        check(0 < error <= 0.08 * RANGE * (1 + 1e-12), f"step {step}: error {error}")
        for low, _, corner, _ in zip(*boxes(made)):
            check(corner[0] == field[low[2], low[1], low[0]], f"step {step}: other values")
        if step % 7 == 0:
            check((now >= levels(at(each, step))).all(), f"step {step}: its own grid is finer")
    cells = made.GetNumberOfCells()
    check(cells < finest / 2, f"{cells} of {finest} cells")
    say(f"{cells} of {finest} cells")


def conforming_cells_at_every_step():
    source = jet()
    grid = simple.AdaptiveGrid(Input=source, OverTime="All Steps", InterpolationError=0.08 * RANGE,
                               **ALL)
    first = None
    for step in range(0, STEPS, 3):
        made = at(grid, step)
        cells = (vtk_to_numpy(made.GetCells().GetConnectivityArray()).tobytes(),
                 vtk_to_numpy(made.GetPoints().GetData()).tobytes())
        first = first or cells
        check(cells == first, f"step {step}: other cells")
        if RANKS > 1 or step % 9:
            continue
        whole, probe = at(source, step), vtkProbeFilter()
        probe.SetInputData(whole)
        probe.SetSourceData(made)
        probe.Update()
        there = points_of(probe.GetOutput(), "Temperature")
        valid = points_of(probe.GetOutput(), "vtkValidPointMask") == 1
        check(valid.mean() > 0.99, f"{valid.mean()} of the points are found")
        error = np.abs(there - points_of(whole, "Temperature"))[valid].max()
        check(error <= 0.08 * RANGE * (1 + 1e-6), f"step {step}: error {error}")


def what_does_not_go_together():
    grid = simple.AdaptiveGrid(Input=jet(), OverTime="All Steps", CellBudget=1000, **ALL)
    grid.UpdatePipeline()
    check("Cell Budget scales the thresholds of one time step" in messages(), "a sentence")


def a_change_begins_anew():
    """Of the threshold, or of the steps."""
    source = simple.TurbulentJet(Dimensions=[25, 13, 13], TimeSteps=3)
    grid = simple.AdaptiveGrid(Input=source, OverTime="All Steps", InterpolationError=0.2 * RANGE,
                               HangingNodes="Free", **ALL)
    counts = []
    for threshold, steps in ((0.2, 3), (0.02, 3), (0.2, 3), (0.2, 9), (0.2, 3)):
        grid.InterpolationError = threshold * RANGE
        source.TimeSteps = steps
        counts.append(gathered(grid, 0.5).GetNumberOfCells())
    check(counts[0] == counts[2] == counts[4] < counts[1], f"{counts}")
    check(counts[3] > counts[0], f"{counts}")
    check(messages() == "", "nothing is said")


main(the_largest_level_of_all_steps, the_error_holds_at_every_step, conforming_cells_at_every_step,
     what_does_not_go_together, a_change_begins_anew)
