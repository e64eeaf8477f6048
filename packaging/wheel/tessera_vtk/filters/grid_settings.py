# SPDX-License-Identifier: BSD-3-Clause
"""The properties of Adaptive Grid: the core's, the criteria, and what becomes of the output."""
from __future__ import annotations

from dataclasses import dataclass

from .. import grid
from .._library import core
from ..properties import CHOICE, COMMON, DOUBLE, INT, NAMES, TEXT, Property, label_of

FREE, CONSTRAINED, POLYGONS, CONFORMING = range(4)  # Hanging Nodes
ADAPTIVE = 0  # Grid Type

# In the order of the panel: property, what the core measures, switched on?, threshold.
_MEASURES = (("InterpolationError", grid.INTERPOLATION_ERROR, 1, 0.01),
             ("ValueRange", grid.VALUE_RANGE, 0, 0.1), ("Gradient", grid.GRADIENT, 0, 0.1),
             ("SecondDerivative", grid.SECOND_DERIVATIVE, 0, 0.8),
             ("StandardDeviation", grid.STANDARD_DEVIATION, 0, 0.05),
             ("Vorticity", grid.VORTICITY, 0, 0.25), ("QCriterion", grid.Q_CRITERION, 0, 0.1))


def _choice(name: str, default: int) -> Property:
    labels = core.LABELS[name]
    return Property(name, CHOICE, default, 1, 0, len(labels) - 1, labels)


def _switch(name: str, default: int = 0) -> Property:
    return Property(name, INT, default, 1, 0, 1)


PROPERTIES: tuple[Property, ...] = (
    *COMMON,
    *grid.PROPERTIES.values(),
    _switch("UseRegion"),
    Property("Region", DOUBLE, [1.0, -1.0] * 3, 6),  # that of the input
    Property("CriteriaArrays", NAMES, []),
    Property("Component", INT, -1, 1, -1),
    Property("VelocityArray", TEXT, ""),
    _choice("ThresholdMode", 1),
    *(one for name, _, on, threshold in _MEASURES
      for one in (_switch("Use" + name, on), Property(name, DOUBLE, threshold, 1, 0))),
    _switch("UseArrayInRange"),
    Property("ArrayInRange", DOUBLE, [0.0, 1.0], 2),
    _switch("UseGeometricError"),
    Property("GeometricError", DOUBLE, 0.001, 1, 0),
    _choice("OutputType", 0),
    _choice("HangingNodes", CONFORMING),
    _choice("CellShape", 0),
    _choice("OutputPrecision", 2),
    _switch("MeasureErrors", 1),
    _switch("GenerateLevel"),
    _switch("GenerateIndicator"),
    _switch("GenerateSourceCell"),
    _choice("OverTime", 0),
)


@dataclass(frozen=True)
class Wanted:
    """A criterion that is switched on; it looks at every chosen array."""

    name: str  # in the panel
    measure: int
    threshold: float
    lower: float
    upper: float
    of_geometry: bool = False  # its array is that of the points

    @property
    def is_flow(self) -> bool:
        """Does it look at the velocity?"""
        return self.measure in (grid.VORTICITY, grid.Q_CRITERION)


def wanted(values: dict) -> list[Wanted]:
    """The criteria that are switched on, in the order of the panel; none for fixed grids."""
    if values["GridType"] != ADAPTIVE:
        return []
    labels = {"QCriterion": "Q-Criterion"}
    found = [Wanted(labels.get(name, label_of(name)), measure, values[name], 0.0, 0.0)
             for name, measure, _, _ in _MEASURES if values["Use" + name]]
    if values["UseArrayInRange"]:
        found.append(Wanted("Array In Range", grid.IN_RANGE, 0.0, *values["ArrayInRange"]))
    if values["UseGeometricError"]:
        found.append(Wanted("Geometric Error", grid.INTERPOLATION_ERROR, values["GeometricError"], 0.0,
                            0.0, True))
    return found


def output_kind(values: dict) -> int:
    """What Hanging Nodes asks the core for."""
    return {POLYGONS: grid.POLYGONS, CONFORMING: grid.CONFORMING}.get(values["HangingNodes"],
                                                                     grid.CELLS)
