# SPDX-License-Identifier: BSD-3-Clause
"""What the plans of all features have in common."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, NoReturn

from . import _core as core
from . import device
from ._library import lib, text_of
from .errors import BadInput
from .execution import Execution


class Borrowing:
    """Holds memory of the library, or addresses of arrays: there is nothing that could be copied."""

    def _refuse_device(self, who: str) -> None:
        """Raises BadInput where an array that this object keeps lies on a device. who: in the plural."""
        if device.found_in(self) is not None:
            raise BadInput(f"{who} take arrays on the host only: copy them there")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        name = type(self).__name__.lower()
        raise TypeError(f"a {name} cannot be copied or pickled: it holds memory of the library; make "
                        "another one")


class Handle(Borrowing):
    """Owns a plan of the library, and frees it. _feature: as its functions are named."""

    _feature: str
    _handle: c.c_void_p | None = None

    def __init__(self) -> None:
        self._handle = c.c_void_p()

    def __del__(self) -> None:
        if self._handle is not None:
            getattr(lib, f"tsr_{self._feature}_plan_free")(self._handle)
        self._handle = None

    def _create(self, view: Any, options: Any, execution: Execution | None, kept: Iterable[Any]) -> None:
        """Makes the plan of structs of the library, whose arrays are `kept`."""
        self.execution = execution or Execution(1)
        self.settings = options
        self._kept = (view, [*kept])
        self.execution.take_place(device.found_in(self._kept[1]))
        assert self._handle is not None
        self.execution.call(f"tsr_{self._feature}_plan_create", c.byref(view), c.byref(options),
                            c.byref(self.execution.core), c.byref(self._handle))

    @property
    def sizes(self) -> Any:
        """Exact sizes of the output, and notes. The struct keeps the plan."""
        sizes = getattr(lib, f"tsr_{self._feature}_plan_sizes")(self._handle).contents
        sizes.plan = self
        return sizes

    def notes(self) -> list[str]:
        """What the plan noticed, a sentence each."""
        return [text_of(f"tsr_{self._feature}_note_sentence", kind, count)
                for kind, count in enumerate(self.sizes.notes) if count.count > 0]

    def report(self) -> Any:
        """What ran and how much it did."""
        made = core.tsr_report()
        getattr(lib, f"tsr_{self._feature}_plan_report")(self._handle, c.byref(made))
        return made

    def _check_place(self, given: Iterable[Any]) -> None:
        """Raises BadInput for an array on a device where the plan does not know of any."""
        if not self.execution.core.device_arrays and device.first(*given) is not None:
            raise BadInput("an array of the output lies on a device, but the plan's input on the host: give the plan an execution "
                           "with device_arrays=True")

    def _fill(self, output: Any) -> None:
        self.execution.call(f"tsr_{self._feature}_fill", self._handle, c.byref(output))
