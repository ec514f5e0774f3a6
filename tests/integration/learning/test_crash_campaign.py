"""The process is killed before every single change of the disk: afterwards there is the old state, or the new one.

Each operation is run again and again on a copy of the same small data directory and dies before its first change, its
second, and so on, until it completes. A dead process changes nothing more, not even to clean up after itself. Two
deaths that leave the same bytes behind (before and after an fsync) are looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rpa_vision.adapters.storage.atomic import Step, no_step
from rpa_vision.models.auto_heal import VersionInfo
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED
from rpa_vision.testing.copied_world import copy_world, fingerprint, quick_folder, tree
from rpa_vision.testing.learned import WORKFLOW_ID, Killed, LearnedWorld, Mortal, open_world
from rpa_vision.testing.manual_clock import ManualClock

BYSTANDER = "WF_autre"
Live = dict[str, bytes]


def opened(root: Path, step: Step = no_step) -> LearnedWorld:
    clock = ManualClock()
    clock.advance(3600)
    return open_world(root, clock=clock, step=step)


def prepare_two_versions(world: LearnedWorld) -> None:
    world.learn()
    world.succeed(element="first")
    world.learn()
    world.succeed(element="second")


def prepare_poisoned(world: LearnedWorld) -> None:
    prepare_two_versions(world)
    world.poison()


def prepare_many(world: LearnedWorld) -> None:
    for _ in range(9):
        world.learn()
    world.versions.rollback_to_previous(WORKFLOW_ID, "v008")


def prepare_unversioned(world: LearnedWorld) -> None:
    world.learn()
    world.data.workflows.save(world.data.workflows.load(WORKFLOW_ID).model_copy(update={"version": 2}))


def prepare_fallen(world: LearnedWorld) -> None:
    """A version that was trusted, and what came after it is not."""
    world.learn()
    workflow = world.data.workflows.load(WORKFLOW_ID)
    learning = workflow.learning.model_copy(update={"state": AUTO_CONFIRMED})
    world.data.workflows.save(workflow.model_copy(update={"learning_state": AUTO_CONFIRMED, "learning": learning}))
    world.learn()


@dataclass(frozen=True)
class Campaign:
    prepare: Callable[[LearnedWorld], None]
    operate: Callable[[LearnedWorld], object]
    settles_first: bool = False
    """Whether the operation first makes a version of what is there: then that may be all that was done."""
    removes: tuple[str, ...] = ()


CAMPAIGNS = {
    "first learning": Campaign(lambda world: None, lambda world: world.learn()),
    "learning again": Campaign(prepare_two_versions, lambda world: world.learn(seed=7)),
    "learning over changes": Campaign(prepare_poisoned, lambda world: world.learn(seed=7), settles_first=True),
    "snapshot": Campaign(prepare_two_versions, lambda world: world.versions.snapshot_version(WORKFLOW_ID)),
    "snapshot of changes": Campaign(prepare_poisoned, lambda world: world.versions.snapshot_version(WORKFLOW_ID)),
    "rollback": Campaign(prepare_two_versions, lambda world: world.versions.rollback_to_previous(WORKFLOW_ID)),
    "rollback of changes": Campaign(prepare_poisoned, lambda world: world.versions.rollback_to_previous(WORKFLOW_ID)),
    "rollback past changes": Campaign(
        prepare_poisoned, lambda world: world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    ),
    "rollback of what has no version": Campaign(
        prepare_unversioned, lambda world: world.versions.rollback_to_previous(WORKFLOW_ID)
    ),
    "rollback that lowers the maturity": Campaign(
        prepare_fallen, lambda world: world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    ),
    "cleanup": Campaign(
        prepare_many,
        lambda world: world.versions.cleanup_old_versions(WORKFLOW_ID),
        removes=("v001", "v002"),
    ),
    "note of a success rate": Campaign(
        prepare_two_versions, lambda world: world.versions.note_success_rate(WORKFLOW_ID, "v002", after=0.5)
    ),
    "refresh of the memory": Campaign(
        prepare_two_versions, lambda world: world.versions.version_target_memory(WORKFLOW_ID, "v002")
    ),
}


def live(world: LearnedWorld) -> Live:
    return world.live() if (world.root / f"workflows/{WORKFLOW_ID}/workflow.json").exists() else {}


def renumbered(state: Live) -> Live:
    """The same, whatever the number of its version: to make a version is to give what is there a number."""
    if not state:
        return state
    name = f"workflows/{WORKFLOW_ID}/workflow.json"
    lines = [line for line in state[name].splitlines() if not line.strip().startswith(b'"version": ')]
    return state | {name: b"\n".join(lines)}


def kept(world: LearnedWorld, infos: list[VersionInfo]) -> dict[str, dict[str, bytes]]:
    """What every version holds, apart from what runs write into the one in use."""
    found = {}
    for info in infos:
        folder = world.root / "learning/prototypes" / WORKFLOW_ID / info.version_id
        names = tree(folder)
        found[info.version_id] = {name: data for name, data in names.items() if not name.endswith(".json")}
    return found


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as path:
        yield path


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_process_killed_before_any_change_leaves_the_old_state_or_the_new(name: str, folder: Path) -> None:
    """P001-4, AH-4.5; issue 3: crash campaign over snapshot, rollback, cleanup and learning"""
    campaign = CAMPAIGNS[name]
    base, copy = folder / "base" / "data", folder / "copy" / "data"
    world = open_world(base)
    world.learn(BYSTANDER, seed=40)
    world.succeed(BYSTANDER)
    campaign.prepare(world)
    old, old_versions = live(world), world.versions.list_versions(WORKFLOW_ID)
    old_kept = kept(world, old_versions)
    bystander, bystander_tree = world.live(BYSTANDER), tree(base / "learning/prototypes" / BYSTANDER)
    world.close()
    copy_world(base, copy)
    world = opened(copy)
    campaign.operate(world)
    new = live(world)
    new_versions = {info.version_id for info in world.versions.list_versions(WORKFLOW_ID)}
    world.close()

    deaths, seen = 0, set[str]()
    while True:
        copy_world(base, copy)
        mortal = Mortal(at=deaths + 1)
        dying = opened(copy, mortal)
        try:
            campaign.operate(dying)
            break
        except Killed:
            deaths += 1
        finally:
            dying.close()
        where = f"{name}, killed before change {deaths}: {mortal.changes[deaths - 1]}"
        if (left := fingerprint(copy)) in seen:
            continue
        seen.add(left)
        world = opened(copy)
        world.versions.recover()

        now = live(world)
        assert now in (old, new) or (campaign.settles_first and renumbered(now) == renumbered(old)), where
        listing = world.versions.inspect_versions(WORKFLOW_ID)
        assert listing.unreadable == (), where
        listed = {info.version_id for info in listing.items}
        survivors = {info.version_id for info in old_versions} - set(campaign.removes)
        assert survivors <= listed <= new_versions | survivors | set(campaign.removes), where
        still = kept(world, list(listing.items))
        assert all(still[one] == old_kept[one] for one in listed & old_kept.keys()), where
        assert world.live(BYSTANDER) == bystander, where
        assert tree(copy / "learning/prototypes" / BYSTANDER) == bystander_tree, where

        campaign.operate(world)  # whoever comes next can do it
        assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == (), where
        made, before = world.versions.snapshot_version(WORKFLOW_ID), world.live()
        world.poison()
        assert world.versions.rollback_to_previous(WORKFLOW_ID, made), where
        assert world.live() == before, where
        world.close()
    assert deaths >= 5, "the campaign found nothing to interrupt"


def test_the_version_in_use_survives_a_cleanup_killed_anywhere(folder: Path) -> None:
    """AH-4.6: the version in use is older than all the others, and stays"""
    base, copy = folder / "base" / "data", folder / "copy" / "data"
    world = open_world(base)
    for _ in range(14):
        world.learn(nodes=2)
    world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    in_use = world.live()
    world.close()
    deaths, seen = 0, set[str]()
    while True:
        copy_world(base, copy)
        world = opened(copy, Mortal(at=deaths + 1))
        try:
            world.versions.cleanup_old_versions(WORKFLOW_ID)
            break
        except Killed:
            deaths += 1
        finally:
            world.close()
        if (left := fingerprint(copy)) in seen:
            continue
        seen.add(left)
        world = opened(copy)
        listing = world.versions.inspect_versions(WORKFLOW_ID)
        assert listing.unreadable == ()
        assert [info.version_id for info in listing.items if info.in_use] == ["v001"]
        assert len(listing.items) >= 6
        assert world.live() == in_use
        world.close()
    assert deaths > 20
