"""Runs and screens are kept, found again, and listed in spite of bad neighbours."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.errors import DocumentError, UnknownIdError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.testing import strategies as some


def report(number: int) -> RunReport:
    moment = datetime(2025, 11, 20 + number, tzinfo=UTC)
    return RunReport(
        run_id=f"run_{number}", workflow_id="WF_x", workflow_name="Validation", workflow_version=1, mode="auto",
        status="success", started_at=moment, ended_at=moment, duration_s=0.0,
    )  # fmt: skip


def test_a_run_is_kept_with_its_page_and_pictures(data: FileDataDirectory, root: Path, png: bytes):
    """UX-4"""
    picture = data.runs.save_picture("run_1", "step_00_before.png", png)
    assert picture == "runs/run_1/pictures/step_00_before.png"
    assert data.pictures.load(picture) == png
    page = data.runs.save(report(1), "<html>é</html>")
    assert Path(page).read_text(encoding="utf-8") == "<html>é</html>"
    assert data.runs.load("run_1") == report(1)


def test_the_newest_run_comes_first_and_a_bad_one_hides_none(data: FileDataDirectory, root: Path, png: bytes):
    for number in (1, 3, 2):
        data.runs.save(report(number), "")
    data.runs.save_picture("run_going_on", "step", png)
    (root / "runs" / "run_torn").mkdir()
    (root / "runs" / "run_torn" / "report.json").write_bytes(b'{"run_id')
    (root / "runs" / "notes.txt").write_bytes(b"")
    listing = data.runs.list()
    assert [item.run_id for item in listing.items] == ["run_3", "run_2", "run_1"]
    assert [item.name for item in listing.unreadable] == ["runs/run_torn"]
    with pytest.raises(DocumentError, match=r"runs/run_torn/report\.json: not valid JSON"):
        data.runs.load("run_torn")


def test_an_unknown_run_is_answered_with_those_it_could_be(data: FileDataDirectory):
    data.runs.save(report(1), "")
    with pytest.raises(UnknownIdError, match="run_7") as caught:
        data.runs.load("run_7")
    assert "run_1" in caught.value.remedy


def test_a_screen_is_filed_by_its_day_and_found_by_its_id(data: FileDataDirectory, root: Path, golden_document: Any):
    """L1-1"""
    for name in ("screen_state", "screen_state_source"):
        state = ScreenState.from_json(golden_document(name))
        data.screen_states.save(state)
        assert data.screen_states.load(state.screen_state_id) == state
    assert sorted(path.name for path in (root / "screen_states").iterdir()) == ["2025-11-21", "2025-11-22"]
    with pytest.raises(UnknownIdError):
        data.screen_states.load("screen_x")


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(state=some.screen_states())
def test_any_screen_comes_back_as_it_was(data: FileDataDirectory, state: ScreenState):
    """P003-2"""
    data.screen_states.save(state)
    assert data.screen_states.load(state.screen_state_id) == state


def test_a_screen_saved_again_replaces_itself_even_under_another_day(
    data: FileDataDirectory, root: Path, golden_document: Any
):
    document = golden_document("screen_state")
    for day in ("2025-11-22", "2025-11-23"):
        state = ScreenState.from_json({**document, "timestamp": f"{day}T10:15:32Z"})
        data.screen_states.save(state)
    assert data.screen_states.load(state.screen_state_id) == state
    assert len(list((root / "screen_states").rglob("*.json"))) == 1
