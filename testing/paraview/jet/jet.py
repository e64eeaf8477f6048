# SPDX-License-Identifier: BSD-3-Clause
"""Turbulent Jet: divergence-free, the same values in any extent, changing with time."""
import numpy as np
from tessera_testing import check, main, messages, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

ARRAYS = ("Velocity", "Temperature", "Scalar")


def jet(**properties):
    source = simple.TurbulentJet(**properties)
    source.UpdateVTKObjects()
    return source.GetClientSideObject(), source


def values(image, name):
    """As an array of k, j, i (and components)."""
    shape = image.GetDimensions()[::-1]
    array = vtk_to_numpy(image.GetPointData().GetArray(name))
    return array.reshape(shape + array.shape[1:])


def divergence_is_small():
    def worst(n):
        source, _ = jet(Dimensions=[4 * n + 1, 2 * n + 1, 2 * n + 1], OutputPrecision="Double",
                        HighestWavenumber=6.0)
        source.Update()
        image = source.GetOutput()
        v = values(image, "Velocity")
        dx, dy, dz = image.GetSpacing()
        parts = (np.gradient(v[..., 0], dx, axis=2), np.gradient(v[..., 1], dy, axis=1),
                 np.gradient(v[..., 2], dz, axis=0))
        inner = (slice(1, -1),) * 3
        return abs(sum(parts)[inner]).max(), abs(parts[0][inner]).max()

    coarse, size = worst(16)
    fine, _ = worst(64)
    check(fine < 0.02 * size, f"divergence {fine} beside derivatives of {size}")
    check(fine < coarse / 4, f"it goes to 0 with the spacing: {coarse}, {fine}")


def sub_extents_have_the_same_values():
    whole, _ = jet(Dimensions=[40, 21, 13], Seed=5)
    whole.Update()
    part, _ = jet(Dimensions=[40, 21, 13], Seed=5)
    extent = [7, 30, 3, 9, 5, 12]
    part.UpdateExtent(extent)
    image = part.GetOutput()
    check(list(image.GetExtent()) == extent, f"extent {image.GetExtent()}")
    box = (slice(5, 13), slice(3, 10), slice(7, 31))
    for name in ARRAYS:
        check(np.array_equal(values(image, name), values(whole.GetOutput(), name)[box]), name)


def pieces_cover_the_whole():
    source, _ = jet(Dimensions=[24, 17, 1])
    source.Update()
    whole = values(source.GetOutput(), "Temperature").copy()
    seen = np.zeros(whole.shape, int)
    for piece in range(4):
        one, _ = jet(Dimensions=[24, 17, 1])
        one.UpdatePiece(piece, 4, 0)
        image = one.GetOutput()
        x0, x1, y0, y1, _, _ = image.GetExtent()
        box = (slice(0, 1), slice(y0, y1 + 1), slice(x0, x1 + 1))
        check(np.array_equal(values(image, "Temperature"), whole[box]), f"piece {piece}")
        seen[box] += 1
    check(seen.min() == 1, "every point is in a piece")
    check(source.GetOutput().GetPointData().GetArray("Velocity").GetRange(2) == (0.0, 0.0),
          "a flat jet has no velocity along z")


def changes_with_time():
    source, proxy = jet(Dimensions=[32, 16, 16], TimeSteps=5, TimeRange=[0, 2])
    proxy.UpdatePipelineInformation()
    check(list(proxy.TimestepValues) == [0, 0.5, 1, 1.5, 2], f"steps {proxy.TimestepValues}")
    frames = []
    for time in (0.0, 0.5, 0.0):
        source.UpdateTimeStep(time)
        image = source.GetOutput()
        check(image.GetInformation().Get(image.DATA_TIME_STEP()) == time, "time of the data")
        frames.append(values(image, "Scalar").copy())
    check(abs(frames[0] - frames[1]).max() > 0.01, "another time, another jet")
    check(np.array_equal(frames[0], frames[2]), "the same time, the same jet")


def turbulence_grows_downstream():
    source, _ = jet(Dimensions=[256, 65, 1])
    source.Update()
    v = values(source.GetOutput(), "Velocity")[0, :, :, 1]
    quarter = np.sqrt((v ** 2).mean(axis=0)).reshape(4, -1).mean(axis=1)
    bend = abs(np.diff(v, 2, axis=1)).max(axis=0)
    check(quarter[0] < quarter[1] < quarter[3], f"strength of the quarters {quarter}")
    check(bend[:64].max() < 0.5 * bend[-64:].max(), "wavenumbers")


def bad_settings_are_refused():
    for properties, word in (({"Dimensions": [0, 4, 4]}, "Dimensions must be"),
                             ({"Bounds": [1, 0, 0, 1, 0, 1]}, "Bounds must rise"),
                             ({"Modes": 257}, "modes"),
                             ({"TimeSteps": 0}, "Time Steps must be a number from 1 to 1000000"),
                             ({"TimeSteps": 2 ** 31 - 1}, "not 2147483647"),
                             ({"TimeRange": [-1e308, 1e308]}, "Time Range must be finite"),
                             ({"Bounds": [-1e308, 1e308, 0, 1, 0, 1]}, "Bounds must rise"),
                             ({"Bounds": [0, 1e-300, 0, 1, 0, 1]}, "must be at least 1e-30 apart"),
                             ({"Strength": 1e40}, "the strength must be a finite number"),
                             ({"Speed": 1e40}, "the speed must be a finite number"),
                             ({"Dimensions": [2 ** 16, 2 ** 24, 2 ** 24]}, "1.84467e+19 points")):
        messages()
        source, _ = jet(**properties)
        source.Update()
        text = messages()
        check(word in text, f"{properties}: {text}")
        check(text.count("ERR") == 1, f"{properties}: one message, not {text}")
        check(source.GetOutput().GetNumberOfPoints() == 0, "an empty image")


def large_extents_are_counted_in_64_bits():
    source, _ = jet(Dimensions=[4000, 4000, 4000])
    source.UpdateExtent([3990, 3999, 3990, 3999, 3998, 3999])
    image = source.GetOutput()
    check(image.GetNumberOfPoints() == 200, "a corner of 64,000,000,000 points")
    check(Pipeline.WHOLE_EXTENT() is not None and np.isfinite(values(image, "Velocity")).all(),
          "values")


main(divergence_is_small, sub_extents_have_the_same_values, pieces_cover_the_whole,
     changes_with_time, turbulence_grows_downstream, bad_settings_are_refused,
     large_extents_are_counted_in_64_bits)
