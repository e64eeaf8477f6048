# SPDX-License-Identifier: BSD-3-Clause
"""Every property on the panels changes something: what comes out, or what the report says. The tables
below name all of them; a new one without an entry fails. And what would change nothing, since no
criterion that is switched on looks at it, is not shown.

What a property does is tested with its filter. That its value gets there at all is tested here."""
import hashlib

import numpy as np
from curved_meshes import quadratic, with_fields
from panel_testing import shown
from tessera_testing import add_array, check, grid, main, messages, points, polydata, simple, source_of
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.util.numpy_support import vtk_to_numpy

TIMES = ("Seconds", "Peak Bytes")  # rows of the report that no run repeats
OF_A_DEVICE = {"Device", "LaunchStrategy", "ChildStream", "PendingLaunchCount", "NestingDepth",
               "LaunchThreshold", "KeepInputOnDevice", "OutputMemory", "DeviceHeapSize"}  # do nothing on the CPU: see testing/parity
# limit.py and state.py press these.
BUTTONS = {"Draft", "Balanced", "Fine", "Estimate", "OnlyCriteriaInUse"}
EXECUTION = {"Backend": ({"Backend": "Auto"}, "CPU"), "Threads": ({"Backend": "CPU", "Threads": 1}, 2)}
MEANS = {"MaximumPointsPerCell": 40}
SPREAD = {"MaximumPointsPerCell": 10 ** 6, "UseSpread": 1, "SpreadArray": "value", "Spread": 5}
TRACKS = {"GroupArray": "id", "OrderArray": "time"}
DISCS = {"Radius": 0.1, "Resolution": [48, 32]}
MAPPED = {**DISCS, "ColorMode": "Color Map", "ColorArray": "value"}
CHORDS = {"UseFieldError": 0, "ChordErrorMode": "Absolute", "ChordError": 0.02}
ALL_JOINTS = {**CHORDS, "Joints": "Keep All"}
FACTOR = {"UseFieldError": 0, "UseChordError": 0, "UseCurvatureFactor": 1, "CurvatureFactor": 4.0,
          "Sampling": "Uniform", "MinimumPoints": 3, "MaximumPoints": 8}
NODES = {"CoarsenLevels": 2}
FLOW = {**NODES, "UseInterpolationError": 0, "VelocityArray": "v"}
PART = {**NODES, "Region": [0, 8, 0, 8, 0, 8], "UseRegion": 1, "LevelInside": 1, "LevelOutside": 0}
AMR = {**NODES, "OutputType": "Overlapping AMR"}


def alone(use, value, **more):
    """A criterion of a grid without the others."""
    return {**NODES, "UseInterpolationError": 0, f"Use{use}": 1, use: value, **more}


def criterion(use, value, other, **more):
    """The two properties of a criterion of a grid."""
    return {f"Use{use}": ({**alone(use, value, **more), f"Use{use}": 0}, 1),
            use: (alone(use, value, **more), other)}


BENT = {"UseFieldError": 0, "ChordErrorMode": "Absolute", "ChordError": 0.02}
VALUES = {"UseChordError": 0, "FieldError": 0.02}
ANGLE = {**BENT, "UseNormalAngle": 1, "NormalAngle": 2}
LENGTH = {**BENT, "UseMaximumEdgeLength": 1, "MaximumEdgeLength": 0.1}

# Property: (what else is set, the other value).
TABLES = {
    "AdaptiveCurves": {
        **EXECUTION,
        "InterpretLinesAs": ({}, "Cubic B-Spline"), "JoinLines": ({}, 0),
        "CatmullRomKnots": ({}, "Chordal"), "Tension": ({}, 0.5),
        "Sampling": (ALL_JOINTS, "Bisection"), "Joints": ({}, "Keep All"),
        "NumberOfSegments": ({"Sampling": "Equal Arc Length"}, 7),
        "Vertices": ({**CHORDS, "ChordError": 0.002}, "Within Tolerance"),
        "UseChordError": (ALL_JOINTS, 0), "ChordError": (CHORDS, 0.01),
        "ChordErrorMode": (CHORDS, "Fraction of Box"),
        "UseTurningAngle": (ALL_JOINTS, 1), "TurningAngle": ({**ALL_JOINTS, "UseTurningAngle": 1}, 5),
        "UseMaximumSegmentLength": ({**ALL_JOINTS, "MaximumSegmentLength": 0.05}, 1),
        "MaximumSegmentLength": ({**ALL_JOINTS, "UseMaximumSegmentLength": 1,
                                  "MaximumSegmentLength": 0.05}, 0.1),
        "UseFieldError": ({"FieldError": 0.001}, 0), "FieldError": ({}, 0.001),
        "FieldErrorMode": ({"FieldError": 0.05}, "Absolute"),
        "FieldErrorArrays": ({"FieldError": 0.001}, ["label"]),
        "UseCurvatureFactor": ({**FACTOR, "UseCurvatureFactor": 0}, 1),
        "CurvatureFactor": (FACTOR, 16.0), "MinimumPoints": (FACTOR, 6), "MaximumPoints": ({**FACTOR, "CurvatureFactor": 40.0}, 5),
        "PointBudget": ({}, 300), "MaximumLevel": ({}, 2),
        "ArrayInterpolation": ({}, "Linear"),
        "CurveArrays": ({}, ["label"]), "LinearArrays": ({}, ["value"]), "NearestArrays": ({}, ["value"]),
        "OutputPrecision": ({}, "Single"),
        "GenerateParameter": ({}, 1), "GenerateArcLength": ({}, 1), "GenerateCurvature": ({}, 1),
        "GenerateTangents": ({}, 1), "GenerateSourceCell": ({}, 1), "GenerateAchievedError": ({}, 1),
        "LargestOutput": None, "HideUnusedCriteria": None},  # see below and state.py
    "AdaptiveGrid": {
        **EXECUTION,
        "GridType": (NODES, "Fixed Fine"), "CoarsenLevels": ({}, 1), "RefineLevels": (NODES, 1),
        "BufferCells": (NODES, 2), "Balance": ({**NODES, "HangingNodes": "Free"}, "None"),
        "CellBudget": (NODES, 60),
        "UseRegion": ({**PART, "UseRegion": 0}, 1), "Region": (PART, [4, 12, 0, 8, 0, 8]),
        "RegionCorner": (PART, [8, 8, 0]), "RegionSize": (PART, [16, 16, 8]),
        "LevelInside": (PART, 2), "LevelOutside": (PART, 1),
        "CriteriaArrays": (NODES, ["g"]),
        "Component": ({**alone("ValueRange", 0.2), "CriteriaArrays": ["v"]}, 0),
        "ThresholdMode": (NODES, "Absolute"),
        "UseInterpolationError": (NODES, 0), "InterpolationError": (NODES, 0.1),
        **criterion("ValueRange", 0.3, 0.05), **criterion("Gradient", 0.3, 0.05),
        **criterion("SecondDerivative", 0.9, 0.2), **criterion("StandardDeviation", 0.2, 0.02),
        **criterion("Vorticity", 0.5, 0.05, VelocityArray="v"),
        **criterion("QCriterion", 0.5, 0.05, VelocityArray="v"),
        **criterion("ArrayInRange", [0.9, 1], [0.1, 0.3]),
        "VelocityArray": (alone("Vorticity", 0.5, VelocityArray="v"), "w"),
        "OutputType": (NODES, "Hyper Tree Grid"), "AMRBlockSize": (AMR, "4"),
        "CellShape": ({**NODES, "HangingNodes": "Free"}, "Hexahedra or Quads"),
        "HangingNodes": (NODES, "Constrained"),
        "CellArrays": ({"HangingNodes": "Free"}, "Move To Points"),
        "FinestCell": (NODES, 0.5), "Boundary": (NODES, "Wholly Inside Cells"), "GenerateInside": (NODES, 1),
        "MergeBlocks": (NODES, 1),
        "OverTime": ({**NODES, "InterpolationError": 0.05}, "All Steps"),
        "OutputPrecision": (NODES, "Single"),
        "GenerateLevel": (NODES, 1), "GenerateIndicator": (NODES, 1), "GenerateSourceCell": (NODES, 1),
        "MeasureErrors": (NODES, 0),
        "UseGeometricError": (NODES, 1), "GeometricError": ({**NODES, "UseGeometricError": 1}, 0.2),
        "LargestOutput": None, "HideUnusedCriteria": None},
    "AdaptiveCells": {
        **EXECUTION,
        "OutputType": ({}, "Cells"), "MergePoints": ({}, 1),
        "UseChordError": (BENT, 0), "ChordError": (BENT, 0.002), "ChordErrorMode": (BENT, "Fraction of Box"),
        "UseFieldError": (VALUES, 0), "FieldError": (VALUES, 0.002), "FieldErrorMode": (VALUES, "Absolute"),
        "FieldErrorArrays": (VALUES, ["linear"]),
        "UseNormalAngle": ({**ANGLE, "UseNormalAngle": 0}, 1), "NormalAngle": (ANGLE, 20),
        "UseMaximumEdgeLength": ({**LENGTH, "UseMaximumEdgeLength": 0}, 1), "MaximumEdgeLength": (LENGTH, 0.2),
        "PointBudget": (VALUES, 100), "MaximumSegments": (VALUES, 2), "OutputPrecision": ({}, "Single"),
        "GenerateSourceCell": ({}, 1), "GenerateNormals": ({}, 1), "GenerateAchievedError": ({}, 1),
        "GenerateParametricCoordinates": ({}, 1), "LargestOutput": None},
    "AdaptivePointGrid": {
        **EXECUTION,
        "TreeShape": (MEANS, "Quadtree in XY"),
        "MaximumPointsPerCell": ({}, 5),
        "MaximumLevel": (MEANS, 1),
        "UseSpread": ({**SPREAD, "UseSpread": 0}, 1),
        "SpreadOf": (SPREAD, "Z"),
        "SpreadArray": (SPREAD, "time"),
        "SpreadComponent": ({**SPREAD, "SpreadArray": "velocity", "Spread": 0.5}, 1),
        "Spread": (SPREAD, 1),
        "Balance": ({"MaximumPointsPerCell": 2}, "Across Corners"),
        "OutputType": (MEANS, "Points In Cell Order"),
        "OutputPrecision": (MEANS, "Single"),
        "GenerateLevel": (MEANS, 0), "GenerateDensity": (MEANS, 0), "GenerateMeans": (MEANS, 0),
        "GenerateExtremes": (MEANS, 0), "GenerateCoordinates": (MEANS, 1), "LargestOutput": None},
    "PointsToCurves": {
        **EXECUTION,
        "GroupArray": ({"OrderArray": "time"}, "id"),
        "OrderArray": ({"GroupArray": "id"}, "time"),
        "Temporal": ({}, 1),
        "UpToCurrentTime": ({"Temporal": 1}, 1),
        "CutAtGaps": ({**TRACKS, "MaximumGap": 0.02}, 1),
        "MaximumGap": ({**TRACKS, "CutAtGaps": 1, "MaximumGap": 0.02}, 0.05),
        "CutAtDistances": ({**TRACKS, "MaximumDistance": 0.2}, 1),
        "MaximumDistance": ({**TRACKS, "CutAtDistances": 1, "MaximumDistance": 0.2}, 0.4),
        "RemoveRepeats": ({**TRACKS, "RepeatTolerance": 0.1}, 1),
        "RepeatTolerance": ({**TRACKS, "RemoveRepeats": 1, "RepeatTolerance": 0.1}, 0.3),
        "SinglePoints": ({"GroupArray": "number"}, "Leave Out"),
        "LargestOutput": None},
    "DiscImage": {
        **EXECUTION, "LargestOutput": None,
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


# What else is set, and what then has no effect, by the pages in docs/; the panel hides it.
IDLE = {
    "AdaptiveCurves": [
        ({"UseChordError": 0, "UseFieldError": 0},
         {"Joints", "PointBudget", "MaximumLevel", "ChordError", "ChordErrorMode",
          "FieldError", "FieldErrorMode", "FieldErrorArrays"}),
        (FACTOR, {"Joints", "MaximumLevel", "TurningAngle", "MaximumSegmentLength"}),
        ({"Sampling": "Equal Arc Length"},
         {"Joints", "UseChordError", "ChordError", "ChordErrorMode", "UseFieldError", "FieldError",
          "FieldErrorMode", "FieldErrorArrays", "MaximumSegmentLength", "MinimumPoints"}),
        ({"Sampling": "Equal Arc Length", "UseMaximumSegmentLength": 1}, {"NumberOfSegments"}),
        ({"UseCurvatureFactor": 1}, {"Joints"}),
        ({"UseChordError": 0}, {"Joints", "ChordError", "CurvatureFactor", "MinimumPoints"}),
        ({"UseFieldError": 0}, {"FieldErrorArrays"}),
        ({"InterpretLinesAs": "Cubic B-Spline"}, {"CatmullRomKnots", "Tension"})],
    "AdaptiveGrid": [
        ({**NODES, "UseInterpolationError": 0},
         {"BufferCells", "Balance", "CellBudget", "UseRegion", "CriteriaArrays", "Component",
          "ThresholdMode", "VelocityArray", "OverTime"}),
        (alone("SecondDerivative", 0.5), {"ThresholdMode", "ValueRange", "VelocityArray"}),
        (alone("Vorticity", 0.5, VelocityArray="v"), {"CriteriaArrays", "Component"}),
        (alone("QCriterion", 0.5, VelocityArray="v"), {"CriteriaArrays", "Component"}),
        *(({**NODES, "GridType": kind}, {"Balance", "OverTime", "BufferCells", "CriteriaArrays"})
          for kind in ("Fixed Coarse", "Fixed Fine")),
        (AMR, {"HangingNodes", "CellShape", "CellArrays", "OutputPrecision"})],
    "AdaptiveCells": [
        ({"UseChordError": 0}, {"ChordError", "ChordErrorMode"}),
        ({"UseFieldError": 0}, {"FieldError", "FieldErrorMode", "FieldErrorArrays"})]}


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


def lines():
    """Polylines through random points, and a chain of lines of two points each."""
    rng = np.random.default_rng(8)
    data = polydata(rng.random((70, 3)), [range(20), range(20, 40), range(40, 60)]
                    + [(i, i + 1) for i in range(60, 69)])
    for name, values in (("value", 9 * rng.random(70)), ("label", np.arange(70) // 10 * 4 % 7)):
        add_array(data.GetPointData(), name, values)
    return source_of(data)


def curved(n=2):
    """Quadratic hexahedra."""
    return source_of(quadratic("hexahedra", n))


def curved_apart():
    """Cells that share no points."""
    data = quadratic("hexahedra", 2)
    ids = [data.GetCell(c).GetPointId(k) for c in range(data.GetNumberOfCells()) for k in range(20)]
    cells = [(data.GetCellType(0), range(first, first + 20)) for first in range(0, len(ids), 20)]
    return source_of(with_fields(grid(points(data)[ids], cells)))


def grid_of_points():
    """f and g: hills at two places; v and w: vortices at two places."""
    data = vtkImageData()
    data.SetDimensions(17, 17, 9)
    x, y, z = np.array([data.GetPoint(i) for i in range(data.GetNumberOfPoints())]).T

    def hill(a, b):
        return np.exp(-((x - a) ** 2 + (y - b) ** 2 + (z - 3) ** 2) / 9)
    for name, (a, b) in {"f": (4, 5), "g": (12, 11)}.items():
        add_array(data.GetPointData(), name, 3 * hill(a, b))
    for name, (a, b) in {"v": (4, 5), "w": (12, 11)}.items():
        spin = hill(a, b)
        add_array(data.GetPointData(), name, np.stack([-spin * (y - b), spin * (x - a), 0 * x], axis=1))
    data.GetPointData().SetActiveScalars("f")
    return source_of(data)


def large_lines():
    """More than Auto leaves to the CPU, and in many lines: few long ones it leaves there, too."""
    rng = np.random.default_rng(9)
    lines = [range(first, first + 20) for first in range(0, 60000, 20)]
    return source_of(polydata(rng.random((60000, 3)), lines))


def moving_grid():
    """A flat jet with several time steps."""
    return simple.TurbulentJet(Dimensions=[33, 17, 1], TimeSteps=3)


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


def digest(data, reports=True):
    """Of everything that comes out, but for what no run repeats, and for the report if so asked."""
    found = hashlib.sha256(data.GetClassName().encode())
    if data.IsA("vtkCompositeDataSet"):
        each = data.NewIterator()
        while not each.IsDoneWithTraversal():
            found.update(digest(each.GetCurrentDataObject(), reports).encode())
            each.GoToNextItem()
        return found.hexdigest()
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
        rows = getattr(data, f"Get{kind}Data", data.GetFieldData)()  # trees have cells alone
        for i in range(rows.GetNumberOfArrays()):
            array = rows.GetAbstractArray(i)
            if not array.GetName().endswith(TIMES) and (reports or not array.GetName().startswith("Tessera ")):
                found.update(array.GetName().encode() + bytes_of(array))
    return found.hexdigest()


def made(kind, source, settings):
    return getattr(simple, kind)(**({"Input": source} if source else {}), **settings)


def result(kind, source, settings, reports=True):
    proxy = made(kind, source, settings)
    proxy.UpdatePipeline()
    text = messages()
    # Auto says where it goes without a device; NaN, what limits left coarse, corners above the turning
    # angle and faces without a guarantee for the normal angle are noted; nothing else is.
    expected = ("CUDA", "not a number", "coarser than asked", "drawn too coarsely", "bent by more than the turning angle",
                "the normal angle")
    check(text == "" or any(words in text for words in expected),
          f"{kind}: {settings}: {text}")
    found = digest(proxy.GetClientSideObject().GetOutputDataObject(0), reports)
    simple.Delete(proxy)
    return found


def seen(kind, source, settings):
    """The properties that the panel shows with these settings."""
    proxy = made(kind, source, settings)
    names = {name for name in TABLES[kind] if shown(proxy, name)}
    simple.Delete(proxy)
    return names


def settable(kind, source):
    """The properties that a user sets."""
    proxy = made(kind, source, {})
    names = {name for name in proxy.ListProperties()
             if not proxy.GetProperty(name).SMProperty.GetInformationOnly()}
    simple.Delete(proxy)
    return names - {"Input"}


def cuda_is_built_in():
    report = simple.CUDADeviceReport(Measure=0)
    report.UpdatePipeline()
    report.UpdatePipelineInformation()
    return report.RuntimeVersion != "-"


SOURCES = {"RandomDiscs": lambda: None, "RandomBezierCurves": lambda: None, "AdaptiveCurves": lines,
           "AdaptiveGrid": grid_of_points, "AdaptiveCells": curved}


def bent_grid():
    """A part of a ring, with the arrays of the other grid."""
    image = grid_of_points()
    image.UpdatePipeline()
    bent = simple.Calculator(Input=simple.ImageDatatoPointSet(Input=image), CoordinateResults=1,
                             Function="(9+coordsX)*cos(coordsY/9)*iHat+(9+coordsX)*sin(coordsY/9)*jHat+coordsZ*kHat")
    return bent


def trees():
    """Cells of several sizes, with the arrays of the other grid."""
    return simple.AdaptiveGrid(Input=grid_of_points(), OutputType="Hyper Tree Grid")


def mesh():
    """Tetrahedra, with the arrays of the other grid."""
    return simple.Tetrahedralize(Input=grid_of_points())


def meshes():
    """Two of these in a composite."""
    return simple.GroupDatasets(Input=[mesh(), mesh()])


# What one property needs another input for.
OTHERS = {"Temporal": moving, "UpToCurrentTime": moving, "Backend": lambda: tracks(20000),
          ("AdaptiveGrid", "CellArrays"): trees, "FinestCell": mesh, "Boundary": mesh, "GenerateInside": mesh,
          "MergeBlocks": meshes, "MergePoints": curved_apart,
          "OverTime": moving_grid, ("AdaptiveGrid", "UseGeometricError"): bent_grid,
          ("AdaptiveGrid", "GeometricError"): bent_grid,
          ("AdaptiveCurves", "Backend"): large_lines, ("AdaptiveCells", "Backend"): lambda: curved(15),
          ("AdaptiveGrid", "Backend"): lambda: simple.TurbulentJet(Dimensions=[65, 65, 65])}


def every_property_changes_something():
    for kind, table in TABLES.items():
        source = SOURCES.get(kind, tracks)()
        names = settable(kind, source) - OF_A_DEVICE - BUTTONS
        check(names == set(table), f"{kind}: {sorted(names ^ set(table))}")
        for name, entry in table.items():
            if entry is None or (name == "Backend" and not cuda_is_built_in()):
                continue
            settings, value = entry
            of = OTHERS.get((kind, name), OTHERS.get(name, lambda: source))()
            settings = settings if "Backend" in settings or not of else {"Backend": "CPU", **settings}
            before = result(kind, of, settings)
            check(before == result(kind, of, settings), f"{kind}: {name}: the same once more")
            check(before != result(kind, of, {**settings, name: value}),
                  f"{kind}: {name} = {value} changes nothing")
            check(name in seen(kind, of, settings), f"{kind}: {name} is hidden with {settings}")


def what_is_hidden_changes_nothing():
    """But the report, which says what was set."""
    for kind, cases in IDLE.items():
        source = SOURCES[kind]()
        for settings, idle in cases:
            settings = {"Backend": "CPU", **settings}
            hidden = set(TABLES[kind]) - seen(kind, source, settings)
            check(idle <= hidden, f"{kind}: {settings}: shown: {idle - hidden}")
            for name in sorted(hidden):
                of = OTHERS.get(name, lambda: source)()
                if of is not source:
                    of.UpdatePipeline()
                    if name in seen(kind, of, settings):
                        continue
                check(result(kind, of, settings, False) ==
                      result(kind, of, {**settings, name: TABLES[kind][name][1]}, False),
                      f"{kind}: {settings}: {name} is hidden, and changes something")


def the_largest_output():
    """The limit of the output decides whether a filter makes one."""
    fine = {"AdaptiveCurves": (SOURCES["AdaptiveCurves"], {"ChordError": 1e-9}),
            "AdaptiveGrid": (simple.TurbulentJet, {"GridType": "Fixed Fine"}),
            "AdaptiveCells": (curved, {"FieldError": 1e-5}),
            "AdaptivePointGrid": (many_points, {"MaximumPointsPerCell": 1}),
            "PointsToCurves": (many_points, {}), "DiscImage": (many_points, {})}
    for kind, (source, settings) in fine.items():
        for limit, said in ((500, ""), (1, "Largest Output")):
            proxy = getattr(simple, kind)(Input=source(), LargestOutput=limit, **settings)
            proxy.UpdatePipeline()
            made = proxy.GetClientSideObject().GetOutputDataObject(0).GetNumberOfCells()
            check(said in messages() and (made > 0) == (limit > 1), f"{kind}: {limit} MiB: {made} cells")
            simple.Delete(proxy)


def many_points():
    return simple.RandomDiscs(NumberOfDiscs=60000)


def the_device_report_measures_where_it_is_asked():
    report = simple.CUDADeviceReport(Measure=0)
    report.UpdatePipeline()
    names = settable("CUDADeviceReport", None)
    check(names == {"Measure", "Refresh", "ReleaseMemory"}, f"{sorted(names)}")
    check(not report.GetProperty("DeviceCount").GetData() or
          digest(report.GetClientSideObject().GetOutputDataObject(0)) !=
          result("CUDADeviceReport", None, {"Measure": 1}), "Measure, where there is a device")


main(every_property_changes_something, what_is_hidden_changes_nothing, the_largest_output,
     the_device_report_measures_where_it_is_asked)
