# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on hyper tree grids: masks, coordinates, orders of children, and trees of others."""
import numpy as np
from grid_testing import GHOSTS, KINDS, Boxes, adapt, image
from octree_testing import COPY, HIDDEN, linear, nested, octree, sizes_of, trees
from tessera_testing import add_array, check, main
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkBitArray
from vtkmodules.vtkCommonDataModel import (vtkHyperTreeGrid, vtkHyperTreeGridNonOrientedGeometryCursor,
                                           vtkMultiBlockDataSet)
from vtkmodules.vtkFiltersSources import vtkHyperTreeGridSource, vtkRandomHyperTreeGridSource

FINE = dict(GridType="Fixed Fine", Balance="None", CoarsenLevels=1)


def leaves_of(grid):
    """Lowest and highest corner of each leaf that is not masked, and its node, by VTK's cursor."""
    cursor = vtkHyperTreeGridNonOrientedGeometryCursor()
    found = []

    def descend():
        if cursor.IsMasked():
            return
        if cursor.IsLeaf():
            bounds = [0.0] * 6
            cursor.GetBounds(bounds)
            found.append((*bounds[0::2], *bounds[1::2], cursor.GetGlobalNodeIndex()))
            return
        for child in range(cursor.GetNumberOfChildren()):
            cursor.ToChild(child)
            descend()
            cursor.ToParent()

    for tree in range(int(grid.GetMaxNumberOfTrees())):
        if grid.GetTree(tree):
            grid.InitializeNonOrientedGeometryCursor(cursor, tree)
            descend()
    return np.array(found)


def are_the_leaves(grid, name, what, **properties):
    """The output has the boxes of the leaves, with their values."""
    boxes = Boxes(adapt(grid, **dict(FINE, **properties)))
    leaves = leaves_of(grid)
    check(len(boxes.low) == len(leaves), f"{what}: {len(boxes.low)} cells of {len(leaves)} leaves")
    got = np.column_stack([boxes.low, boxes.high, boxes.arrays[name]])
    expected = np.column_stack([leaves[:, :6], vtk_to_numpy(grid.GetCellData().GetArray(name))[
        leaves[:, 6].astype(int)]])
    got, expected = (rows[np.lexsort(np.round(rows[:, :6], 5).T)] for rows in (got, expected))
    off = np.abs(got - expected).max()
    check(off < 1e-5, f"{what}: off by {off}")


def shapes_and_planes():
    for shape in (nested(3), nested(4, dimension=2), nested(3, plane=(1, 2)), nested(3, plane=(0, 2)),
                  nested(3, plane=(0,)), nested(3, plane=(2,))):
        are_the_leaves(trees(shape), "distance_c", f"axes {shape.axes}")


def coordinates_that_are_uneven():
    for shape in (nested(3), nested(3, plane=(1, 2))):
        x = [np.arange(n + 1.0) ** 1.3 - 2 for n in shape.cells]
        grid = trees(shape, coordinates=x)
        are_the_leaves(grid, "distance_c", "uneven coordinates")
        out = adapt(grid, OutputType=KINDS[1], **dict(FINE, CoarsenLevels=0))
        check(out.IsA("vtkHyperTreeGrid"), "trees of trees")
        if len(shape.axes) == 3:
            adapt(grid, "overlapping AMR needs roots at equal distances, which the hyper tree grid does not have",
                  OutputType=KINDS[2])


def a_linear_field_on_uneven_coordinates():
    shape = nested(3)
    grid = trees(shape, coordinates=[np.arange(n + 1.0) ** 1.2 for n in shape.cells])
    leaves = leaves_of(grid)
    values = np.zeros(grid.GetNumberOfElements(grid.CELL))
    values[leaves[:, 6].astype(int)] = linear((leaves[:, :3] + leaves[:, 3:6]) / 2)
    add_array(grid.GetCellData(), "straight", values)
    out = adapt(grid, CellArrays="Move To Points", HangingNodes="Conforming", **FINE)
    xyz = vtk_to_numpy(out.GetPoints().GetData())
    off = np.abs(vtk_to_numpy(out.GetPointData().GetArray("straight")) - linear(xyz)).max()
    check(off < 1e-9, f"linear on uneven coordinates: off by {off}")


def masked(grid, nodes):
    mask = vtkBitArray()
    mask.SetNumberOfValues(grid.GetNumberOfElements(grid.CELL))
    for i in range(mask.GetNumberOfValues()):
        mask.SetValue(i, int(i in nodes))
    grid.SetMask(mask)
    return grid


def masks():
    rng = np.random.default_rng(5)
    for shape in (nested(3), nested(3, dimension=2)):
        grid = trees(shape)
        n = grid.GetNumberOfElements(grid.CELL)
        are_the_leaves(masked(grid, set(rng.integers(0, n, n // 5).tolist())), "distance_c", "a mask")
        for kind in KINDS[1:]:
            out = Boxes(adapt(grid, OutputType=kind, **FINE))
            leaves = leaves_of(grid)
            expected = (leaves[:, 3:6] - leaves[:, :3])[:, shape.axes].prod(axis=1).sum()
            got = (out.high - out.low)[:, shape.axes].prod(axis=1).sum()
            check(abs(got - expected) < 1e-9, f"{kind}: volume {got} of {expected}")
    adapt(masked(grid, set(range(n))), "cells of the input are hidden: the output has none.")


def trees_that_are_not_there():
    are_the_leaves(trees(nested(3), mine=lambda tree: tree % 3 > 0), "distance_c", "absent trees")
    empty = vtkHyperTreeGrid()
    check(adapt(empty).GetNumberOfCells() == 0, "an empty grid")


def ghosts():
    shape = nested(2)
    grid = trees(shape)
    n = grid.GetNumberOfElements(grid.CELL)
    flags = np.zeros(n, np.uint8)
    flags[:300] = COPY
    flags[300:320] = HIDDEN
    add_array(grid.GetCellData(), GHOSTS, flags)
    leaves = leaves_of(grid)
    left = flags[leaves[:, 6].astype(int)] == 0
    out = adapt(grid, **FINE)
    check(out.GetNumberOfCells() == left.sum(), f"{out.GetNumberOfCells()} of {left.sum()} cells")


def branches_of_three():
    source = vtkHyperTreeGridSource()
    source.SetBranchFactor(3)
    source.SetDimensions(3, 3, 3)
    source.SetMaxDepth(2)
    source.SetDescriptor("RRRRRRRR")
    source.SetDescriptor("R.R.R.R. | " + "." * (4 * 27))
    source.Update()
    adapt(source.GetOutput(), "the hyper tree grid divides cells into 3 along each axis; only a branch factor of "
          "2 can be used")


def trees_of_vtk():
    for seed in range(4):
        source = vtkRandomHyperTreeGridSource()
        source.SetDimensions(5, 4, 3 + seed)
        source.SetOutputBounds(-10, 10, -3, 5, 0, 7)
        source.SetMaxDepth(4)
        source.SetSeed(seed)
        source.SetSplitFraction(0.4)
        source.Update()
        grid = source.GetOutput()
        are_the_leaves(grid, "Depth", f"random trees {seed}")
        for kind in KINDS:
            made = adapt(grid, OutputType=kind, HangingNodes="Conforming", CoarsenLevels=1, UseValueRange=1,
                         UseInterpolationError=0, ValueRange=0.5)
            box = 20 * 8 * 7
            if made.IsA("vtkUnstructuredGrid"):
                got = sizes_of(made).sum()
            else:
                boxes = Boxes(made)
                got = (boxes.high - boxes.low).prod(axis=1).sum()
            check(abs(got / box - 1) < 1e-6, f"random trees {seed}, {kind}: {got} of {box}")


def trees_made_here():
    """Trees that Adaptive Grid made of an image, with masks at the border, come back as they are."""
    data = image([0, 11, 0, 9, 0, 6])
    add_array(data.GetCellData(), "f", np.exp(-((np.arange(11 * 9 * 6) - 200) / 60.0) ** 2))
    made = adapt(data, OutputType=KINDS[1], CoarsenLevels=2, CriteriaArrays=["f"], InterpolationError=0.05)
    are_the_leaves(made, "f", "trees made here", CoarsenLevels=0)


def trees_in_blocks():
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, trees(nested(2)))
    blocks.SetBlock(1, image([0, 4, 0, 4, 0, 4]))
    blocks.SetBlock(2, octree(nested(3)))
    add_array(blocks.GetBlock(1).GetCellData(), "distance_c", np.arange(64.0))
    out = adapt(blocks, CriteriaArrays=["CELLS", "distance_c"], **FINE)
    check([out.GetBlock(i).GetNumberOfCells() for i in range(3)] ==
          [len(nested(2).leaves()), 64, len(nested(3).leaves())], "each kind is taken")
    check(out.GetFieldData().GetAbstractArray("Tessera Input Cells").GetValue(0) ==
          len(nested(2).leaves()) + 64 + len(nested(3).leaves()), "input cells")
    as_trees = adapt(blocks, OutputType=KINDS[1], CriteriaArrays=["CELLS", "distance_c"], **FINE)
    check(all(as_trees.GetBlock(i).IsA("vtkHyperTreeGrid") for i in range(3)), "trees in blocks")


main(shapes_and_planes, coordinates_that_are_uneven, a_linear_field_on_uneven_coordinates, masks,
     trees_that_are_not_there, ghosts, branches_of_three, trees_of_vtk, trees_made_here, trees_in_blocks)
