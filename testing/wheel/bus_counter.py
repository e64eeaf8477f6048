# SPDX-License-Identifier: BSD-3-Clause
"""Bytes that this process copies over the bus, by anyone in it: counted by CUPTI, NVIDIA's interface for profilers,
and so also those of libraries that have the CUDA runtime in them. Wants a C compiler, for bus_counter.c.

    with BusCounter(cupy.cuda.runtime.deviceSynchronize) as bus:
        ...
    bus.up, bus.down, bus.copies
"""
import ctypes as c
import glob
import os
import subprocess
import sys
import tempfile

_MEMCPY = 1  # CUPTI_ACTIVITY_KIND_MEMCPY
_FLUSH_FORCED = 1


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


def _callbacks():
    """bus_counter.c. Raises OSError where there is no C compiler."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bus_counter.c")
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "bus_counter.so")
        done = subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", made, source])
        if done.returncode != 0:
            raise OSError("bus_counter.c does not compile")
        return c.CDLL(made)


class _Cupti:
    """The one user of CUPTI in the process, which adds up all copies."""

    def __init__(self):
        self._library, self._callbacks = _library(), _callbacks()
        next_record = c.cast(self._library.cuptiActivityGetNextRecord, c.c_void_p)
        c.c_void_p.in_dll(self._callbacks, "bus_next").value = next_record.value
        self._must("cuptiActivityRegisterCallbacks", self._callbacks.bus_requested, self._callbacks.bus_completed)
        self._must("cuptiActivityEnable", _MEMCPY)

    def _must(self, name, *arguments):
        status = getattr(self._library, name)(*arguments)
        if status != 0:
            raise OSError(f"{name} failed with status {status}")

    def counted(self):
        """(up, down, copies) of all work that has ended."""
        self._must("cuptiActivityFlushAll", _FLUSH_FORCED)
        return tuple(c.c_longlong.in_dll(self._callbacks, f"bus_{name}").value for name in ("up", "down", "copies"))


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
