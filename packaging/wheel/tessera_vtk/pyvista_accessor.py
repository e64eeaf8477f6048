# SPDX-License-Identifier: BSD-3-Clause
"""`mesh.tessera` of PyVista's datasets. PyVista imports this when it is first asked for."""
from __future__ import annotations

from typing import Any, Sequence

import pyvista

from .filters.adaptive_curves import AdaptiveCurves
from .filters.adaptive_grid import AdaptiveGrid
from .filters.algorithm import TesseraAlgorithm
from .errors import BadOption
from .properties import Property


def run(algorithm: type[TesseraAlgorithm], data: Any, keywords: dict[str, Any]) -> Any:
    """The filter's output for a dataset, as PyVista's."""
    by_keyword = {one.keyword: one for one in algorithm.properties}
    unknown = [name for name in keywords if name not in by_keyword]
    if unknown:
        raise BadOption(f"{algorithm.__name__} has no option '{unknown[0]}'; there are "
                        f"{', '.join(sorted(by_keyword))}.")
    made = algorithm()
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


def _options(properties: Sequence[Property]) -> str:
    lines = []
    for one in properties:
        choices = f": {', '.join(map(repr, one.labels))}" if one.labels else ""
        lines.append(f"    {one.keyword} [{one.default!r}]{choices}")
    return "\n".join(lines)


@pyvista.register_dataset_accessor("tessera", pyvista.DataObject)
class TesseraAccessor:
    """Adaptive curves and grids of this dataset."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def adaptive_curves(self, **options: Any) -> Any:
        return run(AdaptiveCurves, self._data, options)

    def adaptive_grid(self, **options: Any) -> Any:
        return run(AdaptiveGrid, self._data, options)

    adaptive_curves.__doc__ = f"""Polylines that follow the curves of this dataset within an error.

        Lines of a PolyData, curve cells of an UnstructuredGrid, a MultiBlock of these; returns a
        PolyData or a MultiBlock. A criterion that is given is used, one that is None is not. Raises
        TesseraError; what is left out comes as a TesseraWarning. Options, with their defaults:

    {_options(AdaptiveCurves.properties)}
        """
    adaptive_grid.__doc__ = f"""An UnstructuredGrid that is fine where the arrays change.

        Of an ImageData, RectilinearGrid or StructuredGrid, or a MultiBlock of these. A criterion
        that is given is used, one that is None is not. Raises TesseraError; what is left out comes
        as a TesseraWarning. Options, with their defaults:

    {_options(AdaptiveGrid.properties)}
        """
