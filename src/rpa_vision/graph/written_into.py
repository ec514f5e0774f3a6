"""Which field was written into, when somebody typed where the focus already was.

It is the one in which the text appeared. Others change meanwhile, too: bars turn pale while a cell is edited, a list
beside it is filtered. So a field in which the text can be read comes first, and one that says what it said before is
none. Where the text appeared twice, in the cell of a sheet and in the bar above it, nobody can tell into which of them
it went: it was typed where the focus was, and that is all that is known.
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
_VERY_TEXT = 85.0
"""How alike a line and the whole text are, of 100, if it is that text and not one that has it in it."""
_LETTERS = 3
"""Fewer letters stand in anything."""


def field_written_into(before: ObservedScreen, after: ObservedScreen, text: str | None) -> UIElement | None:
    """The one field that got the text; None where that cannot be told."""
    changes = [box for box in changed_boxes(before.pixels, after.pixels) if box.width > _CARET_WIDTH_PX]
    fields = [element for element in before.state.ui_elements if element.type in FIELD_TYPES]
    touched = [field for field in fields if any(Box.of(field.bbox).contains(box.center) for box in changes)]
    saying = [field for field in touched if text and _reads(_words_in(after, field), text)]
    if not saying:
        saying = [field for field in touched if not _is_as_it_was(_words_in(before, field), _words_in(after, field))]
    if len(saying) != 1 or (text and _is_mirrored(after, changes, Box.of(saying[0].bbox), text)):
        return None
    return saying[0]


def _is_mirrored(after: ObservedScreen, changes: Sequence[Box], field: Box, text: str) -> bool:
    """Whether the very text appeared outside of a field as well."""
    lines = [(Box.of(line.bbox), squeezed(line.text)) for line in after.state.perception.text_lines]
    new = [(box, shown) for box, shown in lines if any(box.intersection(change) is not None for change in changes)]
    return any(
        not field.contains(box.center) and len(shown) >= _LETTERS and fuzz.ratio(shown, squeezed(text)) >= _VERY_TEXT
        for box, shown in new
    )


def _words_in(screen: ObservedScreen, field: UIElement) -> str:
    box = Box.of(field.bbox)
    lines = screen.state.perception.text_lines
    return squeezed(" ".join(line.text for line in lines if box.contains(Box.of(line.bbox).center)))


def _reads(shown: str, text: str) -> bool:
    typed = squeezed(text)
    if min(len(shown), len(typed)) < _LETTERS:
        return shown == typed
    return fuzz.partial_ratio(shown, typed) >= _READ_AS


def _is_as_it_was(before: str, after: str) -> bool:
    return bool(before) and before == after
