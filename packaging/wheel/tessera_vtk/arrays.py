# SPDX-License-Identifier: BSD-3-Clause
"""numpy arrays as the core sees them: borrowed, never copied."""
from __future__ import annotations

import ctypes as c
from typing import Iterable, Sequence

import numpy as np

from ._library import core
from .errors import BadInput, BadOption, instead_of

# By tsr_type.
DTYPES = tuple(np.dtype(name) for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4",
                                           "f8"))
TYPES = {dtype: number for number, dtype in enumerate(DTYPES)}
INT32, INT64, FLOAT, DOUBLE = 4, 6, 8, 9


def pointer(array: np.ndarray | None) -> int | None:
    """Where its values lie; None for none."""
    return None if array is None else array.ctypes.data


def check(array: np.ndarray, what: str, dtypes: Sequence[np.dtype]) -> None:
    """Raises BadInput where it is no C-contiguous numpy array of one of these types."""
    if not isinstance(array, np.ndarray):
        raise BadInput(f"the {what} must be a numpy array, not a {type(array).__name__}")
    if array.dtype not in dtypes:
        takes = (" or ".join(map(str, dtypes)) if len(dtypes) < len(DTYPES) else
                 "float32, float64 or whole numbers of 8 to 64 bits, in this machine's byte order")
        raise BadInput(f"the {what} is of type {array.dtype}; take {takes}")
    if not array.flags.c_contiguous:
        raise BadInput(f"the {what} is not contiguous, and is borrowed, not copied: take "
                       "numpy.ascontiguousarray of it")


def flat(array: np.ndarray, what: str, n: int | None, *dtypes: str) -> int:
    """Where the values of a list lie, of n or any number of them, of one of these types."""
    check(array, what, [np.dtype(one) for one in dtypes])
    if array.ndim != 1 or n not in (None, len(array)):
        raise BadInput(f"the {what} must have the shape ({'n' if n is None else n},), not "
                       f"{array.shape}")
    return array.ctypes.data


def target(array: np.ndarray, what: str, n: int, *dtypes: str) -> int:
    """Where n or more values of one of these types may be written."""
    check(array, what, [np.dtype(one) for one in dtypes])
    if array.size < n:
        raise BadInput(f"the {what} has room for {array.size} values; {n} come out")
    if not array.flags.writeable:
        raise BadInput(f"the {what} is read-only")
    return array.ctypes.data


def set_outputs(struct: c.Structure, outputs: dict[str, np.ndarray], members: dict[str, tuple],
                sizes: c.Structure) -> None:
    """Lets members of an output struct point to arrays. members: by name, of which size, how many
    components, types; where there is a choice of types, that of the points."""
    if "points" in outputs:
        struct.points_type = TYPES.get(getattr(outputs["points"], "dtype", None), DOUBLE)
    for name, array in outputs.items():
        if name not in members:
            raise BadOption(f"there is no output array '{name}'" + instead_of(name, members))
        size, components, *dtypes = members[name]
        if len(dtypes) > 1 and name != "points":
            dtypes = [DTYPES[struct.points_type].str]
        n = (getattr(sizes, size) + (name in ("offsets", "tree_first"))) * components
        setattr(struct, name, target(array, f"array '{name}'", n, *dtypes))


def view(array: np.ndarray, what: str = "array", components: int | None = None,
         tuples: int | None = None) -> core.tsr_array:
    """A tsr_array of a numpy array of shape (tuples,) or (tuples, components), which has to outlive
    it. Raises BadInput where it is not C-contiguous, of a type that the core does not have, or does
    not have so many components and tuples."""
    check(array, what, DTYPES)
    found = array.shape[1] if array.ndim == 2 else 1
    if array.ndim not in (1, 2) or components not in (None, found):
        shape = f"(n, {components})" if components else "(n,) or (n, components)"
        raise BadInput(f"the {what} must have the shape {shape}, not {array.shape}")
    if tuples not in (None, len(array)):
        raise BadInput(f"the {what} has {len(array)} tuples instead of {tuples}")
    # An array of no tuples is there all the same: NULL would mean that it is not.
    return core.tsr_array(array.ctypes.data or c.addressof(_NOTHING), TYPES[array.dtype], found,
                   len(array))


_NOTHING = c.c_double()


def numbers(values: Iterable[float], what: str, n: int) -> list[float]:
    """n numbers. Raises BadInput where they are others."""
    try:
        found = [float(one) for one in values]
    except (TypeError, ValueError):
        raise BadInput(f"the {what} must be {n} numbers, not {values!r}") from None
    if len(found) != n:
        raise BadInput(f"the {what} must be {n} numbers, not {found}")
    return found


def vector(struct: type, items: list) -> c.Array | None:
    """The structs one after another, for a pointer and a count; None for none."""
    return (struct * len(items))(*items) if items else None


def address(items: c.Array | None) -> int | None:
    """Where they lie."""
    return None if items is None else c.addressof(items)


def copied(address: int | None, n: int, dtype: str) -> np.ndarray:
    """A new array of n numbers that lie in memory of the library."""
    return np.frombuffer(c.string_at(address, n * np.dtype(dtype).itemsize) if n else b"", dtype).copy()
