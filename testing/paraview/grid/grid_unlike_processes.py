# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 symmetric
"""Run with mpiexec: processes that hold unlike things, or of which one is stopped. None waits for
another in vain, and the user is told once."""
import numpy as np
from grid_testing import image, points_of
from tessera_testing import add_array, check, main, messages, simple, source_of
from vtkmodules.vtkCommonDataModel import (vtkImageData, vtkMultiBlockDataSet,
                                           vtkPartitionedDataSet, vtkPartitionedDataSetCollection)
from vtkmodules.vtkParallelCore import vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()
SIDE = 16
ENDS = [SIDE * r // RANKS for r in range(RANKS + 1)]
SETTINGS = dict(CriteriaArrays=["f"], CoarsenLevels=2, HangingNodes="Free")


def wave(extent):
    data = image(extent)
    p = points_of(data, "ijk")
    add_array(data.GetPointData(), "f", np.sin(p[:, 0] / 3) * np.cos(p[:, 2] / 4))
    return data


def told_and_made(data, **properties):
    messages()
    source = source_of(data)
    made = simple.AdaptiveGrid(Input=source, **{**SETTINGS, **properties})
    made.UpdatePipeline()
    return messages(), made.GetClientSideObject().GetOutputDataObject(0)


def names(output):
    arrays = output.GetPointData()
    return [arrays.GetArrayName(i) for i in range(arrays.GetNumberOfArrays())]


def change(data, name, how):
    arrays, n = data.GetPointData(), data.GetNumberOfPoints()
    arrays.RemoveArray(name)
    if how != "missing":
        add_array(arrays, name, {"another type": np.zeros(n, np.float32),
                                 "more components": np.zeros((n, 2)),
                                 "too short": np.zeros(n - 1)}[how])


def parts():
    """With parts that move, and with parts that stay, since each process holds all."""
    return [[0, SIDE, 0, SIDE, ENDS[RANK], ENDS[RANK + 1]], [0, SIDE] * 3]


CHANGES = ("missing", "another type", "more components", "too short")


def arrays_that_not_all_have_are_left_out():
    for part in parts():
        cells = told_and_made(wave(part))[1].GetNumberOfCells()
        check(cells > 0, "cells")
        for how in CHANGES:
            for culprit in (0, RANKS - 1):
                data = wave(part)
                add_array(data.GetPointData(), "g", np.ones(data.GetNumberOfPoints()))
                if RANK == culprit:
                    change(data, "g", how)
                said, out = told_and_made(data)
                check(names(out) == ["ijk", "f"], f"{how} on {culprit}: {names(out)}")
                check(out.GetNumberOfCells() == cells, f"{how}: {out.GetNumberOfCells()} cells")
                sentence = "The point array 'g' is not the same on all processes"
                check(said.count(sentence) == (RANK == 0), f"{how} on {culprit}: {said}")


def a_criterion_that_not_all_have_ends_all():
    for part in parts():
        for how in CHANGES:
            for culprit in (0, RANKS - 1):
                data = wave(part)
                if RANK == culprit:
                    change(data, "f", how)
                said, out = told_and_made(data)
                check(out.GetNumberOfCells() == 0, f"{how}: nothing")
                check(said.count("no numeric point or cell array 'f'") == (RANK == 0) and
                      ("is not the same on all processes" in said) == (RANK == 0), f"told: {said}")


def the_same_array_decides_everywhere():
    """The active one of the first process, also where another process has it in another place."""
    data = wave([0, SIDE] * 3)
    expected = told_and_made(data)[1].GetNumberOfCells()
    if RANK == 0:
        data.GetPointData().SetActiveScalars("f")
    said, out = told_and_made(data, CriteriaArrays=[])
    check(said == "" and out.GetNumberOfCells() == expected, f"{out.GetNumberOfCells()} {said}")


def partitioned(parts_):
    data = vtkPartitionedDataSet()
    data.SetNumberOfPartitions(len(parts_))
    for i, part in enumerate(parts_):
        data.SetPartition(i, part)
    return data


def blocks_behind_other_numbers_of_partitions():
    """The second dataset is one grid of all processes, whatever composite index it has on each."""
    own = [image([0, 4] * 3, origin=(100 * RANK, 0, 50 * k)) for k in range(1 + 2 * RANK)]
    for piece in own:
        add_array(piece.GetPointData(), "f", np.zeros(piece.GetNumberOfPoints()))
    data = vtkPartitionedDataSetCollection()
    data.SetNumberOfPartitionedDataSets(2)
    data.SetPartitionedDataSet(0, partitioned(own))
    data.SetPartitionedDataSet(1, partitioned([wave(parts()[0])]))
    said, out = told_and_made(data, GridType="Fixed Coarse", CoarsenLevels=4)
    made = out.GetPartitionedDataSet(1).GetPartition(0)
    check(said == "" and (made is None or made.GetNumberOfCells() == 0 or
                          made.GetNumberOfCells() == 1 and
                          np.array_equal(made.GetBounds(), [0, SIDE] * 3)), f"one root: {said}")
    for k in range(len(own)):
        cell = out.GetPartitionedDataSet(0).GetPartition(k)
        check(cell.GetNumberOfCells() == 1 and cell.GetBounds()[4] == 50 * k, f"partition {k}")


def a_composite_beside_an_empty_dataset():
    data = vtkImageData()
    if RANK == 0:
        data = vtkMultiBlockDataSet()
        data.SetBlock(0, wave([0, SIDE] * 3))
    said, out = told_and_made(data)
    check(said == "" and (RANK > 0 or out.GetBlock(0).GetNumberOfCells() > 0), f"told: {said}")


def stopped_between_two_time_steps():
    """On one process, which says something at least once in each of the four: all stop."""
    for stop_at in range(1, 5):
        jet = simple.TurbulentJet(Dimensions=[17, 9, 9], TimeSteps=4)
        made = simple.AdaptiveGrid(Input=jet, OverTime="All Steps", HangingNodes="Free")
        made.UpdateVTKObjects()
        algorithm, seen = made.GetClientSideObject(), []

        def look(*_, algorithm=algorithm, seen=seen, stop_at=stop_at):
            if algorithm.GetProgress() < 1:  # else VTK has ended the step, and forgets it
                seen.append(0)
            if len(seen) == stop_at:
                algorithm.SetAbortExecute(1)

        if RANK == RANKS - 1:
            algorithm.AddObserver("ProgressEvent", look)
        made.UpdatePipeline()
        said = messages()
        check(said == "" and algorithm.GetOutputDataObject(0).GetNumberOfCells() == 0,
              f"stopped at {stop_at}: {said}")


def a_wrong_setting_is_told_once():
    for settings in (dict(CoarsenLevels=40), dict(UseRegion=1, Region=[1, 0, 0, 1, 0, 1]),
                     dict(InterpolationError=-1)):
        said, out = told_and_made(wave(parts()[0]), **settings)
        check(out.GetNumberOfCells() == 0 and said.count("vtkAdaptiveGrid (") == (RANK == 0), said)


main(arrays_that_not_all_have_are_left_out, a_criterion_that_not_all_have_ends_all,
     the_same_array_decides_everywhere, blocks_behind_other_numbers_of_partitions,
     a_composite_beside_an_empty_dataset, stopped_between_two_time_steps,
     a_wrong_setting_is_told_once)
