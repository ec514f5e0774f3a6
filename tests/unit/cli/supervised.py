"""A data directory in which a supervisor has watched over steps: what `heal`, `failures` and `simulate` look at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.testing.learned import WORKFLOW_ID, open_world

WF = WORKFLOW_ID
SUCCESS = ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=0.95, margin=0.4)
FAILURE = ExecutionResult(
    status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND, message="no [Valider] button"
)


def learn(root: Path, lessons: int = 1) -> None:
    """A learned workflow with so many versions."""
    world = open_world(root, clock=SystemClock())
    for _ in range(lessons):
        world.learn()
    world.close()


@contextmanager
def supervisor(root: Path) -> Iterator[AutoHeal]:
    with auto_heal(FileDataDirectory(root, clock=SystemClock()), quiet=True) as opened:
        yield opened


def steps(root: Path, *results: ExecutionResult, step_id: str = "E1") -> None:
    """Steps as the execution loop does them: ask, act, tell."""
    with supervisor(root) as opened:
        for result in results:
            allowed, _ = opened.manager.should_execute_step(WF, step_id)
            if allowed:
                opened.manager.on_step_result(WF, step_id, result)


def live(root: Path) -> dict[str, bytes]:
    """Everything learned and in use, to the last byte."""
    world = open_world(root, clock=SystemClock())
    try:
        return world.live()
    finally:
        world.close()
