# SPDX-License-Identifier: BSD-3-Clause
"""Contour, Slice, Clip and Stream Tracer on conforming cells of AMR, trees and octrees: surfaces without open
edges, areas and volumes of analytic geometry, and stream lines that no change of level ends."""
import numpy as np
import octree_testing
from grid_testing import adapt
from octree_testing import Nested, amr, octree, sizes_of, trees
from tessera_testing import check, main, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkBitArray
from vtkmodules.vtkCommonDataModel import vtkHyperTreeGridNonOrientedGeometryCursor, vtkPlane, vtkSphere
from vtkmodules.vtkFiltersCore import (vtkCleanPolyData, vtkContourFilter, vtkCutter, vtkFeatureEdges,
                                       vtkMassProperties, vtkTriangleFilter)
from vtkmodules.vtkFiltersFlowPaths import vtkStreamTracer
from vtkmodules.vtkFiltersGeneral import vtkTableBasedClipDataSet
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkFiltersSources import vtkPointSource

CENTRE = np.array([0.51, 0.49, 0.505])  # of octree_testing.distance
KEEP_ALL = dict(HangingNodes="Conforming", CellArrays="Move To Points", ThresholdMode="Absolute")
INPUTS = {"AMR, point data": (lambda shape: amr(shape, points=True), "p"), "AMR, cell data": (amr, "c"),
          "trees": (trees, "c"), "boxes, point data": (octree, "p"),
          "boxes, cell data": (lambda shape: octree(shape, points=False), "c")}
STRAIN = np.array([1.0, -0.5, -0.5])
MAXIMUM_STEP = 0.01  # of stream lines


def turn(xyz):
    """The velocity of a rotation about CENTRE's line along z."""
    return np.cross([0.0, 0.0, 1.0], xyz - CENTRE)


def strain(xyz):
    """A flow from CENTRE along x, and towards it along y and z."""
    return (xyz - CENTRE) * STRAIN


octree_testing.FIELDS = {"distance": octree_testing.distance, "turn": turn, "strain": strain}


def cube(low, high, n):
    """The box [low, high)^3 of a level that has n cells along an axis."""
    return [(round(low * n), round(high * n))] * 3


def four_levels(cells=8):
    """A sphere of radius 0.3 around the middle goes through boxes of all four levels."""
    return Nested([cells] * 3, [[cube(0.125, 0.75, 2 * cells)], [cube(0.25, 0.5, 4 * cells)],
                                [cube(0.3125, 0.4375, 8 * cells)]])


def ratio_four():
    return Nested([8] * 3, [[cube(0.125, 0.75, 32)], [cube(0.25, 0.375, 64)]], [4, 2])


def three_at_a_corner():
    """At the point (1/4, 3/8, 1/4) cells of levels 0, 1 and 2 meet, and at faces near it cells of 0 and 2."""
    return Nested([8] * 3, [[cube(0.25, 0.625, 16)], [cube(0.25, 0.375, 32)]])


SPHERES = {"four levels": (four_levels(), [0.3]), "ratios 4 and 2": (ratio_four(), [0.3]),
           "three levels": (three_at_a_corner(), [0.3, np.linalg.norm(CENTRE - [0.25, 0.375, 0.25]) - 0.002])}


def octant(boxes, ratios=None):
    """A cube with CENTRE as a corner, so that a sphere is as large as it can be in few cells."""
    return Nested([32] * 3, boxes, ratios, origin=CENTRE)


def octant_of_corner():
    """At (9/16, 9/16, 7/16) of the cube cells of levels 0, 1 and 2 meet."""
    return octant([[[(16, 36), (16, 44), (16, 36)]], [cube(0.4375, 0.5625, 128)]])


# The sides of the largest cells are a 28th of the radius, or less.
OCTANTS = {"four levels": (octant([[cube(0.25, 0.75, 64)], [cube(0.375, 0.625, 128)], [cube(0.4375, 0.5625, 256)]]),
                           0.91),
           "ratios 4 and 2": (octant([[cube(0.4375, 0.625, 128)], [cube(0.5, 0.5625, 256)]], [4, 2]), 0.91),
           "a corner": (octant_of_corner(), np.linalg.norm([0.5625, 0.5625, 0.4375]))}


def merged(surface):
    clean = vtkCleanPolyData()
    clean.ToleranceIsAbsoluteOn()
    clean.SetAbsoluteTolerance(1e-7)
    clean.SetInputData(surface)
    triangles = vtkTriangleFilter()
    triangles.PassLinesOff()
    triangles.PassVertsOff()
    triangles.SetInputConnection(clean.GetOutputPort())
    triangles.Update()
    return triangles.GetOutput()


def open_edges(surface):
    """Both ends of each edge that only one cell has, of a surface that is merged."""
    edges = vtkFeatureEdges()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.SetInputData(surface)
    edges.Update()
    lines = edges.GetOutput()
    if lines.GetNumberOfCells() == 0:
        return np.zeros((0, 2, 3))
    ids = vtk_to_numpy(lines.GetLines().GetConnectivityArray()).reshape(-1, 2)
    return points(lines)[ids]


def area_of(surface):
    mass = vtkMassProperties()
    mass.SetInputData(surface)
    mass.Update()
    return mass.GetSurfaceArea()


def contour(out, name, value):
    made = vtkContourFilter()
    made.SetInputData(out)
    made.SetInputArrayToProcess(0, 0, 0, 0, name)
    made.SetValue(0, value)
    made.ComputeNormalsOff()
    made.Update()
    return merged(made.GetOutput())


def levels_of(surface, shape):
    """How many levels have a triangle of a surface in the part of their boxes that finer ones leave?"""
    ids = vtk_to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    at = points(surface)[ids].mean(axis=1) - shape.origin
    level = np.zeros(len(at), int)
    for n, boxes in enumerate(shape.boxes):
        for box in np.array(boxes) * shape.step(n)[0]:
            level[np.all((at > box[:, 0]) & (at < box[:, 1]), axis=1)] = n
    return len(np.unique(level))


def only_distance(out):
    """Without the velocities, of which nothing is to be seen on surfaces."""
    copy = out.NewInstance()
    copy.ShallowCopy(out)
    for name in ("turn_p", "turn_c", "strain_p", "strain_c"):
        copy.GetPointData().RemoveArray(name)
    return copy


def is_the_sphere(surface, radius, step, what, allowed=0.6):
    """A plane facet as wide as a cell of side h lies off a sphere of radius R by (h / R)^2 / 2 of R at most."""
    left = open_edges(surface)
    check(len(left) == 0, f"{what}: {len(left)} open edges, the first at {left[:1]}")
    exact = 4 * np.pi * radius ** 2
    area = area_of(surface)
    check(abs(area / exact - 1) < allowed * (step / radius) ** 2,
          f"{what}: area {area} of {exact}, off by {abs(area / exact - 1) / (step / radius) ** 2} (h / R)^2")


def on_the_sides(edges, shape):
    """Which edges lie in a side of the cube that is the domain?"""
    low, high = shape.bottom()
    return np.any(np.all(np.abs(edges - low) < 1e-6, axis=1) | np.all(np.abs(edges - high) < 1e-6, axis=1), axis=1)


def surfaces_on_every_input():
    for title, (shape, radii) in SPHERES.items():
        for kind, (make, suffix) in INPUTS.items():
            data, name, what = make(shape), "distance_" + suffix, f"{title}, {kind}"
            for error in (1e-6, 0.002):
                out = only_distance(adapt(data, InterpolationError=error, CriteriaArrays=[name], **KEEP_ALL))
                for radius in radii:
                    surface = contour(out, name, radius)
                    if error < 1e-5 and kind == "AMR, point data":
                        n = levels_of(surface, shape)
                        check(n == len(shape.boxes), f"{title}: the sphere of {radius} goes through {n} levels")
                    # Moving cell data to points is exact up to differences of second order.
                    is_the_sphere(surface, radius, shape.spacing[0], f"{what}, error {error}, radius {radius}",
                                  0.6 if suffix == "p" else 1.5)
            slices(out, shape, what)
            for radius in radii:
                clip_of_the_sphere(out, shape, radius, f"{what}, radius {radius}")


def slices(out, shape, what):
    """A plane through all levels: its section with the cube, open at the cube's sides alone."""
    for normal, area in (((0, 0, 1), 1.0), ((1, 1, 0), None), ((0.3, 0.5, 1), None)):
        plane, cutter = vtkPlane(), vtkCutter()
        origin = np.array([0.337, 0.317, 0.332])
        plane.SetOrigin(origin)
        plane.SetNormal(normal)
        cutter.SetInputData(out)
        cutter.SetCutFunction(plane)
        cutter.Update()
        surface = merged(cutter.GetOutput())
        left = open_edges(surface)
        inside = ~on_the_sides(left, shape)
        check(not np.any(inside), f"{what}: the slice is open at {left[inside][:1]}")
        got, exact = area_of(surface), area or section(np.array(normal, float), origin)
        check(abs(got / exact - 1) < 1e-5, f"{what}: area {got} of {exact}")


def section(normal, origin):
    """Area of a plane's section with the unit cube: points where it cuts the cube's edges, in order."""
    corners = np.array(np.meshgrid((0, 1), (0, 1), (0, 1))).T.reshape(-1, 3).astype(float)
    found = []
    for a in corners:
        for b in corners:
            u, v = (a - origin) @ normal, (b - origin) @ normal
            if np.sum(a != b) == 1 and u * v < 0:
                found.append(a + (b - a) * u / (u - v))
    found = np.unique(np.round(found, 12), axis=0)
    middle = found.mean(axis=0)
    x = found[0] - middle
    x /= np.linalg.norm(x)
    y = np.cross(normal / np.linalg.norm(normal), x)
    angle = np.argsort(np.arctan2((found - middle) @ y, (found - middle) @ x))
    ring = found[angle]
    cross = np.cross(ring - middle, np.roll(ring, -1, axis=0) - middle)
    return np.linalg.norm(cross, axis=1).sum() / 2


def clip_of_the_sphere(out, shape, radius, what):
    """What is left of the cube without the sphere has the cube's sides and the sphere's as its surface. Where
    cells do not fit, faces inside would be part of it, too."""
    ball, clip, sides = vtkSphere(), vtkTableBasedClipDataSet(), vtkGeometryFilter()
    ball.SetCenter(CENTRE)
    ball.SetRadius(radius)
    clip.SetInputData(out)
    clip.SetClipFunction(ball)
    sides.SetInputConnection(clip.GetOutputPort())
    sides.Update()
    surface = merged(sides.GetOutput())
    left = open_edges(surface)
    check(len(left) == 0, f"{what}: the clip is open at {left[:1]}")
    allowed = 1.5 * (shape.spacing[0] / radius) ** 2
    area, sphere = area_of(surface), 4 * np.pi * radius ** 2
    check(abs((area - 6) / sphere - 1) < allowed, f"{what}: surface {area} of {6 + sphere}")
    volume, got = 1 - 4 / 3 * np.pi * radius ** 3, sizes_of(clip.GetOutput()).sum()
    check(abs(got / volume - 1) < allowed, f"{what}: volume {got} of {volume}")


def areas_within_a_thousandth():
    """At the resolution of the input, each level of which the sphere goes through."""
    for title, (shape, radius) in OCTANTS.items():
        for kind in ("AMR, point data", "AMR, cell data", "boxes, cell data"):
            make, suffix = INPUTS[kind]
            out = only_distance(adapt(make(shape), GridType="Fixed Fine", **KEEP_ALL))
            surface = contour(out, "distance_" + suffix, radius)
            n = levels_of(surface, shape)
            check(n == len(shape.boxes), f"{title}: the sphere goes through {n} levels")
            is_an_octant(surface, shape, radius, f"{title}, {kind}")


def is_an_octant(surface, shape, radius, what):
    left, area, exact = open_edges(surface), area_of(surface), np.pi * radius ** 2 / 2
    inside = ~on_the_sides(left, shape)
    check(not np.any(inside), f"{what}: {inside.sum()} open edges inside, the first at {left[inside][:1]}")
    check(abs(area / exact - 1) < 1e-3, f"{what}: area {area} of {exact}, off by {area / exact - 1}")


def an_area_between_masks():
    """Trees with holes inside and outside of the sphere, two of them where levels meet, one close to it."""
    shape, radius = OCTANTS["a corner"]
    half, holes = 1 / 16, [CENTRE + h for h in ((0.25, 0.25, 0.25), (0.5, 0.4375, 0.375), (0.8125, 0.8125, 0.8125))]
    out = adapt(masked(trees(shape), shape, holes, half), GridType="Fixed Fine", **KEEP_ALL)
    volume = 1 - len(holes) * (2 * half) ** 3
    check(abs(sizes_of(out).sum() - volume) < 1e-9, f"volume {sizes_of(out).sum()} of {volume}")
    is_an_octant(contour(only_distance(out), "distance_c", radius), shape, radius, "trees with a mask")


def masked(grid, shape, holes, half):
    """Masks the nodes of trees whose centres lie in a cube around a hole; half: of the cube's side."""
    centres = points_of_nodes(grid)
    mask = vtkBitArray()
    mask.SetNumberOfValues(len(centres))
    for i, hidden in enumerate(np.any([np.all(np.abs(centres - h) < half, axis=1) for h in holes], axis=0)):
        mask.SetValue(i, int(hidden))
    grid.SetMask(mask)
    return grid


def a_mask_leaves_open_edges_at_its_rim_alone():
    shape, half = four_levels(16), 0.0625
    holes = [np.array([0.25, 0.5, 0.5]), np.array([0.75, 0.375, 0.5])]
    out = adapt(masked(trees(shape), shape, holes, half), InterpolationError=1e-6, CriteriaArrays=["distance_c"],
                **KEEP_ALL)
    volume = 1 - len(holes) * (2 * half) ** 3
    check(abs(sizes_of(out).sum() - volume) < 1e-9, f"volume {sizes_of(out).sum()} of {volume}")
    left = open_edges(contour(out, "distance_c", 0.3))
    check(len(left) > 0, "the holes cut the sphere")
    for edge in left:
        near = [np.all(np.abs(edge - h) < half + 1e-6) and
                np.any(np.abs(np.abs(edge.mean(axis=0) - h) - half) < 1e-6) for h in holes]
        check(any(near), f"an open edge at {edge}")


def points_of_nodes(grid):
    """The centre of each node of trees, by VTK's cursor."""
    cursor = vtkHyperTreeGridNonOrientedGeometryCursor()
    centres = np.zeros((grid.GetNumberOfElements(grid.CELL), 3))

    def descend():
        place = [0.0] * 3
        cursor.GetPoint(place)
        centres[cursor.GetGlobalNodeIndex()] = place
        for child in range(0 if cursor.IsLeaf() else cursor.GetNumberOfChildren()):
            cursor.ToChild(child)
            descend()
            cursor.ToParent()

    for tree in range(int(grid.GetMaxNumberOfTrees())):
        grid.InitializeNonOrientedGeometryCursor(cursor, tree)
        descend()
    return centres


def stream_lines_in_linear_fields():
    for title, (shape, _) in SPHERES.items():
        for kind, (make, suffix) in INPUTS.items():
            data = make(shape)
            for error in (1e-6, 0.05):
                out = adapt(data, InterpolationError=error, CriteriaArrays=["turn_" + suffix, "strain_" + suffix],
                            **KEEP_ALL)
                what = f"{title}, {kind}, error {error}"
                for radius, z in ((0.2, 0.33), (0.3, 0.505), (0.41, 0.27)):
                    is_a_circle(out, "turn_" + suffix, radius, z, f"{what}, radius {radius}")
                for start in ((0.48, 0.08, 0.13), (0.53, 0.62, 0.88)):
                    is_a_strain(out, "strain_" + suffix, np.array(start), f"{what}, from {start}")


def is_a_circle(out, name, radius, z, what):
    """A rotation's lines are circles: after one turn a line is where it began, at its radius all the way, and it
    ended because the turn was full."""
    line = traced(out, name, CENTRE + [radius, 0, z - CENTRE[2]], 2 * np.pi * radius, what)
    reason = line.GetCellData().GetArray("ReasonForTermination").GetValue(0)
    check(reason == 4, f"{what}: the line ended for the reason {reason}, not because it was long enough")
    at = points(line).astype(float)
    off = np.abs(np.linalg.norm((at - CENTRE)[:, :2], axis=1) - radius).max()
    check(off < 1e-6 and np.abs(at[:, 2] - z).max() < 1e-6, f"{what}: off the circle by {off}")
    gap = np.linalg.norm(at[-1] - at[0])
    check(gap < 1e-3 * radius, f"{what}: a gap of {gap}")


def is_a_strain(out, name, start, what):
    """As x - CENTRE grows, y and z come closer by its square root, until the line leaves the cube. The times that
    VTK writes along a line are no measure of it: each step takes its length over the speed at its beginning,
    which is of first order where the speed changes."""
    line = traced(out, name, start, 2.0, what)
    at, first = points(line).astype(float) - CENTRE, start - CENTRE
    exact = first * (at[:, :1] / first[0]) ** STRAIN
    check(np.abs(at - exact).max() < 1e-6, f"{what}: off by {np.abs(at - exact).max()}")
    end = at[-1] + CENTRE
    check(min(end.min(), (1 - end).min()) < MAXIMUM_STEP, f"{what}: the line ends at {end}")


def traced(out, name, start, length, what):
    """The stream line of an array from a place."""
    seed, tracer = vtkPointSource(), vtkStreamTracer()
    seed.SetNumberOfPoints(1)
    seed.SetRadius(0)
    seed.SetCenter(start)
    tracer.SetInputData(out)
    tracer.SetSourceConnection(seed.GetOutputPort())
    tracer.SetInputArrayToProcess(0, 0, 0, 0, name)
    tracer.SetIntegratorTypeToRungeKutta45()
    tracer.SetMaximumError(1e-9)
    tracer.SetIntegrationStepUnit(tracer.LENGTH_UNIT)
    tracer.SetInitialIntegrationStep(0.005)
    tracer.SetMaximumIntegrationStep(MAXIMUM_STEP)
    tracer.SetMinimumIntegrationStep(0.0001)
    tracer.SetMaximumPropagation(length)
    tracer.SetMaximumNumberOfSteps(100000)
    tracer.Update()
    line = tracer.GetOutput()
    check(line.GetNumberOfLines() == 1, f"{what}: {line.GetNumberOfLines()} lines")
    return line


main(surfaces_on_every_input, areas_within_a_thousandth, an_area_between_masks,
     a_mask_leaves_open_edges_at_its_rim_alone, stream_lines_in_linear_fields)
