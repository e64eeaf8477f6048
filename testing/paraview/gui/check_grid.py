# SPDX-License-Identifier: BSD-3-Clause
"""pvpython check_grid.py FILE.pvsm: whether a state that adaptive_grid.py saved is right."""
import sys

import numpy as np
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy

CLASSES = {"cells": "vtkUnstructuredGrid", "trees": "vtkHyperTreeGrid",
           "blocks": "vtkOverlappingAMR"}


def output(proxy):
    proxy.UpdatePipeline()
    return proxy.GetClientSideObject().GetOutputDataObject(0)


def check(path):
    """The settings are those that were chosen, and keep the temperature within 5 % of its range."""
    simple.LoadState(path)
    grid = simple.FindSource("AdaptiveGrid1")
    settings = (grid.GridType, list(grid.CriteriaArrays), grid.InterpolationError,
                grid.GenerateLevel, list(grid.Input.Dimensions))
    assert settings == ("Adaptive", ["Temperature"], 0.05, 1, [128, 64, 1]), settings
    kind = CLASSES[path.split("/")[-1][:-len(".pvsm")]]
    result = output(grid)
    assert result.IsA(kind), result.GetClassName()
    jet = output(grid.Input)
    exact = vtk_to_numpy(jet.GetPointData().GetArray("Temperature"))
    rows = result.GetFieldData()
    leaves = rows.GetArray("Tessera Leaves").GetValue(0)
    assert 16 * 8 < leaves < 127 * 63, leaves
    if kind == "vtkUnstructuredGrid":
        # Conforming is the default: cut leaves are several cells, and together they are the box.
        assert leaves < result.GetNumberOfCells() <= 8 * leaves, result.GetNumberOfCells()
        sizes = output(simple.CellSize(Input=grid)).GetCellData().GetArray("Area")
        box = jet.GetBounds()
        area = (box[1] - box[0]) * (box[3] - box[2])
        assert abs(vtk_to_numpy(sizes).sum() - area) <= 1e-5 * area, area
        probe = output(simple.ResampleWithDataset(SourceDataArrays=grid,
                                                  DestinationMesh=grid.Input))
        found = vtk_to_numpy(probe.GetPointData().GetArray("Temperature"))
        off = np.abs(found - exact).max()
        # Of single precision and VTK's own search for the cell: a millionth of the range.
        assert off <= (0.05 + 1e-6) * np.ptp(exact), off / np.ptp(exact)


if __name__ == "__main__":
    check(sys.argv[1])
