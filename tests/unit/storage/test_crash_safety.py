"""Whoever is killed, and whenever: what was kept is kept, and what is there can be read."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.models.workflow_graph import Workflow

WRITER = Path(__file__).with_name("endless_writer.py")


def start(what: str, root: Path, argument: str, stdin: bytes = b"") -> subprocess.Popen[bytes]:
    command = [sys.executable, str(WRITER), what, str(root), argument]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    return process


def kill_after(process: subprocess.Popen[bytes], lines: int, microseconds: int) -> int:
    """Kill it some time after it has said that many things; what it said last was kept."""
    assert process.stdout is not None
    told = -1
    for _ in range(lines):
        told = int(process.stdout.readline())
    try:
        process.wait(microseconds / 1e6)  # an instant somewhere within what it does next
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()
    for line in process.stdout.read().split(b"\n")[:-1]:
        told = int(line)
    process.stdout.close()
    return told


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_writer_leaves_the_old_or_the_new_document(
    data: FileDataDirectory, workflow: Workflow, root: Path, seed: int
):
    """issue 2 item 3: atomic"""
    dice = random.Random(seed)
    data.workflows.save(workflow)
    process = start("rewrite", root, "2")

    told = kill_after(process, dice.randint(1, 12), dice.randint(0, 8000))

    kept = data.workflows.load(workflow.workflow_id)
    assert kept.version in (told, told + 1)
    session = data.sessions.load("sess_2025-11-21T10-15-00_formateurX")
    assert int(session.agent_version) in (told, told + 1)
    assert len(session.events) == 68
    assert data.workflows.list().unreadable == ()
    assert data.sessions.list().unreadable == ()
    data.workflows.save(workflow)
    assert data.workflows.load(workflow.workflow_id) == workflow


@pytest.mark.parametrize("seed", range(4))
def test_a_recorder_killed_in_mid_recording_loses_nothing_it_was_told_is_kept(
    data: FileDataDirectory, root: Path, png: bytes, seed: int
):
    """L0-2; issue 2: kill -9 of the recorder"""
    dice = random.Random(seed)
    process = start("record", root, "sess_killed", png)

    told = kill_after(process, dice.randint(1, 40), dice.randint(0, 5000))

    session = data.sessions.load("sess_killed")
    assert told + 1 <= len(session.events) <= told + 2
    for number, event in enumerate(session.events):
        assert event.pos == (number, 0)
        assert event.screenshot_id is not None
        assert data.sessions.screenshot(session, event.screenshot_id) == png
    (summary,) = data.sessions.list().items
    assert not summary.complete


def test_processes_that_write_the_same_document_do_not_corrupt_it(
    data: FileDataDirectory, workflow: Workflow, root: Path
):
    """issue 2 item 3"""
    data.workflows.save(workflow)
    processes = [start("rewrite", root, str(1000 * (number + 1))) for number in range(2)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for _ in range(40):
        assert data.workflows.load(workflow.workflow_id).version >= 1000
        assert data.sessions.list().unreadable == ()
    told = [kill_after(process, 1, 1000) for process in processes]
    assert any(last <= data.workflows.load(workflow.workflow_id).version <= last + 1 for last in told)
