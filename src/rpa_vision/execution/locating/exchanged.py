"""Two neighbours that changed places: the words of each stand where those of the other stood.

Nothing else tells that as surely as both together. They stood beside each other with nothing between, they do now, the
other way round, and the two fill the same part of their line.
"""

from __future__ import annotations

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.behind_dialogs import much_the_same
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.strategies.landmark_fit import Fit
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

NAME = "exchanged"
_MIN_LETTERS = 3
_FILLS_PX = 10
"""How far the ends of the part they fill may be off, at the size it has now."""
_FAR = 6.0
"""How far apart neighbours stand at most, in heights of their words."""

_Text = tuple[str, Box]


def find(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen, fit: Fit | None) -> Box | None:
    """Where the words of a target stand now that a neighbour's stand in its place; None where that is not so."""
    own = letters(target.label or "")
    if fit is None or len(own) < _MIN_LETTERS or target.type in FIELD_TYPES or target.type in TICKED:
        return None
    was = [at for said, at in _texts(then) if said == own and box.contains(at.center)]
    seen = [at for said, at in _texts(now) if said == own and at.y1 <= fit.box(box).center[1] < at.y2]
    if len(was) != 1 or len(seen) != 1:
        return None
    row, row_now = _row(then, was[0]), _row(now, seen[0])
    at, at_now = row.index((own, was[0])), row_now.index((own, seen[0]))
    for step in (-1, 1):
        if not (0 <= at + step < len(row) and 0 <= at_now - step < len(row_now)):
            continue
        (said, beside), (says, beside_now) = row[at + step], row_now[at_now - step]
        is_one = says != own and much_the_same(said, says)
        if is_one and _is_one_part(was[0], beside, seen[0], beside_now, fit):
            return seen[0]
    return None


def _is_one_part(was: Box, beside: Box, seen: Box, beside_now: Box, fit: Fit) -> bool:
    """Whether two texts fill the part of a line that they filled, close to each other."""
    before, after = fit.box(was.union(beside)), seen.union(beside_now)
    close = after.width - seen.width - beside_now.width <= _FAR * seen.height
    off = _FILLS_PX * max(1.0, fit.scale)
    return close and all(abs(a - b) <= off for a, b in zip(before.bbox, after.bbox, strict=True))


def _texts(screen: ObservedScreen) -> list[_Text]:
    return [(letters(line.text), Box.of(line.bbox)) for line in screen.state.perception.text_lines]


def _row(screen: ObservedScreen, own: Box) -> list[_Text]:
    """The texts in the line of one of them, from left to right."""
    beside = [one for one in _texts(screen) if one[0] and own.y1 <= one[1].center[1] < own.y2]
    return sorted(beside, key=lambda one: one[1].x1)
