# SPDX-License-Identifier: BSD-3-Clause
"""What the plans of all features have in common."""
from __future__ import annotations

import ctypes as c
from typing import NoReturn

from ._library import core, lib


class Handle:
    """Owns a plan of the library, and frees it. _feature: as its functions are named."""

    _feature: str
    _handle: c.c_void_p | None = None

    def __init__(self) -> None:
        self._handle = c.c_void_p()

    def __del__(self) -> None:
        if self._handle is not None:
            getattr(lib, f"tsr_{self._feature}_plan_free")(self._handle)
        self._handle = None

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a plan cannot be copied or pickled: it owns memory of the library; make "
                        "another one")

    def _own(self, sizes: c.Structure) -> c.Structure:
        """The plan's own struct, which keeps the plan."""
        sizes.plan = self
        return sizes

    def report(self) -> core.tsr_report:
        """What ran and how much it did."""
        made = core.tsr_report()
        getattr(lib, f"tsr_{self._feature}_plan_report")(self._handle, c.byref(made))
        return made
