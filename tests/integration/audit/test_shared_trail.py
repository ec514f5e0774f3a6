"""Several processes on one trail, a full disk: one chain, nothing lost, and the index sees it all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.audit import JsonlTrail
from rpa_vision.adapters.decisions import SqliteDecisionIndex
from rpa_vision.ports.decisions import DecisionFilter

WRITER = """
import sys
from pathlib import Path
from rpa_vision.adapters.audit import AuditSettings, JsonlAudit
from rpa_vision.adapters.decisions import SqliteDecisionIndex
from rpa_vision.adapters.runtime import SystemClock
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log = JsonlAudit(path, SystemClock(), AuditSettings(fsync="interval", max_bytes=3000, compress=True))
index = SqliteDecisionIndex(path.with_name("decisions.sqlite"), log)
for number in range(count):
    log.append("step_result", {"workflow_id": name, "n": number})
    if number % 20 == 0:
        index.refresh()
log.close()
"""

FULL = """
import resource, sys
from pathlib import Path
from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import StorageError
log = JsonlAudit(Path(sys.argv[1]), SystemClock())
log.append("before", {})
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
size = Path(sys.argv[1]).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, limit[1]))
for _ in range(3):
    try:
        log.append("full", {})
    except StorageError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
log.append("after", {})
"""


def test_processes_that_write_rotate_pack_and_index_at_once_make_one_chain(tmp_path: Path) -> None:
    """AH-5.1, AH-5.5"""
    path = tmp_path / "audit.jsonl"
    names, count = ("wf_a", "wf_b", "wf_c"), 120
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name, str(count)], stderr=subprocess.PIPE, text=True) for name in names]
    trail = JsonlTrail(path)
    while any(writer.poll() is None for writer in writers):
        during = trail.verify()
        assert during.ok, during
    assert [writer.communicate()[1] for writer in writers] == ["", "", ""]
    result = trail.verify()
    assert (result.ok, result.entries) == (True, count * len(names))
    assert len(list(tmp_path.glob("audit.*.gz"))) > 5
    index = SqliteDecisionIndex(path.with_name("decisions.sqlite"), trail)
    index.refresh()
    for name in names:
        found = index.find(DecisionFilter(workflow_id=name), limit=1000, newest_first=False)
        assert [decision.record["n"] for decision in found] == list(range(count))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_a_full_disk_is_told_and_the_chain_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    """AH-5.1: each time it is told, and what was cut short is noted"""
    path = tmp_path / "audit.jsonl"
    ended = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    assert ended.stdout.count("the disk is full") == 3
    trail = JsonlTrail(path)
    assert trail.verify().ok
    assert [entry.kind for entry in trail.entries()] == ["before", "audit.recovered", "after"]
