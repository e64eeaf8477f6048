# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on unstructured meshes: every linear kind of cell, and every kind of output. Facts: fields that are
linear in space, volumes, and errors found by a loop over the mesh's points and the grid's cells."""
import numpy as np
from grid_testing import GHOSTS, KINDS, Boxes, adapt, cells_of, image, points_of
from mesh_testing import (FLATS, SOLIDS, Leaves, centres, flat, largest_error, linear, points_within, reported, solid,
                          volume, with_fields)
from octree_testing import COPY, HIDDEN
from tessera_testing import add_array, check, field_value, grid, main, messages, points, simple, source_of
from vtkmodules.vtkCommonDataModel import (VTK_LINE, VTK_VERTEX, VTK_VOXEL, vtkMultiBlockDataSet,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkProbeFilter

SMALL = dict(CoarsenLevels=0, CriteriaArrays=["bump"])


def any_mesh():
    for kind in SOLIDS:
        yield kind, solid(kind, 5)
    for kind in FLATS:
        for plane in ((0, 1), (0, 2), (1, 2)):
            yield f"{kind} in {plane}", flat(kind, plane=plane)


def linear_fields_are_exact():
    for kind, data in any_mesh():
        out = adapt(data, GenerateInside=1, GridType="Fixed Fine", **SMALL)
        inside = points_of(out, "Inside") == 1
        check(inside.any() and not inside.all(), f"{kind}: some points lie inside, some outside")
        off = np.abs(points_of(out, "linear") - linear(points(out).astype(float)))[inside].max()
        check(off < 1e-5, f"{kind}: {off}")
        flow = points_of(out, "flow")
        check(np.abs(flow[:, 1] - points_of(out, "linear")).max() < 1e-5, f"{kind}: components")
        low, high = points_of(data, "linear").min(), points_of(data, "linear").max()
        values = points_of(out, "linear")
        check(low - 1e-12 <= values.min() and values.max() <= high + 1e-12, f"{kind}: the range is kept")


def no_point_is_lost():
    for kind, data in any_mesh():
        for coarsen in (0, 2):
            out = adapt(data, CoarsenLevels=coarsen, CriteriaArrays=["bump"], InterpolationError=0.05)
            lost = [len(h) == 0 for h in Leaves(out).holders(points_within(data, 1000))]
            check(sum(lost) == 0, f"{kind}: {sum(lost)} points in the mesh lie in no cell")


def errors_are_bounded():
    for kind, data in any_mesh():
        span = np.ptp(points_of(data, "bump"))
        for tolerance, finest in ((0.05, 0.08), (0.01, 0.02)):
            out = adapt(data, FinestCell=finest, InterpolationError=tolerance, Balance="None", **SMALL)
            worst, broken = largest_error(data, out, "bump", tolerance * span, finest)
            check(broken == 0, f"{kind}: {broken} leaves are above {tolerance}")
            told = reported(out, "bump")
            check(told >= worst - 1e-9, f"{kind}: the error is {worst}, and {told} is reported")


def count_above(data, out, name, threshold):
    """The leaves that hold a point of the mesh whose value is off by more than the threshold."""
    leaves, p, f = Leaves(out), points(data).astype(float), points_of(data, name)
    return len({leaf for i, holding in enumerate(leaves.holders(p, 0)) for leaf in holding
                if abs(leaves.values(name, leaf, p[i]) - f[i]) > threshold})


def leaves_above_the_threshold_are_counted():
    """The report has their number, and no warning is given."""
    total = 0
    for kind in ("tetrahedra", "polyhedra", "mixed"):
        data = solid(kind, 5, jitter=0.3)
        span = np.ptp(points_of(data, "bump"))
        for tolerance, finest in ((0.001, 0), (0.01, 0.1), (0.01, 0.01)):
            out = adapt(data, FinestCell=finest, InterpolationError=tolerance, Balance="None", **SMALL)
            expected = count_above(data, out, "bump", tolerance * span)
            told = field_value(out, "Leaves Above Threshold").ToLongLong()
            check(told == expected, f"{kind}, {tolerance}: {told} leaves are reported, {expected} were found")
            total += told
    check(total > 0, "some leaves are above the threshold")
    asked = dict(FinestCell=0.1, InterpolationError=0.01, Balance="None", HangingNodes="Free", **SMALL)
    panel = simple.AdaptiveGrid(Input=source_of(data), **asked)
    panel.UpdatePipeline()
    expected = count_above(data, adapt(data, **asked), "bump", 0.01 * span)
    check(panel.LeavesAboveThreshold == expected > 0, f"in the panel: {panel.LeavesAboveThreshold}, not {expected}")
    check(messages() == "", "no warning")
    simple.Delete(panel)
    for other, how in ((image([0, 4, 0, 4, 0, 4]), {}), (data, dict(GridType="Fixed Fine"))):
        out = adapt(other, **how)
        check(not out.GetFieldData().HasArray("Tessera Leaves Above Threshold"), "of adaptive grids of meshes alone")


def volumes():
    """The cells that touch a mesh have at least its volume, those wholly inside at most."""
    for kind, data in any_mesh():
        real = volume(data)
        sizes = []
        for boundary in ("Touching Cells", "Wholly Inside Cells"):
            out = adapt(data, FinestCell=0.04, InterpolationError=0.001, Boundary=boundary, **SMALL)
            boxes = Leaves(out)
            sizes.append((boxes.high - boxes.low)[:, boxes.axes].prod(axis=1).sum())
        check(sizes[1] <= real * (1 + 1e-9) <= sizes[0] * (1 + 2e-9), f"{kind}: {sizes[1]}, {real}, {sizes[0]}")
        check("prisms" in kind or sizes[1] > 0.1 * real, f"{kind}: some cells lie wholly inside")


def every_kind_of_output():
    for kind, data in any_mesh():
        free = adapt(data, InterpolationError=0.02, **SMALL)
        boxes = Boxes(free)
        for output in KINDS[1:]:
            made = Boxes(adapt(data, InterpolationError=0.02, OutputType=output, GenerateInside=1, **SMALL))
            check(len(made.low) > 0, f"{kind}, {output}: no cells")
            check(set(np.unique(made.arrays["Inside"])) <= {0, 1}, f"{kind}, {output}: Inside")
            check(np.isfinite(made.arrays["bump"]).all(), f"{kind}, {output}: values")
            own = (made.high - made.low)[:, [a for a in range(3) if np.ptp(made.low[:, a]) > 0]].prod(axis=1).sum()
            check(own >= volume(data) * (1 - 1e-9), f"{kind}, {output}: {own} of {volume(data)}")
        for hanging in ("Conforming",) + (("Polygons (2D)",) if " in " in kind else ()):
            probed(data, adapt(data, InterpolationError=0.02, HangingNodes=hanging, **SMALL), f"{kind}, {hanging}")


def probed(data, out, what):
    """VTK finds each point of the mesh in a cell of the output."""
    probe = vtkProbeFilter()
    probe.SetInputData(data)
    probe.SetSourceData(out)
    probe.SetComputeTolerance(False)
    probe.SetTolerance(1e-7)
    probe.Update()
    valid = points_of(probe.GetOutput(), "vtkValidPointMask")
    check(valid.all(), f"{what}: {np.count_nonzero(valid == 0)} of {len(valid)} points are not found")


def cell_arrays():
    data = solid("hexahedra", 6)
    out = adapt(data, GridType="Fixed Fine", GenerateSourceCell=1, **SMALL)
    number, source = cells_of(out, "number"), cells_of(out, "SourceCell")
    check(np.array_equal(number, source), "SourceCell is the number of the mesh's cell")
    leaves = Leaves(out)
    for c in range(0, len(number), 7):
        box = np.array(data.GetCell(int(number[c])).GetBounds()).reshape(3, 2)
        check(np.all(box[:, 0] <= leaves.high[c]) and np.all(leaves.low[c] <= box[:, 1]),
              f"mesh cell {number[c]} is not at {leaves.low[c]}")
    moved = adapt(data, GridType="Fixed Fine", CellArrays="Move To Points", **SMALL)
    check(moved.GetPointData().HasArray("smooth"), "cell arrays become point arrays")


def finest_cells_have_the_size_that_is_asked_for():
    data = solid("tetrahedra", 4)
    for finest in (0.1, 0.05):
        out = Leaves(adapt(data, FinestCell=finest, InterpolationError=1e-6, **SMALL))
        sides = out.high - out.low
        check(abs(sides.min() - finest) < 1e-6, f"{sides.min()}, not {finest}")
        halvings = np.log2(sides / finest)
        check(np.abs(halvings - np.round(halvings)).max() < 1e-6, "cells are cubes, halved")


def ghosts_and_hidden_cells():
    data = solid("tetrahedra", 4)
    cells = data.GetNumberOfCells()
    half = centres(data) @ [1, 0, 0] < np.median(centres(data)[:, 0])
    whole = adapt(data, GridType="Fixed Fine", FinestCell=0.1, **SMALL).GetNumberOfCells()
    for flag in (HIDDEN, COPY):
        flags = np.where(half, flag, 0).astype(np.uint8)
        add_array(data.GetCellData(), GHOSTS, flags)
        out = adapt(data, GridType="Fixed Fine", FinestCell=0.1, **SMALL)
        check(0 < out.GetNumberOfCells() < 0.8 * whole, f"{out.GetNumberOfCells()} of {whole} cells")
    add_array(data.GetCellData(), GHOSTS, np.full(cells, HIDDEN, np.uint8))
    out = adapt(data, f"All {cells} cells of the input are hidden", **SMALL)
    check(out.GetNumberOfCells() == 0, "nothing")
    out = adapt(solid("tetrahedra", 1), "No cell lies wholly inside the mesh: the output has none. Take a smaller "
                "Finest Cell", Boundary="Wholly Inside Cells", FinestCell=0.4, **SMALL)
    check(out.GetNumberOfCells() == 0, "nothing wholly inside")


def other_cells_beside():
    """Vertices and lines are ignored."""
    data = solid("tetrahedra", 3)
    expected = points(adapt(data, **SMALL))
    more = vtkUnstructuredGrid()
    more.DeepCopy(data)
    number = np.append(cells_of(data, "number"), [7, 8]).astype(np.int32)
    more.InsertNextCell(VTK_VERTEX, 1, [0])
    more.InsertNextCell(VTK_LINE, 2, [0, 5])
    more.GetCellData().Initialize()
    add_array(more.GetCellData(), "number", number)
    check(np.array_equal(points(adapt(more, **SMALL)), expected), "a vertex and a line change nothing")


def octrees_stay_octrees():
    """Boxes that form an octree come out as they are; voxels that form none are told of."""
    cube = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    data = with_fields(grid(cube, [(VTK_VOXEL, range(8))]))
    out = adapt(data, GridType="Fixed Fine", CoarsenLevels=0)
    check(out.GetNumberOfCells() == 1 and np.array_equal(points(out), cube), "one box")


def blocks_share_a_lattice():
    a, b = solid("tetrahedra", 4, size=1.0), solid("hexahedra", 8, size=1.0, shift=(1.3, -0.4, 2.0))
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, a)
    data.SetBlock(1, b)
    out = adapt(data, GridType="Fixed Fine", **SMALL)
    first, second = Leaves(out.GetBlock(0)), Leaves(out.GetBlock(1))
    side = min((one.high - one.low).min() for one in (first, second))
    shift = (second.low[0] - first.low[0]) / side
    check(np.abs(shift - np.round(shift)).max() < 1e-6, f"the lattices are {shift} cells apart")


def reports():
    data = solid("mixed", 5)
    out = adapt(data, InterpolationError=0.02, **SMALL)
    check(field_value(out, "Input Cells").ToLongLong() == data.GetNumberOfCells(), "cells in")
    check(field_value(out, "Fine Cells").ToLongLong() >= field_value(out, "Leaves").ToLongLong(), "octree cells")
    check("Leaves Above Threshold counts them" in field_value(out, "Error Bound").ToString(), "the bound")


main(linear_fields_are_exact, no_point_is_lost, errors_are_bounded, leaves_above_the_threshold_are_counted, volumes,
     every_kind_of_output, cell_arrays, finest_cells_have_the_size_that_is_asked_for, ghosts_and_hidden_cells,
     other_cells_beside, octrees_stay_octrees, blocks_share_a_lattice, reports)
