# SPDX-License-Identifier: BSD-3-Clause
"""A filter that runs again on its input makes what a new one makes of it, whatever has changed since:
it keeps the box that a relative chord error refers to, and lets arrays stay on a device."""
import numpy as np
from tessera_testing import (add_array, check, grid, lines, main, messages, point_array, points,
                             polydata, simple, source_of)
from vtkmodules.vtkCommonDataModel import VTK_BEZIER_CURVE, VTK_QUAD, vtkMultiBlockDataSet
from vtkmodules.util.numpy_support import vtk_to_numpy

RNG = np.random.default_rng(11)
OPTIONS = {"ChordError": 3e-3, "UseFieldError": 0}


def curves(scale=1.0):
    data = polydata(scale * RNG.random((80, 3)), [range(20 * k, 20 * k + 20) for k in range(4)])
    add_array(data.GetPointData(), "value", RNG.random(80))
    return data


def outputs_of(proxy):
    proxy.UpdatePipeline()
    output = proxy.GetClientSideObject().GetOutputDataObject(0)
    leaves = [output]
    if output.IsA("vtkMultiBlockDataSet"):
        leaves = [output.GetBlock(k) for k in range(output.GetNumberOfBlocks())]
    messages()
    return [(points(leaf).tobytes(), [list(line) for line in lines(leaf)],
             leaf.GetPointData().GetArray("value") and point_array(leaf, "value").tobytes())
            for leaf in leaves]


def same_as_anew(data, *changes, **options):
    """Each change in its turn: changes the data, or is a set of properties."""
    source = source_of(data)
    again = simple.AdaptiveCurves(Input=source, **OPTIONS, **options)
    before = outputs_of(again)
    for step, change in enumerate(changes):
        if isinstance(change, dict):
            options.update(change)
        else:
            change(source.GetClientSideObject().GetOutputDataObject(0))
        for name, value in options.items():
            setattr(again, name, value)
        # An array that says that it has changed does not make a filter run; this does.
        options["ChordError"] = options.get("ChordError", OPTIONS["ChordError"]) * (1 + 1e-9)
        again.ChordError = options["ChordError"]
        fresh = simple.AdaptiveCurves(Input=source, **{**OPTIONS, **options})
        made = outputs_of(again)
        check(made == outputs_of(fresh), f"step {step} is what a new filter makes")
        check(made != before, f"step {step} changes something")
        before = made
        simple.Delete(fresh)
    simple.Delete(again)


def stretch(array, factor=7.0):
    """One curve goes far away: the box of all grows, and so does the tolerance of the others."""
    vtk_to_numpy(array)[-1] *= factor
    array.Modified()


def points_change():
    def in_place(data):
        stretch(data.GetPoints().GetData())

    def other_points(data):
        data.SetPoints(curves(3.0).GetPoints())

    def without_a_word(data):
        vtk_to_numpy(data.GetPoints().GetData())[-1] *= 5.0
        data.Modified()

    same_as_anew(curves(), {"ChordError": 1e-3}, in_place, other_points, without_a_word)


def cells_change():
    def in_place(data):  # the last line goes through the first points only
        ids = data.GetLines().GetConnectivityArray()
        vtk_to_numpy(ids)[60:] = np.arange(20)
        ids.Modified()

    def shorter(data):
        offsets = data.GetLines().GetOffsetsArray()
        vtk_to_numpy(offsets)[-1] = 65
        offsets.Modified()

    data = curves()
    stretch(data.GetPoints().GetData())
    same_as_anew(data, in_place, shorter)


def types_change():
    """The cell that is far away is left out, as it becomes a surface or its weight cannot be."""
    def to_surface(data):
        data.GetCellTypesArray().SetValue(3, VTK_QUAD)
        data.GetCellTypesArray().Modified()

    def bad_weight(data):
        weights = data.GetPointData().GetRationalWeights()
        weights.SetValue(15, -1.0)
        weights.Modified()

    for change in (to_surface, bad_weight):
        data = grid(RNG.random((16, 3)),
                    [(VTK_BEZIER_CURVE, range(4 * k, 4 * k + 4)) for k in range(4)])
        stretch(data.GetPoints().GetData())
        weights = add_array(data.GetPointData(), "RationalWeights", np.ones(16))
        data.GetPointData().SetRationalWeights(weights)
        same_as_anew(data, change)


def choices_change():
    """What single precision leaves out is not in the box."""
    data = curves()
    vtk_to_numpy(data.GetPoints().GetData())[79] = 1e36
    same_as_anew(data, {"OutputPrecision": "Single"}, {"OutputPrecision": "Double"},
                 OutputPrecision="Same as Input")


def upstream_changes():
    line = simple.PolyLineSource(Points=[float(x) for x in RNG.random(30)])
    again = simple.AdaptiveCurves(Input=line, **OPTIONS)
    first = outputs_of(again)
    line.Points = list(line.Points)[:27] + [50.0, 1.0, 1.0]
    made = outputs_of(again)
    check(made == outputs_of(simple.AdaptiveCurves(Input=line, **OPTIONS)) != first, "upstream")


def blocks_change():
    def second(data):
        stretch(data.GetBlock(1).GetPoints().GetData())

    def other(data):
        data.SetBlock(0, curves(4.0))

    def fewer(data):
        data.SetNumberOfBlocks(1)

    blocks = vtkMultiBlockDataSet()
    for k in range(3):
        blocks.SetBlock(k, curves(1.0 + k))
    same_as_anew(blocks, {"ChordError": 2e-3}, second, other, fewer)


main(points_change, cells_change, types_change, choices_change, upstream_changes, blocks_change)
