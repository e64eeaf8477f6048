# SPDX-License-Identifier: BSD-3-Clause
"""Before Apply: an estimate is what then comes out, with the settings that the panel shows; an output
above the limit is refused, and the tolerance that the message names fits. Presets and the report as
text."""
import re
import resource
import time

from tessera_testing import check, field_value, main, messages, simple

MIB = 1024  # KiB


def runs_of(proxy):
    runs = []
    proxy.GetClientSideObject().AddObserver("StartEvent", lambda *_: runs.append(1))
    return runs


def text_of(proxy, name="EstimateText"):
    return proxy.SMProxy.GetProperty(name).GetElement(0)


def estimate(proxy):
    messages()
    proxy.SMProxy.InvokeCommand("Estimate")
    said = messages()
    check(said == "", said)
    return text_of(proxy)


def count_in(text, items):
    found = re.match(rf"([\d,]+) {items}, about ", text)
    check(found, text)
    return int(found.group(1).replace(",", ""))


def bytes_in(text):
    found = re.search(r"about ([\d.]+) (KiB|MiB)", text)
    check(found, text)
    return float(found.group(1)) * {"KiB": 1, "MiB": MIB}[found.group(2)]


def output_of(proxy):
    messages()
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(0), messages()


def curves_of(**properties):
    source = simple.RandomBezierCurves(NumberOfCurves=500)
    return simple.AdaptiveCurves(Input=source, UseFieldError=0, **properties)


def grid_of(**properties):
    jet = simple.TurbulentJet(Dimensions=[65, 33, 33])
    return simple.AdaptiveGrid(Input=jet, CriteriaArrays=["Temperature"], **properties)


def cells_of(**properties):
    mesh = simple.UnstructuredCellTypes(CellType="Lagrange Hexahedron", CellOrder=3, BlocksDimensions=[9, 9, 9])
    return simple.AdaptiveCells(Input=mesh, **properties)


def points_of(filter_of, count):
    """A maker of one of the filters of points."""
    return lambda **properties: filter_of(Input=simple.RandomDiscs(NumberOfDiscs=count), **properties)


point_grid_of, tracks_of = points_of(simple.AdaptivePointGrid, 60000), points_of(simple.PointsToCurves, 60000)
image_of = points_of(simple.DiscImage, 600)  # the size of an image does not depend on what is drawn


def estimates_are_what_comes_out():
    for make, items, count in ((curves_of, "points", "GetNumberOfPoints"),
                               (grid_of, "cells", "GetNumberOfCells"),
                               (cells_of, "points", "GetNumberOfPoints"),
                               (point_grid_of, "cells", "GetNumberOfCells"),
                               (tracks_of, "points", "GetNumberOfPoints"),
                               (image_of, "pixels", "GetNumberOfPoints")):
        proxy = make()
        runs = runs_of(proxy)
        text = estimate(proxy)
        check(not runs, "an estimate does not run the filter")
        data, said = output_of(proxy)
        check(said == "", said)
        check(count_in(text, items) == getattr(data, count)(), f"{text}: {getattr(data, count)()}")
        size = data.GetActualMemorySize()
        check(0.4 * size < bytes_in(text) < 2.0 * size, f"{text}: {size} KiB")
        check(text_of(proxy) == text, f"after Apply: {text_of(proxy)}")
        estimate(proxy)
        check(len(runs) == 1, "nor does it make it run again")


def estimates_of_all_kinds_of_grids():
    """Estimates name the visible cells: the report's Cells Out."""
    for properties in (dict(OutputType="Hyper Tree Grid"), dict(OutputType="Overlapping AMR"),
                       dict(HangingNodes="Free"), dict(HangingNodes="Conforming"),
                       dict(GridType="Fixed Fine"), dict(GridType="Fixed Coarse"),
                       dict(GridType="Fixed Fine", OutputType="Overlapping AMR"),
                       dict(GridType="Fixed Fine", OutputType="Hyper Tree Grid", RefineLevels=1)):
        grid = grid_of(**properties)
        text = estimate(grid)
        data, said = output_of(grid)
        check(said == "", said)
        grid.UpdatePropertyInformation()
        check(count_in(text, "cells") == grid.CellsOut, f"{properties}: {text}: {grid.CellsOut}")
        size = data.GetActualMemorySize()
        check(size < 100 or 0.4 * size < bytes_in(text) < 2.5 * size,  # the report is small, too
              f"{properties}: {text}: {size} KiB")


def fixed_fine_is_counted_by_arithmetic():
    """At most the time of a plan of a thousandth of its cells."""
    seconds = []
    for levels in (1, 4):
        grid = grid_of(GridType="Fixed Fine", RefineLevels=levels, LargestOutput=10 ** 9)
        start = time.process_time()
        text = estimate(grid)
        seconds.append(time.process_time() - start)
        check(count_in(text, "cells") == 64 * 32 * 32 * 8 ** levels, text)
    check(seconds[1] < 3 * seconds[0] + 0.3, f"{seconds}")


def budgets_bound_what_comes_out():
    for properties in (dict(OutputType="Hyper Tree Grid"), dict(OutputType="Overlapping AMR"),
                       dict(HangingNodes="Free"), dict(HangingNodes="Conforming")):
        for budget in (5000, 20000):
            grid = grid_of(CellBudget=budget, InterpolationError=1e-4, **properties)
            data, said = output_of(grid)
            check(said == "", said)
            grid.UpdatePropertyInformation()
            check(0.5 * budget < grid.CellsOut <= budget, f"{properties}: {grid.CellsOut}")


def what_the_panel_shows():
    """A number that is typed and not applied counts, and stays unapplied."""
    curves = curves_of()
    curves.UpdatePipeline()
    curves.SMProxy.GetProperty("ChordError").SetUncheckedElement(0, 1e-5)
    fine = count_in(estimate(curves), "points")
    check(curves.ChordError == 0.001, f"{curves.ChordError}")
    data, _ = output_of(curves_of(ChordError=1e-5))
    check(fine == data.GetNumberOfPoints(), f"{fine}, not {data.GetNumberOfPoints()}")


def refusal(proxy):
    data, said = output_of(proxy)
    check(data.GetNumberOfPoints() == 0, "nothing is made")
    check(said.count("Nothing was made") == 1 and "more than the 1.0 MiB of Largest Output" in said,
          said)
    text = estimate(proxy)
    check(text.startswith("Nothing would be made: the output would take "), text)
    return said


def named(said, name):
    found = re.search(rf"it would fit with .*?{name} ([\d.e+-]+\d)", said)
    check(found, said)
    return float(found.group(1))


def curves_that_are_too_large():
    said = refusal(curves_of(ChordError=1e-8, LargestOutput=1))
    fits = named(said, "Chord Error")
    data, said = output_of(curves_of(ChordError=fits, LargestOutput=1))
    check(said == "", said)
    check(0.4 * MIB < data.GetActualMemorySize() < 1.3 * MIB, f"{data.GetActualMemorySize()} KiB")
    check("set Point Budget to" in refusal(curves_of(PointBudget=10 ** 6, ChordError=1e-9,
                                                      LargestOutput=1)), "the budget is named")


def curved_cells_that_are_too_large():
    """Once the points are counted, the message names how many of them fit."""
    fine = dict(FieldError=1e-5, LargestOutput=1)
    check("or set Point Budget, or allow more" in refusal(cells_of(**fine)), "points that are not counted")
    said = refusal(cells_of(PointBudget=50000, **fine))
    fits = re.search(r"set Point Budget to (\d+), or allow more", said)
    check(fits, said)
    data, said = output_of(cells_of(PointBudget=int(fits.group(1)), **fine))
    check(said == "", said)
    check(0.2 * MIB < data.GetActualMemorySize() < 1.3 * MIB, f"{data.GetActualMemorySize()} KiB")


def grids_that_are_too_large():
    said = refusal(grid_of(InterpolationError=1e-6, LargestOutput=1))
    fits = named(said, "Interpolation Error")
    data, said = output_of(grid_of(InterpolationError=fits, LargestOutput=1))
    check(said == "", said)
    check(data.GetNumberOfCells() > 500, f"{data.GetNumberOfCells()} cells")
    check("take fewer Refine Levels" in refusal(grid_of(GridType="Fixed Fine", RefineLevels=1,
                                                         LargestOutput=1)), "fixed grids")
    check("set Cell Budget to" in refusal(grid_of(CellBudget=10 ** 6, InterpolationError=1e-6,
                                                   LargestOutput=1)), "the budget is named")


def points_that_are_too_large():
    check("take a lower Maximum Level" in refusal(point_grid_of(MaximumPointsPerCell=1,
                                                                LargestOutput=1)), "cells of points")
    check("take fewer points" in refusal(tracks_of(LargestOutput=1)), "tracks")
    check("take a lower Resolution" in refusal(image_of(LargestOutput=1)), "images")


def an_image_of_gigabytes():
    """Neither an estimate nor a refusal draws: 16 GiB of pixels take no time and no memory."""
    huge = image_of(Resolution=[65536, 65536], LargestOutput=15000)
    started, peak = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = estimate(huge)
    check("the output would take 16.0 GiB (4,294,967,296 pixels)" in text, text)
    _, said = output_of(huge)
    check("more than the 14.6 GiB of Largest Output: take a lower Resolution" in said, said)
    check(time.process_time() - started < 5.0, "it takes no time")
    check(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 100 * MIB, "nor memory")


def presets():
    curves, cells = curves_of(), cells_of()
    for proxy, items in ((curves, "points"), (grid_of(), "cells"), (cells, "points")):
        counts = []
        for name in ("Draft", "Balanced", "Fine"):
            proxy.SMProxy.InvokeCommand(name)
            counts.append(count_in(estimate(proxy), items))
        check(counts[0] < counts[1] < counts[2], f"{items}: {counts}")
    for proxy, fresh in ((curves, simple.AdaptiveCurves()), (cells, simple.AdaptiveCells())):
        proxy.SMProxy.InvokeCommand("Balanced")
        for name in ("ChordError", "ChordErrorMode", "FieldError", "FieldErrorMode", "UseFieldError"):
            check(getattr(proxy, name) == getattr(fresh, name), f"Balanced is the default: {name}")


def the_report_as_text():
    grid = grid_of()
    check(text_of(grid, "ReportText") == "-", "before it runs")
    data, _ = output_of(grid)
    lines = dict(line.split(": ", 1) for line in text_of(grid, "ReportText").split("\n"))
    check(int(lines["Cells"]) == data.GetNumberOfCells(), f"{lines}")
    for name in ("Backend", "Saving", "Balance"):
        check(lines[name] == field_value(data, name).ToString(), f"{name}: {lines[name]}")


main(estimates_are_what_comes_out, estimates_of_all_kinds_of_grids, fixed_fine_is_counted_by_arithmetic,
     budgets_bound_what_comes_out, what_the_panel_shows, curves_that_are_too_large, curved_cells_that_are_too_large,
     grids_that_are_too_large,
     points_that_are_too_large, an_image_of_gigabytes, presets, the_report_as_text)
