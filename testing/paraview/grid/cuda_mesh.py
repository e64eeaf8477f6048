# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid of meshes, curved cells and octrees: Backend = CUDA gives the bytes of the CPU.

Skipped where no device is usable; a failure there with TESSERA_REQUIRE_CUDA=1 in the environment.
"""
import curved_meshes
from cuda_testing import bytes_of, need_device
from grid_testing import KINDS, adapt
from mesh_testing import FLATS, SOLIDS, flat, solid
from octree_testing import amr, nested, octree, trees
from tessera_testing import check, field_value, main

BOUNDARIES = ("Touching Cells", "Wholly Inside Cells", "Clipped At Surface")


def output_of(data, backend, **properties):
    made = adapt(data, Backend=backend, **{"HangingNodes": "Conforming", "GenerateIndicator": 1, "GenerateLevel": 1,
                                           "InterpolationError": 0.05, **properties})
    check(field_value(made, "Backend").ToString() == backend, f"it ran on {backend}")
    return made


def compare(what, data, **properties):
    cpu, cuda = (bytes_of(output_of(data, backend, **properties)) for backend in ("CPU", "CUDA"))
    check(len(cpu) > 3, f"{what}: something was made")
    check(cuda == cpu, f"{what} {properties}: the same bytes")


def every_kind_of_cell():
    generated = dict(CriteriaArrays=["bump"], GenerateInside=1, GenerateSourceCell=1)
    for kind in SOLIDS:
        for boundary in BOUNDARIES:
            compare(kind, solid(kind, 5), Boundary=boundary, FinestCell=0.07, **generated)
    for kind in FLATS:
        compare(kind, flat(kind), **generated)


def every_output():
    for output in KINDS[1:]:
        compare("mixed", solid("mixed", 5), CriteriaArrays=["bump"], OutputType=output)
    compare("mixed", solid("mixed", 5), CriteriaArrays=["bump"], HangingNodes="Free")
    compare("quads", flat("quads"), CriteriaArrays=["bump"], HangingNodes="Polygons (2D)")
    compare("mixed", solid("mixed", 5), CriteriaArrays=["bump"], UseGradient=1, Gradient=0.1, BufferCells=1)
    compare("mixed", solid("mixed", 5), CriteriaArrays=["bump"], FinestCell=0.03, InterpolationError=0.01)


def cells_of_higher_order():
    for boundary in BOUNDARIES:
        compare("hexahedra of degree 3", curved_meshes.lagrange(3, 3), CriteriaArrays=["wave"], Boundary=boundary)
    for kind in ("tetrahedra", "wedges", "hexahedra"):
        compare(f"quadratic {kind}", curved_meshes.quadratic(kind, 3), CriteriaArrays=["wave"], GenerateInside=1)


def cells_of_several_sizes():
    shape = nested(3)
    for what, data in (("AMR", amr(shape)), ("trees", trees(shape)), ("octree", octree(shape))):
        compare(what, data)
        compare(what, data, CellArrays="Move To Points", HangingNodes="Free")


need_device()
main(every_kind_of_cell, every_output, cells_of_higher_order, cells_of_several_sizes)
