# SPDX-License-Identifier: BSD-3-Clause
"""What the user sets: names, types, bounds and defaults, most of them read from the library."""
from __future__ import annotations

import ctypes as c
import math
import re
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

from ._library import core, lib
from .errors import BadOption, instead_of

INT, CHOICE, INT64, DOUBLE = range(4)  # tsr_property_type
TEXT, NAMES = 4, 5  # beyond it: one name of an array, a list of them
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Property:
    """One property.

    name: as in ParaView, e.g. "ChordError". type: one of those above. default: a number, a list of
    `numbers` numbers, a text or a list of texts. least, most: bounds; None where there is none.
    labels: of a choice, its texts in ParaView's panel, in the order of their numbers.
    core: the line of the library's own table, or None.
    """

    name: str
    type: int
    default: Any
    numbers: int = 1
    least: float | None = None
    most: float | None = None
    labels: tuple[str, ...] = ()
    core: core.tsr_property | None = None

    @property
    def keyword(self) -> str:
        """The name as Python writes it: chord_error."""
        return _BETWEEN_WORDS.sub("_", self.name).lower()

    @property
    def label(self) -> str:
        """The name as a sentence writes it: Chord Error."""
        return label_of(self.name)

    def cleaned(self, value: Any) -> Any:
        """The value in the property's own type. Raises BadOption where it is of another kind; bounds
        are the core's matter."""
        if self.type == NAMES:
            names = [value] if isinstance(value, str) else () if value is None else value
            if not isinstance(names, Iterable):
                raise BadOption(f"{self.label} must be a list of names, not {value!r}.")
            return [str(name) for name in names]
        if self.type == TEXT:
            return "" if value in (None, "None") else str(value)
        if self.numbers > 1:
            numbers = [self._number(one) for one in (value if isinstance(value, Iterable) else [value])]
            if len(numbers) != self.numbers:
                raise BadOption(f"{self.label} takes {self.numbers} numbers, not {len(numbers)}.")
            return numbers
        return self._number(value)

    def _number(self, value: Any) -> float | int:
        if isinstance(value, str) or (self.labels and value is None):
            if value not in self.labels:
                choices = " or ".join(f"'{one}'" for one in self.labels if one) or "a number"
                raise BadOption(f"{self.label} must be {choices}, not {value!r}.")
            return self.labels.index(value)
        try:
            number = float(value)
            if self.type == DOUBLE:
                return number
            if number != math.floor(number) or abs(number) > 2.0**53:
                raise ValueError
            whole = int(value)
        except (TypeError, ValueError, OverflowError):
            kind = "number" if self.type == DOUBLE else "whole number"
            raise BadOption(f"{self.label} must be a {kind}, not {value!r}.") from None
        if self.type != INT64 and abs(whole) >= 2**31:
            raise BadOption(f"{self.label} must lie between -2147483648 and 2147483647, not be "
                            f"{whole}.")
        return whole

    def check_choice(self, value: Any) -> None:
        """Raises BadOption for a choice that there is not, in the words of ParaView's plugin."""
        if self.type == CHOICE and not self.least <= value <= self.most:
            raise BadOption(f"{self.label} must be a number from {int(self.least)} to "
                            f"{int(self.most)}, not {value}.")

    def store(self, options: c.Structure, value: Any) -> None:
        """Writes the value where the library's table says."""
        for k, number in enumerate(value if self.numbers > 1 else [value]):
            lib.tsr_property_set(c.byref(self.core), c.byref(options), k, number)


def label_of(name: str) -> str:
    """ChordError -> Chord Error."""
    return _BETWEEN_WORDS.sub(" ", name)


def _bound(value: float) -> float | None:
    return value if math.isfinite(value) else None


def from_library(function: str) -> list[Property]:
    """The library's table that `function` gives, e.g. "tsr_curves_properties"."""
    n = c.c_int()
    table = getattr(lib, function)(c.byref(n))
    found = []
    for line in table[:n.value]:
        values = [value / line.unit for value in line.value[:line.numbers]]
        if line.type != DOUBLE:
            values = [int(value) for value in values]
        name = line.name.decode()
        found.append(Property(name, line.type, values if line.numbers > 1 else values[0],
                              line.numbers, _bound(line.least), _bound(line.most),
                              core.LABELS.get(name, ()), line))
    return found


def store_all(options: c.Structure, properties: dict[str, Property], values: dict[str, Any],
              of: str) -> None:
    """Writes values by the names of the properties, e.g. ChordError, into options of the library.
    of: what has the properties, e.g. "curves". Raises BadOption for a name that it does not have."""
    for name, value in values.items():
        if name not in properties:
            raise BadOption(f"there is no option '{name}' of {of}" + instead_of(name, properties))
        properties[name].store(options, properties[name].cleaned(value))


# What every filter has, as the plugin's vtkTesseraFilter. Device and CUDA's own settings are there so
# that scripts of ParaView run; the CPU does not look at them.
COMMON: Sequence[Property] = (
    Property("Backend", CHOICE, 0, 1, 0, 2, core.LABELS["Backend"]),
    Property("Threads", INT, 0, 1, 0),
    Property("Device", INT, -1, 1, -1),
    Property("LargestOutput", INT, 0, 1, 0),
)


def check_common(values: dict[str, Any]) -> None:
    """Threads, Device, Backend and LargestOutput, in the words of ParaView's plugin."""
    if values["Threads"] < 0:
        raise BadOption(f"Threads must be 0 (all) or more, not {values['Threads']}.")
    if values["Device"] < -1:
        raise BadOption("Device must be -1 (by process) or the index of a device, not "
                        f"{values['Device']}.")
    if values["LargestOutput"] < 0:
        raise BadOption("Largest Output must be 0 (a quarter of the memory) or more MiB, not "
                        f"{values['LargestOutput']}.")
