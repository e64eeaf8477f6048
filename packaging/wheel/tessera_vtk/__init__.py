# SPDX-License-Identifier: BSD-3-Clause
"""Tessera for Python: adaptive curves and adaptive grids, for VTK, PyVista and numpy.

`AdaptiveCurves` and `AdaptiveGrid` are VTK filters with the properties of those in ParaView;
`tessera_vtk.curves` and `tessera_vtk.grid` are the same on numpy arrays, without VTK. Where PyVista is
installed, datasets have `mesh.tessera.adaptive_curves(...)` and `mesh.tessera.adaptive_grid(...)`.
"""
from __future__ import annotations

from typing import Any

from .errors import (Aborted, BadInput, BadOption, NoBackend, NoMemory, TesseraError,
                     TesseraWarning, TooLarge)

__all__ = ["Aborted", "AdaptiveCurves", "AdaptiveGrid", "BadInput", "BadOption", "NoBackend",
           "NoMemory", "TesseraError", "TesseraWarning", "TooLarge"]


def __getattr__(name: str) -> Any:
    """The filters, which need VTK, when they are asked for."""
    if name not in ("AdaptiveCurves", "AdaptiveGrid"):
        raise AttributeError(f"module 'tessera_vtk' has no attribute '{name}'")
    try:
        import vtkmodules.vtkCommonExecutionModel  # noqa: F401
    except ImportError as problem:
        raise ImportError(f"{name} needs VTK (pip install vtk): {problem}. tessera_vtk.curves and "
                          "tessera_vtk.grid do without.") from None
    if name == "AdaptiveCurves":
        from .filters.adaptive_curves import AdaptiveCurves
        return AdaptiveCurves
    from .filters.adaptive_grid import AdaptiveGrid
    return AdaptiveGrid
