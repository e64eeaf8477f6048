# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on what other programs write: a forest of p4est, and trees of ParaView's Resample To Hyper Tree
Grid. The largest errors are as reported and as found here by brute force, on whole cells."""
import glob
import os
import subprocess

import numpy as np
from grid_testing import Boxes, adapt, cells_of, points_of
from octree_testing import errors_told, sizes_of, worst_at_corners
from tessera_testing import Skipped, check, main, output_file, points, simple
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

WHOLE = dict(CoarsenLevels=2, ThresholdMode="Absolute")


def worst_in_cells(data, out, name):
    """Largest difference of an input cell's value to that of the output cell around its middle. A cell that
    balance divided has its middle at the corners of its parts, which have its value."""
    given, made = Boxes(data), Boxes(out)
    middle = (given.low + given.high) / 2
    worst, seen = 0.0, np.zeros(len(middle), bool)
    for low, high, value in zip(made.low, made.high, made.arrays[name]):
        inside = np.all((middle >= low) & (middle <= high), axis=1)
        worst = max(worst, np.abs(given.arrays[name][inside] - value).max(initial=0.0))
        seen |= inside
    check(np.all(seen), f"{seen.sum()} of {len(middle)} cells of the input lie in cells of the output")
    return worst


def forest(program, balanced):
    path = os.environ.get(f"TESSERA_FOREST_{program}")
    if not path:
        raise Skipped("p4est is not there (Debian's libp4est-dev)")
    name = output_file(f"forest_{program}_{balanced}")
    subprocess.run([path, name, str(int(balanced))], check=True, stdout=subprocess.DEVNULL)
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(f"{name}_0000.vtu")
    reader.Update()
    return reader.GetOutput()


def forests_of_p4est():
    """Two trees, unit squares or cubes, side by side."""
    for program in ("2D", "3D"):
        for balanced in (False, True):
            data, what = forest(program, balanced), f"{program}, balanced {balanced}"
            boxes = Boxes(data)
            levels = set(cells_of(data, "level"))
            check(len(levels) >= 3, f"{what}: levels {levels}")
            fine = adapt(data, GridType="Fixed Fine", Balance="None", CoarsenLevels=0)
            check(fine.GetNumberOfCells() == data.GetNumberOfCells(), f"{what}: all cells")
            ids = np.array([[data.GetCell(c).GetPointId(k) for k in range(data.GetCell(c).GetNumberOfPoints())]
                            for c in range(data.GetNumberOfCells())])
            for error in (0.02, 0.1):
                out = adapt(data, InterpolationError=error, CriteriaArrays=["POINTS", "distance_p"], **WHOLE)
                check(out.GetNumberOfCells() < data.GetNumberOfCells(), f"{what}: coarser")
                check(abs(sizes_of(out).sum() - 2) < 1e-6, f"{what}: volume {sizes_of(out).sum()}")
                told = errors_told(out)
                worst = worst_at_corners(out, boxes.low, boxes.high, ids, points(data),
                                         points_of(data, "distance_p"), "distance_p")
                check(abs(told["distance_p"] - worst) < 1e-9 and worst <= error, f"{what}: {told}, found {worst}")
                out = adapt(data, InterpolationError=error, CriteriaArrays=["CELLS", "distance_c"], **WHOLE)
                told, worst = errors_told(out), worst_in_cells(data, out, "distance_c")
                check(abs(told["distance_c"] - worst) < 1e-6 and worst <= error, f"{what}: {told}, found {worst}")


def plugin_of_trees():
    """ParaView's plugins lie beside its libraries."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        folders = {os.path.dirname(line.split()[-1]) for line in maps if "libvtk" in line}
    found = [f for folder in folders for f in glob.glob(f"{folder}/paraview-*/plugins/HyperTreeGridADR/*ADR.so")
             if not os.path.basename(f).startswith("lib")]
    if not found:
        raise Skipped("this ParaView has no plugin HyperTreeGridADR")
    simple.LoadPlugin(found[0], remote=False, ns=simple.__dict__)


def trees_of_resampling():
    """Resample To Hyper Tree Grid of Wavelet. Its filter takes images in composite datasets alone."""
    plugin_of_trees()
    group = simple.GroupDatasets(Input=[simple.Wavelet(WholeExtent=[-16, 16, -16, 16, -16, 16])])
    group.UpdatePipeline()
    trees = simple.ResampleToHyperTreeGrid(
        Input=group, SubdividingCriterion="Standard Deviation", UseMax=0, UseMin=1,
        SubdividingCriterionArray=["POINTS", "RTData"], PointDataArraytoprocess=["RTData"], Min=8.0, MaxDepth=4,
        Dimensions=[3, 3, 3])
    trees.UpdatePipeline()
    grid = trees.GetClientSideObject().GetOutputDataObject(0)
    check(grid.IsA("vtkHyperTreeGrid") and grid.GetNumberOfLevels() > 3, f"{grid.GetClassName()}")
    name = [grid.GetCellData().GetArrayName(i) for i in range(grid.GetCellData().GetNumberOfArrays())
            if grid.GetCellData().GetArrayName(i) != "vtkGhostType"][0]
    data = as_cells(grid)
    values = cells_of(data, name)
    check(values.max() - values.min() > 10, f"{name}: {values.min()} to {values.max()}")
    for error in (4.0, 10.0):
        out = adapt(grid, InterpolationError=error, CriteriaArrays=[name], **WHOLE)
        check(out.GetNumberOfCells() < data.GetNumberOfCells(),
              f"error {error}: {out.GetNumberOfCells()} cells of {data.GetNumberOfCells()}")
        check(abs(sizes_of(out).sum() / 32 ** 3 - 1) < 1e-6, f"volume {sizes_of(out).sum()}")
        told, worst = errors_told(out), worst_in_cells(data, out, name)
        check(abs(told[name] - worst) < 1e-9 and worst <= error, f"{told}, found {worst}")


def as_cells(grid):
    """Leaves of trees as an unstructured grid, by VTK's filter."""
    cells = vtkHyperTreeGridToUnstructuredGrid()
    cells.SetInputData(grid)
    cells.Update()
    return cells.GetOutput()


main(forests_of_p4est, trees_of_resampling)
