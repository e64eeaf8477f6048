# SPDX-License-Identifier: BSD-3-Clause
"""Sources on numpy arrays: the turbulent jet, random Bezier curves, random discs; and what CUDA devices
there are."""
from __future__ import annotations

import ctypes as c
from typing import Any

import numpy as np

from . import _core as core
from . import arrays, memory
from ._library import call, lib, new
from .arrays import Array
from .errors import BadOption
from .execution import Execution
from .properties import of_proxy, options_function

JET = of_proxy("TurbulentJet", "tsr_jet_properties", "tsr_jet_choices_properties")
CURVES = of_proxy("RandomBezierCurves", "tsr_random_curves_properties")
DISCS = of_proxy("RandomDiscs", "tsr_random_discs_properties")
jet_options = options_function("tsr_jet_options", "TurbulentJet", JET)
jet_choices = options_function("tsr_jet_choices", "TurbulentJet", JET)
curves_options = options_function("tsr_random_curves_options", "RandomBezierCurves", CURVES)
discs_options = options_function("tsr_random_discs_options", "RandomDiscs", DISCS)


def jet(settings: Any = None, choices: Any = None, time: float | None = None, extent: Any = None,
        threads: int = 1) -> dict[str, Array]:
    """The values of a jet at its points.

    Parameters
    ----------
    settings : tsr_jet_options, optional
        Of `jet_options`; None: the defaults.
    choices : tsr_jet_choices, optional
        Of `jet_choices`; None: the defaults.
    time : float, optional
        None: the first time of the choices.
    extent : sequence of 6 int, optional
        First and last point along x, y and z. None: all.
    threads : int, default: 1
        0: all cores.

    Returns
    -------
    dict of str to numpy.ndarray
        The Velocity (n, 3), Temperature and Scalar (n,), x fastest.

    Examples
    --------
    >>> from tessera_vtk import sources
    >>> sources.jet(choices=sources.jet_choices(dimensions=(4, 3, 2)))["Velocity"].shape
    (24, 3)
    """
    set_ = core.tsr_jet_options.from_buffer_copy(settings or jet_options())
    choices = choices or jet_choices()
    call("tsr_jet_choices_check", c.byref(choices), c.byref(set_))
    lib.tsr_jet_choices_apply(c.byref(choices), choices.time_range[0] if time is None else time,
                              c.byref(set_))
    sides = (c.c_int64 * 6)(*(set_.whole if extent is None else extent))
    n = 1
    for low, high in zip(sides[0::2], sides[1::2]):
        n *= max(high - low + 1, 0)
    call("tsr_jet_check_memory", c.byref(choices), float(n), float(lib.tsr_memory_look(None).available))
    kind = "f8" if choices.output_precision == 1 else "f4"
    made = {"Velocity": np.empty((n, 3), kind), "Temperature": np.empty(n, kind), "Scalar": np.empty(n, kind)}
    output = new("tsr_jet_output")
    output.type = arrays.TYPES[np.dtype(kind)]
    output.velocity, output.temperature, output.scalar = (one.ctypes.data for one in made.values())
    execution = Execution(threads)
    try:
        if n > 0:
            execution.call("tsr_jet_fill", c.byref(set_), sides, c.byref(execution.core), c.byref(output))
    finally:
        execution.close()
    return made


def jet_place(settings: Any, choices: Any) -> tuple[list[float], list[float]]:
    """The first point of a jet, and the distances between points."""
    origin, spacing = (c.c_double * 3)(), (c.c_double * 3)()
    lib.tsr_jet_place(c.byref(choices), c.byref(settings), origin, spacing)
    return list(origin), list(spacing)


def _room_for(count: int, size: float, what: str) -> None:
    memory.Room().check(what, float(count), count * size)


def random_curves(settings: Any = None) -> Array:
    """Control points of random Bezier curves, (curves, degree + 1, 3), in their order along a curve.

    Examples
    --------
    >>> from tessera_vtk import sources
    >>> sources.random_curves(sources.curves_options(number_of_curves=5, degree=3)).shape
    (5, 4, 3)
    """
    set_ = settings or curves_options()
    call("tsr_random_curves_check", c.byref(set_))
    _room_for(set_.count, 12.0 * (set_.degree + 1), "curves")
    points = np.empty((set_.count, set_.degree + 1, 3), np.float32)
    call("tsr_random_curves_fill", set_.seed, set_.degree, 0, set_.count, points.ctypes.data)
    return points


def random_discs(settings: Any = None) -> dict[str, Array]:
    """Points (n, 3), radii (n,), colors (n, 3) and opacities (n,) of a scene of discs.

    Examples
    --------
    >>> from tessera_vtk import sources
    >>> len(sources.random_discs(sources.discs_options(scene="rgb"))["radii"])
    3
    """
    set_ = settings or discs_options()
    n = max(int(lib.tsr_random_discs_count(c.byref(set_))), 0)
    _room_for(n, 23.0, "discs")
    made = {"points": np.empty((n, 3), "f4"), "radii": np.empty(n, "f4"), "colors": np.empty((n, 3), "u1"),
            "opacities": np.empty(n, "f4")}
    output = new("tsr_random_discs_output")
    output.points, output.radii, output.colors, output.opacities = (one.ctypes.data for one in made.values())
    call("tsr_random_discs_fill", c.byref(set_), 0, n, c.byref(output))
    return made


def devices(measure: bool = False) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """A row for each CUDA device, by the names of the columns; and the versions, and what is the matter.

    Examples
    --------
    >>> from tessera_vtk import sources
    >>> rows, about = sources.devices()
    >>> sorted(about)
    ['Driver Version', 'Problem', 'Runtime Version']
    """
    if not isinstance(measure, (bool, int)):
        raise BadOption(f"Measure must be True or False, not {measure!r}.")
    found = core.tsr_devices()
    lib.tsr_device_report(c.byref(found))
    if measure:
        lib.tsr_device_measure(c.byref(found))
    n = c.c_int()
    fields = lib.tsr_device_fields(c.byref(n))
    rows = []
    for row in range(lib.tsr_device_rows(c.byref(found))):
        values: dict[str, Any] = {}
        for k in range(n.value):
            value = core.tsr_device_value()
            lib.tsr_device_value_get(c.byref(found), row, k, c.byref(value))
            name = " ".join(filter(None, (fields[k].name.decode(), fields[k].unit.decode())))
            values[name] = (value.text.decode(errors="replace") if fields[k].type == core.TSR_DEVICE_TEXT else
                            float(value.real) if fields[k].type == core.TSR_DEVICE_REAL else
                            int(value.integer))
        rows.append(values)
    versions = {f"{name} Version": (f"{number // 1000}.{number % 1000 // 10}" if number > 0 else "-")
                for name, number in (("Driver", found.driver_version), ("Runtime", found.runtime_version))}
    return rows, {**versions, "Problem": found.problem.decode(errors="replace")}
