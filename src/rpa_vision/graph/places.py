"""One step of a task, in every case in which it was shown.

A case is one go at the task, or one round of a loop inside of it; a round knows its go. What all cases of a place have
in common is what is learned of the step, what differs becomes a variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rpa_vision.graph.demonstration import DemoStep


@dataclass(frozen=True, slots=True)
class Place:
    """A step: `steps[i]` is what was done in case `cases[i]`."""

    steps: tuple[DemoStep, ...]
    cases: tuple[int, ...]

    @classmethod
    def of(cls, shown: Mapping[int, DemoStep]) -> Place:
        """The place of these steps. A field that can be told in some of them only is not told at all."""
        return cls(evened(tuple(shown.values())), tuple(shown))

    def step_of(self, case: int) -> DemoStep | None:
        """What was done in one case."""
        return self.steps[self.cases.index(case)] if case in self.cases else None


class Shown(Protocol):
    """What was shown of a task: its steps, and of each round the go it belongs to."""

    @property
    def places(self) -> Sequence[Place]: ...

    @property
    def parents(self) -> Mapping[int, int]: ...


def evened(steps: tuple[DemoStep, ...]) -> tuple[DemoStep, ...]:
    """Text that was typed where the focus was: its field is known in all of the steps or in none."""
    if not any(step.at_focus and step.element is None for step in steps):
        return steps
    return tuple(replace(step, element=None, point=None) if step.at_focus else step for step in steps)
