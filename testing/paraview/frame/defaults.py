# SPDX-License-Identifier: BSD-3-Clause
"""The panels' defaults are the C header's, and those of the VTK classes."""
import os
import re
import subprocess

import numpy as np

from tessera_testing import check, main, polydata, simple, source_of

# Properties of the plugin alone, and what they are by default.
OWN = {
    "AdaptiveCurves": {"InterpretLinesAs": [0], "PointBudget": [0], "OutputPrecision": [2],
                       "Threads": [0], "GenerateParameter": [0], "GenerateArcLength": [0],
                       "GenerateCurvature": [0], "GenerateTangents": [0],
                       "GenerateSourceCell": [0], "GenerateAchievedError": [0]},
    # Of the criteria the interpolation error alone is on; each has a threshold of its own.
    "AdaptiveGrid": {"Region": [0, 1, 0, 1, 0, 1], "ThresholdMode": [1], "OutputType": [0],
                     "UseInterpolationError": [1], "InterpolationError": [0.01],
                     "UseValueRange": [0], "ValueRange": [0.1], "UseGradient": [0],
                     "Gradient": [0.1], "UseSecondDerivative": [0], "SecondDerivative": [0.8],
                     "UseStandardDeviation": [0], "StandardDeviation": [0.05],
                     "UseVorticity": [0], "Vorticity": [0.25], "UseQCriterion": [0],
                     "QCriterion": [0.1], "UseArrayInRange": [0], "ArrayInRange": [0, 1],
                     "OutputPrecision": [2], "Threads": [0], "GenerateLevel": [0],
                     "GenerateIndicator": [0], "GenerateSourceCell": [0], "MeasureErrors": [1],
                     "HangingNodes": [3]},
    "AdaptivePointGrid": {"Spread": [1], "OutputPrecision": [2], "Threads": [0], "GenerateLevel": [1],
                          "GenerateDensity": [1], "GenerateMeans": [1], "GenerateExtremes": [1]},
    "PointsToCurves": {"Temporal": [0], "Threads": [0]},
    "TurbulentJet": {"TimeSteps": [11], "TimeRange": [0, 1], "OutputPrecision": [0]},
    "DiscImage": {"Plane": [0], "UseRegion": [0], "Region": [0, 1, 0, 1, 0, 1], "Radius": [1],
                  "RadiusScale": [1], "ColorMode": [0], "UseScalarRange": [0],
                  "ScalarRange": [0, 1], "GenerateTopPoint": [0], "Threads": [0]},
    "RandomDiscs": {},
}
# What the panel takes from the input instead.
# The bounds of new_proxy's, and a hundredth of their longest side.
FROM_INPUT = {"AdaptiveGrid": {"Region": [-10, 10, -10, 10, -10, 10]},
              "DiscImage": {"Region": [-10, 10, -10, 10, -10, 10], "Radius": [0.2]}}
# Names of arrays and inputs; they have no number.
NAMES = {"AdaptiveCurves": {"Input", "FieldErrorArrays"},
         "AdaptiveGrid": {"Input", "CriteriaArrays", "VelocityArray"},
         "AdaptivePointGrid": {"Input", "SpreadArray"},
         "PointsToCurves": {"Input", "GroupArray", "OrderArray"}, "TurbulentJet": set(),
         "DiscImage": {"Input", "RadiusArray", "ColorArray", "ColorMap", "OpacityArray",
                       "OrderArray"}, "RandomDiscs": set()}
EXECUTION_REPORT = {"BackendUsed", "ThreadsUsed", "PlanSeconds", "FillSeconds", "DeviceUsed",
                    "FallbackReason", "DevicePeakBytes", "UploadSeconds", "DownloadSeconds"}
LAUNCH_REPORT = {"LaunchStrategyUsed", "ChildLaunches", "DeepestNesting"}
CHILDREN_REPORT = {"RefusedLaunches", "ChildItems", "InlineItems", "LaunchPool"}
REPORT = {"AdaptiveCurves": EXECUTION_REPORT | LAUNCH_REPORT | CHILDREN_REPORT | {
              "PointsOut", "CurvesIn",
              "PolylinesOut", "ChordToleranceUsed", "ToleranceScale"},
          "AdaptiveGrid": EXECUTION_REPORT | LAUNCH_REPORT | {
              "InputCells", "CellsOut", "PointsOut", "FineCells", "Saving", "LargestErrors",
              "ThresholdScale"},
          "AdaptivePointGrid": EXECUTION_REPORT | LAUNCH_REPORT | CHILDREN_REPORT | {
              "PointsIn", "LeavesOut", "HighestLevel"},
          "PointsToCurves": EXECUTION_REPORT | {"PointsIn", "CurvesOut", "PointsOut"},
          "TurbulentJet": {"TimestepValues"},
          "DiscImage": EXECUTION_REPORT | LAUNCH_REPORT | CHILDREN_REPORT | {"DiscsIn", "DiscsDrawn"},
          "RandomDiscs": set()}
SOURCES = {"TurbulentJet", "RandomDiscs"}

EXECUTION_TEXTS = {"Backend": ["Auto", "CUDA", "CPU"]}
CHILD_STREAMS = ["Block NULL Stream", "Named Stream", "Fire and Forget", "Tail Launch"]
PRECISIONS = {"Single": 0, "Double": 1}  # vtkAlgorithm's
# A list numbers its texts from 0 on.
TEXTS = {
    "AdaptiveCurves": {
        **EXECUTION_TEXTS,
        "ChildStream": CHILD_STREAMS,
        "OutputMemory": ["Exact", "Worst Case", "Device Heap"],
        "InterpretLinesAs": ["Catmull-Rom", "Quadratic Bezier Chain", "Cubic Bezier Chain",
                             "Quadratic B-Spline", "Cubic B-Spline", "Straight"],
        "CatmullRomKnots": ["Uniform", "Centripetal", "Chordal"],
        "Sampling": ["Uniform in Parameter", "Bisection", "Equal Error"],
        "ChordErrorMode": ["Absolute", "Relative to Bounding Box"],
        "ArrayInterpolation": ["By the Curve", "Linear"],
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "LaunchStrategy": ["Auto", "Block Per Item", "Child Grid Per Item",
                           "Aggregated Child Grids", "Flat", "Recursive Child Grids"]},
    "AdaptiveGrid": {
        **EXECUTION_TEXTS,
        "GridType": ["Adaptive", "Fixed Coarse", "Fixed Fine"],
        "Balance": ["None", "Across Faces", "Across Edges", "Across Corners"],
        "ThresholdMode": ["Absolute", "Fraction of Range"],
        "OutputType": ["Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"],
        "CellShape": ["Voxels and Pixels", "Hexahedra and Quads"],
        "HangingNodes": {"Conforming": 3, "Free": 0, "Constrained": 1, "Polygons (2D)": 2},
        "AMRBlockSize": {str(2 ** k): 2 ** k for k in range(1, 7)},
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "LaunchStrategy": {"Auto": 0, "Host Waves": 6, "Device Launched": 7}},
    "AdaptivePointGrid": {
        **EXECUTION_TEXTS,
        "TreeShape": ["Octree", "Quadtree, Thinnest Axis Dropped", "Quadtree in XY",
                      "Quadtree in YZ", "Quadtree in XZ"],
        "Balance": ["None", "Across Faces", "Across Edges", "Across Corners"],
        "OutputType": ["Unstructured Grid", "Hyper Tree Grid", "Points In Cell Order"],
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "ChildStream": CHILD_STREAMS,
        "LaunchStrategy": {"Auto": 0, "Flat": 4, "Recursive Child Grids": 5, "Host Waves": 6}},
    "PointsToCurves": {
        **EXECUTION_TEXTS,
        "SinglePoints": ["Vertices", "Leave Out"],
        "SortMethod": ["Auto", "Merge Sort", "Radix Sort"]},
    "TurbulentJet": {"OutputPrecision": PRECISIONS},
    "DiscImage": {
        **EXECUTION_TEXTS,
        "Plane": ["XY", "YZ", "XZ"],
        "Supersampling": {"1": 1, "2": 2, "4": 4},
        "RadiusUnit": ["World", "Pixels"],
        "ColorMode": ["Constant", "Array of Colors", "Array Through Color Map"],
        "Falloff": ["Even", "Gaussian"],
        "Order": ["Input", "Depth", "Array"],
        "ChildStream": CHILD_STREAMS,
        "LaunchStrategy": {"Auto": 0, "Aggregated Child Grids": 3, "Flat": 4}},
    "RandomDiscs": {"Scene": ["Random", "RGB", "Pattern", "Snow", "Big and Little"]},
}


def new_proxy(kind):
    if kind in SOURCES:
        return getattr(simple, kind)()
    if kind == "DiscImage":
        return simple.DiscImage(Input=source_of(polydata([(-10, -10, -10), (10, 10, 10)])))
    if kind == "AdaptiveGrid":
        wavelet = simple.Wavelet()
        wavelet.UpdatePipeline()
        return simple.AdaptiveGrid(Input=wavelet)
    if kind == "PointsToCurves":
        return simple.PointsToCurves(Input=source_of(polydata([(0, 0, 0), (1, 0, 0)])))
    filters = {"AdaptiveCurves": simple.AdaptiveCurves, "AdaptivePointGrid": simple.AdaptivePointGrid}
    return filters[kind](Input=source_of(polydata([(0, 0, 0), (1, 0, 0)], [(0, 1)])))


def values(proxy, name):
    numbers = proxy.GetProperty(name).SMProperty
    return [numbers.GetElement(i) for i in range(numbers.GetNumberOfElements())]


def from_core(kind):
    out = subprocess.run([os.environ["TESSERA_PRINT_DEFAULTS"]], capture_output=True, text=True,
                         check=True).stdout
    lines = [line.split() for line in out.splitlines()]
    return {name: [float(n) for n in numbers] for proxy, name, *numbers in lines if proxy == kind}


def expected_defaults(kind):
    """The core's, and the plugin's own."""
    core = from_core(kind)
    check(len(core) > 4, f"{kind}: the core has defaults")
    return {**core, **OWN[kind]}


def panels_have_the_core_defaults():
    for kind in OWN:
        proxy = new_proxy(kind)
        expected = {**expected_defaults(kind), **FROM_INPUT.get(kind, {})}
        for name, default in expected.items():
            got = values(proxy, name)
            check(got == default, f"{kind}: {name} is {got}, not {default}")
        names = set(proxy.ListProperties()) - NAMES[kind] - REPORT[kind]
        check(names == set(expected), f"{kind}: without a test: {names ^ set(expected)}")
        check(REPORT[kind] <= set(proxy.ListProperties()), f"{kind}: the report is there")


def panels_have_the_core_ranges():
    """A slider or list ends where the core's table of properties does."""
    proxy = new_proxy("AdaptiveCurves")
    ranges = from_core("AdaptiveCurves.range")
    check(len(ranges) > 20, "the core has ranges")
    for name, (least, most) in ranges.items():
        prop = proxy.GetProperty(name).SMProperty
        domain = prop.GetDomain("range")
        got = [-np.inf, np.inf]
        if domain:
            got = [domain.GetMinimum(0) if domain.GetMinimumExists(0) else -np.inf,
                   domain.GetMaximum(0) if domain.GetMaximumExists(0) else np.inf]
        elif prop.GetDomain("enum"):
            domain = prop.GetDomain("enum")
            entries = [domain.GetEntryValue(i) for i in range(domain.GetNumberOfEntries())]
            got = [min(entries), max(entries)]
        elif prop.GetDomain("bool"):
            got = [0, 1]
        check(got == [least, most], f"{name}: {got}, not {[least, most]}")


def no_array_is_chosen():
    check(len(new_proxy("AdaptiveCurves").FieldErrorArrays) == 0, "curves")
    check(len(new_proxy("AdaptiveGrid").CriteriaArrays) == 0, "grids: the active scalars are taken")
    joined = new_proxy("PointsToCurves")
    check(joined.GroupArray == "None" and joined.OrderArray == "None", "points: none is taken")
    check(new_proxy("AdaptiveGrid").VelocityArray in ("", None), "there are no vectors")
    jet = simple.TurbulentJet(Dimensions=[4, 4, 4])
    jet.UpdatePipeline()
    grid = simple.AdaptiveGrid(Input=jet)
    check(grid.VelocityArray == "Velocity", f"the only vectors are offered: {grid.VelocityArray}")


def classes_have_the_core_defaults():
    """PrintSelf of objects that no property was pushed to."""
    manager = simple.servermanager.ProxyManager()
    for kind in OWN:
        proxy = manager.NewProxy("sources" if kind in SOURCES else "filters", kind)
        proxy.UpdateVTKObjects()
        text = str(proxy.GetClientSideObject())
        printed = dict(re.findall(r"^\s*(\w+): (.*)$", text, re.MULTILINE))
        for name, default in expected_defaults(kind).items():
            check([float(n) for n in printed[name].split()] == default,
                  f"{kind}: {name} is printed as {printed[name]}")


def enumerations_by_name():
    for kind, lists in TEXTS.items():
        proxy = new_proxy(kind)
        for name, texts in lists.items():
            numbers = texts if isinstance(texts, dict) else {t: i for i, t in enumerate(texts)}
            check(sorted(proxy.GetProperty(name).Available) == sorted(numbers), f"{kind}: {name}")
            for text, number in numbers.items():
                setattr(proxy, name, text)
                check(values(proxy, name) == [number], f"{kind}: {name}: {text}")


def every_property_has_a_help_text():
    for kind in OWN:
        proxy = new_proxy(kind)
        for name in proxy.ListProperties():
            documentation = proxy.GetProperty(name).SMProperty.GetDocumentation()
            text = documentation.GetDescription().strip() if documentation else ""
            check(len(text) > 20 and text.endswith("."), f"{kind}: {name}: {text}")
        documentation = proxy.SMProxy.GetDocumentation()
        for text in (documentation.GetDescription(), documentation.GetLongHelp(),
                     documentation.GetShortHelp()):
            check(len(text.strip()) > 40 and text.strip().endswith("."), f"{kind}: {text}")


def all_stand_in_the_menu_tessera():
    for kind in OWN:
        hints = new_proxy(kind).SMProxy.GetHints()
        menu = hints.FindNestedElementByName("ShowInMenu")
        check(menu and menu.GetAttribute("category") == "Tessera", kind)


main(panels_have_the_core_defaults, panels_have_the_core_ranges, no_array_is_chosen, classes_have_the_core_defaults,
     enumerations_by_name, every_property_has_a_help_text, all_stand_in_the_menu_tessera)
