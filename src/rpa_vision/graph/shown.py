"""What recorded steps show: tasks that were repeated, and what interrupted them.

Learning and cutting into episodes both ask here, so that what a recording is cut into is what is learned from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.interruptions import Detour, take_out
from rpa_vision.graph.tasks import Tasks, find_tasks


@dataclass(frozen=True, slots=True)
class Shown:
    """Tasks and interruptions; the goes of the tasks count in `steps`, which are without the interruptions."""

    steps: tuple[DemoStep, ...]
    tasks: Tasks
    detours: tuple[Detour, ...]


def what_is_shown(steps: Sequence[DemoStep]) -> Shown:
    """Take out what interrupted, unless it came nearly every time: that is no interruption."""
    usual, detours = take_out(steps)
    tasks = find_tasks(usual)
    if 2 * len(detours) > sum(task.outline.repetitions for task in tasks.found):
        whole = find_tasks(steps)
        if whole.explained > tasks.explained:
            return Shown(tuple(steps), whole, ())
    return Shown(tuple(usual), tasks, tuple(detours))
