# SPDX-License-Identifier: BSD-3-Clause
"""The panel's defaults are the C header's, and those of the VTK class."""
import os
import re
import subprocess

from tessera_testing import check, main, polydata, simple, source_of

# Properties of the plugin alone, and what they are by default.
OWN = {"InterpretLinesAs": 0, "PointBudget": 0, "OutputPrecision": 2, "Threads": 0,
       "GenerateParameter": 0, "GenerateArcLength": 0, "GenerateCurvature": 0,
       "GenerateTangents": 0, "GenerateSourceCell": 0, "GenerateAchievedError": 0}
REPORT = {"BackendUsed", "ThreadsUsed", "PointsOut", "PlanSeconds", "FillSeconds", "CurvesIn",
          "PolylinesOut", "ChordToleranceUsed", "ToleranceScale", "DeviceUsed",
          "LaunchStrategyUsed", "FallbackReason", "ChildLaunches", "RefusedLaunches", "ChildItems",
          "InlineItems", "DeepestNesting", "LaunchPool", "DevicePeakBytes", "UploadSeconds",
          "DownloadSeconds"}


def new_filter():
    return simple.AdaptiveCurves(Input=source_of(polydata([(0, 0, 0), (1, 0, 0)], [(0, 1)])))


def value(proxy, name):
    return proxy.GetProperty(name).SMProperty.GetElement(0)


def core_defaults():
    out = subprocess.run([os.environ["TESSERA_PRINT_DEFAULTS"]], capture_output=True, text=True,
                         check=True).stdout
    return {name: float(number) for name, number in (line.split() for line in out.splitlines())}


def panel_has_the_core_defaults():
    proxy = new_filter()
    expected = core_defaults()
    expected.update(OWN)
    for name, default in expected.items():
        check(value(proxy, name) == default, f"{name} is {value(proxy, name)}, not {default}")
    names = set(proxy.ListProperties()) - {"Input", "FieldErrorArrays"} - REPORT
    check(names == set(expected), f"properties without a test: {names ^ set(expected)}")
    check(len(proxy.FieldErrorArrays) == 0, "no array is chosen")


def class_has_the_core_defaults():
    """PrintSelf of an object that no property was pushed to."""
    proxy = new_filter()
    proxy.UpdateVTKObjects()
    text = str(proxy.GetClientSideObject())
    printed = dict(re.findall(r"^\s*(\w+): (\S+)$", text, re.MULTILINE))
    for name, default in {**core_defaults(), **OWN}.items():
        check(float(printed[name]) == default, f"{name} is printed as {printed[name]}")


def enumerations_by_name():
    proxy = new_filter()
    for name, texts in (("InterpretLinesAs", ["Catmull-Rom", "Quadratic Bezier Chain",
                                              "Cubic Bezier Chain", "Quadratic B-Spline",
                                              "Cubic B-Spline", "Straight"]),
                        ("CatmullRomKnots", ["Uniform", "Centripetal", "Chordal"]),
                        ("Sampling", ["Uniform in Parameter", "Bisection"]),
                        ("ChordErrorMode", ["Absolute", "Relative to Bounding Box"]),
                        ("ArrayInterpolation", ["By the Curve", "Linear"]),
                        ("Backend", ["Auto", "CUDA", "CPU"]),
                        ("LaunchStrategy", ["Auto", "Block Per Item", "Child Grid Per Item",
                                            "Aggregated Child Grids", "Flat",
                                            "Recursive Child Grids"]),
                        ("ChildStream", ["Block NULL Stream", "Named Stream", "Fire and Forget",
                                         "Tail Launch"]),
                        ("OutputMemory", ["Exact", "Worst Case", "Device Heap"])):
        for number, text in enumerate(texts):
            setattr(proxy, name, text)
            check(value(proxy, name) == number, f"{name}: {text}")
    for text, number in (("Single", 0), ("Double", 1), ("Same as Input", 2)):  # vtkAlgorithm's
        proxy.OutputPrecision = text
        check(value(proxy, "OutputPrecision") == number, text)


def every_property_has_a_help_text():
    proxy = new_filter()
    for name in proxy.ListProperties():
        documentation = proxy.GetProperty(name).SMProperty.GetDocumentation()
        check(documentation and len(documentation.GetDescription().strip()) > 20, name)


main(panel_has_the_core_defaults, class_has_the_core_defaults, enumerations_by_name,
     every_property_has_a_help_text)
