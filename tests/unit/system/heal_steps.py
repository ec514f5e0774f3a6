"""A workflow's steps, as the supervisor hears of them."""

from __future__ import annotations

import pytest

from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import ROLLBACK
from rpa_vision.testing.auto_heal_fakes import HealWorld

WF = "invoices"
NOT_FOUND = FailureKind.TARGET_NOT_FOUND


def success(*, margin: float | None = None, confidence: float = 0.9) -> ExecutionResult:
    return ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=confidence, margin=margin)


def failure(kind: FailureKind | None = NOT_FOUND, *, margin: float | None = None) -> ExecutionResult:
    return ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=kind, message="it failed", margin=margin)


def step(manager: AutoHealManager, result: ExecutionResult, *, step_id: str = "s1", workflow_id: str = WF) -> bool:
    """One step as the execution loop does it: ask, act, tell."""
    allowed, _ = manager.should_execute_step(workflow_id, step_id)
    if allowed:
        manager.on_step_result(workflow_id, step_id, result)
    return allowed


def fail(manager: AutoHealManager, times: int = 1, *, step_id: str = "s1", workflow_id: str = WF) -> None:
    for _ in range(times):
        assert step(manager, failure(), step_id=step_id, workflow_id=workflow_id)


def fail_apart(manager: AutoHealManager, times: int, *, workflow_id: str = WF) -> None:
    """Failures of different steps, so that no streak grows."""
    for number in range(times):
        assert step(manager, failure(), step_id=f"s{number}", workflow_id=workflow_id)


def succeed(manager: AutoHealManager, times: int = 1, *, step_id: str = "ok", workflow_id: str = WF) -> None:
    for _ in range(times):
        assert step(manager, success(), step_id=step_id, workflow_id=workflow_id)


class Killed(BaseException):
    """What `kill -9` looks like from inside."""


def kill_while_restoring(world: HealWorld, *, restored: bool) -> None:
    """A supervisor dies in the middle of its rollback, before or after the version was restored."""
    dying = world.manager()
    keeper = world.versions
    restore = keeper.rollback_to_previous

    class DyingKeeper:
        list_versions = keeper.list_versions
        previous_version = keeper.previous_version
        note_success_rate = keeper.note_success_rate

        def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> object:
            if restored:
                restore(workflow_id, version)
            raise Killed

    world.versions = DyingKeeper()  # type: ignore[assignment]
    dying = world.manager()
    world.versions = keeper
    with pytest.raises(Killed):
        dying.force_transition(WF, ROLLBACK, "by hand", who="alice")
