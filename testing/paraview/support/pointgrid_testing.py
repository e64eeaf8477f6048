# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of Adaptive Point Grid share: inputs, a run, and its output as numpy arrays."""
import numpy as np
from tessera_testing import add_array, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData

OUTPUTS = ("Unstructured Grid", "Hyper Tree Grid", "Points In Cell Order")


def crowd(n=20000, seed=1):
    """Places that crowd around a few spots."""
    rng = np.random.default_rng(seed)
    near = np.array([1.0, 0.1, 0.003])[np.arange(n) % 3][:, None]
    return (rng.random((n, 3)) - 0.5) * near * [1, 1, 0.4] + 0.11 * (np.arange(n) % 3)[:, None] - 3


def cloud(places, **arrays):
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places, float).reshape(-1, 3), deep=True))
    data.SetPoints(points)
    for name, values in arrays.items():
        add_array(data.GetPointData(), name, values)
    return data


def with_arrays(places, seed=2):
    rng = np.random.default_rng(seed)
    n = len(places)
    return cloud(places, value=rng.random(n) * 20 - 10, number=np.arange(n, dtype=np.int32),
                 velocity=rng.random((n, 3)).astype(np.float32))


def sort(data, said=None, **properties):
    """Output of Adaptive Point Grid. Nothing may be said, or, in one message, what `said` says."""
    return made_by("AdaptivePointGrid", data, said, **properties)


def cells(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def boxes(grid):
    """Lowest and highest corner of each cell of an unstructured grid."""
    n = grid.GetNumberOfCells()
    ids = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(n, -1)
    corners = vtk_to_numpy(grid.GetPoints().GetData())[ids]
    return corners.min(axis=1), corners.max(axis=1)
