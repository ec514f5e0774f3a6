"""One of several of a name by the texts right beside it: « Trash » below « Mail », and not the one below « Notes ».

A menu may say a name twice, and another kit draws it elsewhere; what stands right before and after an entry stays. It
tells only if as many say the name as did, one of them stands between the same texts now, and no other stood between
these. What stands in every row of a table has itself above and below: there the row tells, and not this.
"""

from __future__ import annotations

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

NAME = "same_neighbours"
_MIN_LETTERS = 3
_FLUSH_LINES = 0.8
_NEXT_LINES, _BESIDE_LINES = 3.0, 4.0

_Text = tuple[str, Box]
_Beside = tuple[str, str, str, str]
"""What is said above, below, left and right of a text; empty where nothing is."""


def find(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen) -> Box | None:
    """The text of its name that has the same neighbours: above and below, left and right, or, where it is the first
    or the last, on all sides. None where that cannot be told."""
    own = letters(target.label or "")
    if len(own) < _MIN_LETTERS or target.type in FIELD_TYPES or target.type in TICKED:
        return None
    texts, texts_now = _texts(then), _texts(now)
    said, says = ([at for text, at in some if text == own] for some in (texts, texts_now))
    here = [at for at in said if box.contains(at.center)]
    if len(here) != 1 or len(said) < 2 or len(said) != len(says):
        return None
    wanted = _beside(texts, here[0])
    if own in wanted:
        return None
    for sides in (slice(0, 2), slice(2, 4), slice(0, 4)):
        if not all(wanted[sides]) and not (sides.stop - sides.start == len(wanted) and any(wanted[:2])):
            continue
        if any(_beside(texts, twin)[sides] == wanted[sides] for twin in said if twin != here[0]):
            return None
        there = [at for at in says if _beside(texts_now, at)[sides] == wanted[sides]]
        if there:
            return there[0] if len(there) == 1 else None
    return None


def _texts(screen: ObservedScreen) -> list[_Text]:
    return [(said, Box.of(line.bbox)) for line in screen.state.perception.text_lines if (said := letters(line.text))]


def _beside(texts: list[_Text], at: Box) -> _Beside:
    flush = [one for one in texts if abs(one[1].x1 - at.x1) <= _FLUSH_LINES * at.height and one[1] != at]
    level = [one for one in texts if at.y1 <= one[1].center[1] < at.y2 and one[1] != at]
    above = [(at.y1 - one.y2, said) for said, one in flush if one.center[1] < at.y1]
    below = [(one.y1 - at.y2, said) for said, one in flush if one.center[1] > at.y2]
    left = [(at.x1 - one.x2, said) for said, one in level if one.center[0] < at.x1]
    right = [(one.x1 - at.x2, said) for said, one in level if one.center[0] > at.x2]
    down, across = _NEXT_LINES * at.height, _BESIDE_LINES * at.height
    return (_nearest(above, down), _nearest(below, down), _nearest(left, across), _nearest(right, across))


def _nearest(some: list[tuple[int, str]], reach: float) -> str:
    gap, said = min(some, default=(0, ""))
    return said if gap <= reach else ""
