# SPDX-License-Identifier: BSD-3-Clause
"""Backend = CUDA gives the bytes of the CPU, by every way through the device.

Skipped where no device is usable; a failure there with TESSERA_REQUIRE_CUDA=1 in the environment.
"""
import os
import subprocess

import numpy as np
from cuda_testing import DEVICES, need_device
from tessera_testing import (Skipped, add_array, check, field_value, grid, main, messages,
                             polydata, run, said, simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (VTK_BEZIER_CURVE, VTK_LAGRANGE_CURVE, VTK_POLY_LINE,
                                           VTK_QUADRATIC_EDGE, vtkMultiBlockDataSet)

STRATEGIES = ["Block Per Item", "Child Grid Per Item", "Aggregated Grids", "Flat",
              "Recursive Child Grids"]
LAUNCHING = ["Child Grid Per Item", "Aggregated Grids", "Recursive Child Grids"]
STREAMS = ["Block NULL Stream", "Named Stream", "Fire and Forget", "Tail Launch"]
MEMORIES = ["Exact", "Worst Case", "Device Heap"]
GENERATE = dict(GenerateParameter=1, GenerateArcLength=1, GenerateCurvature=1, GenerateTangents=1,
                GenerateSourceCell=1, GenerateAchievedError=1)
RNG = np.random.default_rng(12)


def add_arrays(data, n):
    add_array(data.GetPointData(), "f", RNG.random(n))
    add_array(data.GetPointData(), "v", RNG.random((n, 3)).astype(np.float32))
    add_array(data.GetPointData(), "i", RNG.integers(-100, 100, n).astype(np.int16))
    add_array(data.GetCellData(), "c", np.arange(data.GetNumberOfCells()))


def polylines():
    """400 open lines of 2 to 20 points, 50 closed ones, vertices beside them, and a bad one."""
    cells, first = [], 0
    for i in range(400):
        n = 2 + i % 19
        cells.append(list(range(first, first + n)))
        first += n
    for i in range(50):
        cells.append(list(range(first, first + 5)) + [first])
        first += 5
    xyz = RNG.random((first, 3))
    xyz[cells[200][0]] = np.nan
    data = polydata(xyz, cells, verts=[(3,), (5,)])
    add_arrays(data, first)
    return data


def mixed_cells():
    cells = [(VTK_QUADRATIC_EDGE, 3), (VTK_LAGRANGE_CURVE, 5), (VTK_BEZIER_CURVE, 4),
             (VTK_POLY_LINE, 7), (VTK_BEZIER_CURVE, 8)]
    made, first = [], 0
    for i in range(300):
        cell_type, n = cells[i % len(cells)]
        made.append((cell_type, range(first, first + n)))
        first += n
    data = grid(RNG.random((first, 3)), made)
    add_arrays(data, first)
    data.GetPointData().SetRationalWeights(
        add_array(data.GetPointData(), "w", RNG.uniform(0.5, 2, first)))
    return data


INPUTS = {"polylines": polylines(), "cells": mixed_cells()}


def bytes_of(data):
    """Everything in the output but the report."""
    all_of = {"offsets": data.GetLines().GetOffsetsArray(),
              "connectivity": data.GetLines().GetConnectivityArray(),
              "points": data.GetPoints().GetData()}
    for kind in (data.GetPointData(), data.GetCellData()):
        for i in range(kind.GetNumberOfArrays()):
            all_of[kind.GetClassName() + kind.GetArrayName(i)] = kind.GetArray(i)
    return {name: vtk_to_numpy(array).tobytes() for name, array in all_of.items()}


def count(out, name):
    return field_value(out, name).ToLongLong()


def quietly(data, **properties):
    """The bad line is noted; nothing else may be said."""
    out, text = said(data, **properties)
    check("ERR" not in text and "did the work" not in text, f"{properties}: {text}")
    return out


def compare(what, properties, settings):
    """CUDA with these settings against the CPU."""
    data = INPUTS[what]
    expected = bytes_of(quietly(data, Backend="CPU", **properties))
    out = quietly(data, Backend="CUDA", **properties, **settings)
    where = f"{what} {properties} {settings}"
    check(field_value(out, "Backend").ToString() == "CUDA", f"{where}: CUDA ran")
    got = bytes_of(out)
    check(set(got) == set(expected), f"{where}: the same arrays")
    for name, values in expected.items():
        check(got[name] == values, f"{where}: {name} differs")
    check(count(out, "Child Items") + count(out, "Inline Items") == count(out, "Curves"),
          f"{where}: {count(out, 'Child Items')} by children, {count(out, 'Inline Items')} inline")
    return out


def refused(strategy, memory, sampling):
    heapless = memory == "Device Heap" and strategy in ("Flat", "Recursive Child Grids")
    return heapless or (strategy == "Recursive Child Grids" and sampling != "Bisection")


def every_strategy_gives_the_bytes_of_the_cpu():
    for what in INPUTS:
        for sampling in ("Bisection", "Uniform", "Equal Error"):
            for strategy in STRATEGIES:
                for memory in MEMORIES:
                    for stream in STREAMS if strategy in LAUNCHING else STREAMS[:1]:
                        settings = dict(LaunchStrategy=strategy, OutputMemory=memory,
                                        ChildStream=stream)
                        if not refused(strategy, memory, sampling):
                            out = compare(what, dict(Sampling=sampling), settings)
                            check(field_value(out, "Launch Strategy").ToString() == strategy,
                                  f"{settings}: it ran by another strategy")


def what_cannot_run_is_refused_with_a_sentence():
    for properties in (dict(LaunchStrategy="Flat", OutputMemory="Device Heap"),
                       dict(LaunchStrategy="Recursive Child Grids", OutputMemory="Device Heap"),
                       dict(LaunchStrategy="Recursive Child Grids",
                            Sampling="Uniform"),
                       dict(NestingDepth=0), dict(PendingLaunchCount=-1)):
        out, text = said(INPUTS["polylines"], Backend="CUDA", **properties)
        check("ERR" in text and out.GetNumberOfPoints() == 0, f"{properties}: {text}")


def all_criteria_and_generated_arrays():
    for what in INPUTS:
        for extra in (dict(UseTurningAngle=1), dict(UseMaximumSegmentLength=1,
                                                    MaximumSegmentLength=0.05),
                      dict(UseFieldError=1, FieldErrorArrays=["f"]), dict(UseCurvatureFactor=1),
                      dict(PointBudget=5000), dict(ArrayInterpolation="Linear"),
                      dict(OutputPrecision="Single")):
            compare(what, dict(GENERATE, **extra), {})


def the_defaults_of_the_panel():
    """Joints go where they are not needed, and the arrays keep within the field error."""
    panel = dict(Joints="Keep Where Needed", UseFieldError=1, FieldErrorMode="Fraction of Range")
    for what in INPUTS:
        compare(what, panel, {})


def expert_settings():
    compare("polylines", {}, dict(LaunchStrategy="Aggregated Grids", LaunchThreshold=100))
    compare("polylines", dict(Sampling="Bisection"),
            dict(LaunchStrategy="Recursive Child Grids", NestingDepth=2))
    for pool in (1, 7, 2048):
        out = compare("polylines", {}, dict(LaunchStrategy="Child Grid Per Item",
                                            PendingLaunchCount=pool))
        check(count(out, "Launch Pool") >= pool and count(out, "Child Launches") > 0,
              f"a pool of {pool}: {count(out, 'Launch Pool')}")


def large_outputs_again_and_again():
    """Arrays of several MiB have memory of their own, which is used again and may be kept."""
    data = polydata(RNG.random((80000, 3)), [range(8 * i, 8 * i + 8) for i in range(10000)])
    add_array(data.GetPointData(), "f", RNG.random(80000))
    expected = bytes_of(run(data, Backend="CPU", ChordError=1e-5))
    check(len(expected["points"]) > 20e6, f"{len(expected['points'])} bytes are large")
    kept = [run(data, Backend="CUDA", ChordError=1e-5) for _ in range(3)]
    for out in kept:
        check(bytes_of(out) == expected, "each of the outputs that live together")
    peaks = []
    for _ in range(3):
        del kept[:]
        kept.append(run(data, Backend="CUDA", ChordError=1e-5))
        peaks.append(count(kept[0], "Device Peak Bytes"))
    check(bytes_of(kept[0]) == expected and len(set(peaks)) == 1, f"again: {peaks}")
    DEVICES.SMProxy.InvokeCommand("ReleaseMemory")
    check(bytes_of(kept[0]) == expected, "what is in use stays")
    kept[0].GetPoints().GetData().InsertNextTuple((1, 2, 3))
    check(kept[0].GetPoints().GetPoint(kept[0].GetNumberOfPoints() - 1) == (1, 2, 3), "it can grow")


def composites_and_the_panel():
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, INPUTS["cells"])
    data.SetBlock(2, INPUTS["cells"])
    source = source_of(data)
    curves = simple.AdaptiveCurves(Input=source, Backend="CUDA", Joints="Keep All",
                                   UseFieldError=0, LaunchStrategy="Child Grid Per Item")
    curves.UpdatePipeline()
    curves.UpdatePipelineInformation()
    check(messages() == "", "nothing is said")
    alone = bytes_of(run(INPUTS["cells"], Backend="CPU"))
    out = curves.GetClientSideObject().GetOutputDataObject(0)
    for block in (0, 2):
        check(bytes_of(out.GetBlock(block))["offsets"] == alone["offsets"], f"block {block}")
    check(curves.BackendUsed == "CUDA" and "device" in curves.DeviceUsed and
          curves.LaunchStrategyUsed == "Child Grid Per Item", "in the panel")
    check(curves.ChildItems + curves.InlineItems == curves.CurvesIn == 600, "of both blocks")
    check(curves.ChildLaunches > 0 and curves.DeepestNesting >= 1 and curves.DevicePeakBytes > 0 and
          curves.UploadSeconds > 0 and curves.DownloadSeconds > 0, "numbers")


def devices_are_those_that_the_driver_lists():
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")  # the driver lists those hidden from us, too
    try:
        out = subprocess.run(["nvidia-smi", "--query-gpu=name,compute_cap,memory.total",
                              "--format=csv,noheader,nounits", *(["-i", visible] if visible else [])],
                             capture_output=True, text=True)
    except OSError:
        raise Skipped("there is no nvidia-smi")
    if out.returncode != 0:
        raise Skipped("nvidia-smi finds no device")
    listed = sorted(tuple(row.split(", ")) for row in out.stdout.strip().splitlines())
    table = DEVICES.GetClientSideObject().GetOutputDataObject(0)
    found = sorted((table.GetValueByName(r, "Name").ToString(),
                    table.GetValueByName(r, "Compute Capability").ToString(),
                    table.GetValueByName(r, "Memory MiB").ToDouble())
                   for r in range(table.GetNumberOfRows()))
    check(len(found) == len(listed), f"{found} and {listed}")
    for ours, theirs in zip(found, listed):
        check(ours[:2] == theirs[:2], f"{ours} is {theirs}")
        # The driver keeps a part of the memory for itself.
        check(0.9 < ours[2] / float(theirs[2]) <= 1.0, f"memory: {ours} and {theirs}")


need_device()
main(every_strategy_gives_the_bytes_of_the_cpu, what_cannot_run_is_refused_with_a_sentence,
     all_criteria_and_generated_arrays, the_defaults_of_the_panel, expert_settings,
     large_outputs_again_and_again,
     composites_and_the_panel, devices_are_those_that_the_driver_lists)
