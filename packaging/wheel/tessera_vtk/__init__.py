# SPDX-License-Identifier: BSD-3-Clause
"""Tessera for Python: adaptive curves, grids and point grids, for VTK, PyVista and numpy.

`adaptive_curves(mesh)`, `adaptive_grid(mesh)` and so on take datasets of PyVista or VTK; PyVista's datasets
have them as `mesh.tessera.adaptive_curves()`. `AdaptiveCurves`, `AdaptiveGrid` and so on are VTK filters with
the properties of those in ParaView. `tessera_vtk.curves`, `tessera_vtk.grid`, `tessera_vtk.pointgrid`,
`tessera_vtk.ordering`, `tessera_vtk.discs` and `tessera_vtk.cells` are the same on numpy arrays, without VTK;
`tessera_vtk.mesh` and `tessera_vtk.octree` make the views that `grid` takes of meshes and of cells of several sizes.
"""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._panel import PROXIES
from ._panel import VERSION as __version__
from .errors import (Aborted, BadInput, BadOption, NoBackend, NoMemory, TesseraError, TesseraWarning,
                     TooLarge)

if TYPE_CHECKING:
    from .filters.adaptive_cells import AdaptiveCells
    from .filters.adaptive_curves import AdaptiveCurves
    from .filters.adaptive_grid import AdaptiveGrid
    from .filters.adaptive_point_grid import AdaptivePointGrid
    from .filters.disc_image import DiscImage
    from .filters.points_to_curves import PointsToCurves
    from .filters.sources import CUDADeviceReport, RandomBezierCurves, RandomDiscs, TurbulentJet
    from .functions import (adaptive_cells, adaptive_curves, adaptive_grid, adaptive_point_grid,
                            cuda_device_report, disc_image, points_to_curves, random_bezier_curves,
                            random_discs, turbulent_jet)

__all__ = ["Aborted", "AdaptiveCells", "AdaptiveCurves", "AdaptiveGrid", "AdaptivePointGrid", "BadInput", "BadOption",
           "CUDADeviceReport", "DiscImage", "NoBackend", "NoMemory", "PointsToCurves",
           "RandomBezierCurves", "RandomDiscs", "TesseraError", "TesseraWarning", "TooLarge",
           "TurbulentJet", "__version__", "adaptive_cells", "adaptive_curves", "adaptive_grid", "adaptive_point_grid",
           "cuda_device_report", "disc_image", "points_to_curves", "random_bezier_curves",
           "random_discs", "turbulent_jet"]

_MODULES = {"AdaptiveCells": "adaptive_cells", "AdaptiveCurves": "adaptive_curves", "AdaptiveGrid": "adaptive_grid",
            "AdaptivePointGrid": "adaptive_point_grid", "DiscImage": "disc_image",
            "PointsToCurves": "points_to_curves"}


def __getattr__(name: str) -> Any:
    """Functions and filters, which need VTK, when they are asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'tessera_vtk' has no attribute '{name}'")
    if name not in PROXIES:
        return getattr(import_module(".functions", __name__), name)
    try:
        import vtkmodules.vtkCommonExecutionModel  # noqa: F401
    except ImportError as problem:
        raise ImportError(f"{name} needs VTK (pip install vtk): {problem}. tessera_vtk.curves, grid, "
                          "pointgrid, ordering, discs and cells do without.") from None
    return getattr(import_module(".filters." + _MODULES.get(name, "sources"), __name__), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
