"""The promises of self-healing, by name: tolerance grows with the attempt, and never the readiness to be wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.action_executor import BACKOFF_S, RETRIES, ActionExecutor, StepOutcome
from rpa_vision.execution.healing_profile import ROLE_ALIASES, TYPE_ALIASES, HealingAttemptMetrics, HealingProfile
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.strategies import role, spatial, text
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.models.workflow_graph import PostConditions, SafetyRules, WorkflowEdge
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, CountingIds, ScreenBook, index_over, workflow_over
from rpa_vision.testing.scripted_desktop import ScriptedDesktop, on_click

BUTTON = (40, 200, 160, 240)
NODES = {"page": "page", "done": "done"}
PAGE: list[AnyItem] = [
    ("heading", "title", "Facture", (40, 60, 240, 100)),
    ("label", "data_display", "Praticien", (40, 120, 160, 144)),
    ("button", "validate", "Valider", BUTTON),
]
levels = st.integers(0, 30)


@pytest.fixture(scope="module")
def book() -> ScreenBook:
    made = ScreenBook(size=(480, 320))
    made.draw("page", PAGE, title="Facture")
    made.draw("later", [*PAGE, ("label", "data_display", "10:31", (380, 290, 460, 310))], title="Facture")
    made.draw("done", [("heading", "title", "Liste des factures", (40, 60, 400, 100))], title="Liste")
    return made


class Robot:
    """An executor with a diary of when it looked and what it measured."""

    def __init__(
        self,
        book: ScreenBook,
        on_healing: Callable[[HealingAttemptMetrics], None] | None = None,
        resolver: TargetResolver | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.measured: list[HealingAttemptMetrics] = []
        script = [on_click("page", Box(*BUTTON), to="done")]
        self.desktop = ScriptedDesktop(book.pixels, start="page", script=script, clock=self.clock)
        sight = Sight(self.desktop.eyes, book.observer, self.clock, CountingIds())
        edge = WorkflowEdge(edge_id="E", from_node="page", to_node="done")
        self.executor = ActionExecutor(
            self.desktop,
            sight,
            NodeMatcher(workflow_over(book, NODES, [edge]), index_over(book, NODES)),
            resolver or TargetResolver(),
            self.clock,
            looks=lambda path: None,
            secrets={},
            safety_rules=SafetyRules(),
            on_healing=on_healing or self.measured.append,
        )
        self.book = book

    def click(self, label: str) -> StepOutcome:
        edge = WorkflowEdge(
            edge_id="E1",
            from_node="page",
            to_node="done",
            action=Action(type="mouse_click", target=TargetSpec(label=label, type="button")),
            post_conditions=PostConditions(expected_node="done", timeout_seconds=1.0),
        )
        return self.executor.execute_edge(edge, self.book["page"], {})


def search(screen: ObservedScreen, target: TargetSpec, level: int) -> Search:
    return Search(
        target=target, label=target.label, label_is_exact=False, rows=(), look=None, screen=screen,
        profile=HealingProfile.at_level(level), elements=screen.state.ui_elements,
    )  # fmt: skip


def test_the_levels_are_those_of_the_design() -> None:
    """EX-2"""
    profiles = [HealingProfile.at_level(level) for level in (0, 1, 2, 3)]
    assert [(p.min_ratio, p.pad_mul, p.expand_roles) for p in profiles] == [
        (0.82, 1.0, False), (0.78, 1.3, True), (0.72, 1.7, True), (0.72, 1.7, True),
    ]  # fmt: skip
    assert [p.attempt_level for p in profiles] == [0, 1, 2, 3]


@given(levels, levels)
def test_healing_attempt_progression(one: int, other: int) -> None:
    """P002-1: a later attempt is never stricter in anything"""
    early, late = HealingProfile.at_level(min(one, other)), HealingProfile.at_level(max(one, other))
    assert late.min_ratio <= early.min_ratio
    assert late.pad_mul >= early.pad_mul
    assert late.expand_roles >= early.expand_roles
    assert late.is_valid


class Tripping(TargetResolver):
    """Breaks at one level of the search for one label, and writes down the levels it was asked for."""

    def __init__(self, trips_at: int | None) -> None:
        super().__init__()
        self._trips_at = trips_at
        self.levels: list[int] = []

    def resolve(self, target: TargetSpec, *others: Any, **more: Any) -> Resolved | Unresolved:
        profile = others[2]
        self.levels.append(profile.attempt_level)
        if target.label == "Introuvable" and profile.attempt_level == self._trips_at:
            raise RuntimeError("the index is gone")
        return super().resolve(target, *others, **more)


class Torn(TargetResolver):
    """Sees two things at the strict level and one, all of a sudden, at the tolerant ones."""

    def resolve(self, target: TargetSpec, *others: Any, **more: Any) -> Resolved | Unresolved:
        answer = super().resolve(target, *others, **more)
        if others[2].attempt_level == 0 and self.is_torn(others[0]):
            return Unresolved("ambiguous", "it could be two things", (), others[2])
        return answer

    def is_torn(self, screen: ObservedScreen) -> bool:
        del screen
        return True


class TornOnce(Torn):
    """Sees two things on the screen it saw first only."""

    def __init__(self) -> None:
        super().__init__()
        self._first: ObservedScreen | None = None

    def is_torn(self, screen: ObservedScreen) -> bool:
        self._first = self._first or screen
        return screen is self._first


class BrokenAgain(TornOnce):
    """Sees two things on the first screen, and breaks when it looks as strictly at another."""

    def resolve(self, target: TargetSpec, *others: Any, **more: Any) -> Resolved | Unresolved:
        answer = super().resolve(target, *others, **more)
        if others[2].attempt_level == 0 and not self.is_torn(others[0]):
            return Unresolved("broken", "the index is gone", (), others[2])
        return answer


@pytest.mark.parametrize("changes", [False, True])
def test_a_tie_is_not_settled_by_tolerance(book: ScreenBook, changes: bool) -> None:
    """EX-4, EX-7: also where something else on the screen has changed by now"""
    robot = Robot(book, resolver=Torn())
    if changes:
        robot.desktop.show("later")
    outcome = robot.click("Valider")
    assert (outcome.input_sent, outcome.message) == (False, "it could be two things")
    assert [one.strategy_used for one in outcome.healing] == ["ambiguous"] * (RETRIES + 1)


def test_a_tie_that_is_none_on_another_screen_is_settled_there(book: ScreenBook) -> None:
    """EX-4, EX-7: as strictly as it was seen, it is seen no more"""
    robot = Robot(book, resolver=TornOnce())
    robot.desktop.show("later")
    outcome = robot.click("Valider")
    assert outcome.input_sent
    assert [one.strategy_used for one in outcome.healing] == ["ambiguous", "som_text_match"]


def test_a_tie_that_cannot_be_looked_at_again_stays(book: ScreenBook) -> None:
    """EX-4, EX-7: what could not be checked is not taken"""
    robot = Robot(book, resolver=BrokenAgain())
    robot.desktop.show("later")
    outcome = robot.click("Valider")
    assert (outcome.input_sent, outcome.message) == (False, "it could be two things")


@given(
    st.sampled_from(["Valider", "Introuvable"]),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from(["Valider", "Introuvable", "Autre chose"]),
)
@settings(max_examples=24)
def test_healing_counter_reset(book: ScreenBook, first: str, trips_at: int | None, second: str) -> None:
    """P002-2, EX-3: whatever came before, an exception at any level too, the next step begins strictly"""
    resolver = Tripping(trips_at)
    robot = Robot(book, resolver=resolver)
    breaks = first == "Introuvable" and trips_at is not None
    with pytest.raises(RuntimeError) if breaks else nullcontext():
        robot.click(first)
    reached = {"Valider": 0, "Introuvable": RETRIES}[first] if trips_at is None or not breaks else trips_at
    assert resolver.levels == list(range(reached + 1)), "it did climb that far"
    robot.desktop.show("page")
    resolver.levels.clear()
    resolver._trips_at = None
    robot.click(second)
    assert resolver.levels[0] == 0


@given(st.sampled_from(sorted(ROLE_ALIASES)), st.data())
@settings(max_examples=40)
def test_role_alias_expansion(book: ScreenBook, name: str, data: st.DataObject) -> None:
    """P002-3: another name of the role is accepted where roles are expanded, and only there"""
    wanted, said = data.draw(st.permutations(sorted(ROLE_ALIASES[name])))[:2]
    screen = book.draw("aliases", [("image", said, "Montant", (40, 60, 240, 100))])
    target = TargetSpec(role=wanted, label="Montant")
    scores = [role.judge(search(screen, target, level)) for level in (0, 1, 2)]
    assert [next(iter((one or {}).values())).score for one in scores] == [0.0, 0.8, 0.8]
    answer = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(1))
    assert isinstance(answer, Resolved)
    assert answer.resolution_details["role_aliases_used"] == [wanted]


def test_the_aliases_are_those_of_the_design() -> None:
    """P002-3"""
    assert "textbox" in ROLE_ALIASES["input"]
    assert "cta" in ROLE_ALIASES["button"]
    assert {
        "text_input": frozenset({"text_input", "input", "textfield"}), "button": frozenset({"button"}),
    } == TYPE_ALIASES  # fmt: skip


@given(st.text(alphabet="abcdeilor 01", min_size=1, max_size=12), st.integers(0, 4))
@settings(max_examples=60)
def test_fuzzy_threshold_relaxation(book: ScreenBook, said: str, level: int) -> None:
    """P002-4: what an attempt accepts, a later one accepts too; the floor for the answer does not fall"""
    screen = book.draw("words", [("button", "validate", said, BUTTON)])
    target = TargetSpec(label="Valider dossier", type="button")
    early = text.judge(search(screen, target, level)) or {}
    late = text.judge(search(screen, target, level + 1)) or {}
    assert set(early) <= set(late)
    details = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level)).resolution_details
    assert details["fuzzy_threshold_used"] == HealingProfile.at_level(level).min_ratio
    assert details["healing_attempt"] == level


@given(st.integers(-300, 300), st.integers(-100, 100), st.integers(0, 4))
@settings(max_examples=60)
def test_spatial_padding_expansion(book: ScreenBook, dx: int, dy: int, level: int) -> None:
    """P002-5: what is near enough in an attempt is near enough in a later one, and reaches as far as was said"""
    screen = book["page"]
    neighbour = Neighbour(label="Praticien", direction="above", offset=(dx, dy))
    target = TargetSpec(label="Valider", neighbours=(neighbour,))
    early = spatial.judge(search(screen, target, level)) or {}
    late = spatial.judge(search(screen, target, level + 1)) or {}
    assert all(late[name].score >= evidence.score - 1e-9 for name, evidence in early.items())
    details = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level)).resolution_details
    assert details["spatial_padding_used"] == HealingProfile.at_level(level).pad_mul


@given(st.sampled_from(["Introuvable", "Autre chose", "Valider tout"]))
@settings(max_examples=6)
def test_backoff_timing_consistency(book: ScreenBook, label: str) -> None:
    """P002-6: each wait is twice the one before"""
    robot = Robot(book)
    robot.click(label)
    moments = [one.timestamp for one in robot.measured]
    waits = [(late - early).total_seconds() for early, late in pairwise(moments)]
    assert len(waits) == RETRIES
    for number, wait in enumerate(waits):
        assert wait == pytest.approx(BACKOFF_S * 2**number, abs=0.3)


@given(st.sampled_from(["Valider", "Introuvable", "Invalider"]))
@settings(max_examples=9)
def test_healing_metrics_recording(book: ScreenBook, label: str) -> None:
    """P002-7: every attempt is measured: level, success, what was asked for and what was relaxed"""
    robot = Robot(book)
    outcome = robot.click(label)
    found = label == "Valider"
    assert outcome.healing == robot.measured
    assert [one.attempt_level for one in robot.measured] == ([0] if found else [0, 1, 2])
    assert [one.success for one in robot.measured] == ([True] if found else [False] * 3)
    for one in robot.measured:
        assert one.original_criteria == HealingProfile.at_level(0).criteria()
        assert one.relaxed_criteria == HealingProfile.at_level(one.attempt_level).criteria()
        assert one.strategy_used
        assert one.duration_ms >= 0.0


def test_metrics_that_fail_never_stop_a_run(book: ScreenBook) -> None:
    """EX-6"""

    def full_disk(metrics: HealingAttemptMetrics) -> None:
        raise OSError("no space left")

    outcome = Robot(book, full_disk).click("Valider")
    assert outcome.status is ExecutionStatus.SUCCESS


def test_two_runs_heal_independently(book: ScreenBook) -> None:
    """EX-3: one process, one resolver, no shared counter"""
    resolver = TargetResolver()
    seen: dict[int, list[int]] = {}

    def heal(level: int) -> None:
        profile = HealingProfile.at_level(level)
        answers = [resolver.resolve(TargetSpec(label="Rien"), book["page"], {}, profile) for _ in range(50)]
        seen[level] = [answer.resolution_details["healing_attempt"] for answer in answers]

    threads = [threading.Thread(target=heal, args=(level,)) for level in (0, 1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {level: [level] * 50 for level in (0, 1, 2)}
