# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Curves and Adaptive Grid with default settings, VTK in to VTK out, on 1 to 16 threads and
on CUDA, and beside VTK's filters of the same purpose.

Use: pvpython bench_defaults.py [--plugin FILE] [--folder FOLDER] [--peers PYTHON] [--only TEXT]
     [--runs N] [--side N] [--trees N] [--lines N] [--cells N] [--seeds N]
The plugin comes from PV_PLUGIN_PATH where --plugin is not given. PYTHON is a Python with the wheel
`vtk` of PyPI, which is compiled with optimization, unlike the VTK of Debian's ParaView; without it
(or TESSERA_VTK_PYTHON) the second table is left out. A run with the default sizes takes minutes.

The first table has the median of later executions (Update() with the input ready, another threshold
each time; on CUDA the input stays on the device, as it does by default), the speed-up of the most
threads over one, and the largest errors of the output as output_errors.py measures them. The second
table is made by bench_defaults_peers.py. FOLDER gets both tables as defaults.md, and the inputs that
PYTHON reads.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from paraview import simple
from vtkmodules.vtkIOXML import vtkXMLDataSetWriter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_curves_backends
import bench_grid_backends
from bench_defaults_curves import stream_lines
from later_executions import median_of, said
from output_errors import (bezier_weights, catmull_rom_weights, curve_errors, grid_errors,
                           image_samples, point_arrays, point_weights, size_of)

THREADS = (1, 2, 4, 8, 16)
FREE = {"HangingNodes": "Free"}
GRADIENT = {"UseInterpolationError": 0, "UseGradient": 1, "CoarsenLevels": 6, **FREE}
WEIGHTS = {"polylines": catmull_rom_weights, "Bezier cells": bezier_weights,
           "stream lines": point_weights}
LEGEND = """
Largest error: of curves the distance as a fraction of the diagonal of the box, then the arrays as
fractions of their ranges; of grids the array. Stream lines are compared at their input points,
polylines at the inner spans of the centripetal Catmull-Rom curve, Bezier cells at 21 parameters,
grids at input points, trees at centres of input cells; about 300 curves or 20,000 points of each.
"""
STEEPNESS = 120.0  # in 257 cubed as many cells across the front as bench_grid_backends.py has in 513
TURNS = 4  # of a polyline of 20 points: corners of 76 degrees, so that it is taken as a smooth curve


def noisy_polylines(count):
    """Helices of few points with two smooth arrays and one of noise."""
    data = bench_curves_backends.streamlines(count, TURNS)
    noise = np.random.default_rng(1).random(data.GetNumberOfPoints())
    data.GetPointData().RemoveArray("time")
    bench_curves_backends.add_array(data, noise, "noise")
    return data


def bezier_cells(count):
    """Random cells of degree 3 with the distance of their control points from a corner."""
    source = simple.RandomBezierCurves(NumberOfCurves=count, Degree=3)
    source.UpdatePipeline()
    data = source.GetClientSideObject().GetOutputDataObject(0)
    bench_curves_backends.add_array(data, np.linalg.norm(point_arrays(data)[None], axis=1), "value")
    return data


def jet_lines(seeds):
    """Stream lines of a jet in space, with eight arrays."""
    tracer = stream_lines(simple.TurbulentJet(Dimensions=[129, 65, 65]), "Velocity", seeds,
                          IntegrationDirection="FORWARD")
    tracer.UpdatePipeline()
    return tracer.GetClientSideObject().GetOutputDataObject(0)


def workloads(options):
    """Name, kind (as bench_defaults_peers.py names it), input, filter, properties and threshold."""
    def front():
        return bench_grid_backends.front(options.side, STEEPNESS)

    grid, curves = (simple.AdaptiveGrid, "InterpolationError"), (simple.AdaptiveCurves, "ChordError")
    side, trees = f"front in {options.side} cubed", f"hyper trees of {options.trees} cubed"
    yield f"{side}, conforming", "grid", front, *grid, {}
    yield f"{side}, Free", "grid", front, *grid, FREE
    yield f"{side}, Gradient, 6 levels, Free", "grid", front, grid[0], "Gradient", GRADIENT
    yield (f"{options.lines:,} polylines of 20 points, 3 arrays, one of noise", "polylines",
           lambda: noisy_polylines(options.lines), *curves, {})
    yield (f"{options.cells:,} Bezier cells of degree 3, one array", "Bezier cells",
           lambda: bezier_cells(options.cells), *curves, {})
    yield (f"{options.seeds:,} stream lines of a jet, 8 arrays", "stream lines",
           lambda: jet_lines(options.seeds), *curves, {})
    yield (f"{options.seeds:,} stream lines of a jet, shape alone", "stream lines",
           lambda: jet_lines(options.seeds), *curves, {"UseFieldError": 0})
    yield (trees, "trees", lambda: bench_grid_backends.front(options.trees), grid[0], "ValueRange",
           bench_grid_backends.TREES)


def has_device():
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def errors_of(kind, data, output):
    """Of curves the distance and the largest of the arrays, of grids that of the array."""
    if kind in WEIGHTS:
        return curve_errors(data, output, WEIGHTS[kind])
    return grid_errors(image_samples(data), output)


def write(data, path):
    writer = vtkXMLDataSetWriter()
    writer.SetFileName(path)
    writer.SetInputData(data)
    writer.SetCompressorType(0)
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.Write()


def measured(data, make, properties, threshold, runs, ways):
    """Seconds for each backend with its number of threads, and an output."""
    source, seconds = simple.TrivialProducer(), []
    source.GetClientSideObject().SetOutput(data)
    for backend, threads in ways:
        proxy = make(Input=source, Backend=backend, Threads=threads, **properties)
        took, output = median_of(proxy, threshold, runs)
        seconds.append(took if said(output, "Backend") == backend else None)
        simple.Delete(proxy)
    simple.Delete(source)
    return seconds, output


def run_workloads(options, say):
    """Prints a row for each workload; returns what bench_defaults_peers.py needs of it."""
    cores = len(os.sched_getaffinity(0))
    ways = [("CUDA", 0)] * has_device() + [("CPU", n) for n in THREADS if n <= cores]
    names = ["CUDA" if backend == "CUDA" else f"{n} thread" + "s" * (n > 1) for backend, n in ways]
    say(f"| workload; seconds | {' | '.join(names)} | speed-up | output | largest error |")
    say("|---" * (len(names) + 4) + "|")
    done = []
    for name, kind, make_input, make, threshold, properties in workloads(options):
        if options.only not in name:
            continue
        data = make_input()
        seconds, output = measured(data, make, properties, threshold, options.runs, ways)
        one, errors = seconds[ways.index(("CPU", 1))], errors_of(kind, data, output)
        say(f"| {name} | " + " | ".join(f"{s:.4f}" if s else "-" for s in seconds) +
            f" | {one / seconds[-1]:.1f} | {size_of(output)} | " +
            ", ".join(f"{error:.2e}" for error in errors) + " |")
        path = os.path.join(options.folder, f"{len(done)}.xml")
        if options.peers and kind != "trees":
            write(data, path)
        done.append({"name": name, "kind": kind, "path": path, "seconds": one, "errors": errors,
                     "size": size_of(output)})
    say(LEGEND)
    return done


def run_peers(options, done, say):
    """Prints the rows of the other filters, by the other Python without ParaView's paths."""
    works = os.path.join(options.folder, "works.json")
    with open(works, "w", encoding="utf-8") as file:
        json.dump(done, file)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench_defaults_peers.py")
    paths = ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")
    environment = {name: value for name, value in os.environ.items() if name not in paths}
    with subprocess.Popen([options.peers, script, works, str(options.runs)], env=environment,
                          text=True, stdout=subprocess.PIPE) as peers:
        for line in peers.stdout:
            say(line.rstrip())
    if peers.returncode != 0:
        raise SystemExit(f"{script} failed with status {peers.returncode}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--folder", default=os.path.join(tempfile.gettempdir(), "tessera_defaults"))
    parser.add_argument("--peers", default=os.environ.get("TESSERA_VTK_PYTHON"))
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=5)
    for name, size in (("side", 257), ("trees", 513), ("lines", 20000), ("cells", 200000),
                       ("seeds", 6000)):
        parser.add_argument("--" + name, type=int, default=size)
    options = parser.parse_args()
    if options.plugin:
        simple.LoadPlugin(options.plugin, remote=False, ns=vars(simple))
    if not hasattr(simple, "AdaptiveGrid"):
        raise SystemExit("the plugin is not loaded: give --plugin, or set PV_PLUGIN_PATH")
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "defaults.md"), "w", encoding="utf-8") as table:

        def say(line):
            for file in (sys.stdout, table):
                print(line, file=file, flush=True)

        done = run_workloads(options, say)
        if options.peers:
            run_peers(options, done, say)
        else:
            say("VTK's filters were not run: neither --peers nor TESSERA_VTK_PYTHON names a Python "
                "with VTK.")


if __name__ == "__main__":
    main()
