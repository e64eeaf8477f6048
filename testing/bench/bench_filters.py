# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves beside the filters that a user would otherwise apply, in one run.

Use: pvbatch bench_filters.py [--plugin FILE] [--runs N]
(the plugin from PV_PLUGIN_PATH where --plugin is not given; default 7 runs)

Each round runs every filter once, one after the other, so that what else the machine does
hits all alike; a ratio is the median over the rounds. What is counted is the time of Update() with
the input ready: reading, copying arrays, allocation and building cells included.
"""
import argparse
import statistics
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util import numpy_support
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_QUADRATIC_EDGE, vtkCellArray, vtkPolyData,
                                           vtkUnstructuredGrid)
from vtkmodules.vtkFiltersGeneral import vtkSplineFilter, vtkTessellatorFilter

CURVES = 20000
CHORD_ERROR = 1e-3


def cells_of(points_per_cell):
    ids = np.arange(CURVES * points_per_cell, dtype=np.int64)
    offsets = np.arange(CURVES + 1, dtype=np.int64) * points_per_cell
    cells = vtkCellArray()
    cells.SetData(numpy_support.numpy_to_vtkIdTypeArray(offsets, deep=1),
                  numpy_support.numpy_to_vtkIdTypeArray(ids, deep=1))
    return cells


def random_points(rng, points_per_cell):
    points = vtkPoints()
    xyz = rng.random((CURVES * points_per_cell, 3), dtype=np.float32)
    points.SetData(numpy_support.numpy_to_vtk(xyz, deep=1))
    return points


def polylines():
    """20,000 polylines of 8 random points with one float array."""
    rng = np.random.default_rng(1)
    data = vtkPolyData()
    data.SetPoints(random_points(rng, 8))
    data.SetLines(cells_of(8))
    values = numpy_support.numpy_to_vtk(rng.random(CURVES * 8, dtype=np.float32), deep=1)
    values.SetName("value")
    data.GetPointData().AddArray(values)
    return data


def quadratic_edges():
    """20,000 random quadratic edges."""
    data = vtkUnstructuredGrid()
    data.SetPoints(random_points(np.random.default_rng(2), 3))
    data.SetCells(VTK_QUADRATIC_EDGE, cells_of(3))
    return data


def spline_filter(data):
    spline = vtkSplineFilter()
    spline.SetInputData(data)
    spline.SetSubdivideToSpecified()
    spline.SetNumberOfSubdivisions(128)
    return spline


def tessellator_filter(data):
    tessellator = vtkTessellatorFilter()
    tessellator.SetInputData(data)
    tessellator.SetOutputDimension(1)
    tessellator.SetChordError(CHORD_ERROR)
    tessellator.SetMaximumNumberOfSubdivisions(10)
    return tessellator


def adaptive_curves(data, threads, **properties):
    """The VTK filter behind a proxy of ours, on the CPU."""
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    proxy = simple.AdaptiveCurves(Input=producer, Backend="CPU", Threads=threads, **properties)
    proxy.UpdateVTKObjects()
    return proxy.GetClientSideObject()


def timed(vtk_filter):
    """Seconds of one Update, and the points that came out."""
    vtk_filter.Modified()
    start = time.perf_counter()
    vtk_filter.Update()
    seconds = time.perf_counter() - start
    return seconds, vtk_filter.GetOutputDataObject(0).GetNumberOfPoints()


def copy_bandwidth(size):
    """Bytes a second of a plain copy of `size` bytes between touched memory."""
    source = np.ones(size, dtype=np.uint8)
    target = np.full(size, 2, dtype=np.uint8)
    start = time.perf_counter()
    np.copyto(target, source)
    return size / (time.perf_counter() - start)


def compare(title, filters, bytes_per_point, runs):
    """Runs all filters in turn; the first is the rival that the others are measured against."""
    rates = {name: [] for name in filters}
    points = {}
    copies = []
    for vtk_filter in filters.values():
        timed(vtk_filter)
    for _ in range(runs):
        for name, vtk_filter in filters.items():
            seconds, points[name] = timed(vtk_filter)
            rates[name].append(points[name] / seconds)
        copies.append(copy_bandwidth(64 << 20))
    rival = next(iter(filters))
    print(f"{title}; plain copy {statistics.median(copies) / 1e9:.1f} GB/s")
    for name in filters:
        rate = statistics.median(rates[name])
        ratio = statistics.median(a / b for a, b in zip(rates[name], rates[rival]))
        share = statistics.median(a * bytes_per_point / b for a, b in zip(rates[name], copies))
        print(f"  {name:32s} {points[name]:9d} points {rate / 1e6:8.2f} M points/s  "
              f"{ratio:6.1f} times {rival}  {rate * bytes_per_point / 1e9:6.2f} GB/s "
              f"({100 * share:.0f} % of the copy)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    if arguments.plugin:
        simple.LoadPlugin(arguments.plugin, remote=False, ns=vars(simple))
    if not hasattr(simple, "AdaptiveCurves"):
        print("the plugin is not loaded: give --plugin, or set PV_PLUGIN_PATH")
        return 1

    lines = polylines()
    uniform = {"UseChordError": 0, "UseFieldError": 0, "Sampling": 0, "UseCurvatureFactor": 1,
               "MinimumPoints": 19, "MaximumPoints": 19}  # 7 spans of 18 pieces: 126, beside the rival's 128
    compare("20,000 polylines of 8 points, one float array, uniform",
            {"vtkSplineFilter": spline_filter(lines),
             "AdaptiveCurves, 1 thread": adaptive_curves(lines, 1, **uniform),
             "AdaptiveCurves, 2 threads": adaptive_curves(lines, 2, **uniform)},
            12 + 4 + 8, arguments.runs)

    edges = quadratic_edges()
    exact = {"ChordError": CHORD_ERROR, "ChordErrorMode": 0, "Joints": 0, "UseFieldError": 0}
    compare(f"20,000 quadratic edges, chord error {CHORD_ERROR}",
            {"vtkTessellatorFilter": tessellator_filter(edges),
             "AdaptiveCurves uniform, 1 thread": adaptive_curves(edges, 1, Sampling=0, **exact),
             "AdaptiveCurves bisection, 1": adaptive_curves(edges, 1, Sampling=1, **exact),
             "AdaptiveCurves bisection, 2": adaptive_curves(edges, 2, Sampling=1, **exact)},
            12 + 8, arguments.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
