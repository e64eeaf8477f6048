# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid beside ParaView's Resample To Image and Resample To Hyper Tree Grid on meshes of other programs.

    PYTHONPATH=testing/paraview/support pvpython bench_foreign_meshes.py

wants TESSERA_PLUGIN_FILE and a folder TESSERA_OUTPUT for the meshes. The image is the coarsest one within the largest
error of the grid at the mesh's points. Its errors are those of values that Adaptive Grid gives it with one size of
cells, also outside the mesh, where Resample To Image gives none. The trees' finest cells are no smaller than the grid's, and divided where the standard
deviation in them is above the tolerance. Each runs with one thread; seconds of the processor, the best of three runs,
for Resample To Image of one.
"""
import glob
import os
import time

os.environ["VTK_SMP_MAX_THREADS"] = "1"
import numpy as np
from foreign_meshes import OTHERS, Cells, errors_of, used_points
from grid_testing import points_of
from tessera_testing import Skipped, all_messages, points, say, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid

TOLERANCE, MOST, DEEPEST = 0.02, 400, 6
FINEST = {"gmsh, graded tetrahedra": 0.01, "pyvista's hexbeam": 0.02, "OpenFOAM, flange": 0.0003,
          "OpenFOAM, its dual": 0.0003, "Exodus, four kinds": 0.04}


def timed(proxy):
    """The output, and seconds of the processor."""
    proxy.UpdatePipeline()
    one, best = proxy.GetClientSideObject(), np.inf
    for _ in range(3):
        one.Modified()
        start = time.process_time()
        one.Update()
        best = min(best, time.process_time() - start)
    return one.GetOutputDataObject(0), best


def grid_of(data, source, finest):
    out, seconds = timed(simple.AdaptiveGrid(
        Input=source, CriteriaArrays=["front"], InterpolationError=TOLERANCE, FinestCell=finest, Balance="None",
        CoarsenLevels=0, HangingNodes="Free", Threads=1))
    return out.GetNumberOfCells(), errors_of(data, out)[0].max(), errors_of(data, out)[2].min(), seconds


def image_of(data, source, error):
    """The coarsest image of cubic cells within the error: cells, its error, seconds of Resample To Image."""
    size = np.ptp(np.reshape(data.GetBounds(), (3, 2)), axis=1)
    uniform = simple.AdaptiveGrid(Input=source, CriteriaArrays=["front"], GridType="Fixed Fine", CoarsenLevels=0,
                                  HangingNodes="Free", MeasureErrors=0)
    longest, off = 4, np.inf
    while off > error and longest < MOST:
        longest = longest + max(longest // 20, 1)
        uniform.FinestCell = size.max() / longest
        uniform.UpdatePipeline()
        off = errors_of(data, uniform.GetClientSideObject().GetOutputDataObject(0))[0].max()
    count = np.maximum(np.ceil(longest * size / size.max() - 1e-9), 1).astype(int)
    proxy = simple.ResampleToImage(Input=source, SamplingDimensions=[int(n) + 1 for n in count])
    start = time.process_time()
    proxy.UpdatePipeline()
    return int(np.prod(count)), off, time.process_time() - start


def trees_of(data, source, finest, tolerance):
    if not hasattr(simple, "ResampleToHyperTreeGrid"):
        with open("/proc/self/maps", encoding="utf-8") as maps:
            folders = {os.path.dirname(line.split()[-1]) for line in maps if "libvtk" in line}
        found = [f for folder in folders for f in glob.glob(f"{folder}/paraview-*/plugins/HyperTreeGridADR/H*ADR.so")]
        if not found:
            return 0, np.nan, np.nan
        simple.LoadPlugin(found[0], remote=False, ns=vars(simple))
    size = np.ptp(np.reshape(data.GetBounds(), (3, 2)), axis=1)
    roots = np.maximum(np.floor(size / finest / 2 ** DEEPEST), 1).astype(int)
    depth = int(np.floor(np.log2((size / roots).max() / finest)))
    group = simple.GroupDatasets(Input=[source])
    group.UpdatePipeline()
    trees, seconds = timed(simple.ResampleToHyperTreeGrid(
        Input=group, SubdividingCriterion="Standard Deviation", UseMax=0, UseMin=1,
        SubdividingCriterionArray=["POINTS", "front"], PointDataArraytoprocess=["front"], Min=tolerance,
        MaxDepth=depth, Dimensions=[int(n) + 1 for n in roots]))
    cells = vtkHyperTreeGridToUnstructuredGrid()
    cells.SetInputData(trees)
    cells.Update()
    out = cells.GetOutput()
    names = [out.GetCellData().GetArrayName(i) for i in range(out.GetCellData().GetNumberOfArrays())]
    values = vtk_to_numpy(out.GetCellData().GetArray([n for n in names if "front" in n][0]))
    corners = points(out).astype(float)[vtk_to_numpy(out.GetCells().GetConnectivityArray()).reshape(-1, 8)]
    at, given = used_points(data)
    errors = Cells(corners.min(axis=1), corners.max(axis=1)).errors(at, given, lambda cell, p: values[cell])
    return out.GetNumberOfCells(), errors[np.isfinite(errors)].max(), seconds


def main():
    say("| mesh | cells in | Adaptive Grid: cells, error, seconds | image: cells, error, seconds | trees: cells, "
        "error, seconds | cells of the image, times as many |\n|---|---|---|---|---|---|")
    for name, make in OTHERS.items():
        try:
            data = make()
        except Skipped as reason:
            say(f"| {name} | skipped: {reason} |")
            continue
        source = source_of(data)
        cells, error, finest, seconds = grid_of(data, source, FINEST[name])
        image, off, image_seconds = image_of(data, source, error)
        trees, tree_error, tree_seconds = trees_of(data, source, finest,
                                                   TOLERANCE * np.ptp(points_of(data, "front")))
        all_messages()
        say(f"| {name} | {data.GetNumberOfCells():,} | {cells:,}, {error:.3f}, {seconds:.3f} | {image:,}, "
            f"{off:.3f}, {image_seconds:.3f} | {trees:,}, {tree_error:.3f}, {tree_seconds:.3f} | {image / cells:.1f} |")


main()
