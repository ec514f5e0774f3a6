"""Which variables only say which case it is: a number that runs on decides nothing, however well it tells early from
late.

It is what is searched for, what is clicked in a list, or whole numbers that are never the same and rise with time.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from rpa_vision.graph.outline import Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.slots import Slots
from rpa_vision.models.variables import variables_in
from rpa_vision.models.written_values import as_number, same_value

_FEWEST: Final = 6
"""Fewer numbers than this may well rise by accident."""


def naming_the_case(columns: Mapping[str, Mapping[int, str]], outline: Outline, slots: Slots) -> frozenset[str]:
    """Of variables with their values by case, those that name it; cases are numbered as time goes on."""
    chosen = _chosen(outline, slots)
    known = [columns[name] for name in chosen if name in columns]
    return frozenset(
        name
        for name, column in columns.items()
        if name in chosen or any(_same(column, other) for other in known) or runs_on(column)
    )


def runs_on(column: Mapping[int, str]) -> bool:
    """Whether the values are whole numbers that rise from case to case."""
    texts = [column[case].strip() for case in sorted(column)]
    numbers = [as_number(text) for text in texts]
    if len(texts) < _FEWEST or not all(text.isdigit() for text in texts):
        return False
    return all(one is not None and other is not None and one < other for one, other in pairwise(numbers))


def _chosen(outline: Outline, slots: Slots) -> set[str]:
    """What is typed to search for something, and the words of what is clicked."""
    found: set[str] = set()
    for index, place in enumerate(outline.places):
        texts = [slots.labels.get(index), *slots.rows.get(index, ())]
        if _is_search(place):
            texts.append(slots.texts.get(index))
        found |= {name for text in texts if text is not None for name in variables_in(text)}
    return found


def _is_search(place: Place) -> bool:
    return all(step.element is not None and step.element.plays("search") for step in place.steps)


def _same(one: Mapping[int, str], other: Mapping[int, str]) -> bool:
    return one.keys() == other.keys() and all(same_value(value, other[case]) for case, value in one.items())
