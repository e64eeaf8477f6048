# SPDX-License-Identifier: BSD-3-Clause
"""A saved state, a Python state and a Python trace bring the filters back as they were."""
from xml.etree import ElementTree

import numpy as np
from paraview import smstate, smtrace
from tessera_testing import add_array, check, main, output_file, points, polydata, simple, update
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOLegacy import vtkPolyDataWriter

# Every property of the execution that filters share, away from its default.
LIMIT = dict(LargestOutput=500)
EXECUTION = dict(Backend="CPU", Threads=1, Device=1)
LAUNCH = dict(ChildStream="Tail Launch", PendingLaunchCount=100, OutputMemory="Worst Case",
              DeviceHeapSize=64, LaunchThreshold=50, NestingDepth=3)
# Every other property, away from its default, by the name that the proxy is registered with.
CURVES = dict(InterpretLinesAs="Cubic B-Spline", CatmullRomKnots="Chordal", Tension=0.25,
                Sampling="Uniform", NumberOfSegments=7, MaximumLevel=9, UseCurvatureFactor=1,
                CurvatureFactor=20.0, MinimumPoints=5, MaximumPoints=40, UseChordError=0,
                ChordError=0.125, ChordErrorMode="Absolute", UseTurningAngle=1, TurningAngle=7.0,
                UseMaximumSegmentLength=1, MaximumSegmentLength=0.5, UseFieldError=1,
                FieldError=0.25, FieldErrorArrays=["f", "g"], PointBudget=5000,
                ArrayInterpolation="Linear", OutputPrecision="Double", GenerateParameter=1,
                GenerateArcLength=1, GenerateCurvature=1, GenerateTangents=1, GenerateSourceCell=1,
                GenerateAchievedError=1, LaunchStrategy="Aggregated Grids")
GRID = dict(CoarsenLevels=2, RefineLevels=1, BufferCells=1, Balance="Across Corners",
            CellBudget=90000, UseRegion=1, Region=[0.5, 3.5, -0.5, 0.5, -0.75, 0.75],
            LevelInside=2, LevelOutside=1, CriteriaArrays=["Temperature", "Velocity"], Component=0,
            VelocityArray="Velocity", ThresholdMode="Absolute", UseInterpolationError=0,
            InterpolationError=0.25, UseValueRange=1, ValueRange=20.0, UseGradient=1, Gradient=30.0,
            UseSecondDerivative=1, SecondDerivative=0.9, UseStandardDeviation=1,
            StandardDeviation=40.0, UseVorticity=1, Vorticity=8.0, UseQCriterion=1, QCriterion=9.0,
            UseArrayInRange=1, ArrayInRange=[500.0, 600.0], CellShape="Hexahedra or Quads",
            HangingNodes="Constrained", OutputPrecision="Single", GenerateLevel=1,
            GenerateIndicator=1, GenerateSourceCell=1, MeasureErrors=0,
            LaunchStrategy="Device Launched")
POINTS = dict(TreeShape="Quadtree in XZ", MaximumPointsPerCell=3, MaximumLevel=5, UseSpread=1,
              SpreadArray="g", SpreadComponent=0, Spread=0.25, Balance="Across Edges",
              OutputType="Points In Cell Order", OutputPrecision="Double", GenerateLevel=0,
              GenerateDensity=0, GenerateMeans=0, GenerateExtremes=0, LaunchStrategy="Host Waves",
              ChildStream="Named Stream", PendingLaunchCount=50, NestingDepth=5)
TREES = dict(GridType="Fixed Coarse", OutputType="Hyper Tree Grid", AMRBlockSize="16",
             OverTime="All Steps")
JET = dict(Dimensions=[30, 20, 10], Bounds=[0.0, 5.0, -1.0, 2.0, -1.5, 1.0], Modes=12,
           Strength=0.75, LowestWavenumber=3.0, HighestWavenumber=9.0, Seed=7, Speed=1.5,
           TemperatureRange=[250.0, 1900.0], TimeSteps=4, TimeRange=[0.5, 2.0],
           OutputPrecision="Double")
DISCS = dict(Plane="YZ", Resolution=[60, 40], Supersampling="2", UseRegion=1,
             Region=[0.0, 1.0, 0.25, 1.0, 0.0, 0.75], RadiusArray="g", Radius=2.0, RadiusScale=0.125,
             RadiusUnit="World", ColorMode="Color Map", ColorArray="f",
             Color=[0.5, 0.25, 0.75], ColorMap=[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
             UseScalarRange=1, ScalarRange=[0.25, 0.5], NanColor=[0.0, 0.5, 0.0], Opacity=0.5,
             OpacityArray="h", Falloff="Gaussian", Sharpness=3.0, Order="Array", OrderArray="h",
             Background=[0.125, 0.25, 0.5], BackgroundOpacity=0.75, GenerateTopPoint=1,
             LaunchStrategy="Aggregated Grids", ChildStream="Named Stream",
             PendingLaunchCount=9, LaunchThreshold=3)
SETTINGS = {"Curves": {**CURVES, **LIMIT, **EXECUTION, **LAUNCH},
            "Grid": {**GRID, **LIMIT, **EXECUTION}, "Trees": TREES,
            "Jet": JET, "Points": {**POINTS, **EXECUTION}, "Discs": {**DISCS, **EXECUTION}}


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
    simple.AdaptiveCurves(registrationName="Curves", Input=reader, **SETTINGS["Curves"])
    simple.AdaptivePointGrid(registrationName="Points", Input=reader, **SETTINGS["Points"])
    simple.DiscImage(registrationName="Discs", Input=reader, **SETTINGS["Discs"])
    jet = simple.TurbulentJet(registrationName="Jet", **JET)
    simple.AdaptiveGrid(registrationName="Grid", Input=jet, **SETTINGS["Grid"])
    simple.AdaptiveGrid(registrationName="Trees", Input=jet, **TREES)


def data_of(name):
    proxy = simple.FindSource(name)
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(0)


def arrays_of(attributes):
    return [(attributes.GetArrayName(i), vtk_to_numpy(attributes.GetArray(i)).tobytes())
            for i in range(attributes.GetNumberOfArrays())]


def results():
    """What each of them makes, to the bit."""
    curves, grid, jet, trees, sorted_points = (
        data_of(name) for name in ("Curves", "Grid", "Jet", "Trees", "Points"))
    return {"Discs": arrays_of(data_of("Discs").GetPointData()),
            "Curves": points(curves).tobytes(),
            "Points": (points(sorted_points).tobytes(), arrays_of(sorted_points.GetPointData())),
            "Grid": (points(grid).tobytes(), arrays_of(grid.GetPointData()),
                     arrays_of(grid.GetCellData())),
            "Jet": (jet.GetBounds(), arrays_of(jet.GetPointData())),
            "Trees": arrays_of(trees.GetCellData())}


def clear():
    for proxy in reversed(list(simple.GetSources().values())):
        simple.Delete(proxy)
    check(not simple.GetSources(), "nothing is left")


def is_back(what, expected):
    for name, settings in SETTINGS.items():
        proxy = simple.FindSource(name)
        check(proxy is not None, f"{what}: {name} is there")
        for key, value in settings.items():
            got = getattr(proxy, key)
            got = list(got) if isinstance(value, list) else got
            got = got[1] if key in ("VelocityArray", "SpreadArray") else got  # ["POINTS", name]
            check(got == value, f"{what}: {name}'s {key} is {got}, not {value}")
    got = results()
    for name in SETTINGS:
        check(got[name] == expected[name], f"{what}: {name} makes the same")
    clear()


def built():
    build()
    return results()


def state_file():
    expected = built()
    simple.SaveState(output_file("state.pvsm"))
    clear()
    simple.LoadState(output_file("state.pvsm"))
    is_back("state file", expected)


def state_file_of_before():
    """Grids once had Child Stream and other settings of curves, and had no corner and no size of their
    region: such a state loads, to the bit."""
    expected = built()
    simple.SaveState(output_file("old.pvsm"))
    clear()
    tree = ElementTree.parse(output_file("old.pvsm"))
    grids = [p for p in tree.iter("Proxy") if p.get("type") == "AdaptiveGrid"]
    check(len(grids) == 2, "both grids")
    for proxy in grids:
        proxy_id = proxy.get("id")
        for name, value in (("ChildStream", 3), ("PendingLaunchCount", 100), ("NestingDepth", 3)):
            gone = ElementTree.SubElement(proxy, "Property", name=name,
                                          id=f"{proxy_id}.{name}", number_of_elements="1")
            ElementTree.SubElement(gone, "Element", index="0", value=str(value))
        for new in [p for p in proxy if p.get("name") in ("RegionCorner", "RegionSize")]:
            proxy.remove(new)
    tree.write(output_file("old.pvsm"))
    simple.LoadState(output_file("old.pvsm"))
    grid = simple.FindSource("Grid")
    check("ChildStream" not in grid.ListProperties(), "it is gone")
    check(list(grid.RegionCorner) == GRID["Region"][::2], f"the corner is {grid.RegionCorner}")
    is_back("old state file", expected)


def python_state():
    expected = built()
    text = smstate.get_state()
    clear()
    exec(compile(text, "state.py", "exec"), {})
    is_back("Python state", expected)


def python_trace():
    smtrace.start_trace()
    expected = built()
    text = smtrace.stop_trace()
    for part in ("AdaptiveCurves(", "'Cubic B-Spline'", "AdaptiveGrid(", "TurbulentJet(",
                 "'Device Launched'", "['Temperature', 'Velocity']"):
        check(part in text, f"{part} in the trace: {text}")
    clear()
    exec(compile(text, "trace.py", "exec"), {})
    is_back("trace", expected)


def region_corner_and_size():
    """The bounds of the region, and the corner and size that the box in the view knows, say the same."""
    grid = simple.AdaptiveGrid(Input=simple.TurbulentJet(Dimensions=[9, 5, 5]), UseRegion=1)
    for bounds in ([0.0, 4.0, -1.0, 1.0, -1.0, 1.0], [0.1, 0.3, 0.7, 1e6, -1e-9, 1e9], [2.0] * 6):
        grid.Region = bounds
        check(list(grid.Region) == bounds, f"{bounds} stay as they are, not {grid.Region}")
        check(list(grid.RegionCorner) == bounds[::2], f"corner of {bounds}: {grid.RegionCorner}")
        check(list(grid.RegionSize) == [b - a for a, b in zip(bounds[::2], bounds[1::2])],
              f"size of {bounds}: {grid.RegionSize}")
    grid.RegionCorner = [1, 0, -0.5]
    grid.RegionSize = [0.5, 0.25, 1]
    check(list(grid.Region) == [1, 1.5, 0, 0.25, -0.5, 0.5], f"{grid.Region}")
    grid.RegionSize = [-0.5, 0.25, 1]  # a face dragged beyond its opposite
    check(list(grid.Region) == [0.5, 1, 0, 0.25, -0.5, 0.5], f"turned around: {grid.Region}")
    update(grid)
    of_the_filter = str(grid.GetClientSideObject()).split(" Region: ")[1].split("\n")[0]
    check([float(n) for n in of_the_filter.split()] == list(grid.Region), of_the_filter)
    clear()


def folded_criteria():
    """A button folds the panel and unfolds it; the output does not know of it."""
    for kind, source in (("AdaptiveCurves", simple.RandomBezierCurves),
                         ("AdaptiveGrid", simple.TurbulentJet)):
        proxy = update(getattr(simple, kind)(Input=source()))
        before = proxy.GetClientSideObject().GetMTime()
        for folded in (1, 0):
            proxy.SMProxy.InvokeCommand("OnlyCriteriaInUse")
            check(proxy.HideUnusedCriteria == folded, f"{kind}: {proxy.HideUnusedCriteria}")
        check(proxy.GetClientSideObject().GetMTime() == before, f"{kind} would run again")
    clear()


def colors_of_levels():
    """One color a level, neighbours told apart; other arrays have their ramps."""
    update(simple.AdaptiveGrid(Input=simple.TurbulentJet(Dimensions=[9, 5, 5]), GenerateLevel=1))
    levels, other = (simple.GetColorTransferFunction(name) for name in ("Level", "Temperature"))
    check(levels.InterpretValuesAsCategories == 1 and other.InterpretValuesAsCategories == 0, "which")
    check(list(levels.Annotations[::2]) == [str(i) for i in range(16)], f"{levels.Annotations}")
    colors = list(levels.IndexedColors)
    check(len(colors) == 3 * 16, f"one for each of them, not {len(colors)}")
    check(len({tuple(colors[i:i + 3]) for i in range(0, len(colors), 3)}) == 8, f"{colors}")
    clear()


main(state_file, state_file_of_before, python_state, python_trace, region_corner_and_size,
     folded_criteria, colors_of_levels)
