# SPDX-License-Identifier: BSD-3-Clause
"""Points To Curves: numpy's order, texts as groups, all arrays, cuts, repeats, composites."""
import numpy as np
from ordering_testing import cells, cloud, curves_by_lexsort, join, texts
from tessera_testing import (cell_values, check, field_value, lines, main, messages, point_array,
                             points, simple, source_of)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import (vtkDataSetAttributes, vtkImageData,
                                           vtkMultiBlockDataSet, vtkUnstructuredGrid)

RANDOM = np.random.default_rng(4)


def silent(data, **properties):
    out, said = join(data, **properties)
    check(said == "", f"unexpected: {said}")
    return out


def check_curves(out, expected, xyz, what):
    """expected: indices of the points of each curve, in order."""
    ids = point_array(out, "index")
    flat = np.concatenate(expected)
    check(np.array_equal(ids, flat), f"{what}: the order")
    check(np.array_equal(points(out), xyz[flat]), f"{what}: the points")
    singles = [c for c in expected if len(c) == 1]
    in_order = singles + [c for c in expected if len(c) > 1]
    got = [ids[c] for c in cells(out)]
    check(len(got) == len(in_order) and all(np.array_equal(a, b) for a, b in zip(got, in_order)),
          f"{what}: the cells")
    return in_order


def every_type_is_sorted_as_numpy_does():
    n = 3000
    types = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64,
             np.float32, np.float64]
    for group_type in types:
        for order_type in types:
            xyz = RANDOM.random((n, 3))
            group = (RANDOM.integers(0, 100, n) - (50 if group_type(0) - 1 < 0 else 0))
            group = group.astype(group_type)
            order = (RANDOM.random(n) * 90).astype(order_type)
            out = silent(cloud(xyz, group=group, order=order, index=np.arange(n)),
                         GroupArray="group", OrderArray="order")
            expected = curves_by_lexsort(group, order)
            in_order = check_curves(out, expected, xyz, f"{group_type} {order_type}")
            check(np.array_equal(cell_values(out, "Group"), [group[c[0]] for c in in_order]) and
                  cell_values(out, "Group").dtype == group_type, "the group's id")
            check(np.array_equal(cell_values(out, "FirstOrder"),
                                 [order[c[0]] for c in in_order]), "first order")
            check(np.array_equal(cell_values(out, "LastOrder"),
                                 [order[c[-1]] for c in in_order]), "last order")
            length = [np.linalg.norm(np.diff(xyz[c], axis=0), axis=1).sum() for c in in_order]
            check(np.allclose(cell_values(out, "Length"), length, rtol=1e-12), "length")


def integers_beyond_doubles():
    group = np.array([2 ** 53 + 1, 2 ** 53, 2 ** 53 + 1, 2 ** 53], np.int64)
    order = np.array([2 ** 62 + 1, 5, 2 ** 62, 4], np.int64)
    out = silent(cloud(np.eye(4, 3), group=group, order=order, index=np.arange(4)),
                 GroupArray="group", OrderArray="order")
    check(list(point_array(out, "index")) == [3, 1, 2, 0], "told apart")


def texts_are_groups():
    names = ["otter", "crane", "otter", "bee", "crane", "otter"]
    out = silent(cloud(np.arange(18.0), name=names, index=np.arange(6)), GroupArray="name")
    check(list(point_array(out, "index")) == [3, 1, 4, 0, 2, 5], "in the order of the texts")
    check(texts(out.GetCellData(), "Group") == ["bee", "crane", "otter"], "texts of the cells")
    check(texts(out.GetPointData(), "name") == ["bee"] + ["crane"] * 2 + ["otter"] * 3, "points")
    check(list(cell_values(out, "FirstOrder")) == [3, 1, 0], "without an order: the index")


def all_arrays_come_along():
    n = 500
    data = cloud(RANDOM.random((n, 3)).astype(np.float32), id=RANDOM.integers(0, 9, n),
                 index=np.arange(n), v=RANDOM.random((n, 3)), t=RANDOM.random(n).astype(np.float32),
                 flag=RANDOM.integers(0, 255, n).astype(np.uint8), name=[f"p{i}" for i in range(n)])
    data.GetPointData().SetActiveVectors("v")
    data.GetPointData().SetGlobalIds(data.GetPointData().GetArray("index"))
    out = silent(data, GroupArray="id", OrderArray="t")
    ids = point_array(out, "index")
    check(points(out).dtype == np.float32, "the type of the points")
    for name in ("id", "v", "t", "flag"):
        before = vtk_to_numpy(data.GetPointData().GetArray(name))
        check(np.array_equal(point_array(out, name), before[ids]) and
              point_array(out, name).dtype == before.dtype, name)
    check(texts(out.GetPointData(), "name") == [f"p{i}" for i in ids], "texts")
    check(out.GetPointData().GetVectors().GetName() == "v", "roles")
    check(out.GetPointData().GetGlobalIds().GetName() == "index", "global ids")


def without_arrays_one_curve():
    xyz = RANDOM.random((50, 3))
    out = silent(cloud(xyz, index=np.arange(50)))
    check_curves(out, [np.arange(50)], xyz, "one curve")
    check(not out.GetCellData().HasArray("Group"), "no group, no ids")
    check(silent(cloud(np.zeros((0, 3)))).GetNumberOfCells() == 0, "no points")
    check(silent(vtkUnstructuredGrid()).GetNumberOfCells() == 0, "nothing at all")


def cuts_repeats_and_singles():
    xyz = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0], [9, 0, 0], [9, 1, 0], [5, 5, 5.]])
    data = cloud(xyz, id=[-1] * 6 + [7], t=np.array([0, 1, 2, 3, 4, 50, 3]), index=np.arange(7))
    settings = dict(GroupArray="id", OrderArray="t", CutAtGaps=1, MaximumGap=10, CutAtDistances=1,
                    MaximumDistance=5, RemoveRepeats=1)
    out = silent(data, **settings)
    check_curves(out, [np.array([0, 1, 3]), np.array([4]), np.array([5]), np.array([6])], xyz,
                 "cut")
    counts = [field_value(out, n).ToInt() for n in ("Input Points", "Points", "Curves", "Repeats",
                                                    "Cuts", "Single Points Dropped")]
    check(counts == [7, 6, 4, 1, 2, 0], f"the report: {counts}")
    out = silent(data, SinglePoints="Leave Out", **settings)
    check_curves(out, [np.array([0, 1, 3])], xyz, "singles left out")
    check(field_value(out, "Single Points Dropped").ToInt() == 3, "counted")


def blocks_are_taken_together():
    n = 300
    xyz = RANDOM.random((n, 3))
    id_, t = RANDOM.integers(0, 20, n), RANDOM.random(n)
    blocks = vtkMultiBlockDataSet()
    for b in range(3):
        at = slice(100 * b, 100 * b + 100)
        blocks.SetBlock(b, cloud(xyz[at], id=id_[at], t=t[at], index=np.arange(n)[at]))
    out = silent(blocks, GroupArray="id", OrderArray="t")
    check(out.IsA("vtkPolyData"), "one dataset")
    check_curves(out, curves_by_lexsort(id_, t), xyz, "blocks")


def arrays_of_some_blocks_are_left_out_with_a_word():
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, cloud(np.eye(3), id=[1, 2, 1], a=[1, 2, 3], b=[1., 2, 3]))
    blocks.SetBlock(1, cloud(np.eye(3), id=[1, 2, 1], b=np.array([1, 2, 3]), c=[1, 2, 3]))
    image = vtkImageData()
    image.SetDimensions(2, 2, 2)
    blocks.SetBlock(2, image)
    out, said = join(blocks, GroupArray="id")
    for name in "abc":
        check(f"'{name}'" in said and not out.GetPointData().HasArray(name), f"{name}: {said}")
    check("1 dataset has no points of its own and is left out; the first is in block 3." in said, said)
    check(out.GetNumberOfPoints() == 6, "the points are there")


def ghosts_of_other_processes_are_no_points():
    data = cloud(np.arange(12.0), id=[0] * 4, index=np.arange(4))
    ghosts = np.zeros(4, np.uint8)
    ghosts[2] = vtkDataSetAttributes.DUPLICATEPOINT
    from tessera_testing import add_array
    add_array(data.GetPointData(), "vtkGhostType", ghosts)
    out = silent(data, GroupArray="id")
    check(list(point_array(out, "index")) == [0, 1, 3], "left out")
    check(not out.GetPointData().HasArray("vtkGhostType"), "none is left")


def adaptive_curves_of_the_result():
    steps = np.arange(20)
    angle = np.concatenate([steps * 0.3 + k for k in range(5)])
    xyz = np.stack([np.cos(angle), np.sin(angle), np.repeat(np.arange(5.0), 20)], axis=1)
    shuffle = RANDOM.permutation(100)
    source = source_of(cloud(xyz[shuffle], id=np.repeat(np.arange(5), 20)[shuffle],
                             t=np.tile(steps, 5)[shuffle]))
    messages()
    joined = simple.PointsToCurves(Input=source, GroupArray="id", OrderArray="t")
    smooth = simple.AdaptiveCurves(Input=joined, InterpretLinesAs="Catmull-Rom",
                                   ChordErrorMode="Absolute", ChordError=1e-4)
    smooth.UpdatePipeline()
    out = smooth.GetClientSideObject().GetOutputDataObject(0)
    check(messages() == "" and len(lines(out)) == 5, "five curves")
    radius = np.linalg.norm(points(out)[:, :2], axis=1)
    off = abs(radius - 1)
    chord = 1 - np.cos(0.15)  # how far the middle of a straight step is from the circle
    check(off.max() < chord and np.median(off) < chord / 20, f"off by {off.max()}")
    check(out.GetNumberOfPoints() > 500, "more points than before")


def panel_names():
    source = source_of(cloud(np.eye(3), id=[1, 2, 1], v=np.eye(3), name=["a", "b", "a"]))
    proxy = simple.PointsToCurves(Input=source)
    check(proxy.GroupArray == "None" and proxy.OrderArray == "None", "nothing is chosen")
    offered = list(proxy.GetProperty("GroupArray").Available)
    check("id" in offered and "name" in offered and "v" not in offered, f"offered: {offered}")


main(every_type_is_sorted_as_numpy_does, integers_beyond_doubles, texts_are_groups,
     all_arrays_come_along, without_arrays_one_curve, cuts_repeats_and_singles,
     blocks_are_taken_together, arrays_of_some_blocks_are_left_out_with_a_word,
     ghosts_of_other_processes_are_no_points, adaptive_curves_of_the_result, panel_names)
