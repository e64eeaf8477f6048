# SPDX-License-Identifier: BSD-3-Clause
"""The table of docs/adaptive-grid.md that sets the default output beside its input, case by case.

Stream lines show three things. In a field that every cell has exactly (linear in space) they are the
input's, so that a line which a cell or a face would lose shows up. In the case's own field, with steps
of one length, what is left is the difference of the fields, which says nothing about directions where
the flow is slower than the interpolation error: lines end there, at a terminal speed. With default
settings steps are lengths of cells, and lines go on through noise.
"""
import os

import numpy as np
from grid_testing import points_of, rectilinear, shape
from tessera_testing import (Skipped, add_array, case, check, main, polydata, say, simple, source_of,
                             update)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkCommonDataModel import vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkCleanPolyData, vtkFeatureEdges

SLOPE = np.array([1, 2, -0.5])
SEEDS = 100


def fetch(proxy):
    return update(proxy).GetClientSideObject().GetOutputDataObject(0)


def carotid():
    return simple.LegacyVTKReader(FileNames=[case("flow/carotid.vtk")]), "vectors"


def combustor():
    reader = simple.PLOT3DReader(FileName=[case("flow/combxyz.bin")],
                                 QFileName=[case("flow/combq.bin")])
    return source_of(fetch(reader).GetBlock(0)), "Momentum"


def jet():
    return simple.TurbulentJet(Dimensions=[61, 33, 29], OutputPrecision="Double"), "Velocity"


def vortices():
    """An ABC flow, in which lines go on for ever, with points close to the lower sides."""
    axes = [np.linspace(0, 1, n) ** 1.5 * 2 * np.pi for n in (41, 37, 33)]
    data = rectilinear([0, 40, 0, 36, 0, 32], *axes)
    z, y, x = (a.ravel() for a in np.meshgrid(*axes[::-1], indexing="ij"))
    flow = np.stack([np.sin(z) + 0.5 * np.cos(y), 0.8 * np.sin(x) + np.cos(z),
                     0.5 * np.sin(y) + 0.8 * np.cos(x)], axis=1)
    add_array(data.GetPointData(), "flow", flow)
    return source_of(data), "flow"


CASES = {"carotid": carotid, "combustor": combustor, "jet": jet, "vortices": vortices}
ROWS = ("cells, to leaves balanced across edges",
        "Stream Tracer, linear field: lines, length",
        "Stream Tracer, Terminal Speed, steps of one length: lines, length",
        "Stream Tracer, Terminal Speed: lines, length",
        "Stream Tracer, defaults: lines, length",
        "Probe Location, Plot Over Line: points lost",
        "Extract Surface: area, open edges",
        "Clip, its two sides together: volume",
        "Slice: area",
        "Threshold of all levels: volume",
        "Contour: open edges within the grid")


class Case:
    """An input with fields that are known everywhere, and its grid."""

    def __init__(self, make):
        source, self.array = make()
        b = update(source).GetDataInformation().GetBounds()
        self.low, self.high = np.array(b[0::2]), np.array(b[1::2])
        self.size = self.high - self.low
        self.middle = (self.low + self.high) / 2
        x, y, z = self.middle
        names = {"lin": "coordsX + 2*coordsY - 0.5*coordsZ",
                 "ball": f"(coordsX-({x}))^2 + (coordsY-({y}))^2 + (coordsZ-({z}))^2",
                 "whirl": f"-(coordsY-({y}))*iHat + (coordsX-({x}))*jHat + {self.size[2]}*kHat"}
        for name, function in names.items():
            source = simple.Calculator(Input=source, ResultArrayName=name, Function=function)
        self.input = update(source)
        choice = dict(Input=source, CriteriaArrays=[self.array], GenerateLevel=1)
        self.grid = update(simple.AdaptiveGrid(**choice))
        self.leaves = update(simple.AdaptiveGrid(HangingNodes="Free", Balance="Across Edges",
                                                 **choice)).GetDataInformation().GetNumberOfCells()
        self.seeds()

    def seeds(self):
        """Points of the input, and such where it is not slow. None is near a side: the first step of
        the defaults, a fifth of a cell's diagonal, is within the box."""
        data = fetch(self.input)
        speed = np.linalg.norm(points_of(data, self.array).astype(float), axis=1)
        inside = np.ones(shape(data), bool)
        for side in range(-4, 4):
            inside[side] = inside[:, side] = inside[:, :, side] = False
        chance = np.random.default_rng(7)
        some = np.flatnonzero(inside.ravel())
        fast = some[speed[some] > 0.1 * speed.max()]
        self.still = 0.005 * speed.max()
        self.any, self.fast = (
            source_of(polydata([data.GetPoint(k) for k in chance.choice(which, SEEDS, False)]))
            for which in (some, fast))

    def traced(self, array, seeds, **settings):
        """Lengths of the lines on the grid, and on the input."""
        found = []
        for data in (self.grid, self.input):
            made = simple.StreamTracerWithCustomSource(Input=data, Vectors=["POINTS", array],
                                                       SeedSource=seeds, **settings)
            lines = fetch(made)
            ends = vtk_to_numpy(lines.GetLines().GetOffsetsArray())
            ids = vtk_to_numpy(lines.GetLines().GetConnectivityArray())
            xyz = vtk_to_numpy(lines.GetPoints().GetData()).astype(float)[ids]
            steps = np.linalg.norm(np.diff(xyz, axis=0), axis=1)
            steps[ends[1:-1] - 1] = 0.0  # from the end of a line to the next
            found.append(np.add.reduceat(np.append(steps, 0.0), ends[:-1]))
            simple.Delete(made)
        check(len(found[0]) == len(found[1]), f"{len(found[0])} lines, not {len(found[1])}")
        return found


def measure(proxy, name):
    total = update(simple.IntegrateVariables(Input=proxy))
    return total.CellData[name].GetRange(0)[0]


def open_edges(data, tolerance):
    """The middles of the edges that one cell alone has."""
    clean = vtkCleanPolyData()
    clean.ToleranceIsAbsoluteOn()
    clean.SetAbsoluteTolerance(tolerance)
    clean.SetInputData(data)
    edges = vtkFeatureEdges()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.SetInputConnection(clean.GetOutputPort())
    edges.Update()
    out = edges.GetOutput()
    if out.GetNumberOfCells() == 0:
        return np.zeros((0, 3))
    ids = vtk_to_numpy(out.GetLines().GetConnectivityArray()).reshape(-1, 2)
    return vtk_to_numpy(out.GetPoints().GetData()).astype(float)[ids].mean(axis=1)


def stream_lines(one, straight):
    step = 0.002 * np.linalg.norm(one.size)
    fixed = dict(IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Length",
                 InitialStepLength=step, MaximumSteps=1000,
                 MaximumStreamlineLength=400 * step)
    exact = one.traced("whirl", one.any, **fixed)
    if straight:  # an image takes places a hundredth of a cell beyond its sides for its own
        off = abs(exact[0] - exact[1]).max() / step
        check(off < 1.01, f"lines of the linear field are off by {off} steps")
    return [(len(ours), len(theirs), ours.sum() / theirs.sum()) for ours, theirs in
            (exact, one.traced(one.array, one.fast, TerminalSpeed=one.still, **fixed),
             one.traced(one.array, one.fast, TerminalSpeed=one.still),
             one.traced(one.array, one.fast))]


def probes(one):
    """Places in the input's cells, and lines from one to another within the box."""
    data = fetch(one.input)
    chance = np.random.default_rng(3)
    cells = chance.choice(data.GetNumberOfCells(), 2000, False)
    at = []
    for cell in cells:
        b = data.GetCell(cell)
        at.append(np.mean([b.GetPoints().GetPoint(k) for k in range(b.GetNumberOfPoints())], axis=0))
    mask = [update(simple.ResampleWithDataset(SourceDataArrays=one.grid,
                                              DestinationMesh=source_of(polydata(at))))]
    if one.input.GetDataInformation().GetDataSetTypeAsString() != "vtkStructuredGrid":
        low = one.middle - 0.499 * one.size
        mask.append(update(simple.PlotOverLine(Input=one.grid, Point1=list(low),
                                               Point2=list(low + 0.998 * one.size))))
        place = simple.ProbeLocation(Input=one.grid, ProbeType="Fixed Radius Point Source")
        place.ProbeType.Center, place.ProbeType.NumberOfPoints = list(one.middle), 2000
        place.ProbeType.Radius = 0.49 * min(one.size)
        mask.append(update(place))
    lost = count = 0
    for made in mask:
        out = fetch(made)
        valid = points_of(out, "vtkValidPointMask") == 1
        exact = vtk_to_numpy(out.GetPoints().GetData()) @ SLOPE
        off = abs(points_of(out, "lin") - exact)[valid].max()
        check(off < 1e-4 * abs(exact).max(), f"{made.GetXMLName()}: off by {off}")
        lost, count = lost + np.count_nonzero(~valid), count + len(valid)
    return lost, count


def volumes(one, whole):
    """What Clip leaves on both sides, and Threshold of each level, over the whole."""
    clipped = 0.0
    for invert in (0, 1):
        clip = simple.Clip(Input=one.grid, Invert=invert)
        clip.ClipType.Origin, clip.ClipType.Normal = list(one.middle + 0.013 * one.size), [1, 0, 0]
        clipped += measure(clip, "Volume")
    levels, total = one.grid.CellData["Level"].GetRange(), 0.0
    for level in range(int(levels[0]), int(levels[1]) + 1):
        some = simple.Threshold(Input=one.grid, Scalars=["CELLS", "Level"],
                                LowerThreshold=level - 0.25, UpperThreshold=level + 0.25)
        if update(some).GetDataInformation().GetNumberOfCells() > 0:
            total += measure(some, "Volume")
    return clipped / whole, total / whole


def sliced(data, one):
    cut = simple.Slice(Input=data)
    cut.SliceType.Origin, cut.SliceType.Normal = list(one.middle + 0.013 * one.size), [0, 0, 1]
    return measure(cut, "Area")


def contour_edges(one, surface, near):
    """Open edges of a contour that do not lie on the surface."""
    made = update(simple.Contour(Input=one.grid, ContourBy=["POINTS", "ball"],
                                 Isosurfaces=[(0.4 * min(one.size)) ** 2]))
    out = fetch(made)
    check(out.GetNumberOfCells() > 100, f"{out.GetNumberOfCells()} triangles")
    locator = vtkStaticCellLocator()
    locator.SetDataSet(surface)
    locator.BuildLocator()
    inner = 0
    for place in open_edges(out, 1e-6 * min(one.size)):
        at, cell, part, away = [0.0] * 3, reference(0), reference(0), reference(0.0)
        locator.FindClosestPoint(list(place), at, cell, part, away)
        inner += away.get() > (near * np.linalg.norm(one.size)) ** 2
    return inner


def rows(name):
    one = Case(CASES[name])
    count = one.grid.GetDataInformation().GetNumberOfCells()
    check(one.leaves < count <= 3 * one.leaves, f"{name}: {count} cells of {one.leaves} leaves")
    one.grid.UpdatePropertyInformation()
    told = (one.grid.CellsOut, one.grid.Saving)
    check(told[0] == count and abs(1 - count / one.grid.FineCells - told[1]) < 1e-12, f"{told}")
    straight = name != "combustor"  # leaves of a curved grid cut its corners
    streams = stream_lines(one, straight)
    check(abs(streams[1][2] - 1) < 0.01, f"{name}: {streams[1]} with steps of one length")
    lost, probed = probes(one)
    check(lost == 0 or not straight, f"{name}: {lost} of {probed} points lost")
    drawn = [simple.ExtractSurface(Input=data) for data in (one.grid, one.input)]
    surface = fetch(drawn[0])
    area = measure(drawn[0], "Area") / measure(drawn[1], "Area")
    edges = len(open_edges(surface, 1e-7 * min(one.size)))
    clip, levels = volumes(one, measure(one.grid, "Volume"))
    slices = sliced(one.grid, one) / sliced(one.input, one)
    inner = contour_edges(one, surface, 1e-5 if straight else 1e-3)
    say(f"{name}: area {area}, {edges} edges, clip {clip}, slice {slices}, levels {levels}, {inner}")
    near = 1e-5 if straight else 2e-2
    check(abs(area - 1) < near and edges == 0, f"{name}: surface {area}, {edges} open edges")
    check(abs(slices - 1) < near, f"{name}: slice {slices}")
    check(abs(clip - 1) < 1e-5 and abs(levels - 1) < 1e-5, f"{name}: {clip}, {levels}")
    check(inner == 0, f"{name}: {inner} open edges of the contour")
    lines = [f"{a} of {b}, {c:.3f}" for a, b, c in streams]
    return (f"{count:,}, {count / one.leaves:.2f}", *lines, f"{lost} of {probed:,}",
            f"{area:.3f}, {edges}", f"{clip:.3f}", f"{slices:.3f}", f"{levels:.3f}", f"{inner}")


def documented():
    path = os.path.join(os.path.dirname(__file__), "../../../docs/adaptive-grid.md")
    with open(path, encoding="utf-8") as page:
        return [line for line in page.read().splitlines() if line.startswith("| ")]


def every_case():
    columns, skipped = [], None
    for name in CASES:
        try:
            columns.append(rows(name))
        except Skipped as reason:
            skipped = reason
    table = [f"| {row} | " + " | ".join(cells) + " |" for row, cells in zip(ROWS, zip(*columns))]
    for line in table:
        say(line)
    if skipped:
        raise skipped
    if simple.GetParaViewVersion() < (5, 12):
        missing = [line for line in table if line not in documented()]
        check(not missing, f"not in the table: {missing}")


main(every_case)
