# SPDX-License-Identifier: BSD-3-Clause
"""What tests of Adaptive Grid under MPI share: an input cut into parts, the grid that one process makes of
the whole, and a comparison of both, cell by cell."""
import collections
import hashlib

import numpy as np
from grid_testing import Boxes, adapt, corners, image, indices, points_of, rectilinear, structured
from tessera_testing import add_array, cell_types, check, field_value
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkParallelCore import vtkDummyController, vtkMultiProcessController

CONTROLLER = vtkMultiProcessController.GetGlobalController()
RANK, RANKS = CONTROLLER.GetLocalProcessId(), CONTROLLER.GetNumberOfProcesses()
EXTENT = [2, 29, -4, 9, 0, 13]


def noise(ijk):
    """A number between -1 and 1 that follows from the indices of a point alone."""
    return np.modf(np.sin(ijk @ [12.9898, 78.233, 37.719]) * 43758.5453)[0]


def with_data(data):
    p = points_of(data, "ijk")
    wave = np.sin(p[:, 0] * p[:, 1] / 40) + np.exp(-((p - [8, 3, 6]) ** 2).sum(axis=1) / 9)
    add_array(data.GetPointData(), "f", wave + 0.01 * noise(p))
    add_array(data.GetPointData(), "flow", np.stack([wave, np.roll(wave, 1) * 0 + p[:, 1] * wave,
                                                     noise(p)], axis=1).astype(np.float32))
    e = data.GetExtent()
    cells = indices([n - (i % 2 and e[i - 1] < n) for i, n in enumerate(e)])
    add_array(data.GetCellData(), "c", np.sin(cells @ [0.3, 0.2, 0.1]) + 0.01 * noise(cells))
    add_array(data.GetCellData(), "number", (cells @ [1, 100, 10000]).astype(np.int32))
    return data


def parts_of(extent, axis):
    """Uneven slabs that share a layer of points; process 1 has nothing."""
    busy = [r for r in range(RANKS) if r != 1]
    first, last = extent[2 * axis], extent[2 * axis + 1]
    cuts = [first + (last - first) * (i * i + i) // (len(busy) ** 2 + len(busy))
            for i in range(len(busy) + 1)]
    slab = list(extent)
    if RANK == 1:
        return None
    slab[2 * axis:2 * axis + 2] = cuts[busy.index(RANK)], cuts[busy.index(RANK) + 1]
    return slab if slab[2 * axis] < slab[2 * axis + 1] else None


def alone(data, **properties):
    """As one process, though others are there."""
    dummy = vtkDummyController()
    vtkMultiProcessController.SetGlobalController(dummy)
    try:
        return adapt(data, **properties)
    finally:
        vtkMultiProcessController.SetGlobalController(CONTROLLER)


def as_bytes(columns):
    """Each row of a table as a string of bytes."""
    n = len(columns[0])
    table = np.hstack([np.ascontiguousarray(c).reshape(n, -1).view(np.uint8).reshape(n, -1)
                       for c in columns])
    return [row.tobytes() for row in table]


def cell_rows(output):
    low, high = corners(output)
    data = output.GetCellData()
    columns = [low, high, cell_types(output)]
    columns += [vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())
                if data.GetArrayName(i) != "SourceCell"]
    points = [vtk_to_numpy(output.GetPoints().GetData())] + [
        points_of(output, output.GetPointData().GetArrayName(i))
        for i in range(output.GetPointData().GetNumberOfArrays())]
    offsets = vtk_to_numpy(output.GetCells().GetOffsetsArray())
    ids = vtk_to_numpy(output.GetCells().GetConnectivityArray())
    found, sizes = [], np.diff(offsets)
    for size in np.unique(sizes):  # of polygons there are several
        mine = np.flatnonzero(sizes == size)
        at = ids[offsets[mine][:, None] + np.arange(size)]
        found += as_bytes([c[mine] for c in columns] + [p[at] for p in points])
    return found


def rows(output):
    """Each cell as one string of bytes: where it is and all it carries."""
    if output.GetNumberOfCells() == 0:
        return []
    if output.IsA("vtkUnstructuredGrid"):
        return cell_rows(output)
    boxes = Boxes(output)
    return as_bytes([np.round(boxes.low, 6) + 0.0, np.round(boxes.high, 6) + 0.0] +
                    [boxes.arrays[n] for n in sorted(boxes.arrays)])


def compare(mine, make_whole, what, rows=rows):
    """Are the cells of all processes together those of the whole? How many are there? The digests of
    the rows go to process 0, which alone makes the whole."""
    digests = [hashlib.md5(row).digest() for row in rows(mine)]
    all_digests = numpy_to_vtk(np.zeros((0, 16), np.uint8), deep=True)
    CONTROLLER.GatherV(numpy_to_vtk(np.frombuffer(b"".join(digests), np.uint8).reshape(-1, 16),
                                    deep=True), all_digests, 0)
    if RANK > 0:
        return None
    whole = make_whole()
    expected = rows(whole)
    check(len(set(expected)) == len(expected) > 0, f"{what}: {len(expected)} cells in the whole")
    got = collections.Counter(row.tobytes() for row in vtk_to_numpy(all_digests))
    missing = collections.Counter(hashlib.md5(row).digest() for row in expected)
    missing.subtract(got)
    wrong = collections.Counter(missing.values())
    check(set(wrong) == {0}, f"{what}: of {len(expected)} cells {wrong[1]} are missing, "
          f"{sum(n for times, n in wrong.items() if times < 0)} are not as in the whole, or twice")
    return len(expected)


def same(make, axis=0, extent=EXTENT, **properties):
    """make: from an extent to a dataset with data. The number of cells."""
    part = parts_of(extent, axis)
    piece = make(part) if part else make([0, 0, 0, 0, 0, 0]).NewInstance()
    settings = dict(CoarsenLevels=2, GenerateLevel=1, GenerateIndicator=1)
    settings.update(properties)
    mine = adapt(piece, **settings)

    def whole():
        made = alone(make(extent), **settings)
        for name in ("Leaves", "Fine Cells", "Input Cells", "Tolerance Scale"):
            check(field_value(mine, name) == field_value(made, name), f"{name} of {properties}")
        return made
    return compare(mine, whole, f"{properties}")


def an_image(extent):
    return with_data(image(extent, (0.5, 1, 2), (1, 0, 0)))


def a_rectilinear_grid(extent):
    x, y, z = (np.arange(extent[2 * a], extent[2 * a + 1] + 1) for a in range(3))
    return with_data(rectilinear(extent, x + 0.01 * x * x, y * 1.0, z * 2.0))


def a_structured_grid(extent):
    return with_data(structured(extent, lambda p: p + 0.2 * np.sin(p[:, [1, 2, 0]])))
