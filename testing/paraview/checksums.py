# SPDX-License-Identifier: BSD-3-Clause
"""Prints a checksum of every array that a wide set of executions puts out: one line a run and
array. Run it in pvpython with two builds of the plugin and compare the two lists with diff: a
change that must not change results leaves them equal.

Use: pvpython checksums.py PLUGIN_FILE [CASES_FOLDER] [Backend]
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
    path = os.path.join(cases, "flow", "carotid.vtk")
    if os.path.exists(path):
        reader = simple.OpenDataFile(path)
        for output in outputs:
            show(f"grid carotid {output}",
                 simple.AdaptiveGrid(Input=reader, Backend=BACKEND, OutputType=output,
                                     CriteriaArrays=["vectors"]))


if __name__ == "__main__":
    simple.LoadPlugin(os.path.abspath(sys.argv[1]), remote=False, ns=simple.__dict__)
    folder = sys.argv[2] if len(sys.argv) > 2 else ""
    curves(folder)
    grids(folder)
    say(f"{count} arrays")
