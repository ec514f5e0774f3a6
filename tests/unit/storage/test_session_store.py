"""A session is never lost: not by a killed recorder, not by a torn file, not by a stray one."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpa_vision.adapters.storage import FileDataDirectory, journal
from rpa_vision.errors import DocumentError, StorageError, UnknownIdError
from rpa_vision.models.raw_session import CaptureMetrics, Event, RawSession, RecordedSession, Screenshot
from rpa_vision.testing import strategies as some

CAPTURE = CaptureMetrics(frames_grabbed=7)


def shot(session: RawSession, number: int) -> Screenshot:
    name = f"shot_{number:04}"
    return Screenshot(screenshot_id=name, relative_path=f"shots/{name}.png", captured_at=session.started_at)


def click(number: int) -> Event:
    return Event(
        t=float(number), type="mouse_click", button="left", pos=(1, 2), screenshot_id=f"shot_{number:04}",
        screenshot_after_id=f"shot_{number + 1:04}",
    )  # fmt: skip


@pytest.fixture
def recorded(data: FileDataDirectory, new_session: RawSession, png: bytes) -> Any:
    """Record some clicks, each with its pictures; the writer is given back before it has ended."""

    def record(clicks: int) -> Any:
        writer = data.sessions.begin(new_session)
        writer.add_screenshot(shot(new_session, 0), png)
        for number in range(clicks):
            writer.add_screenshot(shot(new_session, number + 1), png)
            writer.add_event(click(number))
        return writer

    return record


def journal_of(root: Path, session: RawSession) -> Path:
    return root / "sessions" / "2025-11-22" / session.session_id / "journal.jsonl"


def document_of(root: Path, session: RawSession) -> Path:
    return root / "sessions" / "2025-11-22" / f"{session.session_id}.json"


def test_what_was_recorded_is_what_is_loaded(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, png: bytes
):
    """L0-1 L0-2 L0-6"""
    ended = new_session.started_at + timedelta(minutes=1)
    writer = recorded(3)
    session = writer.end(ended, CAPTURE)

    assert session.events == tuple(click(number) for number in range(3))
    assert [each.screenshot_id for each in session.screenshots] == [f"shot_000{number}" for number in range(4)]
    assert (session.ended_at, session.capture) == (ended, CAPTURE)
    assert data.sessions.load(session.session_id) == session
    assert data.sessions.screenshot(session, "shot_0002") == png
    assert Path(writer.path).is_file()
    with pytest.raises(UnknownIdError, match="shot_9"):
        data.sessions.screenshot(session, "shot_9")


def test_a_session_without_an_end_loads_with_everything_up_to_the_last_line(
    data: FileDataDirectory, recorded: Any, new_session: RawSession
):
    """L0-2: the writer below never ends, as if it had been killed here"""
    recorded(5)
    session = data.sessions.load(new_session.session_id)
    assert len(session.events) == 5
    assert len(session.screenshots) == 6
    assert session.ended_at is None
    (summary,) = data.sessions.list().items
    assert (summary.events, summary.screenshots, summary.complete) == (5, 6, False)
    assert summary.name == "workflow_test"


def test_wherever_the_journal_is_cut_all_whole_lines_are_kept(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path
):
    """L0-2: a torn file never loses the session"""
    recorded(3)
    path = journal_of(root, new_session)
    whole = path.read_bytes()
    head = whole.index(b"\n")
    for cut in range(head, len(whole), 3):
        path.write_bytes(whole[:cut])
        lines = [line for line in whole[: cut + 1].split(b"\n")[:-1] if b'"kind":"event"' in line]
        events = data.sessions.load(new_session.session_id).events
        assert len(events) >= len(lines)
        assert events == tuple(click(number) for number in range(len(events)))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tail=st.binary(max_size=60), new_line=st.booleans())
def test_a_garbage_tail_loses_nothing_before_it(
    data: FileDataDirectory, golden_document: Any, tail: bytes, new_line: bool
):
    """L0-2"""
    session = RecordedSession.from_json(golden_document("raw_session_segments"))
    lines = b"\n".join(journal.lines_of(session)) + (b"\n" if new_line else b"\n{")
    again = journal.rebuilt(lines + tail, where="journal.jsonl", has_picture=lambda _: True)
    assert again.events[: len(session.events)] == session.events
    assert again.ended_at == session.ended_at


@pytest.mark.parametrize(
    "garbage",
    [b"\0" * 4096, b'{"kind":"event","content":{"t":-1,"type":"mouse_click"}}', b'{"kind":"event"}', b"[" * 9999,
     b'{"kind":"end","content":{"ended_at":"yesterday"}}', b'{"kind":"end","content":{"segments":[{}]}}', b"\xff\xfe",
     b'{"kind":"screenshot","content":{"screenshot_id":"x","relative_path":"../x.png"}}'],
    ids=lambda value: repr(value[:30]),
)  # fmt: skip
def test_a_line_that_is_none_of_ours_is_passed_over(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path, garbage: bytes
):
    """L0-2"""
    recorded(2)
    path = journal_of(root, new_session)
    first, *rest = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first, garbage, *rest, garbage]))
    session = data.sessions.load(new_session.session_id)
    assert session.events == (click(0), click(1))


def test_the_journal_gives_the_same_session_as_the_document(golden_document: Any):
    """P003-1, for every session of the seeds"""
    for name in ("raw_session", "raw_session_segments", "raw_session_noise_events"):
        session = RecordedSession.from_json(golden_document(name))
        lines = b"\n".join(journal.lines_of(session))
        assert journal.rebuilt(lines, where="journal.jsonl", has_picture=lambda _: True) == session


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(some.recorded_sessions())
def test_the_journal_of_any_session_gives_it_again(session: RecordedSession):
    """P003-1"""
    lines = b"\n".join(journal.lines_of(session))
    assert journal.rebuilt(lines, where="journal.jsonl", has_picture=lambda _: True) == session


@pytest.mark.parametrize("damage", [b"", b'{"schema_version": "rawsess', b"\0" * 100])
def test_a_torn_document_is_mended_from_the_journal(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path, damage: bytes
):
    """L0-2"""
    session = recorded(3).end(new_session.started_at, CAPTURE)
    document_of(root, new_session).write_bytes(damage)
    assert data.sessions.load(session.session_id) == session
    assert data.sessions.list().items[0].complete


def test_a_document_somebody_changed_wrongly_is_an_error_and_not_silently_replaced(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path
):
    recorded(1).end(new_session.started_at, CAPTURE)
    path = document_of(root, new_session)
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "colour": "red"}))
    with pytest.raises(DocumentError, match=r"sessions/2025-11-22/.*\.json: colour"):
        data.sessions.load(new_session.session_id)


def test_only_the_references_to_a_picture_that_did_not_make_it_are_dropped(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path, png: bytes
):
    """L0-2"""
    recorded(3)
    shots = journal_of(root, new_session).parent / "shots"
    (shots / "shot_0001.png").unlink()
    (shots / "shot_0003.png").write_bytes(png[:-5])  # a power cut: the name is there, the content is not
    session = data.sessions.load(new_session.session_id)
    assert [each.screenshot_id for each in session.screenshots] == ["shot_0000", "shot_0002"]
    assert [(event.screenshot_id, event.screenshot_after_id) for event in session.events] == [
        ("shot_0000", None),
        (None, "shot_0002"),
        ("shot_0002", None),
    ]


def test_saving_again_keeps_pictures_and_leaves_nothing_of_the_old_content(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path, png: bytes
):
    """L0-7: what was taken out of a session is in no file of it any more"""
    writer = recorded(1)
    writer.add_event(Event(t=5.0, type="text_input", text="hunter2"))
    session = writer.end(new_session.started_at, CAPTURE)
    assert b"hunter2" in journal_of(root, new_session).read_bytes()

    redacted = session.model_copy(update={"events": session.events[:1]})
    data.sessions.save(redacted)

    files = [path.read_bytes() for path in root.rglob("*") if path.is_file()]
    assert not any(b"hunter2" in content for content in files)
    assert data.sessions.load(session.session_id) == redacted
    assert data.sessions.screenshot(redacted, "shot_0000") == png
    document_of(root, new_session).unlink()
    assert data.sessions.load(session.session_id) == redacted


def test_a_picture_that_comes_after_its_event_survives_a_killed_recorder(
    data: FileDataDirectory, recorded: Any, new_session: RawSession
):
    """L0-2: the writer below never ends"""
    recorded(3).add_aftermath(1, "shot_0003")
    session = data.sessions.load(new_session.session_id)
    assert [event.screenshot_after_id for event in session.events] == ["shot_0001", "shot_0003", "shot_0003"]
    assert session.ended_at is None


def test_a_picture_that_comes_after_its_event_is_in_document_and_journal(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path
):
    """L0-2"""
    writer = recorded(2)
    writer.add_aftermath(0, "shot_0000")
    session = writer.end(new_session.started_at, CAPTURE)
    assert session.events[0].screenshot_after_id == "shot_0000"
    assert data.sessions.load(session.session_id) == session
    document_of(root, new_session).unlink()
    assert data.sessions.load(session.session_id) == session


@pytest.mark.parametrize(
    "content",
    ['{"event_number":7,"screenshot_id":"shot_0000"}', '{"event_number":-1,"screenshot_id":"shot_0000"}',
     '{"event_number":true,"screenshot_id":"shot_0000"}', '{"event_number":1,"screenshot_id":"shot_7777"}',
     '{"event_number":1,"screenshot_id":5}', "{}"],
)  # fmt: skip
def test_an_aftermath_of_nothing_is_passed_over(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path, content: str
):
    """L0-2"""
    recorded(2)
    with journal_of(root, new_session).open("ab") as file:
        file.write(f'{{"kind":"aftermath","content":{content}}}\n'.encode())
    assert data.sessions.load(new_session.session_id).events == (click(0), click(1))


def test_where_a_line_is_missing_no_aftermath_is_given_to_the_wrong_event(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, root: Path
):
    """L0-2"""
    recorded(3).add_aftermath(1, "shot_0000")
    path = journal_of(root, new_session)
    lines = path.read_bytes().split(b"\n")
    torn = [b"\0" * 40 if b'"kind":"event"' in line and b'"t":0.0' in line else line for line in lines]
    assert torn != lines
    path.write_bytes(b"\n".join(torn))
    assert data.sessions.load(new_session.session_id).events == (click(1), click(2))


def test_an_aftermath_needs_its_event_and_its_screenshot(recorded: Any):
    writer = recorded(1)
    with pytest.raises(DocumentError, match="event_number"):
        writer.add_aftermath(1, "shot_0000")
    with pytest.raises(DocumentError, match="screenshot_id"):
        writer.add_aftermath(0, "shot_0009")


def test_a_reference_to_a_screenshot_that_is_not_there_is_refused_at_once(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, png: bytes
):
    writer = recorded(1)
    with pytest.raises(DocumentError, match="screenshot_id: no screenshot"):
        writer.add_event(click(7))
    with pytest.raises(DocumentError, match="already"):
        writer.add_screenshot(shot(new_session, 0), png)
    assert len(writer.end(new_session.started_at, CAPTURE).events) == 1


def test_a_session_is_begun_once_and_ended_once(data: FileDataDirectory, recorded: Any, new_session: RawSession):
    writer = recorded(0)
    with pytest.raises(StorageError, match="already"):
        data.sessions.begin(new_session)
    writer.end(new_session.started_at, CAPTURE)
    for again in (lambda: writer.add_event(click(0)), lambda: writer.end(new_session.started_at, CAPTURE)):
        with pytest.raises(StorageError, match="ended"):
            again()


def test_a_copy_that_breaks_the_rules_is_not_kept(data: FileDataDirectory, golden_document: Any):
    """Copies are not checked when they are made, so they are when they are kept."""
    session = RecordedSession.from_json(golden_document("raw_session"))
    with pytest.raises(DocumentError, match=r"events\.0\.screenshot_id"):
        data.sessions.save(session.model_copy(update={"screenshots": ()}))
    assert data.sessions.list().items == ()


def test_the_newest_session_comes_first_and_a_bad_file_hides_none(
    data: FileDataDirectory, root: Path, golden_document: Any
):
    """issue 2 item 3"""
    for number in range(3):
        started = {"session_id": f"s{number}", "started_at": f"2025-11-2{number}T23:30:00-02:00", "context": {}}
        data.sessions.save(RecordedSession.from_json({**golden_document("raw_session"), **started}))
    day = root / "sessions" / "2025-11-22"
    (day / "torn.json").write_bytes(b'{"session_id"')
    (day / "foreign.json").write_bytes(b'{"name": "left-pad", "version": "1.0"}')
    (day / "bad name.json").write_bytes(b"{}")
    (day / "other.json").write_bytes((day / "s1.json").read_bytes())
    (day / "a folder.json").mkdir()
    (day / "killed early").mkdir()
    (day / "empty").mkdir()
    (day / "empty" / "journal.jsonl").write_bytes(b"")
    (day / "notes.txt").write_bytes(b"")
    (root / "sessions" / "not a day").mkdir()

    listing = data.sessions.list()

    assert [summary.session_id for summary in listing.items] == ["s2", "s1", "s0"]
    assert [summary.name for summary in listing.items] == ["s2", "s1", "s0"]
    assert {problem.name.rpartition("/")[2] for problem in listing.unreadable} == {
        "torn", "foreign", "bad name", "other", "a folder", "empty",
    }  # fmt: skip
    assert all(problem.problem for problem in listing.unreadable)


def test_an_unknown_session_is_answered_with_those_it_could_be(data: FileDataDirectory, golden_document: Any):
    data.sessions.save(RecordedSession.from_json(golden_document("raw_session")))
    with pytest.raises(UnknownIdError, match="sess_2025-11-22T10-15-00_user2") as caught:
        data.sessions.load("sess_2025-11-22T10-15-00_user2")
    assert "sess_2025-11-22T10-15-00_user1" in caught.value.remedy


def test_every_event_is_handed_to_the_system_before_the_recorder_goes_on(
    data: FileDataDirectory, recorded: Any, new_session: RawSession, clock: Any, root: Path
):
    """L0-2"""
    writer = recorded(0)
    path = journal_of(root, new_session)
    for number in range(4):
        clock.sleep(0.3)
        writer.add_event(Event(t=clock.monotonic(), type="key_press", key="Return"))
        assert path.read_bytes().count(b'"kind":"event"') == number + 1
