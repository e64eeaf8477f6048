# SPDX-License-Identifier: BSD-3-Clause
"""What follows Adaptive Grid on a mesh: ParaView's filters, a state file, a field that moves. Facts: the area of a
sphere, volumes and integrals summed over the leaves, circles, errors found by a loop over the mesh's points."""
import sys

import numpy as np
from grid_testing import points_of
from mesh_testing import Leaves, largest_error, linear, solid
from tessera_testing import check, lines, main, messages, output_file, points, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

STEPS, RADIUS, TOLERANCE = 3, 0.3, 0.01
MIDDLE = solid("mixed", 1).GetCenter()
SCRIPT = """
import sys
sys.path[:0] = {path}
import numpy as np
from mesh_testing import solid
from tessera_testing import add_array, points
info, key = self.GetOutputInformation(0), self.GetExecutive().UPDATE_TIME_STEP()
time = info.Get(key) if info.Has(key) else 0.0
data = solid("mixed", 8, jitter=0.2)
p = points(data) - {middle}
add_array(data.GetPointData(), "distance", np.linalg.norm(p, axis=1))
add_array(data.GetPointData(), "spin", np.stack([-p[:, 1], p[:, 0], 0 * p[:, 2]], axis=1))
add_array(data.GetPointData(), "moving", np.tanh(10 * (p[:, 0] + 0.2 - 0.2 * time)))
self.GetOutputDataObject(0).ShallowCopy(data)
"""
TIMES = f"""
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Remove(executive.TIME_STEPS())
for time in range({STEPS}):
    info.Append(executive.TIME_STEPS(), float(time))
info.Set(executive.TIME_RANGE(), [0.0, {STEPS} - 1.0], 2)
"""


def grid_of(**properties):
    source = simple.ProgrammableSource(
        OutputDataSetType="vtkUnstructuredGrid", ScriptRequestInformation=TIMES,
        Script=SCRIPT.format(path=repr(sys.path), middle=list(MIDDLE)))
    chosen = dict(CriteriaArrays=["distance"], InterpolationError=TOLERANCE, FinestCell=0.02, **properties)
    grid = simple.AdaptiveGrid(Input=source, **chosen)
    grid.UpdatePipeline(0.0)
    return grid


def output_of(proxy, time=0.0):
    proxy.UpdatePipeline(time)
    said = messages()
    check(said == "", f"{proxy.GetXMLName()}: {said}")
    return proxy.GetClientSideObject().GetOutputDataObject(0)


def integral(proxy, name):
    """Integrate Variables: of a cell array (area, volume) or a point array."""
    out = output_of(simple.IntegrateVariables(Input=proxy, DivideCellDataByVolume=0))
    array = out.GetCellData().GetArray(name) or out.GetPointData().GetArray(name)
    return array.GetTuple1(0)


def contour_is_a_closed_sphere():
    grid = grid_of()
    contour = simple.Contour(Input=grid, ContourBy=["POINTS", "distance"], Isosurfaces=[RADIUS])
    area = integral(contour, "Area")
    # The mesh's own interpolation of a distance is off by up to 0.017, in cells with a diagonal of 0.2.
    off = TOLERANCE + 0.017
    sizes = [4 * np.pi * (RADIUS + d) ** 2 for d in (-off, off)]
    check(sizes[0] < area < sizes[1], f"area {area}, not from {sizes[0]} to {sizes[1]}")
    check(np.abs(points_of(output_of(contour), "distance") - RADIUS).max() < 1e-6, "the value of the contour")
    away = np.abs(np.linalg.norm(points(output_of(contour)) - MIDDLE, axis=1) - RADIUS).max()
    check(away < off, f"points of the contour are {away} from the sphere")
    whole = simple.Clean(Input=contour, ToleranceIsAbsolute=1, AbsoluteTolerance=1e-6)
    edges = simple.FeatureEdges(Input=whole, FeatureEdges=0, NonManifoldEdges=0, ManifoldEdges=0)
    check(output_of(edges).GetNumberOfCells() == 0, f"{output_of(edges).GetNumberOfCells()} open edges")


def cuts_have_the_leaves_sizes():
    at, grid = MIDDLE[0] + 0.0137, grid_of(HangingNodes="Free")
    boxes = Leaves(output_of(grid))
    sides = boxes.high - boxes.low
    total, volume = sides.prod(axis=1).sum(), integral(grid, "Volume")
    check(abs(volume / total - 1) < 1e-5, f"volume {volume}, not {total}")
    cut = dict(Origin=[at, 0, 0], Normal=[1, 0, 0])
    plane = simple.Slice(Input=grid)
    parts = [simple.Clip(Input=grid, Invert=invert) for invert in (0, 1)]
    for proxy, plane_of in [(plane, plane.SliceType)] + [(clip, clip.ClipType) for clip in parts]:
        for name, value in cut.items():
            setattr(plane_of, name, value)
    through = (boxes.low[:, 0] < at) & (at < boxes.high[:, 0])
    expected, area = sides[through, 1:].prod(axis=1).sum(), integral(plane, "Area")
    check(abs(area / expected - 1) < 1e-5, f"area {area}, not {expected}")
    low = (np.clip(at, boxes.low[:, 0], boxes.high[:, 0]) - boxes.low[:, 0]) * sides[:, 1:].prod(axis=1)
    for clip, expected in zip(parts, (total - low.sum(), low.sum())):
        got = integral(clip, "Volume")
        check(abs(got / expected - 1) < 1e-4, f"clipped volume {got}, not {expected}")
    whole = grid_of()
    halves = [simple.Clip(Input=whole, Invert=invert) for invert in (0, 1)]
    got, expected = integral(halves[0], "Volume") + integral(halves[1], "Volume"), integral(whole, "Volume")
    check(abs(got / expected - 1) < 1e-5, f"clipped volume of conforming cells {got}, not {expected}")


def integral_of_a_linear_field():
    chosen = dict(Boundary="Wholly Inside Cells")
    boxes = Leaves(output_of(grid_of(HangingNodes="Free", Balance="Across Edges", **chosen)))
    expected = ((boxes.high - boxes.low).prod(axis=1) * linear((boxes.low + boxes.high) / 2)).sum()
    got = integral(grid_of(**chosen), "linear")
    check(abs(got / expected - 1) < 1e-4, f"integral {got}, not {expected}")


def stream_lines_are_circles():
    tracer = simple.StreamTracer(Input=grid_of(), Vectors=["POINTS", "spin"], SeedType="Line",
                                 MaximumStreamlineLength=1.5, IntegrationStepUnit="Length", InitialStepLength=0.01)
    tracer.SeedType.Point1 = [MIDDLE[0] + 0.1, *MIDDLE[1:]]
    tracer.SeedType.Point2 = [MIDDLE[0] + 0.3, *MIDDLE[1:]]
    tracer.SeedType.Resolution = 9
    out = output_of(tracer)
    check(len(lines(out)) == 20, f"{len(lines(out))} lines of 10 seeds, both ways")
    for ids in lines(out):
        p = points(out)[ids].astype(float) - MIDDLE
        r = np.linalg.norm(p[:, :2], axis=1)
        check(np.abs(r / r[0] - 1).max() < 0.01, f"a circle of radius {r[0]}: {r.min()} to {r.max()}")
        length = np.linalg.norm(np.diff(p, axis=0), axis=1).sum()
        check(length > 1.4, f"a line of length {length}")


def state_files():
    before = output_of(grid_of(GenerateInside=1, Boundary="Wholly Inside Cells"))
    expected = [points(before).tobytes(), points_of(before, "distance").tobytes()]
    simple.SaveState(output_file("mesh_state.pvsm"))
    for proxy in reversed(list(simple.GetSources().values())):
        simple.Delete(proxy)
    simple.LoadState(output_file("mesh_state.pvsm"))
    grids = [p for p in simple.GetSources().values() if p.GetXMLName() == "AdaptiveGrid"
             and p.Boundary == "Wholly Inside Cells" and p.GenerateInside]
    check(len(grids) == 1 and abs(grids[0].FinestCell - 0.02) < 1e-12, f"{len(grids)} grids came back")
    after = output_of(grids[0])
    check([points(after).tobytes(), points_of(after, "distance").tobytes()] == expected, "the same grid comes back")


def one_grid_for_a_moving_field():
    every = grid_of(HangingNodes="Free", Balance="None", CoarsenLevels=2, OverTime="All Steps")
    every.CriteriaArrays = ["moving"]
    every.FinestCell = 0.05
    cells = None
    for time in range(STEPS):
        out = output_of(every, float(time))
        now = (points(out).tobytes(), vtk_to_numpy(out.GetCells().GetConnectivityArray()).tobytes())
        check(cells in (None, now), f"other cells at time {time}")
        cells = now
        mesh = output_of(every.Input, float(time))
        span = np.ptp(points_of(mesh, "moving"))
        _, broken = largest_error(mesh, out, "moving", TOLERANCE * span, 0.05)
        check(broken == 0, f"time {time}: {broken} points off by more than {TOLERANCE} in cells that may be divided")
        check(np.ptp(Leaves(out).high - Leaves(out).low) > 0.04, "cells of several sizes")


main(contour_is_a_closed_sphere, cuts_have_the_leaves_sizes, integral_of_a_linear_field, stream_lines_are_circles,
     state_files, one_grid_for_a_moving_field)
