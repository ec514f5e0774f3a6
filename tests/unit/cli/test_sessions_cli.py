"""`rpa-vision sessions import`, `segment` and `delete`: from somebody's log to episodes, and away with it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_line import WORKFLOW_ID, contents, make_data, rpa_vision

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.sessions import learned_from
from rpa_vision.models.event_log import COLUMNS
from rpa_vision.models.raw_session import CaptureMetrics, RawSession, RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.testing.event_logs import GeneratedLog, LogPlan, generate_log
from rpa_vision.testing.segmentation_scores import score

GOLDEN = Path(__file__).parents[2] / "golden" / "raw_session.json"
SCREEN = GOLDEN.with_name("screen_state.json")
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


def recorded(root: Path) -> tuple[FileDataDirectory, str]:
    """A data directory with a recording, a screen understood of it, and a workflow learned from it."""
    data = make_data(root)
    session = RecordedSession.from_json(GOLDEN.read_bytes())
    data.sessions.save(session)
    data.sessions.save(session.model_copy(update={"session_id": f"{session.session_id}.2"}))
    for owner in (session.session_id, f"{session.session_id}.2"):
        state = ScreenState.from_json(SCREEN.read_bytes())
        data.screen_states.save(state.model_copy(update={"screen_state_id": f"{owner}.shot_0001"}))
    learned = data.workflows.load(WORKFLOW_ID)
    data.workflows.save(learned.model_copy(update={"metadata": {"sessions": [session.session_id, "sess_long_gone"]}}))
    return data, session.session_id


def test_a_recording_is_deleted_with_what_was_understood_of_it_and_what_was_learned_stays(tmp_path: Path) -> None:
    """L0-7, UX-1"""
    data, session_id = recorded(tmp_path / "data")
    told = rpa_vision(
        "sessions", "delete", session_id, "--yes", "--reason", "asked for", "--data", tmp_path / "data", "--json"
    )
    assert told.json == {
        "session_id": session_id,
        "deleted": True,
        "screens": 1,
        "workflows": [WORKFLOW_ID],
        "datasets": [],
    }
    assert not any(session_id in name and f"{session_id}.2" not in name for name in contents(tmp_path / "data"))
    assert [one.session_id for one in data.sessions.list().items] == [f"{session_id}.2"]
    assert data.screen_states.ids() == [f"{session_id}.2.shot_0001"]
    assert learned_from(data, data.workflows.load(WORKFLOW_ID)).gone == (session_id, "sess_long_gone")
    trail = [json.loads(line) for line in (tmp_path / "data/audit/audit.jsonl").read_text("utf-8").splitlines()]
    deleted = [one for one in trail if one["kind"] == "session_deleted"]
    assert [(one["record"]["session_id"], one["record"]["reason"]) for one in deleted] == [(session_id, "asked for")]
    again = rpa_vision("sessions", "delete", session_id, "--yes", "--data", tmp_path / "data", "--json")
    assert (again.code, again.json["error"]["code"]) == (2, "id.unknown")


@pytest.mark.parametrize("name", ["../runs", "..", "sessions/x", "/etc", ".hidden", "a/../b"])
def test_only_an_id_is_deleted_never_a_path(tmp_path: Path, name: str) -> None:
    """L0-7: whatever somebody gives, nothing but a recording goes."""
    recorded(tmp_path / "data")
    before = known_in(tmp_path / "data")
    ended = rpa_vision("sessions", "delete", "--yes", "--data", tmp_path / "data", "--json", "--", name)
    assert (ended.code, ended.json["error"]["code"]) == (2, "id.invalid")
    assert known_in(tmp_path / "data") == before


def test_a_recording_is_not_deleted_unless_somebody_says_yes(tmp_path: Path) -> None:
    """L0-7"""
    data, session_id = recorded(tmp_path / "data")
    ended = rpa_vision("sessions", "delete", session_id, "--data", tmp_path / "data")
    assert ended.code == 2
    assert "--yes" in ended.remedy
    assert data.sessions.has(session_id)


def test_a_recording_that_goes_on_is_not_deleted(tmp_path: Path) -> None:
    """L0-7, L0-2: by another process either; once its recorder has ended it can be."""
    data, _ = recorded(tmp_path / "data")
    golden = RecordedSession.from_json(GOLDEN.read_bytes())
    writer = data.sessions.begin(
        RawSession(
            session_id="sess_now", environment=golden.environment, user=golden.user, started_at=golden.started_at
        )
    )
    before = known_in(tmp_path / "data")
    command = ("sessions", "delete", "sess_now", "--yes", "--data", tmp_path / "data", "--json")
    ended = rpa_vision(*command)
    assert (ended.code, ended.json["error"]["code"]) == (2, "session.being_recorded")
    assert known_in(tmp_path / "data") == before
    writer.end(golden.started_at, CaptureMetrics())
    assert rpa_vision(*command).code == 0
    assert not data.sessions.has("sess_now")


def test_of_a_log_no_secret_and_no_keeper_of_secrets_reaches_the_disk(tmp_path: Path) -> None:
    """L0-7: by the words of fields, of addresses, and of programs that are not looked at"""
    rows = [
        "2026-03-02T09:00:00,Web,type,PIN,1234567,,",
        "2026-03-02T09:00:01,Web,click,Login,x,,https://u:pa55word@h.example/a?token=abcdef",
        "2026-03-02T09:00:02,KeePassXC,copy,Entry,swordfish,,",
    ]
    path, data = tmp_path / "log.csv", tmp_path / "data"
    path.write_text("\n".join(["ts,app,action,target,value,row,url", *rows]) + "\n", encoding="utf-8")
    told = rpa_vision("sessions", "import", path, "--data", data, "--json").json
    assert (told["events"], told["secrets"], told["left_out"]) == (2, 1, 1)
    kept = b"".join(one.read_bytes() for one in data.rglob("*") if one.is_file())
    assert not any(secret in kept for secret in (b"1234567", b"pa55word", b"abcdef", b"swordfish"))
