# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive point grids on numpy arrays: `adapt` in one call; or options, a plan that knows exact sizes, a
fill."""
from __future__ import annotations

from typing import Any, Iterable, Mapping, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays, device, memory
from ._library import new
from ._plan import Borrowing, Handle
from .arrays import Array
from .errors import BadInput
from .execution import Execution
from .properties import of_proxy, options_function

CELLS, TREE, POINTS = range(3)  # tsr_pointgrid_output_kind

PROPERTIES = of_proxy("AdaptivePointGrid", "tsr_filter_choices_properties", "tsr_pointgrid_properties",
                      "tsr_pointgrid_choices_properties")
options = options_function("tsr_pointgrid_options", "AdaptivePointGrid", PROPERTIES)

# Members of tsr_pointgrid_output: of which size, how many components, types.
_OUTPUTS = {
    "points": ("points", 3, "f4", "f8"), "offsets": ("cells", 1, "i8"),
    "connectivity": ("connectivity", 1, "i8"), "level": ("cells", 1, "i4"), "count": ("cells", 1, "i8"),
    "density": ("cells", 1, "f8"), "leaf": ("points", 1, "i8"), "source_point": ("points", 1, "i8"),
    "state": ("cells", 1, "u1"),
}
_BYTES_OF_A_CELL = 200.0  # points, connectivity, offsets, types, and while it is made


class View(Borrowing):
    """The points, (n, 3) or (n, 2); and which of them are hidden: (n,), truth values or uint8, or None.
    Arrays are borrowed where the library can read them as they are."""

    def __init__(self, points: ArrayLike, hidden: ArrayLike | None = None) -> None:
        at = arrays.places(points)
        self.model = device.first(points)
        if at.dtype.kind != "f" and self.model is not None:
            raise BadInput(f"the array of points is of type {at.dtype} on a device; take float32 or float64")
        if at.dtype.kind != "f":
            at = at.astype("f8")
        self.core = new("tsr_pointgrid_view")
        self.core.points = arrays.view(at, "array of points", 3)
        self._kept = [at]
        if hidden is not None:
            self._kept.append(arrays.flat(hidden, "array of hidden points", len(at), "u1"))
            self.core.hidden = arrays.pointer(self._kept[-1])


class Attribute(NamedTuple):
    """A point array, and arrays that receive its mean, least and greatest value in each cell, or its
    values at the points of the output; None: not wanted."""

    values: ArrayLike
    mean: Array | None = None
    least: Array | None = None
    greatest: Array | None = None
    out: Array | None = None


class Plan(Handle):
    """The points in cells, counted. Frees itself. spread: the array that may not differ too much in a
    cell, where the settings use one. Where the settings' limit_cells is 0, at most as many cells are
    made as there is memory for (`memory.allowed`)."""

    _feature = "pointgrid"

    def __init__(self, view: View, settings: Any, spread: ArrayLike | None = None,
                 execution: Execution | None = None) -> None:
        super().__init__()
        self.view = view
        set_ = core.tsr_pointgrid_options.from_buffer_copy(settings)
        kept: list[Any] = [view]
        if spread is not None:
            kept.append(arrays.tidy(spread, "array of the spread"))
            set_.spread_array = arrays.view(kept[-1], "array of the spread")
        if set_.limit_cells == 0:
            set_.limit_cells = memory.Room().items(_BYTES_OF_A_CELL)
        self._create(view.core, set_, execution, kept)

    def fill_into(self, outputs: Mapping[str, Array], attributes: Iterable[Attribute] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_pointgrid_output."""
        made = new("tsr_pointgrid_output")
        sizes, attributes = self.sizes, list(attributes)
        self._check_place([*outputs.values(), *[part for one in attributes for part in one]])
        arrays.set_outputs(made, outputs, _OUTPUTS, sizes)
        rows, kept = [], []
        for k, one in enumerate(attributes):
            kept.append(arrays.tidy(one.values, f"attribute {k}"))
            given = arrays.view(kept[-1], f"attribute {k}", None, self.view.core.points.tuples)
            to = []
            for name, out in zip(one._fields[1:], one[1:]):
                n = (sizes.points if name == "out" else sizes.cells) * given.components
                kind = np.float64 if name == "mean" else kept[-1].dtype
                to.append(None if out is None else
                          arrays.target(out, f"{name} of attribute {k}", n, kind))
            rows.append(core.tsr_pointgrid_attribute(given, *to))
        held = arrays.vector(core.tsr_pointgrid_attribute, rows)
        made.attributes, made.n_attributes = arrays.address(held), len(rows)
        self._fill(made)


def adapt(points: ArrayLike, *, point_arrays: Mapping[str, ArrayLike] | None = None,
          spread_array: ArrayLike | None = None, threads: int = 1, **settings: Any) -> dict[str, Array]:
    """From points to the cells of a quadtree or octree in one call.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Where they are.
    point_arrays : mapping of names to array_like, optional
        Arrays with a value or a tuple a point.
    spread_array : array_like, (n,) or (n, components), optional
        With use_spread=True: what may not differ by more than spread in a cell.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    dict of str to numpy.ndarray
        The points (n, 3), offsets and connectivity of pixels or voxels in VTK's order; level, count and
        density, one a cell; and NAME_mean, NAME_least and NAME_greatest of each point array. Truth values
        have a least and a greatest truth value; complex numbers have a complex mean, and the least and
        greatest of both parts, (n, 2).

    Examples
    --------
    >>> from tessera_vtk import pointgrid
    >>> out = pointgrid.adapt([[0, 0], [1, 1], [0, 1]], tree_shape="quadtree in xy",
    ...                       maximum_points_per_cell=1)
    >>> out["count"].tolist()
    [1, 0, 1, 1]
    """
    plan = Plan(View(points), options(**settings), spread_array, Execution(threads))
    sizes = plan.sizes
    made = arrays.new_outputs(["points", "offsets", "connectivity", "level", "count", "density"], _OUTPUTS,
                              sizes, model=plan.view.model)
    attributes, more = [], {}
    for name, given in (point_arrays or {}).items():
        values = arrays.tidy(given, f"point array '{name}'")
        model = plan.view.model
        asked = values if model is not None else np.asarray(given)
        mean, extreme = (asked if asked.dtype.kind == kind else values for kind in "cb")
        parts = [arrays.like(mean, sizes.cells, "c16" if mean.dtype.kind == "c" else "f8", model),
                 *(arrays.like(extreme, sizes.cells, model=model) for _ in range(2))]
        more.update({f"{name}_{part}": one for part, one in zip(("mean", "least", "greatest"), parts)})
        attributes.append(Attribute(values, *parts))
    plan.fill_into(made, attributes)
    return {**made, **more}
