"""What was visible when, so that what people did can be explained by it, and where a run can read it again.

A value that decides, or that is typed somewhere, may stand on the same screen or on an earlier one of the same case:
beside a label, in a field, or in the row of something known. Values that are the same in every case are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.outline import Fork, Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.sightings import NamedValues, labelled_values, value_in_column
from rpa_vision.graph.sightings import rows_of as table_rows
from rpa_vision.graph.slots import Slots, name_of
from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded
from rpa_vision.models.written_values import same_value

_MAX_LABEL = 60
Value = TypeVar("Value")

Screens = Mapping[int, Sequence[ObservedScreen]]
"""Of each case the screen looked at, and others that show the same should that one not be it."""
Stage = tuple[int | Fork, Screens]
"""The screens of each case before a place, or at a fork."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that can be read: on the screen before which place or at which fork, from what, and what it was."""

    place: int | Fork
    target: TargetSpec
    label: str
    values: Mapping[int, str]

    @property
    def name(self) -> str:
        """What it would be called as a variable."""
        return name_of(self.label) or "value"


def readings(
    stages: Sequence[Stage], slots: Slots, *, by_row: Sequence[str] = (), written: frozenset[str] = frozenset()
) -> list[Reading]:
    """Everything that could be read at these stages, each value once: by its label where it has one, from the first
    stage that shows it.

    `by_row` names the variables that may say which row of a list is meant. What stands in the fields `written` into by
    the task itself is not read.
    """
    shown = [
        reading
        for where, screens in stages
        for reading in _by_label(where, screens)
        if folded(reading.label) not in written
    ]
    shown += [reading for where, screens in stages for reading in _by_column(where, screens, slots, by_row)]
    found: list[Reading] = []
    for reading in shown:
        if not any(_same(reading.values, known.values) for known in found):
            found.append(reading)
    return found


def fields_written(outline: Outline) -> frozenset[str]:
    """What the fields are called that the task types into, folded."""
    return frozenset(
        folded(step.element.label)
        for place in outline.places
        for step in place.steps
        if step.kind == "text_input" and step.element is not None and step.element.label
    )


def stages_of(outline: Outline, places: Sequence[int], cases: Sequence[int]) -> list[Stage]:
    """The screens of these cases before these places, the last place first, where all of them were there."""
    stages: list[Stage] = []
    for index in reversed(places):
        at = places.index(index)
        earlier = outline.places[places[at - 1]] if at > 0 else None
        screens = _screens(outline, outline.places[index], earlier, cases)
        if screens is not None:
            stages.append((index, screens))
    return stages


def _screens(
    outline: Outline, place: Place, earlier: Place | None, cases: Sequence[int]
) -> dict[int, list[ObservedScreen]] | None:
    """The screen of each case before the place; a round has that of its go where the place is outside of rounds.

    Something else may have been done in between: what the step before led to shows the same.
    """
    screens: dict[int, list[ObservedScreen]] = {}
    for case in cases:
        step = place.step_of(case) or place.step_of(outline.parents.get(case, case))
        if step is None:
            return None
        before = earlier.step_of(case) if earlier is not None else None
        led_to = before.settled if before is not None else None
        screens[case] = [step.before, led_to] if led_to is not None else [step.before]
    return screens


def _by_label(where: int | Fork, screens: Screens) -> Iterator[Reading]:
    first = next(iter(screens.values()))
    named = {case: [NamedValues(one.state) for one in shown] for case, shown in screens.items()}
    for label in dict.fromkeys(label for screen in first for label in labelled_values(screen.state)):
        if len(label) > _MAX_LABEL or any(char.isdigit() for char in label):
            continue
        values = {case: _first(one.seen(label) for one in shown) for case, shown in named.items()}
        told = {case: value.text for case, value in values.items() if value is not None}
        if len(told) == len(screens):
            yield Reading(where, TargetSpec(label=literal(label)), label, told)


def _by_column(where: int | Fork, screens: Screens, slots: Slots, by_row: Sequence[str]) -> Iterator[Reading]:
    first = next(iter(screens.values()))[0]
    headers = list(dict.fromkeys(title for row in table_rows(first.state) for title in row.cells))
    for name in by_row:
        keys = slots.known(name, list(screens))
        if keys is None:
            continue
        for header in headers:
            values = {
                case: _first(value_in_column(one.state, header, [key]) for one in shown)
                for (case, shown), key in zip(screens.items(), keys, strict=True)
            }
            told = {case: value for case, value in values.items() if value is not None}
            own = len(told) == len(screens) and _same(told, dict(zip(screens, keys, strict=True)))
            if len(told) == len(screens) and not own and not same_words(header, name):
                target = TargetSpec(column=literal(header), row_contains=(f"${{{name}}}",))
                yield Reading(where, target, header, told)


def _first(values: Iterable[Value | None]) -> Value | None:
    return next((value for value in values if value is not None), None)


def _same(one: Mapping[int, str], other: Mapping[int, str]) -> bool:
    return one.keys() == other.keys() and all(same_value(value, other[case]) for case, value in one.items())
