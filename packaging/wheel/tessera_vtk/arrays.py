# SPDX-License-Identifier: BSD-3-Clause
"""numpy arrays as the core sees them: borrowed, never copied."""
from __future__ import annotations

import ctypes as c

import numpy as np

from . import _structs as s
from .errors import BadInput

# By tsr_type.
DTYPES = tuple(np.dtype(name) for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4",
                                           "f8"))
TYPES = {dtype: number for number, dtype in enumerate(DTYPES)}
INT32, INT64, FLOAT, DOUBLE = 4, 6, 8, 9


def pointer(array: np.ndarray | None) -> int | None:
    """Where its values lie; None for none."""
    return None if array is None else array.ctypes.data


def view(array: np.ndarray, what: str = "array") -> s.Array:
    """A tsr_array of a numpy array of shape (tuples,) or (tuples, components), which has to outlive
    it. Raises BadInput where it is not C-contiguous or of a type that the core does not have."""
    if array.dtype not in TYPES:
        raise BadInput(f"the {what} is of type {array.dtype}, which the core does not take")
    if array.ndim not in (1, 2) or not array.flags.c_contiguous:
        raise BadInput(f"the {what} must be contiguous and have one or two axes, not shape "
                       f"{array.shape}")
    components = array.shape[1] if array.ndim == 2 else 1
    # An array of no tuples is there all the same: NULL would mean that it is not.
    return s.Array(array.ctypes.data or c.addressof(_NOTHING), TYPES[array.dtype], components,
                   array.shape[0])


_NOTHING = c.c_double()


def vector(struct: type, items: list) -> c.Array | None:
    """The structs one after another, for a pointer and a count; None for none."""
    return (struct * len(items))(*items) if items else None


def address(items: c.Array | None) -> int | None:
    """Where they lie."""
    return None if items is None else c.addressof(items)
