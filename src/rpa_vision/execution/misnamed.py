"""What has no words is called by what stands beside it: « Oui » and « Non » may change places, their round buttons
look alike.

Of several of a kind, each is named by the text on its line that is nearer to it than to any other, and, where they
stand in a line, by the heading of its column. Where that name is gone from the screen and new words took its place it
may be called otherwise now; where it stands beside another one, or another's name stands here, this is not the target.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters, misread_as
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_MIN_LETTERS = 2

_Text = tuple[Box, str]


def misnamed(element: UIElement, search: Search) -> str | None:
    """Why something without words is another of its kind, by what stands beside it; None where nothing says so."""
    target = search.target
    if search.label or target.place is None or search.rows:
        return None
    recorded, here = Box.of(target.place.bbox), Box.of(element.bbox)
    peers_then = [Box.of(one.bbox) for one in target.landmarks if not one.label and one.type == target.type]
    peers = [
        box
        for one in search.screen.state.ui_elements
        if not one.label and one.type == target.type and (box := Box.of(one.bbox)).intersection(here) is None
    ]
    if not peers_then and not peers:
        return None
    then = _texts((Box.of(one.bbox), one.label) for one in target.landmarks)
    now = _texts((Box.of(one.bbox), one.label) for one in search.elements)
    for name_of in (_on_its_line, _above_it):
        was, called = name_of(recorded, then, peers_then), name_of(here, now, peers)
        if was is None or (called is not None and _means(called, was)):
            continue
        moved = any(_means(said, was) for _, said in now)
        anothers = called is not None and any(_means(called, said) for _, said in then)
        if moved or anothers:
            if called is None:
                return f"« {was} » does not stand beside it any more"
            return f"beside it stands « {called} », and not « {was} » as before"
    return None


def _texts(said: Iterable[_Text]) -> list[_Text]:
    return [(box, text) for box, text in said if len(letters(text)) >= _MIN_LETTERS]


def _on_its_line(here: Box, texts: Sequence[_Text], peers: Sequence[Box]) -> str | None:
    """The nearest text on its line that is not nearer to another of its kind."""
    beside = [(_across(here, box), box, said) for box, said in texts if _in_line(here, box)]
    own = [
        (apart, said)
        for apart, box, said in beside
        if apart > 0 and all(apart < _across(peer, box) for peer in peers if _in_line(peer, here))
    ]
    return min(own)[1] if own else None


def _above_it(here: Box, texts: Sequence[_Text], peers: Sequence[Box]) -> str | None:
    """The heading of its column, where others of its kind stand beside it."""
    if not any(_in_line(peer, here) for peer in peers):
        return None
    column = [(here.y1 - box.y2, said) for box, said in texts if box.y2 <= here.y1 and _in_column(here, box)]
    return min(column)[1] if column else None


def _means(said: str, wanted: str) -> bool:
    return letters(said) == letters(wanted) or same_meaning(said, wanted) or misread_as(said, wanted)


def _in_line(one: Box, other: Box) -> bool:
    return min(one.y2, other.y2) - max(one.y1, other.y1) > 0.5 * min(one.height, other.height)


def _in_column(one: Box, other: Box) -> bool:
    return min(one.x2, other.x2) - max(one.x1, other.x1) > 0.5 * min(one.width, other.width)


def _across(one: Box, other: Box) -> int:
    return max(0, other.x1 - one.x2, one.x1 - other.x2)
