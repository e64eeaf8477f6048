# SPDX-License-Identifier: BSD-3-Clause
"""Meshes that other programs write, for the tests and the bench of Adaptive Grid: gmsh, pyvista, OpenFOAM and Exodus
files. Where a program is missing, the test that asks is skipped. Each mesh gets the point array "front"."""
import glob
import gzip
import os
import shutil
import subprocess

import numpy as np
from grid_testing import points_of
from mesh_testing import TURN, solid
from tessera_testing import Skipped, add_array, check, output_file, points, simple, vtk_points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkAppendFilter
from vtkmodules.vtkIOExodus import vtkExodusIIReader, vtkExodusIIWriter
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader

FOAM_CASE = "/usr/share/doc/openfoam-examples/examples/mesh/snappyHexMesh/flange"
FOAM_SURFACE = "/usr/share/doc/openfoam-examples/examples/resources/geometry/flange.stl.gz"
# Small tetrahedra around one corner of a box with a hole, large ones far from it.
GMSH_SCRIPT = """
import sys, gmsh
gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
box, hole = gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1), gmsh.model.occ.addSphere(0.7, 0.7, 0.7, 0.2)
gmsh.model.occ.cut([(3, box)], [(3, hole)])
gmsh.model.occ.synchronize()
field = gmsh.model.mesh.field.add("MathEval")
gmsh.model.mesh.field.setString(field, "F", "0.02 + 0.1 * (x * x + y * y + z * z)")
gmsh.model.mesh.field.setAsBackgroundMesh(field)
for name in ("MeshSizeExtendFromBoundary", "MeshSizeFromPoints", "MeshSizeFromCurvature"):
    gmsh.option.setNumber("Mesh." + name, 0)
gmsh.model.mesh.generate(3)
gmsh.write(sys.argv[1])
"""


def front(p, low, high):
    """A front around a corner of the box from low to high, 1/75 of its diagonal wide."""
    size = np.linalg.norm(high - low)
    far = np.linalg.norm(p - (0.8 * low + 0.2 * high), axis=-1)
    return np.tanh((far - 0.3 * size) / (size / 150))


def with_front(data):
    p = points(data).astype(float)
    add_array(data.GetPointData(), "front", front(p, p.min(axis=0), p.max(axis=0)))
    return data


def program(name):
    path = shutil.which(name)
    if not path:
        raise Skipped(f"there is no program {name}")
    return path


def ran(*words, **options):
    """What a program printed. A Python without the module that it asks for skips the test."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if "ModuleNotFoundError" in done.stdout or "could not find Gmsh shared library" in done.stdout:
        raise Skipped(done.stdout.strip().splitlines()[-1])
    check(done.returncode == 0, f"{words[0]}: {done.stdout[-500:]}")
    return done.stdout


def other_python(*words):
    """A Python of its own: within pvpython gmsh gives wrong coordinates."""
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")}
    return ran(program("python3"), "-c", *words, env=own)


def legacy(path):
    reader = vtkUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    check(reader.GetOutput().GetNumberOfCells() > 0, f"{path} has no cells")
    return reader.GetOutput()


def gmsh_tetrahedra():
    path = output_file("others_gmsh.vtk")
    other_python(GMSH_SCRIPT, path)
    return with_front(legacy(path))


def hexbeam(turned=True):
    """40 cubes, which are an octree unless they are turned."""
    data = legacy(other_python("from pyvista import examples; print(examples.hexbeamfile)").split()[-1])
    if turned:
        data.SetPoints(vtk_points(points(data).astype(float) @ TURN.T))
    return with_front(data)


def foam_case(dual):
    """Debian's tutorial case "flange" of snappyHexMesh: hexahedra with polyhedra where cells of two sizes meet. Dual:
    a polyhedron around each of its points, by polyDualMesh."""
    for name in ("blockMesh", "surfaceFeatureExtract", "snappyHexMesh", "polyDualMesh"):
        program(name)
    if not os.path.isdir(FOAM_CASE):
        raise Skipped("the package openfoam-examples is not there")
    folder = output_file("others_flange_dual" if dual else "others_flange")
    path = f"{folder}/flange.foam"
    if not os.path.exists(path):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(FOAM_CASE, folder)
        shutil.copy(FOAM_SURFACE, f"{folder}/constant/triSurface")
        for name in glob.glob(f"{folder}/**/*.gz", recursive=True):
            with gzip.open(name, "rb") as packed, open(name[:-3], "wb") as plain:
                shutil.copyfileobj(packed, plain)
        env = {**os.environ, "WM_PROJECT_DIR": "/usr/share/openfoam"}
        steps = [["blockMesh"], ["surfaceFeatureExtract"], ["snappyHexMesh", "-overwrite"]]
        for words in steps + [["polyDualMesh", "75", "-concaveMultiCells", "-overwrite"]] * dual:
            ran(*words, cwd=folder, env=env)
        shutil.rmtree(f"{folder}/0", ignore_errors=True)
        with open(path, "w", encoding="utf-8"):
            pass  # the reader wants a file of this name
    reader = simple.OpenFOAMReader(FileName=path, MeshRegions=["internalMesh"], CellArrays=[], PointArrays=[],
                                   Decomposepolyhedra=0)
    reader.UpdatePipeline()
    data = vtkUnstructuredGrid()
    data.DeepCopy(reader.GetClientSideObject().GetOutputDataObject(0).GetBlock(0))
    simple.Delete(reader)
    return with_front(data)


def foam():
    return foam_case(False)


def foam_dual():
    return foam_case(True)


def exodus_blocks():
    """Hexahedra, tetrahedra, wedges and pyramids side by side, through a file of Exodus; each kind is a block."""
    parts = vtkAppendFilter()
    for i, kind in enumerate(("hexahedra", "tetrahedra", "wedges", "pyramids")):
        part = solid(kind, 12, place=lambda xyz, i=i: xyz + [i % 2, i // 2, 0])
        part.GetCellData().Initialize()
        part.GetPointData().Initialize()
        parts.AddInputData(part)
    writer = vtkExodusIIWriter()
    writer.SetFileName(output_file("others.ex2"))
    writer.SetInputConnection(parts.GetOutputPort())
    writer.Update()
    reader = vtkExodusIIReader()
    reader.SetFileName(output_file("others.ex2"))
    reader.Update()
    blocks = reader.GetOutput().GetBlock(0)
    every = np.concatenate([points(blocks.GetBlock(i)) for i in range(blocks.GetNumberOfBlocks())]).astype(float)
    for i in range(blocks.GetNumberOfBlocks()):
        p = points(blocks.GetBlock(i)).astype(float)
        add_array(blocks.GetBlock(i).GetPointData(), "front", front(p, every.min(axis=0), every.max(axis=0)))
    return blocks


def exodus():
    """Its blocks as one mesh, made by VTK."""
    blocks, whole = exodus_blocks(), vtkAppendFilter()
    whole.MergePointsOn()
    for i in range(blocks.GetNumberOfBlocks()):
        whole.AddInputData(blocks.GetBlock(i))
    whole.Update()
    return with_front(whole.GetOutput())


OTHERS = {"gmsh, graded tetrahedra": gmsh_tetrahedra, "pyvista's hexbeam": hexbeam, "OpenFOAM, flange": foam,
          "OpenFOAM, its dual": foam_dual, "Exodus, four kinds": exodus}


class Cells:
    """Boxes along the axes, by size and place, and which of them a point is in."""

    def __init__(self, low, high):
        self.low, self.high = low, high
        size = high - low
        level = np.rint(np.log2(size[:, 0] / size[:, 0].min())).astype(int)
        self.tables = []
        for number in np.unique(level):
            own = np.flatnonzero(level == number)
            step, base = size[own].mean(axis=0), low[own].min(axis=0)
            count = np.rint((low[own].max(axis=0) - base) / step).astype(int) + 1
            key = self.keys(np.rint((low[own] - base) / step).astype(int), count)
            order = np.argsort(key)
            self.tables.append((own[order], key[order], step, base, count))

    @staticmethod
    def keys(index, count):
        key = (index[:, 2] * count[1] + index[:, 1]) * count[0] + index[:, 0]
        return np.where(np.all((index >= 0) & (index < count), axis=1), key, -1)

    def holding(self, p):
        """The number of a box around each point, or -1."""
        found = np.full(len(p), -1)
        for own, keys, step, base, count in self.tables:
            key = self.keys(np.floor((p - base) / step).astype(int), count)
            at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            found = np.where((key >= 0) & (keys[at] == key), own[at], found)
        return found

    def errors(self, p, f, value):
        """At each point the least difference between f and value(boxes, p) over the boxes that it is in, sides
        included; infinite where there is none."""
        slack = 1e-4 * (self.high - self.low).min()  # coordinates are floats
        least = np.full(len(p), np.inf)
        for shift in np.stack(np.meshgrid(*[[-slack, slack]] * 3), axis=-1).reshape(-1, 3):
            cell = self.holding(p + shift)
            there = np.flatnonzero(cell >= 0)
            least[there] = np.minimum(least[there], np.abs(value(cell[there], p[there]) - f[there]))
        return least


def used_points(data):
    """Places of the points that cells use, and the front there."""
    used = np.unique(vtk_to_numpy(data.GetCells().GetConnectivityArray()))
    return points(data).astype(float)[used], points_of(data, "front").astype(float)[used]


def errors_of(data, out):
    """The error of Adaptive Grid's voxels at each point of the mesh, and the side of the largest cell of each, by
    trilinear interpolation."""
    ids = vtk_to_numpy(out.GetCells().GetConnectivityArray()).reshape(out.GetNumberOfCells(), 8)
    p, f = points(out).astype(float)[ids], points_of(out, "front").astype(float)[ids]
    cells = Cells(p.min(axis=1), p.max(axis=1))

    def value(cell, at):
        t = (at - cells.low[cell]) / (cells.high[cell] - cells.low[cell])
        g = f[cell]
        for axis in (2, 1, 0):
            half = g.shape[1] // 2
            g = g[:, :half] * (1 - t[:, axis:axis + 1]) + g[:, half:] * t[:, axis:axis + 1]
        return g[:, 0]

    at, given = used_points(data)
    side = (cells.high - cells.low)[:, 0]
    held = cells.holding(at)
    return cells.errors(at, given, value), np.where(held >= 0, side[held], np.inf), side


def nearly_cubes(size, longest):
    """Cells along each axis of an image with so many along the longest side."""
    return np.maximum(np.ceil(longest * size / size.max()), 1).astype(int)


def image_error(data, count):
    """Of an image over the bounds of the mesh, at the mesh's points, by trilinear interpolation between the front's
    own values."""
    at, given = used_points(data)
    p = points(data).astype(float)
    low, high = p.min(axis=0), p.max(axis=0)
    step = (high - low) / count
    cell = np.clip(np.floor((at - low) / step).astype(int), 0, count - 1)
    t, total = (at - low) / step - cell, 0.0
    for corner in range(8):
        bit = np.array([corner & 1, corner >> 1 & 1, corner >> 2])
        total = total + front(low + (cell + bit) * step, low, high) * np.prod(np.where(bit, t, 1 - t), axis=1)
    return np.abs(total - given).max()
