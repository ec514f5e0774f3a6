"""The audit trail is a chain that grows, survives everything, and shows where it was broken."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.adapters.audit.jsonl_audit import FIRST, digest
from rpa_vision.errors import DocumentError
from rpa_vision.ports.audit import AuditLog


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit" / "audit.jsonl"


def entries(path: Path) -> list[dict[str, Any]]:
    """All whole entries, having checked that each is tied to the one before."""
    found = []
    for line in path.read_bytes().split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    previous = FIRST
    for entry in found:
        assert entry["prev"] == previous
        assert entry["hash"] == digest(entry)
        previous = entry["hash"]
    return found


def test_decisions_are_written_in_order_with_their_time_and_tied_together(path: Path, clock: Any):
    """SPEC AH: audit"""
    log: AuditLog = JsonlAudit(path, clock)
    assert not path.exists()
    log.append("run.authorised", {"why": "démonstration", "n": 1})
    clock.sleep(90)
    log.append("step.done", {"edge": "E1"})
    first, second = entries(path)
    assert (first["kind"], first["record"]) == ("run.authorised", {"why": "démonstration", "n": 1})
    assert first["time"] == "2025-11-22T10:15:00+00:00"
    assert second["time"] == "2025-11-22T10:16:30+00:00"


def test_a_chain_goes_on_where_another_process_left_it(path: Path, clock: Any):
    JsonlAudit(path, clock).append("a", {})
    second, third = JsonlAudit(path, clock), JsonlAudit(path, clock)
    for number in range(3):
        second.append("b", {"n": number})
        third.append("c", {"n": number})
    assert [entry["kind"] for entry in entries(path)] == ["a", "b", "c", "b", "c", "b", "c"]


@pytest.mark.parametrize("torn", [b'{"time":"2025', b"\0" * 100, b"x\ny\nz"])
def test_a_torn_last_line_is_noted_and_the_chain_goes_on(path: Path, clock: Any, torn: bytes):
    JsonlAudit(path, clock).append("a", {})
    with path.open("ab") as file:
        file.write(torn)
    log = JsonlAudit(path, clock)
    log.append("b", {})
    log.append("c", {})
    found = entries(path)
    assert [entry["kind"] for entry in found] == ["a", "audit.recovered", "b", "c"]
    assert found[1]["record"]["unreadable_bytes"] == len(torn.replace(b"\n", b""))
    JsonlAudit(path, clock).append("d", {})
    assert [entry["kind"] for entry in entries(path)].count("audit.recovered") == 1


def test_an_entry_longer_than_the_usual_tail_is_still_found(path: Path, clock: Any):
    JsonlAudit(path, clock).append("a", {"much": "x" * 3_000_000})
    JsonlAudit(path, clock).append("b", {})
    assert [entry["kind"] for entry in entries(path)] == ["a", "b"]


def test_what_json_cannot_hold_is_refused_before_anything_is_written(path: Path, clock: Any):
    log = JsonlAudit(path, clock)
    for odd in (float("nan"), object(), "\ud800"):
        with pytest.raises(DocumentError, match="audit record 'x'"):
            log.append("x", {"odd": odd})  # type: ignore[dict-item]
    assert not path.exists()


WRITER = """
import sys
from pathlib import Path
from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.adapters.runtime import SystemClock
log = JsonlAudit(Path(sys.argv[1]), SystemClock())
number = 0
while True:
    log.append(sys.argv[2], {"n": number})
    print(number, flush=True)
    number += 1
"""


def test_processes_that_share_the_trail_and_are_killed_lose_nothing_they_were_told_is_written(path: Path):
    """SPEC AH: what was appended survives kill -9"""
    writers = {
        name: subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE, text=True)
        for name in ("one", "two", "three")
    }
    told = {}
    for lines, (name, process) in zip((5, 15, 25), writers.items(), strict=True):
        assert process.stdout is not None
        for _ in range(lines):
            told[name] = int(process.stdout.readline())
        process.kill()
        process.wait()
        process.stdout.close()
    found = entries(path)
    for name, last in told.items():
        assert [entry["record"]["n"] for entry in found if entry["kind"] == name][: last + 1] == list(range(last + 1))
