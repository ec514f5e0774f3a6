"""Tasks in recordings with screens, mixed and with noise between."""

from __future__ import annotations

from clinic_by_hand import BACK, ROWS, SEARCH, draw_invoice, middle, validate

from rpa_vision.capture.segmentation import segment
from rpa_vision.graph.demonstration import demonstrated_steps
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.graph.graph_builder import GraphBuilder
from rpa_vision.graph.pattern_finder import find_patterns
from rpa_vision.graph.pattern_miner import alike_steps, find_pattern
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.testing.screens import MOMENT, HandMadeSession, ScreenBook

NOTE = (300, 300, 500, 340)
KEEP = (300, 400, 420, 440)
STATISTICS = (200, 33)
"""An item of the menu."""


def draw_notes(book: ScreenBook) -> None:
    book.draw("notes", [("textarea", "form_input", "Note", NOTE), ("button", "submit", "Garder", KEEP)],
              title="Notes")  # fmt: skip
    book.draw("kept", [("label", "data_display", "Note gardée", NOTE), ("button", "close", "Fermer", KEEP)],
              title="Notes")  # fmt: skip


def take_note(session: HandMadeSession, text: str) -> None:
    session.click("notes", middle(NOTE))
    session.type("notes", text)
    session.click("notes", middle(KEEP))
    session.click("kept", middle(KEEP))


def mixed_day(book: ScreenBook) -> HandMadeSession:
    """Five invoices and four notes in any order, and clicks that mean nothing."""
    session = HandMadeSession(book)
    draw_notes(book)
    for number in ROWS:
        draw_invoice(book, number)
    for number, note in zip(ROWS, ("un", "deux", None, "trois", "quatre"), strict=True):
        if note is not None:
            take_note(session, note)
        validate(session, book, number)
        if number.endswith(("12", "14")):
            session.click("list", (900, 600))
    return session


def test_mixed_tasks_are_patterns_of_their_own(book: ScreenBook) -> None:
    """L4-2, P003-16"""
    session = mixed_day(book)
    steps = demonstrated_steps(session.session(), session.observe)
    assert find_pattern(steps, alike_steps) is None
    found = find_patterns(steps, alike_steps)
    assert [(pattern.repetitions, pattern.length) for pattern in found] == [(5, 6), (4, 3)]
    assert [step.text for step in found[1].position(0)] == ["un", "deux", "trois", "quatre"]


def test_a_recording_with_screens_is_cut_into_the_same_episodes(book: ScreenBook) -> None:
    """L0-4, L0-5"""
    session = mixed_day(book)
    recorded = session.session()
    found = segment(recorded, RoutineOracle(session.observe))
    assert len(found.session.segments) == 9
    assert len({one.label for one in found.session.segments}) == 2
    strange = [index for index, event in enumerate(recorded.events) if event.pos == (900, 600)]
    assert [found.segment_of[index] for index in strange] == [None, None]
    assert all(event.noise_flag is not None and event.confidence is not None for event in found.session.events)


def with_a_click_on_the_menu(book: ScreenBook) -> HandMadeSession:
    """Every go begins with a click that changes nothing, for the page is there already; the next follows at once."""
    session = HandMadeSession(book)
    for number in ROWS:
        draw_invoice(book, number)
        session.click("list", STATISTICS, after="list")
        validate(session, book, number)
    return session


def test_a_click_that_changes_nothing_belongs_to_the_go_when_every_go_has_it(book: ScreenBook) -> None:
    """L0-4, L0-5: what is repeated in a task is no click that missed"""
    session = with_a_click_on_the_menu(book)
    found = segment(session.session(), RoutineOracle(session.observe))
    first = [one.start_event_index for one in found.session.segments]
    assert [found.session.events[index].pos for index in first] == [STATISTICS] * len(ROWS)
    assert not any(event.noise_flag for event in found.session.events)


def test_a_go_that_was_left_and_taken_up_again_is_one_episode(book: ScreenBook) -> None:
    """L0-4: opened, left for a note, opened again and validated"""
    session = HandMadeSession(book)
    draw_notes(book)
    for number, note in zip(ROWS, ("un", "deux", "trois", "quatre", None), strict=True):
        draw_invoice(book, number)
        if note == "trois":
            session.click("list", middle(SEARCH))
            session.type("list", number)
            session.press(f"typed_{number}", "ENTER")
            session.click(f"found_{number}", (110, 160))
            take_note(session, note)
        validate(session, book, number)
        if note not in (None, "trois"):
            take_note(session, note)
    recorded = session.session()
    found = segment(recorded, RoutineOracle(session.observe))
    left = next(index for index, event in enumerate(recorded.events) if event.char == "3")
    again = [index for index, event in enumerate(recorded.events) if event.char == "3"][-1]
    assert left < again
    assert found.segment_of[left] is not None
    assert found.segment_of[left] == found.segment_of[again]
    assert len(found.session.segments) == 9


def test_what_is_learned_does_not_depend_on_whether_the_session_was_cut_before(book: ScreenBook) -> None:
    """L0-4, L4-2: in one session a note is taken once, which is no task; in three sessions it is"""
    sessions: list[RecordedSession] = []
    draw_notes(book)
    for number in ROWS:
        draw_invoice(book, number)
    for name in ("monday", "tuesday", "wednesday"):
        session = HandMadeSession(book, name)
        for number in ROWS[len(sessions) :]:
            validate(session, book, number)
        take_note(session, name)
        sessions.append(session.session())
    builder = GraphBuilder(session.observe, book.embedder.space)
    cut = [segment(one, RoutineOracle(session.observe)).session for one in sessions]
    assert [event.noise_flag for event in cut[0].events[-4:]] == [True] * 4
    shown = [[[step.text for step in place.steps] for task in builder.find(many).tasks for place in task.outline.places]
             for many in (sessions, cut)]  # fmt: skip
    assert ["monday", "tuesday", "wednesday"] in shown[0]
    assert shown[0] == shown[1]


def test_without_reading_screens_the_events_tell_enough(book: ScreenBook) -> None:
    """L0-4"""
    session = HandMadeSession(book)
    for number in ROWS:
        validate(session, book, number)
    found = segment(session.session(), RoutineOracle())
    assert len(found.session.segments) == len(ROWS)
    assert session.session().events[-1].pos == middle(BACK)


def test_a_workflow_is_learned_from_a_mixed_day(book: ScreenBook) -> None:
    """L4-2: the task that explains the most, without the other one and without the noise"""
    session = mixed_day(book)
    builder = GraphBuilder(session.observe, book.embedder.space)
    learned = builder.build_from_sessions([session.session()], workflow_id="WF_day", name="Day", now=MOMENT)
    assert (learned.repetitions, len(learned.workflow.edges)) == (5, 6)
    assert list(learned.workflow.variables) == ["facture"]
