# SPDX-License-Identifier: BSD-3-Clause
"""Points to curves on numpy arrays: `join` in one call; or options, a plan that knows exact sizes, a fill."""
from __future__ import annotations

from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays
from ._library import new
from ._plan import Borrowing, Handle
from .arrays import Array
from .execution import Execution
from .properties import of_proxy, options_function

AT_POINTS, AT_FIRST, AT_LAST = range(3)  # tsr_ordering_place

PROPERTIES = of_proxy("PointsToCurves", "tsr_filter_choices_properties", "tsr_ordering_properties")
options = options_function("tsr_ordering_options", "PointsToCurves", PROPERTIES)


class View(Borrowing):
    """The points, (n, 3) or (n, 2); their groups and orders, (n,), or None: one group, the order of the
    input. Arrays are borrowed where the library can read them as they are."""

    def __init__(self, points: ArrayLike, group: ArrayLike | None = None,
                 order: ArrayLike | None = None) -> None:
        self.core = new("tsr_ordering_view")
        self._kept = [arrays.places(points)]
        self.core.points = arrays.view(self._kept[0], "array of points", 3)
        for name, given in (("group", group), ("order", order)):
            if given is not None:
                self._kept.append(arrays.tidy(given, f"array of {name}s"))
                setattr(self.core, name, arrays.view(self._kept[-1], f"array of {name}s", 1,
                                                     len(self._kept[0])))
        self._refuse_device("curves through points")
        self.dtype = self._kept[0].dtype


class _Sizes:
    """Of what comes out, by the names that the outputs need."""

    def __init__(self, sizes: Any) -> None:
        self.points, self.verts, self.lines = sizes.points, sizes.verts, sizes.lines
        self.cells, self.on_lines = sizes.verts + sizes.lines, sizes.points - sizes.verts


# Members of tsr_ordering_output: of which size, how many components, types.
_OUTPUTS = {
    "vert_offsets": ("verts", 1, "i8"), "vert_connectivity": ("verts", 1, "i8"),
    "line_offsets": ("lines", 1, "i8"), "line_connectivity": ("on_lines", 1, "i8"),
    "length": ("cells", 1, "f8"), "point_ids": ("points", 1, "i8"), "first_ids": ("cells", 1, "i8"),
    "last_ids": ("cells", 1, "i8"),
}


class Plan(Handle):
    """The points in curves, counted. Frees itself."""

    _feature = "ordering"

    def __init__(self, view: View, settings: Any, execution: Execution | None = None) -> None:
        super().__init__()
        self.view = view
        self._create(view.core, core.tsr_ordering_options.from_buffer_copy(settings), execution, [view])

    def fill_into(self, outputs: Mapping[str, Array],
                  attributes: Iterable[tuple[ArrayLike, Array, int]] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_ordering_output.
        attributes: input, output of the same type, AT_POINTS, AT_FIRST or AT_LAST."""
        made = new("tsr_ordering_output")
        sizes, attributes = _Sizes(self.sizes), list(attributes)
        self._check_place([*outputs.values(), *[part for one in attributes for part in one[:2]]])
        members = {"points": ("points", 3, self.view.dtype.str), **_OUTPUTS}
        arrays.set_outputs(made, outputs, members, sizes)
        rows, kept = [], []
        for k, (one, out, place) in enumerate(attributes):
            kept.append(arrays.tidy(one, f"attribute {k}"))
            given = arrays.view(kept[-1], f"attribute {k}", None, self.view.core.points.tuples)
            n = (sizes.points if place == AT_POINTS else sizes.cells) * given.components
            to = arrays.target(out, f"output of attribute {k}", n, kept[-1].dtype)
            rows.append(core.tsr_ordering_attribute(given, to, place))
        held = arrays.vector(core.tsr_ordering_attribute, rows)
        made.attributes, made.n_attributes = arrays.address(held), len(rows)
        self._fill(made)


def join(points: ArrayLike, group: ArrayLike | None = None, order: ArrayLike | None = None, *,
         point_arrays: Mapping[str, ArrayLike] | None = None, threads: int = 1,
         **settings: Any) -> dict[str, Array]:
    """From points to polylines in one call.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Where they are.
    group, order : array_like, (n,), optional
        Which curve a point belongs to, and where on it. None: one curve; the order of the input.
    point_arrays : mapping of names to array_like, optional
        Arrays that come along.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    dict of str to numpy.ndarray
        The points (n, 3); vert_offsets, vert_connectivity of curves of one point; line_offsets,
        line_connectivity of the others; length, one a cell, vertices first; point_ids, the input point
        of each; and the point arrays under their own names.

    Examples
    --------
    >>> from tessera_vtk import ordering
    >>> out = ordering.join([[0, 0], [5, 0], [1, 0], [6, 0]], group=[7, 8, 7, 8])
    >>> out["line_offsets"].tolist(), out["point_ids"].tolist()
    ([0, 2, 4], [0, 2, 1, 3])
    """
    view = View(points, group, order)
    plan = Plan(view, options(**settings), Execution(threads))
    made = arrays.new_outputs(_OUTPUTS, _OUTPUTS, _Sizes(plan.sizes))
    made["points"] = np.empty((plan.sizes.points, 3), view.dtype)
    more, attributes = {}, []
    for name, given in (point_arrays or {}).items():
        tidy, asked = arrays.tidy(given, f"point array '{name}'"), np.asarray(given)
        more[name] = arrays.like(asked if asked.dtype.kind in "bc" else tidy, plan.sizes.points)
        attributes.append((tidy, more[name], AT_POINTS))
    plan.fill_into(made, attributes)
    return {**made, **more}
