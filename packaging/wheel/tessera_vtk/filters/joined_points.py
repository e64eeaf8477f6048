# SPDX-License-Identifier: BSD-3-Clause
"""The points of all datasets of an input, one after another, with the arrays that all of them have."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkPointSet

from ..arrays import Array
from .datasets import Dataset
from .vtk_arrays import (all_arrays, contiguous, copy_tuples, flagged, has_tuples, is_ghost_array, name_of,
                         new_like, type_number)

_FOREIGN = vtkDataSetAttributes.DUPLICATEPOINT | vtkDataSetAttributes.HIDDENPOINT


def own_points(data: vtkPointSet) -> Array | None:
    """The points that are this dataset's own and to be seen; None: all."""
    foreign = flagged(data.GetPointData(), data.GetNumberOfPoints(), _FOREIGN)
    return None if foreign is None or not foreign.any() else np.flatnonzero(foreign == 0)


class JoinedPoints:
    """count: how many. places: where they are. columns, roles: arrays by name, and what they are (scalars,
    vectors, ...) in the first dataset. others: blocks without points of their own. hidden: points left
    out."""

    def __init__(self, datasets: list[Dataset], messages: set[str]) -> None:
        self.messages = messages
        self.columns: dict[str, Any] = {}
        self.places: Any = None
        self.roles: dict[str, list[int]] = {}
        self.why_left_out: dict[str, str] = {}
        self.others = [one.block for one in datasets if not isinstance(one.data, vtkPointSet)]
        self.hidden = 0
        whole = [one.data for one in datasets if isinstance(one.data, vtkPointSet) and
                 one.data.GetNumberOfPoints() > 0]
        chosen = [own_points(one) for one in whole]
        self._parts = [(one, np.arange(one.GetNumberOfPoints()) if own is None else own)
                       for one, own in zip(whole, chosen)]
        self.count = sum(len(own) for _, own in self._parts)
        self.hidden = sum(one.GetNumberOfPoints() for one in whole) - self.count
        if not whole:
            return
        self._look_at_first(whole[0])
        self._leave_out(whole[1:])
        if len(whole) == 1 and chosen[0] is None:
            self.places = whole[0].GetPoints().GetData()
        else:
            self._join(whole)

    def _look_at_first(self, data: vtkPointSet) -> None:
        of_points = data.GetPointData()
        for array in all_arrays(of_points):
            if is_ghost_array(array):
                continue
            if not array.GetName():
                self._without("")
            elif has_tuples(array, data.GetNumberOfPoints(), "point", self.messages):
                self.columns[array.GetName()] = array
                self.roles[array.GetName()] = [
                    role for role in range(vtkDataSetAttributes.NUM_ATTRIBUTES)
                    if of_points.GetAbstractAttribute(role) is array]

    def _leave_out(self, others: list[vtkPointSet]) -> None:
        """Arrays that are not in all datasets of one kind go."""
        for data in others:
            of_points = data.GetPointData()
            for name, like in list(self.columns.items()):
                array = of_points.GetAbstractArray(name)
                if (array is None or array.GetDataType() != like.GetDataType() or
                        array.GetNumberOfComponents() != like.GetNumberOfComponents() or
                        array.GetNumberOfTuples() != data.GetNumberOfPoints()):
                    del self.columns[name]
                    self._without(name)
            for array in all_arrays(of_points):
                if not is_ghost_array(array) and name_of(array) not in self.columns:
                    self._without(name_of(array))

    def _without(self, name: str) -> None:
        clause = (f"the point array '{name}' is not the same in all blocks, processes and time steps and "
                  "is left out")
        self.why_left_out[name] = clause
        self.messages.add(clause[0].upper() + clause[1:] + ".")

    def _join(self, whole: list[vtkPointSet]) -> None:
        """Copies of the arrays, dataset after dataset."""
        each = [one.GetPoints().GetData() for one in whole]
        wide = any(one.GetDataType() != each[0].GetDataType() for one in each)
        places = contiguous(each[0], type_number("f8")) if wide else each[0]
        self.places = new_like(places, self.count)
        joined = {name: new_like(array, self.count) for name, array in self.columns.items()}
        first = 0
        for (data, own), at in zip(self._parts, each):
            copy_tuples(contiguous(at, type_number("f8")) if wide else at, own, self.places, first)
            for name, to in joined.items():
                copy_tuples(data.GetPointData().GetAbstractArray(name), own, to, first)
            first += len(own)
        self.columns = joined
