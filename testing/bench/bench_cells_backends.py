# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells with its defaults on a device and on threads of the CPU, by the size and the degree of a mesh: from
VTK to VTK, with one array.

Use: pvpython bench_cells_backends.py [threads, 0: all]; TESSERA_PLUGIN_FILE names the plugin.

Each row has the least milliseconds of five Applies after the first, in each of which the chord error is another one by a
millionth, and the floor: the time in which the bus takes the input and the output at 55.2 GB/s. An Apply of more than
1.5 seconds is the last one of its row, and what is larger of the same output and degree is left out. By default input
stays on the device after the first Apply.
"""
import sys
import time

import numpy as np
from bench_cells import ball, simple
from bench_defaults import has_device
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy

BUS, LONG, RUNS = 55.2e9, 1.5, 6  # bytes a second; seconds; Applies
CASES = (("Surface", 2, (4, 8, 12, 16, 23, 46)), ("Surface", 4, (4, 8, 16, 46)), ("Surface", 10, (2, 4)),
         ("Curves", 2, (8, 23)), ("Cells", 2, (2, 4, 8, 10)), ("Cells", 4, (2, 4)))


def mesh_of(n, degree):
    data = ball(n, degree)
    xyz = vtk_to_numpy(data.GetPoints().GetData())
    front = numpy_to_vtk(np.tanh(5 * (xyz @ [1.0, 0.4, 0.2])).astype(np.float32), deep=1)
    front.SetName("front")
    data.GetPointData().SetScalars(front)
    return data


def bytes_of(data):
    cells = [data.GetCells()] if data.IsA("vtkUnstructuredGrid") else [data.GetPolys(), data.GetLines()]
    arrays = [data.GetPoints().GetData()]
    arrays += [side.GetArray(a) for side in (data.GetPointData(), data.GetCellData())
               for a in range(side.GetNumberOfArrays())]
    arrays += [array for one in cells for array in (one.GetConnectivityArray(), one.GetOffsetsArray())]
    return sum(array.GetNumberOfValues() * array.GetDataTypeSize() for array in arrays if array)


def apply(source, kind, backend, threads):
    """The least seconds of an Apply, and the output."""
    proxy = simple.AdaptiveCells(Input=source, OutputType=kind, Backend=backend, Threads=threads)
    seconds = []
    for run in range(RUNS):
        proxy.ChordError = 1e-3 * (1.0 + 1e-6 * run)
        proxy.UpdateVTKObjects()
        start = time.perf_counter()
        proxy.GetClientSideObject().Update()
        seconds.append(time.perf_counter() - start)
        if seconds[-1] > LONG and run > 0:
            break
    output = proxy.GetClientSideObject().GetOutputDataObject(0)
    simple.Delete(proxy)
    return min(seconds[1:]), output


def main(threads):
    backends = ["CUDA"] * has_device() + ["CPU"]
    print(f"| output | degree | hexahedra | ids | cells out | {', ms | '.join(backends)}, ms | floor, ms |")
    print("|---" * (6 + len(backends)) + "|")
    for kind, degree, sizes in CASES:
        slowest = 0.0
        for n in sizes:
            if slowest > LONG:
                break
            data = mesh_of(n, degree)
            source = simple.TrivialProducer()
            source.GetClientSideObject().SetOutput(data)
            found = [apply(source, kind, backend, threads) for backend in backends]
            output = found[0][1]
            slowest = max(seconds for seconds, _ in found)
            print(f"| {kind} | {degree} | {n ** 3:,} | {data.GetCells().GetNumberOfConnectivityIds():,} | "
                  f"{output.GetNumberOfCells():,} | {' | '.join(f'{1e3 * seconds:.2f}' for seconds, _ in found)} | "
                  f"{1e3 * (bytes_of(data) + bytes_of(output)) / BUS:.2f} |", flush=True)
            simple.Delete(source)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
