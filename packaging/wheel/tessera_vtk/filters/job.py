# SPDX-License-Identifier: BSD-3-Clause
"""What the jobs of all filters have in common: results, warnings, the report."""
from __future__ import annotations

import abc
from collections import Counter
from typing import Any, Callable, Sequence

from vtkmodules.vtkCommonDataModel import vtkDataObject

from ..errors import Aborted, BadInput, TesseraError
from ..execution import Execution
from ..memory import Room
from ..properties import Property, struct_of
from .datasets import Notes, datasets, name_block


class Job(abc.ABC):
    """One execution over all datasets of an input.

    results: what was made of each dataset, or None. report: the numbers of the plugin's report, by their
    names there.
    """

    def __init__(self, data: vtkDataObject, properties: Sequence[Property], settings: dict[str, Any],
                 execution: Execution) -> None:
        self.data, self.settings, self.execution = data, settings, execution
        self.properties = properties
        self.datasets = datasets(data)
        self.room = Room(settings["LargestOutput"])
        self.messages: set[str] = set()
        self.notes = Notes()
        self.results: list[Any] = []
        self.report: dict[str, Any] = {}

    def struct(self, name: str) -> Any:
        """A struct of the library with what is set, e.g. "tsr_curves_options"."""
        return struct_of(name, self.properties, self.settings)

    @abc.abstractmethod
    def run(self) -> None:
        """Does it all. Raises a TesseraError."""

    @abc.abstractmethod
    def say(self, kind: int, count: int, first: int, where: str) -> str:
        """A note as a sentence."""

    def warnings(self) -> list[str]:
        """What the user is to be told, a sentence each."""
        return sorted(self.messages) + self.notes.sentences(self.data, self.say)

    def each(self, work: Sequence[Any], what: Callable[[Any], Any]) -> list[Any]:
        """what(one) for each that is not None; an error names the block."""
        made = []
        for k, one in enumerate(work):
            self.execution.part(k, len(work))
            try:
                made.append(None if one is None else what(one))
            except TesseraError as problem:
                if self.execution.problem:
                    raise self.execution.problem from None
                raise name_block(problem, self.data, self.datasets[k].block) from None
        if self.execution.stopped:
            raise Aborted("the work was stopped")
        return made

    def add_up(self, reports: list[Any], items: str, cells: str, scale: float | None = None) -> None:
        """The report of all datasets: counts are sums, seconds too, tolerances the largest. scale: of the
        tolerances, for a filter that has such."""
        total: dict[str, Any] = {"Backend": "CPU", "Threads": self.execution.threads}
        sums = {name: sum(getattr(one, name) for one in reports)
                for name in ("items", "points", "cells", "plan_seconds", "fill_seconds")}
        total |= {items: sums["items"], "Points": sums["points"], cells: sums["cells"]}
        if scale is not None:
            total |= {"Chord Tolerance": max([one.chord_tolerance for one in reports], default=0.0),
                      "Tolerance Scale": scale}
        total |= {"Plan Seconds": sums["plan_seconds"], "Fill Seconds": sums["fill_seconds"]}
        least = sum(one.least_points for one in reports)
        if least > 0:
            total |= {"Least Points": least, "Points Over Least": sums["points"] / least}
        fallback = next((one.fallback for one in reports if one.fallback), b"")
        if fallback:
            total["Fallback"] = fallback.decode(errors="replace")
        self.report = total


def with_place(sentence: str, where: str) -> str:
    """The core's sentence, and in which block the first is."""
    return f"{sentence} The first is{where}." if where else sentence


def named_counts(counts: Counter[str], one: str, many: str, tail: str) -> str:
    """"1 point was kept for array 'a'; 5 points were kept for array 'b'"."""
    return "; ".join(f"{count} {one if count == 1 else many} '{name}'{tail}"
                     for name, count in sorted(counts.items()))


def counted(count: int, one: str, many: str) -> str:
    """"1 point has", "5 points have"."""
    return f"{count} {one if count == 1 else many}"


def no_points(count: int, where: str) -> str:
    """That datasets are left out by a filter of points."""
    return counted(count, "dataset has no points of its own and is left out",
                   "datasets have no points of their own and are left out") + f"; the first is{where}."


def why_nothing(points: int, hidden: int) -> str:
    """Why no point is left, or empty."""
    if points == 0:
        return "the input has no points"
    return "" if hidden < points else (f"all {counted(points, 'point is', 'points are')} hidden or copies of "
                                       "other processes' points (vtkGhostType)")


def require(condition: bool, text: str) -> None:
    """Raises BadInput with the text where the condition does not hold."""
    if not condition:
        raise BadInput(text)
