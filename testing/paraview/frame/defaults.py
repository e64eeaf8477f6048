# SPDX-License-Identifier: BSD-3-Clause
"""The panels' defaults are the C header's, and those of the VTK classes."""
import os
import re
import subprocess
from pathlib import Path

import numpy as np

from tessera_testing import check, main, polydata, simple, source_of

XML = {path.stem: path.read_text(encoding="utf-8")
       for path in (Path(__file__).resolve().parents[3] / "xml").glob("*.xml")}
PROXIES = sorted(set(XML) - {"CUDADeviceReport"})  # it has no options
SOURCES = {name for name, text in XML.items() if 'ProxyGroup name="sources"' in text}
# What the panel takes from the input instead.
# The bounds of new_proxy's, and a hundredth of their longest side.
FROM_INPUT = {"AdaptiveGrid": {"Region": [-10, 10, -10, 10, -10, 10]},
              "DiscImage": {"Region": [-10, 10, -10, 10, -10, 10], "Radius": [0.2]}}

EXECUTION_TEXTS = {"Backend": ["Auto", "CUDA", "CPU"]}
CHILD_STREAMS = ["Block NULL Stream", "Named Stream", "Fire and Forget", "Tail Launch"]
PRECISIONS = {"Single": 0, "Double": 1}  # vtkAlgorithm's
# A list numbers its texts from 0 on.
TEXTS = {
    "AdaptiveCells": {
        **EXECUTION_TEXTS,
        "ChordErrorMode": ["Absolute", "Fraction of Box"],
        "FieldErrorMode": ["Absolute", "Fraction of Range"],
        "OutputType": ["Surface", "Curves", "Cells"],
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2}},
    "AdaptiveCurves": {
        **EXECUTION_TEXTS,
        "ChildStream": CHILD_STREAMS,
        "OutputMemory": ["Exact", "Worst Case", "Device Heap"],
        "InterpretLinesAs": ["Catmull-Rom", "Quadratic Bezier", "Cubic Bezier",
                             "Quadratic B-Spline", "Cubic B-Spline", "Straight", "Automatic",
                             "Natural Cubic Spline"],
        "CatmullRomKnots": ["Uniform", "Centripetal", "Chordal"],
        "Sampling": ["Uniform", "Bisection", "Equal Error", "Equal Arc Length"],
        "ChordErrorMode": ["Absolute", "Fraction of Box"],
        "FieldErrorMode": ["Absolute", "Fraction of Range"],
        "Joints": ["Keep All", "Keep Where Needed"],
        "Vertices": ["On the Curve", "Within Tolerance"],
        "ArrayInterpolation": ["By the Curve", "Linear"],
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "LaunchStrategy": ["Auto", "Block Per Item", "Child Grid Per Item",
                           "Aggregated Grids", "Flat", "Recursive Child Grids"]},
    "AdaptiveGrid": {
        **EXECUTION_TEXTS,
        "GridType": ["Adaptive", "Fixed Coarse", "Fixed Fine"],
        "Balance": ["None", "Across Faces", "Across Edges", "Across Corners"],
        "ThresholdMode": ["Absolute", "Fraction of Range"],
        "OutputType": ["Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR"],
        "CellShape": ["Voxels or Pixels", "Hexahedra or Quads"],
        "HangingNodes": {"Conforming": 3, "Free": 0, "Constrained": 1, "Polygons (2D)": 2},
        "CellArrays": ["Keep On Cells", "Move To Points"],
        "Boundary": ["Touching Cells", "Wholly Inside Cells", "Clipped At Surface"],
        "OverTime": ["Each Step", "All Steps"],
        "AMRBlockSize": {str(2 ** k): 2 ** k for k in range(1, 7)},
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "LaunchStrategy": {"Auto": 0, "Host Waves": 6, "Device Launched": 7}},
    "AdaptivePointGrid": {
        **EXECUTION_TEXTS,
        "TreeShape": ["Octree", "Quadtree, Auto Plane", "Quadtree in XY",
                      "Quadtree in YZ", "Quadtree in XZ"],
        "Balance": ["None", "Across Faces", "Across Edges", "Across Corners"],
        "OutputType": ["Unstructured Grid", "Hyper Tree Grid", "Points In Cell Order"],
        "OutputPrecision": {**PRECISIONS, "Same as Input": 2},
        "ChildStream": CHILD_STREAMS,
        "LaunchStrategy": {"Auto": 0, "Flat": 4, "Recursive Child Grids": 5, "Host Waves": 6}},
    "PointsToCurves": {
        **EXECUTION_TEXTS,
        "SinglePoints": ["Vertices", "Leave Out"]},
    "TurbulentJet": {"OutputPrecision": PRECISIONS},
    "DiscImage": {
        **EXECUTION_TEXTS,
        "Plane": ["XY", "YZ", "XZ"],
        "Supersampling": {"1": 1, "2": 2, "4": 4},
        "RadiusUnit": ["World", "Pixels"],
        "ColorMode": ["Constant", "Array of Colors", "Color Map"],
        "Falloff": ["Even", "Gaussian"],
        "Order": ["Input", "Depth", "Array"],
        "ChildStream": CHILD_STREAMS,
        "LaunchStrategy": {"Auto": 0, "Aggregated Grids": 3, "Flat": 4}},
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
    return getattr(simple, kind)(Input=source_of(polydata([(0, 0, 0), (1, 0, 0)], [(0, 1)])))


def values(proxy, name):
    numbers = proxy.GetProperty(name).SMProperty
    return [numbers.GetElement(i) for i in range(numbers.GetNumberOfElements())]


def from_core(kind):
    out = subprocess.run([os.environ["TESSERA_PRINT_DEFAULTS"]], capture_output=True, text=True,
                         check=True).stdout
    lines = [line.split() for line in out.splitlines()]
    return {name: [float(n) for n in numbers] for proxy, name, *numbers in lines if proxy == kind}


def from_class(kind):
    """What PrintSelf says of an object that no property was pushed to."""
    proxy = simple.servermanager.ProxyManager().NewProxy(
        "sources" if kind in SOURCES else "filters", kind)
    proxy.UpdateVTKObjects()
    text = str(proxy.GetClientSideObject())
    printed = {}
    for name, numbers in re.findall(r"^\s*(\w+): (.*)$", text, re.MULTILINE):
        try:
            printed[name] = [float(n) for n in numbers.split()]
        except ValueError:  # a text
            pass
    return printed


def numeric_properties(proxy):
    """Names of what the user sets as numbers; reports, names of arrays, inputs, lists of any length
    and what the panel alone knows are not."""
    for name in proxy.ListProperties():
        prop = proxy.GetProperty(name).SMProperty
        numbers = any(prop.IsA(f"vtkSM{kind}VectorProperty") for kind in ("Int", "Double", "IdType"))
        if numbers and prop.GetCommand() and not prop.GetInformationOnly() and not prop.GetRepeatCommand():
            yield name


def classes_have_the_core_defaults():
    for kind in PROXIES:
        core, printed = from_core(kind), from_class(kind)
        check(len(core) > 2, f"{kind}: the core has defaults")
        for name, default in core.items():
            check(printed.get(name) == default,
                  f"{kind}: {name} is printed as {printed.get(name)}, not {default}")


def panels_have_the_classes_defaults():
    for kind in PROXIES:
        proxy, printed = new_proxy(kind), {**from_class(kind), **FROM_INPUT.get(kind, {})}
        names = list(numeric_properties(proxy))
        check(len(names) > 2, f"{kind} has properties")
        for name in names:
            check(values(proxy, name) == printed.get(name),
                  f"{kind}: {name} is {values(proxy, name)}, not {printed.get(name)}")
        check(set(from_core(kind)) <= set(names), f"{kind}: {set(from_core(kind)) - set(names)}")


def range_of(prop):
    """Least and greatest number that a slider, a list or a box of the panel lets through."""
    domain = prop.GetDomain("range")
    if domain:
        return [domain.GetMinimum(0) if domain.GetMinimumExists(0) else -np.inf,
                domain.GetMaximum(0) if domain.GetMaximumExists(0) else np.inf]
    domain = prop.GetDomain("enum")
    if domain:
        entries = [domain.GetEntryValue(i) for i in range(domain.GetNumberOfEntries())]
        return [min(entries), max(entries)]
    return [0, 1] if prop.GetDomain("bool") else [-np.inf, np.inf]


def panels_have_the_core_ranges():
    """A slider or list ends where the core's table of properties does."""
    for kind in PROXIES:
        proxy = new_proxy(kind)
        ranges = from_core(kind + ".range")
        check(len(ranges) > 2, f"{kind}: the core has ranges")
        ranges = {name: ranges[name] for name in ranges if name not in FROM_INPUT.get(kind, {})}
        found = {name: range_of(proxy.GetProperty(name).SMProperty) for name in ranges}
        others = {name: (found[name], ranges[name]) for name in ranges if found[name] != ranges[name]}
        check(not others, f"{kind}: panel and core: {others}")


def no_array_is_chosen():
    for names in ("FieldErrorArrays", "CurveArrays", "LinearArrays", "NearestArrays"):
        check(len(getattr(new_proxy("AdaptiveCurves"), names)) == 0, f"curves, {names}")
    check(len(new_proxy("AdaptiveGrid").CriteriaArrays) == 0, "grids: the active scalars are taken")
    joined = new_proxy("PointsToCurves")
    check(joined.GroupArray == "None" and joined.OrderArray == "None", "points: none is taken")
    check(new_proxy("AdaptiveGrid").VelocityArray[1] == "", "there are no vectors")
    jet = simple.TurbulentJet(Dimensions=[4, 4, 4])
    jet.UpdatePipeline()
    grid = simple.AdaptiveGrid(Input=jet)
    check(grid.VelocityArray[:] == ["POINTS", "Velocity"], f"the only vectors are offered: {grid.VelocityArray}")


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
    for kind in PROXIES:
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
    for kind in PROXIES:
        hints = new_proxy(kind).SMProxy.GetHints()
        menu = hints.FindNestedElementByName("ShowInMenu")
        check(menu and menu.GetAttribute("category") == "Tessera", kind)


main(classes_have_the_core_defaults, panels_have_the_classes_defaults, panels_have_the_core_ranges,
     no_array_is_chosen, enumerations_by_name, every_property_has_a_help_text, all_stand_in_the_menu_tessera)
