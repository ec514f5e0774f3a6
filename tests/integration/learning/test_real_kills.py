"""The same by real signals: a process of its own, killed with SIGKILL, its locks and connections gone with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpa_vision.testing.copied_world import quick_folder
from rpa_vision.testing.learned import WORKFLOW_ID, open_world

PROCESS = Path(__file__).with_name("dying_process.py")
KILLED = -9


@pytest.fixture
def root() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder / "data"


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is for other systems")
@pytest.mark.parametrize(
    ("operation", "at"),
    [("learn", 10), ("learn", 36), ("learn", 70), ("snapshot", 20), ("snapshot", 36), ("rollback", 5),
     ("rollback", 11), ("rollback", 14), ("rollback", 20)],
)  # fmt: skip
def test_a_killed_process_leaves_a_state_that_the_next_one_can_use(root: Path, operation: str, at: int) -> None:
    """P001-4: kill -9"""
    world = open_world(root)
    world.learn()
    world.succeed(element="first")
    first = world.live()
    world.learn()
    world.succeed(element="second")
    second = world.live()
    world.close()

    ended = subprocess.run([sys.executable, str(PROCESS), str(root), operation, str(at)], check=False)

    assert ended.returncode == KILLED
    world = open_world(root)
    world.versions.recover()
    listing = world.versions.inspect_versions(WORKFLOW_ID)
    assert listing.unreadable == ()
    assert {"v001", "v002"} <= {info.version_id for info in listing.items}
    assert [info.in_use for info in listing.items].count(True) <= 1
    now = world.live()
    number = world.data.workflows.load(WORKFLOW_ID).version
    assert number in ((1, 2) if operation == "rollback" else (2, 3))
    assert number == 3 or now == (first if number == 1 else second)
    assert world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    assert world.live() == first
    world.close()
