# SPDX-License-Identifier: BSD-3-Clause
"""Every cell type that VTK has: what docs/adaptive-cells.md says comes out of it, comes out."""
import re
from pathlib import Path

import numpy as np
from tessera_testing import check, main, made_by
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellTypes, vtkGenericCell, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties, vtkStaticCleanUnstructuredGrid, vtkTriangleFilter
from vtkmodules.vtkFiltersSources import vtkCellTypeSource

PAGE = Path(__file__).resolve().parents[3] / "docs/adaptive-cells.md"
LATTICES, PARAMETRIC = range(68, 82), range(51, 68)


def rows():
    """Outcome and degrees of each type number in the table of the page."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 5 or not re.match(r"\d", cells[1]):
            continue
        for part in cells[1].split(", "):
            first, _, last = part.partition(" to ")
            for number in range(int(first), int(last or first) + 1):
                check(number not in found, f"type {number} stands in two rows")
                found[number] = cells[4], cells[2], cells[3]
    return found


def outcome(out):
    """Which of the page's phrases an output is."""
    if out.GetNumberOfPolys() > 0:
        return "faces"
    return "lines" if out.GetNumberOfLines() > 0 else "vertices" if out.GetNumberOfVerts() > 0 else "nothing"


def expected(number, phrase):
    if phrase.startswith("left out") or phrase == "nothing":
        return "nothing"
    if phrase == "copied; strips become triangles":
        return "vertices" if number < 3 else "lines" if number < 5 else "faces"
    return "lines" if phrase == "polylines" else "faces"


def is_closed(out, volume):
    edges, triangles, mass = vtkFeatureEdges(), vtkTriangleFilter(), vtkMassProperties()
    edges.SetInputData(out)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    triangles.SetInputData(out)
    mass.SetInputConnection(triangles.GetOutputPort())
    mass.Update()
    return edges.GetOutput().GetNumberOfCells() == 0 and (not volume or abs(mass.GetVolume() - volume) < 1e-6 * volume)


def single(number):
    """One cell of the type on its parametric coordinates, or on a circle."""
    grid, points, cell = vtkUnstructuredGrid(), vtkPoints(), vtkGenericCell.InstantiateCell(number)
    circle = [(np.cos(t), np.sin(t), 0.0) for t in np.arange(6) * np.pi / 3]
    n = {1: 1, 2: 4, 4: 5, 6: 6, 7: 5, 36: 6, 41: 6, 42: 4, 0: 0}.get(number) or (cell.GetNumberOfPoints() if cell else 6)
    if cell and number > 7 and number not in (36, 41, 42):
        places = np.array(cell.GetParametricCoords()[:3 * n]).reshape(n, 3)
    else:
        places = np.array((circle * 2)[:n]).reshape(n, 3)
    for place in places:
        points.InsertNextPoint(place)
    grid.SetPoints(points)
    ids = vtkIdList()
    for k in ([4, 3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 0, 3, 2] if number == 42 else range(n)):
        ids.InsertNextId(k)
    grid.InsertNextCell(number, ids)
    return grid


def every_type():
    table, seen = rows(), 0
    for number in range(256):
        if "nknown" in vtkCellTypes.GetClassNameFromTypeId(number):
            check(number not in table, f"VTK has no type {number}")
            continue
        check(number in table, f"the page has no row for type {number}")
        seen += 1
        if number in LATTICES and vtkGenericCell.InstantiateCell(number):
            continue  # below
        phrase = table[number][0]
        said = "1 cell (of cell 0) is left out: the type" if phrase.startswith("left out") else None
        out = made_by("AdaptiveCells", single(number), said)
        check(outcome(out) == expected(number, phrase), f"type {number} is {outcome(out)}, not: {phrase}")
        if out.GetNumberOfPolys() > 1 and not phrase.startswith(("copied", "triangles")):
            check(is_closed(out, None), f"type {number} is not closed")
    check(seen > 60, f"{seen} types")


def lattices_of_every_degree():
    """A unit cube of cells, with equal weights and with weights at random: those move no point out of the cube."""
    table = rows()
    for number in LATTICES:
        if not vtkGenericCell.InstantiateCell(number):
            continue
        for degree in (1, 2, 3, 4, 5, 7, 10):
            source = vtkCellTypeSource()
            source.SetCellType(number)
            source.SetCellOrder(degree)
            source.SetBlocksDimensions(1, 1, 1)
            clean = vtkStaticCleanUnstructuredGrid()  # the source's inner nodes differ by rounding
            clean.SetInputConnection(source.GetOutputPort())
            clean.ToleranceIsAbsoluteOn()
            clean.SetAbsoluteTolerance(1e-6)
            clean.Update()
            grid = clean.GetOutput()
            grid.GetPointData().Initialize()
            for rational in range(2 if number > 74 else 1):
                if rational:
                    weights = numpy_to_vtk(np.random.default_rng(degree).uniform(0.8, 1.25, grid.GetNumberOfPoints()), deep=1)
                    weights.SetName("weights")
                    grid.GetPointData().SetRationalWeights(weights)
                out = made_by("AdaptiveCells", grid, ChordError=0.05)
                name = f"type {number}, degree {degree}, rational {rational}"
                check(outcome(out) == expected(number, table[number][0]), f"{name}: {outcome(out)}")
                if table[number][0].startswith("outside"):
                    check(is_closed(out, 1.0), f"{name}: not closed, or of another volume")
                if outcome(out) == "faces":
                    places = vtk_to_numpy(out.GetPoints().GetData())
                    check(places.min() >= -1e-6 and places.max() <= 1 + 1e-6, f"{name}: out of the cube")


main(every_type, lattices_of_every_degree)
