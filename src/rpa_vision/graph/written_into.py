"""Which field was written into, when somebody typed where the focus already was.

It is the one in which the text appeared. Others change meanwhile, too: bars turn pale while a cell is edited, a list
beside it is filtered. So one that says what it said before is none, whatever that is, and of the others a field in
which a good part of the text can be read comes first. Where the text appeared twice, in the cell of a sheet and in the
bar above it, or may have appeared in another field as well, nobody can tell into which of them it went: it was typed
where the focus was, and that is all that is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import squeezed

_CARET_WIDTH_PX = 3
_READ_AS = 80.0
"""How much of what is shown must be in what was typed, of 100: readers slip, and a narrow field shows a part."""
_MAY_BE = 60.0
"""How much of what is shown is in what was typed, of 100, if it may be that text badly read."""
_GOOD_PART = 0.4
"""How much of the text a field shows that is too narrow for it. A few letters of a long text stand in anything."""
_VERY_TEXT = 85.0
"""How alike a line and the whole text are, of 100, if it is that text and not one that has it in it."""
_LETTERS = 3
"""Fewer letters stand in anything."""


def field_written_into(before: ObservedScreen, after: ObservedScreen, text: str | None) -> UIElement | None:
    """The one field that got the text; None where that cannot be told."""
    changes = [box for box in changed_boxes(before.pixels, after.pixels) if box.width > _CARET_WIDTH_PX]
    fields = [element for element in before.state.ui_elements if element.type in FIELD_TYPES]
    touched = [field for field in fields if any(Box.of(field.bbox).contains(box.center) for box in changes)]
    changed = [(field, _words_in(after, field)) for field in touched if not _is_as_it_was(before, after, field)]
    if text and any(_reads(words, text) for _, words in changed):
        changed = [(field, words) for field, words in changed if words and _may_be(words, text)]
    if len(changed) != 1:
        return None
    field, words = changed[0]
    if text and (_says_else(field, words, text) or _is_mirrored(before, after, changes, Box.of(field.bbox), text)):
        return None
    return field


def _says_else(field: UIElement, words: str, text: str) -> bool:
    """Whether the only field that changed does not show the text: it was emptied, turned pale, or says another thing
    or too little to tell. What is written into a field for secrets is not shown."""
    if not words:
        return field.type != "password_input"
    return not _may_be(words, text) or len(words) < _GOOD_PART * len(squeezed(text))


def _is_mirrored(before: ObservedScreen, after: ObservedScreen, changes: Sequence[Box], field: Box, text: str) -> bool:
    """Whether the very text appeared outside of a field as well."""
    stood = _lines_of(before)
    new = [
        (box, shown)
        for box, shown in _lines_of(after)
        if any(box.intersection(change) is not None for change in changes)
        and not any(shown == said and box.contains(place.center) for place, said in stood)
    ]
    return any(not field.contains(box.center) and _is_very_text(shown, squeezed(text)) for box, shown in new)


def _lines_of(screen: ObservedScreen) -> list[tuple[Box, str]]:
    return [(Box.of(line.bbox), squeezed(line.text)) for line in screen.state.perception.text_lines]


def _is_very_text(shown: str, typed: str) -> bool:
    if min(len(shown), len(typed)) < _LETTERS:
        return shown == typed
    return fuzz.ratio(shown, typed) >= _VERY_TEXT


def _words_in(screen: ObservedScreen, field: UIElement) -> str:
    box = Box.of(field.bbox)
    return "".join(words for place, words in _lines_of(screen) if box.contains(place.center))


def _reads(shown: str, text: str) -> bool:
    typed = squeezed(text)
    if min(len(shown), len(typed)) < _LETTERS:
        return shown == typed
    return len(shown) >= _GOOD_PART * len(typed) and fuzz.partial_ratio(shown, typed) >= _READ_AS


def _may_be(shown: str, text: str) -> bool:
    """Whether the words of a field may be the text or a part of it, badly read."""
    typed = squeezed(text)
    if min(len(shown), len(typed)) < _LETTERS:
        return shown.startswith(typed) or typed.startswith(shown)
    return fuzz.partial_ratio(shown, typed) >= _MAY_BE


def _is_as_it_was(before: ObservedScreen, after: ObservedScreen, field: UIElement) -> bool:
    said = _words_in(before, field)
    return bool(said) and said == _words_in(after, field)
