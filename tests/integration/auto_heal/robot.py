"""A robot process on a shared data directory: `python robot.py COMMAND DIRECTORY …`. Started by the tests beside it."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.auto_heal import PolicyFile, SqliteState
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.auto_heal_fakes import MemoryAlerts, MemoryFailures, MemorySuccesses, MemoryVersions
from rpa_vision.testing.manual_clock import ManualClock

OK = ExecutionResult(status=ExecutionStatus.SUCCESS)
BAD = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)


def manager_on(data: Path, *, audit: bool = True) -> AutoHealManager:
    """A supervisor as a robot has it; what it only tells others stays in memory."""
    clock = SystemClock()
    return AutoHealManager(
        state=SqliteState(data / "system" / "auto_heal.db"),
        policy=PolicyFile(data / "config" / "auto_heal_policy.json", clock, on_error=lambda message: None),
        audit=JsonlAudit(data / "audit" / "audit.jsonl", clock) if audit else NoAudit(),
        versions=MemoryVersions(ManualClock()),
        failures=MemoryFailures(),
        successes=MemorySuccesses(),
        alerts=MemoryAlerts(),
        clock=clock,
        ids=RandomIds(),
    )


class NoAudit:
    """Implements `ports.audit.AuditLog` by forgetting."""

    def append(self, kind: str, record: object) -> None:
        return


def hammer(data: Path, seed: str, seconds: str, workflows: str) -> None:
    """Steps of all outcomes and changes by hand, as fast as they go, until the time is up."""
    clock, manager, dice = SystemClock(), manager_on(data), random.Random(seed)
    names = [f"w{number}" for number in range(int(workflows))]
    end_s, failures = clock.monotonic() + float(seconds), 0
    while clock.monotonic() < end_s:
        name, step = dice.choice(names), f"s{dice.randrange(3)}"
        if dice.random() < 0.05:
            manager.force_transition(name, dice.choice(list(ExecutionState)), f"dice of {seed}", who=f"p{seed}")
        elif manager.should_execute_step(name, step)[0]:
            failed = dice.random() < 0.4
            failures += failed
            manager.on_step_result(name, step, BAD if failed else OK)
    sys.stdout.write(f"{failures}\n")


def count(data: Path, times: str) -> None:
    """So many failures of one workflow, told without asking."""
    manager = manager_on(data)
    for number in range(int(times)):
        manager.on_step_result("counted", f"s{number % 40}", BAD)


def write_forever(data: Path) -> None:
    """Results without end; each line printed was stored before it was printed."""
    manager = manager_on(data, audit=False)
    number = 0
    while True:
        number += 1
        manager.on_step_result("killed", "s1", BAD)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    {"hammer": hammer, "count": count, "write_forever": write_forever}[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
