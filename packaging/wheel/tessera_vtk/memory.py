# SPDX-License-Identifier: BSD-3-Clause
"""How much memory an output may take, by the library's rule: one that is too large is refused before it
is made."""
from __future__ import annotations

import ctypes as c
import math

from . import _core as core
from ._library import lib, text_of
from .errors import TooLarge


def allowed(largest_output: float = 0) -> float:
    """Most bytes that outputs may take: what is available to this process, or Largest Output (in MiB; 0 =
    a quarter of the memory) where that is less. Infinite where the system does not say."""
    memory = lib.tsr_memory_look(None)
    return float(lib.tsr_memory_allowed(c.byref(memory), largest_output))


class Room:
    """What is left of it while the datasets of an input are planned one after another."""

    def __init__(self, largest_output: float = 0) -> None:
        self.whole = self.left = allowed(largest_output)

    def items(self, size: float) -> int:
        """Most items of `size` bytes that fit; 0 = no limit."""
        return int(lib.tsr_memory_items(self.left, max(size, 1.0)))

    def take(self, size: float) -> None:
        """Less `size` bytes."""
        self.left -= size

    def check(self, items: str, count: float, size: float, otherwise: str = "relax the tolerances") -> None:
        """Raises TooLarge where the output, of `count` items, needs more than all of it. otherwise: what
        the user could do."""
        estimate = core.tsr_estimate(items.encode(), count, size, 0)
        if not lib.tsr_estimate_fits(c.byref(estimate), self.whole):
            raise TooLarge(text_of("tsr_refusal_sentence", c.byref(estimate), self.whole, None, 0, math.inf,
                                   otherwise.encode()))
