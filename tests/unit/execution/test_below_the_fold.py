"""A target beyond the edge of the window is scrolled to, where the landmarks say that it lies there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from run_by_hand import BreaksFor, Robot, edge

from rpa_vision.execution.below_the_fold import way_to
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import BROKEN, TargetResolver
from rpa_vision.execution.target_search import RETRIES
from rpa_vision.graph.targets import target_on
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook
from rpa_vision.testing.scripted_desktop import Deed

Objection = Callable[[WorkflowEdge, StepOutcome], str | None]
NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Échéance")
LABELS: list[AnyItem] = [("label", "x", name, (40, 40 + 40 * i, 140, 62 + 40 * i)) for i, name in enumerate(NAMES)]
BUTTON = (40, 400, 160, 430)
LARGER = 1.5


def larger(items: list[AnyItem], up: int = 0) -> list[AnyItem]:
    """The page in larger letters, scrolled; what lies beyond the edge is not there."""
    made: list[AnyItem] = []
    for item in items:
        one = item if isinstance(item, Item) else Item(*item)
        x1, y1, x2, y2 = (round(LARGER * value) for value in one.bbox)
        if y1 - up >= 0 and y2 - up <= 540:
            made.append(Item(one.type, one.role, one.label, (x1, y1 - up, x2, y2 - up)))
    return made


def page(label: str = "Valider") -> list[AnyItem]:
    return [*LABELS, ("button", "validate", label, BUTTON)]


@pytest.fixture
def target(book: ScreenBook) -> TargetSpec:
    return target_on(book.draw("then", page()), Box(*BUTTON))


def robot(
    book: ScreenBook,
    below: str = "Valider",
    objection: Objection | None = None,
    resolver: TargetResolver | None = None,
) -> Robot:
    shown = ("page", "lower", "down")
    for name, up in zip(shown, (0, 30, 210), strict=True):
        book.draw(name, larger(page(below), up=up))

    def script(screen: str, deed: Deed) -> str | None:
        if deed.verb == "scroll":
            return shown[min(shown.index(screen) + 1, 2)] if deed.scroll[1] > 0 else "page"
        return "done" if (screen, deed.verb) == ("down", "click") else None

    return Robot(book, script=script, objection=objection, resolver=resolver)


def test_what_lies_below_the_edge_is_scrolled_to_and_clicked(book: ScreenBook, target: TargetSpec) -> None:
    """EX-5, L4-8: in larger letters the button is below what is shown"""
    hand = robot(book)
    outcome = hand.do(edge(Action(type="mouse_click", target=target)))
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert hand.sent == ["scroll", "scroll", "click"]


def test_who_is_asked_about_steps_is_asked_once_about_the_wheel(book: ScreenBook, target: TargetSpec) -> None:
    """L4-13: about the first turn, and about the click"""
    asked: list[str] = []

    def agree(one: WorkflowEdge, outcome: StepOutcome) -> None:
        asked.append(one.edge_id)

    hand = robot(book, objection=agree)
    assert hand.do(edge(Action(type="mouse_click", target=target))).status is ExecutionStatus.SUCCESS
    assert (hand.sent, len(asked)) == (["scroll", "scroll", "click"], 2)


def test_what_comes_up_must_be_the_target_itself(book: ScreenBook, target: TargetSpec) -> None:
    """EX-7: « Valider tout » below the edge is not « Valider »"""
    hand = robot(book, "Valider tout")
    outcome = hand.do(edge(Action(type="mouse_click", target=target)))
    assert outcome.status is ExecutionStatus.FAILED
    assert "click" not in hand.sent


@pytest.mark.parametrize("turns", [0, 1])
def test_a_search_that_breaks_turns_no_wheel(book: ScreenBook, target: TargetSpec, turns: int) -> None:
    """EX-7: that it was not found tells nothing; not after a turn either"""
    searched = RETRIES if turns == 0 else RETRIES + 1
    hand = robot(book, resolver=BreaksFor("Valider", after=searched))
    outcome = hand.do(edge(Action(type="mouse_click", target=target)))
    assert (outcome.status, outcome.message) == (ExecutionStatus.FAILED, BROKEN)
    assert hand.sent == ["scroll"] * turns


def test_landmarks_that_cannot_be_laid_over_the_screen_turn_no_wheel(
    book: ScreenBook, target: TargetSpec, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6: a strategy that breaks stops no run; the step is told as not found"""
    torn = target.model_copy(update={"landmarks": (None,) * len(target.landmarks)})
    assert way_to(torn, book.draw("below", larger(page()))) == 0
    assert "beyond the edge could not be told" in caplog.text
    hand = robot(book)
    outcome = hand.do(edge(Action(type="mouse_click", target=torn)))
    assert (outcome.status, outcome.failure_kind) == (ExecutionStatus.FAILED, FailureKind.TARGET_NOT_FOUND)
    assert hand.sent == []


def test_who_only_watches_does_not_scroll(book: ScreenBook, target: TargetSpec) -> None:
    """EX-6"""
    hand = robot(book)
    hand.executor.execute_edge(
        edge(Action(type="mouse_click", target=target)), hand.sight.look(), {}, act=False, patience_s=0.5
    )
    assert hand.sent == []


def test_nothing_is_scrolled_where_the_place_is_in_sight_or_a_dialog_lies_over_it(
    book: ScreenBook, target: TargetSpec
) -> None:
    """EX-7: a target that is gone is gone"""
    assert way_to(target, book.draw("gone", LABELS)) == 0
    assert way_to(target, book.draw("below", larger(page()))) == 1
    assert way_to(target, book.draw("above", larger(page(), up=120))) in (0, 1)
    over: list[AnyItem] = [*larger(page()), ("dialog", "dialog", "Nouveauté", (300, 100, 700, 400))]
    assert way_to(target, book.draw("over", over)) == 0
    assert way_to(target.model_copy(update={"row_contains": ("FAC-12",)}), book.draw("row", larger(page()))) == 0
