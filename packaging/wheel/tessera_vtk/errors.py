# SPDX-License-Identifier: BSD-3-Clause
"""The core's sentences as Python exceptions and warnings."""
from __future__ import annotations

import difflib
import os
import sys
import warnings
from typing import Iterable


class TesseraError(RuntimeError):
    """What the core refused, in a sentence that names the item.

    item: index of the curve, criterion or cell that it is about, or -1.
    """

    def __init__(self, text: str, item: int = -1) -> None:
        super().__init__(text)
        self.item = item


class BadOption(TesseraError, ValueError):
    """An option is out of its range; the text names it and the range."""


class BadInput(TesseraError, ValueError):
    """The input cannot be used: an array of a wrong length, a dataset of a wrong kind."""


class TooLarge(TesseraError, MemoryError):
    """More output than memory, or than can be counted; the text gives the numbers."""


class NoMemory(TesseraError, MemoryError):
    """The system gave no memory; the text says for what."""


class NoBackend(TesseraError):
    """The backend that was asked for is not built in, or finds no device."""


class Aborted(TesseraError):
    """Somebody asked to stop. There is no output."""


class TesseraWarning(UserWarning):
    """What was left out or taken otherwise than asked for, in a sentence."""


def instead_of(name: str, names: Iterable[str]) -> str:
    """What a sentence about a name that there is not goes on with: the nearest one, or all."""
    plain = {one.replace("_", "").lower(): one for one in names}
    near = difflib.get_close_matches(name.replace("_", "").lower(), plain, 1, 0.7)
    return (f": did you mean '{plain[near[0]]}'?" if near else
            f"; there are {', '.join(sorted(plain.values()))}.")


def warn(sentence: str) -> None:
    """A TesseraWarning where the user's code calls the package."""
    frame, level = sys._getframe(1), 2
    here = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while frame.f_back and os.path.abspath(frame.f_code.co_filename).startswith(here):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, TesseraWarning, stacklevel=level)
