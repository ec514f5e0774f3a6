"""What a person did, from what was recorded."""

from __future__ import annotations

import pytest
from clinic_by_hand import SEARCH, list_items, middle

from rpa_vision.errors import LearningError
from rpa_vision.graph.demonstration import DemoStep, demonstrated_steps
from rpa_vision.models.raw_session import Event, RecordedSession
from rpa_vision.testing.screens import AnyItem, HandMadeSession, Item, ScreenBook

AREA = (40, 60, 600, 400)


@pytest.fixture
def session(book: ScreenBook) -> HandMadeSession:
    book.draw("list", list_items(["FAC-2026-00011"]), title="Factures")
    book.draw("typed", list_items(["FAC-2026-00011"], "Dupont"), title="Factures")
    book.draw("other", [("heading", "title", "Tout autre chose", (300, 300, 700, 420))], title="Autre")
    return HandMadeSession(book)


def steps_of(session: HandMadeSession) -> list[DemoStep]:
    return demonstrated_steps(session.session(), session.observe)


def brief(steps: list[DemoStep]) -> list[tuple[str, str | tuple[str, ...]]]:
    return [(step.kind, step.keys or step.text or (step.element.label if step.element else "")) for step in steps]


def test_characters_typed_one_after_the_other_are_one_text(session: HandMadeSession) -> None:
    """L4-2"""
    session.type("list", "Éloïse 12")
    (step,) = steps_of(session)
    assert (step.kind, step.text, step.events) == ("text_input", "Éloïse 12", (0, 8))
    assert step.element is None


def test_a_character_taken_back_was_never_meant(session: HandMadeSession) -> None:
    """L0-5"""
    session.type("list", "Dupond")
    session.press(None, "BACKSPACE")
    session.type(None, "t")
    assert brief(steps_of(session)) == [("text_input", "Dupont")]


def test_text_that_was_deleted_again_is_no_step(session: HandMadeSession) -> None:
    """L0-5"""
    session.type("list", "ab")
    session.press(None, "BACKSPACE")
    session.press(None, "BACKSPACE")
    assert steps_of(session) == []


def test_deleting_more_than_was_typed_is_a_key_of_its_own(session: HandMadeSession) -> None:
    """L4-2"""
    session.type("list", "a")
    session.press("list", "BACKSPACE")
    session.press("list", "BACKSPACE")
    assert brief(steps_of(session)) == [("key_press", ("BACKSPACE",))]


def test_deleting_a_word_is_not_deleting_a_letter(session: HandMadeSession) -> None:
    """L4-2"""
    session.type("list", "Dupont Jean")
    session.press("list", "BACKSPACE", "CTRL")
    session.type("list", "Paul")
    expected = [("text_input", "Dupont Jean"), ("key_press", ("CTRL", "BACKSPACE")), ("text_input", "Paul")]
    assert brief(steps_of(session)) == expected


def test_what_goes_to_another_program_is_another_text(book: ScreenBook, session: HandMadeSession) -> None:
    """L4-7"""
    book.draw("chat", [("heading", "title", "Messages", (300, 300, 700, 420))], title="Chat", app_name="chat")
    session.type("list", "Dup")
    session.type("chat", "ont")
    assert brief(steps_of(session)) == [("text_input", "Dup"), ("text_input", "ont")]


def test_a_secret_stays_a_reference(session: HandMadeSession) -> None:
    """L0-7"""
    session.click("list", middle(SEARCH))
    session.secret("list", "secret_1", keys=9)
    session.press(None, "BACKSPACE")
    session.press("typed", "ENTER")
    typed, enter = steps_of(session)
    assert (typed.kind, typed.secret_ref, typed.text, typed.keys) == ("text_input", "secret_1", None, ())
    assert enter.keys == ("ENTER",)


def test_two_secrets_are_two_steps(session: HandMadeSession) -> None:
    """L0-7"""
    session.secret("list", "secret_1", keys=3)
    session.secret("list", "secret_2", keys=3)
    assert [step.secret_ref for step in steps_of(session)] == ["secret_1", "secret_2"]


def test_a_click_into_a_field_and_typing_are_one_step(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH))
    session.type("list", "Dupont")
    session.press("typed", "ENTER")
    typed, _ = steps_of(session)
    assert (typed.kind, typed.text, typed.events, typed.replaces) == ("text_input", "Dupont", (0, 6), False)
    assert typed.element is not None
    assert typed.element.label == "Rechercher une facture"
    assert typed.point == middle(SEARCH)
    assert typed.after is not None
    assert typed.after.state.screen_state_id == "typed"


def test_text_that_was_typed_and_deleted_again_is_no_step_and_neither_is_the_click_before_it(
    session: HandMadeSession,
) -> None:
    """L0-5"""
    session.click("list", middle(SEARCH))
    session.type("list", "Du")
    for _ in "Du":
        session.press("list", "BACKSPACE")
    session.click("list", (110, 160))
    assert brief(steps_of(session)) == [("mouse_click", "FAC-2026-00011")]


def test_a_click_that_led_elsewhere_stays_though_what_was_typed_there_was_deleted(session: HandMadeSession) -> None:
    """L0-5"""
    session.click("list", middle(SEARCH))
    session.type("other", "D")
    session.press("other", "BACKSPACE")
    assert [step.kind for step in steps_of(session)] == ["mouse_click"]


def test_a_click_that_changed_the_screen_is_not_part_of_the_typing(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH))
    session.type("other", "Dupont")
    assert [step.kind for step in steps_of(session)] == ["mouse_click", "text_input"]


def test_selecting_everything_before_typing_replaces(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH))
    session.press("list", "A", "CTRL")
    session.type("list", "Dupont")
    (step,) = steps_of(session)
    assert (step.replaces, step.text, step.point) == (True, "Dupont", middle(SEARCH))


def test_selecting_everything_without_a_click_replaces_too(session: HandMadeSession) -> None:
    """L4-2"""
    session.press("list", "A", "CTRL")
    session.type("list", "Dupont")
    (step,) = steps_of(session)
    assert (step.replaces, step.point) == (True, None)


def test_a_triple_click_into_a_line_replaces_it(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH), clicks=3)
    session.type("list", "Dupont")
    (step,) = steps_of(session)
    assert step.replaces


def test_a_triple_click_into_a_text_does_not_replace_all_of_it(book: ScreenBook) -> None:
    """EX-7: it selected one line of many"""
    area: list[AnyItem] = [Item("textarea", "form_input", "Notes", AREA, value="beaucoup de lignes")]
    book.draw("notes", area)
    session = HandMadeSession(book)
    session.click("notes", middle(AREA), clicks=3)
    session.type("notes", "Dupont")
    click, typing = steps_of(session)
    assert (click.kind, click.clicks, typing.replaces) == ("mouse_click", 3, False)


def test_a_double_click_before_typing_stays_a_step(session: HandMadeSession) -> None:
    """EX-7: it selects a word, and what is typed replaces that word only"""
    session.click("list", middle(SEARCH), clicks=2)
    session.type("list", "Dupont")
    click, typing = steps_of(session)
    assert (click.kind, click.clicks, typing.kind, typing.replaces) == ("mouse_click", 2, "text_input", False)


def test_a_right_click_gives_no_focus(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH), button="right")
    session.type("list", "Dupont")
    assert [step.kind for step in steps_of(session)] == ["mouse_click", "text_input"]


def test_a_step_nobody_saw_says_so(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", middle(SEARCH))
    session.click(None, (110, 160))
    seen, unseen = steps_of(session)
    assert (seen.was_seen, unseen.was_seen) == (True, False)


@pytest.mark.parametrize(
    ("covered", "was_seen"),
    [((), True), (((900, 600, 960, 640),), True), ((SEARCH,), False), (((0, 300, 1200, 700),), False)],
)
def test_what_was_painted_over_teaches_nothing(
    session: HandMadeSession, covered: tuple[tuple[int, int, int, int], ...], was_seen: bool
) -> None:
    """L0-7, L4-2: neither a thing under the paint, nor a screen of which much is"""
    session.click("list", middle(SEARCH))
    recorded = session.session()
    shots = tuple(shot.model_copy(update={"covered": covered}) for shot in recorded.screenshots)
    steps = demonstrated_steps(recorded.model_copy(update={"screenshots": shots}), session.observe)
    assert [step.was_seen for step in steps] == [was_seen]


@pytest.mark.parametrize(("clicked_on", "typed_on"), [(None, "list"), ("list", None)])
def test_typing_into_a_field_is_seen_only_when_both_halves_were(
    book: ScreenBook, clicked_on: str | None, typed_on: str | None
) -> None:
    """L4-2"""
    book.draw("list", list_items(["FAC-2026-00011"]), title="Factures")
    session = HandMadeSession(book)
    session.press("list", "TAB")
    session.click(clicked_on, middle(SEARCH))
    session.type(typed_on, "Dupont")
    _, typed = steps_of(session)
    assert (typed.kind, typed.was_seen) == ("text_input", False)


def test_moves_noise_and_window_changes_are_no_steps(session: HandMadeSession) -> None:
    """L0-5"""
    session.click("list", middle(SEARCH), noise=True)
    session.click("list", (110, 160))
    recorded = session.session()
    moves = (Event(t=9.0, type="mouse_move", pos=(1, 1)), Event(t=9.5, type="window_change"))
    with_moves = recorded.model_copy(update={"events": recorded.events + moves})
    assert brief(demonstrated_steps(with_moves, session.observe)) == [("mouse_click", "FAC-2026-00011")]


def test_the_innermost_thing_under_the_pointer_was_meant(book: ScreenBook) -> None:
    """L4-2"""
    inner: list[AnyItem] = [
        ("table", "data_display", "", (20, 20, 600, 400)),
        ("table_row", "data_display", "", (20, 100, 600, 140)),
        ("link", "navigation", "Ouvrir", (40, 105, 120, 135)),
    ]
    book.draw("table", inner)
    session = HandMadeSession(book)
    session.click("table", (80, 120))
    session.click("table", (400, 120))
    session.click("table", (900, 500))
    assert [step.element.type if step.element else None for step in steps_of(session)] == ["link", "table_row", None]


def test_each_step_knows_the_screen_after_it(session: HandMadeSession) -> None:
    """L4-2: the screen before the next step; at the end, the one that was recorded"""
    session.click("list", (110, 160))
    session.click("other", (400, 350), after="typed")
    first, last = steps_of(session)
    assert first.after is not None
    assert first.after.state.screen_state_id == "other"
    assert last.after is not None
    assert last.after.state.screen_state_id == "typed"


def test_before_a_step_nobody_saw_the_recorded_screen_is_the_one_after(session: HandMadeSession) -> None:
    """L4-2"""
    session.click("list", (110, 160), after="other")
    session.click(None, (400, 350))
    first, _ = steps_of(session)
    assert first.after is not None
    assert first.after.state.screen_state_id == "other"


def test_scrolls_and_drags_are_steps(session: HandMadeSession) -> None:
    """L4-8"""
    session.scroll("list", (400, 300), down=5)
    session.drag("list", (100, 160), (300, 400))
    scroll, drag = steps_of(session)
    assert (scroll.kind, scroll.scroll) == ("scroll", (0, 5))
    assert (drag.kind, drag.point, drag.end_point) == ("drag", (100, 160), (300, 400))


def test_a_recording_without_screenshots_cannot_be_learned_from(session: HandMadeSession) -> None:
    """UX-1"""
    empty = session.session()
    blind = RecordedSession(
        session_id="blind",
        environment=empty.environment,
        user=empty.user,
        started_at=empty.started_at,
        events=(Event(t=0.0, type="mouse_click", pos=(1, 1)),),
    )
    with pytest.raises(LearningError, match="session blind holds no screenshot"):
        demonstrated_steps(blind, session.observe)
    assert demonstrated_steps(empty, session.observe) == []
