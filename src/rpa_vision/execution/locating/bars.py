"""A sign of a bar, or its only field, by the whole bar: as many signs in the same order, each looking as it did.

A bar at the top has hardly any words to go by, and where it stands changes with the window, the zoom and the kit. But
it is a row of signs, and the row as a whole looks like no other. Where one of them is missing, came in or changed, it
tells nothing: the next may have moved up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import shared_lines
from rpa_vision.execution.locating.likes import LOOKS_ALIKE, Kind, Looks, kind_of, things_of
from rpa_vision.execution.locating.shapes import is_one_thing
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

NAME = "same_bar"
_MIN_SIGNS, _BESIDE_A_FIELD = 3, 2
_TOP = 0.13
"""Up to this share of the height something belongs to a bar at the top."""
_CLOSE = 4.0
"""How far apart the members of a bar stand at most, in their heights."""
_ON_THE_WHOLE, _EACH = 0.7, 0.45
_CLEARLY = 0.15
_STRETCHED = 0.15
_AS_ALIKE = 0.03
"""Two that look the same in one bar are told by their order; one that looks more like another changed places."""


@dataclass(frozen=True, slots=True)
class _Member:
    box: Box
    kind: Kind


def find(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen) -> Box | None:
    """The place of a recorded member in the only bar that looks like its own; None where none does, or two do."""
    kind, lines = kind_of(target), shared_lines(then, now, box)
    if lines is None or not (kind == "sign" or (kind == "field" and is_at_the_top(then, box))):
        return None
    before = _bars(then, target, lines.height, box)
    own = next((bar for bar in before if any(one.box == box for one in bar)), None)
    if own is None or sum(one.kind == "sign" for one in own) < (_MIN_SIGNS if kind == "sign" else _BESIDE_A_FIELD):
        return None
    if kind == "field" and sum(one.kind == "field" for one in own) > 1:
        return None
    kinds = [one.kind for one in own]
    if any([one.kind for one in bar] == kinds for bar in before if bar is not own):
        return None  # every record of a list has its bar: another's may have moved up
    rated = [
        (_likeness(Looks(then, now, _growth(own, bar, lines.growth)), own, bar), bar)
        for bar in _bars(now, target, lines.growth * lines.height, None)
        if [one.kind for one in bar] == kinds
    ]
    rated.sort(key=lambda one: -one[0])
    if not rated or rated[0][0] < _ON_THE_WHOLE or (len(rated) > 1 and rated[0][0] - rated[1][0] < _CLEARLY):
        return None
    at = next(number for number, one in enumerate(own) if one.box == box)
    place = rated[0][1][at].box
    if kind == "field":
        return place if is_at_the_top(now, place) else None
    looks = Looks(then, now, _growth(own, rated[0][1], lines.growth))
    like = looks.likeness(box, place)
    elsewhere = [looks.likeness(box, one.box) for one in rated[0][1] if one.kind == "sign" and one.box != place]
    others = [looks.likeness(one.box, place) for one in own if one.kind == "sign" and one.box != box]
    is_alike = like >= max(LOOKS_ALIKE, *(one - _AS_ALIKE for one in (*elsewhere, *others)))
    return place if is_alike else None


def is_at_the_top(screen: ObservedScreen, box: Box) -> bool:
    """Whether a box lies in the bar of a window, of which there is one, and not in a row of its page."""
    return box.y2 <= _TOP * int(screen.pixels.shape[0])


def _growth(own: Sequence[_Member], bar: Sequence[_Member], letters: float) -> float:
    """By how much a bar grew, from one end to the other: signs are measured badly, and letters are not signs. What is
    far from how much the letters grew is a bar that was stretched."""
    was, seen = (members[-1].box.center[0] - members[0].box.center[0] for members in (own, bar))
    growth = seen / max(1, was)
    return growth if abs(growth / letters - 1.0) <= _STRETCHED else letters


def _likeness(looks: Looks, own: Sequence[_Member], bar: Sequence[_Member]) -> float:
    """How alike the signs of two bars are, in their order; 0 where one of them is another."""
    alike = [looks.likeness(one.box, other.box) for one, other in zip(own, bar, strict=True) if one.kind == "sign"]
    return sum(alike) / len(alike) if min(alike) >= _EACH else 0.0


def _bars(screen: ObservedScreen, target: TargetSpec, line_px: float, given: Box | None) -> list[list[_Member]]:
    """Signs and fields that stand beside each other; `given` is one of them, whatever was detected there."""
    signs = [_Member(one, "sign") for one in things_of(screen, "sign", target, line_px)]
    fields = [_Member(Box.of(one.bbox), "field") for one in screen.state.ui_elements if one.type in FIELD_TYPES]
    members = _apart([*fields, *signs])
    if given is not None:
        kind = kind_of(target)
        members = [one for one in members if not is_one_thing(one.box, given)] + [_Member(given, kind)]
    found = list[list[_Member]]()
    for one in sorted(members, key=lambda member: member.box.x1):
        bar = next((bar for bar in found if _goes_on(bar[-1].box, one.box)), None)
        if bar is not None:
            bar.append(one)
        else:
            found.append([one])
    return found


def _apart(members: Sequence[_Member]) -> list[_Member]:
    found: list[_Member] = []
    for one in sorted(members, key=lambda member: -member.box.area):
        if not any(is_one_thing(one.box, other.box) for other in found):
            found.append(one)
    return found


def _goes_on(one: Box, other: Box) -> bool:
    in_line = one.y1 <= other.center[1] < one.y2 and other.y1 <= one.center[1] < other.y2
    return in_line and other.x1 - one.x2 <= _CLOSE * min(one.height, other.height)
