# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid of unstructured meshes with default settings, VTK in to VTK out, on CUDA and on 1 to 16 threads, and
beside the filters that resample meshes.

    bench_meshes.py [--plugin FILE] [--millions M] [--only TEXT] [--runs N] [--threads N ...] [--bus GB] [--others]

In pvpython with the plugin (--plugin, or PV_PLUGIN_PATH) it times Adaptive Grid: the first Apply of a session's first
filter, and the median of later ones with another tolerance. Each has the floor beside it: the bytes of the mesh and of
the output over the rate at which the bus takes page-locked memory (--bus, GB/s). With --others, in a Python with the
VTK of PyPI, which is compiled with optimization, it times Resample To Image and Resample With Dataset in seconds of the
processor with one thread, at one sample a box of the mesh, as Adaptive Grid's finest cells are by default. The meshes
are lattices of jittered boxes, cut into 6 tetrahedra each, or hexahedra, or polyhedra of 6 faces; the array is a front
at the points, in floats.
"""
import argparse
import os
import sys
import time

if "--others" in sys.argv:
    os.environ["VTK_SMP_MAX_THREADS"] = "1"  # read where VTK is loaded
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_POLYHEDRON, VTK_TETRA, vtkCellArray, vtkImageData,
                                           vtkUnstructuredGrid)

CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
FACES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
TETRAHEDRA = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]]
JITTER, STEEPNESS = 0.3, 40.0
CELLS_OF_BOX = {"tetrahedra": 6, "hexahedra": 1, "polyhedra": 1}
WORKLOADS = (("tetrahedra", 10.0, 1.0), ("hexahedra", 5.0, 1.0), ("hexahedra", 20.0, 1.0), ("tetrahedra", 1.0, 1.0),
             ("tetrahedra", 10.0, 100.0), ("polyhedra", 2.0, 1.0))


def lattice(n, grading):
    """Points of n x n x n jittered boxes in a box as long as it is wide, the last `grading` times as long along x as
    the first, and the corners of each box."""
    k, j, i = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    xyz = np.stack([i, j, k], axis=-1).reshape(-1, 3).astype(np.float64)
    inside = (xyz > 0) & (xyz < n)
    xyz += np.where(inside, JITTER * (np.random.default_rng(1).random(xyz.shape) - 0.5), 0.0)
    xyz /= n
    if grading > 1.0:
        xyz[:, 0] = (grading ** xyz[:, 0] - 1.0) / (grading - 1.0)
    first = np.stack(np.meshgrid(*[np.arange(n)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)[:, ::-1]
    return xyz.astype(np.float32), (first[:, None, :] + CUBE) @ [1, n + 1, (n + 1) ** 2]


def ids_of(array):
    return numpy_to_vtkIdTypeArray(np.ascontiguousarray(array, dtype=np.int64).ravel(), deep=True)


def set_polyhedra(data, corners, cells):
    count = len(corners)
    faces = np.empty((count, 31), dtype=np.int64)
    faces[:, 0] = 6
    for f, face in enumerate(FACES):
        faces[:, 1 + 5 * f] = 4
        faces[:, 2 + 5 * f:6 + 5 * f] = corners[:, face]
    types = numpy_to_vtk(np.full(count, VTK_POLYHEDRON, dtype=np.uint8), deep=True)
    data.SetCells(types, cells, ids_of(31 * np.arange(count)), ids_of(faces))


def make_mesh(kind, millions, grading):
    n = round((millions * 1e6 / CELLS_OF_BOX[kind]) ** (1.0 / 3.0))
    xyz, corners = lattice(n, grading)
    ids = corners[:, TETRAHEDRA].reshape(-1, 4) if kind == "tetrahedra" else corners
    data, place, cells = vtkUnstructuredGrid(), vtkPoints(), vtkCellArray()
    place.SetData(numpy_to_vtk(xyz, deep=True))
    data.SetPoints(place)
    cells.SetData(ids_of(ids.shape[1] * np.arange(len(ids) + 1)), ids_of(ids))
    if kind == "polyhedra":
        set_polyhedra(data, corners, cells)
    else:
        data.SetCells(VTK_TETRA if kind == "tetrahedra" else VTK_HEXAHEDRON, cells)
    front = numpy_to_vtk(np.tanh(STEEPNESS * (xyz @ [1.0, 0.4, 0.2] - 0.8)).astype(np.float32), deep=True)
    front.SetName("front")
    data.GetPointData().SetScalars(front)
    return data, n


def seconds_of(filter_):
    start = time.perf_counter()
    filter_.Update()
    return time.perf_counter() - start


def own_rows(data, options):
    """Adaptive Grid on each backend: name, seconds of the first Update and of later ones, and the output."""
    from bench_defaults import has_device
    from later_executions import median_of, said
    from paraview import simple
    if options.plugin and not hasattr(simple, "AdaptiveGrid"):
        simple.LoadPlugin(options.plugin, remote=False, ns=vars(simple))
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    cores = len(os.sched_getaffinity(0))
    for backend, threads in [("CUDA", 0)] * has_device() + [("CPU", n) for n in options.threads if n <= cores]:
        proxy = simple.AdaptiveGrid(Input=source, Backend=backend, Threads=threads)
        proxy.UpdateVTKObjects()
        first = seconds_of(proxy.GetClientSideObject())
        later, output = median_of(proxy, "InterpolationError", options.runs)
        name = f"CUDA, all {cores} threads" if backend == "CUDA" else f"CPU, threads: {threads}"
        yield name if said(output, "Backend") == backend else f"{name} (fell back)", first, later, output
        simple.Delete(proxy)
    simple.Delete(source)


def print_own(name, data, options):
    from later_executions import bytes_of
    for way, first, later, output in own_rows(data, options):
        floor = (bytes_of(data) + bytes_of(output)) / options.bus / 1e9
        cells = data.GetNumberOfCells()
        print(f"| {name} | {way} | {first:.4f} | {later:.4f} | {output.GetNumberOfCells():,} | {1e9 * later / cells:.1f} "
              f"| {floor:.4f} | {later / floor:.2f} |", flush=True)


def print_others(name, data, n):
    from vtkmodules.vtkFiltersCore import vtkResampleToImage, vtkResampleWithDataSet
    whole = vtkResampleToImage()
    whole.SetInputDataObject(data)
    whole.SetSamplingDimensions(n + 1, n + 1, n + 1)
    image = vtkImageData()
    image.SetDimensions(n + 1, n + 1, n + 1)
    image.SetSpacing(*[1.0 / n] * 3)
    at = vtkResampleWithDataSet()
    at.SetInputData(image)
    at.SetSourceData(data)
    for other, filter_ in (("Resample To Image", whole), ("Resample With Dataset", at)):
        start = time.process_time()
        filter_.Update()
        seconds = time.process_time() - start
        inside = vtk_to_numpy(filter_.GetOutput().GetPointData().GetArray("vtkValidPointMask")).sum()
        print(f"| {name} | {other} | {seconds:.3f} | {inside:,} samples, {inside / seconds / 1e6:.2f} M a second |",
              flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", default=os.environ.get("TESSERA_PLUGIN_FILE"))
    parser.add_argument("--millions", type=float, help="of cells, in place of those of each workload")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 4, 16])
    parser.add_argument("--bus", type=float, default=55.2)
    parser.add_argument("--others", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    if not options.others:
        print("| mesh | way | first, s | later, s | cells out | ns a cell in | floor, s | later, in floors |")
        print("|---|---|---|---|---|---|---|---|")
    for kind, millions, grading in WORKLOADS:
        name = f"{options.millions or millions:g} M {kind}" + (f", graded 1:{grading:g}" if grading > 1.0 else "")
        if options.only not in name:
            continue
        data, n = make_mesh(kind, options.millions or millions, grading)
        if not options.others:
            print_own(name, data, options)
        else:
            print_others(name, data, n)


if __name__ == "__main__":
    main()
