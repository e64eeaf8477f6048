# SPDX-License-Identifier: BSD-3-Clause
"""`mesh.tessera` of PyVista's datasets: the functions that take such a dataset. PyVista imports this when
it is first asked for."""
from __future__ import annotations

import functools
import inspect
import re
from typing import Any, Callable, NoReturn

import pyvista

from . import functions
from ._panel import METHODS

if not hasattr(pyvista, "register_dataset_accessor"):
    raise ImportError("mesh.tessera needs PyVista 0.48 or later; with this one call the functions, for "
                      "instance tessera_vtk.adaptive_grid(mesh)")


_COMPOSITES = {"MultiBlock", "PartitionedDataSet"}


class TesseraAccessor:
    """Filters of Tessera for this dataset.

    Attributes
    ----------
    report : dict or None
        What ran and how much it did, of a dataset that Tessera made; copies of it have none.
    """

    def __init__(self, mesh: Any) -> None:
        self._mesh = mesh
        self.report: dict[str, Any] | None = None

    def __repr__(self) -> str:
        names = [name for name in dir(self) if not name.startswith("_")]
        return f"<tessera of a {type(self._mesh).__name__}: {', '.join(names)}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("mesh.tessera cannot be copied or pickled: copy the mesh")

    def __getattr__(self, name: str) -> Any:
        kind = type(self._mesh).__name__
        if name in METHODS:
            _, takes, instead = METHODS[name]
            raise AttributeError(f"{name} takes {', '.join(takes)} or MultiBlock, not {kind}: {instead}")
        raise AttributeError(f"{kind}.tessera has no attribute '{name}'")


def _method(name: str) -> Callable[..., Any]:
    """The function with the mesh of the accessor as its first argument."""
    function = getattr(functions, name)

    @functools.wraps(function)
    def method(self: TesseraAccessor, **options: Any) -> Any:
        return function(self._mesh, **options)

    first, *others = inspect.signature(function).parameters.values()
    method.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [first.replace(name="self", annotation=inspect.Parameter.empty), *others])
    method.__doc__ = re.sub(r"mesh : .*\n(?:    .*\n)+", "", inspect.getdoc(function) or "")
    return method


def _register() -> None:
    """An accessor for each class of PyVista, with what it takes."""
    for kind in sorted({kind for _, takes, _ in METHODS.values() for kind in takes} | _COMPOSITES):
        methods = {name: _method(name) for name, (_, takes, _) in METHODS.items()
                   if kind in takes or kind in _COMPOSITES}
        accessor = type(f"Tessera{kind}", (TesseraAccessor,), {**methods, "__module__": __name__,
                                                               "__doc__": TesseraAccessor.__doc__})
        pyvista.register_dataset_accessor("tessera", getattr(pyvista, kind))(accessor)


_register()
