# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on every kind of structured input, against slow loops in numpy."""
import numpy as np
from grid_testing import (GHOSTS, KINDS, Boxes, adapt, cells_of, corners, image, indices,
                          interpolate, paint, points_of, rectilinear, shape, structured)
from tessera_testing import add_array, cell_types, check, main
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter

HIDDEN_CELL = vtkDataSetAttributes.HIDDENCELL
HIDDEN_POINT = vtkDataSetAttributes.HIDDENPOINT
DUPLICATE_CELL = vtkDataSetAttributes.DUPLICATECELL
RNG = np.random.default_rng(4)
CURVED = [0, 0.5, 0.7, 1.5, 2, 3, 3.1, 3.9, 4, 5.5, 6, 7]


def with_data(data):
    """A bump and noise on points, numbers on cells."""
    ijk = points_of(data, "ijk")
    middle = ijk.mean(axis=0)
    bump = np.exp(-((ijk - middle - 1) ** 2).sum(axis=1) / 6)
    add_array(data.GetPointData(), "f", bump + 0.01 * RNG.random(len(ijk)))
    add_array(data.GetPointData(), "v", RNG.random((len(ijk), 3)).astype(np.float32))
    n = data.GetNumberOfCells()
    add_array(data.GetCellData(), "number", np.arange(n, dtype=np.int32))
    add_array(data.GetCellData(), "c", RNG.random(n))
    return data


def cell_sizes(data):
    """Length, area or volume of every input cell, i fastest: of boxes in index directions."""
    xyz = np.array([data.GetPoint(p) for p in range(data.GetNumberOfPoints())])
    xyz = xyz.reshape(shape(data) + (3,))
    size = np.ones(shape(data, cells=True))
    for axis in range(3):
        if xyz.shape[axis] > 1:
            side = np.linalg.norm(np.diff(xyz, axis=axis), axis=-1)
            size = size * side[tuple(slice(0, n) for n in size.shape)]
    return size


def check_cells(data, out, coarsen, refine, hidden=None):
    """The leaves are aligned cubes in index space that fill what is visible, and nothing else."""
    extent = data.GetExtent()
    low, high = corners(out)
    flat = np.array([extent[2 * a] == extent[2 * a + 1] for a in range(3)])
    first, last = np.array(extent[0::2]), np.array(extent[1::2])
    side = 2.0 ** (coarsen - cells_of(out, "Level"))[:, None]
    check(((high == np.where(flat, first, np.minimum(low + side, last)))).all(), "sides of leaves")
    check((flat | ((low - first) % side == 0)).all(), "leaves lie on the lattice")
    count = paint(low, high, extent, 2 ** refine)
    visible = np.ones(shape(data, cells=True), int) if hidden is None else 1 - hidden
    for axis in range(3):
        if not flat[2 - axis]:
            visible = np.repeat(visible, 2 ** refine, axis=axis)
    check(np.array_equal(count, visible), "each visible cell lies in one leaf, no hidden one in any")
    return low, high


def check_points(data, out):
    """Input points have the input's values and places; others lie between."""
    ijk = points_of(out, "ijk")
    check(len(np.unique(ijk, axis=0)) == len(ijk), "no point twice")
    on_input = (ijk == np.rint(ijk)).all(axis=1)
    first = np.array(data.GetExtent()[0::2])
    at = tuple((ijk[on_input] - first).astype(int).T[::-1])
    for name in ("f", "v", "xyz"):
        values = points_of(data, name)
        values = values.reshape(shape(data) + values.shape[1:])
        check(np.array_equal(points_of(out, name)[on_input], values[at]), f"{name} at input points")
        between = interpolate(data, name, ijk)
        check(np.allclose(points_of(out, name), between, atol=1e-6), f"{name} between them")
    xyz = vtk_to_numpy(out.GetPoints().GetData())
    check(np.allclose(xyz, interpolate(data, "xyz", ijk), atol=1e-12 + 1e-6 * (xyz.dtype != float)),
          "places of points")


def check_means(data, out, low, high, hidden=None):
    """Cell arrays are means by volume over the leaf's visible cells."""
    weight = cell_sizes(data) * (1 if hidden is None else 1 - hidden)
    values = cells_of(data, "c").reshape(weight.shape)
    numbers = np.arange(values.size).reshape(values.shape)
    first = np.array(data.GetExtent()[0::2])
    for leaf, (a, b) in enumerate(zip(np.floor(low - first).astype(int),
                                      np.ceil(high - first).astype(int))):
        box = tuple(slice(a[x], max(b[x], a[x] + 1)) for x in (2, 1, 0))
        mean = (weight * values)[box].sum() / weight[box].sum()
        check(abs(cells_of(out, "c")[leaf] - mean) < 1e-12, f"mean of leaf {leaf}")
        if numbers[box].size == 1:
            check(cells_of(out, "number")[leaf] == numbers[box].item(), "an input cell's own number")
        check(cells_of(out, "SourceCell")[leaf] == numbers[box].flat[0], "SourceCell")


def check_error(data, out, low, high, tolerance):
    """At every input point of every leaf the interpolant of its corners is as near as was asked."""
    f = points_of(data, "f").reshape(shape(data))
    first = np.array(data.GetExtent()[0::2])
    worst = 0.0
    for a, b in zip((low - first), (high - first)):
        inside = [np.arange(np.ceil(a[x]), np.floor(b[x]) + 1).astype(int) for x in range(3)]
        value = f[np.ix_(*[np.unique([int(a[x]), int(b[x])]) for x in (2, 1, 0)])].astype(float)
        if (a != np.rint(a)).any() or (b != np.rint(b)).any():
            continue  # a part of an input cell: multilinear within it
        for axis, x in enumerate((2, 1, 0)):
            if value.shape[axis] == 2:
                t = ((inside[x] - a[x]) / (b[x] - a[x])).reshape([-1 if i == axis else 1
                                                                 for i in range(3)])
                value = np.take(value, [0], axis) * (1 - t) + np.take(value, [1], axis) * t
        worst = max(worst, abs(value - f[np.ix_(inside[2], inside[1], inside[0])]).max())
    spread = f.max() - f.min()
    check(worst <= tolerance * spread * (1 + 1e-12), f"error {worst / spread} for {tolerance}")


def check_all(data, coarsen=2, refine=0, hidden=None, **properties):
    xyz = np.array([data.GetPoint(p) for p in range(data.GetNumberOfPoints())])
    add_array(data.GetPointData(), "xyz", xyz)
    tolerance = 0.05
    out = adapt(data, CoarsenLevels=coarsen, RefineLevels=refine, CriteriaArrays=["f"],
                InterpolationError=tolerance, GenerateLevel=1, GenerateSourceCell=1, **properties)
    low, high = check_cells(data, out, coarsen, refine, hidden)
    check_points(data, out)
    check_means(data, out, low, high, hidden)
    if hidden is None:
        check_error(data, out, low, high, tolerance)
    levels = set(cells_of(out, "Level").tolist())
    return out, levels


def bent(ijk):
    """Every position another one, no cell turned over."""
    x, y, z = ijk.T
    return np.stack([x + 0.3 * np.sin(y), y + 0.2 * np.cos(z + x), z + 0.1 * x * y], axis=1)


def images_of_each_dimension():
    for extent in ([0, 16, 0, 8, 0, 8], [0, 19, 0, 10, 0, 0], [0, 0, 0, 10, 0, 19],
                   [0, 14, 0, 0, 0, 7], [0, 21, 0, 0, 0, 0], [0, 0, 0, 0, 0, 13]):
        data = with_data(image(extent, (0.5, 2, 1.5), (-1, 3, 7)))
        out, levels = check_all(data, balance_of(extent))
        check(len(levels) > 1, f"{extent}: levels {levels}")


def balance_of(extent):
    """Coarsen levels: 2 in 3D, 3 below."""
    return 2 if all(extent[2 * a] < extent[2 * a + 1] for a in range(3)) else 3


def extents_that_begin_anywhere_and_do_not_divide():
    for extent in ([5, 16, -3, 6, 100, 109], [-7, 6, 2, 9, 0, 0]):
        for coarsen in (1, 3, 4):
            check_all(with_data(image(extent, (1, 1, 2))), coarsen)


def one_cell():
    for extent in ([0, 1, 0, 1, 0, 1], [3, 4, 3, 4, 3, 3], [0, 1, 0, 0, 0, 0]):
        for coarsen, refine in ((0, 0), (3, 0), (1, 2)):
            data = with_data(image(extent))
            out, _ = check_all(data, coarsen, refine)
            check(out.GetNumberOfCells() == 1, "one cell, which is linear, is one leaf")


def finer_than_the_input():
    data = with_data(image([0, 6, 1, 6, 0, 5]))
    low, high = check_all(data, 1, 1, GridType="Fixed Fine")[0], None
    check(low.GetNumberOfCells() == 6 * 5 * 5 * 8, "all parts")
    out, levels = check_all(data, 1, 2, UseArrayInRange=1, ArrayInRange=[0.6, 1.0])
    check(levels == {0, 1, 2, 3} or levels == {1, 2, 3}, f"levels {levels}")


def directions_of_images():
    turn = np.array([[0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6]])
    out, _ = check_all(with_data(image([2, 10, 0, 6, 0, 5], (1, 2, 3), (1, 1, 1), turn)))
    check(out.GetCell(0).GetClassName() == "vtkHexahedron", "turned boxes are hexahedra")


def rectilinear_grids():
    out, _ = check_all(with_data(rectilinear([0, 11, 0, 7, 0, 5], CURVED, CURVED[2:10], CURVED[:6])))
    check(out.GetCell(0).GetClassName() == "vtkVoxel", "boxes are voxels")
    check_all(with_data(rectilinear([3, 14, 1, 8, 0, 0], CURVED, CURVED[2:10], [2])), 3)
    check_all(with_data(rectilinear([3, 14, 1, 1, 0, 0], CURVED, [1], [2])), 3)
    falling = [-x for x in CURVED]
    check_all(with_data(rectilinear([0, 11, 0, 7, 0, 5], falling, CURVED[:8], CURVED[:6])))


def structured_grids():
    stretched = lambda ijk: (ijk * (1 + 0.1 * ijk)).astype(np.float32)  # boxes of all sizes
    out, _ = check_all(with_data(structured([0, 12, 0, 9, 0, 6], stretched)))
    check(out.GetCell(0).GetClassName() == "vtkHexahedron", "hexahedra")
    check(out.GetPoints().GetDataType() == 10, "single precision as the input")
    tilt = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]
    data = with_data(structured([2, 12, 0, 9, 1, 1], lambda p: p @ tilt))
    check(check_all(data, 3)[0].GetCell(0).GetClassName() == "vtkQuad", "quads")
    data = structured([0, 9, 0, 7, 0, 5], bent)
    with_data(data)
    add_array(data.GetPointData(), "xyz", bent(indices(data.GetExtent())))
    out = adapt(data, CoarsenLevels=2, CriteriaArrays=["f"], InterpolationError=0.05,
                GenerateLevel=1)
    check_cells(data, out, 2, 0)
    check_points(data, out)


def volumes_are_positive():
    """Where axes run backwards, or an image is a mirror image, cells are not inside out: ParaView's
    integrals over them would be negative."""
    extent, mirror = [0, 12, 0, 9, 0, 8], np.diag([1, -1, 1])
    axes = [np.arange(13.0), np.arange(10.0), np.arange(9.0)]
    for what, data in (("spacing", image(extent, (-1, 1, 1))), ("mirror", image(extent, direction=mirror)),
                       ("both", image(extent, (1, 1, -1), direction=mirror)),
                       ("x", rectilinear(extent, -axes[0], axes[1], axes[2])),
                       ("all", rectilinear(extent, *[-axis for axis in axes])),
                       ("x and y", rectilinear(extent, -axes[0], -axes[1], axes[2]))):
        with_data(data)
        for shapes in ("Voxels or Pixels", "Hexahedra or Quads"):
            out = adapt(data, CoarsenLevels=2, CriteriaArrays=["f"], InterpolationError=0.2,
                        CellShape=shapes, HangingNodes="Conforming")
            sizes = vtkCellSizeFilter()
            sizes.SetInputData(out)
            sizes.Update()
            volumes = vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume"))
            check(len(set(cell_types(out))) == 3, "whole cells, and parts")
            check(volumes.min() > 0 and abs(volumes.sum() - 12 * 9 * 8) < 1e-6,
                  f"{what}, {shapes}: volumes from {volumes.min()}, {volumes.sum()} in all")


def hidden_cells(data):
    hidden = (RNG.random(shape(data, cells=True)) < 0.2).astype(int)
    hidden[:2, :3, 3:7] = 1
    add_array(data.GetCellData(), GHOSTS, (hidden * HIDDEN_CELL).astype(np.uint8).ravel())
    return hidden


def blanked_cells():
    for make in (lambda e: image(e), lambda e: structured(e, lambda p: p * 1.0),
                 lambda e: rectilinear(e, CURVED[:12], CURVED[:9], CURVED[:7])):
        data = with_data(make([0, 11, 0, 8, 0, 6]))
        check_all(data, hidden=hidden_cells(data))
    data = with_data(structured([0, 11, 0, 8, 0, 6], lambda p: p * 1.0))
    hidden = np.zeros(shape(data, cells=True), int)
    for cell in (0, 5, 77, 300):
        data.BlankCell(cell)
        hidden.flat[cell] = 1
    check_all(data, hidden=hidden)


def blanked_points():
    data = with_data(image([0, 9, 0, 7, 0, 5]))
    points = RNG.random(shape(data)) < 0.03
    add_array(data.GetPointData(), GHOSTS, (points * HIDDEN_POINT).astype(np.uint8).ravel())
    hidden = np.zeros(shape(data, cells=True), int)
    n = hidden.shape
    for k, j, i in np.ndindex(2, 2, 2):
        hidden |= points[k:k + n[0], j:j + n[1], i:i + n[2]]
    check(0 < hidden.sum() < hidden.size, "some cells")
    check_all(data, hidden=hidden)


def duplicate_cells_are_another_ones():
    data = with_data(image([0, 11, 0, 8, 0, 6]))
    hidden = np.zeros(shape(data, cells=True), int)
    hidden[:, :, 9:] = 1
    add_array(data.GetCellData(), GHOSTS, (hidden * DUPLICATE_CELL).astype(np.uint8).ravel())
    check_all(data, hidden=hidden)


def hanging_and_shapes():
    data = with_data(image([0, 19, 0, 13, 0, 0]))
    out, _ = check_all(data, 3, CellShape="Hexahedra or Quads")
    check(out.GetCell(0).GetClassName() == "vtkQuad", "quads on request")
    out, _ = check_all(with_data(image([0, 19, 0, 13, 0, 0])), 3, HangingNodes="Polygons (2D)")
    check(out.GetCell(0).GetClassName() == "vtkPolygon", "polygons")


def trees_and_blocks_cover_the_same():
    """Leaves of the other two kinds of output in space: boxes, that fill the input's box."""
    for data in (image([5, 24, -3, 9, 0, 7], (1, 2, 0.5), (3, 0, 0)),
                 image([0, 19, 0, 12, 0, 0]), image([4, 4, 0, 12, 0, 19]),
                 image([0, 9, 7, 7, 0, 19], (1, 1, 3))):
        hidden = np.zeros(shape(data, cells=True), int)
        with_data(data)
        for blank in (False, True):
            if blank:
                hidden = hidden_cells(data)
            for kind in KINDS[1:]:
                boxes = Boxes(adapt(data, OutputType=kind, CoarsenLevels=2, AMRBlockSize=2,
                                    CriteriaArrays=["f"], InterpolationError=0.05,
                                    GenerateLevel=1))
                origin, spacing = np.array(data.GetOrigin()), np.array(data.GetSpacing())
                low, high = (boxes.low - origin) / spacing, (boxes.high - origin) / spacing
                check(np.allclose([low, high], np.rint([low, high]), atol=1e-9), "on input points")
                check(np.array_equal(paint(low, high, data.GetExtent()), 1 - hidden),
                      f"{kind} of {data.GetExtent()}")
                check(blank or len(set(boxes.arrays["Level"])) > 1, f"levels of {kind}")


def trees_of_rectilinear_grids():
    """Trees halve at equal distances: where the input's points lie so within each root, cells are in
    their places; where they do not, the user is told."""
    x = [0, 1, 2, 4, 6, 9, 12, 12.5, 13, 14]
    data = with_data(rectilinear([3, 12, 0, 6, 0, 5], x, np.arange(7.0), [0, 2, 4, 5, 6, 9]))
    boxes = Boxes(adapt(data, OutputType="Hyper Tree Grid", CoarsenLevels=1, CriteriaArrays=["f"],
                        InterpolationError=0.05))
    axes = (x, np.arange(7.0), [0, 2, 4, 5, 6, 9])
    index = [[np.searchsorted(axis, corner[:, a]) for a, axis in enumerate(axes)]
             for corner in (boxes.low, boxes.high)]
    low, high = (np.stack(i, axis=1) + [3, 0, 0] for i in index)
    check(np.array_equal(paint(low, high, data.GetExtent()), np.ones((5, 6, 9))), "each cell once")
    data = with_data(rectilinear([0, 11, 0, 7, 0, 5], CURVED, CURVED[:8], CURVED[:6]))
    out = adapt(data, "places cells at equal distances", OutputType="Hyper Tree Grid",
                CriteriaArrays=["f"])
    check(out.GetNumberOfLeaves() > 1, "and they are made")


main(images_of_each_dimension, extents_that_begin_anywhere_and_do_not_divide, one_cell,
     finer_than_the_input, directions_of_images, rectilinear_grids, structured_grids,
     volumes_are_positive, blanked_cells,
     blanked_points, duplicate_cells_are_another_ones, hanging_and_shapes,
     trees_and_blocks_cover_the_same, trees_of_rectilinear_grids)
