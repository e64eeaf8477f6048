# SPDX-License-Identifier: BSD-3-Clause
"""Cells of several sizes, as the tests of Adaptive Grid make them: AMR, hyper tree grids and unstructured
grids of the same cells, and what is true of them whatever the kind."""
import itertools

import numpy as np
from tessera_testing import add_array
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import (VTK_HEXAHEDRON, VTK_PIXEL, VTK_QUAD, VTK_VOXEL, vtkCellArray,
                                           vtkAMRBox, vtkHyperTreeGrid, vtkHyperTreeGridNonOrientedCursor,
                                           vtkNonOverlappingAMR, vtkOverlappingAMR, vtkUniformGrid,
                                           vtkUnstructuredGrid)

GHOSTS = "vtkGhostType"
REFINED, HIDDEN, COPY = 8, 32, 1
DESCRIPTIONS = {(0, 1, 2): 8, (0, 1): 5, (1, 2): 6, (0, 2): 7}  # VTK's words for planes


def linear(xyz):
    """A field that is linear in space."""
    return 1.5 + xyz @ [2.0, -3.0, 0.5]


def distance(xyz):
    return np.linalg.norm(xyz - [0.51, 0.49, 0.505], axis=1)


FIELDS = {"linear": linear, "distance": distance}


class Nested:
    """A domain of `cells` cells of level 0 (0 along an axis without cells). `boxes` has for each further
    level the ranges [low, high) of its cells along each axis, counted in cells of that level; several
    boxes a level are blocks. `ratios`: how much smaller the cells of each further level are."""

    def __init__(self, cells, boxes, ratios=None, origin=(0.0, 0.0, 0.0), size=1.0):
        self.cells = np.array(cells)
        self.axes = [a for a in range(3) if cells[a] > 0]
        self.boxes = [[[(0, n) for n in cells]]] + boxes
        self.ratios = ratios or [2] * len(boxes)
        self.origin = np.array(origin)
        self.spacing = np.where(self.cells > 0, size / max(cells), 1.0)

    def scale(self, level):
        """Cells of level 0 are this much larger than those of `level`."""
        return int(np.prod(self.ratios[:level]))

    def step(self, level):
        return np.where(self.cells > 0, self.spacing / self.scale(level), self.spacing)

    def lattice(self, box):
        """Indices of the cells of a box, x fastest."""
        ranges = [np.arange(*(r if a in self.axes else (0, 1))) for a, r in enumerate(box)]
        k, j, i = np.meshgrid(*ranges[::-1], indexing="ij")
        return np.stack([i, j, k], axis=-1).reshape(-1, 3)

    def covered(self, level, index):
        """Which cells of a level lie under the boxes of finer levels?"""
        under = np.zeros(len(index), bool)
        for finer in range(level + 1, len(self.boxes)):
            ratio = self.scale(finer) // self.scale(level)
            for box in self.boxes[finer]:
                under |= np.all([(index[:, a] * ratio >= box[a][0]) & (index[:, a] * ratio < box[a][1])
                                 for a in self.axes], axis=0)
        return under

    def leaves(self):
        """Level, counted in halvings, and index of the cells that are not under finer ones."""
        found = []
        for level, boxes in enumerate(self.boxes):
            halvings = int(np.log2(self.scale(level)))
            for box in boxes:
                index = self.lattice(box)
                index = index[~self.covered(level, index)]
                found.append(np.column_stack([np.full(len(index), halvings), index]))
        return np.concatenate(found)

    def corners(self, leaves):
        """Lowest and highest corner of leaves in space."""
        size = np.where(self.cells > 0, self.spacing / 2.0 ** leaves[:, :1], 0.0)
        low = self.origin + leaves[:, 1:] * size
        return low, low + size

    def volume(self):
        low, high = self.corners(self.leaves())
        return (high - low)[:, self.axes].prod(axis=1).sum()

    def bottom(self):
        """Lowest and highest corner of the domain."""
        return self.origin, self.origin + np.where(self.cells > 0, self.cells * self.spacing, 0.0)


def nested(levels, cells=8, dimension=3, plane=None, ratios=None, **kind):
    """Boxes around the middle of a cube, each half as wide as the one before."""
    axes = list(range(dimension)) if plane is None else list(plane)
    ratios = ratios or [2] * (levels - 1)
    low, high, boxes = 0, cells, []
    for ratio in ratios:
        quarter = max((high - low) // 4, 1)
        low, high = (low + quarter) * ratio, (high - quarter) * ratio
        middle = (low + high) // 2
        boxes.append([[half if a == axes[0] else (low, high) for a in range(3)]
                      for half in ((low, middle), (middle, high))])
    return Nested([cells if a in axes else 0 for a in range(3)], boxes, ratios, **kind)


def with_arrays(data, centres, points=None):
    """Adds FIELDS as cell arrays, and, where the points are given, as point arrays."""
    for kind, xyz, suffix in ((data.CELL, centres, "c"), (data.POINT, points, "p")):
        for name, field in FIELDS.items() if xyz is not None else ():
            add_array(data.GetAttributes(kind), f"{name}_{suffix}", field(xyz))
    return data


def block_of(shape, level, box, points=False, ghost_layers=0):
    """A block of AMR. Coarser cells under it, and ghost cells, are as their values are there."""
    step = shape.step(level)
    wide = [(r[0] - ghost_layers, r[1] + ghost_layers) if a in shape.axes else (0, 0)
            for a, r in enumerate(box)]
    block = vtkUniformGrid()
    block.SetOrigin(shape.origin + np.where(shape.cells > 0, [w[0] for w in wide] * step, 0.0))
    block.SetSpacing(step)
    block.SetDimensions([w[1] - w[0] + 1 for w in wide])
    index = shape.lattice(wide)
    centres = shape.origin + np.where(shape.cells > 0, (index + 0.5) * step, 0.0)
    corners = shape.lattice([(w[0], w[1] + 1) for w in wide])
    with_arrays(block, centres, shape.origin + np.where(shape.cells > 0, corners * step, 0.0) if points
                else None)
    if ghost_layers:
        outside = np.any([(index[:, a] < box[a][0]) | (index[:, a] >= box[a][1]) for a in shape.axes],
                         axis=0)
        add_array(block.GetCellData(), GHOSTS, np.where(outside, COPY, 0).astype(np.uint8))
    return block


def amr(shape, kind=vtkOverlappingAMR, points=False, blank=False, ghost_layers=0, mine=lambda number: True):
    """The domain as AMR. mine: does this process have the block of that number?"""
    data = kind()
    data.Initialize(len(shape.boxes), [len(boxes) for boxes in shape.boxes])
    overlapping = data.IsA("vtkOverlappingAMR")
    if overlapping:
        data.SetOrigin(shape.origin)
        data.SetGridDescription(DESCRIPTIONS[tuple(shape.axes)])
    number = 0
    for level, boxes in enumerate(shape.boxes):
        if overlapping:
            data.SetSpacing(level, shape.step(level))
            data.SetRefinementRatio(level, shape.ratios[level] if level < len(shape.ratios) else 2)
        for i, box in enumerate(boxes):
            if overlapping:
                low = [r[0] if a in shape.axes else 0 for a, r in enumerate(box)]
                high = [r[1] - 1 if a in shape.axes else -1 for a, r in enumerate(box)]
                data.SetAMRBox(level, i, vtkAMRBox(low, high))
            if mine(number):
                block = block_of(shape, level, box, points, ghost_layers)
                if blank:
                    under = shape.covered(level, shape.lattice(box))
                    add_array(block.GetCellData(), GHOSTS, np.where(under, REFINED, 0).astype(np.uint8))
                data.SetDataSet(level, i, block)
            number += 1
    return data


def trees(shape, coordinates=None, mine=lambda tree: True):
    """The domain as a hyper tree grid. coordinates: of the roots along each axis, instead of equal
    distances."""
    data = vtkHyperTreeGrid()
    data.Initialize()
    data.SetBranchFactor(2)
    data.SetDimensions([int(n) + 1 for n in shape.cells])
    for a, put in enumerate((data.SetXCoordinates, data.SetYCoordinates, data.SetZCoordinates)):
        values = (shape.origin[a] + np.arange(shape.cells[a] + 1) * shape.spacing[a]
                  if coordinates is None else coordinates[a])
        put(numpy_to_vtk(np.array(values, float), deep=True))
    leaves = {tuple(leaf) for leaf in shape.leaves()}
    cursor = vtkHyperTreeGridNonOrientedCursor()
    nodes = []
    children = list(itertools.product(*[(0, 1) if a in shape.axes else (0,) for a in (2, 1, 0)]))

    def descend(node):
        if node in leaves:
            nodes.append((cursor.GetGlobalNodeIndex(), node))
            return
        cursor.SubdivideLeaf()
        nodes.append((cursor.GetGlobalNodeIndex(), node))
        for child, bits in enumerate(children):
            cursor.ToChild(child)
            descend((node[0] + 1,) + tuple(2 * i + b for i, b in zip(node[1:], bits[::-1])))
            cursor.ToParent()

    start = 0
    for tree, index in enumerate(shape.lattice([(0, n) for n in shape.cells])):
        if mine(tree):
            data.InitializeNonOrientedCursor(cursor, tree, True)
            cursor.SetGlobalIndexStart(start)
            descend((0,) + tuple(int(i) for i in index))
            start += cursor.GetTree().GetNumberOfVertices()
    order = np.argsort([n[0] for n in nodes])
    every = np.array([n[1] for n in nodes])[order].reshape(-1, 4)
    low, high = shape.corners(every)
    return with_arrays(data, (low + high) / 2)


def octree(shape, hexahedra=False, points=True, double=True, keep=None, order=None):
    """The domain as an unstructured grid of boxes. keep: of which leaves; order: theirs."""
    leaves = shape.leaves() if keep is None else shape.leaves()[keep]
    leaves = leaves if order is None else leaves[order]
    dimension = len(shape.axes)
    finest = leaves[:, 0].max()
    width = 2 ** (finest - leaves[:, 0])
    bits = np.array(list(itertools.product((0, 1), repeat=dimension)))[:, ::-1]  # x fastest
    at = np.zeros((len(leaves), len(bits), 3), int)
    for n, a in enumerate(shape.axes):
        at[:, :, a] = (leaves[:, 1 + a, None] + bits[None, :, n]) * width[:, None]
    places = (at.max(axis=(0, 1)) + 1).tolist()
    unique, ids = np.unique(np.ravel_multi_index(at.reshape(-1, 3).T, places), return_inverse=True)
    unique, ids = np.column_stack(np.unravel_index(unique, places)), ids.reshape(len(leaves), len(bits))
    if hexahedra:
        ids = ids[:, [0, 1, 3, 2, 4, 5, 7, 6][:len(bits)]]
    places = shape.origin + np.where(shape.cells > 0, unique * shape.spacing / 2.0 ** finest, 0.0)
    data = vtkUnstructuredGrid()
    holder = vtkPoints()
    holder.SetData(numpy_to_vtk(places.astype(float if double else np.float32), deep=True))
    data.SetPoints(holder)
    cells = vtkCellArray()
    cells.SetData(len(bits), numpy_to_vtkIdTypeArray(np.ascontiguousarray(ids, np.int64).ravel(), deep=True))
    kind = {(2, False): VTK_PIXEL, (2, True): VTK_QUAD, (3, False): VTK_VOXEL,
            (3, True): VTK_HEXAHEDRON}[dimension, hexahedra]
    data.SetCells(kind, cells)
    low, high = shape.corners(leaves)
    return with_arrays(data, (low + high) / 2, places if points else None)


def sizes_of(grid):
    """Volume (2D: area) of each cell of an unstructured grid."""
    from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
    sizer = vtkCellSizeFilter()
    sizer.SetInputData(grid)
    sizer.Update()
    data = sizer.GetOutput().GetCellData()
    return vtk_to_numpy(data.GetArray("Volume")) + vtk_to_numpy(data.GetArray("Area"))


def errors_told(out):
    """Largest error of each array, as the output's field data have it."""
    names = out.GetFieldData().GetAbstractArray("Tessera Error Arrays")
    errors = out.GetFieldData().GetAbstractArray("Tessera Largest Errors")
    return {names.GetValue(i): errors.GetValue(i) for i in range(names.GetNumberOfValues())}


def worst_at_corners(out, below, above, ids, at, values, name):
    """Largest difference between the interpolant of each whole cell of `out` and the values at the corners of
    input cells in it. below, above: the input cells' corners; ids: their points; at, values: of the points."""
    axes = [a for a in range(3) if np.any(above[:, a] > below[:, a])]
    below, above, at = below[:, axes], above[:, axes], at[:, axes]
    near = 1e-3 * (above - below).min()  # coordinates may be of single precision
    got = vtk_to_numpy(out.GetPointData().GetArray(name))
    xyz = vtk_to_numpy(out.GetPoints().GetData()).astype(float)[:, axes]
    corners = vtk_to_numpy(out.GetCells().GetConnectivityArray()).reshape(-1, 1 << len(axes))
    worst = 0.0
    for cell in corners:
        low, high = xyz[cell].min(axis=0), xyz[cell].max(axis=0)
        meets = np.all((below < high - near) & (above > low + near), axis=1)
        here = np.unique(ids[meets])
        here = here[np.all((at[here] >= low - near) & (at[here] <= high + near), axis=1)]
        part = ((at[here] - low) / (high - low))[:, None, :]
        bits = xyz[cell] > (low + high) / 2
        value = (np.where(bits, part, 1 - part).prod(axis=2) * got[cell]).sum(axis=1)
        worst = max(worst, np.abs(value - values[here]).max(initial=0.0))
    return worst
