# SPDX-License-Identifier: BSD-3-Clause
"""Quadratic triangles that are nearly flat, each of which stays one triangle: Adaptive Cells with defaults on one
thread beside a deep copy of its input.

Use: pvpython bench_cells_flat.py [squares along each axis, 400: of 2 triangles each]; TESSERA_PLUGIN_FILE names the
plugin.

Seconds are those of the processor, from VTK to VTK, the best of five. The arrays of the input are in memory that was
used before, as is what the copy and the filter take.
"""
import os
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_QUADRATIC_TRIANGLE, vtkCellArray, vtkUnstructuredGrid

if not hasattr(simple, "AdaptiveCells"):
    simple.LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=simple.__dict__)


def sheet(n):
    """A wave over n x n squares, with an array in double precision."""
    m = 2 * n + 1
    y, x = np.meshgrid(np.linspace(0, 1, m), np.linspace(0, 1, m), indexing="ij")
    grid, points = vtkUnstructuredGrid(), vtkPoints()
    points.SetData(numpy_to_vtk(np.stack([x, y, 0.1 * np.sin(6 * x) * np.cos(5 * y)], -1).reshape(-1, 3).astype("f4"),
                                deep=1))
    grid.SetPoints(points)
    j, i = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    corner = (2 * j * m + 2 * i).reshape(-1, 1)
    halves = (0, 2, 2 * m + 2, 1, m + 2, m + 1), (0, 2 * m + 2, 2 * m, m + 1, 2 * m + 1, m)
    ids = np.concatenate([corner + half for half in halves], axis=1).reshape(-1)
    cells = vtkCellArray()
    cells.SetData(numpy_to_vtkIdTypeArray(np.arange(0, len(ids) + 1, 6), deep=1), numpy_to_vtkIdTypeArray(ids, deep=1))
    grid.SetCells(VTK_QUADRATIC_TRIANGLE, cells)
    values = numpy_to_vtk((np.sin(3 * x) + y * y).reshape(-1), deep=1)
    values.SetName("f")
    grid.GetPointData().AddArray(values)
    return grid


def best(work):
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main(n):
    grid = sheet(n)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(grid)
    proxy = simple.AdaptiveCells(Input=source, Threads=1, Backend="CPU")
    proxy.UpdatePipeline()
    made = proxy.GetClientSideObject()

    def again():
        made.Modified()
        made.Update()

    def copy():
        grid.NewInstance().DeepCopy(grid)

    copied, took, out = best(copy), best(again), made.GetOutputDataObject(0)
    print(f"{grid.GetNumberOfCells()} quadratic triangles become {out.GetNumberOfCells()}: copy {copied:.4f} s, "
          f"Adaptive Cells {took:.4f} s, {took / copied:.1f} times")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
