# SPDX-License-Identifier: BSD-3-Clause
"""DLPack: the structs by which libraries hand each other arrays, and capsules that hold them."""
from __future__ import annotations

import ctypes as c
from typing import Any, Sequence

import numpy as np

CPU, CUDA, MANAGED = 1, 2, 13  # DLDeviceType
KINDS = "iuf??cb"  # by DLDataTypeCode; bfloat and opaque handles have none
_READ_ONLY = 1  # of DLManagedTensorVersioned.flags


class Tensor(c.Structure):  # DLTensor
    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device", c.c_int32), ("ndim", c.c_int32),
                ("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16),
                ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)), ("offset", c.c_uint64)]


_Deleter = c.CFUNCTYPE(None, c.c_void_p)
_Destructor = c.PYFUNCTYPE(None, c.c_void_p)


class _Managed(c.Structure):  # DLManagedTensor
    _fields_ = [("tensor", Tensor), ("context", c.c_void_p), ("deleter", _Deleter)]


class _Versioned(c.Structure):  # DLManagedTensorVersioned
    _fields_ = [("major", c.c_uint32), ("minor", c.c_uint32), ("context", c.c_void_p), ("deleter", _Deleter),
                ("flags", c.c_uint64), ("tensor", Tensor)]


def _of_python(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's own library, with types of its own here."""
    return c.PYFUNCTYPE(result, *arguments)((name, c.pythonapi))


_new = _of_python("PyCapsule_New", c.py_object, c.c_void_p, c.c_char_p, _Destructor)
_is_valid = _of_python("PyCapsule_IsValid", c.c_int, c.c_void_p, c.c_char_p)
_pointer = _of_python("PyCapsule_GetPointer", c.c_void_p, c.c_void_p, c.c_char_p)
_pointer_of = _of_python("PyCapsule_GetPointer", c.c_void_p, c.py_object, c.c_char_p)

_given: dict[int, Any] = {}  # by the address of the struct: what lives until its deleter is called


def _delete(place: int) -> None:
    _given.pop(place, None)


def _drop(capsule: int) -> None:
    """A capsule that nobody took gives its struct back; one that was taken has another name."""
    for name in (_LEGACY, _VERSIONED):
        if _is_valid(capsule, name):
            _given.pop(_pointer(capsule, name), None)


_LEGACY, _VERSIONED = b"dltensor", b"dltensor_versioned"
_DELETE, _DROP = _Deleter(_delete), _Destructor(_drop)


def tensor_of(capsule: Any) -> Tensor:
    """The tensor in a capsule without a version."""
    return Tensor.from_address(_pointer_of(capsule, _LEGACY))


def export(place: int, shape: Sequence[int], dtype: np.dtype[Any], device: int, owner: Any, writeable: bool,
           max_version: tuple[int, int] | None) -> Any:
    """A capsule of an array on a CUDA device, contiguous. owner: lives until the consumer is done. max_version:
    the newest that the consumer reads; None: without a version, which cannot say that an array is read only.
    Raises BufferError for an array that it cannot describe."""
    code = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}.get(dtype.kind)
    if code is None:
        raise BufferError(f"DLPack has no type for {dtype}")
    versioned = max_version is not None and max_version[0] >= 1
    if not writeable and not versioned:
        raise BufferError("the array is read only, which DLPack before version 1 cannot say")
    made: Any = _Versioned(major=1, minor=0, flags=0 if writeable else _READ_ONLY) if versioned else _Managed()
    sizes = (c.c_int64 * max(len(shape), 1))(*shape)
    steps = (c.c_int64 * max(len(shape), 1))(*np.cumprod([1, *shape[:0:-1]])[::-1].tolist() if shape else [])
    made.tensor = Tensor(place or None, CUDA, device, len(shape), code, 8 * dtype.itemsize, 1, sizes, steps, 0)
    made.deleter = _DELETE
    address = c.addressof(made)
    _given[address] = (made, sizes, steps, owner)
    return _new(address, _VERSIONED if versioned else _LEGACY, _DROP)
