# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive curves on numpy arrays: `adapt` in one call; or options, a plan that knows exact sizes, a fill.

    options = curves.options(chord_error=0.01, chord_error_mode="absolute")
    plan = curves.Plan(curves.View(points, offsets, connectivity, kind=curves.CATMULL_ROM), options)
    out = plan.fill()
    out["points"], out["offsets"]
"""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core as core
from . import arrays, device, memory
from ._library import call, new, text_of
from ._plan import Borrowing, Handle
from .arrays import Array
from .errors import BadInput, BadOption, instead_of
from .execution import Execution
from .properties import of_proxy, options_function

# tsr_curve_kind
(NONE, STRAIGHT, CATMULL_ROM, QUADRATIC_BEZIER_CHAIN, CUBIC_BEZIER_CHAIN, QUADRATIC_B_SPLINE,
 CUBIC_B_SPLINE, LAGRANGE, BEZIER, NATURAL_SPLINE, AUTOMATIC) = range(11)
CURVE, LINEAR, NEAREST = range(3)  # tsr_interpolation
UNIFORM, BISECTION, EQUAL_ERROR, EQUAL_ARC_LENGTH = range(4)  # tsr_sampling

PROPERTIES = of_proxy("AdaptiveCurves", "tsr_filter_choices_properties", "tsr_curves_properties",
                      "tsr_curves_choices_properties")
options = options_function("tsr_curves_options", "AdaptiveCurves", PROPERTIES)
_GENERATED = ("parameter", "arc_length", "curvature", "tangents", "achieved_error")
_REAL = ("f4", "f8")
_BYTES_OF_A_POINT = 3 * 8 + 8 + 4  # the point, its id, and its place in the plan

# Members of tsr_curves_output: of which size, how many components, types. Members of _REAL are of the
# type of the points.
_OUTPUTS = {
    "points": ("points", 3, *_REAL), "offsets": ("cells", 1, "i8"),
    "connectivity": ("connectivity", 1, "i8"), "source_item": ("cells", 1, "i8"),
    "nearest_point": ("points", 1, "i8"), "parameter": ("points", 1, *_REAL),
    "arc_length": ("points", 1, *_REAL), "curvature": ("points", 1, *_REAL),
    "tangents": ("points", 3, *_REAL), "achieved_error": ("cells", 1, "f8"),
}


class View(Borrowing):
    """The input curves. Arrays are borrowed where the library can read them as they are, and must not
    change while a plan of them lives; others are copied: lists, strided arrays, points of a plane.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Any numeric type.
    offsets : array_like, (items + 1,), optional
        Item i has the ids [offsets[i], offsets[i + 1]). None: one item.
    connectivity : array_like, optional
        Point ids. None: all points in their order.
    kind : int, default: CATMULL_ROM
        Of all items.
    kinds : array_like, (items,), optional
        One an item, in place of kind.
    weights : array_like, (n,), optional
        Rational weights, greater than 0.
    single_points : bool, default: False
        The points of the output will be float32.
    """

    def __init__(self, points: ArrayLike, offsets: ArrayLike | None = None,
                 connectivity: ArrayLike | None = None, kind: int = CATMULL_ROM,
                 kinds: ArrayLike | None = None, weights: ArrayLike | None = None,
                 single_points: bool = False) -> None:
        at = arrays.places(points)
        model = device.first(points, connectivity, offsets)
        ids = (_numbers(len(at), model) if connectivity is None else
               arrays.flat(connectivity, "array of point ids", None, "i4", "i8"))
        ends = (np.array([0, len(ids)], ids.dtype) if offsets is None else
                arrays.flat(offsets, "array of offsets", None, "i4", "i8"))
        if ends.dtype != ids.dtype and model is not None:
            raise BadInput(f"the offsets are of type {ends.dtype} and the point ids of type {ids.dtype}; on a "
                           "device they must be of one type")
        if ends.dtype != ids.dtype:
            ends, ids = ends.astype("i8"), ids.astype("i8")
        items = len(ends) - 1
        if items < 0:
            raise BadInput("the array of offsets is empty; it has one more than there are curves")
        if not hasattr(kind, "__index__"):
            raise BadOption(f"kind must be a number, such as curves.CATMULL_ROM, not {kind!r}")
        self.core = new("tsr_curves_view")
        self.core.points = arrays.view(at, "array of points", 3)
        self._kept = [at, ends, ids]
        self.model = model
        if weights is not None:
            self._kept.append(arrays.tidy(weights, "array of weights"))
            self.core.weights = arrays.view(self._kept[-1], "array of weights")
        self.core.n_items = items
        self.core.offsets, self.core.connectivity = arrays.pointer(ends), arrays.pointer(ids)
        self.core.n_connectivity = len(ids)
        self.core.index_type = arrays.TYPES[ends.dtype]
        if kinds is not None:
            self._kept.append(arrays.flat(kinds, "array of kinds", items, "u1"))
            self.core.kinds = arrays.pointer(self._kept[-1])
        self.core.kind = kind
        self.core.single_points = bool(single_points)

    model: Any  # the first array on a device; None: all are on the host

    def bounds(self, execution: Execution) -> list[float]:
        """xmin xmax ymin ymax zmin zmax of the points that good items use; min > max: none."""
        self._refuse_device("bounds")
        found = (c.c_double * 6)()
        execution.call("tsr_curves_bounds", c.byref(self.core), c.byref(execution.core), found)
        return list(found)


class Plan(Handle):
    """What comes out, counted. Frees itself.

    fields: arrays with a tuple a point that the field error is about. field_ranges: their ranges,
    where that error is relative; None: found. labels: arrays whose changes keep points. field_modes:
    CURVE or LINEAR for each field; None: as the settings say. field_names: what errors call the
    fields; None: by their numbers. Where the settings' limit_points is 0, at most as many points are
    counted as there is memory for (`memory.allowed`).
    """

    _feature = "curves"

    def __init__(self, view: View, settings: Any, execution: Execution | None = None,
                 fields: Iterable[ArrayLike] = (), field_ranges: Iterable[float] | None = None,
                 labels: Iterable[ArrayLike] = (), field_modes: Iterable[int] | None = None,
                 field_names: Iterable[str] | None = None) -> None:
        super().__init__()
        self.view = view
        set_ = core.tsr_curves_options.from_buffer_copy(settings)
        if set_.limit_points == 0:
            set_.limit_points = memory.Room().items(_BYTES_OF_A_POINT)
        kept: list[Any] = [[arrays.tidy(one, "field") for one in fields],
                           [arrays.tidy(one, "label") for one in labels]]
        fields_of = [arrays.view(one, "field") for one in kept[0]]
        labels_of = [arrays.view(one, "label") for one in kept[1]]
        kept += [arrays.vector(core.tsr_array, one) for one in (fields_of, labels_of)]
        texts = None if field_names is None else [one.encode() for one in field_names]
        of_fields = [None if given is None else _of_fields(what, given, len(fields_of), type_)
                     for what, given, type_ in (("ranges", field_ranges, c.c_double),
                                                ("modes", field_modes, c.c_int),
                                                ("names", texts, c.c_char_p))]
        set_.field_ranges, set_.field_modes, set_.field_names = map(arrays.address, of_fields)
        set_.fields, set_.n_fields = arrays.address(kept[2]), len(fields_of)
        set_.labels, set_.n_labels = arrays.address(kept[3]), len(labels_of)
        self._create(view.core, set_, execution, [view, kept, of_fields])

    def notes(self, noun: str = "curve") -> list[str]:
        """What the plan noticed, a sentence each."""
        return [text_of("tsr_note_sentence", kind, count, noun.encode())
                for kind, count in enumerate(self.sizes.notes) if count.count > 0]

    def label_changes(self) -> list[int]:
        """For each label, the pairs of neighbouring points of a curve between which its value
        changes, so that coarsening keeps them."""
        found = (c.c_int64 * max(self.settings.n_labels, 1))()
        self.execution.call("tsr_curves_label_changes", self._handle, found)
        return list(found)[:self.settings.n_labels]

    def fill(self, want: Iterable[str] = (), point_arrays: Mapping[str, ArrayLike] | None = None,
             interpolation: int = CURVE, dtype: DTypeLike | None = None) -> dict[str, Array]:
        """Makes new arrays and fills them: "points" (n, 3), "offsets" (cells + 1), "connectivity",
        "source_item" (cells), what is in `want` of parameter, arc_length, curvature, tangents,
        achieved_error, and the point arrays under their own names. dtype: of points, float32 or
        float64; None: as the view says."""
        sizes = self.sizes
        wanted = [want] if isinstance(want, str) else list(want)
        for name in wanted:
            if name not in _GENERATED:
                raise BadOption(f"there is no generated array '{name}'" +
                                instead_of(name, _GENERATED))
        model = self.view.model
        made = arrays.new_outputs(["points", "offsets", "connectivity", "source_item", *wanted], _OUTPUTS,
                                  sizes, dtype or ("f4" if self.view.core.single_points else "f8"), model)
        outputs, pairs = dict(made), []
        for name, given in (point_arrays or {}).items():
            if name in outputs:
                raise BadInput(f"no point array can be named '{name}': the output has one")
            tidy = arrays.tidy(given, f"point array '{name}'")
            arrays.view(tidy, f"point array '{name}'", None, self.view.core.points.tuples)
            asked = tidy if model is not None else np.asarray(given)
            made[name] = arrays.like(asked if asked.dtype.kind in "bc" else tidy, sizes.points, model=model)
            pairs.append((tidy, made[name], interpolation))
        self.fill_into(outputs, pairs)
        return made

    def fill_into(self, outputs: Mapping[str, Array],
                  attributes: Iterable[tuple[ArrayLike, Array, int]] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_curves_output,
        points among them; each has room for as many values as the sizes say, or more. attributes:
        input, output of the same type, interpolation."""
        out = new("tsr_curves_output")
        attributes = list(attributes)
        self._check_place([*outputs.values(), *[part for one in attributes for part in one[:2]]])
        arrays.set_outputs(out, outputs, _OUTPUTS, self.sizes)
        rows, kept = [], []
        for number, (one, made, mode) in enumerate(attributes):
            what = f"attribute {number}"
            kept.append(arrays.tidy(one, what))
            given = arrays.view(kept[-1], what, None, self.view.core.points.tuples)
            n = self.sizes.points * given.components
            to = arrays.target(made, f"output of {what}", n, kept[-1].dtype)
            rows.append(core.tsr_attribute(given, to, mode))
        held = arrays.vector(core.tsr_attribute, rows)
        out.attributes = arrays.address(held)
        out.n_attributes = len(rows)
        self._fill(out)


def _numbers(n: int, model: Any) -> Array:
    """The ids 0 to n - 1, where the points are."""
    ids = np.arange(n)
    return ids if model is None else device.array(ids, device.borrow(model).device)  # type: ignore


def _of_fields(what: str, given: Iterable[float | bytes], n: int, type_: Any) -> Any:
    """A number or a text for each field."""
    items = list(given)
    if len(items) != n:
        raise BadInput(f"{n} fields need {n} {what}, not {len(items)}")
    return arrays.vector(type_, items)


def fit_budget(plans: list[Plan], budget: int) -> float:
    """Coarsens plans together until they make at most `budget` points. Returns the factor on their
    tolerances; infinite where even the coarsest do not fit."""
    scale = c.c_double(1.0)
    handles = (c.c_void_p * max(len(plans), 1))(*[one._handle for one in plans])
    run = plans[0].execution.call if plans else call
    run("tsr_curves_fit_budget", handles, len(plans), budget, None, None, c.byref(scale))
    return scale.value


def adapt(points: ArrayLike, offsets: ArrayLike | None = None, connectivity: ArrayLike | None = None, *,
          kind: int = CATMULL_ROM, weights: ArrayLike | None = None,
          point_arrays: Mapping[str, ArrayLike] | None = None, want: Iterable[str] = (),
          threads: int = 1, **settings: Any) -> dict[str, Array]:
    """From curves to polylines in one call.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        Any numeric type.
    offsets : array_like, (items + 1,), optional
        Item i has the ids [offsets[i], offsets[i + 1]). None: one item.
    connectivity : array_like, optional
        Point ids. None: all points in their order.
    kind : int, default: CATMULL_ROM
        What the points of all items mean.
    weights : array_like, (n,), optional
        Rational weights, greater than 0.
    point_arrays : mapping of names to array_like, optional
        Arrays that follow the curves; the field error is about all but those of truth values.
    want : iterable of str
        What else comes out: parameter, arc_length, curvature, tangents, achieved_error.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    dict of str to numpy.ndarray
        The points, offsets, connectivity, source_item, and what is wanted.

    Examples
    --------
    >>> from tessera_vtk import curves
    >>> out = curves.adapt([[0, 0], [1, 2], [3, 2], [4, 0]], chord_error=0.01)
    >>> out["points"].shape[1], out["offsets"][0].item()
    (3, 0)
    """
    given = point_arrays or {}
    fields = {name: one for name, one in given.items()
              if device.borrow(one) is not None or np.asarray(one).dtype.kind != "b"}
    plan = Plan(View(points, offsets, connectivity, kind, None, weights), options(**settings),
                Execution(threads), fields.values(), field_names=fields)
    return plan.fill(want, given)
