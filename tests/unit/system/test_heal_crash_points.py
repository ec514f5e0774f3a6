"""The process dies at every single point of its work: before each read, write, audit line and call to the outside."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from heal_steps import WF, failure, success

from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.auto_heal import StateRecords
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import TABLE
from rpa_vision.testing.auto_heal_fakes import HealWorld, MemoryState

POLICY = AutoHealPolicy(workflow_fail_max_in_window=5, quarantine_duration_s=30, step_success_streak_to_running=2)


class Killed(BaseException):
    """What `kill -9` looks like from inside: nothing runs after it."""


class Fuse:
    """Burns down by one at each point; at zero the process is dead, and stays dead."""

    def __init__(self, points: int) -> None:
        self.left = points

    def point(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise Killed


class Fused:
    """Any port, with a fuse before each call."""

    def __init__(self, port: object, fuse: Fuse) -> None:
        self._port, self._fuse = port, fuse

    def __getattr__(self, name: str) -> Callable[..., object]:
        self._fuse.point()
        call: Callable[..., object] = getattr(self._port, name)
        return call


class FusedState:
    """A store that dies before each read and write, before the commit, and after it."""

    def __init__(self, state: MemoryState, fuse: Fuse) -> None:
        self._state, self._fuse = state, fuse

    @contextlib.contextmanager
    def transaction(self) -> Iterator[StateRecords]:
        with self._state.transaction() as records:
            yield Fused(records, self._fuse)  # type: ignore[misc]
            self._fuse.point()
        self._fuse.point()


def doomed(world: HealWorld, fuse: Fuse) -> AutoHealManager:
    return AutoHealManager(
        state=FusedState(world.state, fuse),  # type: ignore[arg-type]
        policy=world.policy,
        audit=Fused(world.audit, fuse),  # type: ignore[arg-type]
        versions=Fused(world.versions, fuse),  # type: ignore[arg-type]
        failures=Fused(world.failures, fuse),  # type: ignore[arg-type]
        successes=Fused(world.successes, fuse),  # type: ignore[arg-type]
        alerts=Fused(world.alerts, fuse),  # type: ignore[arg-type]
        clock=world.clock,
        ids=world.ids,
    )


def story(world: HealWorld, manager: AutoHealManager) -> None:
    """Learned, fine, learned again, worse: degraded, rolled back, recovered; then quarantined, paused, resumed."""
    for _ in range(3):
        manager.on_step_result(WF, "a", success())
    world.versions.add(WF)
    manager.on_update(WF)
    for number in range(5):
        manager.permit_step(WF, f"s{number}")
        manager.on_step_result(WF, f"s{number}", failure())
    for _ in range(2):
        manager.on_step_result(WF, "a", success())
    for number in range(5):
        manager.on_step_result(WF, f"t{number}", failure())
    manager.pause(WF, reason="look", who="alice")
    manager.resume(WF, reason="looked", who="alice")


def run_until_killed(points: int) -> tuple[HealWorld, bool]:
    world = HealWorld()
    world.policy.policy = POLICY
    world.versions.add(WF)
    try:
        story(world, doomed(world, Fuse(points)))
    except Killed:
        return world, True
    return world, False


def check(world: HealWorld) -> None:
    """Old or new, never in between; what holds was audited; the next process goes on."""
    manager = world.manager()
    history = manager.history(WF)
    assert [change.number for change in history] == list(range(1, len(history) + 1))
    for earlier, later in pairwise(history):
        assert later.from_state is earlier.to_state
    for change in history:
        assert (change.from_state, change.to_state) in TABLE
    # Of two audit lines with one number the last one came true; the other process died before it did.
    audited = {record["number"]: record["to_state"] for record in world.audit.of("state_transition")}
    assert {change.number: change.to_state.value for change in history}.items() <= audited.items()
    world.clock.advance(61)  # leases and quarantines are over
    assert manager.should_execute_step(WF, "a")[0] or manager.get_mode(WF).value == "paused"
    manager.on_step_result(WF, "a", success())
    assert world.versions.in_use(WF) in ("v001", "v002")
    told = [alert.alert_id for alert in world.alerts.alerts]
    transitions = [change.to_state.value for change in manager.history(WF)]
    assert len(set(told)) >= transitions.count("quarantined")  # also of the process that died before telling


def test_the_story_without_an_accident_goes_through_every_state():
    world, killed = run_until_killed(1_000_000)
    assert not killed
    states = [change.to_state.value for change in world.manager().history(WF)]
    assert states == ["rollback", "degraded", "running", "quarantined", "paused", "quarantined"]
    check(world)


def test_a_process_killed_at_any_point_leaves_the_old_state_or_the_new():
    """P001-1 AH-1.5; issue 3: crash campaign, each point"""
    points = 0
    while True:
        points += 1
        world, killed = run_until_killed(points)
        if not killed:
            break
        check(world)
    assert points > 150


@pytest.mark.parametrize("points", [1, 2, 3])
def test_a_decision_that_died_before_it_was_stored_was_not_made(points: int):
    """AH: everything decided is audited before it is done"""
    world, _ = run_until_killed(points)
    assert world.manager().history(WF) == []
