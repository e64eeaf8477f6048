# SPDX-License-Identifier: BSD-3-Clause
"""For tests of curved meshes that other programs make: running the program, distances, VTK's own surfaces."""
import os
import shutil
import subprocess
import time
from pathlib import Path

from tessera_testing import Skipped, check
from vtkmodules.vtkCommonCore import mutable
from vtkmodules.vtkCommonDataModel import vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkFeatureEdges
from vtkmodules.vtkFiltersGeneral import vtkTessellatorFilter
from vtkmodules.vtkFiltersGeometry import vtkDataSetSurfaceFilter


def written_by(module, script, *words):
    """Runs a script of this folder in a process of its own, without the libraries of ParaView. Skips the test where
    the script ends with 77, since its module is missing."""
    python = shutil.which("python3")
    if not python:
        raise Skipped("there is no python3")
    clean = {name: os.environ[name] for name in os.environ if name not in ("LD_LIBRARY_PATH", "PYTHONPATH")}
    clean["OMP_NUM_THREADS"] = clean["OPENBLAS_NUM_THREADS"] = "1"
    command = [python, str(Path(__file__).with_name(script)), *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, env=clean, check=False)
    if run.returncode == 77:
        raise Skipped(f"there is no {module}: {run.stdout.strip()}")
    check(run.returncode == 0, f"{module}: {run.stdout} {run.stderr}")


def farthest(surface, places):
    """Largest distance of the places from the surface."""
    locator, found, most = vtkStaticCellLocator(), [0.0] * 3, 0.0
    locator.SetDataSet(surface)
    locator.BuildLocator()
    cell, part, squared = mutable(0), mutable(0), mutable(0.0)
    for place in places:
        locator.FindClosestPoint(place, found, cell, part, squared)
        most = max(most, float(squared) ** 0.5)
    return most


def open_edges(data, rim=None):
    """Number of edges that one triangle alone has. rim: edges in the plane x = rim are not counted; None: all are."""
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    out = edges.GetOutput()
    cells = [out.GetCell(k).GetBounds() for k in range(out.GetNumberOfCells())]
    return sum(1 for box in cells if rim is None or max(abs(box[0] - rim), abs(box[1] - rim)) > 1e-6)


def subdivision(grid, places, level):
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.SetNonlinearSubdivisionLevel(level)
    start = time.process_time()
    surface.Update()
    seconds = time.process_time() - start
    out = surface.GetOutput()
    return f"VTK level {level}: {out.GetNumberOfPolys()} triangles, off by {farthest(out, places):.1e}, {seconds:.3f} s"


def tessellation(grid, places, chord):
    """Tessellate makes tetrahedra of volumes, whose outside is counted."""
    tessellator = vtkTessellatorFilter()
    tessellator.SetInputData(grid)
    tessellator.SetChordError(chord)
    tessellator.MergePointsOn()
    start = time.process_time()
    tessellator.Update()
    seconds = time.process_time() - start
    surface = vtkDataSetSurfaceFilter()
    surface.SetInputData(tessellator.GetOutput())
    surface.Update()
    out = surface.GetOutput()
    return (f"Tessellate: {out.GetNumberOfPolys()} triangles, {open_edges(out)} open edges, off by "
            f"{farthest(out, places):.1e}, {seconds:.3f} s")
