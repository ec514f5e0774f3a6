"""Around a model: answers are remembered, a run spends what it may, and what is broken is left alone."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest
from vlm_server import VlmServer

from rpa_vision.adapters.perception.vlm_guard import GuardedVlm, VlmLimits
from rpa_vision.adapters.perception.vlm_ollama import OllamaVlm
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.ports.vlm import NoAnswer, NoAnswerKind, VlmAnswer, VlmQuestion
from rpa_vision.testing.manual_clock import ManualClock

QUESTION = VlmQuestion(b"picture", "instructions", "text", {"type": "object"})


def another(number: int) -> VlmQuestion:
    return replace(QUESTION, text=f"text {number}")


class Scripted:
    """A model that takes its time and answers as it is told; the last outcome again and again."""

    name = "scripted"

    def __init__(self, clock: ManualClock, *outcomes: str | NoAnswer, takes_s: float = 1.0) -> None:
        self.clock, self.takes_s = clock, takes_s
        self.outcomes = list(outcomes)
        self.asked: list[tuple[str, float | None]] = []

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        self.asked.append((question.text, timeout_s))
        limit_s = self.takes_s if timeout_s is None else min(self.takes_s, timeout_s)
        self.clock.advance(limit_s)
        if limit_s < self.takes_s:
            return NoAnswer("timeout", "too slow")
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        return VlmAnswer(outcome, "scripted", limit_s) if isinstance(outcome, str) else outcome


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def dead(kind: NoAnswerKind = "unreachable", retry_after_s: float | None = None) -> NoAnswer:
    return NoAnswer(kind, "nobody there", retry_after_s)


def kind_of(outcome: VlmAnswer | NoAnswer) -> str:
    return "answer" if isinstance(outcome, VlmAnswer) else outcome.kind


def test_the_same_question_about_the_same_picture_is_asked_once(clock: ManualClock) -> None:
    model = Scripted(clock, "first", "second")
    guarded = GuardedVlm(model, clock)
    first, again = guarded.ask(QUESTION), guarded.ask(replace(QUESTION))
    assert isinstance(first, VlmAnswer)
    assert isinstance(again, VlmAnswer)
    assert (first.text, first.from_cache) == ("first", False)
    assert (again.text, again.from_cache, again.seconds) == ("first", True, 0.0)
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "change",
    [{"picture": b"other"}, {"text": "other"}, {"instructions": "other"}, {"schema": {}}, {"max_tokens": 65},
     {"instructions": "instructionst", "text": "ext"}],
)  # fmt: skip
def test_another_question_is_another(clock: ManualClock, change: dict[str, object]) -> None:
    model = Scripted(clock, "answer")
    guarded = GuardedVlm(model, clock)
    guarded.ask(QUESTION)
    guarded.ask(replace(QUESTION, **change))  # type: ignore[arg-type]
    assert len(model.asked) == 2


def test_no_more_answers_are_kept_than_may_be(clock: ManualClock) -> None:
    model = Scripted(clock, "answer")
    guarded = GuardedVlm(model, clock, VlmLimits(kept_answers=2))
    for number in (1, 2, 1, 3):
        guarded.ask(another(number))
    assert len(model.asked) == 3
    guarded.ask(another(1))
    assert len(model.asked) == 3, "what was used last stays"
    guarded.ask(another(2))
    assert len(model.asked) == 4


def test_failures_are_not_remembered(clock: ManualClock) -> None:
    guarded = GuardedVlm(Scripted(clock, dead(), "fine"), clock)
    assert kind_of(guarded.ask(QUESTION)) == "unreachable"
    assert kind_of(guarded.ask(QUESTION)) == "answer"


def test_a_dead_server_costs_nothing_after_three_failures(clock: ManualClock) -> None:
    """L2-7"""
    model = Scripted(clock, dead(), takes_s=5.0)
    guarded = GuardedVlm(model, clock)
    kinds = [kind_of(guarded.ask(another(number))) for number in range(3)]
    began = clock.monotonic()
    kinds += [kind_of(guarded.ask(another(number))) for number in range(50)]
    assert kinds == ["unreachable"] * 3 + ["circuit_open"] * 50
    assert clock.monotonic() == began
    assert len(model.asked) == 3


def test_it_is_tried_again_later_once_and_each_time_later(clock: ManualClock) -> None:
    model = Scripted(clock, dead(), takes_s=0.0)
    guarded = GuardedVlm(model, clock, VlmLimits(open_s=30.0, max_open_s=100.0))
    for number in range(3):
        guarded.ask(another(number))
    for pause_s in (30.0, 60.0, 100.0, 100.0):
        clock.advance(pause_s - 0.001)
        assert kind_of(guarded.ask(QUESTION)) == "circuit_open"
        clock.advance(0.002)
        assert kind_of(guarded.ask(QUESTION)) == "unreachable"
        assert kind_of(guarded.ask(QUESTION)) == "circuit_open"


def test_one_good_answer_closes_the_circuit(clock: ManualClock) -> None:
    model = Scripted(clock, dead(), dead(), dead(), "fine", dead(), dead(), dead(), takes_s=0.0)
    guarded = GuardedVlm(model, clock, VlmLimits(open_s=30.0))
    for number in range(3):
        guarded.ask(another(number))
    clock.advance(30.1)
    assert kind_of(guarded.ask(another(10))) == "answer"
    assert [kind_of(guarded.ask(another(20 + number))) for number in range(3)] == ["unreachable"] * 3
    clock.advance(30.1)
    assert kind_of(guarded.ask(another(30))) == "unreachable", "the pause is the short one again"


def test_what_will_not_change_is_not_asked_again_for_long(clock: ManualClock) -> None:
    """A wrong key, a model that is not there."""
    model = Scripted(clock, dead("refused"), takes_s=0.0)
    guarded = GuardedVlm(model, clock, VlmLimits(max_open_s=600.0))
    guarded.ask(QUESTION)
    clock.advance(599)
    outcome = guarded.ask(QUESTION)
    assert kind_of(outcome) == "circuit_open"
    assert isinstance(outcome, NoAnswer)
    assert "nobody there" in outcome.reason
    assert len(model.asked) == 1


def test_a_busy_server_is_left_alone_as_long_as_it_asks(clock: ManualClock) -> None:
    model = Scripted(clock, dead("busy", retry_after_s=7.0), "fine", takes_s=0.0)
    guarded = GuardedVlm(model, clock)
    guarded.ask(QUESTION)
    clock.advance(6.9)
    assert kind_of(guarded.ask(QUESTION)) == "circuit_open"
    clock.advance(0.2)
    assert kind_of(guarded.ask(QUESTION)) == "answer"


def test_what_a_server_asks_for_is_bounded(clock: ManualClock) -> None:
    guarded = GuardedVlm(Scripted(clock, dead("busy", retry_after_s=1e6), "fine"), clock, VlmLimits(max_open_s=600.0))
    guarded.ask(QUESTION)
    clock.advance(601)
    assert kind_of(guarded.ask(QUESTION)) == "answer"


def test_a_run_asks_no_more_often_than_it_may(clock: ManualClock) -> None:
    model = Scripted(clock, "answer")
    guarded = GuardedVlm(model, clock, VlmLimits(calls_per_run=3))
    run = guarded.for_run()
    assert [kind_of(run.ask(another(number))) for number in range(5)] == ["answer"] * 3 + ["budget"] * 2
    assert kind_of(run.ask(another(1))) == "answer", "what is remembered costs nothing"
    assert kind_of(guarded.for_run().ask(another(9))) == "answer", "the next run has its own"


def test_a_run_waits_no_longer_than_it_may(clock: ManualClock) -> None:
    model = Scripted(clock, "answer", takes_s=40.0)
    run = GuardedVlm(model, clock, VlmLimits(timeout_s=60.0, seconds_per_run=100.0)).for_run()
    began = clock.monotonic()
    kinds = [kind_of(run.ask(another(number))) for number in range(4)]
    assert kinds == ["answer", "answer", "timeout", "budget"]
    assert [limit for _, limit in model.asked] == [60.0, 60.0, 20.0]
    assert clock.monotonic() - began == pytest.approx(100.0)
    assert run.seconds == pytest.approx(100.0)


def test_a_left_alone_server_does_not_use_up_the_budget(clock: ManualClock) -> None:
    run = GuardedVlm(Scripted(clock, dead()), clock).for_run()
    for number in range(10):
        run.ask(another(number))
    assert run.calls == 3


def test_a_real_dead_server_is_asked_three_times_in_a_hundred(system_clock: SystemClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    run = GuardedVlm(OllamaVlm(system_clock, url=f"http://127.0.0.1:{port}"), system_clock).for_run()
    began = system_clock.monotonic()
    kinds = [kind_of(run.ask(another(number))) for number in range(100)]
    assert kinds == ["unreachable"] * 3 + ["circuit_open"] * 97
    assert system_clock.monotonic() - began < 5


def test_a_real_hanging_server_costs_its_time_three_times(vlm_server: VlmServer, system_clock: SystemClock) -> None:
    vlm_server.answers = ["hang"]
    limits = VlmLimits(timeout_s=0.1)
    run = GuardedVlm(OllamaVlm(system_clock, url=vlm_server.url), system_clock, limits).for_run()
    kinds = [kind_of(run.ask(another(number))) for number in range(20)]
    assert kinds == ["timeout"] * 3 + ["circuit_open"] * 17
    assert len(vlm_server.requests) == 3
