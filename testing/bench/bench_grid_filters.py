# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid beside ParaView's own Resample To Hyper Tree Grid, in one run on one thread.

Use: pvbatch bench_grid_filters.py FILE [--plugin FILE] [--peer FILE] [--runs N]
FILE: an image with point vectors, such as carotid.vtk. The plugin comes from PV_PLUGIN_PATH where
--plugin is not given; --peer is ParaView's HyperTreeGridADR plugin.

Both refine where the standard deviation of the vectors' magnitude in a cell is above a fiftieth of
its range, with trees of the same depth, and give a hyper tree grid. They run in turn, so that what
else the machine does hits all alike, and each twice, since what a filter frees slows down the next
allocations; a ratio is that of the shortest times. What is counted is Update() with the input
ready.
"""
import argparse
import math
import os
import sys
import time

os.environ["VTK_SMP_MAX_THREADS"] = "1"
from paraview import simple
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid

PEER = "/usr/lib/x86_64-linux-gnu/paraview-5.11/plugins/HyperTreeGridADR/HyperTreeGridADR.so"


def magnitudes(path):
    """A source of the image with the magnitude of its vectors as the only array."""
    reader = simple.LegacyVTKReader(FileNames=[path])
    reader.UpdatePipeline()
    vectors = next(array.GetName() for array in reader.PointData if
                   array.GetNumberOfComponents() == 3)
    speed = simple.Calculator(Input=reader, ResultArrayName="speed", Function=f"mag({vectors})")
    only = simple.PassArrays(Input=speed, PointDataArrays=["speed"], CellDataArrays=[])
    only.UpdatePipeline()
    return only


def peer_filter(image, depth, threshold):
    """ParaView's filter refuses an image that is not in a composite dataset."""
    extent = image.GetDataInformation().GetExtent()
    trees = [math.ceil((b - a) / 2 ** depth) for a, b in zip(extent[::2], extent[1::2])]
    group = simple.GroupDatasets(Input=[image])
    group.UpdatePipeline()
    return simple.ResampleToHyperTreeGrid(
        Input=group, SubdividingCriterion="Standard Deviation", UseMax=0, UseMin=1,
        SubdividingCriterionArray=["POINTS", "speed"], PointDataArraytoprocess=["speed"],
        Min=threshold, MaxDepth=depth, Dimensions=[n + 1 for n in trees])


def our_filter(image, depth, threshold, **properties):
    return simple.AdaptiveGrid(Input=image, OutputType="Hyper Tree Grid", CoarsenLevels=depth,
                               Balance="None", ThresholdMode="Absolute", UseInterpolationError=0,
                               UseStandardDeviation=1, StandardDeviation=threshold, Backend="CPU",
                               Threads=1, **properties)


def timed(vtk_filter):
    """Seconds of one Update."""
    vtk_filter.Modified()
    start = time.perf_counter()
    vtk_filter.Update()
    return time.perf_counter() - start


def seen_leaves(vtk_filter):
    """The leaves that came out, without those that are masked."""
    cells = vtkHyperTreeGridToUnstructuredGrid()
    cells.SetInputData(vtk_filter.GetOutputDataObject(0))
    cells.Update()
    return cells.GetOutput().GetNumberOfCells()


def compare(title, proxies, runs):
    """The first is the rival that the others are measured against."""
    filters = {}
    for name, proxy in proxies.items():
        proxy.UpdatePipeline()
        filters[name] = proxy.GetClientSideObject()
    best = {name: math.inf for name in filters}
    for _ in range(runs):
        for name, vtk_filter in filters.items():
            for _ in range(2):
                best[name] = min(best[name], timed(vtk_filter))
    print(title)
    rival = next(iter(best))
    for name, seconds in best.items():
        print(f"  {name:32s} {seen_leaves(filters[name]):8d} leaves {1e3 * seconds:9.3f} ms "
              f"{best[rival] / seconds:8.1f} times {rival}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--plugin")
    parser.add_argument("--peer", default=PEER)
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    for plugin in filter(None, (arguments.plugin, arguments.peer)):
        simple.LoadPlugin(plugin, remote=False, ns=vars(simple))
    if not hasattr(simple, "AdaptiveGrid"):
        print("the plugin is not loaded: give --plugin, or set PV_PLUGIN_PATH")
        return 1
    image = magnitudes(arguments.file)
    low, high = image.PointData["speed"].GetRange()
    threshold = (high - low) / 50
    for depth in (2, 3, 4):
        compare(f"trees of depth {depth}, standard deviation above {threshold:.4g}",
                {"Resample To Hyper Tree Grid": peer_filter(image, depth, threshold),
                 "Adaptive Grid": our_filter(image, depth, threshold, MeasureErrors=0),
                 "Adaptive Grid, errors measured": our_filter(image, depth, threshold)},
                arguments.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
