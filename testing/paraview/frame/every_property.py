# SPDX-License-Identifier: BSD-3-Clause
"""Every property on the panels of points and of their sources changes something: what comes out, or
what the report says. The tables below name all of them; a new one without an entry fails.

What a property does is tested with its filter. That its value gets there at all is tested here."""
import hashlib

import numpy as np
from tessera_testing import add_array, check, main, messages, polydata, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy

TIMES = ("Seconds", "Peak Bytes")  # rows of the report that no run repeats
OF_A_DEVICE = {"Device", "LaunchStrategy", "ChildStream", "PendingLaunchCount", "NestingDepth",
               "LaunchThreshold", "KeepInputOnDevice"}  # do nothing on the CPU: see testing/parity
EXECUTION = {"Backend": ({"Backend": "Auto"}, "CPU"), "Threads": ({"Backend": "CPU", "Threads": 1}, 2)}
MEANS = {"MaximumPointsPerCell": 40}
SPREAD = {"MaximumPointsPerCell": 10 ** 6, "UseSpread": 1, "SpreadArray": "value", "Spread": 5}
TRACKS = {"GroupArray": "id", "OrderArray": "time"}
DISCS = {"Radius": 0.1, "Resolution": [48, 32]}
MAPPED = {**DISCS, "ColorMode": "Color Map", "ColorArray": "value"}
# Property: (what else is set, the other value).
TABLES = {
    "AdaptivePointGrid": {
        **EXECUTION,
        "TreeShape": (MEANS, "Quadtree in XY"),
        "MaximumPointsPerCell": ({}, 5),
        "MaximumLevel": (MEANS, 1),
        "UseSpread": ({**SPREAD, "UseSpread": 0}, 1),
        "SpreadArray": (SPREAD, "time"),
        "SpreadComponent": ({**SPREAD, "SpreadArray": "velocity", "Spread": 0.5}, 1),
        "Spread": (SPREAD, 1),
        "Balance": ({"MaximumPointsPerCell": 2}, "Across Corners"),
        "OutputType": (MEANS, "Points In Cell Order"),
        "OutputPrecision": (MEANS, "Single"),
        "GenerateLevel": (MEANS, 0), "GenerateDensity": (MEANS, 0), "GenerateMeans": (MEANS, 0),
        "GenerateExtremes": (MEANS, 0)},
    "PointsToCurves": {
        **EXECUTION,
        "GroupArray": ({"OrderArray": "time"}, "id"),
        "OrderArray": ({"GroupArray": "id"}, "time"),
        "Temporal": ({}, 1),
        "CutAtGaps": ({**TRACKS, "MaximumGap": 0.02}, 1),
        "MaximumGap": ({**TRACKS, "CutAtGaps": 1, "MaximumGap": 0.02}, 0.05),
        "CutAtDistances": ({**TRACKS, "MaximumDistance": 0.2}, 1),
        "MaximumDistance": ({**TRACKS, "CutAtDistances": 1, "MaximumDistance": 0.2}, 0.4),
        "RemoveRepeats": ({**TRACKS, "RepeatTolerance": 0.1}, 1),
        "RepeatTolerance": ({**TRACKS, "RemoveRepeats": 1, "RepeatTolerance": 0.1}, 0.3),
        "SinglePoints": ({"GroupArray": "number"}, "Leave Out"),
        "SortMethod": None},  # the same by any of them, on purpose
    "DiscImage": {
        **EXECUTION,
        "Plane": (DISCS, "YZ"),
        "Resolution": (DISCS, [32, 32]),
        "Supersampling": (DISCS, "4"),
        "UseRegion": ({**DISCS, "Region": [0, 0.5, 0, 0.5, 0, 0.5]}, 1),
        "Region": ({**DISCS, "UseRegion": 1, "Region": [0, 0.5, 0, 0.5, 0, 0.5]},
                   [0.5, 1, 0, 0.5, 0, 0.5]),
        "RadiusArray": (DISCS, "time"),
        "Radius": (DISCS, 0.2),
        "RadiusScale": ({**DISCS, "RadiusArray": "time", "RadiusScale": 0.1}, 0.3),
        "RadiusUnit": ({**DISCS, "Radius": 3}, "Pixels"),
        "ColorMode": ({**DISCS, "ColorArray": "value"}, "Color Map"),
        "ColorArray": (MAPPED, "time"),
        "Color": (DISCS, [1, 0, 0]),
        "ColorMap": ({**MAPPED, "ColorMap": [0, 1, 0, 0, 1, 0, 0, 1]}, [0, 0, 1, 0, 1, 0, 0, 1]),
        "UseScalarRange": ({**MAPPED, "ScalarRange": [-1, 1]}, 1),
        "ScalarRange": ({**MAPPED, "UseScalarRange": 1, "ScalarRange": [-1, 1]}, [0, 9]),
        "NanColor": ({**MAPPED, "ColorArray": "hole"}, [0, 1, 1]),
        "Opacity": (DISCS, 0.3),
        "OpacityArray": (DISCS, "time"),
        "Falloff": (DISCS, "Gaussian"),
        "Sharpness": ({**DISCS, "Falloff": "Gaussian"}, 1),
        "Order": ({**MAPPED, "OrderArray": "value"}, "Array"),
        "OrderArray": ({**MAPPED, "Order": "Array", "OrderArray": "value"}, "time"),
        "Background": ({**DISCS, "BackgroundOpacity": 1}, [0, 0, 1]),
        "BackgroundOpacity": (DISCS, 1),
        "GenerateTopPoint": (DISCS, 1)},
    "RandomDiscs": {"Scene": ({}, "Snow"), "NumberOfDiscs": ({}, 7), "Seed": ({}, 2),
                    "RadiusRange": ({}, [0.1, 0.2]), "Opacity": ({}, 0.25)},
    "RandomBezierCurves": {"NumberOfCurves": ({}, 7), "Degree": ({}, 5), "Seed": ({}, 2)},
}


def tracks(n=600):
    """Points at random in the unit cube, a few of them to an id. Auto takes a few to the CPU."""
    rng = np.random.default_rng(5)
    data = polydata(rng.random((n, 3)))
    value = rng.random(n) * 20 - 10
    arrays = {"value": value, "time": rng.random(n) * 0.9 + 0.05, "id": np.arange(n) % 20,
              "number": np.arange(n), "velocity": rng.random((n, 3)),
              "hole": np.where(value > 0, value, np.nan)}
    for name, values in arrays.items():
        add_array(data.GetPointData(), name, values)
    return source_of(data)


def moving():
    """Points with several time steps."""
    jet = simple.TurbulentJet(Dimensions=[4, 4, 4], TimeSteps=3)
    return simple.MaskPoints(Input=jet, OnRatio=9)


def bytes_of(array):
    if array is None:
        return b""
    if hasattr(array, "GetValue") and not array.IsNumeric():
        return "|".join(array.GetValue(i) for i in range(array.GetNumberOfValues())).encode()
    values = vtk_to_numpy(array)
    return str((values.dtype, values.shape)).encode() + values.tobytes()


def digest(data):
    """Of everything that comes out, but for what no run repeats."""
    found = hashlib.sha256(data.GetClassName().encode())
    if hasattr(data, "GetPoints") and data.GetPoints():
        found.update(bytes_of(data.GetPoints().GetData()))
    if data.IsA("vtkImageData"):
        found.update(str((data.GetOrigin(), data.GetSpacing(), data.GetDimensions())).encode())
    for name in ("Verts", "Lines", "Cells"):
        cells = getattr(data, "Get" + name, lambda: None)()
        if hasattr(cells, "GetConnectivityArray"):
            found.update(name.encode() + bytes_of(cells.GetOffsetsArray()))
            found.update(bytes_of(cells.GetConnectivityArray()))
    for kind in ("Point", "Cell", "Field"):
        rows = getattr(data, f"Get{kind}Data")()
        for i in range(rows.GetNumberOfArrays()):
            array = rows.GetAbstractArray(i)
            if not array.GetName().endswith(TIMES):
                found.update(array.GetName().encode() + bytes_of(array))
    return found.hexdigest()


def result(kind, source, settings):
    proxy = getattr(simple, kind)(**({"Input": source} if source else {}), **settings)
    proxy.UpdatePipeline()
    text = messages()
    # Auto says where it goes without a device, NaN is noted; nothing else is to be said.
    check(text == "" or "CUDA" in text or "not a number" in text, f"{kind}: {settings}: {text}")
    made = digest(proxy.GetClientSideObject().GetOutputDataObject(0))
    simple.Delete(proxy)
    return made


def settable(kind, source):
    """The properties that a user sets."""
    proxy = getattr(simple, kind)(**({"Input": source} if source else {}))
    names = {name for name in proxy.ListProperties()
             if not proxy.GetProperty(name).SMProperty.GetInformationOnly()}
    simple.Delete(proxy)
    return names - {"Input"}


def cuda_is_built_in():
    report = simple.CUDADeviceReport(Measure=0)
    report.UpdatePipeline()
    report.UpdatePipelineInformation()
    return report.RuntimeVersion != "-"


def every_property_changes_something():
    for kind, table in TABLES.items():
        source = None if kind.startswith("Random") else tracks()
        names = settable(kind, source) - OF_A_DEVICE
        check(names == set(table), f"{kind}: {sorted(names ^ set(table))}")
        for name, entry in table.items():
            if entry is None or (name == "Backend" and not cuda_is_built_in()):
                continue
            settings, value = entry
            of = moving() if name == "Temporal" else tracks(20000) if name == "Backend" else source
            settings = settings if "Backend" in settings or not of else {"Backend": "CPU", **settings}
            before = result(kind, of, settings)
            check(before == result(kind, of, settings), f"{kind}: {name}: the same once more")
            check(before != result(kind, of, {**settings, name: value}),
                  f"{kind}: {name} = {value} changes nothing")


def what_is_no_property_of_the_result():
    """Of all ways of sorting there is one result."""
    source = tracks()
    made = {result("PointsToCurves", source, {**TRACKS, "Backend": "CPU", "SortMethod": way})
            for way in ("Auto", "Merge Sort", "Radix Sort")}
    check(len(made) == 1, "the same curves by all sorts")


def the_device_report_measures_where_it_is_asked():
    report = simple.CUDADeviceReport(Measure=0)
    report.UpdatePipeline()
    names = settable("CUDADeviceReport", None)
    check(names == {"Measure", "Refresh", "ReleaseMemory"}, f"{sorted(names)}")
    check(not report.GetProperty("DeviceCount").GetData() or
          digest(report.GetClientSideObject().GetOutputDataObject(0)) !=
          result("CUDADeviceReport", None, {"Measure": 1}), "Measure, where there is a device")


main(every_property_changes_something, what_is_no_property_of_the_result,
     the_device_report_measures_where_it_is_asked)
