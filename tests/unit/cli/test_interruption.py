"""Ctrl-C: answered at once, and heeded."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from rpa_vision.cli.interruption import GRACE_S, TOLD, Interruption
from rpa_vision.cli.terminal_lines import TerminalLines
from rpa_vision.errors import InputNotDeliveredError


@pytest.fixture
def interruption() -> Iterator[Interruption]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    made = Interruption().listen()
    yield made
    made.close()
    made.ask()  # its thread ends
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_answered_at_once_and_ties_the_hands_of_a_step_that_takes_long(
    interruption: Interruption, number: signal.Signals
) -> None:
    """L4-13: said within a tenth of a second; what is being sent may end within the grace."""
    said: queue.SimpleQueue[tuple[str, float]] = queue.SimpleQueue()
    interruption.say = lambda text: said.put((text, time.monotonic()))
    began = time.monotonic()
    os.kill(os.getpid(), number)
    text, at = said.get(timeout=20)
    assert (text, interruption.is_wanted) == (TOLD, True)
    assert interruption.gate.is_open or time.monotonic() - began >= GRACE_S
    while interruption.gate.is_open:
        assert time.monotonic() - began < 20
    assert at - began < GRACE_S, "said before anything is waited for"
    with pytest.raises(InputNotDeliveredError, match="stopped by a person"), interruption.gate.passing():
        pass


def test_whoever_is_asked_in_the_terminal_need_not_answer_any_more(interruption: Interruption) -> None:
    """L4-12: a run that waits for a yes takes the leaving for a no."""
    typed: queue.SimpleQueue[str] = queue.SimpleQueue()
    lines = TerminalLines(iter(typed.get, "end"))
    interruption.then(lines.leave)
    answers: queue.SimpleQueue[str] = queue.SimpleQueue()
    asked = threading.Thread(target=lambda: answers.put(lines.read()))
    asked.start()
    interruption.ask()
    assert answers.get(timeout=20) == ""
    assert lines.read() == "", "nor anybody else"
    asked.join()
    typed.put("end")


def test_a_run_that_is_over_is_not_stopped(interruption: Interruption) -> None:
    """L4-13"""
    said: list[str] = []
    interruption.say = said.append
    interruption.close()
    interruption.ask()
    assert (said, interruption.gate.is_open) == ([], True)
