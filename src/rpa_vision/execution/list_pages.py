"""Which page of a list is shown, whether it is the last, and the controls that lead to the pages beside it.

What leads on may be called otherwise by now (« Page suivante », « Next »). A list that was left on its third page
begins there in the next run. Pages before it are gone back to, where the control for that stands beside the one for the
next page; where the list says that there are such pages and nothing leads to them, that is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded

_PAGE: Final = re.compile(r"\bpage (?:n[°o] ?)?(\d+)(?: ?(?:/|sur|of|de) ?(\d+)\b|$)")
_ROWS: Final = re.compile(r"^(?:\w+ ){0,2}(\d+) ?(?:-|a|to|à) ?(\d+) ?(?:/|sur|of|de) ?(\d+)\b")
_BARE: Final = re.compile(r"(\d{1,3}) ?(?:/|sur|of) ?(\d{1,3})")
"""« 2 / 2 »: a page only where nothing else on the screen says it better, and where it stands alone, in no row."""
_ONWARD: Final = re.compile(r"(page )?(suivante?s?|next( page)?)( page)?( ?[>›»→]+)?|[>›→]+")
_BACK: Final = frozenset(
    {"precedent", "precedente", "page precedente", "previous", "previous page", "prev", "<", "‹", "«", "←"}
)
_CLICKED: Final = ("button", "link", "icon")


@dataclass(frozen=True, slots=True)
class PageSaid:
    """What a list says of the page that is shown: by the number of the page, or by the numbers of its rows."""

    first: int
    last: int
    of: int | None
    """How many there are, where that is said."""
    is_plain: bool = True
    """It says that it speaks of pages or rows; « 2 / 2 » alone may be something else."""

    @property
    def is_later(self) -> bool:
        """Whether there are pages before it."""
        return self.first > 1

    @property
    def is_last(self) -> bool | None:
        """Whether there are none after it; None where it does not say how many there are."""
        return None if self.of is None else self.last >= self.of


def page_said(state: ScreenState, rows: Sequence[Box] = ()) -> PageSaid | None:
    """What the list says of the page that is shown; nothing that stands in one of its `rows` says that."""
    bare: list[PageSaid] = []
    for line in state.perception.text_lines:
        said = folded(line.text).strip(" .:()")
        if any(row.y1 <= Box.of(line.bbox).center[1] <= row.y2 for row in rows):
            continue
        page, some, pair = _PAGE.search(said), _ROWS.search(said), _BARE.fullmatch(said)
        if page is not None:
            return PageSaid(int(page[1]), int(page[1]), int(page[2]) if page[2] else None)
        if some is not None and int(some[1]) <= int(some[2]) <= int(some[3]):
            return PageSaid(int(some[1]), int(some[2]), int(some[3]))
        if pair is not None and 1 <= int(pair[1]) <= int(pair[2]):
            bare.append(PageSaid(int(pair[1]), int(pair[1]), int(pair[2]), is_plain=False))
    return bare[0] if len(bare) == 1 else None


def is_later_page(state: ScreenState) -> bool | None:
    """Whether the list says that there are pages before this one; None where it says nothing."""
    said = page_said(state)
    return said.is_later if said is not None else None


def ways_on(elements: Sequence[UIElement]) -> list[UIElement]:
    """What says in any words that it leads to the next page."""
    return [one for one in elements if one.type in _CLICKED and _ONWARD.fullmatch(folded(one.label).strip(" ."))]


def ways_back(next_label: str, elements: Sequence[UIElement]) -> list[UIElement]:
    """What says that it leads to the page before, on one line with what leads to the next one and left of it."""
    named = [one for one in elements if same_words(one.label, next_label)] or ways_on(elements)
    onward = [Box.of(one.bbox) for one in named]
    return [
        one
        for one in elements
        if one.type in _CLICKED and folded(one.label).strip(" .") in _BACK and _is_left_of_one(one, onward)
    ]


def _is_left_of_one(element: UIElement, others: Sequence[Box]) -> bool:
    box = Box.of(element.bbox)
    return any(box.x2 <= other.x1 and abs(box.center[1] - other.center[1]) <= box.height // 2 for other in others)
