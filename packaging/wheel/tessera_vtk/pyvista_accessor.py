# SPDX-License-Identifier: BSD-3-Clause
"""`mesh.tessera` of PyVista's datasets. PyVista imports this when it is first asked for."""
from __future__ import annotations

from typing import Any

import pyvista

from .filters.adaptive_curves import AdaptiveCurves
from .filters.adaptive_grid import AdaptiveGrid
from .filters.algorithm import TesseraAlgorithm
from .errors import BadOption, instead_of
from .properties import Property

# Properties of CUDA, and those that are refused unless they have their default.
NOT_HERE = {"Device", "LaunchStrategy", "ChildStream", "PendingLaunchCount", "OutputMemory",
            "DeviceHeapSize", "LaunchThreshold", "NestingDepth", "KeepInputOnDevice", "OutputType", "AMRBlockSize", "OverTime"}


def run(algorithm: type[TesseraAlgorithm], data: Any, keywords: dict[str, Any]) -> Any:
    """The filter's output for a dataset, as PyVista's."""
    by_keyword = {one.keyword: one for one in algorithm.properties}
    for name in keywords:
        if name not in by_keyword:
            raise BadOption(f"{algorithm.__name__} has no option '{name}'" +
                            instead_of(name, by_keyword))
    made = algorithm()
    made.caller += 2  # warnings point to who called the accessor
    for name, value in _with_switches(by_keyword, keywords).items():
        made.set_property(by_keyword[name], value)
    made.SetInputDataObject(data)
    made.Update()
    return pyvista.wrap(made.GetOutputDataObject(0))


def _with_switches(by_keyword: dict[str, Property], keywords: dict[str, Any]) -> dict[str, Any]:
    """A criterion that is given is used, one that is None is not."""
    whole = {}
    for name, value in keywords.items():
        switch = "use_" + name
        if switch in by_keyword:
            whole[switch] = keywords.get(switch, int(value is not None))
        if switch not in by_keyword or value is not None:
            whole[name] = value
    return whole


def _help(text: str, algorithm: type[TesseraAlgorithm]) -> str:
    """The text and the options: what is on by default, in the words that can be given."""
    by_keyword = {one.keyword: one for one in algorithm.properties}
    lines, unused = [], []
    for name, one in by_keyword.items():
        if one.name in NOT_HERE:
            unused.append(name)
        elif name.removeprefix("use_") == name or name.removeprefix("use_") not in by_keyword:
            lines.append(f"  {name} = {_default(one, by_keyword.get('use_' + name))}")
    return (f"{text}\nA criterion that is given is used, one that is None is not. Raises TesseraError;\n"
            "what is left out comes as a TesseraWarning. Options, with their defaults:\n\n" +
            "\n".join(lines) + "\n\nOnly ParaView's filter does something with " +
            ", ".join(unused) + ".\n")


def _default(one: Property, switch: Property | None) -> str:
    if one.labels:
        others = [repr(text) for k, text in enumerate(one.labels) if k != one.default]
        return f"{one.labels[one.default]!r}, or {', '.join(others)}"
    return repr(one.default) + ("" if switch is None or switch.default else " (off until given)")


@pyvista.register_dataset_accessor("tessera", pyvista.DataObject)
class TesseraAccessor:
    """Adaptive curves and grids of this dataset."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def adaptive_curves(self, **options: Any) -> Any:
        return run(AdaptiveCurves, self._data, options)

    def adaptive_grid(self, **options: Any) -> Any:
        return run(AdaptiveGrid, self._data, options)

    adaptive_curves.__doc__ = _help("""Polylines that follow the curves of this dataset within an error.

Of the lines of a PolyData, curve cells of an UnstructuredGrid, or a MultiBlock of these; returns a
PolyData or a MultiBlock.""", AdaptiveCurves)
    adaptive_grid.__doc__ = _help("""An UnstructuredGrid that is fine where the arrays change.

Of an ImageData, RectilinearGrid or StructuredGrid; of a MultiBlock of these a MultiBlock.""",
                                  AdaptiveGrid)
