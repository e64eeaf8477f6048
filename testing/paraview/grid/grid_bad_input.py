# SPDX-License-Identifier: BSD-3-Clause
"""Bad input of Adaptive Grid: one sentence that names the item, an output that is right or empty."""
import numpy as np
from grid_testing import (KINDS, Boxes, adapt, cells_of, corners, image, paint, points_of,
                          rectilinear, shape, structured)
from tessera_testing import VTK_VERSION, add_array, check, field_value, main
from vtkmodules.vtkCommonCore import vtkBitArray, vtkStringArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import (vtkImageData, vtkMultiBlockDataSet, vtkPolyData,
                                           vtkRectilinearGrid, vtkStructuredGrid)

NAN = float("nan")
EXTENT = [0, 12, 0, 9, 0, 7]


def bump(data=None):
    data = data or image(EXTENT)
    p = points_of(data, "ijk")
    add_array(data.GetPointData(), "f", np.exp(-((p - 4) ** 2).sum(axis=1) / 5))
    add_array(data.GetPointData(), "v", np.stack([p[:, 1], -p[:, 0], 0 * p[:, 0]], axis=1))
    add_array(data.GetCellData(), "c", np.arange(data.GetNumberOfCells(), dtype=float))
    return data


def refused(sentence, data=None, **properties):
    out = adapt(data or bump(), sentence, **properties)
    check(out.GetNumberOfCells() == 0, "an empty output")


def settings_out_of_range():
    for sentence, properties in (
            ("the coarsen levels must lie between 0 and 30, not be -1", dict(CoarsenLevels=-1)),
            ("the coarsen levels must lie between 0 and 30, not be 31", dict(CoarsenLevels=31)),
            ("together must lie between 0 and 30, not be 31", dict(RefineLevels=28)),
            ("with 30 refine levels give an index above", dict(CoarsenLevels=0, RefineLevels=30)),
            ("the buffer cells must lie between 0 and 16, not be 17", dict(BufferCells=17)),
            ("Cell Budget must be 0 (off) or more, not -5", dict(CellBudget=-5)),
            ("the threshold of the Interpolation Error of 'f' must be a finite number of at least 0, "
             "but is -0.5.", dict(InterpolationError=-0.5)),
            ("must be a finite number of at least 0, but is nan", dict(InterpolationError=NAN)),
            ("must be a finite number of at least 0, but is inf",
             dict(InterpolationError=float("inf"))),
            ("the range of the Array In Range of 'f', 2 to 1, is empty.", dict(UseArrayInRange=1, ArrayInRange=[2, 1])),
            ("Region must reach from a lower to a higher x, not from nan to 1",
             dict(UseRegion=1, Region=[NAN, 1, 0, 1, 0, 1])),
            ("Region must reach from a lower to a higher z, not from 2 to 1",
             dict(UseRegion=1, Region=[0, 1, 0, 1, 2, 1])),
            ("Component must be -1 (the magnitude) or more, not -2", dict(Component=-2)),
            ("Threads must be 0 (all) or more, not -1", dict(Threads=-1))):
        refused(sentence, CriteriaArrays=["f"], **properties)


def arrays_that_are_not_there():
    refused("there is no numeric point or cell array 'nothing'", CriteriaArrays=["f", "nothing"])
    refused("the Interpolation Error of 'v' looks at component 3, but the components are 0 to 2.",
            CriteriaArrays=["v"], Component=3)
    refused("there is no array 'f' of 3 components", UseVorticity=1, VelocityArray="f")
    bare = vtkImageData()
    bare.SetExtent(EXTENT)
    refused("there is no numeric point or cell array for the criteria", bare)
    data = bump()
    words = vtkStringArray()
    words.SetName("words")
    words.SetNumberOfValues(data.GetNumberOfPoints())
    data.GetPointData().AddArray(words)
    refused("there is no numeric point or cell array 'words'", data, CriteriaArrays=["words"])
    out = adapt(data, "The point array 'words' is not numeric and is left out.",
                CriteriaArrays=["f"])
    check(out.GetNumberOfCells() > 4 and not out.GetPointData().HasArray("words"), "the rest")


def arrays_of_bits():
    """Left out at points, taken along in cells as texts are, and a sentence for criteria."""
    data = bump()
    for attributes, n, name in ((data.GetPointData(), data.GetNumberOfPoints(), "p"),
                                (data.GetCellData(), data.GetNumberOfCells(), "c1")):
        bits = vtkBitArray()
        bits.SetName(name)
        bits.SetNumberOfTuples(n)
        for i in range(n):
            bits.SetValue(i, i % 3 == 0)
        attributes.AddArray(bits)
        refused(f"the array '{name}' holds bits, which criteria cannot look at: make it numbers by "
                "Calculator.", data, CriteriaArrays=[name])
    out = adapt(data, "The point array 'p' holds bits and is left out.", CriteriaArrays=["f"],
                GenerateSourceCell=1)
    bits, source = (out.GetCellData().GetArray(name) for name in ("c1", "SourceCell"))
    check(not out.GetPointData().HasArray("p"), "left out")
    check(all(bits.GetValue(i) == (source.GetValue(i) % 3 == 0)
              for i in range(out.GetNumberOfCells())), "those of the first input cells")


def cell_arrays_alone():
    """The interpolation error, which is on, is left out for them where another criterion is on."""
    data = bump()
    data.GetPointData().RemoveArray("f")
    data.GetPointData().RemoveArray("v")
    data.GetPointData().RemoveArray("ijk")
    for properties in (dict(UseArrayInRange=1, ArrayInRange=[0, 0.2]),
                       dict(UseValueRange=1, ValueRange=0.1),
                       dict(UseArrayInRange=1, ArrayInRange=[0, 0.2], CriteriaArrays=["c"])):
        out = adapt(data, GenerateLevel=1, **properties)
        other = adapt(data, GenerateLevel=1, UseInterpolationError=0, **properties)
        check(len(set(cells_of(out, "Level"))) > 1, f"{properties} refines")
        check(np.array_equal(cells_of(out, "c"), cells_of(other, "c")), f"{properties} alone")


def arrays_of_the_wrong_length():
    for place, noun in (("GetPointData", "point"), ("GetCellData", "cell")):
        data = bump()
        add_array(getattr(data, place)(), "short", np.arange(5.0))
        out = adapt(data, f"The {noun} array 'short' has 5 tuples for", CriteriaArrays=["f"])
        check(out.GetNumberOfCells() > 4 and not getattr(out, place)().HasArray("short"), "the rest")
    data = bump()
    add_array(data.GetPointData(), "short", np.arange(5.0))
    refused("the array of the Interpolation Error of 'short' has 5 tuples instead of 1040.", data,
            CriteriaArrays=["short"])


def arrays_of_one_name():
    """Of arrays of one name the first comes along; trees and blocks tell those of points from those of
    cells, and none takes the place of another. Large: memory that is freed must not be written."""
    def named(*names):
        data = image([0, 32, 0, 32, 0, 32])
        for name, attributes, value in names:
            count = data.GetNumberOfPoints() if value < 10 else data.GetNumberOfCells()
            attributes = getattr(data, f"Get{attributes}Data")()
            add_array(attributes, "new", np.full(count, value, float)).SetName(name)
        return data

    for kind in KINDS:
        for noun, twice in (("point", (("a", "Point", 1), ("a", "Point", 2), ("a", "Cell", 10))),
                            ("cell", (("a", "Point", 1), ("a", "Cell", 10), ("a", "Cell", 20)))):
            out = adapt(named(*twice), f"There are several {noun} arrays 'a'; all but the first are left out.",
                        OutputType=kind, CriteriaArrays=["a"])
            arrays = arrays_of(out)
            check(arrays["a"] == 10 and arrays.get("a_points", 1) == 1, f"{kind}: {arrays}")
    for points, cells in ((("f", "f_points"), ("f",)), (("f_points", "f"), ("f",)),
                          (("f",), ("f", "f_points"))):
        data = named(*[(name, "Point", 1 + k) for k, name in enumerate(points)],
                     *[(name, "Cell", 10 + k) for k, name in enumerate(cells)])
        for kind in KINDS[1:]:
            arrays = arrays_of(adapt(data, OutputType=kind, CriteriaArrays=["f"]))
            expected = {name: 10 + k for k, name in enumerate(cells)}
            for k, name in enumerate(points):
                expected[name if name not in cells else "f_points_points"] = 1 + k
            check(arrays == expected, f"{kind}, {points} and {cells}: {arrays}")


def arrays_of(out):
    """Name of each cell array -> its value, which is the same everywhere."""
    leaf = out.GetDataSet(0, 0) if out.IsA("vtkOverlappingAMR") else out
    arrays = {}
    for i in range(leaf.GetCellData().GetNumberOfArrays()):
        array = leaf.GetCellData().GetArray(i)
        if array.GetName() not in ("ijk", "vtkGhostType"):
            low, high = array.GetRange()
            check(low == high, f"{array.GetName()} from {low} to {high}")
            arrays[array.GetName()] = low
    return arrays


def not_a_number_keeps_its_cells():
    """The cells at a NaN point stay as the input has them, and are counted; the others follow the
    criteria as without it, so the leaves still fill the box."""
    for bad in (NAN, float("inf"), -float("inf")):
        data = bump()
        f = points_of(data, "f")
        f.reshape(shape(data))[5, 2, 9] = bad
        f.reshape(shape(data))[0, 0, 12] = bad
        out = adapt(data, "9 input cells", CoarsenLevels=2, CriteriaArrays=["f"], GenerateLevel=1,
                    InterpolationError=0.05)
        low, high = corners(out)
        check((paint(low, high, EXTENT) == 1).all(), "leaves fill the box")
        touches = ((low <= [9, 2, 5]) & (high >= [9, 2, 5])).all(axis=1)
        check(touches.sum() == 8 and (cells_of(out, "Level")[touches] == 2).all(), "input level")
        check((~np.isfinite(points_of(out, "f"))).sum() == 2, "the values come along")
        check(np.isfinite(field_value(out, "Largest Errors").ToDouble()), "the report stays finite")
    data = bump()
    cells_of(data, "c")[17] = NAN
    out = adapt(data, "1 input cell (number 17)", CriteriaArrays=["c"], UseValueRange=1,
                UseInterpolationError=0)
    check(np.isnan(cells_of(out, "c")).sum() == 1, "one NaN among cells")
    for kind in KINDS[1:]:
        out = adapt(data, "1 input cell (number 17)", CriteriaArrays=["c"], UseValueRange=1,
                    UseInterpolationError=0, OutputType=kind)
        check(np.isnan(Boxes(out).arrays["c"]).sum() == 1, f"one NaN, {kind}")


def nothing_but_not_a_number():
    data = bump()
    points_of(data, "f")[:] = NAN
    out = adapt(data, f"{12 * 9 * 7} input cells", CriteriaArrays=["f"])
    check(out.GetNumberOfCells() == 12 * 9 * 7, "the input's cells")


def budgets_below_the_coarsest_grid():
    roots = 3 * 3 * 2
    out = adapt(bump(), f"The cell budget is {roots - 3} cells too small for the coarsest grid that the "
                "other settings allow, and that is what was made.", CoarsenLevels=2,
                CriteriaArrays=["f"], CellBudget=3)
    check(out.GetNumberOfCells() == roots, "the coarsest grid")
    check(field_value(out, "Tolerance Scale").ToDouble() == float("inf"), "no threshold is enough")


def flat_and_empty_inputs():
    for spacing in ((1, 1, 0), (0, 1, 1), (0, 0, 0), (-1, 1, 1)):
        data = bump(image(EXTENT, spacing))
        out = adapt(data, CriteriaArrays=["f"], GenerateLevel=1)
        low, high = corners(out)
        check((paint(low, high, EXTENT) == 1).all(), f"index space is full with spacing {spacing}")
        refused("overlapping AMR needs spacings above 0", data, OutputType=KINDS[2],
                CriteriaArrays=["f"])
        refused("a hyper tree grid needs spacings above 0", data, OutputType=KINDS[1],
                CriteriaArrays=["f"])
    out = adapt(bump(image(EXTENT, (0, 1, 1))), f"{12 * 9 * 7} input cells", UseVorticity=1,
                UseInterpolationError=0)
    check(out.GetNumberOfCells() > 0, "no derivative, no refinement")
    for empty in (vtkImageData(), vtkRectilinearGrid(), vtkStructuredGrid()):
        for kind in KINDS:
            out = adapt(empty, OutputType=kind)
            check(out.GetNumberOfCells() == 0, f"nothing of an empty {empty.GetClassName()}")
    one = bump(image([3, 3, 4, 4, 5, 5]))
    refused("An input of one point has no cell to refine", one, CriteriaArrays=["f"])
    refused("a hyper tree grid needs an input with cells", one, OutputType=KINDS[1],
            CriteriaArrays=["f"])
    refused("needs a 2D or 3D image", one, OutputType=KINDS[2], CriteriaArrays=["f"])


def ghosts_that_are_none():
    for values, kind in ((np.zeros(5, np.uint8), "5 values of type unsigned char"),
                         (np.ones(12 * 9 * 7, np.float32), "756 values of type float")):
        data = bump()
        plain = adapt(data, CriteriaArrays=["f"])
        add_array(data.GetCellData(), "vtkGhostType", values)
        out = adapt(data, f"The cell array 'vtkGhostType' has {kind}, not one unsigned char for each "
                    "of 756 cells, and hides nothing.", CriteriaArrays=["f"])
        check(out.GetNumberOfCells() == plain.GetNumberOfCells(), "as without")
    data = bump()
    add_array(data.GetPointData(), "vtkGhostType", np.zeros(3, np.uint8))
    adapt(data, "The point array 'vtkGhostType' has 3 values of type unsigned char, not one",
          CriteriaArrays=["f"])


def inputs_of_other_kinds_of_output():
    turned = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    grids = (bump(image(EXTENT, direction=turned)),
             bump(structured(EXTENT, lambda p: p + 0.5)))
    for data in grids:
        refused("a hyper tree grid needs an image without rotation or a rectilinear grid", data,
                OutputType=KINDS[1], CriteriaArrays=["f"])
    grids += (bump(rectilinear(EXTENT, *(np.arange(n) ** 2.0 for n in (13, 10, 8)))),)
    for data in grids:
        refused("overlapping AMR needs a 2D or 3D image without rotation", data,
                OutputType=KINDS[2], CriteriaArrays=["f"])
    refused("polygons need a grid of 2 dimensions, not 3: take conforming cells",
            HangingNodes="Polygons (2D)", CriteriaArrays=["f"])
    missing = vtkStructuredGrid()
    missing.SetExtent(EXTENT)
    add_array(missing.GetPointData(), "f", np.zeros(13 * 10 * 8))
    refused("the array of points", missing, CriteriaArrays=["f"])


def levels_of_nothing():
    """Out of their range they are refused even where there is no grid to plan."""
    words = vtkMultiBlockDataSet()
    words.SetBlock(0, vtkPolyData())
    for levels in (31, 40, 1000000, -1):
        for data in (vtkImageData(), vtkRectilinearGrid(), words, vtkMultiBlockDataSet()):
            out = adapt(data, f"the coarsen levels must lie between 0 and 30, not be {levels}",
                        CoarsenLevels=levels)
            check(out.GetNumberOfCells() == 0, "an empty output")


def coordinates_that_do_not_fit():
    """One more than the points, one less, none; also where the grid is a block."""
    for axis, put in enumerate(("SetXCoordinates", "SetYCoordinates", "SetZCoordinates")):
        points = (13, 10, 8)[axis]
        for count in (points + 1, points + 1000, points - 1, None):
            data = bump(rectilinear(EXTENT, *(np.arange(n) for n in (13, 10, 8))))
            getattr(data, put)(None if count is None else
                               numpy_to_vtk(np.arange(float(count)), deep=True))
            sentence = f"there are {count or 0} coordinates along {'xyz'[axis]} for {points} points"
            refused(sentence, data, CriteriaArrays=["f"])
            refused("in block 1 " + sentence, blocks_of(data), CriteriaArrays=["f"])
        for bad in (NAN, float("inf")):
            axes = [np.arange(float(n)) for n in (13, 10, 8)]
            axes[axis][5] = bad
            refused(f"coordinate 5 along {'xyz'[axis]} is not finite",
                    bump(rectilinear(EXTENT, *axes)), CriteriaArrays=["f"])


def extents_that_run_backwards():
    """From 9.3 on VTK ends the program itself where an image gets one."""
    images = [vtkImageData()] if VTK_VERSION < (9, 3) else []
    for data in images + [vtkRectilinearGrid(), vtkStructuredGrid()]:
        data.SetExtent(0, 4, 3, -5, 0, 2)
        refused("the extent along y runs backwards, from 3 to -5", data)
        refused("in block 1 the extent along y runs backwards, from 3 to -5", blocks_of(data))
        for empty in ((0, -1, 0, -1, 0, -1), (1, -1, 1, -1, 1, -1), (0, 4, 0, -1, 0, 2)):
            data.SetExtent(empty)  # as filters mark that there is nothing
            check(adapt(data).GetNumberOfCells() == 0, f"nothing of {empty}")


def blocks_of(data):
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, data)
    return blocks


main(settings_out_of_range, arrays_that_are_not_there, arrays_of_bits, cell_arrays_alone,
     arrays_of_the_wrong_length, arrays_of_one_name, not_a_number_keeps_its_cells, nothing_but_not_a_number,
     budgets_below_the_coarsest_grid, flat_and_empty_inputs, ghosts_that_are_none,
     inputs_of_other_kinds_of_output,
     levels_of_nothing, coordinates_that_do_not_fit, extents_that_run_backwards)
