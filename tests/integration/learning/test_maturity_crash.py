"""Counting runs while processes are killed: nothing that was said to be counted is lost, nothing is counted twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.decisions.database import remove_database
from rpa_vision.adapters.decisions.maturity_book import SqliteMaturityBook
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.maturity import Maturity
from rpa_vision.testing.learned import small_workflow
from rpa_vision.testing.maturity import grow

WF = "WF_factures"
ROUNDS = 6
_COUNTER = """
import sys
from pathlib import Path
from rpa_vision.adapters.audit.jsonl_audit import AuditSettings, JsonlAudit
from rpa_vision.adapters.decisions.maturity_book import SqliteMaturityBook
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.maturity import CountedRun

folder, name = Path(sys.argv[1]), sys.argv[2]
audit = JsonlAudit(folder / "audit.jsonl", SystemClock(), AuditSettings(fsync="interval"))
manager = LearningManager(SqliteMaturityBook(folder / "maturity.sqlite", audit), SystemClock(), RandomIds())
number = 0
while True:
    number += 1
    source = f"{name}_{number}"
    manager.count("WF_factures", CountedRun(way="supervised", source=source, confidence=0.97))
    print(source, flush=True)
"""


def opened(folder: Path) -> tuple[LearningManager, JsonlAudit]:
    audit = JsonlAudit(folder / "audit.jsonl", SystemClock())
    return LearningManager(SqliteMaturityBook(folder / "maturity.sqlite", audit), SystemClock(), RandomIds()), audit


def counted_in(audit: JsonlAudit) -> list[str]:
    return [
        str(entry.record["source"])
        for entry in audit.entries()
        if entry.kind in ("run_counted", "maturity_changed") and "source" in entry.record
    ]


@pytest.mark.timeout(240)
def test_killed_at_any_moment_beside_another_nothing_is_lost_or_counted_twice(tmp_path: Path) -> None:
    """L4-11: kill -9, two processes at a time"""
    manager, audit = opened(tmp_path)
    workflow = small_workflow(SystemClock()).workflow
    grow(manager, workflow, "AUTO_CANDIDATE")
    before = manager.maturity(WF)
    said: list[str] = []
    for number in range(ROUNDS):
        robots = [
            subprocess.Popen(
                [sys.executable, "-c", _COUNTER, str(tmp_path), f"run_{number}_{one}"],
                stdout=subprocess.PIPE,
                text=True,
            )
            for one in "ab"
        ]
        for robot in robots:
            assert robot.stdout is not None
            said += [robot.stdout.readline().strip() for _ in range(3 + number)]
        for robot in robots:
            robot.kill()
            rest, _ = robot.communicate()
            said += [line for line in rest.split("\n")[:-1] if line]
    known = manager.maturity(WF)
    trail = counted_in(audit)
    assert set(said) <= set(trail)
    assert len(trail) == len(set(trail))
    assert known.total_executions - before.total_executions == len([one for one in trail if one.startswith("run_")])
    assert known.auto_candidate_runs == known.auto_candidate_successes
    assert audit.verify().ok
    assert _made_again(tmp_path) == known


def _made_again(folder: Path) -> Maturity:
    remove_database(folder / "maturity.sqlite")
    manager, _ = opened(folder)
    return manager.maturity(WF)
