"""The real supervisor with the real recorder: every failed step has a case, a tripped breaker adds a report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from failing_steps import PAGE, VALIDATE, book_with

from rpa_vision.adapters.failures import FileFailureCaseStore
from rpa_vision.adapters.scenarios import YamlScenarios
from rpa_vision.app.failures import replay_case
from rpa_vision.app.simulate import mini_reports
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.action_executor import ActionExecutor, StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep, ExecutionLoop
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.execution.watchdog import WatchedSupervisor
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import PostConditions, SafetyRules, WorkflowEdge
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.failure_cases import FailureCaseRecorder
from rpa_vision.system.failure_evidence import StepEvidence
from rpa_vision.system.simulated_world import SimulatedWorld
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import MOMENT, CountingIds, Item, index_over, workflow_over
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

SCENARIOS = Path(__file__).parents[3] / "docs" / "scenarios"
LOST = ExecutionResult(status=ExecutionStatus.FAILED, message="gone", failure_kind=FailureKind.TARGET_NOT_FOUND)


def supervisor(recorder: FailureCaseRecorder, world: SimulatedWorld, scenarios: Path) -> AutoHealManager:
    return AutoHealManager(
        state=world.state,
        policy=world.policy,
        audit=world.audit,
        versions=world.versions,
        failures=recorder,
        successes=world.successes,
        alerts=world.alerts,
        clock=world.clock,
        ids=world.ids,
        mini_report=mini_reports(YamlScenarios(), lambda workflow_id: scenarios / f"{workflow_id}.yaml"),
    )


def test_a_tripped_breaker_leaves_a_case_with_a_mini_report(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, tmp_path: Path
) -> None:
    """AH-2.4, AH-2.5, AH-7.1, AH-7.2"""
    (tmp_path / "WF.yaml").write_bytes((SCENARIOS / "three-failures-degrade.yaml").read_bytes())
    world = SimulatedWorld(AutoHealPolicy(), MOMENT)
    manager = supervisor(recorder, world, tmp_path)
    for times in range(1, 4):
        assert manager.should_execute_step("WF", "E1")[0]
        manager.on_step_result("WF", "E1", LOST)
        [stored] = cases.list().items
        assert stored.seen.occurrences == times
    assert manager.get_mode("WF") is ExecutionState.DEGRADED
    case = cases.load(stored.seen.case_id)
    assert case.report is not None
    assert case.report["passed"] is True
    assert case.details["policy_digest"] == AutoHealPolicy().digest
    assert world.audit.troubles == []


def test_a_run_that_loses_its_target_is_supervised_guarded_recorded_and_replayed(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, tmp_path: Path
) -> None:
    """AH-2.4, AH-7.1, AH-7.5, EX-10: everything as a run wires it, but the screen and the time."""
    book = book_with([*PAGE, Item("link", "navigation", "Valider tout", (500, 300, 640, 340))])
    edge = WorkflowEdge(
        edge_id="E1",
        from_node="page",
        to_node="page",
        action=Action(type="mouse_click", target=TargetSpec(label="Approuver", type="button")),
        post_conditions=PostConditions(conditions=("text_appears:Facture validée",)),
    )
    workflow = workflow_over(book, {"page": "page"}, [edge])
    clock, gate = ManualClock(), InputGate()
    desktop = ScriptedDesktop(book.pixels, start="page", clock=clock)
    guarded = GuardedDesktop(desktop, gate)
    sight = Sight(guarded.eyes, book.observer, clock, CountingIds())
    matcher = NodeMatcher(workflow, index_over(book, {"page": "page"}))
    resolver = TargetResolver()
    manager = supervisor(recorder, SimulatedWorld(AutoHealPolicy(), MOMENT), tmp_path)

    class Presenting(ActionExecutor):
        """Hands the evidence over before the result is told, as the loop does."""

        def execute_edge(
            self, edge: WorkflowEdge, screen: ObservedScreen, values: Mapping[str, str], **how: Any
        ) -> StepOutcome:
            outcome = super().execute_edge(edge, screen, values, **how)
            step = ExecutedStep(edge, outcome, 1.0)
            recorder.present(StepEvidence(step=step, workflow=workflow, values=values, resolver=resolver))
            return outcome

    executor = Presenting(
        guarded, sight, matcher, resolver, clock, looks=lambda path: None, secrets={}, safety_rules=SafetyRules()
    )
    with WatchedSupervisor(manager, gate, clock, workflow_id=workflow.workflow_id) as watched:
        run = ExecutionLoop(workflow, sight, matcher, executor, watched, clock, may_go_on=lambda: gate.is_open).run({})
    assert run.status == "halted", run.reason
    assert "Approuver" in run.reason
    assert desktop.deeds == []
    [stored] = cases.list().items
    case, again = replay_case(cases, stored.seen.case_id)
    assert case.failure_kind is FailureKind.TARGET_NOT_FOUND
    assert case.screen_state is not None
    assert again.verdict == "same"
    assert VALIDATE in [element.bbox for element in case.screen_state.ui_elements]
