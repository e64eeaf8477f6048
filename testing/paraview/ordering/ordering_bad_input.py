# SPDX-License-Identifier: BSD-3-Clause
"""Points To Curves: wrong options and wrong data get a sentence, and no point is lost."""
import math

import numpy as np
from ordering_testing import cells, cloud, join
from tessera_testing import (cell_values, check, field_value, main, messages, point_array, points,
                             simple, source_of)
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkMultiBlockDataSet

NAN = float("nan")


def data():
    return cloud(np.arange(18.0), id=np.array([1, 1, 2, 2, 2, 1]), t=np.arange(6.0)[::-1],
                 v=np.arange(18.0).reshape(6, 3), name=list("abcdef"), index=np.arange(6))


def check_error(words, cloud_=None, **properties):
    out, said = join(cloud_ or data(), **properties)
    check("ERR" in said.upper() and all(word in said for word in words), f"{properties}: {said}")
    check(said.count("vtkPointsToCurves (") == 1, f"once: {said}")
    check(out.IsA("vtkPolyData") and out.GetNumberOfPoints() == 0 and
          out.GetNumberOfCells() == 0, f"{properties}: a valid, empty output")


def bad_options_are_errors():
    for bad in (-1, NAN, math.inf):
        check_error(["largest gap"], CutAtGaps=1, MaximumGap=bad)
        check_error(["largest distance"], CutAtDistances=1, MaximumDistance=bad)
        check_error(["tolerance of repeats"], RemoveRepeats=1, RepeatTolerance=bad)
    check_error(["Single Points", "0 to 1"], SinglePoints=-1)
    check_error(["Threads"], Threads=-1)
    check_error(["Threads"], Threads=-1, Temporal=1)
    out, said = join(data(), MaximumGap=-1, MaximumDistance=NAN, RepeatTolerance=-1)
    check(said == "" and out.GetNumberOfPoints() == 6, f"what is off does not matter: {said}")


def bad_arrays_are_errors():
    check_error(["no point array 'ids' to group"], GroupArray="ids")
    check_error(["no point array 'time' to order"], OrderArray="time")
    check_error(["group array 'v' has 3 components"], GroupArray="v")
    check_error(["order array 'v' has 3 components"], OrderArray="v")
    check_error(["order array 'name' does not hold numbers"], OrderArray="name")
    short = data()
    array = numpy_to_vtk(np.arange(4), deep=True)
    array.SetName("short")
    short.GetPointData().AddArray(array)
    check_error(["'short'", "4 tuples for 6 points"], short, GroupArray="short")
    out, said = join(short, GroupArray="id")
    check("'short' has 4 tuples for 6 points and is left out" in said, said)
    check(out.GetNumberOfPoints() == 6 and not out.GetPointData().HasArray("short"), "the rest")


def a_block_that_does_not_fit_is_named():
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, data())
    blocks.SetBlock(1, vtkImageData())
    blocks.GetMetaData(1).Set(blocks.NAME(), "wing")
    out, said = join(blocks, GroupArray="id")
    check("1 dataset has no points of its own and is left out; the first is in block 2 (wing)." in
          said and out.GetNumberOfPoints() == 6, said)
    other = data()
    other.GetPointData().RemoveArray("id")
    blocks.SetBlock(1, other)
    check_error(["nothing to group the points by: the point array 'id' is not the same in all "
                 "blocks"], blocks, GroupArray="id")


def not_a_number_comes_last():
    out, said = join(cloud(np.arange(21.0), id=np.array([NAN, 1, 1, 1, NAN, 1, -0.0]),
                           t=np.array([3, NAN, 2, 1, 1, NAN, 0]), index=np.arange(7)),
                     GroupArray="id", OrderArray="t")
    check(list(point_array(out, "index")) == [6, 3, 2, 1, 5, 4, 0], "last, in input order")
    check("2 points (the first is number 0) have a group" in said, said)
    check("2 points (the first is number 1) have an order" in said, said)
    check(np.isnan(cell_values(out, "Group")[-1]), "a group of their own")
    check([len(c) for c in cells(out)] == [1, 4, 2], "curves")


def points_nowhere_stay():
    xyz = np.arange(18.0).reshape(6, 3)
    xyz[1, 0], xyz[4, 2] = NAN, math.inf
    out, said = join(cloud(xyz, id=[0] * 6), GroupArray="id", CutAtDistances=1, RemoveRepeats=1,
                     MaximumDistance=100)
    check("2 points (the first is number 1)" in said and "not finite" in said, said)
    check(out.GetNumberOfPoints() == 6 and len(cells(out)) == 1, "nothing is lost")
    check(np.array_equal(points(out), xyz, equal_nan=True), "as they are")
    check(abs(cell_values(out, "Length")[0] - math.sqrt(27)) < 1e-12, "the length of the rest")


def a_million_points_in_one_place():
    n = 1000000
    out, said = join(cloud(np.ones((n, 3))), RemoveRepeats=1)
    check(said == "" and out.GetNumberOfPoints() == 1, "one vertex")
    out, said = join(cloud(np.ones((n, 3)), id=np.zeros(n, int)), GroupArray="id", OrderArray="id")
    check(said == "" and out.GetNumberOfPoints() == n and len(cells(out)) == 1, "one curve")


def it_can_be_stopped_anywhere():
    proxy = simple.PointsToCurves(Input=source_of(cloud(np.random.default_rng(1).random((20000, 3)))))
    proxy.UpdateVTKObjects()
    algorithm = proxy.GetClientSideObject()
    for stop_at in (0.0, 0.1, 0.3, 0.6):
        tag = algorithm.AddObserver("ProgressEvent", lambda *_, at=stop_at: algorithm.GetProgress() <
                                    at or algorithm.SetAbortExecute(1))
        algorithm.Modified()
        proxy.MarkModified(None)
        proxy.UpdatePipeline()
        out = algorithm.GetOutput()
        check(messages() == "" and out.GetNumberOfPoints() == 0, f"stopped at {stop_at}")
        algorithm.RemoveObserver(tag)
        algorithm.SetAbortExecute(0)
    algorithm.Modified()
    proxy.MarkModified(None)
    proxy.UpdatePipeline()
    check(algorithm.GetOutput().GetNumberOfPoints() == 20000, "it works again")


def the_report_says_what_is_left_out():
    def entries(out):
        return [field_value(out, name).ToLongLong()
                for name in ("Hidden Points", "Points Without Group", "Curves")]

    def reason(out):
        return field_value(out, "Nothing Was Made").ToString()

    ghosts = np.array([0, 0, 0, 1, 2, 0], np.uint8)
    names = ["a", "", "a", "b", "b", ""]
    out, said = join(cloud(np.arange(18.0), vtkGhostType=ghosts, name=names), GroupArray="name")
    check(entries(out) == [2, 2, 2] and said == "", f"{entries(out)}: {said}")
    check(not out.GetFieldData().HasArray("Tessera Nothing Was Made"), "something was made")
    out, said = join(cloud(np.arange(18.0), vtkGhostType=np.ones(6, np.uint8), name=names),
                     GroupArray="name")
    check("all 6 points are hidden or copies of other processes' points" in reason(out) and
          entries(out) == [6, 0, 0] and said == "", f"{reason(out)}: {entries(out)}: {said}")
    out, said = join(cloud(np.zeros((0, 3))))
    check(reason(out) == "the input has no points" and said == "", reason(out))
    out, said = join(cloud(np.arange(18.0), id=np.arange(6)), GroupArray="id",
                     SinglePoints="Leave Out")
    check(reason(out) == "Single Points leaves out 6 curves, which have one point each", reason(out))


def what_is_set_is_kept():
    proxy = simple.PointsToCurves(Input=source_of(data()), GroupArray="nothing")
    proxy.UpdatePipeline()
    check("no point array 'nothing'" in messages(), "an error")
    proxy.GroupArray = "id"
    proxy.UpdatePipeline()
    check(messages() == "" and proxy.GetClientSideObject().GetOutput().GetNumberOfCells() == 2,
          "it works again")


main(bad_options_are_errors, bad_arrays_are_errors, a_block_that_does_not_fit_is_named,
     not_a_number_comes_last, points_nowhere_stay, a_million_points_in_one_place,
     it_can_be_stopped_anywhere, the_report_says_what_is_left_out, what_is_set_is_kept)
