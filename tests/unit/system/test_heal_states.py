"""The states of a workflow: who goes where, when and why."""

from __future__ import annotations

from datetime import timedelta

import pytest
from heal_steps import WF, fail, fail_apart, failure, step, succeed, success

from rpa_vision.errors import InvalidIdError, TransitionRefusedError, UsageError
from rpa_vision.models.auto_heal import AlertKind, ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, PAUSED, QUARANTINED, ROLLBACK, RUNNING, TABLE, Occasion, is_person
from rpa_vision.testing.auto_heal_fakes import HealWorld


def test_the_table_is_the_settled_one():
    """P001-1 AH-1.1; SPEC "AH": states move only along this table"""
    ways = {state: {to for start, to in TABLE if start is state} for state in ExecutionState}
    assert ways == {
        RUNNING: {DEGRADED, QUARANTINED, ROLLBACK, PAUSED},
        DEGRADED: {RUNNING, QUARANTINED, ROLLBACK, PAUSED},
        QUARANTINED: {DEGRADED, RUNNING, ROLLBACK, PAUSED},
        ROLLBACK: {DEGRADED, QUARANTINED},
        PAUSED: {RUNNING, QUARANTINED, DEGRADED, ROLLBACK},
    }
    assert TABLE[QUARANTINED, DEGRADED] is Occasion.TIME_IS_UP
    assert TABLE[QUARANTINED, RUNNING] is Occasion.BY_HAND


def test_a_workflow_never_heard_of_is_running_on_normal_terms(manager: AutoHealManager):
    """AH-1.1 AH-1.2"""
    permission = manager.permit_step(WF, "s1")
    assert manager.get_mode(WF) is RUNNING
    assert permission.allowed
    assert permission.thresholds.min_confidence == 0.72
    assert permission.thresholds.learning_enabled
    assert manager.should_execute_step(WF, "s1") == (True, "running")


def test_degraded_raises_the_threshold_and_ends_learning(manager: AutoHealManager):
    """AH-1.3 AH-3.1 AH-3.2 AH-3.3 AH-3.4 AH-3.5 AH-3.6 P001-3"""
    fail(manager, 3)
    permission = manager.permit_step(WF, "s1")
    assert permission.allowed
    assert permission.state is DEGRADED
    assert permission.thresholds.min_confidence == 0.82
    assert permission.thresholds.min_margin == 0.08
    assert not permission.thresholds.learning_enabled
    assert permission.thresholds.hard_constraints_required
    assert permission.thresholds.ambiguity_refused


@pytest.mark.parametrize(("normal", "degraded", "floor"), [(0.72, 0.75, 0.82), (0.72, 0.9, 0.9), (0.9, 0.9, 1.0)])
def test_the_degraded_floor_is_the_key_and_at_least_a_tenth_above_normal(
    world: HealWorld, normal: float, degraded: float, floor: float
):
    """AH-3.1; SPEC "AH": degraded floor"""
    world.policy.policy = AutoHealPolicy(min_confidence_normal=normal, min_confidence_degraded=degraded)
    manager = world.manager()
    fail(manager, 3)
    assert manager.permit_step(WF, "s1").thresholds.min_confidence == floor


def test_the_policy_may_let_a_degraded_workflow_learn(world: HealWorld):
    """AH-6.4"""
    world.policy.policy = AutoHealPolicy(disable_learning_in_degraded=False)
    manager = world.manager()
    fail(manager, 3)
    assert manager.permit_step(WF, "s1").thresholds.learning_enabled


def test_a_quarantined_workflow_does_not_run_and_has_a_failure_case(world: HealWorld, manager: AutoHealManager):
    """AH-1.4"""
    fail_apart(manager, 10)
    allowed, reason = manager.should_execute_step(WF, "s1")
    assert not allowed
    assert reason.startswith("quarantined")
    assert world.failures.cases[-1][3]["tripped"] == "10 failures in 600 s"
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE]


def test_a_quarantine_by_hand_has_a_failure_case_too(world: HealWorld, manager: AutoHealManager):
    """AH-1.4 AH-8.4"""
    manager.force_transition(WF, QUARANTINED, "looks wrong", who="alice")
    assert len(world.failures.cases) == 1
    assert "looks wrong" in (world.failures.cases[0][2].message)
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE]


def test_a_quarantine_ends_on_time_though_nobody_was_running(world: HealWorld, manager: AutoHealManager):
    """AH-1.4; SPEC "AH": QUARANTINED→DEGRADED when its time is up"""
    fail_apart(manager, 10)
    world.clock.advance(1799.9)
    assert world.manager().get_mode(WF) is QUARANTINED
    world.clock.advance(0.1)
    restarted = world.manager()
    assert restarted.get_mode(WF) is DEGRADED
    assert [(t.from_state, t.to_state) for t in restarted.history(WF)] == [
        (RUNNING, QUARANTINED),
        (QUARANTINED, DEGRADED),
    ]


def test_clean_steps_lead_from_degraded_to_running(manager: AutoHealManager):
    """SPEC "AH": step_success_streak_to_running"""
    fail(manager, 3)
    succeed(manager, 4)
    assert manager.get_mode(WF) is DEGRADED
    succeed(manager, 1)
    assert manager.get_mode(WF) is RUNNING


@pytest.mark.parametrize("unclean", [failure(), success(margin=0.01)])
def test_a_step_that_is_not_clean_begins_the_count_anew(manager: AutoHealManager, unclean: ExecutionResult):
    """SPEC "AH": a run of clean steps"""
    fail(manager, 3)
    succeed(manager, 4)
    step(manager, unclean, step_id="other")
    succeed(manager, 4)
    assert manager.get_mode(WF) is DEGRADED
    succeed(manager, 1)
    assert manager.get_mode(WF) is RUNNING


def test_each_time_in_degraded_needs_its_own_clean_steps(manager: AutoHealManager):
    """SPEC "AH": a run of clean steps"""
    fail(manager, 3)
    succeed(manager, 5)
    fail(manager, 1)
    assert manager.get_mode(WF) is DEGRADED  # the step still fails every time
    succeed(manager, 4)
    manager.pause(WF, reason="look", who="alice")
    manager.resume(WF, reason="looked", who="alice")
    succeed(manager, 4)
    assert manager.get_mode(WF) is DEGRADED
    succeed(manager, 1)
    assert manager.get_mode(WF) is RUNNING


def test_a_paused_workflow_waits_for_a_person(world: HealWorld, manager: AutoHealManager):
    """AH-1.6"""
    manager.pause(WF, reason="maintenance", who="alice")
    world.clock.advance(1_000_000)
    assert manager.should_execute_step(WF, "s1") == (False, "paused: until a person resumes it")
    with pytest.raises(TransitionRefusedError):
        manager.resume(WF, reason="enough", who="system")
    with pytest.raises(TransitionRefusedError):
        manager.force_transition(WF, RUNNING, "enough")
    manager.resume(WF, reason="done", who="alice")
    assert manager.get_mode(WF) is RUNNING


def test_a_pause_never_shortens_a_quarantine(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": a pause never shortens a quarantine"""
    fail_apart(manager, 10)
    manager.pause(WF, reason="looking", who="alice")
    world.clock.advance(1000)
    manager.resume(WF, reason="looked", who="alice")
    assert manager.get_mode(WF) is QUARANTINED
    world.clock.advance(800)
    assert manager.get_mode(WF) is DEGRADED


def test_a_quarantine_whose_time_went_by_during_a_pause_is_over_afterwards(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": a pause never shortens a quarantine"""
    fail_apart(manager, 10)
    manager.pause(WF, reason="looking", who="alice")
    world.clock.advance(2000)
    assert manager.get_mode(WF) is PAUSED
    manager.resume(WF, reason="looked", who="alice")
    assert manager.get_mode(WF) is DEGRADED


def test_a_person_leaves_a_pause_into_degraded_only_outside_the_table_while_a_quarantine_lasts(
    world: HealWorld, manager: AutoHealManager
):
    """SPEC "AH": a pause never shortens a quarantine"""
    fail_apart(manager, 10)
    manager.pause(WF, reason="looking", who="alice")
    manager.force_transition(WF, DEGRADED, "I know what I do", who="alice")
    assert manager.history(WF)[-1].forced


def test_what_is_not_paused_is_not_changed_by_resuming(manager: AutoHealManager):
    fail(manager, 3)
    manager.resume(WF, reason="just in case", who="alice")
    assert manager.get_mode(WF) is DEGRADED


@pytest.mark.parametrize("who", ["system", "auto_heal", "system:scheduler", "System", " AUTO_HEAL:x", ""])
def test_what_is_not_a_person_keeps_to_the_table(world: HealWorld, manager: AutoHealManager, who: str):
    """SPEC "AH": force_transition obeys the same table unless it comes from a person"""
    assert not is_person(who)
    fail_apart(manager, 10)
    with pytest.raises(TransitionRefusedError, match="only when a person decides so"):
        manager.force_transition(WF, RUNNING, "hurry", who=who)
    with pytest.raises(TransitionRefusedError, match="only when the quarantine has lasted its time"):
        manager.force_transition(WF, DEGRADED, "hurry", who=who)
    assert manager.get_mode(WF) is QUARANTINED
    assert [record["who"] for record in world.audit.of("transition_refused")] == [who, who]


def test_a_person_ends_a_quarantine_by_hand_and_counting_begins_anew(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": QUARANTINED→RUNNING by hand"""
    fail_apart(manager, 10)
    manager.force_transition(WF, RUNNING, "the server is back", who="alice")
    last = manager.history(WF)[-1]
    assert (last.who, last.reason, last.forced) == ("alice", "the server is back", False)
    fail_apart(manager, 9)
    assert manager.get_mode(WF) is RUNNING


def test_a_person_may_go_outside_the_table_and_that_is_written_down(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": audited with who and why"""
    fail_apart(manager, 10)
    manager.force_transition(WF, DEGRADED, "try it", who="alice")
    assert manager.get_mode(WF) is DEGRADED
    record = world.audit.of("state_transition")[-1]
    assert (record["who"], record["reason"], record["forced"]) == ("alice", "try it", True)


def test_to_be_there_already_is_no_change(world: HealWorld, manager: AutoHealManager):
    manager.force_transition(WF, RUNNING, "sure", who="alice")
    assert manager.history(WF) == []


def test_a_change_by_hand_needs_a_reason(manager: AutoHealManager):
    with pytest.raises(UsageError):
        manager.force_transition(WF, PAUSED, " ", who="alice")


def test_a_blocked_step_is_neither_success_nor_failure(world: HealWorld, manager: AutoHealManager):
    fail(manager, 2)
    step(manager, ExecutionResult(status=ExecutionStatus.BLOCKED, message="a person said no"))
    assert manager.get_mode(WF) is RUNNING
    fail(manager, 1)
    assert manager.get_mode(WF) is DEGRADED
    assert world.successes.kept == []
    assert len(world.failures.cases) == 3


def test_history_has_durations_and_numbers_without_gaps(world: HealWorld, manager: AutoHealManager):
    """AH-8.2"""
    succeed(manager, 1)
    world.clock.advance(10)
    fail(manager, 3)
    world.clock.advance(20)
    succeed(manager, 5)
    first, second = manager.history(WF)
    assert (first.number, first.to_state, first.lasted_s) == (1, DEGRADED, 10.0)
    assert (second.number, second.to_state, second.lasted_s) == (2, RUNNING, 20.0)
    assert second.at - first.at == timedelta(seconds=20)


def test_every_change_is_audited_before_it_holds(world: HealWorld, manager: AutoHealManager):
    """P001-1; AH: everything decided is audited before it is done"""
    fail(manager, 3)
    succeed(manager, 5)
    manager.pause(WF, reason="lunch", who="alice")
    audited = [(r["number"], r["from_state"], r["to_state"]) for r in world.audit.of("state_transition")]
    assert audited == [(t.number, t.from_state.value, t.to_state.value) for t in manager.history(WF)]


def test_what_cannot_be_audited_is_not_done(world: HealWorld, manager: AutoHealManager):
    """AH: everything decided is audited before it is done"""

    class FullDisk:
        def append(self, kind: str, record: object) -> None:
            if kind == "state_transition":
                raise OSError("the disk is full")

    fail(manager, 2)
    unaudited = HealWorld(clock=world.clock, state=world.state, audit=FullDisk()).manager()  # type: ignore[arg-type]
    with pytest.raises(OSError, match="full"):
        unaudited.on_step_result(WF, "s1", failure())
    assert manager.get_mode(WF) is RUNNING


def test_state_survives_a_restart(world: HealWorld, manager: AutoHealManager):
    """AH-1.1 AH-8.1; SPEC "AH": restart restores states, counters and quarantines"""
    fail(manager, 2)
    fail(world.manager(), 1)
    assert world.manager().get_mode(WF) is DEGRADED


def test_workflows_do_not_touch_each_other(manager: AutoHealManager):
    """AH-1.1"""
    fail(manager, 3)
    assert manager.get_mode("another") is RUNNING


def test_ids_are_checked_where_they_enter(manager: AutoHealManager):
    with pytest.raises(InvalidIdError):
        manager.should_execute_step("../escape", "s1")
    with pytest.raises(InvalidIdError):
        manager.on_step_result(WF, "a/b", success())


def test_the_status_report_says_what_holds_now(world: HealWorld, manager: AutoHealManager):
    """AH-8.1 AH-8.3"""
    fail(manager, 3)
    fail_apart(manager, 10, workflow_id="other")
    report = manager.get_status_report()
    assert report["states"] == {"running": 0, "degraded": 1, "quarantined": 1, "rollback": 0, "paused": 0}
    by_id = {workflow["workflow_id"]: workflow for workflow in report["workflows"]}
    assert by_id[WF]["confidence_threshold"] == 0.82
    assert by_id[WF]["failures"]["TARGET_NOT_FOUND"] == 3
    assert by_id["other"]["quarantine_until"] is not None
    assert report["global_failures_in_window"] == 13
    world.clock.advance(1800)
    assert manager.get_status_report()["states"]["quarantined"] == 0


def test_a_quarantine_forced_from_a_pause_is_told_and_has_a_case(world: HealWorld, manager: AutoHealManager):
    """AH-1.4 AH-8.4"""
    manager.pause(WF, reason="look", who="anne")
    manager.force_transition(WF, QUARANTINED, "dangerous", who="anne")
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE]
    assert len(world.failures.cases) == 1


def test_a_quarantine_that_a_pause_interrupted_is_not_told_twice(world: HealWorld, manager: AutoHealManager):
    """AH-8.4"""
    fail_apart(manager, 10)
    manager.pause(WF, reason="look", who="anne")
    manager.resume(WF, reason="seen", who="anne")
    assert manager.get_mode(WF) is QUARANTINED
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE]
