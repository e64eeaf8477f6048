# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on unstructured grids of boxes: which ones it takes, and what it says about others."""
import numpy as np
from grid_testing import GHOSTS, KINDS, Boxes, adapt, cells_of, image, points_of
from octree_testing import COPY, HIDDEN, linear, nested, octree, sizes_of
from tessera_testing import add_array, check, grid, main, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_LINE, VTK_PIXEL, VTK_QUAD, VTK_TETRA, VTK_VOXEL,
                                           vtkMultiBlockDataSet, vtkUnstructuredGrid)

FINE = dict(GridType="Fixed Fine", Balance="None", CoarsenLevels=1)
CUBE = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
HEXAHEDRON = [0, 1, 3, 2, 4, 5, 7, 6]


def cube(at=(0, 0, 0), size=(1, 1, 1)):
    return np.array(CUBE) * size + at


def cubes(*boxes, kind=VTK_VOXEL):
    """Boxes of a lowest corner and sides, each with points of its own."""
    xyz = np.concatenate([cube(*box) for box in boxes])
    order = np.arange(8) if kind == VTK_VOXEL else np.array(HEXAHEDRON)
    data = grid(xyz, [(kind, 8 * i + order) for i in range(len(boxes))])
    add_array(data.GetCellData(), "n", np.arange(len(boxes)))
    add_array(data.GetPointData(), "x", linear(xyz))
    return data


def refused(said, data, **properties):
    out = adapt(data, said, **properties)
    check(out.GetNumberOfCells() == 0, f"{said}: {out.GetNumberOfCells()} cells")


def corners_in_any_order():
    """The eight points of a hexahedron may begin at any corner and turn either way."""
    rng = np.random.default_rng(1)
    shape = nested(3)
    for data in (octree(shape, hexahedra=True), octree(nested(3, dimension=2), hexahedra=True)):
        ids = vtk_to_numpy(data.GetCells().GetConnectivityArray()).reshape(data.GetNumberOfCells(), -1)
        for cell in ids:
            turn = rng.integers(4)
            flat = np.roll(np.arange(4), turn)[::rng.choice([-1, 1])]
            cell[:] = cell[flat if len(cell) == 4 else np.concatenate([flat, flat + 4])[
                np.roll(np.arange(8), 4 * rng.integers(2))]]
        out = adapt(data, **FINE)
        check(abs(sizes_of(out).sum() - 1) < 1e-9, "volume")
        check(np.abs(points_of(out, "linear_p") - linear(points(out))).max() < 1e-12, "points")


def any_order_of_cells_and_any_part():
    shape = nested(4, cells=4)
    whole = shape.leaves()
    rng = np.random.default_rng(2)
    order = rng.permutation(len(whole))
    check(np.array_equal(points(adapt(octree(shape), **FINE)), points(adapt(octree(shape, order=order), **FINE))),
          "the order of the input's cells does not matter")
    for _ in range(5):
        keep = rng.random(len(whole)) < 0.3
        low, high = (c[keep] for c in shape.corners(whole))
        out = adapt(octree(shape, keep=keep), **FINE)
        got = Boxes(out)
        check(sorted(map(tuple, np.round(low, 9))) == sorted(map(tuple, np.round(got.low, 9))), "boxes")
        check(np.abs(cells_of(out, "linear_c") - linear((got.low + got.high) / 2)).max() < 1e-12, "values")


def points_that_are_not_merged():
    data = cubes(((0, 0, 0), (2, 2, 2)), ((2, 0, 0), (1, 1, 1)), ((2, 1, 0), (1, 1, 1)))
    out = adapt(data, **FINE)
    check(out.GetNumberOfPoints() == 8 + 7 + 3, f"{out.GetNumberOfPoints()} points")
    check(np.abs(points_of(out, "x") - linear(points(out))).max() < 1e-12, "values")


def flat_cells_in_each_plane():
    for plane in ((0, 1), (0, 2), (1, 2)):
        for hexahedra in (False, True):
            shape = nested(3, plane=plane, origin=(3.0, 4.0, 5.0))
            out = adapt(octree(shape, hexahedra=hexahedra), **FINE)
            flat = ({0, 1, 2} - set(plane)).pop()
            check(set(points(out)[:, flat]) == {3.0 + flat}, f"the plane {plane}")
            check(abs(sizes_of(out).sum() - 1) < 1e-9, f"area in {plane}")


def coordinates_of_single_precision():
    for origin, size in (((1000.0, -77.0, 0.3), 10.0), ((1e-3, 2e-3, 0), 1e-4), ((0.1, 0.2, 0.3), 0.7)):
        shape = nested(5, cells=12, origin=origin, size=size)
        data = octree(shape, double=False)
        out = adapt(data, GridType="Fixed Fine", Balance="None", CoarsenLevels=2)
        check(points(out).dtype == np.float32, "points of single precision")
        check(out.GetNumberOfCells() == len(shape.leaves()), f"{out.GetNumberOfCells()} cells")
        near = np.abs(np.sort(points(out), axis=0) - np.sort(points(data), axis=0)).max()
        check(near <= 2e-7 * np.abs(points(data)).max(), f"points are {near} from those of the input")


def ghosts():
    shape = nested(3)
    data = octree(shape)
    low, high = shape.corners(shape.leaves())
    sizes = (high - low).prod(axis=1)
    flags = np.zeros(len(sizes), np.uint8)
    flags[5:50] = HIDDEN
    flags[100:120] = COPY
    add_array(data.GetCellData(), GHOSTS, flags)
    got = sizes_of(adapt(data, **FINE)).sum()
    check(abs(got - sizes[flags == 0].sum()) < 1e-9, f"volume {got}")
    hidden = np.zeros(data.GetNumberOfPoints(), np.uint8)
    hidden[7] = 2
    add_array(data.GetPointData(), GHOSTS, hidden)
    ids = vtk_to_numpy(data.GetCells().GetConnectivityArray()).reshape(-1, 8)
    left = (flags == 0) & ~np.any(ids == 7, axis=1)
    got = sizes_of(adapt(data, **FINE)).sum()
    check(abs(got - sizes[left].sum()) < 1e-9, f"volume {got} with a hidden point")


def taken_as_a_mesh(said, data):
    """Voxels that form no octree are a mesh, and a warning says why."""
    out = adapt(data, "The unstructured grid is taken as a mesh, not as an octree: " + said, GridType="Fixed Fine",
                CoarsenLevels=0)
    check(out.GetNumberOfCells() > 0, f"{said}: no cells")


def cells_of_other_kinds():
    refused("cell 0 is a line: unstructured grids must have cells of two or three dimensions",
            grid(CUBE, [(VTK_LINE, [0, 1])]))
    taken_as_a_mesh("cell 1 is a pixel, and other cells are three-dimensional",
                    grid(CUBE, [(VTK_VOXEL, range(8)), (VTK_PIXEL, range(4))]))
    refused("the mesh has cells of two dimensions only, and they do not lie in a plane along two axes",
            grid(CUBE, [(VTK_QUAD, [0, 1, 3, 2]), (VTK_QUAD, [4, 5, 7, 6])]))
    taken_as_a_mesh("cell 1 is a voxel two of whose points lie at one place",
                    grid(CUBE, [(VTK_VOXEL, range(8)), (VTK_VOXEL, [0, 1, 2, 3, 4, 5, 5, 7])]))
    broken = grid(CUBE, [(VTK_TETRA, [0, 1, 2, 4])])
    broken.GetCells().GetConnectivityArray().SetTuple1(3, 99)
    refused("cell 0 of the mesh has a point that the mesh does not have", broken)
    endless = np.array(CUBE, float)
    endless[3, 1] = np.nan
    refused("cell 0 has a point whose coordinates are not finite: it is ignored",
            grid(endless, [(VTK_HEXAHEDRON, HEXAHEDRON)]))
    check(adapt(vtkUnstructuredGrid()).GetNumberOfCells() == 0, "no cells")


def boxes_that_are_turned_or_sheared():
    """They are a mesh, of which no point is lost."""
    sheared = np.array(CUBE, float)
    sheared[:, 0] += 0.25 * sheared[:, 2]
    turned = np.array(CUBE) @ [[0.8, 0.6, 0], [-0.6, 0.8, 0], [0, 0, 1]]
    for xyz in (sheared, turned):
        out = adapt(grid(xyz, [(VTK_HEXAHEDRON, HEXAHEDRON)]), GridType="Fixed Fine", CoarsenLevels=0)
        got = Boxes(out)
        check(np.all(got.low.min(axis=0) <= xyz.min(axis=0)) and np.all(got.high.max(axis=0) >= xyz.max(axis=0)),
              "the bounds")


def boxes_that_are_no_octree():
    unit = ((0, 0, 0), (1, 1, 1))
    taken_as_a_mesh("cell 1 is 0.3 by 0.3 by 0.3, and the largest cells are 1 by 1 by 1: the sides of cells must be 1, "
                    "1/2, 1/4, ... of those of the largest cell, along all axes alike",
                    cubes(unit, ((1, 0, 0), (0.3, 0.3, 0.3))))
    taken_as_a_mesh("cell 1 is 0.5 by 1 by 1, and the largest cells are 1 by 1 by 1",
                    cubes(unit, ((1, 0, 0), (0.5, 1, 1))))
    taken_as_a_mesh("cell 1 begins at y = 0.25, which is no multiple of its side 0.5 from 0, the lowest corner of "
                    "the octree", cubes(unit, ((1, 0.25, 0), (0.5, 0.5, 0.5)), ((1, 0.75, 0), (0.25, 0.25, 0.25))))
    taken_as_a_mesh("cell 2 begins at y = 0.5, which is no multiple of its side 1 from 0",
                    cubes(unit, ((1, 0, 0), (0.5, 0.5, 0.5)), ((1, 0.5, 0), (1, 1, 1))))
    refused("of the octree overlap", cubes(((0, 0, 0), (2, 2, 2)), ((1, 1, 1), (1, 1, 1))))
    data = cubes(unit, unit)
    out = adapt(data, **FINE)
    check(out.GetNumberOfCells() == 1 and cells_of(out, "n")[0] == 0, "the first of equal cells counts")


def free_grids_made_here():
    """A Free grid of an image comes back as it is, if every clipped cell at the border is whole in cells that
    the octree has; its first cell that does not fit is named otherwise."""
    for n, fits in ((16, True), (12, True), (11, False)):
        data = image([0, n, 0, 16, 0, 8], spacing=(0.25, 0.5, 1.0), origin=(1, 2, 3))
        p = points_of(data, "ijk")
        add_array(data.GetPointData(), "f", np.exp(-((p - [3, 5, 4]) ** 2).sum(axis=1) / 4))
        made = adapt(data, CoarsenLevels=2, CriteriaArrays=["f"], InterpolationError=0.02)
        if not fits:
            taken_as_a_mesh("cell", made)
            continue
        back = adapt(made, GridType="Fixed Fine", Balance="None", CoarsenLevels=0)
        one, other = Boxes(made), Boxes(back)
        check(sorted(map(tuple, np.round(one.low, 9))) == sorted(map(tuple, np.round(other.low, 9))), "the boxes")
        check(np.array_equal(np.sort(points_of(made, "f")), np.sort(points_of(back, "f"))), "the values")
        for kind in KINDS[1:]:
            boxes = Boxes(adapt(made, OutputType=kind, CoarsenLevels=0, CriteriaArrays=["f"]))
            got = (boxes.high - boxes.low).prod(axis=1).sum()
            check(abs(got - n * 0.25 * 16 * 0.5 * 8) < 1e-6, f"{kind}: volume {got}")


def grids_in_blocks():
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image([0, 4, 0, 4, 0, 4]))
    blocks.SetBlock(1, grid(CUBE, [(VTK_LINE, [0, 1])]))
    out = adapt(blocks, "The unstructured grid in block 2 is left out: cell 0 is a line", **FINE)
    check(out.GetBlock(0).GetNumberOfCells() == 64 and out.GetBlock(1) is None, "the other block is taken")


main(corners_in_any_order, boxes_that_are_turned_or_sheared, any_order_of_cells_and_any_part, points_that_are_not_merged,
     flat_cells_in_each_plane, coordinates_of_single_precision, ghosts, cells_of_other_kinds,
     boxes_that_are_no_octree, free_grids_made_here, grids_in_blocks)
