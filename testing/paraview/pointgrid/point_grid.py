# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Point Grid against numpy: every cell, every output, every property, and what follows."""
import numpy as np
from pointgrid_testing import OUTPUTS, boxes, cells, cloud, crowd, sort, with_arrays
from tessera_testing import (add_array, case, check, field_value, main, messages, output_file, simple,
                             source_of)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import (VTK_PIXEL, VTK_VOXEL, vtkMultiBlockDataSet, vtkPolyData,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid


def survey():
    reader = simple.XMLPolyDataReader(FileName=[case("points/autzen_trim.vtp")])
    reader.UpdatePipeline()
    return reader


def known_counts():
    """110,000 points of a survey, octree, 64 points: p8est's numbers of leaves."""
    reader = survey()
    for balance, leaves in (("None", 9892), ("Across Faces", 12363), ("Across Edges", 12944),
                            ("Across Corners", 13105)):
        out = sort(reader, Balance=balance)
        check(out.GetNumberOfCells() == leaves, f"{balance}: {out.GetNumberOfCells()}")
        check(cells(out, "PointCount").sum() == 110000, "all points")
        check(field_value(out, "Leaves").ToLongLong() == leaves, "the report")
        check(field_value(out, "Input Points").ToLongLong() == 110000, "the report's points")
    of_level = np.bincount(cells(sort(reader), "Level"))
    check(list(of_level) == [0, 6, 8, 33, 144, 484, 1865, 7352], f"levels {of_level}")
    out = sort(reader)
    filled = cells(out, "PointCount") > 0
    total = cells(out, "Intensity_mean")[filled] @ cells(out, "PointCount")[filled]
    data = reader.GetClientSideObject().GetOutputDataObject(0).GetPointData()
    expected = vtk_to_numpy(data.GetArray("Intensity")).astype(float).sum()
    check(abs(total / expected - 1) < 1e-12, f"the intensities add up: {total}, {expected}")


def cells_hold_their_points():
    places = crowd(3000)
    data = with_arrays(places)
    out = sort(data, MaximumPointsPerCell=20)
    low, high = boxes(out)
    top = places.min(axis=0) + np.ptp(places, axis=0).max()
    value = vtk_to_numpy(data.GetPointData().GetArray("value"))
    velocity = vtk_to_numpy(data.GetPointData().GetArray("velocity")).astype(float)
    total = 0
    for c in range(out.GetNumberOfCells()):
        upper = np.where(high[c] >= top - 1e-12, np.inf, high[c])
        inside = ((places >= low[c]) & (places < upper)).all(axis=1)
        total += inside.sum()
        check(cells(out, "PointCount")[c] == inside.sum() <= 20, f"cell {c}")
        volume = np.prod(high[c] - low[c])
        check(abs(cells(out, "Density")[c] * volume - inside.sum()) < 1e-6, f"density {c}")
        if inside.any():
            check(abs(cells(out, "value_mean")[c] - value[inside].mean()) < 1e-12, f"mean {c}")
            check(np.allclose(cells(out, "velocity_mean")[c], velocity[inside].mean(axis=0)), "3D")
            check(cells(out, "value_least")[c] == value[inside].min(), f"least {c}")
            check(cells(out, "number_greatest")[c] == np.flatnonzero(inside).max(), f"greatest {c}")
        else:
            check(np.isnan(cells(out, "value_mean")[c]), "an empty cell")
            check(cells(out, "number_greatest")[c] == 0, "an empty cell's integers")
    check(total == 3000, "every point once")
    check(out.GetCellType(0) == VTK_VOXEL, "voxels")


def shapes():
    places = crowd(2000)
    data = cloud(places)
    for shape, kept in (("Quadtree in XY", (0, 1)), ("Quadtree in YZ", (1, 2)),
                        ("Quadtree in XZ", (0, 2)), ("Quadtree, Auto Plane", (0, 1))):
        out = sort(data, TreeShape=shape, MaximumPointsPerCell=10)
        low, high = boxes(out)
        flat = [a for a in range(3) if a not in kept][0]
        check(out.GetCellType(0) == VTK_PIXEL and (low[:, flat] == high[:, flat]).all(), shape)
        side = np.ptp(places[:, kept], axis=0).max()
        area = np.prod((high - low)[:, kept], axis=1).sum()
        check(abs(area - side ** 2) < 1e-9 and cells(out, "PointCount").sum() == 2000, shape)
        tree = sort(data, TreeShape=shape, MaximumPointsPerCell=10, OutputType=OUTPUTS[1])
        as_cells = vtkHyperTreeGridToUnstructuredGrid()
        as_cells.SetInputData(tree)
        as_cells.Update()
        check(np.allclose(as_cells.GetOutput().GetBounds()[2 * kept[0]:2 * kept[0] + 2],
                          out.GetBounds()[2 * kept[0]:2 * kept[0] + 2]), f"{shape} as a tree")


def the_tree_has_the_leaves():
    data = with_arrays(crowd(4000))
    for balance in ("None", "Across Corners"):
        grid = sort(data, MaximumPointsPerCell=9, Balance=balance)
        tree = sort(data, MaximumPointsPerCell=9, Balance=balance, OutputType=OUTPUTS[1])
        as_cells = vtkHyperTreeGridToUnstructuredGrid()
        as_cells.SetInputData(tree)
        as_cells.Update()
        as_cells = as_cells.GetOutput()
        check(as_cells.GetNumberOfCells() == grid.GetNumberOfCells(), "as many leaves")
        # Both come in the order of a walk through the tree; VTK makes the corners float.
        for c in range(0, grid.GetNumberOfCells(), 7):
            check(np.allclose(grid.GetCell(c).GetBounds(), as_cells.GetCell(c).GetBounds(), rtol=0,
                              atol=1e-6), f"cell {c}")
        for name in ("PointCount", "Level", "Density", "value_least", "value_mean", "number_least"):
            check(np.array_equal(cells(grid, name), cells(as_cells, name),
                                 equal_nan=name.startswith("value")), f"the same {name}")
        check(cells(tree, "PointCount")[0] == 4000, "the root counts all")


def points_in_cell_order():
    places = crowd(5000)
    data = with_arrays(places)
    names = vtkStringArray()
    names.SetName("name")
    for i in range(5000):
        names.InsertNextValue(f"p{i}")
    data.GetPointData().AddArray(names)
    out = sort(data, OutputType=OUTPUTS[2])
    grid = sort(data, "The point array 'name' is not numeric and is left out.")
    number = vtk_to_numpy(out.GetPointData().GetArray("number"))
    cell = vtk_to_numpy(out.GetPointData().GetArray("CellId"))
    check(np.array_equal(np.sort(number), np.arange(5000)), "every point once")
    check((np.diff(cell) >= 0).all(), "in the order of cells")
    check(((np.diff(number) > 0) | (np.diff(cell) > 0)).all(), "within a cell as in the input")
    check(np.array_equal(np.bincount(cell, minlength=grid.GetNumberOfCells()),
                         cells(grid, "PointCount")), "as many as the cells count")
    check(np.array_equal(vtk_to_numpy(out.GetPoints().GetData()), places[number]), "places")
    got = out.GetPointData().GetAbstractArray("name")
    check(all(got.GetValue(i) == f"p{number[i]}" for i in range(5000)), "texts")
    check(out.GetNumberOfVerts() == 5000, "a vertex a point")


def spread():
    data = with_arrays(crowd(1500))
    out = sort(data, UseSpread=1, SpreadArray="value", Spread=12, MaximumPointsPerCell=10 ** 6)
    split = cells(out, "value_greatest") - cells(out, "value_least")
    filled = cells(out, "PointCount") > 0
    check((split[filled] <= 12).all() and out.GetNumberOfCells() > 100, "at most so far apart")
    check(sort(data, MaximumPointsPerCell=10 ** 6).GetNumberOfCells() == 1, "else one cell")
    x = sort(data, UseSpread=1, SpreadArray="velocity", SpreadComponent=1, Spread=0.5,
             MaximumPointsPerCell=10 ** 6)
    apart = cells(x, "velocity_greatest")[:, 1] - cells(x, "velocity_least")[:, 1]
    check((apart[cells(x, "PointCount") > 0] <= 0.5).all(), "a component")


def terrain():
    """A survey of the slope z = x / 2 with a step at y = 0.55: heights are those of numpy, and cells are as
    wide as the slope allows."""
    x, y = np.random.default_rng(5).random((2, 20000))
    places = np.stack([x, y, x / 2 + 0.3 * (y > 0.55)], axis=1)
    settings = dict(TreeShape="Quadtree in XY", UseSpread=1, SpreadOf="Z", Spread=0.1,
                    MaximumPointsPerCell=10 ** 6, GenerateCoordinates=1)
    for dtype in (np.float64, np.float32):
        data = cloud(places)
        data.GetPoints().SetData(numpy_to_vtk(places.astype(dtype), deep=True))
        out = sort(data, **settings)
        low, high = boxes(out)
        names = ("Coordinates_mean", "Coordinates_least", "Coordinates_greatest")
        mean, least, greatest = (cells(out, name) for name in names)
        filled = cells(out, "PointCount") > 0
        check((greatest - least)[filled, 2].max() <= 0.1, "heights differ by so much at most")
        check([out.GetCellData().GetArray(names[0]).GetComponentName(i) for i in range(3)] ==
              ["X", "Y", "Z"], "names of components")
        width = (high - low)[:, 0]
        check(np.isclose(width.max(), 0.125, atol=0.001), f"1 / 8 is as wide as it may be: {width.max()}")
        step = ((low[:, 1] < 0.55 - 1e-3) & (high[:, 1] > 0.55 + 1e-3))
        check(width[step & filled].max() < 0.03, "the step is refined")
        check(least.dtype == dtype, "least and greatest have the type of the points")
        xyz = places.astype(dtype)
        for cell in np.flatnonzero(filled)[::7]:
            inside = ((xyz[:, :2] >= low[cell, :2]) & (xyz[:, :2] < high[cell, :2])).all(axis=1)
            if inside.sum() == cells(out, "PointCount")[cell]:
                check(np.allclose(mean[cell], xyz[inside].mean(axis=0, dtype=float), rtol=1e-12),
                      "mean")
                check(np.array_equal(least[cell], xyz[inside].min(axis=0)) and
                      np.array_equal(greatest[cell], xyz[inside].max(axis=0)), "least and greatest")
    tree = sort(data, OutputType=OUTPUTS[1], **settings)
    check(tree.GetCellData().HasArray(names[0]), "of a tree, too")
    order = sort(data, OutputType=OUTPUTS[2], **settings)
    check(not order.GetPointData().HasArray("Coordinates"), "points in order are coordinates")
    check(not sort(data).GetCellData().HasArray(names[0]), "on request only")
    add_array(data.GetPointData(), "Coordinates", np.zeros(20000))
    out = sort(data, "'Coordinates' is left out", **settings)
    check(cells(out, names[0]).shape[1] == 3, "the generated one stays")


def arrays_on_request():
    data = with_arrays(crowd(100))
    off = dict(GenerateLevel=0, GenerateDensity=0, GenerateMeans=0, GenerateExtremes=0)
    for kind in OUTPUTS[:2]:
        out = sort(data, OutputType=kind, **off).GetCellData()
        check([out.GetArrayName(i) for i in range(out.GetNumberOfArrays())] == ["PointCount"], kind)
    out = sort(data, OutputPrecision="Single")
    check(out.GetPoints().GetData().IsA("vtkFloatArray"), "single precision")
    one, two = (sort(data, Threads=n, MaximumPointsPerCell=4) for n in (1, 2))
    check(np.array_equal(cells(one, "value_mean"), cells(two, "value_mean"), equal_nan=True), "bits")


def composites():
    data = vtkMultiBlockDataSet()
    first, second = with_arrays(crowd(500)), with_arrays(crowd(700, 9))
    inner = vtkMultiBlockDataSet()
    inner.SetBlock(0, second)
    inner.SetBlock(1, vtkPolyData())
    data.SetBlock(0, first)
    data.SetBlock(2, inner)
    for kind in OUTPUTS:
        out = sort(data, OutputType=kind)
        check(out.GetBlock(1) is None and out.GetNumberOfBlocks() == 3, "the structure")
        for made, alone in ((out.GetBlock(0), first), (out.GetBlock(2).GetBlock(0), second)):
            expected = sort(alone, OutputType=kind)
            check(made.GetNumberOfCells() == expected.GetNumberOfCells() > 0, kind)
        check(field_value(out, "Input Points").ToLongLong() == 1200, "all points")
    grid = vtkUnstructuredGrid()
    grid.DeepCopy(simple.servermanager.Fetch(simple.AppendDatasets(Input=source_of(first))))
    check(sort(grid).GetNumberOfCells() == sort(first).GetNumberOfCells(), "any point set")


def downstream():
    """Filters that come after it in ParaView."""
    grid = simple.AdaptivePointGrid(Input=source_of(with_arrays(crowd(3000))), Balance="Across Faces")
    threshold = simple.Threshold(Input=grid, Scalars=["CELLS", "PointCount"], LowerThreshold=1,
                                 UpperThreshold=10 ** 6)
    threshold.UpdatePipeline()
    counts = simple.servermanager.Fetch(threshold)
    check(0 < counts.GetNumberOfCells() < simple.servermanager.Fetch(grid).GetNumberOfCells(), "some")
    check(cells(counts, "PointCount").sum() == 3000, "the filled ones have all points")
    at_points = simple.CellDatatoPointData(Input=grid)
    contour = simple.Contour(Input=at_points, ContourBy=["POINTS", "PointCount"], Isosurfaces=[5.5])
    contour.UpdatePipeline()
    check(simple.servermanager.Fetch(contour).GetNumberOfCells() > 10, "a surface")
    tree = simple.AdaptivePointGrid(Input=grid.Input, OutputType=OUTPUTS[1])
    tree.UpdatePipeline()
    geometry = simple.HyperTreeGridToUnstructuredGrid(Input=tree)
    geometry.UpdatePipeline()
    check(simple.servermanager.Fetch(geometry).GetNumberOfCells() > 0, "the tree's cells")
    file = output_file("point_grid.vtu")
    simple.SaveData(file, proxy=grid, DataMode="Ascii")
    read = simple.XMLUnstructuredGridReader(FileName=[file])
    read.UpdatePipeline()
    check(simple.servermanager.Fetch(read).GetNumberOfCells() ==
          simple.servermanager.Fetch(grid).GetNumberOfCells(), "saved and read")
    messages()


main(known_counts, cells_hold_their_points, shapes, the_tree_has_the_leaves, points_in_cell_order,
     spread, terrain, arrays_on_request, composites, downstream)
