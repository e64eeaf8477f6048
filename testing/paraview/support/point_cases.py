# SPDX-License-Identifier: BSD-3-Clause
"""Random cases for Adaptive Point Grid, and what must come out: a tree of dicts, made point by point."""
import itertools

import numpy as np
from grid_cases import BALANCES, chance, pick
from grid_testing import GHOSTS
from pointgrid_testing import OUTPUTS, boxes, cells, cloud
from tessera_testing import add_array, check, field_value
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid

FINEST = 2 ** 20
AXES = {"Octree": (0, 1, 2), "Quadtree in XY": (0, 1), "Quadtree in YZ": (1, 2),
        "Quadtree in XZ": (0, 2)}
POINT_SENTENCES = {
    "left out": (r"1 point \(number \d+\) has a coordinate that is not finite or beyond 1e100: "
                 r"it is left out\.", lambda case, _: case.bad),
    "full": (r"(\d+) cells? .*of the highest level.* holds? more points than the maximum: they lie too close together to be told apart\.",
             lambda case, found: int(found[1]) == case.full())}
LEFT_OUT = (vtkDataSetAttributes.HIDDENPOINT, vtkDataSetAttributes.DUPLICATEPOINT)


def random_places(rng):
    """A cloud, points around spots, on a lattice, or many in few places."""
    n = int(rng.integers(1, 500))
    kind = rng.choice(["even", "crowd", "lattice", "twice"], p=[0.3, 0.4, 0.2, 0.1])
    places = rng.random((n, 3)) * rng.uniform(0.1, 5, 3) + rng.uniform(-9, 9, 3)
    if kind == "crowd":
        size = 10.0 ** rng.uniform(-4, -1, (n, 1))
        places = rng.random((3, 3))[rng.integers(3, size=n)] + rng.standard_normal((n, 3)) * size
    elif kind == "lattice":  # on borders of cells, which belong to the upper one
        places = rng.integers(0, 9, (n, 3)).astype(float)
        places[0], places[-1] = 0, 8
    elif kind == "twice":
        places = places[rng.integers(0, max(n // 20, 1), n)]
    return places.astype(np.float32).astype(float)


class PointCase:
    """`data`, `properties`, and what is due: `leaves`, of level, index and point numbers each."""

    def __init__(self, rng):
        self.places = random_places(rng)
        n = len(self.places)
        self.arrays = {"value": rng.random(n) * 20 - 10,
                       "number": rng.integers(-99, 99, n).astype(np.int16),
                       "vector": rng.random((n, 3)).astype(np.float32)}
        self.data = cloud(self.places, **self.arrays)
        keep = np.ones(n, bool)
        if chance(rng, 0.2):
            flags = np.where(rng.random(n) < 0.2, pick(rng, *LEFT_OUT), 0).astype(np.uint8)
            add_array(self.data.GetPointData(), GHOSTS, flags)
            keep = flags == 0
        self.bad = chance(rng, 0.1)
        if self.bad:
            worst = int(rng.integers(n))
            self.places[worst, rng.integers(3)] = pick(rng, np.nan, np.inf, 1e200)
            self.data = cloud(self.places, **self.arrays)
            keep = np.arange(n) != worst
        self.kept, self.refused = np.flatnonzero(keep), None
        self.choose(rng)
        if len(self.kept):
            self.make_tree()

    def choose(self, rng):
        self.most, self.deepest = int(rng.choice([1, 4, 16, 64])), int(rng.choice([20, 20, 6, 2]))
        self.spread = float(rng.uniform(1, 20)) if chance(rng, 0.2) else None
        shape = pick(rng, *AXES) if chance(rng, 0.6) else "Octree"
        self.axes = np.array(AXES[shape])
        self.properties = dict(TreeShape=shape, MaximumPointsPerCell=self.most,
                               MaximumLevel=self.deepest, Balance=pick(rng, *BALANCES),
                               OutputType=pick(rng, *OUTPUTS), OutputPrecision="Double",
                               UseSpread=int(self.spread is not None), SpreadArray="value",
                               Spread=self.spread or 1.0)

    def is_split(self, level, ids):
        if level >= self.deepest or len(ids) == 0:
            return False
        values = self.arrays["value"][ids]
        return len(ids) > self.most or (self.spread is not None and np.ptp(values) > self.spread)

    def make_tree(self):
        """Split where points ask for it, then whatever balance needs, from the finest level up."""
        x = self.places[self.kept][:, self.axes]
        self.low, self.side = x.min(axis=0), np.ptp(x, axis=0).max()
        if self.side == 0:
            self.side = max(1.0, 1e-6 * abs(self.places[self.kept]).max())
        self.at = np.clip(((x - self.low) / self.side * FINEST).astype(int), 0, FINEST - 1)
        split = [set() for _ in range(22)]
        waiting = [(0, (0,) * len(self.axes), np.arange(len(self.kept)))]
        while waiting:
            level, index, ids = waiting.pop()
            if self.is_split(level, self.kept[ids]):
                split[level].add(index)
                waiting += self.children(level, index, ids)
        apart = min(BALANCES.index(self.properties["Balance"]), len(self.axes))
        steps = [s for s in itertools.product((-1, 0, 1), repeat=len(self.axes))
                 if 0 < np.count_nonzero(s) <= apart]
        for level in range(20, 0, -1):
            for index in split[level]:
                for step in steps:
                    other = tuple(i + s for i, s in zip(index, step))
                    if all(0 <= i < 2 ** level for i in other):
                        split[level - 1].add(tuple(i // 2 for i in other))
        self.leaves = []
        self.walk(split, 0, (0,) * len(self.axes), np.arange(len(self.kept)))

    def children(self, level, index, ids):
        """In Morton order; a point on a border belongs to the upper one."""
        child = self.at[ids] >> (19 - level) & 1
        number = child @ (1 << np.arange(len(self.axes)))
        return [(level + 1, tuple(2 * i + (k >> a & 1) for a, i in enumerate(index)), ids[number == k])
                for k in range(2 ** len(self.axes))]

    def full(self):
        """Leaves of the highest level that there can be with too many points."""
        return sum(level == 20 and len(ids) > self.most for level, _, ids in self.leaves)

    def walk(self, split, level, index, ids):
        if index in split[level]:
            for child in self.children(level, index, ids):
                self.walk(split, *child)
        else:
            self.leaves.append((level, index, self.kept[ids]))


def check_points(case, output):
    """In the order of cells, and within a cell in their own."""
    ids = np.concatenate([leaf[2] for leaf in case.leaves])
    made = vtk_to_numpy(output.GetPoints().GetData())
    check(np.array_equal(made, case.places[ids]), "order of points")
    cell = np.repeat(np.arange(len(case.leaves)), [len(leaf[2]) for leaf in case.leaves])
    check(np.array_equal(vtk_to_numpy(output.GetPointData().GetArray("CellId")), cell), "CellId")
    for name, values in case.arrays.items():
        made = vtk_to_numpy(output.GetPointData().GetArray(name))
        check(made.tobytes() == values[ids].tobytes(), f"'{name}' of points")


def check_cells(case, output):
    """Places of the cells, their counts, and what their points' values make."""
    low, high = boxes(output)
    level = np.array([leaf[0] for leaf in case.leaves])
    side = case.side / 2.0 ** level
    begin = case.low + np.array([leaf[1] for leaf in case.leaves]) * side[:, None]
    near = 1e-6 * (abs(case.low).max() + case.side)
    check(len(low) == len(level) and np.array_equal(cells(output, "Level"), level), "levels of cells")
    check(abs(low[:, case.axes] - begin).max() < near, "places of cells")
    check(abs(high[:, case.axes] - begin - side[:, None]).max() < near, "sides of cells")
    count = np.array([len(leaf[2]) for leaf in case.leaves])
    check(np.array_equal(cells(output, "PointCount"), count), "numbers of points")
    check(np.allclose(cells(output, "Density"), count / side ** len(case.axes), rtol=1e-9), "densities")
    for name, values in case.arrays.items():
        for c in np.flatnonzero(count):
            inside = values[case.leaves[c][2]]
            made = [cells(output, f"{name}_{what}")[c] for what in ("mean", "least", "greatest")]
            check(np.allclose(made[0], inside.astype(float).mean(axis=0), rtol=1e-12, atol=1e-12),
                  f"mean of '{name}'")
            check(np.array_equal(made[1], inside.min(axis=0)) and
                  np.array_equal(made[2], inside.max(axis=0)), f"extremes of '{name}'")


def check_point_case(case, output, kinds):
    check(("left out" in kinds) == case.bad, "what is left out is told")
    if len(case.kept) == 0:
        check(output.GetNumberOfCells() == 0, "nothing of no points")
        return
    points = field_value(output, "Input Points").ToDouble()
    check(points == len(case.places), f"{points} points are reported, not {len(case.places)}")
    check(field_value(output, "Leaves").ToDouble() == len(case.leaves), "leaves of the report")
    if case.properties["OutputType"] == OUTPUTS[2]:
        check_points(case, output)
        return
    if output.IsA("vtkHyperTreeGrid"):
        conversion = vtkHyperTreeGridToUnstructuredGrid()
        conversion.SetInputData(output)
        conversion.Update()
        output = conversion.GetOutput()
    check_cells(case, output)
