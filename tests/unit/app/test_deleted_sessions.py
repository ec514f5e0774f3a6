"""What is deleted is gone, whenever the deleting is cut off and whoever works with the recording meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from office import Diary, Office, show_three

from rpa_vision.adapters.storage.datasets import FileDatasetStore
from rpa_vision.app.session_screens import SessionScreens
from rpa_vision.app.sessions import DeletedSession, delete_session, segment_session
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import StorageError, UnknownIdError
from rpa_vision.models.dataset import DatasetExport, DatasetSample, DatasetStatistics, ExportCriteria, SampleAnnotations
from rpa_vision.models.raw_session import RecordedSession


class Through:
    """Lets everything through to what is behind it, but for what it has itself."""

    def __init__(self, behind: Any, **own: Any) -> None:
        self._behind, self._own = behind, own

    def __getattr__(self, name: str) -> Any:
        return self._own[name] if name in self._own else getattr(self._behind, name)


@pytest.fixture
def session(office: Office) -> RecordedSession:
    return office.keep(show_three(office.book))


def deleted(office: Office, session: RecordedSession, data: Any = None, diary: Diary | None = None) -> DeletedSession:
    datasets, audit = FileDatasetStore(office.data.files), diary if diary is not None else Diary()
    return delete_session(data or office.data, datasets, audit, session.session_id, who="anna")


def read_all(office: Office, session: RecordedSession, observer: ScreenObserver) -> None:
    screens = SessionScreens(office.data, observer, [session], lambda what, done, total: None)
    for shot in session.screenshots:
        screens.observe(session, shot.screenshot_id)


def left_of(office: Office, session: RecordedSession) -> list[str]:
    root = office.data.paths.root
    below = [path for name in ("sessions", "screen_states") for path in (root / name).rglob("*")]
    return [str(path.relative_to(root)) for path in below if session.session_id in str(path.relative_to(root))]


def test_a_deletion_that_is_cut_off_can_be_done_again(office: Office, session: RecordedSession) -> None:
    """L0-7: the recording goes last, so that it is still named"""
    read_all(office, session, office.book.observer)

    def fail(screen_state_id: str) -> None:
        raise StorageError(f"{screen_state_id}: the disk refused")

    broken = Through(office.data, screen_states=Through(office.data.screen_states, delete=fail))
    with pytest.raises(StorageError):
        deleted(office, session, broken)
    assert office.data.sessions.has(session.session_id)
    assert deleted(office, session).screens == len(session.screenshots)
    assert left_of(office, session) == []


def test_screens_that_were_left_without_their_recording_can_be_deleted(
    office: Office, session: RecordedSession
) -> None:
    """L0-7: as an earlier version left them"""
    read_all(office, session, office.book.observer)
    office.data.sessions.delete(session.session_id)
    assert deleted(office, session).screens == len(session.screenshots)
    assert left_of(office, session) == []
    with pytest.raises(UnknownIdError):
        deleted(office, session)


def test_what_is_cut_into_episodes_meanwhile_does_not_come_back(office: Office, session: RecordedSession) -> None:
    """L0-7, L0-4"""

    def load(session_id: str) -> RecordedSession:
        loaded = office.data.sessions.load(session_id)
        deleted(office, session)
        return loaded

    data: Any = Through(office.data, sessions=Through(office.data.sessions, load=load))
    with pytest.raises(UnknownIdError, match="deleted meanwhile"):
        segment_session(data, session.session_id, None)
    assert left_of(office, session) == []


@pytest.mark.parametrize("at", [1, 3])
def test_what_is_learned_from_meanwhile_does_not_come_back(office: Office, session: RecordedSession, at: int) -> None:
    """L0-7, L4-2: neither what was understood of it nor what was read in it"""
    asked: list[str] = []
    read: Callable[..., Any] = office.book.observer.reader.read

    def read_and_delete(*given: Any, **named: Any) -> Any:
        asked.append(named["screen_state_id"])
        if len(asked) == at:
            deleted(office, session)
        return read(*given, **named)

    observer = ScreenObserver(Through(office.book.observer.reader, read=read_and_delete), office.book.embedder)  # type: ignore[arg-type]
    observer.read_by = "this reader"
    with pytest.raises(UnknownIdError):
        read_all(office, session, observer)
    assert len(asked) == at
    assert left_of(office, session) == []


def test_datasets_that_keep_copies_are_named(office: Office, session: RecordedSession) -> None:
    """L0-7: in the answer and in the audit trail"""
    for name, owner in (("ds", session.session_id), ("of_others", "sess_other")):
        sample = DatasetSample(
            sample_id="s1", screen_state_id=f"{owner}.form", screenshot_path=f"datasets/{name}/v001/images/s1.png",
            annotations=SampleAnnotations(ui_elements=()), validation_status="unconfirmed", session_id=owner,
        )  # fmt: skip
        made = DatasetExport(
            dataset_id=name, version="1", created_at=office.clock.now(), source_workflows=(), samples=(sample,),
            export_criteria=ExportCriteria(min_learning_state="OBSERVATION", min_confidence=0.0, user_validated=False),
            statistics=DatasetStatistics(total_samples=1, unique_layouts=1, unique_workflows=0),
        )  # fmt: skip
        FileDatasetStore(office.data.files).save(made, {})
    diary = Diary()
    assert deleted(office, session, diary=diary).datasets == ("ds v001",)
    assert "['ds v001']" in str(diary.entries)
