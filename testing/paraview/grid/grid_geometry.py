# SPDX-License-Identifier: BSD-3-Clause
"""The geometric error of curved structured grids: how far the output cuts their corners.

A ring of radius r in steps of an angle has a known answer: a cell over n steps is a chord, whose middle is
r (1 - cos(n step / 2)) inside the arc, and the largest of the distances along x and y is what is bounded.
"""
import numpy as np
from grid_testing import adapt, image, indices, points_of, rectilinear, structured
from tessera_testing import check, field_value, main, simple, source_of
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

STEPS, RADIUS = 64, 3.0


def ring(radius=RADIUS, steps=STEPS):
    def place(ijk):
        angle, r = ijk[:, 0] * 2 * np.pi / steps, radius + 0.25 * ijk[:, 1]
        return np.stack([r * np.cos(angle), r * np.sin(angle), 0.5 * ijk[:, 2]], axis=1)
    return structured([0, steps, 0, 8, 0, 4], place)


def places(data, level):
    """By the slow way: the largest distance along x, y or z in cells of 2^level steps."""
    xyz = np.array([data.GetPoint(i) for i in range(data.GetNumberOfPoints())]).reshape(5, 9, STEPS + 1, 3)
    size, most = 2 ** level, 0.0
    for i in range(0, STEPS, size):  # linear along j and k: those have no error
        t = np.linspace(0, 1, size + 1)[:, None]
        chord = xyz[:, :, None, i] * (1 - t) + xyz[:, :, None, i + size] * t
        most = max(most, np.abs(chord - xyz[:, :, i:i + size + 1]).max())
    return most


def bent(out):
    return field_value(out, "Largest Geometric Error").ToDouble()


def the_report_says_how_far():
    data = ring()
    for level in (0, 1, 2, 3):
        for nodes in ("Free", "Conforming"):
            out = adapt(data, GridType="Fixed Coarse", CoarsenLevels=level, HangingNodes=nodes)
            check(abs(bent(out) - places(data, level)) < 1e-6, f"{level}: {bent(out)}, {places(data, level)}")
    check(places(data, 3) > 0.3 > RADIUS * 2 * np.sin(np.pi / STEPS), "larger than an input cell")
    grid = simple.AdaptiveGrid(Input=source_of(data), GridType="Fixed Coarse")
    grid.UpdatePipeline()
    check(abs(grid.LargestGeometricError - places(data, 3)) < 1e-6, "in the panel, too")
    for flat in (image([0, 8, 0, 8, 0, 8]), rectilinear([0, 2, 0, 1, 0, 1], [0, 1, 5], [0, 1], [0, 1])):
        out = adapt(flat, GridType="Fixed Coarse")
        check(not out.GetFieldData().HasArray("Tessera Largest Geometric Error"), "of curved grids alone")
    out = adapt(data, GridType="Fixed Coarse", MeasureErrors=0)
    check(not out.GetFieldData().HasArray("Tessera Largest Geometric Error"), "without Measure Errors")


def the_bound_holds():
    data = ring()
    diagonal = np.linalg.norm([2 * (RADIUS + 2), 2 * (RADIUS + 2), 2])
    for nodes in ("Free", "Conforming"):
        before = 0
        for level in (3, 2, 1, 0):
            bound = places(data, level) * 1.0001 + 1e-9
            for mode, value in (("Absolute", bound), ("Fraction of Range", bound / diagonal)):
                out = adapt(data, UseInterpolationError=0, UseGeometricError=1, GeometricError=value,
                            ThresholdMode=mode, HangingNodes=nodes)
                cells = out.GetNumberOfCells()
                check(bent(out) <= bound, f"{nodes}, {level}: {bent(out)} above {bound}")
                check(cells > before, f"{nodes}, {mode}, {level}: {cells} cells")
            before = cells
    out = adapt(data, UseInterpolationError=0, UseGeometricError=1, ThresholdMode="Absolute",
                GeometricError=places(data, 2) * 0.9999)
    check(bent(out) < places(data, 2) * 0.9, "just below an error it goes on")


def beside_other_criteria():
    """A linear array asks for nothing, and images have no geometric error."""
    data = ring()
    settings = dict(CriteriaArrays=["ijk"], ThresholdMode="Absolute", InterpolationError=1e-6)
    coarse = adapt(data, **settings)
    fine = adapt(data, UseGeometricError=1, GeometricError=0.05, **settings)
    check(coarse.GetNumberOfCells() == 8 < fine.GetNumberOfCells() and bent(fine) <= 0.05 < bent(coarse),
          f"{coarse.GetNumberOfCells()} and {fine.GetNumberOfCells()} cells")
    flat = image([0, 16, 0, 8, 0, 8])
    for properties in (settings, dict(UseInterpolationError=0)):
        out = adapt(flat, UseGeometricError=1, **properties)
        check(out.GetNumberOfCells() == 2, "as without it")


def blocks_share_the_diagonal():
    """A fraction means the same length in each block."""
    blocks = vtkMultiBlockDataSet()
    for k, radius in enumerate((0.5, 10.0)):
        blocks.SetBlock(k, ring(radius))
    settings = dict(UseInterpolationError=0, UseGeometricError=1)
    diagonal = np.linalg.norm([24, 24, 2])
    out = adapt(blocks, GeometricError=0.1 / diagonal, **settings)
    for k in (0, 1):
        alone = adapt(blocks.GetBlock(k), GeometricError=0.1, ThresholdMode="Absolute", **settings)
        check(alone.GetNumberOfCells() == out.GetBlock(k).GetNumberOfCells(), f"block {k}")
    check(out.GetBlock(0).GetNumberOfCells() < out.GetBlock(1).GetNumberOfCells(), "the larger ring has more")


main(the_report_says_how_far, the_bound_holds, beside_other_criteria, blocks_share_the_diagonal)
