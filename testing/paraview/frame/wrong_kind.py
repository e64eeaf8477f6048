# SPDX-License-Identifier: BSD-3-Clause
# ranks: none 2 symmetric
"""The wrong kind of input: one sentence says what the filter takes, what it got, and which filter to
put before it; with that filter before it, it works. Of several processes one tells."""
from tessera_testing import check, main, messages, simple
from vtkmodules.vtkParallelCore import vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()


def table():
    source = simple.ProgrammableSource(OutputDataSetType="vtkTable", Script="""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
for name, values in zip("xyzt", np.mgrid[0:1, 0:4, 0:4, 0:4].reshape(4, -1)[[3, 2, 1, 1]]):
    column = numpy_to_vtk(values, deep=True)
    column.SetName(name)
    self.GetTableOutput().AddColumn(column)
""")
    return source


def wavelet():
    return simple.Wavelet(WholeExtent=[-4, 4, -4, 4, -4, 4])


def rectilinear():
    return simple.ProgrammableSource(OutputDataSetType="vtkRectilinearGrid", Script="""
from vtkmodules.vtkCommonCore import vtkDoubleArray
out = self.GetRectilinearGridOutput()
for set_ in (out.SetXCoordinates, out.SetYCoordinates, out.SetZCoordinates):
    values = vtkDoubleArray()
    for i in range(4):
        values.InsertNextValue(i * i)
    set_(values)
out.SetDimensions(4, 4, 4)
""", ScriptRequestInformation="""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
self.GetExecutive().GetOutputInformation(0).Set(Pipeline.WHOLE_EXTENT(), (0, 3, 0, 3, 0, 3), 6)
""")


def points_of_table(source):
    return simple.TableToPoints(Input=source, XColumn="x", YColumn="y", ZColumn="z")


def stream_lines(source):
    vectors = simple.Calculator(Input=source, ResultArrayName="v", Function="iHat")
    vectors.UpdatePipeline()  # the tracer's defaults are made of its bounds
    tracer = simple.StreamTracer(Input=vectors, SeedType="Line", Vectors=["POINTS", "v"])
    tracer.SeedType.Point1, tracer.SeedType.Point2 = [0, -3, 0], [0, 3, 0]
    return tracer


# filter, its input, what it got in words, the advice, and the filters that the advice names
CASES = [
    ("AdaptiveGrid", simple.Sphere, "polygonal data (vtkPolyData)", 
     "put Point Volume Interpolator before",
     lambda source: simple.PointVolumeInterpolator(Input=source, Source="Bounded Volume")),
    ("AdaptiveGrid", table, "a table (vtkTable)", "put Table To Structured Grid before",
     lambda source: simple.TableToStructuredGrid(Input=source, WholeExtent=[0, 3, 0, 3, 0, 3],
                                                 XColumn="x", YColumn="y", ZColumn="z")),
    ("AdaptiveCurves", table, "a table (vtkTable)",
     "put Table To Points, then Points To Curves before",
     lambda source: simple.PointsToCurves(Input=points_of_table(source))),
    ("AdaptiveCurves", wavelet, "an image (vtkImageData)", "put Stream Tracer before", stream_lines),
]
for name in ("PointsToCurves", "AdaptivePointGrid", "DiscImage"):
    CASES += [
        (name, table, "a table (vtkTable)", "put Table To Points before", points_of_table),
        (name, wavelet, "an image (vtkImageData)", "put Image Data to Point Set before",
         lambda source: simple.ImageDatatoPointSet(Input=source)),
        (name, rectilinear, "a rectilinear grid (vtkRectilinearGrid)",
         "put Rectilinear Data to Point Set before",
         lambda source: simple.RectilinearDatatoPointSet(Input=source)),
        (name, lambda: simple.AdaptiveGrid(Input=wavelet(), OutputType="Hyper Tree Grid"),
         "a hyper tree grid (vtkHyperTreeGrid)", "put Hyper Tree Grid - Cell Centers before",
         lambda source: simple.HyperTreeGridCellCenters(Input=source)),
    ]
TAKEN = {"AdaptiveGrid": "images, rectilinear grids, structured grids, AMR, hyper tree grids or unstructured "
                         "grids",
         "AdaptiveCurves": "the lines of polygonal data or unstructured grids",
         "PointsToCurves": "points: polygonal data, unstructured grids or structured grids"}


def one_sentence_and_it_helps():
    for name, make, got, advice, before in CASES:
        source = make()
        messages()
        proxy = getattr(simple, name)(Input=source)
        proxy.UpdatePipeline()
        said = messages()
        taken = TAKEN.get(name, TAKEN["PointsToCurves"])
        expected = (f"Nothing was made: this filter takes {taken}, and its input is {got}: "
                    f"{advice} this filter.")
        check(said.count("ERR") == (RANK == 0), f"{name} of {got}: one message: {said}")
        check((expected in said) == (RANK == 0), f"{name} of {got}: {expected} is not in: {said}")
        out = proxy.GetClientSideObject().GetOutputDataObject(0)
        check(out.GetNumberOfElements(0) == 0 or name == "DiscImage", f"{name} of {got}: empty")
        if RANKS > 1:
            continue  # what ParaView's own filters do there is not the question
        proxy.Input = before(source)
        proxy.UpdatePipeline()
        said = messages()
        check("ERR" not in said, f"{name} after {advice}: {said}")
        out = proxy.GetClientSideObject().GetOutputDataObject(0)
        check(out.GetNumberOfElements(0) > 0, f"{name} after {advice}: it works")


def a_kind_that_no_filter_helps_with():
    graph = simple.ProgrammableSource(OutputDataSetType="vtkMolecule", Script="")
    curves = simple.AdaptiveGrid(Input=graph)
    messages()
    curves.UpdatePipeline()
    said = messages()
    check(("and its input is a molecule (vtkMolecule).\n" in said) == (RANK == 0), said)


def of_all_time_steps():
    """Said before the steps are read."""
    jet = simple.TurbulentJet(Dimensions=[5, 5, 5], TimeSteps=3)
    for proxy in (simple.PointsToCurves(Input=jet, Temporal=1),
                  simple.AdaptiveGrid(Input=simple.ExtractSurface(Input=jet), OverTime="All Steps")):
        messages()
        proxy.UpdatePipeline()
        said = messages()
        check(said.count("ERR") == (RANK == 0), f"once: {said}")


main(one_sentence_and_it_helps, a_kind_that_no_filter_helps_with, of_all_time_steps)
