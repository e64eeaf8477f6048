# SPDX-License-Identifier: BSD-3-Clause
"""What the defaults of Adaptive Curves make of lines as users have them: stream lines of four data
sets, contour lines, fibre tracts and outlines.

Use: pvpython bench_defaults_curves.py [--plugin FILE] [--cases FOLDER] [--set NAME=VALUE ...]
(FOLDER: third-party data; without it only what ParaView and Tessera make themselves)

Prints a row for each input: points, cells and bytes that go in and come out, processor seconds of
the filter on one thread, and its warnings. --set sets a property, to compare with the defaults.
"""
import argparse
import ast
import os
import time

from paraview import simple
from paraview.simple import *  # noqa: F403 (ParaView's own way)


def stream_lines(source, vectors, seeds=41, **properties):
    """Stream lines of seeds on a diagonal of the box, with Stream Tracer's own steps."""
    source.UpdatePipeline()
    bounds = source.GetDataInformation().GetBounds()
    tracer = StreamTracer(Input=source, Vectors=["POINTS", vectors], SeedType="Line",
                          **properties)
    tracer.SeedType.Point1 = [0.97 * bounds[i] + 0.03 * bounds[i + 1] for i in (0, 2, 4)]
    tracer.SeedType.Point2 = [0.03 * bounds[i] + 0.97 * bounds[i + 1] for i in (0, 2, 4)]
    tracer.SeedType.Resolution = seeds - 1
    tracer.MaximumStreamlineLength = max(bounds[i + 1] - bounds[i] for i in (0, 2, 4))
    return tracer


def contours(source, array, origin, normal, values=10):
    """Contour lines of a slice: lines of two points."""
    cut = Slice(Input=source)
    cut.SliceType.Origin, cut.SliceType.Normal = origin, normal
    cut.UpdatePipeline()
    low, high = cut.PointData[array].GetRange()
    step = (high - low) / (values + 1)
    lines = Contour(Input=cut, ContourBy=["POINTS", array],
                    Isosurfaces=[low + step * (k + 1) for k in range(values)])
    lines.UpdatePipeline()
    return lines


def wavelet():
    return Wavelet(WholeExtent=[-10, 10, -10, 10, -10, 10])


def gradient_lines():
    gradient = Gradient(Input=wavelet())
    gradient.ScalarArray = ["POINTS", "RTData"]
    gradient.ResultArrayName = "Gradient"
    return stream_lines(gradient, "Gradient")


def jet_lines():
    jet = TurbulentJet(Dimensions=[257, 65, 1], Bounds=[0.0, 4.0, -0.5, 0.5, -0.5, 0.5])
    return stream_lines(jet, "Velocity")


def combustor(cases):
    reader = PLOT3DReader(FileName=os.path.join(cases, "flow/combxyz.bin"),
                          QFileName=os.path.join(cases, "flow/combq.bin"))
    reader.UpdatePipeline()
    return MergeBlocks(Input=reader)


def carotid(cases):
    return LegacyVTKReader(FileNames=[os.path.join(cases, "flow/carotid.vtk")])


def own_inputs():
    yield "stream lines, wavelet's gradient", gradient_lines
    yield "stream lines, turbulent jet", jet_lines
    yield "contour lines, wavelet", lambda: contours(wavelet(), "RTData", [0, 0, 1], [0, 0, 1])
    yield "control polygon of 8 points", control_polygon


def control_polygon():
    """A few points that a curve shall go through: here more points are wanted."""
    points = PolyLineSource(Points=[0, 0, 0, 1, 1, 0, 2, 0, 0, 3, 1, 1, 4, 0, 1, 4, 2, 0, 2, 3, 0,
                                    0, 2, 0])
    points.UpdatePipeline()
    return points


def case_inputs(cases):
    yield "stream lines, combustor", lambda: stream_lines(combustor(cases), "Momentum")
    yield "stream lines, carotid", lambda: stream_lines(carotid(cases), "vectors")
    yield "contour lines, combustor", lambda: contours(combustor(cases), "Density",
                                                       [9, 0, 30], [0, 0, 1])
    yield "contour lines, carotid", lambda: contours(carotid(cases), "scalars",
                                                     [138, 110, 5], [0, 0, 1])
    yield "fibre tracts", lambda: LegacyVTKReader(
        FileNames=[os.path.join(cases, "curves/tract_example.vtk")])
    for name, file in (("tiger", "tiger_bezier.vtu"), ("font", "DejaVuSans_bezier.vtu")):
        yield f"outlines, {name}", lambda file=file: XMLUnstructuredGridReader(
            FileName=[os.path.join(cases, "curves", file)])


def bytes_of(data):
    """Of points, cells and all their arrays, without the report."""
    copy = data.NewInstance()
    copy.ShallowCopy(data)
    copy.GetFieldData().Initialize()
    total = 0
    for attributes in (copy.GetPointData(), copy.GetCellData()):
        for i in range(attributes.GetNumberOfArrays()):
            array = attributes.GetAbstractArray(i)
            total += array.GetNumberOfValues() * array.GetDataTypeSize()
    if copy.GetPoints():
        points = copy.GetPoints().GetData()
        total += points.GetNumberOfValues() * points.GetDataTypeSize()
    cells = [copy.GetCells()] if copy.IsA("vtkUnstructuredGrid") else [
        copy.GetVerts(), copy.GetLines(), copy.GetPolys(), copy.GetStrips()]
    for some in cells:
        if some and some.GetNumberOfCells() > 0:
            for array in (some.GetConnectivityArray(), some.GetOffsetsArray()):
                total += array.GetNumberOfValues() * array.GetDataTypeSize()
    return total


def row(name, lines, settings):
    curves = AdaptiveCurves(Input=lines, Backend="CPU", Threads=1, **settings)
    warnings = []
    algorithm = curves.GetClientSideObject()
    algorithm.AddObserver("WarningEvent", lambda *_: warnings.append(1))
    start = time.process_time()
    curves.UpdatePipeline()
    seconds = time.process_time() - start
    given = lines.GetClientSideObject().GetOutputDataObject(0)
    made = algorithm.GetOutputDataObject(0)
    print(f"{name:34} {given.GetNumberOfPoints():8} {made.GetNumberOfPoints():8} "
          f"{given.GetNumberOfCells():7} {made.GetNumberOfCells():7} "
          f"{bytes_of(given):10} {bytes_of(made):10} {seconds:8.3f} {len(warnings):3}",
          flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--cases")
    parser.add_argument("--set", action="append", default=[])
    asked = parser.parse_args()
    if asked.plugin:
        simple.LoadPlugin(asked.plugin, remote=False, ns=simple.__dict__)
        globals().update(simple.__dict__)
    settings = {}
    for one in asked.set:
        name, value = one.split("=", 1)
        settings[name] = ast.literal_eval(value)
    print(f"{'input':34} {'points':>8} {'out':>8} {'cells':>7} {'out':>7} {'bytes':>10} {'out':>10} "
          f"{'seconds':>8} warnings")
    inputs = list(own_inputs()) + (list(case_inputs(asked.cases)) if asked.cases else [])
    for name, make in inputs:
        lines = make()
        lines.UpdatePipeline()
        row(name, lines, settings)


if __name__ == "__main__":
    main()
