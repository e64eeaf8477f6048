# SPDX-License-Identifier: BSD-3-Clause
"""Grids, AMR and hyper tree grids that the plugin and the Python package are compared on."""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR, vtkBitArray
from vtkmodules.vtkCommonDataModel import (vtkAMRBox, vtkHyperTreeGrid, vtkHyperTreeGridNonOrientedCursor,
                                           vtkImageData, vtkOverlappingAMR, vtkRectilinearGrid,
                                           vtkStructuredGrid, vtkUniformGrid)

from case_values import add, add_grid_arrays, blocks, lattice_places, numbers, points_of


def image(nx=41, ny=33, nz=25, origin=(0, 0, 0)):
    data = vtkImageData()
    data.SetExtent(3, nx + 2, 0, ny - 1, 0, nz - 1)
    data.SetOrigin(origin)
    data.SetSpacing(1 / 40, 1 / 32, 1 / 24)
    return add_grid_arrays(data, *lattice_places(nx, ny, nz))


def blanked_image():
    data = image()
    ghosts = (np.arange(data.GetNumberOfCells()) % 97 == 0).astype(np.uint8) * 32
    add(data.GetCellData(), "vtkGhostType", ghosts, VTK_UNSIGNED_CHAR)
    return data


def rotated_image():
    data = image(25, 21, 17)
    data.SetDirectionMatrix(0, -1, 0, 1, 0, 0, 0, 0, 1)
    return data


def rectilinear():
    nx, ny, nz = 30, 27, 19
    data = vtkRectilinearGrid()
    data.SetDimensions(nx, ny, nz)
    for put, n in ((data.SetXCoordinates, nx), (data.SetYCoordinates, ny),
                   (data.SetZCoordinates, nz)):
        steps = np.arange(n) / (n - 1)
        put(numpy_to_vtk((steps * (1 + steps)).astype(np.float32), deep=True))
    return add_grid_arrays(data, *lattice_places(nx, ny, nz))


def structured():
    nx, ny, nz = 26, 22, 18
    data = vtkStructuredGrid()
    data.SetDimensions(nx, ny, nz)
    x, y, z = lattice_places(nx, ny, nz)
    data.SetPoints(points_of(np.stack([x + y * y / 3, y, z + x * y / 5], 1)))
    return add_grid_arrays(data, x, y, z)


def trees(uneven=False, masked=False, flat=False):
    """A hyper tree grid of 2 x 2 x 1 trees (flat: of 2 x 2), which are divided toward one corner."""
    grid = vtkHyperTreeGrid()
    grid.Initialize()
    grid.SetBranchFactor(2)
    sides = [[0, 1, 2.5 if uneven else 2], [3, 3.5, 4], [0] if flat else [0, 1]]
    grid.SetDimensions([len(one) for one in sides])
    for put, one in zip((grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates), sides):
        put(numpy_to_vtk(np.array(one, float), deep=True))
    cursor, start = vtkHyperTreeGridNonOrientedCursor(), 0

    def divide(levels):
        cursor.SubdivideLeaf()
        cursor.ToChild(levels)
        if levels > 0:
            divide(levels - 1)
        cursor.ToParent()

    for tree in range(4):
        grid.InitializeNonOrientedCursor(cursor, tree, True)
        cursor.SetGlobalIndexStart(start)
        if tree != 1:
            divide(3 - tree // 2)
        start += cursor.GetTree().GetNumberOfVertices()
    add(grid.GetCellData(), "hill", numbers(start, 21) * 9)
    add(grid.GetCellData(), "flow", numbers(3 * start, 22).reshape(-1, 3).astype(np.float32))
    grid.GetCellData().SetScalars(grid.GetCellData().GetArray("hill"))
    if masked:
        mask = vtkBitArray()
        for node in range(start):
            mask.InsertNextValue(node % 7 == 3)
        grid.SetMask(mask)
    return grid


def amr(kind=vtkOverlappingAMR, points=False, ghosts=False, scattered=False):
    """Two blocks of level 0 side by side, and two finer ones over parts of both. scattered: single finer cells are
    copies, so that those below them are covered in part."""
    data = kind()
    boxes_of = [[((0, 0, 0), (4, 6, 5)), ((4, 0, 0), (8, 6, 5))], [((2, 2, 2), (12, 8, 6)), ((2, 8, 2), (8, 10, 8))]]
    try:
        data.Initialize(2, [2, 2])
    except TypeError:  # VTK 9.6
        data.Initialize([2, 2])
    overlapping = data.IsA("vtkOverlappingAMR")
    if overlapping:
        data.SetOrigin([1, 0, 0])
        data.SetGridDescription(8)
    for level, several in enumerate(boxes_of):
        step = 0.5 / 2**level
        if overlapping:
            data.SetSpacing(level, [step] * 3)
            data.SetRefinementRatio(level, 2)
        for number, (low, high) in enumerate(several):
            block = vtkUniformGrid()
            block.SetOrigin(*(1 + step * low[0], step * low[1], step * low[2]))
            block.SetSpacing(step, step, step)
            block.SetDimensions([b - a + 1 for a, b in zip(low, high)])
            n = block.GetNumberOfCells()
            add(block.GetCellData(), "hill", numbers(n, 31 + number) + level)
            block.GetCellData().SetScalars(block.GetCellData().GetArray("hill"))
            if number == 0 or level == 0:
                add(block.GetCellData(), "not everywhere", np.arange(n))
            if points:
                add(block.GetPointData(), "warm", numbers(block.GetNumberOfPoints(), 33 + level))
            if ghosts:
                flags = (np.arange(n) % 13 == 0).astype(np.uint8) * 32
                if level == 1 and number == 1:
                    flags.reshape(6, 2, 6)[:, :, 2:3 if scattered else 4] = 1  # copies
                add(block.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
            if overlapping:
                data.SetAMRBox(level, number, vtkAMRBox(low, [one - 1 for one in high]))
            data.SetDataSet(level, number, block)
    return data
