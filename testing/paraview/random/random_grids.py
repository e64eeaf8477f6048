# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid on random inputs with random properties: what the documents promise, in numpy and VTK.

    random_grids.py [CASES] [SEED] [FIRST]

makes the cases FIRST, FIRST + 1 ... of a seed, each from its two numbers alone; `1 SEED CASE` makes one
again. What fails is printed with its numbers, and the rest goes on.
"""
import collections
import re
import sys
import traceback

import numpy as np
from grid_cases import GridCase
from grid_testing import Boxes, points_of
from grid_leaf_facts import (balance_in_force, faces_meet, leaves_cover_what_is_visible,
                        levels_are_those_of_the_kind, neighbours_differ_by_one_level,
                        parts_fill_their_leaves, points_lie_in_the_bounds, size_is_that_of_the_input,
                        source_cells_are_the_first, the_budget_holds, what_level_the_region_bounds)
from grid_leaves import Leaves
from tessera_testing import cell_types, check, field_value, main, messages, say, simple, source_of
from grid_value_facts import (arrays_come_along, cells_have_means, centres_are_means,
                         no_jumps_where_points_are_constrained, nothing_else_is_refined,
                         points_have_the_input_s_values, rounding, rows, the_criteria_hold,
                         the_guarantee_holds)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkCommonDataModel import vtkDataObject

NUMBERS = [int(a) for a in sys.argv[1:]] + [150, 1, 0][len(sys.argv) - 1:]
# Each sentence that may come, and the reason that a case must hold for it.
SENTENCES = {
    "not finite": (r"(\d+) input cells? \(.*not finite: (it is|they are) kept at input level\.",
                   lambda case: not all(np.isfinite(case.array(n).astype(float)).all()
                                        for n in case.arrays + [case.properties["VelocityArray"]] if n)),
    "budget": (r"The cell budget is \d+ cells? too small for the coarsest grid that the other settings "
               r"allow, and that is what was made\.", lambda case: case.properties.get("CellBudget")),
    "uneven": (r"Within a tree a hyper tree grid places cells at equal distances.*",
               lambda case: case.kind == "rectilinear"),
    "region": (r"The region touches no cell of the input; Level Outside holds everywhere\.",
               lambda case: case.properties.get("UseRegion"))}
counts = collections.Counter()


def kinds_of(case, text):
    """Of what was said; any other sentence, or one without its reason, is a failure."""
    kinds = set()
    for sentence in re.findall(r"vtkAdaptiveGrid \([^)]*\): (.*)", text):
        fitting = [kind for kind, (words, _) in SENTENCES.items() if re.fullmatch(words, sentence)]
        check(fitting and SENTENCES[fitting[0]][1](case), f"unexpected message: {sentence}")
        kinds.add(fitting[0])
    check(bool(kinds) == bool(text.strip()), f"unexpected message: {text}")
    counts.update(kinds)
    return kinds


def everything_in(output):
    """All bytes of an output, but for the seconds and threads of the report."""
    found = []
    parts = [output]
    if output.IsA("vtkOverlappingAMR"):
        parts = [output.GetDataSet(level, i) for level in range(output.GetNumberOfLevels())
                 for i in range(output.GetNumberOfDataSets(level))]
    for data in parts:
        for attributes in map(data.GetAttributes, (vtkDataObject.POINT, vtkDataObject.CELL)):
            if attributes:
                found += [(attributes.GetArrayName(i), vtk_to_numpy(attributes.GetArray(i)).tobytes())
                          for i in range(attributes.GetNumberOfArrays())]
        if data.IsA("vtkUnstructuredGrid") and data.GetNumberOfPoints():
            for array in (data.GetPoints().GetData(), data.GetCells().GetConnectivityArray(),
                          data.GetCells().GetOffsetsArray()):
                found.append(vtk_to_numpy(array).tobytes())
            found.append(cell_types(data).tobytes())
        elif data.IsA("vtkHyperTreeGrid"):
            boxes = Boxes(data)
            found += [boxes.low.tobytes(), boxes.high.tobytes()]
        elif data.IsA("vtkImageData"):
            found.append((data.GetOrigin(), data.GetSpacing(), data.GetExtent()))
    fields = output.GetFieldData()
    for i in range(fields.GetNumberOfArrays()):
        array = fields.GetAbstractArray(i)
        if "Seconds" not in array.GetName() and "Threads" not in array.GetName():
            found.append((array.GetName(), [array.GetVariantValue(k).ToString()
                                            for k in range(array.GetNumberOfValues())]))
    return found


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
    check((names is not None) == bool(case.properties["MeasureErrors"]), "errors where they are asked for")
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
        faces_meet(case, leaves)
        centres_are_means(case, leaves)
    if hanging == "Constrained":
        no_jumps_where_points_are_constrained(case, leaves)


def check_case(case, output, kinds):
    """Everything that is promised of an output."""
    if case.hidden.all():
        check(output.GetNumberOfCells() == 0 or output.IsA("vtkHyperTreeGrid"), "nothing is visible")
        return
    uneven = "uneven" in kinds
    leaves = Leaves(case, output, uneven)
    size_is_that_of_the_input(case, leaves)
    arrays_come_along(case, leaves)
    if uneven:
        return
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
        nothing_else_is_refined(case, leaves)


def run_case(case, rng):
    """Twice, with different numbers of threads: the same bytes."""
    source = source_of(case.data)
    messages()
    threads = [1, 3] if rng.random() < 0.5 else [3, 1]
    proxy = simple.AdaptiveGrid(Input=source, Threads=threads[0], **case.properties)
    try:
        proxy.UpdatePipeline()
        text = messages()
        output = proxy.GetClientSideObject().GetOutputDataObject(0)
        if case.refused:
            check(text.count("vtkAdaptiveGrid (") == 1 and case.refused in text,
                  f"not '{case.refused}', but: {text}")
            check(output.GetNumberOfCells() == 0, "an empty output")
            counts["refused"] += 1
            return
        kinds = kinds_of(case, text)
        check_case(case, output, kinds)
        before = everything_in(output)
        proxy.Threads = threads[1]
        proxy.UpdatePipeline()
        check(messages().count("vtkAdaptiveGrid (") == len(kinds), "other messages with other threads")
        after = everything_in(proxy.GetClientSideObject().GetOutputDataObject(0))
        check(before == after, f"other bytes with {threads[1]} threads than with {threads[0]}")
    finally:
        simple.Delete(proxy)
        simple.Delete(source)


def random_inputs_hold_what_is_promised():
    number, seed, first = NUMBERS[:3]
    failed = 0
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # what is said is looked at here
    for k in range(first, first + number):
        case = None
        try:
            rng = np.random.default_rng([seed, k])
            case = GridCase(rng)
            run_case(case, rng)
        except Exception as problem:
            failed += 1
            words = str(problem) if isinstance(problem, AssertionError) else traceback.format_exc()
            say(f"FAILED: random_grids.py 1 {seed} {k}: {words}")
            if case and number == 1:
                say(f"{case.kind} {case.extent} {case.properties}")
    say(f"{number} cases of seed {seed}; messages with a reason: {dict(sorted(counts.items()))}")
    check(failed == 0, f"{failed} of {number} cases")


main(random_inputs_hold_what_is_promised)
