# SPDX-License-Identifier: BSD-3-Clause
"""Every property of Adaptive Grid does what its help text says.

The facts are counted or measured on the input by numpy, in boxes of input points."""
import itertools

import numpy as np
from grid_testing import (KINDS, Boxes, adapt, blocks, cells_of, corners, image, indices, points_of,
                          rectilinear, shape, structured)
from tessera_testing import add_array, check, field_value, main, simple, source_of
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_PIXEL, VTK_POLYGON, VTK_QUAD,
                                           VTK_VOXEL, vtkMultiBlockDataSet)

EXTENT = [0, 16, 0, 16, 0, 8]
FLAT = [0, 32, 0, 32, 0, 0]
ONLY = {"UseInterpolationError": 0, "Balance": "None"}  # and one criterion


def hill(extent=EXTENT):
    """f: a steep hill near the lowest corner; wave: waves along x; v: a vortex where x < 8; kink:
    bent at x = 8 and straight elsewhere."""
    data = image(extent)
    p = indices(extent)
    x, y = p[:, 0], p[:, 1]
    add_array(data.GetPointData(), "f", 5 * np.exp(-((p - [3, 4, 2]) ** 2).sum(axis=1) / 8))
    add_array(data.GetPointData(), "wave", np.sin(x))
    add_array(data.GetPointData(), "kink", np.abs(x - 8))
    spin = np.where(x < 8, 1.0, 0.0)
    add_array(data.GetPointData(), "v", np.stack([-spin * (y - 8), spin * (x - 4), 0 * x], axis=1))
    add_array(data.GetCellData(), "c", np.arange(data.GetNumberOfCells(), dtype=float))
    data.GetPointData().SetActiveScalars("f")
    return data


def sizes(out):
    """Edge of each cell along x."""
    low, high = corners(out)
    return (high - low)[:, 0]


def inside(data, name, low, high):
    """The values at the input points of a box."""
    values = points_of(data, name).reshape(shape(data) + (-1,))
    a, b = low.astype(int), high.astype(int) + 1
    return values[a[2]:b[2], a[1]:b[1], a[0]:b[0]]


def parents(low, high, largest):
    """The nodes that hold the cells below the largest: all of them were refined."""
    small = (high - low)[:, 0] < largest
    size = 2 * (high - low)[small]
    return {tuple(np.concatenate([at, at + s])) for at, s in zip(low[small] // size * size, size)}


def follows(measure, threshold, coarsen=2, **properties):
    """The measure is above the threshold in every node that was refined, and in no cell that could
    have been."""
    data = hill()
    out = adapt(data, CoarsenLevels=coarsen, ThresholdMode="Absolute", **{**ONLY, **properties})
    low, high = corners(out)
    refined = parents(low, high, 2 ** coarsen)
    check(refined and len(low) < 16 * 16 * 8, f"{properties}: some cells are refined, not all")
    for node in refined:
        value = measure(data, np.array(node[:3]), np.array(node[3:]))
        check(value > threshold, f"{properties}: a node was refined for {value}")
    for a, b in zip(low, high):
        value = measure(data, a, b)
        check(b[0] - a[0] == 1 or value <= threshold * (1 + 1e-12), f"{properties}: {value} stays")


def kinds_of_grid():
    counts = [adapt(hill(), GridType=kind, CoarsenLevels=2).GetNumberOfCells()
              for kind in ("Fixed Coarse", "Adaptive", "Fixed Fine")]
    check(counts[0] == 4 * 4 * 2 and counts[2] == 16 * 16 * 8, f"{counts}")
    check(counts[0] < counts[1] < counts[2], f"{counts}")


def levels():
    for coarsen, refine in ((0, 0), (1, 0), (3, 0), (2, 1), (0, 2)):
        for kind, size in (("Fixed Coarse", 2.0 ** coarsen), ("Fixed Fine", 0.5 ** refine)):
            out = adapt(hill(FLAT), GridType=kind, CoarsenLevels=coarsen, RefineLevels=refine)
            check(set(sizes(out)) == {size}, f"{kind}, {coarsen} and {refine}: {set(sizes(out))}")


def criteria_with_numbers():
    spread = lambda data, a, b: np.ptp(inside(data, "f", a, b))
    follows(spread, 0.4, UseValueRange=1, ValueRange=0.4)

    def deviation(data, a, b):
        """Of the corners of all cells: a point counts as often as it is one."""
        weights = np.ones((1, 1, 1))
        for axis in range(3):
            n = int(b[axis] - a[axis])
            line = np.full(n + 1, 2.0)
            line[[0, -1]] = 1.0
            weights = weights * line.reshape([-1 if 2 - axis == k else 1 for k in range(3)])
        values = inside(data, "f", a, b)[..., 0]
        mean = (values * weights).sum() / weights.sum()
        return np.sqrt(((values - mean) ** 2 * weights).sum() / weights.sum())

    follows(deviation, 0.2, UseStandardDeviation=1, StandardDeviation=0.2)

    def interpolation(data, a, b):
        values = inside(data, "f", a, b)[..., 0]
        for axis in range(3):
            t = np.linspace(0, 1, values.shape[axis])
            ends = np.take(values, [0, -1], axis)
            values_at = np.moveaxis(np.array([(1 - s) * np.take(ends, 0, axis) +
                                              s * np.take(ends, 1, axis) for s in t]), 0, axis)
            values = values_at if axis == 0 else values_at
        return np.abs(values - inside(data, "f", a, b)[..., 0]).max()

    follows(interpolation, 0.1, UseInterpolationError=1, InterpolationError=0.1)
    gradient = lambda data, a, b: (b[0] - a[0]) * np.abs(np.diff(
        inside(data, "wave", a, b)[0, 0, :, 0])).max()
    follows(gradient, 1.2, UseGradient=1, Gradient=1.2, CriteriaArrays=["wave"])


def criteria_by_place():
    """What is refined lies where the field asks for it, and nowhere else."""
    def refined_along_x(**properties):
        out = adapt(hill(), CoarsenLevels=1, ThresholdMode="Absolute", **ONLY, **properties)
        return sorted({node[0] for node in parents(*corners(out), 2)})

    flow = dict(VelocityArray="v")
    for properties, places in (
            # Of a bend the estimator is 1 at the bend, and there is none elsewhere.
            (dict(UseSecondDerivative=1, SecondDerivative=0.8, CriteriaArrays=["kink"]), [6, 8]),
            (dict(UseSecondDerivative=1, SecondDerivative=1.01, CriteriaArrays=["kink"]), []),
            (dict(UseArrayInRange=1, ArrayInRange=[0.5, 1.5], CriteriaArrays=["kink"]), [6, 8]),
            (dict(UseArrayInRange=1, ArrayInRange=[2.5, 3.5], CriteriaArrays=["kink"]), [4, 10]),
            # The vortex has the curl 2 and the Q-criterion 1; in the cells from 7 to 8, where it
            # ends, the shear is strong: a larger curl, a negative Q-criterion.
            (dict(UseVorticity=1, Vorticity=1.9, **flow), [0, 2, 4, 6]),
            (dict(UseVorticity=1, Vorticity=2.1, **flow), [6]),
            (dict(UseQCriterion=1, QCriterion=0.9, **flow), [0, 2, 4, 6]),
            (dict(UseQCriterion=1, QCriterion=1.1, **flow), [])):
        got = refined_along_x(**properties)
        check(got == places, f"{properties}: refined at x = {got}, not {places}")


def fractions_of_the_range():
    p = points_of(hill(), "f")
    for fraction in (0.05, 0.2):
        one = adapt(hill(), InterpolationError=fraction)
        other = adapt(hill(), InterpolationError=fraction * (p.max() - p.min()),
                      ThresholdMode="Absolute")
        check(np.array_equal(corners(one), corners(other)), f"{fraction} of the range")
    # 0.3 to 0.4 of 0 to 8.
    one, other = (corners(adapt(hill(), UseArrayInRange=1, CriteriaArrays=["kink"], **ONLY, **more))
                  for more in (dict(ArrayInRange=[0.3, 0.4]),
                               dict(ArrayInRange=[2.4, 3.2], ThresholdMode="Absolute")))
    check(np.array_equal(one, other), "Array In Range as fractions")


def arrays_and_components():
    steep = lambda **more: corners(adapt(hill(), UseValueRange=1, ValueRange=1.5,
                                         ThresholdMode="Absolute", CoarsenLevels=1, **ONLY, **more))
    check(np.array_equal(steep(), steep(CriteriaArrays=["f"])), "the active scalars by default")
    wave, hump = steep(CriteriaArrays=["wave"]), steep(CriteriaArrays=["f"])
    check(not np.array_equal(wave, hump), "another array, another grid")
    both = steep(CriteriaArrays=["f", "wave"])
    split = lambda low, high: parents(low, high, 2)
    check(split(*both) == split(*wave) | split(*hump), "either of two arrays refines")
    check(len(steep(CriteriaArrays=["v"], Component=2)[0]) == 8 * 8 * 4, "component z is 0")
    check(len(steep(CriteriaArrays=["v"], Component=0)[0]) > 8 * 8 * 4, "component x is not")
    by_cells = adapt(hill(), UseValueRange=1, ValueRange=16.5, ThresholdMode="Absolute",
                     CriteriaArrays=["c"], CoarsenLevels=1, **ONLY)
    # Of a node's 8 cells the last is 1 + 16 + 256 beyond the first.
    check(by_cells.GetNumberOfCells() == 16 * 16 * 8, "a cell array")
    data = hill()
    still = add_array(data.GetPointData(), "still", np.zeros((data.GetNumberOfPoints(), 3)))
    check(still.GetNumberOfComponents() == 3, "vectors")
    turned = [adapt(data, UseVorticity=1, Vorticity=1, ThresholdMode="Absolute", VelocityArray=name,
                    **ONLY).GetNumberOfCells() for name in ("v", "still")]
    check(turned[0] > turned[1] == 2 * 2, f"the velocity: {turned}")


def neighbours(low, high, axes):
    """The largest ratio of the sizes of two cells that touch with at most `axes` shared sides."""
    size = (high - low)[:, 0]
    worst = 1.0
    for i in range(len(low)):
        apart = np.maximum(low[i] - high, low - high[i])
        touching = (apart <= 0).all(axis=1) & ((apart == 0).sum(axis=1) <= axes)
        worst = max(worst, (size[touching] / size[i]).max())
    return worst


def error_bound():
    """The report says what Interpolation Error bounds in each kind of output."""
    data = image(EXTENT)
    add_array(data.GetPointData(), "x", indices(EXTENT)[:, 0].astype(float))
    kinds = ((dict(), "at every input point"), (dict(OutputType="Hyper Tree Grid"), "no bound"),
             (dict(OutputType="Overlapping AMR"), "no bound"), (ONLY, "not in use"))
    for options, expected in kinds:
        out = adapt(data, CriteriaArrays=["x"], **options)
        text = out.GetFieldData().GetAbstractArray("Tessera Error Bound").GetValue(0)
        check(expected in text, f"{options}: {text}")


def balance():
    data = image(EXTENT)
    p = indices(EXTENT)
    add_array(data.GetPointData(), "spike", ((p == [9, 9, 1]).all(axis=1)).astype(float))
    ratios = []
    for rule in ("None", "Across Faces", "Across Edges", "Across Corners"):
        low, high = corners(adapt(data, CriteriaArrays=["spike"], UseValueRange=1, ValueRange=0.5,
                                  UseInterpolationError=0, Balance=rule))
        ratios.append([neighbours(low, high, axes) for axes in (1, 2, 3)])
    check(ratios[0][0] > 2, f"without balance: {ratios}")
    for rule in (1, 2, 3):
        check(max(ratios[rule][:rule]) <= 2, f"rule {rule}: {ratios}")


def buffer():
    """A single cell that is asked for, and as many around it as are set."""
    data = image(FLAT)
    p = indices(FLAT)
    add_array(data.GetPointData(), "spike", ((p[:, :2] == [13, 13]).all(axis=1)).astype(float))
    for width in (0, 1, 3):
        low, high = corners(adapt(data, CriteriaArrays=["spike"], UseValueRange=1, ValueRange=0.5,
                                  CoarsenLevels=1, BufferCells=width, **ONLY))
        got = parents(low, high, 2)
        want = {(2.0 * i, 2.0 * j) for i, j in itertools.product(range(16), repeat=2)
                if max(abs(i - 6), abs(j - 6)) <= width}
        check({node[:2] for node in got} == want, f"{width} around: {sorted(got)}")


def budget():
    free = adapt(hill(), CoarsenLevels=2).GetNumberOfCells()
    for cells in (free // 2, free // 4, 64):
        out = adapt(hill(), CoarsenLevels=2, CellBudget=cells)
        check(32 <= out.GetNumberOfCells() <= cells, f"{out.GetNumberOfCells()} for {cells}")
        check(field_value(out, "Tolerance Scale").ToDouble() > 1, "the thresholds are scaled")
    out = adapt(hill(), CoarsenLevels=2, CellBudget=free)
    check(out.GetNumberOfCells() == free, "a budget that is enough changes nothing")


def region():
    box = dict(UseRegion=1, Region=[0, 8, 0, 16, 0, 8], CriteriaArrays=["ijk"], UseValueRange=1,
               ValueRange=0, **ONLY)  # asks for the finest everywhere
    for level_in, level_out in ((1, 3), (3, 1), (2, 0), (30, 30)):
        out = adapt(hill(), LevelInside=level_in, LevelOutside=level_out, GenerateLevel=1, **box)
        left = corners(out)[1][:, 0] <= 8
        level = cells_of(out, "Level")
        check(set(level[left]) == {min(level_in, 3)} and set(level[~left]) == {min(level_out, 3)},
              f"{level_in} and {level_out}: {set(level[left])} and {set(level[~left])}")
    check(adapt(hill(), LevelInside=0, LevelOutside=0, **{**box, "UseRegion": 0})
          .GetNumberOfCells() == 16 * 16 * 8, "switched off")


def region_between_points():
    """A region means the cells that it touches, and parts of them, wherever the points are."""
    everywhere = dict(UseRegion=1, CriteriaArrays=["ijk"], UseValueRange=1, ValueRange=0,
                      LevelOutside=0, CoarsenLevels=2, **ONLY)
    bent = image([0, 8, 0, 8, 0, 8], spacing=(.5, .5, .5))
    x = np.array([0, 1, 2, 3, 4, 7, 8, 9, 10]) / 2
    stretched = rectilinear([0, 8, 0, 8, 0, 8], x, -x, x)
    turned = image([0, 8, 0, 8, 0, 8], spacing=(.5, .5, .5),
                   direction=[[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    curved = structured([0, 8, 0, 8, 0, 8], lambda p: p / 2)
    for data, low, high, refine in itertools.product(
            (bent, stretched, turned, curved), ((.6, .6, .6), (1.1, .5, 0)),
            ((.9, .9, .9), (1.2, 2.6, 4)), (0, 1)):
        low, high = np.array(low), np.maximum(high, np.array(low) + .01)
        sign = np.array([-1 if data is turned else 1, -1 if data is stretched else 1, 1])
        box = np.sort(np.stack([sign * low, sign * high]), axis=0)
        out = adapt(data, RefineLevels=refine, Region=box.T.ravel().tolist(), **everywhere)
        b = np.array([out.GetCell(c).GetBounds() for c in range(out.GetNumberOfCells())])
        first, last = corners(out)
        touches = ((b[:, 0::2] < box[1] - 1e-9) & (b[:, 1::2] > box[0] + 1e-9)).all(axis=1)
        small = (last - first).max(axis=1)
        finest = 1 if data in (turned, curved) else .5 ** refine  # parts where axes are straight
        check(touches.any() and (small[touches] <= finest).all(), f"{box} is not refined")
        # What is refined, is so for a cell that touches: balance is off, so no more than a root.
        whole = np.unique(first[touches] // 4, axis=0)
        check(len(np.unique(first[small < 4] // 4, axis=0)) == len(whole), f"{box}: too much")
    plane = dict(everywhere, Region=[0, 4, 0, 4, 2, 2])
    first, last = corners(adapt(bent, **plane))
    fine = (last - first)[:, 0] == 1
    # With their siblings: the plane 4 is a side of the cells 3 and 4.
    check(set(first[fine][:, 2]) == {2, 3, 4, 5} and fine.sum() == 4 * 64, "cells beside a plane")
    adapt(bent, said="touches no cell", **dict(everywhere, Region=[9, 10, 0, 4, 0, 4]))


def vectors_of_one_block_and_of_a_composite():
    """Interpolation Error takes fractions of the range of all components, in composites as well."""
    data = hill()
    wave = points_of(data, "f") / 3
    add_array(data.GetPointData(), "turn", np.stack([np.cos(wave), np.sin(wave), 0 * wave], axis=1))
    both = vtkMultiBlockDataSet()
    both.SetBlock(0, data)
    one = adapt(data, CriteriaArrays=["turn"], InterpolationError=.2)
    many = adapt(both, CriteriaArrays=["turn"], InterpolationError=.2).GetBlock(0)
    check(np.array_equal(corners(one), corners(many)), "a composite of one block is refined alike")


def evenness_in_single_precision():
    """Coordinates that single precision makes uneven are no reason for a warning; others are."""
    single = rectilinear(EXTENT, np.arange(17), np.arange(17), np.arange(9))
    x = (1000 + .1 * np.arange(17)).astype(np.float32)
    single.SetXCoordinates(numpy_to_vtk(x, deep=True))
    adapt(single, OutputType=KINDS[1], CriteriaArrays=["ijk"])
    x[5] += .01
    single.SetXCoordinates(numpy_to_vtk(x, deep=True))
    adapt(single, said="they are moved", OutputType=KINDS[1], CriteriaArrays=["ijk"])


def report_without_errors():
    fields = adapt(hill(), MeasureErrors=0).GetFieldData()
    empty = [fields.GetArrayName(i) for i in range(fields.GetNumberOfArrays())
             if fields.GetAbstractArray(i).GetNumberOfTuples() == 0]
    check(not empty, f"{empty} have no tuples")


def outputs():
    classes = ("vtkUnstructuredGrid", "vtkHyperTreeGrid", "vtkOverlappingAMR")
    volumes = []
    for kind, name in zip(KINDS, classes):
        out = adapt(hill(), OutputType=kind, CoarsenLevels=2)
        boxes = Boxes(out)
        check(out.IsA(name), f"{kind} is {out.GetClassName()}")
        volumes.append(np.prod(boxes.high - boxes.low, axis=1).sum())
        check(field_value(out, "Leaves").ToInt() == len(boxes.low), f"{kind}: cells in the report")
    check(volumes == [16 * 16 * 8] * 3, f"{volumes}")
    for size in (2, 4, 8, 16):
        # Blocks are as long as said along their sides, or end with the box.
        amr = adapt(hill(), OutputType=KINDS[2], AMRBlockSize=str(size), CoarsenLevels=2)
        edges = [n - 1 for block in blocks(amr) for n in block.GetDimensions()]
        check(max(edges) <= size and 2 * max(edges) > min(size, 8), f"{size}: {max(edges)}")


def ranges_are_those_of_what_is_seen():
    """Trees hold cells that are not to be seen, and colours go by the range of all."""
    data = image([0, 13, 0, 9, 0, 5])
    p = indices(data.GetExtent())
    add_array(data.GetPointData(), "t", 300 + p[:, 0])
    ghosts = np.zeros(data.GetNumberOfCells(), np.uint8)
    ghosts.reshape(shape(data, cells=True))[:, :, :5] = 32  # hidden: a whole root and more
    add_array(data.GetCellData(), "vtkGhostType", ghosts)
    for kind in KINDS[:2]:
        grid = simple.AdaptiveGrid(Input=source_of(data), OutputType=kind, CoarsenLevels=2,
                                   CriteriaArrays=["t"])
        grid.UpdatePipeline()
        arrays = grid.PointData if kind == KINDS[0] else grid.CellData
        low, high = arrays["t"].GetRange()
        check(305 <= low <= high <= 313, f"{kind}: {low} to {high}")


def cells_and_points():
    for extent, types in ((EXTENT, (VTK_VOXEL, VTK_HEXAHEDRON)), (FLAT, (VTK_PIXEL, VTK_QUAD))):
        for shape_name, cell_type in zip(("Voxels or Pixels", "Hexahedra or Quads"), types):
            out = adapt(hill(extent), CellShape=shape_name)
            got = {out.GetCellType(c) for c in range(out.GetNumberOfCells())}
            check(got == {cell_type}, f"{shape_name}: {got}")
    out = adapt(hill(FLAT), HangingNodes="Polygons (2D)")
    check(out.GetCellType(0) == VTK_POLYGON, "polygons")
    free, held = (adapt(hill(FLAT), HangingNodes=kind) for kind in ("Free", "Constrained"))
    check(np.array_equal(corners(free), corners(held)), "constrained: the same cells")
    differ = not np.array_equal(points_of(free, "f"), points_of(held, "f"))
    check(differ, "constrained: other values")
    for precision, name in (("Single", "vtkFloatArray"), ("Double", "vtkDoubleArray"),
                            ("Same as Input", "vtkDoubleArray")):  # of an image
        out = adapt(hill(), OutputPrecision=precision)
        check(out.GetPoints().GetData().IsA(name), precision)


def generated_arrays():
    out = adapt(hill(), GenerateLevel=1, GenerateIndicator=1, GenerateSourceCell=1)
    low, high = corners(out)
    check(np.array_equal(cells_of(out, "Level"), 3 - np.log2((high - low)[:, 0])), "Level")
    first = (low * [1, 16, 16 * 16]).sum(axis=1)
    check(np.array_equal(cells_of(out, "SourceCell"), first), "SourceCell")
    coarse = (high - low)[:, 0] > 1
    indicator = cells_of(out, "Indicator")
    check((indicator[coarse] <= 1).all() and indicator.max() > 0, "Indicator")
    plain = adapt(hill())
    names = [plain.GetCellData().GetArrayName(i)
             for i in range(plain.GetCellData().GetNumberOfArrays())]
    check(names == ["c"], f"nothing that was not asked for: {names}")


def errors_and_report():
    out = adapt(hill(), InterpolationError=0.1, CriteriaArrays=["f"])
    rows = out.GetFieldData()
    names = rows.GetAbstractArray("Tessera Error Arrays")
    errors = rows.GetAbstractArray("Tessera Largest Errors")
    largest = {names.GetValue(i): errors.GetValue(i) for i in range(names.GetNumberOfValues())}
    check(set(largest) == {"ijk", "f", "wave", "kink", "v", "c"}, f"{largest}")
    check(0 < largest["f"] <= 0.1 * np.ptp(points_of(hill(), "f")), f"{largest}")
    check(largest["ijk"] < 1e-12, "a linear array is met exactly")
    both = hill()
    add_array(both.GetCellData(), "f", 1000.0 * (np.arange(both.GetNumberOfCells()) % 2))
    for output in ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"):
        rows = adapt(both, InterpolationError=0.1, CriteriaArrays=["f"], Balance="Across Edges",
                     HangingNodes="Free", OutputType=output).GetFieldData()
        names = rows.GetAbstractArray("Tessera Error Arrays")
        of_both = {names.GetValue(i): rows.GetAbstractArray("Tessera Largest Errors").GetValue(i)
                   for i in range(names.GetNumberOfValues())}
        of_points = "f (points)" if output == "Unstructured Grid" else "f_points"
        of_cells = "f (cells)" if output == "Unstructured Grid" else "f"
        check(set(of_both) == {of_points, of_cells, "ijk", "wave", "kink", "v", "c"},
              f"{output}: {of_both}")
        check(of_both[of_points] < 5.0 and of_both[of_cells] > 400.0,
              f"{output}: point and cell arrays of one name by themselves, {of_both}")
    out = adapt(hill(), MeasureErrors=0)
    check(out.GetFieldData().GetAbstractArray("Tessera Largest Errors") is None,
          "no errors unless asked for")


def threads():
    one, many = (adapt(hill(), Threads=n, Backend="CPU") for n in (1, 4))
    check(np.array_equal(corners(one), corners(many)), "the same cells")
    check(field_value(one, "Threads").ToInt() == 1, "the report")
    check(1 <= field_value(many, "Threads").ToInt() <= 4, "no more than there are")


main(kinds_of_grid, levels, criteria_with_numbers, criteria_by_place, fractions_of_the_range,
     arrays_and_components, balance, error_bound, buffer, budget, region, region_between_points,
     vectors_of_one_block_and_of_a_composite, evenness_in_single_precision, report_without_errors,
     outputs, ranges_are_those_of_what_is_seen, cells_and_points, generated_arrays, errors_and_report,
     threads)
