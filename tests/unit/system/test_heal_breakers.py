"""The circuit breaker: three levels, sliding windows, bounded memory; and what its trips lead to."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from heal_steps import WF, fail, fail_apart, failure, step, succeed, success

from rpa_vision.models.auto_heal import AlertKind, DisplayGeometry, FailureEvent
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.policy import MAX_GLOBAL_FAILURES, MAX_WORKFLOW_FAILURES, AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.circuit_breaker import CircuitBreaker
from rpa_vision.system.failure_window import FailureWindow
from rpa_vision.system.state_machine import DEGRADED, PAUSED, QUARANTINED, RUNNING
from rpa_vision.testing.auto_heal_fakes import HealWorld
from rpa_vision.testing.manual_clock import ManualClock


def test_three_failures_of_a_step_in_a_row_degrade_the_workflow(manager: AutoHealManager):
    """AH-2.1 AH-10.2 P001-2"""
    fail(manager, 2)
    assert manager.get_mode(WF) is RUNNING
    fail(manager, 1)
    assert manager.get_mode(WF) is DEGRADED


def test_a_success_of_the_step_ends_its_streak(manager: AutoHealManager):
    """AH-2.1"""
    fail(manager, 2)
    succeed(manager, 1, step_id="s1")
    fail(manager, 2)
    assert manager.get_mode(WF) is RUNNING


def test_streaks_are_per_step_and_across_runs(world: HealWorld, manager: AutoHealManager):
    """AH-2.1; SPEC "AH": streaks are per (workflow, step), across runs"""
    for _ in range(2):
        fail(manager, 1, step_id="s1")
        succeed(manager, 1, step_id="s2")
    assert manager.get_mode(WF) is RUNNING
    fail(world.manager(), 1, step_id="s1")
    assert manager.get_mode(WF) is DEGRADED


def test_ten_failures_in_ten_minutes_quarantine_the_workflow(world: HealWorld, manager: AutoHealManager):
    """AH-2.2 AH-10.3 P001-2"""
    fail_apart(manager, 9)
    world.clock.advance(599.9)
    fail(manager, 1, step_id="last")
    assert manager.get_mode(WF) is QUARANTINED


def test_ten_failures_in_more_than_ten_minutes_do_not(world: HealWorld, manager: AutoHealManager):
    """AH-2.2"""
    fail_apart(manager, 9)
    world.clock.advance(600)
    fail(manager, 1, step_id="last")
    assert manager.get_mode(WF) is RUNNING


def test_thirty_failures_everywhere_pause_everything_if_the_policy_wants_it(world: HealWorld):
    """AH-2.3"""
    world.policy.policy = AutoHealPolicy(global_pause_enabled=True)
    manager = world.manager()
    for name in ("a", "b", "c", "d"):
        fail_apart(manager, 7, workflow_id=name)
    fail_apart(manager, 1, workflow_id="e")
    assert manager.get_mode("never-seen") is RUNNING
    fail_apart(manager, 1, workflow_id="f")
    assert manager.get_mode("never-seen") is PAUSED
    allowed, reason = manager.should_execute_step("a", "s1")
    assert not allowed
    assert "30 failures of all workflows" in reason
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.GLOBAL_PAUSE]


def test_the_global_pause_is_off_by_default(manager: AutoHealManager):
    """AH-2.3; SPEC "AH": global_pause_enabled, off by default"""
    for name in ("a", "b", "c", "d"):
        fail_apart(manager, 9, workflow_id=name)
    assert manager.get_mode("a") is RUNNING


def test_after_a_global_pause_everything_is_where_it_was(world: HealWorld):
    """SPEC "AH": PAUSED→the state it came from, by hand only"""
    world.policy.policy = AutoHealPolicy(global_pause_enabled=True)
    manager = world.manager()
    fail(manager, 3)
    fail_apart(manager, 10, workflow_id="other")
    manager.pause(reason="fire drill", who="alice")
    assert manager.get_mode(WF) is PAUSED
    world.clock.advance(100)
    manager.resume(reason="over", who="alice")
    assert manager.get_mode(WF) is DEGRADED
    assert manager.get_mode("other") is QUARANTINED
    world.clock.advance(1700)
    assert manager.get_mode("other") is DEGRADED


def test_after_a_global_pause_counting_begins_anew(world: HealWorld):
    """AH-2.3"""
    world.policy.policy = AutoHealPolicy(global_pause_enabled=True, global_fail_max_in_window=10)
    manager = world.manager()
    for name in ("a", "b"):
        fail_apart(manager, 5, workflow_id=name)
    assert manager.get_mode("c") is PAUSED
    manager.resume(reason="the network is back", who="alice")
    fail_apart(manager, 9, workflow_id="c")
    assert manager.get_mode("c") is RUNNING
    assert manager.get_status_report()["global_failures_in_window"] == 9


@pytest.mark.parametrize("kind", [*FailureKind, None])
def test_every_kind_of_failure_counts(manager: AutoHealManager, kind: FailureKind | None):
    """AH-9.1 AH-9.2 AH-9.3 AH-9.4 AH-9.5: a failure of any kind, the watchdog's included, repeatedly"""
    for _ in range(3):
        step(manager, failure(kind))
    assert manager.get_mode(WF) is DEGRADED
    for number in range(7):
        step(manager, failure(kind), step_id=f"t{number}")
    assert manager.get_mode(WF) is QUARANTINED


@pytest.mark.parametrize("result", [success(margin=0.039), failure(FailureKind.LOW_CONFIDENCE, margin=0.039)])
def test_screens_too_close_to_tell_apart_degrade_at_once(world: HealWorld, result):
    """AH-9.4"""
    manager = world.manager()
    step(manager, result)
    assert manager.get_mode(WF) is DEGRADED
    assert "LOW_CONFIDENCE" in manager.history(WF)[0].reason
    assert world.successes.kept == []


def test_a_margin_just_wide_enough_changes_nothing(manager: AutoHealManager):
    """AH-9.4"""
    step(manager, success(margin=0.04))
    manager.on_node_match(WF, "s1", 0.04)
    assert manager.get_mode(WF) is RUNNING


def test_a_low_margin_heard_before_the_step_ends_degrades_too(manager: AutoHealManager):
    """AH-9.4"""
    manager.on_node_match(WF, "s1", 0.01)
    assert manager.get_mode(WF) is DEGRADED


def test_a_low_margin_is_judged_by_the_policy_the_step_began_with(world: HealWorld, manager: AutoHealManager):
    """AH-6.4: in-flight steps keep their policy"""
    manager.permit_step(WF, "s1")
    world.policy.policy = AutoHealPolicy(min_margin_top1_top2_normal=0.0, min_margin_top1_top2_degraded=0.0)
    manager.on_node_match(WF, "s1", 0.01)
    assert manager.get_mode(WF) is DEGRADED


@pytest.mark.parametrize("kind", [FailureKind.TARGET_NOT_FOUND, FailureKind.LOW_CONFIDENCE])
def test_what_is_not_found_on_another_screen_was_lost_to_the_drift(
    world: HealWorld, manager: AutoHealManager, kind: FailureKind
):
    """AH-9.5 AH-9.1: RUNTIME_DRIFT, and the audit keeps what the run said"""
    manager.on_runtime_drift(WF, DisplayGeometry(1920, 1080), DisplayGeometry(1280, 720))
    step(manager, failure(kind))
    (record,) = world.audit.of("step_result")
    assert record["result"]["failure_kind"] == "RUNTIME_DRIFT"  # type: ignore[index,call-overload]
    assert record["failure_kind_told"] == kind.value
    assert world.failures.cases[0][2].failure_kind is FailureKind.RUNTIME_DRIFT
    assert world.failures.cases[0][3]["failure_kind_told"] == kind.value
    (report,) = manager.get_status_report()["workflows"]
    assert report["failures"]["RUNTIME_DRIFT"] == 1


@pytest.mark.parametrize("kind", [FailureKind.POSTCONDITION_FAILED, FailureKind.WATCHDOG_TIMEOUT, None])
def test_what_failed_otherwise_is_not_blamed_on_the_screen(
    world: HealWorld, manager: AutoHealManager, kind: FailureKind | None
):
    """AH-9.2 AH-9.3"""
    manager.on_runtime_drift(WF, DisplayGeometry(1920, 1080), DisplayGeometry(1280, 720))
    step(manager, failure(kind))
    assert world.failures.cases[0][2].failure_kind is kind
    assert "failure_kind_told" not in world.audit.of("step_result")[0]


def test_without_drift_a_target_that_is_not_found_is_just_that(world: HealWorld, manager: AutoHealManager):
    """AH-9.1"""
    manager.on_runtime_drift(WF, DisplayGeometry(1920, 1080), DisplayGeometry(1920, 1080))
    step(manager, failure())
    assert world.failures.cases[0][2].failure_kind is FailureKind.TARGET_NOT_FOUND


def test_a_screen_other_than_the_recorded_one_rescales_tolerances_and_raises_the_threshold(
    world: HealWorld, manager: AutoHealManager
):
    """AH-9.5"""
    recorded = DisplayGeometry(1920, 1080)
    assert manager.on_runtime_drift(WF, recorded, recorded) is None
    manager.on_runtime_drift(WF, recorded, DisplayGeometry(1920, 1080, 1.5))
    terms = manager.permit_step(WF, "s1").thresholds
    assert (terms.min_confidence, terms.pixel_scale) == (0.77, 1.5)
    manager.on_runtime_drift(WF, recorded, DisplayGeometry(3840, 2160))
    assert manager.permit_step(WF, "s1").thresholds.pixel_scale == 2.0
    fail(manager, 3)
    assert manager.permit_step(WF, "s1").thresholds.min_confidence == 0.87
    manager.on_runtime_drift(WF, recorded, recorded)
    terms = manager.permit_step(WF, "s1").thresholds
    assert (terms.min_confidence, terms.pixel_scale) == (0.82, 1.0)
    assert len(world.audit.of("runtime_drift")) == 3


def test_a_smaller_screen_of_the_same_scale_does_not_narrow_the_search(manager: AutoHealManager):
    """AH-9.5"""
    manager.on_runtime_drift(WF, DisplayGeometry(1920, 1080), DisplayGeometry(1280, 720))
    assert manager.permit_step(WF, "s1").thresholds.pixel_scale == 1.0


def test_every_failed_step_gives_a_failure_case_with_policy_and_version(world: HealWorld, manager: AutoHealManager):
    """AH-2.4 AH-7.1"""
    world.versions.add(WF)
    fail(manager, 3)
    assert len(world.failures.cases) == 3
    context = world.failures.cases[-1][3]
    assert context["version_id"] == "v001"
    assert context["policy_digest"] == AutoHealPolicy().digest
    assert context["tripped"] == "step s1 failed 3 times in a row"
    json.dumps(context)


def test_a_trip_attaches_a_mini_report_where_a_scenario_is_available(world: HealWorld):
    """AH-2.5 AH-7.2"""
    world.mini_report = lambda workflow_id: {"scenario": workflow_id}
    fail(world.manager(), 3)
    assert world.failures.reports == [("case_3", {"scenario": WF})]


def test_a_trip_by_failures_of_a_known_kind_attaches_the_report_to_the_last_case(world: HealWorld):
    """AH-2.5"""
    world.mini_report = lambda workflow_id: {"scenario": workflow_id}
    manager = world.manager()
    fail(manager, 1)
    world.failures.known = True
    fail(manager, 2)
    assert world.failures.reports == [("case_1", {"scenario": WF})]


def test_no_scenario_no_report(world: HealWorld):
    """AH-2.5"""
    world.mini_report = lambda workflow_id: None
    fail(world.manager(), 3)
    assert world.failures.reports == []


def test_those_who_only_help_never_stop_a_run(world: HealWorld):
    """AH-7.5 P001-7: recorder, report, success store and alerts may break"""
    world.mini_report = lambda workflow_id: {}["no such scenario"]
    world.failures.breaks = world.successes.breaks = world.alerts.breaks = True
    manager = world.manager()
    succeed(manager, 1)
    fail(manager, 3)
    fail_apart(manager, 7)
    assert manager.get_mode(WF) is QUARANTINED
    assert {record["what"] for record in world.audit.of("supervisor_trouble")} >= {
        "failure case",
        "success store",
        "alert quarantine",
    }


def test_an_alert_of_a_process_that_died_before_telling_is_told_by_the_next(world: HealWorld):
    """AH-8.4"""

    class Killed(BaseException):
        pass

    class Dying:
        def raise_alert(self, alert: object) -> None:
            raise Killed

    dying = HealWorld(clock=world.clock, state=world.state, alerts=Dying())  # type: ignore[arg-type]
    with pytest.raises(Killed):
        dying.manager().force_transition(WF, QUARANTINED, "looks wrong", who="alice")
    manager = world.manager()
    manager.should_execute_step("other", "s1")
    assert world.alerts.alerts == []  # the other one may still be at it
    world.clock.advance(61)
    manager.should_execute_step("other", "s1")
    manager.should_execute_step("other", "s1")
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE]


def test_the_breaker_by_itself_has_the_seeds_methods():
    """AH-8.1; seed 001: CircuitBreaker"""
    clock = ManualClock()
    breaker = CircuitBreaker(AutoHealPolicy(global_pause_enabled=True), clock)
    for number in range(30):
        breaker.record_failure("a" if number < 10 else "b", "s1", "TARGET_NOT_FOUND")
    assert breaker.should_trigger_degraded("a", "s1")
    assert breaker.should_trigger_quarantine("a")
    assert breaker.should_trigger_global_pause()
    breaker.record_success("a", "s1")
    assert not breaker.should_trigger_degraded("a", "s1")
    assert breaker.get_failure_counts("a") == {
        "step_streak": 0,
        "workflow_window": 10,
        "global_window": 30,
        "total": 10,
        "TARGET_NOT_FOUND": 10,
        "POSTCONDITION_FAILED": 0,
        "WATCHDOG_TIMEOUT": 0,
        "LOW_CONFIDENCE": 0,
        "RUNTIME_DRIFT": 0,
    }
    clock.advance(600)
    assert not breaker.should_trigger_quarantine("a")


def test_the_breaker_survives_being_stored():
    """SPEC "AH": restart restores counters"""
    clock = ManualClock()
    breaker = CircuitBreaker(AutoHealPolicy(), clock)
    for _ in range(10):
        breaker.record_failure("a", "s1", "WATCHDOG_TIMEOUT")
    again = CircuitBreaker(AutoHealPolicy(), clock, counts=breaker.dump_global())
    again.load("a", type(breaker.dump("a")).from_json(json.dumps(breaker.dump("a").to_json())))
    assert again.get_failure_counts("a") == breaker.get_failure_counts("a")
    assert again.should_trigger_quarantine("a")


def test_many_failures_stay_in_bounded_memory():
    """AH-8.1: a million in the benchmark"""
    clock = ManualClock()
    breaker = CircuitBreaker(AutoHealPolicy(), clock)
    for number in range(3000):
        breaker.record_failure("a", f"s{number}", "TARGET_NOT_FOUND")
    counts = breaker.dump("a")
    assert len(counts.failures) == MAX_WORKFLOW_FAILURES
    assert len(counts.streaks) <= 512
    assert len(breaker.dump_global().failures) == MAX_GLOBAL_FAILURES
    clock.advance(86_400)
    breaker.record_failure("a", "s1", "TARGET_NOT_FOUND")
    assert len(breaker.dump("a").failures) == 1


def test_a_window_gives_frozen_snapshots():
    """Seed 001: FailureWindow; SPEC: a builder that gives frozen snapshots"""
    clock = ManualClock()
    window = FailureWindow(600, clock, capacity=3)
    for number in range(5):
        window.add_failure(
            FailureEvent(
                at=clock.now(), workflow_id=WF, step_id=f"s{number}", failure_type=FailureKind.TARGET_NOT_FOUND
            )
        )
        clock.advance(100)
    seen = window.snapshot()
    assert [failure.step_id for failure in seen.failures] == ["s2", "s3", "s4"]
    assert seen.window_start == clock.now() - timedelta(seconds=600)
    clock.advance(300)
    assert window.get_failure_count() == 2
    assert len(seen.failures) == 3
    window.cleanup_expired()
    assert len(window.remembered) == 3  # a longer window may still ask


def test_a_failure_from_the_future_counts():
    """The machine's clock was set back: doubt never makes the supervisor more patient."""
    clock = ManualClock()
    window = FailureWindow(600, clock, capacity=3)
    later = clock.now() + timedelta(days=2)
    window.add_failure(FailureEvent(at=later, workflow_id=WF, step_id="s1", failure_type=FailureKind.TARGET_NOT_FOUND))
    assert window.get_failure_count() == 1
