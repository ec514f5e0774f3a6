"""Where a task may begin: the bar that leads into it stands on every screen, or it does not."""

from __future__ import annotations

from dataclasses import replace

from clinic_by_hand import click_step

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.beginnings import beginnings, is_a_deed
from rpa_vision.graph.graph_builder import GraphBuilder
from rpa_vision.graph.screen_groups import Column
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import WorkflowNode
from rpa_vision.testing.screens import MOMENT, AnyItem, HandMadeSession, ScreenBook

BAR = (40, 20, 160, 45)
KEYS = {"delete": ("Delete",), "return": ("Return",), "new": ("Control_L", "n")}


def _page(
    book: ScreenBook, name: str, bar: tuple[str, str, str] | None, place: tuple[int, int, int, int] = BAR
) -> ObservedScreen:
    items: list[AnyItem] = [("label", "x", f"Page {name}", (40, 200, 300, 230))]
    if bar is not None:
        items.append((*bar, place))
    return book.draw(name, items)


def _begins(book: ScreenBook, bar: tuple[str, str, str], later: list[ObservedScreen]) -> list[str]:
    first = _page(book, "first", bar)
    columns: list[Column] = [[(screen, {})] for screen in later]
    steps = [click_step(first, bar[2])] * 3
    return [screen.state.screen_state_id for screen, _ in beginnings(steps, [(first, {})] * 3, columns)]


def test_a_task_opened_from_a_bar_begins_wherever_the_bar_stands(book: ScreenBook) -> None:
    """L4-2: the three goes began on one screen by accident."""
    bar = ("menu_item", "navigation", "Bordereaux")
    later = [_page(book, name, bar) for name in ("second", "third")]
    assert _begins(book, bar, later) == ["first", "first", "first", "second", "third"]


def test_what_is_no_bar_is_begun_where_it_was_begun(book: ScreenBook) -> None:
    """L4-2: one screen lacks it, or has it elsewhere, or says something else there."""
    bar = ("menu_item", "navigation", "Bordereaux")
    second = _page(book, "second", bar)
    for third in (
        _page(book, "without", None),
        _page(book, "elsewhere", bar, (440, 20, 560, 45)),
        _page(book, "renamed", ("menu_item", "navigation", "Bordereau A")),
    ):
        assert _begins(book, bar, [second, third]) == ["first", "first", "first"]


def test_a_deed_that_every_screen_offers_means_something_else_on_each(book: ScreenBook) -> None:
    """L4-2: « Supprimer » in the bar of every screen deletes what that screen shows."""
    bar = ("button", "delete_action", "Supprimer")
    later = [_page(book, name, bar) for name in ("second", "third")]
    assert _begins(book, bar, later) == ["first", "first", "first"]


def test_a_deed_is_done_where_it_was_shown_most_and_nowhere_else(book: ScreenBook) -> None:
    """L4-2, EX-7: two screens on which « Supprimer » was shown say nothing about a third that has one too"""
    for name, role, rows in (
        ("drafts", "delete_action", ("Courrier un", "Courrier deux")),
        ("bin", "delete_action", ("Vieux papiers", "Ancien bilan")),
        ("start", "navigation", ("Courrier un", "Courrier deux")),
        ("later", "navigation", ("Vieux papiers", "Ancien bilan")),
    ):
        lines: list[AnyItem] = [
            ("label", "x", row, (300, 120 + 40 * at, 640, 150 + 40 * at)) for at, row in enumerate(rows)
        ]
        heading: AnyItem = ("heading", "title", f"Page {rows[0]}", (40, 100, 280, 140))
        label = "Supprimer" if role == "delete_action" else "Bordereaux"
        book.draw(name, [heading, *lines, ("button", role, label, BAR)], title=rows[0])
    book.draw("done", [("button", "close", "Fermer", (440, 320, 560, 350))], title="Fait")

    def entry(*pages: str) -> WorkflowNode:
        session = HandMadeSession(book)
        for page in pages:
            session.click(page, Box(*BAR).center, after="done")
            session.click("done", (500, 335), after=page)
        builder = GraphBuilder(session.observe, book.embedder.space)
        made = builder.build_from_sessions([session.session()], workflow_id="WF_x", name="x", now=MOMENT)
        return made.workflow.nodes[0]

    deed = entry("drafts", "bin", "drafts", "bin", "bin")
    assert deed.metadata.get("any_screen") is None
    assert "vieux papiers" in map(str.casefold, deed.screen_template.stable_texts)
    assert entry("start", "later", "start", "later").metadata["any_screen"] is True


def test_a_key_that_does_something_to_what_is_chosen_is_a_deed(book: ScreenBook) -> None:
    """L4-2, EX-7"""
    click = click_step(_page(book, "first", ("menu_item", "navigation", "Bordereaux")), "Bordereaux")
    keys = {key: is_a_deed([replace(click, kind="key_press", keys=keys)]) for key, keys in KEYS.items()}
    assert keys == {"delete": True, "return": True, "new": False}
