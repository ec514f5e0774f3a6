"""Nothing from a document or a caller becomes a path outside the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.errors import InvalidIdError, RpaVisionError, StorageError, UnknownIdError
from rpa_vision.models.raw_session import RawSession, RecordedSession
from rpa_vision.models.workflow_graph import Workflow

TRICKS = ["../x", "..", "/etc/passwd", "a/../../x", "a\0b", "a\\..\\b", "C:\\x", ".rpa-vision", "", ".", "x\n"]


@pytest.mark.parametrize("trick", TRICKS, ids=repr)
def test_ids_that_are_paths_are_refused(data: FileDataDirectory, trick: str, png: bytes):
    """HOUSE: nothing becomes a path unchecked"""
    with pytest.raises(InvalidIdError):
        data.sessions.load(trick)
    with pytest.raises(InvalidIdError):
        data.screen_states.load(trick)
    with pytest.raises(InvalidIdError):
        data.runs.load(trick)
    with pytest.raises(InvalidIdError):
        data.runs.save_picture(trick, "step", png)
    with pytest.raises(InvalidIdError):
        data.runs.save_picture("run_1", trick, png)
    with pytest.raises(UnknownIdError):  # it may be the name of a workflow, but never becomes a path
        data.workflows.load(trick)


@pytest.mark.parametrize("trick", [*TRICKS, "embeddings/.x.npy", "workflows/WF_1/workflow.json"], ids=repr)
def test_paths_that_lead_out_or_to_something_else_are_refused(data: FileDataDirectory, trick: str, png: bytes):
    """SPEC Settled: vector_id"""
    for path in {trick, f"{trick}.npy" if trick.startswith((".", "/", "a/")) and trick != "." else trick}:
        with pytest.raises(InvalidIdError):
            data.vectors.load(path, dimensions=4)
        with pytest.raises(InvalidIdError):
            data.vectors.save(path, np.ones(4, np.float32))
        with pytest.raises(InvalidIdError):
            data.pictures.load(path)
        with pytest.raises(InvalidIdError):
            data.pictures.save(path, png)


def test_a_vector_cannot_take_the_place_of_a_picture_or_a_document(data: FileDataDirectory, png: bytes):
    with pytest.raises(InvalidIdError):
        data.vectors.save("workflows/WF_1/targets/x.png", np.ones(4, np.float32))
    with pytest.raises(InvalidIdError):
        data.pictures.save("runs/run_1/report.json", png)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "x.npy").write_bytes(b"not yours")
    (folder / "x.png").write_bytes(b"not yours")
    (folder / "workflow.json").write_bytes(b"not yours")
    return folder


def test_a_link_that_leads_out_is_refused_for_reading_and_writing(
    data: FileDataDirectory, root: Path, outside: Path, png: bytes
):
    data.pictures.save("workflows/WF_ok/targets/x.png", png)
    (root / "embeddings").symlink_to(outside)
    (root / "workflows" / "WF_out").symlink_to(outside)

    attempts = [
        lambda: data.vectors.load("embeddings/x.npy", dimensions=4),
        lambda: data.vectors.save("embeddings/x.npy", np.ones(4, np.float32)),
        lambda: data.pictures.load("workflows/WF_out/x.png"),
        lambda: data.pictures.save("workflows/WF_out/x.png", png),
        lambda: data.workflows.load("WF_out"),
    ]
    for attempt in attempts:
        with pytest.raises(StorageError, match="symbolic link"):
            attempt()
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == dict.fromkeys(
        ("x.npy", "x.png", "workflow.json"), b"not yours"
    )
    (problem,) = data.workflows.list().unreadable
    assert problem.name == "workflows/WF_out"
    assert "symbolic link" in problem.problem


def test_a_file_that_is_a_link_out_is_refused_and_its_target_left_alone(
    data: FileDataDirectory, root: Path, outside: Path
):
    data.vectors.save("embeddings/ok.npy", np.ones(4, np.float32))
    (root / "embeddings" / "x.npy").symlink_to(outside / "x.npy")
    with pytest.raises(StorageError, match="symbolic link"):
        data.vectors.save("embeddings/x.npy", np.ones(4, np.float32))
    assert (outside / "x.npy").read_bytes() == b"not yours"


def test_a_circle_of_links_is_refused(data: FileDataDirectory, root: Path):
    data.claim()
    (root / "embeddings").symlink_to(root / "embeddings")
    with pytest.raises(RpaVisionError):
        data.vectors.load("embeddings/x.npy", dimensions=4)


def test_one_day_that_leads_out_does_not_hide_the_other_sessions(
    data: FileDataDirectory, root: Path, outside: Path, golden_document: Any
):
    session = RecordedSession.from_json(golden_document("raw_session"))
    data.sessions.save(session)
    (root / "sessions" / "2999-01-01").symlink_to(outside)

    assert data.sessions.load(session.session_id) == session
    listing = data.sessions.list()
    assert [item.session_id for item in listing.items] == [session.session_id]
    assert [item.name for item in listing.unreadable] == ["sessions/2999-01-01"]


def test_a_screenshot_that_names_another_file_of_the_session_is_refused(
    data: FileDataDirectory, new_session: RawSession, golden_document: Any
):
    document = golden_document("raw_session")
    document["screenshots"][0]["relative_path"] = "journal.jsonl"
    session = RecordedSession.from_json(document)
    with pytest.raises(InvalidIdError):
        data.sessions.screenshot(session, "shot_0001")
    writer = data.sessions.begin(new_session)
    with pytest.raises(InvalidIdError):
        writer.add_screenshot(session.screenshots[0], b"x")


def test_a_picture_of_a_target_outside_is_refused_by_the_document_itself(workflow: Workflow):
    look = {"image_path": "../x.png", "size": [1, 1]}
    document = workflow.to_json()
    document["edges"][0]["action"]["target"]["look"] = look
    with pytest.raises(RpaVisionError, match=r"look\.image_path"):
        Workflow.from_json(document)
