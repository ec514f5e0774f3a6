"""When a place counts as unchanged, and what is said against what was found: each condition alone is enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.same_sight import Place, is_surely_it, is_unchanged
from rpa_vision.execution.locating.sight_verdicts import objection
from rpa_vision.execution.strategies.landmark_fit import Fit
from rpa_vision.graph.targets import target_on
from rpa_vision.imaging.same_place import Comparison, Tiles
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

CLEAR = Comparison(
    box=Box(100, 100, 180, 130),
    likeness=0.99,
    clearness=1.0,
    inside=Tiles(same=8, inked=8, new=0),
    near=Tiles(same=14, inked=15, new=0),
    around=Tiles(same=38, inked=40, new=2),
)
ZOOMED = replace(CLEAR, clearness=0.8, likeness=0.75, inside=Tiles(7, 8, 0), near=Tiles(13, 15, 0))


@pytest.mark.parametrize("one", [CLEAR, ZOOMED])
def test_the_same_place_is_unchanged(one: Comparison) -> None:
    """EX-4"""
    assert is_unchanged(one)


@pytest.mark.parametrize(
    "one",
    [
        replace(CLEAR, clearness=0.4),
        replace(CLEAR, likeness=0.5),
        replace(CLEAR, inside=Tiles(7, 8, 0)),
        replace(CLEAR, inside=Tiles(8, 8, 1)),
        replace(CLEAR, near=Tiles(13, 15, 0)),
        replace(CLEAR, near=Tiles(14, 15, 1)),
        replace(CLEAR, around=Tiles(30, 40, 2)),
        replace(CLEAR, around=Tiles(38, 40, 5)),
        replace(CLEAR, around=Tiles(5, 5, 0)),
        replace(ZOOMED, inside=Tiles(6, 8, 0)),
        replace(ZOOMED, near=Tiles(11, 15, 0)),
    ],
)
def test_whatever_changed_in_it_or_beside_it_makes_it_another(one: Comparison) -> None:
    """EX-7: where the pixels are the same, a single part that is not tells; other letters are never quite the same"""
    assert not is_unchanged(one)


SURE = Fit(scale=1.0, dx=0.0, dy=0.0, agreeing=18, agreement=1.0)
ALL = replace(CLEAR, near=Tiles(15, 15, 0), around=Tiles(40, 40, 0))
MOST = replace(CLEAR, near=Tiles(15, 15, 0), around=Tiles(36, 40, 0))


def test_what_was_only_sighted_needs_nearly_all_around_it(book: ScreenBook) -> None:
    """EX-7: the like in another row; all the more where the landmarks are sure that it belongs elsewhere"""
    assert is_unchanged(MOST)
    assert not is_surely_it(MOST, ALL.box, None)
    assert is_surely_it(ALL, ALL.box, SURE)
    nearly = replace(ALL, around=Tiles(39, 40, 0))
    assert is_surely_it(nearly, ALL.box, SURE)
    assert not is_surely_it(nearly, ALL.box.moved(0, 60), SURE)


UNTOUCHED = replace(ALL, around=Tiles(26, 40, 0))


def test_where_the_landmarks_are_sure_the_place_and_what_touches_it_are_enough() -> None:
    """EX-4: the page around it was laid out anew; anything new, or a part that is not the same, is too much"""
    assert Place(UNTOUCHED, SURE).is_unchanged
    assert not Place(UNTOUCHED, None).is_unchanged
    assert not Place(UNTOUCHED, replace(SURE, agreement=0.8)).is_unchanged
    for other in (
        replace(UNTOUCHED, around=Tiles(26, 40, 1)),
        replace(UNTOUCHED, around=Tiles(20, 40, 0)),
        replace(UNTOUCHED, near=Tiles(14, 15, 0)),
        replace(UNTOUCHED, inside=Tiles(7, 8, 0)),
        replace(UNTOUCHED, likeness=0.5),
    ):
        assert not Place(other, SURE).is_unchanged


PICTURE: AnyItem = ("icon", "icon", "", CLEAR.box.bbox)
WORD: AnyItem = ("label", "x", "fermer", CLEAR.box.bbox)


@pytest.mark.parametrize(
    ("seen", "shown", "objected"),
    [
        (replace(CLEAR, near=Tiles(12, 15, 0)), PICTURE, False),
        (replace(CLEAR, near=Tiles(15, 15, 2)), PICTURE, True),
        (replace(CLEAR, inside=Tiles(5, 8, 0)), PICTURE, True),
        (replace(CLEAR, inside=Tiles(0, 8, 0), clearness=0.7), PICTURE, False),
        (replace(CLEAR, near=Tiles(12, 15, 0)), WORD, True),
    ],
)
def test_something_without_words_is_what_it_was_only_if_nothing_came(
    book: ScreenBook, seen: Comparison, shown: AnyItem, objected: bool
) -> None:
    """EX-7: more beside it, another picture, words; where nothing is clear, the pictures say nothing"""
    then, now = book.draw("then", [PICTURE]), book.draw("now", [shown])
    target = target_on(then, CLEAR.box)
    said = objection(Place(seen, SURE), CLEAR.box.center, target, then, CLEAR.box, now)
    assert (said is not None) is objected, said


SIGN = Box(100, 100, 126, 126)


@pytest.mark.parametrize(
    ("beside", "objected"),
    [(None, False), ((300, 100, 360, 126), False), ((132, 102, 190, 124), True), ((100, 130, 170, 150), True)],
    ids=["nothing", "far away", "right beside it", "right below it"],
)
def test_a_sign_with_new_words_beside_it_is_another(book: ScreenBook, beside: BBox | None, objected: bool) -> None:
    """EX-7: to the pixel the same, but it says « tout » now"""
    then = book.draw("then", [("icon", "icon", "", SIGN.bbox)])
    now = read_as(then, *([("tout", beside)] if beside is not None else []))
    seen = replace(CLEAR, box=SIGN, likeness=0.99, near=Tiles(12, 15, 3))
    said = objection(Place(seen, SURE), SIGN.center, target_on(then, SIGN), then, SIGN, now)
    assert (said is not None) is objected, said


NUMBER = (100, 100, 130, 130)


@pytest.mark.parametrize(("shown", "objected"), [("7", True), ("6", False)])
def test_another_number_in_its_place_is_another_page(book: ScreenBook, shown: str, objected: bool) -> None:
    """EX-7: a single digit is no name, but the sixth page is not the seventh"""
    then, now = (book.draw(said, [("button", "action", said, NUMBER)]) for said in ("6", shown))
    seen = replace(CLEAR, box=Box(*NUMBER), clearness=0.8, likeness=0.78, near=Tiles(11, 20, 0))
    target = target_on(then, Box(*NUMBER))
    said = objection(Place(seen, SURE), Box(*NUMBER).center, target, then, Box(*NUMBER), now)
    assert (said == "another number stands there") is objected


def test_the_very_words_in_a_line_that_is_drawn_otherwise_are_still_it(book: ScreenBook) -> None:
    """EX-4, EX-7: only the line around the words changed; one word more there is another entry"""
    line, part = (100, 100, 300, 130), Box(102, 104, 180, 126)
    then = book.draw("then", [("menu_item", "navigation", "Achats", line)])
    target = target_on(then, Box(*line))
    words = read_as(then, ("Achats", (102, 104, 180, 126)))
    seen = replace(CLEAR, box=part, likeness=0.54, near=Tiles(7, 8, 3))
    assert objection(Place(seen, SURE), part.center, target, words, part, words) is None
    more = read_as(then, ("Achats", (102, 104, 180, 126)), ("tout", (150, 106, 180, 124)))
    assert objection(Place(seen, SURE), part.center, target, words, part, more) is not None


def read_as(screen: ObservedScreen, *lines: tuple[str, BBox]) -> ObservedScreen:
    """The screen with these lines read on it and no others."""
    read = tuple(TextLine(text=text, bbox=bbox, confidence=0.99) for text, bbox in lines)
    perception = screen.state.perception.model_copy(update={"text_lines": read})
    return replace(screen, state=screen.state.model_copy(update={"perception": perception}))


def test_a_box_to_tick_may_be_drawn_otherwise_beside_its_name(book: ScreenBook) -> None:
    """EX-4, EX-7: ticked or not, in another theme; something new beside it is too much"""
    tick = Item("checkbox", "form_input", "Nom", (100, 100, 120, 120))
    page = book.draw("then", [tick, ("label", "x", "Nom", (130, 100, 200, 120))])
    then = read_as(page, ("Nom", (130, 100, 200, 120)))
    target, box = target_on(then, Box(*tick.bbox)), Box(*tick.bbox)
    seen = replace(CLEAR, box=box, inside=Tiles(1, 4, 0), near=Tiles(10, 12, 0), likeness=0.65)
    assert objection(Place(seen, SURE), box.center, target, then, box, then) is None
    new = replace(seen, near=Tiles(10, 12, 2))
    assert objection(Place(new, SURE), box.center, target, then, box, then) is not None


def test_a_field_of_which_not_even_the_frame_is_left_is_gone(book: ScreenBook) -> None:
    """EX-7: what has moved up into its place is another field"""
    area = Item("textarea", "form_input", "", (100, 100, 400, 180))
    then, box = book.draw("then", [area]), Box(*area.bbox)
    target = target_on(then, box)
    seen = replace(CLEAR, box=box, inside=Tiles(0, 132, 116), near=Tiles(7, 7, 20), around=Tiles(22, 47, 116))
    assert objection(Place(seen, SURE), box.center, target, then, box, then) is not None
    framed = replace(seen, inside=Tiles(40, 132, 0), near=Tiles(7, 7, 0))
    assert objection(Place(framed, SURE), box.center, target, then, box, then) is None
