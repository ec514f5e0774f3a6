"""A box to tick or a field as the only one of its kind that its caption names, then and now.

Another kit, size or zoom puts a caption above a field that stood left of it, and breaks it into two lines. What is
captioned is told on each screen for itself (`captions`); so whoever alone has the caption has kept it, however far
away. Where the words are said more or less often than they were, one of those who say them came or went.
"""

from __future__ import annotations

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import shared_lines
from rpa_vision.execution.locating.captions import (
    Caption,
    Kind,
    caption_of,
    is_of_kind,
    is_switched_off,
    lost_of_its_row,
)
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.shapes import each_once, is_one_thing
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box

NAME = "only_captioned"
_MIN_LETTERS = 4
_KNOWN_AROUND = 0.5
_AS_LARGE = 2.0
_NEXT_LINES, _FLUSH_LINES, _AS_HIGH = 0.7, 0.4, 0.25
_BESIDE_LINES = 3.5


def find(then: ObservedScreen, box: Box, now: ObservedScreen, kind: Kind) -> Box | None:
    """The only one of its kind by its caption; None where there was another, or is none or another."""
    was, lines = caption_of(then, box, kind), shared_lines(then, now, box)
    if was is None or was.is_far or lines is None or len(letters(was.text)) < _MIN_LETTERS:
        return None
    names = _readings(then, was)
    if lines.known_around(box) < _KNOWN_AROUND or _often(then, names) != _often(now, names):
        return None
    if kind == "mark" and lost_of_its_row(then, box, now, names):
        return None
    if any(not is_one_thing(one, box) for one in _captioned(then, kind, was, names)):
        return None
    there = _captioned(now, kind, was, names)
    high = lines.growth * box.height
    if len(there) != 1 or not 1 / _AS_LARGE <= there[0].height / high <= _AS_LARGE:
        return None
    return None if is_switched_off(now, there[0]) else there[0]


def _captioned(screen: ObservedScreen, kind: Kind, was: Caption, names: set[str]) -> list[Box]:
    """All of a kind that bear one of some names; a mark on the same side."""
    found = list[Box]()
    for one in each_once(Box.of(element.bbox) for element in screen.state.ui_elements if is_of_kind(element, kind)):
        seen = caption_of(screen, one, kind)
        if seen is not None and (kind == "field" or seen.side == was.side) and names & _readings(screen, seen):
            found.append(one)
    return found


def _readings(screen: ObservedScreen, caption: Caption) -> set[str]:
    """What a caption says: its line, and with the next one where it goes on right below."""
    own = caption.box
    below = [
        (line.text, at)
        for line in screen.state.perception.text_lines
        if -0.3 * own.height <= (at := Box.of(line.bbox)).y1 - own.y2 <= _NEXT_LINES * own.height
        and abs(at.x1 - own.x1) <= _FLUSH_LINES * own.height
        and abs(at.height - own.height) <= _AS_HIGH * own.height
    ]
    marks = [Box.of(one.bbox) for one in screen.state.ui_elements if one.type in TICKED]
    whole = {
        letters(caption.text + text)
        for text, at in below
        if not any(_is_beside(mark, at) for mark in marks)  # that line is the caption of another
    }
    return {letters(caption.text), *whole}


def _is_beside(mark: Box, text: Box) -> bool:
    in_line = text.y1 <= mark.center[1] < text.y2
    return in_line and max(mark.x1 - text.x2, text.x1 - mark.x2) <= _BESIDE_LINES * text.height


def _often(screen: ObservedScreen, names: set[str]) -> int:
    """How often something is said, whole or as the line it begins with."""
    first = min(names, key=len)
    said = [letters(line.text) for line in screen.state.perception.text_lines]
    return sum(one == first or one in names for one in said)
