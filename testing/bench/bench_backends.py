# SPDX-License-Identifier: BSD-3-Clause
"""The whole filter on the CPU and on CUDA, VTK in to VTK out, in one run on a GPU machine.

Use: pvbatch bench_backends.py PLUGIN [--pinned GB_PER_S] [--lines N] [FILE ...]

Tessellates N polylines of 8 random points with one float array into 127 points each (default N:
120,000, which makes 15 million points), then every FILE with a chord error of 1e-5 of the bounding
box, by each backend five times; in between the pipeline gives its memory back, and the user pauses
for a tenth of a second. Before that, ten polylines start the device, once a process. Prints the
seconds of each execution, the bytes of the output, the report, and whether both made the same bytes.
--pinned: bandwidth of a copy from the device into page-locked memory, as bench_cuda prints it; the
seconds are then shown in units of the time that the output's bytes need at that bandwidth.
"""
import argparse
import time

import numpy as np
from paraview import simple
from vtkmodules.util import numpy_support
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersGeneral import vtkSplineFilter

UNIFORM = {"Sampling": "Uniform", "UseChordError": 0, "UseCurvatureFactor": 1,
           "MinimumPoints": 19, "MaximumPoints": 19}


def random_polylines(count, per_line=8):
    rng = np.random.default_rng(1)
    data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    points.SetData(numpy_support.numpy_to_vtk(rng.random((count * per_line, 3), dtype=np.float32),
                                              deep=1))
    cells.SetData(
        numpy_support.numpy_to_vtkIdTypeArray(np.arange(count + 1, dtype=np.int64) * per_line, 1),
        numpy_support.numpy_to_vtkIdTypeArray(np.arange(count * per_line, dtype=np.int64), 1))
    values = numpy_support.numpy_to_vtk(rng.random(count * per_line, dtype=np.float32), deep=1)
    values.SetName("value")
    data.SetPoints(points)
    data.SetLines(cells)
    data.GetPointData().AddArray(values)
    return data


def arrays_of(output):
    """Every numeric array of the output, by name, as numpy views."""
    found = {"points": output.GetPoints().GetData(),
             "connectivity": output.GetLines().GetConnectivityArray(),
             "offsets": output.GetLines().GetOffsetsArray()}
    for kind, data in (("point", output.GetPointData()), ("cell", output.GetCellData())):
        for i in range(data.GetNumberOfArrays()):
            if data.GetArray(i) is not None:
                found[f"{kind} {data.GetArrayName(i)}"] = data.GetArray(i)
    return {name: numpy_support.vtk_to_numpy(array) for name, array in found.items()}


def report_of(output):
    fields = output.GetFieldData()
    rows = [fields.GetAbstractArray(i) for i in range(fields.GetNumberOfArrays())]
    return {a.GetName()[8:]: a.GetVariantValue(0).ToString() for a in rows
            if a.GetName().startswith("Tessera ")}


def executions(source, backend, options, runs=5):
    """Seconds of each execution, and the last output."""
    proxy = simple.AdaptiveCurves(Input=source, Backend=backend, **options)
    filter_ = proxy.GetClientSideObject()
    seconds = []
    for _ in range(runs):
        filter_.GetOutputDataObject(0).Initialize()  # what the last execution made goes back
        filter_.Modified()
        time.sleep(0.1)
        start = time.perf_counter()
        filter_.Update()
        seconds.append(time.perf_counter() - start)
    return seconds, filter_.GetOutputDataObject(0)


def start_device():
    """Seconds of a tiny execution, the process's first on the device."""
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(random_polylines(10))
    seconds, _ = executions(producer, "CUDA", UNIFORM, 2)
    print(f"ten polylines, which start the device: {seconds[0]:.4f} s, again {seconds[1]:.4f} s")


def compare(name, source, options, pinned):
    print(f"\n{name}")
    made = {}
    for backend in ("CPU", "CUDA"):
        seconds, output = executions(source, backend, options)
        made[backend] = arrays_of(output)
        size = sum(a.nbytes for a in made[backend].values())
        text = " ".join(f"{s:.4f}" for s in seconds)
        if pinned:
            text += "  = " + " ".join(f"{s / (size / pinned / 1e9):.2f}" for s in seconds) + \
                    " times the pinned copy"
        print(f"  {backend:4s} {output.GetNumberOfPoints()} points, {size / 1e6:.1f} MB: {text}")
        print("      ", ", ".join(f"{k} {v}" for k, v in report_of(output).items()))
    same = made["CPU"].keys() == made["CUDA"].keys() and all(
        made["CPU"][n].tobytes() == made["CUDA"][n].tobytes() for n in made["CPU"])
    print("   the same bytes:", "yes" if same else "NO")
    return same


def spline(data):
    rival = vtkSplineFilter()
    rival.SetSubdivideToSpecified()
    rival.SetNumberOfSubdivisions(126)
    rival.SetInputData(data)
    start = time.perf_counter()
    rival.Update()
    seconds = time.perf_counter() - start
    print(f"  vtkSplineFilter {rival.GetOutput().GetNumberOfPoints()} points: {seconds:.3f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("--pinned", type=float, default=0.0)
    parser.add_argument("--lines", type=int, default=120000)
    parser.add_argument("files", nargs="*")
    options = parser.parse_intermixed_args()
    simple.LoadPlugin(options.plugin, remote=False, ns=vars(simple))
    start_device()
    data = random_polylines(options.lines)
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    good = compare(f"{options.lines} polylines, uniform", producer, UNIFORM, options.pinned)
    spline(data)
    for path in options.files:
        source = simple.OpenDataFile(path)
        source.UpdatePipeline()
        good = compare(path, source, {"ChordError": 1e-5}, options.pinned) and good
    raise SystemExit(0 if good else 1)


main()
