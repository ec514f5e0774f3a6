"""A rollback to the version somebody named: that one or none, and remembered."""

from __future__ import annotations

import pytest
from heal_steps import WF, succeed

from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, QUARANTINED, ROLLBACK, RUNNING
from rpa_vision.testing.auto_heal_fakes import HealWorld


@pytest.fixture
def three(world: HealWorld, manager: AutoHealManager) -> HealWorld:
    """Three versions, the newest in use."""
    for _ in range(3):
        world.versions.add(WF)
        manager.on_update(WF)
        succeed(manager, 2)
    return world


def undone(manager: AutoHealManager) -> list[str]:
    (workflow,) = manager.get_status_report()["workflows"]
    found: list[str] = workflow["version"]["rolled_back"]
    return found


def test_a_named_version_is_restored_and_the_one_left_is_remembered_as_undone(
    three: HealWorld, manager: AutoHealManager
):
    """AH-4.5"""
    manager.roll_back_to(WF, "v001", "it was better", who="anne")
    assert three.versions.rollbacks == [(WF, "v001")]
    assert manager.get_mode(WF) is DEGRADED
    assert [(one.to_state, one.who) for one in manager.history(WF)] == [(ROLLBACK, "anne"), (DEGRADED, "auto_heal")]
    assert undone(manager) == ["v003"]


def test_one_that_was_undone_is_forgiven_when_a_person_names_it(three: HealWorld, manager: AutoHealManager):
    """AH-4.5"""
    manager.roll_back_to(WF, "v002", "worse", who="anne")
    manager.roll_back_to(WF, "v003", "it was the network", who="anne")
    assert three.versions.in_use(WF) == "v003"
    assert undone(manager) == ["v002"]


def test_a_named_version_that_cannot_be_restored_is_not_replaced_by_another(three: HealWorld, manager: AutoHealManager):
    """AH-4.5"""
    three.versions.damaged.add("v002")
    manager.roll_back_to(WF, "v002", "worse", who="anne")
    assert three.versions.rollbacks == [(WF, "v002")]
    assert (three.versions.in_use(WF), manager.get_mode(WF)) == ("v003", QUARANTINED)


def test_unless_another_one_is_fine_too(three: HealWorld, manager: AutoHealManager):
    """AH-4.5"""
    three.versions.damaged.add("v002")
    manager.roll_back_to(WF, "v002", "worse", who="anne", or_another=True)
    assert (three.versions.in_use(WF), manager.get_mode(WF)) == ("v001", DEGRADED)


def test_to_restore_the_version_in_use_blames_no_version(three: HealWorld, manager: AutoHealManager):
    """AH-4.5"""
    manager.roll_back_to(WF, "v003", "poisoned since", who="anne")
    assert (three.versions.in_use(WF), undone(manager)) == ("v003", [])


def test_whoever_takes_an_abandoned_rollback_over_keeps_to_the_named_version(
    three: HealWorld, manager: AutoHealManager
):
    """AH-4.5; the process that began it died before it restored anything"""
    three.versions.damaged.add("v002")
    with manager._desk.open(WF, manager._policy.current()) as book:
        book.begin_rollback("dead", "v003", "v002", "worse", who="anne", only_target=True)
    three.clock.advance(120.0)
    three.manager().should_execute_step(WF, "s1")
    assert three.versions.rollbacks == [(WF, "v002")]
    assert three.versions.in_use(WF) == "v003"


def test_a_rollback_that_is_going_on_is_not_disturbed(three: HealWorld, manager: AutoHealManager):
    """AH-10.5"""
    with manager._desk.open(WF, manager._policy.current()) as book:
        book.begin_rollback("other", "v003", "v002", "worse")
    manager.roll_back_to(WF, "v001", "x")  # already in it: no change
    assert three.versions.rollbacks == []
    assert manager.get_mode(WF) is ROLLBACK


def test_looking_at_the_status_writes_no_audit_line(three: HealWorld, manager: AutoHealManager):
    """AH-5.1"""
    fresh = three.manager()
    before = len(three.audit.of("policy_in_force"))
    assert fresh.get_status_report()["workflows"][0]["current_state"] == RUNNING
    assert len(three.audit.of("policy_in_force")) == before
