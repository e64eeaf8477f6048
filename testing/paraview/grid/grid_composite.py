# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on composite and time-dependent input."""
import numpy as np
from grid_testing import Boxes, adapt, cells_of, image, indices, points_of, rectilinear, structured
from tessera_testing import (add_array, check, field_value, main, messages, output_file, polydata,
                             simple)
from vtkmodules.vtkCommonDataModel import (vtkDataAssembly, vtkImageData, vtkMultiBlockDataSet,
                                           vtkPartitionedDataSet, vtkPartitionedDataSetCollection)
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

SETTINGS = dict(CoarsenLevels=2, CriteriaArrays=["f"], GenerateLevel=1)


def leaf(kind, scale):
    extent = [0, 12, 2, 11, 0, 9]
    data = {"image": lambda: image(extent),
            "structured": lambda: structured(extent, lambda p: p + 9),
            "rectilinear": lambda: rectilinear(extent, np.arange(13) ** 1.5, np.arange(10.0),
                                               np.arange(10.0))}[kind]()
    p = indices(extent)
    add_array(data.GetPointData(), "f", scale * np.exp(-((p - 5) ** 2).sum(axis=1) / 8))
    return data


def same(one, other):
    return (np.array_equal(points_of(one, "ijk"), points_of(other, "ijk")) and
            np.array_equal(points_of(one, "f"), points_of(other, "f")) and
            np.array_equal(cells_of(one, "Level"), cells_of(other, "Level")))


def multiblock():
    data, inner = vtkMultiBlockDataSet(), vtkMultiBlockDataSet()
    inner.SetBlock(0, leaf("structured", 10.0))
    inner.SetBlock(1, vtkImageData())
    data.SetBlock(0, leaf("image", 1.0))
    data.SetBlock(2, inner)
    data.SetBlock(3, leaf("rectilinear", 0.01))
    data.GetMetaData(0).Set(data.NAME(), "small")
    return data


def multiblock_keeps_its_structure():
    data = multiblock()
    out = adapt(data, ThresholdMode="Absolute", InterpolationError=0.05, **SETTINGS)
    check(out.IsA("vtkMultiBlockDataSet") and out.GetNumberOfBlocks() == 4, "blocks")
    check(out.GetBlock(1) is None and out.GetMetaData(0).Get(out.NAME()) == "small", "names")
    for block, alone in ((out.GetBlock(0), data.GetBlock(0)), (out.GetBlock(3), data.GetBlock(3)),
                         (out.GetBlock(2).GetBlock(0), data.GetBlock(2).GetBlock(0))):
        expected = adapt(alone, ThresholdMode="Absolute", InterpolationError=0.05, **SETTINGS)
        check(same(block, expected), "each block as alone")
    total = sum(b.GetNumberOfCells() for b in (out.GetBlock(0), out.GetBlock(3),
                                               out.GetBlock(2).GetBlock(0)))
    check(field_value(out, "Cells").ToLongLong() == total, "the report is of all")
    check(field_value(out, "Input Cells").ToLongLong() == 3 * 12 * 9 * 9, "and so is its input")


def fractions_are_of_the_range_of_all_blocks():
    data = multiblock()
    out = adapt(data, InterpolationError=0.02, **SETTINGS)
    f = np.concatenate([points_of(b, "f") for b in (data.GetBlock(0), data.GetBlock(3),
                                                    data.GetBlock(2).GetBlock(0))])
    expected = adapt(data, ThresholdMode="Absolute",
                     InterpolationError=0.02 * (f.max() - f.min()), **SETTINGS)
    for i in (0, 3):
        check(same(out.GetBlock(i), expected.GetBlock(i)), f"block {i}")
    check(same(out.GetBlock(2).GetBlock(0), expected.GetBlock(2).GetBlock(0)), "inner block")
    levels = [len(set(cells_of(out.GetBlock(i), "Level"))) for i in (0, 3)]
    check(levels[0] > 1 and levels[1] == 1, f"nothing happens in the last block: {levels}")


def partitioned_collection():
    data = vtkPartitionedDataSetCollection()
    for i in range(2):
        part = vtkPartitionedDataSet()
        part.SetPartition(0, leaf("image", 1.0))
        part.SetPartition(1, leaf("structured", i + 2.0))
        data.SetPartitionedDataSet(i, part)
    data.GetMetaData(0).Set(data.NAME(), "two parts")
    assembly = vtkDataAssembly()
    assembly.AddDataSetIndex(assembly.AddNode("grids"), 1)
    data.SetDataAssembly(assembly)
    out = adapt(data, **SETTINGS)
    check(out.IsA("vtkPartitionedDataSetCollection"), out.GetClassName())
    for i in range(2):
        for j in range(2):
            check(out.GetPartition(i, j).GetNumberOfCells() > 10, f"partition {i} {j}")
    check(out.GetDataAssembly().GetDataSetIndices(1) is not None, "assembly")
    trees = adapt(data, OutputType="Hyper Tree Grid",
                  said="in block 3 (two parts) a hyper tree grid needs an image without rotation "
                  "or a rectilinear grid",
                  **SETTINGS)
    check(trees.GetNumberOfCells() == 0, "no trees of structured grids")


def trees_in_blocks():
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, leaf("image", 1.0))
    data.SetBlock(1, leaf("image", 2.0))
    out = adapt(data, OutputType="Hyper Tree Grid", **SETTINGS)
    for i in range(2):
        boxes = Boxes(out.GetBlock(i))
        check((boxes.high - boxes.low).prod(axis=1).sum() == 12 * 9 * 9, f"volume of block {i}")


def other_datasets_are_counted():
    data = multiblock()
    data.SetBlock(1, polydata([(0, 0, 0), (1, 0, 0)], lines=[(0, 1)]))
    out = adapt(data, "1 dataset is of a kind that is not taken and is left out; the first is in block 2.",
                **SETTINGS)
    check(out.GetBlock(1) is None and out.GetBlock(0).GetNumberOfCells() > 10, "the others are made")
    data.GetMetaData(1).Set(data.NAME(), "curve")
    adapt(data, "the first is in block 2 (curve).", **SETTINGS)


def an_array_that_some_blocks_lack():
    data = multiblock()
    data.GetBlock(3).GetPointData().RemoveArray("f")
    data.GetMetaData(3).Set(data.NAME(), "bare")
    out = adapt(data, "1 block has no array that a criterion can look at and comes out as the "
                "coarsest grid; the first is in block 6 (bare).", **SETTINGS)
    check(len(set(cells_of(out.GetBlock(0), "Level"))) > 1, "the criterion where the array is")
    check(set(cells_of(out.GetBlock(3), "Level")) == {0}, "nothing to refine for elsewhere")


def two_blocks(second="g"):
    """Two images, the first with the point array "f", the other with the same values elsewhere."""
    data = vtkMultiBlockDataSet()
    for i in range(2):
        data.SetBlock(i, leaf("image", 1.0))
    attributes = data.GetBlock(1).GetPointData()
    attributes.GetArray("f").SetName(second)
    return data


def arrays_that_lie_in_different_blocks():
    absolute = dict(SETTINGS, ThresholdMode="Absolute", InterpolationError=0.05)
    alone = adapt(leaf("image", 1.0), **absolute)
    for names in (["f", "g"], ["g", "f"]):
        out = adapt(two_blocks(), **dict(absolute, CriteriaArrays=names))
        check(same(out.GetBlock(0), alone), f"{names}: the first block as by f alone")
        check(np.array_equal(points_of(out.GetBlock(1), "ijk"), points_of(alone, "ijk")),
              f"{names}: the second one as by g alone")
    for names in (["f", "zz"], ["zz", "f"], ["f", "zz", "g"]):
        out = adapt(two_blocks(), "there is no numeric point or cell array 'zz'.",
                    **dict(absolute, CriteriaArrays=names))
        check(out.GetBlock(0) is None, "nothing")


def velocity_that_some_blocks_lack():
    """A criterion that has no array in a block takes no other one away there."""
    data = two_blocks("f")
    p = points_of(data.GetBlock(0), "ijk")
    add_array(data.GetBlock(0).GetPointData(), "v",
              np.stack([-p[:, 1], p[:, 0], 0 * p[:, 0]], axis=1))
    only = dict(SETTINGS, UseInterpolationError=0, UseArrayInRange=1, ArrayInRange=[0.5, 2])
    alone = adapt(data.GetBlock(1), **only)
    check(len(set(cells_of(alone, "Level"))) > 1, "the range refines")
    out = adapt(data, ThresholdMode="Absolute", UseVorticity=1, Vorticity=1.0, VelocityArray="v",
                **only)
    check(same(out.GetBlock(1), alone), "the range alone")
    check(set(cells_of(out.GetBlock(0), "Level")) == {2}, "a vorticity of 2 everywhere")
    adapt(data, "there is no array 'w' of 3 components.", UseVorticity=1, VelocityArray="w", **only)


def sources_in_one_group():
    group = simple.GroupDatasets(Input=[simple.TurbulentJet(Dimensions=[33, 17, 17]),
                                        simple.Wavelet()])
    out = adapt(group, CriteriaArrays=["Temperature", "RTData"])
    tree = out.NewTreeIterator()
    cells = []
    tree.InitTraversal()
    while not tree.IsDoneWithTraversal():
        cells.append(tree.GetCurrentDataObject().GetNumberOfCells())
        tree.GoToNextItem()
    check(len(cells) == 2 and min(cells) > 100, f"both are refined: {cells}")


def the_interpolation_error_of_points_here_and_cells_there():
    data = two_blocks("f")
    points = data.GetBlock(1).GetPointData()
    points.RemoveArray("f")
    add_array(data.GetBlock(1).GetCellData(), "f", np.arange(12.0 * 9 * 9))
    out = adapt(data, **SETTINGS)
    check(len(set(cells_of(out.GetBlock(0), "Level"))) > 1, "where f belongs to points")
    check(set(cells_of(out.GetBlock(1), "Level")) != {0}, "where f belongs to cells")
    check(out.GetBlock(0).GetNumberOfCells() < data.GetBlock(0).GetNumberOfCells(), "of points alone")


def the_budget_is_for_all_blocks():
    data = multiblock()
    for budget in (150, 400):
        out = adapt(data, CellBudget=budget, InterpolationError=1e-6, **SETTINGS)
        check(budget / 3 < field_value(out, "Cells").ToLongLong() <= budget, f"budget {budget}")


def blocks_of_one_amr_are_refused_and_amr_is_one_grid():
    out = adapt(multiblock(), "Overlapping AMR comes from one image", OutputType="Overlapping AMR",
                **SETTINGS)
    check(out.GetNumberOfBlocks() == 0, "nothing")
    jet = simple.TurbulentJet(Dimensions=[33, 17, 17])
    jet.UpdatePipeline()
    amr = simple.AdaptiveGrid(Input=jet, OutputType="Overlapping AMR", CoarsenLevels=2,
                              CriteriaArrays=["Scalar"], AMRBlockSize=4, InterpolationError=0.1)
    made = simple.AdaptiveGrid(Input=amr, CoarsenLevels=1, CriteriaArrays=["Scalar"],
                               HangingNodes="Free",
                               UseInterpolationError=0, UseValueRange=1, ValueRange=0.3)
    made.UpdatePipeline()
    text = messages()
    check(text == "", f"unexpected: {text}")
    out = made.GetClientSideObject().GetOutputDataObject(0)
    check(out.IsA("vtkUnstructuredGrid"), out.GetClassName())
    boxes = Boxes(out)
    volume = (boxes.high - boxes.low).prod(axis=1).sum()
    b = jet.GetDataInformation().GetBounds()
    box = (b[1] - b[0]) * (b[3] - b[2]) * (b[5] - b[4])
    check(abs(volume - box) < 1e-9 * box, f"the cells of AMR that are to be seen: {volume} of {box}")


def time_goes_through(source, steps):
    made = simple.AdaptiveGrid(Input=source, CoarsenLevels=2, CriteriaArrays=["Scalar"],
                               InterpolationError=0.02)
    made.UpdatePipelineInformation()
    filter_object = made.GetClientSideObject()
    said = filter_object.GetOutputInformation(0).Get(Pipeline.TIME_STEPS())
    check(list(said) == steps, f"steps {said}")
    seen = []
    for time in steps + steps[:1]:
        made.UpdatePipeline(time)
        data = filter_object.GetOutputDataObject(0)
        check(data.GetInformation().Get(data.DATA_TIME_STEP()) == time, f"time {time}")
        piece = data if data.IsA("vtkUnstructuredGrid") else data.GetBlock(0)
        seen.append(points_of(piece, "Scalar").copy())
    check(np.array_equal(seen[0], seen[-1]), "the same time, the same grid")
    check(not np.array_equal(seen[0], seen[1]), "another time, another grid")
    text = messages()
    check(text == "", f"unexpected: {text}")


def time_of_the_jet():
    time_goes_through(simple.TurbulentJet(Dimensions=[33, 17, 17], TimeSteps=3, TimeRange=[0, 1]),
                      [0.0, 0.5, 1.0])


def time_of_files():
    jet = simple.TurbulentJet(Dimensions=[17, 9, 9], TimeSteps=3, TimeRange=[0, 1])
    entries = ""
    for i, time in enumerate((0.0, 0.5, 1.0)):
        jet.UpdatePipeline(time)
        writer = vtkXMLImageDataWriter()
        writer.SetInputData(jet.GetClientSideObject().GetOutputDataObject(0))
        writer.SetFileName(output_file(f"jet_{i}.vti"))
        writer.SetDataModeToAscii()
        writer.Write()
        entries += f'<DataSet timestep="{2 * i}" part="0" file="jet_{i}.vti"/>'
    with open(output_file("jet.pvd"), "w") as out:
        out.write(f'<VTKFile type="Collection" version="0.1"><Collection>{entries}</Collection>'
                  "</VTKFile>")
    time_goes_through(simple.PVDReader(FileName=output_file("jet.pvd")), [0.0, 2.0, 4.0])


main(multiblock_keeps_its_structure, fractions_are_of_the_range_of_all_blocks,
     partitioned_collection, trees_in_blocks, other_datasets_are_counted,
     an_array_that_some_blocks_lack, arrays_that_lie_in_different_blocks,
     velocity_that_some_blocks_lack, sources_in_one_group,
     the_interpolation_error_of_points_here_and_cells_there, the_budget_is_for_all_blocks,
     blocks_of_one_amr_are_refused_and_amr_is_one_grid, time_of_the_jet, time_of_files)
