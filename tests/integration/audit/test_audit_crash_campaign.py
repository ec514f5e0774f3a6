"""A writer killed at every point: the chain is whole afterwards, and only the entry being written may be missing."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).with_name("crash_campaign.py")
MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where there is such a place: what a killed process wrote is there, forced to the disk or not."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("start", ["fresh", "torn"])
def test_a_writer_killed_before_any_line_of_its_code_loses_at_most_the_entry_being_written(
    folder: Path, start: str
) -> None:
    """AH-5.1; issue 3, crash campaign: appending, recovering, beginning a new file and packing the old one."""
    command = [sys.executable, str(CAMPAIGN), str(folder), start]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(ended.stdout)
    assert result["wrong"] == []
    assert result["points"] > 400
    assert "audit.jsonl.gz" in result["files"]
