# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on AMR: what blocks may be like, and what is said about those that do not fit."""
import numpy as np
from grid_testing import GHOSTS, KINDS, Boxes, adapt, cells_of, points_of
from octree_testing import COPY, HIDDEN, Nested, amr, linear, nested, sizes_of
from tessera_testing import Skipped, add_array, check, main, points, simple, source_of
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkNonOverlappingAMR, vtkOverlappingAMR, vtkUniformGrid

FINE = dict(GridType="Fixed Fine", Balance="None", CoarsenLevels=1)


def volume_of(data, **properties):
    return sizes_of(adapt(data, **dict(FINE, **properties))).sum()


def is_volume(data, expected, what, **properties):
    got = volume_of(data, **properties)
    check(abs(got - expected) < 1e-9, f"{what}: volume {got} of {expected}")


def with_array(block, name, value):
    add_array(block.GetCellData(), name, np.full(block.GetNumberOfCells(), value))
    return block


def blocks_that_reach_anywhere():
    """Blocks of level 0 need not begin at 0, and may leave out parts of the domain; finer blocks may stick
    out, and a coarse block may be small."""
    shape = Nested([8, 8, 8], [[[(-4, 4), (6, 10), (6, 10)]], [[(0, 4), (14, 18), (14, 18)]]],
                   origin=(2.0, 3.0, 4.0))
    shape.boxes[0] = [[(1, 4), (2, 6), (2, 6)], [(5, 8), (2, 6), (2, 6)]]
    is_volume(amr(shape), shape.volume(), "blocks with gaps, and one that sticks out")
    for kind in KINDS[1:]:
        boxes = Boxes(adapt(amr(shape), OutputType=kind, **FINE))
        got = (boxes.high - boxes.low).prod(axis=1).sum()
        check(abs(got - shape.volume()) < 1e-9, f"{kind}: volume {got} of {shape.volume()}")


def levels_that_lack():
    """Without a level, the ratio is that of the levels that are there; a coarsest level may lack."""
    whole = nested(4)
    for missing in (0, 1, 2, 3):
        numbers = np.repeat(np.arange(4), [len(boxes) for boxes in whole.boxes])
        data = amr(whole, mine=lambda number: numbers[number] != missing)
        left = Nested(whole.cells, [list(b) for b in whole.boxes[1:]], whole.ratios)
        left.boxes[missing] = []
        is_volume(data, left.volume(), f"without level {missing}")


def blocks_that_are_elsewhere_or_empty():
    """Cells of level 0 are there where blocks of level 1 are missing, also below those of level 2."""
    shape = nested(3)
    data = amr(shape, mine=lambda number: number not in (2, 3))
    data.SetDataSet(1, 1, vtkUniformGrid())
    shape.boxes = [shape.boxes[0], shape.boxes[1][:1], shape.boxes[2][1:]]
    out = adapt(data, **FINE)
    check(out.GetNumberOfCells() == len(shape.leaves()), f"{out.GetNumberOfCells()} of {len(shape.leaves())}")
    check(abs(sizes_of(out).sum() - 1) < 1e-9, "the whole domain")
    empty = vtkOverlappingAMR()
    empty.Initialize(2, [1, 1])
    out = adapt(empty)
    check(out.IsA("vtkUnstructuredGrid") and out.GetNumberOfCells() == 0, "no blocks, no cells")


def the_first_of_equal_cells_counts():
    shape = nested(2)
    shape.boxes[1] = [[(4, 12), (4, 12), (4, 12)], [(8, 16), (4, 12), (4, 12)]]
    data = amr(shape)
    for level, i, value in ((0, 0, 0.0), (1, 0, 1.0), (1, 1, 2.0)):
        with_array(data.GetDataSet(level, i), "who", value)
    out = adapt(data, **FINE)
    size, who = sizes_of(out), cells_of(out, "who")
    check(np.allclose([size[who == v].sum() for v in (0, 1, 2)], [1 - 12 / 64, 8 / 64, 4 / 64]),
          "the second block of level 1 has what the first leaves")


def ghost_flags():
    shape = nested(2)
    data = amr(shape)
    block = data.GetDataSet(0, 0)
    flags = np.zeros((8, 8, 8), np.uint8)
    flags[:, :, 0] = HIDDEN  # a layer of x
    flags[4, 4, 4] = HIDDEN  # below finer cells
    add_array(block.GetCellData(), GHOSTS, flags.ravel())
    is_volume(data, 1 - 1 / 8, "hidden cells")
    flags[:, :, 7] = COPY
    add_array(block.GetCellData(), GHOSTS, flags.ravel())
    is_volume(data, 1 - 2 / 8, "and copies")
    for kind in KINDS[1:]:
        boxes = Boxes(adapt(data, OutputType=kind, **FINE))
        got = (boxes.high - boxes.low).prod(axis=1).sum()
        check(abs(got - 0.75) < 1e-9, f"{kind}: volume {got}")
    hidden = np.zeros((9, 9, 9), np.uint8)
    hidden[0, 0, 0] = 2
    add_array(block.GetPointData(), GHOSTS, hidden.ravel())
    is_volume(data, 1 - 2 / 8 - 0, "a hidden point of a hidden cell")
    hidden[0, 0, 3] = 2
    add_array(block.GetPointData(), GHOSTS, hidden.ravel())
    is_volume(data, 1 - 2 / 8 - 2 / 512, "a hidden point")
    add_array(block.GetCellData(), GHOSTS, np.full(512, HIDDEN, np.uint8))
    coarse = amr(shape, mine=lambda number: False)
    coarse.SetDataSet(0, 0, block)
    out = adapt(coarse, "All 512 cells of the input are hidden: the output has none.")
    check(out.GetNumberOfCells() == 0, "nothing is to be seen")


def a_ghost_array_of_another_type():
    data = amr(nested(2))
    add_array(data.GetDataSet(1, 1).GetCellData(), GHOSTS, np.zeros(data.GetDataSet(1, 1).GetNumberOfCells()))
    adapt(data, "has 256 values of type double, not one unsigned char for each of 256 cells, and hides "
          "nothing. The block is block 1 of level 1.")


def refused(data, said):
    out = adapt(data, said)
    check(out.GetNumberOfCells() == 0, f"{said}: {out.GetNumberOfCells()} cells")


def ratios():
    is_volume(amr(nested(3, ratios=[2, 4])), 1.0, "ratios 2 and 4")
    is_volume(amr(nested(2, ratios=[8])), 1.0, "ratio 8")
    refused(amr(nested(2, cells=12, ratios=[3])),
            "cells of level 1 are 3 times smaller than those of level 0: refinement ratios must be 2, 4 or "
            "another power of 2, the same along all axes")
    data = amr(nested(3))
    block = data.GetDataSet(2, 0)
    block.SetSpacing([s * f for s, f in zip(block.GetSpacing(), (1, 1, 0.5))])
    data = only(data, nested(3))
    refused(data, "cells of level 2 are 2 times smaller than those of level 1 along one axis and 4 times along "
            "another")


def only(data, shape):
    """The blocks as non-overlapping AMR, which does not say where they ought to be."""
    plain = vtkNonOverlappingAMR()
    plain.Initialize(len(shape.boxes), [len(b) for b in shape.boxes])
    for level, boxes in enumerate(shape.boxes):
        for i in range(len(boxes)):
            plain.SetDataSet(level, i, data.GetDataSet(level, i))
    return plain


def changed(level, i, change):
    shape = nested(3)
    data = amr(shape)
    change(data.GetDataSet(level, i))
    return only(data, shape)


def blocks_that_do_not_fit():
    def move(block, by):
        block.SetOrigin([o + b * s for o, b, s in zip(block.GetOrigin(), by, block.GetSpacing())])

    refused(changed(1, 1, lambda b: move(b, (0.3, 0, 0))),
            "block 1 of level 1 begins at x = 0.51875, between cells of its level")
    refused(changed(1, 1, lambda b: move(b, (0, 1, 0))),
            "of level 0 lies partly under finer cells: blocks must begin and end where cells of the coarser "
            "level do")
    refused(changed(2, 1, lambda b: b.SetSpacing([0.03] * 3)),
            "block 1 of level 2 has the spacing 0.03 along x, and other levels ask for 0.03125")
    refused(changed(0, 0, lambda b: b.SetSpacing([0.125, 0.125, -0.125])),
            "block 0 of level 0 needs a finite origin, and spacings above 0")
    refused(changed(1, 0, lambda b: b.SetOrigin(np.nan, 0, 0)), "block 0 of level 1 needs a finite origin")
    refused(changed(1, 0, lambda b: b.SetDirectionMatrix([0, 1, 0, -1, 0, 0, 0, 0, 1])),
            "block 0 of level 1 is no image along the axes")
    flat = amr(nested(2, dimension=2))
    flat.GetDataSet(1, 1).SetOrigin([*flat.GetDataSet(1, 1).GetOrigin()[:2], 1.0])
    refused(only(flat, nested(2, dimension=2)),
            "block 1 of level 1 lies at z = 1, other blocks at 0: flat blocks must lie in one plane")


def origins_that_are_rounded():
    """Single precision far from 0, and sums of spacings, are near enough."""
    shape = nested(4, cells=16, origin=(1000.0, -2000.0, 3.0), size=100.0)
    data = amr(shape)
    for level in range(4):
        for i in range(len(shape.boxes[level])):
            block = data.GetDataSet(level, i)
            block.SetOrigin([float(np.float32(o * (1 + 3e-8))) for o in block.GetOrigin()])
    out = adapt(only(data, shape), GridType="Fixed Fine", Balance="None", CoarsenLevels=0)
    check(out.GetNumberOfCells() == len(shape.leaves()), f"{out.GetNumberOfCells()} cells")
    check(abs(sizes_of(out).sum() / shape.volume() - 1) < 1e-5, "volume")


def two_boxes_make_a_coarse_cell_whole():
    """Blocks may begin in the middle of a coarse cell where others cover its other half."""
    shape = Nested([4, 4, 4], [[[(2, 5), (2, 6), (2, 6)], [(5, 6), (2, 6), (2, 6)]]])
    is_volume(amr(shape), 1.0, "two blocks that meet within a coarse cell")


def arrays_of_blocks():
    shape = nested(3)
    data = amr(shape, points=True)
    for level in range(3):
        for i in range(len(shape.boxes[level])):
            block = data.GetDataSet(level, i)
            cells = block.GetCellData()
            n = block.GetNumberOfCells()
            vectors = add_array(cells, "vectors", np.tile([1.0, 2.0, 3.0], (n, 1)).astype(np.float32))
            for c, name in enumerate("uvw"):
                vectors.SetComponentName(c, name)
            ids = add_array(cells, "ids", np.arange(n))
            add_array(cells, "numbers", np.full(n, 7, np.uint8))
            words = vtkStringArray()
            words.SetName("words")
            for _ in range(n):
                words.InsertNextValue(f"level {level}")
            cells.AddArray(words)
            cells.SetGlobalIds(ids)
            cells.SetActiveScalars("distance_c")
            cells.SetActiveVectors("vectors")
    time = add_array(data.GetFieldData(), "time", np.array([3.5]))
    out = adapt(data, GenerateLevel=1, **FINE)
    cells = out.GetCellData()
    check(cells.GetScalars().GetName() == "distance_c" and cells.GetVectors().GetName() == "vectors", "roles")
    check(cells.GetGlobalIds() is None, "global ids are of the input alone")
    check([cells.GetArray("vectors").GetComponentName(c) for c in range(3)] == list("uvw"), "component names")
    check(cells_of(out, "vectors").dtype == np.float32 and np.all(cells_of(out, "vectors") == [1, 2, 3]), "vectors")
    check(cells_of(out, "numbers").dtype == np.uint8 and set(cells_of(out, "numbers")) == {7}, "numbers")
    said = {(cells.GetAbstractArray("words").GetValue(i), int(level) - 1)
            for i, level in enumerate(cells_of(out, "Level"))}
    check(said == {(f"level {n}", n) for n in range(3)}, f"texts: {said}")
    check(out.GetFieldData().GetArray("time").GetValue(0) == time.GetValue(0), "field data")
    moved = adapt(data, CellArrays="Move To Points", **FINE)
    at = moved.GetPointData()
    check(at.GetScalars().GetName() == "distance_c" and at.GetVectors().GetName() == "vectors", "moved roles")
    check([at.GetArray("vectors").GetComponentName(c) for c in range(3)] == list("uvw"), "moved names")
    check(np.allclose(points_of(moved, "vectors"), [1, 2, 3]), "moved vectors")
    check(moved.GetCellData().HasArray("words"), "texts stay on cells")


def names_that_points_and_cells_share():
    data = amr(nested(2), points=True)
    for i, level in ((0, 0), (0, 1), (1, 1)):
        block = data.GetDataSet(level, i)
        block.GetCellData().GetArray("linear_c").SetName("same")
        block.GetPointData().GetArray("linear_p").SetName("same")
    out = adapt(data, CellArrays="Move To Points", CriteriaArrays=["distance_p"], **FINE)
    for name in ("same", "same_cells"):
        off = np.abs(points_of(out, name) - linear(points(out))).max()
        check(off < 1e-5, f"{name} is off by {off}")


def arrays_that_blocks_lack():
    data = amr(nested(3))
    with_array(data.GetDataSet(1, 1), "rare", 1.0)
    out = adapt(data, "The cell array 'rare' is not the same on every block and is left out.", **FINE)
    check(not out.GetCellData().HasArray("rare") and out.GetCellData().HasArray("linear_c"), "one is left out")
    data = amr(nested(3))
    data.GetDataSet(2, 0).GetCellData().RemoveArray("linear_c")
    adapt(data, "there is no numeric point or cell array 'linear_c': the cell array 'linear_c' is not the same "
          "on every block and is left out", CriteriaArrays=["linear_c"])


def choices_that_do_not_fit():
    data = amr(nested(2))
    out = adapt(data, "Refine Levels counts as 0 for AMR, hyper tree grids and unstructured grids, whose cells "
                "are never divided.", RefineLevels=2, **FINE)
    check(out.GetNumberOfCells() == len(nested(2).leaves()), "cells are not divided")
    adapt(data, "hanging nodes of an octree cannot be constrained: take conforming cells",
          HangingNodes="Constrained")
    adapt(data, "second derivative", UseInterpolationError=0, UseSecondDerivative=1)


def the_pulse_of_vtk():
    """vtkAMRGaussianPulseSource."""
    if not hasattr(simple, "AMRGaussianPulseSource"):
        raise Skipped("this ParaView has no AMRGaussianPulseSource")
    for dimension in (2, 3):
        pulse = simple.AMRGaussianPulseSource(Dimension=dimension, RootSpacing=0.5)
        pulse.UpdatePipeline()
        data = pulse.GetClientSideObject().GetOutputDataObject(0)
        array = "Gaussian-Pulse"
        out = adapt(pulse, **FINE)
        b = pulse.GetDataInformation().GetBounds()
        box = np.prod([b[2 * a + 1] - b[2 * a] for a in range(dimension)])
        got = sizes_of(out).sum()
        check(abs(got - box) < 1e-9 * box, f"{dimension}D: {got} of {box}")
        moved = adapt(pulse, CellArrays="Move To Points", HangingNodes="Conforming", InterpolationError=0.001)
        range_in = pulse.CellData[array].GetRange()
        range_out = moved.GetPointData().GetArray(array).GetRange()
        width = range_in[1] - range_in[0]
        check(range_in[0] - 0.25 * width <= range_out[0] and range_out[1] <= range_in[1] + 0.25 * width,
              f"{dimension}D: {range_out} in {range_in}")


def the_panel_knows_the_kind():
    source = source_of(amr(nested(2)))
    proxy = simple.AdaptiveGrid(Input=source)
    domain = proxy.SMProxy.GetProperty("CriteriaArrays").GetDomain("array_list")
    offered = [domain.GetString(i) for i in range(domain.GetNumberOfStrings())]
    check("distance_c" in offered, f"arrays of AMR: {offered}")


main(blocks_that_reach_anywhere, levels_that_lack, blocks_that_are_elsewhere_or_empty,
     the_first_of_equal_cells_counts, ghost_flags, a_ghost_array_of_another_type, ratios,
     blocks_that_do_not_fit, origins_that_are_rounded, two_boxes_make_a_coarse_cell_whole, arrays_of_blocks,
     names_that_points_and_cells_share, arrays_that_blocks_lack, choices_that_do_not_fit,
     the_pulse_of_vtk, the_panel_knows_the_kind)
