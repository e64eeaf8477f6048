# SPDX-License-Identifier: BSD-3-Clause
# ranks: none 2 4
"""ParaView's filters on the default output, whose cells meet in whole faces, as on its input.

One script in pvbatch, as a user runs it, on one process or several. The field x + 2 y - z / 2, which
every case gets, is exact in any cell, and volumes and areas are those of the box.
"""
import numpy as np
from grid_testing import cells_of, points_of
from paraview import servermanager
from tessera_testing import case, cell_types, check, main, say, simple, update
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkIdList
from vtkmodules.vtkFiltersCore import vtkAppendFilter, vtkAppendPolyData, vtkCleanPolyData
from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties, vtkTriangleFilter
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
SLOPE = np.array([1, 2, -0.5])
VTK_VOXEL, VTK_TETRA, VTK_PYRAMID = 11, 10, 14


def pieces(proxy):
    """What each process has."""
    update(proxy)
    if RANKS == 1:
        return [servermanager.Fetch(proxy)]
    return [servermanager.Fetch(proxy, rank) for rank in range(RANKS)]


def appended(proxy, append):
    for piece in pieces(proxy):
        append.AddInputData(piece)
    append.Update()
    return append.GetOutput()


def grid_of(source, array, **properties):
    """The input with a linear field and the squared distance from the middle, and its grid."""
    b = update(source).GetDataInformation().GetBounds()
    x, y, z = ((b[2 * a] + b[2 * a + 1]) / 2 for a in range(3))
    plane = simple.Calculator(Input=source, ResultArrayName="lin",
                              Function="coordsX + 2*coordsY - 0.5*coordsZ")
    ball = simple.Calculator(Input=plane, ResultArrayName="ball", Function=(
        f"(coordsX-({x}))^2 + (coordsY-({y}))^2 + (coordsZ-({z}))^2"))
    grid = simple.AdaptiveGrid(Input=ball, CriteriaArrays=[array], GenerateLevel=1, **properties)
    return ball, update(grid)


def lines_of(source, array, seeds):
    tracer = simple.StreamTracerWithCustomSource(Input=source, Vectors=["POINTS", array],
                                                 SeedSource=seeds)
    update(tracer)
    length = 0.0
    count = 0
    for piece in pieces(tracer):
        xyz = vtk_to_numpy(piece.GetPoints().GetData()).astype(float) if piece.GetNumberOfPoints() else None
        ids = vtkIdList()
        for line in range(piece.GetNumberOfCells()):
            piece.GetCellPoints(line, ids)
            path = xyz[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
            length += np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
            count += 1
    return count, length


def stream_tracer_goes_as_on_the_input(source, array, near):
    """As many lines as on the input; half of them are lost where points hang. Default settings count
    steps, of which there are 2,000 at most, in lengths of cells: lines that end so are longer in larger
    cells. near: how far the total length may be off; None where most lines end so."""
    data, grid = grid_of(source, array)
    b = data.GetDataInformation().GetBounds()
    seeds = simple.PointSource(Center=[(b[2 * a] + b[2 * a + 1]) / 2 for a in range(3)],
                               Radius=0.1 * max(b[2 * a + 1] - b[2 * a] for a in range(3)),
                               NumberOfPoints=100)  # as Point Cloud has them
    count, length = lines_of(grid, array, seeds)
    expected, of_input = lines_of(data, array, seeds)
    say(f"{array}: {count} lines of length {length:.6g}, on the input {expected} of {of_input:.6g}")
    if RANKS == 1:  # on several, lines are cut where they go over to another process
        check(count == expected, f"{count} lines, not {expected}")
    check(near is None or abs(length - of_input) <= near * of_input,
          f"length {length}, not {of_input}")
    check(length > 0.9 * of_input, f"length {length}, not {of_input}")


def measure(proxy, name):
    total = update(simple.IntegrateVariables(Input=proxy))
    return total.CellData[name].GetRange(0)[0]


def surface_is_the_box(grid, box):
    surface = simple.ExtractSurface(Input=grid)
    area = 2 * (box[0] * box[1] + box[1] * box[2] + box[2] * box[0])
    if RANKS == 1:
        got = measure(surface, "Area")
    else:  # of all processes' cells together, since each process has sides of its own
        merging = vtkAppendFilter()
        merging.MergePointsOn()
        appended(grid, merging)
        outside, triangles, sizes = vtkGeometryFilter(), vtkTriangleFilter(), vtkMassProperties()
        outside.SetInputConnection(merging.GetOutputPort())
        triangles.SetInputConnection(outside.GetOutputPort())
        sizes.SetInputConnection(triangles.GetOutputPort())
        sizes.Update()
        got = sizes.GetSurfaceArea()
    check(abs(got - area) < 1e-5 * area, f"surface {got} of {area}")


def contour_is_closed(grid, box):
    made = simple.Contour(Input=grid, ContourBy=["POINTS", "ball"],
                          Isosurfaces=[(0.4 * min(box)) ** 2])
    append = vtkAppendPolyData()
    whole = appended(made, append)
    clean = vtkCleanPolyData()  # the cells' kinds round the same point in different ways
    clean.ToleranceIsAbsoluteOn()
    clean.SetAbsoluteTolerance(1e-6 * min(box))
    clean.SetInputData(whole)
    edges = vtkFeatureEdges()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.SetInputConnection(clean.GetOutputPort())
    edges.Update()
    check(whole.GetNumberOfCells() > 500, f"{whole.GetNumberOfCells()} triangles")
    check(edges.GetOutput().GetNumberOfCells() == 0,
          f"{edges.GetOutput().GetNumberOfCells()} open edges")


def probes_find_every_point(grid, middle, box):
    low = middle - 0.499 * box
    line = simple.PlotOverLine(Input=grid, Point1=list(low), Point2=list(low + 0.998 * box))
    # The sphere of points, whose radius is 0.49 of the shortest side, is within the box.
    probe = simple.ProbeLocation(Input=grid, ProbeType="Fixed Radius Point Source")
    probe.ProbeType.Center, probe.ProbeType.NumberOfPoints = list(middle), 2000
    probe.ProbeType.Radius = 0.49 * min(box)
    for made in (line, probe):
        update(made)
        out = servermanager.Fetch(made)
        valid = points_of(out, "vtkValidPointMask")
        check(len(valid) >= 1000 and valid.min() == 1,
              f"{made.GetXMLName()}: {np.count_nonzero(valid == 0)} of {len(valid)} points lost")
        exact = vtk_to_numpy(out.GetPoints().GetData()) @ SLOPE
        off = abs(points_of(out, "lin") - exact).max()
        check(off < 1e-4 * abs(exact).max(), f"{made.GetXMLName()}: off by {off}")


def parts_add_up(grid, middle, box):
    volume = np.prod(box)
    clip = simple.Clip(Input=grid)
    clip.ClipType.Origin, clip.ClipType.Normal = list(middle + 0.013 * box), [1, 0, 0]
    got = measure(clip, "Volume")
    check(abs(got / volume - (0.513 if clip.Invert else 0.487)) < 1e-5, f"clip {got} of {volume}")
    cut = simple.Slice(Input=grid)
    cut.SliceType.Origin, cut.SliceType.Normal = list(middle + 0.013 * box), [0, 0, 1]
    got = measure(cut, "Area")
    check(abs(got - box[0] * box[1]) < 1e-5 * got, f"slice {got} of {box[0] * box[1]}")
    total = 0.0
    levels = grid.CellData["Level"].GetRange()
    for level in range(int(levels[0]), int(levels[1]) + 1):
        some = simple.Threshold(Input=grid, Scalars=["CELLS", "Level"], LowerThreshold=level - 0.25,
                                UpperThreshold=level + 0.25)
        if update(some).GetDataInformation().GetNumberOfCells() > 0:
            total += measure(some, "Volume")
    check(abs(total - volume) < 1e-5 * volume, f"threshold {total} of {volume}")


def filters_work(source, array):
    _, grid = grid_of(source, array)
    b = grid.GetDataInformation().GetBounds()
    middle = np.array([(b[2 * a] + b[2 * a + 1]) / 2 for a in range(3)])
    box = np.array([b[2 * a + 1] - b[2 * a] for a in range(3)])
    kinds = set()
    for piece in pieces(grid):
        kinds |= set(cell_types(piece))
        check(len(cells_of(piece, "Level")) == piece.GetNumberOfCells(), "a level for each cell")
    check({VTK_VOXEL, VTK_PYRAMID} <= kinds <= {VTK_VOXEL, VTK_PYRAMID, VTK_TETRA}, f"{kinds}")
    surface_is_the_box(grid, box)
    contour_is_closed(grid, box)
    probes_find_every_point(grid, middle, box)
    parts_add_up(grid, middle, box)


def carotid():
    return simple.LegacyVTKReader(FileNames=[case("flow/carotid.vtk")])


def jet():
    return simple.TurbulentJet(Dimensions=[61, 33, 29], OutputPrecision="Double")


def streams_in_the_carotid():
    if RANKS > 1:
        return  # it takes long, and the jet shows the same
    stream_tracer_goes_as_on_the_input(carotid(), "vectors", None)


def streams_in_the_jet():
    stream_tracer_goes_as_on_the_input(jet(), "Velocity", 0.03)


def filters_on_the_carotid():
    filters_work(carotid(), "vectors")


def filters_on_the_jet():
    filters_work(jet(), "Temperature")


main(streams_in_the_carotid, streams_in_the_jet, filters_on_the_carotid, filters_on_the_jet)
