"""Which page of a list is shown, and the control that leads to the page before it.

A list that was left on its third page begins there in the next run. Pages before it are gone back to, where the control
for that stands beside the one for the next page; where the list says that there are such pages and nothing leads to
them, that is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded

_PAGE: Final = re.compile(r"\bpage (?:n[°o] ?)?(\d+)(?: ?(?:/|sur|of|de) ?\d+\b|$)")
_ROWS: Final = re.compile(r"^(?:\w+ ){0,2}(\d+) ?(?:-|a|to|à) ?(\d+) ?(?:/|sur|of|de) ?\d+\b")
_BACK: Final = frozenset(
    {"precedent", "precedente", "page precedente", "previous", "previous page", "prev", "<", "‹", "«", "←"}
)
_CLICKED: Final = ("button", "link", "icon")


def is_later_page(state: ScreenState) -> bool | None:
    """Whether the list says that there are pages before this one; None where it says nothing."""
    for line in state.perception.text_lines:
        said = folded(line.text).strip(" .:")
        page, rows = _PAGE.search(said), _ROWS.search(said)
        if page is not None:
            return int(page[1]) > 1
        if rows is not None and int(rows[1]) <= int(rows[2]):
            return int(rows[1]) > 1
    return None


def ways_back(next_label: str, elements: Sequence[UIElement]) -> list[UIElement]:
    """What says that it leads to the page before, on one line with what leads to the next one and left of it."""
    onward = [Box.of(one.bbox) for one in elements if same_words(one.label, next_label)]
    return [
        one
        for one in elements
        if one.type in _CLICKED and folded(one.label).strip(" .") in _BACK and _is_left_of_one(one, onward)
    ]


def _is_left_of_one(element: UIElement, others: Sequence[Box]) -> bool:
    box = Box.of(element.bbox)
    return any(box.x2 <= other.x1 and abs(box.center[1] - other.center[1]) <= box.height // 2 for other in others)
