# SPDX-License-Identifier: BSD-3-Clause
"""Bad input of Adaptive Point Grid: one sentence that names the item, an output right or empty."""
import numpy as np
from pointgrid_testing import OUTPUTS, cells, cloud, crowd, sort, with_arrays
from tessera_testing import add_array, check, field_value, main, messages, simple, source_of
from vtkmodules.vtkCommonDataModel import (vtkDataSetAttributes, vtkImageData, vtkMultiBlockDataSet,
                                           vtkPolyData, vtkUnstructuredGrid)

NAN, INF = float("nan"), float("inf")


def refused(sentence, **properties):
    for kind in OUTPUTS:
        out = sort(with_arrays(crowd(200)), sentence, OutputType=kind, **properties)
        check(out.GetNumberOfCells() == 0, "an empty output")


def settings_out_of_range():
    for sentence, properties in (
            ("must be at least 1, not 0", dict(MaximumPointsPerCell=0)),
            ("must lie between 0 and 20, not be 21", dict(MaximumLevel=21)),
            ("must lie between 0 and 20, not be -1", dict(MaximumLevel=-1)),
            ("finite number of at least 0, but is -1", dict(UseSpread=1, Spread=-1)),
            ("finite number of at least 0, but is nan", dict(UseSpread=1, Spread=NAN)),
            ("must be -1 (the magnitude) or more, not -2", dict(UseSpread=1, SpreadComponent=-2)),
            ("the spread looks at component 3, but the spread array's components are 0 to 2",
             dict(UseSpread=1, SpreadArray="velocity", SpreadComponent=3)),
            ("there is no numeric point array 'nothing' for the spread",
             dict(UseSpread=1, SpreadArray="nothing")),
            ("Threads must be 0 (all) or more, not -1", dict(Threads=-1))):
        refused(sentence, **properties)


def places_that_are_no_numbers():
    places = crowd(1000)
    places[7, 1], places[20, 0], places[30, 2], places[31, 2] = NAN, INF, -INF, 1e200
    for kind in OUTPUTS:
        out = sort(with_arrays(places), "4 points, the first of them number 7", OutputType=kind)
        if kind == OUTPUTS[0]:
            check(cells(out, "PointCount").sum() == 996, "the others are there")
        elif kind == OUTPUTS[2]:
            check(out.GetNumberOfPoints() == 996, "the others come along")
    out = sort(cloud(np.full((5, 3), NAN)), "5 points, the first of them number 0")
    check(out.GetNumberOfCells() == 0, "nothing is left")


def values_that_are_no_numbers():
    data = with_arrays(crowd(50))
    add_array(data.GetPointData(), "holes", np.where(np.arange(50) < 49, NAN, 3.0))
    out = sort(data)
    check(cells(out, "holes_mean")[0] == 3 == cells(out, "holes_least")[0], "the one that counts")


def all_in_one_place():
    data = cloud(np.tile([5.0, -2.0, 1e6], (100000, 1)))
    for kind in OUTPUTS:
        out = sort(data, "1 cell (number 0) of the highest level holds more points than the maximum",
                   OutputType=kind)
        if kind == OUTPUTS[0]:
            check(out.GetNumberOfCells() == 141 and cells(out, "PointCount")[0] == 100000, "deep")
    check(sort(cloud([(1, 2, 3)])).GetNumberOfCells() == 1, "one point")


def nothing_at_all():
    for data in (vtkPolyData(), vtkUnstructuredGrid(), cloud(np.zeros((0, 3)))):
        for kind in OUTPUTS:
            check(sort(data, OutputType=kind).GetNumberOfCells() == 0, "nothing of nothing")
    blocks = vtkMultiBlockDataSet()
    blocks.SetNumberOfBlocks(2)
    check(sort(blocks).GetNumberOfBlocks() == 2, "empty blocks")


def datasets_without_points_of_their_own():
    image = vtkImageData()
    image.SetDimensions(3, 3, 3)
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image)
    blocks.SetBlock(1, with_arrays(crowd(300)))
    out = sort(blocks, "1 dataset has no points of its own and is left out; the first is in block 1")
    check(out.GetBlock(0) is None and out.GetBlock(1).GetNumberOfCells() > 1, "the rest")
    out = sort(blocks, "in block 2 there is no numeric point array 'nothing'", UseSpread=1,
               SpreadArray="nothing")


def arrays_of_the_wrong_length():
    data = with_arrays(crowd(100))
    add_array(data.GetPointData(), "short", np.arange(5.0))
    out = sort(data, "The point array 'short' has 5 tuples for 100 points and is left out.")
    check(not out.GetCellData().HasArray("short_mean"), "left out")
    check(out.GetCellData().HasArray("value_mean"), "the rest")


def names_in_use():
    data = with_arrays(crowd(100))
    add_array(data.GetPointData(), "CellId", np.arange(100.0))
    out = sort(data, "The generated array 'CellId' replaces the input's array of that name.",
               OutputType=OUTPUTS[2])
    check(out.GetPointData().GetArray("CellId").GetRange()[1] < 99, "the generated one")


def hidden_and_copied_points():
    data = with_arrays(crowd(100))
    ghosts = np.zeros(100, np.uint8)
    ghosts[3] = vtkDataSetAttributes.DUPLICATEPOINT
    ghosts[4] = vtkDataSetAttributes.HIDDENPOINT
    add_array(data.GetPointData(), "vtkGhostType", ghosts)
    check(cells(sort(data), "PointCount").sum() == 98, "counted once, or not")


def the_report_says_what_is_left_out():
    def counts(out):
        return [field_value(out, name).ToLongLong() for name in ("Hidden Points", "Empty Cells")]

    ghosts = np.zeros(100, np.uint8)
    ghosts[::4] = vtkDataSetAttributes.DUPLICATEPOINT
    places = crowd(100)
    places[1] = NAN
    for kind in OUTPUTS:
        data = cloud(places, vtkGhostType=ghosts)
        out = sort(data, "1 point (number 1) has a coordinate", OutputType=kind, MaximumPointsPerCell=3)
        hidden, empty = counts(out)
        check(hidden == 25, f"{kind}: {hidden} hidden points")
        check((empty > 0) == (kind != OUTPUTS[2]), f"{kind}: {empty} empty cells")
        if kind == OUTPUTS[0]:
            check(empty == (cells(out, "PointCount") == 0).sum(), "those without points")
            check(cells(out, "PointCount").sum() == 74, "and all points")
            most = empty
        check(kind != OUTPUTS[1] or empty == most, "a tree has as many")
        check(not out.GetFieldData().HasArray("Tessera Nothing Was Made"), "something was made")
    ghosts[:] = vtkDataSetAttributes.HIDDENPOINT
    for places, flags, reason, said in (
            (crowd(100), ghosts, "all 100 points are hidden or copies of other processes' points", None),
            (crowd(0), ghosts[:0], "the input has no points", None),
            (np.full((100, 3), NAN), 0 * ghosts, "100 points have a coordinate that is not finite",
             "100 points, the first of them number 0")):
        out = sort(cloud(places, vtkGhostType=flags), said)
        check(field_value(out, "Nothing Was Made").ToString().startswith(reason), reason)
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, cloud(crowd(100), vtkGhostType=ghosts))
    out = sort(blocks)
    check("all 100 points" in field_value(out, "Nothing Was Made").ToString(), "of blocks")


def backend_that_is_not_there():
    """Without CUDA it is not built in; with it there is no such device."""
    proxy = simple.AdaptivePointGrid(Input=source_of(with_arrays(crowd(200))), Backend="CUDA",
                                     Device=999)
    messages()
    proxy.UpdatePipeline()
    text = messages()
    check(text.count("vtkAdaptivePointGrid (") == 1 and ("CUDA" in text or "device" in text),
          f"a sentence: {text}")
    check(proxy.GetDataInformation().GetNumberOfCells() == 0, "an empty output")


main(settings_out_of_range, places_that_are_no_numbers, values_that_are_no_numbers,
     all_in_one_place, nothing_at_all, datasets_without_points_of_their_own,
     arrays_of_the_wrong_length, names_in_use, hidden_and_copied_points,
     the_report_says_what_is_left_out, backend_that_is_not_there)
