# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on random AMR, hyper trees and octrees of boxes with random properties: volume, faces that
meet, errors, exact linear fields, all on the lattice of the finest cells.

    random_octrees.py [CASES] [SEED] [FIRST]

makes the cases FIRST, FIRST + 1 ... of a seed, each from its two numbers alone; `1 SEED CASE` makes one
again. What fails is printed with its numbers, and the rest goes on.
"""
import numpy as np
from grid_testing import Boxes
from octree_cases import OctreeCase
from octree_testing import errors_told, linear, sizes_of, worst_at_corners
from random_testing import counts, run_cases, run_twice
from tessera_testing import check, field_value, main, points
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkFeatureEdges
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter


class Lattice:
    """The finest cells: which leaf of the input each is in, or -1."""

    def __init__(self, case):
        self.case, shape = case, case.shape
        self.axes = shape.axes
        self.finest = int(np.log2(np.prod(shape.ratios, dtype=int)))
        self.step = np.where(shape.cells > 0, shape.spacing / 2 ** self.finest, 1.0)
        self.low, self.high = self.places(*shape.corners(case.leaves))
        self.leaf = self.paint(self.low, self.high)

    def places(self, *corners):
        if self.case.uneven:
            corners = [self.case.shape.flat(xyz) for xyz in corners]
        return [np.rint((xyz - self.case.shape.origin) / self.step).astype(int) for xyz in corners]

    def paint(self, low, high):
        """The number of the box on each cell. No two boxes may lie on one."""
        count = np.maximum(self.case.shape.cells * 2 ** self.finest, 1)
        number = np.full(count, -1)
        for i, box in enumerate(np.stack([low, high], axis=2)):
            part = number[tuple(slice(*box[a]) if a in self.axes else slice(0, 1) for a in range(3))]
            check(part.size > 0 and np.all(part == -1), f"a box at {box} lies on another one, or has no size")
            part[...] = i
        return number

    def border(self):
        """Area (2D: length) of the faces between cells that are there and cells that are not."""
        there, total = np.pad(self.leaf >= 0, 1), 0.0
        for a in self.axes:
            faces = np.diff(there.astype(np.int8), axis=a) != 0
            for b in self.axes:
                if b != a:
                    shape = [1, 1, 1]
                    shape[b] = -1
                    faces = faces * np.pad(self.widths(b), 1).reshape(shape)
            total += faces.sum()
        return total

    def has_no_lone_leaf(self):
        """A leaf without another one beside it along an axis cannot say how a field changes along that axis."""
        for a in self.axes:
            ends = [(int(b == a),) * 2 for b in range(3)]
            line = np.moveaxis(np.pad(self.leaf, ends, constant_values=-1), a, -1).ravel()
            runs = line[np.flatnonzero(np.diff(line, prepend=-2))]
            if np.any((runs[1:-1] >= 0) & (runs[:-2] < 0) & (runs[2:] < 0)):
                return False
        return True

    def widths(self, axis):
        """Of the finest cells along an axis."""
        parts, shape = 2 ** self.finest, self.case.shape
        if self.case.uneven:
            return np.repeat(np.diff(shape.uneven[axis]) / parts, parts)
        return np.full(shape.cells[axis] * parts, self.step[axis])


def border_of(output, dimension):
    """Area or length of the faces that one cell alone has."""
    if dimension == 3:
        sides = vtkGeometryFilter()
        sides.SetInputData(output)
        sides.Update()
        return sizes_of_polygons(sides.GetOutput())
    surface, edges = vtkGeometryFilter(), vtkFeatureEdges()
    surface.SetInputData(output)
    edges.SetInputConnection(surface.GetOutputPort())
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.Update()
    lines = edges.GetOutput()
    if lines.GetNumberOfCells() == 0:
        return 0.0
    at = points(lines).astype(float)[vtk_to_numpy(lines.GetLines().GetConnectivityArray()).reshape(-1, 2)]
    return np.linalg.norm(at[:, 1] - at[:, 0], axis=1).sum()


def sizes_of_polygons(surface):
    return sizes_of(surface).sum() if surface.GetNumberOfCells() else 0.0


def values_are_finite(output, spoiled):
    """spoiled: "distance" has values that are not, and its errors and deviations may be infinite."""
    parts = [output]
    if output.IsA("vtkOverlappingAMR"):
        parts = [output.GetDataSet(n, i) for n in range(output.GetNumberOfLevels())
                 for i in range(output.GetNumberOfDataSets(n))]
    for data in filter(None, parts):
        if data.IsA("vtkUnstructuredGrid") and data.GetNumberOfPoints():
            check(np.isfinite(points(data)).all(), "a point is not finite")
        if data.IsA("vtkHyperTreeGrid"):
            continue  # a masked cell has any value
        for attributes in (data.GetPointData(), data.GetCellData()):
            for i in range(attributes.GetNumberOfArrays()):
                array = attributes.GetArray(i)
                if array and (not spoiled or array.GetName().startswith("linear")):
                    check(np.isfinite(vtk_to_numpy(array)).all(), f"'{array.GetName()}' is not finite")


def linear_fields_are_exact(lattice, output, scale):
    for name in ("linear_p", "linear_c"):
        array = output.GetPointData().GetArray(name)
        if array and (name == "linear_p" or lattice.has_no_lone_leaf()):
            off = np.abs(vtk_to_numpy(array) - linear(points(output).astype(float))).max(initial=0.0)
            check(off < 1e-5 * scale, f"{name} is off by {off}")


def errors_are_right(case, lattice, output, boxes, told):
    """Of cell arrays as found here, whatever the kind; of point arrays in whole cells."""
    low, high = case.shape.corners(case.leaves)
    given = case.field((low + high) / 2)
    if "distance_c" in boxes.arrays:
        number = lattice.paint(*lattice.places(boxes.low, boxes.high)) if whole(case) else None
        if number is not None:
            # What balance divides has the value of the whole cell in its parts.
            at = tuple(lattice.low[:, a] for a in range(3))
            worst = np.abs(given - boxes.arrays["distance_c"][number[at]]).max(initial=0.0)
            check(abs(worst - told["distance_c"]) < 1e-9, f"error of cells {told['distance_c']}, not {worst}")
    if (case.kind == "boxes" and case.points and output.IsA("vtkUnstructuredGrid") and whole(case) and
            len(boxes.low) < 400):
        ids = vtk_to_numpy(case.data.GetCells().GetConnectivityArray()).reshape(case.data.GetNumberOfCells(), -1)
        below, above = (c.astype(float) for c in Boxes.parts(case.data)[0][:2])
        every = case.data.GetCellData().GetArray("vtkGhostType")
        keep = vtk_to_numpy(every) == 0 if every else np.ones(len(ids), bool)
        values = vtk_to_numpy(case.data.GetPointData().GetArray("distance_p"))
        worst = worst_at_corners(output, below, above, ids[keep], points(case.data).astype(float), values,
                                 "distance_p")
        check(abs(worst - told["distance_p"]) < 1e-4 * (1 + np.abs(values).max()),
              f"error of points {told['distance_p']}, not {worst}")


def is_bounded(case):
    """As docs/adaptive-grid.md has it: point arrays where there are points, cell arrays where no other criterion
    looks at them."""
    p = case.properties
    others = any(p.get("Use" + name) for name in ("ValueRange", "StandardDeviation", "Gradient"))
    return p["GridType"] == "Adaptive" and p["UseInterpolationError"] and (
        p["OutputType"] == "Unstructured Grid" if case.array.endswith("p") else not others)


def whole(case):
    """Are all cells of the output boxes?"""
    return case.properties["OutputType"] != "Unstructured Grid" or case.properties["HangingNodes"] == "Free"


def check_case(case, output, kinds):
    shape, lattice = case.shape, Lattice(case)
    low, high = shape.corners(case.leaves)
    volume = (high - low)[:, shape.axes].prod(axis=1).sum()
    values_are_finite(output, case.spoiled)
    if "even trees" in kinds:
        return  # cells of the output are elsewhere than those of the input
    if case.dropped == 0:
        check(field_value(output, "Input Cells").ToLongLong() == len(case.leaves), "the number of input cells")
    boxes = Boxes(output)
    if output.IsA("vtkUnstructuredGrid"):
        sizes = sizes_of(output)
        check(sizes.min() > 0, f"a cell of size {sizes.min()}")
        got = sizes.sum()
        linear_fields_are_exact(lattice, output, 1 + np.abs(np.concatenate(shape.bottom())).max() * 6)
        if case.properties["HangingNodes"] != "Free":
            # No node hangs: faces of one cell alone are those on the border.
            around = border_of(output, len(shape.axes))
            check(abs(around / lattice.border() - 1) < 1e-4,
                  f"faces of one cell alone: {around}, not {lattice.border()}")
    else:
        got = (boxes.high - boxes.low)[:, shape.axes].prod(axis=1).sum()
    check(abs(got / volume - 1) < 1e-4, f"volume {got}, not {volume}")
    count(case, output, boxes)
    if case.spoiled:
        return
    told = errors_told(output)
    errors_are_right(case, lattice, output, boxes, told)
    if is_bounded(case):
        most = case.error * field_value(output, "Tolerance Scale").ToDouble()
        check(told[case.array] <= most + 1e-12, f"error {told[case.array]} of {most}")


def count(case, output, boxes):
    counts[case.kind] += 1
    moved = case.properties["CellArrays"] == "Move To Points" and output.IsA("vtkUnstructuredGrid")
    counts["moved"] += int(bool(moved))
    counts["spoiled"] += int(case.spoiled)
    counts["uneven"] += int(case.uneven)
    counts["levels"] += int(len(np.unique(np.round(boxes.high - boxes.low, 9), axis=0)) > 1)


# Each sentence that may come, and whether a case holds its reason.
SAID = {
    "not finite": (r".*not finite.*", lambda case, _: case.spoiled),
    "budget": (r"The cell budget is \d+ cells? too small for the coarsest grid that the other settings allow, and "
               r"that is what was made\.", lambda case, _: case.properties.get("CellBudget")),
    "even trees": (r"Within a tree a hyper tree grid places cells at equal distances.*", lambda case, _: case.uneven)}


def random_octrees():
    run_cases("random_octrees.py", "octrees", OctreeCase,
              lambda case, rng: run_twice("AdaptiveGrid", case, rng, SAID, check_case), few=130)


main(random_octrees)
