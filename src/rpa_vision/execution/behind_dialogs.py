"""What a dialog lies before: a click would not reach it.

A box that was there when the target was acted on is no dialog to be answered first, whatever it is taken for today:
either it was known as a dialog then, or all it says stood there then, in the same places.
"""

from __future__ import annotations

from rapidfuzz import fuzz

from rpa_vision.embedding.salience import front_of
from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_AT_PLACE = 0.5
_MIN_LINES = 3
_MIN_LETTERS = 2
_NEARLY_ALL = 0.8
_MUCH_THE_SAME = 75.0


def out_of_reach(element: UIElement, search: Search) -> bool:
    """Whether a dialog lies before an element that did not lie before the target when it was recorded."""
    if element.metadata.get("behind_dialog") is not True:
        return False
    place = search.target.place
    dialogs = [Box.of(one.bbox) for one in search.target.landmarks if one.type == "dialog"]
    if place is not None and any(not box.contains(Box.of(place.bbox).center) for box in dialogs):
        return False
    front = front_of(search.screen.state.ui_elements)
    return front is None or not stood_there(front, search)


def stood_there(front: Box, search: Search) -> bool:
    """What a box says was said on the recorded screen, each line where it must be by the landmarks. A line that was
    read a little otherwise in the very place of another is that line."""
    sky = search.sky
    if sky is None or not sky.is_sure:
        return False
    reach = constellation.reach_of(search)
    then = [(letters(one.label), sky.fit.box(Box.of(one.bbox))) for one in search.target.landmarks]
    lines = [one for one in search.screen.state.perception.text_lines if front.contains(Box.of(one.bbox).center)]
    said = [(letters(one.text), Box.of(one.bbox)) for one in lines if len(letters(one.text)) >= _MIN_LETTERS]
    known = [
        any(much_the_same(words, own) and constellation.nearness(box, place, reach) >= _AT_PLACE for own, place in then)
        for words, box in said
    ]
    return sum(known) >= _MIN_LINES and sum(known) >= _NEARLY_ALL * len(known)


def much_the_same(one: str, other: str) -> bool:
    """Whether two lines in one place are one line, read twice; never where a number is another."""
    if one == other:
        return True
    if [char for char in one if char.isdigit()] != [char for char in other if char.isdigit()]:
        return False
    return fuzz.ratio(one, other) >= _MUCH_THE_SAME
