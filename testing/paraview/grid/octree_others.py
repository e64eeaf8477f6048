# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on what other programs write: a forest of p4est, trees of ParaView's Resample To Hyper Tree Grid,
plotfiles of AMReX as ParaView's reader has them, and an octree of yt. The largest errors are as reported and as
found here by brute force, on whole cells; of plotfiles with the cells that yt reads in them."""
import glob
import os
import subprocess

import numpy as np
from foreign_octrees import octree_of_yt, plotfile_of_yt, read_plotfile, write_plotfile
from grid_testing import Boxes, adapt, cells_of, points_of
from octree_testing import Nested, errors_told, nested, sizes_of, worst_at_corners
from tessera_testing import Skipped, add_array, check, field_value, main, output_file, points, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_VOXEL, vtkCellArray, vtkUnstructuredGrid
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

WHOLE = dict(CoarsenLevels=2, ThresholdMode="Absolute")


def worst_in_cells(data, out, name):
    """Largest difference of an input cell's value to that of the output cell around its middle."""
    given = Boxes(data)
    return worst_at((given.low + given.high) / 2, given.arrays[name], out, name)


def worst_at(middle, given, out, name):
    """As worst_in_cells, of cells with these middles and values. A cell that balance divided has its middle at the
    corners of its parts, which have its value."""
    made = Boxes(out)
    worst, seen = 0.0, np.zeros(len(middle), bool)
    for low, high, value in zip(made.low, made.high, made.arrays[name]):
        inside = np.all((middle >= low) & (middle <= high), axis=1)
        worst = max(worst, np.abs(given[inside] - value).max(initial=0.0))
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


def resampled():
    """Resample To Hyper Tree Grid of Wavelet, divided where the deviation is above 8."""
    wavelet = simple.Wavelet(WholeExtent=[-16, 16, -16, 16, -16, 16])
    settings = dict(SubdividingCriterionArray=["POINTS", "RTData"], MaxDepth=4, Dimensions=[3, 3, 3])
    group, filter_of = simple.GroupDatasets(Input=[wavelet]), simple.ResampleToHyperTreeGrid
    group.UpdatePipeline()
    if "SubdividingCriterion" not in filter_of(Input=group).ListProperties():
        return filter_of(Input=wavelet, SubdividingCriterionMethod="StandardDeviation",  # from ParaView 6 on
                         InterpolatingMethod="ArithmeticMean", ThresholdFunction="Above Upper Threshold",
                         UpperThreshold=8.0, **settings)
    # The filter of 5.11 takes images in composite datasets alone.
    return filter_of(Input=group, SubdividingCriterion="Standard Deviation", UseMax=0, UseMin=1, Min=8.0,
                     PointDataArraytoprocess=["RTData"], **settings)


def trees_of_resampling():
    plugin_of_trees()
    trees = resampled()
    trees.UpdatePipeline()
    grid = trees.GetClientSideObject().GetOutputDataObject(0)
    check(grid.IsA("vtkHyperTreeGrid") and grid.GetNumberOfLevels() > 3, f"{grid.GetClassName()}")
    name = "RTData_measure"
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


def front(at):
    """A sphere's front."""
    return np.tanh(8 * (np.linalg.norm(at - [0.45, 0.5, 0.55], axis=1) - 0.3))


PLOTFILES = {"one_box": nested(1, cells=12), "two_levels": nested(2), "ratio_4": nested(2, cells=8, ratios=[4]),
             "ratios_2_and_4": nested(3, cells=8, ratios=[2, 4], origin=(-1.0, 0.25, 7.0)),
             "not_cubes": Nested([12, 8, 4], [[[(4, 16), (2, 12), (0, 8)]]])}


def is_bounded(title, out, middle, value, name, error):
    """Values that are computed here, not read, may differ from those in the input by rounding."""
    told, worst = errors_told(out), worst_at(middle, value, out, name)
    check(abs(told[name] - worst) < 1e-9 and worst <= error + 1e-12, f"{title}, error {error}: {told}, found {worst}")


def plotfiles_of_amrex():
    """Written here as AMReX does, read by ParaView."""
    for title, shape in PLOTFILES.items():
        low, high = shape.corners(shape.leaves())
        middle = (low + high) / 2
        value = front(middle - shape.origin)
        data = read_plotfile(write_plotfile("plotfile_" + title, shape, lambda at: front(at - shape.origin)))
        for error in (0.1, 0.4):
            out = adapt(data, InterpolationError=error, CriteriaArrays=["f"], **WHOLE)
            n = field_value(out, "Input Cells").ToLongLong()
            check(n == len(middle), f"{title}: {n} cells of {len(middle)}")
            check(abs(sizes_of(out).sum() / shape.volume() - 1) < 1e-6, f"{title}: volume {sizes_of(out).sum()}")
            is_bounded(title, out, middle, value, "f", error)


def plotfiles_as_yt_reads_them():
    for title, shape in PLOTFILES.items():
        path = write_plotfile("plotfile_" + title, shape, lambda at: front(at - shape.origin))
        middle, width, value = plotfile_of_yt(path)
        data = read_plotfile(path)
        fine = adapt(data, GridType="Fixed Fine", CoarsenLevels=0, Balance="None")
        made = Boxes(fine)
        check(len(made.low) == len(middle), f"{title}: {len(made.low)} cells, and {len(middle)} of yt")
        ours, theirs = (np.lexsort(np.round(at, 6).T) for at in ((made.low + made.high) / 2, middle))
        check(np.allclose(made.low[ours], (middle - width / 2)[theirs], atol=1e-6) and
              np.allclose(made.high[ours], (middle + width / 2)[theirs], atol=1e-6), f"{title}: the boxes")
        check(np.array_equal(made.arrays["f"][ours], value[theirs]), f"{title}: the values")
        for error in (0.1, 0.4):
            out = adapt(data, InterpolationError=error, CriteriaArrays=["f"], **WHOLE)
            is_bounded(title, out, middle, value, "f", error)


def octrees_of_yt():
    """What yt sorts particles into, as voxels that share no points."""
    for most in (60, 20):
        low, high = octree_of_yt(most)
        check(abs((high - low).prod(axis=1).sum() - 1) < 1e-12, f"{most}: volume")
        levels = len(np.unique(np.round(high - low, 9)))
        check(levels > 1, f"{most}: {levels} levels")
        middle = (low + high) / 2
        data = voxels(low, high, front(middle))
        fine = adapt(data, GridType="Fixed Fine", CoarsenLevels=0, Balance="None")
        check(fine.GetNumberOfCells() == len(low), f"{most}: {fine.GetNumberOfCells()} cells of {len(low)}")
        for error in (0.3, 1.2):
            out = adapt(data, InterpolationError=error, CriteriaArrays=["f"], **WHOLE)
            check(error < 1 or out.GetNumberOfCells() < len(low), f"{most}: {out.GetNumberOfCells()} cells")
            check(abs(sizes_of(out).sum() - 1) < 1e-6, f"{most}, error {error}: volume {sizes_of(out).sum()}")
            is_bounded(f"{most}", out, middle, front(middle), "f", error)


def voxels(low, high, value):
    bits = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], bool)
    at = np.where(bits, high[:, None], low[:, None]).reshape(-1, 3)
    data, holder, cells = vtkUnstructuredGrid(), vtkPoints(), vtkCellArray()
    holder.SetData(numpy_to_vtk(at, deep=True))
    data.SetPoints(holder)
    cells.SetData(8, numpy_to_vtkIdTypeArray(np.arange(len(at), dtype=np.int64), deep=True))
    data.SetCells(VTK_VOXEL, cells)
    add_array(data.GetCellData(), "f", value)
    return data


main(forests_of_p4est, trees_of_resampling, plotfiles_of_amrex, plotfiles_as_yt_reads_them, octrees_of_yt)
