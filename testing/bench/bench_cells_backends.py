# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Cells with its defaults on a device and on threads of the CPU, by the size and the degree of a mesh: from
VTK to VTK, with one array.

Use: pvpython bench_cells_backends.py [threads, 0: all]; TESSERA_PLUGIN_FILE names the plugin.

Each row has the median milliseconds of three Applies after the first two, in each of which the chord error is another one
by a millionth, and the floor: the time in which the bus takes the input and the output at 55.2 GB/s. After a row with an
Apply of more than 1.5 seconds, larger meshes of the same output and degree are left out. By default input stays on the
device after the first Apply.
"""
import sys

import numpy as np
from bench_cells import ball, simple
from bench_defaults import has_device
from later_executions import bytes_of, median_of
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy

BUS, LONG, RUNS = 55.2e9, 1.5, 3  # bytes a second; seconds; Applies
CASES = (("Surface", 2, (4, 8, 12, 16, 23, 46)), ("Surface", 4, (4, 8, 16, 46)), ("Surface", 10, (2, 4, 8)),
         ("Curves", 2, (8, 23)), ("Cells", 2, (2, 4, 8, 10)), ("Cells", 4, (4,)))


def mesh_of(n, degree):
    data = ball(n, degree)
    xyz = vtk_to_numpy(data.GetPoints().GetData())
    front = numpy_to_vtk(np.tanh(5 * (xyz @ [1.0, 0.4, 0.2])).astype(np.float32), deep=1)
    front.SetName("front")
    data.GetPointData().SetScalars(front)
    return data


def apply(source, kind, backend, threads):
    """Seconds of an Apply, and the output."""
    proxy = simple.AdaptiveCells(Input=source, OutputType=kind, Backend=backend, Threads=threads)
    proxy.UpdateVTKObjects()
    found = median_of(proxy, "ChordError", RUNS)
    simple.Delete(proxy)
    return found


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
