# SPDX-License-Identifier: BSD-3-Clause
"""How the core runs: threads, progress, a clock."""
from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

from . import _core as core
from ._library import call, new
from .device import DeviceArray
from .errors import BadOption

AUTO, CUDA, CPU = core.TSR_BACKEND_AUTO, core.TSR_BACKEND_CUDA, core.TSR_BACKEND_CPU

_MEMBERS: dict[str, Any] = {one[0]: one[1] for one in core.tsr_execution._fields_}


def allowed_cores() -> int:
    """Cores that this process may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


class Execution:
    """A tsr_execution whose threads are Python's: ctypes lets go of the interpreter while the core
    works, so they run at the same time.

    threads: 0 = all cores. progress: called with the fraction done in [0, 1], by the calling thread
    and about once a percent; True stops the work. To be kept, and closed, by who keeps a plan.
    device_arrays: arrays may lie on the device, which plans find out by themselves of their input.
    stream: a CUDA stream whose work is done before such arrays are read or written; it must live as long as the plan.
    None: the default one.
    """

    def __init__(self, threads: int = 0, progress: Callable[[float], bool] | None = None,
                 backend: int = AUTO, device: int = -1, device_arrays: bool = False,
                 stream: int | None = None) -> None:
        if not hasattr(threads, "__index__") or threads < 0:
            raise BadOption(f"threads must be 0 (all) or more, not {threads!r}")
        self.threads = threads if threads > 0 else allowed_cores()
        self.core = new("tsr_execution")
        self.core.backend = backend
        self.core.device = device
        self.core.device_arrays = bool(device_arrays)
        self.core.stream = stream
        self.core.threads = self.threads
        self.core.clock = _MEMBERS["clock"](time.monotonic)
        self.core.progress = _MEMBERS["progress"](self._progress)
        if self.threads > 1:
            self.core.run = _MEMBERS["run"](self._run)
        self._tell = progress
        self._main = threading.get_ident()
        self._pool: ThreadPoolExecutor | None = None
        self._shown = -1.0
        self._first = 0.0
        self._share = 1.0
        self.stopped = False
        self.problem: BaseException | None = None  # of what `progress` called

    def take_place(self, there: DeviceArray | None) -> None:
        """Lets plans read an array on a device where it lies."""
        if there is not None:
            self.core.device_arrays = 1
            if self.core.device < 0:
                self.core.device = there.device

    def part(self, number: int, parts: int) -> None:
        """What follows is part `number` of so many: its progress is a share of the whole."""
        self._first, self._share = number / parts, 1.0 / parts

    def call(self, name: str, *arguments: object) -> None:
        """As _library.call. Ctrl-C stops the work, and is raised when it has ended: raised within one of
        the calls below it would be lost, as C has no exceptions."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            call(name, *arguments)
            return
        came: list[Any] = []

        def stop(number: int, frame: object) -> None:
            came[:] = number, frame
            self.stopped = True

        signal.signal(signal.SIGINT, stop)
        try:
            call(name, *arguments)
        finally:
            signal.signal(signal.SIGINT, before)
            if came:
                self.stopped = False
                before(*came)

    def close(self) -> None:
        """Ends the threads."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _run(self, _context: int, n: int, grain: int, task: Callable[..., None], data: int) -> None:
        if n <= grain:
            task(data, 0, n)
            return
        # Four pieces a thread even out what items cost; results do not depend on it.
        size = max(grain, -(-n // (4 * self.threads)))
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, "tessera")
        starts = iter(range(0, n, size))
        lock = threading.Lock()

        def work() -> None:
            while True:
                with lock:
                    begin = next(starts, None)
                if begin is None:
                    return
                task(data, begin, min(begin + size, n))

        others = [self._pool.submit(work) for _ in range(self.threads - 1)]
        work()  # this thread is the one that may tell of progress
        for other in others:
            other.result()

    def _progress(self, _context: int, fraction: float) -> int:
        if self._tell and threading.get_ident() == self._main:
            done = self._first + fraction * self._share
            if done >= self._shown + 0.01:
                self._shown = done
                try:
                    self.stopped = bool(self._tell(done)) or self.stopped
                except BaseException as problem:  # it cannot pass through C
                    self.problem = problem
                    self.stopped = True
        return 1 if self.stopped else 0
