"""Undo: the opposite of what was done, where that is known and the screen is as the action left it; or why not."""

from __future__ import annotations

from typing import Any

import pytest
from run_by_hand import FIELD, PAGE, click, edge, press, typing

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Candidate, Resolved
from rpa_vision.execution.undo import Undoer, undo_entry
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementState, UIElement
from rpa_vision.models.undo import UndoEntry
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.screens import AnyItem, CountingIds, Item, ScreenBook, workflow_over
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

BOX = (40, 380, 240, 410)


def entry_of(book: ScreenBook, action: Action, name: str = "page", element: Any = None, **fields: Any) -> UndoEntry:
    screen = book[name]
    found = element or next(
        (one for one in screen.state.ui_elements if action.target is not None and one.label == action.target.label),
        None,
    )
    outcome = StepOutcome(ExecutionStatus.SUCCESS, before=screen, after=screen, input_sent=True, verified=True)
    if found is not None:
        outcome.resolution = Resolved(Candidate(found, 0.9, "som_text_match", ()), None, HealingProfile.at_level(0))
        outcome.point = found.center
    workflow = workflow_over(book, {"page": "page", "done": "done"}, ())
    made = undo_entry(ExecutedStep(edge(action, **fields), outcome, 1.0), workflow, "what was done")
    assert made is not None
    return made


def chosen(element: UIElement, *, checked: bool) -> UIElement:
    return element.model_copy(update={"state": ElementState(checked=checked, selected=checked)})


def test_every_kind_of_action_has_a_way_back_or_a_reason(book: ScreenBook) -> None:
    """L4-13"""
    window = Action(type="window_switch", target_app="mail")
    scroll = Action(type="scroll", parameters=ActionParameters(scroll=(0, 3)))
    assert entry_of(book, typing("Dupont")).way == "retype"
    assert entry_of(book, typing("Dupont")).text == "", "it was empty"
    assert entry_of(book, scroll).scroll == (0, -3)
    assert (entry_of(book, window).way, entry_of(book, window).window) == (
        "switch_back",
        WindowContext(title="Facture", app_name="app"),
    )
    refused = entry_of(book, click())
    assert (refused.way, "« Valider » may have done" in refused.why_not) == ("none", True)
    assert "opposite of key_press" in entry_of(book, press("ENTER")).why_not
    secret = Action(
        type="text_input", target=typing("x").target, parameters=ActionParameters(secret_ref="pin", text=None)
    )
    assert "secret" in entry_of(book, secret).why_not


@pytest.mark.parametrize(("kind", "way"), [("checkbox", "click_again"), ("toggle", "click_again"), ("link", "go_back"),
                                           ("dropdown", "close"), ("radio", "none")])  # fmt: skip
def test_a_click_is_taken_back_by_what_it_was_on(book: ScreenBook, kind: str, way: str) -> None:
    """L4-13"""
    role = "navigation" if kind == "link" else "choice"
    items: list[AnyItem] = [*PAGE, Item(kind, role, "Détails", BOX)]  # type: ignore[arg-type]
    book.draw("with", items, title="Facture")
    entry = entry_of(book, click("Détails", kind=kind), "with")
    assert entry.way == way, entry.why_not
    assert (entry.way == "none") == bool(entry.why_not)


def test_one_of_many_goes_back_to_the_one_that_was_chosen(book: ScreenBook) -> None:
    """L4-13: selection"""
    one, other = (40, 380, 140, 410), (200, 380, 300, 410)
    book.draw("with", [*PAGE, Item("tab", "tab", "Actes", one), Item("tab", "tab", "Notes", other)], title="Facture")
    screen = book["with"]
    elements = [chosen(e, checked=e.label == "Actes") if e.type == "tab" else e for e in screen.state.ui_elements]
    state = screen.state.model_copy(update={"ui_elements": tuple(elements)})
    book._screens["with"] = type(screen)(screen.pixels, state, screen.vector)
    entry = entry_of(book, click("Notes", kind="tab"), "with")
    assert (entry.way, entry.point) == ("click_other", Box(*one).center)


def typed_desktop(book: ScreenBook) -> ScriptedDesktop:
    book.draw("typed", [*PAGE[:3], Item("text_input", "form_input", "Motif", FIELD, value="Dupont"), PAGE[4]])

    def follow(screen: str, deed: Deed) -> str | None:
        if screen == "typed" and deed.verb == "press" and deed.keys == ("DELETE",):
            return "page"
        return None

    return ScriptedDesktop(book.pixels, start="typed", script=follow)


def part(book: ScreenBook, name: str, entry: UndoEntry) -> Any:
    x1, y1, x2, y2 = entry.box
    return book.pixels[name][y1:y2, x1:x2]


def test_text_is_taken_back_and_seen_to_be(book: ScreenBook) -> None:
    """L4-13"""
    entry = entry_of(book, typing("Dupont"))
    desktop = typed_desktop(book)
    undoer = Undoer(desktop, Sight(desktop.eyes, book.observer, desktop.clock, CountingIds()), desktop.clock)
    assert undoer.hindrance(entry, part(book, "typed", entry)) is None
    done = undoer.undo(entry, part(book, "page", entry))
    assert (done.done, desktop.screen) == (True, "page")
    assert [deed.verb for deed in desktop.deeds] == ["click", "press", "press"]


def test_nothing_is_sent_where_the_screen_has_moved_on_and_failure_is_told(book: ScreenBook) -> None:
    """L4-13, EX-7"""
    entry = entry_of(book, typing("Dupont"))
    desktop = typed_desktop(book)
    undoer = Undoer(desktop, Sight(desktop.eyes, book.observer, desktop.clock, CountingIds()), desktop.clock)
    assert "no longer as the action left it" in (undoer.hindrance(entry, part(book, "page", entry)) or "")
    assert desktop.deeds == []
    wrong = entry.model_copy(update={"text": "Martin"})
    assert undoer.undo(wrong, part(book, "page", entry)).done is False
