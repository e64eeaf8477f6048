# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid and Adaptive Point Grid on random inputs with random properties: what the documents
promise, in numpy and VTK.

    random_grids.py [CASES] [SEED] [FIRST]

makes the cases FIRST, FIRST + 1 ... of a seed, each from its two numbers alone; `1 SEED CASE` makes one
again. What fails is printed with its numbers, and the rest goes on.
"""
import numpy as np
from grid_cases import OF_FLOWS, GridCase
from grid_leaf_facts import (balance_in_force, faces_meet, leaves_cover_what_is_visible,
                        levels_are_those_of_the_kind, neighbours_differ_by_one_level,
                        parts_fill_their_leaves, points_lie_in_the_bounds, size_is_that_of_the_input,
                        source_cells_are_the_first, the_budget_holds, what_level_the_region_bounds)
from grid_leaves import Leaves
from point_cases import POINT_SENTENCES, PointCase, check_point_case
from random_testing import counts, run_cases, run_twice
from tessera_testing import check, field_value, main
from grid_value_facts import (arrays_come_along, cells_have_means, centres_are_means,
                              indicators_are_at_most_1, no_jumps_where_points_are_constrained,
                              nothing_else_is_refined, points_have_the_input_s_values, rounding, rows,
                              the_criteria_hold, the_guarantee_holds)
from vtkmodules.util.numpy_support import vtk_to_numpy

OF_VALUES = {"InterpolationError", "ValueRange", "StandardDeviation", "ArrayInRange"}


def cells_that_are_not_finite(case):
    """Visible ones, of the criteria's array that has most; and that of the velocity."""
    looked_at = [(name, case.component_of(case.array(name), True)) for name in case.looked_at()]
    if set(case.used) & set(OF_FLOWS):
        name = case.properties["VelocityArray"]
        looked_at.append((name, rows(case.array(name))))
    most = 0
    for name, values in looked_at:
        bad = ~np.isfinite(values).all(axis=1)
        bad = (case.touched(bad.reshape(case.n[::-1] + 1)) if name in case.points else
               bad.reshape(case.hidden.shape))
        most = max(most, np.count_nonzero(bad & ~case.hidden))
    return most


def is_number_right(case, found):
    """Derivatives look further than the cell."""
    most = cells_that_are_not_finite(case)
    return int(found[1]) == most or (most > 0 and not set(case.used) <= OF_VALUES)


# Each sentence that may come, and whether a case holds its reason.
SENTENCES = {
    "not finite": (r"(\d+) input cells? \(.*not finite: (it is|they are) kept at input level\.",
                   is_number_right),
    "budget": (r"The cell budget is \d+ cells? too small for the coarsest grid that the other settings "
               r"allow, and that is what was made\.", lambda case, _: case.properties.get("CellBudget")),
    "uneven": (r"Within a tree a hyper tree grid places cells at equal distances.*",
               lambda case, _: case.kind == "rectilinear"),
    "region": (r"The region touches no cell of the input; Level Outside holds everywhere\.",
               lambda case, _: case.properties.get("UseRegion"))}


def the_report_says_what_came_out(case, leaves):
    number = lambda name: field_value(leaves.output, name).ToDouble()
    check(number("Leaves") == len(leaves.low), f"{number('Leaves')} leaves are reported")
    fine = leaves.visible().sum()
    out = len(leaves.of_cell)
    check(number("Fine Cells") == fine, f"{number('Fine Cells')} fine cells are reported, not {fine}")
    check(abs(number("Saving") - (1 - out / fine)) < 1e-12, f"a saving of {number('Saving')}")
    check(number("Input Cells") == case.hidden.size, f"{number('Input Cells')} input cells are reported")
    if not leaves.whole_boxes:
        check(number("Cells") == out, f"{number('Cells')} cells are reported")
        check(number("Points") == len(leaves.at), f"{number('Points')} points are reported")
    levels = leaves.output.GetFieldData().GetAbstractArray("Tessera Leaves Of Level")
    check(np.array_equal(vtk_to_numpy(levels), np.bincount(
        leaves.level, minlength=case.coarsen + case.refine + 1)), "leaves of each level")
    names = leaves.output.GetFieldData().GetAbstractArray("Tessera Error Arrays")
    check((names is not None) == bool(case.properties["MeasureErrors"]), "errors on request")
    if names:
        errors = vtk_to_numpy(leaves.output.GetFieldData().GetArray("Tessera Largest Errors"))
        the_errors_are_right(case, leaves, {names.GetValue(i): errors[i] for i in range(len(errors))})


def the_errors_are_right(case, leaves, reported):
    """Of cell arrays in every kind of output, of point arrays at the input points in the cells."""
    at = np.argwhere(case.hidden.transpose(2, 1, 0) == 0)
    n = np.maximum(case.n, 1)
    leaf = leaves.lattice()[0][tuple((at * np.where(case.n > 0, 2 ** case.refine, 1)).T)]
    number = at[:, 0] + n[0] * (at[:, 1] + n[1] * at[:, 2])
    for name, values in case.cells.items():
        off = abs(rows(leaves.arrays[name])[leaves.first[leaf]] - rows(values)[number])
        worst = off[np.isfinite(off)].max(initial=0.0)
        check(abs(worst - reported[name]) <= 2 * rounding(values),
              f"error of '{name}' {reported[name]}, not {worst}")
    if leaves.whole_boxes or case.properties["HangingNodes"] not in ("Free", "Conforming"):
        return
    for name, values in case.points.items():
        if not np.isfinite(values.astype(float)).all():
            continue
        made = rows(vtk_to_numpy(leaves.output.GetPointData().GetArray(name)))
        worst = max((abs(interpolant - rows(values)[case.number_of(at)]).max(initial=0.0)
                     for at, interpolant in leaves.made(made)), default=0.0)
        check(abs(worst - reported[name]) <= 2 * rounding(values),
              f"error of '{name}' {reported[name]}, not {worst}")


def check_unstructured(case, leaves):
    points_lie_in_the_bounds(case, leaves)
    points_have_the_input_s_values(case, leaves)
    hanging = case.properties["HangingNodes"]
    if hanging == "Conforming":
        parts_fill_their_leaves(case, leaves)
        centres_are_means(case, leaves)
    if hanging in ("Conforming", "Polygons (2D)"):
        faces_meet(case, leaves)
    if hanging == "Constrained":
        no_jumps_where_points_are_constrained(case, leaves)


def check_case(case, output, kinds):
    """Everything that is promised of an output."""
    if case.properties["GridType"] == "Adaptive" and cells_that_are_not_finite(case):
        check("not finite" in kinds, "nothing is said of values that are not finite")
    if case.hidden.all():
        check(output.GetNumberOfCells() == 0 or output.IsA("vtkHyperTreeGrid"), "nothing is visible")
        return
    uneven = "uneven" in kinds
    leaves = Leaves(case, output, uneven)
    size_is_that_of_the_input(case, leaves)
    arrays_come_along(case, leaves)
    if uneven:
        return
    counts["outputs of several levels"] += int(np.ptp(leaves.level) > 0)
    counts["outputs with parts"] += int(leaves.is_cut().any())
    of_place = leaves_cover_what_is_visible(case, leaves)
    levels_are_those_of_the_kind(case, leaves)
    neighbours_differ_by_one_level(case, leaves, of_place)
    what_level_the_region_bounds(case, leaves)
    the_budget_holds(case, leaves, "budget" in kinds)
    source_cells_are_the_first(case, leaves)
    cells_have_means(case, leaves)
    the_report_says_what_came_out(case, leaves)
    if not leaves.whole_boxes:
        check_unstructured(case, leaves)
    scale = field_value(output, "Tolerance Scale").ToDouble()
    bounded = case.properties["GridType"] == "Adaptive" and "UseRegion" not in case.properties
    if bounded and np.isfinite(scale):
        if case.properties["HangingNodes"] in ("Free", "Conforming") or leaves.whole_boxes:
            the_guarantee_holds(case, leaves, scale)
        the_criteria_hold(case, leaves, scale)
        indicators_are_at_most_1(case, leaves)
        nothing_else_is_refined(case, leaves)


def random_grids():
    run_cases("random_grids.py", "grids", GridCase,
              lambda case, rng: run_twice("AdaptiveGrid", case, rng, SENTENCES, check_case))


def random_point_grids():
    run_cases("random_grids.py", "point grids", PointCase, lambda case, rng: run_twice(
        "AdaptivePointGrid", case, rng, POINT_SENTENCES, check_point_case))


main(random_grids, random_point_grids)
