"""Which screens are one: what was seen half painted is the screen it became, another dialog is another one."""

from __future__ import annotations

from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.graph.screen_groups import Column, group_screens
from rpa_vision.testing.screens import AnyItem, ScreenBook

FRAME: list[AnyItem] = [
    ("heading", "title", "Enregistrer sous", (60, 40, 400, 70)),
    ("label", "x", "Nom :", (60, 100, 120, 124)),
    ("label", "x", "Encodage :", (60, 460, 180, 484)),
    ("button", "cancel", "Annuler", (500, 520, 620, 560)),
    ("button", "save", "Enregistrer", (640, 520, 780, 560)),
]
LISTED: list[AnyItem] = [
    ("label", "x", text, (220, 160 + 40 * row, 420, 184 + 40 * row))
    for row, text in enumerate(("Bureau", "Documents", "Images"))
]


def column(book: ScreenBook, *screens: list[AnyItem]) -> Column:
    return [(book.draw(f"s{index}", items, title="Enregistrer sous"), {}) for index, items in enumerate(screens)]


def test_a_list_that_was_seen_half_empty_is_the_list_it_became(embedder: StateEmbedder) -> None:
    """L3-1, L4-3: on a busy machine it fills slowly, more than once"""
    book = ScreenBook(embedder=embedder)
    early = column(book, FRAME, [*FRAME, *LISTED], [*FRAME, *LISTED], FRAME)
    later = column(book, [*FRAME, *LISTED], [*FRAME, *LISTED], [*FRAME, *LISTED])
    assert group_screens([early, later], embedder.space.id)[1] == [0, 0]
    assert group_screens([later, early], embedder.space.id)[1] == [0, 0]


def test_what_was_never_shown_makes_another_screen(embedder: StateEmbedder) -> None:
    """L4-3: the list that is always empty is not the one that is always full"""
    book = ScreenBook(embedder=embedder)
    empty = column(book, FRAME, FRAME, FRAME)
    full = column(book, [*FRAME, *LISTED], [*FRAME, *LISTED], [*FRAME, *LISTED])
    assert group_screens([empty, full], embedder.space.id)[1] == [0, 1]
