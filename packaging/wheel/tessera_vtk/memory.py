# SPDX-License-Identifier: BSD-3-Clause
"""How much memory an output may take, by the library's rule: one that is too large is refused before it
is made."""
from __future__ import annotations

import ctypes as c

from ._library import lib
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

    def check(self, items: str, count: float, size: float) -> None:
        """Raises TooLarge where the output, of `count` items, needs more than all of it."""
        if size > self.whole:
            raise TooLarge(f"the output would have {count:.0f} {items} and need {size:.0f} bytes of "
                           f"memory, where {self.whole:.0f} bytes are allowed; relax the tolerances, "
                           "set a budget, or allow a larger LargestOutput")
