# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on CUDA and on the CPU, VTK in to VTK out, in one run on a GPU machine.

Use: pvpython bench_grid_backends.py PLUGIN [--side 513] [--runs 7] [--pinned 55.3] [--cpu]

The input is an image of SIDE cubed points with one array of floats: a thin front around a ball. Each
row prints the median of later executions (Update() with the input ready, another threshold each
time), and how many times that is the floor: bytes in and out, one after the other, over --pinned, in
GB/s, as bench_cuda prints it. "Kept": the input stays on the device, so that the floor is the
download alone. "After another": the output before is still there, as it is for a user, and the time
includes what becomes of it.
"""
import argparse
import os
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from later_executions import median_of, said

TREES = {"OutputType": "Hyper Tree Grid", "UseInterpolationError": 0, "UseValueRange": 1,
         "ValueRange": 0.1}
AFTER_ANOTHER = "hyper tree grid after another"
CHOICES = {
    "defaults": {},
    "free": {"HangingNodes": "Free"},
    "value range 10 %, 6 levels": {"UseInterpolationError": 0, "UseValueRange": 1,
                                   "ValueRange": 0.1, "CoarsenLevels": 6},
    "hyper tree grid": TREES,
    AFTER_ANOTHER: TREES,
}


def front(side, steepness=60.0):
    """The field of bench_grid_whole, where a twentieth or so of the cells lie on the front."""
    axis = np.arange(side, dtype=np.float64) / side
    x, y, z = axis[None, None, :] - 0.5, axis[None, :, None] - 0.4, axis[:, None, None] - 0.6
    d = (x * x + y * y + z * z - 0.09) * steepness
    image = vtkImageData()
    image.SetDimensions(side, side, side)
    values = numpy_to_vtk((d / (1.0 + np.abs(d))).astype(np.float32).ravel(), deep=True)
    values.SetName("front")
    image.GetPointData().SetScalars(values)
    return image


def bytes_of(output):
    return output.GetActualMemorySize() * 1024.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("--side", type=int, default=513)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--pinned", type=float, default=55.3)
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    simple.LoadPlugin(options.plugin, remote=False, ns=vars(simple))
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(front(options.side))
    read = options.side ** 3 * 4.0
    ways = [("CUDA", 0), ("CUDA", 4096)] + [("CPU", 0)] * options.cpu
    for name, choice in CHOICES.items():
        for backend, keep in ways:
            proxy = simple.AdaptiveGrid(Input=source, Backend=backend, KeepInputOnDevice=keep, **choice)
            threshold = "ValueRange" if "UseValueRange" in choice else "InterpolationError"
            seconds, output = median_of(proxy, threshold, options.runs, name != AFTER_ANOTHER)
            simple.Delete(proxy)
            out = bytes_of(output)
            floor = (out + (0.0 if keep else read)) / options.pinned / 1e9
            where = said(output, "Backend") + (", kept" if keep else "")
            print(f"{name}, {where}: {output.GetNumberOfCells():,} cells, {out / 1e6:.0f} MB, "
                  f"{1e3 * seconds:.2f} ms, {seconds / floor:.2f} times the floor "
                  f"of {1e3 * floor:.2f} ms; by the CPU: {said(output, 'By CPU')}", flush=True)


if __name__ == "__main__":
    main()
