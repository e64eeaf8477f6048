# SPDX-License-Identifier: BSD-3-Clause
"""Points To Curves beside what one would otherwise use, in one run: numpy.lexsort for the order,
ParaView's Temporal Particles To Pathlines for particles over time.

Use: pvpython bench_ordering.py [POINTS] [PARTICLES]   (defaults: 10000000, 20000 over 50 steps)
PV_PLUGIN_PATH has to name the folder of the plugin. Seconds by the clock, and in brackets those of
the processor, of all threads together: a busy machine does not disturb these.
"""
import os
import sys
import time

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 10000000
PARTICLES = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
STEPS = 50


def say(text):
    os.write(1, (text + "\n").encode())


def timed(work):
    """Seconds, seconds of the processor, and what the work returns."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - clock, time.process_time() - processor, result


def cloud(xyz, **arrays):
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(xyz))
    data.SetPoints(points)
    data.bench_keeps = [xyz, arrays]
    for name, values in arrays.items():
        array = numpy_to_vtk(values)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    return data


def against_lexsort():
    random = np.random.default_rng(1)
    at = random.permutation(POINTS)
    xyz = random.random((POINTS, 3), dtype=np.float32)
    group = at // 100
    orders = {"integer steps": at % 100, "times of steps": at % 100 * 0.01,
              "random numbers": random.random(POINTS)}
    for name, order in orders.items():
        theirs = timed(lambda: np.lexsort((order, group)))
        producer = simple.TrivialProducer()
        data = cloud(xyz, group=group, order=order)
        producer.GetClientSideObject().SetOutput(data)
        ours = simple.PointsToCurves(Input=producer, GroupArray="group", OrderArray="order",
                                     Threads=2, Backend="CPU")
        whole = timed(ours.UpdatePipeline)
        ours.UpdatePropertyInformation()
        plan, fill = ours.PlanSeconds, ours.FillSeconds
        say(f"{POINTS} points, {name}: numpy.lexsort {theirs[0]:.2f} s ({theirs[1]:.2f}); order "
            f"and curves {plan:.2f} s, points and arrays {fill:.2f} s, whole filter {whole[0]:.2f} "
            f"s ({whole[1]:.2f}). By the clock lexsort takes {theirs[0] / plan:.1f} times the "
            f"order, {theirs[0] / whole[0]:.1f} times the filter")
        simple.Delete(ours)
        simple.Delete(producer)


SCRIPT = f"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
info = self.GetExecutive().GetOutputInformation(0)
k = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else 0.0
ids = (np.arange({PARTICLES}) * 7919 + int(k)) % {PARTICLES}
points = vtkPoints()
points.SetData(numpy_to_vtk(np.stack([ids * 1e-3, np.sin(ids + 0.1 * k), np.cos(ids + 0.1 * k)],
                                     axis=1), deep=True))
out = self.GetPolyDataOutput()
out.SetPoints(points)
array = numpy_to_vtk(ids, deep=True)
array.SetName("id")
out.GetPointData().AddArray(array)
"""
INFORMATION = f"""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
info = self.GetExecutive().GetOutputInformation(0)
times = [float(k) for k in range({STEPS})]
info.Set(Pipeline.TIME_STEPS(), times, len(times))
info.Set(Pipeline.TIME_RANGE(), [times[0], times[-1]], 2)
"""


def series():
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=SCRIPT,
                                     ScriptRequestInformation=INFORMATION)


def against_pathlines():
    def every_step(proxy):
        for k in range(STEPS):
            proxy.UpdatePipeline(float(k))

    source = series()
    reading = timed(lambda: every_step(source))
    theirs = simple.TemporalParticlesToPathlines(Input=series(), MaskPoints=1, IdChannelArray="id",
                                                 MaxTrackLength=STEPS + 1,
                                                 MaxStepDistance=[1e9, 1e9, 1e9])
    pathlines = timed(lambda: every_step(theirs))
    ours = simple.PointsToCurves(Input=series(), GroupArray="id", Temporal=1, Threads=2,
                                 Backend="CPU")
    curves = timed(ours.UpdatePipeline)
    made = [p.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPoints()
            for p in (theirs, ours)]
    say(f"{PARTICLES} particles over {STEPS} steps: the source alone {reading[0]:.2f} s "
        f"({reading[1]:.2f}); Temporal Particles To Pathlines {pathlines[0]:.2f} s "
        f"({pathlines[1]:.2f}), {made[0]} points; Points To Curves {curves[0]:.2f} s "
        f"({curves[1]:.2f}), {made[1]} points. Without the source, by the processor: "
        f"{(pathlines[1] - reading[1]) / np.maximum(curves[1] - reading[1], 1e-3):.0f} times")


against_pathlines()
against_lexsort()
