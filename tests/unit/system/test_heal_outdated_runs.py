"""Another version came into use while a run holds the former one: the run is told, and the new one is not blamed."""

from __future__ import annotations

from heal_steps import WF, failure, kill_while_restoring, succeed, success

from rpa_vision.models.execution import ExecutionResult
from rpa_vision.ports.audit import AuditEntry, AuditPosition
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, ROLLBACK, RUNNING
from rpa_vision.system.what_if import read_history
from rpa_vision.testing.auto_heal_fakes import HealWorld


def trail(world: HealWorld) -> list[AuditEntry]:
    now, here = world.clock.now().isoformat(), AuditPosition()
    return [AuditEntry(now, kind, record, "", "", here, here) for kind, record in world.audit.entries]


def decisions(world: HealWorld) -> int:
    """How much of the trail is played again."""
    return sum(event.kind in ("allowed", "refused", "result") for event in read_history(trail(world)).events)


class Told(RunContext):
    """A run that remembers what it hears."""

    def __init__(self, run_id: str, version: int) -> None:
        self.heard: list[str] = []
        super().__init__(run_id, version, self.heard.append)


def two_versions(world: HealWorld, manager: AutoHealManager) -> None:
    world.versions.add(WF)
    succeed(manager, 60)
    world.versions.add(WF)
    manager.on_update(WF)


def one(manager: AutoHealManager, run: RunContext, result: ExecutionResult, step_id: str = "s1") -> bool:
    """One step of a run."""
    allowed = manager.permit_step(WF, step_id, run=run).allowed
    if allowed:
        manager.on_step_result(WF, step_id, result, run=run)
    return allowed


def rolled_back_by(world: HealWorld, manager: AutoHealManager, run: Told) -> None:
    while not run.heard:
        assert one(manager, run, failure())
    assert world.versions.in_use(WF) == "v001"


def test_a_run_of_another_robot_hears_of_a_rollback_at_its_next_step(world: HealWorld, manager: AutoHealManager):
    """AH-4.4 AH-1.5: no further step of a version that was undone, though this process saw it in use just now"""
    other = world.manager()
    two_versions(world, manager)
    mine, theirs = Told("run_a", 2), Told("run_b", 2)
    assert one(other, theirs, success())
    rolled_back_by(world, manager, mine)

    permission = other.permit_step(WF, "s2", run=theirs)

    assert (permission.allowed, permission.reason) == (False, "outdated: v001 is in use now")
    assert theirs.heard == ["v001"]
    assert world.audit.of("step_blocked")[-1]["in_use"] == "v001"
    theirs.workflow_version = 1
    assert one(other, theirs, success()), "with the version in use it goes on"


def test_failures_of_an_undone_version_are_kept_but_not_counted(world: HealWorld, manager: AutoHealManager):
    """AH-2.2 AH-4.4: the restored version is not quarantined for what the undone one did"""
    two_versions(world, manager)
    late = [Told(f"run_{number}", 2) for number in range(12)]
    for number, run in enumerate(late):
        assert manager.permit_step(WF, f"late{number}", run=run).allowed
    rolled_back_by(world, manager, Told("run_a", 2))
    cases = len(world.failures.cases)

    for number, run in enumerate(late):
        manager.on_step_result(WF, f"late{number}", failure(), run=run)

    assert manager.get_mode(WF) is DEGRADED
    assert len(world.failures.cases) == cases + 12
    assert [record["counted"] for record in world.audit.of("step_result")[-12:]] == [False] * 12
    assert all(run.heard == ["v001"] for run in late)
    (report,) = manager.get_status_report()["workflows"]
    assert report["failures"]["workflow_window"] == 0


def test_successes_of_an_undone_version_prove_nothing(world: HealWorld, manager: AutoHealManager):
    """AH-5.2"""
    two_versions(world, manager)
    late = Told("run_b", 2)
    assert manager.permit_step(WF, "late", run=late).allowed
    rolled_back_by(world, manager, Told("run_a", 2))
    manager.force_transition(WF, RUNNING, "fixed", who="anne")
    kept = len(world.successes.kept)
    manager.on_step_result(WF, "late", success(), run=late)
    assert len(world.successes.kept) == kept


def test_a_run_of_a_version_that_was_replaced_hears_of_the_new_one(world: HealWorld, manager: AutoHealManager):
    """AH-4.1: learning goes on while robots run"""
    two_versions(world, manager)
    run = Told("run_a", 2)
    assert one(manager, run, success())
    world.versions.add(WF)
    world.clock.advance(2)
    assert not one(manager, run, success())
    assert run.heard == ["v003"]


def test_without_versions_no_run_is_outdated(world: HealWorld, manager: AutoHealManager):
    """AH-1.1"""
    run = Told("run_a", 7)
    assert one(manager, run, failure())
    assert world.audit.of("step_result")[0]["counted"] is True
    assert run.heard == []


def test_a_run_that_ends_a_dead_owners_rollback_hears_of_the_version(world: HealWorld, manager: AutoHealManager):
    """AH-1.5; crash: the run that takes a rollback over holds the version that was bad"""
    two_versions(world, manager)
    kill_while_restoring(world, restored=False)
    run = Told("run_b", 2)
    assert not one(manager, run, success())
    assert (manager.get_mode(WF), run.heard) == (ROLLBACK, [])
    world.clock.advance(61)
    assert not one(manager, run, success())
    assert (manager.get_mode(WF), run.heard) == (DEGRADED, ["v001"])


def test_a_run_that_ends_the_undoing_of_changes_takes_the_version_up_again(world: HealWorld, manager: AutoHealManager):
    """AH-1.5: the version is the same, what it holds is not"""
    two_versions(world, manager)
    world.versions.changed = True
    kill_while_restoring(world, restored=False)
    world.clock.advance(61)
    run = Told("run_b", 2)
    assert not one(manager, run, success())
    assert run.heard == ["v002"]
    assert one(manager, run, success())
    assert run.heard == ["v002"]


def test_a_replay_leaves_out_what_an_outdated_run_asked_and_did(world: HealWorld, manager: AutoHealManager):
    """AH-7.2: no policy would have decided otherwise"""
    two_versions(world, manager)
    late = Told("run_b", 2)
    assert manager.permit_step(WF, "late", run=late).allowed
    rolled_back_by(world, manager, Told("run_a", 2))
    before = decisions(world)
    manager.on_step_result(WF, "late", failure(), run=late)
    assert not manager.permit_step(WF, "late", run=late).allowed
    assert decisions(world) == before
