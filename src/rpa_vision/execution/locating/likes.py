"""What is alike on two screens, told apart by how it stands among the words (`among_words`).

A sign in a bar, a field or a box to tick without a name, a name said twice: which of them is the recorded one? The one
that stands as it stood, that none of the others fits better, then or now, and that looks like it where looks last.
Where one of those beside it is missing, the next may have moved up into its place: then only the very look will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import Lines, shared_lines
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.shapes import holds_a_sign, is_one_thing
from rpa_vision.execution.strategies.role import related
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.outlines import likeness, places_like, scaled_edges
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement

NAME = "among_words"
MIN_FIT, MIN_MARGIN = 0.6, 0.2
_MIN_KNOWN = 0.4
_THERE = 0.5
_RIVALS = 0.1
_CLEARLY = 0.15
"""By how much less another looks like it, so that it is none of its likes."""
LOOKS_ALIKE, LOOKS_THE_SAME = 0.6, 0.85
_SIGHTED = 0.7
_SIGN_LINES = 4.0
_AS_LARGE = 2.2
_BESIDE_LINES, _BESIDE_HEIGHTS = 10.0, 6.0
_MIN_WORD = 3
_LONG_NAME, _KNOWN_AROUND = 5, 0.6
_SCALES = (0.4, 2.6)

Kind = Literal["sign", "field", "tick", "named"]


@dataclass(frozen=True, slots=True)
class Like:
    """The best of those that are alike."""

    box: Box
    kind: Kind
    fit: float
    """How well it stands where it must, from 0 to 1."""
    rival: float
    """How well the next best of now would stand there, or another of then where it is."""
    known: float
    """How much of what stood around it is said now."""
    likeness: float
    is_complete: bool
    """All that were alike beside it are there."""

    @property
    def is_it(self) -> bool:
        """Whether that is enough to say so."""
        if self.fit < MIN_FIT or self.fit - self.rival < MIN_MARGIN:
            return False
        if self.kind == "sign":
            return self.likeness >= (LOOKS_ALIKE if self.is_complete else LOOKS_THE_SAME)
        return self.is_complete and self.known >= _MIN_KNOWN


def find(
    then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen, unopposed: Sequence[UIElement] = ()
) -> Like | None:
    """Which of its likes a recorded thing fits best; None where there are none, or too few words to go by.

    `unopposed` is what may be it by its words, with nothing against it: of those that bear its name only these count.
    """
    kind, lines = kind_of(target), shared_lines(then, now, box)
    if lines is None or (kind == "sign" and not holds_a_sign(box)):
        return None
    recorded = [box, *(one for one in things_of(then, kind, target, lines.height) if not is_one_thing(one, box))]
    seen = things_of(now, kind, target, lines.growth * lines.height)
    if kind == "sign":
        seen += _sighted(then, box, now, lines, seen)
    seen = [one for one in seen if _of_size(one, box, lines.growth, kind)]
    if not seen or (kind == "named" and len(seen) != len(recorded)):
        return None
    fits = lines.fits(recorded, seen)
    best = int(np.argmax(fits[0]))
    if kind == "named" and not any(is_one_thing(Box.of(one.bbox), seen[best]) for one in unopposed):
        return None  # something is against it
    sees = Looks(then, now, lines.growth)
    like = sees.likeness(box, seen[best]) if kind == "sign" else 1.0

    def is_alike(one: Box, place: Box) -> bool:
        return kind != "sign" or sees.likeness(one, place) > like - _CLEARLY

    others = [at for at, one in enumerate(seen) if at != best and fits[0, at] >= _RIVALS and is_alike(box, one)]
    reach, (x, y) = _BESIDE_LINES * lines.height, box.center
    near = {at for at, one in enumerate(recorded) if max(abs(one.center[0] - x), abs(one.center[1] - y)) <= reach}
    twins = [
        at
        for at, one in enumerate(recorded)
        if at and (at in near or fits[at, best] >= _RIVALS) and is_alike(one, seen[best])
    ]
    elsewhere = np.delete(fits, best, axis=1)
    return Like(
        box=seen[best],
        kind=kind,
        fit=float(fits[0, best]),
        rival=max([*(float(fits[0, at]) for at in others), *(float(fits[at, best]) for at in twins)], default=0.0),
        known=lines.known_around(box),
        likeness=like,
        is_complete=all(elsewhere[at].max(initial=0.0) >= _THERE for at in twins if at in near),
    )


def only_one_of_its_name(
    then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen, unopposed: Sequence[UIElement]
) -> Box | None:
    """What alone bears its name on either screen, with nothing against it and most of what stood around it said: how
    far it was moved is no matter then."""
    lines = shared_lines(then, now, box)
    if lines is None or kind_of(target) != "named" or len(letters(target.label or "")) < _LONG_NAME:
        return None
    recorded, seen = (things_of(screen, "named", target, 0.0) for screen in (then, now))
    if len(recorded) != 1 or len(seen) != 1 or lines.known_around(box) < _KNOWN_AROUND:
        return None
    said = [
        sum(letters(target.label or "") in letters(line.text) for line in screen.state.perception.text_lines)
        for screen in (then, now)
    ]
    is_unopposed = any(is_one_thing(Box.of(one.bbox), seen[0]) for one in unopposed)
    return seen[0] if is_unopposed and max(said) <= 1 else None


def may_have_moved_up(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen, found: Box) -> bool:
    """Whether what says the name may be another: one of that name stood beside it, and fewer say it now."""
    if not target.label or kind_of(target) != "named":
        return False
    recorded, seen = (things_of(screen, "named", target, 0.0) for screen in (then, now))
    reach, (x, y) = _BESIDE_HEIGHTS * box.height, box.center
    twins = [one for one in recorded if not is_one_thing(one, box)]
    beside = any(max(abs(one.center[0] - x), abs(one.center[1] - y)) <= reach for one in twins)
    return beside and len(seen) < len(twins) + 1 and any(is_one_thing(one, found) for one in seen)


def is_another(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen, found: Box) -> bool:
    """Whether what was found stands where another of its kind stood: that one fits it, and this one does not."""
    kind, lines = kind_of(target), shared_lines(then, now, box)
    if kind == "named" or lines is None:
        return False
    others = [one for one in things_of(then, kind, target, lines.height) if not is_one_thing(one, box)]
    fits = lines.fits([box, *others], [found])[:, 0]
    best = float(fits[1:].max(initial=0.0))
    return best >= MIN_FIT and best - float(fits[0]) >= MIN_MARGIN


class Looks:
    """How alike things of two screens look, at the size the letters have now or at that of what is seen."""

    def __init__(self, then: ObservedScreen, now: ObservedScreen, growth: float) -> None:
        self._then, self._now, self._growth = then.pixels, now.pixels, growth
        self._known: dict[tuple[Box, Box], float] = {}

    def likeness(self, box: Box, place: Box) -> float:
        """From 0 to 1, whatever the colours."""
        if (box, place) not in self._known:
            look = np.ascontiguousarray(self._then[box.y1 : box.y2, box.x1 : box.x2])
            scales = {round(self._growth, 2), round(place.height / box.height, 2)}
            pictures = [scaled_edges(look, scale) for scale in scales if _SCALES[0] <= scale <= _SCALES[1]]
            alike = [likeness(self._now, place, one) for one in pictures if one is not None]
            self._known[box, place] = max(alike, default=0.0)
        return self._known[box, place]


def kind_of(target: TargetSpec) -> Kind:
    """By what a target is told from its likes."""
    if target.type in FIELD_TYPES:
        return "field"
    if target.type in TICKED:
        return "tick"
    return "named" if target.label else "sign"


def things_of(screen: ObservedScreen, kind: Kind, target: TargetSpec, line_px: float) -> list[Box]:
    """All of that kind on a screen."""
    return [Box.of(one.bbox) for one in screen.state.ui_elements if _is_like(one, kind, target, line_px)]


def _is_like(one: UIElement, kind: Kind, target: TargetSpec, line_px: float) -> bool:
    if kind == "field":
        return one.type in FIELD_TYPES
    if kind == "tick":
        return one.type in TICKED
    if kind == "named":
        return letters(one.label) == letters(target.label or "") and related(one.type, target.type or "button")
    return (
        one.type not in FIELD_TYPES
        and one.type not in TICKED
        and max(one.bbox[2] - one.bbox[0], one.bbox[3] - one.bbox[1]) <= _SIGN_LINES * line_px
        and len(letters(one.label)) < _MIN_WORD
    )


def _sighted(then: ObservedScreen, box: Box, now: ObservedScreen, lines: Lines, seen: Sequence[Box]) -> list[Box]:
    """Places that look like it, where nothing was detected."""
    look = np.ascontiguousarray(then.pixels[box.y1 : box.y2, box.x1 : box.x2])
    return [
        place
        for place, score in places_like(now.pixels, look, lines.growth)
        if score >= _SIGHTED and not any(is_one_thing(place, one) for one in seen)
    ]


def _of_size(one: Box, box: Box, growth: float, kind: Kind) -> bool:
    """As high as it must be, more or less: a detected button is larger than the sign in it."""
    ratio = one.height / (growth * box.height)
    return kind == "named" or 1.0 / _AS_LARGE <= ratio <= _AS_LARGE
