# SPDX-License-Identifier: BSD-3-Clause
"""VTK's filters on the workloads of bench_defaults.py, which runs this with another Python.

Use: python bench_defaults_peers.py WORKS RUNS
(WORKS: the file works.json that bench_defaults.py writes; a Python with an optimized VTK)

A filter runs with settings from coarse to fine, until no error is larger than Tessera's or there is no
finer one. Each prints a row with the median time of RUNS executions on one thread. A row whose errors
are not smaller than Tessera's shows how many times faster Tessera is at an equal or a better error.
"""
import json
import os
import statistics
import sys
import time

os.environ["VTK_SMP_MAX_THREADS"] = "1"
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkSMPTools, vtkVersion
from vtkmodules.vtkCommonDataModel import vtkCellArray
from vtkmodules.vtkFiltersCore import vtkDecimatePolylineFilter, vtkResampleToImage
from vtkmodules.vtkFiltersGeneral import vtkSplineFilter, vtkTessellatorFilter
from vtkmodules.vtkIOXML import (vtkXMLImageDataReader, vtkXMLPolyDataReader,
                                 vtkXMLUnstructuredGridReader)

from output_errors import (CURVES, OWNER, bezier_weights, cells_of, curve_errors, grid_errors,
                           image_samples, point_arrays, point_weights, scales_of, size_of)

SPANS = 19  # of a polyline of 20 points


def spline(pieces):
    vtk_filter = vtkSplineFilter()
    vtk_filter.SetSubdivideToSpecified()
    vtk_filter.SetNumberOfSubdivisions(SPANS * pieces)
    return vtk_filter


def splines(_):
    for pieces in (1, 2, 4, 8, 16, 32):
        yield f"{pieces} segments a span", spline(pieces)


def decimated(_):
    for percent in (90, 70, 50, 30, 20, 10, 5):
        decimate = vtkDecimatePolylineFilter()
        decimate.SetTargetReduction(percent / 100)
        yield f"{percent} % fewer points", decimate


def tessellated(data):
    """Chord and field error from four times Tessera's defaults down to a quarter of these."""
    scales = scales_of(point_arrays(data))
    for factor in (4, 2, 1, 0.5, 0.25):
        tessellator = vtkTessellatorFilter()
        tessellator.SetOutputDimension(1)
        tessellator.SetMaximumNumberOfSubdivisions(12)
        tessellator.SetChordError(factor * 1e-3 * scales[None])
        tessellator.SetFieldCriterion(0, factor * 1e-2 * scales["value"])
        yield f"errors 0.001 and 0.01 times {factor}", tessellator


def resampled(data):
    for step in (8, 4, 2, 1):
        image = vtkResampleToImage()
        image.UseInputBoundsOn()
        image.SetSamplingDimensions(*((n - 1) // step + 1 for n in data.GetDimensions()))
        yield f"spacing times {step}", image


def numbered(data):
    """Returns a copy with a point array that holds the number of the point's curve."""
    copy = data.NewInstance()
    copy.ShallowCopy(data)
    offsets, ids = cells_of(data)
    numbers = np.empty(data.GetNumberOfPoints())
    numbers[ids] = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    array = numpy_to_vtk(numbers, deep=1)
    array.SetName(OWNER)
    copy.GetPointData().AddArray(array)
    return copy


def line_errors(vtk_filter, data):
    return curve_errors(data, vtk_filter.GetOutputDataObject(0), point_weights)


def spline_errors(vtk_filter, data):
    """Compares some of the lines with those of the same filter with 21 segments a span: Catmull-Rom
    curves, which Tessera makes of these lines, are other curves than splines."""
    some, cells, (offsets, ids) = numbered(data), vtkCellArray(), cells_of(data)
    for k in range(0, len(offsets) - 1, max(1, len(offsets) // CURVES)):
        line = ids[offsets[k]:offsets[k + 1]]
        cells.InsertNextCell(len(line), line.tolist())
    some.SetLines(cells)
    fine = spline(21)
    fine.SetInputData(some)
    fine.Update()
    return curve_errors(fine.GetOutput(), vtk_filter.GetOutput(), point_weights)


def bezier_errors(vtk_filter, data):
    """Runs the filter again on numbered curves, since its lines come without the number of a curve."""
    vtk_filter.SetInputData(numbered(data))
    vtk_filter.Update()
    return curve_errors(data, vtk_filter.GetOutput(), bezier_weights)


def image_errors(vtk_filter, data):
    return grid_errors(image_samples(data), vtk_filter.GetOutputDataObject(0))


PEERS = {
    "polylines": ("vtkSplineFilter", vtkXMLPolyDataReader, splines, spline_errors),
    "stream lines": ("vtkDecimatePolylineFilter", vtkXMLPolyDataReader, decimated, line_errors),
    "Bezier cells": ("vtkTessellatorFilter", vtkXMLUnstructuredGridReader, tessellated,
                     bezier_errors),
    "grid": ("vtkResampleToImage", vtkXMLImageDataReader, resampled, image_errors),
}


def median_seconds(vtk_filter, runs):
    seconds = []
    for _ in range(runs):
        vtk_filter.GetOutputDataObject(0).Initialize()
        vtk_filter.Modified()
        start = time.perf_counter()
        vtk_filter.Update()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def compared(ours, theirs):
    """Says whose errors are smaller: "one each" where one filter has the smaller distance, and the other
    one the smaller difference of arrays."""
    if all(a <= b for a, b in zip(ours, theirs)):
        return "Tessera's, or equal"
    return "theirs" if all(a >= b for a, b in zip(ours, theirs)) else "one each"


def rows(work, runs):
    name, reader_class, settings, errors_of = PEERS[work["kind"]]
    reader = reader_class()
    reader.SetFileName(work["path"])
    reader.Update()
    data = reader.GetOutputDataObject(0)
    print(f"| {work['name']} | Tessera, 1 thread | {work['seconds']:.4f} | "
          f"{work['size']} | {', '.join(f'{e:.2e}' for e in work['errors'])} | | |")
    for setting, vtk_filter in settings(data):
        vtk_filter.SetInputDataObject(data)
        seconds = median_seconds(vtk_filter, runs)
        size = size_of(vtk_filter.GetOutputDataObject(0))
        theirs = errors_of(vtk_filter, data)
        print(f"| | {name}, {setting} | {seconds:.4f} | {size} | "
              f"{', '.join(f'{e:.2e}' for e in theirs)} | {seconds / work['seconds']:.1f} | "
              f"{compared(work['errors'], theirs)} |", flush=True)
        if all(b <= a for a, b in zip(work["errors"], theirs)):
            break


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        works = json.load(file)
    print(f"VTK {vtkVersion.GetVTKVersion()} on one thread (backend {vtkSMPTools.GetBackend()}); "
          "Tessera in ParaView's own VTK.\n")
    print("| workload | filter | seconds | output | largest error | times Tessera's seconds | "
          "whose error is smaller |")
    print("|---" * 7 + "|", flush=True)
    for work in works:
        if work["kind"] in PEERS:
            rows(work, int(sys.argv[2]))
    print("\nResample To Hyper Tree Grid is a filter of ParaView, not of VTK: see bench_grid_filters.py.\n"
          "The errors are those of the first table, but vtkSplineFilter is compared with finer splines.")


if __name__ == "__main__":
    main()
