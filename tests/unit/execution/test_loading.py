"""While something turns on the screen it is still loading: what is missing is waited for, within bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from run_by_hand import PAGE, Agenda, BreaksFor, Overseer, Robot, click, edge

from rpa_vision.execution.loading import LOADING_S, Loading
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import BROKEN, TargetResolver
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, CountingIds, ScreenBook
from rpa_vision.testing.scripted_desktop import on_click

READY = "Consulter"
PLACE = (400, 300, 520, 340)
TURNS = ("turn_0", "turn_1", "turn_2")
_STEP_S = 0.05


class Turning(Agenda):
    """A clock on whose screen something turns, a step with every sleep of some length, until its time is over."""

    robot: Robot
    until_s = float("inf")

    def turn(self, robot: Robot) -> None:
        self.robot, self._steps = robot, cycle(TURNS)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if seconds >= _STEP_S and self.robot.desktop.screen in TURNS:
            over = self.monotonic() >= self.until_s
            self.robot.desktop.show("ready" if over else next(self._steps))


def turning(
    book: ScreenBook, page: list[AnyItem], *, for_s: float, resolver: TargetResolver | None = None
) -> tuple[Robot, Turning]:
    """A robot before a page on which something turns for so long; then the page holds what was missing."""
    for number, name in enumerate(TURNS):
        spot = (600 + 9 * number, 300, 624 + 9 * number, 324)
        book.draw(name, [*page, ("icon", "icon", "", spot)], title="Facture")
    book.draw("ready", [*PAGE, ("button", "action", READY, PLACE)], title="Facture")
    script = (on_click("ready", Box(*PLACE), to="done"),)
    clock = Turning()
    robot = Robot(book, script=script, edges=[edge(click(READY))], start=TURNS[0], clock=clock, resolver=resolver)
    clock.turn(robot)
    clock.until_s = clock.monotonic() + for_s
    return robot, clock


def test_a_target_that_comes_when_nothing_turns_any_more_is_waited_for(book: ScreenBook) -> None:
    """EX-3, EX-7: beyond the usual attempts, as long as the page is loading"""
    robot, _ = turning(book, PAGE, for_s=14.0)
    outcome = robot.do(edge(click(READY)))
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message
    assert robot.desktop.screen == "done"


def test_what_never_stops_turning_is_told_and_not_waited_for_for_ever(book: ScreenBook) -> None:
    """EX-3"""
    robot, clock = turning(book, PAGE, for_s=float("inf"))
    began = clock.monotonic()
    outcome = robot.do(edge(click(READY)))
    assert outcome.status is ExecutionStatus.FAILED
    assert "still loading: something turns at 6" in outcome.message
    assert LOADING_S <= clock.monotonic() - began < LOADING_S + 20.0
    assert robot.sent == []


def test_a_search_that_breaks_does_not_wait_for_loading(book: ScreenBook) -> None:
    """EX-7: nothing is known to be missing"""
    robot, clock = turning(book, PAGE, for_s=14.0, resolver=BreaksFor(READY))
    began = clock.monotonic()
    outcome = robot.do(edge(click(READY)))
    assert (outcome.status, outcome.message, robot.sent) == (ExecutionStatus.FAILED, BROKEN, [])
    assert clock.monotonic() - began < 14.0


def test_without_anything_that_turns_nobody_waits_longer_than_before(book: ScreenBook) -> None:
    """EX-3"""
    robot = Robot(book)
    began = robot.clock.monotonic()
    outcome = robot.do(edge(click(READY)))
    assert outcome.status is ExecutionStatus.FAILED
    assert "loading" not in outcome.message
    assert robot.clock.monotonic() - began < 5.0


@pytest.mark.parametrize("for_s", [14.0, float("inf")])
def test_a_screen_that_is_still_loading_is_waited_for(book: ScreenBook, for_s: float) -> None:
    """EX-1, EX-3: the screen a step begins on, beyond the usual time"""
    blank: list[AnyItem] = [("heading", "title", "Un instant", (300, 200, 520, 240))]
    robot, _ = turning(book, blank, for_s=for_s)
    outcome = robot.loop(Overseer()).run({})
    if for_s == 14.0:
        assert outcome.status == "success", outcome.reason
    else:
        assert outcome.status != "success"
        assert "still loading: something turns at 6" in outcome.reason
        assert robot.sent == []


class Torn(Sight):
    """Sight of pictures that no two can be compared of."""

    def grab(self) -> Frame:
        return replace(super().grab(), pixels=np.zeros((4, 4), np.uint8))


def test_where_it_cannot_be_told_whether_something_turns_nothing_is_waited_for(
    book: ScreenBook, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6: no loading is seen, and the run goes on to say what is missing"""
    robot = Robot(book)
    loading = Loading.of(Torn(robot.desktop.eyes, book.observer, robot.clock, CountingIds()), robot.clock)
    assert not loading.wait()
    assert loading.told("it is missing") == "it is missing"
    assert "whether something turns could not be told" in caplog.text
