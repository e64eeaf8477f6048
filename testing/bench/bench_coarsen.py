# SPDX-License-Identifier: BSD-3-Clause
"""Joints of Adaptive Curves beside other programs that thin out polylines, in one run at the same
tolerance: vtkDecimatePolylineFilter and, where Python has them, `simplification` and `shapely`.

Use: pvpython bench_coarsen.py [--plugin FILE] [--runs N] [--points N] [--packages FOLDER]
(default 5 runs, 200,000 points; FOLDER: site-packages of a Python of the same version)

Processor time of this process, with one thread, from what each program takes as its input to what it
gives; the median of the runs, which take turns. Beside it the points that stay, and the largest
distance of an input point from the segment that stands for it.
"""
import argparse
import statistics
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkDecimatePolylineFilter


def smooth(n):
    """A random curve in the plane that bends a little at each step of length 1."""
    angle = np.cumsum(0.1 * (np.random.default_rng(1).random(n) - 0.5))
    return np.cumsum(np.column_stack((np.cos(angle), np.sin(angle))), axis=0)


def wave(n):
    x = 0.01 * np.arange(n)
    return np.column_stack((x, np.sin(x)))


def polydata(xy):
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.column_stack((xy, np.zeros(len(xy)))), deep=1))
    lines = vtkCellArray()
    lines.SetData(numpy_to_vtkIdTypeArray(np.array([0, len(xy)], np.int64), deep=1),
                  numpy_to_vtkIdTypeArray(np.arange(len(xy), dtype=np.int64), deep=1))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetLines(lines)
    return data


def seconds_of(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def first_line(data):
    ids = vtk_to_numpy(data.GetLines().GetConnectivityArray())
    return vtk_to_numpy(data.GetPoints().GetData())[ids, :2]


def adaptive_curves(data, error):
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    curves = simple.AdaptiveCurves(Input=producer, InterpretLinesAs="Straight", Backend="CPU",
                                   Threads=1, ChordErrorMode="Absolute", ChordError=error)
    algorithm = curves.GetClientSideObject()
    curves.UpdatePipeline()

    def run():
        algorithm.Modified()
        return seconds_of(lambda: algorithm.Update())[0], first_line(algorithm.GetOutputDataObject(0))
    return run


def decimate(data, error):
    """Its error is a share of the largest side of the bounding box, and what it keeps is far within
    it: compare the distances, too."""
    bounds = np.reshape(data.GetBounds(), (3, 2))
    decimator = vtkDecimatePolylineFilter()
    decimator.SetInputData(data)
    decimator.SetTargetReduction(1.0)
    decimator.SetMaximumError(error / (bounds[:, 1] - bounds[:, 0]).max())

    def run():
        decimator.Modified()
        return seconds_of(lambda: decimator.Update())[0], first_line(decimator.GetOutput())
    return run


def programs(xy, error):
    data = polydata(xy)
    found = {"Adaptive Curves": adaptive_curves(data, error),
             "vtkDecimatePolylineFilter": decimate(data, error)}
    try:
        from simplification.cutil import simplify_coords
        found["simplification"] = lambda: seconds_of(lambda: simplify_coords(xy, error))
    except ImportError:
        print("no package `simplification` here")
    try:
        from shapely import LineString, get_coordinates
        line = LineString(xy)
        found["shapely"] = lambda: seconds_of(
            lambda: get_coordinates(line.simplify(error, preserve_topology=False)))
    except ImportError:
        print("no package `shapely` here")
    return found


def largest_distance(xy, kept):
    """Of input points from their segment; `kept` are input points, in order."""
    place = {tuple(p): i for i, p in enumerate(np.asarray(xy))}
    ids = [place.get(tuple(p), -1) for p in np.asarray(kept)]
    if min(ids) < 0:
        return float("nan")
    most = 0.0
    for i, j in zip(ids[:-1], ids[1:]):
        a, step = xy[i], xy[j] - xy[i]
        t = np.clip((xy[i:j + 1] - a) @ step / max(step @ step, 1e-300), 0, 1)
        most = max(most, np.linalg.norm(xy[i:j + 1] - a - np.outer(t, step), axis=1).max())
    return most


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--packages")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--points", type=int, default=200000)
    asked = parser.parse_args()
    if asked.plugin:
        simple.LoadPlugin(asked.plugin, remote=False, ns=simple.__dict__)
    if asked.packages:
        sys.path.append(asked.packages)
    for name, make, error in (("smooth", smooth, 0.3), ("smooth", smooth, 0.01),
                              ("wave", wave, 1e-3), ("wave", wave, 0.1)):
        xy = make(asked.points)
        found = programs(xy, error)
        seconds = {program: [] for program in found}
        kept = {}
        for _ in range(asked.runs):
            for program, run in found.items():
                took, kept[program] = run()
                seconds[program].append(took)
        own = statistics.median(seconds["Adaptive Curves"])
        for program, all_seconds in seconds.items():
            took = statistics.median(all_seconds)
            print(f"{name}, {error:g}: {program:26} {1e-6 * len(xy) / took:8.3f} M points/s "
                  f"({took / own:7.2f} times as long)  {len(kept[program]):8} points stay, "
                  f"off by {largest_distance(xy, kept[program]):.4g}", flush=True)


main()
