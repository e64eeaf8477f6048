# SPDX-License-Identifier: BSD-3-Clause
"""Loads the C library beside this file, which _core.py describes."""
from __future__ import annotations

import ctypes as c
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _core as core
from . import errors


def _load() -> c.CDLL:
    try:
        library = c.CDLL(str(Path(__file__).with_name("libtessera.so")))
    except OSError as problem:
        raise ImportError(f"Tessera's library cannot be loaded: {problem}. Install the package "
                          "with pip.") from None
    _check_sizes(library, core)
    for name, (result, arguments) in core.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _check_sizes(library: c.CDLL, described: ModuleType) -> None:
    """Raises ImportError for a library of another version, which would write beyond the structs."""
    for name, struct in vars(described).items():
        if hasattr(struct, "struct_size"):
            room = c.create_string_buffer(1 << 16)
            library[name + "_init"](room)  # not the attribute, which has types
            size = c.c_size_t.from_buffer(room).value
            if size != c.sizeof(struct):
                raise ImportError(f"{library._name} is of another version than {described.__name__}: "
                                  f"{name} has {size} bytes there, {c.sizeof(struct)} here.")


lib = _load()

_CLASSES = {core.TSR_ABORTED: errors.Aborted, core.TSR_BAD_OPTION: errors.BadOption,
            core.TSR_BAD_INPUT: errors.BadInput, core.TSR_TOO_LARGE: errors.TooLarge,
            core.TSR_NO_MEMORY: errors.NoMemory, core.TSR_NO_BACKEND: errors.NoBackend}


def call(name: str, *arguments: object) -> None:
    """Calls a function whose last argument is a tsr_error. Raises a TesseraError with the core's
    sentence if it fails."""
    error = core.tsr_error()
    status = getattr(lib, name)(*arguments, c.byref(error))
    if status != core.TSR_OK:
        kind = _CLASSES.get(status, errors.TesseraError)
        raise kind(error.text.decode(errors="replace"), error.item)


def new(name: str) -> Any:
    """A struct with the core's defaults, by its name in C."""
    made = getattr(core, name)()
    getattr(lib, name + "_init")(c.byref(made))
    return made


def text_of(name: str, *arguments: object) -> str:
    """The text that a function writes, whose last arguments are a buffer and its size."""
    text = c.create_string_buffer(500)
    getattr(lib, name)(*arguments, text, len(text))
    return text.value.decode(errors="replace")
