# SPDX-License-Identifier: BSD-3-Clause
"""What the tests in ParaView share: the plugin, inputs, outputs as numpy arrays, messages."""
import os
import re
import sys
import traceback

import numpy as np
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import (VTK_DOUBLE, vtkIdList, vtkOutputWindow, vtkPoints,
                                      vtkStringOutputWindow, vtkVersion)
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkParallelCore import vtkMultiProcessController

SKIPPED = 77
ALL_SKIPPED = "skipped: all tests"  # what CTest looks for (CMakeLists.txt)
VTK_VERSION = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion())
if not hasattr(simple, "AdaptiveCurves"):  # PV_PLUGIN_PATH may have loaded it already
    simple.LoadPlugin(os.environ["TESSERA_PLUGIN_FILE"], remote=False, ns=simple.__dict__)
SAVES_NOTHING = re.compile(r"Warning: In [^\n]*\nvtkAdaptiveGrid \(0x[0-9a-f]+\): The output has \d+ cells, "
                           r"(more than|as many as) the (input|fixed fine grid)[^\n]*\n+")
_window = vtkStringOutputWindow()
vtkOutputWindow.SetInstance(_window)
_messages_seen = 0


def say(text):
    """To the terminal: pvpython sends what is printed to VTK's window, which is ours here."""
    os.write(1, (text + "\n").encode())


class Skipped(Exception):
    """What a test needs is not there."""


def case(name):
    """The path of a file of third-party data; skips the test that asks where it is missing."""
    path = os.path.join(os.environ.get("TESSERA_CASES", ""), name)
    if not os.path.exists(path):
        raise Skipped(f"there is no {name} in TESSERA_CASES")
    return path


def output_file(name):
    return os.path.join(os.environ["TESSERA_OUTPUT"], name)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def all_messages():
    """Errors and warnings since the last call."""
    global _messages_seen
    text = _window.GetOutput()
    new = text[_messages_seen:]
    _messages_seen = len(text)
    return new


def messages():
    """Errors and warnings since the last call, without the warning of a grid that saves nothing: tests have
    small grids, many of them fine all over. grid_defaults.py tests that warning."""
    return SAVES_NOTHING.sub("", all_messages())


def cell_types(grid):
    """Of an unstructured grid, one a cell. VTK 9.6 gave the array another name."""
    return vtk_to_numpy(grid.GetCellTypes() if VTK_VERSION >= (9, 6) else grid.GetCellTypesArray())


def update(proxy):
    """The proxy, executed; nothing may be said."""
    proxy.UpdatePipeline()
    said = messages()
    check(said == "", f"{proxy.GetXMLName()}: {said}")
    return proxy


def source_of(data):
    """A proxy whose output is the VTK object `data`."""
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.MarkModified(None)
    return producer


def run(data, quiet=True, **properties):
    """Output of Adaptive Curves for a VTK object; nothing may be said unless quiet is false. All
    points of the sampling stay, unless asked otherwise, polylines are Catmull-Rom curves, and arrays
    ask for no points: what is tested is one criterion at a time (coarsen.py has the defaults)."""
    source = source_of(data)
    plain = {"InterpretLinesAs": "Catmull-Rom", "Joints": "Keep All", "UseFieldError": 0,
             "FieldErrorMode": "Absolute"}
    curves = simple.AdaptiveCurves(Input=source, **{**plain, **properties})
    curves.UpdatePipeline()
    result = curves.GetClientSideObject().GetOutputDataObject(0)
    copy = result.NewInstance()
    copy.ShallowCopy(result)
    simple.Delete(curves)
    simple.Delete(source)
    if quiet:
        said = messages()
        check(said == "", f"unexpected message: {said}")
    return copy


def said(data, **properties):
    """Output, and what the filter said."""
    messages()
    result = run(data, quiet=False, **properties)
    return result, messages()


def vtk_points(coordinates, data_type=VTK_DOUBLE):
    points = vtkPoints()
    points.SetDataType(data_type)
    coordinates = np.asarray(coordinates, float).reshape(-1, 3)
    points.SetNumberOfPoints(len(coordinates))
    for i, xyz in enumerate(coordinates):
        points.SetPoint(i, xyz)
    return points


def cell_array(cells):
    array = vtkCellArray()
    for cell in cells:
        ids = vtkIdList()
        for i in cell:
            ids.InsertNextId(int(i))
        array.InsertNextCell(ids)
    return array


def polydata(coordinates, lines=(), verts=(), polys=(), strips=(), data_type=VTK_DOUBLE):
    data = vtkPolyData()
    data.SetPoints(vtk_points(coordinates, data_type))
    data.SetLines(cell_array(lines))
    data.SetVerts(cell_array(verts))
    data.SetPolys(cell_array(polys))
    data.SetStrips(cell_array(strips))
    return data


def grid(coordinates, cells, data_type=VTK_DOUBLE):
    """cells: pairs of a VTK cell type and point ids."""
    data = vtkUnstructuredGrid()
    data.SetPoints(vtk_points(coordinates, data_type))
    for cell_type, ids in cells:
        data.InsertNextCell(cell_type, len(ids), list(ids))
    return data


def add_array(attributes, name, values, array_type=None):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True, array_type=array_type)
    array.SetName(name)
    attributes.AddArray(array)
    return array


def points(data):
    if data.GetNumberOfPoints() == 0:
        return np.zeros((0, 3))
    return vtk_to_numpy(data.GetPoints().GetData())


def lines(data):
    """Point ids of each polyline."""
    cells = data.GetLines()
    offsets = vtk_to_numpy(cells.GetOffsetsArray())
    ids = vtk_to_numpy(cells.GetConnectivityArray())
    return [ids[b:e] for b, e in zip(offsets[:-1], offsets[1:])]


def point_array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def cell_values(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def length(data):
    """Of all polylines together."""
    xyz = points(data).astype(float)
    return sum(np.linalg.norm(np.diff(xyz[ids], axis=0), axis=1).sum() for ids in lines(data))


def field_value(data, name):
    return data.GetFieldData().GetAbstractArray("Tessera " + name).GetVariantValue(0)


def output_of(proxy):
    """The output of a filter's proxy, which outlives it."""
    result = proxy.GetClientSideObject().GetOutputDataObject(0)
    copy = result.NewInstance()
    copy.ShallowCopy(result)
    return copy


def made_by(name, data, said=None, **properties):
    """Output of the filter of this name. Nothing may be said, or, in one message, what `said` says."""
    source = data if hasattr(data, "SMProxy") else source_of(data)
    messages()
    proxy = getattr(simple, name)(Input=source, **properties)
    proxy.UpdatePipeline()
    text = messages()
    copy = output_of(proxy)
    simple.Delete(proxy)
    if source is not data:
        simple.Delete(source)
    if said is None:
        check(text == "", f"unexpected message: {text}")
    else:
        check(text.count(f"vtk{name} (") == 1 and said in text, f"not '{said}', but: {text}")
    return copy


class Kept:
    """A filter on one input that runs with one set of properties after the other. ParaView takes longer to make a
    filter and its source than these take for small data. Nothing may be said."""

    def __init__(self, name, data, **properties):
        self.source = source_of(data)
        self.filter = getattr(simple, name)(Input=self.source, **properties)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        simple.Delete(self.filter)
        simple.Delete(self.source)

    def output(self, **properties):
        """With these properties; those of earlier calls stay as they are."""
        messages()
        for name, value in properties.items():
            setattr(self.filter, name, value)
        self.filter.UpdatePipeline()
        text = messages()
        check(text == "", f"unexpected message: {text}")
        return output_of(self.filter)


def main(*tests):
    """Runs the tests in order; ends with 1 if one fails, and with words for CTest if all are skipped.
    Several processes end in order; where one fails, mpiexec ends all with its status."""
    controller = vtkMultiProcessController.GetGlobalController()
    ranks = controller.GetNumberOfProcesses() if controller else 1
    who = f" (process {controller.GetLocalProcessId()} of {ranks})" if ranks > 1 else ""
    status = {"passed": 0, "failed": 0, "skipped": 0}
    for test in tests:
        messages()
        try:
            test()
            status["passed"] += 1
            say(f"ok: {test.__name__}{who}")
        except Skipped as reason:
            status["skipped"] += 1
            say(f"skipped: {test.__name__}{who}: {reason}")
        except AssertionError as problem:
            status["failed"] += 1
            say(f"FAILED: {test.__name__}{who}: {problem}")
        except Exception:
            status["failed"] += 1
            say(f"FAILED: {test.__name__}{who}: {traceback.format_exc()}")
        if status["failed"] and ranks > 1:
            os._exit(1)  # an orderly end would wait for the other processes, which wait for this one
    if status["failed"]:
        sys.exit(1)
    # Ends with the script: mpiexec takes an exit before the end of MPI for a failure.
    if status["skipped"] and not status["passed"]:
        say(ALL_SKIPPED)
