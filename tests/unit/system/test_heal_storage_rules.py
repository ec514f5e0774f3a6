"""What is written where: every decision to the audit trail, only validated successes outside DEGRADED to the store."""

from __future__ import annotations

import pytest
from heal_steps import WF, fail, fail_apart, failure, step, succeed, success

from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, RUNNING
from rpa_vision.testing.auto_heal_fakes import HealWorld


def test_every_decision_is_in_the_audit_with_state_and_confidence(world: HealWorld, manager: AutoHealManager):
    """P001-5 AH-5.1 AH-5.4"""
    step(manager, success(confidence=0.93))
    fail_apart(manager, 10)
    manager.should_execute_step(WF, "s1")
    allowed, blocked = world.audit.of("step_allowed"), world.audit.of("step_blocked")
    assert len(allowed) == 11
    assert allowed[0]["state"] == "running"
    assert allowed[0]["min_confidence"] == 0.72
    assert blocked[0]["state"] == "quarantined"
    results = world.audit.of("step_result")
    assert len(results) == 11
    assert results[0]["result"]["confidence"] == 0.93  # type: ignore[index,call-overload]


def test_only_validated_successes_are_kept(world: HealWorld, manager: AutoHealManager):
    """P001-5 AH-5.2"""
    step(manager, success())
    step(manager, failure())
    step(manager, ExecutionResult(status=ExecutionStatus.BLOCKED))
    assert [(workflow, name) for workflow, name, _ in world.successes.kept] == [(WF, "s1")]


@pytest.mark.parametrize("may_learn", [True, False])
def test_nothing_is_kept_while_degraded_whatever_the_policy_says_of_learning(world: HealWorld, may_learn: bool):
    """P001-5 AH-5.3"""
    world.policy.policy = AutoHealPolicy(disable_learning_in_degraded=not may_learn)
    manager = world.manager()
    fail(manager, 3)
    succeed(manager, 5)  # the last one leads back to RUNNING, but it was done in DEGRADED
    assert manager.get_mode(WF) is RUNNING
    assert world.successes.kept == []
    succeed(manager, 1)
    assert len(world.successes.kept) == 1


def test_a_success_begun_while_running_and_ended_while_degraded_is_not_kept(world: HealWorld, manager: AutoHealManager):
    """P001-5 AH-5.3: two robots of one workflow"""
    assert manager.should_execute_step(WF, "slow")[0]
    fail(world.manager(), 3)
    manager.on_step_result(WF, "slow", success())
    assert manager.get_mode(WF) is DEGRADED
    assert world.successes.kept == []


def test_a_success_begun_while_degraded_and_ended_while_running_is_not_kept(world: HealWorld, manager: AutoHealManager):
    """P001-5 AH-5.3: two robots of one workflow"""
    fail(manager, 3)
    assert manager.should_execute_step(WF, "slow")[0]
    world.manager().force_transition(WF, RUNNING, "fixed", who="alice")
    manager.on_step_result(WF, "slow", success())
    assert world.successes.kept == []
    assert world.audit.of("step_result")[-1]["state"] == "degraded"
