# SPDX-License-Identifier: BSD-3-Clause
"""What must hold of the cells of Adaptive Grid's outputs, whatever the case: places, levels, sizes."""
import numpy as np
from grid_cases import BALANCES
from grid_leaves import FACES, VTK_POLYGON, VTK_PYRAMID, VTK_TETRA, VTK_TRIANGLE
from tessera_testing import check
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_DOUBLE, VTK_FLOAT
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter

SIZES = (None, "Length", "Area", "Volume")


def leaves_cover_what_is_visible(case, leaves):
    """Each visible input cell lies in one leaf, no hidden one in any."""
    of_place, count = leaves.lattice()
    check(np.array_equal(count, leaves.visible()), "visible cells lie in one leaf, hidden ones in none")
    if not case.parts_are_due:
        check(len(leaves.of_cell) == len(leaves.low), "each leaf is one cell")
    return of_place


def levels_are_those_of_the_kind(case, leaves):
    kind, finest = case.properties["GridType"], case.coarsen + case.refine
    if kind == "Fixed Fine":
        check((leaves.level == finest).all(), "the finest level everywhere")
    plain = case.properties["OutputType"] == "Unstructured Grid" and not case.hidden.any()
    if kind == "Fixed Coarse" and plain:
        check((leaves.level == 0).all(), "roots only")


def balance_in_force(case):
    """How many axes neighbours may be apart along, of those that may differ by one level at most."""
    asked = BALANCES.index(case.properties["Balance"])
    if case.properties["OutputType"] == "Overlapping AMR":
        return 3
    return max(asked, 2 if case.dimension == 3 else 1) if case.parts_are_due else asked


def neighbours_differ_by_one_level(case, leaves, of_place):
    level = np.where(of_place >= 0, leaves.level[of_place], -1)
    for step in np.ndindex(3, 3, 3):
        step = np.array(step) - 1
        apart = np.count_nonzero(step)
        if not 0 < apart <= balance_in_force(case) or any(step[case.n == 0]):
            continue
        here, there = (tuple(slice(max(s, 0), n + min(s, 0)) for s, n in zip(sign * step, level.shape))
                       for sign in (1, -1))
        a, b = level[here], level[there]
        check((abs(a - b)[(a >= 0) & (b >= 0)] <= 1).all(), f"levels of neighbours towards {step}")


def parts_fill_their_leaves(case, leaves):
    """Sizes in index space add up to the leaf's, no part is turned over, none leaves its leaf."""
    total = np.zeros(len(leaves.low))
    whole = ~leaves.is_cut()
    np.add.at(total, leaves.of_cell[whole], leaves.volume()[leaves.of_cell[whole]])
    for kind in (VTK_TRIANGLE, VTK_TETRA, VTK_PYRAMID):
        cells, ids = leaves.parts(kind)
        if len(ids) == 0:
            continue
        p = leaves.at[ids]
        leaf = leaves.of_cell[cells]
        check((p >= leaves.low[leaf][:, None]).all() and (p <= leaves.high[leaf][:, None]).all(),
              "parts lie in their leaf")
        side = np.cross(p[:, 1] - p[:, 0], p[:, 3 if kind == VTK_PYRAMID else 2] - p[:, 0])
        if kind == VTK_TRIANGLE:
            size = np.linalg.norm(side, axis=1) / 2
        else:
            size = (side * (p[:, -1] - p[:, 0])).sum(axis=1) / (6 if kind == VTK_TETRA else 3)
            size *= case.hand()
        check((size > 0).all(), "no part is turned over or flat")
        np.add.at(total, leaf, size)
    check(np.allclose(total, leaves.volume(), rtol=1e-9), "parts fill their leaf")


def faces_of(leaves):
    """The points of each face of each cell, rows of 4: the fewer there are, the more are -1."""
    if (leaves.types == VTK_POLYGON).any():
        following = np.arange(1, len(leaves.ids) + 1)
        following[leaves.offsets[1:] - 1] = leaves.offsets[:-1]
        ids = np.stack([leaves.ids, leaves.ids[following]], axis=1)
        return np.concatenate([np.full(ids.shape, -1), np.sort(ids, axis=1)], axis=1)
    faces = []
    for kind in np.unique(leaves.types):
        mine = np.flatnonzero(leaves.types == kind)
        for face in FACES[kind]:
            ids = leaves.ids[leaves.offsets[mine][:, None] + np.array(face)]
            missing = np.full((len(ids), 4 - ids.shape[1]), -1)
            faces.append(np.concatenate([missing, np.sort(ids, axis=1)], axis=1))
    return np.concatenate(faces)


def faces_meet(case, leaves):
    """A face belongs to two cells, or to one where beyond it there is nothing that is visible."""
    unique, count = np.unique(faces_of(leaves), axis=0, return_counts=True)
    check(count.max() <= 2, "a face belongs to two cells at most")
    points = np.where(unique[..., None] < 0, np.nan, leaves.at[unique])[count == 1]
    middle, low, high = (f(points, axis=1) for f in (np.nanmean, np.nanmin, np.nanmax))
    flat = (low == high) & (case.n > 0)
    check((flat.sum(axis=1) >= 1).all(), "open faces lie on sides of leaves")
    parts, visible = 2 ** case.refine, np.pad(leaves.visible(), 1)
    axis = np.argmax(flat, axis=1) if case.dimension > 1 else np.full(len(flat), np.argmax(case.n > 0))
    beside = []
    for sign in (-0.25, 0.25):
        place = middle * parts
        place[np.arange(len(place)), axis] += sign
        beside.append(visible[tuple((np.floor(place).astype(int) + 1)[:, a] if case.n[a] else 1
                                    for a in range(3))])
    check((beside[0] != beside[1]).all(), f"{np.count_nonzero(beside[0] == beside[1])} open faces")


def sizes_of_input(case):
    """Length, area or volume of each input cell (k j i), of those that are not bent."""
    size = np.ones(case.hidden.shape)
    if case.kind == "structured":
        first = np.array(case.data.GetPoint(0))
        steps = [np.array(case.data.GetPoint(int(np.prod((case.n + 1)[:a])))) - first
                 for a in range(3) if case.n[a]]
        gram = np.array(steps) @ np.array(steps).T
        return size * np.sqrt(np.linalg.det(gram))
    for a in np.flatnonzero(case.n):
        size = size * abs(np.diff(case.axes()[a])).reshape([-1 if 2 - a == b else 1 for b in range(3)])
    return size


def measured(data):
    sizes = vtkCellSizeFilter()
    sizes.SetInputDataObject(data)
    sizes.Update()
    return sizes.GetOutputDataObject(0).GetCellData()


def size_is_that_of_the_input(case, leaves):
    """As VTK measures the cells of the output; a curved grid's corners are cut."""
    if case.bent:
        return
    if leaves.moved and case.hidden.any():
        return  # the hidden cells have moved as well
    expected = (sizes_of_input(case) * ~case.hidden).sum()
    if leaves.whole_boxes:
        d = (leaves.box_high - leaves.box_low)[:, case.n > 0]
        got = abs(d.prod(axis=1)).sum()
    else:
        sizes = vtk_to_numpy(measured(leaves.output).GetArray(SIZES[case.dimension]))
        got = abs(sizes).sum()
        check(case.dimension < 3 or case.kind == "structured" or (sizes > 0).all(), "cells inside out")
    # VTK makes points of trees in single precision.
    single = leaves.output.IsA("vtkHyperTreeGrid") or (
        not leaves.whole_boxes and leaves.output.GetPoints().GetDataType() == VTK_FLOAT)
    near = 2e-4 if single or case.kind == "structured" else 1e-9
    check(abs(got - expected) <= near * expected, f"size {got}, not {expected}")


def points_lie_in_the_bounds(case, leaves):
    """And are of the type that was asked for."""
    points = leaves.output.GetPoints()
    if points.GetNumberOfPoints() == 0:
        return
    wide = case.kind != "structured" or case.data.GetPoints().GetDataType() == VTK_DOUBLE
    wide = {"Same as Input": wide, "Single": False, "Double": True}[case.properties["OutputPrecision"]]
    check(points.GetDataType() == (VTK_DOUBLE if wide else VTK_FLOAT), "type of the points")
    xyz = vtk_to_numpy(points.GetData())
    b = np.reshape(case.data.GetBounds(), (3, 2))
    slack = (1e-12 if wide else 3e-7) * (1 + abs(b).max())
    check((xyz >= b[:, 0] - slack).all() and (xyz <= b[:, 1] + slack).all(), "points beside the bounds")
    nodes = np.flatnonzero((leaves.at == np.rint(leaves.at)).all(axis=1))
    number = case.number_of(leaves.at[nodes]).astype(int).tolist()
    exact = np.array([case.data.GetPoint(k) for k in number])
    off = nodes[(abs(xyz[nodes] - exact) > slack).any(axis=1)]
    off = off[np.isin(off, leaves.plain_corners())]  # centres are the middle of a leaf's corners
    check(len(off) == 0, f"{len(off)} points of the input lie elsewhere")


def what_level_the_region_bounds(case, leaves):
    """No leaf is finer than the criteria may make it, where nothing else refines."""
    p = case.properties
    if "UseRegion" not in p or p["GridType"] != "Adaptive" or case.hidden.any() or p["BufferCells"]:
        return
    if p["OutputType"] != "Unstructured Grid" or balance_in_force(case):
        return
    check(leaves.level.max() <= max(p["LevelInside"], p["LevelOutside"]), "a level beyond both bounds")
    if case.kind == "structured" or case.turned:
        return
    side = 2 * leaves.side[:, None]
    low = np.floor(leaves.low / side) * side
    high = np.minimum(low + side, case.n)
    outside = np.zeros(len(low), bool)  # of the parents: well beside the box along an axis
    for a in np.flatnonzero(case.n):
        x = case.axes()[a]
        ends = np.sort([x[np.maximum(low[:, a] - 1, 0).astype(int)],
                        x[np.minimum(np.ceil(high[:, a]) + 1, case.n[a]).astype(int)]], axis=0)
        outside |= (ends[0] > p["Region"][2 * a + 1]) | (ends[1] < p["Region"][2 * a])
    check((leaves.level[outside] <= p["LevelOutside"]).all(), "leaves outside are finer than bounded")


def the_budget_holds(case, leaves, noted):
    p = case.properties
    if p["GridType"] == "Adaptive" and p.get("CellBudget") and not noted:
        check(len(leaves.low) <= p["CellBudget"], f"{len(leaves.low)} leaves")


def source_cells_are_the_first(case, leaves):
    if case.properties["GenerateSourceCell"]:
        first = np.floor(leaves.low).astype(int)
        n = np.maximum(case.n, 1)
        expected = first[:, 0] + n[0] * (first[:, 1] + n[1] * first[:, 2])
        check(np.array_equal(leaves.arrays["SourceCell"], expected[leaves.of_cell]), "SourceCell")
