# SPDX-License-Identifier: BSD-3-Clause
# ranks: 2 4 7 symmetric
"""Run with mpiexec: any number of processes makes of AMR, trees and boxes the grid that one makes, cell by
cell. Each process has some of the blocks, trees or cells, some processes none."""
import numpy as np
from grid_parts import RANK, RANKS, alone, as_bytes, compare
from grid_testing import GHOSTS, KINDS, Boxes, adapt, blocks, points_of
from octree_testing import COPY, Nested, amr, nested, octree, trees
from tessera_testing import (add_array, cell_types, check, field_value, main, messages, simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (vtkMultiBlockDataSet, vtkNonOverlappingAMR, vtkOverlappingAMR,
                                           vtkUnstructuredGrid)

MINE = [r for r in range(RANKS) if r != 1]  # process 1 has nothing


def is_mine(number):
    return MINE[number % len(MINE)] == RANK


def mine_of(leaves):
    return np.array([is_mine(i // 7) for i in range(len(leaves))])


def rows(output):
    """Each cell as one string of bytes: its type, where it is, and all it carries."""
    nothing = not blocks(output) if output.IsA("vtkOverlappingAMR") else not output.GetNumberOfElements(output.CELL)
    if nothing:
        return []
    if not output.IsA("vtkUnstructuredGrid"):
        boxes = Boxes(output)
        return [] if len(boxes.low) == 0 else as_bytes([np.round(boxes.low, 7) + 0.0, np.round(boxes.high, 7) + 0.0] +
                        [boxes.arrays[n] for n in sorted(boxes.arrays)])
    cells, at = output.GetCellData(), output.GetPointData()
    columns = [cell_types(output)] + [vtk_to_numpy(cells.GetArray(i)) for i in range(cells.GetNumberOfArrays())
                                      if cells.GetArrayName(i) != "SourceCell"]
    carried = [vtk_to_numpy(output.GetPoints().GetData())] + [
        points_of(output, at.GetArrayName(i)) for i in range(at.GetNumberOfArrays())]
    offsets = vtk_to_numpy(output.GetCells().GetOffsetsArray())
    ids = vtk_to_numpy(output.GetCells().GetConnectivityArray())
    found, sizes = [], np.diff(offsets)
    for size in np.unique(sizes):
        some = np.flatnonzero(sizes == size)
        corners = ids[offsets[some][:, None] + np.arange(size)]
        found += as_bytes([c[some] for c in columns] + [p[corners] for p in carried])
    return found


def same(mine, whole, **properties):
    """mine: of this process. whole: makes the dataset of all. Returns the number of cells, on process 0."""
    settings = dict(CoarsenLevels=1, GenerateLevel=1, GenerateIndicator=1, InterpolationError=0.05,
                    HangingNodes="Conforming")
    settings.update(properties)
    made = adapt(mine, **settings)

    def expected():
        alone_made = alone(whole(), **settings)
        for name in ("Leaves", "Fine Cells", "Input Cells", "Tolerance Scale", "Cells", "Saving"):
            check(field_value(made, name) == field_value(alone_made, name),
                  f"{name} of {properties}: {field_value(made, name).ToString()}, not "
                  f"{field_value(alone_made, name).ToString()}")
        return alone_made
    return compare(made, expected, f"{properties}", rows=rows)


def kinds(shape):
    """The part of this process, and what makes the whole, of each kind."""
    leaves = shape.leaves()
    return {
        "AMR": (amr(shape, mine=is_mine), lambda: amr(shape)),
        "AMR with points": (amr(shape, points=True, mine=is_mine), lambda: amr(shape, points=True)),
        "AMR with ghosts": (amr(shape, ghost_layers=1, mine=is_mine), lambda: amr(shape, ghost_layers=1)),
        "non-overlapping AMR": (amr(shape, vtkNonOverlappingAMR, mine=is_mine),
                                lambda: amr(shape, vtkNonOverlappingAMR)),
        "trees": (trees(shape, mine=is_mine), lambda: trees(shape)),
        "boxes": (octree(shape, keep=mine_of(leaves)) if mine_of(leaves).any() else vtkUnstructuredGrid(),
                  lambda: octree(shape))}


def every_kind_and_every_output():
    for shape in (nested(3), nested(3, dimension=2), nested(2, cells=4, ratios=[4])):
        for kind, (mine, whole) in kinds(shape).items():
            same(mine, whole)
            same(mine, whole, HangingNodes="Free", Balance="None", InterpolationError=0.02)
            same(mine, whole, CellArrays="Move To Points")
            for output in KINDS[1:]:
                same(mine, whole, OutputType=output, AMRBlockSize="4")


def criteria_and_budgets():
    shape = nested(4, cells=8)
    for kind, (mine, whole) in kinds(shape).items():
        same(mine, whole, UseGradient=1, Gradient=0.1, BufferCells=1, InterpolationError=0.2)
        if kind != "AMR with points":  # conforming cells are cut after they are counted
            same(mine, whole, CellBudget=900, InterpolationError=1e-4, HangingNodes="Free")
        same(mine, whole, UseRegion=1, Region=[0, 0.5, 0, 0.5, 0, 1], LevelInside=4, LevelOutside=1)


def copies_are_left_out():
    """A process has cells of others as ghost cells, with wrong values."""
    shape = nested(3)
    leaves = shape.leaves()
    mine, more = mine_of(leaves), np.array([is_mine(i // 7 + 1) for i in range(len(leaves))])
    if mine.any():
        part = octree(shape, keep=mine | more)
        copies = ~mine[mine | more]
        add_array(part.GetCellData(), GHOSTS, np.where(copies, COPY, 0).astype(np.uint8))
        values = vtk_to_numpy(part.GetCellData().GetArray("distance_c"))
        values[copies] = 1e9
    else:
        part = vtkUnstructuredGrid()

    def whole():
        data = octree(shape)
        add_array(data.GetCellData(), "none", np.zeros(len(leaves)))
        data.GetCellData().RemoveArray("none")
        return data
    same(part, whole, InterpolationError=0.02)


def overlapping_blocks_of_a_level():
    """Which of two equal cells counts does not depend on who has them."""
    shape = Nested([8, 8, 8], [[[(4, 12), (4, 12), (4, 12)], [(8, 16), (4, 12), (4, 12)]]])

    def with_numbers(mine):
        data = amr(shape, mine=mine)
        for number, (level, i) in enumerate(((0, 0), (1, 0), (1, 1))):
            block = data.GetDataSet(level, i)
            if block:
                add_array(block.GetCellData(), "who", np.full(block.GetNumberOfCells(), 1.0 * number))
        return data
    for turn in (0, 1):
        same(with_numbers(lambda number: is_mine(number + turn)), lambda: with_numbers(lambda number: True),
             CriteriaArrays=["who"])


def arrays_that_a_process_lacks():
    shape = nested(3)
    part = octree(shape, keep=mine_of(shape.leaves())) if RANK != 1 else vtkUnstructuredGrid()
    if RANK == 0:
        add_array(part.GetCellData(), "rare", np.ones(part.GetNumberOfCells()))
    said = ("The cell array 'rare' is not the same on all processes with cells and is left out."
            if RANK == 0 and len(MINE) > 1 else None)
    out = adapt(part, said)
    check(not out.GetCellData().HasArray("rare") or len(MINE) == 1, "an array of one process")


def boxes_of_one_process_that_fit_no_lattice():
    """The grids of all processes are then one mesh. A warning names the process."""
    shape = nested(3)
    part = octree(shape, keep=mine_of(shape.leaves())) if RANK != 1 else vtkUnstructuredGrid()
    if RANK == RANKS - 1 and RANK != 1:
        points = vtk_to_numpy(part.GetPoints().GetData())
        points[0] += 0.01
    messages()
    proxy = simple.AdaptiveGrid(Input=source_of(part), GridType="Fixed Fine", CoarsenLevels=0)
    proxy.UpdatePipeline()
    text = messages()
    cells = proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells()
    if RANKS > 2:
        check(cells > 0, f"process {RANK} has a share")
        if RANK == 0:
            check("taken as a mesh" in text and f"on process {RANKS - 1} cell" in text, text)


def blocks_of_composites():
    """At one place all processes have parts of one octree, at another only some do."""
    shape = nested(3)
    mine = mine_of(shape.leaves())

    def both(part, own):
        data = vtkMultiBlockDataSet()
        data.SetNumberOfBlocks(2)
        if part is not None:
            data.SetBlock(0, part)
        if own:
            data.SetBlock(1, trees(nested(2)))
        return data
    part = octree(shape, keep=mine) if mine.any() else None
    settings = dict(CoarsenLevels=1, HangingNodes="Conforming", InterpolationError=0.05,
                    CriteriaArrays=["CELLS", "distance_c"])
    made = adapt(both(part, RANK == RANKS - 1), **settings)
    for place in (0, 1):
        here = made.GetBlock(place) or vtkUnstructuredGrid()
        compare(here, lambda: alone(both(octree(shape), True), **settings).GetBlock(place), f"block {place}",
                rows=rows)
    check(field_value(made, "Input Cells").ToLongLong() == len(shape.leaves()) + len(nested(2).leaves()),
          "input cells")


def nobody_has_anything():
    for empty in (vtkOverlappingAMR(), vtkUnstructuredGrid()):
        if empty.IsA("vtkOverlappingAMR"):
            empty.Initialize(1, [1])
        check(adapt(empty).GetNumberOfCells() == 0, "no cells")


main(every_kind_and_every_output, criteria_and_budgets, copies_are_left_out, overlapping_blocks_of_a_level,
     arrays_that_a_process_lacks, boxes_of_one_process_that_fit_no_lattice, blocks_of_composites, nobody_has_anything)
