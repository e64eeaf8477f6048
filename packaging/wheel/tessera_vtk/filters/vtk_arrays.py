# SPDX-License-Identifier: BSD-3-Clause
"""VTK arrays as numpy arrays: the same memory where values lie tuple after tuple, through one copy
where they do not."""
from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import (vtkAbstractArray, vtkDataArray, vtkTypeInt64Array,
                                      vtkUnsignedCharArray, vtkVersion)
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkDataSetAttributes, vtkUnstructuredGrid

from ..arrays import TYPES, Array

GHOSTS = "vtkGhostType"

# VTK's numbers of types: kind of number, where its size is not said by its name.
_KINDS = {2: "i", 15: "i", 3: "u", 4: "i", 5: "u", 6: "i", 7: "u", 8: "i", 9: "u", 10: "f",
          11: "f", 12: "i", 16: "i", 17: "u"}


def vtk_version() -> tuple[int, int]:
    """Its first two numbers."""
    return vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()


def dtype_of(array: vtkAbstractArray) -> np.dtype[Any] | None:
    """Of its values; None where the core has no type for them (bits, strings, variants)."""
    kind = _KINDS.get(array.GetDataType())
    if kind is None or not isinstance(array, vtkDataArray):
        return None
    return np.dtype(f"{kind}{array.GetDataTypeSize()}")


def is_numeric(array: vtkAbstractArray | None) -> bool:
    """Can the core look at it?"""
    return array is not None and dtype_of(array) in TYPES


def contiguous(array: Any, data_type: int | None = None) -> Any:
    """The array itself where its values lie tuple after tuple in memory, else a copy that does; of
    another type where wanted."""
    if data_type in (None, array.GetDataType()) and array.HasStandardMemoryLayout():
        return array
    copy = vtkDataArray.CreateDataArray(array.GetDataType() if data_type is None else data_type)
    copy.SetNumberOfComponents(array.GetNumberOfComponents())
    copy.DeepCopy(array)
    return copy


def values(array: Any) -> Array:
    """Its values, (tuples, components), without a copy where that is possible."""
    held = contiguous(array)
    shape = (held.GetNumberOfTuples(), held.GetNumberOfComponents())
    if shape[0] * shape[1] == 0:
        return np.empty(shape, dtype_of(held))
    flat: Array = np.frombuffer(held, dtype_of(held), shape[0] * shape[1])
    return flat.reshape(shape)


def ids(cells: vtkCellArray) -> tuple[Array, Array]:
    """Offsets (cells + 1) and connectivity, both int32 or both int64."""
    pair = [cells.GetOffsetsArray(), cells.GetConnectivityArray()]
    narrow = all(dtype_of(one) == np.dtype("i4") for one in pair)
    wanted = np.dtype("i4" if narrow else "i8")
    held = [one if dtype_of(one) == wanted else contiguous(one, vtkTypeInt64Array().GetDataType())
            for one in pair]
    offsets, connectivity = (values(one).reshape(-1) for one in held)
    if len(offsets) == 0:
        offsets = np.zeros(1, wanted)
    return offsets[:cells.GetNumberOfCells() + 1], connectivity


def cell_types(data: vtkUnstructuredGrid) -> Array:
    """uint8, one a cell."""
    types: Any = data.GetCellTypes() if vtk_version() >= (9, 6) else data.GetCellTypesArray()
    return values(types).reshape(-1).astype(np.uint8, copy=False)


def type_number(dtype: str) -> int:
    """VTK's number of a type; "id" is its type of ids."""
    return {"f4": 10, "f8": 11, "i4": 6, "id": 12, "u1": 3, "i8": 16}[dtype]


def is_ghost_array(array: vtkAbstractArray) -> bool:
    """Does it say which points or cells are hidden or copies?"""
    return name_of(array) == GHOSTS


def flagged(data: vtkDataSetAttributes, count: int, flags: int) -> Array | None:
    """uint8, 1 where the ghost array has one of the flags; None where there is no such array."""
    array = data.GetAbstractArray(GHOSTS)
    if not isinstance(array, vtkUnsignedCharArray) or array.GetNumberOfValues() != count:
        return None
    made: Array = ((values(array).reshape(-1) & np.uint8(flags)) != 0).astype(np.uint8)
    return made


def new_array(name: str, dtype: str, components: int, tuples: int) -> Any:
    """A VTK array; "id" as dtype is VTK's type of ids."""
    array = vtkDataArray.CreateDataArray(type_number(dtype))
    array.SetName(name)
    array.SetNumberOfComponents(components)
    array.SetNumberOfTuples(tuples)
    return array


def new_like(like: Any, tuples: int) -> Any:
    """A new array with the name, type, components, component names, look-up table and keys of
    `like`."""
    array = vtkAbstractArray.CreateArray(like.GetDataType())
    array.SetName(like.GetName())
    array.SetNumberOfComponents(like.GetNumberOfComponents())
    array.CopyComponentNames(like)
    if like.HasInformation():
        array.CopyInformation(like.GetInformation(), 1)
    if isinstance(array, vtkDataArray) and like.GetLookupTable():
        array.SetLookupTable(like.GetLookupTable())
    array.SetNumberOfTuples(tuples)
    return array


def copy_tuples(from_: Any, tuples: Array, to: Any,
                first: int = 0) -> None:
    """Tuple first + k of `to` becomes tuple tuples[k] of `from_`."""
    if is_numeric(from_):
        values(to)[first:first + len(tuples)] = values(from_)[tuples]
    else:
        for k, one in enumerate(tuples):
            to.SetTuple(first + k, int(one), from_)


def new_cells(offsets: int, connectivity: int) -> tuple[vtkCellArray, Array, Array]:
    """A cell array with room for so many offsets and ids, and the memory of both."""
    pair = []
    for n in (offsets, connectivity):
        array = vtkTypeInt64Array()
        array.SetNumberOfValues(n)
        pair.append(array)
    if offsets:
        pair[0].SetValue(0, 0)
    cells = vtkCellArray()
    cells.SetData(pair[0], pair[1])
    return cells, values(pair[0]).reshape(-1), values(pair[1]).reshape(-1)


def name_of(array: vtkAbstractArray) -> str:
    """Its name; empty where it has none."""
    return array.GetName() or ""


def has_tuples(array: vtkAbstractArray, expected: int, noun: str, messages: set[str]) -> bool:
    """True where it has so many tuples; else a sentence about it is added to `messages`."""
    tuples = array.GetNumberOfTuples()
    if tuples == expected:
        return True
    messages.add(f"The {noun} array '{name_of(array)}' has {tuples} tuples for {expected} {noun}s and "
                 "is left out.")
    return False


def not_numeric(array: Any) -> str:
    """That a point array is left out."""
    what = "holds bits" if array.GetDataType() == 1 else "is not numeric"
    return f"The point array '{name_of(array)}' {what} and is left out."


def add_generated(to: vtkDataSetAttributes, array: vtkAbstractArray, messages: set[str]) -> None:
    """Adds a generated array, which replaces one of the same name with a sentence."""
    if to.HasArray(array.GetName()):
        messages.add(f"The generated array '{array.GetName()}' replaces the input's array of that "
                     "name.")
    to.AddArray(array)


def copy_roles(from_: vtkDataSetAttributes, to: vtkDataSetAttributes, dropped: tuple[int, ...] = ()) -> None:
    """Gives arrays the roles (scalars, normals, ...) that those of the same name have in `from_`."""
    for role in range(vtkDataSetAttributes.NUM_ATTRIBUTES):
        array = from_.GetAbstractAttribute(role)
        if role not in dropped and array and array.GetName() and to.GetAbstractArray(
                array.GetName()):
            to.SetActiveAttribute(array.GetName(), role)


def finite_range(array: vtkDataArray, component: int) -> tuple[float, float]:
    """Least and largest finite value of a component; of the magnitude: -1."""
    found = [0.0, 0.0]
    array.GetFiniteRange(found, component)
    return found[0], found[1]


def all_arrays(data: vtkDataSetAttributes) -> list[Any]:
    """In their order."""
    return [data.GetAbstractArray(k) for k in range(data.GetNumberOfArrays())]


def tuple_bytes(data: vtkDataSetAttributes) -> float:
    """Of one tuple of every array."""
    return float(sum(one.GetNumberOfComponents() * one.GetDataTypeSize()
                     for one in all_arrays(data)))
