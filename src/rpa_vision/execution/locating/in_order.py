"""A thing without words by what it stands between, in the order in which a screen is read.

A page that another kit draws, or at another size, is laid out anew: what stood below its name stands beside it, and a
bar goes on in the next line. But what is read before a thing and what after it stay. So it is the same of its kind
between the same two texts, if as many of its kind stand between them as did and nothing is said there that was not;
a sign must look alike besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import said_once, shared_lines
from rpa_vision.execution.locating.likes import LOOKS_ALIKE, Looks, kind_of, things_of
from rpa_vision.execution.locating.shapes import each_once, is_one_thing
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

NAME = "in_order"
_REACH_LINES = 16.0
_NEAREST = 3
_RIM_LINES = 0.4
_MORE_ALIKE = 0.05
_MIN_LETTERS, _SAYS = 3, 2
_AS_HIGH = 1.9


@dataclass(frozen=True, slots=True)
class _Part:
    """What of a screen is read from one text to another."""

    screen: ObservedScreen
    first: Box
    last: Box
    around: Box

    @property
    def is_in_order(self) -> bool:
        return _precedes(self.first, self.last)

    def holds(self, one: Box) -> bool:
        """Whether something is read between the two."""
        return self.around.contains(one.center) and _precedes(self.first, one) and _precedes(one, self.last)

    def said(self) -> set[str]:
        """What is written there, but for what fields hold."""
        fields = [Box.of(one.bbox) for one in self.screen.state.ui_elements if one.type in FIELD_TYPES]
        lines = [(letters(line.text), Box.of(line.bbox)) for line in self.screen.state.perception.text_lines]
        return {
            text
            for text, at in lines
            if len(text) >= _SAYS and self.holds(at) and not any(field.contains(at.center) for field in fields)
        }


def find(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen) -> Box | None:
    """Which of its kind it is between the nearest texts before and after it; None where that cannot be told."""
    kind, lines = kind_of(target), shared_lines(then, now, box)
    if kind == "named" or lines is None:
        return None
    recorded = [
        box,
        *(one for one in each_once(things_of(then, kind, target, lines.height)) if not is_one_thing(one, box)),
    ]
    seen = each_once(things_of(now, kind, target, lines.growth * lines.height))
    for was, part in _parts(then, box, now, lines.growth, lines.height):
        before, after = (
            _read([one for one in recorded if was.holds(one)]),
            _read([one for one in seen if part.holds(one)]),
        )
        if len(before) != len(after) or not part.said() <= was.said():
            return None
        place = after[before.index(box)]
        if not 1 / _AS_HIGH <= place.height / (lines.growth * box.height) <= _AS_HIGH:
            return None
        if kind != "sign":
            return place
        sees = Looks(then, now, lines.growth)
        like = sees.likeness(box, place)
        others = [sees.likeness(box, one) for one in after if one != place]
        is_it = like >= LOOKS_ALIKE and like >= max(others, default=0.0) - _MORE_ALIKE
        return place if is_it else None
    return None


def _parts(
    then: ObservedScreen, box: Box, now: ObservedScreen, growth: float, high: float
) -> Iterator[tuple[_Part, _Part]]:
    """What is read between texts before and after a box, and between the same texts now; the closest first."""
    once, again = said_once(then), said_once(now)
    near = sorted(
        (gap, said)
        for said, at in once.items()
        if said in again and len(said) >= _MIN_LETTERS and (gap := _gap(at, box)) <= _REACH_LINES * high
        if at.intersection(box) is None
    )
    before = [(gap, said) for gap, said in near if _precedes(once[said], box)][:_NEAREST]
    after = [(gap, said) for gap, said in near if _precedes(box, once[said])][:_NEAREST]
    pairs = sorted((one + other, first, last) for one, first in before for other, last in after)
    rim = round(_RIM_LINES * high)
    for _, first, last in pairs:
        both = once[first].union(once[last])
        reach = [max(0, round(off)) for off in (both.x1 - box.x1, both.y1 - box.y1, box.x2 - both.x2, box.y2 - both.y2)]
        there = again[first].union(again[last])
        left, up, right, down = (round(growth * (off + rim)) for off in reach)
        around = Box(there.x1 - left, there.y1 - up, there.x2 + right, there.y2 + down)
        was = _Part(then, once[first], once[last], both.union(box).padded(rim))
        part = _Part(now, again[first], again[last], around)
        if part.is_in_order and was.is_in_order and was.holds(box):
            yield was, part


def _precedes(one: Box, other: Box) -> bool:
    """Whether it is read first: it stands left in the same line, or above."""
    if one.y1 <= other.center[1] < one.y2 or other.y1 <= one.center[1] < other.y2:
        return one.center[0] < other.center[0]
    return one.center[1] < other.center[1]


def _read(things: Sequence[Box]) -> list[Box]:
    """In the order in which they are read."""
    order = list[Box]()
    for one in sorted(things, key=lambda thing: (thing.center[1], thing.center[0])):
        at = next((number for number, other in enumerate(order) if _precedes(one, other)), len(order))
        order.insert(at, one)
    return order


def _gap(one: Box, other: Box) -> int:
    across = max(0, one.x1 - other.x2, other.x1 - one.x2)
    return across + 2 * max(0, one.y1 - other.y2, other.y1 - one.y2)
