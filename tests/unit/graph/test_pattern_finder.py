"""Tasks in recordings with screens, mixed and with noise between."""

from __future__ import annotations

from clinic_by_hand import BACK, ROWS, draw_invoice, middle, validate

from rpa_vision.capture.segmentation import segment
from rpa_vision.graph.demonstration import demonstrated_steps
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.graph.graph_builder import GraphBuilder
from rpa_vision.graph.pattern_finder import find_patterns
from rpa_vision.graph.pattern_miner import alike_steps, find_pattern
from rpa_vision.testing.screens import MOMENT, HandMadeSession, ScreenBook

NOTE = (300, 300, 500, 340)
KEEP = (300, 400, 420, 440)


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
