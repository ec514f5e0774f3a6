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
from state_crash_campaign import OPERATIONS

CAMPAIGN = Path(__file__).with_name("state_crash_campaign.py")
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
