# SPDX-License-Identifier: BSD-3-Clause
"""How each point array follows the curves, and which lines are joined."""
from __future__ import annotations

import ctypes as c
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkCellData, vtkPointData, vtkPointSet

from .. import arrays, curves
from ..arrays import Array
from .. import _core as core
from .._library import call, lib
from .vtk_arrays import GHOSTS, all_arrays, is_numeric, name_of, values

def label_codes(array: Any) -> Array:
    """Numbers in the place of texts, (tuples, components)."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(array.GetVariantValue(k).ToString(), len(numbers))
             for k in range(array.GetNumberOfValues())]
    return np.array(codes, np.int64).reshape(-1, array.GetNumberOfComponents())


def _belongs_to_points(data: vtkPointData, array: Any) -> bool:
    """Flags and identifiers."""
    return (name_of(array) == GHOSTS or array is data.GetGlobalIds() or
            array is data.GetPedigreeIds())


class Modes:
    """The interpolation of every array by its name, over all datasets, as the core finds it."""

    _LISTS = (("CurveArrays", "Curve", curves.CURVE), ("LinearArrays", "Linear", curves.LINEAR),
              ("NearestArrays", "Nearest", curves.NEAREST))

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._found: set[str] = set()
        self._handle = c.c_void_p()
        call("tsr_modes_create", settings["ArrayInterpolation"], c.byref(self._handle))
        for names, _, mode in self._LISTS:
            for name in settings[names]:
                call("tsr_modes_choose", self._handle, name.encode(), mode)
        for name in settings["FieldErrorArrays"]:
            call("tsr_modes_no_label", self._handle, name.encode())

    def __del__(self) -> None:
        lib.tsr_modes_free(self._handle)

    def add(self, data: vtkPointSet) -> None:
        """Looks for labels among the arrays of a dataset."""
        of_points = data.GetPointData()
        for array in all_arrays(of_points):
            name = name_of(array)
            self._found.add(name)
            if isinstance(array, vtkDataArray) and not _belongs_to_points(of_points, array):
                view = arrays.view(values(array)) if is_numeric(array) else None
                call("tsr_modes_look", self._handle, name.encode(), view)

    def agree(self) -> None:
        """To be called between the last `add` and the first `of`."""
        call("tsr_modes_agree", self._handle, c.byref(core.tsr_processes(n=1)))

    def missing(self) -> list[str]:
        """Sentences about names in the lists that no dataset has."""
        return [f"There is no point array '{name}', named in {title} Arrays."
                for names, title, _ in self._LISTS for name in self._settings[names]
                if name not in self._found]

    def of(self, data: vtkPointData, array: Any) -> int:
        """CURVE, LINEAR or NEAREST."""
        if not isinstance(array, vtkDataArray) or _belongs_to_points(data, array):
            return curves.NEAREST
        return int(lib.tsr_modes_of(self._handle, name_of(array).encode()))


@dataclass(frozen=True)
class Joined:
    """Lines after joining: an item is a chain of lines, or a cell as it was."""

    offsets: Array
    connectivity: Array
    cells: Array  # the cell, or the first one of the chain
    chains: Array  # 1 where several lines are joined


def join(offsets: Array, connectivity: Array, n_points: int, roles: Array | None,
         data: vtkCellData, first_cell: int, apart: Counter[str]) -> Joined | None:
    """Joins lines of two points where the cell arrays agree; None where nothing is joined. apart:
    receives, for each cell array, the joints that were kept since its values differ there."""
    n = len(offsets) - 1
    numbers = (data.GetGlobalIds(), data.GetPedigreeIds())
    decide = [array for array in all_arrays(data)
              if not any(array is one for one in numbers) and
              name_of(array) != "vtkOriginalCellIds" and
              array.GetNumberOfTuples() >= first_cell + n]
    labels = [values(array) if is_numeric(array) else label_codes(array) for array in decide]
    held = arrays.vector(core.tsr_array, [arrays.view(one) for one in labels])
    counts = np.zeros(len(labels), np.int64)
    view = core.tsr_join_view(n, arrays.pointer(offsets), arrays.pointer(connectivity),
                              len(connectivity), arrays.TYPES[offsets.dtype], n_points,
                              arrays.pointer(roles), arrays.address(held), len(labels), first_cell,
                              arrays.pointer(counts))
    made = core.tsr_join()
    call("tsr_join_lines", c.byref(view), c.byref(made))
    apart.update({name_of(array): int(count) for array, count in zip(decide, counts) if count > 0})
    try:
        if made.n_joined == 0:
            return None
        items = made.n_items
        new_offsets = arrays.copied(made.offsets, items + 1, "i8")
        return Joined(new_offsets,
                      arrays.copied(made.connectivity, int(new_offsets[-1]), "i8"),
                      arrays.copied(made.cells, items, "i8"),
                      arrays.copied(made.chains, items, "u1"))
    finally:
        lib.tsr_join_free(c.byref(made))
