# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive curves on numpy arrays: options, a plan that knows exact sizes, a fill.

    options = curves.options(ChordError=0.01, ChordErrorMode=0)
    plan = curves.Plan(curves.View(points, offsets, connectivity, kind=curves.CATMULL_ROM), options)
    out = plan.fill()
    out["points"], out["offsets"]
"""
from __future__ import annotations

import ctypes as c
from typing import Any, Iterable

import numpy as np

from . import arrays, memory
from ._library import call, core, lib, new, text_of
from ._plan import Handle
from .errors import BadInput, BadOption, instead_of
from .execution import Execution
from .properties import from_library, store_all

# tsr_curve_kind
(NONE, STRAIGHT, CATMULL_ROM, QUADRATIC_BEZIER_CHAIN, CUBIC_BEZIER_CHAIN, QUADRATIC_B_SPLINE,
 CUBIC_B_SPLINE, LAGRANGE, BEZIER, NATURAL_SPLINE, AUTOMATIC) = range(11)
CURVE, LINEAR, NEAREST = range(3)  # tsr_interpolation
UNIFORM, BISECTION, EQUAL_ERROR, EQUAL_ARC_LENGTH = range(4)  # tsr_sampling

PROPERTIES = {one.name: one for one in from_library("tsr_curves_properties")}
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


def options(**values: Any) -> core.tsr_curves_options:
    """A tsr_curves_options by the names of the properties, e.g. ChordError=0.01; the rest has the
    defaults. Raises BadOption for an unknown name."""
    made = new("tsr_curves_options")
    store_all(made, PROPERTIES, values, "curves")
    return made


def settled(values: dict[str, Any]) -> dict[str, Any]:
    """The properties with those criteria off that the sampling does not look at."""
    made = options(**{name: values[name] for name in PROPERTIES if name in values})
    lib.tsr_curves_options_settle(c.byref(made))
    return {**values, "UseChordError": made.use_chord_error,
            "UseTurningAngle": made.use_turning_angle, "UseFieldError": made.use_field_error,
            "UseCurvatureFactor": made.use_curvature, "Joints": made.joints}


class View:
    """The input curves, borrowed: arrays must not change while a plan of them lives.

    points: (n, 3), any numeric type. offsets: (items + 1,), connectivity: point ids, both int32 or
    both int64; item i has the ids [offsets[i], offsets[i + 1]). kind: of all items, or kinds: uint8,
    one an item. weights: (n,), rational, > 0, or None. single_points: the points of the output will
    be float32.
    """

    def __init__(self, points: np.ndarray, offsets: np.ndarray, connectivity: np.ndarray,
                 kind: int = CATMULL_ROM, kinds: np.ndarray | None = None,
                 weights: np.ndarray | None = None, single_points: bool = False) -> None:
        places = [arrays.flat(offsets, "array of offsets", None, "i4", "i8"),
                  arrays.flat(connectivity, "array of point ids", None, "i4", "i8")]
        if offsets.dtype != connectivity.dtype:
            raise BadInput("offsets and connectivity must both be int32 or both int64, not "
                           f"{offsets.dtype} and {connectivity.dtype}")
        items = len(offsets) - 1
        if items < 0:
            raise BadInput("the array of offsets is empty; it has one more than there are curves")
        if not hasattr(kind, "__index__"):
            raise BadOption(f"kind must be a number, such as curves.CATMULL_ROM, not {kind!r}")
        self.core = new("tsr_curves_view")
        self.core.points = arrays.view(points, "array of points", 3)
        if weights is not None:
            self.core.weights = arrays.view(weights, "array of weights")
        self.core.n_items = items
        self.core.offsets, self.core.connectivity = places
        self.core.n_connectivity = len(connectivity)
        self.core.index_type = arrays.TYPES[offsets.dtype]
        if kinds is not None:
            self.core.kinds = arrays.flat(kinds, "array of kinds", items, "u1")
        self.core.kind = kind
        self.core.single_points = bool(single_points)
        self._kept = (points, offsets, connectivity, kinds, weights)

    def bounds(self, execution: Execution) -> list[float]:
        """xmin xmax ymin ymax zmin zmax of the points that good items use; min > max: none."""
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

    def __init__(self, view: View, settings: core.tsr_curves_options,
                 execution: Execution | None = None,
                 fields: Iterable[np.ndarray] = (), field_ranges: Iterable[float] | None = None,
                 labels: Iterable[np.ndarray] = (),
                 field_modes: Iterable[int] | None = None,
                 field_names: Iterable[str] | None = None) -> None:
        super().__init__()
        self.view = view
        self.execution = execution or Execution(1)
        self.settings = core.tsr_curves_options.from_buffer_copy(settings)
        if self.settings.limit_points == 0:
            self.settings.limit_points = memory.Room().items(_BYTES_OF_A_POINT)
        self._kept = [list(fields), list(labels)]
        fields_of = [arrays.view(one, "field") for one in self._kept[0]]
        labels_of = [arrays.view(one, "label") for one in self._kept[1]]
        self._views = [arrays.vector(core.tsr_array, one) for one in (fields_of, labels_of)]
        texts = None if field_names is None else [one.encode() for one in field_names]
        self._of_fields = [None if given is None else _of_fields(what, given, len(fields_of), type_)
                           for what, given, type_ in (("ranges", field_ranges, c.c_double),
                                                      ("modes", field_modes, c.c_int),
                                                      ("names", texts, c.c_char_p))]
        (self.settings.field_ranges, self.settings.field_modes,
         self.settings.field_names) = map(arrays.address, self._of_fields)
        self.settings.fields = arrays.address(self._views[0])
        self.settings.n_fields = len(fields_of)
        self.settings.labels = arrays.address(self._views[1])
        self.settings.n_labels = len(labels_of)
        self.execution.call("tsr_curves_plan_create", c.byref(view.core), c.byref(self.settings),
                            c.byref(self.execution.core), c.byref(self._handle))

    @property
    def sizes(self) -> core.tsr_curves_sizes:
        """points, cells, connectivity, notes."""
        return self._own(lib.tsr_curves_plan_sizes(self._handle).contents)

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

    def fill(self, want: Iterable[str] = (), point_arrays: dict[str, np.ndarray] | None = None,
             interpolation: int = CURVE, dtype: Any = None) -> dict[str, np.ndarray]:
        """Makes new arrays and fills them: "points" (n, 3), "offsets" (cells + 1), "connectivity",
        "source_item" (cells), what is in `want` of parameter, arc_length, curvature, tangents,
        achieved_error, and the point arrays under their own names. dtype: of points, float32 or
        float64; None: as the view says."""
        sizes = self.sizes
        scalar = np.dtype(dtype or ("f4" if self.view.core.single_points else "f8"))
        made = {"points": np.empty((sizes.points, 3), scalar),
                "offsets": np.zeros(sizes.cells + 1, np.int64),
                "connectivity": np.empty(sizes.connectivity, np.int64),
                "source_item": np.empty(sizes.cells, np.int64)}
        for name in [want] if isinstance(want, str) else want:
            if name not in _GENERATED:
                raise BadOption(f"there is no generated array '{name}'" +
                                instead_of(name, _GENERATED))
            size, n, *types = _OUTPUTS[name]
            count = getattr(sizes, size)
            made[name] = np.empty((count, n) if n > 1 else count, scalar if len(types) > 1 else "f8")
        outputs, pairs = dict(made), []
        for name, array in (point_arrays or {}).items():
            if name in outputs:
                raise BadInput(f"no point array can be named '{name}': the output has one")
            arrays.view(array, f"point array '{name}'", None, self.view.core.points.tuples)
            made[name] = np.empty((sizes.points, *array.shape[1:]), array.dtype)
            pairs.append((array, made[name], interpolation))
        self.fill_into(outputs, pairs)
        return made

    def fill_into(self, outputs: dict[str, np.ndarray],
                  attributes: Iterable[tuple[np.ndarray, np.ndarray, int]] = ()) -> None:
        """Fills arrays that are there, without copies. outputs: by the members of tsr_curves_output,
        points among them; each has room for as many values as the sizes say, or more. attributes:
        input, output of the same type, interpolation."""
        out = new("tsr_curves_output")
        arrays.set_outputs(out, outputs, _OUTPUTS, self.sizes)
        rows = []
        for number, (one, made, mode) in enumerate(attributes):
            what = f"attribute {number}"
            given = arrays.view(one, what, None, self.view.core.points.tuples)
            n = self.sizes.points * given.components
            to = arrays.target(made, f"output of {what}", n, one.dtype.str)
            rows.append(core.tsr_attribute(given, to, mode))
        held = arrays.vector(core.tsr_attribute, rows)
        out.attributes = arrays.address(held)
        out.n_attributes = len(rows)
        self.execution.call("tsr_curves_fill", self._handle, c.byref(out))


def _of_fields(what: str, given: Iterable[float | bytes], n: int, type_: type) -> c.Array | None:
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
