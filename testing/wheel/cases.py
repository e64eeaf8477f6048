# SPDX-License-Identifier: BSD-3-Clause
"""Inputs and settings that the plugin and the Python package are compared on, in plain VTK.

Coordinates and values come from + - * / alone, so that two versions of numpy make the same. Each case:
name, filter, input, properties.
"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.util.numpy_support import vtk_to_numpy as numpy_from
from vtkmodules.vtkCommonCore import (VTK_UNSIGNED_CHAR, vtkBitArray, vtkIdList, vtkIdTypeArray, vtkPoints,
                                      vtkStringArray)
from vtkmodules.vtkCommonDataModel import (vtkAMRBox, vtkCellArray, vtkHyperTreeGrid,
                                           vtkHyperTreeGridNonOrientedCursor, vtkImageData,
                                           vtkMultiBlockDataSet, vtkNonOverlappingAMR, vtkOverlappingAMR,
                                           vtkPolyData, vtkRectilinearGrid, vtkStructuredGrid,
                                           vtkUniformGrid, vtkUnstructuredGrid)

BEZIER, LAGRANGE, POLY_LINE, LINE, QUADRATIC, TRIANGLE, VERTEX = 75, 68, 4, 3, 21, 5, 1
PIXEL, TETRA, VOXEL, HEXAHEDRON, WEDGE, QUADRATIC_TRIANGLE, POLYHEDRON = 8, 10, 11, 12, 13, 22, 42
QUADRATIC_QUAD, QUADRATIC_HEXAHEDRON, LAGRANGE_QUAD, BEZIER_TRIANGLE = 23, 25, 70, 76


def numbers(n, seed):
    """n numbers in [0, 1), by a congruence."""
    value, found = seed, []
    for _ in range(n):
        value = (1103515245 * value + 12345) % 2**31
        found.append(value / 2**31)
    return np.array(found)


def add(attributes, name, values, array_type=None):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True, array_type=array_type)
    array.SetName(name)
    attributes.AddArray(array)
    return array


def points_of(places):
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places), deep=True))
    return points


def add_point_arrays(data, n):
    add(data.GetPointData(), "heat", numbers(n, 5) * 10)
    add(data.GetPointData(), "count", (numbers(n, 6) * 100).astype(np.int32))
    data.GetPointData().SetScalars(data.GetPointData().GetArray("heat"))
    add(data.GetPointData(), "wind", numbers(3 * n, 7).reshape(-1, 3).astype(np.float32))
    words = vtkStringArray()
    words.SetName("word")
    for k in range(n):
        words.InsertNextValue("abc"[k // 7 % 3])
    data.GetPointData().AddArray(words)


def bezier_cells(rational=True):
    """Cubic, quadratic and quintic Bezier cells, Lagrange cells, polylines, lines, a vertex."""
    grid = vtkUnstructuredGrid()
    sizes = [(BEZIER, 4), (BEZIER, 3), (BEZIER, 6), (LAGRANGE, 4), (POLY_LINE, 9), (LINE, 2),
             (QUADRATIC, 3), (VERTEX, 1), (BEZIER, 4), (TRIANGLE, 3)] * 6
    n = sum(size for _, size in sizes)
    grid.SetPoints(points_of(numbers(3 * n, 1).reshape(-1, 3) * 4))
    at = 0
    for cell_type, size in sizes:
        grid.InsertNextCell(cell_type, size, list(range(at, at + size)))
        at += size
    add_point_arrays(grid, n)
    if rational:
        weights = add(grid.GetPointData(), "weights", numbers(n, 9) + 0.5)
        grid.GetPointData().SetRationalWeights(weights)
    add(grid.GetCellData(), "cell", np.arange(len(sizes)))
    return grid


def lines_of(places, lines, verts=(), polys=()):
    data = vtkPolyData()
    data.SetPoints(points_of(places))
    for put, cells in ((data.SetLines, lines), (data.SetVerts, verts), (data.SetPolys, polys)):
        array = vtkCellArray()
        for cell in cells:
            array.InsertNextCell(len(cell), list(cell))
        put(array)
    return data


def polylines(dtype=np.float32, far=0.0):
    n = 300
    t = np.arange(n) / 25.0
    places = np.stack([t, t * (3 - t) / 2 + numbers(n, 2) / 5, numbers(n, 3)], 1) + far
    lines = [range(0, 120), range(120, 200), [*range(200, 260), 200], range(260, 280), [280]]
    data = lines_of(places.astype(dtype), lines, [[290], [291, 292]], [[293, 294, 295]])
    add_point_arrays(data, n)
    ids = vtkIdTypeArray()
    ids.SetName("ids")
    for k in range(n):
        ids.InsertNextValue(k)
    data.GetPointData().SetGlobalIds(ids)
    add(data.GetCellData(), "cell", np.arange(data.GetNumberOfCells()) * 1.5)
    return data


def labelled():
    data = polylines()
    add(data.GetPointData(), "label", (np.arange(data.GetNumberOfPoints()) // 7 % 3).astype(np.int32))
    return data


def short_lines():
    """Chains of lines of two points, which change their number half way, a ring, a crossing."""
    n = 80
    t = np.arange(n) / 20.0
    places = np.stack([t, t * (4 - t) / 3, t * 0], 1)
    pairs = [(k, k + 1) for k in range(59)] + [(k, 60 + (k - 59) % 19) for k in range(60, 79)]
    data = lines_of(places, [*pairs, (10, 79), (70, 30)], [[0]])
    add_point_arrays(data, n)
    add(data.GetCellData(), "part", np.array([k > 30 for k in range(data.GetNumberOfCells())], "i4"))
    return data


def field(x, y, z):
    """Smooth, with a sharp hill."""
    r = (x - 0.4) ** 2 + (y - 0.55) ** 2 + (z - 0.5) ** 2
    return 1.0 / (0.01 + r) + x * y - z


def add_grid_arrays(data, x, y, z):
    values = field(x, y, z)
    add(data.GetPointData(), "hill", values)
    data.GetPointData().SetActiveScalars("hill")
    add(data.GetPointData(), "flow", np.stack([-y * values, x * values, z], 1).astype(np.float32))
    add(data.GetPointData(), "whole", (values * 7).astype(np.int16))
    cells = data.GetNumberOfCells()
    add(data.GetCellData(), "of_cells", numbers(cells, 4))
    words = vtkStringArray()
    words.SetName("word")
    for k in range(cells):
        words.InsertNextValue("abc"[k % 3])
    data.GetCellData().AddArray(words)
    return data


def _places(nx, ny, nz):
    z, y, x = np.meshgrid(np.arange(nz) / max(nz - 1, 1), np.arange(ny) / max(ny - 1, 1),
                          np.arange(nx) / max(nx - 1, 1), indexing="ij")
    return x.ravel(), y.ravel(), z.ravel()


def image(nx=41, ny=33, nz=25, origin=(0, 0, 0)):
    data = vtkImageData()
    data.SetExtent(3, nx + 2, 0, ny - 1, 0, nz - 1)
    data.SetOrigin(origin)
    data.SetSpacing(1 / 40, 1 / 32, 1 / 24)
    return add_grid_arrays(data, *_places(nx, ny, nz))


def blanked_image():
    data = image()
    ghosts = (np.arange(data.GetNumberOfCells()) % 97 == 0).astype(np.uint8) * 32
    add(data.GetCellData(), "vtkGhostType", ghosts, VTK_UNSIGNED_CHAR)
    return data


def rotated_image():
    data = image(25, 21, 17)
    data.SetDirectionMatrix(0, -1, 0, 1, 0, 0, 0, 0, 1)
    return data


def rectilinear():
    nx, ny, nz = 30, 27, 19
    data = vtkRectilinearGrid()
    data.SetDimensions(nx, ny, nz)
    for put, n in ((data.SetXCoordinates, nx), (data.SetYCoordinates, ny),
                   (data.SetZCoordinates, nz)):
        steps = np.arange(n) / (n - 1)
        put(numpy_to_vtk((steps * (1 + steps)).astype(np.float32), deep=True))
    return add_grid_arrays(data, *_places(nx, ny, nz))


def structured():
    nx, ny, nz = 26, 22, 18
    data = vtkStructuredGrid()
    data.SetDimensions(nx, ny, nz)
    x, y, z = _places(nx, ny, nz)
    data.SetPoints(points_of(np.stack([x + y * y / 3, y, z + x * y / 5], 1)))
    return add_grid_arrays(data, x, y, z)


def _placed(grid, lattice):
    """Arrays of a grid whose points are some of a lattice of the unit cube."""
    return add_grid_arrays(grid, *np.ascontiguousarray(lattice.T))


def tetrahedra(n=9, ghosts=False):
    """A cube that is denser at one corner, each of its boxes in five tetrahedra."""
    x, y, z = _places(n, n, n)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(lattice * (1 + lattice) / 2))
    at = np.arange(n**3).reshape(n, n, n)
    for k, j, i in np.ndindex(n - 1, n - 1, n - 1):
        box = at[k:k + 2, j:j + 2, i:i + 2][:, :, ::1 if (i + j + k) % 2 else -1].ravel()
        for four in ((0, 1, 2, 4), (3, 2, 1, 7), (5, 4, 7, 1), (6, 7, 4, 2), (1, 2, 4, 7)):
            grid.InsertNextCell(TETRA, 4, [int(box[one]) for one in four])
    if ghosts:
        flags = (np.arange(grid.GetNumberOfCells()) % 31 == 0).astype(np.uint8) * 32
        flags[1::97] = 1  # copies
        add(grid.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return _placed(grid, lattice)


def mixed_mesh():
    """Wedges, pyramids, hexahedra and a polyhedron, on one lattice; lines and a vertex, which are ignored."""
    n = 5
    x, y, z = _places(n, n, n)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(np.stack([x + y / 5, y, z + x * y / 4], 1).astype(np.float32)))
    at = np.arange(n**3).reshape(n, n, n)
    for k, j, i in np.ndindex(n - 1, n - 1, n - 1):
        a, b, d, e, f, g, p, q = (int(one) for one in at[k:k + 2, j:j + 2, i:i + 2].ravel())
        if (i + j + k) % 3 == 0:
            grid.InsertNextCell(WEDGE, 6, [a, b, d, f, g, p])
            grid.InsertNextCell(WEDGE, 6, [b, e, d, g, q, p])
        elif (i + j + k) % 3 == 1:
            grid.InsertNextCell(HEXAHEDRON, 8, [a, b, e, d, f, g, q, p])
        else:
            faces = ((a, b, e, d), (f, g, q, p), (a, b, g, f), (d, e, q, p), (a, d, p, f), (b, e, q, g))
            stream = vtkIdList()
            for one in (len(faces), *(one for face in faces for one in (4, *face))):
                stream.InsertNextId(one)
            grid.InsertNextCell(POLYHEDRON, stream)
    grid.InsertNextCell(LINE, 2, [0, 1])
    return _placed(grid, lattice)


def flat_mesh(order=1):
    """Triangles of a plane; of order 2 with the middles of their sides."""
    n = 9
    x, y, z = _places(n, n, 1)
    lattice = np.stack([x, y, z], 1)
    grid = vtkUnstructuredGrid()
    grid.SetPoints(points_of(lattice * 3))
    at, step = np.arange(n * n).reshape(n, n), order
    for j, i in np.ndindex((n - 1) // step, (n - 1) // step):
        a, b = at[j * step, i * step], at[j * step, (i + 1) * step]
        d, e = at[(j + 1) * step, i * step], at[(j + 1) * step, (i + 1) * step]
        for three in ((a, b, d), (b, e, d)):
            middles = [(one + two) // 2 for one, two in zip(three, three[1:] + three[:1])]
            ids = [int(one) for one in (three if order == 1 else (*three, *middles))]
            grid.InsertNextCell(TRIANGLE if order == 1 else QUADRATIC_TRIANGLE, len(ids), ids)
    return _placed(grid, lattice)


def curved_cells(dtype=np.float64, ghosts=False):
    """Quadratic, Lagrange and rational Bezier cells, bent; linear cells, lines and a vertex beside them."""
    kinds = ((QUADRATIC_TRIANGLE, [(0, 0), (2, 0), (0, 2), (1, 0), (1, 1), (0, 1)]),
             (QUADRATIC_QUAD, [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]),
             (LAGRANGE_QUAD, [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1), (1, 1)]),
             (BEZIER_TRIANGLE, [(0, 0), (2, 0), (0, 2), (1, 0), (1, 1), (0, 1)]),
             (QUADRATIC, [(0, 0), (2, 2), (1, 1)]), (TRIANGLE, [(0, 0), (2, 0), (0, 2)]), (LINE, [(0, 0), (2, 2)]),
             (VERTEX, [(1, 1)]))
    hexahedron = [(x, y, z) for z in (0, 2) for x, y in ((0, 0), (2, 0), (2, 2), (0, 2))]
    edges = [(k + 4 * level, (k + 1) % 4 + 4 * level) for level in (0, 1) for k in range(4)]
    edges += [(k, k + 4) for k in range(4)]
    hexahedron += [tuple((a + b) // 2 for a, b in zip(hexahedron[i], hexahedron[j])) for i, j in edges]
    grid, places = vtkUnstructuredGrid(), []
    for k in range(3):
        for kind, nodes in (*kinds, (QUADRATIC_HEXAHEDRON, hexahedron)):
            grid.InsertNextCell(kind, len(nodes), list(range(len(places), len(places) + len(nodes))))
            places += [(one[0] + 3 * k, one[1] + 3 * kind / 10, one[2] if len(one) > 2 else 0) for one in nodes]
    x, y, z = np.array(places, float).T
    grid.SetPoints(points_of(np.stack([x, y + x * x / 20, z + (x * y - y * y) / 40], 1).astype(dtype)))
    add_point_arrays(grid, len(places))
    weights = add(grid.GetPointData(), "weights", numbers(len(places), 9) + 0.5)
    grid.GetPointData().SetRationalWeights(weights)
    n = grid.GetNumberOfCells()
    add(grid.GetCellData(), "cell", np.arange(n))
    if ghosts:
        flags = (np.arange(n) % 5 == 0).astype(np.uint8) * 32
        flags[1::7] = 1  # copies
        add(grid.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return grid


def neighbours():
    """Two hexahedra with a common face, the second of which is a copy of another process's cell."""
    grid = vtkUnstructuredGrid()
    x, y, z = _places(3, 2, 2)
    lattice = np.stack([x, y, z], 1)
    grid.SetPoints(points_of(lattice))
    for first in (0, 1):
        grid.InsertNextCell(HEXAHEDRON, 8, [first + one for one in (0, 1, 4, 3, 6, 7, 10, 9)])
    add(grid.GetCellData(), "vtkGhostType", np.array([0, 1], np.uint8), VTK_UNSIGNED_CHAR)
    return _placed(grid, lattice)


def boxes(flat=False, holes=False, dtype=np.float64, kind=None):
    """An octree or a quadtree of unstructured cells: eight boxes, the first of which is divided twice."""
    grid = vtkUnstructuredGrid()
    axes = 2 if flat else 3
    cells = [(1, place) for place in np.ndindex(*[2] * axes)]
    for level in (2, 3):
        first = next(one for one in cells if sum(one[1]) == 0)
        cells.remove(first)
        cells += [(level, place) for place in np.ndindex(*[2] * axes)]
    places = []
    for number, (level, place) in enumerate(cells):
        if holes and number % 7 == 3:
            continue
        ends = [(one / 2**level, (one + 1) / 2**level) for one in place]
        corners = [(x, y, z) for z in (ends[2] if axes == 3 else (0.5,)) for y in ends[1] for x in ends[0]]
        ids = list(range(len(places), len(places) + len(corners)))
        places += corners
        if kind == HEXAHEDRON:
            ids = [ids[one] for one in (0, 1, 3, 2, 4, 5, 7, 6)]
        grid.InsertNextCell(kind or (PIXEL if flat else VOXEL), len(ids), ids)
    lattice = np.array(places)
    grid.SetPoints(points_of((lattice * (1, 2, 1) + (0, 3, 0)).astype(dtype)))
    return _placed(grid, lattice)


def trees(uneven=False, masked=False, flat=False):
    """A hyper tree grid of 2 x 2 x 1 trees (flat: of 2 x 2), which are divided toward one corner."""
    grid = vtkHyperTreeGrid()
    grid.Initialize()
    grid.SetBranchFactor(2)
    sides = [[0, 1, 2.5 if uneven else 2], [3, 3.5, 4], [0] if flat else [0, 1]]
    grid.SetDimensions([len(one) for one in sides])
    for put, one in zip((grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates), sides):
        put(numpy_to_vtk(np.array(one, float), deep=True))
    cursor, start = vtkHyperTreeGridNonOrientedCursor(), 0

    def divide(levels):
        cursor.SubdivideLeaf()
        cursor.ToChild(levels)
        if levels > 0:
            divide(levels - 1)
        cursor.ToParent()

    for tree in range(4):
        grid.InitializeNonOrientedCursor(cursor, tree, True)
        cursor.SetGlobalIndexStart(start)
        if tree != 1:
            divide(3 - tree // 2)
        start += cursor.GetTree().GetNumberOfVertices()
    add(grid.GetCellData(), "hill", numbers(start, 21) * 9)
    add(grid.GetCellData(), "flow", numbers(3 * start, 22).reshape(-1, 3).astype(np.float32))
    grid.GetCellData().SetScalars(grid.GetCellData().GetArray("hill"))
    if masked:
        mask = vtkBitArray()
        for node in range(start):
            mask.InsertNextValue(node % 7 == 3)
        grid.SetMask(mask)
    return grid


def amr(kind=vtkOverlappingAMR, points=False, ghosts=False, scattered=False):
    """Two blocks of level 0 side by side, and two finer ones over parts of both. scattered: single finer cells are
    copies, so that those below them are covered in part."""
    data = kind()
    boxes_of = [[((0, 0, 0), (4, 6, 5)), ((4, 0, 0), (8, 6, 5))], [((2, 2, 2), (12, 8, 6)), ((2, 8, 2), (8, 10, 8))]]
    try:
        data.Initialize(2, [2, 2])
    except TypeError:  # VTK 9.6
        data.Initialize([2, 2])
    overlapping = data.IsA("vtkOverlappingAMR")
    if overlapping:
        data.SetOrigin([1, 0, 0])
        data.SetGridDescription(8)
    for level, several in enumerate(boxes_of):
        step = 0.5 / 2**level
        if overlapping:
            data.SetSpacing(level, [step] * 3)
            data.SetRefinementRatio(level, 2)
        for number, (low, high) in enumerate(several):
            block = vtkUniformGrid()
            block.SetOrigin(*(1 + step * low[0], step * low[1], step * low[2]))
            block.SetSpacing(step, step, step)
            block.SetDimensions([b - a + 1 for a, b in zip(low, high)])
            n = block.GetNumberOfCells()
            add(block.GetCellData(), "hill", numbers(n, 31 + number) + level)
            block.GetCellData().SetScalars(block.GetCellData().GetArray("hill"))
            if number == 0 or level == 0:
                add(block.GetCellData(), "not everywhere", np.arange(n))
            if points:
                add(block.GetPointData(), "warm", numbers(block.GetNumberOfPoints(), 33 + level))
            if ghosts:
                flags = (np.arange(n) % 13 == 0).astype(np.uint8) * 32
                if level == 1 and number == 1:
                    flags.reshape(6, 2, 6)[:, :, 2:3 if scattered else 4] = 1  # copies
                add(block.GetCellData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
            if overlapping:
                data.SetAMRBox(level, number, vtkAMRBox(low, [one - 1 for one in high]))
            data.SetDataSet(level, number, block)
    return data


def boxes_that_fit_no_octree():
    """Voxels, one of which has a third of another's size: a mesh."""
    grid = boxes()
    ids = list(range(8))
    places = np.array([(x, y, z) for z in (0, 1 / 3) for y in (3, 4) for x in (2, 2.3)])
    whole = np.concatenate([numpy_from(grid.GetPoints().GetData()), places])
    made = vtkUnstructuredGrid()
    made.SetPoints(points_of(whole))
    for cell in range(grid.GetNumberOfCells()):
        made.InsertNextCell(VOXEL, 8, [8 * cell + one for one in ids])
    made.InsertNextCell(VOXEL, 8, [len(whole) - 8 + one for one in ids])
    return _placed(made, whole / 4)


def blocks(*parts):
    whole = vtkMultiBlockDataSet()
    for k, part in enumerate(parts):
        whole.SetBlock(k, part)
    return whole


def cloud(n=500, dtype=np.float64, ghosts=False):
    """Points of particles, each at several times, denser near the origin."""
    places = (numbers(3 * n, 11).reshape(-1, 3) ** 2 * 3).astype(dtype)
    data = lines_of(places, [], [[k] for k in range(n)])
    add_point_arrays(data, n)
    add(data.GetPointData(), "particle", (np.arange(n) * 7 % 23).astype(np.int32))
    add(data.GetPointData(), "time", (np.arange(n) * 31 % 97).astype(np.float32))
    add(data.GetPointData(), "radius", numbers(n, 12) * 0.2)
    add(data.GetPointData(), "opaque", numbers(n, 13))
    add(data.GetPointData(), "color", (numbers(3 * n, 14).reshape(-1, 3) * 255).astype(np.uint8))
    if ghosts:
        flags = (np.arange(n) % 5 == 0).astype(np.uint8) * 2  # hidden points
        add(data.GetPointData(), "vtkGhostType", flags, VTK_UNSIGNED_CHAR)
    return data


def cloud_with_a_hole():
    data = cloud(60)
    data.GetPoints().SetPoint(7, float("nan"), 0.0, 0.0)
    return data


GENERATED = {f"Generate{name}": 1 for name in ("Parameter", "ArcLength", "Curvature", "Tangents",
                                               "SourceCell", "AchievedError")}
LEVELS = {"GenerateLevel": 1, "GenerateIndicator": 1, "GenerateSourceCell": 1}
C, G = "AdaptiveCurves", "AdaptiveGrid"
P, O, D, S = "AdaptivePointGrid", "PointsToCurves", "DiscImage", "AdaptiveCells"
MADE = {"GenerateSourceCell": 1, "GenerateNormals": 1, "GenerateAchievedError": 1}
SEEN = {**MADE, "GenerateParametricCoordinates": 1}
SMALL = {"Resolution": [48, 40]}
TRACKS = {"GroupArray": "particle", "OrderArray": "time"}

# Built as they are asked for.
CASES = [
    ("bezier cells", C, bezier_cells, {}),
    ("bezier cells, arrays generated", C, bezier_cells, GENERATED),
    ("no weights, bisection", C, lambda: bezier_cells(False), {"Sampling": 1, "Joints": 0}),
    ("uniform, angle, length", C, bezier_cells,
     {"Sampling": 0, "UseTurningAngle": 1, "TurningAngle": 12, "UseMaximumSegmentLength": 1,
      "MaximumSegmentLength": 0.3}),
    ("classic rule", C, bezier_cells, {"UseCurvatureFactor": 1, "UseChordError": 0,
                                       "UseFieldError": 0}),
    ("polylines", C, polylines, GENERATED),
    ("polylines in double", C, lambda: polylines(np.float64), {"ChordError": 1e-5}),
    ("far from the origin", C, lambda: polylines(np.float32, 3e4), {"ChordErrorMode": 0}),
    ("chain", C, polylines, {"InterpretLinesAs": 2, "ArrayInterpolation": 1}),
    ("b-spline", C, polylines, {"InterpretLinesAs": 4, "OutputPrecision": 1}),
    ("one array", C, polylines, {"FieldErrorArrays": ["heat"], "FieldErrorMode": 0,
                                 "FieldError": 0.2}),
    ("arrays of a criterion that is off", C, labelled,
     {"UseFieldError": 0, "FieldErrorArrays": ["label"]}),
    ("point budget", C, polylines, {"PointBudget": 400}),
    ("blocks of curves", C, lambda: blocks(polylines(), bezier_cells(), polylines(np.float64)),
     {"PointBudget": 3000, **GENERATED}),
    ("lines joined", C, short_lines, GENERATED),
    ("lines as they are", C, short_lines, {"JoinLines": 0}),
    ("an interpolation each", C, polylines,
     {"LinearArrays": ["heat"], "NearestArrays": ["wind"], "CurveArrays": ["count"]}),
    ("no lines", C, vtkPolyData, {}),
    ("image, conforming", G, image, LEVELS),
    ("image, free", G, image, {"HangingNodes": 0, **LEVELS}),
    ("image, constrained", G, image, {"HangingNodes": 1, "BufferCells": 1}),
    ("image, hexahedra", G, image, {"HangingNodes": 0, "CellShape": 1, "RefineLevels": 1}),
    ("image, 2D polygons", G, lambda: image(41, 33, 1), {"HangingNodes": 2}),
    ("image, 2D conforming", G, lambda: image(41, 33, 1), {}),
    ("image, 1D", G, lambda: image(41, 1, 1), {}),
    ("blanked", G, blanked_image, LEVELS),
    ("rotated", G, rotated_image, {}),
    ("budget", G, image, {"CellBudget": 2000, "HangingNodes": 0}),
    ("region", G, image, {"UseRegion": 1, "Region": [0.1, 0.5, 0.2, 0.6, 0.1, 0.9],
                          "LevelOutside": 1, "OutputPrecision": 0}),
    ("flow", G, image, {"UseInterpolationError": 0, "UseVorticity": 1, "UseQCriterion": 1,
                        "VelocityArray": "flow"}),
    ("all other criteria", G, image,
     {"UseInterpolationError": 0, "UseValueRange": 1, "UseGradient": 1, "UseSecondDerivative": 1,
      "UseStandardDeviation": 1, "UseArrayInRange": 1, "ArrayInRange": [0.5, 0.6],
      "CriteriaArrays": ["hill", "of_cells"]}),
    ("rectilinear", G, rectilinear, {"HangingNodes": 0}),
    ("rectilinear, conforming", G, rectilinear, {"CriteriaArrays": ["flow"]}),
    ("structured", G, structured, {}),
    ("structured, constrained", G, structured, {"HangingNodes": 1}),
    ("fixed fine", G, rectilinear, {"GridType": 2, "CoarsenLevels": 1}),
    ("fixed coarse", G, image, {"GridType": 1}),
    ("blocks of grids", G, lambda: blocks(image(), rectilinear(), structured()), LEVELS),
    ("mesh", G, tetrahedra, LEVELS),
    ("mesh, free, points in it", G, tetrahedra, {"HangingNodes": 0, "GenerateInside": 1, **LEVELS}),
    ("mesh, cells moved to points", G, tetrahedra, {"CellArrays": 1, "HangingNodes": 0, "FinestCell": 0.06}),
    ("mesh, wholly inside", G, tetrahedra, {"Boundary": 1, "FinestCell": 0.05, "CoarsenLevels": 1}),
    ("mesh, nothing wholly inside", G, tetrahedra, {"Boundary": 1, "FinestCell": 3.0}),
    ("mesh, hidden cells and copies", G, lambda: tetrahedra(7, True), {"HangingNodes": 0}),
    ("mesh, budget and region", G, tetrahedra, {"CellBudget": 90, "UseRegion": 1, "HangingNodes": 0,
                                                "Region": [0.1, 0.5, 0.2, 0.6, 0.1, 0.9]}),
    ("mesh, a component and a flow", G, tetrahedra,
     {"CriteriaArrays": ["flow"], "Component": 1, "ThresholdMode": 0, "UseVorticity": 1,
      "VelocityArray": "flow", "RefineLevels": 1}),
    ("mesh of several kinds", G, mixed_mesh, {"HangingNodes": 0, "GenerateInside": 1}),
    ("mesh in a plane", G, flat_mesh, {"HangingNodes": 2}),
    ("mesh of quadratic cells", G, lambda: flat_mesh(2), {"FinestCell": 0.2}),
    ("meshes in blocks", G, lambda: blocks(tetrahedra(5), image(9, 9, 9), mixed_mesh(), bezier_cells(),
                                           lines_of(np.zeros((2, 3)), []), bezier_cells(), vtkUnstructuredGrid()),
     {"CriteriaArrays": ["hill"], **LEVELS}),
    ("boxes as an octree", G, boxes, {"HangingNodes": 0, "RefineLevels": 1, **LEVELS}),
    ("boxes with holes", G, lambda: boxes(holes=True, dtype=np.float32), {"CellArrays": 1}),
    ("boxes as a quadtree", G, lambda: boxes(flat=True), {"HangingNodes": 2}),
    ("hexahedra as an octree", G, lambda: boxes(kind=HEXAHEDRON), {"HangingNodes": 0, "CellShape": 1}),
    ("boxes that are a mesh", G, boxes_that_fit_no_octree, {"HangingNodes": 0}),
    ("trees", G, trees, {"HangingNodes": 0, **LEVELS}),
    ("trees of uneven roots, a mask", G, lambda: trees(True, True), {"CellArrays": 1, "InterpolationError": 0.3}),
    ("flat trees", G, lambda: trees(flat=True), {"HangingNodes": 2, "CriteriaArrays": ["flow"], "Component": 1}),
    ("overlapping AMR", G, amr, {"HangingNodes": 0, **LEVELS}),
    ("AMR of points, hidden cells and copies", G, lambda: amr(points=True, ghosts=True), {"HangingNodes": 0}),
    ("non-overlapping AMR", G, lambda: amr(vtkNonOverlappingAMR, True), {"CriteriaArrays": ["warm"], "UseRegion": 1,
                                                                        "Region": [1.2, 3, 0, 2, 0, 1.7]}),
    ("trees in blocks", G, lambda: blocks(trees(), boxes(), image(9, 9, 9)),
     {"CriteriaArrays": ["hill"], "ThresholdMode": 1, **LEVELS}),
    ("curved cells", S, curved_cells, {}),
    ("curved cells in single precision, all arrays", S, lambda: curved_cells(np.float32), MADE),
    ("edges of curved cells", S, curved_cells, {"OutputType": 1, **SEEN}),
    ("insides of curved cells", S, curved_cells, {"OutputType": 2, **SEEN}),
    ("insides of curved cells in blocks", S, lambda: blocks(curved_cells(), mixed_mesh()), {"OutputType": 2}),
    ("curved cells, points merged", S, curved_cells, {"MergePoints": 1, **SEEN}),
    ("curved cells, lengths and angles", S, curved_cells,
     {"ChordErrorMode": 0, "ChordError": 0.05, "UseNormalAngle": 1, "NormalAngle": 9, "UseMaximumEdgeLength": 1,
      "MaximumEdgeLength": 0.7, "OutputPrecision": 0}),
    ("curved cells, an array", S, curved_cells, {"FieldErrorArrays": ["wind"], "FieldErrorMode": 0, "FieldError": 0.03}),
    ("curved cells, no such array", S, curved_cells, {"FieldErrorArrays": ["none"], "MaximumSegments": 2}),
    ("curved cells, budget", S, curved_cells, {"PointBudget": 300}),
    ("curved cells, a budget too small", S, curved_cells, {"PointBudget": 3}),
    ("curved cells, hidden ones and copies", S, lambda: curved_cells(ghosts=True), MADE),
    ("a cell and a copy beside it", S, neighbours, {}),
    ("curved cells in blocks", S, lambda: blocks(curved_cells(), image(3, 3, 3), mixed_mesh(), bezier_cells()), MADE),
    ("no curved cells", S, vtkUnstructuredGrid, {}),
    ("octree", P, cloud, {"MaximumPointsPerCell": 8}),
    ("octree of floats, coordinates", P, lambda: cloud(300, np.float32),
     {"MaximumPointsPerCell": 5, "GenerateCoordinates": 1}),
    ("quadtree, balanced", P, cloud, {"TreeShape": 2, "MaximumPointsPerCell": 4, "Balance": 2}),
    ("quadtree, thinnest", P, cloud, {"TreeShape": 1, "OutputPrecision": 0, "GenerateMeans": 0}),
    ("spread of an array", P, cloud, {"UseSpread": 1, "Spread": 4.0, "SpreadArray": ["POINTS", "heat"]}),
    ("spread of a coordinate", P, cloud, {"UseSpread": 1, "SpreadOf": 3, "Spread": 0.5, "TreeShape": 2}),
    ("points in cell order", P, cloud, {"OutputType": 2, "MaximumPointsPerCell": 6}),
    ("full cells", P, cloud, {"MaximumLevel": 2, "MaximumPointsPerCell": 3, "GenerateDensity": 0}),
    ("hidden points", P, lambda: cloud(300, ghosts=True), {"MaximumPointsPerCell": 7}),
    ("point grids of blocks", P, lambda: blocks(cloud(200), image(5, 5, 5), bezier_cells()), {}),
    ("a point that is not finite", P, cloud_with_a_hole, {"MaximumPointsPerCell": 4}),
    ("no points", P, vtkPolyData, {}),
    ("tracks", O, cloud, TRACKS),
    ("tracks of texts", O, cloud, {"GroupArray": "word", "OrderArray": "time"}),
    ("one track", O, cloud, {}),
    ("tracks with gaps", O, cloud, {**TRACKS, "CutAtGaps": 1, "MaximumGap": 5.0}),
    ("tracks with leaps", O, cloud, {**TRACKS, "CutAtDistances": 1, "MaximumDistance": 1.5, "SinglePoints": 1}),
    ("tracks without repeats", O, cloud, {**TRACKS, "RemoveRepeats": 1, "RepeatTolerance": 0.9}),
    ("tracks of blocks", O, lambda: blocks(cloud(90), polylines(), image(3, 3, 3)), {"OrderArray": "heat"}),
    ("tracks, hidden points", O, lambda: cloud(200, ghosts=True), TRACKS),
    ("discs", D, cloud, {**SMALL, "Radius": 0.1}),
    ("discs of colors", D, cloud, {**SMALL, "RadiusArray": "radius", "ColorMode": 1, "ColorArray": "color",
                                   "OpacityArray": "opaque", "GenerateTopPoint": 1}),
    ("discs by a color map", D, cloud, {**SMALL, "Radius": 0.1, "ColorMode": 2, "ColorArray": "heat",
                                        "ColorMap": [0, 0, 0, 1, 0.3, 0, 1, 0, 1, 1, 0, 0]}),
    ("discs by a magnitude", D, cloud, {**SMALL, "Radius": 0.1, "ColorMode": 2, "ColorArray": "wind",
                                        "UseScalarRange": 1, "ScalarRange": [0.2, 1.1],
                                        "ColorMap": [0, 0, 0, 1, 1, 1, 0, 0]}),
    ("discs by depth", D, cloud, {**SMALL, "Radius": 0.2, "Order": 1, "Opacity": 0.5, "Falloff": 1,
                                  "Supersampling": 2, "Plane": 2}),
    ("discs by an array", D, cloud, {**SMALL, "Radius": 3.0, "RadiusUnit": 1, "Order": 2, "OrderArray": "time",
                                     "Background": [0.1, 0.2, 0.3], "BackgroundOpacity": 1.0}),
    ("discs of a region", D, cloud, {**SMALL, "Radius": 0.1, "UseRegion": 1,
                                     "Region": [0.1, 1.1, 0.0, 1.0, 0.0, 1.0]}),
    ("discs of blocks", D, lambda: blocks(cloud(90), cloud(50, np.float32), image(3, 3, 3)),
     {**SMALL, "RadiusArray": "radius", "ColorMode": 1, "ColorArray": "color"}),
    ("discs, hidden points", D, lambda: cloud(200, ghosts=True), {**SMALL, "RadiusArray": "radius"}),
    ("jet", "TurbulentJet", None, {"Dimensions": [17, 9, 8], "Seed": 3}),
    ("flat jet in double", "TurbulentJet", None, {"Dimensions": [33, 17, 1], "OutputPrecision": 1,
                                                  "Modes": 7, "Bounds": [0, 2, -1, 1, 0, 0.5]}),
    ("random curves", "RandomBezierCurves", None, {"NumberOfCurves": 50, "Degree": 4, "Seed": 9}),
    ("random discs", "RandomDiscs", None, {"NumberOfDiscs": 80, "RadiusRange": [0.1, 0.2]}),
    ("pattern of discs", "RandomDiscs", None, {"Scene": 2}),
    ("device report", "CUDADeviceReport", None, {}),
]
