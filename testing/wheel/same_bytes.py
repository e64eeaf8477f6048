# SPDX-License-Identifier: BSD-3-Clause
"""The plugin and the Python package give the same bytes.

    pvpython same_bytes.py [write FILE]     both in ParaView's Python, compared array by array; and
                                            the digests of the plugin's outputs to a file
    python3 same_bytes.py read FILE         the package with another VTK against those digests
"""
import hashlib
import json
import os
import sys
import traceback
import warnings

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_times import JetSeries  # noqa: E402
from cases import CASES  # noqa: E402

import tessera_vtk  # noqa: E402

RUN_TIME = ("Seconds", "Threads", "Bytes")  # of the report: they differ between runs, or VTKs
OF_THE_BUILD = ("Problem", "Runtime Version")  # of devices: the package may be built without CUDA


def bytes_of(array):
    """Of its values."""
    if array.GetDataTypeAsString() == "string":
        return b"\0".join(array.GetValue(k).encode() for k in range(array.GetNumberOfValues()))
    if array.GetNumberOfValues() == 0:
        return b""
    return np.ascontiguousarray(vtk_to_numpy(array)).tobytes()


def cell_types(data):
    """Of an unstructured grid; VTK has renamed the method."""
    new = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) >= (9, 6)
    return data.GetCellTypes() if new else data.GetCellTypesArray()


def arrays_of(data):
    """All arrays of a dataset by a name: bytes, with their type and shape in front."""
    found = {}

    def put(name, array):
        if array is not None:
            size = 0 if array.GetDataTypeAsString() == "string" else array.GetDataTypeSize()
            head = f"{size} {array.GetNumberOfComponents()} {array.GetNumberOfTuples()} "
            found[name] = head.encode() + bytes_of(array)

    if data.IsA("vtkPointSet") and data.GetPoints():
        put("points", data.GetPoints().GetData())
    if data.IsA("vtkTable"):
        for k in range(data.GetNumberOfColumns()):
            if data.GetColumnName(k) in OF_THE_BUILD:
                continue
            put(f"column {data.GetColumnName(k)}", data.GetColumn(k))
        return found
    if data.IsA("vtkImageData"):
        place = (*data.GetExtent(), *data.GetOrigin(), *data.GetSpacing())
        found["image"] = np.array(place).tobytes()
    lists = (("lines", "verts", "polys", "strips") if data.IsA("vtkPolyData") else
             ("cells",) if data.IsA("vtkUnstructuredGrid") else ())
    for name in lists:
        cells = getattr(data, "Get" + name.capitalize())()
        if cells and cells.GetNumberOfCells():
            put(name + " offsets", cells.GetOffsetsArray())
            put(name + " ids", cells.GetConnectivityArray())
    if data.IsA("vtkUnstructuredGrid"):
        put("types", cell_types(data))
    for kind, attributes in (("point", data.GetPointData()), ("cell", data.GetCellData())):
        for k in range(attributes.GetNumberOfArrays()):
            array = attributes.GetAbstractArray(k)
            put(f"{kind} array {array.GetName()}", array)
        for role in range(9):
            array = attributes.GetAbstractAttribute(role)
            if array and array.GetNumberOfTuples():  # VTK 9.7 forgets the roles of an empty grid
                found[f"{kind} role {role}"] = array.GetName().encode()
    return found


def report_of(data):
    """The report in the field data, without what differs from run to run."""
    found, fields = {}, data.GetFieldData()
    for k in range(fields.GetNumberOfArrays()):
        array = fields.GetAbstractArray(k)
        if array.GetName().startswith("Tessera") and not array.GetName().endswith(RUN_TIME):
            found[array.GetName()] = bytes_of(array)
    return found


def contents(data):
    """Arrays of all datasets, and the report."""
    found = {"class": data.GetClassName().encode(), **report_of(data)}
    if not isinstance(data, vtkCompositeDataSet):
        return {**found, **arrays_of(data)}
    at = data.NewIterator()
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        for name, value in arrays_of(at.GetCurrentDataObject()).items():
            found[f"block {at.GetCurrentFlatIndex()} {name}"] = value
        at.GoToNextItem()
    return found


def by_package(name, data, properties):
    """The package's output, and what it warns of."""
    if isinstance(properties.get("SpreadArray"), list):  # the panel says where it is, too
        properties = {**properties, "SpreadArray": properties["SpreadArray"][1]}
    algorithm = getattr(tessera_vtk, name)(**properties)
    series = isinstance(data, JetSeries)
    if series:
        port, _alive = data.connection(tessera_vtk)
        algorithm.SetInputConnection(port)
    elif data is not None:
        algorithm.SetInputDataObject(data)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        if series:
            algorithm.UpdateTimeStep(data.TIME)
        else:
            algorithm.Update()
    return contents(algorithm.GetOutputDataObject(0)), sorted(str(one.message) for one in said)


def by_plugin(name, data, properties):
    """The plugin's output, and what it warns of."""
    from paraview import simple
    from tessera_testing import all_messages, source_of
    all_messages()
    series = isinstance(data, JetSeries)
    source = None if data is None else data.proxy(simple) if series else source_of(data)
    proxy = getattr(simple, name)(**({} if source is None else {"Input": source}), **properties)
    proxy.UpdatePipeline(*([data.TIME] if series else []))
    filter_ = proxy.GetClientSideObject()
    made = contents(filter_.GetOutputDataObject(0))
    simple.Delete(proxy)
    if source is not None:
        simple.Delete(source)
    warned = [line for line in all_messages().split("\n") if line and not line.startswith("Warning:")]
    return made, sorted(line.split("): ", 1)[-1] for line in warned)


def differences(one, other):
    """Names of what is missing or other."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def digests(made):
    return {name: hashlib.sha256(value).hexdigest() for name, value in made.items()}


def main(mode="compare", path=None):
    known = {}
    if mode != "read":
        import tessera_testing  # noqa: F401: loads the plugin, and collects what VTK says
    if mode == "read":
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    failed = 0
    for title, name, make, properties in CASES:
        data = make() if make else None
        if make:
            properties = {"Backend": "CPU", **properties}  # Auto would tell why it was not a device
        made, said = by_package(name, data, properties)
        if mode == "read":
            wrong = differences(known[title], digests(made))
        else:
            theirs, warned = by_plugin(name, data, properties)
            known[title] = digests(theirs)
            wrong = differences(theirs, made) + ([] if said == warned else [f"{warned} {said}"])
        failed += bool(wrong)
        line = f"{'FAILED' if wrong else 'ok'}: {title}: {len(made)} arrays {', '.join(wrong)[:600]}\n"
        os.write(1, line.encode())
    if mode == "write":
        with open(path, "w", encoding="utf-8") as file:
            json.dump(known, file)
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception:  # pvpython sends what it prints to VTK's window, which tessera_testing takes
        os.write(2, traceback.format_exc().encode())
        sys.exit(1)
