# SPDX-License-Identifier: BSD-3-Clause
"""Hyper tree grids of many trees are what VTK makes tree by tree.

The facts: for each root the tree that VTK's own GetTree makes there, its nodes divided one after
the other where the output's tree has children, and the roots' sides from the coordinates of the
input. The number of threads makes no difference.
"""
import numpy as np
from grid_testing import adapt, image, rectilinear
from tessera_testing import add_array, check, main, messages, simple
from vtkmodules.vtkCommonDataModel import vtkHyperTreeGrid

SETTINGS = {"OutputType": "Hyper Tree Grid", "CriteriaArrays": ["f"], "UseInterpolationError": 0,
            "UseValueRange": 1, "ValueRange": 0.8, "ThresholdMode": "Absolute"}


def with_spots(data):
    """Values that differ within a tenth of the cells."""
    points = data.GetNumberOfPoints()
    add_array(data.GetPointData(), "f", np.random.default_rng(5).random(points) ** 30)
    return data


def empty_like(grid):
    """A grid with the same roots and no tree."""
    other = vtkHyperTreeGrid()
    other.Initialize()
    other.SetBranchFactor(grid.GetBranchFactor())
    other.SetDimensions(grid.GetDimensions())
    other.SetXCoordinates(grid.GetXCoordinates())
    other.SetYCoordinates(grid.GetYCoordinates())
    other.SetZCoordinates(grid.GetZCoordinates())
    return other


def nodes_of(tree):
    """First child, or -1, of each node."""
    return [-1 if tree.IsLeaf(node) else tree.GetElderChildIndex(node)
            for node in range(tree.GetNumberOfVertices())]


def facts_of(tree):
    scale = [tree.GetScale(axis) for axis in range(3)]
    return (tree.GetTreeIndex(), tree.GetGlobalIndexStart(), tree.GetNumberOfVertices(),
            tree.GetNumberOfNodes(), tree.GetNumberOfLevels(), scale, nodes_of(tree))


def divided_like(tree, other, start):
    """VTK's tree `other`, divided level by level where `tree` is."""
    other.SetGlobalIndexStart(start)
    children = nodes_of(tree)
    level = {0: 0}
    for node, first in enumerate(children):
        if first >= 0:
            other.SubdivideLeaf(node, level[node])
            for child in range(first, first + other.GetNumberOfChildren()):
                level[child] = level[node] + 1
    return other


def check_trees(data, title, **properties):
    outputs = [adapt(data, Threads=threads, **SETTINGS, **properties)
               for threads in (1, 4)]
    one, four = outputs
    roots = int(np.prod(one.GetCellDims()))
    reference = empty_like(one)
    start, wrong, kinds = 0, [], set()
    for index in range(roots):
        tree = one.GetTree(index)
        facts = facts_of(tree)
        expected = facts_of(divided_like(tree, reference.GetTree(index, True), start))
        if not facts == expected == facts_of(four.GetTree(index)):
            wrong.append(index)
        kinds.add(tree.GetNumberOfLevels())
        start += tree.GetNumberOfVertices()
    check(not wrong, f"{title}: {len(wrong)} of {roots} trees differ, such as {wrong[:3]}")
    check(len(kinds) > 1, f"{title}: all trees have {kinds} levels")
    check(one.GetNumberOfCells() == four.GetNumberOfCells() == start, f"{title}: not {start} cells")


def check_sides(data, x):
    """Of trees along x, from the input's coordinates."""
    grid = adapt(data, CoarsenLevels=1, **SETTINGS)
    n = grid.GetCellDims()[0]
    found = [grid.GetTree(i).GetScale(0) for i in range(n)]
    sides = [x[2 * i + 2] - x[2 * i] for i in range(n)]
    check(found == sides and len(set(sides)) > 1, f"sides of trees: {found}, not {sides}")


def whole_sides():
    check_trees(with_spots(image((0, 48, 0, 48, 0, 24))), "whole sides", CoarsenLevels=1)


def sides_that_rounding_makes_unequal():
    data = with_spots(image((0, 48, 0, 48, 0, 24), (0.1, 0.3, 0.7), (117.3, -2, 1e3)))
    check_trees(data, "rounded sides", CoarsenLevels=1, RefineLevels=1)


def uneven_coordinates():
    axes = [np.cumsum(np.random.default_rng(n).integers(1, 9, n // 2 + 1).repeat(2))[:n]
            for n in (49, 47, 25)]
    data = with_spots(rectilinear((0, 48, 0, 46, 0, 24), *axes))
    check_trees(data, "uneven coordinates", CoarsenLevels=1,
                said="places cells at equal distances")


def quadtrees():
    check_trees(with_spots(image((0, 300, 0, 200, 0, 0))), "quadtrees", CoarsenLevels=2)


def sides_of_coordinates():
    x = np.cumsum([0, 1] + [1, 1] * 8 + [3, 3] * 8).tolist()[1:]
    check_sides(with_spots(rectilinear((0, 32, 0, 8, 0, 8), x, range(9), range(9))), x)


def all_facts(grid):
    return [facts_of(grid.GetTree(root)) for root in range(int(np.prod(grid.GetCellDims())))]


def check_again(source, proxy, data, title, **properties):
    """An execution of `proxy` on other data makes what a new filter does."""
    source.GetClientSideObject().SetOutput(data)
    source.MarkModified(None)
    for name, value in properties.items():
        setattr(proxy, name, value)
    proxy.UpdatePipeline()
    found = proxy.GetClientSideObject().GetOutputDataObject(0)
    expected = adapt(data, **{**SETTINGS, "CoarsenLevels": 2, **properties})
    check(all_facts(found) == all_facts(expected) and found.GetNumberOfCells() > 0,
          f"{title}: not the trees of a new filter")
    check(found.GetCellData().GetArray("f").GetRange() ==
          expected.GetCellData().GetArray("f").GetRange(), f"{title}: other values")
    return found


def output_after_output():
    """A filter may use the trees of its output before for the next, unseen by who has copies."""
    box = (0, 48, 0, 48, 0, 24)
    data = with_spots(image(box))
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    proxy = simple.AdaptiveGrid(Input=source, CoarsenLevels=2, **SETTINGS)
    first = check_again(source, proxy, data, "first")
    copies, held = [vtkHyperTreeGrid(), vtkHyperTreeGrid()], first.GetTree(0)
    copies[0].ShallowCopy(first)
    copies[1].DeepCopy(first)
    before, tree_before = [all_facts(copy) for copy in copies], facts_of(held)
    check_again(source, proxy, data, "other threshold", ValueRange=0.6)
    check_again(source, proxy, data, "the same again", ValueRange=0.6)
    check([all_facts(copy) for copy in copies] == before, "copies of an output change")
    check(facts_of(held) == tree_before, "a tree that somebody holds changes")
    check_again(source, proxy, with_spots(image(box, (2, 1, 1))), "other sides", ValueRange=0.8)
    check_again(source, proxy, data, "deeper", CoarsenLevels=3)
    check_again(source, proxy, with_spots(image((0, 72, 0, 96, 0, 0))), "as many quadtrees",
                CoarsenLevels=3)
    simple.Delete(proxy)


def a_stop_leaves_an_empty_output():
    """Whenever the user asks for it, also after the last tree; the next execution is as ever."""
    data = with_spots(image((0, 64, 0, 64, 0, 64)))
    for threads in (1, 2):
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(data)
        proxy = simple.AdaptiveGrid(Input=source, CoarsenLevels=2, Threads=threads, **SETTINGS)
        expected = all_facts(check_again(source, proxy, data, f"{threads} threads"))
        algorithm, fractions, stop_at = proxy.GetClientSideObject(), [], [2.0]

        def stop(*_):
            fractions.append(algorithm.GetProgress())
            algorithm.SetAbortExecute(int(fractions[-1] >= stop_at[0]))

        algorithm.AddObserver("ProgressEvent", stop)
        algorithm.Modified()
        algorithm.Update()
        inside = [f for f in fractions if 0 < f < 1]
        for stop_at[0] in (inside[0], inside[len(inside) // 2], inside[-1]):
            algorithm.Modified()
            algorithm.Update()
            algorithm.SetAbortExecute(0)
            out = algorithm.GetOutputDataObject(0)
            check(out.IsA("vtkHyperTreeGrid") and out.GetNumberOfCells() == 0 and
                  out.GetCellData().GetNumberOfArrays() == 0, f"stopped at {stop_at[0]}: not empty")
            check("ERR" not in messages(), "what the user wished is no error")
        stop_at[0] = 2.0
        algorithm.Modified()
        algorithm.Update()
        check(all_facts(algorithm.GetOutputDataObject(0)) == expected, "after stops: other trees")
        simple.Delete(proxy)


main(whole_sides, sides_that_rounding_makes_unequal, uneven_coordinates, quadtrees,
     sides_of_coordinates, output_after_output,
     a_stop_leaves_an_empty_output)
