# SPDX-License-Identifier: BSD-3-Clause
"""A saved state, a Python state and a Python trace bring the filter back as it was."""
import numpy as np
from paraview import smstate, smtrace
from tessera_testing import add_array, check, main, output_file, points, polydata, simple
from vtkmodules.vtkIOLegacy import vtkPolyDataWriter

# Every property, away from its default.
SETTINGS = dict(InterpretLinesAs="Cubic B-Spline", CatmullRomKnots="Chordal", Tension=0.25,
                Sampling="Uniform in Parameter", MaximumLevel=9, UseCurvatureFactor=1,
                CurvatureFactor=20.0, MinimumPoints=5, MaximumPoints=40, UseChordError=0,
                ChordError=0.125, ChordErrorMode="Absolute", UseTurningAngle=1, TurningAngle=7.0,
                UseMaximumSegmentLength=1, MaximumSegmentLength=0.5, UseFieldError=1,
                FieldError=0.25, FieldErrorArrays=["f", "g"], PointBudget=5000,
                ArrayInterpolation="Linear", OutputPrecision="Double", GenerateParameter=1,
                GenerateArcLength=1, GenerateCurvature=1, GenerateTangents=1, GenerateSourceCell=1,
                GenerateAchievedError=1, Backend="CPU", Threads=1, Device=1,
                LaunchStrategy="Aggregated Child Grids", ChildStream="Tail Launch",
                PendingLaunchCount=100, OutputMemory="Worst Case", DeviceHeapSize=64,
                LaunchThreshold=50, BlockSize=256, ClusterSize=2, SharedMemoryCarveout=25,
                NestingDepth=3)


def input_file():
    rng = np.random.default_rng(6)
    data = polydata(rng.random((30, 3)), [range(30)])
    for name in ("f", "g", "h"):
        add_array(data.GetPointData(), name, rng.random(30))
    writer = vtkPolyDataWriter()
    writer.SetInputData(data)
    writer.SetFileName(output_file("state_input.vtk"))
    writer.Write()
    return writer.GetFileName()


def build():
    reader = simple.LegacyVTKReader(registrationName="Input", FileNames=[input_file()])
    curves = simple.AdaptiveCurves(registrationName="Curves", Input=reader, **SETTINGS)
    curves.UpdatePipeline()
    return curves


def result(curves):
    return points(curves.GetClientSideObject().GetOutputDataObject(0)).tobytes()


def clear():
    for proxy in reversed(list(simple.GetSources().values())):
        simple.Delete(proxy)
    check(not simple.GetSources(), "nothing is left")


def is_back(what, expected):
    curves = simple.FindSource("Curves")
    check(curves is not None, f"{what}: the filter is there")
    for name, value in SETTINGS.items():
        got = getattr(curves, name)
        got = list(got) if isinstance(value, list) else got
        check(got == value, f"{what}: {name} is {got}, not {value}")
    curves.UpdatePipeline()
    check(result(curves) == expected, f"{what}: the same points")
    clear()


def state_file():
    expected = result(build())
    simple.SaveState(output_file("state.pvsm"))
    clear()
    simple.LoadState(output_file("state.pvsm"))
    is_back("state file", expected)


def python_state():
    expected = result(build())
    text = smstate.get_state()
    clear()
    exec(compile(text, "state.py", "exec"), {})
    is_back("Python state", expected)


def python_trace():
    smtrace.start_trace()
    expected = result(build())
    text = smtrace.stop_trace()
    check("AdaptiveCurves(" in text and "'Cubic B-Spline'" in text, f"the trace: {text}")
    clear()
    exec(compile(text, "trace.py", "exec"), {})
    is_back("trace", expected)


main(state_file, python_state, python_trace)
