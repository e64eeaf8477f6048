# SPDX-License-Identifier: BSD-3-Clause
"""Errors of polylines and grids against the input of the filter that made them.

Knows nothing of Tessera and needs only VTK and numpy, so that outputs of all filters, also those of
another VTK, are measured alike: input samples are looked up in the output, by brute force on lines
and by vtkProbeFilter in grids. An error is the largest over the samples.
"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkStaticCellLocator
from vtkmodules.vtkFiltersCore import vtkProbeFilter
from vtkmodules.vtkFiltersHyperTree import vtkHyperTreeGridToUnstructuredGrid

CURVES = 300  # curves that are looked at, evenly spread over the input
SAMPLES = 20000  # points or cells of a grid that are looked at, at random
PARAMETERS = np.linspace(0.0, 1.0, 21)  # of a Bezier cell, or of a span
OWNER = "curve"  # a point array: the number of the curve, where that is not the number of the cell


def arrays_of(attributes):
    """The numeric arrays by name, each with a row for each tuple."""
    arrays = (attributes.GetArray(i) for i in range(attributes.GetNumberOfArrays()))
    return {a.GetName(): vtk_to_numpy(a).reshape(-1, a.GetNumberOfComponents()).astype(float)
            for a in arrays if a and a.GetName()}


def point_arrays(data):
    """The point arrays, with the coordinates under the name None."""
    return {None: vtk_to_numpy(data.GetPoints().GetData()).astype(float),
            **arrays_of(data.GetPointData())}


def cells_of(data):
    """Offsets and point ids of the lines of a polydata, or of the cells of an unstructured grid."""
    cells = data.GetLines() if data.IsA("vtkPolyData") else data.GetCells()
    return (vtk_to_numpy(cells.GetOffsetsArray()), vtk_to_numpy(cells.GetConnectivityArray()))


def size_of(output):
    """Points of curves, cells of grids."""
    if output.IsA("vtkPointSet") and output.GetCell(0).GetCellDimension() == 1:
        return f"{output.GetNumberOfPoints():,} points"
    return f"{output.GetNumberOfCells():,} cells"


def scales_of(arrays):
    """What errors are fractions of: the diagonal of the box, the range of the widest component."""
    widths = {name: np.ptp(values, axis=0) for name, values in arrays.items()}
    return {name: np.linalg.norm(w) if name is None else w.max() for name, w in widths.items()}


def bezier_weights(_):
    """Weights of the points at PARAMETERS of a cubic Bezier cell. VTK puts both ends first."""
    t = PARAMETERS
    s = 1.0 - t
    return np.stack([s ** 3, t ** 3, 3 * s * s * t, 3 * s * t * t], axis=1)


def point_weights(points):
    """Weights of the points of a polyline themselves."""
    return np.eye(len(points))


def catmull_rom_weights(points):
    """Weights of the points at PARAMETERS of all inner spans of the centripetal Catmull-Rom curve, by the
    pyramid of Barry and Goldman (1988)."""
    knots = np.r_[0.0, np.cumsum(np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1)))]
    rows = []
    for first in range(len(points) - 3):
        k = knots[first:first + 4]
        t = (k[1] + PARAMETERS * (k[2] - k[1]))[:, None]

        def between(a, b, low, high):
            return ((k[high] - t) * a + (t - k[low]) * b) / (k[high] - k[low])

        level = np.eye(len(points))[first:first + 4]
        level = [between(level[i], level[i + 1], i, i + 1) for i in range(3)]
        level = [between(level[i], level[i + 1], i, i + 2) for i in range(2)]
        rows.append(between(*level, 1, 2))
    return np.concatenate(rows)


def curve_errors(data, output, weights_of):
    """Returns the largest distance from samples of the input's curves to the output's lines of the same
    curve, as a fraction of the diagonal of the input's box, and the largest difference of an array at
    the closest place, as a fraction of the array's range. weights_of(points) is the matrix that makes
    samples of the values at a curve's points."""
    given, made = point_arrays(data), point_arrays(output)
    (given_offsets, given_ids), (offsets, ids) = cells_of(data), cells_of(output)
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    inner = np.flatnonzero(owner[:-1] == owner[1:])
    starts, ends, owner = ids[inner], ids[inner + 1], owner[inner]
    if OWNER in made:
        owner = made.pop(OWNER)[starts, 0].astype(int)
    order = np.argsort(owner, kind="stable")
    starts, ends, owner = starts[order], ends[order], owner[order]
    numbers = given.pop(OWNER, None)
    scales, worst = scales_of(given), {name: 0.0 for name in given if name in made}
    count = len(given_offsets) - 1
    for curve in range(0, count, max(1, count // CURVES)):
        its = given_ids[given_offsets[curve]:given_offsets[curve + 1]]
        number = curve if numbers is None else int(numbers[its[0], 0])
        first, last = np.searchsorted(owner, [number, number + 1])
        a, b = starts[first:last], ends[first:last]
        weights, origin = weights_of(given[None][its]), made[None][a]
        p = (weights @ given[None][its])[:, None]
        along = made[None][b] - origin
        length = np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
        t = np.clip(np.einsum("kij,ij->ki", p - origin, along) / length, 0.0, 1.0)
        squares = ((p - origin - t[..., None] * along) ** 2).sum(axis=2)
        best = squares.argmin(axis=1)
        t = t[np.arange(len(best)), best][:, None]
        worst[None] = max(worst[None], np.sqrt(squares.min(axis=1)).max())
        for name in set(worst) - {None}:
            there = (1.0 - t) * made[name][a[best]] + t * made[name][b[best]]
            worst[name] = max(worst[name], np.abs(there - weights @ given[name][its]).max())
    errors = {name: worst[name] / scales[name] for name in worst if scales[name] > 0}
    return [errors.pop(None), max(errors.values(), default=0.0)]


def image_samples(image):
    """Returns places with values of the image: points, and centres of cells with the mean of their
    corners, both at random."""
    n = image.GetDimensions()
    array = image.GetPointData().GetScalars()
    values = vtk_to_numpy(array).reshape(n[::-1])
    rng = np.random.default_rng(1)
    point = np.stack([rng.integers(0, m, SAMPLES) for m in n], axis=1)
    cell = np.stack([rng.integers(0, m - 1, SAMPLES) for m in n], axis=1)
    corners = [cell + [i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    mean = np.mean([values[tuple(c.T[::-1])] for c in corners], axis=0)

    def place(ijk):
        return np.asarray(image.GetOrigin()) + ijk * np.asarray(image.GetSpacing())

    return {"name": array.GetName(), "range": float(np.ptp(values)),
            "points": (place(point), values[tuple(point.T[::-1])]),
            "cells": (place(cell + 0.5), mean)}


def grid_errors(samples, output):
    """Returns the largest difference between input and output, as a fraction of the input's range: at
    input points where the output has a point array, else at centres of input cells. It is infinite
    where a sample lies in no cell of the output."""
    if output.IsA("vtkHyperTreeGrid"):
        leaves = vtkHyperTreeGridToUnstructuredGrid()
        leaves.SetInputData(output)
        leaves.Update()
        output = leaves.GetOutput()
    name = samples["name"]
    where, values = samples["points" if output.GetPointData().HasArray(name) else "cells"]
    points, probes, probe = vtkPoints(), vtkPolyData(), vtkProbeFilter()
    points.SetData(numpy_to_vtk(where, deep=1))
    probes.SetPoints(points)
    probe.SetInputData(probes)
    probe.SetSourceData(output)
    if not output.IsA("vtkImageData"):
        probe.SetCellLocatorPrototype(vtkStaticCellLocator())
    probe.Update()
    found = probe.GetOutput().GetPointData()
    if not vtk_to_numpy(found.GetArray(probe.GetValidPointMaskArrayName())).all():
        return [float("inf")]
    return [float(np.abs(vtk_to_numpy(found.GetArray(name)) - values).max()) / samples["range"]]
