# SPDX-License-Identifier: BSD-3-Clause
"""Filters one after the other on a device: the second one reads what the first one left there, unless somebody has
altered the values since, also behind VTK's back. Its output is that of the CPU.

Skipped where no device is usable; a failure there with TESSERA_REQUIRE_CUDA=1 in the environment.
"""
import ctypes
import os
import sys

import numpy as np
from cuda_testing import DEVICES, need_device
from tessera_testing import (Skipped, add_array, check, field_value, main, messages, output_of, polydata,
                             simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../wheel"))
from bus_counter import BusCounter  # noqa: E402

N, TRACKS = 500000, 500
THREADS = 16  # with fewer than 12, page-locked arrays go over the bus
FEW_BYTES = 1 << 20  # lists that follow from the number of multiprocessors, not from the points


def tracks():
    """Random walks, whose points lie in no order."""
    rng = np.random.default_rng(5)
    places = rng.normal(size=(TRACKS, N // TRACKS, 3)).cumsum(axis=1).reshape(-1, 3)
    order = rng.permutation(N)
    data = polydata(places[order])
    add_array(data.GetPointData(), "track", order // (N // TRACKS))
    add_array(data.GetPointData(), "time", (order % (N // TRACKS)).astype(float))
    add_array(data.GetPointData(), "heat", np.sin(places[order, 0]))
    return source_of(data)


def chain(source, backend):
    """Points To Curves, Adaptive Curves, Adaptive Point Grid."""
    how = {"Backend": backend, "Threads": THREADS}
    lines = simple.PointsToCurves(Input=source, GroupArray="track", OrderArray="time", **how)
    curves = simple.AdaptiveCurves(Input=lines, ChordError=1e-3, **how)
    return lines, curves, simple.AdaptivePointGrid(Input=curves, **how)


def executed(proxy, backend="CUDA"):
    proxy.UpdatePipeline()
    said = messages()
    check(said == "", f"{proxy.GetXMLName()}: {said}")
    out = output_of(proxy)
    check(field_value(out, "Backend").ToString() == backend, f"{proxy.GetXMLName()} ran on {backend}")
    return out


def bytes_of(data):
    """Points, and every array but the report."""
    made = {"points": vtk_to_numpy(data.GetPoints().GetData()).tobytes()}
    for attributes in (data.GetPointData(), data.GetCellData()):
        for i in range(attributes.GetNumberOfArrays()):
            made[attributes.GetArrayName(i)] = vtk_to_numpy(attributes.GetArray(i)).tobytes()
    return made


def check_same(cuda, cpu, what):
    made, expected = bytes_of(cuda), bytes_of(cpu)
    check(made.keys() == expected.keys(), f"{what}: {set(made) ^ set(expected)}")
    for name, values in expected.items():
        check(made[name] == values, f"{what}: {name} differs")


def every_filter_gives_the_output_of_the_cpu():
    source = tracks()
    for cuda, cpu in zip(chain(source, "CUDA"), chain(source, "CPU")):
        check_same(executed(cuda), executed(cpu, "CPU"), cuda.GetXMLName())
    jet = simple.TurbulentJet(Dimensions=[65, 65, 65])
    made = []
    for backend in ("CUDA", "CPU"):
        how = {"Backend": backend, "Threads": THREADS}
        grid = simple.AdaptiveGrid(Input=jet, InterpolationError=0.01, **how)
        executed(grid, backend)
        in_order = simple.AdaptivePointGrid(Input=grid, OutputType="Points In Cell Order", **how)
        executed(in_order, backend)
        made.append(executed(simple.AdaptivePointGrid(Input=in_order, **how), backend))
    check_same(*made, "two point grids after a grid")


def values_that_are_altered_in_place_count():
    """Nobody calls Modified: VTK does not know."""
    _, curves, cells = chain(tracks(), "CUDA")
    executed(cells)
    between = output_of(curves)
    heat = vtk_to_numpy(between.GetPointData().GetArray("heat"))
    places = vtk_to_numpy(between.GetPoints().GetData())
    for what, alter in (("one value", lambda: np.put(heat, heat.size // 2, 7.0)),
                        ("every value", lambda: np.negative(heat, out=heat)),
                        ("a point", lambda: np.multiply(places[100:101], 1.5, out=places[100:101]))):
        alter()
        cells.MaximumPointsPerCell += 1  # so that it runs again
        cpu = simple.AdaptivePointGrid(Input=source_of(between), Backend="CPU",
                                       MaximumPointsPerCell=cells.MaximumPointsPerCell)
        check_same(executed(cells), executed(cpu, "CPU"), what)


def bus_counter():
    try:
        return BusCounter(ctypes.CDLL("libcuda.so.1").cuCtxSynchronize)
    except OSError as problem:
        raise Skipped(str(problem)) from None


def the_input_stays_on_the_device():
    """Keep Input On Device, as it is by default."""
    counter, how = bus_counter(), {"Backend": "CUDA", "Threads": THREADS}
    curved = simple.UnstructuredCellTypes(CellType="Lagrange Hexahedron", CellOrder=3, BlocksDimensions=[24] * 3)
    jet = simple.TurbulentJet(Dimensions=[129, 129, 129])
    for proxy, criterion in ((simple.AdaptiveCells(Input=curved, **how), "ChordError"),
                             (simple.AdaptiveGrid(Input=jet, **how), "InterpolationError")):
        name, bytes_up = proxy.GetXMLName(), []
        for times in (1.0, 1.01):
            setattr(proxy, criterion, times * proxy.GetPropertyValue(criterion))
            with counter as bus:
                proxy.UpdatePipeline()
            bytes_up.append(bus.up)
        check(bytes_up[0] > 4 * FEW_BYTES, f"{name}: {bytes_up[0]} bytes go up")
        check(bytes_up[1] < FEW_BYTES, f"{name}: {bytes_up[1]} bytes go up once more")


def nothing_is_uploaded_again():
    counter = bus_counter()
    _, curves, cells = chain(tracks(), "CUDA")
    executed(curves)
    between = output_of(curves)
    large = 4 * 3 * between.GetNumberOfPoints()
    check(large > 4 * FEW_BYTES, f"{large} bytes are many")
    for what in ("the first time", "once more"):
        with counter as bus:
            executed(cells)
        check(bus.up < FEW_BYTES, f"{what} {bus.up} bytes go up")
        cells.MaximumPointsPerCell += 1
    DEVICES.SMProxy.InvokeCommand("ReleaseMemory")
    with counter as bus:
        executed(cells)
    check(bus.up > large, f"after Release Memory {bus.up} bytes go up")


need_device()
main(every_filter_gives_the_output_of_the_cpu, values_that_are_altered_in_place_count, nothing_is_uploaded_again,
     the_input_stays_on_the_device)
