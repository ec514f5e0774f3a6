"""`rpa-vision sessions import` and `segment`: from somebody's log to episodes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_line import contents, make_data, rpa_vision

from rpa_vision.models.event_log import COLUMNS
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.testing.event_logs import GeneratedLog, LogPlan, generate_log
from rpa_vision.testing.segmentation_scores import score

GOLDEN = Path(__file__).parents[2] / "golden" / "raw_session.json"
DAY = generate_log(7, LogPlan(executions=8, noise=0.15, interleaved=0.2))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path / "day.csv", DAY)


def written(path: Path, day: GeneratedLog) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in day.rows:
            writer.writerow([row.ts.isoformat(), row.app, row.action, row.target, row.value, row.row, row.url])
    return path


def test_a_log_is_segmented_as_it_is(log: Path, tmp_path: Path) -> None:
    """L0-4, L0-5, UX-1"""
    told = rpa_vision("sessions", "segment", log, "--json", "--data", tmp_path / "data").json
    assert len(told["segment"]) == len(told["routine"]) == len(told["events"]) == len(DAY.rows)
    scores = score(DAY.cases, DAY.routines, told["segment"], told["routine"])
    assert min(scores.boundary_precision, scores.boundary_recall, scores.routine_v_measure) >= 0.9
    assert {one["label"] for one in told["segments"]} == {label for label in told["routine"] if label is not None}
    assert all({"noise", "role", "confidence"} <= event.keys() for event in told["events"])
    assert not (tmp_path / "data").exists()


def test_an_imported_log_is_a_session_and_keeps_its_segments(log: Path, tmp_path: Path) -> None:
    """L0-4"""
    data = tmp_path / "data"
    told = rpa_vision("sessions", "import", log, "--name", "Une journée", "--data", data, "--json").json
    assert (told["events"], told["ignored_columns"]) == (len(DAY.rows), [])
    direct = rpa_vision("sessions", "segment", log, "--json").json
    kept = rpa_vision("sessions", "segment", told["session_id"], "--data", data, "--json").json
    assert kept["segment"] == direct["segment"]
    stored = rpa_vision("sessions", "show", told["session_id"], "--data", data, "--json").json
    assert [one["segment_id"] for one in stored["segments"]] == [one["segment_id"] for one in kept["segments"]]
    assert [event["noise_flag"] for event in stored["events"]] == [one["noise"] for one in kept["events"]]
    listed = rpa_vision("sessions", "--data", data, "--json").json["sessions"]
    assert [one["name"] for one in listed] == ["Une journée"]
    assert "segments," in rpa_vision("sessions", "segment", told["session_id"], "--data", data).out


def test_a_broken_log_leaves_nothing_behind(log: Path, tmp_path: Path) -> None:
    """L0-4"""
    data = tmp_path / "data"
    rpa_vision("sessions", "import", log, "--data", data)
    before = contents(data)
    broken = tmp_path / "broken.csv"
    broken.write_text(log.read_text(encoding="utf-8") + "yesterday,App,click,,,,\n", encoding="utf-8")
    ended = rpa_vision("sessions", "import", broken, "--data", data, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (2, "event_log.invalid")
    assert f"line {len(DAY.rows) + 2}: ts: 'yesterday'" in ended.cause
    assert contents(data) == before


def test_the_same_log_is_not_imported_twice_by_accident(log: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    rpa_vision("sessions", "import", log, "--data", data)
    ended = rpa_vision("sessions", "import", log, "--data", data)
    assert ended.code == 2
    assert "is there already" in ended.cause
    assert "--name" in ended.remedy


def test_a_session_that_does_not_exist_is_told(tmp_path: Path) -> None:
    ended = rpa_vision("sessions", "segment", "nobody", "--data", tmp_path / "data", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (2, "id.unknown")


@pytest.mark.parametrize("command", [("sessions", "segment"), ("learn", "--name", "Factures"), ("learn", "--all")])
def test_a_recording_whose_pictures_are_gone_is_told_and_left_as_it_was(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """L0-4, L4-2, issue 5: a session with missing screenshots"""
    data = make_data(tmp_path / "data")
    data.sessions.save(RecordedSession.from_json(GOLDEN.read_bytes()))
    before = known_in(tmp_path / "data")
    session_id = data.sessions.list().items[0].session_id
    ended = rpa_vision(*command, session_id, "--data", tmp_path / "data", "--json")
    assert ended.code == 2
    assert "does not exist" in ended.json["error"]["message"]
    assert known_in(tmp_path / "data") == before


def known_in(root: Path) -> dict[str, bytes]:
    """Everything but the books of the supervisor, which are opened whatever becomes of it."""
    return {name: data for name, data in contents(root).items() if name.partition("/")[0] not in ("audit", "system")}


def test_without_screens_windows_and_keys_are_enough(tmp_path: Path) -> None:
    """L0-4"""
    data = make_data(tmp_path / "data")
    data.sessions.save(RecordedSession.from_json(GOLDEN.read_bytes()))
    session_id = data.sessions.list().items[0].session_id
    assert rpa_vision("sessions", "segment", session_id, "--no-screens", "--data", tmp_path / "data").code == 0
