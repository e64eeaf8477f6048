# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid with nothing set but its arrays: what a user meets first."""
import numpy as np
from grid_testing import GHOSTS, KINDS, adapt, cells_of, image, points_of, shape
from tessera_testing import add_array, check, field_value, main
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkMultiBlockDataSet

EXTENT = [0, 16, 0, 12, 0, 8]


def ramp():
    """A cell array that rises along i, ever faster."""
    data = image(EXTENT)
    i = np.broadcast_to(np.arange(16.0), shape(data, cells=True))
    add_array(data.GetCellData(), "c", np.floor(i ** 2 / 15).ravel())
    return data


def ranges(data, out):
    """Largest minus smallest input value in each output cell, by the cells of the input."""
    values = cells_of(data, "c").reshape(shape(data, cells=True))
    found = []
    for cell in range(out.GetNumberOfCells()):
        b = np.array(out.GetCell(cell).GetBounds()).round().astype(int)
        part = values[b[4]:b[5], b[2]:b[3], b[0]:b[1]]
        found.append((part.max() - part.min(), part.size))
    return np.array(found)


def a_cell_array_alone():
    """The interpolation error, the only criterion that is on, has nothing to interpolate between cells: its
    number bounds the range of the values in a cell, and so how far any is from the cell's."""
    data = ramp()
    whole = np.ptp(cells_of(data, "c"))
    for kind, threshold in ((None, 1.0), (None, 3.0), ("Absolute", 1.0)):
        mode = dict(ThresholdMode=kind) if kind else dict(InterpolationError=threshold / whole * 1.0001)
        if kind:
            mode["InterpolationError"] = threshold
        out = adapt(data, CriteriaArrays=["c"], Balance="None", GenerateLevel=1, **mode)
        found = ranges(data, out)
        check(1 < out.GetNumberOfCells() < data.GetNumberOfCells(), f"{threshold}: it refines, and not all")
        check(found[:, 0].max() <= threshold, f"{threshold}: {found[:, 0].max()} within a cell")
        check(field_value(out, "Largest Errors").ToDouble() <= threshold, "and so is the largest error")
        other = adapt(data, CriteriaArrays=["c"], Balance="None", GenerateLevel=1,
                      UseInterpolationError=0, UseValueRange=1, ThresholdMode="Absolute",
                      ValueRange=threshold)
        check(np.array_equal(cells_of(out, "Level"), cells_of(other, "Level")), "as by Value Range")


def a_cell_array_beside_a_point_array():
    """Each array has a criterion: with points alone the cell array would be lost."""
    data = ramp()
    add_array(data.GetPointData(), "p", points_of(data, "ijk")[:, 0])  # linear: it asks for nothing
    settings = dict(Balance="None", GenerateLevel=1, InterpolationError=0.2)
    both = adapt(data, CriteriaArrays=["p", "c"], **settings)
    alone = adapt(data, CriteriaArrays=["c"], **settings)
    check(both.GetNumberOfCells() > 2 * 2 and both.GetNumberOfCells() == alone.GetNumberOfCells(),
          f"{both.GetNumberOfCells()} cells, as for the cell array alone")
    for kind in KINDS[1:]:
        out = adapt(data, CriteriaArrays=["c"], OutputType=kind, InterpolationError=0.2)
        check(field_value(out, "Leaves") > 4, f"{kind} refines")


def a_cell_array_of_vectors():
    """Each component by itself, as of points; the range is that of all."""
    data = image(EXTENT)
    n = data.GetNumberOfCells()
    values = np.zeros((n, 2))
    values[:, 0] = 5
    values[0, 1] = 1
    add_array(data.GetCellData(), "c", values)
    for threshold, leaves in ((0.15, 4 + 3 * 7), (0.25, 4)):  # of a range of 5
        out = adapt(data, CriteriaArrays=["c"], Balance="None", InterpolationError=threshold)
        check(field_value(out, "Leaves") == leaves, f"{threshold}: {field_value(out, 'Leaves')} leaves")


def hide_all(data):
    hidden = np.full(data.GetNumberOfCells(), vtkDataSetAttributes.HIDDENCELL, np.uint8)
    add_array(data.GetCellData(), GHOSTS, hidden)
    return data


def all_cells_hidden():
    """An empty output, and a sentence why."""
    for kind in KINDS:
        out = adapt(hide_all(image(EXTENT)), "All 1536 cells of the input are hidden: the output has none.",
                    OutputType=kind)
        check(field_value(out, "Leaves") == 0, kind)
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image(EXTENT))
    blocks.SetBlock(1, hide_all(image(EXTENT)))
    out = adapt(blocks, "1 block has hidden cells only, and comes out without cells; the first is in block 2")
    check(out.GetBlock(0).GetNumberOfCells() > 0 and out.GetBlock(1).GetNumberOfCells() == 0, "the rest")


main(a_cell_array_alone, a_cell_array_beside_a_point_array, a_cell_array_of_vectors, all_cells_hidden)
