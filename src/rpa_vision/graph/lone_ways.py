"""A way that was gone once, plainly in place of what every other case did there: another button, and then on as usual.

Nobody can say from one case when it is meant. But to do what the others did would be wrong then, so that it is neither
left out nor taken for noise: it becomes a fork about which a person is asked. A key in place of a click, and steps that
are done elsewhere too, are other hands and no other way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.rounds import Block, Piece
from rpa_vision.graph.vocabulary import misread_as

Row = dict[int, Piece]
"""Column → what the case has there."""


@dataclass(frozen=True, slots=True)
class LoneWay:
    """The case, the columns of what it did, and those of what all others did in its place."""

    case: int
    columns: tuple[int, ...]
    instead_of: tuple[int, ...]


def lone_ways(
    rows: Mapping[int, Row], trunk: Sequence[int], is_at_home: Callable[[int, DemoStep], bool]
) -> list[LoneWay]:
    """The cases that left the trunk for one click of their own and came back to it."""
    found = (_lone_way(case, row, rows, trunk, is_at_home) for case, row in rows.items())
    return [one for one in found if one is not None]


def _lone_way(
    case: int,
    row: Row,
    rows: Mapping[int, Row],
    trunk: Sequence[int],
    is_at_home: Callable[[int, DemoStep], bool],
) -> LoneWay | None:
    missing = [column for column in trunk if column not in row]
    if len(missing) != 1:
        return None
    at = trunk.index(missing[0])
    if not 0 < at < len(trunk) - 1:
        return None
    between = [column for column in sorted(row) if trunk[at - 1] < column < trunk[at + 1]]
    done = [row[column] for column in between]
    if len(done) != 1 or isinstance(done[0], Block):
        return None
    kind, step = done[0]
    others = [piece[1] for other in rows.values() if not isinstance(piece := other.get(missing[0], Block(())), Block)]
    if not others or not is_at_home(kind, step) or not all(_is_another_button(step, other) for other in others):
        return None
    return LoneWay(case, (between[0],), (missing[0],))


def _is_another_button(step: DemoStep, other: DemoStep) -> bool:
    """Whether both are clicks on things with names, and the names are two."""
    names = [one.element.label for one in (step, other) if one.kind == "mouse_click" and one.element is not None]
    return len(names) == 2 and all(names) and step.was_seen and not misread_as(names[0], names[1])
