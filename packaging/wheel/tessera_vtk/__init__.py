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
    if name == "AdaptiveCurves":
        from .filters.adaptive_curves import AdaptiveCurves
        return AdaptiveCurves
    if name == "AdaptiveGrid":
        from .filters.adaptive_grid import AdaptiveGrid
        return AdaptiveGrid
    raise AttributeError(f"module 'tessera_vtk' has no attribute '{name}'")
