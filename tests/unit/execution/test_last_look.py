"""The last thing before input is sent is a look at what it is aimed at: between look and click, screens change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from list_office import ListOffice, invoices, run
from run_by_hand import DONE, PAGE, VALIDATE, Robot, edge, press
from test_unknown_dialogs import line_of

from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import SafetyRules
from rpa_vision.ports.perception import TextCheck
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.scripted_desktop import on_click, on_press

CLOCK = (400, 310, 480, 330)
MOVED: list[AnyItem] = [*PAGE[:-1], ("button", "delete_action", "Supprimer", VALIDATE)]
BESIDE: list[AnyItem] = [*PAGE, ("label", "data_display", "10:42", CLOCK)]
LATER: list[AnyItem] = [*PAGE, ("label", "data_display", "10:43", CLOCK)]
BIN = (400, 400, 500, 440)
TRAY: list[AnyItem] = [*PAGE, ("label", "data_display", "Corbeille", BIN)]
OTHER_TRAY: list[AnyItem] = [*PAGE, ("label", "data_display", "Imprimante", BIN)]
ASKED: list[AnyItem] = [
    *PAGE,
    ("dialog", "dialog", "", (200, 200, 600, 500)),
    ("label", "data_display", "Tout effacer ?", (240, 240, 500, 270)),
]


def robot(book: ScreenBook, change: Callable[[Robot], None], *, start: str = "page") -> Robot:
    """It hears of the change only after everything was decided."""
    script = [
        on_click("page", Box(*VALIDATE), to="done"),
        on_click("later", Box(*VALIDATE), to="done"),
        on_press("page", "ENTER", to="done"),
    ]
    made = Robot(book, script=script, start=start)
    made.executor = ActionExecutor(
        made.desktop,
        made.sight,
        made.matcher,
        TargetResolver(),
        made.clock,
        looks=lambda path: None,
        secrets={},
        safety_rules=SafetyRules(),
        before_input=lambda edge, outcome: change(made),
    )
    return made


@pytest.fixture
def book() -> ScreenBook:
    book = ScreenBook()
    pages = {"page": PAGE, "done": DONE, "moved": MOVED, "beside": BESIDE, "later": LATER, "asked": ASKED}
    for name, items in (pages | {"tray": TRAY, "other_tray": OTHER_TRAY}).items():
        book.draw(name, items, title="Clinique")
    return book


def test_a_list_that_was_sorted_anew_while_it_was_read_again_is_not_clicked() -> None:
    """EX-7: the row of another invoice lies where the wanted one was"""
    office = ListOffice(invoices("10,00", "20,00"))

    class Slow:
        asked = 0

        def confirm(self, picture, box, first, *, wanted=""):
            self.asked += 1
            if self.asked == 1:
                office.rows.reverse()
                office.desktop.show(office.show_list())
            return TextCheck(wanted, box, "agree", first, first, 1.0)

    done = run(office, line_of(office), {"numero": "FAC-2026-00001"}, confirmer=Slow())
    assert done.outcome.status == "halted"
    assert office.validated == []
    assert "the screen changed before the input was sent" in done.outcome.reason


def test_what_is_no_longer_where_it_was_decided_on_is_not_clicked(book: ScreenBook) -> None:
    """EX-7: everything else is as it was"""
    made = robot(book, lambda one: one.desktop.show("moved"))
    outcome = made.do(edge())
    assert made.sent == []
    assert (outcome.status, outcome.failure_kind) == (ExecutionStatus.FAILED, FailureKind.LOW_CONFIDENCE)
    assert not outcome.input_sent


def test_a_clock_beside_the_target_is_looked_at_and_passed_over(book: ScreenBook) -> None:
    """EX-5: what changed is not what was decided on"""
    made = robot(book, lambda one: one.desktop.show("later"), start="beside")
    outcome = made.do(edge())
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert made.sent == ["click"]


def test_what_something_is_dropped_on_must_still_be_there(book: ScreenBook) -> None:
    """EX-7: both ends of a drag"""
    made = robot(book, lambda one: one.desktop.show("other_tray"), start="tray")
    onto = ActionParameters(drop_target=TargetSpec(label="Corbeille", type="label"))
    outcome = made.do(edge(Action(type="drag", target=TargetSpec(label="Valider", type="button"), parameters=onto)))
    assert made.sent == []
    assert outcome.failure_kind is FailureKind.LOW_CONFIDENCE


def test_keys_are_not_pressed_into_what_came_up_meanwhile(book: ScreenBook) -> None:
    """EX-7: the focus is wherever the dialog wants it"""
    made = robot(book, lambda one: one.desktop.show("asked"))
    outcome = made.do(edge(press("ENTER")))
    assert made.sent == []
    assert outcome.failure_kind is FailureKind.LOW_CONFIDENCE
