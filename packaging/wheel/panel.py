# SPDX-License-Identifier: BSD-3-Clause
"""Reads the proxies of xml/: what each filter and source lets the user set, with the panel's words."""
from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

# What a property of the panel is switched on by, where that is not Use and its name.
SWITCHES = {"MaximumGap": "CutAtGaps", "MaximumDistance": "CutAtDistances",
            "RepeatTolerance": "RemoveRepeats"}
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True)
class Setting:
    """A property. type: "int", "float", "bool", "choice", "text", "names" or "numbers" (any number of
    rows). default: as the panel shows it. choices: text -> number. cuda: only kernels look at it.
    of_bounds: the panel's default is this fraction of the longest side of the input's bounds; 0: it is
    not. least, most: the panel's bounds, or empty."""

    name: str
    type: str
    help: str
    numbers: int
    default: tuple[str, ...]
    choices: dict[str, int] = field(default_factory=dict)
    cuda: bool = False
    of_bounds: float = 0.0
    least: str = ""
    most: str = ""

    @property
    def keyword(self) -> str:
        """The name as Python writes it: chord_error."""
        return _BETWEEN_WORDS.sub("_", self.name).lower()


@dataclass(frozen=True)
class Proxy:
    """A filter or a source: its first sentence, its description, what its input is, its settings."""

    name: str
    short: str
    help: str
    input: str
    settings: dict[str, Setting]

    @property
    def keyword(self) -> str:
        """The name as Python writes it: adaptive_curves."""
        return _BETWEEN_WORDS.sub("_", self.name).lower()

    def switch_of(self, name: str) -> str | None:
        """The property that switches this one on; None: it is always in use."""
        switch = SWITCHES.get(name, "Use" + name)
        return switch if switch in self.settings else None


def _text(element: ElementTree.Element | None) -> str:
    return "" if element is None else " ".join((element.text or "").split())


def _setting(element: ElementTree.Element, cuda: bool) -> Setting:
    kind = {"IntVectorProperty": "int", "IdTypeVectorProperty": "int",
            "DoubleVectorProperty": "float", "StringVectorProperty": "text"}[element.tag]
    if element.find("BooleanDomain") is not None:
        kind = "bool"
    choices = {entry.get("text", ""): int(entry.get("value", "0")) for entry in element.iter("Entry")}
    repeated = element.get("repeat_command") == "1"
    if choices:
        kind = "choice"
    elif repeated:
        kind = "names" if kind == "text" else "numbers"
    size = element.get("number_of_elements_per_command" if repeated else "number_of_elements", "1")
    numbers = 1 if kind in ("text", "names") else int(size)
    domain = next((one for one in element if one.tag.endswith("RangeDomain")), ElementTree.Element("none"))
    bounds = element.find("TesseraBoundsDomain[@mode='scaled_extent']")
    return Setting(element.get("name", ""), kind, _text(element.find("Documentation")), numbers,
                   tuple(element.get("default_values", "").split()), choices, cuda,
                   0.0 if bounds is None else float(bounds.get("scale_factor", "1")),
                   *((domain.get(side, "").split() or [""])[0] for side in ("min", "max")))


def _settings(path: str, cuda: bool = False) -> list[Setting]:
    """The properties that reach the filter."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<\?xml.*?\?>", "", file.read())
    return [_setting(element, cuda) for element in ElementTree.fromstring(f"<all>{text}</all>").iter()
            if element.tag.endswith("VectorProperty") and element.get("command") and
            not element.get("information_only")]


def read(folder: str) -> list[Proxy]:
    """All proxies of the folder, by name."""
    found = []
    for file in sorted(os.listdir(folder)):
        path = os.path.join(folder, file)
        name, suffix = os.path.splitext(file)
        if suffix != ".xml":
            continue
        with open(path, encoding="utf-8") as source:
            text = source.read()
        words = text
        if "@EXECUTION@" in text:
            with open(os.path.join(folder, "properties", name + "Launch.xml"), encoding="utf-8") as source:
                words += source.read()
        settings = _settings(path)
        for block, word, cuda in (("Limit", "@LIMIT@", False), ("Execution", "@EXECUTION@", False),
                                  (name + "Launch", "@EXECUTION@", True), ("KeepInput", "@KEEP_INPUT@", True)):
            if word in words:
                settings += _settings(os.path.join(folder, "properties", block + ".xml"), cuda)
        root = ElementTree.fromstring(text)
        about = next(root.iter("Documentation"))
        taken = next(root.iter("InputProperty"), None)
        found.append(Proxy(name, about.get("short_help", ""), _text(about),
                           "" if taken is None else _text(taken.find("Documentation")),
                           {one.name: one for one in settings}))
    return found
