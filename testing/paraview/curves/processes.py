# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 2 4 symmetric
"""Run with mpiexec: any number of processes makes the points that one makes.

Each process makes its share of the input, some of them nothing at all, and process 0 compares what
all of them made with the output for the whole input, which the slow obvious way gives: one process.
"""
import numpy as np
from tessera_testing import (add_array, cell_values, check, field_value, lines, main, messages,
                             points, polydata, run, simple)
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet
from vtkmodules.vtkParallelCore import vtkDummyController, vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()
N = 60
XYZ = np.random.default_rng(7).random((8 * N, 3)) * [1, 2, 3]


def piece(curves):
    """The curves with these numbers."""
    data = polydata(np.concatenate([XYZ[8 * c:8 * c + 8] for c in curves] or [np.zeros((0, 3))]),
                    [range(8 * i, 8 * i + 8) for i in range(len(curves))])
    add_array(data.GetCellData(), "number", np.array(curves, int))
    return data


BUSY = [r for r in range(RANKS) if r != 1]  # process 1 has nothing
CULPRIT = BUSY[-1]


def share(rank):
    """Uneven shares, the curves of each not in a row."""
    return [c for c in range(N) if BUSY[(c * c // 3) % len(BUSY)] == rank]


def alone(data, **properties):
    """As one process, though others are there."""
    dummy = vtkDummyController()
    vtkMultiProcessController.SetGlobalController(dummy)
    try:
        return run(data, **properties)
    finally:
        vtkMultiProcessController.SetGlobalController(CONTROLLER)


def by_number(data):
    numbers = cell_values(data, "number") if data.GetNumberOfCells() else []
    return {int(n): points(data)[ids].tobytes() for n, ids in zip(numbers, lines(data))}


def same_points(**properties):
    mine = by_number(run(piece(share(RANK)), **properties))
    whole = by_number(alone(piece(range(N)), **properties))
    check(set(mine) == set(share(RANK)), "each process keeps its curves")
    check(all(whole[n] == xyz for n, xyz in mine.items()), f"the points with {properties}")


def same_points_with_each_tolerance():
    same_points()
    same_points(ChordError=1e-5, Sampling="Uniform")
    same_points(ChordErrorMode="Absolute", ChordError=0.01)


def same_points_with_a_budget():
    same_points(PointBudget=1500)
    out = run(piece(share(RANK)), PointBudget=1500)
    total = field_value(out, "Points").ToLongLong()
    check(1000 < total <= 1500, f"{total} points for a budget of 1500")


def report_is_of_all():
    out = run(piece(share(RANK)))
    check(field_value(out, "Curves").ToInt() == N == field_value(out, "Polylines").ToInt(), "report")


def joints_kept_by_cell_arrays_are_those_of_all():
    """Three lines in a row on each process; an array of all keeps two joints, its own keeps one."""
    lines_here = [(0, 1), (1, 2), (2, 3)] if RANK in BUSY else []
    data = polydata([(i, 0, 0) for i in range(4)] if RANK in BUSY else np.zeros((0, 3)), lines_here)
    add_array(data.GetCellData(), "number", np.arange(len(lines_here)))
    add_array(data.GetCellData(), f"of {RANK}", np.minimum(np.arange(len(lines_here)), 1))
    text = field_value(run(data), "Lines Not Joined").ToString()
    since = "kept since the cell array"
    wanted = [f"{2 * len(BUSY)} joints between lines were {since} 'number' differs"]
    wanted += [f"1 joint between lines was {since} 'of {r}' differs" for r in BUSY]
    check(text == "; ".join(wanted), text)


def points_kept_for_labels_are_those_of_all():
    """Each curve has eight points and one change of the label."""
    data = piece(share(RANK))
    add_array(data.GetPointData(), "half", np.arange(data.GetNumberOfPoints(), dtype=int) % 8 // 4)
    text = field_value(run(data, Joints="Keep Where Needed"), "Points Kept").ToString()
    check(text == f"{N} pairs of neighbouring points were kept since the point array 'half' changes "
          "between them", text)


def each_process_takes_its_own_device():
    report = simple.CUDADeviceReport()
    report.UpdatePipeline()
    report.UpdatePipelineInformation()
    out = run(piece(share(RANK)))
    # The first process of a machine lists the devices; all processes of this test share one.
    if RANK == 0 and report.DeviceCount > 0 and not report.Problem:
        used = field_value(out, "Devices").ToInt()
        check(used == min(RANKS, report.DeviceCount), f"{used} of {report.DeviceCount} devices")


def composites_with_other_leaves_on_each_process():
    data = vtkMultiBlockDataSet()
    for block in range(RANKS):
        data.SetBlock(block, piece(share(RANK)) if block == RANK and RANK != 1 else None)
    out = run(data, PointBudget=1500)
    whole = by_number(alone(piece(range(N)), PointBudget=1500))
    if RANK != 1:
        check(all(whole[n] == xyz for n, xyz in by_number(out.GetBlock(RANK)).items()), "points")


def a_warning_comes_once():
    data = piece(share(RANK))
    if RANK == CULPRIT:
        data.GetPoints().SetPoint(3, float("nan"), 0, 0)
    messages()
    run(data, quiet=False)
    text = messages()
    if RANK == 0:
        check(text.count("Warning") == 1 and "1 cell" in text, f"the warning: {text}")
        check(RANKS == 1 or f"on process {CULPRIT}" in text, f"its process: {text}")
    else:
        check(text == "", f"silence elsewhere: {text}")


def an_error_of_all_comes_once():
    for bad in (dict(ChordError=-1.0), dict(PointBudget=-4)):
        messages()
        run(piece(share(RANK)), quiet=False, **bad)
        text = messages()
        check(text.count("vtkAdaptiveCurves (") == (RANK == 0), f"{bad}: {text}")


def an_error_on_one_process_ends_all():
    messages()
    out = run(piece(share(RANK)), quiet=False, ChordError=-1.0 if RANK == CULPRIT else 0.001)
    text = messages()
    check(out.GetNumberOfPoints() == 0 and out.GetNumberOfCells() == 0, "empty everywhere")
    check(("chord error must be" in text) == (RANK in (0, CULPRIT)), f"the user is told: {text}")


main(same_points_with_each_tolerance, same_points_with_a_budget, report_is_of_all,
     joints_kept_by_cell_arrays_are_those_of_all, points_kept_for_labels_are_those_of_all,
     each_process_takes_its_own_device, composites_with_other_leaves_on_each_process,
     a_warning_comes_once, an_error_of_all_comes_once, an_error_on_one_process_ends_all)
