# SPDX-License-Identifier: BSD-3-Clause
"""One grid for all time steps: the nodes that the criteria refine at each step, and which step comes next."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from ..arrays import Array
from ..errors import BadInput


@dataclass(frozen=True)
class Marks:
    """Of one dataset. whole: its extent. nodes: as grid.Plan.marks returns them."""

    whole: list[int]
    nodes: Array


class GridSteps:
    """Goes through the time steps, as often as they add marks."""

    def __init__(self) -> None:
        self.begin([])

    def begin(self, times: Sequence[float]) -> None:
        """Forgets all marks and starts to go through these times."""
        self.times = list(times)
        self.marks: dict[int, Marks] = {}  # by block
        self._seen = self._idle = self._count = 0
        self._done = False

    def collects(self) -> bool:
        """Is there a step that still has to be processed?"""
        return not self._done and len(self.times) > 1

    def time(self) -> float:
        """Of the next step to process, or of the first one."""
        return self.times[self._seen % len(self.times)]

    def add(self, again: bool) -> None:
        """A step was processed. again: marks of later steps may make this step ask for more, so the steps are
        repeated until none adds any."""
        marks = sum(len(one.nodes) for one in self.marks.values())
        self._idle = 1 if marks > self._count else self._idle + 1
        self._count = marks
        self._seen += 1
        self._done = (self._idle if again else self._seen) >= len(self.times)

    def progress(self) -> float:
        """Fraction of the steps of the first pass that are processed."""
        return min(1.0, self._seen / len(self.times))

    def marks_for(self, block: int, whole: list[int], of_octree: bool) -> Array | None:
        """The marks of a dataset; None: it has none yet. Raises BadInput if they are those of another grid."""
        found = self.marks.get(block)
        if found and found.whole != whole:
            raise BadInput("Over Time can be All Steps only where " +
                           ("the domain has the same number of coarsest cells" if of_octree else
                            "a dataset has the same number of points") + " along each axis at all time steps")
        return found.nodes if found else None
