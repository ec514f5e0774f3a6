"""Find the task that was repeated in a sequence of steps, or the several tasks.

Two steps are alike when they are the same kind of action on the same kind of screen and of thing; what they say may
differ, for that is what variables are. `find_pattern` takes repetitions that follow each other: the period under which
the most steps are alike. `pattern_finder.find_patterns` takes a day as it is, tasks mixed, interrupted and with noise
between. What was seen fewer than three times is not proposed. A repetition with a step whose screen was not seen keeps
its place among the others, and nothing is learned from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.places import Place, evened
from rpa_vision.models.geometry import Box
from rpa_vision.models.wording import folded, shape

MIN_REPETITIONS = 3
MIN_EXPLAINED = 0.5
"""A pattern that explains less than half of what was done is not what the person was doing."""
_SAME_COLUMN_PX = 60
_SAME_PLACE_PX = 40
_COMMANDS = ("button", "tab", "menu_item", "icon", "toggle")
"""Kinds of things whose words say what happens. Other words are another action, not another row."""

Alike = Callable[[DemoStep, DemoStep], bool]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A task and its repetitions: `occurrences[r][i]` is step i of repetition r."""

    occurrences: tuple[tuple[DemoStep, ...], ...]

    @classmethod
    def of(cls, occurrences: Sequence[Sequence[DemoStep]]) -> Pattern:
        """The pattern of these repetitions. A field that can be told in some of them only is not told at all."""
        positions = [evened(steps) for steps in zip(*occurrences, strict=True)]
        return cls(tuple(zip(*positions, strict=True)))

    @property
    def length(self) -> int:
        return len(self.occurrences[0])

    @property
    def repetitions(self) -> int:
        return len(self.occurrences)

    def position(self, index: int) -> tuple[DemoStep, ...]:
        """The same step in all repetitions."""
        return tuple(occurrence[index] for occurrence in self.occurrences)

    @property
    def places(self) -> tuple[Place, ...]:
        """Its steps, each in every repetition."""
        cases = tuple(range(self.repetitions))
        return tuple(Place(self.position(index), cases) for index in range(self.length))

    @property
    def parents(self) -> dict[int, int]:
        """No repetition is part of another."""
        return {}


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch in which every step is like the one a period later."""

    start: int
    length: int
    repetitions: int

    @property
    def explained(self) -> int:
        """How many steps it takes up."""
        return self.length * self.repetitions

    def goes(self) -> list[range]:
        """The steps of each repetition."""
        starts = range(self.start, self.start + self.explained, self.length)
        return [range(start, start + self.length) for start in starts]


def find_pattern(steps: Sequence[DemoStep], alike: Alike) -> Pattern | None:
    """Give the repeated task that explains the most steps, or None when nothing was repeated often enough."""
    period = find_period(steps, alike)
    if period is None:
        return None
    return _wholly_seen(tuple(tuple(steps[index] for index in go) for go in period.goes()), alike)


def find_period(steps: Sequence[DemoStep], alike: Alike) -> Period | None:
    """The period under which the most steps are alike, if it explains at least half of them."""
    best: tuple[int, float, int, int, int] | None = None
    for period in range(1, len(steps) // MIN_REPETITIONS + 1):
        for start, length in _runs(steps, period, alike):
            repetitions = (length + period) // period
            if repetitions < MIN_REPETITIONS:
                continue
            rank = (repetitions * period, _sameness(steps, start, period, repetitions), -period, -start, repetitions)
            best = max(best, rank) if best is not None else rank
    if best is None or best[0] < MIN_EXPLAINED * len(steps):
        return None
    _, _, negative_period, negative_start, repetitions = best
    return Period(-negative_start, -negative_period, repetitions)


def _wholly_seen(occurrences: tuple[tuple[DemoStep, ...], ...], alike: Alike) -> Pattern | None:
    """The repetitions that were seen whole, if they are enough, and one task also without those left out."""
    seen = tuple(occurrence for occurrence in occurrences if all(step.was_seen for step in occurrence))
    if len(seen) < MIN_REPETITIONS:
        return None
    for earlier, later in pairwise(seen):
        if not all(alike(one, other) for one, other in zip(earlier, later, strict=True)):
            return None
    return Pattern.of(seen)


def _runs(steps: Sequence[DemoStep], period: int, alike: Alike) -> list[tuple[int, int]]:
    """The stretches (start, length) in which each step is like the one a period later."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    last = len(steps) - period
    for index in range(last + 1):
        if index < last and alike(steps[index], steps[index + period]):
            start = index if start is None else start
        elif start is not None:
            runs.append((start, index - start))
            start = None
    return runs


def _sameness(steps: Sequence[DemoStep], start: int, period: int, repetitions: int) -> float:
    """The share of steps that say the same a period later: Next, Next, Finish done thrice is not one step done nine
    times."""
    indices = range(start, start + (repetitions - 1) * period)
    same = sum(_says(steps[index]) == _says(steps[index + period]) for index in indices)
    return round(same / len(indices), 6)


def _says(step: DemoStep) -> tuple[str, str]:
    return (step.text or "", folded(step.element.label) if step.element is not None else "")


def alike_steps(first: DemoStep, second: DemoStep) -> bool:
    """The same kind of action on the same kind of thing in the same kind of window."""
    if (first.kind, first.keys, first.button) != (second.kind, second.keys, second.button):
        return False
    if first.app != second.app:
        return False
    if (first.secret_ref is None) != (second.secret_ref is None):
        return False
    if not (first.was_seen and second.was_seen):
        return True  # what it was done to is not known; nothing is learned from it
    if first.kind in ("text_input", "mouse_click", "drag"):
        return _alike_targets(first, second)
    return True


def _alike_targets(first: DemoStep, second: DemoStep) -> bool:
    one, other = first.element, second.element
    if first.at_focus and second.at_focus and (one is None or other is None):
        return True
    if one is None or other is None:
        return (one is other) and _near(first, second, _SAME_PLACE_PX)
    if folded(one.label) and folded(one.label) == folded(other.label):
        return True
    if first.kind == "text_input":
        return _near(first, second, _SAME_PLACE_PX) or shape(one.label) == shape(other.label) != ""
    if shape(one.label) == shape(other.label) != "":
        return True
    # Other words in the same column of a list: another row was chosen.
    if one.type in _COMMANDS and folded(one.label) != folded(other.label):
        return False
    return one.type == other.type and _in_line(Box.of(one.bbox), Box.of(other.bbox))


def _in_line(one: Box, other: Box) -> bool:
    return abs(one.x1 - other.x1) <= _SAME_COLUMN_PX or abs(one.center[0] - other.center[0]) <= _SAME_COLUMN_PX


def _near(first: DemoStep, second: DemoStep, limit_px: int) -> bool:
    if first.point is None or second.point is None:
        return first.point is second.point
    (x1, y1), (x2, y2) = first.point, second.point
    if first.element is not None and second.element is not None:
        (x1, y1), (x2, y2) = first.element.center, second.element.center
    return abs(x1 - x2) <= limit_px and abs(y1 - y2) <= limit_px
