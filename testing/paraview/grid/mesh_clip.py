# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid of meshes, cut at the surface. Facts: Integrate Variables gives the volume of the mesh and the
integrals of a linear field, pieces lie in the cell whose tuple they have, linear values are exact, the grid hangs
together."""
import numpy as np
from grid_testing import adapt, cells_of, points_of
from mesh_testing import FLATS, SOLIDS, centres, flat, linear, solid, volume
from tessera_testing import check, field_value, main, messages, points, simple, source_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkCommonDataModel import VTK_TETRA, VTK_TRIANGLE, vtkMultiBlockDataSet
from vtkmodules.vtkFiltersCore import vtkConnectivityFilter
from vtkmodules.vtkFiltersParallel import vtkIntegrateAttributes

CLIPPED = dict(CoarsenLevels=0, CriteriaArrays=["bump"], Boundary="Clipped At Surface")


def any_mesh():
    for kind in SOLIDS:
        yield kind, solid(kind, 4)
    yield "bent tetrahedra", solid("tetrahedra", 4, jitter=0.2)
    for kind in FLATS:
        for plane in ((0, 1), (0, 2), (1, 2)):
            yield f"{kind} in {plane}", flat(kind, plane=plane)


def integrals(data):
    """The volume or area, and the integral of the linear field."""
    integrate = vtkIntegrateAttributes()
    integrate.SetInputData(data)
    integrate.Update()
    sums = integrate.GetOutput()
    cells = sums.GetCellData()
    size = cells.GetArray("Volume") or cells.GetArray("Area")
    return size.GetValue(0), sums.GetPointData().GetArray("linear").GetValue(0)


def integrals_are_those_of_the_mesh():
    for kind, data in any_mesh():
        real = volume(data)
        for hanging in ("Conforming", "Free"):
            for finest, error in ((0, 0.05), (0.04, 0.002)):
                out = adapt(data, HangingNodes=hanging, FinestCell=finest, InterpolationError=error, **CLIPPED)
                size, total = integrals(out)
                what = f"{kind}, {hanging}, {finest}"
                check(abs(size - real) < 1e-9 * real, f"{what}: volume {size}, not {real}")
                off = np.abs(points_of(out, "linear") - linear(points(out).astype(float))).max()
                check(off < 1e-9, f"{what}: the linear field is off by {off}")
                if "polygons" not in kind and "strips" not in kind:  # VTK integrates these in its own way
                    right = integrals(data)[1]
                    check(abs(total - right) < 1e-9 * (abs(right) + real), f"{what}: integral {total}, not {right}")
                told = field_value(out, "Cells").ToLongLong()
                check(told == out.GetNumberOfCells(), f"{what}: {told} cells are reported")


def arrays_come_along():
    for kind, data in any_mesh():
        out = adapt(data, FinestCell=0.06, GenerateLevel=1, GenerateInside=1, GenerateSourceCell=1, **CLIPPED)
        for name in ("bump", "linear", "flow", "Inside"):
            check(out.GetPointData().HasArray(name), f"{kind}: {name}")
        for name in ("smooth", "number", "Level", "SourceCell"):
            check(out.GetCellData().HasArray(name), f"{kind}: {name}")
        check(np.all(points_of(out, "Inside") == 1), f"{kind}: every point lies in the mesh")
        types = vtk_to_numpy(out.GetCellTypesArray())
        pieces = np.flatnonzero(types == (VTK_TRIANGLE if " in " in kind else VTK_TETRA))
        check(len(pieces) > 0, f"{kind}: cells are cut")
        numbers, middles = cells_of(out, "number"), centres(out)
        check(np.array_equal(numbers[pieces], cells_of(out, "SourceCell")[pieces]), f"{kind}: sources")
        parameters, weights = [0.0] * 3, [0.0] * 32
        for piece in pieces[::7]:
            if kind in ("polyhedra", "hexagonal prisms", "pentagonal prisms", "mixed") or "strips" in kind:
                continue  # EvaluatePosition of these moves points to a side, or knows one triangle
            cell, near = data.GetCell(int(numbers[piece])), [0.0] * 3
            inside = cell.EvaluatePosition(middles[piece], near, reference(0), parameters, reference(0.0), weights)
            check(inside == 1, f"{kind}: piece {piece} is not in cell {numbers[piece]}")


def the_grid_hangs_together():
    for kind in ("tetrahedra", "hexahedra"):
        out = adapt(solid(kind, 5), FinestCell=0.08, **CLIPPED)
        regions = vtkConnectivityFilter()
        regions.SetInputData(out)
        regions.SetExtractionModeToAllRegions()
        regions.Update()
        check(regions.GetNumberOfExtractedRegions() == 1, f"{kind}: {regions.GetNumberOfExtractedRegions()} regions")


def composites():
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, solid("tetrahedra", 3))
    blocks.SetBlock(1, solid("hexahedra", 3, shift=(2, 2, 2)))
    out = adapt(blocks, **CLIPPED)
    for i in range(2):
        size, real = integrals(out.GetBlock(i))[0], volume(blocks.GetBlock(i))
        check(abs(size - real) < 1e-9 * real, f"block {i}: {size}, not {real}")


def what_cannot_be_cut_is_refused():
    source = source_of(solid("tetrahedra", 3))
    for name, value, words in (("OutputType", "Hyper Tree Grid", "trees and AMR"),
                               ("OutputType", "Overlapping AMR", "trees and AMR"),
                               ("CellArrays", "Move To Points", "Cell Data to Point Data")):
        panel = simple.AdaptiveGrid(Input=source, **CLIPPED, **{name: value})
        panel.UpdatePipeline()
        said = messages()
        check("Boundary Clipped At Surface" in said and words in said, f"{value}: {said!r}")
        simple.Delete(panel)


def mesh_clip():
    integrals_are_those_of_the_mesh()
    arrays_come_along()
    the_grid_hangs_together()
    composites()
    what_cannot_be_cut_is_refused()


main(mesh_clip)
