"""The same steps again and again within one go, each time for another row of a list: the rounds of a loop.

A round begins with a click into a row. Steps that show more rows (« Suivant ») stand between rounds and belong to none.
Repetition without rows (Tab, Tab, Tab) is no loop.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.sightings import row_around
from rpa_vision.models.wording import folded, squeezed

Done = tuple[int, DemoStep]
"""A kind of step, and the step."""

MIN_ROUNDS = 3
_PART_OF_ROUND = 0.2
_NEXT_PAGE = re.compile(r"^(page )?(suivante?s?|next( page)?)( page)?( ?[>›»→]+)?$|^[>›»→]+$")


@dataclass(frozen=True, slots=True)
class Block:
    """All rounds of one go, and the steps by which more rows were shown."""

    rounds: tuple[tuple[Done, ...], ...]
    pages: tuple[DemoStep, ...] = ()


Piece = Done | Block


def fold(cases: Mapping[int, Sequence[Done]]) -> dict[int, list[Piece]]:
    """The cases with the rounds of each put into one block, where there are rounds."""
    plain: dict[int, list[Piece]] = {case: list(done) for case, done in cases.items()}
    opening = _opening(list(cases.values()))
    if opening is None:
        return plain
    body = _body(list(cases.values()), opening)
    folded_cases = {case: _folded(done, opening, body, _usual(cases, body)) for case, done in cases.items()}
    rounds = sum(len(piece.rounds) for pieces in folded_cases.values() for piece in pieces if isinstance(piece, Block))
    return folded_cases if rounds >= MIN_ROUNDS else plain


def is_next_page(step: DemoStep) -> bool:
    """Whether a step shows more rows of a list."""
    element = step.element
    return (
        step.kind == "mouse_click"
        and element is not None
        and _NEXT_PAGE.match(folded(element.label)) is not None
        and row_around(element, step.before.state) is None
    )


def row_key(step: DemoStep) -> str | None:
    """What tells the row of a step from the others; None where it is in no row."""
    if step.kind != "mouse_click" or step.element is None:
        return None
    row = row_around(step.element, step.before.state)
    return "|".join(squeezed(element.label) for element in row.elements if element.label) if row is not None else None


def _opening(cases: Sequence[Sequence[Done]]) -> int | None:
    """The kind of step with which a round begins: the first that comes for several rows within one case."""
    for done in sorted(cases, key=len, reverse=True):
        repeated = Counter(kind for kind, _ in done)
        for kind, _step in done:
            if repeated[kind] < 2:
                continue
            keys = [row_key(step) for other, step in done if other == kind]
            if None not in keys and len(set(keys)) == len(keys):
                return kind
    return None


def _body(cases: Sequence[Sequence[Done]], opening: int) -> frozenset[int]:
    """The kinds that come between one opening and the next."""
    rounds: list[set[int]] = []
    for done in cases:
        starts = [at for at, (kind, _) in enumerate(done) if kind == opening]
        rounds += [{kind for kind, _ in done[low:high]} for low, high in pairwise(starts)]
    counted = Counter(kind for one in rounds for kind in one)
    least = max(1.0, _PART_OF_ROUND * len(rounds))
    return frozenset(kind for kind, times in counted.items() if times >= least)


def _usual(cases: Mapping[int, Sequence[Done]], body: frozenset[int]) -> frozenset[int]:
    """Kinds outside of rounds that most cases have: where one of them comes, the rounds are over."""
    counted = Counter(kind for done in cases.values() for kind in {kind for kind, _ in done} - body)
    return frozenset(kind for kind, times in counted.items() if 2 * times >= len(cases))


def _folded(done: Sequence[Done], opening: int, body: frozenset[int], outside: frozenset[int]) -> list[Piece]:
    starts = [at for at, (kind, _) in enumerate(done) if kind == opening]
    if not starts:
        return list(done)
    end = starts[-1] + 1
    for at in range(starts[-1] + 1, len(done)):
        kind, step = done[at]
        if kind in outside:
            break
        if kind in body or is_next_page(step):
            end = at + 1
    pages = tuple(step for _, step in done[starts[0] : end] if is_next_page(step))
    bounds = [*starts, end]
    rounds = tuple(tuple(one for one in done[low:high] if not is_next_page(one[1])) for low, high in pairwise(bounds))
    return [*done[: starts[0]], Block(rounds, pages), *done[end:]]
