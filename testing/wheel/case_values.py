# SPDX-License-Identifier: BSD-3-Clause
"""Values, points and arrays of the inputs, from + - * / alone, so that two versions of numpy make the same."""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet


def numbers(n, seed):
    """n numbers in [0, 1), by a congruence."""
    value, found = seed, []
    for _ in range(n):
        value = (1103515245 * value + 12345) % 2**31
        found.append(value / 2**31)
    return np.array(found)


def add(attributes, name, values, array_type=None):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True, array_type=array_type)
    array.SetName(name)
    attributes.AddArray(array)
    return array


def points_of(places):
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places), deep=True))
    return points


def add_point_arrays(data, n):
    add(data.GetPointData(), "heat", numbers(n, 5) * 10)
    add(data.GetPointData(), "count", (numbers(n, 6) * 100).astype(np.int32))
    data.GetPointData().SetScalars(data.GetPointData().GetArray("heat"))
    add(data.GetPointData(), "wind", numbers(3 * n, 7).reshape(-1, 3).astype(np.float32))
    words = vtkStringArray()
    words.SetName("word")
    for k in range(n):
        words.InsertNextValue("abc"[k // 7 % 3])
    data.GetPointData().AddArray(words)


def field(x, y, z):
    """Smooth, with a sharp hill."""
    r = (x - 0.4) ** 2 + (y - 0.55) ** 2 + (z - 0.5) ** 2
    return 1.0 / (0.01 + r) + x * y - z


def add_grid_arrays(data, x, y, z):
    values = field(x, y, z)
    add(data.GetPointData(), "hill", values)
    data.GetPointData().SetActiveScalars("hill")
    add(data.GetPointData(), "flow", np.stack([-y * values, x * values, z], 1).astype(np.float32))
    add(data.GetPointData(), "whole", (values * 7).astype(np.int16))
    cells = data.GetNumberOfCells()
    add(data.GetCellData(), "of_cells", numbers(cells, 4))
    words = vtkStringArray()
    words.SetName("word")
    for k in range(cells):
        words.InsertNextValue("abc"[k % 3])
    data.GetCellData().AddArray(words)
    return data


def lattice_places(nx, ny, nz):
    z, y, x = np.meshgrid(np.arange(nz) / max(nz - 1, 1), np.arange(ny) / max(ny - 1, 1),
                          np.arange(nx) / max(nx - 1, 1), indexing="ij")
    return x.ravel(), y.ravel(), z.ravel()


def blocks(*parts):
    whole = vtkMultiBlockDataSet()
    for k, part in enumerate(parts):
        whole.SetBlock(k, part)
    return whole
