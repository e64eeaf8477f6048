# SPDX-License-Identifier: BSD-3-Clause
"""Prints a checksum of every array that a wide set of executions puts out: one line a run and
array. Run it in pvpython with two builds of the plugin and compare the two lists with diff: a
change that must not change results leaves them equal.

Use: pvpython checksums.py PLUGIN_FILE [CASES_FOLDER] [Backend] [ROOM ...]

Without rooms all of them run. Name them where one of the builds does not have all.
"""
import hashlib
import itertools
import os
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (vtkCellArray, vtkCompositeDataSet,
                                           vtkPolyData, vtkUnstructuredGrid)
from vtkmodules.vtkIOParallel import vtkMultiBlockPLOT3DReader

BACKEND = sys.argv[3] if len(sys.argv) > 3 else "CPU"
VOLATILE = "Tessera"  # field data tables of seconds and devices
count = 0


def say(text):
    os.write(1, (text + "\n").encode())


def arrays_of(data):
    """Name and values of everything that a dataset holds."""
    if hasattr(data, "GetPoints") and data.GetPoints():
        yield "points", data.GetPoints().GetData()
    for name in ("Verts", "Lines", "Polys", "Strips", "Cells"):
        get = getattr(data, "Get" + name, None)
        cells = get() if get else None
        if cells and hasattr(cells, "GetConnectivityArray"):
            yield name + ".offsets", cells.GetOffsetsArray()
            yield name + ".connectivity", cells.GetConnectivityArray()
    if hasattr(data, "GetCellTypesArray") and data.GetCellTypesArray():
        yield "types", data.GetCellTypesArray()
    for kind in ("Point", "Cell"):
        attributes = getattr(data, f"Get{kind}Data", lambda: None)()
        for i in range(attributes.GetNumberOfArrays() if attributes else 0):
            array = attributes.GetAbstractArray(i)
            yield f"{kind}.{array.GetName()}", array


def leaves_of(data):
    if not isinstance(data, vtkCompositeDataSet):
        return [data]
    found, it = [], data.NewIterator()
    it.InitTraversal()
    while not it.IsDoneWithTraversal():
        found.append(it.GetCurrentDataObject())
        it.GoToNextItem()
    return found


def show(name, proxy):
    """Runs the filter and prints what came out."""
    global count
    proxy.UpdatePipeline()
    data = proxy.GetClientSideObject().GetOutputDataObject(0)
    for number, leaf in enumerate(leaves_of(data)):
        for what, array in arrays_of(leaf):
            if VOLATILE in what or array is None:
                continue
            if hasattr(array, "GetVoidPointer"):
                values = np.ascontiguousarray(vtk_to_numpy(array)).tobytes()
            else:
                values = "\0".join(
                    array.GetValue(i) for i in range(array.GetNumberOfValues())).encode()
            count += 1
            say(f"{name} {number} {what} {hashlib.sha256(values).hexdigest()[:16]}")
    simple.Delete(proxy)


def produce(data):
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    source.UpdatePipeline()
    return source


def random_lines(seed, n_lines, length, kind=None):
    """Polylines, or cells of one kind, on random points with arrays of several types."""
    rng = np.random.default_rng(seed)
    n = n_lines * length
    points = vtkPoints()
    points.SetData(numpy_to_vtk(rng.uniform(-1, 1, (n, 3)).astype("f4"), deep=1))
    data = vtkUnstructuredGrid() if kind else vtkPolyData()
    data.SetPoints(points)
    cells = vtkCellArray()
    for line in range(n_lines):
        cells.InsertNextCell(length)
        for k in range(length):
            cells.InsertCellPoint(line * length + k)
    if kind:
        data.SetCells(kind, cells)
    else:
        data.SetLines(cells)
    for name, values in (("f", rng.uniform(0, 1, n)), ("v", rng.uniform(0, 1, (n, 3)).astype("f4")),
                         ("id", np.arange(n, dtype="i4"))):
        array = numpy_to_vtk(values, deep=1)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    return produce(data)


def curves(cases):
    lines = random_lines(1, 40, 9)
    kinds = ("Catmull-Rom", "Quadratic Bezier", "Cubic Bezier", "Quadratic B-Spline",
             "Cubic B-Spline", "Straight", "Natural Cubic Spline")
    generated = dict(GenerateParameter=1, GenerateArcLength=1, GenerateCurvature=1,
                     GenerateTangents=1, GenerateSourceCell=1, GenerateAchievedError=1)
    for kind, sampling in itertools.product(kinds, ("Uniform", "Bisection", "Equal Error")):
        show(f"curves {kind} {sampling}",
             simple.AdaptiveCurves(Input=lines, InterpretLinesAs=kind, Sampling=sampling,
                                   Backend=BACKEND, **generated))
    for name, options in {
            "turning": dict(UseTurningAngle=1, TurningAngle=5), "length": dict(
                UseMaximumSegmentLength=1, MaximumSegmentLength=0.05),
            "curvature": dict(UseCurvatureFactor=1), "field": dict(
                UseFieldError=1, FieldError=0.01, FieldErrorArrays=["f", "v"]),
            "budget": dict(PointBudget=700), "linear": dict(ArrayInterpolation="Linear"),
            "double": dict(OutputPrecision="Double"), "uniform": dict(CatmullRomKnots="Uniform"),
            "chordal": dict(CatmullRomKnots="Chordal", Tension=0.4)}.items():
        show(f"curves {name}", simple.AdaptiveCurves(Input=lines, Backend=BACKEND, **options))
    for kind in (21, 35, 68, 75):  # quadratic edge, cubic line, Lagrange and Bezier curve
        show(f"curves cells {kind}",
             simple.AdaptiveCurves(Input=random_lines(kind, 30, {21: 3, 35: 4, 68: 6, 75: 8}[kind], kind),
                                   Backend=BACKEND))
    for name in ("tract_example.vtk", "tiger_bezier.vtu", "DejaVuSans_bezier.vtu"):
        path = os.path.join(cases, "curves", name)
        if not os.path.exists(path):
            continue
        reader = simple.OpenDataFile(path)
        for sampling in ("Uniform", "Bisection", "Equal Error"):
            show(f"curves {name} {sampling}",
                 simple.AdaptiveCurves(Input=reader, Sampling=sampling, Backend=BACKEND))


def grids(cases):
    jets = {"3D": simple.TurbulentJet(Dimensions=[41, 23, 21]),
            "2D": simple.TurbulentJet(Dimensions=[70, 45, 1])}
    # Criterion and its threshold, a fraction of the range.
    criteria = {"InterpolationError": 0.02, "ValueRange": 0.1, "Gradient": 0.1,
                "SecondDerivative": 0.5, "StandardDeviation": 0.05, "Vorticity": 0.1,
                "QCriterion": 0.05, "ArrayInRange": [0.4, 0.6]}
    outputs = ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR")
    for name, jet in jets.items():
        show(f"jet {name}", simple.TurbulentJet(
            Dimensions=[int(n) for n in jet.Dimensions], TimeSteps=3, Seed=5))
        for criterion, threshold in criteria.items():
            use = {"Use" + other: int(other == criterion) for other in criteria}
            use[criterion] = threshold
            array = ["Velocity"] if criterion in ("Vorticity", "QCriterion") else ["Temperature"]
            show(f"grid {name} {criterion}",
                 simple.AdaptiveGrid(Input=jet, Backend=BACKEND, CriteriaArrays=array,
                                     ThresholdMode="Fraction of Range", GenerateIndicator=1,
                                     GenerateSourceCell=1, **use))
        for output, balance, mode in itertools.product(
                outputs, ("None", "Across Faces", "Across Corners"), ("Adaptive", "Fixed Coarse", "Fixed Fine")):
            show(f"grid {name} {output} {balance} {mode}",
                 simple.AdaptiveGrid(Input=jet, Backend=BACKEND, CriteriaArrays=["Temperature"],
                                     OutputType=output, Balance=balance, GridType=mode,
                                     CoarsenLevels=2))
        for what, options in {
                "buffer": dict(BufferCells=3), "budget": dict(CellBudget=400),
                "deep": dict(RefineLevels=1, UseGradient=1), "constrained": dict(
                    HangingNodes="Constrained")}.items():
            show(f"grid {name} {what}",
                 simple.AdaptiveGrid(Input=jet, Backend=BACKEND, CriteriaArrays=["Temperature"],
                                     **options))
        cell_data = simple.PointDatatoCellData(Input=jet)
        show(f"grid {name} cells",
             simple.AdaptiveGrid(Input=cell_data, Backend=BACKEND, UseInterpolationError=0,
                                 UseValueRange=1, CriteriaArrays=["Temperature"]))
    large = simple.TurbulentJet(Dimensions=[129, 97, 97])
    for output, hanging in itertools.product(outputs, ("Free", "Conforming")):
        show(f"grid large {output} {hanging}",
             simple.AdaptiveGrid(Input=large, Backend=BACKEND, OutputType=output,
                                 HangingNodes=hanging, CriteriaArrays=["Temperature"]))
    path = os.path.join(cases, "flow", "carotid.vtk")
    if os.path.exists(path):
        reader = simple.OpenDataFile(path)
        for output in outputs:
            show(f"grid carotid {output}",
                 simple.AdaptiveGrid(Input=reader, Backend=BACKEND, OutputType=output,
                                     CriteriaArrays=["vectors"]))
    flow = [os.path.join(cases, "flow", name) for name in ("combxyz.bin", "combq.bin")]
    if all(os.path.exists(path) for path in flow):
        reader = vtkMultiBlockPLOT3DReader()
        reader.SetXYZFileName(flow[0])
        reader.SetQFileName(flow[1])
        reader.Update()
        combustor = produce(reader.GetOutput())
        for hanging in ("Free", "Constrained", "Conforming"):
            show(f"grid combustor {hanging}",
                 simple.AdaptiveGrid(Input=combustor, Backend=BACKEND, HangingNodes=hanging,
                                     CriteriaArrays=["Density"]))


def cloud(seed, n):
    """Points that lie closer together near a diagonal, with arrays of several types."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0, 1, (n, 3)) ** 3
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=1))
    data.SetPoints(points)
    for name, values in (("group", rng.integers(0, 25, n)), ("order", rng.uniform(0, 9, n)),
                         ("f", rng.normal(0, 1, n).astype("f4")), ("v", rng.uniform(0, 1, (n, 3))),
                         ("radius", rng.uniform(0.001, 0.03, n)),
                         ("color", rng.integers(0, 256, (n, 3)).astype("u1"))):
        array = numpy_to_vtk(values, deep=1)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    return produce(data)


def clouds(cases):
    """Points of each kind that the rooms of points take: a name and a source."""
    found = [("cloud", cloud(3, 20000))]
    for name in ("points/autzen_trim.vtp", "curves/tract_example.vtk"):
        path = os.path.join(cases, name)
        if os.path.exists(path):
            found.append((os.path.basename(name), simple.OpenDataFile(path)))
    return found


def point_grids(cases):
    outputs = ("Unstructured Grid", "Hyper Tree Grid", "Points In Cell Order")
    balances = ("None", "Across Faces", "Across Edges", "Across Corners")
    for name, source in clouds(cases):
        for output, balance in itertools.product(outputs, balances):
            show(f"pointgrid {name} {output} {balance}",
                 simple.AdaptivePointGrid(Input=source, Backend=BACKEND, OutputType=output,
                                          Balance=balance, GenerateCoordinates=1))
        for shape in ("Quadtree, Auto Plane", "Quadtree in XY", "Quadtree in YZ",
                      "Quadtree in XZ"):
            show(f"pointgrid {name} {shape}",
                 simple.AdaptivePointGrid(Input=source, Backend=BACKEND, TreeShape=shape))
        for what, options in {
                "level": dict(MaximumLevel=4), "few": dict(MaximumPointsPerCell=3), "spread": dict(
                    UseSpread=1, SpreadOf="Z", Spread=0.1)}.items():
            show(f"pointgrid {name} {what}",
                 simple.AdaptivePointGrid(Input=source, Backend=BACKEND, **options))


def orderings(cases):
    source = cloud(4, 5000)
    for what, options in {
            "groups": dict(), "gaps": dict(CutAtGaps=1, MaximumGap=0.1), "distances": dict(
                CutAtDistances=1, MaximumDistance=0.5), "repeats": dict(
                    RemoveRepeats=1, RepeatTolerance=0.05),
            "single": dict(CutAtGaps=1, MaximumGap=0.02, SinglePoints="Leave Out")}.items():
        for group in ("group", "None"):
            show(f"ordering {what} {group}",
                 simple.PointsToCurves(Input=source, Backend=BACKEND, GroupArray=group,
                                       OrderArray="order", **options))
    for name, points in clouds(cases):
        show(f"ordering {name}", simple.PointsToCurves(Input=points, Backend=BACKEND))


def discs(cases):
    source = cloud(5, 3000)
    arrays = dict(RadiusArray="radius", Resolution=[300, 200], Backend=BACKEND)
    for plane, samples, order in itertools.product(("XY", "YZ", "XZ"), ("1", "2", "4"),
                                                   ("Input", "Depth")):
        show(f"discs {plane} {samples} {order}",
             simple.DiscImage(Input=source, Plane=plane, Supersampling=samples, Order=order,
                              GenerateTopPoint=1, **arrays))
    for what, options in {
            "colors": dict(ColorMode="Array of Colors", ColorArray="color"), "map": dict(
                ColorMode="Color Map", ColorArray="f"), "opacity": dict(Opacity=0.3),
            "gaussian": dict(Falloff="Gaussian", Opacity=0.5), "order": dict(
                Order="Array", OrderArray="order"),
            "region": dict(UseRegion=1, Region=[0.1, 0.4, 0.1, 0.4, 0, 1])}.items():
        show(f"discs {what}", simple.DiscImage(Input=source, **arrays, **options))
    for name, points in clouds(cases):
        show(f"discs {name}", simple.DiscImage(Input=points, Backend=BACKEND, Radius=1,
                                               Resolution=[400, 400]))


def joined(kind, bend):
    """Quadratic cells of a lattice that share their points. A wave bends those of one side by `bend`, so that straight
    edges and bent ones meet; every fifth cell is linear."""
    n, depth = (7, 1) if kind in (24, 71) else (12, 0)
    m, layers = 2 * n + 1, 2 * depth + 1
    z, y, x = np.meshgrid(np.linspace(0, 0.3, layers), *[np.linspace(0, 1, m)] * 2, indexing="ij")
    wave = bend * np.maximum(0, x - 0.4) ** 2 * np.sin(9 * x + 5 * y)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.stack([x + 0.2 * wave, y, z + wave], -1).reshape(-1, 3), deep=1))
    data = vtkUnstructuredGrid()
    data.SetPoints(points)
    corners = {22: ((0, 2, 8), (0, 8, 6)), 69: ((0, 2, 8), (0, 8, 6)), 23: ((0, 2, 8, 6),),
               24: ((0, 2, 8, 26), (0, 8, 6, 26), (0, 6, 24, 26), (0, 24, 18, 26), (0, 18, 20, 26), (0, 20, 2, 26)),
               71: ((0, 2, 8, 6, 18, 20, 26, 24),)}[kind]
    square = ((0, 1), (1, 2), (3, 2), (0, 3))
    sides = {3: ((0, 1), (1, 2), (2, 0)),
             4: ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)) if kind == 24 else square,
             8: (*square, (4, 5), (5, 6), (7, 6), (4, 7), (0, 4), (1, 5), (2, 6), (3, 7))}
    for number, (j, i, own) in enumerate(itertools.product(range(n), range(n), corners)):
        nodes = [np.array((c % 3, c // 3 % 3, c // 9)) for c in own]
        linear = number % 5 == 0
        if not linear:
            nodes += [(nodes[a] + nodes[b]) // 2 for a, b in sides[len(own)]]
        ids = [(int(p[2]) * m + 2 * j + int(p[1])) * m + 2 * i + int(p[0]) for p in nodes]
        data.InsertNextCell({3: 5, 4: 10 if kind == 24 else 9, 8: 12}[len(own)] if linear else {71: 25}.get(kind, kind),
                            len(ids), ids)
    fields = {"f": np.sin(2 * x) + bend * y * y, "v": np.stack([x + y, y - 3 * wave, z], -1).astype("f4")}
    for name, values in fields.items():
        array = numpy_to_vtk(np.ascontiguousarray(values.reshape(x.size, -1)), deep=1)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    array = numpy_to_vtk(np.arange(data.GetNumberOfCells(), dtype="f4"), deep=1)
    array.SetName("cell")
    data.GetCellData().AddArray(array)
    return produce(data)


def curved_cells():
    for kind, nodes in ((21, 3), (35, 4), (22, 6), (23, 8), (24, 10), (25, 20), (26, 15), (68, 6),
                        (69, 10), (70, 16), (71, 20), (72, 27), (75, 5), (76, 10), (77, 9)):
        show(f"cells {kind}",
             simple.AdaptiveCells(Input=random_lines(kind, 12, nodes, kind), Backend=BACKEND,
                                  ChordError=0.01, GenerateSourceCell=1))
    generated = dict(GenerateSourceCell=1, GenerateNormals=1, GenerateParametricCoordinates=1, GenerateAchievedError=1)
    settings = {"defaults": {}, "generated": generated, "curves": dict(OutputType="Curves", **generated),
                "cells": dict(OutputType="Cells", GenerateAchievedError=1), "double": dict(OutputPrecision="Double"),
                "angle": dict(UseNormalAngle=1, NormalAngle=8), "merged": dict(MergePoints=1, **generated),
                "length": dict(UseMaximumEdgeLength=1, MaximumEdgeLength=0.08), "budget": dict(PointBudget=3000),
                "chord alone": dict(UseFieldError=0), "one segment": dict(MaximumSegments=1, ChordError=1e-5)}
    bends, kinds = (0.0, 0.002, 0.02, 1.0), (22, 23, 24, 69, 71)
    for bend, kind, (name, options) in itertools.product(bends, kinds, settings.items()):
        show(f"cells joined {bend} {kind} {name}",
             simple.AdaptiveCells(Input=joined(kind, bend), Backend=BACKEND, **options))


ROOMS = {"curves": curves, "grids": grids, "point_grids": point_grids, "orderings": orderings,
         "discs": discs, "curved_cells": lambda _: curved_cells()}

if __name__ == "__main__":
    simple.LoadPlugin(os.path.abspath(sys.argv[1]), remote=False, ns=simple.__dict__)
    folder = sys.argv[2] if len(sys.argv) > 2 else ""
    for room in sys.argv[4:] or ROOMS:
        ROOMS[room](folder)
    say(f"{count} arrays")
