# SPDX-License-Identifier: BSD-3-Clause
"""Where the work runs, and what is said about it. On every machine, with and without a GPU."""
import os
import subprocess

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from tessera_testing import (check, field_value, lines, main, messages, points, polydata, run, said,
                             simple, source_of)

PLUGIN = os.environ["TESSERA_PLUGIN_FILE"]
# A device that no machine has: CUDA cannot run, whatever is there.
NO_DEVICE = 31
ODD = dict(LaunchStrategy="Recursive Child Grids", ChildStream="Tail Launch", PendingLaunchCount=1,
           OutputMemory="Device Heap", DeviceHeapSize=1, LaunchThreshold=7,
           NestingDepth=24, Device=NO_DEVICE)
CUDA_ROWS = ["Device", "Devices", "Launch Strategy", "Child Stream", "Output Memory",
             "Child Launches", "Refused Launches", "Child Items", "Inline Items", "Deepest Nesting",
             "Launch Pool", "Pieces", "Device Peak Bytes", "Upload Seconds", "Download Seconds"]


def data():
    xyz = np.random.default_rng(8).random((40, 3))
    return polydata(xyz, [range(10 * i, 10 * i + 10) for i in range(4)])


def devices():
    report = simple.CUDADeviceReport()
    report.UpdatePipeline()
    return report


def has(out, name):
    return out.GetFieldData().GetAbstractArray("Tessera " + name) is not None


def cuda_that_cannot_run_is_an_error():
    out, text = said(data(), Backend="CUDA", Device=NO_DEVICE)
    check("ERR" in text and "CUDA" in text and "Nothing was made" in text, f"the error: {text}")
    check(out.IsA("vtkPolyData") and out.GetNumberOfPoints() == 0, "a valid, empty output")
    check(out.GetFieldData().GetNumberOfArrays() == 0, "no report of what did not run")
    report = devices()
    if report.Problem:
        out, text = said(data(), Backend="CUDA")
        check("ERR" in text and out.GetNumberOfPoints() == 0, f"not even the first: {text}")
        # The sentence of the core says why, as that of the device report does.
        reason = "driver" if "driver" in report.Problem else "CUDA"
        check(reason in text, f"{text} names the reason: {report.Problem}")


def the_cpu_does_not_look_at_cuda_settings():
    plain = run(data(), Backend="CPU")
    out = run(data(), Backend="CPU", **ODD)
    check(points(out).tobytes() == points(plain).tobytes(), "the same points")
    check(field_value(out, "Backend").ToString() == "CPU", "by the CPU")
    check(not any(has(out, name) for name in CUDA_ROWS + ["Fallback"]), "no rows about CUDA")


def auto_gives_the_same_and_does_not_nag():
    plain = run(data(), Backend="CPU")
    out, text = said(data())
    check(points(out).tobytes() == points(plain).tobytes(), "the same points")
    check([c.tolist() for c in lines(out)] == [c.tolist() for c in lines(plain)], "the same cells")
    report = devices()
    if report.DeviceCount == 0:
        check(text == "", f"a machine without a GPU is nothing to warn of: {text}")
    if report.Problem:
        check(field_value(out, "Backend").ToString() == "CPU", "the CPU stepped in")
        built = report.RuntimeVersion != "-"
        check(has(out, "Fallback") == built, "the report says why, where there is a why")
        check(not built or "CUDA" in field_value(out, "Fallback").ToString(), "a sentence")
    else:
        check(field_value(out, "Backend").ToString() == "CUDA" and text == "", f"CUDA ran: {text}")


def nothing_is_logged_where_there_is_no_device():
    """Seen in a process of its own, whose log holds nothing else."""
    script = ("from paraview.simple import *\n"
              f"LoadPlugin({PLUGIN!r}, remote=False, ns=globals())\n"
              "line = PolyLineSource(Points=[0, 0, 0, 1, 1, 0, 2, 0, 0])\n"
              "for error in (0.1, 0.01):\n"
              "    AdaptiveCurves(Input=line, ChordError=error,\n"
              "                   Joints='Keep All').UpdatePipeline()\n")
    ran = subprocess.run(["pvpython", "-c", script], capture_output=True, text=True, timeout=60)
    check(ran.returncode == 0, ran.stderr)
    check(devices().DeviceCount > 0 or "CUDA" not in ran.stderr, f"the log: {ran.stderr}")


def auto_warns_once_where_a_present_device_fails():
    """Asking for a device that is not there is such a failure, where another one is. (Auto leaves few
    curves whose joints may go to the CPU: it would not ask.)"""
    report = devices()
    source = source_of(data())
    curves = simple.AdaptiveCurves(Input=source, Device=NO_DEVICE, Joints="Keep All")
    messages()
    curves.UpdatePipeline()
    text = messages()
    expected = 1 if report.DeviceCount > 0 else 0
    check(text.count("Warning") == expected, f"{report.DeviceCount} devices: {text}")
    check(not expected or "The CPU did the work" in text, text)
    curves.ChordError = 0.01
    curves.UpdatePipeline()
    check(messages() == "", "not again for the same reason")
    out = curves.GetClientSideObject().GetOutputDataObject(0)
    check(out.GetNumberOfPoints() > 40 and field_value(out, "Backend").ToString() == "CPU", "done")


def bad_choices_are_errors_on_every_machine():
    for name in ("LaunchStrategy", "ChildStream", "OutputMemory", "Device"):
        source = source_of(data())
        curves = simple.AdaptiveCurves(Input=source, Backend="CPU")
        curves.GetProperty(name).SMProperty.SetElement(0, -2)
        curves.UpdateVTKObjects()
        curves.UpdatePipeline()
        algorithm = curves.GetClientSideObject()
        text = messages()
        words = {"LaunchStrategy": "Launch Strategy", "ChildStream": "Child Stream",
                 "OutputMemory": "Output Memory", "Device": "Device"}[name]
        check("ERR" in text and words + " must be" in text and "-2" in text, f"{name}: {text}")
        check(algorithm.GetOutputDataObject(0).GetNumberOfPoints() == 0, f"{name}: empty")
        simple.Delete(curves)


def each_filter_has_strategies_of_its_own():
    """Of 1 to 5 for curves, of 6 and 7 for grids, of 4 to 6 for points, of 3 and 4 for disc images;
    wherever it runs, so that a script that works on the CPU does so on a GPU."""
    wavelet = simple.Wavelet()
    for proxy, bad, known in ((simple.AdaptiveCurves(Input=source_of(data())), (6, 7), "1 to 5"),
                              (simple.AdaptiveGrid(Input=wavelet), (1, 5, 8), "6 to 7"),
                              (simple.AdaptivePointGrid(Input=source_of(data())), (1, 3, 7),
                               "4 to 6"),
                              (simple.DiscImage(Input=source_of(data())), (1, 2, 5), "3 to 4")):
        proxy.Backend = "CPU"
        for strategy in bad:
            proxy.GetProperty("LaunchStrategy").SMProperty.SetElement(0, strategy)
            proxy.UpdateVTKObjects()
            messages()
            proxy.UpdatePipeline()
            text = messages()
            sentence = f"Launch Strategy must be 0 (Auto) or a number from {known}, not {strategy}."
            check(sentence in text, text)
            out = proxy.GetClientSideObject().GetOutputDataObject(0)
            check(out.GetNumberOfPoints() == 0, "empty")
        simple.Delete(proxy)


def refused(proxy):
    messages()
    proxy.UpdatePipeline()
    text = messages()
    check(text.count("ERR") == 1 and "Nothing was made" in text and "CUDA" in text, text)


def grids_on_cuda_that_cannot_run():
    wavelet = simple.Wavelet()
    for strategy in ("Auto", "Host Waves", "Device Launched"):
        proxy = simple.AdaptiveGrid(Input=wavelet, Backend="CUDA", Device=NO_DEVICE,
                                    LaunchStrategy=strategy)
        refused(proxy)
        proxy.Backend = "CPU"
        proxy.UpdatePipeline()
        proxy.UpdatePipelineInformation()
        check(messages() == "" and proxy.CellsOut > 0, "on the CPU nothing of it matters")
        check((proxy.BackendUsed, proxy.DeviceUsed, proxy.LaunchStrategyUsed) == ("CPU", "-", "-"),
              f"{proxy.BackendUsed} {proxy.DeviceUsed} {proxy.LaunchStrategyUsed}")
        simple.Delete(proxy)


def few_points_are_the_cpu_s():
    """Auto does not ask for a device where a call takes longer than the work, so it needs no excuse;
    it does from so many points on."""
    built = devices().RuntimeVersion != "-"
    for kind, least in (("AdaptivePointGrid", 12000), ("PointsToCurves", 9000)):
        for n in (least - 1, least):
            source = source_of(polydata(np.random.default_rng(8).random((n, 3))))
            proxy = getattr(simple, kind)(Input=source, Device=NO_DEVICE)
            proxy.UpdatePipeline()
            proxy.UpdatePipelineInformation()
            messages()
            check(proxy.BackendUsed == "CPU", proxy.BackendUsed)
            check(bool(proxy.FallbackReason) == (built and n >= least),
                  f"{kind}, {n} points: '{proxy.FallbackReason}'")
            simple.Delete(proxy)


def made_without_cuda(proxy, made):
    """CUDA is refused; what made(proxy) says after the CPU, and after Auto, which tells why where CUDA is
    built in."""
    built = devices().RuntimeVersion != "-"
    refused(proxy)
    results = []
    for backend in ("CPU", "Auto"):
        proxy.Backend = backend
        proxy.UpdatePipeline()
        proxy.UpdatePipelineInformation()
        messages()
        results.append(made(proxy))
        ran = (proxy.BackendUsed, proxy.DeviceUsed, proxy.LaunchStrategyUsed)
        check(ran == ("CPU", "-", "-"), str(ran))
        check(bool(proxy.FallbackReason) == (built and backend == "Auto"),
              f"{backend}: '{proxy.FallbackReason}'")
    return results


def point_grids_on_cuda_that_cannot_run():
    """CUDA is an error; Auto makes the CPU's cells, and says why where CUDA is built in."""
    many = polydata(np.random.default_rng(8).random((12000, 3)))  # Auto wants a device
    for strategy in ("Auto", "Flat", "Recursive Child Grids", "Host Waves"):
        proxy = simple.AdaptivePointGrid(Input=source_of(many), MaximumPointsPerCell=1,
                                         Backend="CUDA", Device=NO_DEVICE, LaunchStrategy=strategy)
        made = made_without_cuda(proxy, lambda it: it.LeavesOut)
        check(made[0] == made[1] > 1, f"the same cells: {made}")
        simple.Delete(proxy)


def a_child_stream_of_points_is_checked_everywhere():
    proxy = simple.AdaptivePointGrid(Input=source_of(data()), Backend="CPU")
    proxy.GetProperty("ChildStream").SMProperty.SetElement(0, 4)
    proxy.UpdateVTKObjects()
    messages()
    proxy.UpdatePipeline()
    check("Child Stream must be a number from 0 to 3, not 4." in messages(), "a sentence")
    check(proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPoints() == 0, "empty")


def pixels(proxy):
    image = proxy.GetClientSideObject().GetOutputDataObject(0)
    return vtk_to_numpy(image.GetPointData().GetArray("Colors")).tobytes()


def disc_images_on_cuda_that_cannot_run():
    """CUDA is an error; Auto draws the CPU's pixels, and says why where CUDA is built in."""
    for strategy in ("Auto", "Flat", "Aggregated Grids"):
        proxy = simple.DiscImage(Input=source_of(data()), Resolution=[40, 30], Backend="CUDA",
                                 Device=NO_DEVICE, LaunchStrategy=strategy, LaunchThreshold=1,
                                 PendingLaunchCount=7, ChildStream="Tail Launch")
        made = made_without_cuda(proxy, pixels)
        check(made[0] == made[1] and any(made[0]), "the same pixels, not all of them empty")
        simple.Delete(proxy)


def a_child_stream_of_discs_is_checked_everywhere():
    proxy = simple.DiscImage(Input=source_of(data()), Backend="CPU")
    proxy.GetProperty("ChildStream").SMProperty.SetElement(0, 4)
    proxy.UpdateVTKObjects()
    messages()
    proxy.UpdatePipeline()
    check("Child Stream must be a number from 0 to 3, not 4." in messages(), "a sentence")
    image = proxy.GetClientSideObject().GetOutputDataObject(0)
    check(image.GetNumberOfPoints() == 0, "empty")


def the_panel_says_what_ran():
    source = source_of(data())
    curves = simple.AdaptiveCurves(Input=source, Backend="CPU")
    curves.UpdatePipeline()
    curves.UpdatePipelineInformation()
    check((curves.BackendUsed, curves.DeviceUsed, curves.LaunchStrategyUsed) == ("CPU", "-", "-"),
          f"{curves.BackendUsed} {curves.DeviceUsed} {curves.LaunchStrategyUsed}")
    for name in ("ChildLaunches", "RefusedLaunches", "ChildItems", "InlineItems", "DeepestNesting",
                 "LaunchPool", "DevicePeakBytes", "UploadSeconds", "DownloadSeconds"):
        check(getattr(curves, name) == 0, f"{name} is {getattr(curves, name)}")
    curves.Backend = "Auto"
    curves.UpdatePipeline()
    curves.UpdatePipelineInformation()
    check(curves.BackendUsed in ("CPU", "CUDA"), curves.BackendUsed)
    check((curves.DeviceUsed == "-") == (curves.BackendUsed == "CPU"), curves.DeviceUsed)


main(cuda_that_cannot_run_is_an_error, the_cpu_does_not_look_at_cuda_settings,
     auto_gives_the_same_and_does_not_nag, nothing_is_logged_where_there_is_no_device,
     auto_warns_once_where_a_present_device_fails, bad_choices_are_errors_on_every_machine,
     each_filter_has_strategies_of_its_own, grids_on_cuda_that_cannot_run,
     few_points_are_the_cpu_s, point_grids_on_cuda_that_cannot_run, a_child_stream_of_points_is_checked_everywhere,
     disc_images_on_cuda_that_cannot_run, a_child_stream_of_discs_is_checked_everywhere,
     the_panel_says_what_ran)
