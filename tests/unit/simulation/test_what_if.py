"""Fiche 16: a real audit trail, played again under the same policy and under another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.scenarios import YamlScenarios
from rpa_vision.app.simulate import compare_policies, simulate_file
from rpa_vision.errors import UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditEntry, AuditPosition
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.simulated_world import SimulatedWorld
from rpa_vision.system.what_if import read_history, what_if

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
HYBRID, CONSERVATIVE, AGGRESSIVE = (AutoHealPolicy(mode=mode) for mode in ("hybrid", "conservative", "aggressive"))
FAILED = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)
SUCCESS = ExecutionResult(status=ExecutionStatus.SUCCESS)


class RecordedRun:
    """A real supervisor whose audit trail is a real file."""

    def __init__(self, path: Path, policy: AutoHealPolicy = HYBRID) -> None:
        self.world = SimulatedWorld(policy, START)
        self.manager = AutoHealManager(
            state=self.world.state,
            policy=self.world.policy,
            audit=JsonlAudit(path, self.world.clock),
            versions=self.world.versions,
            failures=self.world.failures,
            successes=self.world.successes,
            alerts=self.world.alerts,
            clock=self.world.clock,
            ids=self.world.ids,
            audit_context={"run_id": "run_1"},
        )

    def steps(self, *results: ExecutionResult, step: str = "E1", every_s: float = 10.0) -> None:
        for result in results:
            allowed, _ = self.manager.should_execute_step("WF", step)
            self.world.clock.sleep(every_s)
            if allowed:
                self.manager.on_step_result("WF", step, result)


def entries(path: Path) -> Iterable[AuditEntry]:
    return JsonlTrail(path).entries()


def entry(kind: str, record: JsonObject, second: int = 0) -> AuditEntry:
    here = AuditPosition()
    return AuditEntry((START + timedelta(seconds=second)).isoformat(), kind, record, "", "", here, here)


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    """Three failures, a recovery, then ten failures and a quarantine that two steps ran into."""
    path = tmp_path / "audit.jsonl"
    run = RecordedRun(path)
    run.steps(*[SUCCESS] * 5, *[FAILED] * 3, *[SUCCESS] * 6, *[FAILED] * 10, *[SUCCESS] * 2)
    assert run.manager.get_mode("WF") is ExecutionState.QUARANTINED
    return path


def test_under_the_same_policy_a_history_repeats_itself(trail: Path) -> None:
    """AH-7.2, AH-10.5"""
    report = what_if(read_history(entries(trail)), HYBRID)
    assert report.decisions > 20
    assert (report.same_decisions, report.differences) == (report.decisions, ())
    assert (report.only_then, report.only_now) == ((), ())
    assert report.transitions_now == report.transitions_then
    assert report.final_states_then == report.final_states_now == {"WF": ExecutionState.QUARANTINED}


def test_a_stricter_policy_shows_which_steps_it_would_have_refused(trail: Path) -> None:
    """AH-7.2, AH-10.5"""
    report = what_if(read_history(entries(trail)), CONSERVATIVE)
    assert report.now_refused > 0
    assert report.now_allowed == 0
    assert len(report.differences) == report.now_refused
    assert {(one.then, one.now) for one in report.differences} == {("allowed", "refused")}
    assert all(one.why.startswith("quarantined") for one in report.differences)
    first = next(one for one in report.transitions_now if one.to_state is ExecutionState.DEGRADED)
    then = next(one for one in report.transitions_then if one.to_state is ExecutionState.DEGRADED)
    assert first.at_s < then.at_s


def test_a_more_patient_policy_shows_what_it_would_have_let_run_and_makes_no_result_up(trail: Path) -> None:
    """AH-7.2, AH-10.5"""
    report = what_if(read_history(entries(trail)), AGGRESSIVE)
    assert (report.now_refused, report.now_allowed, report.unknown_results) == (
        0,
        report.now_allowed,
        report.now_allowed,
    )
    assert report.now_allowed > 0
    assert report.final_states_now["WF"] is not ExecutionState.QUARANTINED
    assert ExecutionState.QUARANTINED in {one.to_state for one in report.only_then}


def test_what_a_person_did_happens_again_and_updates_are_seen_by_their_versions(tmp_path: Path) -> None:
    """AH-7.2, AH-7.3"""
    path = tmp_path / "audit.jsonl"
    run = RecordedRun(path)
    run.steps(*[SUCCESS] * 60)
    run.world.versions.learn("WF")
    run.manager.on_update("WF")
    run.steps(*[FAILED] * 4, *[SUCCESS] * 3)
    assert run.world.versions.in_use("WF") == "v001"
    run.manager.pause("WF", reason="the ledger is closed", who="anne")
    run.steps(SUCCESS)
    run.manager.force_transition("WF", ExecutionState.DEGRADED, "go on", who="anne")
    run.steps(SUCCESS)
    report = what_if(read_history(entries(path)), HYBRID)
    assert report.same_decisions == report.decisions
    assert [(one.from_state, one.to_state, one.who) for one in report.transitions_now] == [
        (one.from_state, one.to_state, one.who) for one in report.transitions_then
    ]
    without = what_if(read_history(entries(path)), AutoHealPolicy(rollback_on_regression=False))
    assert ExecutionState.ROLLBACK in {one.to_state for one in without.only_then}


def test_the_trail_of_the_first_supervisor_can_be_played_too() -> None:
    """AH-7.2: entries without state, version or policy."""
    told = {"run_id": "run_1", "workflow_id": "WF", "step_id": "E1"}

    def recorded() -> Iterator[AuditEntry]:
        for second in range(0, 60, 20):
            yield entry("step_allowed", {**told, "state": "running"}, second)
            yield entry("step_result", {**told, "result": FAILED.to_json()}, second + 10)
        yield entry("run_ended", {"run_id": "run_1"}, 70)
        yield entry("step_result", {"workflow_id": "WF"}, 80)
        yield entry("step_result", {**told, "result": {"status": "odd"}}, 80)

    history = read_history(recorded())
    assert (len(history.events), history.not_understood) == (6, 2)
    report = what_if(history, HYBRID)
    assert report.final_states_now == {"WF": ExecutionState.DEGRADED}
    assert report.notes == ("2 entries could not be understood",)
    assert read_history(recorded(), workflow_id="WF_other").events == ()


def test_a_scenario_can_be_a_recorded_history(trail: Path, tmp_path: Path) -> None:
    """AH-7.2, AH-10.5"""
    scenario = tmp_path / "last_week.yaml"
    scenario.write_text(
        "name: last week\nworkflow_id: WF\npolicy: {mode: aggressive}\nhistory: audit.jsonl\n"
        "expect: [{state: degraded}, {refused_steps: 0}]\n",
        encoding="utf-8",
    )
    report = simulate_file(scenario, YamlScenarios(), entries)
    assert report.passed, report.expectations
    assert report.steps.failed == 10
    other = tmp_path / "elsewhere" / "plan.yaml"
    other.parent.mkdir()
    other.write_text("name: plan\nworkflow_id: WF\nscript: [{step: E1}]\n", encoding="utf-8")
    assert simulate_file(other, YamlScenarios(), entries).steps.asked == 1
    assert simulate_file(other, YamlScenarios(), entries, history=trail).steps.failed == 10


def test_policies_are_compared_by_path_and_workflow(trail: Path, tmp_path: Path) -> None:
    """AH-7.2"""
    report = compare_policies(trail, entries, {"mode": "conservative"}, workflow_id="WF")
    assert report.policy_mode == "conservative"
    assert report.policy_digest == CONSERVATIVE.digest
    with pytest.raises(UsageError, match="tells of no step"):
        compare_policies(tmp_path / "none.jsonl", entries, {})


def test_many_differences_are_counted_all_and_shown_in_part() -> None:
    """AH-7.2"""
    told = {"run_id": "run_1", "workflow_id": "WF", "step_id": "E1"}
    failing = [
        one
        for second in range(0, 40, 2)
        for one in (
            entry("step_allowed", told, second),
            entry("step_result", {**told, "result": FAILED.to_json()}, second),
        )
    ]
    asked = [entry("step_allowed", told, 50) for _ in range(600)]
    report = what_if(read_history([*failing, *asked]), HYBRID)
    assert report.now_refused >= 600
    assert len(report.differences) == 500
