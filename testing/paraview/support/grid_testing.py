# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of Adaptive Grid share: inputs, and its outputs as boxes in index space.

Every input has the point array "ijk", each point's own index. It is linear, so whatever the filter
makes of it says where in index space a point or the middle of a cell lies, for any geometry.
"""
import numpy as np
from tessera_testing import add_array, check, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid, vtkStructuredGrid
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid

GHOSTS = "vtkGhostType"
FOREIGN = (GHOSTS, "OriginalIds")  # the second one is made by the conversion
KINDS = ("Unstructured Grid", "Hyper Tree Grid", "Overlapping AMR")


def indices(extent):
    """The index of each point of an extent, i fastest."""
    k, j, i = np.meshgrid(*(np.arange(extent[2 * a], extent[2 * a + 1] + 1) for a in (2, 1, 0)),
                          indexing="ij")
    return np.stack([i, j, k], axis=-1).reshape(-1, 3).astype(float)


def shape(data, cells=False):
    """Points or cells along k, j and i."""
    e = data.GetExtent()
    n = [e[2 * a + 1] - e[2 * a] + 1 for a in (2, 1, 0)]
    return tuple(max(m - 1, 1) for m in n) if cells else tuple(n)


def with_index(data):
    add_array(data.GetPointData(), "ijk", indices(data.GetExtent()))
    return data


def image(extent, spacing=(1, 1, 1), origin=(0, 0, 0), direction=None):
    data = vtkImageData()
    data.SetExtent(extent)
    data.SetSpacing(spacing)
    data.SetOrigin(origin)
    if direction is not None:
        data.SetDirectionMatrix(np.ravel(direction).tolist())
    return with_index(data)


def rectilinear(extent, x, y, z):
    data = vtkRectilinearGrid()
    data.SetExtent(extent)
    for values, put in ((x, data.SetXCoordinates), (y, data.SetYCoordinates),
                        (z, data.SetZCoordinates)):
        put(numpy_to_vtk(np.array(values, float), deep=True))
    return with_index(data)


def structured(extent, place):
    """place: from an array of indices to one of positions."""
    data = vtkStructuredGrid()
    data.SetExtent(extent)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(place(indices(extent))), deep=True))
    data.SetPoints(points)
    return with_index(data)


def points_of(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def cells_of(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def adapt(data, said=None, **properties):
    """Output of Adaptive Grid. Nothing may be said, or, in one message, what `said` says. Cells are
    whole leaves with free hanging nodes unless HangingNodes says otherwise."""
    properties.setdefault("HangingNodes", "Free")
    return made_by("AdaptiveGrid", data, said, **properties)


def blocks(amr):
    return [amr.GetDataSet(level, i) for level in range(amr.GetNumberOfLevels())
            for i in range(amr.GetNumberOfDataSets(level)) if amr.GetDataSet(level, i)]


def seen(block):
    """The cells of a block that are to be seen."""
    ghosts = block.GetCellData().GetArray(GHOSTS)
    return vtk_to_numpy(ghosts) == 0 if ghosts else np.ones(block.GetNumberOfCells(), bool)


def bounds(data):
    """Lowest and highest corner of every cell."""
    if data.GetNumberOfCells() == 0:
        return np.zeros((0, 3)), np.zeros((0, 3))
    if data.IsA("vtkImageData"):
        first = np.array(data.GetExtent()[0::2])
        at = indices([e for n in shape(data, cells=True)[::-1] for e in (0, n - 1)])
        low, step = data.GetOrigin() + (first + at) * data.GetSpacing(), np.array(data.GetSpacing())
        return low, low + np.where(np.array(data.GetDimensions()) > 1, step, 0.0)
    if not data.IsA("vtkUnstructuredGrid"):
        b = np.array([data.GetCell(c).GetBounds() for c in range(data.GetNumberOfCells())])
        return b[:, 0::2], b[:, 1::2]
    first = vtk_to_numpy(data.GetCells().GetOffsetsArray())[:-1]
    at = vtk_to_numpy(data.GetPoints().GetData())[vtk_to_numpy(data.GetCells().GetConnectivityArray())].astype(float)
    return np.minimum.reduceat(at, first), np.maximum.reduceat(at, first)


class Boxes:
    """The cells of an output that are to be seen: `low` and `high` in space, cell arrays."""

    def __init__(self, output):
        parts = self.parts(output)
        self.low, self.high = (np.concatenate([p[i] for p in parts]) for i in (0, 1))
        self.arrays = {name: np.concatenate([p[2][name] for p in parts]) for name in parts[0][2]}

    @staticmethod
    def parts(output):
        if output.IsA("vtkHyperTreeGrid"):
            cells = vtkHyperTreeGridToUnstructuredGrid()
            cells.SetInputData(output)
            cells.Update()
            output = cells.GetOutput()
        found = []
        for data in blocks(output) if output.IsA("vtkOverlappingAMR") else [output]:
            keep = seen(data)
            low, high = bounds(data)
            names = [data.GetCellData().GetArrayName(i)
                     for i in range(data.GetCellData().GetNumberOfArrays())]
            found.append((low[keep], high[keep],
                          {n: cells_of(data, n)[keep] for n in names if n not in FOREIGN}))
        return found


def corners(grid):
    """Lowest and highest index of each cell of an unstructured grid."""
    offsets = vtk_to_numpy(grid.GetCells().GetOffsetsArray())[:-1]
    ijk = points_of(grid, "ijk")[vtk_to_numpy(grid.GetCells().GetConnectivityArray())]
    return np.minimum.reduceat(ijk, offsets), np.maximum.reduceat(ijk, offsets)


def paint(low, high, extent, parts=1):
    """How many boxes lie on each cell of an extent, cut into `parts` along each axis."""
    n = [max(extent[2 * a + 1] - extent[2 * a], 0) * parts for a in range(3)]
    count = np.zeros([max(m, 1) for m in n], int)
    scale = parts * np.ones(3)
    first = np.array(extent[0::2])
    for a, b in zip(np.rint((low - first) * scale).astype(int),
                    np.rint((high - first) * scale).astype(int)):
        box = tuple(slice(a[x], b[x]) if n[x] else slice(0, 1) for x in range(3))
        check(all(n[x] == 0 or 0 <= a[x] < b[x] <= n[x] for x in range(3)), f"box {a} {b} sticks out")
        count[box] += 1
    return count.transpose(2, 1, 0)


def interpolate(data, name, at):
    """A point array of a structured dataset at places in index space, multilinear."""
    values = points_of(data, name)
    values = values.reshape(shape(data) + values.shape[1:]).astype(float)
    e = data.GetExtent()
    result = 0.0
    low, part = [], []
    for a in range(3):
        last = max(e[2 * a + 1] - e[2 * a] - 1, 0)
        first = np.clip(np.floor(at[:, a] - e[2 * a]).astype(int), 0, last)
        low.append(first)
        part.append(at[:, a] - e[2 * a] - first)
    for corner in range(8):
        weight, index = 1.0, []
        for a in range(3):
            up = corner >> a & 1
            weight = weight * (part[a] if up else 1 - part[a])
            index.append(np.minimum(low[a] + up, e[2 * a + 1] - e[2 * a]))
        picked = values[index[2], index[1], index[0]]
        result = result + (weight if picked.ndim == 1 else weight[:, None]) * np.where(
            weight.reshape(weight.shape + (1,) * (picked.ndim - 1)) == 0, 0, picked)
    return result
