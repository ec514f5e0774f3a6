"""One torn picture costs the goes that need it, and not the recording."""

from __future__ import annotations

import pytest
from office import AGAIN, FIELD, NAMES, SEND, Office, draw_patients

from rpa_vision.errors import ImageError
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.testing.screens import HandMadeSession


def shown(office: Office, names: tuple[str, ...]) -> RecordedSession:
    draw_patients(office.book, names)
    session = HandMadeSession(office.book, "sess_patients")
    for index, name in enumerate(names):
        session.click("form", Box(*FIELD).center)
        session.type("form", name)
        session.click(f"typed_{index}", Box(*SEND).center)
        session.click(f"thanks_{index}", Box(*AGAIN).center, after="form")
    return office.keep(session)


def tear(office: Office, session: RecordedSession, screenshot_id: str) -> None:
    path = office.data.paths.root / office.data.sessions.screenshot_path(session, screenshot_id)
    path.write_bytes(path.read_bytes()[:-100])


@pytest.mark.parametrize("torn", ["typed_1", "thanks_3"])
def test_goes_that_need_a_torn_picture_are_left_out_and_it_is_told(office: Office, torn: str) -> None:
    """Issue 5, L4-2"""
    session = shown(office, (*NAMES, "Moreau", "Petit"))
    whole = office.learn(session_ids=[session.session_id])
    tear(office, session, torn)
    learned = office.learn(session_ids=[session.session_id], anew=True)
    assert (whole.repetitions, whole.torn_pictures) == (5, 0)
    assert (learned.repetitions, learned.torn_pictures) == (4, 1)
    assert [edge.action and edge.action.type for edge in learned.workflow.edges] == [
        edge.action and edge.action.type for edge in whole.workflow.edges
    ]
    examples = [str(one) for one in learned.workflow.variables["nom"].example_values]
    assert (torn != "typed_1") or NAMES[1] not in examples


def test_where_no_picture_is_whole_that_is_the_error(office: Office) -> None:
    """Issue 5: with the path of the picture"""
    session = shown(office, tuple(NAMES))
    for shot in session.screenshots:
        tear(office, session, shot.screenshot_id)
    with pytest.raises(ImageError, match=r"sessions/.*\.png"):
        office.learn(session_ids=[session.session_id])
    assert office.data.workflows.list().items == ()
