"""The policy: presets, ranges, cross-checks, digest; and how the supervisor follows a change."""

from __future__ import annotations

import pytest
from heal_steps import WF, fail, failure

from rpa_vision.errors import DocumentError
from rpa_vision.models.policy import PRESETS, AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, RUNNING
from rpa_vision.testing.auto_heal_fakes import HealWorld


@pytest.mark.parametrize("mode", PRESETS)
def test_a_mode_fills_in_what_the_document_leaves_out(mode: str):
    """AH-6.3"""
    policy = AutoHealPolicy.from_json({"mode": mode})
    for key, value in PRESETS[mode].items():  # type: ignore[index]
        assert getattr(policy, key) == value


def test_explicit_keys_override_the_preset():
    """AH-6.3; SPEC "AH": explicit keys override them"""
    policy = AutoHealPolicy.from_json({"mode": "conservative", "step_fail_streak_to_degraded": 4})
    assert policy.step_fail_streak_to_degraded == 4
    assert policy.workflow_fail_max_in_window == 5


def test_hybrid_is_the_seeds_policy():
    """AH-6.1 AH-6.2; seed 001"""
    policy = AutoHealPolicy.from_json({})
    assert (policy.mode, policy.step_fail_streak_to_degraded, policy.workflow_fail_window_s) == ("hybrid", 3, 600)
    assert (policy.workflow_fail_max_in_window, policy.global_fail_max_in_window) == (10, 30)
    assert (policy.min_confidence_normal, policy.min_confidence_degraded) == (0.72, 0.82)
    assert (policy.regression_window_steps, policy.regression_fail_ratio) == (50, 0.2)
    assert (policy.quarantine_duration_s, policy.max_versions_to_keep) == (1800, 5)


def test_conservative_is_stricter_and_aggressive_more_patient_than_hybrid():
    """AH-6.3"""
    strict, middle, patient = (AutoHealPolicy(mode=mode) for mode in ("conservative", "hybrid", "aggressive"))
    for key in ("step_fail_streak_to_degraded", "workflow_fail_max_in_window", "global_fail_max_in_window"):
        assert getattr(strict, key) < getattr(middle, key) < getattr(patient, key)
    for key in ("min_confidence_normal", "confidence_floor_degraded", "min_margin_top1_top2_degraded"):
        assert getattr(strict, key) > getattr(middle, key) > getattr(patient, key)


@pytest.mark.parametrize("mode", PRESETS)
def test_a_preset_written_out_is_the_same_policy(mode: str):
    """AH-6.3"""
    policy = AutoHealPolicy.from_json({"mode": mode})
    again = AutoHealPolicy.from_json(policy.to_json())
    assert again == policy
    assert again.digest == policy.digest


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"min_confidence_normal": 0.85, "min_confidence_degraded": 0.84}, "min_confidence_degraded"),
        ({"min_margin_top1_top2_normal": 0.2}, "min_margin_top1_top2_degraded"),
        ({"min_confidence_normal": 0.1}, "min_confidence_normal"),
        ({"min_confidence_normal": 0.95}, "min_confidence_normal"),
        ({"step_fail_streak_to_degraded": 0}, "step_fail_streak_to_degraded"),
        ({"step_fail_streak_to_degraded": 11}, "workflow_fail_max_in_window"),
        ({"workflow_fail_max_in_window": 31}, "global_fail_max_in_window"),
        ({"mode": "conservative", "global_fail_max_in_window": 4}, "global_fail_max_in_window"),
        ({"max_versions_to_keep": 4}, "max_versions_to_keep"),
        ({"quarantine_duration_s": 0}, "quarantine_duration_s"),
        ({"mode": "reckless"}, "mode"),
        ({"mode": 3}, "mode"),
        ({"min_confidense_normal": 0.8}, "min_confidense_normal"),
        ({"step_fail_streak_to_degraded": "3"}, "step_fail_streak_to_degraded"),
    ],
)
def test_a_policy_that_makes_no_sense_is_refused_and_the_key_named(document: dict[str, object], field: str):
    """AH-6.2; issue 3: ranges and cross-checks"""
    with pytest.raises(DocumentError, match=field):
        AutoHealPolicy.from_json(document)


def test_policies_that_decide_alike_have_one_digest():
    """P001-6"""
    assert AutoHealPolicy().digest == AutoHealPolicy.from_json({"mode": "hybrid", "quarantine_duration_s": 1800}).digest
    assert AutoHealPolicy().digest != AutoHealPolicy(quarantine_duration_s=1801).digest


def test_a_new_policy_holds_for_the_next_step_without_restart(world: HealWorld, manager: AutoHealManager):
    """AH-6.5 P001-6"""
    fail(manager, 2)
    world.policy.policy = AutoHealPolicy(mode="conservative")
    assert manager.permit_step(WF, "s2").thresholds.min_confidence == 0.8
    fail(manager, 1)
    assert manager.get_mode(WF) is DEGRADED
    assert manager.permit_step(WF, "s2").thresholds.min_confidence == 0.9


def test_a_step_in_flight_keeps_the_policy_it_began_with(world: HealWorld, manager: AutoHealManager):
    """AH-6.5 P001-6; issue 3: in-flight steps keep the snapshot they began with"""
    fail(manager, 1)
    before = manager.permit_step(WF, "s1").thresholds
    world.policy.policy = AutoHealPolicy(mode="conservative")
    manager.on_step_result(WF, "s1", failure())  # the second in a row: enough for conservative only
    assert manager.get_mode(WF) is RUNNING
    assert world.audit.of("step_result")[-1]["policy_digest"] == before.policy_digest
    fail(manager, 1)
    assert manager.get_mode(WF) is DEGRADED


def test_a_longer_window_finds_older_failures_still_there(world: HealWorld, manager: AutoHealManager):
    """AH-6.5 P001-6: counters stay true under policy edits"""
    for number in range(9):
        fail(manager, 1, step_id=f"s{number}")
    world.clock.advance(700)
    world.policy.policy = AutoHealPolicy(workflow_fail_window_s=3600)
    fail(manager, 1, step_id="last")
    assert not manager.should_execute_step(WF, "s1")[0]


def test_each_policy_is_in_the_audit_whole_before_it_decides(world: HealWorld, manager: AutoHealManager):
    """P001-6"""
    fail(manager, 1)
    world.policy.policy = AutoHealPolicy(mode="aggressive")
    fail(manager, 1)
    known: set[object] = set()
    for kind, record in world.audit.entries:
        if kind == "policy_in_force":
            known.add(record["policy_digest"])
            assert AutoHealPolicy.from_json(record["policy"]).digest == record["policy_digest"]  # type: ignore[arg-type]
        elif "policy_digest" in record:
            assert record["policy_digest"] in known
    assert len(known) == 2
