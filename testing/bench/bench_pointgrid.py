# SPDX-License-Identifier: BSD-3-Clause
"""Building a tree of the same points at the same leaf size: Adaptive Point Grid on one thread beside
vtkOctreePointLocator and, where SciPy is there, cKDTree.

Use: pvpython bench_pointgrid.py [millions of points, 1]; TESSERA_PLUGIN_FILE names the plugin. The
filter's time is that of the whole filter without arrays, its plan's that of the tree alone. Seconds of
the processor, the best of three, so that other programs on the machine matter less.
"""
import os
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkOctreePointLocator, vtkPolyData

if not hasattr(simple, "AdaptivePointGrid"):
    simple.LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=simple.__dict__)


def best(work):
    times = []
    for _ in range(3):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def points_of(places):
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=True))
    data.SetPoints(points)
    return data


def main(millions):
    places = np.random.default_rng(1).random((int(millions * 1e6), 3)).astype(np.float32)
    data = points_of(places)

    def sort():
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(data)
        grid = simple.AdaptivePointGrid(Input=source, Threads=1, Backend="CPU")
        grid.UpdatePipeline()
        grid.UpdatePropertyInformation()
        return grid.PlanSeconds, grid.LeavesOut

    def locate():
        locator = vtkOctreePointLocator()
        locator.SetDataSet(data)
        locator.SetMaximumPointsPerRegion(64)
        locator.BuildLocator()
        return locator.GetNumberOfLeafNodes()

    mine, (plan, leaves) = best(sort)
    rows = [("Adaptive Point Grid, whole filter", mine, leaves),
            ("vtkOctreePointLocator", *best(locate))]
    try:
        from scipy.spatial import cKDTree
        rows.append(("scipy cKDTree", *best(lambda: cKDTree(places, leafsize=64).n)))
    except ImportError:
        print("no SciPy: without cKDTree")
    print(f"{len(places)} points; plan alone {plan:.3f} s by the clock")
    for name, seconds, count in rows:
        print(f"{name:36} {seconds:8.3f} s, {len(places) / seconds * 1e-6:7.2f} million points/s, "
              f"{seconds / mine:6.1f} times ({count:.0f})")


main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
