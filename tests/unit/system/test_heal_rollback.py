"""A bad update is undone by itself: once, to the right version, whatever breaks on the way."""

from __future__ import annotations

import pytest
from heal_steps import WF, fail, fail_apart, failure, step, succeed

from rpa_vision.errors import TransitionRefusedError
from rpa_vision.models.auto_heal import AlertKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.state_machine import DEGRADED, PAUSED, QUARANTINED, ROLLBACK, RUNNING
from rpa_vision.testing.auto_heal_fakes import HealWorld


def learned(world: HealWorld, manager: AutoHealManager) -> str:
    """Learning makes a new version."""
    version = world.versions.add(WF)
    manager.on_update(WF)
    return version


def proven(world: HealWorld, manager: AutoHealManager, steps: int = 60) -> None:
    """A first version that works."""
    learned(world, manager)
    succeed(manager, steps)


def alternate(manager: AutoHealManager, times: int) -> None:
    """Every other step fails, never the same one twice in a row."""
    for number in range(times):
        if number % 2:
            succeed(manager, 1)
        else:
            fail(manager, 1, step_id=f"f{number}")


def test_an_update_that_makes_it_worse_is_rolled_back_by_itself(world: HealWorld, manager: AutoHealManager):
    """AH-4.4 AH-1.5 AH-7.3 AH-10.4"""
    proven(world, manager)
    learned(world, manager)
    alternate(manager, 8)
    assert world.versions.rollbacks == [(WF, "v001")]
    assert world.versions.in_use(WF) == "v001"
    assert [(t.from_state, t.to_state) for t in manager.history(WF)] == [(RUNNING, ROLLBACK), (ROLLBACK, DEGRADED)]
    assert "v002 made it worse" in manager.history(WF)[0].reason
    succeed(manager, 5)
    assert manager.get_mode(WF) is RUNNING


def test_a_rollback_is_told(world: HealWorld, manager: AutoHealManager):
    """AH-8.4; issue 3: rolls back by itself, once, and says so"""
    proven(world, manager)
    learned(world, manager)
    alternate(manager, 8)
    (alert,) = world.alerts.alerts
    assert alert.kind is AlertKind.ROLLBACK
    assert alert.details["from_version"] == "v002"
    assert alert.details["to_version"] == "v001"
    assert world.audit.of("rollback_ended")[0]["restored"] is True


def test_an_update_that_changes_nothing_stays(world: HealWorld, manager: AutoHealManager):
    """AH-4.4"""
    proven(world, manager)
    version = learned(world, manager)
    succeed(manager, 30)
    fail(manager, 1)
    succeed(manager, 40)
    assert world.versions.rollbacks == []
    assert world.versions.rates[-1] == (WF, version, 49 / 50)


def test_a_drop_after_the_window_is_not_blamed_on_the_update(world: HealWorld, manager: AutoHealManager):
    """AH-4.4: over up to 50 steps after an update"""
    proven(world, manager)
    learned(world, manager)
    succeed(manager, 50)
    alternate(manager, 18)
    assert world.versions.rollbacks == []


def test_a_first_version_has_nothing_to_be_compared_with(world: HealWorld, manager: AutoHealManager):
    """AH-4.4"""
    learned(world, manager)
    fail_apart(manager, 10)
    assert manager.get_mode(WF) is QUARANTINED
    assert world.versions.rollbacks == []


def test_a_trip_that_the_update_explains_rolls_back_rather_than_quarantines(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": rollback takes precedence over quarantine"""
    proven(world, manager, steps=3)  # too few to blame the update before the breaker trips
    learned(world, manager)
    for _ in range(10):
        step(manager, failure(), step_id="s1")
    assert QUARANTINED not in [t.to_state for t in manager.history(WF)]
    assert world.versions.in_use(WF) == "v001"
    assert manager.get_mode(WF) is DEGRADED
    assert world.failures.cases[-1][3]["state"] == "rollback"


def test_after_a_rollback_the_bad_versions_failures_are_forgotten(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": the run goes on with the restored version"""
    proven(world, manager, steps=4)
    learned(world, manager)
    while not world.versions.rollbacks:
        step(manager, failure(), step_id="s1")
    fail_apart(manager, 9)
    assert manager.get_mode(WF) is DEGRADED


def test_a_trip_that_the_update_does_not_explain_quarantines(world: HealWorld, manager: AutoHealManager):
    """AH-2.2"""
    learned(world, manager)
    alternate(manager, 18)  # it was as bad before
    learned(world, manager)
    fail(manager, 1, step_id="x")
    assert manager.get_mode(WF) is QUARANTINED
    assert world.versions.rollbacks == []


def test_the_policy_may_forbid_rollbacks(world: HealWorld):
    """AH-6.4"""
    world.policy.policy = AutoHealPolicy(rollback_on_regression=False)
    manager = world.manager()
    proven(world, manager)
    learned(world, manager)
    fail_apart(manager, 10)
    assert manager.get_mode(WF) is QUARANTINED
    assert world.versions.rollbacks == []


@pytest.mark.parametrize("trouble", ["breaks", "refuses"])
def test_what_could_not_be_restored_is_quarantined_and_not_tried_again(
    world: HealWorld, manager: AutoHealManager, trouble: str
):
    """AH-1.5; SPEC "AH": ROLLBACK→QUARANTINED when it could not be; issue 3: once"""
    proven(world, manager)
    learned(world, manager)
    setattr(world.versions, trouble, True)
    alternate(manager, 5)
    assert manager.get_mode(WF) is QUARANTINED
    assert [alert.kind for alert in world.alerts.alerts] == [AlertKind.QUARANTINE, AlertKind.ROLLBACK]
    assert "rolled back" in world.failures.cases[-1][2].message
    tried = len(world.versions.rollbacks)
    world.clock.advance(1800)
    alternate(manager, 9)
    assert len(world.versions.rollbacks) == tried


def test_if_the_previous_version_is_damaged_the_one_before_it_is_restored(world: HealWorld, manager: AutoHealManager):
    """AH-4.5 AH-4.6"""
    for _ in range(3):
        learned(world, manager)
    world.versions.damaged.add("v002")
    manager.force_transition(WF, ROLLBACK, "by hand", who="alice")
    assert world.versions.in_use(WF) == "v001"
    assert manager.get_mode(WF) is DEGRADED


def test_a_rollback_to_another_version_that_died_after_restoring_is_not_done_twice(
    world: HealWorld, manager: AutoHealManager
):
    """AH-1.5: crash-safe"""
    for _ in range(4):
        learned(world, manager)
    kill_while_restoring(world, restored=False)
    world.versions.damaged.add("v003")
    world.versions.rollback_to_previous(WF, "v002")  # what the dead process had come to
    world.clock.advance(60)
    assert manager.should_execute_step(WF, "s1") == (True, "degraded")
    assert world.versions.in_use(WF) == "v002"


def test_a_version_that_was_undone_is_never_gone_back_to(world: HealWorld, manager: AutoHealManager):
    """AH-4.5: the previous stable version"""
    proven(world, manager)
    learned(world, manager)
    alternate(manager, 8)
    succeed(manager, 50)
    learned(world, manager)
    alternate(manager, 8)
    assert world.versions.rollbacks == [(WF, "v001"), (WF, "v001")]


def test_the_restored_version_is_measured_against_its_own_past(world: HealWorld, manager: AutoHealManager):
    """AH-4.4"""
    proven(world, manager)
    learned(world, manager)
    alternate(manager, 5)
    report = manager.get_status_report()["workflows"][0]["version"]
    assert (report["in_use"], report["rolled_back"], report["watching"]) == ("v001", ["v002"], False)
    learned(world, manager)
    succeed(manager, 1)
    report = manager.get_status_report()["workflows"][0]["version"]
    assert (report["in_use"], report["watching"], report["rate_before"]) == ("v003", True, 1.0)


def test_a_step_of_an_outdated_version_says_nothing_about_the_new_one(world: HealWorld, manager: AutoHealManager):
    """AH-4.4: several processes"""
    proven(world, manager)
    slower = world.manager()
    assert slower.should_execute_step(WF, "late")[0]
    learned(world, manager)
    succeed(manager, 1)
    slower.on_step_result(WF, "late", failure())
    assert manager.get_status_report()["workflows"][0]["version"]["steps_after"] == 1


def test_going_back_by_hand_is_no_update(world: HealWorld, manager: AutoHealManager):
    """AH-4.4"""
    proven(world, manager)
    learned(world, manager)
    succeed(manager, 10)
    manager.force_transition(WF, ROLLBACK, "I liked it better", who="alice")
    assert world.versions.in_use(WF) == "v001"
    alternate(manager, 12)
    assert len(world.versions.rollbacks) == 1


def test_a_rollback_by_hand_without_a_previous_version_quarantines(world: HealWorld, manager: AutoHealManager):
    """AH-1.5"""
    learned(world, manager)
    manager.force_transition(WF, ROLLBACK, "please", who="alice")
    assert manager.get_mode(WF) is QUARANTINED


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


@pytest.mark.parametrize("restored", [False, True])
def test_a_rollback_whose_owner_died_is_finished_by_the_next_and_restores_the_same(
    world: HealWorld, manager: AutoHealManager, restored: bool
):
    """AH-1.5; SPEC "AH": crash-safe at any instant"""
    for _ in range(3):
        learned(world, manager)
    succeed(manager, 1)
    kill_while_restoring(world, restored=restored)
    assert manager.should_execute_step(WF, "s1") == (False, "rollback: the previous version is being restored")
    world.clock.advance(60)
    assert manager.should_execute_step(WF, "s1") == (True, "degraded")
    assert world.versions.in_use(WF) == "v002"
    assert [t.to_state for t in manager.history(WF)] == [ROLLBACK, DEGRADED]


def test_of_two_that_carry_out_one_rollback_only_one_changes_the_state(world: HealWorld, manager: AutoHealManager):
    """P001-1: no doubled transition"""
    for _ in range(3):
        learned(world, manager)
    keeper, other = world.versions, world.manager()

    class SlowKeeper:
        list_versions = keeper.list_versions
        previous_version = keeper.previous_version
        note_success_rate = keeper.note_success_rate

        def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> object:
            world.clock.advance(60)  # so slow that another process takes it over, ends it, and somebody begins anew
            assert other.should_execute_step(workflow_id, "s1") == (True, "degraded")
            kill_while_restoring(world, restored=False)
            return keeper.rollback_to_previous(workflow_id, version)

    world.versions = SlowKeeper()  # type: ignore[assignment]
    slow = world.manager()
    world.versions = keeper
    slow.force_transition(WF, ROLLBACK, "by hand", who="alice")
    assert [t.to_state for t in manager.history(WF)] == [ROLLBACK, DEGRADED, ROLLBACK]


def test_a_pause_waits_for_a_rollback_to_end(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": a global pause waits for a rollback to end"""
    learned(world, manager)
    learned(world, manager)
    kill_while_restoring(world, restored=False)
    with pytest.raises(TransitionRefusedError):
        manager.pause(WF, reason="stop")
    manager.pause(reason="stop", who="alice")
    assert manager.get_mode(WF) is ROLLBACK
    assert manager.get_mode("other") is PAUSED
    world.clock.advance(60)
    assert not manager.should_execute_step(WF, "s1")[0]
    assert manager.get_mode(WF) is PAUSED
    assert manager.history(WF)[-1].to_state is DEGRADED


def test_a_rollback_that_a_person_interrupted_goes_on_where_it_was_going(world: HealWorld, manager: AutoHealManager):
    """SPEC "AH": PAUSED→the state it came from"""
    for _ in range(3):
        learned(world, manager)
    kill_while_restoring(world, restored=True)
    manager.force_transition(WF, PAUSED, "wait", who="alice")
    manager.resume(WF, reason="go on", who="alice")
    assert world.versions.in_use(WF) == "v002"
    assert manager.get_mode(WF) is DEGRADED


def test_versions_that_cannot_be_listed_stop_nothing(world: HealWorld):
    """AH-7.5"""

    class Broken:
        def list_versions(self, workflow_id: str) -> object:
            raise OSError("no such disk")

    world.versions = Broken()  # type: ignore[assignment]
    manager = world.manager()
    fail_apart(manager, 10)
    assert manager.get_mode(WF) is QUARANTINED


def test_what_was_learned_on_top_of_an_update_goes_first_and_the_update_is_not_blamed(
    world: HealWorld, manager: AutoHealManager
):
    """AH-4.4 AH-4.5: the version in use is what there was before changes that no version holds"""
    proven(world, manager)
    learned(world, manager)
    world.versions.changed = True
    alternate(manager, 8)
    assert world.versions.rollbacks == [(WF, "v002")]
    assert "what was learned on top of v002 made it worse" in manager.history(WF)[0].reason
    report = manager.get_status_report()["workflows"][0]["version"]
    assert (report["in_use"], report["rolled_back"], report["watching"]) == ("v002", [], True)
    succeed(manager, 60)
    assert world.versions.rollbacks == [(WF, "v002")]


def test_an_update_that_is_still_bad_without_what_was_on_top_of_it_goes_next(
    world: HealWorld, manager: AutoHealManager
):
    """AH-4.4: judged by its own steps"""
    proven(world, manager)
    learned(world, manager)
    world.versions.changed = True
    alternate(manager, 20)
    assert world.versions.rollbacks == [(WF, "v002"), (WF, "v001")]
    assert manager.get_status_report()["workflows"][0]["version"]["rolled_back"] == ["v002"]


def test_what_is_learned_on_top_of_one_version_is_given_up_by_itself_only_once(
    world: HealWorld, manager: AutoHealManager
):
    """Issue 3: rolls back by itself, once"""
    proven(world, manager)
    learned(world, manager)
    world.versions.changed = True
    while not world.versions.rollbacks:
        alternate(manager, 1)
    world.versions.changed = True  # whatever does this does it again
    fail_apart(manager, 10)
    assert world.versions.rollbacks == [(WF, "v002")]
    assert manager.get_mode(WF) is QUARANTINED


def test_if_the_version_under_the_changes_is_damaged_the_one_before_it_is_restored(
    world: HealWorld, manager: AutoHealManager
):
    """AH-4.5: that the target is still in use does not mean that it was restored"""
    for _ in range(2):
        learned(world, manager)
    world.versions.changed = True
    world.versions.damaged.add("v002")
    manager.force_transition(WF, ROLLBACK, "by hand", who="alice")
    assert world.versions.in_use(WF) == "v001"
    assert manager.get_mode(WF) is DEGRADED
