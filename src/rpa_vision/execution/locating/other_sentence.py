"""What a dialog says that nobody knew as one: above « Annuler » and « Valider », beside each other, something is asked.

A question mark may be covered or not be read, and a question be read as part of the line behind it. So above such a
pair every sentence counts: where one of them is gone and another has come, another thing is answered. Not in a form:
what stands there between its fields and its buttons may say something else of every record.
"""

from __future__ import annotations

from typing import Final

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.graph.dialog_words import all_said
from rpa_vision.models.geometry import Box

_WAY_OUT: Final = "cancel"
"""The role of « Annuler », « Non », « No »."""
_MIN_WORDS = 3
_FORM_LINES = 1.2
"""A field so near above them belongs to the same box."""
_GAP_LINES = 4.0
"""The lines of a dialog do not stand farther apart than that, nor its buttons below them."""
_MOST_APART = 12.0
"""Nor do its two buttons, in their heights."""


def other_sentence(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> str | None:
    """A sentence above a place and a way out beside it that came instead of one that stood above the recorded box."""
    said, says = _sentences(then, box), _sentences(now, place)
    if not said or not says:
        return None
    known, heard = ([line.text for line in screen.state.perception.text_lines] for screen in (then, now))
    if all(all_said([line], heard) for line in said):
        return None
    return next((line for line in says if not all_said([line], known)), None)


def _sentences(screen: ObservedScreen, box: Box) -> list[str]:
    """The lines of several words above a button that has a way out beside it, as far as they follow one another."""
    pair = _pair(screen, box)
    if pair is None:
        return []
    fields = [Box.of(one.bbox) for one in screen.state.ui_elements if one.type in FIELD_TYPES or one.type in TICKED]
    lines = [(Box.of(line.bbox), line.text) for line in screen.state.perception.text_lines]
    above = sorted(
        (one for one in lines if one[0].y2 <= pair.y1 + one[0].height and _spans(one[0], pair)),
        key=lambda one: -one[0].y2,
    )
    found, top, low = list[str](), pair.y1, pair.height
    for at, text in above:
        if top - at.y2 > _GAP_LINES * at.height:
            break
        top, low = min(top, at.y1), min(low, at.height)
        if len(text.split()) >= _MIN_WORDS:
            found.append(text)
    is_form = any(_spans(field, pair) and top - _FORM_LINES * low < field.y2 <= pair.y1 for field in fields)
    return [] if is_form else found


def _pair(screen: ObservedScreen, box: Box) -> Box | None:
    """The button and the way out in its line, together."""
    beside = [
        at
        for one in screen.state.ui_elements
        if one.type in ("button", "link") and one.role == _WAY_OUT
        and abs((at := Box.of(one.bbox)).center[1] - box.center[1]) <= box.height / 2
        and not at.contains(box.center)
        and max(at.x1 - box.x2, box.x1 - at.x2) <= _MOST_APART * max(box.height, at.height)
    ]  # fmt: skip
    return box.union(beside[0]) if len(beside) == 1 else None


def _spans(line: Box, pair: Box) -> bool:
    """Whether a line stands above the two: its middle between them, or it begins where they do."""
    return pair.x1 <= line.center[0] <= pair.x2 or abs(line.x1 - pair.x1) <= line.height
