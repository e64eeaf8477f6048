# SPDX-License-Identifier: BSD-3-Clause
"""What the functions of the package need beyond xml/: datasets by PyVista's names, and an example each,
which docs/ shows and a test runs."""
from __future__ import annotations

from dataclasses import dataclass

# Arguments that have PyVista's names.
NAMES = {"CriteriaArrays": "scalars", "FieldErrorArrays": "scalars", "SpreadArray": "scalars",
         "VelocityArray": "vectors"}

POINTS = ("PolyData", "PointSet", "UnstructuredGrid", "StructuredGrid", "ExplicitStructuredGrid")


@dataclass(frozen=True)
class Function:
    """inputs: classes of PyVista; none: a source. output: likewise. instead: what a hint says where the
    dataset is another one. only_plugin: properties for which the package has nothing but the default.
    inplace: it can replace an input of the class of the output. preference: scalars may be of cells."""

    inputs: tuple[str, ...]
    output: str
    example: str
    instead: str = ""
    only_plugin: tuple[str, ...] = ()
    inplace: bool = False
    preference: bool = False


FUNCTIONS = {
    "AdaptiveCells": Function(
        ("UnstructuredGrid",), "PolyData", """
>>> import pyvista as pv
>>> import tessera_vtk
>>> nodes = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [1, -0.5, 0], [1, 1, 0], [0, 1, 0]]
>>> mesh = pv.UnstructuredGrid([6, *range(6)], [pv.CellType.QUADRATIC_TRIANGLE], nodes)
>>> surface = tessera_vtk.adaptive_cells(mesh, chord_error=0.01, generate_normals=True)
>>> surface.is_all_triangles, surface.n_points > mesh.n_points
(True, True)
""", "only an unstructured grid has curved cells"),
    "AdaptiveCurves": Function(
        ("PolyData", "UnstructuredGrid"), "PolyData", """
>>> import pyvista as pv
>>> import tessera_vtk
>>> points = [[0, 0, 0], [1, 2, 0], [3, 2, 0], [4, 0, 0]]
>>> line = pv.MultipleLines(points)
>>> curve = tessera_vtk.adaptive_curves(line, interpret_lines_as="catmull_rom", chord_error=0.001)
>>> curve.n_lines, curve.n_points > line.n_points
(1, True)
""", "extract curves first, for instance with mesh.contour() or mesh.streamlines()", inplace=True),
    "AdaptiveGrid": Function(
        ("ImageData", "RectilinearGrid", "StructuredGrid", "UnstructuredGrid"), "UnstructuredGrid", """
>>> import numpy as np
>>> import pyvista as pv
>>> import tessera_vtk
>>> image = pv.ImageData(dimensions=(33, 33, 33))
>>> image["heat"] = np.exp(-((image.points - 16) ** 2).sum(1) / 30)
>>> grid = tessera_vtk.adaptive_grid(image, interpolation_error=0.02, hanging_nodes="free")
>>> grid.n_cells < image.n_cells
True

A mesh, which need not be structured:

>>> mesh = pv.SolidSphere(outer_radius=0.5)
>>> mesh["height"] = mesh.points[:, 2]
>>> grid = tessera_vtk.adaptive_grid(mesh, finest_cell=0.05, interpolation_error=0.02, hanging_nodes="free")
>>> grid.n_cells < mesh.n_cells
True
""", "resample it first, for instance pyvista.ImageData(...).sample(mesh)",
        ("OutputType", "AMRBlockSize", "OverTime"),
        preference=True),
    "AdaptivePointGrid": Function(
        POINTS, "UnstructuredGrid", """
>>> import pyvista as pv
>>> import tessera_vtk
>>> grid = tessera_vtk.adaptive_point_grid(pv.Sphere(), maximum_points_per_cell=16)
>>> int(grid["PointCount"].sum()) == pv.Sphere().n_points
True
""", "make points of it, for instance pyvista.PolyData(mesh.points)"),
    "PointsToCurves": Function(
        POINTS, "PolyData", """
>>> import pyvista as pv
>>> import tessera_vtk
>>> points = pv.PolyData([[0.0, 0, 0], [5, 0, 0], [1, 0, 0], [6, 0, 0]])
>>> points["particle"] = [7, 8, 7, 8]
>>> tracks = tessera_vtk.points_to_curves(points, group_array="particle")
>>> tracks.n_lines, tracks["Length"].tolist()
(2, [1.0, 1.0])
""", "make points of it, for instance pyvista.PolyData(mesh.points)", ("Temporal", "UpToCurrentTime"),
        inplace=True),
    "DiscImage": Function(
        POINTS, "ImageData", """
>>> import pyvista as pv
>>> import tessera_vtk
>>> image = tessera_vtk.disc_image(pv.PolyData([[0.0, 0, 0]]), radius=1.0, resolution=(16, 16))
>>> image.dimensions, image["Colors"].shape
((16, 16, 1), (256, 4))
""", "make points of it, for instance pyvista.PolyData(mesh.points)"),
    "TurbulentJet": Function((), "ImageData", """
>>> import tessera_vtk
>>> jet = tessera_vtk.turbulent_jet(dimensions=(32, 16, 16))
>>> jet["Velocity"].shape
(8192, 3)
"""),
    "RandomBezierCurves": Function((), "UnstructuredGrid", """
>>> import tessera_vtk
>>> tessera_vtk.random_bezier_curves(number_of_curves=10, degree=3).n_points
40
"""),
    "RandomDiscs": Function((), "PolyData", """
>>> import tessera_vtk
>>> tessera_vtk.random_discs(number_of_discs=100).point_data.keys()
['Radius', 'Opacity', 'Color']
"""),
    "CUDADeviceReport": Function((), "Table", """
>>> import tessera_vtk
>>> "Name" in tessera_vtk.cuda_device_report().keys()
True
"""),
}
