# SPDX-License-Identifier: BSD-3-Clause
# ranks: 1 2 4 symmetric
"""Run with mpiexec: any number of processes makes the tree that one makes, leaf by leaf.

Each process gives its share of the points, one of them nothing. Process 0 sorts all of them by itself
as well: the rows of all processes, one after the other, have to be those, to the bit.
"""
import hashlib
import os

import numpy as np
from pointgrid_testing import OUTPUTS, crowd, sort, with_arrays
from tessera_testing import Skipped, case, check, field_value, messages, say, simple, source_of
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (vtkMultiBlockDataSet, vtkPartitionedDataSet,
                                           vtkPartitionedDataSetCollection, vtkPolyData)
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid
from vtkmodules.vtkParallelCore import vtkDummyController, vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()


def alone(data, **properties):
    """As one process, though others are there."""
    dummy = vtkDummyController()
    vtkMultiProcessController.SetGlobalController(dummy)
    try:
        return sort(data, **properties)
    finally:
        vtkMultiProcessController.SetGlobalController(CONTROLLER)


def part(data):
    """This process's points of a whole, in order; process 1 has none where there are more."""
    n = data.GetNumberOfPoints()
    bounds = [n * r * r // (RANKS * RANKS) for r in range(RANKS + 1)]
    if RANKS > 2 and RANK == 1:
        return vtkPolyData()
    begin, end = bounds[1 if RANK == 2 else RANK], bounds[RANK + 1]
    out = vtkPolyData()
    out.DeepCopy(data)
    points = vtk_to_numpy(data.GetPoints().GetData())[begin:end]
    out.GetPoints().SetData(numpy_to_vtk(points.copy(), deep=True))
    for i in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetArray(i)
        values = numpy_to_vtk(vtk_to_numpy(array)[begin:end].copy(), deep=True)
        values.SetName(array.GetName())
        out.GetPointData().AddArray(values)
    return out


def rows(output):
    """Each cell, or point, as one string of bytes: where it is and all it carries."""
    n = output.GetNumberOfCells()
    if n == 0:
        return []
    data = output.GetPointData() if output.IsA("vtkPolyData") else output.GetCellData()
    places = vtk_to_numpy(output.GetPoints().GetData())
    if output.IsA("vtkUnstructuredGrid"):
        places = places[vtk_to_numpy(output.GetCells().GetConnectivityArray()).reshape(n, -1)]
    columns = [places] + [vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())]
    table = np.hstack([np.ascontiguousarray(c).reshape(n, -1).view(np.uint8).reshape(n, -1)
                       for c in columns])
    return [row.tobytes() for row in table]


def gathered(rows_here):
    """The digests of the rows of all processes, in the order of the processes; on process 0."""
    digests = [hashlib.md5(row).digest() for row in rows_here]
    everybodys = numpy_to_vtk(np.zeros((0, 16), np.uint8), deep=True)
    mine = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, 16)
    CONTROLLER.GatherV(numpy_to_vtk(mine, deep=True), everybodys, 0)
    return [row.tobytes() for row in vtk_to_numpy(everybodys)] if RANK == 0 else None


def compare(mine, make_whole, what):
    found = gathered(rows(mine))
    if RANK == 0:
        expected = [hashlib.md5(row).digest() for row in rows(make_whole())]
        check(len(expected) > 1, f"{what}: {len(expected)} in the whole")
        check(found == expected, f"{what}: {len(found)} rows, {len(expected)} expected")


def every_tree():
    whole = with_arrays(crowd(20000))
    for properties in (dict(), dict(Balance="Across Faces"), dict(Balance="Across Corners"),
                       dict(TreeShape="Quadtree, Auto Plane", MaximumPointsPerCell=7),
                       dict(UseSpread=1, SpreadArray="value", Spread=17.0, MaximumLevel=6),
                       dict(UseSpread=1, SpreadOf="Z", Spread=0.01, GenerateCoordinates=1)):
        for kind in (OUTPUTS[0], OUTPUTS[2]):
            out = sort(part(whole), OutputType=kind, **properties)
            compare(out, lambda: alone(whole, OutputType=kind, **properties), f"{kind} {properties}")
            if properties == {}:
                check(field_value(out, "Input Points").ToLongLong() == 20000, "all points counted")
                check(field_value(out, "Hidden Points").ToLongLong() == 0, "none is hidden")
                check(out.GetNumberOfCells() > 0 or RANKS > 4, "each does its share")


def trees():
    whole = with_arrays(crowd(20000))
    out = sort(part(whole), OutputType=OUTPUTS[1], Balance="Across Faces")
    leaves = field_value(out, "Leaves").ToLongLong()
    mine = visible(out)
    total = sum(int(row) for row in everybody(mine))
    check(total == leaves, f"{total} leaves to be seen of {leaves}")
    if RANK == 0:
        check(leaves == alone(whole, Balance="Across Faces").GetNumberOfCells(), "as one process")


def visible(tree):
    if tree.GetNumberOfCells() == 0:
        return 0
    as_cells = vtkHyperTreeGridToUnstructuredGrid()
    as_cells.SetInputData(tree)
    as_cells.Update()
    return as_cells.GetOutput().GetNumberOfCells()


def everybody(number):
    """A number of every process, on every process."""
    result = numpy_to_vtk(np.zeros(RANKS), deep=True)
    CONTROLLER.AllGather(numpy_to_vtk(np.array([float(number)]), deep=True), result)
    return vtk_to_numpy(result)


def blocks_in_pieces():
    """A block that several processes have points in is one tree of theirs; others stay."""
    whole, small = with_arrays(crowd(5000)), with_arrays(crowd(300, 5))
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, part(whole))
    data.SetBlock(1, small if RANK == 0 else None)
    out = sort(data, MaximumPointsPerCell=20)
    compare(out.GetBlock(0) or vtkPolyData(), lambda: alone(whole, MaximumPointsPerCell=20), "shared")
    if RANK == 0:
        check(rows(out.GetBlock(1)) == rows(alone(small, MaximumPointsPerCell=20)), "its own")
    check(field_value(out, "Input Points").ToLongLong() == 5300, "counted once")


def blocks_behind_other_numbers_of_partitions():
    """The second dataset is one tree of all, whatever composite index it has on each process."""
    whole = with_arrays(crowd(5000))
    data = vtkPartitionedDataSetCollection()
    data.SetNumberOfPartitionedDataSets(2)
    for i, parts in enumerate(([with_arrays(crowd(50, k)) for k in range(1 + RANK)], [part(whole)])):
        data.SetPartitionedDataSet(i, vtkPartitionedDataSet())
        for k, one in enumerate(parts):
            data.GetPartitionedDataSet(i).SetPartition(k, one)
    out = sort(data, MaximumPointsPerCell=20)
    compare(out.GetPartitionedDataSet(1).GetPartition(0) or vtkPolyData(),
            lambda: alone(whole, MaximumPointsPerCell=20), "the second")


def the_survey():
    reader = simple.XMLPolyDataReader(FileName=[case("points/autzen_trim.vtp")])
    out = sort(reader, Balance="Across Faces")
    check(field_value(out, "Leaves").ToLongLong() == 12363, "p8est's number of leaves")


def sentences_come_once():
    whole = with_arrays(crowd(2000))
    data = part(whole)
    if data.GetNumberOfPoints() > 0:
        vtk_to_numpy(data.GetPoints().GetData())[0, 0] = np.nan
    messages()
    proxy = simple.AdaptivePointGrid(Input=source_of(data))
    proxy.UpdatePipeline()
    text = messages()
    bad = RANKS - 1 if RANKS > 2 else RANKS
    expected = f"{bad} point" if RANK == 0 else ""
    check(expected in text if RANK == 0 else text == "", f"told on process {RANK}: {text}")
    proxy = simple.AdaptivePointGrid(Input=source_of(part(whole)), UseSpread=1, SpreadArray="no")
    proxy.UpdatePipeline()
    text = messages()
    check(RANK > 0 or "there is no numeric point array 'no'" in text, f"the error: {text}")


def main(*tests):
    """Where one process fails, mpiexec ends with its status."""
    for test in tests:
        messages()
        try:
            test()
            say(f"ok: {test.__name__} (process {RANK} of {RANKS})")
        except Skipped as reason:
            say(f"skipped: {test.__name__}: {reason}")
        except Exception as problem:
            say(f"FAILED: {test.__name__} (process {RANK} of {RANKS}): {problem!r}")
            os._exit(1)  # mpiexec then ends the others, which may wait for this one


main(every_tree, trees, blocks_in_pieces, blocks_behind_other_numbers_of_partitions, the_survey,
     sentences_come_once)
