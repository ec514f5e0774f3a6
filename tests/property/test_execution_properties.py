"""The seed's promises about acting, for whatever conditions and failures may come."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.execution.action_executor import ActionExecutor, StepOutcome
from rpa_vision.execution.conditions import CONDITION_NAMES, Moment, judge
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputKind
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import EdgeConstraints, PostConditions, SafetyRules, WorkflowEdge
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, CountingIds, ScreenBook, index_over, workflow_over
from rpa_vision.testing.scripted_desktop import ScriptedDesktop, on_click

BUTTON = (40, 200, 160, 240)
NODES = {"page": "page", "done": "done"}
PAGE: list[AnyItem] = [
    ("heading", "title", "Facture", (40, 60, 240, 100)),
    ("label", "data_display", "Praticien", (40, 120, 160, 144)),
    ("text_input", "form_input", "Motif", (40, 150, 300, 180)),
    ("button", "validate", "Valider", BUTTON),
]
CLICK = Action(type="mouse_click", target=TargetSpec(label="Valider", type="button"))
TYPING = Action(
    type="text_input",
    target=TargetSpec(label="Motif", type="text_input"),
    parameters=ActionParameters(text="abc", replace_existing=True),
)


@pytest.fixture(scope="module")
def book() -> ScreenBook:
    made = ScreenBook(size=(480, 320))
    made.draw("page", PAGE, title="Facture")
    made.draw("done", [("heading", "title", "Liste des factures", (40, 60, 400, 100))], title="Liste")
    return made


def robot(book: ScreenBook) -> tuple[ScriptedDesktop, ManualClock, ActionExecutor]:
    clock = ManualClock()
    script = [on_click("page", Box(*BUTTON), to="done")]
    desktop = ScriptedDesktop(book.pixels, start="page", script=script, clock=clock)
    sight = Sight(desktop.eyes, book.observer, clock, CountingIds())
    edge = WorkflowEdge(edge_id="E", from_node="page", to_node="done")
    matcher = NodeMatcher(workflow_over(book, NODES, [edge]), index_over(book, NODES))
    executor = ActionExecutor(
        desktop,
        sight,
        matcher,
        TargetResolver(),
        clock,
        looks=lambda path: None,
        secrets={},
        safety_rules=SafetyRules(),
    )
    return desktop, clock, executor


def execute(
    book: ScreenBook,
    executor: ActionExecutor,
    *,
    action: Action = CLICK,
    before: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
    timeout_s: float = 1.0,
    values: Mapping[str, str] | None = None,
) -> StepOutcome:
    edge = WorkflowEdge(
        edge_id="E1",
        from_node="page",
        to_node="done",
        action=action,
        constraints=EdgeConstraints(pre_conditions=before),
        post_conditions=PostConditions(expected_node="done", timeout_seconds=timeout_s, conditions=after),
    )
    return executor.execute_edge(edge, book["page"], values or {})


arguments = st.sampled_from(
    [
        "",
        "Praticien",
        "Facture",
        "Autre chose",
        "validate_visible",
        "delete_visible",
        "${nom}",
        "$",
        "Valider",
        "Validée",
    ]
)
known = st.builds(lambda name, argument: f"{name}:{argument}", st.sampled_from(CONDITION_NAMES), arguments)
conditions = known | st.text(max_size=20) | st.sampled_from(["element", "screen_changed", "window_title_changed"])


@given(st.lists(conditions, min_size=1, max_size=3).map(tuple))
@settings(max_examples=60)
def test_pre_conditions_that_are_not_satisfied_send_nothing_and_fail(book: ScreenBook, before: tuple[str, ...]) -> None:
    """P003-8"""
    desktop, _, executor = robot(book)
    moment = Moment(book["page"], book["page"], {})
    satisfied = all(judge(condition, moment).holds for condition in before)
    outcome = execute(book, executor, before=before)
    assert (outcome.status is ExecutionStatus.SUCCESS) is satisfied
    if not satisfied:
        assert outcome.message.startswith("pre-condition not met: ")
        assert not outcome.input_sent
        assert desktop.arrived == []


@given(conditions, st.floats(0.1, 12.0))
@settings(max_examples=40)
def test_post_conditions_that_are_not_satisfied_in_time_fail_and_not_before(
    book: ScreenBook, after: str, timeout_s: float
) -> None:
    """P003-15"""
    desktop, clock, executor = robot(book)
    began_s = clock.monotonic()
    outcome = execute(book, executor, after=(after,), timeout_s=timeout_s)
    took_s = clock.monotonic() - began_s
    holds = judge(after, Moment(book["page"], book["done"], {}, Box(*BUTTON).padded(4))).holds
    assert outcome.verified is (outcome.status is ExecutionStatus.SUCCESS) is holds
    if not holds:
        assert timeout_s <= took_s < timeout_s + 2.0
    assert [deed.verb for deed in desktop.deeds if deed.verb != "move"] == ["click"]


@given(conditions.filter(lambda text: text.partition(":")[0] not in CONDITION_NAMES))
def test_an_unknown_condition_never_holds(book: ScreenBook, condition: str) -> None:
    """L4-15"""
    assert not judge(condition, Moment(book["page"], book["done"], {})).holds


@given(st.integers(0, 12), st.sampled_from([CLICK, TYPING]))
@settings(max_examples=30)
def test_input_is_sent_at_most_once_whatever_fails(book: ScreenBook, after: int, action: Action) -> None:
    """EX-3"""
    desktop, _, executor = robot(book)
    desktop.refuse_input(after=after)
    outcome = execute(book, executor, action=action)
    presses = [event for event in desktop.arrived if event.kind is InputKind.BUTTON_PRESS]
    written = [event.char for event in desktop.arrived if event.kind is InputKind.KEY_PRESS and event.char]
    assert len(presses) <= 1
    assert "".join(written) in ("", "a", "ab", "abc")
    if desktop.arrived:
        assert outcome.input_sent
    assert outcome.verified is (outcome.status is ExecutionStatus.SUCCESS)


@given(
    st.lists(st.sampled_from("0123456789"), min_size=5, max_size=5).map("".join), st.integers(0, 4), st.integers(1, 9)
)
@settings(max_examples=60)
def test_a_number_is_never_taken_for_one_that_differs_by_a_digit(
    book: ScreenBook, digits: str, place: int, change: int
) -> None:
    """EX-7"""
    other = digits[:place] + str((int(digits[place]) + change) % 10) + digits[place + 1 :]
    screen = book.draw("numbers", [("link", "navigation", f"FAC-2026-{other}", (40, 100, 200, 124))])
    target = TargetSpec(label="FAC-2026-${n}", type="link", role="navigation")
    for level in (0, 1, 2):
        profile = HealingProfile.at_level(level)
        assert not isinstance(TargetResolver().resolve(target, screen, {"n": digits}, profile), Resolved)
        assert isinstance(TargetResolver().resolve(target, screen, {"n": other}, profile), Resolved)


@given(st.lists(st.sampled_from(["Valider", "Valider tout", "Invalider", "Annuler", "Validée", "Vaiider"]), max_size=4))
@settings(max_examples=60)
def test_what_is_resolved_says_what_was_asked_for_and_says_it_alone(book: ScreenBook, labels: list[str]) -> None:
    """EX-4, EX-7"""
    items: list[AnyItem] = [
        ("button", "validate", label, (20, 60 + 50 * i, 140, 90 + 50 * i)) for i, label in enumerate(labels)
    ]
    screen = book.draw("buttons", items)
    target = TargetSpec(label="Valider", type="button", role="validate")
    for level in (0, 1, 2):
        answer = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level))
        if labels.count("Valider") == 1:
            assert isinstance(answer, Resolved) or "Vaiider" in labels
        if isinstance(answer, Resolved):
            assert answer.best.element.label in ("Valider", "Vaiider")
            assert labels.count(answer.best.element.label) == 1
