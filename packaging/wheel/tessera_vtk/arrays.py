# SPDX-License-Identifier: BSD-3-Clause
"""numpy arrays as the core sees them: borrowed where they lie as it needs them, else through one copy."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core as core
from . import device
from .device import DeviceArray
from .errors import BadInput, BadOption, instead_of

Array = NDArray[Any]  # or, as a hint cannot say, a DeviceArray

# By tsr_type.
DTYPES = tuple(np.dtype(name) for name in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4",
                                           "f8"))
TYPES = {dtype: number for number, dtype in enumerate(DTYPES)}
INT32, INT64, FLOAT, DOUBLE = 4, 6, 8, 9


def pointer(array: Array | None) -> int | None:
    """Where its values lie; None for none."""
    if isinstance(array, DeviceArray):
        return array.place
    return None if array is None else array.ctypes.data


def raw(array: Array) -> Array:
    """A view of the array in a type that the core has: truth values as uint8, a complex number as two."""
    if isinstance(array, DeviceArray):
        return _raw_there(array)
    if array.dtype == np.bool_:
        return array.view(np.uint8)
    if array.dtype.kind == "c" and array.ndim == 1:
        return array.view(array.real.dtype).reshape(len(array), 2)
    return array


def _raw_there(array: DeviceArray) -> Any:
    if array.dtype == np.bool_:
        return array.cast("u1", array.shape)
    if array.dtype.kind == "c" and array.ndim == 1:
        return array.cast(f"f{array.dtype.itemsize // 2}", (len(array), 2))
    return array


def tidy(given: ArrayLike, what: str = "array") -> Array:
    """An array that the core can borrow: the given one, or a copy where its values do not lie one after
    another in a type that the core has. Raises BadInput where they are no numbers."""
    there = device.borrow(given, what)
    if there is not None:
        found: Any = _raw_there(there)
        if found.dtype not in TYPES:
            raise BadInput(f"the {what} is of type {found.dtype} on a device; take numbers of at most 64 bits "
                           "that are not of half precision")
        return found  # type: ignore[no-any-return]
    try:
        by_dlpack: Any = given if hasattr(given, "__dlpack__") and not hasattr(given, "__array__") else None
        array = np.asarray(given) if by_dlpack is None else np.from_dlpack(by_dlpack)
    except ValueError as problem:
        raise BadInput(f"the {what} is no array: {problem}") from None
    if array.dtype.kind not in "biufc" or (array.dtype.kind in "fc" and array.itemsize > 16):
        raise BadInput(f"the {what} is of type {array.dtype}; take numbers of at most 64 bits")
    if array.dtype.kind == "f" and array.itemsize not in (4, 8):
        array = array.astype(np.float32 if array.itemsize == 2 else np.float64)
    array = np.asarray(array, array.dtype.newbyteorder("="), order="C")
    return raw(array if array.flags.c_contiguous else np.ascontiguousarray(array))


def places(given: ArrayLike, what: str = "array of points") -> Array:
    """Points, (n, 3); those of a plane, (n, 2), get a z of 0."""
    array = tidy(given, what)
    if isinstance(array, DeviceArray) and array.shape[1:] != (3,):
        raise BadInput(f"the {what} must have the shape (n, 3) on a device, not {array.shape}")
    if array.ndim == 2 and array.shape[1] == 2:
        array = np.concatenate([array, np.zeros((len(array), 1), array.dtype)], axis=1)
    if array.ndim != 2 or array.shape[1] != 3:
        raise BadInput(f"the {what} must have the shape (n, 3) or (n, 2), not {array.shape}")
    return array


def flat(given: ArrayLike, what: str, n: int | None, *dtypes: str) -> Array:
    """A list of n or any number of values of one of these types, the last of which others become."""
    array = tidy(given, what)
    if array.dtype not in [np.dtype(one) for one in dtypes]:
        if isinstance(array, DeviceArray):
            raise BadInput(f"the {what} is of type {array.dtype} on a device; take "
                           f"{' or '.join(map(_name, dtypes))}")
        fits = array.dtype.kind in "iu" and np.array_equal(array.astype(dtypes[-1]), array)
        if not fits:
            raise BadInput(f"the {what} is of type {array.dtype}; take {' or '.join(map(_name, dtypes))}")
        array = array.astype(dtypes[-1])
    if array.ndim != 1 or n not in (None, len(array)):
        raise BadInput(f"the {what} must have the shape ({'n' if n is None else n},), not "
                       f"{array.shape}")
    return array


def _name(dtype: DTypeLike) -> str:
    return str(np.dtype(dtype))


def target(array: Array, what: str, n: int, *dtypes: DTypeLike) -> int:
    """Where n or more values of one of these types may be written."""
    there = device.borrow(array, what)
    if there is None and not isinstance(array, np.ndarray):
        raise BadInput(f"the {what} must be a numpy array, or one on a device, not a {type(array).__name__}")
    if there is None and not array.flags.c_contiguous:
        raise BadInput(f"the {what} is not contiguous, and is written in place: take a contiguous one")
    array = raw(array) if there is None else _raw_there(there)
    if array.dtype not in [np.dtype(one) for one in dtypes]:
        raise BadInput(f"the {what} is of type {array.dtype}; take {' or '.join(map(_name, dtypes))}")
    if array.size < n:
        raise BadInput(f"the {what} has room for {array.size} values; {n} come out")
    if not (array.flags.writeable if there is None else there.writeable):
        raise BadInput(f"the {what} is read-only")
    return pointer(array) or 0


def set_outputs(struct: Any, outputs: Mapping[str, Array], members: Mapping[str, tuple[Any, ...]],
                sizes: Any) -> None:
    """Lets members of an output struct point to arrays. members: by name, of which size, how many
    components, types; where there is a choice of types, that of the points."""
    if "points" in outputs and hasattr(struct, "points_type"):
        there = device.borrow(outputs["points"], "array 'points'")
        kind = getattr(outputs["points"] if there is None else there, "dtype", None)
        struct.points_type = TYPES.get(kind, DOUBLE)  # type: ignore[arg-type]
    for name, array in outputs.items():
        if name not in members:
            raise BadOption(f"there is no output array '{name}'" + instead_of(name, members))
        size, components, *dtypes = members[name]
        if len(dtypes) > 1 and name != "points":
            dtypes = [DTYPES[struct.points_type].str]
        n = (getattr(sizes, size) + (name.endswith("offsets") or name == "tree_first")) * components
        setattr(struct, name, target(array, f"array '{name}'", n, *dtypes))


def new_outputs(names: Iterable[str], members: Mapping[str, tuple[Any, ...]], sizes: Any,
                real: DTypeLike = "f8", model: Any = None) -> dict[str, Array]:
    """New arrays for members of an output struct. real: where there is a choice of types. model: an array on
    a device, where and as which they are to be; None: numpy's."""
    made = {}
    for name in names:
        if name not in members:
            raise BadOption(f"there is no output array '{name}'" + instead_of(name, members))
        size, components, *dtypes = members[name]
        n = getattr(sizes, size) + (name.endswith("offsets") or name == "tree_first")
        shape, kind = (n, components) if components > 1 else (n,), real if len(dtypes) > 1 else dtypes[0]
        made[name] = np.zeros(shape, kind) if model is None else device.new_like(model, shape, kind)
    return made


def like(array: Array, tuples: int, dtype: DTypeLike | None = None, model: Any = None) -> Array:
    """A new array of the components of this one, and of its type or another. model: as in new_outputs."""
    shape, kind = (tuples, *array.shape[1:]), array.dtype if dtype is None else dtype
    return np.empty(shape, kind) if model is None else device.new_like(model, shape, kind)


def view(array: Array, what: str = "array", components: int | None = None,
         tuples: int | None = None) -> Any:
    """A tsr_array of a tidy array of shape (tuples,) or (tuples, components), which has to outlive it.
    Raises BadInput where it does not have so many components and tuples."""
    if not isinstance(array, (np.ndarray, DeviceArray)):
        raise BadInput(f"the {what} must be a numpy array, not a {type(array).__name__}")
    found = array.shape[1] if array.ndim == 2 else 1
    if array.ndim not in (1, 2) or components not in (None, found):
        shape = f"(n, {components})" if components else "(n,) or (n, components)"
        raise BadInput(f"the {what} must have the shape {shape}, not {array.shape}")
    if tuples not in (None, len(array)):
        raise BadInput(f"the {what} has {len(array)} tuples instead of {tuples}")
    # An array of no tuples is there all the same: NULL would mean that it is not.
    return core.tsr_array(pointer(array) or c.addressof(_NOTHING), TYPES[array.dtype], found,
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


def vector(struct: Any, items: Sequence[Any]) -> Any:
    """The structs one after another, for a pointer and a count; None for none."""
    return (struct * len(items))(*items) if items else None


def address(items: Any) -> int | None:
    """Where they lie."""
    return None if items is None else c.addressof(items)


def copied(place: int | None, n: int, dtype: str) -> Array:
    """A new array of n numbers that lie in memory of the library."""
    if place is None or n == 0:
        return np.empty(0, dtype)
    return np.frombuffer(c.string_at(place, n * np.dtype(dtype).itemsize), dtype).copy()
