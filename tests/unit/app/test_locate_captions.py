"""`locate` by captions and by a name that stands alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import caption_verdicts, captions, likes
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.name_beside import is_drawn_as_it_was
from rpa_vision.execution.locating.other_question import other_question
from rpa_vision.execution.locating.words_there import goes_by_its_name
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
REST: list[AnyItem] = [
    ("label", "x", word, (600, 60 + 40 * row, 720, 82 + 40 * row))
    for row, word in enumerate(("Agenda", "Patient", "Ordonnance", "Courrier", "Facture"))
]


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def mark(row: int, at: tuple[int, int] = (40, 300)) -> BBox:
    x, y = at
    return (x, y + 3 + 40 * row, x + 16, y + 19 + 40 * row)


def marks(words: Sequence[str], at: tuple[int, int] = (40, 300), kinds: str = "") -> list[AnyItem]:
    """Boxes to tick, one below the other, with what they are called beside them."""
    x, y = at
    return [
        item
        for row, word in enumerate(words)
        for item in (
            (kinds or "checkbox", "form_input", "", mark(row, at)),
            ("label", "x", word, (x + 40, y + 40 * row, x + 180, y + 22 + 40 * row)),
        )
    ]


def fields(words: Sequence[str]) -> list[AnyItem]:
    """Fields, each below its name."""
    return [
        item
        for row, word in enumerate(words)
        for item in (
            ("label", "x", word, (40, 300 + 90 * row, 160, 322 + 90 * row)),
            ("text_input", "form_input", "", (40, 328 + 90 * row, 260, 358 + 90 * row)),
        )
    ]


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


NAMES = ("Urgence", "Relance", "Archive")


def test_the_caption_is_what_stands_next_to_it_on_its_side(book: ScreenBook) -> None:
    """EX-4: of a mark right of it, of a field above it and flush with it"""
    screen = book.draw("marks", [*REST, *marks(NAMES)])
    told = captions.caption_of(screen, Box(*mark(1)), "mark")
    assert told is not None
    assert (told.text, told.side) == ("Relance", "right")
    form = book.draw("fields", [*REST, *fields(NAMES)])
    above = captions.caption_of(form, Box(40, 418, 260, 448), "field")
    assert above is not None
    assert (above.text, above.side) == ("Relance", "above")
    assert captions.caption_of(form, Box(600, 500, 620, 520), "mark") is None


def test_a_mark_by_which_another_caption_stands_is_another(book: ScreenBook) -> None:
    """EX-7: two captions changed places; a text that nobody knows may be another reading"""
    then = book.draw("then", [*REST, *marks(NAMES)])
    swapped = book.draw("swapped", [*REST, *marks(("Relance", "Urgence", "Archive"))])
    box = Box(*mark(0))
    assert caption_verdicts.is_named_otherwise(then, box, swapped, box, "mark")
    assert not caption_verdicts.is_named_otherwise(then, box, swapped, Box(*mark(1)), "mark")
    unknown = book.draw("unknown", [*REST, *marks(("Urqenee", "Relance", "Archive"))])
    assert not caption_verdicts.is_named_otherwise(then, box, unknown, box, "mark")
    assert not caption_verdicts.is_named_otherwise(then, box, swapped, Box(40, 280, 240, 380), "mark"), (
        "more than the mark"
    )


def test_a_mark_goes_with_its_caption(book: ScreenBook) -> None:
    """EX-4: whatever kind of mark it was taken for"""
    then = book.draw("then", [*REST, *marks(NAMES)])
    swapped = book.draw("swapped", [*REST, *marks(("Relance", "Urgence", "Archive"), kinds="toggle")])
    again = locate(then, mark(0), swapped)
    assert again.point == Box(*mark(1)).center, again.why
    assert captions.find(then, Box(*mark(0)), swapped, "mark") == Box(*mark(1))


def test_a_mark_that_is_gone_is_not_that_of_the_next_caption(book: ScreenBook) -> None:
    """EX-7: its caption still stands there"""
    then = book.draw("then", [*REST, *marks(NAMES)])
    gone = book.draw("gone", [*REST, *[one for one in marks(NAMES) if one[3] != mark(1)]])
    assert captions.find(then, Box(*mark(1)), gone, "mark") is None
    assert locate(then, mark(1), gone).point is None


def test_a_caption_said_twice_tells_nothing(book: ScreenBook) -> None:
    """EX-7"""
    then = book.draw("then", [*REST, *marks(NAMES)])
    twice = book.draw("twice", [*REST, *marks(NAMES, (300, 300)), *marks(NAMES[:1])])
    assert captions.find(then, Box(*mark(0)), twice, "mark") is None


def test_a_field_is_not_taken_by_its_value_where_its_caption_went_to_another(book: ScreenBook) -> None:
    """EX-7: the place is drawn as it was, but for what it is called"""
    then = book.draw("then", [*REST, *fields(NAMES)])
    swapped = book.draw("swapped", [*REST, *fields(("Archive", "Relance", "Urgence"))])
    again = locate(then, (40, 328, 260, 358), swapped)
    assert again.point in (None, Box(40, 508, 260, 538).center), again.why


def test_what_alone_bears_a_name_is_it_wherever_it_went(book: ScreenBook) -> None:
    """EX-4, EX-7: not where the name is said twice, nor where something speaks against it"""
    place: BBox = (40, 300, 160, 330)
    then = book.draw("then", [*REST, ("button", "x", "Importer", place)])
    now = book.draw("now", [*REST, ("button", "x", "Importer", (300, 500, 420, 530))])
    target = target_on(then, Box(*place))
    there = [one for one in now.state.ui_elements if one.label == "Importer"]
    assert likes.only_one_of_its_name(then, Box(*place), target, now, there) == Box(300, 500, 420, 530)
    assert likes.only_one_of_its_name(then, Box(*place), target, now, []) is None
    twice = [*REST, ("button", "x", "Importer", (300, 500, 420, 530)), ("label", "x", "Importer", (700, 500, 820, 530))]
    more = book.draw("twice", twice)
    assert likes.only_one_of_its_name(then, Box(*place), target, more, more.state.ui_elements) is None


def read_as(screen: ObservedScreen, text: str, other: str) -> ObservedScreen:
    """The screen, with one line of it read otherwise."""
    lines = [
        line.model_copy(update={"text": other}) if line.text == text else line
        for line in screen.state.perception.text_lines
    ]
    perception = screen.state.perception.model_copy(update={"text_lines": tuple(lines)})
    return ObservedScreen(screen.pixels, screen.state.model_copy(update={"perception": perception}), screen.vector)


def test_a_question_that_is_drawn_as_it_was_is_the_same_however_it_was_read(book: ScreenBook) -> None:
    """EX-7: another question that was read the same way is another"""
    asks, place = "Envoyer le paiement ?", (200, 420, 300, 450)

    def page(name: str, question: str) -> ObservedScreen:
        line: AnyItem = ("label", "x", question, (200, 340, 480, 362))
        return book.draw(name, [*REST, line, ("button", "validate", "Valider", place)])

    then = page("then", asks)
    misread = read_as(page("again", asks), asks, "nvoyer ie paiement ?")
    assert other_question(then, Box(*place), misread, Box(*place), "button") is None
    other = page("other", "Annuler le paiement ?")
    assert other_question(then, Box(*place), other, Box(*place), "button") is not None
    assert not np.array_equal(then.pixels, other.pixels)


def test_what_lies_beyond_the_edge_on_one_of_two_screens_is_not_drawn_as_it_was(book: ScreenBook) -> None:
    """EX-7: nothing is compared there"""
    screen = book.draw("then", REST)
    width = int(screen.pixels.shape[1])
    for dx in (-700, width - 650):
        assert not is_drawn_as_it_was(screen, Box(600, 60, 720, 82), screen, dx, 0)
    assert is_drawn_as_it_was(screen, Box(600, 60, 720, 82), screen, 0, 0)


def test_what_has_no_name_goes_by_its_row(book: ScreenBook) -> None:
    """EX-7: a table is sorted anew; a mark that nobody detected must not stay among the texts of another row"""
    then = book.draw("then", [*REST, *marks(NAMES), ("menu_item", "x", "Outils", (40, 20, 140, 50))])
    assert goes_by_its_name(target_on(then, Box(40, 20, 140, 50)))
    assert not goes_by_its_name(target_on(then, Box(300, 500, 330, 530)))


@pytest.mark.parametrize("kind", ["radio", "checkbox"])
def test_captions_that_stand_left_of_their_marks_do_not_name_the_next_one(book: ScreenBook, kind: str) -> None:
    """EX-7: « Lire ○ Modifier ○ »: by the text on its right the first would be the second"""
    row: list[AnyItem] = []
    for at, word in enumerate(("Lire", "Modifier", "Supprimer")):
        row += [("label", "x", word, (40 + 150 * at, 300, 110 + 150 * at, 322))]
        row += [(kind, "form_input", "", (120 + 150 * at, 303, 136 + 150 * at, 319))]
    screen = book.draw("left", [*REST, *row])
    assert captions.caption_of(screen, Box(120, 303, 136, 319), "mark") is None
    last = captions.caption_of(screen, Box(420, 303, 436, 319), "mark")
    assert last is not None
    assert (last.text, last.side) == ("Supprimer", "left")


def test_a_field_below_the_caption_of_another_is_that_other_however_often_its_own_is_said(book: ScreenBook) -> None:
    """EX-7"""
    then = book.draw("then", [*REST, *fields(NAMES)])
    now = book.draw("now", [*REST, *fields(("Relance", "Urgence", "Urgence"))])
    box = Box(40, 328, 260, 358)
    assert caption_verdicts.is_named_otherwise(then, box, now, box, "field")
    assert not caption_verdicts.is_named_otherwise(then, box, then, box, "field")


def test_a_mark_that_was_read_along_with_its_line_goes_by_the_line(book: ScreenBook) -> None:
    """EX-7: « Urgence [ ] Relance » is not « Relance [ ] Urgence »"""
    box = (300, 306, 320, 322)

    def line(said: str) -> list[AnyItem]:
        return [*REST, ("label", "x", said, (200, 300, 420, 328)), ("toggle", "form_input", "", box)]

    then, same = book.draw("then", line("Urgence et Relance")), book.draw("same", line("Urgence et Relance"))
    swapped = book.draw("swapped", line("Dossier ou Archive"))
    assert caption_verdicts.neighbour_has_changed(then, Box(*box), swapped, Box(*box))
    assert not caption_verdicts.neighbour_has_changed(then, Box(*box), same, Box(*box))


def painted(screen: ObservedScreen, *boxes: BBox) -> ObservedScreen:
    """The screen, with something dark in some places that nobody detected."""
    pixels = screen.pixels.copy()
    for x1, y1, x2, y2 in boxes:
        pixels[y1:y2, x1:x2, :3] = 60
    return replace(screen, pixels=pixels)


def choices(book: ScreenBook, name: str, words: Sequence[str], y: int) -> tuple[ObservedScreen, dict[str, BBox]]:
    """Boxes to tick in one line, each before its name; before all names but « Courriel » stands a sign."""
    x, items, places, signs = 40, list[AnyItem](), dict[str, BBox](), list[BBox]()
    for word in words:
        places[word] = (x, y, x + 16, y + 16)
        items.append(("checkbox", "form_input", "", places[word]))
        if word != "Courriel":
            signs.append((x + 24, y, x + 40, y + 16))
        first = x + (24 if word == "Courriel" else 52)
        items.append(("label", "x", word, (first, y, first + 70, y + 16)))
        x = first + 86
    return painted(book.draw(name, [*REST, *items]), *signs), places


@pytest.mark.parametrize("y", [200, 260])
def test_a_mark_before_whose_text_something_is_painted_does_not_go_by_the_text_before_it(
    book: ScreenBook, y: int
) -> None:
    """EX-7: « [ ] Courriel [ ] ▪ Messages »: « Courriel » is the name of the first, whatever stands after it today"""
    then, was = choices(book, "then", ("Courriel", "Messages"), 200)
    now, _ = choices(book, "now", ("Messages", "Courriel", "Alertes"), y)
    assert captions.caption_of(then, Box(*was["Messages"]), "mark") is None
    assert captions.find(then, Box(*was["Messages"]), now, "mark") is None
    assert locate(then, was["Messages"], now).point is None
    first = captions.caption_of(then, Box(*was["Courriel"]), "mark")
    assert first is not None
    assert (first.text, first.side) == ("Courriel", "right")


@pytest.mark.parametrize(
    ("signs", "named"),
    [
        ([(86, 102, 93, 110)], True),
        ([(84, 101, 98, 115)], False),
        ([(88, 96, 90, 120)], False),
        ([(84, 102, 87, 108), (100, 102, 103, 108)], False),
    ],
    ids=["a star", "another thing", "a line from top to bottom", "two signs"],
)
def test_a_star_before_a_field_does_not_part_it_from_its_name(
    book: ScreenBook, signs: Sequence[BBox], named: bool
) -> None:
    """EX-4: « Nom * »; EX-7: anything larger may be what the name names"""
    field = (110, 96, 300, 120)
    items: list[AnyItem] = [*REST, ("label", "x", "Nom", (40, 100, 80, 116)), ("text_input", "form_input", "", field)]
    screen = painted(book.draw("form", items), *signs)
    told = captions.caption_of(screen, Box(*field), "field")
    assert (told.text if told is not None else None) == ("Nom" if named else None)
