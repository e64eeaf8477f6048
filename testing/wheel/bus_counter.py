# SPDX-License-Identifier: BSD-3-Clause
"""Bytes that this process copies over the bus, by anyone in it: counted by CUPTI, NVIDIA's interface for profilers,
and so also those of libraries that have the CUDA runtime in them.

    with BusCounter(cupy.cuda.runtime.deviceSynchronize) as bus:
        ...
    bus.up, bus.down, bus.copies
"""
import ctypes as c
import glob
import os
import sys

_MEMCPY = 1  # CUPTI_ACTIVITY_KIND_MEMCPY
_UP, _DOWN = (1, 3), (2, 4)  # CUPTI_ACTIVITY_MEMCPY_KIND: host to device or its textures, and back
_FLUSH_FORCED = 1
_BUFFER, _ALIGNMENT = 1 << 20, 8


class _Copy(c.Structure):
    """How all versions of CUpti_ActivityMemcpy begin."""

    _pack_ = 1
    _fields_ = [("kind", c.c_uint32), ("direction", c.c_uint8), ("source", c.c_uint8), ("target", c.c_uint8),
                ("flags", c.c_uint8), ("bytes", c.c_uint64)]


_Requested = c.CFUNCTYPE(None, c.POINTER(c.c_void_p), c.POINTER(c.c_size_t), c.POINTER(c.c_size_t))
_Completed = c.CFUNCTYPE(None, c.c_void_p, c.c_uint32, c.c_void_p, c.c_size_t, c.c_size_t)


def _library():
    """libcupti of the toolkit, or of the packages that PyTorch brings. Raises OSError where there is none."""
    places = ["libcupti.so.13", "libcupti.so.12", "libcupti.so"]  # first one that PyTorch may have loaded
    roots = [os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    patterns = [f"{root}/{folder}/libcupti.so*" for root in roots if root
                for folder in ("extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib")]
    patterns += [f"{folder}/nvidia/*/lib/libcupti.so*" for folder in sys.path if folder]
    for one in places + [found for pattern in patterns for found in sorted(glob.glob(pattern))]:
        try:
            return c.CDLL(one)
        except OSError:
            continue
    raise OSError("there is no libcupti: it is part of CUDA's toolkit, and of nvidia-cuda-cupti")


class _Cupti:
    """The one user of CUPTI in the process, which adds up all copies."""

    def __init__(self):
        self._library, self._buffers = _library(), {}
        self.up = self.down = self.copies = 0
        self._functions = _Requested(self._requested), _Completed(self._completed)
        self._must("cuptiActivityRegisterCallbacks", *self._functions)
        self._must("cuptiActivityEnable", _MEMCPY)

    def _must(self, name, *arguments):
        status = getattr(self._library, name)(*arguments)
        if status != 0:
            raise OSError(f"{name} failed with status {status}")

    def _requested(self, place, size, most_records):
        memory = c.create_string_buffer(_BUFFER + _ALIGNMENT)
        address = -(-c.addressof(memory) // _ALIGNMENT) * _ALIGNMENT
        self._buffers[address] = memory
        place[0], size[0], most_records[0] = address, _BUFFER, 0

    def _completed(self, _context, _stream, place, _size, valid):
        record = c.c_void_p()
        while valid and self._library.cuptiActivityGetNextRecord(c.c_void_p(place), c.c_size_t(valid),
                                                                 c.byref(record)) == 0:
            copy = _Copy.from_address(record.value)
            if copy.kind == _MEMCPY:
                self.copies += 1
                self.up += copy.bytes if copy.direction in _UP else 0
                self.down += copy.bytes if copy.direction in _DOWN else 0
        self._buffers.pop(place, None)

    def counted(self):
        """(up, down, copies) of all work that has ended."""
        self._must("cuptiActivityFlushAll", _FLUSH_FORCED)
        return self.up, self.down, self.copies


class BusCounter:
    """Counts while it is entered. synchronize: waits for all work of the device, so that none is missed."""

    _cupti = None

    def __init__(self, synchronize):
        if BusCounter._cupti is None:
            BusCounter._cupti = _Cupti()
        self._synchronize = synchronize
        self.up = self.down = self.copies = 0

    def _counted(self):
        self._synchronize()
        return BusCounter._cupti.counted()

    def __enter__(self):
        self._before = self._counted()
        return self

    def __exit__(self, *problem):
        self.up, self.down, self.copies = (now - then for now, then in zip(self._counted(), self._before))
