# SPDX-License-Identifier: BSD-3-Clause
"""Every property of Turbulent Jet does what its help text says; a sentence tells of bad values."""
import math

import numpy as np
from tessera_testing import check, main, messages, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

FLAT = dict(Dimensions=[128, 64, 1], OutputPrecision="Double")


def jet(**properties):
    """The image, and its arrays by name, as k, j, i (and components)."""
    proxy = simple.TurbulentJet(**{**FLAT, **properties})
    proxy.UpdatePipeline()
    image = proxy.GetClientSideObject().GetOutputDataObject(0)
    copy = image.NewInstance()
    copy.ShallowCopy(image)
    simple.Delete(proxy)
    shape = copy.GetDimensions()[::-1]
    data = copy.GetPointData()
    arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(3)}
    return copy, {name: a.reshape(shape + a.shape[1:]) for name, a in arrays.items()}


def crossings(values):
    """How often the values along a line change their sign."""
    return np.count_nonzero(np.diff(np.signbit(values)))


def size_and_place():
    image, arrays = jet(Dimensions=[21, 11, 6], Bounds=[1, 3, -2, 0, 5, 10])
    check(image.GetDimensions() == (21, 11, 6), "points along each axis")
    check(np.allclose(image.GetBounds(), [1, 3, -2, 0, 5, 10], rtol=0, atol=1e-14), "bounds")
    check(arrays["Velocity"].shape == (6, 11, 21, 3), "vectors")
    image, _ = jet(Bounds=[0, 4, -1, 1, 2, 6])
    check(image.GetOrigin()[2] == 4, "a flat jet lies in the middle of its bounds")
    for precision, name in (("Single", "vtkFloatArray"), ("Double", "vtkDoubleArray")):
        data = jet(OutputPrecision=precision)[0].GetPointData()
        check(all(data.GetArray(i).IsA(name) for i in range(3)), precision)


def no_waves_no_turbulence():
    for quiet in (dict(Modes=0), dict(Strength=0)):
        _, arrays = jet(**quiet)
        check(np.abs(arrays["Velocity"][..., 1:]).max() == 0, f"{quiet}: nothing goes across")
        middle = arrays["Velocity"][0, :, :, 0]
        check(np.abs(np.diff(middle, axis=1)).max() < 1e-12, f"{quiet}: a stream that stays")
    weak, strong = (np.abs(jet(Strength=s)[1]["Velocity"][..., 1]).max() for s in (0.25, 0.5))
    check(abs(strong / weak - 2) < 1e-9, f"twice the strength: {strong / weak} times the velocity")


def wavenumbers():
    """With one mode along x of that many waves a length, v changes its sign twice a wave."""
    across = lambda **p: jet(Dimensions=[1024, 32, 1], **p)[1]["Velocity"][0, 16, 512:, 1]
    few = crossings(across(LowestWavenumber=2, HighestWavenumber=4))
    many = crossings(across(LowestWavenumber=20, HighestWavenumber=40))
    check(0 < few < many / 3, f"ten times the wavenumbers: {few} and {many} changes of sign")
    low, high = (crossings(across(HighestWavenumber=n)) for n in (4, 48))
    check(low < high, f"the highest alone: {low} and {high}")
    some, more = (crossings(across(LowestWavenumber=n, HighestWavenumber=24)) for n in (1, 20))
    check(some < more, f"the lowest alone: {some} and {more}")


def seed_and_modes():
    first, again, other, fewer = (jet(**p)[1]["Velocity"] for p in
                                  ({}, {}, dict(Seed=2), dict(Modes=16)))
    check(np.array_equal(first, again), "the same seed, the same jet")
    check(not np.array_equal(first, other) and not np.array_equal(first, fewer), "others differ")


def speed_and_temperature():
    one, two = (jet(Modes=0, Speed=s)[1]["Velocity"] for s in (1.0, 2.0))
    check(np.array_equal(2 * one, two), "twice the speed")
    for length in (2, 8):  # an odd number of points has some on the axis
        image, arrays = jet(Modes=0, Dimensions=[65, 33, 1], Bounds=[0, length, -1, 1, -1, 1])
        axis = arrays["Velocity"][0, 16, 0, 0]
        check(abs(axis - 1) < 1e-12, f"speed 1 on the axis of a jet of length {length}: {axis}")
    for low, high in ((300, 2200), (0, 1)):
        _, arrays = jet(Dimensions=[256, 128, 1], TemperatureRange=[low, high])
        t = (arrays["Temperature"] - low) / (high - low)
        check(t.min() >= 0 and t.max() <= 1 + 1e-12 and t.max() > 0.9 and t.min() < 0.1,
              f"{t.min()} to {t.max()} of the range")


def times():
    proxy = simple.TurbulentJet(TimeSteps=3, TimeRange=[1, 2])
    proxy.UpdatePipelineInformation()
    check(list(proxy.TimestepValues) == [1, 1.5, 2], f"{list(proxy.TimestepValues)}")
    proxy.TimeSteps = 1
    proxy.UpdatePipelineInformation()
    check(list(proxy.TimestepValues) == [1], f"one step: {proxy.TimestepValues}")


def bad_values_are_told_in_a_sentence():
    nan = math.nan
    for properties, sentence in (
            (dict(Dimensions=[4, 0, 4]), "Dimensions must be 1 or more along each axis, not 0."),
            (dict(Bounds=[0, 4, 1, 1, 0, 1]),
             "Bounds must rise along each axis, but 1 to 1 does not."),
            (dict(Bounds=[0, nan, 0, 1, 0, 1]), "Bounds must rise along each axis"),
            (dict(TimeSteps=0), "Time Steps must be a number from 1 to 1000000, not 0"),
            (dict(TimeRange=[0, math.inf]), "Time Range must be finite; it is 0 to inf."),
            (dict(Modes=257), "modes"), (dict(Modes=-1), "modes"),
            (dict(LowestWavenumber=0), "wave numbers"),
            (dict(HighestWavenumber=nan), "the lowest and highest wave numbers must lie between"),
            (dict(Strength=nan), "the strength"), (dict(Speed=math.inf), "the speed"),
            (dict(TemperatureRange=[nan, 1]), "the cold temperature")):
        messages()
        proxy = simple.TurbulentJet(**{**FLAT, **properties})
        proxy.UpdatePipeline()
        text = messages()
        image = proxy.GetClientSideObject().GetOutputDataObject(0)
        check(sentence in text and "vtkTurbulentJet" in text, f"{properties}: {text}")
        check(text.count("ERR") == 1, f"{properties}: one sentence, no more: {text}")
        check(image.GetNumberOfPoints() == 0, f"{properties}: an empty image")


main(size_and_place, no_waves_no_turbulence, wavenumbers, seed_and_modes, speed_and_temperature,
     times, bad_values_are_told_in_a_sentence)
