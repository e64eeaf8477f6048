# SPDX-License-Identifier: BSD-3-Clause
"""Composite input: same structure, one bounding box, one budget, one warning."""
import numpy as np
from tessera_testing import (add_array, check, field_value, lines, main, points, polydata, run,
                             said)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (vtkDataAssembly, vtkImageData,
                                           vtkMultiBlockDataSet, vtkMultiPieceDataSet,
                                           vtkPartitionedDataSet, vtkPartitionedDataSetCollection,
                                           vtkPolyData, vtkUnstructuredGrid)


def arc(scale, shift=0.0):
    t = np.linspace(0, 2, 6)
    return polydata(np.stack([scale * np.cos(t) + shift, scale * np.sin(t), t], axis=1), [range(6)])


def merged(*blocks):
    """All blocks as one polydata, the plain way."""
    xyz, cells = [], []
    for block in blocks:
        cells += [ids + len(xyz) for ids in lines(block)]
        xyz += points(block).tolist()
    return polydata(xyz, cells)


def multiblock():
    data = vtkMultiBlockDataSet()
    inner = vtkMultiBlockDataSet()
    pieces = vtkMultiPieceDataSet()
    pieces.SetPiece(0, arc(3.0, 4.0))
    inner.SetBlock(0, arc(10.0))
    inner.SetBlock(1, vtkPolyData())
    data.SetBlock(0, arc(1.0))
    data.SetBlock(2, inner)
    data.SetBlock(3, pieces)
    data.GetMetaData(0).Set(data.NAME(), "small")
    return data


def multiblock_keeps_its_structure():
    data = multiblock()
    out = run(data)
    check(out.IsA("vtkMultiBlockDataSet") and out.GetNumberOfBlocks() == 4, "blocks")
    check(out.GetBlock(1) is None, "an empty block stays empty")
    check(out.GetMetaData(0).Get(out.NAME()) == "small", "block names")
    check(out.GetBlock(2).IsA("vtkMultiBlockDataSet") and
          out.GetBlock(3).IsA("vtkMultiPieceDataSet"), "inner blocks")
    leaves = [out.GetBlock(0), out.GetBlock(2).GetBlock(0), out.GetBlock(3).GetPiece(0)]
    check(all(leaf.IsA("vtkPolyData") for leaf in leaves), "leaves")
    whole = run(merged(data.GetBlock(0), data.GetBlock(2).GetBlock(0), data.GetBlock(3).GetPiece(0)))
    check(np.array_equal(np.concatenate([points(leaf) for leaf in leaves]), points(whole)),
          "as one dataset with the same bounding box")
    check(out.GetBlock(2).GetBlock(1).GetNumberOfPoints() == 0, "an empty leaf")


def partitioned_collection():
    data = vtkPartitionedDataSetCollection()
    for i in range(2):
        part = vtkPartitionedDataSet()
        part.SetPartition(0, arc(i + 1.0))
        part.SetPartition(1, arc(i + 2.0, 7.0))
        data.SetPartitionedDataSet(i, part)
    assembly = vtkDataAssembly()
    assembly.AddDataSetIndex(assembly.AddNode("curves"), 1)
    data.SetDataAssembly(assembly)
    out = run(data)
    check(out.IsA("vtkPartitionedDataSetCollection") and out.GetNumberOfPartitionedDataSets() == 2,
          "collection")
    check(out.GetDataAssembly().GetNodeName(1) == "curves", "assembly")
    for i in range(2):
        for k in range(2):
            leaf = out.GetPartitionedDataSet(i).GetPartition(k)
            check(leaf.GetNumberOfPoints() > 6 and leaf.GetNumberOfLines() == 1, "leaf")
    single = run(data.GetPartitionedDataSet(0))
    check(single.IsA("vtkPartitionedDataSet") and single.GetNumberOfPartitions() == 2, "partitions")


def budget_is_for_all_leaves_together():
    data = multiblock()
    free = run(data)
    count = lambda d: sum(leaf.GetNumberOfPoints() for leaf in
                          (d.GetBlock(0), d.GetBlock(2).GetBlock(0), d.GetBlock(3).GetPiece(0)))
    budget = count(free) * 2 // 3
    out = run(data, PointBudget=budget)
    check(0 < count(out) <= budget, f"{count(out)} points for a budget of {budget}")
    check(field_value(out, "Tolerance Scale").ToDouble() > 1, "the scale is reported")
    check(field_value(out, "Points").ToLongLong() == count(out), "and the points of all leaves")


def other_leaves_are_counted():
    data = multiblock()
    for i, dataset in ((4, vtkImageData()), (5, vtkImageData())):
        data.SetBlock(i, dataset)
    out, text = said(data)
    check(text.count("Warning") == 1 and "2 datasets are neither polydata nor unstructured" in text,
          f"the warning: {text}")
    check(out.GetNumberOfBlocks() == 6 and out.GetBlock(4) is None, "structure")


def bad_items_of_all_leaves_make_one_warning():
    data = multiblock()
    for block in (data.GetBlock(0), data.GetBlock(3).GetPiece(0)):
        block.GetPoints().SetPoint(2, float("nan"), 0, 0)
    out, text = said(data)
    check(text.count("Warning") == 1 and "2 cells" in text and
          "The first is in block 1 (small)." in text, f"the warning: {text}")
    check(out.GetBlock(0).GetNumberOfCells() == 0, "left out")
    check(out.GetBlock(2).GetBlock(0).GetNumberOfPoints() > 6, "the rest is done")


def weights_of_one_block_do_not_stop_the_others():
    data = multiblock()
    whole = run(data, ChordErrorMode="Absolute", ChordError=0.01)
    block = data.GetBlock(0).GetPointData()
    block.SetRationalWeights(add_array(block, "w", np.ones(5)))
    out, text = said(data, ChordErrorMode="Absolute", ChordError=0.01)
    check(text.count("Warning") == 1 and "1 dataset has another number of rational weights than of "
          "points and is left out; the first, with 5 weights, is in block 1 (small)." in text,
          f"the warning: {text}")
    check(out.GetBlock(0) is None, "left out")
    for inner in (lambda d: d.GetBlock(2).GetBlock(0), lambda d: d.GetBlock(3).GetPiece(0)):
        check(np.array_equal(points(inner(out)), points(inner(whole))), "the others are done")
    _, text = said(data)  # with a tolerance relative to the bounding box
    check(text.count("Warning") == 1 and "in block 1 (small)" in text, f"relative: {text}")


def arrays_and_field_data():
    data = multiblock()
    add_array(data.GetFieldData(), "origin", np.array([3.0]))
    add_array(data.GetBlock(0).GetPointData(), "only here", np.arange(6.0))
    out = run(data)
    check(vtk_to_numpy(out.GetFieldData().GetArray("origin"))[0] == 3, "field data of the whole")
    check(out.GetBlock(0).GetPointData().HasArray("only here"), "an array of one leaf")


def empty_composites():
    for data in (vtkMultiBlockDataSet(), vtkPartitionedDataSetCollection(), vtkPartitionedDataSet()):
        out = run(data)
        check(out.GetClassName() == data.GetClassName(), data.GetClassName())
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, vtkUnstructuredGrid())
    check(run(data).GetBlock(0).IsA("vtkPolyData"), "an empty grid becomes an empty polydata")


main(multiblock_keeps_its_structure, partitioned_collection, budget_is_for_all_leaves_together,
     other_leaves_are_counted, bad_items_of_all_leaves_make_one_warning,
     weights_of_one_block_do_not_stop_the_others, arrays_and_field_data, empty_composites)
