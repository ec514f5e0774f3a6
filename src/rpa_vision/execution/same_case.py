"""Is this still the case that was decided on? The button is where it was, and the invoice above it is another one.

What was read is compared, not what was painted: a text that is gone, with another in its place, names another case, and
so does a dialog that asks something else. A clock goes on and a counter counts; lists have their own guard, the row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rpa_vision.embedding.salience import group_texts
from rpa_vision.graph.clocks import TIME
from rpa_vision.graph.dialog_words import message_in_front
from rpa_vision.graph.vocabulary import letters, window_in_front
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.wording import folded, shape

_LARGE_PX = 24
"""What is at least so wide and so high may be something that came up."""
_MIN_LETTERS = 4
_MIN_NAME = 2
"""A lone character names no case: it is an icon that was read, beside which the name comes in (files in a dialog)."""
_WIDE = 1.2
"""How wide a letter is at most, in heights of its line: what is wider is a bar of icons that was read."""
_CELL = re.compile(r"[a-z]{1,3}[0-9]+")
_COLUMNS = 3
_TICKS = re.compile(rf"{TIME}|" r"\d+(?:[.,]\d+)? ?(?:%|(?:ms|s|sec|min|h|j|d)\b)|^\W*\d+(?=\W|$)|\(\d+\)\W*$")
"""Times, shares, how long ago, and how many: what goes on by itself."""


def may_matter(changes: Sequence[Box], state: ScreenState) -> bool:
    """Whether something changed that is worth a look: a text other than a clock, or an area large enough for one."""
    lines = state.perception.text_lines
    clocks = [Box.of(one.bbox).padded(2) for one in lines if _TICKS.search(folded(one.text))]
    texts = [Box.of(one.bbox) for one in lines if not _TICKS.search(folded(one.text))]
    return any(
        any(change.intersection(box) is not None for box in texts)
        or (min(change.width, change.height) >= _LARGE_PX and not any(box.encloses(change) for box in clocks))
        for change in changes
    )


def other_case(then: ScreenState, now: ScreenState, *, waited: bool = False) -> str | None:
    """What shows that a screen is about another case than it was, or None. Where it was `waited` for, texts come in
    their time: only the same text with another number counts."""
    if then is now:
        return None
    was, asked = ({letters(_at_rest(line)): line for line in message_in_front(state) or ()} for state in (then, now))
    if not waited and was.keys() != asked.keys():
        new = next((line for said, line in asked.items() if said not in was), None)
        return f"a dialog says « {new} »" if new is not None else "a dialog does not say any more what it said"
    title, other_title = then.window.title, now.window.title
    if _is_another_number(title, other_title):
        return f"« {title} » is now « {other_title} »"
    said = {letters(line.text) for line in now.perception.text_lines}
    before, after = ([line for line in _naming(state) if not _is_drawing(line)] for state in (then, now))
    for line in before:
        if letters(line.text) in said:
            continue
        for other in after:
            if not _in_its_place(Box.of(line.bbox), Box.of(other.bbox)) or _is_cursor(line, other, now):
                continue
            if _is_another_number(line.text, other.text) or (not waited and _is_another_name(line.text, other.text)):
                return f"« {line.text} » is now « {other.text} »"
    return None


def _naming(state: ScreenState) -> list[TextLine]:
    """The lines of the window in front that are neither cells of a table nor what fields hold."""
    front = window_in_front(state)
    groups = group_texts(front.perception, front.ui_elements)
    named = {*groups.front, *groups.labels}
    return [line for line in front.perception.text_lines if line.text in named]


def _is_another_number(one: str, other: str) -> bool:
    """The same words, with numbers that do not go on by themselves: « Facture FAC-12 », « Facture FAC-13 »."""
    return shape(one) == shape(other) and not _same_at_rest(one, other)


def _is_another_name(one: str, other: str) -> bool:
    return min(len(letters(one)), len(letters(other))) >= _MIN_NAME and not _same_at_rest(one, other)


def _is_drawing(line: TextLine) -> bool:
    box = Box.of(line.bbox)
    return box.width > _WIDE * box.height * len(line.text.strip())


def _is_cursor(was: TextLine, now: TextLine, state: ScreenState) -> bool:
    """Which cell a sheet stands on: « A1 », then « A2 », above a row of the letters of its columns."""
    if not all(_CELL.fullmatch(folded(line.text).strip()) for line in (was, now)):
        return False
    below = [one for one in state.perception.text_lines if len(one.text.strip()) == 1 and one.bbox[1] >= now.bbox[3]]
    for first in below:
        row = sorted((one for one in below if abs(one.bbox[1] - first.bbox[1]) <= 2), key=lambda one: one.bbox[0])
        said = "".join(one.text.strip().lower() for one in row)
        if len(said) >= _COLUMNS and said.isalpha() and all(ord(b) - ord(a) == 1 for a, b in pairwise(said)):
            return True
    return False


def _same_at_rest(one: str, other: str) -> bool:
    """The same words, or these with what came in behind them: a list that is still being filled."""
    first, second = letters(_at_rest(one)), letters(_at_rest(other))
    return first == second or (len(first) >= _MIN_LETTERS and second.startswith(first))


def _at_rest(text: str) -> str:
    """The text without what goes on by itself."""
    return _TICKS.sub("", folded(text))


def _in_its_place(one: Box, other: Box) -> bool:
    """On the same line, beginning or centred in the same place."""
    overlap = min(one.y2, other.y2) - max(one.y1, other.y1)
    apart = min(abs(one.x1 - other.x1), abs(one.center[0] - other.center[0]))
    return overlap > 0.5 * min(one.height, other.height) and apart <= max(one.height, other.height)
