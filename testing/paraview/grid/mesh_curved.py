# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on meshes of curved cells: fields that are linear in space, volumes that are known, and errors against
VTK's shape functions at random places."""
import numpy as np
from curved_meshes import BAR, bar, evaluated, lagrange, moving, quadratic, with_fields
from grid_testing import GHOSTS, adapt, cells_of, image, points_of
from mesh_testing import Leaves, linear, reported
from octree_testing import COPY, HIDDEN
from tessera_testing import add_array, check, field_value, grid, main, messages, points, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_HEXAHEDRON, VTK_BIQUADRATIC_TRIANGLE, VTK_HEXAHEDRON, VTK_LINE,
                                           VTK_PYRAMID, VTK_QUADRATIC_HEXAHEDRON, VTK_QUADRATIC_POLYGON,
                                           VTK_QUADRATIC_PYRAMID, VTK_VERTEX, vtkDataSetAttributes,
                                           vtkMultiBlockDataSet, vtkUnstructuredGrid)
from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes

CORNERS = "Cells of quadratic and higher order are taken as the linear cells of their corners, since the mesh has "
FINE = dict(GridType="Fixed Fine", CoarsenLevels=0)


def size(data, name="Volume"):
    it = vtkIntegrateAttributes()
    it.SetInputData(data)
    it.Update()
    return it.GetOutput().GetCellData().GetArray(name).GetValue(0)


def clipped(data, said=None, **properties):
    return size(adapt(data, said, Boundary="Clipped At Surface", **FINE, **properties))


def meshes():
    for degree in (2, 3):
        yield f"hexahedra of degree {degree}", lagrange(3, degree), degree
    for kind in ("tetrahedra", "wedges", "hexahedra"):
        yield f"quadratic {kind}", quadratic(kind, 3), 2


def linear_fields_are_exact():
    """The finest cells have the median edge, divided by the degree, as their side: of the hexahedra a third, the
    height."""
    for what, data, degree in meshes():
        out = adapt(data, GenerateInside=1, GenerateSourceCell=1, **FINE)
        inside = points_of(out, "Inside") == 1
        off = np.abs(points_of(out, "linear") - linear(points(out).astype(float)))[inside].max()
        check(inside.any() and not inside.all() and off < 1e-12, f"{what}: {off}")
        side = (Leaves(out).high - Leaves(out).low).min()
        check("hexahedra" not in what or abs(side - 1 / 3 / degree) < 1e-9, f"{what}: cells of {side}")
        check(np.array_equal(cells_of(out, "number"), cells_of(out, "SourceCell")), f"{what}: the cells of the input")
        check(field_value(out, "Input Cells").ToLongLong() == data.GetNumberOfCells(), f"{what}: cells in")


def the_true_surface_is_reached():
    """The corners of 3 cells along the arc have 1 - sin(30 degrees) / (pi / 6), 4.5 %, less than the pipe, whose
    surface the quadratic arcs miss by 0.03 % of the radius. The chord error is a quarter of a finest cell."""
    for what, data, _ in meshes():
        data.GetPointData().RemoveArray("wave")
        off = [abs(clipped(data, FinestCell=finest) / BAR - 1) for finest in (0.2, 0.05)]
        check(off[0] < 0.01 and off[1] < 0.002, f"{what}: the volume is off by {off}")
    out = adapt(quadratic("triangles", 3), Boundary="Clipped At Surface", FinestCell=0.02, **FINE)
    off = abs(size(out, "Area") / BAR - 1)
    check(off < 0.002, f"triangles: the area is off by {off}")


def a_field_between_corners_and_middles_is_seen():
    """A cell of degree 5 along each axis, whose field is 0 on its sides: with the corners alone the grid would be 0.
    It is off by the error of the grid, at most, and by that of the parts of the cell."""
    data = lagrange(1, 5)
    u = vtk_to_numpy(lagrange(1, 5, lambda p: p).GetPoints().GetData())
    data.GetPointData().Initialize()
    add_array(data.GetPointData(), "steep", 64 * np.prod(u * (1 - u), axis=1) * (1 + u[:, 0]))
    steep = points_of(data, "steep")
    check(np.all((steep == 0) == np.any(np.isin(u, (0, 1)), axis=1)) and np.ptp(steep) > 1, "0 on all sides")
    places, values = evaluated(data, "steep", 2000)
    for tolerance in (0.2, 0.1):
        out = adapt(data, CriteriaArrays=["steep"], InterpolationError=tolerance, FinestCell=0.02, CoarsenLevels=0,
                    Balance="None")
        check(field_value(out, "Leaves Above Threshold").ToLongLong() == 0, "no finest cell is above the threshold")
        leaves = Leaves(out)
        off = [min(abs(leaves.values("steep", leaf, p) - f) for leaf in holding)
               for p, f, holding in zip(places, values, leaves.holders(places))]
        most = max(off) / np.ptp(steep)
        check(0.05 * tolerance < most <= 2 * tolerance, f"off by {most}, which may be {tolerance}, twice")


def the_arrays_of_the_criterion_come_first():
    """A field that the mesh hardly resolves asks for more points than there may be. Of another array that is no
    matter for a warning, and the array of the criterion is followed as closely as alone; of this one it is."""
    data = lagrange(2, 6)
    rough = np.random.default_rng(3).random(data.GetNumberOfPoints())
    alone = adapt(data, CriteriaArrays=["wave"])
    add_array(data.GetPointData(), "rough", rough)
    beside = adapt(data, CriteriaArrays=["wave"])
    off = [reported(out, "wave") for out in (alone, beside)]
    check(off[1] <= 1.01 * off[0] < 0.02 * np.ptp(points_of(data, "wave")), f"off by {off}")
    adapt(data, "the arrays of Interpolation Error may be off by", CriteriaArrays=["rough"])


def ids_of(data, cell, n=None):
    return [data.GetCell(cell).GetPointId(k) for k in range(n or data.GetCell(cell).GetNumberOfPoints())]


def linear_cells_beside():
    """The unit cube, one half of quadratic cells, the other of linear ones; and lines and vertices in a plane."""
    cube = quadratic("hexahedra", 2, lambda p: p)
    p = points(cube).astype(float)
    cells = [(VTK_HEXAHEDRON, ids[:8]) if p[ids[:8], 0].mean() < 0.5 else (VTK_QUADRATIC_HEXAHEDRON, ids)
             for ids in (ids_of(cube, c) for c in range(cube.GetNumberOfCells()))]
    data = with_fields(grid(p, cells))
    check(abs(clipped(data, FinestCell=0.1) - 1) < 1e-6, "the volume of the cube")
    out = adapt(data, GenerateInside=1, FinestCell=0.1, **FINE)
    off = np.abs(points_of(out, "linear") - linear(points(out).astype(float)))[points_of(out, "Inside") == 1].max()
    check(off < 1e-12, f"a linear field is off by {off}")
    flat = quadratic("triangles", 3)
    cells = [(flat.GetCellType(c), ids_of(flat, c)) for c in range(flat.GetNumberOfCells())]
    both = grid(points(flat), cells + [(VTK_LINE, [0, 1]), (VTK_VERTEX, [0])])
    area = size(adapt(both, Boundary="Clipped At Surface", FinestCell=0.05, **FINE), "Area")
    check(abs(area / BAR - 1) < 0.01, f"lines and vertices beside: {area}")


def what_cannot_be_divided():
    """The whole mesh is one of corners then, as the warning says; flat cells beside solid ones count for nothing."""
    above, beside = quadratic("pyramids", 1), quadratic("hexahedra", 1, lambda p: bar(p) + [0, 0, 1])
    n, ids = above.GetNumberOfPoints(), [ids_of(above, 0), ids_of(beside, 0)]
    xyz = np.concatenate([points(above), points(beside)])
    data = with_fields(grid(xyz, [(VTK_QUADRATIC_PYRAMID, ids[0]), (VTK_QUADRATIC_HEXAHEDRON, np.add(ids[1], n))]))
    said = CORNERS + "1 cell of a kind that cannot be divided into tetrahedra (the first is cell 0)."
    straight = with_fields(grid(xyz, [(VTK_PYRAMID, ids[0][:5]), (VTK_HEXAHEDRON, np.add(ids[1], n)[:8])]))
    for how in (dict(FinestCell=0.2), {}):
        a, b = (adapt(one, text, **how, **FINE) for one, text in ((data, said), (straight, None)))
        check(np.array_equal(points(a), points(b)), f"{how}: the grid of the corners")
    short = quadratic("hexahedra", 1)
    short = grid(points(short), [(VTK_QUADRATIC_HEXAHEDRON, ids_of(short, 0, 13))])
    adapt(short, CORNERS + "1 cell with a number of points that does not fit the kind", **FINE)
    bubble = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.5, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0], [0.3, 0.3, 0]]
    bubble = with_fields(grid(bubble, [(VTK_BIQUADRATIC_TRIANGLE, range(7))]))
    check(adapt(bubble, FinestCell=0.1, **FINE).GetNumberOfCells() > 10, "a triangle with a node inside is divided")
    solid = quadratic("hexahedra", 1)
    solid.InsertNextCell(VTK_QUADRATIC_POLYGON, 6, [0, 1, 2, 8, 9, 10])
    solid.GetCellData().Initialize()
    check(adapt(solid, **FINE).GetNumberOfCells() > 0, "a quadratic polygon beside solid cells says nothing")
    lost = quadratic("tetrahedra", 1)
    lost.GetPoints().SetPoint(lost.GetCell(2).GetPointId(5), float("nan"), 0, 0)
    adapt(lost, "left out: a coordinate is not finite", **FINE)


def ghosts_and_hidden_cells():
    data = lagrange(2, 2)
    low = np.array([data.GetCell(c).GetBounds()[4] for c in range(8)]) < 0.25
    for flag in (HIDDEN, COPY):
        add_array(data.GetCellData(), GHOSTS, np.where(low, flag, 0).astype(np.uint8))
        half = clipped(data, FinestCell=0.1) / BAR
        check(abs(half - 0.5) < 0.005, f"half of the volume, not {half}")
    add_array(data.GetCellData(), GHOSTS, np.full(8, HIDDEN, np.uint8))
    check(adapt(data, "All 8 cells of the input are hidden").GetNumberOfCells() == 0, "nothing")


def weights_and_texts():
    """A rational quadratic arc is a circle: the volume is that of the pipe. Texts go with the cells."""
    data = lagrange(1, 2, kind=VTK_BEZIER_HEXAHEDRON)
    p = points(data).astype(float)
    middle = np.isclose(p[:, 0], p[:, 1])
    xyz = np.where(middle[:, None], p * [2 ** 0.5, 2 ** 0.5, 1], p)  # where the tangents of the ends meet
    data = with_fields(grid(xyz, [(VTK_BEZIER_HEXAHEDRON, ids_of(data, 0))]))
    weights = np.where(middle, 0.5 ** 0.5, 1.0)
    add_array(data.GetPointData(), "weights", weights)
    data.GetPointData().SetActiveAttribute("weights", vtkDataSetAttributes.RATIONALWEIGHTS)
    names = vtkStringArray()
    names.SetName("name")
    names.InsertNextValue("the pipe")
    data.GetCellData().AddArray(names)
    off = clipped(data, FinestCell=0.05, CriteriaArrays=["linear"]) / BAR - 1
    check(abs(off) < 0.005, f"the volume is off by {off}")
    out = adapt(data, FinestCell=0.2, **FINE)
    check(out.GetCellData().GetAbstractArray("name").GetValue(3) == "the pipe", "texts of cells")
    check(not out.GetPointData().HasArray("weights"), "weights have no meaning between points")
    merged = vtkMultiBlockDataSet()
    beside = image([0, 2, 0, 2, 0, 2], spacing=(0.5, 0.5, 0.5), origin=(0, 0, 1))
    for one in (data, beside):
        merged.SetBlock(merged.GetNumberOfBlocks(), one)
        for arrays in (one.GetPointData(), one.GetCellData()):
            for name in ("wave", "linear", "ijk", "number", "smooth", "name"):
                arrays.RemoveArray(name)
    out = adapt(merged, MergeBlocks=1, FinestCell=0.05, Boundary="Clipped At Surface", **FINE)
    check(abs(size(out) - BAR - 1) < 0.01, f"with an image of volume 1 beside: {size(out) - BAR}")


def composites_and_merged_blocks():
    """Two pipes, one on the other: blocks that share a lattice, or one mesh without faces between, although the field
    of the upper one asks for smaller triangles there."""
    data = vtkMultiBlockDataSet()
    for k, part in enumerate((lagrange(3, 2), lagrange(3, 2, lambda p: bar(p) + [0, 0, 1]))):
        p = points(part).astype(float)
        add_array(part.GetPointData(), "wave", np.sin(p[:, 0]) + k * (p[:, 2] - 1) * np.sin(2 * p[:, 0]) / 2)
        data.SetBlock(k, part)
    out = adapt(data, **FINE)
    first, second = (Leaves(out.GetBlock(k)) for k in range(2))
    side = (first.high - first.low).min()
    check(side == (second.high - second.low).min() and abs(side - 1 / 6) < 1e-9, f"cells of {side}")
    shift = (second.low[0] - first.low[0]) / side
    check(np.abs(shift - np.round(shift)).max() < 1e-9, "one lattice")
    cut = adapt(data, Boundary="Clipped At Surface", FinestCell=0.1, **FINE)
    check(abs(sum(size(cut.GetBlock(k)) for k in range(2)) / BAR / 2 - 1) < 0.005, "the volume of both")
    whole = adapt(data, MergeBlocks=1, Boundary="Wholly Inside Cells", FinestCell=0.15, **FINE)
    boxes = Leaves(whole)
    at, below = (np.count_nonzero((boxes.low[:, 2] < z - 0.01) & (boxes.high[:, 2] > z + 0.01)) for z in (1, 0.85))
    check(0 < 0.9 * below < at, f"{at} cells lie on both sides of the faces between, and {below} lie below")
    straight = adapt(data, MergeBlocks=1, Boundary="Clipped At Surface", FinestCell=0.1, **FINE)
    check(abs(size(straight) / BAR / 2 - 1) < 0.005, "merged: the volume of both")


def one_grid_for_all_time_steps():
    """The parts of the cells follow their shape alone, so that the cells of the grid can be the same."""
    source = moving()
    proxy = simple.AdaptiveGrid(Input=source, OverTime="All Steps", CriteriaArrays=["wave"], InterpolationError=0.1,
                                HangingNodes="Free", GenerateInside=1)
    made = []
    for time in range(3):
        proxy.UpdatePipeline(float(time))
        out = vtkUnstructuredGrid()
        out.DeepCopy(proxy.GetClientSideObject().GetOutputDataObject(0))
        check(messages() == "", "no message")
        inside = points_of(out, "Inside") == 1
        off = np.abs(points_of(out, "linear") - linear(points(out).astype(float)))[inside].max()
        check(off < 1e-12, f"time {time}: linear is off by {off}")
        made.append(out)
    for one in made:
        check(np.array_equal(points(one), points(made[0])), "the same cells at all times")
    check(np.abs(points_of(made[0], "wave") - points_of(made[2], "wave")).max() > 0.1, "other values")
    simple.Delete(proxy)
    simple.Delete(source)


def estimates():
    proxy = simple.AdaptiveGrid(Input=source_of(lagrange(3, 2)), CriteriaArrays=["wave"])
    proxy.SMProxy.InvokeCommand("Estimate")
    proxy.SMProxy.UpdatePropertyInformation()
    text = proxy.SMProxy.GetProperty("EstimateText").GetElement(0)
    proxy.UpdatePipeline()
    cells = proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells()
    check(f"{cells} cells" in text, f"{cells}: {text}")
    simple.Delete(proxy)


def limits_end_in_sentences():
    """An error that asks for too much is enlarged, and a warning says by how much; a chord error is not."""
    data = lagrange(2, 3)
    adapt(data, "% of their range: following them more closely takes", InterpolationError=1e-7,
          CriteriaArrays=["wave"], FinestCell=0.2)
    proxy = simple.AdaptiveGrid(Input=source_of(data), FinestCell=0.0005, LargestOutput=1)
    messages()
    proxy.UpdatePipeline()
    text = messages()
    check("the tetrahedra of the curved cells are too many: the output has" in text and "Finest Cell" in text, text)
    check(proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells() == 0, "nothing is made")
    simple.Delete(proxy)


main(linear_fields_are_exact, the_true_surface_is_reached, a_field_between_corners_and_middles_is_seen,
     the_arrays_of_the_criterion_come_first, linear_cells_beside, what_cannot_be_divided, ghosts_and_hidden_cells, weights_and_texts,
     composites_and_merged_blocks, one_grid_for_all_time_steps, estimates, limits_end_in_sentences)
