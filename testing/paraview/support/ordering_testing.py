# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of Points To Curves share."""
import numpy as np
from tessera_testing import add_array, messages, polydata, simple, source_of
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkPolyData


def cloud(xyz, **arrays):
    """Points without cells, with point arrays; lists of str become string arrays."""
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(np.asarray(xyz).reshape(-1, 3)), deep=True))
    data.SetPoints(points)
    for name, values in arrays.items():
        if len(values) > 0 and isinstance(values[0], str):
            texts = vtkStringArray()
            texts.SetName(name)
            for value in values:
                texts.InsertNextValue(value)
            data.GetPointData().AddArray(texts)
        else:
            add_array(data.GetPointData(), name, np.asarray(values))
    return data


def join(data, **properties):
    """Output of Points To Curves, and what it said."""
    source = data if hasattr(data, "SMProxy") else source_of(data)
    messages()
    proxy = simple.PointsToCurves(Input=source, **properties)
    proxy.UpdatePipeline()
    result = proxy.GetClientSideObject().GetOutputDataObject(0)
    copy = result.NewInstance()
    copy.ShallowCopy(result)
    simple.Delete(proxy)
    if source is not data:
        simple.Delete(source)
    return copy, messages()


def cells(data):
    """Point ids of each cell, vertices first."""
    found = []
    for array in (data.GetVerts(), data.GetLines()):
        offsets = vtk_to_numpy(array.GetOffsetsArray())
        ids = vtk_to_numpy(array.GetConnectivityArray())
        found += [ids[b:e] for b, e in zip(offsets[:-1], offsets[1:])]
    return found


def texts(attributes, name):
    array = attributes.GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


def curves_by_lexsort(group, order):
    """Indices of the points of each group, groups ascending."""
    by = np.lexsort((order, group))
    first = np.flatnonzero(np.diff(group[by])) + 1
    return np.split(by, first) if len(by) else []
