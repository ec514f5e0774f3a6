"""The robot's eyes: wait for rest, understand once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

from run_by_hand import FIELD, Agenda

from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.sight import Sight
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import CountingIds, ScreenBook
from rpa_vision.testing.scripted_desktop import ScriptedDesktop


def eyes_on(book: ScreenBook, start: str = "page") -> tuple[Sight, ScriptedDesktop, Agenda]:
    clock = Agenda()
    desktop = ScriptedDesktop(book.pixels, start=start, clock=clock)
    return Sight(desktop.eyes, book.observer, clock, CountingIds()), desktop, clock


def test_a_screen_is_understood_when_it_is_at_rest(book: ScreenBook) -> None:
    """EX-5: evidence, not time"""
    sight, desktop, clock = eyes_on(book)
    before = sight.grab()
    clock.after(0.5, lambda: desktop.show("done"))
    seen = sight.look(since=before, change_timeout_s=1.0)
    assert seen.state.window.title == "Liste"


def test_a_change_that_does_not_come_is_not_waited_for_for_ever(book: ScreenBook) -> None:
    """EX-10"""
    sight, _, clock = eyes_on(book)
    began_s = clock.monotonic()
    assert sight.look(since=sight.grab(), change_timeout_s=1.0).state.window.title == "Facture"
    assert 1.0 <= clock.monotonic() - began_s < 1.5


def test_a_screen_that_never_rests_is_looked_at_all_the_same(book: ScreenBook) -> None:
    """EX-10"""
    sight, desktop, clock = eyes_on(book)

    def flicker(level: int = 0) -> None:
        desktop.paint(Box(600, 300, 700, 400), (level % 250, 0, 0))
        clock.after(0.02, lambda: flicker(level + 7))

    flicker()
    began_s = clock.monotonic()
    sight.look()
    assert 3.0 <= clock.monotonic() - began_s < 3.5


def test_a_screen_that_was_at_rest_and_did_not_change_is_not_waited_for(book: ScreenBook) -> None:
    """PF: the next step begins at once; after an action a change is waited for all the same"""
    sight, desktop, clock = eyes_on(book)
    first = sight.look()
    began_s = clock.monotonic()
    assert sight.look() is first
    assert clock.monotonic() == began_s
    desktop.paint(Box(600, 300, 700, 400), (9, 0, 0))
    sight.look()
    assert clock.monotonic() > began_s
    began_s = clock.monotonic()
    sight.look(since=sight.grab(), change_timeout_s=1.0)
    assert clock.monotonic() - began_s >= 1.0


def test_an_unchanged_screen_is_not_understood_twice(book: ScreenBook) -> None:
    """PF"""
    sight, desktop, _ = eyes_on(book)
    first = sight.look()
    assert sight.look() is first
    desktop.show("done")
    assert sight.look() is not first


def test_a_part_of_the_screen_still_shows_what_was_read(book: ScreenBook) -> None:
    """EX-7"""
    sight, desktop, _ = eyes_on(book)
    seen = sight.look()
    field, elsewhere = Box(*FIELD), Box(700, 100, 800, 200)
    assert sight.still_shows(seen, [field, elsewhere])
    desktop.paint(Box(500, 400, 550, 450), (0, 0, 255))
    assert sight.still_shows(seen, [field, elsewhere])
    desktop.paint(Box(FIELD[0] + 20, FIELD[1] + 6, FIELD[0] + 22, FIELD[1] + 24), (0, 0, 0))
    assert sight.still_shows(seen, [field, elsewhere]), "a caret blinks in a field"
    desktop.paint(Box(750, 150, 770, 160), (0, 0, 255))
    assert sight.still_shows(seen, [field])
    assert not sight.still_shows(seen, [field, elsewhere])
    assert not sight.still_shows(seen, [Box(2000, 2000, 2010, 2010)])


def test_later_attempts_search_wider_and_never_narrower() -> None:
    """EX-2, P002-1"""
    profiles = [HealingProfile.at_level(level) for level in range(5)]
    assert [(p.min_ratio, p.pad_mul, p.expand_roles) for p in profiles[:3]] == [
        (0.82, 1.0, False), (0.78, 1.3, True), (0.72, 1.7, True),
    ]  # fmt: skip
    for tight, wide in pairwise(profiles):
        assert wide.min_ratio <= tight.min_ratio
        assert wide.pad_mul >= tight.pad_mul
        assert wide.attempt_level == tight.attempt_level + 1
    assert HealingProfile.at_level(-1) == profiles[0]


class _SlowObserver:
    """Understands a screen in a while, and counts how often."""

    def __init__(self, book: ScreenBook, clock: Agenda) -> None:
        self._book, self._clock = book, clock
        self.read = 0

    def observe(self, *arguments: Any, **named: Any) -> ObservedScreen:
        self.read += 1
        self._clock.sleep(0.2)
        return self._book.observer.observe(*arguments, **named)


def slow_eyes_on(book: ScreenBook) -> tuple[Sight, ScriptedDesktop, Agenda]:
    clock = Agenda()
    desktop = ScriptedDesktop(book.pixels, start="page", clock=clock)
    observer = cast("ScreenObserver", _SlowObserver(book, clock))
    return Sight(desktop.eyes, observer, clock, CountingIds()), desktop, clock


def test_the_time_to_read_a_screen_counts_as_time_it_was_still(book: ScreenBook) -> None:
    """PF: a click on a screen is not waited for and read, but read while it is waited for"""
    sight, desktop, clock = slow_eyes_on(book)
    before = sight.grab()
    desktop.show("done")
    began_s = clock.monotonic()
    assert sight.look(since=before, change_timeout_s=1.0).state.window.title == "Liste"
    assert 0.2 <= clock.monotonic() - began_s < 0.34


def test_a_screen_that_changed_while_it_was_read_is_read_again(book: ScreenBook) -> None:
    """EX-5: what counts is what was still there afterwards"""
    sight, desktop, clock = slow_eyes_on(book)
    before = sight.grab()
    desktop.paint(Box(600, 300, 700, 400), (9, 0, 0))
    clock.after(0.15, lambda: desktop.show("done"))
    assert sight.look(since=before, change_timeout_s=1.0).state.window.title == "Liste"
