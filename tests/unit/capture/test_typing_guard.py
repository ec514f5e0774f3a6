"""No secret gets past the guard, whatever the person does (L0-7)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from capture_inputs import APP, click, event, key, motion, notch, picture, seen, typed
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.capture.curtain import COVER
from rpa_vision.capture.observed import Observed
from rpa_vision.capture.typing_guard import TypingGuard
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import FieldJudgement

LOGIN, PASSWORD = (50, 100), (50, 200)


@dataclass
class Fields:
    """A form with two fields; says what the classifier would see."""

    secret_points: set[Point | None] = field(default_factory=lambda: {PASSWORD})
    asked: list[tuple[Frame, Point | None, Frame | None]] = field(default_factory=list)
    broken: bool = False

    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        self.asked.append((before, clicked, after))
        if self.broken:
            raise RuntimeError("cannot read «hunter2»")
        return clicked in self.secret_points


class Stage:
    """A guard, a screen that can be painted, and what came out."""

    def __init__(self, fields: Fields | None = None) -> None:
        self.fields = fields or Fields()
        self.frame: Frame | None = picture(0, 0.5)
        self.guard = TypingGuard(self.fields, lambda at_s: self.frame)
        self.out: list[Observed] = []

    def do(self, *events: InputEvent) -> Stage:
        for each in events:
            self.out += self.guard.feed(seen(each, self.frame))
        return self

    def pressed(self) -> list[tuple[str | None, str | None]]:
        return [
            (each.secret_ref or each.event.key, each.event.char)
            for each in self.out
            if each.event.kind is InputKind.KEY_PRESS
        ]


def text(at_s: float, what: str) -> list[InputEvent]:
    return [typed(at_s + index / 10, char) for index, char in enumerate(what)]


def test_a_password_leaves_only_references():
    """L0-7"""
    stage = Stage().do(*click(1.0, LOGIN), *text(2.0, "ana"), *click(3.0, PASSWORD), *text(4.0, "x9é Z"))
    stage.out += stage.guard.finish(5.0)
    assert stage.pressed() == [("A", "a"), ("N", "n"), ("A", "a"), *[("secret_1", None)] * 5]
    assert all(not each.event.modifiers for each in stage.out if each.secret_ref)


def test_keys_that_write_nothing_are_kept_within_a_secret():
    """L0-7"""
    stage = Stage().do(*click(1.0, PASSWORD), *text(2.0, "ab"), key(2.3, "BACKSPACE"), key(2.4, "LEFT"))
    stage.do(key(2.5, "V", "CTRL"), typed(2.6, "c"), key(2.7, "ENTER"))
    stage.out += stage.guard.flush(2.81)
    assert [name for name, _ in stage.pressed()] == [
        *["secret_1"] * 2, "BACKSPACE", "LEFT", "V", "secret_1", "ENTER",
    ]  # fmt: skip


@pytest.mark.parametrize("mover", [key(3.0, "TAB"), key(3.0, "ENTER"), key(3.0, "F6"), key(3.0, "L", "CTRL")])
def test_a_key_that_moves_the_focus_asks_anew_and_forgets_the_click(mover):
    """L0-7"""
    stage = Stage(Fields(secret_points={None})).do(*click(1.0, LOGIN), *text(2.0, "ana"), mover, *text(3.1, "pw"))
    stage.out += stage.guard.finish(4.0)
    assert [clicked for _, clicked, _ in stage.fields.asked] == [LOGIN, None]
    assert [name for name, _ in stage.pressed()][-2:] == ["secret_1"] * 2


def test_another_window_asks_anew():
    """L0-7"""
    stage = Stage(Fields(secret_points={None})).do(*click(1.0, LOGIN), *text(2.0, "ana"))
    stage.frame = picture(0, 2.9, WindowContext(title="Coffre", app_name="Keys", pid=8))
    stage.do(*text(3.0, "pw"))
    stage.out += stage.guard.finish(4.0)
    assert [name for name, _ in stage.pressed()][-2:] == ["secret_1"] * 2


def test_a_click_that_brought_up_the_window_is_where_the_focus_is():
    """L0-7: the click itself is seen over the window that was active before it."""
    stage = Stage().do(*text(0.6, "x"), *click(1.0, PASSWORD))
    stage.frame = picture(0, 1.2, WindowContext(title="Coffre", app_name="Keys", pid=8, geometry=(0, 0, 400, 400)))
    stage.do(*text(3.0, "pw"))
    stage.out += stage.guard.finish(4.0)
    assert stage.fields.asked[-1][1] == PASSWORD


def test_a_page_that_moves_the_focus_by_itself_is_asked_again_but_a_secret_stays_one():
    """L0-7"""
    stage = Stage().do(*click(1.0, LOGIN), *text(2.0, "ana"))
    stage.out += stage.guard.flush(2.81)
    stage.frame = picture(0, 2.9, WindowContext(title="Mot de passe", app_name=APP.app_name, pid=APP.pid))
    stage.fields.secret_points = {LOGIN}
    stage.do(*text(3.0, "pw"))
    stage.out += stage.guard.flush(3.81)
    stage.frame = picture(0, 3.9)
    stage.do(*text(4.0, "z"), *text(9.0, "late"))
    assert [name for name, _ in stage.pressed()][3:] == ["secret_1"] * 7
    assert len(stage.fields.asked) == 2


def test_a_classifier_that_breaks_makes_everything_secret_and_tells_nobody_why():
    """L0-7"""
    stage = Stage(Fields(broken=True)).do(*click(1.0, LOGIN), *text(2.0, "hunter2"))
    stage.out += stage.guard.finish(3.0)
    assert stage.pressed() == [("secret_1", None)] * 7
    assert stage.guard.failures == 1


def test_without_a_picture_everything_is_secret():
    """L0-7"""
    stage = Stage()
    stage.frame = None
    stage.do(*click(1.0, LOGIN), *text(2.0, "ana"))
    stage.out += stage.guard.finish(3.0)
    assert stage.pressed() == [("secret_1", None)] * 3
    assert stage.fields.asked == []


def test_the_question_is_asked_once_the_screen_shows_some_characters():
    """L0-7"""
    stage = Stage().do(*click(1.0, LOGIN), *text(2.0, "anab"))
    assert stage.pressed() == []
    stage.frame = picture(200, 2.35)
    stage.out += stage.guard.flush(2.36)
    assert len(stage.pressed()) == 4
    ((before, _, after),) = stage.fields.asked
    assert (int(before.pixels[0, 0, 0]), int(after.pixels[0, 0, 0])) == (0, 200)


def test_the_question_is_asked_in_time_even_if_nothing_is_drawn():
    """L0-7"""
    stage = Stage().do(*click(1.0, LOGIN), typed(2.0, "a"))
    assert stage.guard.flush(2.79) == []
    assert [each.event.char for each in stage.guard.flush(2.81)] == ["a"]
    assert stage.fields.asked[0][2] is None


def test_what_is_held_back_keeps_its_place():
    """L0-7"""
    stage = Stage().do(typed(2.0, "a"), motion(2.1, (9, 9)), notch(2.2), *click(2.3, LOGIN))
    assert stage.out == []
    stage.out += stage.guard.flush(2.81)
    kinds = [each.event.kind for each in stage.out]
    assert kinds == [
        InputKind.KEY_PRESS, InputKind.MOTION, InputKind.SCROLL, InputKind.BUTTON_PRESS, InputKind.BUTTON_RELEASE,
    ]  # fmt: skip


def test_releases_and_dead_keys_do_not_name_a_secret_key():
    """L0-7"""
    stage = Stage().do(
        *click(1.0, PASSWORD), key(2.0, "^"), typed(2.1, "ê"), event(InputKind.KEY_RELEASE, 2.2, key="E")
    )
    stage.out += stage.guard.finish(3.0)
    assert stage.pressed() == [("secret_1", None)]
    assert all(each.event.kind is not InputKind.KEY_RELEASE for each in stage.out)


@dataclass
class Judge(Fields):
    """The same form, by somebody who can say more: only what is drawn is clear."""

    labels: dict[Point | None, str] = field(default_factory=lambda: {PASSWORD: "Mot de passe"})
    told: list[tuple[str, bool]] = field(default_factory=list)
    firm_from: int = 0

    def judge(
        self, before: Frame, clicked: Point | None, after: Frame | None, *, typed: str, late: bool
    ) -> FieldJudgement:
        self.told.append((typed, late))
        label = self.labels.get(clicked, "")
        if self.is_secret(before, clicked, after):
            return FieldJudgement("secret", label)
        drawn = after is not None and bool((before.pixels != after.pixels).any())
        return FieldJudgement("clear" if drawn else "undecided", label, firm=len(typed) >= self.firm_from)

    def hides(self, frame: Frame, box: Box) -> bool:
        return False


def chars(stage: Stage) -> str:
    return "".join(char or "·" for _, char in stage.pressed() if _ not in ("TAB", "ENTER"))


def test_what_leaves_no_trace_on_the_screen_is_a_secret_and_counted():
    """L0-7: a prompt that shows nothing, whatever it says"""
    stage = Stage(Judge()).do(key(1.0, "ENTER"), *text(2.0, "S3same!"), key(2.75, "ENTER"))
    stage.out += stage.guard.flush(2.81)
    assert chars(stage) == "·······"
    assert stage.guard.failures == 1


def test_a_screen_that_draws_late_is_waited_for():
    """L0-7"""
    stage = Stage(Judge()).do(*click(1.0, LOGIN), *text(2.0, "anab"))
    stage.out += stage.guard.flush(2.6)
    assert stage.pressed() == []
    stage.frame = picture(200, 2.62)
    stage.out += stage.guard.flush(2.65)
    assert chars(stage) == "anab"
    assert stage.guard.failures == 0


def test_who_goes_on_faster_than_the_screen_is_waited_for_too():
    """L0-7: what came next keeps its place, and the judge is told that the person had left"""
    stage = Stage(Judge()).do(*click(1.0, LOGIN), *text(2.0, "ana"), key(2.25, "TAB"), typed(2.3, "x"))
    assert stage.pressed() == []
    stage.frame = picture(200, 2.5)
    stage.out += stage.guard.flush(2.55)
    assert chars(stage) == "ana"
    assert stage.fields.told == [("ana", True)]  # type: ignore[attr-defined]
    stage.out += stage.guard.flush(2.75)
    assert chars(stage) == "anax"


def test_the_screen_is_judged_as_it_was_when_the_time_was_up():
    """L0-7: what comes up while we are busy elsewhere is no evidence"""
    shown = {2.0: picture(0, 1.9), 9.0: picture(200, 3.5)}
    guard = TypingGuard(Judge(), lambda at_s: shown[9.0] if at_s > 3.5 else shown[2.0])
    guard.feed(seen(typed(2.0, "q"), shown[2.0]))
    (out,) = guard.flush(9.0)
    assert out.secret_ref is not None


def test_spaces_need_not_be_seen_but_the_letters_after_them_do():
    """L0-7: the space bar presses buttons"""
    stage = Stage(Judge()).do(*click(1.0, LOGIN), typed(2.0, " "))
    stage.out += stage.guard.flush(2.81)
    stage.do(typed(3.0, "s"))
    stage.out += stage.guard.flush(3.81)
    assert stage.pressed() == [("SPACE", " "), ("secret_1", None)]


def test_an_answer_from_too_few_letters_is_asked_for_again_with_more():
    """L0-7: two letters may have come up by chance"""
    judge = Judge(firm_from=3)
    stage = Stage(judge).do(*click(1.0, LOGIN), typed(2.0, "a"))
    stage.frame = picture(200, 2.1)
    stage.out += stage.guard.flush(2.45)
    stage.do(typed(3.0, "n"), typed(3.1, "a"))
    stage.frame = picture(210, 3.2)
    stage.out += stage.guard.flush(3.45)
    stage.do(typed(3.6, "b"))
    assert chars(stage) == "anab"
    assert [typed for typed, _ in judge.told] == ["a", "ana"]
    assert all(int(before.pixels[0, 0, 0]) == 0 for before, _, _ in judge.asked)


def test_a_secret_is_called_what_its_field_is_called_every_time():
    """L0-7"""
    stage = Stage(Judge())
    for round_s in (0.0, 10.0, 20.0):
        stage.frame = picture(0, round_s + 0.5, WindowContext(title=f"Facture {round_s:g}", app_name="Chromium", pid=7))
        stage.do(*click(round_s + 1.0, PASSWORD), *text(round_s + 2.0, "pw"))
        stage.out += stage.guard.flush(round_s + 3.0)
    assert {name for name, _ in stage.pressed()} == {"secret_mot_de_passe"}


def test_the_same_words_in_another_window_name_another_secret():
    """L0-7: two passwords never share a name"""
    stage = Stage(Judge()).do(*click(1.0, PASSWORD), *text(2.0, "p"))
    stage.out += stage.guard.flush(3.0)
    stage.frame = picture(0, 3.5, WindowContext(title="Coffre", app_name="Chromium", pid=7))
    stage.do(*click(4.0, PASSWORD), *text(5.0, "q"))
    stage.out += stage.guard.flush(6.0)
    assert [name for name, _ in stage.pressed()] == ["secret_mot_de_passe", "secret_mot_de_passe_2"]


def test_fields_without_words_are_told_apart_by_their_place():
    """L0-7"""
    stage = Stage(Fields(secret_points={LOGIN, PASSWORD}))
    for index, at in enumerate((LOGIN, PASSWORD, LOGIN, PASSWORD)):
        stage.do(*click(10.0 * index + 1.0, at), *text(10.0 * index + 2.0, "p"))
        stage.out += stage.guard.flush(10.0 * index + 3.0)
    assert [name for name, _ in stage.pressed()] == ["secret_1", "secret_2", "secret_1", "secret_2"]


def test_no_picture_shows_what_a_secret_left_readable():
    """L0-7"""
    stage = Stage(Judge()).do(*click(1.0, PASSWORD), *text(2.0, "ab"))
    stage.frame = picture(200, 2.3)
    stage.out += stage.guard.flush(2.81)
    assert (stage.guard.drawn_over(stage.frame).pixels[:, :, :3] == COVER).all()
    before = picture(0, 1.5)
    assert stage.guard.drawn_over(before) is before


SECRET_LETTERS, CLEAR_LETTERS = "§æþø", "abcd"
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from([0.01, 0.1, 0.3, 0.5, 3.0]),
        st.sampled_from(["login", "password", "type", "type", "type", "space", "backspace", "move", "scroll"]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=40,
)


@given(ACTIONS)
def test_whatever_the_interleaving_no_secret_character_is_given(actions):
    """L0-7: the person types ordinary letters into ordinary fields and rare ones into the password."""
    stage, at_s, field_now = Stage(Fields(secret_points={PASSWORD})), 1.0, LOGIN
    stage.do(*click(at_s - 0.1, LOGIN))
    typed_count = 0
    for index, (pause_s, what, flushes, paints) in enumerate(actions):
        at_s += pause_s
        if paints:
            stage.frame = picture(index % 250, at_s - 0.005)
        if flushes:
            stage.out += stage.guard.flush(at_s)
        letters = SECRET_LETTERS if field_now == PASSWORD else CLEAR_LETTERS
        if what in ("login", "password"):
            field_now = PASSWORD if what == "password" else LOGIN
            stage.do(event(InputKind.BUTTON_PRESS, at_s, field_now), event(InputKind.BUTTON_RELEASE, at_s, field_now))
        elif what == "type":
            stage.do(typed(at_s, letters[index % 4]), event(InputKind.KEY_RELEASE, at_s, key=letters[index % 4]))
            typed_count += 1
        elif what == "space":
            stage.do(typed(at_s, " "))
            typed_count += 1
        else:
            stage.do({"backspace": key(at_s, "BACKSPACE"), "move": motion(at_s, (1, 1)), "scroll": notch(at_s)}[what])
    stage.out += stage.guard.finish(at_s + 1)
    given_away = repr(stage.out)
    assert not any(letter in given_away for letter in SECRET_LETTERS + SECRET_LETTERS.upper())
    keys = [each for each in stage.out if each.secret_ref or each.event.char]
    assert len(keys) == typed_count
    assert [each.event.at_s for each in stage.out] == sorted(each.event.at_s for each in stage.out)


def test_a_cover_is_closed_also_when_the_screen_of_then_is_forgotten():
    """L0-7: a busy machine comes late; what the next event saw is enough, and later screens stay as they are"""
    stage = Stage()
    stage.do(*click(1.0, PASSWORD), typed(1.2, "h"), typed(1.3, "u"))
    stage.out += stage.guard.flush(2.5)  # decided: a secret
    written, forgotten = picture(60, 2.6), None
    stage.frame = written
    late = seen(click(3.0, LOGIN)[0], written)
    stage.frame = forgotten
    stage.out += stage.guard.feed(late)
    other = another_page(4.0)
    assert stage.guard.drawn_over(other) is other


def another_page(at_s: float) -> Frame:
    pixels = picture(200, at_s).pixels.copy()
    pixels[::7, 5:] = 20
    pixels[:, :56] = 120
    return Frame(pixels, at_s - 0.002, at_s)
