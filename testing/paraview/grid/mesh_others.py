# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on meshes that other programs write: gmsh, pyvista, OpenFOAM and its polyhedral dual, Exodus. The
largest error is as reported and as found here at all points of the mesh. What is missing is skipped."""
import numpy as np
from grid_testing import adapt, points_of
from foreign_meshes import (errors_of, exodus, exodus_blocks, foam, foam_dual, gmsh_tetrahedra, hexbeam, image_error,
                            nearly_cubes)
from mesh_testing import reported
from tessera_testing import cell_types, check, main, points, say
from vtkmodules.vtkCommonDataModel import VTK_HEXAHEDRON, VTK_POLYHEDRON, VTK_PYRAMID, VTK_TETRA, VTK_WEDGE

TOLERANCE = 0.02  # of the range


def looked_at(what, data, kinds, finest=0.0):
    """The mesh has these kinds of cells; errors are as reported, and bounded in all but the finest cells."""
    found = set(cell_types(data).tolist())
    check(set(kinds) <= found, f"{what}: kinds {found}")
    tolerance = TOLERANCE * np.ptp(points_of(data, "front"))
    out = adapt(data, CriteriaArrays=["front"], InterpolationError=TOLERANCE, FinestCell=finest, Balance="None",
                CoarsenLevels=0)
    errors, held, side = errors_of(data, out)
    worst, told = errors.max(), reported(out, "front")
    say(f"{what}: {data.GetNumberOfCells()} cells in, {out.GetNumberOfCells()} out, error {told:.4g} reported, "
        f"{worst:.4g} found")
    check(np.isfinite(errors).all(), f"{what}: {np.count_nonzero(np.isinf(errors))} points are in no cell")
    check(worst <= told * (1 + 1e-6) + 1e-9, f"{what}: the error is {worst}, and {told} is reported")
    check(told <= worst * 1.001 + 1e-9, f"{what}: {told} is reported, and {worst} the error")
    broken = (errors > tolerance * (1 + 1e-6)) & (held > side.min() * 1.001)
    check(not broken.any(), f"{what}: {broken.sum()} points off by more than {tolerance} in cells that may be divided")
    check(side.max() > 1.5 * side.min(), f"{what}: all cells have one size")
    return out


def tetrahedra_of_gmsh():
    looked_at("gmsh", gmsh_tetrahedra(), [VTK_TETRA], finest=0.02)


def hexbeam_of_pyvista():
    cubes = hexbeam(turned=False)
    out = adapt(cubes, CriteriaArrays=["front"], GridType="Fixed Fine", CoarsenLevels=0)
    check(out.GetNumberOfCells() == cubes.GetNumberOfCells() == 40, "cubes along the axes are an octree")
    looked_at("hexbeam, turned", hexbeam(), [VTK_HEXAHEDRON], finest=0.05)


def case_of_openfoam():
    looked_at("OpenFOAM", foam(), [VTK_HEXAHEDRON, VTK_POLYHEDRON])


def dual_of_openfoam():
    looked_at("OpenFOAM's dual", foam_dual(), [VTK_POLYHEDRON])


def blocks_of_exodus():
    looked_at("Exodus", exodus(), [VTK_HEXAHEDRON, VTK_TETRA, VTK_WEDGE, VTK_PYRAMID])


def blocks_of_exodus_merged():
    """Merge Blocks gives the grid of the mesh that VTK makes of the blocks, which merges their points, too."""
    chosen = dict(CriteriaArrays=["front"], InterpolationError=TOLERANCE, Balance="None", CoarsenLevels=0)
    one, other = adapt(exodus_blocks(), MergeBlocks=1, **chosen), adapt(exodus(), **chosen)
    check(one.IsA("vtkUnstructuredGrid") and one.GetNumberOfCells() == other.GetNumberOfCells() > 0, "cells")
    check(np.array_equal(points(one), points(other)), "places")
    check(np.array_equal(points_of(one, "front"), points_of(other, "front")), "values")
    check(reported(one, "front") == reported(other, "front"), "the error")


def fewer_cells_than_a_uniform_image():
    """No image with 5 times as many cells, or fewer, is as close to the mesh's points, were its own points exact."""
    for data in (foam(), foam_dual()):
        size = np.ptp(np.reshape(data.GetBounds(), (3, 2)), axis=1)
        out = adapt(data, CriteriaArrays=["front"], InterpolationError=0.05, FinestCell=size.max() / 256,
                    Balance="None", CoarsenLevels=4)
        worst, longest = errors_of(data, out)[0].max(), 4
        while np.prod(nearly_cubes(size, longest)) <= 5 * out.GetNumberOfCells():
            off = image_error(data, nearly_cubes(size, longest))
            check(off > worst, f"an image of {nearly_cubes(size, longest)} cells is off by {off}, the grid by {worst}")
            longest += 1


main(tetrahedra_of_gmsh, hexbeam_of_pyvista, case_of_openfoam, dual_of_openfoam, blocks_of_exodus,
     blocks_of_exodus_merged, fewer_cells_than_a_uniform_image)
