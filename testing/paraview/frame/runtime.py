# SPDX-License-Identifier: BSD-3-Clause
"""Threads, progress, abort, time, and the report."""
import os
import signal
import time

import numpy as np
from tessera_testing import (add_array, check, field_value, lines, main, messages, output_file,
                             point_array, points, polydata, run, simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkSMPTools
from vtkmodules.vtkIOLegacy import vtkPolyDataWriter

RNG = np.random.default_rng(5)


def many_curves(n=3000):
    data = polydata(RNG.random((8 * n, 3)), [range(8 * i, 8 * i + 8) for i in range(n)])
    add_array(data.GetPointData(), "f", RNG.random(8 * n))
    return data


def results_do_not_depend_on_threads():
    data = many_curves()
    options = dict(ChordError=1e-4, UseFieldError=1, FieldErrorArrays=["f"], GenerateArcLength=1,
                   GenerateCurvature=1, GenerateTangents=1)
    reference = run(data, Threads=1, **options)
    check(field_value(reference, "Threads").ToInt() == 1, "one thread is one thread")
    for threads in (0, 2, 3):
        out = run(data, Threads=threads, **options)
        used = field_value(out, "Threads").ToInt()
        if threads == 0 and "VTK_SMP_BACKEND_IN_USE" not in os.environ:
            check(used == len(os.sched_getaffinity(0)), f"0 is all: {used}")
        check(points(out).tobytes() == points(reference).tobytes(), f"{threads} threads: points")
        for name in ("f", "ArcLength", "Curvature", "Tangents"):
            check(point_array(out, name).tobytes() == point_array(reference, name).tobytes(),
                  f"{threads} threads: {name}")
        ids = [vtk_to_numpy(d.GetLines().GetConnectivityArray()) for d in (out, reference)]
        check(np.array_equal(*ids), f"{threads} threads: connectivity")


def the_threads_of_others_stay():
    """VTK's own filters have after a run what they had before it."""
    before = (vtkSMPTools.GetBackend(), vtkSMPTools.GetEstimatedNumberOfThreads())
    for threads in (1, 2):
        run(many_curves(), Threads=threads)
        after = (vtkSMPTools.GetBackend(), vtkSMPTools.GetEstimatedNumberOfThreads())
        check(after == before, f"{before} became {after} after {threads} threads")


def threads_stay():
    """Threads are started once. A fork of the process, as Python's multiprocessing makes it, has none of
    them and starts its own."""
    data = many_curves()
    reference = points(run(data, Threads=3, Backend="CPU")).tobytes()
    before = len(os.listdir("/proc/self/task"))
    run(data, Threads=3, Backend="CPU")
    check(len(os.listdir("/proc/self/task")) == before, "a second run needs no more threads")
    child = os.fork()
    if child == 0:
        alone = len(os.listdir("/proc/self/task")) == 1
        same = points(run(data, Threads=3, Backend="CPU")).tobytes() == reference
        os._exit(0 if alone and same else 1)
    ended, until = (0, 0), time.monotonic() + 60
    while ended[0] == 0 and time.monotonic() < until:
        time.sleep(0.01)
        ended = os.waitpid(child, os.WNOHANG)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    check(ended == (child, 0), f"a fork makes the same: {ended}")


def progress_goes_up():
    for threads in (1, 0):
        source = source_of(many_curves())
        curves = simple.AdaptiveCurves(Input=source, Threads=threads, ChordError=1e-5)
        curves.UpdateVTKObjects()
        algorithm = curves.GetClientSideObject()
        seen = []
        algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
        curves.UpdatePipeline()
        check(len(seen) >= 4 and seen == sorted(seen) and 0 <= seen[0] and seen[-1] == 1,
              f"progress with Threads={threads}: {seen}")
        check(len(seen) <= 210, f"{len(seen)} reports are too many")
        simple.Delete(curves)


def abort_leaves_a_valid_empty_output():
    for threads in (1, 0):
        source = source_of(many_curves())
        curves = simple.AdaptiveCurves(Input=source, Threads=threads, ChordError=1e-5)
        curves.UpdateVTKObjects()
        algorithm = curves.GetClientSideObject()
        fractions = []

        def stop(*_):
            fractions.append(algorithm.GetProgress())
            if fractions[-1] > 0.2:
                algorithm.SetAbortExecute(1)

        tag = algorithm.AddObserver("ProgressEvent", stop)
        curves.UpdatePipeline()
        out = algorithm.GetOutputDataObject(0)
        check(out.IsA("vtkPolyData") and out.GetNumberOfPoints() == 0 and
              out.GetNumberOfCells() == 0, "empty")
        # VTK itself reports 1 at the end.
        check(0.2 < max(f for f in fractions if f < 1) < 0.5, f"stopped early: {fractions[-3:]}")
        check("ERR" not in messages(), "what the user wished is no error")
        algorithm.RemoveObserver(tag)
        algorithm.SetAbortExecute(0)
        curves.ChordError = 1e-3
        curves.UpdatePipeline()
        check(algorithm.GetOutputDataObject(0).GetNumberOfPoints() > 24000, "and it runs again")
        simple.Delete(curves)


def a_slow_piece_of_work_can_be_stopped():
    """600 curves of 4 million segments each, a second or more in one thread: the user is heard, and
    answered within 0.2 s (on a busy machine: 1 s)."""
    ends = np.array([(0, 0, 0), (1, 3, 0), (2, -3, 1), (3, 0, 0)], dtype=float)
    data = polydata(np.concatenate([ends + [0, 0, k] for k in range(600)]),
                    [range(4 * k, 4 * k + 4) for k in range(600)])
    for threads in (1, 2):
        curves = simple.AdaptiveCurves(
            Input=source_of(data), InterpretLinesAs="Cubic Bezier", Sampling="Bisection",
            ChordErrorMode="Absolute", ChordError=1e-11, MaximumLevel=22, Threads=threads,
            Backend="CPU")
        algorithm = curves.GetClientSideObject()
        start, asked = time.monotonic(), []

        def stop(*_):
            if not asked and time.monotonic() > start + 0.5:
                algorithm.SetAbortExecute(1)
                asked.append(time.monotonic())

        tag = algorithm.AddObserver("ProgressEvent", stop)
        curves.UpdatePipeline()
        check(asked and time.monotonic() < asked[0] + 1.0, f"{threads}: {time.monotonic() - start}")
        check(algorithm.GetOutputDataObject(0).GetNumberOfPoints() == 0, "nothing is left")
        algorithm.RemoveObserver(tag)
        messages()
        simple.Delete(curves)


def time_series():
    """Each time gives the curves of its own file."""
    names = []
    for step in range(3):
        data = polydata([(i, i * i * step, 0) for i in range(6)], [range(6)])
        names.append(output_file(f"series_{step}.vtk"))
        writer = vtkPolyDataWriter()
        writer.SetInputData(data)
        writer.SetFileName(names[-1])
        writer.Write()
    reader = simple.LegacyVTKReader(FileNames=names)
    curves = simple.AdaptiveCurves(Input=reader)
    curves.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    check(times == [0, 1, 2], f"times {times}")
    for step in (2, 0, 1):
        curves.UpdatePipeline(times[step])
        out = curves.GetClientSideObject().GetOutputDataObject(0)
        check(points(out)[-1].tolist() == [5, 25 * step, 0], f"the points of time {step}")
        check(out.GetInformation().Get(out.DATA_TIME_STEP()) == times[step], "the time itself")


def report():
    data = polydata([(0, 0, 0), (1, 1, 0), (2, 0, 0), (5, 5, 5)], [(0, 1, 2), (1, 2, 3), (9, 9)])
    source = source_of(data)
    curves = simple.AdaptiveCurves(Input=source, Threads=1, Backend="CPU")
    curves.UpdatePipeline()
    curves.UpdatePipelineInformation()
    out = curves.GetClientSideObject().GetOutputDataObject(0)
    expected = {"Backend": "CPU", "Threads": "1", "Curves": "3",
                "Points": str(out.GetNumberOfPoints()), "Polylines": "2", "Tolerance Scale": "1"}
    for name, value in expected.items():
        check(field_value(out, name).ToString() == value, f"{name}: {field_value(out, name)}")
    check(field_value(out, "Plan Seconds").ToDouble() > 0 and
          field_value(out, "Fill Seconds").ToDouble() > 0, "seconds")
    for i in range(out.GetFieldData().GetNumberOfArrays()):
        check(out.GetFieldData().GetAbstractArray(i).GetNumberOfTuples() == 1, "one row")
    check((curves.BackendUsed, curves.ThreadsUsed, curves.CurvesIn, curves.PolylinesOut,
           curves.PointsOut) == ("CPU", 1, 3, 2, out.GetNumberOfPoints()), "in the panel")
    check(len(lines(out)) == 2, "the bad line is left out")
    messages()


def entries(proxy):
    return [line.partition(":")[0] for line in proxy.ReportText.splitlines()]


def a_report_is_about_its_own_filter():
    source = source_of(polydata([(0, 0, 0), (1, 1, 0), (2, 0, 0)]))
    joined = simple.PointsToCurves(Input=source)
    curves = simple.AdaptiveCurves(Input=joined)
    discs = simple.DiscImage(Input=curves, Resolution=[8, 8], Radius=1)
    for proxy, own, others in (
            (joined, {"Curves", "Repeats"}, {"Chord Tolerance", "Tolerance Scale"}),
            (curves, {"Chord Tolerance", "Tolerance Scale"}, {"Input Points", "Repeats"}),
            (discs, {"Discs", "Points"}, {"Chord Tolerance", "Tolerance Scale", "Repeats"})):
        proxy.UpdatePipeline()
        has = set(entries(proxy))
        check(own <= has and not others & has, f"{proxy.GetXMLName()}: {sorted(has)}")
    messages()


main(the_threads_of_others_stay, results_do_not_depend_on_threads, threads_stay, progress_goes_up,
     abort_leaves_a_valid_empty_output, a_slow_piece_of_work_can_be_stopped, time_series, report,
     a_report_is_about_its_own_filter)
