# SPDX-License-Identifier: BSD-3-Clause
"""Join Lines: contours of a slice come out as closed polylines of few points, in the order and
direction that docs/ says, with the cell data of their first cell; what differs stays apart."""
import numpy as np
from paraview import simple
from tessera_testing import (add_array, cell_values, check, grid, lines, made_by, main, point_array,
                             points, polydata, said)
from vtkmodules.vtkCommonCore import vtkStringArray
from vtkmodules.vtkCommonDataModel import VTK_LINE, VTK_POLY_LINE, VTK_VERTEX, vtkMultiBlockDataSet


def contours():
    """Of a slice of Wavelet: lines of two points each, closed, but for those that leave it."""
    wavelet = simple.Wavelet(WholeExtent=[-20, 20, -20, 20, -5, 5])
    cut = simple.Slice(Input=wavelet)
    cut.SliceType.Normal = [0, 0, 1]
    cut.SliceType.Origin = [0, 0, 0.5]
    contour = simple.Contour(Input=cut, ContourBy=["POINTS", "RTData"])
    contour.Isosurfaces = [100, 150, 200]
    contour.UpdatePipeline()
    data = contour.GetClientSideObject().GetOutputDataObject(0)
    copy = data.NewInstance()
    copy.DeepCopy(data)
    check(copy.GetNumberOfLines() > 200, "contours")
    check(all(len(ids) == 2 for ids in lines(copy)), "lines of two points")
    return copy


def components(data):
    """Sets of lines that hang together, found by spreading."""
    label = np.arange(data.GetNumberOfPoints())
    pairs = np.array(lines(data))
    for _ in range(len(pairs)):
        least = np.minimum(label[pairs[:, 0]], label[pairs[:, 1]])
        before = label.copy()
        np.minimum.at(label, pairs[:, 0], least)
        np.minimum.at(label, pairs[:, 1], least)
        if (label == before).all():
            break
    return len(set(label[pairs[:, 0]]))


def contour_of_slice():
    data = contours()
    curves = components(data)
    whole = made_by("AdaptiveCurves", data, Joints="Keep All", UseFieldError=0, OutputPrecision="Double")
    check(whole.GetNumberOfLines() == curves, f"{whole.GetNumberOfLines()} of {curves} curves")
    check(whole.GetNumberOfPoints() == data.GetNumberOfPoints(), "each point once")
    length = [sum(np.linalg.norm(np.diff(points(d)[ids], axis=0), axis=1).sum() for ids in lines(d))
              for d in (data, whole)]
    check(abs(length[0] - length[1]) < 1e-5 * length[0], f"the same lines: {length}")
    apart = made_by("AdaptiveCurves", data, JoinLines=0)
    check(apart.GetNumberOfLines() == data.GetNumberOfLines(), "off: a polyline a line")
    out = made_by("AdaptiveCurves", data)
    check(out.GetNumberOfLines() == curves, "few")
    check(out.GetNumberOfPoints() < data.GetNumberOfPoints() / 2,
          f"{data.GetNumberOfPoints()} points in, {out.GetNumberOfPoints()} out")
    values = point_array(out, "RTData")
    check(np.isin(np.round(values), [100, 150, 200]).all(), "on the contours")


def order_and_direction():
    """Lines 0: 3-2, 1: 10-11, 2: 1-2, 3: 3-4, 4: 5-6, 5: 5-7, 6: 5-8 and a loop 20 21 22."""
    xyz = [(np.cos(i), np.sin(2 * i), i) for i in range(24)]
    cells = [(3, 2), (10, 11), (1, 2), (3, 4), (5, 6), (5, 7), (5, 8), (21, 20), (22, 21), (20, 22)]
    data = polydata(xyz, cells)
    add_array(data.GetPointData(), "id", np.arange(24.0))
    keep = {"Joints": "Keep All", "GenerateSourceCell": 1, "UseFieldError": 0}
    out = made_by("AdaptiveCurves", data, **keep)
    ids = point_array(out, "id")
    got = [list(ids[line]) for line in lines(out)]
    check(got == [[4, 3, 2, 1], [10, 11], [5, 6], [5, 7], [5, 8], [21, 20, 22, 21]], f"{got}")
    check(list(cell_values(out, "SourceCell")) == [0, 1, 4, 5, 6, 7], "the first cells")
    for threads in (1, 2, 3):
        again = made_by("AdaptiveCurves", data, Threads=threads, **keep)
        check([list(point_array(again, "id")[line]) for line in lines(again)] == got, "any threads")


def cell_data():
    """Values that differ keep lines apart; numbers of cells do not."""
    n = 12
    data = polydata([(i, 0, 0) for i in range(n + 1)], [(i, i + 1) for i in range(n)])
    add_array(data.GetCellData(), "vtkOriginalCellIds", np.arange(100, 100 + n))
    check(made_by("AdaptiveCurves", data).GetNumberOfLines() == 1, "numbers")
    add_array(data.GetCellData(), "vtkGhostType", np.array([0] * 9 + [1] * 3, np.uint8))
    out = made_by("AdaptiveCurves", data, GenerateSourceCell=1)
    check(list(cell_values(out, "SourceCell")) == [0, 9], "ghosts")
    check(list(cell_values(out, "vtkGhostType")) == [0, 1], "each with its flag")
    check(list(cell_values(out, "vtkOriginalCellIds")) == [100, 109], "of the first cell")
    names = vtkStringArray()
    names.SetName("road")
    for i in range(n):
        names.InsertNextValue("a" if i < 4 else "b")
    data.GetCellData().AddArray(names)
    out = made_by("AdaptiveCurves", data, GenerateSourceCell=1)
    check(list(cell_values(out, "SourceCell")) == [0, 4, 9], "texts")
    check([out.GetCellData().GetAbstractArray("road").GetValue(i) for i in range(3)] ==
          ["a", "b", "b"], "each with its text")
    add_array(data.GetCellData(), "heat", np.arange(n) * 0.5)
    check(made_by("AdaptiveCurves", data).GetNumberOfLines() == n, "all differ")


def other_cells():
    """A vertex on the way says nothing; a polyline that touches ends a chain, and keeps its kind."""
    xyz = [(i, (i % 2) * 0.5, 0) for i in range(12)]
    data = grid(xyz, [(VTK_VERTEX, [1]), (VTK_LINE, [0, 1]), (VTK_LINE, [1, 2]),
                              (VTK_POLY_LINE, [3, 9, 10, 11]), (VTK_LINE, [2, 3]),
                              (VTK_LINE, [3, 4]), (VTK_LINE, [4, 5]), (VTK_LINE, [5, 99])])
    out, text = said(data, GenerateSourceCell=1)
    check("1 cell (number 7) is left out" in text, text)
    check(list(cell_values(out, "SourceCell")) == [0, 1, 3, 5], f"{cell_values(out, 'SourceCell')}")
    counts = [len(line) for line in lines(out)]
    check(counts[0] == 4 and counts[2] == 3 and counts[1] > 4, f"{counts}: straight, but the polyline")


def report_of_what_stays():
    """A ring of 482 lines, 964 points: the report counts the joints that each cell array keeps."""
    n = 482
    angle = np.arange(n) * 2 * np.pi / n
    ring = polydata(np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]),
                    [(i, (i + 1) % n) for i in range(n)])
    entry = "Tessera Lines Not Joined"
    add_array(ring.GetCellData(), "same", np.ones(n))
    check(made_by("AdaptiveCurves", ring).GetFieldData().GetAbstractArray(entry) is None, "all joined")
    add_array(ring.GetCellData(), "Part", (np.arange(n) < 100).astype(float))
    add_array(ring.GetCellData(), "Number", np.arange(n))
    out = made_by("AdaptiveCurves", ring)
    check(out.GetNumberOfLines() == n and out.GetNumberOfPoints() == 2 * n, "apart")
    many = "joints between lines were kept since the cell array"
    of_number, of_part = f"{n} {many} 'Number' differs", f"2 {many} 'Part' differs"
    text = out.GetFieldData().GetAbstractArray(entry).GetValue(0)
    check(text == f"{of_number}; {of_part}", text)
    ring.GetCellData().RemoveArray("Number")
    both = vtkMultiBlockDataSet()
    both.SetBlock(0, ring)
    both.SetBlock(1, polydata([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1), (1, 2)]))
    add_array(both.GetBlock(1).GetCellData(), "Part", np.arange(2.0))
    text = made_by("AdaptiveCurves", both).GetFieldData().GetAbstractArray(entry).GetValue(0)
    check(text == f"3 {many} 'Part' differs", text)
    text = made_by("AdaptiveCurves", both, JoinLines=0).GetFieldData().GetAbstractArray(entry)
    check(text is None, "not asked to join")


main(contour_of_slice, order_and_direction, cell_data, other_cells,
     report_of_what_stays)
