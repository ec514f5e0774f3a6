"""A migration is killed before every single change of the disk: screens are told right before, between and after."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from rpa_vision.testing.copied_world import copy_world, fingerprint, quick_folder
from rpa_vision.testing.learned import WORKFLOW_ID, Killed, Mortal
from rpa_vision.testing.moving import NODES, MovingWorld, open_moving, space_of

PROCESS = Path(__file__).with_name("moving_process.py")
KILLED = -9


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as path:
        yield path


def prepared(root: Path, *, samples: int = 2) -> None:
    moving = open_moving(root)
    moving.learn(samples=samples)
    moving.world.close()


def is_sound(moving: MovingWorld) -> None:
    """Whatever was left behind: one space, all screens told, all versions good."""
    world = moving.world
    world.versions.recover()
    assert moving.recognised() == list(NODES)
    assert world.versions.inspect_versions(WORKFLOW_ID).unreadable == ()


def test_a_migration_killed_anywhere_goes_on_and_never_misleads(folder: Path) -> None:
    """L3-3: matching right at every moment, resumable at any instant"""
    base, copy = folder / "base" / "data", folder / "copy" / "data"
    prepared(base, samples=1)
    copy_world(base, copy)
    alive = Mortal()
    whole = open_moving(copy, step=alive)
    whole.migrator().migrate(WORKFLOW_ID)
    whole.world.close()
    deaths, seen, resumed = 0, set[str](), 0
    for number, (before, _) in enumerate(pairwise(alive.changes), start=2):
        if before.startswith("fsync"):  # nothing that could be seen has changed since the death before
            continue
        copy_world(base, copy)
        dying = open_moving(copy, step=Mortal(at=number))
        with pytest.raises(Killed):
            dying.migrator().migrate(WORKFLOW_ID)
        dying.world.close()
        deaths += 1
        if (left := fingerprint(copy)) in seen:
            continue
        seen.add(left)
        moving = open_moving(copy)
        is_sound(moving)
        result = moving.migrator().migrate(WORKFLOW_ID)
        workflow = moving.world.data.workflows.load(WORKFLOW_ID)
        assert space_of(workflow) == moving.new.embedder.space.id
        is_sound(moving)
        resumed += result.status == "done" and result.embedded < result.screens
        assert moving.world.versions.is_as_learned(WORKFLOW_ID)
        assert moving.world.versions.rollback_to_previous(WORKFLOW_ID)
        assert moving.recognised() == list(NODES)
        assert space_of(moving.world.data.workflows.load(WORKFLOW_ID)) == moving.old.embedder.space.id
        moving.world.close()
    assert deaths > 30
    assert resumed > 3, "nothing that was done before was used again"


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is for other systems")
@pytest.mark.parametrize("at", [12, 40, 75, 110])
def test_a_migration_killed_by_a_signal_goes_on(folder: Path, at: int) -> None:
    """L3-3: kill -9"""
    root = folder / "data"
    prepared(root)
    ended = subprocess.run([sys.executable, str(PROCESS), str(root), str(at)], check=False)
    assert ended.returncode == KILLED
    moving = open_moving(root)
    is_sound(moving)
    moving.migrator().migrate(WORKFLOW_ID)
    is_sound(moving)
    assert space_of(moving.world.data.workflows.load(WORKFLOW_ID)) == moving.new.embedder.space.id
    moving.world.close()
