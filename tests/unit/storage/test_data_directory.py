"""Whose directory is it, and where do things lie in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.errors import DataDirectoryError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.raw_session import CaptureMetrics, RawSession, RecordedSession, Screenshot
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.storage import DataDirectory


def use(data: FileDataDirectory) -> None:
    data.vectors.save("embeddings/states/x.npy", np.ones(4, np.float32))


def test_it_is_what_the_port_asks_for(data: FileDataDirectory):
    port: DataDirectory = data  # mypy checks it
    assert port is data


def test_reading_an_absent_directory_finds_nothing_and_makes_nothing(data: FileDataDirectory, root: Path):
    assert data.sessions.list().items == ()
    assert data.workflows.list().items == ()
    assert data.runs.list().items == ()
    assert not root.exists()


def test_the_first_write_marks_the_directory_as_ours(data: FileDataDirectory, root: Path, clock: Any):
    use(data)
    assert json.loads((root / ".rpa-vision").read_bytes()) == {"program": "rpa-vision", "layout": 1}
    use(FileDataDirectory(root, clock=clock))


def test_a_foreign_directory_is_refused_and_left_alone(root: Path, clock: Any, snapshot: Any):
    """issue 2: foreign directory"""
    (root / "Photos").mkdir(parents=True)
    (root / "thesis.odt").write_text("mine")
    before = snapshot()
    with pytest.raises(DataDirectoryError, match=r"foreign directory.*Photos") as caught:
        FileDataDirectory(root, clock=clock)
    assert "--data" in caught.value.remedy
    assert snapshot() == before


def test_a_directory_that_becomes_foreign_before_the_first_write_is_refused(data: FileDataDirectory, root: Path):
    root.mkdir()
    (root / "thesis.odt").write_text("mine")
    with pytest.raises(DataDirectoryError, match="foreign"):
        use(data)
    assert [path.name for path in root.iterdir()] == ["thesis.odt"]


def test_known_folders_alone_are_not_foreign(root: Path, clock: Any):
    """The seeds' own data directories have no marker."""
    for name in ("sessions", "workflows", "faiss_index", "config"):
        (root / name).mkdir(parents=True)
    (root / ".DS_Store").write_bytes(b"")
    (root / "..rpa-vision.abc123.tmp").write_bytes(b"")  # killed while it made the marker
    use(FileDataDirectory(root, clock=clock))
    assert (root / ".rpa-vision").is_file()


def test_a_file_that_only_has_the_name_of_a_known_folder_is_foreign(root: Path, clock: Any):
    root.mkdir()
    (root / "sessions").write_text("not a folder")
    with pytest.raises(DataDirectoryError, match="foreign"):
        FileDataDirectory(root, clock=clock)


@pytest.mark.parametrize(
    ("marker", "problem"),
    [
        ('{"program": "rpa-vision", "layout": 2}', "newer"),
        ("{", "not valid JSON"),
        ("[]", "layout"),
        ('{"layout": "1"}', "layout"),
        ('{"layout": true}', "layout"),
    ],
)
def test_a_marker_that_is_newer_or_broken_is_a_clear_error(root: Path, clock: Any, marker: str, problem: str):
    root.mkdir()
    (root / ".rpa-vision").write_text(marker)
    with pytest.raises(DataDirectoryError, match=problem) as caught:
        FileDataDirectory(root, clock=clock)
    assert caught.value.remedy


def test_a_file_in_the_place_of_the_directory_is_a_clear_error(root: Path, clock: Any):
    root.write_text("a file")
    with pytest.raises(DataDirectoryError, match="not a directory"):
        FileDataDirectory(root, clock=clock)


def test_a_place_that_cannot_be_made_is_a_clear_error(tmp_path: Path, clock: Any):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataDirectoryError):
        use(FileDataDirectory(tmp_path / "file" / "data", clock=clock))


def test_the_root_itself_may_be_a_link(tmp_path: Path, clock: Any):
    (tmp_path / "big disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "big disk")
    data = FileDataDirectory(tmp_path / "data", clock=clock)
    use(data)
    assert data.vectors.load("embeddings/states/x.npy", dimensions=4).tolist() == [1, 1, 1, 1]


def test_everything_lies_where_the_seeds_say(
    data: FileDataDirectory, root: Path, png: bytes, new_session: RawSession, workflow: Workflow, golden_document: Any
):
    """L0-2; seed 003 « Structure de Données »"""
    writer = data.sessions.begin(new_session)
    shot = Screenshot(
        screenshot_id="shot_0001", relative_path="shots/shot_0001.png", captured_at=new_session.started_at
    )
    writer.add_screenshot(shot, png)
    session = writer.end(new_session.started_at, CaptureMetrics())
    data.screen_states.save(ScreenState.from_json(golden_document("screen_state")))
    data.workflows.save(workflow)
    data.pictures.save("data/workflows/WF_demo_workflow/targets/submit.png", png)
    report = RunReport(
        run_id="run_1", workflow_id="WF_x", workflow_name="x", workflow_version=1, mode="auto", status="success",
        started_at=session.started_at, ended_at=session.started_at, duration_s=0.0,
    )  # fmt: skip
    assert data.runs.save_picture("run_1", "step_0", png) == "runs/run_1/pictures/step_0.png"
    assert data.runs.save(report, "<html>") == str(root / "runs/run_1/report.html")

    sid = "sess_2025-11-22T10-15-00_user1"
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert files == {
        ".rpa-vision",
        f"sessions/2025-11-22/{sid}.json",
        f"sessions/2025-11-22/{sid}/journal.jsonl",
        f"sessions/2025-11-22/{sid}/shots/shot_0001.png",
        "screen_states/2025-11-22/screen_2025-11-22T10-15-32.123Z.json",
        "embeddings/workflows/WF_demo/N1_prototype.npy",
        "embeddings/workflows/WF_demo/N2_prototype.npy",
        "embeddings/workflows/WF_demo/N3_prototype.npy",
        "workflows/WF_demo_workflow/workflow.json",
        "workflows/WF_demo_workflow/targets/submit.png",
        "runs/run_1/report.json",
        "runs/run_1/report.html",
        "runs/run_1/pictures/step_0.png",
    }
    assert data.sessions.screenshot_path(session, "shot_0001") == f"sessions/2025-11-22/{sid}/shots/shot_0001.png"
    assert data.sessions.load(sid) == session
    assert isinstance(session, RecordedSession)
