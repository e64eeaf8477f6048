# SPDX-License-Identifier: BSD-3-Clause
"""Writes the VTU files that MFEM, NGSolve or deal.II make of curved meshes: python3 write_curved_vtu.py
mfem|ngsolve|dealii FOLDER. For NAME.vtu there is NAME.npy: places on the outside of the mesh, as the program itself
evaluates them. A process of its own, since libraries of these programs need not suit those of ParaView. Ends with 77
where a module is missing, and for deal.II where TESSERA_DEALII does not name the program that dealii/CMakeLists.txt
builds."""
import os
import subprocess
import sys
from pathlib import Path

STEPS = 5  # in each direction: VTK divides by other numbers


def places_of(sides):
    """Places in the unit triangle or square."""
    return [(i / STEPS, j / STEPS) for i in range(STEPS + 1) for j in range(STEPS + 1 if sides == 4 else STEPS + 1 - i)]


def mfem_meshes(folder):
    """MFEM's own examples: tetrahedra of degree 2 and 3, hexahedra, wedges; one with a higher degree set."""
    import mfem
    from mfem import ser
    data = Path(mfem.__file__).parent / "external/ser/data"
    for name, degree in (("escher-p2", 2), ("escher-p3", 3), ("fichera-q2", 2), ("toroid-hex", 6), ("toroid-wedge", 3)):
        mesh = ser.Mesh(str(data / f"{name}.mesh"), 1, 1)
        if degree > 3:
            mesh.SetCurvature(degree)
        mesh.PrintVTU(str(folder / f"{name}_{degree}"), ser.VTKFormat_BINARY, True)
        true, point = [], ser.IntegrationPoint()
        for k in range(mesh.GetNBE()):
            to_space = mesh.GetBdrElementTransformation(k)
            for place in places_of(3 if mesh.GetBdrElementType(k) == ser.Element.TRIANGLE else 4):
                point.Set2(*place)
                true.append(list(to_space.Transform(point)))
        numpy.save(folder / f"{name}_{degree}.npy", numpy.array(true))


def ngsolve_meshes(folder):
    """A ball with a hole, of tetrahedra that Netgen curves."""
    import ngsolve
    from netgen.csg import CSGeometry, Pnt, Sphere
    geometry = CSGeometry()
    geometry.Add(Sphere(Pnt(0, 0, 0), 1) - Sphere(Pnt(0.3, 0, 0), 0.4))
    places = places_of(3)
    rule = ngsolve.IntegrationRule(places, [1] * len(places))
    for degree in (2, 3, 6):
        mesh = ngsolve.Mesh(geometry.GenerateMesh(maxh=1.2))
        mesh.Curve(degree)
        ngsolve.VTKOutput(mesh, filename=str(folder / f"ball_{degree}"), order=degree).Do()
        true = ngsolve.CF((ngsolve.x, ngsolve.y, ngsolve.z))(mesh.MapToAllElements(rule, ngsolve.BND))
        numpy.save(folder / f"ball_{degree}.npy", true)


def dealii_meshes(folder):
    """Balls of hexahedra and half spheres of quadrilaterals."""
    program = os.environ.get("TESSERA_DEALII")
    if not program:
        raise ImportError("TESSERA_DEALII names no program")
    subprocess.run([program, str(folder)], check=True)
    for path in folder.glob("*.txt"):
        numpy.save(path.with_suffix(".npy"), numpy.loadtxt(path))


try:
    import numpy
    {"mfem": mfem_meshes, "ngsolve": ngsolve_meshes, "dealii": dealii_meshes}[sys.argv[1]](Path(sys.argv[2]))
except (ImportError, OSError) as reason:
    print(reason)
    sys.exit(77)
