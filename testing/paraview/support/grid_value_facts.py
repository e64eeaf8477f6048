# SPDX-License-Identifier: BSD-3-Clause
"""What must hold of the values in Adaptive Grid's outputs, whatever the case: the input's, means of
them, and the bounds of the criteria."""
import numpy as np
from grid_testing import interpolate, points_of
from grid_leaf_facts import balance_in_force, sizes_of_input
from grid_leaves import CORNERS, nodes_within
from tessera_testing import check
from vtkmodules.util.numpy_support import vtk_to_numpy


def rows(values):
    return values.reshape(len(values), -1).astype(float)


def rounding(values):
    """How far a value may be off that is rounded to the array's type."""
    finite = values[np.isfinite(values)]
    largest = float(abs(finite.astype(float)).max(initial=0.0))
    if np.issubdtype(values.dtype, np.integer):
        return 0.5 + 1e-12 * largest
    return (1e-6 if values.dtype == np.float32 else 1e-13) * largest


def finite_range(values):
    finite = values[np.isfinite(values)].astype(float)
    return (finite.min(), finite.max()) if finite.size else (0.0, 0.0)


def arrays_come_along(case, leaves):
    """With their type and components; finite, and within the range, where the input is finite."""
    for arrays, cells in ((case.points, False), (case.cells, True)):
        for name, values in arrays.items():
            if cells or leaves.whole_boxes:
                made = leaves.arrays.get(name)
            else:
                made = leaves.output.GetPointData().GetArray(name)
                made = None if made is None else vtk_to_numpy(made)
            check(made is not None, f"'{name}' is there")
            check(made.dtype == values.dtype and made.shape[1:] == values.shape[1:],
                  f"'{name}' is {made.dtype} {made.shape}, not {values.dtype} {values.shape}")
            low, high = finite_range(values)
            if np.isfinite(values.astype(float)).all() and len(made):
                check(np.isfinite(made.astype(float)).all(), f"'{name}' is finite")
                slack = rounding(values)
                check(made.min() >= low - slack and made.max() <= high + slack, f"range of '{name}'")


def points_have_the_input_s_values(case, leaves):
    """The input's own at its points, multilinear ones between; centres and points that hang on a
    coarser cell have others."""
    constrained = case.properties["HangingNodes"] == "Constrained"
    plain = leaves.plain_corners() if constrained else leaves.corners()
    at = leaves.at[plain]
    nodes = (at == np.rint(at)).all(axis=1)
    place = at[nodes].astype(int)
    number = place[:, 0] + (case.n[0] + 1) * (place[:, 1] + (case.n[1] + 1) * place[:, 2])
    for name, values in case.points.items():
        made = points_of(leaves.output, name)[plain]
        check(made[nodes].tobytes() == values[number].tobytes(), f"'{name}' at input points")
        if not nodes.all() and np.isfinite(values.astype(float)).all():
            between = interpolate(case.data, name, at + case.extent[0::2])
            off = abs(made.astype(float) - between).max()
            check(off <= rounding(values), f"'{name}' between points: off by {off}")


def centres_are_means(case, leaves):
    """The new points of conforming cells, of the corners of the leaf around them."""
    centres, mine = leaves.centres()
    if len(mine) == 0:
        return
    corner = leaves.corner_points()[mine]
    for name, values in case.points.items():
        if np.isfinite(values.astype(float)).all():
            made = rows(points_of(leaves.output, name))
            off = abs(made[centres] - made[corner].mean(axis=1)).max(axis=1)
            # Within an input cell the corners are rounded as well, after the mean is taken.
            often = np.where(leaves.level[mine] > case.coarsen, 2, 1)
            check((off <= often * rounding(values)).all(), f"'{name}' at centres: off by {off.max()}")


def no_jumps_where_points_are_constrained(case, leaves):
    """Whatever leaf a point lies in or on, that leaf's interpolant is its value."""
    for name, values in case.points.items():
        if not np.isfinite(values.astype(float)).all():
            continue
        made = rows(points_of(leaves.output, name))
        for at, interpolant in leaves.made(made):
            here = leaves.point_at(at)
            jump = abs(interpolant - made[here])[here >= 0].max(initial=0.0)
            check(jump <= 4 * rounding(values), f"a jump of {jump} in '{name}'")


def cells_have_means(case, leaves):
    """By size, over the input cells in a leaf; point arrays by the means of each cell's corners."""
    if case.bent:
        return
    arrays = {name: rows(values) for name, values in case.cells.items()}
    if leaves.whole_boxes:
        for name, values in case.points.items():
            arrays[name] = case.corners_of_cells(rows(values)).mean(axis=1)
    weight = sizes_of_input(case).ravel()
    n = np.maximum(case.n, 1)
    low, high = np.floor(leaves.low), np.maximum(np.ceil(leaves.high) - 1, np.floor(leaves.low))
    for mine, cells in nodes_within(low, high):
        number = cells[..., 0] + n[0] * (cells[..., 1] + n[1] * cells[..., 2])
        w = weight[number][..., None] / weight[number].sum(axis=1)[:, None, None]
        for name, values in arrays.items():
            if name in case.points and (leaves.level[mine] > case.coarsen).any():
                continue  # a part of a cell has a mean of its own
            mean = (w * values[number]).sum(axis=1)
            off = abs(rows(leaves.arrays[name][leaves.first[mine]]) - mean)
            off = off[np.isfinite(mean)].max(initial=0.0)
            slack = 2 * rounding(case.array(name))
            if case.kind == "structured":  # sizes from corners in single precision
                slack += 1e-5 * abs(values[np.isfinite(values)]).max(initial=0.0)
            check(off <= slack, f"mean of '{name}' off by {off}")
    check(all(np.array_equal(a, a[leaves.first][leaves.of_cell], equal_nan=a.dtype.kind == "f")
              for a in leaves.arrays.values()), "parts have the values of their leaf")


def values_in(case, name, low, high, values):
    """For boxes of a size at a time: which, and the values of the input in them (box, value, column)."""
    points = case.n + 1 if name in case.points else np.maximum(case.n, 1)
    last = high if name in case.points else np.maximum(high - 1, low)
    for mine, at in nodes_within(low, last):
        yield mine, values[at[..., 0] + points[0] * (at[..., 1] + points[1] * at[..., 2])]


def leaf_errors(case, name, low, high):
    """The largest difference in nodes to the interpolation of the input from their corners."""
    values = case.component_of(case.points[name], joint=True)
    n = case.n + 1
    error = np.zeros(len(low))
    for mine, at in nodes_within(low, high):
        corner = np.where(CORNERS, high[mine][:, None], low[mine][:, None]).astype(int)
        ids, own = (x[..., 0] + n[0] * (x[..., 1] + n[1] * x[..., 2]) for x in (corner, at))
        weights = case.weights(at, low[mine], high[mine])
        error[mine] = abs(weights @ values[ids] - values[own]).max(axis=(1, 2))
    return error


def ranges(case, name, low, high, joint=False):
    """The largest minus the smallest value in nodes; joint: of each component."""
    values = case.component_of(case.array(name), joint)
    result = np.zeros(len(low))
    for mine, inside in values_in(case, name, low, high, values):
        result[mine] = (inside.max(axis=1) - inside.min(axis=1)).max(axis=1)
    return result


def largest_gradients(case, name, low, high):
    """Per index, at the middle of the input cells in nodes."""
    corner = case.corners_of_cells(case.component_of(case.points[name]))[..., 0]
    n = np.count_nonzero(case.n)
    up = np.arange(2 ** n)[:, None] >> np.arange(n)[::-1] & 1  # as corners_of_cells has them
    slope = np.stack([corner @ np.where(up[:, a], 1.0, -1.0) for a in range(n)], axis=1) / 2 ** (n - 1)
    size = np.sqrt((slope ** 2).sum(axis=1))
    result, cells = np.zeros(len(low)), np.maximum(case.n, 1)
    for mine, at in nodes_within(low, np.maximum(high - 1, low)):
        result[mine] = size[at[..., 0] + cells[0] * (at[..., 1] + cells[1] * at[..., 2])].max(axis=1)
    return result


def deviations(case, name, low, high):
    values = case.component_of(case.array(name))
    cells = case.corners_of_cells(values)[..., 0] if name in case.points else values
    result = np.zeros(len(low))
    n = np.maximum(case.n, 1)
    for mine, at in nodes_within(low, np.maximum(high - 1, low)):
        number = at[..., 0] + n[0] * (at[..., 1] + n[1] * at[..., 2])
        result[mine] = cells[number].reshape(len(mine), -1).std(axis=1)
    return result


def the_guarantee_holds(case, leaves, scale):
    """Interpolation Error: at every input point in every cell, as the cells interpolate; of trees and
    blocks the largest minus the smallest value in leaves that are larger than input cells."""
    for name in case.arrays:
        if "InterpolationError" not in case.used or name not in case.points:
            continue
        limit = case.properties["InterpolationError"] * case.spread(name, True) * scale
        values = case.points[name]
        slack = 64 * np.finfo(float).eps * max(map(abs, finite_range(values)))
        if case.parts_are_due:  # centres are looked at before they are rounded
            slack += rounding(values)
        if limit == 0:  # a range of 0 refines nothing
            continue
        if leaves.whole_boxes:
            large = leaves.level < case.coarsen
            worst = ranges(case, name, leaves.low[large], leaves.high[large], True).max(initial=0.0)
        else:
            worst, columns = 0.0, case.columns(name)
            made = rows(points_of(leaves.output, name))[:, columns]
            exact = rows(values)[:, columns]
            for at, interpolant in leaves.made(made):
                with np.errstate(invalid="ignore"):
                    off = abs(interpolant - exact[case.number_of(at)])
                off = off[np.isfinite(exact[case.number_of(at)])]
                check(np.isfinite(off).all(), f"'{name}': an interpolant that is not finite")
                worst = max(worst, off.max(initial=0.0))
        check(worst <= limit * (1 + 1e-9) + slack, f"'{name}': error {worst}, not {limit}")


def the_criteria_hold(case, leaves, scale):
    """Value Range in every leaf that could be divided; Array In Range: the finest level where the array
    reaches into it; a value that is not finite: no leaf larger than an input cell."""
    large = leaves.level < case.coarsen + (case.refine > 0)
    large &= leaves.level <= case.coarsen
    low, high = leaves.low[large], leaves.high[large]
    alone = not balance_in_force(case) and not case.properties["BufferCells"] and not leaves.whole_boxes
    for name in case.arrays:
        limit = case.spread(name, False) * scale
        if limit == 0:
            continue
        slack = 64 * np.finfo(float).eps * max(map(abs, finite_range(case.array(name))))
        if "ValueRange" in case.used:
            within = ranges(case, name, low, high)
            worst = within[np.isfinite(within)].max(initial=0.0)
            check(worst <= limit * case.properties["ValueRange"] * (1 + 1e-9) + slack,
                  f"range of '{name}': {worst}")
        if "StandardDeviation" in case.used and alone:
            off = deviations(case, name, low, high)
            worst = off[np.isfinite(off)].max(initial=0.0)
            check(worst <= limit * case.properties["StandardDeviation"] * (1 + 1e-9) + slack,
                  f"deviation of '{name}': {worst}")
        if "Gradient" in case.used and name in case.points:
            steep = largest_gradients(case, name, low, high) * leaves.side[large]
            worst = steep[np.isfinite(steep)].max(initial=0.0)
            check(worst <= limit * case.properties["Gradient"] * (1 + 1e-9) + slack * 32,
                  f"gradient of '{name}': {worst}")
        if "ValueRange" in case.used:
            the_buffer_is_fine(case, leaves, name, limit * case.properties["ValueRange"] + slack)
        if "ArrayInRange" in case.used:
            the_range_is_fine(case, leaves, name)
        if name in case.looked_at():
            coarse = leaves.level < case.coarsen
            values = case.component_of(case.array(name), True)
            for _, inside in values_in(case, name, leaves.low[coarse], leaves.high[coarse], values):
                check(np.isfinite(inside).all(), f"'{name}' is not finite in a large leaf")


def the_buffer_is_fine(case, leaves, name, limit):
    """Nodes whose values are further apart than that are refined, and so many nodes around each."""
    of_place, parts, buffer = leaves.lattice()[0], 2 ** case.refine, case.properties["BufferCells"]
    level_at = np.where(of_place >= 0, leaves.level[of_place], 99)
    for level in range(case.coarsen + (case.refine > 0)):
        side = 2 ** (case.coarsen - level)
        count = np.maximum(-(-case.n // side), 1)
        low = np.array(list(np.ndindex(*count)), float) * side
        high = np.minimum(low + side, case.n)
        apart = ranges(case, name, low, high)
        due = (apart > limit * (1 + 1e-9)) & np.isfinite(apart)
        for mine, hidden in values_in(case, "", low, high, case.hidden.ravel()):
            due[mine] &= ~hidden.any(axis=1)  # values there do not count
        due = due.reshape(count)
        for axis in range(3):
            wide = np.pad(due, [(buffer, buffer) if a == axis else (0, 0) for a in range(3)])
            due = np.any([np.take(wide, np.arange(k, k + count[axis]), axis)
                          for k in range(2 * buffer + 1)], axis=0)
        for axis in np.flatnonzero(case.n):
            due = np.take(np.repeat(due, side * parts, axis), np.arange(level_at.shape[axis]), axis)
        check((level_at[due] > level).all(), f"coarse leaves within the buffer of '{name}'")


def indicators_are_at_most_1(case, leaves):
    """Where a leaf could be divided, and no criterion can be more in a part of a node than in it."""
    indicator = leaves.arrays.get("Indicator")
    check((indicator is not None) == bool(case.properties["GenerateIndicator"]), "Indicator")
    if indicator is not None and set(case.used) <= {"ValueRange", "InterpolationError", "Gradient"}:
        check((indicator >= 0).all(), "indicators below 0")
        worst = indicator[leaves.first[leaves.level < case.coarsen]].max(initial=0.0)
        check(worst <= 1 + 1e-9, f"a leaf that could be divided has the indicator {worst}")


def the_range_is_fine(case, leaves, name):
    values = case.component_of(case.array(name))
    if case.array(name).ndim > 1 and case.properties["Component"] < 0:
        return  # of lengths: what lies between points is the core's own matter
    low, high = case.properties["ArrayInRange"]
    if case.properties["ThresholdMode"] != "Absolute":
        least, most = finite_range(values)
        low, high = (least + x * (most - least) for x in (low, high))
    inner = 1e-9 * (abs(low) + abs(high))
    level = np.full(case.hidden.size, 99)
    cells = case.corners_of_cells(values)[..., 0] if name in case.points else values
    reaches = (cells.max(axis=1) > low + inner) & (cells.min(axis=1) < high - inner)
    reaches &= ~case.hidden.ravel() & np.isfinite(cells).all(axis=1)
    n = np.maximum(case.n, 1)
    first, last = np.floor(leaves.low), np.maximum(np.ceil(leaves.high) - 1, np.floor(leaves.low))
    for mine, at in nodes_within(first, last):
        np.minimum.at(level, at[..., 0] + n[0] * (at[..., 1] + n[1] * at[..., 2]),
                      np.broadcast_to(leaves.level[mine][:, None], at.shape[:2]))
    due = case.coarsen + (case.refine if name in case.cells else 0)
    check((level[reaches] >= due).all(), f"coarse leaves where '{name}' is in range")


def nothing_else_is_refined(case, leaves):
    """Where one of two criteria is all there is: the node above each leaf is beyond a threshold."""
    p = case.properties
    if balance_in_force(case) or p["BufferCells"] or "CellBudget" in p or "UseRegion" in p:
        return
    if not set(case.used) <= {"ValueRange", "InterpolationError"} or leaves.whole_boxes:
        return
    if not all(np.isfinite(case.array(name).astype(float)).all() for name in case.arrays):
        return
    child = (leaves.level > 0) & (leaves.level <= case.coarsen)
    side = 2 * leaves.side[child][:, None]
    low = np.floor(leaves.low[child] / side) * side
    low[:, case.n == 0] = 0
    node = np.unique(np.concatenate([low, side], axis=1), axis=0)
    low, high = node[:, :3], np.minimum(node[:, :3] + node[:, 3:], case.n)
    due = np.zeros(len(low), bool)
    for mine, hidden in values_in(case, "", low, high, case.hidden.ravel()):
        due[mine] = hidden.any(axis=1)
    for name in case.arrays:
        if "ValueRange" in case.used:
            limit = p["ValueRange"] * case.spread(name, False)
            due |= ranges(case, name, low, high) > limit * (1 - 1e-9)
        if "InterpolationError" in case.used and name in case.points:
            limit = p["InterpolationError"] * case.spread(name, True)
            due |= leaf_errors(case, name, low, high) > limit * (1 - 1e-9)
    check(due.all(), f"{np.count_nonzero(~due)} nodes are divided that no criterion asks to divide")
