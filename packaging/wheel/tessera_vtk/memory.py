# SPDX-License-Identifier: BSD-3-Clause
"""How much memory there is, so that an output too large for it is refused before it is made."""
from __future__ import annotations

from .errors import TooLarge


def available() -> float:
    """Bytes that this process can take; infinite where the system does not say."""
    left = float("inf")
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    left = 1024.0 * float(line.split()[1])
    except OSError:
        pass
    return left


def limit(bytes_per_item: float) -> int:
    """Most items of that size; 0 = no limit."""
    room = available()
    return 0 if room == float("inf") else max(1, int(room / max(bytes_per_item, 1.0)))


def check(points: float, size: float) -> None:
    """Raises TooLarge where `points` points that need `size` bytes do not fit."""
    room = available()
    if size > room:
        raise TooLarge(f"the output would have {points:.0f} points and need {size:.0f} bytes of "
                       f"memory on this host, where {room:.0f} bytes are available; relax the "
                       "tolerances or set a point budget")
