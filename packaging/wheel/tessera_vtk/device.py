# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in the memory of a CUDA device: those of CuPy, PyTorch, JAX, Warp and others are borrowed where they
lie, by `__cuda_array_interface__` or DLPack, and output comes in arrays of the input's library."""
from __future__ import annotations

import ctypes as c
import math
import sys
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import dlpack
from ._library import call, lib
from .errors import BadInput

class DeviceArray:
    """An array on a device, contiguous. `array` and `empty` make one; CuPy, PyTorch and others take it by its
    `__cuda_array_interface__` or by DLPack, without a copy. No work of the library on it is pending: it has ended when
    a fill returns, so that it can be read on any stream at once.

    place: address. owner: what has to outlive it. writeable: False for one that is read only.
    """

    def __init__(self, place: int, shape: Sequence[int], dtype: DTypeLike, device: int, owner: Any,
                 writeable: bool = True) -> None:
        self.place, self.shape, self.dtype = place, tuple(shape), np.dtype(dtype)
        self.device, self.owner, self.writeable = device, owner, writeable

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "version": 3, "strides": None,
                "data": (self.place, not self.writeable)}

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, self.device

    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """A capsule for `from_dlpack`. stream: on which the consumer will read: -1 for one that needs no waiting,
        None, 1 and 2 for the default ones, or the address of another; 0 is none of them. dl_device: of the host,
        (1, 0), for a copy there."""
        if stream is not None and (not isinstance(stream, int) or stream == 0 or stream < -1):
            raise ValueError(f"{stream!r} is no stream of CUDA for DLPack: take None, -1, 1, 2 or an address")
        if dl_device is not None and tuple(dl_device) == (dlpack.CPU, 0):
            if copy is False:
                raise BufferError("an array on a device gets to the host only by a copy")
            return self.numpy().__dlpack__()
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array lies on device {self.device}: it is not copied to another one")
        there = self._copied() if copy else self
        return dlpack.export(there.place, there.shape, there.dtype, there.device, there, there.writeable, max_version)

    def _copied(self) -> "DeviceArray":
        made = empty(self.shape, self.dtype, self.device)
        call("tsr_device_copy", self.device, None, made.place, self.place, self.nbytes)
        return made

    def cast(self, dtype: DTypeLike, shape: Sequence[int]) -> "DeviceArray":
        """A view of this memory as an array of another type and shape."""
        return DeviceArray(self.place, shape, dtype, self.device, self, self.writeable)

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        made = np.empty(self.shape, self.dtype)
        call("tsr_device_copy", self.device, None, made.ctypes.data, self.place, self.nbytes)
        return made


class _Memory:
    """Memory of the library, freed with this object."""

    def __init__(self, nbytes: int, device: int) -> None:
        self.place = c.c_void_p()
        call("tsr_device_alloc", device, nbytes, c.byref(self.place))

    def __del__(self) -> None:
        lib.tsr_device_free(self.place)


def empty(shape: Sequence[int], dtype: DTypeLike = "f8", device: int = 0) -> DeviceArray:
    """A new array, whose values are undefined."""
    kind = np.dtype(dtype)
    memory = _Memory(math.prod(shape) * kind.itemsize, device)
    return DeviceArray(memory.place.value or 0, shape, kind, device, memory)


def array(values: ArrayLike, device: int = 0) -> DeviceArray:
    """A copy of an array of the host."""
    given = np.ascontiguousarray(values)
    made = empty(given.shape, given.dtype, device)
    call("tsr_device_copy", device, None, made.place, given.ctypes.data, given.nbytes)
    return made


def traffic() -> tuple[int, int]:
    """Bytes that the library has copied from the host to devices, and back, since the process started."""
    found = lib.tsr_memory_traffic()
    return found.up, found.down


def borrow(given: Any, what: str = "array") -> DeviceArray | None:
    """The array where it lies on a device, all work on whose stream is then done; None for all that is on the
    host. Raises BadInput for one whose values do not lie one after another."""
    if isinstance(given, DeviceArray):
        return given
    if isinstance(given, (np.ndarray, list, tuple)):
        return None
    described = getattr(given, "__cuda_array_interface__", None)
    if described is not None:
        return _from_interface(given, described, what)
    kind = getattr(given, "__dlpack_device__", None)
    if kind is not None and int(kind()[0]) in (dlpack.CUDA, dlpack.MANAGED):
        return _from_dlpack(given, what)
    return None


def _from_interface(given: Any, described: dict[str, Any], what: str) -> DeviceArray:
    shape, dtype = described["shape"], np.dtype(described["typestr"])
    _check_order(shape, described.get("strides"), dtype.itemsize, what)
    if described.get("mask") is not None:
        raise BadInput(f"the {what} has a mask, which is not supported on a device")
    device = _device_of(given)
    stream = _stream_of(given, described)
    if stream is not None:
        call("tsr_device_wait", device, None if stream == 1 else stream)
    place, read_only = described["data"]
    return DeviceArray(place or 0, shape, dtype, device, given, not read_only)


def _stream_of(given: Any, described: dict[str, Any]) -> int | None:
    """The stream whose work has to be done before the array is read or written; None: there is none to wait for.
    Version 2 of the interface, which PyTorch has, cannot name one: it is PyTorch's current stream, and the default
    stream of any other library."""
    if type(given).__module__.partition(".")[0] == "torch":
        return sys.modules["torch"].cuda.current_stream(given.device).cuda_stream or 1
    return described.get("stream") if described.get("version", 0) >= 3 else 1


def _from_dlpack(given: Any, what: str) -> DeviceArray:
    capsule = given.__dlpack__(stream=1)  # the default stream waits for what makes it
    tensor = dlpack.tensor_of(capsule)
    kind = dlpack.KINDS[tensor.code] if tensor.code < len(dlpack.KINDS) else "?"
    if kind == "?" or tensor.lanes != 1:
        raise BadInput(f"the {what} is of a type that numpy does not have")
    dtype = np.dtype(f"{kind}{tensor.bits // 8}")
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = [one * dtype.itemsize for one in tensor.strides[:tensor.ndim]] if tensor.strides else None
    _check_order(shape, strides, dtype.itemsize, what)
    call("tsr_device_wait", tensor.device, None)
    return DeviceArray((tensor.data or 0) + tensor.offset, shape, dtype, tensor.device, (given, capsule))


def _check_order(shape: Sequence[int], strides: Sequence[int] | None, size: int, what: str) -> None:
    for n, stride in zip(reversed(shape), reversed(strides or ())):
        if n > 1 and stride != size:
            raise BadInput(f"the {what} is not contiguous on the device: take a contiguous copy, such as "
                           "cupy.ascontiguousarray() or torch.Tensor.contiguous() make")
        size *= n


def _device_of(given: Any) -> int:
    """The index of its device; 0 where it does not say."""
    device = getattr(given, "device", None)
    for name in ("id", "index", "ordinal"):
        number = getattr(device, name, None)
        if isinstance(number, int):
            return number
    return device if isinstance(device, int) else 0


def new_like(given: Any, shape: Sequence[int], dtype: DTypeLike) -> Any:
    """A new array of the library that `given` is of: CuPy, PyTorch, or else a DeviceArray."""
    module, kind = type(given).__module__.partition(".")[0], np.dtype(dtype)
    if module == "cupy":
        cupy = sys.modules["cupy"]
        with cupy.cuda.Device(_device_of(given)):
            return cupy.empty(shape, kind)
    if module == "torch":
        torch = sys.modules["torch"]
        return torch.empty(tuple(shape), dtype=getattr(torch, kind.name), device=given.device)
    there = borrow(given)
    return empty(shape, kind, there.device if there else 0)


def first(*given: Any) -> Any:
    """The first of them that lies on a device; None: all are on the host."""
    return next((one for one in given if borrow(one) is not None), None)


def found_in(kept: Any) -> DeviceArray | None:
    """The first array on a device in lists of lists and of objects that keep some (`_kept`)."""
    if isinstance(kept, DeviceArray):
        return kept
    items = kept if isinstance(kept, (list, tuple)) else getattr(kept, "_kept", ())
    return next((one for one in map(found_in, items) if one is not None), None) if items else None
