# SPDX-License-Identifier: BSD-3-Clause
"""What the user sets: types, bounds and defaults from the library's tables, words from the panel."""
from __future__ import annotations

import ctypes as c
import inspect
import math
import re
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, Sequence

from . import _core as core
from ._library import call, lib, new
from ._panel import PROXIES, SWITCHES
from .errors import BadOption, instead_of

INT, CHOICE, INT64, DOUBLE = range(4)  # tsr_property_type
TEXT, NAMES, ROWS = 4, 5, 6  # beyond it: one name of an array, a list of them, rows of numbers
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TYPES = {"int": INT, "bool": INT, "choice": CHOICE, "float": DOUBLE, "text": TEXT, "names": NAMES,
          "numbers": ROWS}


@dataclass(frozen=True)
class Property:
    """One property.

    name: as in ParaView, e.g. "ChordError". type: one of those above. default: a number, a list of
    `numbers` numbers, a text or a list of texts. labels: of a choice, number by text of the panel.
    table: the library's function that has it, or empty. line: its line there.
    """

    name: str
    type: int
    default: Any
    numbers: int = 1
    labels: dict[str, int] = field(default_factory=dict)
    help: str = ""
    table: str = ""
    line: Any = None

    @property
    def keyword(self) -> str:
        """The name as Python writes it: chord_error."""
        return _BETWEEN_WORDS.sub("_", self.name).lower()

    @property
    def label(self) -> str:
        """The name as a sentence writes it: Chord Error."""
        return _BETWEEN_WORDS.sub(" ", self.name)

    def cleaned(self, value: Any) -> Any:
        """The value in the property's own type. Raises BadOption where it is of another kind; bounds
        are the core's matter."""
        if self.type == NAMES:
            names = [value] if isinstance(value, str) else () if value is None else value
            if not isinstance(names, Iterable):
                raise BadOption(f"{self.label} must be a list of names, not {value!r}.")
            return [str(name) for name in names]
        if self.type == TEXT:
            if value is not None and not isinstance(value, str):
                raise BadOption(f"{self.label} must be the name of an array, not {value!r}.")
            return "" if value in (None, "None") else value
        if self.type == ROWS:
            return self._rows([] if value is None else value)
        if self.numbers > 1:
            numbers = [self._number(one) for one in (value if isinstance(value, Iterable) else [value])]
            if len(numbers) != self.numbers:
                raise BadOption(f"{self.label} takes {self.numbers} numbers, not {len(numbers)}.")
            return numbers
        return self._number(value)

    def value_in(self, struct: Any) -> Any:
        """Its value in a struct of its table."""
        found = [lib.tsr_property_get(c.byref(self.line), c.byref(struct), k) for k in range(self.numbers)]
        if self.type != DOUBLE:
            found = [int(one) for one in found]
        return found if self.numbers > 1 else found[0]

    def _rows(self, value: Any) -> list[float]:
        """Numbers, or rows of them, one after another."""
        found: list[float] = []
        for one in value if isinstance(value, Iterable) else [value]:
            found += [float(self._number(number)) for number in
                      (one if isinstance(one, Iterable) and not isinstance(one, str) else [one])]
        if len(found) % self.numbers:
            raise BadOption(f"{self.label} takes rows of {self.numbers} numbers, not {len(found)} numbers.")
        return found

    def _number(self, value: Any) -> float | int:
        if isinstance(value, str) or (self.labels and value is None):
            found = {plain(text): number for text, number in self.labels.items()}.get(plain(value or ""))
            if found is None:
                choices = " or ".join(f"'{one}'" for one in self.labels) or "a number"
                raise BadOption(f"{self.label} must be {choices}, not {value!r}.")
            return found
        try:
            number = float(value)
            if self.type in (DOUBLE, ROWS):
                return number
            if number != math.floor(number) or abs(number) > 2.0**53:
                raise ValueError
            whole = int(value)
        except (TypeError, ValueError, OverflowError):
            kind = "number" if self.type in (DOUBLE, ROWS) else "whole number"
            raise BadOption(f"{self.label} must be a {kind}, not {value!r}.") from None
        if self.type != INT64 and abs(whole) >= 2**31:
            raise BadOption(f"{self.label} must lie between -2147483648 and 2147483647, not be "
                            f"{whole}.")
        return whole


def plain(text: str) -> str:
    """A word of the panel without its spelling: Polygons (2D), polygons -> polygons."""
    return re.sub(r"[\W_]+", " ", re.sub(r"\(.*?\)", "", text)).strip().lower()


def _table(function: str) -> list[Any]:
    """Lines of the library's table, e.g. of "tsr_curves_properties"."""
    n = c.c_int()
    table = c.cast(getattr(lib, function)(c.byref(n)), c.POINTER(core.tsr_property))
    return [table[k] for k in range(n.value)]


def of_proxy(proxy: str, *tables: str) -> tuple[Property, ...]:
    """The properties of a filter or source, in the order of the panel. tables: the library's functions
    that have them; a property that no table has is of the panel alone."""
    panel = PROXIES[proxy]
    lines = {line.name.decode(): (table, line) for table in tables for line in _table(table)}
    found = []
    for name in [*panel, *(one for one in lines if one not in panel)]:
        kind, text, numbers, shown, labels = panel.get(name, ("int", "", 1, ("0",), {}))
        table, line = lines.get(name, ("", None))
        if line is None:
            empty: Any = [] if kind in ("names", "numbers") else ""
            default = empty if _TYPES[kind] >= TEXT else int(shown[0])
            found.append(Property(name, _TYPES[kind], default, numbers, labels, text))
            continue
        values = [value / line.unit for value in line.value[:line.numbers]]
        if line.type != DOUBLE:
            values = [int(value) for value in values]
        found.append(Property(name, line.type, values if line.numbers > 1 else values[0], line.numbers,
                              labels, text, table, line))
    return tuple(found)


def struct_of(name: str, properties: Iterable[Property], values: Mapping[str, Any]) -> Any:
    """A struct of the library, e.g. "tsr_curves_options", with the values of its properties, by their
    names in ParaView; the rest has the defaults. Raises BadOption for a choice that there is not."""
    made = new(name)
    table = name.replace("_options", "") + "_properties"
    n = c.c_int()
    for one in properties:
        if one.table == table and one.name in values:
            value = values[one.name]
            for k, number in enumerate(value if one.numbers > 1 else [value]):
                lib.tsr_property_set(c.byref(one.line), c.byref(made), k, number)
    lines = getattr(lib, table)(c.byref(n))
    call("tsr_properties_check", lines, n, c.byref(made))
    return made


def options_function(name: str, proxy: str, properties: Sequence[Property]) -> Callable[..., Any]:
    """A function that makes a struct of the library from arguments with the names of its properties, as
    Python or as ParaView writes them."""
    table = name.replace("_options", "") + "_properties"
    mine = [one for one in properties if one.table == table]
    by_name = {spelling: one for one in mine for spelling in (one.keyword, one.name)}

    def options(**values: Any) -> Any:
        for given in values:
            if given not in by_name:
                raise TypeError(f"options() has no argument '{given}'" +
                                instead_of(given, [one.keyword for one in mine]))
        return struct_of(name, mine, {by_name[given].name: by_name[given].cleaned(value)
                                      for given, value in values.items()})

    kinds = {INT: "int", INT64: "int", DOUBLE: "float", CHOICE: "str | int"}
    lines = [f"A {name}, with the defaults for what is not given. Raises BadOption.", "", "Parameters",
             "----------"]
    for one in mine:
        choices = ", ".join(f'"{plain(text)}"' for text in one.labels)
        lines += [f"{one.keyword} : {kinds[one.type]}, default: {one.default}",
                  "    " + one.help + (f" One of {choices}." if choices else "")]
    options.__doc__ = "\n".join(lines)
    options.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one.keyword, inspect.Parameter.KEYWORD_ONLY, default=one.default)
         for one in mine])
    return options


def with_switches(proxy: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """A property that has a switch is used where it has a value, and not where it is None."""
    whole = dict(values)
    for name, switch in SWITCHES[proxy].items():
        if name in values:
            whole[switch] = int(values[name] is not None)
            if values[name] is None:
                del whole[name]
    return whole
