# SPDX-License-Identifier: BSD-3-Clause
"""Loads the C library and declares its functions."""
from __future__ import annotations

import ctypes as c
import os
from pathlib import Path

from . import _structs as s
from .errors import error_of

_P = c.POINTER
_ERROR = _P(s.Error)

# Name: result, arguments.
_FUNCTIONS = {
    "tsr_execution_init": (None, [_P(s.Execution)]),
    "tsr_memory_look": (s.Memory, [c.c_char_p]),
    "tsr_memory_allowed": (c.c_double, [_P(s.Memory), c.c_double]),
    "tsr_memory_items": (c.c_int64, [c.c_double, c.c_double]),
    "tsr_property_get": (c.c_double, [_P(s.Property), c.c_void_p, c.c_int]),
    "tsr_property_set": (None, [_P(s.Property), c.c_void_p, c.c_int, c.c_double]),
    "tsr_curves_properties": (_P(s.Property), [_P(c.c_int)]),
    "tsr_curves_options_init": (None, [_P(s.CurvesOptions)]),
    "tsr_curves_options_settle": (None, [_P(s.CurvesOptions)]),
    "tsr_curves_view_init": (None, [_P(s.CurvesView)]),
    "tsr_curves_output_init": (None, [_P(s.CurvesOutput)]),
    "tsr_curves_plan_create": (c.c_int, [_P(s.CurvesView), _P(s.CurvesOptions), _P(s.Execution),
                                         _P(c.c_void_p), _ERROR]),
    "tsr_curves_plan_free": (None, [c.c_void_p]),
    "tsr_curves_plan_sizes": (_P(s.CurvesSizes), [c.c_void_p]),
    "tsr_curves_plan_report": (None, [c.c_void_p, _P(s.Report)]),
    "tsr_curves_label_changes": (c.c_int, [c.c_void_p, _P(c.c_int64), _ERROR]),
    "tsr_curves_rounding": (c.c_double, [c.c_double]),
    "tsr_curves_largest_place": (c.c_double, [c.c_double * 6]),
    "tsr_curves_bounds": (c.c_int, [_P(s.CurvesView), _P(s.Execution), c.c_double * 6, _ERROR]),
    "tsr_curves_fit_budget": (c.c_int, [_P(c.c_void_p), c.c_int, c.c_int64, c.c_void_p, c.c_void_p,
                                        _P(c.c_double), _ERROR]),
    "tsr_curves_fill": (c.c_int, [c.c_void_p, _P(s.CurvesOutput), _ERROR]),
    "tsr_note_sentence": (None, [c.c_int, s.NoteCount, c.c_char_p, c.c_char_p, c.c_size_t]),
    "tsr_join_lines": (c.c_int, [_P(s.JoinView), _P(s.Join), _ERROR]),
    "tsr_join_free": (None, [_P(s.Join)]),
    "tsr_report_over_least": (c.c_double, [_P(s.Report)]),
    "tsr_pass_create": (c.c_int, [_P(s.PassView), _P(c.c_void_p), _ERROR]),
    "tsr_pass_free": (None, [c.c_void_p]),
    "tsr_pass_get_sizes": (_P(s.PassSizes), [c.c_void_p]),
    "tsr_pass_cells": (_P(c.c_int64), [c.c_void_p, c.c_int]),
    "tsr_pass_points": (_P(c.c_int64), [c.c_void_p]),
    "tsr_pass_fill": (None, [c.c_void_p, c.c_int, c.c_int64, c.c_void_p, c.c_void_p]),
    "tsr_grid_properties": (_P(s.Property), [_P(c.c_int)]),
    "tsr_grid_options_init": (None, [_P(s.GridOptions)]),
    "tsr_grid_view_init": (None, [_P(s.GridView)]),
    "tsr_grid_criterion_init": (None, [_P(s.GridCriterion)]),
    "tsr_grid_output_init": (None, [_P(s.GridOutput)]),
    "tsr_grid_check_options": (c.c_int, [_P(s.GridOptions), _ERROR]),
    "tsr_grid_plan_create": (c.c_int, [_P(s.GridView), _P(s.GridOptions), _P(s.Execution),
                                       _P(c.c_void_p), _ERROR]),
    "tsr_grid_plan_free": (None, [c.c_void_p]),
    "tsr_grid_plan_sizes": (_P(s.GridSizes), [c.c_void_p]),
    "tsr_grid_plan_report": (None, [c.c_void_p, _P(s.Report)]),
    "tsr_grid_fill": (c.c_int, [c.c_void_p, _P(s.GridOutput), _ERROR]),
    "tsr_grid_note_sentence": (None, [c.c_int, s.NoteCount, c.c_char_p, c.c_size_t]),
    "tsr_grid_bound_text": (c.c_char_p, [_P(s.GridOptions), c.c_int]),
    "tsr_grid_share": (c.c_int, [_P(s.GridPart), _P(s.Processes), _P(s.GridShares), _ERROR]),
    "tsr_grid_shares_free": (None, [_P(s.GridShares)]),
    "tsr_grid_region": (None, [_P(s.GridView), _P(c.c_double) * 3, c.c_double * 6,
                               c.c_double * 6]),
    "tsr_grid_is_axis_aligned": (c.c_int, [_P(s.GridView)]),
}

# Structs that say their size when they are set up.
_SIZED = {"tsr_execution_init": s.Execution, "tsr_curves_options_init": s.CurvesOptions,
          "tsr_curves_view_init": s.CurvesView, "tsr_curves_output_init": s.CurvesOutput,
          "tsr_grid_options_init": s.GridOptions, "tsr_grid_view_init": s.GridView,
          "tsr_grid_output_init": s.GridOutput}


def _path() -> Path:
    """TESSERA_LIBRARY, else the file beside this one."""
    named = os.environ.get("TESSERA_LIBRARY")
    return Path(named) if named else Path(__file__).with_name("libtessera.so")


def _check_sizes(library: c.CDLL) -> None:
    """A library of another version would write beyond the structs: refuse it."""
    for name, struct in _SIZED.items():
        room = c.create_string_buffer(1 << 16)
        getattr(c.CDLL(library._name), name)(room)
        size = c.c_size_t.from_buffer(room).value
        if size != c.sizeof(struct):
            raise ImportError(f"{library._name} is of another version than this package: a "
                              f"{struct.__doc__} has {size} bytes there, {c.sizeof(struct)} here.")


def _load() -> c.CDLL:
    path = _path()
    try:
        library = c.CDLL(str(path))
    except OSError as problem:
        raise ImportError(f"Tessera's library cannot be loaded: {problem}. Install the package "
                          "with pip, or name the file in TESSERA_LIBRARY.") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    _check_sizes(library)
    return library


lib = _load()


def call(name: str, *arguments: object) -> None:
    """Calls a function whose last argument is a tsr_error. Raises a TesseraError with the core's
    sentence where it fails."""
    error = s.Error()
    status = getattr(lib, name)(*arguments, c.byref(error))
    if status != 0:
        raise error_of(status, error.text.decode(errors="replace"), error.item)


def sentence(name: str, kind: int, count: s.NoteCount, *noun: bytes) -> str:
    """A note as the core says it."""
    text = c.create_string_buffer(500)
    getattr(lib, name)(kind, count, *noun, text, len(text))
    return text.value.decode(errors="replace")
