# SPDX-License-Identifier: BSD-3-Clause
"""Curved cells on numpy arrays: `adapt` in one call; or options, a plan that knows exact sizes, a fill."""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays, memory
from ._library import call, new
from ._plan import Borrowing, Handle
from .arrays import Array
from .errors import BadInput
from .execution import Execution
from .properties import of_proxy, options_function

DRAWN, ABSENT, NEIGHBOUR = range(3)  # tsr_cells_role

PROPERTIES = of_proxy("AdaptiveCells", "tsr_filter_choices_properties", "tsr_cells_properties",
                      "tsr_cells_choices_properties")
options = options_function("tsr_cells_options", "AdaptiveCells", PROPERTIES)
_BYTES_OF_A_POINT = 12 + 2 * 3 * 8  # the point, and two triangles

# Members of tsr_cells_output: of which size, how many components, types.
_OUTPUTS = {
    "points": ("points", 3, "f4", "f8"), "vert_offsets": ("verts", 1, "i8"),
    "vert_connectivity": ("vert_connectivity", 1, "i8"), "line_offsets": ("lines", 1, "i8"),
    "line_connectivity": ("line_connectivity", 1, "i8"), "poly_offsets": ("polys", 1, "i8"),
    "poly_connectivity": ("poly_connectivity", 1, "i8"), "source_cell": ("cells", 1, "i8"),
    "solid_types": ("solids", 1, "u1"), "solid_offsets": ("solids", 1, "i8"),
    "solid_connectivity": ("solid_connectivity", 1, "i8"),
    "normals": ("points", 3, "f4"), "achieved": ("cells", 1, "f8"),
    "parameters": ("points", 3, "f8"), "parameter_cell": ("points", 1, "i8"),
}
_ON_REQUEST = ("normals", "achieved", "parameters", "parameter_cell")


class View(Borrowing):
    """An unstructured mesh. Arrays are borrowed where the library can read them as they are.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Nodes of the cells.
    types : array_like, (cells,)
        VTK's numbers of the cell types.
    offsets : array_like, (cells + 1,)
        Cell i has the nodes [offsets[i], offsets[i + 1]) of the connectivity.
    connectivity : array_like
        Point ids, in VTK's order of nodes.
    weights : array_like, (n,), optional
        Rational weights, greater than 0, of Bezier cells.
    degrees : array_like, (cells, 3), optional
        Degrees along the axes of Lagrange and Bezier cells. None: one degree for all axes.
    roles : array_like, (cells,), optional
        DRAWN, ABSENT or NEIGHBOUR. None: all are drawn.
    single_points : bool, default: False
        The points of the output will be float32.
    """

    def __init__(self, points: ArrayLike, types: ArrayLike, offsets: ArrayLike, connectivity: ArrayLike,
                 weights: ArrayLike | None = None, degrees: ArrayLike | None = None,
                 roles: ArrayLike | None = None, single_points: bool = False) -> None:
        at = arrays.places(points)
        if at.dtype.kind != "f":
            at = at.astype("f8")
        kinds = arrays.flat(types, "array of cell types", None, "u1")
        ends = arrays.flat(offsets, "array of offsets", len(kinds) + 1, "i4", "i8")
        ids = arrays.flat(connectivity, "array of point ids", None, "i4", "i8")
        if ends.dtype != ids.dtype:
            ends, ids = ends.astype("i8"), ids.astype("i8")
        self._kept = [at, kinds, ends, ids]
        self.core = new("tsr_cells_view")
        self.core.points = arrays.view(at, "array of points", 3)
        self.core.n_cells, self.core.types = len(kinds), arrays.pointer(kinds)
        self.core.offsets, self.core.connectivity = arrays.pointer(ends), arrays.pointer(ids)
        self.core.n_connectivity, self.core.index_type = len(ids), arrays.TYPES[ends.dtype]
        self.core.single_points = bool(single_points)
        for name, given, components in (("weights", weights, 1), ("degrees", degrees, 3)):
            if given is not None:
                self._kept.append(arrays.tidy(given, f"array of {name}"))
                n = len(at) if name == "weights" else len(kinds)
                setattr(self.core, name, arrays.view(self._kept[-1], f"array of {name}", components, n))
        if roles is not None:
            self._kept.append(arrays.flat(roles, "array of roles", len(kinds), "u1"))
            self.core.roles = arrays.pointer(self._kept[-1])
        self._refuse_device("cells")


class _Sizes:
    """Of what comes out, by the names that the outputs need."""

    points: int

    def __init__(self, sizes: Any) -> None:
        for name in ("points", "verts", "lines", "polys", "solids", "vert_connectivity", "line_connectivity",
                     "poly_connectivity", "solid_connectivity"):
            setattr(self, name, getattr(sizes, name))
        self.cells = sizes.verts + sizes.lines + sizes.polys + sizes.solids


class Plan(Handle):
    """The surface of the mesh, divided and counted. Frees itself. fields: point arrays that the field error is
    about. field_ranges, field_largest: their ranges, and bounds of the magnitude of their values; None: found.
    Where the settings' limit_points is 0, at most as many points are counted as there is memory for
    (`memory.allowed`)."""

    _feature = "cells"

    def __init__(self, view: View, settings: Any, execution: Execution | None = None,
                 fields: Iterable[ArrayLike] = (), field_ranges: Iterable[float] | None = None,
                 field_largest: Iterable[float] | None = None) -> None:
        super().__init__()
        self.view = view
        set_ = core.tsr_cells_options.from_buffer_copy(settings)
        if set_.limit_points == 0:
            set_.limit_points = memory.Room().items(_BYTES_OF_A_POINT)
        kept = [arrays.tidy(one, "field") for one in fields]
        held = arrays.vector(core.tsr_array, [arrays.view(one, "field") for one in kept])
        set_.fields, set_.n_fields = arrays.address(held), len(kept)
        numbers = [None if one is None else arrays.vector(c.c_double, arrays.numbers(one, f"list of {what}", len(kept)))
                   for what, one in (("ranges", field_ranges), ("largest values", field_largest))]
        set_.field_ranges, set_.field_largest = map(arrays.address, numbers)
        self._create(view.core, set_, execution, [view, kept, held, numbers])

    def fill_into(self, outputs: Mapping[str, Array], point_arrays: Iterable[tuple[ArrayLike, Array]] = (),
                  cell_arrays: Iterable[tuple[ArrayLike, Array]] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_cells_output.
        point_arrays, cell_arrays: input, and output of the same type."""
        made, sizes = new("tsr_cells_output"), _Sizes(self.sizes)
        given = {"point": list(point_arrays), "cell": list(cell_arrays)}
        self._check_place([*outputs.values(), *[part for rows in given.values() for one in rows
                                                for part in one]])
        arrays.set_outputs(made, outputs, _OUTPUTS, sizes)
        kept = []
        for noun, pairs in given.items():
            tuples = self.view.core.points.tuples if noun == "point" else self.view.core.n_cells
            rows = []
            for k, (one, out) in enumerate(pairs):
                what = f"{noun} array {k}"
                kept.append(arrays.tidy(one, what))
                view = arrays.view(kept[-1], what, None, tuples)
                n = (sizes.points if noun == "point" else sizes.cells) * view.components
                to = arrays.target(out, f"output of {what}", n, kept[-1].dtype)
                rows.append(core.tsr_cells_attribute(view, to))
            kept.append(arrays.vector(core.tsr_cells_attribute, rows))
            setattr(made, f"{noun}_arrays", arrays.address(kept[-1]))
            setattr(made, f"n_{noun}_arrays", len(rows))
        self._fill(made)


def fit_budget(plans: list[Plan], budget: int) -> float:
    """Coarsens plans together until they make at most `budget` points. Returns the factor on what is allowed;
    infinite where even the coarsest do not fit."""
    scale = c.c_double(1.0)
    handles = (c.c_void_p * max(len(plans), 1))(*[one._handle for one in plans])
    run = plans[0].execution.call if plans else call
    run("tsr_cells_fit_budget", handles, len(plans), budget, None, None, c.byref(scale))
    return scale.value


def adapt(points: ArrayLike, types: ArrayLike, offsets: ArrayLike, connectivity: ArrayLike, *,
          weights: ArrayLike | None = None, degrees: ArrayLike | None = None,
          point_arrays: Mapping[str, ArrayLike] | None = None,
          cell_arrays: Mapping[str, ArrayLike] | None = None, threads: int = 1,
          **settings: Any) -> dict[str, Array]:
    """From curved cells to the triangles of their surface in one call.

    Parameters
    ----------
    points, types, offsets, connectivity, weights, degrees
        As of `View`.
    point_arrays : mapping of names to array_like, optional
        Arrays that follow the cells; the field error is about all but those of truth values.
    cell_arrays : mapping of names to array_like, optional
        Arrays with a value or a tuple a cell.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    dict of str to numpy.ndarray
        The points (n, 3); offsets and connectivity of vertices, lines, triangles and solids (vert_, line_, poly_,
        solid_), and the types of solids, which are empty but with output="Cells"; source_cell, the input cell of
        each of these cells, vertices first; and the arrays under their names.

    Examples
    --------
    A quadratic triangle with a bent side:

    >>> from tessera_vtk import cells
    >>> nodes = [[0, 0], [2, 0], [0, 2], [1, -0.5], [1, 1], [0, 1]]
    >>> out = cells.adapt(nodes, [22], [0, 6], range(6), chord_error=0.01)
    >>> len(out["points"]) > 6, (out["source_cell"] == 0).all().item()
    (True, True)
    """
    given = {"point": point_arrays or {}, "cell": cell_arrays or {}}
    fields = [one for one in given["point"].values() if np.asarray(one).dtype.kind != "b"]
    plan = Plan(View(points, types, offsets, connectivity, weights, degrees), options(**settings),
                Execution(threads), fields)
    sizes = _Sizes(plan.sizes)
    made = arrays.new_outputs([one for one in _OUTPUTS if one not in _ON_REQUEST], _OUTPUTS, sizes)
    outputs, pairs = dict(made), {"point": [], "cell": []}  # type: tuple[Any, dict[str, list[Any]]]
    for noun, named in given.items():
        for name, one in named.items():
            if name in made:
                raise BadInput(f"no {noun} array can be named '{name}': the output has one")
            tidy, asked = arrays.tidy(one, f"{noun} array '{name}'"), np.asarray(one)
            made[name] = arrays.like(asked if asked.dtype.kind in "bc" else tidy,
                                     sizes.points if noun == "point" else sizes.cells)
            pairs[noun].append((tidy, made[name]))
    plan.fill_into(outputs, pairs["point"], pairs["cell"])
    return made
