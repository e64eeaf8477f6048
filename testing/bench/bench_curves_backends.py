# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves on CUDA and on the CPU, VTK in to VTK out, in one run on a GPU machine.

Use: pvpython bench_curves_backends.py PLUGIN [--lines 200000] [--cells 1000000] [--runs 5]
                                       [--pinned 55.3] [--cpu]

The inputs are polylines of 20 points on helices with three arrays, as a stream tracer gives them,
and Bezier cells of degree 2, 3 and 7. Each row prints the median of later executions (Update() with
the input ready, another chord error each time) and how many times that is the floor: bytes in and
out, one after the other, over --pinned, in GB/s, as bench_cuda prints it.
"""
import argparse
import os
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, vtkCellArray, vtkPolyData,
                                           vtkUnstructuredGrid)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from later_executions import median_of, said

PER_LINE = 20
BISECTION = {"Sampling": "Bisection"}
BROUGHT = {"KeepInputOnDevice": 0}  # the input anew each time, as at a first Apply
GENERATED = {"GenerateTangents": 1, "GenerateCurvature": 1, "GenerateArcLength": 1}


def cells_of(count, points_per_cell):
    cells = vtkCellArray()
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(count + 1, dtype=np.int64) * points_per_cell, 1),
                  numpy_to_vtkIdTypeArray(np.arange(count * points_per_cell, dtype=np.int64), 1))
    return cells


def add_array(data, values, name):
    array = numpy_to_vtk(np.ascontiguousarray(values, dtype=np.float32), deep=1)
    array.SetName(name)
    data.GetPointData().AddArray(array)


def streamlines(count, turns=1.5):
    """Helices of so many turns, each with its own radius and place; three arrays."""
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 2.0 * np.pi * turns, PER_LINE)
    radius, place = rng.uniform(0.5, 1.5, (count, 1)), rng.uniform(0.0, 100.0, (count, 1, 3))
    x = np.stack([radius * np.cos(t), radius * np.sin(t), np.broadcast_to(t, (count, PER_LINE))], 2)
    v = np.stack([-radius * np.sin(t), radius * np.cos(t), np.ones((count, PER_LINE))], 2)
    data, points = vtkPolyData(), vtkPoints()
    points.SetData(numpy_to_vtk((x + place).astype(np.float32).reshape(-1, 3), deep=1))
    data.SetPoints(points)
    data.SetLines(cells_of(count, PER_LINE))
    add_array(data, v.reshape(-1, 3), "velocity")
    add_array(data, (np.sin(t) * radius).ravel(), "pressure")
    add_array(data, np.tile(t, count), "time")
    return data


def bezier(count, degree):
    """Cells of one degree; control points on an arc, each moved a little."""
    rng = np.random.default_rng(degree)
    t = np.linspace(0.0, 0.75 * np.pi, degree + 1)
    order = np.r_[0, degree, 1:degree]  # VTK: both ends first
    x = np.stack([np.cos(t), np.sin(t), 0.2 * t], 1)[order]
    x = x[None] + rng.normal(0.0, 0.05, (count, degree + 1, 3)) + rng.uniform(0, 100, (count, 1, 3))
    data, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(x.astype(np.float32).reshape(-1, 3), deep=1))
    data.SetPoints(points)
    data.SetCells(VTK_BEZIER_CURVE, cells_of(count, degree + 1))
    add_array(data, x[..., 0].ravel(), "value")
    return data


def rows(options):
    """Every input with the choices that it is run with."""
    fine = {"ChordError": options.fine}
    lines = streamlines(options.lines)
    yield "streamlines, defaults", lines, {}
    yield "streamlines, defaults, input brought", lines, BROUGHT
    yield "streamlines, fine", lines, fine
    yield "streamlines, fine, generated arrays", lines, {**fine, **GENERATED}
    yield "streamlines, fine, no field error", lines, {**fine, "UseFieldError": 0}
    yield "streamlines, fine, bisection", lines, {**fine, **BISECTION}
    for degree in (2, 3, 7):
        cells = bezier(options.cells, degree)
        yield f"degree {degree}, fine", cells, fine
        yield f"degree {degree}, fine, input brought", cells, {**fine, **BROUGHT}
        yield f"degree {degree}, fine, bisection", cells, {**fine, **BISECTION}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("--lines", type=int, default=200000)
    parser.add_argument("--cells", type=int, default=1000000)
    parser.add_argument("--fine", type=float, default=1e-5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pinned", type=float, default=55.3)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    simple.LoadPlugin(options.plugin, remote=False, ns=vars(simple))
    for name, data, choice in rows(options):
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(data)
        read = data.GetActualMemorySize() * 1024.0
        for backend in ["CUDA"] + ["CPU"] * options.cpu:
            proxy = simple.AdaptiveCurves(Input=source, Backend=backend, **choice)
            seconds, output = median_of(proxy, "ChordError", options.runs)
            simple.Delete(proxy)
            out = output.GetActualMemorySize() * 1024.0
            floor = (read + out) / options.pinned / 1e9
            print(f"{name}, {said(output, 'Backend')}: {data.GetNumberOfPoints():,} points in, "
                  f"{output.GetNumberOfPoints():,} out, {(read + out) / 1e6:.0f} MB, "
                  f"{1e3 * seconds:.2f} ms, {seconds / floor:.2f} times the floor "
                  f"of {1e3 * floor:.2f} ms", flush=True)
        simple.Delete(source)


if __name__ == "__main__":
    main()
