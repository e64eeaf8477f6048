# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive Grid with nothing set but its arrays: what a user meets first."""
import re

import numpy as np
from grid_testing import GHOSTS, KINDS, adapt, cells_of, image, points_of, shape
from tessera_testing import add_array, all_messages, check, field_value, main, simple, source_of
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkMultiBlockDataSet

EXTENT = [0, 16, 0, 12, 0, 8]


def said_by(data, **properties):
    """Output of Adaptive Grid, and what it said."""
    all_messages()
    grid = simple.AdaptiveGrid(Input=source_of(data), **properties)
    grid.UpdatePipeline()
    out = grid.GetClientSideObject().GetOutputDataObject(0)
    return out, all_messages()


def ramp():
    """A cell array that rises along i, ever faster."""
    data = image(EXTENT)
    i = np.broadcast_to(np.arange(16.0), shape(data, cells=True))
    add_array(data.GetCellData(), "c", np.floor(i ** 2 / 15).ravel())
    return data


def ranges(data, out):
    """Largest minus smallest input value in each output cell, by the cells of the input."""
    values = cells_of(data, "c").reshape(shape(data, cells=True))
    found = []
    for cell in range(out.GetNumberOfCells()):
        b = np.array(out.GetCell(cell).GetBounds()).round().astype(int)
        part = values[b[4]:b[5], b[2]:b[3], b[0]:b[1]]
        found.append((part.max() - part.min(), part.size))
    return np.array(found)


def a_cell_array_alone():
    """The interpolation error, the only criterion that is on, has nothing to interpolate between cells: its
    number bounds the range of the values in a cell, and so how far any is from the cell's."""
    data = ramp()
    whole = np.ptp(cells_of(data, "c"))
    for kind, threshold in ((None, 1.0), (None, 3.0), ("Absolute", 1.0)):
        mode = dict(ThresholdMode=kind) if kind else dict(InterpolationError=threshold / whole * 1.0001)
        if kind:
            mode["InterpolationError"] = threshold
        out = adapt(data, CriteriaArrays=["c"], Balance="None", GenerateLevel=1, **mode)
        found = ranges(data, out)
        check(1 < out.GetNumberOfCells() < data.GetNumberOfCells(), f"{threshold}: it refines, and not all")
        check(found[:, 0].max() <= threshold, f"{threshold}: {found[:, 0].max()} within a cell")
        check(field_value(out, "Largest Errors").ToDouble() <= threshold, "and so is the largest error")
        other = adapt(data, CriteriaArrays=["c"], Balance="None", GenerateLevel=1,
                      UseInterpolationError=0, UseValueRange=1, ThresholdMode="Absolute",
                      ValueRange=threshold)
        check(np.array_equal(cells_of(out, "Level"), cells_of(other, "Level")), "as by Value Range")


def a_cell_array_beside_a_point_array():
    """Each array has a criterion: with points alone the cell array would be lost."""
    data = ramp()
    add_array(data.GetPointData(), "p", points_of(data, "ijk")[:, 0])  # linear: it asks for nothing
    settings = dict(Balance="None", GenerateLevel=1, InterpolationError=0.2)
    both = adapt(data, CriteriaArrays=["p", "c"], **settings)
    alone = adapt(data, CriteriaArrays=["c"], **settings)
    check(both.GetNumberOfCells() > 2 * 2 and both.GetNumberOfCells() == alone.GetNumberOfCells(),
          f"{both.GetNumberOfCells()} cells, as for the cell array alone")
    for kind in KINDS[1:]:
        out = adapt(data, CriteriaArrays=["c"], OutputType=kind, InterpolationError=0.2)
        check(field_value(out, "Leaves") > 4, f"{kind} refines")


def a_cell_array_of_vectors():
    """Each component by itself, as of points; the range is that of all."""
    data = image(EXTENT)
    n = data.GetNumberOfCells()
    values = np.zeros((n, 2))
    values[:, 0] = 5
    values[0, 1] = 1
    add_array(data.GetCellData(), "c", values)
    for threshold, leaves in ((0.15, 4 + 3 * 7), (0.25, 4)):  # of a range of 5
        out = adapt(data, CriteriaArrays=["c"], Balance="None", InterpolationError=threshold)
        check(field_value(out, "Leaves") == leaves, f"{threshold}: {field_value(out, 'Leaves')} leaves")


def hide_all(data):
    hidden = np.full(data.GetNumberOfCells(), vtkDataSetAttributes.HIDDENCELL, np.uint8)
    add_array(data.GetCellData(), GHOSTS, hidden)
    return data


def all_cells_hidden():
    """An empty output, and a sentence why."""
    for kind in KINDS:
        out = adapt(hide_all(image(EXTENT)), "All 1536 cells of the input are hidden: the output has none.",
                    OutputType=kind)
        check(field_value(out, "Leaves") == 0, kind)
    blocks = vtkMultiBlockDataSet()
    blocks.SetBlock(0, image(EXTENT))
    blocks.SetBlock(1, hide_all(image(EXTENT)))
    out = adapt(blocks)  # as blocks of AMR under finer ones are
    check(out.GetBlock(0).GetNumberOfCells() > 0 and out.GetBlock(1).GetNumberOfCells() == 0, "the rest")


def noisy(n, share):
    """Noise in an image: a share of it has all of it, the rest a third."""
    data = image([0, n, 0, n, 0, n])
    p = points_of(data, "ijk")
    noise = np.random.default_rng(5).random(len(p))
    add_array(data.GetPointData(), "f", np.where(p[:, 0] > (1 - share) * n, noise, 0.3 * noise))
    return data


def seen_cells(out):
    fine = field_value(out, "Fine Cells").ToDouble()
    return round(fine * (1 - field_value(out, "Saving").ToDouble())), fine


def larger_than_the_input():
    """A grid that saves nothing says so, with a threshold that was tried: it gives as many cells as it is
    said to."""
    for data, properties, words in (
            (noisy(16, 0.9), dict(HangingNodes="Conforming"), "as many as the input"),
            (noisy(16, 0.5), dict(HangingNodes="Conforming", InterpolationError=0.2), "more than the input"),
            (noisy(12, 0.5), dict(HangingNodes="Free", ThresholdMode="Absolute"), "as many as the input"),
            (noisy(12, 0.5), dict(OutputType="Hyper Tree Grid"), "as many as the input"),
            (noisy(8, 0.5), dict(RefineLevels=1, UseArrayInRange=1, CoarsenLevels=2),
             "as many as the fixed fine grid")):
        out, text = said_by(data, CriteriaArrays=["f"], **properties)
        if words.endswith("fine grid"):
            check(text == "", f"nothing helps where a range is refined whole: {text}")
            continue
        check(f"The output has {seen_cells(out)[0]} cells, {words}" in text, f"{properties}: {text}")
        promised = re.search(r"There would be (\d+) with Interpolation Error ([\d.e-]*\d)", text)
        check(promised, text)
        settings = {**properties, "InterpolationError": float(promised.group(2))}
        better, quiet = said_by(data, CriteriaArrays=["f"], **settings)
        fewer, fine = seen_cells(better)
        check(quiet == "" and fewer == int(promised.group(1)) and fewer < fine,
              f"{properties}: {fewer} cells, and not as in: {text} {quiet}")


def nothing_helps():
    """A threshold of 0 stays 0, whatever it is multiplied with."""
    out, text = said_by(noisy(16, 0.5), CriteriaArrays=["f"], InterpolationError=0)
    check(text == "" and field_value(out, "Saving").ToDouble() == 0, f"as many as the input: {text}")


def the_saving_in_bytes():
    """Of the memory that VTK says the datasets take."""
    data = noisy(16, 0.5)
    for kind in KINDS:
        out = adapt(data, OutputType=kind, CriteriaArrays=["ijk"], InterpolationError=2)
        sizes = [1024 * one.GetActualMemorySize() for one in (data, out)]
        said = [field_value(out, name).ToDouble() for name in ("Input Bytes", "Output Bytes",
                                                               "Saving In Bytes")]
        check(abs(said[0] - sizes[0]) <= 2048 and abs(said[1] - sizes[1]) <= 32768, f"{said}, {sizes}")
        check(abs(said[2] - (1 - said[1] / said[0])) < 1e-9 and said[2] > 0.3, f"{kind}: {said}")


def at_each_time_step():
    """The warning comes once, not at each step, and again after a property has changed."""
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData")
    source.Script = """
import numpy as np
out = self.GetOutputDataObject(0)
time = self.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP())
out.SetDimensions(13, 13, 13)
f = np.random.default_rng(int(time or 0)).random(13 ** 3)
from vtkmodules.util.numpy_support import numpy_to_vtk
array = numpy_to_vtk(f, deep=True)
array.SetName("f")
out.GetPointData().AddArray(array)
"""
    source.ScriptRequestInformation = """
info = self.GetOutputInformation(0)
key = vtk.vtkStreamingDemandDrivenPipeline
info.Set(key.WHOLE_EXTENT(), (0, 12, 0, 12, 0, 12), 6)
info.Set(key.TIME_STEPS(), (0.0, 1.0, 2.0), 3)
info.Set(key.TIME_RANGE(), (0.0, 2.0), 2)
"""
    grid = simple.AdaptiveGrid(Input=source, HangingNodes="Free")
    all_messages()
    said = []
    for time in (0.0, 1.0, 2.0):
        grid.UpdatePipeline(time)
        said.append("There would be" in all_messages())
    grid.BufferCells = 1
    grid.UpdatePipeline(2.0)
    said.append("There would be" in all_messages())
    check(said == [True, False, False, True], f"{said}")


# The script of a ProgrammableSource runs among this file's names, and changes some: it is the last.
main(larger_than_the_input, nothing_helps, the_saving_in_bytes, a_cell_array_alone,
     a_cell_array_beside_a_point_array, a_cell_array_of_vectors, all_cells_hidden, at_each_time_step)
