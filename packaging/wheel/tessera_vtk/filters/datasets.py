# SPDX-License-Identifier: BSD-3-Clause
"""The datasets of an input, composite or not, and what is to be said about them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Sequence, cast

from vtkmodules.vtkCommonDataModel import (vtkCompositeDataSet, vtkDataObject, vtkDataObjectTree,
                                           vtkMultiBlockDataSet,
                                           vtkPartitionedDataSet, vtkUniformGridAMR)

from ..errors import BadInput, TesseraError, TooLarge


def as_tree(data: vtkDataObject) -> Any:
    """`data` if it is a composite that is a tree of blocks, else None. AMR does not count as one, whatever
    its base class is."""
    is_tree = isinstance(data, vtkDataObjectTree) and not isinstance(data, vtkUniformGridAMR)
    return data if is_tree else None


def is_composite(data: vtkDataObject) -> bool:
    """Does it consist of datasets? AMR counts as one dataset."""
    return isinstance(data, vtkCompositeDataSet) and not isinstance(data, vtkUniformGridAMR)


@dataclass(frozen=True)
class Dataset:
    """A dataset and its flat index; 0 where the input is no composite."""

    data: Any
    block: int


def datasets(data: vtkDataObject) -> list[Dataset]:
    """All datasets of the input."""
    if not is_composite(data):
        return [Dataset(data, 0)]
    found = []
    at = cast(vtkCompositeDataSet, data).NewIterator()
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        found.append(Dataset(at.GetCurrentDataObject(), at.GetCurrentFlatIndex()))
        at.GoToNextItem()
    return found


def _block_name(tree: vtkDataObjectTree, block: int) -> str:
    """That of the block, or of the block whose partition it is."""
    at = tree.NewTreeIterator()
    at.VisitOnlyLeavesOff()
    at.SkipEmptyNodesOff()
    parts_of, last_part = "", 0
    at.InitTraversal()
    while not at.IsDoneWithTraversal():
        index = at.GetCurrentFlatIndex()
        about = at.GetCurrentMetaData() if at.HasCurrentMetaData() else None
        name = (about.Get(vtkCompositeDataSet.NAME()) if about else None) or ""
        if index == block:
            return parts_of if not name and index <= last_part else name
        parts = at.GetCurrentDataObject()
        if isinstance(parts, vtkPartitionedDataSet):
            parts_of, last_part = name, index + parts.GetNumberOfPartitions()
        at.GoToNextItem()
    return ""


def block_text(data: vtkDataObject, block: int) -> str:
    """"in block 3 (wing)"; empty where the input is no composite."""
    if not is_composite(data):
        return ""
    tree = as_tree(data)
    name = _block_name(tree, block) if tree else ""
    return f"in block {block}" + (f" ({name})" if name else "")


def output_class(data: vtkDataObject, leaf_class: str) -> str:
    """The class of the output for such an input."""
    if as_tree(data):
        return data.GetClassName()
    return "vtkMultiBlockDataSet" if is_composite(data) else leaf_class


def pass_field_data(data: vtkDataObject, output: vtkDataObject) -> None:
    """But for the report of a filter before, which says nothing about the output."""
    fields = data.GetFieldData()
    for i in range(fields.GetNumberOfArrays()):
        if not (fields.GetArrayName(i) or "").startswith("Tessera "):
            output.GetFieldData().AddArray(fields.GetAbstractArray(i))


def place(data: vtkDataObject, results: Sequence[Any], output: vtkDataObject) -> None:
    """Puts what was made of each dataset where the dataset is."""
    if not is_composite(data):
        if results[0]:
            output.ShallowCopy(results[0])
        return
    tree = as_tree(output)
    if as_tree(data):
        tree.CopyStructure(data)
        at = cast(vtkCompositeDataSet, data).NewIterator()
        at.InitTraversal()
        for result in results:
            tree.SetDataSet(at, result)
            at.GoToNextItem()
    else:
        blocks: Any = vtkMultiBlockDataSet.SafeDownCast(output)
        for k, result in enumerate(results):
            blocks.SetBlock(k, result)
    pass_field_data(data, output)


class Notes:
    """How many items have a note, the first of them and its block. A kind is any key; sentences come
    in the order of the kinds."""

    def __init__(self) -> None:
        self._found: dict[int, list[int]] = {}

    def add(self, kind: int, count: int, first: int, block: int) -> None:
        """Nothing where count is 0."""
        if count > 0:
            self._found.setdefault(kind, [0, int(first), block])[0] += int(count)

    def merge(self, others: "Notes") -> None:
        """Adds those of another dataset."""
        for kind, (count, first, block) in others._found.items():
            self.add(kind, count, first, block)

    def sentences(self, data: vtkDataObject, say: Callable[[int, int, int, str], str]) -> list[str]:
        """say(kind, count, first, where) makes one."""
        found = []
        for kind in sorted(self._found):
            count, first, block = self._found[kind]
            text = block_text(data, block)
            found.append(say(kind, count, first, f" {text}" if text else ""))
        return found


def name_block(problem: TesseraError, data: vtkDataObject, block: int) -> TesseraError:
    """Returns the exception with the name of its block before the message."""
    text = block_text(data, block)
    if text and isinstance(problem, (BadInput, TooLarge)):
        return type(problem)(f"{text} {problem}", problem.item)
    return problem
