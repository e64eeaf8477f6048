# SPDX-License-Identifier: BSD-3-Clause
"""The second output of the filters: a table, against what numpy counts in the first one. Made
together with it and once, on process 0 of several."""
import numpy as np
from paraview import servermanager
from tessera_testing import (add_array, cell_values, check, length, lines, main, point_array,
                             polydata, simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet


def table_of(proxy):
    """The table after an update."""
    proxy.UpdatePipeline()
    return columns_of(proxy)


def columns_of(proxy):
    """Column name -> numbers."""
    table = proxy.GetClientSideObject().GetOutputDataObject(1)
    check(table.IsA("vtkTable"), f"{table.GetClassName()} at port 1")
    return {table.GetColumnName(i): vtk_to_numpy(table.GetColumn(i))
            for i in range(table.GetNumberOfColumns())}


def data_of(proxy):
    return proxy.GetClientSideObject().GetOutputDataObject(0)


def executions_of(proxy):
    """How often the filter runs from now on: a list that grows by one each time."""
    runs = []
    proxy.GetClientSideObject().AddObserver("StartEvent", lambda *_: runs.append(1))
    return runs


def wiggles():
    """Lines of 2 to 40 points, one of them closed, and one of a single point."""
    rng = np.random.default_rng(3)
    parts, coordinates = [[0]], [(5, 5, 5)]
    for n in (2, 3, 10, 40):
        parts.append(list(range(len(coordinates), len(coordinates) + n)))
        coordinates.extend(rng.random((n, 3)))
    parts.append(list(range(len(coordinates), len(coordinates) + 8)) + [len(coordinates)])
    angles = np.arange(8) * np.pi / 4
    coordinates.extend(np.stack([np.cos(angles), np.sin(angles), 0 * angles], 1))
    return polydata(coordinates, parts)


def check_classes(table, data):
    """Each class of the table against the polylines of the output."""
    made = [(len(ids) - 1 if len(ids) else 0, len(set(ids))) for ids in lines(data)]
    check(table["Polylines"].sum() == len(made), f"{table['Polylines']} of {len(made)}")
    for row, (low, high) in enumerate(zip(table["Segments From"], table["Segments To"])):
        inside = [one for one in made if low <= one[0] <= high]
        check(table["Polylines"][row] == len(inside), f"row {row}: {table}")
        check(table["Segments"][row] == sum(one[0] for one in inside), f"row {row}: {table}")
        check(table["Points"][row] == sum(one[1] for one in inside), f"row {row}: {table}")
    check(np.isclose(table["Length"].sum(), length(data), rtol=1e-6), f"{table['Length']}")


def curves_by_segments():
    curves = simple.AdaptiveCurves(Input=source_of(wiggles()), Joints="Keep All")
    runs = executions_of(curves)
    curves.UpdatePipeline()
    table, data = table_of(curves), data_of(curves)
    check_classes(table, data)
    check(len(runs) == 1, f"both outputs are made at once, not in {len(runs)} runs")
    curves.ChordError = 0.1
    curves.UpdatePipeline()
    coarse = table_of(curves)
    check(coarse["Points"].sum() < table["Points"].sum(), "the table follows the settings")
    check(len(runs) == 2, f"{len(runs)} runs")


def curves_of_blocks():
    blocks = vtkMultiBlockDataSet()
    for i in range(2):
        blocks.SetBlock(i, wiggles())
    curves = simple.AdaptiveCurves(Input=source_of(blocks), Joints="Keep All")
    curves.UpdatePipeline()
    one = simple.AdaptiveCurves(Input=source_of(wiggles()), Joints="Keep All")
    one.UpdatePipeline()
    for name in ("Polylines", "Points", "Segments", "Length"):
        twice, once = table_of(curves)[name].sum(), table_of(one)[name].sum()
        check(np.isclose(twice, 2 * once, rtol=1e-9), f"{name}: {twice}, {once}")


def grid_by_levels():
    jet = simple.TurbulentJet(Dimensions=[65, 33, 1], TimeSteps=3)
    grid = simple.AdaptiveGrid(Input=jet, HangingNodes="Free", GenerateLevel=1)
    runs = executions_of(grid)
    grid.UpdatePipeline()
    table, data = table_of(grid), data_of(grid)
    levels = cell_values(data, "Level")
    check(list(table["Level"]) == [0, 1, 2, 3], f"{table['Level']}")
    check([np.count_nonzero(levels == k) for k in range(4)] == list(table["Cells"]), f"{table}")
    check(np.allclose(table["Share"], table["Cells"] / data.GetNumberOfCells()), f"{table}")
    check(list(table["Size"]) == [8, 4, 2, 1], f"{table['Size']}")
    saving = 1 - data.GetNumberOfCells() / (64 * 32)
    check(np.allclose(table["Saving"], saving), f"{table['Saving']}, not {saving}")
    fields = data.GetFieldData()
    names = fields.GetAbstractArray("Tessera Error Arrays")
    largest = fields.GetArray("Tessera Largest Errors")
    for i in range(names.GetNumberOfValues()):
        column = table["Largest Error of " + names.GetValue(i)]
        check((column == largest.GetValue(i)).all(), f"{names.GetValue(i)}: {column}")
    check(len(runs) == 1, f"{len(runs)} runs")
    # Another time means another table, whichever output is asked first.
    grid.UpdatePipeline(jet.TimestepValues[-1])
    later = columns_of(grid)
    check(list(later["Cells"]) != list(table["Cells"]), "the table is that of the time step")
    check(len(runs) == 2, f"{len(runs)} runs")


def a_table_alone():
    """Whoever asks for the table first gets the whole one, and the grid with it."""
    jet = simple.TurbulentJet(Dimensions=[65, 33, 1])
    grid = simple.AdaptiveGrid(Input=jet, HangingNodes="Free")
    runs = executions_of(grid)
    passed = simple.PassArrays(Input=servermanager.OutputPort(grid, 1))
    passed.UpdatePipeline()
    count = table_of(grid)["Cells"].sum()
    grid.UpdatePipeline()
    check(data_of(grid).GetNumberOfCells() == count, f"{count} cells")
    check(len(runs) == 1, f"{len(runs)} runs")


def points_by_levels():
    rng = np.random.default_rng(9)
    grid = simple.AdaptivePointGrid(Input=source_of(polydata(rng.random((500, 3)))),
                                    GenerateLevel=1)
    grid.UpdatePipeline()
    table, data = table_of(grid), data_of(grid)
    levels = cell_values(data, "Level")
    counts = [np.count_nonzero(levels == k) for k in range(levels.max() + 1)]
    check(list(table["Cells"]) == counts, f"{table['Cells']}, not {counts}")


def points_to_curves():
    rng = np.random.default_rng(4)
    data = polydata(rng.random((100, 3)))
    add_array(data.GetPointData(), "g", rng.integers(0, 9, 100))
    curves = simple.PointsToCurves(Input=source_of(data), GroupArray="g")
    curves.UpdatePipeline()
    check_classes(table_of(curves), data_of(curves))
    check(point_array(data_of(curves), "g").size == 100, "all points")


def reports_of_what_came_before():
    """A filter's report is its own; other field data come along."""
    jet = simple.TurbulentJet(Dimensions=[17, 9, 9])
    jet.UpdatePipeline()
    image = data_of(jet).NewInstance()
    image.ShallowCopy(data_of(jet))
    add_array(image.GetFieldData(), "day", [7.0])
    grid = simple.AdaptiveGrid(Input=source_of(image), CriteriaArrays=["Temperature"])
    for name, properties in (("AdaptivePointGrid", {}), ("PointsToCurves", {}),
                             ("DiscImage", {"Resolution": [16, 16]})):
        after = getattr(simple, name)(Input=grid, **properties)
        after.UpdatePipeline()
        names = fields_of(data_of(after))
        check("day" in names and "Tessera Saving" not in names, f"{name}: {names}")
        check("Saving" not in after.ReportText, f"the panel of {name}: {after.ReportText}")
        fields = data_of(after).GetFieldData()
        cells = fields.GetAbstractArray("Tessera Cells")
        check(cells is None or cells.GetValue(0) == after.LeavesOut, f"cells of {name}")
    joined = simple.AdaptiveCurves(Input=simple.PointsToCurves(Input=grid, Temporal=0))
    check("Repeats" not in (joined.UpdatePipeline() or joined.ReportText), "nothing of Points To Curves")
    check("day" in fields_of(data_of(joined)), "the field data of curves")


def fields_of(data):
    fields = data.GetFieldData()
    return [fields.GetArrayName(i) for i in range(fields.GetNumberOfArrays())]


def nothing_made():
    """After an error both outputs are empty."""
    curves = simple.AdaptiveCurves(Input=source_of(wiggles()))
    curves.UpdatePipeline()
    check(table_of(curves), "a table")
    curves.ChordError = -1
    check(not table_of(curves), "no table")
    check(data_of(curves).GetNumberOfPoints() == 0, "no curves")


main(curves_by_segments, curves_of_blocks, grid_by_levels, a_table_alone, points_by_levels,
     points_to_curves, reports_of_what_came_before, nothing_made)
