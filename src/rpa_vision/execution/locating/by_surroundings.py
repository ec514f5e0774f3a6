"""Where something may be by what stands around it, the strictest way first; whether it is taken is for `admission`.

Each way gives a place or none. Who asks goes on to the next until one of them is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rpa_vision.execution.locating import (
    bars,
    captions,
    exchanged,
    holders,
    in_order,
    likes,
    numbered,
    only_captioned,
    same_neighbours,
    same_row,
    same_sight,
)
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement


def by_number(sought: Sought) -> Iterator[Located]:
    """A page among others, by its number."""
    place = numbered.find(sought.then, sought.box, sought.now)
    if place is not None:
        yield _at(place, numbered.NAME, "says its number among the same pages")


def by_caption(sought: Sought) -> Iterator[Located]:
    """What its caption names."""
    kind = sought.captioned
    place = captions.find(sought.then, sought.box, sought.now, kind) if kind is not None else None
    if place is not None:
        yield _at(place, captions.NAME, "stands by its caption as it stood")
    place = only_captioned.find(sought.then, sought.box, sought.now, kind) if kind is not None else None
    if place is not None:
        yield _at(place, only_captioned.NAME, "alone has its caption, then and now")


def by_row(sought: Sought) -> Iterator[Located]:
    """Where the texts of its row stand beside each other again."""
    place = same_row.find(sought.then, sought.box, sought.target, sought.now)
    if place is not None:
        yield _at(place, same_row.NAME, "stands to the texts of its row as it stood")


def among_likes(sought: Sought, place: same_sight.Place, unopposed: Sequence[UIElement]) -> Iterator[Located]:
    """Of all that is alike on both screens what stands as it stood. `unopposed` is what may be it by its words, with
    nothing against it."""
    then, box, now, target = sought.then, sought.box, sought.now, sought.target
    other = exchanged.find(then, box, target, now, place.fit)
    if other is not None:
        yield _at(other, exchanged.NAME, "it and a neighbour changed places")
    named = same_neighbours.find(then, box, target, now)
    if named is not None:
        yield _at(named, same_neighbours.NAME, f"is the « {target.label} » between the same texts")
    held = holders.find(then, box, now) if not target.label or target.type == "list_item" else None
    if held is not None:
        yield _at(held, holders.NAME, "holds the lines it held, and only it does")
    yield from by_row(sought)
    one = likes.find(then, box, target, now, unopposed)
    if one is not None and one.is_it:
        is_drawn_otherwise = one.kind == "sign" and one.likeness < likes.LOOKS_THE_SAME and place.is_drawn_alike
        why = f"stands among the words as it stood ({one.fit:.2f}, the next {one.rival:.2f})"
        if not is_drawn_otherwise:
            yield _at(one.box, likes.NAME, why, round(one.fit, 4))
    named = None if place.is_in_sight else likes.only_one_of_its_name(then, box, target, now, unopposed)
    if named is not None:
        yield _at(named, likes.NAME, f"alone bears the name « {target.label} », then and now")
    if not place.is_drawn_alike:
        yield from _by_order(sought)


def _by_order(sought: Sought) -> Iterator[Located]:
    """In its bar, and between the texts that were read before it and after it."""
    then, box, now, target = sought.then, sought.box, sought.now, sought.target
    bar = bars.find(then, box, target, now)
    if bar is not None:
        yield _at(bar, bars.NAME, "stands in its bar, in which as many stand in the same order and look the same")
    one = in_order.find(then, box, target, now)
    if one is not None:
        yield _at(one, in_order.NAME, "stands between the texts it stood between, and so do as many of its kind")


def _at(place: Box, name: str, why: str, score: float = 1.0) -> Located:
    return Located("resolved", place, place.center, score, name, None, why)
