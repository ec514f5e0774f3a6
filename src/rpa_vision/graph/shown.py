"""What recorded steps show: tasks that were repeated, and what interrupted them.

Learning and cutting into episodes both ask here, so that what a recording is cut into is what is learned from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.interruptions import Detour, StepKey, key_of, take_out
from rpa_vision.graph.meant_detours import goes_with_values, repeated_detours
from rpa_vision.graph.tasks import Tasks, find_tasks


@dataclass(frozen=True, slots=True)
class Shown:
    """Tasks and interruptions; the goes of the tasks count in `steps`, which are without the interruptions."""

    steps: tuple[DemoStep, ...]
    tasks: Tasks
    detours: tuple[Detour, ...]


def what_is_shown(steps: Sequence[DemoStep]) -> Shown:
    """Take out what interrupted, unless it came nearly every time or with certain values: that is no interruption."""
    usual, detours = take_out(steps)
    tasks = find_tasks(usual)
    if 2 * len(detours) > sum(task.outline.repetitions for task in tasks.found):
        whole = find_tasks(steps)
        if whole.explained > tasks.explained:
            return Shown(tuple(steps), whole, ())
    meant: set[StepKey] = set()
    for repeated in repeated_detours(detours):
        own = {key_of(step) for detour in repeated for step in detour.steps}
        if goes_with_values(repeated, find_tasks(take_out(steps, own)[0])):
            meant |= own
    if meant:
        longer, left = take_out(steps, meant)
        with_them = find_tasks(longer)
        if with_them.explained >= tasks.explained:
            usual, detours, tasks = longer, left, with_them
    return Shown(tuple(usual), tasks, tuple(detours))
