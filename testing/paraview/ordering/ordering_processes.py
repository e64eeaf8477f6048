# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 7 symmetric
"""Run with mpiexec, the script on every process: any number of processes makes the curves of one.

The whole input is cut into uneven pieces; of more than two processes, 1 has none. What the processes make, one after
the other, is compared with what one makes of the whole.
"""
import os

import numpy as np
from ordering_testing import cells, cloud, join, texts
from tessera_testing import (add_array, cell_values, check, field_value, messages, point_array,
                             points, say, simple)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdTypeArray
from vtkmodules.vtkParallelCore import vtkDummyController, vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()
N = 5000
RANDOM = np.random.default_rng(9)
XYZ = RANDOM.random((N, 3))
ID = RANDOM.integers(-40, 60, N)
TIME = RANDOM.integers(0, 30, N) * 0.25  # many ties
NAMES = [f"particle {i % 7}" * (1 + i % 3) for i in ID]
ENDS = np.sort(np.concatenate([[0, N], np.random.default_rng(2).integers(0, N, RANKS - 1)]))
if RANKS > 2:
    ENDS[2] = ENDS[1]  # process 1 has nothing


def piece(begin, end, **more):
    at = slice(begin, end)
    return cloud(XYZ[at], id=ID[at], t=TIME[at], name=NAMES[at], index=np.arange(N)[at],
                 **{k: v[at] for k, v in more.items()})


def mine(**more):
    return piece(ENDS[RANK], ENDS[RANK + 1], **more)


def alone(data, **properties):
    """As one process, though others are there."""
    dummy = vtkDummyController()
    vtkMultiProcessController.SetGlobalController(dummy)
    try:
        return join(data, **properties)[0]
    finally:
        vtkMultiProcessController.SetGlobalController(CONTROLLER)


def counts(number):
    """The number of every process."""
    send, receive = vtkIdTypeArray(), vtkIdTypeArray()
    send.InsertNextValue(number)
    receive.SetNumberOfValues(RANKS)
    CONTROLLER.AllGather(send, receive)
    return vtk_to_numpy(receive)


def curves(data):
    """Of each curve: ids of its points, and its cell values."""
    names = [data.GetCellData().GetArrayName(i) for i in range(data.GetCellData().GetNumberOfArrays())]
    values = [texts(data.GetCellData(), n) if data.GetCellData().GetArray(n) is None
              else [v.tobytes() for v in cell_values(data, n)] for n in names]
    ids = point_array(data, "index") if data.GetNumberOfPoints() else np.zeros(0, int)
    found = [(tuple(ids[c]),) + tuple(v[k] for v in values) for k, c in enumerate(cells(data))]
    return sorted(found, key=lambda c: c[0])


def check_same(data, whole, what, **properties):
    out, said = join(data, **properties)
    check(said == "", f"{what}: {said}")
    one = alone(whole, **properties)
    number = counts(out.GetNumberOfPoints())
    check(number.sum() == one.GetNumberOfPoints(), f"{what}: {number} points")
    first = number[:RANK].sum()
    part = slice(first, first + number[RANK])
    if number[RANK]:
        check(np.array_equal(point_array(out, "index"), point_array(one, "index")[part]),
              f"{what}: process after process the order of one")
        check(np.array_equal(points(out), points(one)[part]), f"{what}: the points")
        check(texts(out.GetPointData(), "name") == texts(one.GetPointData(), "name")[part],
              f"{what}: texts")
        check(np.array_equal(point_array(out, "t"), point_array(one, "t")[part]), f"{what}: times")
    all_curves = set(curves(one))
    check(all(c in all_curves for c in curves(out)), f"{what}: the curves and their values")
    check(counts(out.GetNumberOfCells()).sum() == one.GetNumberOfCells(), f"{what}: every curve")
    check(field_value(out, "Curves").ToInt() == one.GetNumberOfCells(), f"{what}: the report")
    return number


def curves_of_one_process():
    whole = piece(0, N)
    number = check_same(mine(), whole, "by id", GroupArray="id", OrderArray="t")
    check(number.max() < 2 * N / RANKS, f"about equal shares: {number}")
    check_same(mine(), whole, "by text", GroupArray="name", OrderArray="t")
    check_same(mine(), whole, "in input order", GroupArray="id")
    check_same(mine(), whole, "all in one", OrderArray="t")
    check_same(mine(), whole, "all in one, in input order")
    check_same(mine(), whole, "cut", GroupArray="id", OrderArray="t", CutAtGaps=1, MaximumGap=0.5,
               CutAtDistances=1, MaximumDistance=0.4, RemoveRepeats=1, RepeatTolerance=0.1,
               SinglePoints="Leave Out")


def number_groups():
    """NaN too is whole on one process."""
    values = np.where(ID % 5 == 0, np.nan, ID * 0.5)
    out, said = join(mine(value=values), GroupArray="value", OrderArray="t")
    nans = int(np.isnan(point_array(out, "value")).sum()) if out.GetNumberOfPoints() else 0
    held = counts(nans)
    check(held.max() == np.isnan(values).sum(), f"on one process: {held}")
    check(("NaN" in said) == (RANK == 0), f"process 0 tells: {said}")


def an_array_of_some_processes():
    data = mine()
    if RANK == 0:
        add_array(data.GetPointData(), "extra", np.zeros(data.GetNumberOfPoints()))
    out, said = join(data, GroupArray="id")
    check(not out.GetPointData().HasArray("extra"), "left out")
    check(("'extra'" in said) == (RANK == 0), f"process 0 tells: {said}")
    check(counts(out.GetNumberOfPoints()).sum() == N, "all points")


def a_missing_array_ends_all():
    data = mine()
    culprit = RANKS - 1 if ENDS[RANKS] > ENDS[RANKS - 1] else 0
    if RANK == culprit:
        data.GetPointData().RemoveArray("id")
    out, said = join(data, GroupArray="id")
    check(out.GetNumberOfPoints() == 0, "empty everywhere")
    check(("no point array 'id'" in said) == (RANK in (0, culprit)), f"the user is told: {said}")


def types_that_differ_end_all():
    data = mine()
    if RANK == 0:
        data.GetPointData().RemoveArray("id")
        add_array(data.GetPointData(), "id", ID[ENDS[0]:ENDS[1]].astype(float))
    out, said = join(data, GroupArray="id")
    check(out.GetNumberOfPoints() == 0 and (RANK > 0 or "'id'" in said), f"empty: {said}")


def a_sentence_names_the_point_that_was_brought():
    """However far it went to its group."""
    busy = [r for r in range(RANKS) if ENDS[r + 1] > ENDS[r]]
    culprit, data = busy[-1], mine(value=np.where(ID % 5 == 0, 7.5, ID * 0.5))
    last = data.GetNumberOfPoints() - 1
    if RANK == culprit:
        point_array(data, "value")[last - 3] = np.nan
        point_array(data, "t")[last - 2] = np.nan
        points(data)[last - 1] = np.inf
    said = join(data, GroupArray="value", OrderArray="t")[1]
    if RANK == 0:
        last = ENDS[culprit + 1] - ENDS[culprit] - 1
        for number, what in ((last - 3, "group"), (last - 2, "order"), (last - 1, "place")):
            check(f"1 point (number {number}) has a" in said and f" {what} that is not" in said,
                  f"told of point {number}: {said}")
        check(said.count(f"The first is on process {culprit}.") == 3, f"process {culprit}: {said}")


SCRIPT = f"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
info = self.GetExecutive().GetOutputInformation(0)
time = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else 0.0
ids = np.array([i for i in range(30) if (i + int(time)) % {RANKS} == {RANK}])
points = vtkPoints()
points.SetData(numpy_to_vtk(np.stack([ids + 0.01 * time, 0.0 * ids, 0.0 * ids + time], axis=1),
                            deep=True))
out = self.GetPolyDataOutput()
out.SetPoints(points)
array = numpy_to_vtk(ids, deep=True)
array.SetName("id")
out.GetPointData().AddArray(array)
"""
INFORMATION = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
info = self.GetExecutive().GetOutputInformation(0)
times = [float(k) for k in range(9)]
info.Set(Pipeline.TIME_STEPS(), times, len(times))
info.Set(Pipeline.TIME_RANGE(), [0.0, 8.0], 2)
"""


def paths_over_time():
    """The particles change their process at every step."""
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=SCRIPT,
                                       ScriptRequestInformation=INFORMATION)
    out, said = join(source, GroupArray="id", Temporal=1)
    check(said == "", said)
    held = cell_values(out, "Group") if out.GetNumberOfCells() else np.zeros(0, int)
    check(counts(len(held)).sum() == 30, f"every particle once: {held}")
    for id_, ids in zip(held, cells(out)):
        expected = np.stack([id_ + 0.01 * np.arange(9), np.zeros(9), np.arange(9.0)], axis=1)
        check(np.allclose(points(out)[ids], expected, rtol=0, atol=1e-14), f"path {id_}")
        check(np.array_equal(point_array(out, "Time")[ids], np.arange(9.0)), f"times {id_}")


def paths_grow_over_time():
    """Forth and back: at each time the curves of one process, byte by byte."""
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=SCRIPT,
                                       ScriptRequestInformation=INFORMATION)
    proxy = simple.PointsToCurves(Input=source, GroupArray="id", Temporal=1, UpToCurrentTime=1)
    for time, steps in ((0.0, 1), (5.0, 6), (2.0, 3), (8.0, 9)):
        proxy.UpdatePipeline(time)
        out = proxy.GetClientSideObject().GetOutput()
        held = cell_values(out, "Group") if out.GetNumberOfCells() else np.zeros(0, int)
        check(counts(len(held)).sum() == 30, f"every particle once at {time}: {held}")
        for id_, ids in zip(held, cells(out)):
            expected = np.stack([id_ + 0.01 * np.arange(steps), np.zeros(steps),
                                 np.arange(float(steps))], axis=1)
            check(points(out)[ids].tobytes() == expected.tobytes(), f"path {id_} at {time}")
    check(messages() == "", "silence")


def stopped_on_one_process():
    """Between two steps, of a source that waits for all processes in each: all stop."""
    jet = simple.TurbulentJet(Dimensions=[9, 5, 5], TimeSteps=4)
    proxy = simple.PointsToCurves(Input=simple.AdaptiveGrid(Input=jet), Temporal=1)
    proxy.UpdateVTKObjects()
    algorithm = proxy.GetClientSideObject()
    if RANK == RANKS - 1:
        algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    proxy.UpdatePipeline()
    said = messages()
    check(said == "" and algorithm.GetOutput().GetNumberOfPoints() == 0, f"nothing: {said}")


def nothing_anywhere():
    out, said = join(cloud(np.zeros((0, 3))), GroupArray="id")
    check(said == "" and out.GetNumberOfPoints() == 0, f"nothing: {said}")


def main(*tests):
    """As tessera_testing's; where one process fails, mpiexec ends with its status."""
    bad = 0
    for test in tests:
        messages()
        try:
            test()
            say(f"ok: {test.__name__} (process {RANK} of {RANKS})")
        except Exception as problem:
            bad += 1
            say(f"FAILED: {test.__name__} (process {RANK} of {RANKS}): {problem!r}")
    if bad:
        os._exit(1)  # mpiexec then ends the others


main(curves_of_one_process, number_groups, a_sentence_names_the_point_that_was_brought,
     an_array_of_some_processes, a_missing_array_ends_all,
     types_that_differ_end_all, paths_over_time, paths_grow_over_time, stopped_on_one_process,
     nothing_anywhere)
