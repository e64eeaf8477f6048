# SPDX-License-Identifier: BSD-3-Clause
"""Curved meshes as MFEM, NGSolve and deal.II write them for ParaView, each cell with points of its own: closed, and as
near to the program's own evaluation of the outside as the achieved error says. Skipped without the modules; deal.II's
also without its program in TESSERA_DEALII (see support/dealii). Prints triangles and seconds beside VTK's subdivision
and Tessellate."""
import tempfile
import time
from pathlib import Path

import numpy as np
from curved_testing import farthest, open_edges, subdivision, tessellation, written_by
from tessera_testing import check, main, made_by, say
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkStaticCleanUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def read(path, tolerance):
    """The mesh as it is, and with one point where cells meet, within the tolerance. NGSolve and deal.II evaluate a
    point for each cell, so that it differs in the last digits; MFEM's are equal."""
    reader, clean = vtkXMLUnstructuredGridReader(), vtkStaticCleanUnstructuredGrid()
    reader.SetFileName(str(path))
    clean.SetInputConnection(reader.GetOutputPort())
    clean.ToleranceIsAbsoluteOn()
    clean.SetAbsoluteTolerance(tolerance)
    clean.Update()
    return reader.GetOutput(), clean.GetOutput()


def export(path, tolerance, exact):
    """tolerance: distance up to which points of neighbours are one; exact: 1: they are equal in every bit."""
    alone, grid = read(path, tolerance)
    places = np.load(path.with_suffix(".npy"))
    chord = 2e-3 * np.linalg.norm(np.ptp(places, axis=0))
    options = {"ChordError": chord, "ChordErrorMode": "Absolute", "UseFieldError": 0, "GenerateAchievedError": 1,
               "Threads": 1}
    start = time.process_time()
    out = made_by("AdaptiveCells", grid, **options)
    seconds = time.process_time() - start
    reported = vtk_to_numpy(out.GetCellData().GetArray("AchievedError")).max()
    off = farthest(out, places)
    half = "half-sphere" in path.stem  # open in the plane x = 0
    opened = open_edges(out, 0.0 if half else None)
    check(opened == 0, f"{path.stem}: {opened} open edges")
    check(off <= reported <= chord * 1.0001, f"{path.stem}: off by {off}, reported {reported}, allowed {chord}")
    rivals = [subdivision(grid, places, 2)]
    if path.stem.endswith("_2"):  # Tessellate takes seconds at higher degrees
        rivals.append(tessellation(grid, places, chord))
    say(f"{path.stem}, {grid.GetNumberOfCells()} cells: {out.GetNumberOfPolys()} triangles, off by {off:.1e} of "
        f"{reported:.1e}, {seconds:.3f} s; {'; '.join(rivals)}")
    whole = made_by("AdaptiveCells", alone, **options)
    check(half or open_edges(whole) == 0, f"{path.stem}, cells alone: {open_edges(whole)} open edges")
    merged = made_by("AdaptiveCells", alone, MergePoints=1, **options)
    check(not exact or merged.GetNumberOfPolys() == out.GetNumberOfPolys(),
          f"{path.stem}, merged: {merged.GetNumberOfPolys()} triangles, not {out.GetNumberOfPolys()}")


def exports_of(program, tolerance, exact, names):
    with tempfile.TemporaryDirectory() as folder:
        written_by(program, "write_curved_vtu.py", program, folder)
        paths = sorted(Path(folder).glob("*.vtu"))
        check([path.stem for path in paths] == names, f"{program} wrote {paths}")
        for path in paths:
            export(path, tolerance, exact)


def exports_of_mfem():
    exports_of("mfem", 1e-9, 1, ["escher-p2_2", "escher-p3_3", "fichera-q2_2", "toroid-hex_6", "toroid-wedge_3"])


def exports_of_ngsolve():
    exports_of("ngsolve", 1e-9, 0, ["ball_2", "ball_3", "ball_6"])


def exports_of_dealii():
    """deal.II writes points in single precision."""
    exports_of("dealii", 1e-6, 0,
               [f"dealii-{shape}_{degree}" for shape in ("ball", "half-sphere") for degree in (2, 3, 4)])


main(exports_of_mfem, exports_of_ngsolve, exports_of_dealii)
