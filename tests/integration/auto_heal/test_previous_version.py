"""Which is the previous version? Whoever asks, on a real data directory: one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.heal import plan_rollback, roll_back
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world

GOOD = ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=0.9, margin=0.3)
BAD = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LearnedWorld]:
    opened = open_world(tmp_path / "data", clock=SystemClock())
    yield opened
    opened.close()


@pytest.fixture
def heal(world: LearnedWorld) -> Iterator[AutoHeal]:
    with auto_heal(FileDataDirectory(world.root, clock=SystemClock()), quiet=True) as opened:
        yield opened


def by_force(heal: AutoHeal) -> None:
    heal.manager.force_transition(WORKFLOW_ID, ExecutionState.ROLLBACK, "worse", who="anne")


def by_plan(heal: AutoHeal) -> None:
    roll_back(heal, plan_rollback(heal.versions, WORKFLOW_ID), "worse", "anne")


def by_itself(heal: AutoHeal) -> None:
    step = 0
    while heal.manager.get_mode(WORKFLOW_ID) is ExecutionState.RUNNING:
        heal.manager.on_step_result(WORKFLOW_ID, f"s{step}", BAD if step % 2 else GOOD)
        step += 1


def nothing_more(world: LearnedWorld) -> None:
    """The last lesson is a version."""


def went_back_by_name(world: LearnedWorld) -> None:
    """v004 was learned on v001, two versions further back."""
    world.versions.rollback_to_previous(WORKFLOW_ID, "v001")
    world.learn(seed=4)


@pytest.mark.parametrize("ask", [by_force, by_plan, by_itself])
@pytest.mark.parametrize(
    ("happened", "previous", "in_use"),
    [(nothing_more, "v002", "v003"), (LearnedWorld.poison, "v003", "v003"), (went_back_by_name, "v001", "v004")],
)
def test_a_person_a_program_and_the_supervisor_itself_go_back_to_the_same_version(
    world: LearnedWorld,
    heal: AutoHeal,
    ask: Callable[[AutoHeal], None],
    happened: Callable[[LearnedWorld], None],
    previous: str,
    in_use: str,
) -> None:
    """AH-4.5, AH-1.5; what no version holds is undone first, and otherwise the way the versions came about counts"""
    states = {}
    for _ in range(3):
        version = world.learn()
        states[version] = world.live()
        heal.manager.on_update(WORKFLOW_ID)
        for _ in range(20):
            heal.manager.on_step_result(WORKFLOW_ID, "s", GOOD)
    happened(world)
    heal.manager.on_update(WORKFLOW_ID)

    ask(heal)

    assert world.live() == states[previous]
    assert heal.manager.get_mode(WORKFLOW_ID) is ExecutionState.DEGRADED
    (report,) = heal.manager.get_status_report()["workflows"]
    assert report["version"]["rolled_back"] == ([] if previous == in_use else [in_use])
