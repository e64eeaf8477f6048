# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive grids on numpy arrays: `adapt` in one call; or options, a plan that knows exact sizes, a fill."""
from __future__ import annotations

import ctypes as c
import math
from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays, device, memory
from ._library import call, lib, new
from ._plan import Borrowing, Handle
from .arrays import Array
from .errors import BadInput, NoMemory
from .execution import Execution
from .properties import of_proxy, options_function

UNIFORM, RECTILINEAR, POINTS = range(3)  # tsr_grid_geometry
(VALUE_RANGE, GRADIENT, SECOND_DERIVATIVE, VORTICITY, Q_CRITERION, STANDARD_DEVIATION, IN_RANGE,
 INTERPOLATION_ERROR) = range(8)  # tsr_grid_measure
CELLS, POLYGONS, TREES, PATCHES, CONFORMING = range(5)  # tsr_grid_output_kind
MOVED = 2  # of an attribute: cell data for the points of the output, where the options move cells

# Members of tsr_grid_output: of which size, how many components, types.
_OUTPUTS = {
    "points": ("points", 3, "f4", "f8"), "offsets": ("cells", 1, "i8"),
    "connectivity": ("connectivity", 1, "i8"), "level": ("cells", 1, "i4"),
    "indicator": ("cells", 1, "f8"), "source_cell": ("cells", 1, "i8"),
    "state": ("cells", 1, "u1"), "hanging": ("points", 1, "u1"), "tree_first": ("trees", 1, "i8"),
    "tree_root": ("trees", 3, "i4"), "cell_type": ("cells", 1, "u1"), "leaf": ("cells", 1, "i8"),
}

# VTK's numbers: a vertex, a line, a pixel, a voxel; a triangle, a tetrahedron, a pyramid.
_CELL_TYPES, _CUT_TYPES = (1, 3, 8, 11), (5, 10, 14)
_BYTES_OF_A_CELL = 100.0  # points, connectivity, offsets, types

PROPERTIES = of_proxy("AdaptiveGrid", "tsr_filter_choices_properties", "tsr_grid_properties",
                      "tsr_grid_choices_properties")
options = options_function("tsr_grid_options", "AdaptiveGrid", PROPERTIES)


class View(Borrowing):
    """A structured grid, borrowed. extent: first and last point along i, j, k; arrays run with i
    fastest. Where it lies: `image`, `rectilinear` or `structured` says."""

    def __init__(self, extent: Iterable[int]) -> None:
        self.core = new("tsr_grid_view")
        numbers = [int(one) for one in extent]
        if len(numbers) != 6:
            raise BadInput(f"an extent is 6 numbers, first and last point along i, j, k, not {numbers}")
        self.core.extent[:] = numbers
        self._kept: list[Array] = []

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

    def rectilinear(self, axes: Iterable[ArrayLike | None]) -> "View":
        """Coordinates along x, y and z, as many as the extent has points."""
        self.core.geometry = RECTILINEAR
        given = list(axes)
        if len(given) != 3:
            raise BadInput(f"a rectilinear grid takes 3 arrays of coordinates, not {len(given)}")
        for k, axis in enumerate(given):
            if axis is not None:
                self._kept.append(arrays.tidy(axis, "array of coordinates"))
                self.core.coordinates[k] = arrays.view(self._kept[-1], "array of coordinates", 1,
                                                       self._sides()[k])
        return self

    def structured(self, points: ArrayLike | None) -> "View":
        """Every point: (points of the extent, 3)."""
        self.core.geometry = POINTS
        if points is not None:
            self._kept.append(arrays.places(points))
            self.core.points = arrays.view(self._kept[-1], "array of points", 3,
                                           math.prod(self._sides()))
        self.core.points.components = 3
        return self

    def hide(self, cells: ArrayLike | None, points: ArrayLike | None) -> None:
        """Truth values or uint8, one a cell and one a point; not 0 = hidden. None: none."""
        sides = [last - first for first, last in zip(self.core.extent[0::2], self.core.extent[1::2])]
        if cells is not None:
            n = math.prod(max(one, 1) for one in sides) if min(sides) >= 0 else 0
            self._kept.append(arrays.flat(cells, "array of hidden cells", n, "u1"))
            self.core.hidden_cells = arrays.pointer(self._kept[-1])
        if points is not None:
            n = math.prod(max(one + 1, 0) for one in sides)
            self._kept.append(arrays.flat(points, "array of hidden points", n, "u1"))
            self.core.hidden_points = arrays.pointer(self._kept[-1])

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


class Axes(Borrowing):
    """The coordinates along each axis of a rectilinear grid, from the first point on, as the core
    has found them. Frees itself."""

    def __init__(self, view: View, kind: int) -> None:
        self.core = core.tsr_grid_shares()
        part = core.tsr_grid_part(view=c.addressof(view.core), kind=kind)
        part.announced.at[:] = [0, -1, 0, -1, 0, -1]
        alone = core.tsr_processes(n=1)
        call("tsr_grid_share", c.byref(part), c.byref(alone), c.byref(self.core))

    def __del__(self) -> None:
        lib.tsr_grid_shares_free(c.byref(self.core))

    def region(self, view: View, box: Iterable[float]) -> list[float]:
        """The box in space, xmin xmax ymin ymax zmin zmax, as -imin imax -jmin jmax -kmin kmax; all
        -infinity where it touches no cell."""
        corners = (c.c_double * 6)()
        sides = (c.c_double * 6)(*arrays.numbers(box, "box", 6))
        lib.tsr_grid_region(c.byref(view.core), self.core.axes, sides, corners)
        return list(corners)


def criterion(measure: int, array: ArrayLike, cell_data: bool = False, component: int = -1,
              threshold: float = 0.0, lower: float = 0.0, upper: float = 0.0,
              relative: bool = False, samples: ArrayLike | None = None) -> Any:
    """A tsr_grid_criterion, which keeps the array. samples: of an octree that stands for a mesh, the values of
    the mesh."""
    made = new("tsr_grid_criterion")
    made.borrowed = arrays.tidy(array)
    made.borrowed_samples = None if samples is None else arrays.tidy(samples, "array of samples")
    if samples is not None:
        made.samples = arrays.view(made.borrowed_samples, "array of samples")
    made.measure, made.array, made.cell_data = measure, arrays.view(made.borrowed), bool(cell_data)
    made.component, made.threshold, made.relative = component, threshold, bool(relative)
    made.lower, made.upper = lower, upper
    return made


class Plan(Handle):
    """Which cells come out, counted. Frees itself. Where the settings' limit_cells is 0, at most as many
    cells are counted as there is memory for (`memory.allowed`).

    marks: nodes that are refined, with their ancestors, as if a criterion asked for them: what `marks` of another plan
    has returned, for one grid at several time steps. keep_marks: `marks` will be asked.
    """

    _feature = "grid"

    def __init__(self, view: View, settings: Any, criteria: Iterable[Any] = (),
                 execution: Execution | None = None, marks: ArrayLike | None = None,
                 keep_marks: bool = False) -> None:
        super().__init__()
        self.view = view
        set_ = core.tsr_grid_options.from_buffer_copy(settings)
        nodes = _nodes_of(marks)
        set_.marks.nodes = arrays.pointer(nodes) if len(nodes) else None
        set_.marks.n, set_.keep_marks = len(nodes), bool(keep_marks)
        if set_.limit_cells == 0:
            set_.limit_cells = memory.Room().items(_BYTES_OF_A_CELL)
        rows = list(criteria)
        held = arrays.vector(core.tsr_grid_criterion, rows)
        arrays_of = [[one.borrowed, one.borrowed_samples] for one in rows]
        set_.criteria, set_.n_criteria = arrays.address(held), len(rows)
        self._create(view.core, set_, execution, [view, rows, held, arrays_of, nodes])

    def nodes(self) -> tuple[Array, Array]:
        """Level (n,) and index (n, 3) of each leaf."""
        n = int(self.sizes.leaves)
        found = lib.tsr_grid_plan_nodes(self._handle) if n else None
        if n and not found:
            raise NoMemory("there is not enough memory for the nodes of the grid", -1)
        rows = arrays.copied(c.addressof(found.contents) if found else None, 4 * n, "i4").reshape(-1, 4)
        return rows[:, 3], rows[:, :3]

    def marks(self) -> Array:
        """The nodes that criteria refined, with their ancestors and the marks that were given, (n, 4): three indices
        and a level; empty without keep_marks. For one grid of many time steps, plan each step with the marks of the step
        before. With the interpolation error, go on with the first step after the last one until none has added a mark.
        Then a plan with the last marks is the same grid at each step."""
        found = lib.tsr_grid_plan_marks(self._handle)
        return arrays.copied(found.nodes, 4 * found.n, "i4").reshape(-1, 4)

    def fill_into(self, outputs: Mapping[str, Array], cell_types: Iterable[int] = (0, 1, 2, 3),
                  hexahedra: bool = False,
                  attributes: Iterable[tuple[Any, ...]] = (), measure: bool = True) -> list[float]:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_grid_output,
        each with room for as many values as the sizes say, or more. attributes: input, of cells? (or MOVED: of
        cells, for the points of the output), output of the same type or None; of an octree that stands for a
        mesh also the values of the mesh. Returns the largest error of each, in the array's unit; zeros without
        `measure`."""
        made = new("tsr_grid_output")
        sizes = self.sizes
        arrays.set_outputs(made, outputs, _OUTPUTS, sizes)
        made.hexahedra = bool(hexahedra)
        attributes = list(attributes)
        self._check_place([*outputs.values(), *[part for one in attributes for part in (one[0], *one[2:])]])
        made.cell_type_of[:] = [int(one) for one in arrays.numbers(cell_types, "list of cell types", 4)]
        errors = np.zeros(len(attributes))
        rows, kept = [], []
        for k, (one, of_cells, out, *samples) in enumerate(attributes):
            kept.append(arrays.tidy(one, f"attribute {k}"))
            view = arrays.view(kept[-1], f"attribute {k}")
            n = (sizes.cells if of_cells == 1 else sizes.points) * view.components
            to = None if out is None else arrays.target(out, f"output of attribute {k}", n,
                                                        kept[-1].dtype)
            rows.append(core.tsr_grid_attribute(in_=view, cell_data=int(of_cells), out=to,
                                                error=errors[k:].ctypes.data if measure else None))
            if samples and samples[0] is not None:
                kept.append(arrays.tidy(samples[0], f"samples of attribute {k}"))
                rows[-1].samples = arrays.view(kept[-1], f"samples of attribute {k}")
        held = arrays.vector(core.tsr_grid_attribute, rows)
        made.attributes = arrays.address(held)
        made.n_attributes = len(rows)
        self._fill(made)
        return [float(one) for one in errors]


def _nodes_of(marks: ArrayLike | None) -> Array:
    """As the library has them."""
    found = np.ascontiguousarray([] if marks is None else marks, np.int32)
    found = found if found.size else found.reshape(0, 4)
    if found.ndim != 2 or found.shape[1] != 4:
        raise BadInput(f"the marks must have the shape (n, 4), three indices and a level, not {found.shape}")
    return found


def adapt(values: ArrayLike, *, spacing: Iterable[float] = (1, 1, 1), origin: Iterable[float] = (0, 0, 0),
          error: float = 0.01, relative: bool = True, threads: int = 1, **settings: Any) -> dict[str, Array]:
    """From a field on a regular grid to an adaptive grid in one call.

    Parameters
    ----------
    values : array_like, (nz, ny, nx) or (ny, nx)
        The field at the points, x fastest.
    spacing, origin : sequence of 3 float
        Along x, y and z, in the unit of the coordinates.
    error : float, default: 0.01
        Largest error of interpolation at an input point.
    relative : bool, default: True
        The error is a fraction of the range of the values; else it is in their unit.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    dict of str to numpy.ndarray
        The points (n, 3), offsets, connectivity and cell_type, in VTK's order and numbers, and values,
        at the points. Hanging nodes are free.

    Examples
    --------
    >>> import numpy as np
    >>> from tessera_vtk import grid
    >>> out = grid.adapt(np.add.outer(np.arange(17.0), np.arange(17.0)))
    >>> len(out["cell_type"]), out["values"].max().item()
    (4, 32.0)
    """
    there = device.borrow(values, "field")
    field: Any = np.asarray(values) if there is None else there
    if field.ndim not in (2, 3):
        raise BadInput(f"the field must have the shape (nz, ny, nx) or (ny, nx), not {field.shape}")
    sides = [*field.shape[::-1], 1][:3]
    line: Any = field.reshape(-1) if there is None else there.cast(there.dtype, (there.size,))
    flat = arrays.tidy(line, "field")
    view = View([one for n in sides for one in (0, n - 1)]).image(origin, spacing)
    view.settle()
    rule = criterion(INTERPOLATION_ERROR, flat, threshold=error, relative=relative)
    plan = Plan(view, options(**settings), [rule], Execution(threads))
    model = None if there is None else values
    made = arrays.new_outputs(["points", "offsets", "connectivity", "cell_type"], _OUTPUTS, plan.sizes,
                              model=model)
    out = arrays.like(line if field.dtype.kind in "bc" and model is None else flat, plan.sizes.points,
                      model=model)
    whole = _CELL_TYPES[plan.sizes.dimension]
    plan.fill_into(made, (whole, *_CUT_TYPES), attributes=[(flat, False, out)])
    return {**made, "values": out}
