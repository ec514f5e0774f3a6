"""A step that breaks, or that the watchdog reports first: the supervisor knows, and the run does not say otherwise."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from run_by_hand import VALIDATE, Overseer, Robot, click, edge

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import DocumentError, NoDisplayError
from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.execution_loop import ExecutedStep, ExecutionLoop, RunOutcome
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.execution.watchdog import WatchedSupervisor
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import SafetyRules, WorkflowEdge
from rpa_vision.testing.screens import CountingIds, ScreenBook
from rpa_vision.testing.scripted_desktop import Script, on_click

SCRIPT: Script = [
    on_click("page", Box(*VALIDATE), to="done"),
    on_click("done", Box(300, 400, 400, 430), to="page"),
]
SOON_S = 20.0


class Interrupted(Sight):
    """Sight to which something happens whenever it looks."""

    def __init__(self, robot: Robot, happens: Any) -> None:
        super().__init__(robot.desktop.eyes, robot.book.observer, robot.clock, CountingIds())
        self._happens = happens

    def look(self, **how: Any) -> ObservedScreen:
        seen = super().look(**how)
        self._happens()
        return seen


def loop_over(robot: Robot, supervisor: Any, happens: Any, **hooks: Any) -> ExecutionLoop:
    """The robot's loop, to whose eyes something happens."""
    sight = Interrupted(robot, happens)
    rules = SafetyRules()
    executor = ActionExecutor(
        robot.desktop, sight, robot.matcher, TargetResolver(), robot.clock,
        looks=lambda path: None, secrets={}, safety_rules=rules,
    )  # fmt: skip
    return ExecutionLoop(robot.workflow, sight, robot.matcher, executor, supervisor, robot.clock, **hooks)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NoDisplayError("the display went away"), "the display went away (desktop.no_display)"),
        (ValueError("quotes whatever was typed"), "unexpected ValueError"),
    ],
)
def test_a_step_that_breaks_after_its_input_is_told_with_its_evidence_and_raised(
    book: ScreenBook, error: Exception, message: str
) -> None:
    """AH-7.5, EX-1: the click is out, and then nothing can be seen any more"""
    robot, overseer, run = Robot(book, script=SCRIPT), Overseer(), RunOutcome()
    evidence: list[ExecutedStep] = []
    ended: list[ExecutedStep] = []

    def go_dark() -> None:
        if robot.sent:
            raise error

    with pytest.raises(type(error)) as raised:
        loop_over(robot, overseer, go_dark, on_failure=evidence.append, on_step=ended.append).run({}, run)
    assert raised.value is error
    assert robot.sent == ["click"]
    [told] = overseer.told
    assert (told.status, told.failure_kind) == (ExecutionStatus.FAILED, FailureKind.POSTCONDITION_FAILED)
    assert told.message == message
    assert evidence == ended == run.steps
    outcome = run.steps[0].outcome
    assert (outcome.input_sent, outcome.verified, run.steps[0].error) == (True, False, error)
    assert outcome.point == Box(*VALIDATE).center, "how far it came is known"
    assert (run.status, run.reason) == ("failed", f"step 1 (E1): {message}")


def test_a_step_that_breaks_before_its_input_is_told_as_having_sent_nothing(book: ScreenBook) -> None:
    """AH-7.5"""
    robot, overseer, run = Robot(book, script=SCRIPT), Overseer(), RunOutcome()

    def go_dark() -> None:
        raise NoDisplayError("the display went away")

    with pytest.raises(NoDisplayError):
        loop_over(robot, overseer, go_dark).run({}, run)
    assert [told.failure_kind for told in overseer.told] == [None]
    assert (run.status, run.steps[0].outcome.input_sent, robot.sent) == ("failed", False, [])


def test_what_keeps_a_run_from_beginning_is_the_failure_of_its_first_step(book: ScreenBook) -> None:
    """AH-4.4: a damaged update must count against itself"""
    robot, overseer = Robot(book, script=SCRIPT), Overseer()

    def damaged() -> None:
        raise DocumentError("prototypes/page.npy: not a vector file")

    with pytest.raises(DocumentError):
        robot.loop(overseer, make_ready=damaged).run({})
    assert overseer.diary == ["asked WF_by_hand E1", "told WF_by_hand E1 failed"]
    assert "not a vector file" in overseer.told[0].message
    assert robot.sent == []


def test_evidence_that_cannot_be_had_does_not_keep_the_supervisor_from_hearing(book: ScreenBook) -> None:
    """AH-2.4"""
    robot, overseer = Robot(book, edges=[edge(click("Introuvable"))]), Overseer()

    def no_evidence(step: ExecutedStep) -> None:
        raise NoDisplayError("gone")

    with pytest.raises(NoDisplayError):
        robot.loop(overseer, on_failure=no_evidence).run({})
    assert [told.failure_kind for told in overseer.told] == [FailureKind.TARGET_NOT_FOUND]


def _steps() -> list[WorkflowEdge]:
    there = edge(edge_id="E1")
    return [there, edge(click("Retour", kind="link"), edge_id="E2", start="done", end="page", expects="page")]


@pytest.mark.parametrize("number", [1, 2])
def test_a_step_the_watchdog_reported_first_is_never_a_success(book: ScreenBook, number: int) -> None:
    """EX-10, AH-9.3: neither the last step nor one before it, however well it ended after all"""
    robot, overseer, gate = Robot(book, script=SCRIPT, edges=_steps()), Overseer(), InputGate()
    told = threading.Event()
    tell = overseer.on_step_result

    class Loud(Overseer):
        def on_step_result(self, *what: Any) -> None:
            tell(*what)
            told.set()

    supervisor = WatchedSupervisor(Loud(), gate, robot.clock, workflow_id="WF_by_hand", step_timeout_s=100.0)

    def be_slow() -> None:
        if len(robot.sent) == number and supervisor.watchdog.expiry is None:
            told.clear()
            robot.clock.advance(200.0)
            supervisor.watchdog.poke()
            assert told.wait(SOON_S)

    hooks = {"may_go_on": lambda: gate.is_open}
    with supervisor:
        run = loop_over(robot, supervisor, be_slow, **hooks).run({})
        assert not supervisor.still_learns("WF_by_hand")
    assert (run.status, len(run.steps)) == ("failed", number)
    assert run.reason == f"step {number} (E{number}): the step did not end within 100 s"
    assert [result.failure_kind for result in overseer.told][number - 1 :] == [FailureKind.WATCHDOG_TIMEOUT]
    last = run.steps[-1].outcome
    assert (last.status, last.verified) == (ExecutionStatus.FAILED, False)


def test_a_run_whose_time_is_up_between_steps_was_not_stopped_by_a_person(book: ScreenBook) -> None:
    """EX-10"""
    robot, overseer, gate = Robot(book, script=SCRIPT, edges=_steps()), Overseer(), InputGate()
    supervisor = WatchedSupervisor(overseer, gate, robot.clock, workflow_id="WF_by_hand", run_timeout_s=100.0)
    done = threading.Event()

    def dawdle(step: ExecutedStep) -> None:
        robot.clock.advance(200.0)
        supervisor.watchdog.poke()
        while supervisor.watchdog.expiry is None:
            assert not done.wait(0.001)

    hooks = {"may_go_on": lambda: gate.is_open, "on_step": dawdle}
    with supervisor:
        run = robot.loop(supervisor, **hooks).run({})  # type: ignore[arg-type]
    assert (run.status, run.reason) == ("failed", "the run did not end within 100 s")
    assert [result.status for result in overseer.told] == [ExecutionStatus.SUCCESS]


def test_what_a_person_did_or_did_not_do_is_told_as_a_persons(book: ScreenBook) -> None:
    """UX-5"""
    robot, overseer = Robot(book, script=SCRIPT), Overseer()
    robot.clock.after(1.0, lambda: robot.desktop.person.click(Box(*VALIDATE).center))
    assert robot.loop(overseer).run({}, act=False).status == "success"
    alone = Robot(book, script=SCRIPT)
    assert alone.loop(overseer).run({}).status == "success"
    assert [told.by_person for told in overseer.told] == [True, False]


def test_the_terms_of_a_broken_step_are_kept(book: ScreenBook) -> None:
    """AH-3.2"""
    robot, overseer, run = Robot(book), Overseer(), RunOutcome()
    overseer.terms = replace(overseer.terms, min_confidence=0.9)

    def damaged() -> None:
        raise DocumentError("damaged")

    with pytest.raises(DocumentError):
        robot.loop(overseer, make_ready=damaged).run({}, run)
    assert run.steps[0].outcome.terms == overseer.terms
