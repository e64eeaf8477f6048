# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive grids on numpy arrays: options, a plan that knows exact sizes, a fill."""
from __future__ import annotations

import ctypes as c
import math
from typing import Any, Iterable, NoReturn

import numpy as np

from . import arrays, memory
from ._library import call, core, lib, new, text_of
from ._plan import Handle
from .errors import BadInput
from .execution import Execution
from .properties import from_library, store_all

UNIFORM, RECTILINEAR, POINTS = range(3)  # tsr_grid_geometry
(VALUE_RANGE, GRADIENT, SECOND_DERIVATIVE, VORTICITY, Q_CRITERION, STANDARD_DEVIATION, IN_RANGE,
 INTERPOLATION_ERROR) = range(8)  # tsr_grid_measure
CELLS, POLYGONS, TREES, PATCHES, CONFORMING = range(5)  # tsr_grid_output_kind

# Members of tsr_grid_output: of which size, how many components, types.
_OUTPUTS = {
    "points": ("points", 3, "f4", "f8"), "offsets": ("cells", 1, "i8"),
    "connectivity": ("connectivity", 1, "i8"), "level": ("cells", 1, "i4"),
    "indicator": ("cells", 1, "f8"), "source_cell": ("cells", 1, "i8"),
    "state": ("cells", 1, "u1"), "hanging": ("points", 1, "u1"), "tree_first": ("trees", 1, "i8"),
    "tree_root": ("trees", 3, "i4"), "cell_type": ("cells", 1, "u1"), "leaf": ("cells", 1, "i8"),
}

_BYTES_OF_A_CELL = 100.0  # points, connectivity, offsets, types

PROPERTIES = {one.name: one for one in from_library("tsr_grid_properties")}


def options(**values: Any) -> core.tsr_grid_options:
    """A tsr_grid_options by the names of the properties, e.g. CoarsenLevels=4; the rest has the
    defaults. Raises BadOption for an unknown name."""
    made = new("tsr_grid_options")
    store_all(made, PROPERTIES, values, "grids")
    return made


class View:
    """A structured grid, borrowed. extent: first and last point along i, j, k; arrays run with i
    fastest. Where it lies: `image`, `rectilinear` or `structured` says."""

    def __init__(self, extent: Iterable[int]) -> None:
        self.core = new("tsr_grid_view")
        numbers = [int(one) for one in extent]
        if len(numbers) != 6:
            raise BadInput(f"an extent is 6 numbers, first and last point along i, j, k, not {numbers}")
        self.core.extent[:] = numbers
        self._kept: list[np.ndarray] = []

    def _sides(self) -> list[int]:
        """Points along each axis."""
        extent = self.core.extent
        return [max(last - first + 1, 0) for first, last in zip(extent[0::2], extent[1::2])]

    def image(self, origin: Iterable[float], spacing: Iterable[float],
              direction: Iterable[float] = (1, 0, 0, 0, 1, 0, 0, 0, 1)) -> "View":
        """origin: where index 0 0 0 is. direction: row by row."""
        self.core.geometry = UNIFORM
        self.core.origin[:] = arrays.numbers(origin, "origin", 3)
        self.core.spacing[:] = arrays.numbers(spacing, "spacing", 3)
        self.core.direction[:] = arrays.numbers(direction, "direction", 9)
        return self

    def rectilinear(self, axes: Iterable[np.ndarray | None]) -> "View":
        """Coordinates along x, y and z, as many as the extent has points."""
        self.core.geometry = RECTILINEAR
        given = list(axes)
        if len(given) != 3:
            raise BadInput(f"a rectilinear grid takes 3 arrays of coordinates, not {len(given)}")
        for k, axis in enumerate(given):
            if axis is not None:
                self.core.coordinates[k] = arrays.view(axis, "array of coordinates", 1,
                                                       self._sides()[k])
                self._kept.append(axis)
        return self

    def structured(self, points: np.ndarray | None) -> "View":
        """Every point: (points of the extent, 3)."""
        self.core.geometry = POINTS
        if points is not None:
            self.core.points = arrays.view(points, "array of points", 3, math.prod(self._sides()))
            self._kept.append(points)
        self.core.points.components = 3
        return self

    def hide(self, cells: np.ndarray | None, points: np.ndarray | None) -> None:
        """uint8, one a cell and one a point; not 0 = hidden. None: none."""
        sides = [last - first for first, last in zip(self.core.extent[0::2], self.core.extent[1::2])]
        if cells is not None:
            n = math.prod(max(one, 1) for one in sides) if min(sides) >= 0 else 0
            self.core.hidden_cells = arrays.flat(cells, "array of hidden cells", n, "u1")
        if points is not None:
            n = math.prod(max(one + 1, 0) for one in sides)
            self.core.hidden_points = arrays.flat(points, "array of hidden points", n, "u1")
        self._kept += [one for one in (cells, points) if one is not None]

    def is_axis_aligned(self) -> bool:
        """Are cells boxes along the axes?"""
        return bool(lib.tsr_grid_is_axis_aligned(c.byref(self.core)))

    def settle(self, kind: int = 0) -> "Axes":
        """Checks the grid and sets `whole` and `owned` for one process. kind: any number of the kind
        of dataset. Raises BadInput where it cannot be a grid."""
        axes = Axes(self, kind)
        self.core.whole[:] = axes.core.whole.at[:]
        self.core.owned[:] = core.tsr_grid_box.from_address(axes.core.own).at[:]
        return axes

    def whole_cells(self) -> int:
        """Input cells."""
        sides = zip(self.core.whole[0::2], self.core.whole[1::2])
        return int(np.prod([max(last - first, 1) for first, last in sides]))


class Axes:
    """The coordinates along each axis of a rectilinear grid, from the first point on, as the core
    has found them. Frees itself."""

    def __init__(self, view: View, kind: int) -> None:
        self.core = core.tsr_grid_shares()
        part = core.tsr_grid_part(view=c.addressof(view.core), kind=kind)
        part.announced.at[:] = [0, -1, 0, -1, 0, -1]
        alone = core.tsr_processes(n=1)
        call("tsr_grid_share", c.byref(part), c.byref(alone), c.byref(self.core))

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("axes cannot be copied or pickled: they own memory of the library; let the view "
                        "settle once more")

    def __del__(self) -> None:
        lib.tsr_grid_shares_free(c.byref(self.core))

    def region(self, view: View, box: Iterable[float]) -> list[float]:
        """The box in space, xmin xmax ymin ymax zmin zmax, as -imin imax -jmin jmax -kmin kmax; all
        -infinity where it touches no cell."""
        corners = (c.c_double * 6)()
        sides = (c.c_double * 6)(*arrays.numbers(box, "box", 6))
        lib.tsr_grid_region(c.byref(view.core), self.core.axes, sides, corners)
        return list(corners)


def criterion(measure: int, array: np.ndarray, cell_data: bool = False, component: int = -1,
              threshold: float = 0.0, lower: float = 0.0, upper: float = 0.0,
              relative: bool = False) -> core.tsr_grid_criterion:
    """A tsr_grid_criterion, which keeps the array."""
    made = new("tsr_grid_criterion")
    made.measure, made.array, made.cell_data = measure, arrays.view(array), bool(cell_data)
    made.component, made.threshold, made.relative = component, threshold, bool(relative)
    made.lower, made.upper = lower, upper
    made.borrowed = array
    return made


class Plan(Handle):
    """Which cells come out, counted. Frees itself. Where the settings' limit_cells is 0, at most as many
    cells are counted as there is memory for (`memory.allowed`)."""

    _feature = "grid"

    def __init__(self, view: View, settings: core.tsr_grid_options,
                 criteria: Iterable[core.tsr_grid_criterion] = (),
                 execution: Execution | None = None) -> None:
        super().__init__()
        self.view = view
        self.execution = execution or Execution(1)
        self.settings = core.tsr_grid_options.from_buffer_copy(settings)
        if self.settings.limit_cells == 0:
            self.settings.limit_cells = memory.Room().items(_BYTES_OF_A_CELL)
        rows = list(criteria)
        self._criteria = arrays.vector(core.tsr_grid_criterion, rows)
        self._kept = rows
        self.settings.criteria = arrays.address(self._criteria)
        self.settings.n_criteria = len(rows)
        self.execution.call("tsr_grid_plan_create", c.byref(view.core), c.byref(self.settings),
                            c.byref(self.execution.core), c.byref(self._handle))

    @property
    def sizes(self) -> core.tsr_grid_sizes:
        """cells, points, connectivity, leaves, fine_cells, notes and so on."""
        return self._own(lib.tsr_grid_plan_sizes(self._handle).contents)

    def notes(self) -> list[str]:
        """What the plan noticed, a sentence each."""
        return [text_of("tsr_grid_note_sentence", kind, count)
                for kind, count in enumerate(self.sizes.notes) if count.count > 0]

    def fill_into(self, outputs: dict[str, np.ndarray], cell_types: Iterable[int] = (0, 1, 2, 3),
                  hexahedra: bool = False,
                  attributes: Iterable[tuple[np.ndarray, bool, np.ndarray | None]] = (),
                  measure: bool = True) -> list[float]:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_grid_output,
        each with room for as many values as the sizes say, or more. attributes: input, of cells?,
        output of the same type or None. Returns the largest error of each, in the array's unit; zeros
        without `measure`."""
        made = new("tsr_grid_output")
        sizes = self.sizes
        arrays.set_outputs(made, outputs, _OUTPUTS, sizes)
        made.hexahedra = bool(hexahedra)
        made.cell_type_of[:] = [int(one) for one in arrays.numbers(cell_types, "list of cell types", 4)]
        given = list(attributes)
        errors = np.zeros(len(given))
        rows = []
        for k, (one, of_cells, out) in enumerate(given):
            view = arrays.view(one, f"attribute {k}")
            n = (sizes.cells if of_cells else sizes.points) * view.components
            to = None if out is None else arrays.target(out, f"output of attribute {k}", n,
                                                        one.dtype.str)
            rows.append(core.tsr_grid_attribute(view, bool(of_cells), to,
                                        errors[k:].ctypes.data if measure else None))
        held = arrays.vector(core.tsr_grid_attribute, rows)
        made.attributes = arrays.address(held)
        made.n_attributes = len(rows)
        self.execution.call("tsr_grid_fill", self._handle, c.byref(made))
        return errors.tolist()
