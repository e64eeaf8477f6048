# SPDX-License-Identifier: BSD-3-Clause
# ranks: none 2
"""ParaView's contour, slice, threshold, probe and gradient on each kind of output, of flows.

One script in pvbatch, as a user runs it, on one process or several. Each filter has to come through
without a word and give what can be worked out from the field x + 2 y - z / 2, which every case gets,
or from the output's own cells. Where ParaView 5.11 has no such filter for a kind of dataset, the
way round it is taken that docs/adaptive-grid.md names.
"""
import numpy as np
from grid_testing import GHOSTS, KINDS, cells_of, points_of
from paraview import servermanager
from tessera_testing import case, check, main, say, simple, update
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkAppendFilter
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
SLOPE = np.array([1, 2, -0.5])
CELLS, TREES, BLOCKS = KINDS
TOLERANCE = 0.15


def carotid():
    return simple.LegacyVTKReader(FileNames=[case("flow/carotid.vtk")]), "scalars"


def combustor():
    return simple.PLOT3DReader(FileName=[case("flow/combxyz.bin")],
                               QFileName=[case("flow/combq.bin")]), "Density"


def jet():
    return simple.TurbulentJet(Dimensions=[61, 33, 29], OutputPrecision="Double"), "Temperature"


def grid_of(source, name, kind):
    plane = simple.Calculator(Input=source, ResultArrayName="lin",
                              Function="coordsX + 2*coordsY - 0.5*coordsZ")
    grid = simple.AdaptiveGrid(Input=plane, OutputType=kind, CriteriaArrays=[name],
                               InterpolationError=TOLERANCE, CoarsenLevels=2, GenerateLevel=1,
                               HangingNodes="Free")
    return plane, update(grid)


def fetch(proxy):
    """What all processes have, as one dataset."""
    update(proxy)
    if RANKS == 1 or not proxy.GetDataInformation().GetDataSetTypeAsString() == "vtkUnstructuredGrid":
        return servermanager.Fetch(proxy)
    append = vtkAppendFilter()
    for rank in range(RANKS):
        append.AddInputData(servermanager.Fetch(proxy, rank))
    append.Update()
    return append.GetOutput()


def cells_as_grid(grid, kind):
    """The cells that are to be seen, as an unstructured grid, and what their values are on."""
    if kind == TREES:
        return simple.HyperTreeGridToUnstructuredGrid(Input=grid), "CELLS"
    if kind == BLOCKS:
        seen = simple.Threshold(Input=grid, Scalars=["CELLS", GHOSTS], LowerThreshold=0,
                                UpperThreshold=0)
        return simple.MergeBlocks(Input=seen, MergePoints=0), "CELLS"
    return simple.MergeBlocks(Input=grid, MergePoints=0), "POINTS"


def boxes(data):
    """Lowest and highest corner of each cell of 8 points."""
    ids = vtk_to_numpy(data.GetCells().GetConnectivityArray()).reshape(-1, 8)
    xyz = vtk_to_numpy(data.GetPoints().GetData())[ids]
    return ids, xyz.min(axis=1), xyz.max(axis=1)


def contour(grid, kind, middle, data):
    value = float(SLOPE @ middle)
    if kind == BLOCKS:
        points = simple.CellDatatoPointData(Input=grid)
        made = simple.Contour(Input=points, ContourBy=["POINTS", "lin"], Isosurfaces=[value])
    else:
        place = "CELLS" if kind == TREES else "POINTS"
        made = simple.Contour(Input=grid, ContourBy=[place, "lin"], Isosurfaces=[value])
    if update(made).GetDataInformation().IsCompositeDataSet():
        made = simple.MergeBlocks(Input=made, OutputDataSetType="Polygonal Mesh")
    out = fetch(made)
    xyz = vtk_to_numpy(out.GetPoints().GetData())
    off = abs(xyz @ SLOPE - value) / np.linalg.norm(SLOPE)
    _, low, high = boxes(data)
    size = np.linalg.norm(high - low, axis=1).max()
    # Cell values that were turned into point values are off by up to half a cell at borders.
    limit = size / 2 if kind == BLOCKS else 1e-5 * np.linalg.norm(high.max(axis=0) - low.min(axis=0))
    check(len(xyz) > 100 and off.max() <= limit, f"{kind}: {len(xyz)} points, off by {off.max()}")


def slices(grid, kind, middle, data, is_box):
    normal = [0, 0, 1]
    if kind == TREES:
        cut = simple.Slice(Input=grid, HyperTreeGridSlicer="Plane")
        cut.HyperTreeGridSlicer.Origin, cut.HyperTreeGridSlicer.Normal = list(middle), normal
    else:
        cut = simple.Slice(Input=grid)
        cut.SliceType.Origin, cut.SliceType.Normal = list(middle), normal
    if kind == BLOCKS and simple.GetParaViewVersion() < (5, 13):  # later ones cut what is seen only
        cut = simple.Threshold(Input=cut, Scalars=["CELLS", GHOSTS], LowerThreshold=0,
                               UpperThreshold=0)
    total = update(simple.IntegrateVariables(Input=cut))
    area = total.CellData["Area"].GetRange(0)[0]
    _, low, high = boxes(data)
    box = high.max(axis=0) - low.min(axis=0)
    if is_box:
        check(abs(area - box[0] * box[1]) < 1e-5 * area, f"{kind}: {area} of {box[0] * box[1]}")
    else:
        check(0 < area < box[0] * box[1], f"{kind}: {area}")


def threshold(grid, kind, name, data):
    place = "POINTS" if kind == CELLS else "CELLS"
    values = points_of(data, name) if kind == CELLS else cells_of(data, name)
    values = values.astype(float)  # as ParaView compares
    lower, upper = np.quantile(values, [0.7, 0.99])
    inside = (values >= lower) & (values <= upper)
    if kind == CELLS:
        inside = inside[boxes(data)[0]].all(axis=1)
    made = simple.Threshold(Input=grid, Scalars=[place, name], LowerThreshold=lower,
                            UpperThreshold=upper, ThresholdMethod="Between")
    if kind == CELLS:
        made.AllScalars = 1
    count = fetch(cells_as_grid(made, kind)[0]).GetNumberOfCells()
    check(count == inside.sum() > 0, f"{kind}: {count} cells, not {inside.sum()}")


def probe(grid, kind, name, data):
    """The value at the lowest corner of the finest cell, or in it."""
    ids, low, high = boxes(data)
    finest = cells_of(data, "Level").argmax()
    if kind == CELLS:
        corner = ids[finest][np.abs(vtk_to_numpy(data.GetPoints().GetData())[ids[finest]] -
                                    low[finest]).sum(axis=1).argmin()]
        at, expected = data.GetPoint(corner), points_of(data, name)[corner]
    else:
        at, expected = (low[finest] + high[finest]) / 2, cells_of(data, name)[finest]
    made = simple.ProbeLocation(Input=grid, ProbeType="Fixed Radius Point Source")
    made.ProbeType.Center, made.ProbeType.NumberOfPoints, made.ProbeType.Radius = list(at), 1, 0
    out = fetch(made)
    check(points_of(out, "vtkValidPointMask")[0] == 1, f"{kind}: {at} lies in no cell")
    got = points_of(out, name)[0]
    check(abs(got - expected) <= 1e-6 * abs(expected), f"{kind}: {got} at {at}, not {expected}")


def line(grid, kind, data):
    _, low, high = boxes(data)
    ends = [low.min(axis=0) * (1 - t) + high.max(axis=0) * t for t in (0.3, 0.6)]
    # Uniform samples walk from cell to cell and stop where points hang on a face.
    pattern = "Sample At Cell Boundaries" if kind == CELLS else "Sample Uniformly"
    out = fetch(simple.PlotOverLine(Input=grid, Point1=list(ends[0]), Point2=list(ends[1]),
                                    Resolution=200, SamplingPattern=pattern))
    xyz = vtk_to_numpy(out.GetPoints().GetData())
    off = abs(points_of(out, "lin") - xyz @ SLOPE)
    limit = 1e-3 if kind == CELLS else np.abs((high - low) @ np.abs(SLOPE)).max() / 2
    check(points_of(out, "vtkValidPointMask").all() and off.max() <= limit * 1.0001,
          f"{kind}: off by {off.max()} of {limit}")


def anywhere(grid, kind, data):
    """At random places, with the locator that Resample With Dataset brings."""
    _, low, high = boxes(data)
    first, last = low.min(axis=0), high.max(axis=0)
    cloud = simple.PointSource(Center=list((first + last) / 2), NumberOfPoints=2000,
                               Radius=(last - first).min() * 0.49)
    out = fetch(simple.ResampleWithDataset(SourceDataArrays=grid, DestinationMesh=cloud))
    check(points_of(out, "vtkValidPointMask").all(), f"{kind}: places in no cell")
    if kind == CELLS:
        xyz = vtk_to_numpy(out.GetPoints().GetData())
        off = abs(points_of(out, "lin") - xyz @ SLOPE).max()
        check(off < 1e-3, f"{kind}: off by {off} at random places")


def resample(grid, kind, source, name):
    """At the input's own nodes: the interpolation error's bound, for cells with points."""
    out = fetch(simple.ResampleWithDataset(SourceDataArrays=grid, DestinationMesh=source))
    valid = points_of(out, "vtkValidPointMask") == 1
    if kind == TREES:  # a last tree that sticks out begins, for VTK, on the box's upper side
        at = np.array([out.GetPoint(p) for p in np.flatnonzero(~valid)]).reshape(-1, 3)
        b = source.GetDataInformation().GetBounds()
        valid[~valid] = (at >= np.array(b[1::2]) - 1e-9).any(axis=1)
    check(valid.all(), f"{kind}: {np.count_nonzero(~valid)} nodes lie in no cell")
    if kind == CELLS:
        exact = points_of(fetch(source), name).astype(float)
        off = abs(points_of(out, name) - exact).max() / (exact.max() - exact.min())
        check(off <= TOLERANCE * 1.0001, f"{kind}: off by {off} of the range")


def neighbours_alike(data):
    """Cells whose 26 neighbours have the same level."""
    _, low, high = boxes(data)
    level = cells_of(data, "Level")
    alike = np.zeros(len(low), bool)
    for one in np.unique(level):
        mine = np.flatnonzero(level == one)
        at = np.rint((low[mine] - low.min(axis=0)) / (high - low)[mine].max(axis=0)).astype(int) + 1
        there = np.zeros(at.max(axis=0) + 2, int)
        there[tuple(at.T)] = 1
        for axis in range(3):
            there = there + np.roll(there, 1, axis) + np.roll(there, -1, axis)
        alike[mine] = there[tuple(at.T)] == 27
    return alike


def gradient(grid, kind, data):
    """Exact where the cells are of one size; with point values everywhere."""
    tolerance = 2e-4
    if kind == CELLS:
        made = simple.Gradient(Input=grid, ScalarArray=["POINTS", "lin"])
        values = points_of(fetch(simple.MergeBlocks(Input=made, MergePoints=0)), "Gradient")
        check(abs(values - SLOPE).max() < tolerance, f"{kind}: {abs(values - SLOPE).max()}")
        return
    if kind == TREES:
        joined = simple.CleantoGrid(Input=cells_as_grid(grid, kind)[0])
        out = fetch(simple.Gradient(Input=joined, ScalarArray=["CELLS", "lin"]))
        alike = neighbours_alike(out)
    else:
        made = simple.Gradient(Input=grid, ScalarArray=["CELLS", "lin"])
        out = fetch(cells_as_grid(made, kind)[0])
        alike = np.ones(out.GetNumberOfCells(), bool)
    off = abs(cells_of(out, "Gradient") - SLOPE).max(axis=1)
    if kind == TREES and RANKS == 1:
        check(alike.sum() > 50 and off[alike].max() < tolerance, f"{kind}: {off[alike].max()}")
    else:  # at the rims of blocks, and of processes, ParaView takes one-sided means
        exact = (off[alike] < tolerance).mean()
        check(exact > 0.75, f"{kind}: {exact} are exact")


def go_through(make, kinds):
    source, name = make()
    update(source)
    for kind in kinds:
        plane, grid = grid_of(source, name, kind)
        data = fetch(cells_as_grid(grid, kind)[0])
        _, low, high = boxes(data)
        middle = (low.min(axis=0) * 0.503 + high.max(axis=0) * 0.497)
        contour(grid, kind, middle, data)
        slices(grid, kind, middle, data, make is not combustor)
        threshold(grid, kind, name, data)
        if kind == TREES and RANKS > 1:  # ParaView 5.11 probes the trees of one process only
            anywhere(cells_as_grid(grid, kind)[0], kind, data)
        else:
            probe(grid, kind, name, data)
            if make is not combustor:
                line(grid, kind, data)
                anywhere(grid, kind, data)
        if RANKS == 1 and make is not combustor:
            resample(grid, kind, source, name)
        gradient(grid, kind, data)
        say(f"ok: {make.__name__} as {kind} ({RANKS} processes)")


def the_jet():
    go_through(jet, KINDS)


def the_carotid():
    go_through(carotid, KINDS)


def the_combustor():
    go_through(combustor, KINDS[:1])


main(the_jet, *([the_carotid] if RANKS == 1 else []), the_combustor)
