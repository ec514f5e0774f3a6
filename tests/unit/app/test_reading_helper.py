"""Two readers share the screens of a recording; what is learned is what one of them learns alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from office import Office, show_three

from rpa_vision.adapters.runtime.helper_process import HelperProcess
from rpa_vision.app import wiring
from rpa_vision.app.learn import LearnResult, learn
from rpa_vision.app.reading_helper import read_from_the_end
from rpa_vision.app.session_screens import ReadingHelper, ReadScreen, SessionScreens
from rpa_vision.graph.interactions import Interactions
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.testing.manual_clock import ManualClock

MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class HalfDone:
    """Has read a part of the screens, the last ones, before anybody asked."""

    def __init__(self, office: Office, session: RecordedSession, share: float) -> None:
        wanted = round(share * len(session.screenshots))
        found = read_from_the_end(office.data, wiring.screen_observer(), [session])
        self._read = [read for read, _ in zip(found, range(wanted), strict=False)]
        self.told: list[str] = []
        self.is_ended = False

    def begin(self, task: Sequence[str]) -> None:
        self.told = [*task]

    def answers(self) -> Iterator[ReadScreen]:
        yield from self._read

    def end(self) -> None:
        self.is_ended = True


@pytest.fixture
def session(office: Office) -> RecordedSession:
    return office.keep(show_three(office.book))


def learned(office: Office, helper: ReadingHelper | None) -> LearnResult:
    clock = ManualClock(MOMENT)
    return learn(office.data, wiring.screen_observer(), clock, name="Patients", anew=True, helper=helper)


def kept(office: Office) -> dict[str, Any]:
    """Every screen state on the disk, without how long it took."""
    states = {name: office.data.screen_states.load(name).to_json() for name in office.data.screen_states.ids()}
    for state in states.values():
        state["metadata"] = {"detector": state["metadata"]["detector"]}
    return states


def document(result: LearnResult) -> str:
    """The workflow, whichever version it became."""
    version = result.workflow.version
    return json.dumps({**result.workflow.to_json(), "version": 0}).replace(f"_v{version:03d}", "_v000")


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_whoever_read_a_screen_it_is_the_same(office: Office, session: RecordedSession, share: float) -> None:
    """L4-2: elements are followed in the order of time, also where the last screens were read first"""
    alone, helper = document(learned(office, None)), HalfDone(office, session, share)
    states = kept(office)
    assert len(states) == len(session.screenshots)
    assert document(learned(office, helper)) == alone
    assert kept(office) == states
    assert helper.told == [session.session_id]
    assert helper.is_ended == (share > 0), "once they have met"


def test_a_process_of_its_own_reads_the_same(office: Office, session: RecordedSession) -> None:
    """L4-2: what a second process says are the screens that this one reads"""
    with HelperProcess("rpa_vision.app.reading_helper", str(office.data.paths.root)) as helper:
        helper.begin([session.session_id])
        read = list(helper.answers())
    assert [one.key[1] for one in read] == [shot.screenshot_id for shot in reversed(session.screenshots)]
    alone = SessionScreens(office.data, wiring.screen_observer(), [session], lambda what, done, total: None)
    observer, clicks = wiring.screen_observer(), Interactions()
    for one in reversed(read):
        seen = alone.observe(session, one.key[1])
        followed = clicks.told(session, one.key[1], observer.followed(one.state))
        assert followed.ui_elements == seen.state.ui_elements
        assert followed.perception == seen.state.perception
        assert (one.vector == seen.vector).all()


@pytest.mark.parametrize("module", ["rpa_vision.no_such_module", "rpa_vision.app.reading_helper"])
def test_without_help_it_is_learned_all_the_same(
    office: Office, session: RecordedSession, module: str, tmp_path: Path
) -> None:
    """L4-2: a helper that does not start, or that knows nothing of the recording"""
    alone = document(learned(office, None))
    with HelperProcess(module, str(tmp_path / "elsewhere")) as helper:
        assert document(learned(office, helper)) == alone
    assert list(helper.answers()) == []


def test_it_is_our_own_code_whatever_lies_in_the_folder_one_is_in(
    office: Office, session: RecordedSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L4-2: two readers read alike only if they are the same"""
    (tmp_path / "numpy.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    with HelperProcess("rpa_vision.app.reading_helper", str(office.data.paths.root)) as helper:
        helper.begin([session.session_id])
        assert len(list(helper.answers())) == len(session.screenshots)
