# SPDX-License-Identifier: BSD-3-Clause
"""Contour, Slice, Clip and Stream Tracer on conforming cells of AMR, trees and octrees: surfaces without open
edges, areas and volumes of analytic geometry, and stream lines that no change of level ends."""
import numpy as np
from grid_testing import adapt
from octree_testing import Nested, amr, nested, octree, sizes_of, trees
from tessera_testing import add_array, check, main, points
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
INPUTS = {"AMR, point data": (lambda shape: amr(shape, points=True), "distance_p"),
          "AMR, cell data": (amr, "distance_c"), "trees": (trees, "distance_c"),
          "boxes, point data": (octree, "distance_p"),
          "boxes, cell data": (lambda shape: octree(shape, points=False), "distance_c")}


def cube(low, high, n):
    """The box [low, high)^3 of a level that has n cells along an axis."""
    return [(round(low * n), round(high * n))] * 3


def four_levels(cells=16):
    """A sphere of radius 0.3 around the middle goes through boxes of all four levels."""
    return Nested([cells] * 3, [[cube(0.125, 0.75, 2 * cells)], [cube(0.25, 0.5, 4 * cells)],
                                [cube(0.3125, 0.4375, 8 * cells)]])


def ratio_four():
    return Nested([16] * 3, [[cube(0.125, 0.75, 64)], [cube(0.25, 0.375, 128)]], [4, 2])


def three_at_a_corner():
    """At the point (1/4, 3/8, 1/4) cells of levels 0, 1 and 2 meet, and at faces near it cells of 0 and 2."""
    return Nested([16] * 3, [[cube(0.25, 0.625, 32)], [cube(0.25, 0.375, 64)]])


SPHERES = {"four levels": (four_levels(), 0.3), "ratios 4 and 2": (ratio_four(), 0.3),
           "three levels": (three_at_a_corner(), 0.3),
           "three levels at a corner": (three_at_a_corner(),
                                        np.linalg.norm(CENTRE - [0.25, 0.375, 0.25]) - 0.002)}


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
    """Both ends of each edge that only one cell has, once equal points are merged."""
    edges = vtkFeatureEdges()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.SetInputData(merged(surface))
    edges.Update()
    lines = edges.GetOutput()
    if lines.GetNumberOfCells() == 0:
        return np.zeros((0, 2, 3))
    ids = vtk_to_numpy(lines.GetLines().GetConnectivityArray()).reshape(-1, 2)
    return points(lines)[ids]


def area_of(surface):
    mass = vtkMassProperties()
    mass.SetInputData(merged(surface))
    mass.Update()
    return mass.GetSurfaceArea()


def contour(out, name, value):
    made = vtkContourFilter()
    made.SetInputData(out)
    made.SetInputArrayToProcess(0, 0, 0, 0, name)
    made.SetValue(0, value)
    made.ComputeNormalsOff()
    made.Update()
    return made.GetOutput()


def levels_of(surface, shape):
    """How many levels have a triangle of a surface in the part of their boxes that finer ones leave?"""
    ids = vtk_to_numpy(merged(surface).GetPolys().GetConnectivityArray()).reshape(-1, 3)
    at = points(merged(surface))[ids].mean(axis=1)
    level = np.zeros(len(at), int)
    for n, boxes in enumerate(shape.boxes):
        for box in np.array(boxes) * shape.step(n)[0]:
            level[np.all((at > box[:, 0]) & (at < box[:, 1]), axis=1)] = n
    return len(np.unique(level))


def is_the_sphere(surface, radius, step, what, allowed=0.6):
    """A plane facet as wide as a cell of side h lies off a sphere of radius R by (h / R)^2 / 2 of R at most."""
    left = open_edges(surface)
    check(len(left) == 0, f"{what}: {len(left)} open edges, the first at {left[:1]}")
    exact = 4 * np.pi * radius ** 2
    area = area_of(surface)
    check(abs(area / exact - 1) < allowed * (step / radius) ** 2,
          f"{what}: area {area} of {exact}, off by {abs(area / exact - 1) / (step / radius) ** 2} (h / R)^2")


def contours_of_spheres():
    for title, (shape, radius) in SPHERES.items():
        for kind, (make, name) in INPUTS.items():
            data = make(shape)
            for error in (1e-6, 0.002):
                out = adapt(data, InterpolationError=error, CriteriaArrays=[name], **KEEP_ALL)
                surface = contour(out, name, radius)
                if error < 1e-5 and kind == "AMR, point data":
                    n = levels_of(surface, shape)
                    check(n == len(shape.boxes), f"{title}: the sphere goes through {n} levels")
                # Moving cell data to points is exact up to differences of second order.
                is_the_sphere(surface, radius, shape.spacing[0], f"{title}, {kind}, error {error}",
                              0.6 if kind.endswith("point data") else 1.5)


def the_area_within_the_finest_of_four_levels():
    """The sides of the finest cells are a 29th of the radius. Cell data that are moved lie off by differences of
    second order."""
    shape = nested(4, cells=64)
    for kind in ("AMR, point data", "AMR, cell data"):
        make, name = INPUTS[kind]
        out = adapt(make(shape), InterpolationError=1e-5, CriteriaArrays=[name], **KEEP_ALL)
        surface, radius = contour(out, name, 0.0565), 0.0565
        left, area, exact = open_edges(surface), area_of(surface), 4 * np.pi * radius ** 2
        check(len(left) == 0, f"{kind}: {len(left)} open edges")
        allowed = 1e-3 if kind.endswith("point data") else 2e-3
        check(abs(area / exact - 1) < allowed, f"{kind}: area {area} of {exact}, off by {area / exact - 1}")


def a_mask_leaves_open_edges_at_its_rim_alone():
    shape = four_levels()
    grid = trees(shape)
    holes = [np.array([0.25, 0.5, 0.5]), np.array([0.75, 0.375, 0.5])]
    centres = points_of_nodes(shape, grid)
    mask = vtkBitArray()
    mask.SetNumberOfValues(len(centres))
    for i, centre in enumerate(centres):
        mask.SetValue(i, int(any(np.all(np.abs(centre - h) < 0.0625) for h in holes)))
    grid.SetMask(mask)
    out = adapt(grid, InterpolationError=1e-6, CriteriaArrays=["distance_c"], **KEEP_ALL)
    volume = 1 - len(holes) * 0.125 ** 3
    check(abs(sizes_of(out).sum() - volume) < 1e-9, f"volume {sizes_of(out).sum()} of {volume}")
    left = open_edges(contour(out, "distance_c", 0.3))
    check(len(left) > 0, "the holes cut the sphere")
    for edge in left:
        near = [np.all(np.abs(edge - h) < 0.0625 + 1e-6) and
                np.any(np.abs(np.abs(edge.mean(axis=0) - h) - 0.0625) < 1e-6) for h in holes]
        check(any(near), f"an open edge at {edge}")


def points_of_nodes(shape, grid):
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


def on_the_cube(edges):
    """Which edges lie in a side of the unit cube?"""
    return np.any(np.all(np.abs(edges) < 1e-6, axis=1) | np.all(np.abs(edges - 1) < 1e-6, axis=1), axis=1)


def slices():
    """A plane through all levels: its section with the cube, open at the cube's sides alone."""
    for title, (shape, _) in SPHERES.items():
        for kind, (make, name) in INPUTS.items():
            out = adapt(make(shape), InterpolationError=0.002, CriteriaArrays=[name], **KEEP_ALL)
            for normal, area in (((0, 0, 1), 1.0), ((1, 1, 0), None), ((0.3, 0.5, 1), None)):
                plane, cutter = vtkPlane(), vtkCutter()
                origin = np.array([0.337, 0.317, 0.332])
                plane.SetOrigin(origin)
                plane.SetNormal(normal)
                cutter.SetInputData(out)
                cutter.SetCutFunction(plane)
                cutter.Update()
                surface = cutter.GetOutput()
                left = open_edges(surface)
                inside = ~on_the_cube(left)
                check(not np.any(inside), f"{title}, {kind}: the slice is open at {left[inside][:1]}")
                got, exact = area_of(surface), area or section(np.array(normal, float), origin)
                check(abs(got / exact - 1) < 1e-5, f"{title}, {kind}: area {got} of {exact}")


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


def clips():
    """What is left of the cube without the sphere has the cube's sides and the sphere's as its surface. Where
    cells do not fit, faces inside would be part of it, too."""
    for title, (shape, radius) in SPHERES.items():
        for kind, (make, name) in INPUTS.items():
            out = adapt(make(shape), InterpolationError=0.002, CriteriaArrays=[name], **KEEP_ALL)
            ball, clip, sides = vtkSphere(), vtkTableBasedClipDataSet(), vtkGeometryFilter()
            ball.SetCenter(CENTRE)
            ball.SetRadius(radius)
            clip.SetInputData(out)
            clip.SetClipFunction(ball)
            sides.SetInputConnection(clip.GetOutputPort())
            sides.Update()
            surface = sides.GetOutput()
            left = open_edges(surface)
            check(len(left) == 0, f"{title}, {kind}: the clip is open at {left[:1]}")
            allowed = 1.5 * (shape.spacing[0] / radius) ** 2
            sphere = 4 * np.pi * radius ** 2
            check(abs((area_of(surface) - 6) / sphere - 1) < allowed,
                  f"{title}, {kind}: surface {area_of(surface)} of {6 + sphere}")
            volume = 1 - 4 / 3 * np.pi * radius ** 3
            got = sizes_of(clip.GetOutput()).sum()
            check(abs(got / volume - 1) < allowed, f"{title}, {kind}: volume {got} of {volume}")


def turning(data, shape, points_too):
    """Adds the velocity of a rotation about CENTRE's line along z."""
    def rotation(xyz):
        return np.cross([0.0, 0.0, 1.0], xyz - CENTRE)

    for level, boxes in enumerate(shape.boxes if data.IsA("vtkOverlappingAMR") else []):
        for i, box in enumerate(boxes):
            block = data.GetDataSet(level, i)
            index = shape.lattice([(r[0], r[1] + points_too) for r in box])
            xyz = shape.origin + (index + (0 if points_too else 0.5)) * shape.step(level)
            add_array(block.GetPointData() if points_too else block.GetCellData(), "turn", rotation(xyz))
    if data.IsA("vtkHyperTreeGrid"):
        add_array(data.GetCellData(), "turn", rotation(points_of_nodes(shape, data)))
    if data.IsA("vtkUnstructuredGrid"):
        low, high = shape.corners(shape.leaves())
        add_array(*((data.GetPointData(), "turn", rotation(points(data))) if points_too else
                    (data.GetCellData(), "turn", rotation((low + high) / 2))))
    return data


def stream_lines_close():
    """A rotation is linear in space, so its lines are circles: after one turn a line is where it began, at its
    radius all the way, and it ended because the turn was full."""
    for title, (shape, _) in SPHERES.items():
        for kind, (make, _) in INPUTS.items():
            data = turning(make(shape), shape, kind.endswith("point data"))
            for error in (1e-6, 0.05):
                out = adapt(data, InterpolationError=error, CriteriaArrays=["turn"], **KEEP_ALL)
                for radius, z in ((0.2, 0.33), (0.3, 0.505), (0.41, 0.27)):
                    circle(out, radius, z, f"{title}, {kind}, error {error}, radius {radius}")


def circle(out, radius, z, what):
    seed, tracer = vtkPointSource(), vtkStreamTracer()
    seed.SetNumberOfPoints(1)
    seed.SetRadius(0)
    seed.SetCenter(CENTRE[0] + radius, CENTRE[1], z)
    tracer.SetInputData(out)
    tracer.SetSourceConnection(seed.GetOutputPort())
    tracer.SetInputArrayToProcess(0, 0, 0, 0, "turn")
    tracer.SetIntegratorTypeToRungeKutta45()
    tracer.SetMaximumError(1e-9)
    tracer.SetIntegrationStepUnit(tracer.LENGTH_UNIT)
    tracer.SetInitialIntegrationStep(0.005)
    tracer.SetMaximumIntegrationStep(0.01)
    tracer.SetMinimumIntegrationStep(0.0001)
    tracer.SetMaximumPropagation(2 * np.pi * radius)
    tracer.SetMaximumNumberOfSteps(100000)
    tracer.Update()
    line = tracer.GetOutput()
    check(line.GetNumberOfLines() == 1, f"{what}: {line.GetNumberOfLines()} lines")
    reason = line.GetCellData().GetArray("ReasonForTermination").GetValue(0)
    check(reason == 4, f"{what}: the line ended for the reason {reason}, not because it was long enough")
    at = points(line).astype(float)
    off = np.abs(np.linalg.norm((at - CENTRE)[:, :2], axis=1) - radius).max()
    check(off < 1e-6 and np.abs(at[:, 2] - z).max() < 1e-6, f"{what}: off the circle by {off}")
    gap = np.linalg.norm(at[-1] - at[0])
    check(gap < 1e-3 * radius, f"{what}: a gap of {gap}")


main(contours_of_spheres, the_area_within_the_finest_of_four_levels, a_mask_leaves_open_edges_at_its_rim_alone, slices,
     clips, stream_lines_close)
