# SPDX-License-Identifier: BSD-3-Clause
"""How each point array follows the curves, and which lines are joined."""
from __future__ import annotations

import ctypes as c
from collections import Counter
from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkCommonCore import vtkAbstractArray, vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkCellData, vtkPointData, vtkPointSet

from .. import arrays, curves
from .._library import call, core, lib
from .vtk_arrays import GHOSTS, all_arrays, is_numeric, name_of, values

_MOST_LABELS, _POINTS_A_LABEL = 32, 4  # integers with few values are labels, as in the plugin


def label_codes(array: vtkAbstractArray) -> np.ndarray:
    """Numbers in the place of texts, (tuples, components)."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(array.GetVariantValue(k).ToString(), len(numbers))
             for k in range(array.GetNumberOfValues())]
    return np.array(codes, np.int64).reshape(-1, array.GetNumberOfComponents())


def _belongs_to_points(data: vtkPointData, array: vtkAbstractArray) -> bool:
    """Flags and identifiers."""
    return (name_of(array) == GHOSTS or array is data.GetGlobalIds() or
            array is data.GetPedigreeIds())


class Modes:
    """The interpolation of every array by its name, over all datasets."""

    def __init__(self, settings: dict) -> None:
        self._curve, self._linear = settings["CurveArrays"], settings["LinearArrays"]
        self._nearest = settings["NearestArrays"]
        self._others = settings["ArrayInterpolation"]
        self._chosen = {*self._curve, *self._linear, *self._nearest, *settings["FieldErrorArrays"]}
        self._found: set[str] = set()
        self._integers: dict[str, tuple[int, set | None]] = {}  # points, values; None: too many

    def add(self, data: vtkPointSet) -> None:
        """Looks for labels among the arrays of a dataset."""
        of_points = data.GetPointData()
        for array in all_arrays(of_points):
            name = name_of(array)
            self._found.add(name)
            if (not isinstance(array, vtkDataArray) or _belongs_to_points(of_points, array) or
                    name in self._chosen):
                continue
            points, seen = self._integers.get(name, (0, set()))
            points += array.GetNumberOfTuples()
            whole = (array.GetNumberOfComponents() == 1 and is_numeric(array) and
                     values(array).dtype.kind in "iu")
            if seen is not None and whole:
                seen = seen | set(np.unique(values(array)).tolist())
            many = not whole or seen is None or len(seen) > _MOST_LABELS
            self._integers[name] = (points, None if many else seen)

    def missing(self) -> list[str]:
        """Sentences about names in the lists that no dataset has."""
        lists = {"Curve": self._curve, "Linear": self._linear, "Nearest": self._nearest}
        return [f"There is no point array '{name}', named in {title} Arrays."
                for title, names in lists.items() for name in names if name not in self._found]

    def of(self, data: vtkPointData, array: vtkAbstractArray) -> int:
        """CURVE, LINEAR or NEAREST."""
        name = name_of(array)
        if (not isinstance(array, vtkDataArray) or _belongs_to_points(data, array) or
                name in self._nearest):
            return curves.NEAREST
        if name in self._linear:
            return curves.LINEAR
        if name in self._curve:
            return curves.CURVE
        points, seen = self._integers.get(name, (0, None))
        label = seen is not None and len(seen) * _POINTS_A_LABEL <= points
        return curves.NEAREST if label else self._others


@dataclass(frozen=True)
class Joined:
    """Lines after joining: an item is a chain of lines, or a cell as it was."""

    offsets: np.ndarray
    connectivity: np.ndarray
    cells: np.ndarray  # the cell, or the first one of the chain
    chains: np.ndarray  # 1 where several lines are joined


def join(offsets: np.ndarray, connectivity: np.ndarray, n_points: int, roles: np.ndarray | None,
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
