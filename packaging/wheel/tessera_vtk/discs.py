# SPDX-License-Identifier: BSD-3-Clause
"""Disc images on numpy arrays: `draw` in one call; or options, a plan, a fill."""
from __future__ import annotations

import ctypes as c
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from . import arrays
from ._library import call, lib, new
from ._plan import Borrowing, Handle
from .arrays import Array
from .execution import Execution
from .properties import of_proxy, options_function

PROPERTIES = of_proxy("DiscImage", "tsr_filter_choices_properties", "tsr_discs_properties",
                      "tsr_discs_choices_properties")
options = options_function("tsr_discs_options", "DiscImage", PROPERTIES)
FIELDS = ("points", "radii", "colors", "scalars", "opacities", "order")  # members of tsr_discs_view
_OUTPUTS = {"rgba": ("pixels", 4, "u1"), "top": ("pixels", 1, "i8")}
_TABLE_ENTRIES = 1024


class View(Borrowing):
    """The discs: centres (n, 3) or (n, 2), and what is given of radii (n,), colors (n, 3 or 4), scalars
    (n,), opacities (n,) and order (n,). Arrays are borrowed where the library can read them as they
    are."""

    def __init__(self, points: ArrayLike, **given: ArrayLike | None) -> None:
        self.core = new("tsr_discs_view")
        self._kept = [arrays.places(points)]
        self.core.points = arrays.view(self._kept[0], "array of points", 3)
        for name, array in given.items():
            if name not in FIELDS[1:]:
                raise TypeError(f"View() has no argument '{name}'; there are {', '.join(FIELDS)}")
            if array is not None:
                self._kept.append(arrays.tidy(array, f"array of {name}"))
                setattr(self.core, name, arrays.view(self._kept[-1], f"array of {name}", None,
                                                     len(self._kept[0])))
        self._refuse_device("discs")

    def bounds(self, settings: Any) -> tuple[Any, Any]:
        """The box of the discs along the axes of the image: its low and its high corner."""
        low, high = (c.c_double * 3)(), (c.c_double * 3)()
        call("tsr_discs_bounds", c.byref(self.core), c.byref(settings), low, high)
        return low, high


def use_color_map(settings: Any, rows: list[float]) -> None:
    """Lets options have the table of a colour map: value, red, green and blue, four by four."""
    table = (c.c_double * (3 * _TABLE_ENTRIES))()
    call("tsr_discs_color_table", (c.c_double * len(rows))(*rows), len(rows) // 4, table, _TABLE_ENTRIES)
    settings.table, settings.table_size = c.addressof(table), _TABLE_ENTRIES
    settings.table_itself = table


class Plan(Handle):
    """The discs in pixels, in the order in which they are drawn. Frees itself."""

    _feature = "discs"

    def __init__(self, view: View, settings: Any, execution: Execution | None = None) -> None:
        super().__init__()
        self.view = view
        self._create(view.core, core.tsr_discs_options.from_buffer_copy(settings), execution,
                     [view, settings])

    def fill_into(self, outputs: Mapping[str, Array]) -> None:
        """Fills arrays that are there: rgba, and top, the disc that was drawn last on a pixel."""
        made = new("tsr_discs_output")
        self._check_place(outputs.values())
        arrays.set_outputs(made, outputs, _OUTPUTS, self.sizes)
        self._fill(made)


def draw(points: ArrayLike, *, radii: ArrayLike | None = None, colors: ArrayLike | None = None,
         scalars: ArrayLike | None = None, opacities: ArrayLike | None = None,
         order: ArrayLike | None = None, radius: float = 1.0, threads: int = 1, **settings: Any) -> Array:
    """From points to an image in one call, of the plane of x and y.

    Parameters
    ----------
    points : array_like, (n, 3) or (n, 2)
        The centres.
    radii : array_like, (n,), optional
        One a disc.
    colors : array_like, (n, 3) or (n, 4), optional
        Red, green, blue and perhaps opacity: 0 to 255 in uint8, 0 to 1 in others.
    scalars : array_like, (n,), optional
        Without colors: they become shades of grey.
    opacities : array_like, (n,), optional
        From 0 to 1.
    order : array_like, (n,), optional
        Discs of smaller values are drawn first, below the others. None: the order of the input.
    radius : float, default: 1.0
        Of all discs, in the unit of the coordinates; with radii a factor.
    threads : int, default: 1
        0: all cores. Results do not depend on their number.
    **settings
        As of `options`.

    Returns
    -------
    numpy.ndarray, (height, width, 4), uint8
        Red, green, blue and opacity; the lowest row first. It holds all discs.

    Examples
    --------
    >>> from tessera_vtk import discs
    >>> discs.draw([[0, 0]], resolution=(8, 4)).shape
    (4, 8, 4)
    """
    view = View(points, radii=radii, colors=colors, scalars=scalars, opacities=opacities, order=order)
    set_ = options(**({} if order is None else {"order": "array"}), **settings)
    set_.radius = radius
    lib.tsr_discs_frame(*view.bounds(set_), c.byref(set_))
    plan = Plan(view, set_, Execution(threads))
    rgba = np.empty((set_.height, set_.width, 4), np.uint8)
    plan.fill_into({"rgba": rgba})
    return rgba
