"""A supervisor killed at every point of a decision: the old state or the new, in SQLite and in the audit trail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from rollback_crash_campaign import OPERATIONS as ROLLBACKS
from state_crash_campaign import OPERATIONS

CAMPAIGN = Path(__file__).with_name("state_crash_campaign.py")
ROLLBACK_CAMPAIGN = Path(__file__).with_name("rollback_crash_campaign.py")
SOAK = "AUTO_HEAL_SOAK_S" in os.environ
MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a place: what a killed process wrote is there, forced to the disk or not."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs ptrace")
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_supervisor_killed_before_any_system_call_leaves_the_old_state_or_the_new(folder: Path, name: str) -> None:
    """P001-1, AH-1.1, AH-5.1; issue 3, crash campaign: every write of state and audit, each point"""
    ended = subprocess.run([sys.executable, str(CAMPAIGN), str(folder), name], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result["wrong"] == []
    assert result["calls"] > 30
    assert result["different"] >= 4


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs ptrace")
@pytest.mark.timeout(3600 if SOAK else 300)
@pytest.mark.parametrize("name", ROLLBACKS)
def test_a_rollback_killed_before_any_system_call_is_not_decided_or_is_ended_by_the_next(
    folder: Path, name: str
) -> None:
    """AH-4.4, AH-4.5, AH-1.5; issue 3, crash campaign: the supervisor's decision and the real versions agree

    One process is held up before each of its calls, and every different state of the disk is recovered from; the soak
    kills a process of its own before each.
    """
    command = [sys.executable, str(ROLLBACK_CAMPAIGN), str(folder), name, "killed" if SOAK else "held_up"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    result = json.loads(ended.stdout)
    assert result["wrong"] == []
    assert result["calls"] > 500
    assert result["different"] >= 20
    assert result["ended_later"] >= 10, "a rollback was taken over"
