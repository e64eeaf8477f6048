# SPDX-License-Identifier: BSD-3-Clause
"""Blocks and trees fill the box of the input and end with it, whatever the coarsen levels.

The facts are the box's own: bounds, volume, area of its surface."""
import numpy as np
from grid_testing import KINDS, Boxes, adapt, bounds, cells_of, image, indices
from tessera_testing import add_array, case, check, main, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridGeometry
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter

from paraview.modules.vtkPVVTKExtensionsFiltersRendering import vtkPVGeometryFilter


def area(data, box):
    """Of the sides of the box that ParaView draws. (Of an AMR it draws inner faces near them, too.)"""
    surface = vtkPVGeometryFilter()
    surface.SetUseOutline(0)
    if data.IsA("vtkHyperTreeGrid"):
        surface = vtkHyperTreeGridGeometry()
    surface.SetInputDataObject(data)
    surface.Update()
    sizes = vtkCellSizeFilter()
    sizes.SetInputDataObject(surface.GetOutputDataObject(0))
    sizes.Update()
    out = sizes.GetOutputDataObject(0)
    parts = [out]
    if out.IsA("vtkCompositeDataSet"):
        parts, walk = [], out.NewIterator()
        while not walk.IsDoneWithTraversal():
            parts.append(walk.GetCurrentDataObject())
            walk.GoToNextItem()
    total = 0.0
    for part in parts:
        ghosts = part.GetCellData().GetArray("vtkGhostType")
        low, high = bounds(part)
        outer = ((low == high) & ((low == box[0::2]) | (low == box[1::2]))).any(axis=1)
        if ghosts:
            outer &= vtk_to_numpy(ghosts) == 0
        # VTK draws faces between cells of trees and masked ones twice.
        faces = np.concatenate([low, high], axis=1)[outer]
        total += cells_of(part, "Area")[outer][np.unique(faces, axis=0, return_index=True)[1]].sum()
    return total


def bounds_of(data):
    b = [0.0] * 6
    data.GetBounds(b)
    return b


def check_box(data, name, coarsen, **properties):
    box = np.array(data.GetBounds())
    d = box[1::2] - box[0::2]
    surface = 2 * (d[0] * d[1] + d[1] * d[2] + d[2] * d[0])
    root = 2 ** min(coarsen, int(np.log2(min(n - 1 for n in data.GetDimensions()))))
    for kind in KINDS[1:]:
        out = adapt(data, OutputType=kind, CoarsenLevels=coarsen, CriteriaArrays=[name],
                    **properties)
        cells, b = Boxes(out), np.array(bounds_of(out))
        where = f"{kind}, {data.GetDimensions()}, {coarsen} levels"
        volume = np.prod(cells.high - cells.low, axis=1).sum()
        check(abs(volume / np.prod(d) - 1) < 1e-9, f"{where}: volume {volume}")
        check(np.allclose(cells.low.min(axis=0), box[0::2]) and
              np.allclose(cells.high.max(axis=0), box[1::2]), f"{where}: cells lie beside the box")
        check(abs(area(out, box) / surface - 1) < 1e-9, f"{where}: area {area(out, box)}, not {surface}")
        if kind == KINDS[2] or hasattr(out, "GetGridBounds"):
            check(np.allclose(b, box), f"{where}: bounds {b}, not {box}")
        else:  # before 9.4 VTK takes them from whole roots: none of these is larger than the box
            step = root * np.array(data.GetSpacing())
            want = box[0::2] + np.ceil((d / step) - 1e-9) * step
            check(np.allclose(b[0::2], box[0::2]) and np.allclose(b[1::2], want),
                  f"{where}: bounds {b}, not up to {want}")


def box_that_levels_do_not_divide():
    for n, coarsen in (((66, 58, 50), 3), ((66, 58, 50), 12), ((13, 9, 5), 2), ((16, 8, 8), 3),
                       ((7, 3, 3), 6)):
        data = image([0, n[0], 0, n[1], 0, n[2]], spacing=(.5, 1, 2), origin=(-3, 7, 1))
        p = indices(data.GetExtent())
        add_array(data.GetPointData(), "f", np.exp(-((p - 5) ** 2).sum(axis=1) / 30))
        for size in (("2", "8") if max(n) < 20 else ("8",)):
            check_box(data, "f", coarsen, AMRBlockSize=size)


def carotid():
    reader = simple.LegacyVTKReader(FileNames=[case("flow/carotid.vtk")])
    reader.UpdatePipeline()
    data = reader.GetClientSideObject().GetOutputDataObject(0)
    for coarsen in (3, 20):
        check_box(data, "scalars", coarsen)


main(box_that_levels_do_not_divide, carotid)
