"""Each gesture has the screen before its effect and the settled one after it (L0-2)."""

from __future__ import annotations

from capture_inputs import click, key, motion, picture, seen, typed

from rpa_vision.capture.gestures import Gesture, GestureMachine
from rpa_vision.capture.pairing import Aftermath, Paired, Pairing
from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent


class Stage:
    """A screen with a memory, and what the pairing gave."""

    def __init__(self) -> None:
        self.frames: list[Frame] = [picture(0, 0.5)]
        self.pairing = Pairing(lambda: self.frames[-1])
        self.out: list[Paired | Aftermath] = []

    def paint(self, shade: int, at_s: float) -> None:
        self.frames.append(picture(shade, at_s))

    def do(self, *events: InputEvent) -> None:
        machine = GestureMachine()
        gestures: list[Gesture] = []
        for each in events:
            before = [frame for frame in self.frames if frame.ended_s < each.at_s][-1]
            gestures += machine.feed(seen(each, before))
        for gesture in gestures + machine.finish():
            self.out += self.pairing.feed(gesture)

    def tick(self, now_s: float) -> None:
        self.out += self.pairing.flush(now_s)

    def told(self) -> list[tuple[int, int | None, int | None]]:
        """Number, shade before, shade after."""
        return [
            (each.number, shade(each.before) if isinstance(each, Paired) else None, shade(each.after))
            for each in self.out
        ]


def shade(frame: Frame | None) -> int | None:
    return None if frame is None else int(frame.pixels[0, 0, 0])


def test_a_click_gets_the_frame_before_it_and_the_one_after_the_screen_came_to_rest():
    """L0-2"""
    stage = Stage()
    stage.do(*click(1.0))
    for now_s, painted in ((1.1, 50), (1.2, 100), (1.3, 150)):
        stage.paint(painted, now_s)
        stage.tick(now_s + 0.01)
    stage.tick(1.6)
    assert stage.told() == []
    stage.tick(1.75)
    assert stage.told() == [(0, 0, 150)]


def test_the_next_gesture_ends_the_aftermath_with_the_frame_before_it():
    """L0-2"""
    stage = Stage()
    stage.do(*click(1.0))
    stage.paint(80, 1.2)
    stage.paint(99, 1.35)
    stage.do(*click(1.3, (50, 50)))
    stage.tick(9.0)
    assert stage.told() == [(0, 0, 80), (1, 80, 99)]


def test_what_takes_long_is_given_first_and_its_aftermath_later():
    """L0-2: a crash loses at most the last second."""
    stage = Stage()
    stage.do(*click(1.0))
    stage.tick(1.79)
    assert stage.told() == []
    stage.tick(1.81)
    assert stage.told() == [(0, 0, None)]
    stage.paint(120, 2.0)
    stage.tick(2.01)
    stage.tick(2.5)
    assert stage.told()[1:] == [(0, None, 120)]
    assert not stage.pairing.waiting


def test_a_screen_that_never_rests_is_taken_as_it_is_in_the_end():
    """L0-2"""
    stage = Stage()
    stage.do(*click(1.0))
    for step in range(110):
        stage.paint(step % 200 + 1, 1.1 + step / 10)
        stage.tick(1.11 + step / 10)
    assert [isinstance(each, Aftermath) for each in stage.out] == [False, True]


def test_moves_wait_behind_an_open_gesture_and_keep_their_place():
    """L0-2"""
    stage = Stage()
    stage.do(*click(1.0))
    stage.do(motion(1.3, (300, 300)))
    assert stage.told() == []
    stage.tick(1.9)
    assert stage.told() == [(0, 0, None), (1, None, None)]


def test_typing_has_a_picture_before_the_first_key_and_one_after_the_last():
    """L0-2"""
    stage = Stage()
    for index, char in enumerate("abc"):
        stage.do(typed(1.0 + index / 5, char))
        stage.paint(10 * (index + 1), 1.05 + index / 5)
        stage.tick(1.1 + index / 5)
    stage.do(key(3.0, "TAB"))
    stage.out += stage.pairing.finish()
    assert stage.told() == [(0, 0, None), (1, None, None), (2, None, 30), (3, 30, 30)]


def test_special_keys_and_chords_have_pictures_of_their_own():
    """L0-2"""
    for special in (key(1.0, "ENTER"), key(1.0, "ESCAPE"), key(1.0, "F5"), key(1.0, "A", "CTRL")):
        stage = Stage()
        stage.do(typed(0.9, "x"), special)
        assert stage.pairing.finish()[-1].after is not None
        assert stage.told() == [(0, 0, 0)]


def test_typing_after_a_pause_begins_with_a_picture_again():
    """L0-2"""
    stage = Stage()
    stage.do(typed(1.0, "a"))
    stage.tick(2.0)
    stage.do(typed(4.0, "b"))
    stage.out += stage.pairing.finish()
    assert stage.told() == [(0, 0, 0), (1, 0, 0)]


def test_a_screen_that_was_no_longer_there_is_not_given():
    """L0-2: frames lagged behind the screen, which can be told only afterwards"""
    stage = Stage()
    late: set[float] = set()
    stage.pairing = Pairing(lambda: stage.frames[-1], was_behind=late.__contains__)
    stage.do(*click(1.0))
    stage.paint(50, 1.2)
    late.add(1.0)
    stage.tick(1.25)
    stage.tick(1.7)
    stage.do(*click(3.0))
    stage.paint(90, 3.1)
    stage.tick(3.15)
    stage.tick(3.6)
    assert stage.told() == [(0, None, 50), (1, 50, 90)]


def test_what_comes_late_of_the_last_gesture_is_seen_at_the_end():
    """L0-2: no next gesture would show it"""
    stage = Stage()
    stage.do(*click(1.0))
    stage.paint(50, 1.1)
    stage.tick(1.12)
    stage.tick(1.7)
    assert stage.told() == [(0, 0, 50)]
    stage.paint(200, 2.5)
    stage.out += stage.pairing.finish()
    assert stage.told() == [(0, 0, 50), (0, None, 200)]


def test_what_changes_long_after_the_last_gesture_did_not_come_of_it():
    """L0-2"""
    stage = Stage()
    stage.do(*click(1.0))
    stage.paint(50, 1.1)
    stage.tick(1.12)
    stage.tick(1.7)
    stage.paint(200, 30.0)
    stage.out += stage.pairing.finish()
    assert stage.told() == [(0, 0, 50)]
