"""Something without words, or of a name said twice, by how it stands among the words of two whole screens.

A page that is zoomed, narrowed or drawn by another kit is laid out anew: no one scale and shift takes it to what it
was, but what stands beside a word stays beside it. So every line that both screens say once tells how far across and
how far down something must be from it, in letters of the size they have now; the near lines have the most to say, and
across and down are asked apart. All that is alike on one screen is held against all that is alike on the other, and
what was recorded is only what fits it best, and whom it fits best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box

_MIN_LETTERS = 2
_MIN_LINES = 3
_LONG = 6
_READ_OTHERWISE = 80.0
_HALF_A_SAY = 8.0
"""In lines: how far away a line is that says a quarter of what one beside it says."""
_LOOSE, _DRIFT = 0.5, 0.05
"""How far off something may stand: in lines, and per pixel of its distance to the line that says so."""

_SAME_LETTERS = 0.12
"""So far apart the growth of lines across and down may be measured: lines are measured better along their length."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of text that both screens say once, as they were and as they are."""

    then: Array
    now: Array
    growth: float
    """By how much the letters grew."""
    height: float
    """How high a line is on the recorded screen."""
    unsaid: Array
    """The lines that the recorded screen said once and this one does not say."""

    def fits(self, things: Sequence[Box], seen: Sequence[Box]) -> Array:
        """How well each recorded thing fits each that is seen, from 0 to 1: a row for each recorded one."""
        return np.array([self._fit(_array([thing])[0], _array(seen)) for thing in things])

    def known_around(self, thing: Box) -> float:
        """How much of what stood around something is still said, the near lines first."""
        box = _array([thing])[0]
        said, unsaid = (float(_say(*self._away(box, lines)).sum()) for lines in (self.then, self.unsaid))
        return said / (said + unsaid)

    def _away(self, thing: Array, lines: Array) -> tuple[Array, Array]:
        """How far lines are away from something across and down, in lines."""
        across = _gap(thing[0], thing[2], lines[:, 0], lines[:, 2])
        down = _gap(thing[1], thing[3], lines[:, 1], lines[:, 3])
        return across / self.height, down / self.height

    def _fit(self, thing: Array, seen: Array) -> Array:
        across, down = self._away(thing, self.then)
        loose = self.growth * self.height * (_LOOSE + _DRIFT * np.maximum(across, down))
        off_across = np.min([np.abs(off) for off in self._off(thing, seen, _SIDES)], axis=0)
        off_down = np.abs(next(self._off(thing, seen, _MIDDLES)))
        right_across = _heard(off_across, loose, _say(across, down))
        return np.sqrt(right_across * _heard(off_down, loose, _say(across, 2 * down)))

    def _off(self, thing: Array, seen: Array, sides: Sequence[tuple[Array, Array]]) -> Iterator[Array]:
        """How far what is seen stands off from where each line says: for each way to measure it, seen by lines."""
        for own, other in sides:
            apart = thing @ own - self.then @ other
            yield (seen @ own)[:, None] - (self.now @ other)[None] - self.growth * apart[None]


_LEFT, _RIGHT, _MIDDLE = np.array([1.0, 0, 0, 0]), np.array([0, 0, 1.0, 0]), np.array([0.5, 0, 0.5, 0])
_SIDES = ((_LEFT, _LEFT), (_RIGHT, _RIGHT), (_MIDDLE, _MIDDLE), (_LEFT, _RIGHT), (_RIGHT, _LEFT))
"""What may keep its distance across: letters grow unevenly, and what stands beside them goes by where they end."""
_MIDDLES = ((np.array([0, 0.5, 0, 0.5]), np.array([0, 0.5, 0, 0.5])),)


def _say(across: Array, down: Array) -> Array:
    return np.asarray(1.0 / (1.0 + (across + down) / _HALF_A_SAY) ** 2)


def _heard(off: Array, loose: Array, say: Array) -> Array:
    return np.asarray((np.exp(-0.5 * (off / loose[None]) ** 2) * say[None]).sum(axis=1) / say.sum())


def _gap(first: float, last: float, begins: Array, ends: Array) -> Array:
    return np.maximum(0.0, np.maximum(begins - last, first - ends))


def _array(boxes: Sequence[Box]) -> Array:
    return np.array([box.bbox for box in boxes], float).reshape(-1, 4)


def shared_lines(then: ObservedScreen, now: ObservedScreen, without: Box) -> Lines | None:
    """The lines both screens say once, but for what stands in a box; None where there are too few."""
    before, after = said_once(then), said_once(now)
    pairs = [(line, after[said]) for said, line in before.items() if said in after]
    rest = {said: line for said, line in after.items() if said not in before and len(said) >= _LONG and said.isalpha()}
    for said, line in before.items():
        if said in after or len(said) < _LONG or not said.isalpha():
            continue
        alike = [other for other in rest if fuzz.ratio(said, other) >= _READ_OTHERWISE]
        if len(alike) == 1:
            pairs.append((line, rest[alike[0]]))
    kept = {line for line, _ in pairs}
    unsaid = [line for line in before.values() if line not in kept and not without.contains(line.center)]
    pairs = [pair for pair in pairs if not without.contains(pair[0].center)]
    if len(pairs) < _MIN_LINES:
        return None
    first, second = _array([one for one, _ in pairs]), _array([other for _, other in pairs])
    heights = first[:, 3] - first[:, 1]
    grown = float(np.median((second[:, 3] - second[:, 1]) / heights))
    wider = float(np.median((second[:, 2] - second[:, 0]) / (first[:, 2] - first[:, 0])))
    growth = wider if abs(wider / grown - 1.0) < _SAME_LETTERS else grown
    return Lines(first, second, growth, float(np.median(heights)), _array(unsaid))


def said_once(screen: ObservedScreen) -> dict[str, Box]:
    """Lines of a screen that nothing else says, by their letters."""
    found: dict[str, list[Box]] = defaultdict(list)
    for line in screen.state.perception.text_lines:
        if len(said := letters(line.text)) >= _MIN_LETTERS:
            found[said].append(Box.of(line.bbox))
    return {said: boxes[0] for said, boxes in found.items() if len(boxes) == 1}
