"""Around any vision-language model: remember answers, ask no more than a run may, leave alone what is broken.

A dead server costs nothing: after a few failures in a row it is not asked for a while, then once, and a while twice as
long if that fails too. What was answered once is not asked again. A run has so many calls and so many seconds.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.vlm import NoAnswer, NoAnswerKind, VisionLanguageModel, VlmAnswer, VlmQuestion

_USELESS: Final[frozenset[NoAnswerKind]] = frozenset({"refused"})
"""What will not be different in a minute: the key, the model's name, the request."""
MAX_KEPT_TEXT: Final = 10_000


@dataclass(frozen=True, slots=True)
class VlmLimits:
    """How long a call may take, what a run may spend, and when a server is left alone."""

    timeout_s: float = 60.0
    calls_per_run: int = 20
    seconds_per_run: float = 120.0
    failures_to_open: int = 3
    open_s: float = 30.0
    max_open_s: float = 600.0
    kept_answers: int = 256


class GuardedVlm:
    """A model with a memory and a circuit breaker, shared by all runs; `for_run` adds the budget of one."""

    def __init__(self, model: VisionLanguageModel, clock: Clock, limits: VlmLimits | None = None) -> None:
        self._model = model
        self._clock = clock
        self.limits = limits or VlmLimits()
        self._answers: OrderedDict[bytes, VlmAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self._failures = 0
        self._pause_s = self.limits.open_s
        self._closed_until_s = float("-inf")
        self._last_reason = ""

    @property
    def name(self) -> str:
        return self._model.name

    def for_run(self) -> BudgetedVlm:
        """The same model, with what one run may spend on it."""
        return BudgetedVlm(self, self._clock)

    def known(self, question: VlmQuestion) -> VlmAnswer | None:
        """The answer given before to the same question about the same picture."""
        key = _key(question, self.name)
        with self._lock:
            answer = self._answers.get(key)
            if answer is None:
                return None
            self._answers.move_to_end(key)
        return replace(answer, from_cache=True, seconds=0.0)

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        known = self.known(question)
        if known is not None:
            return known
        if (left_alone := self.left_alone()) is not None:
            return left_alone
        limit_s = self.limits.timeout_s
        outcome = self._model.ask(question, timeout_s=limit_s if timeout_s is None else min(timeout_s, limit_s))
        self._note(question, outcome)
        return outcome

    def left_alone(self) -> NoAnswer | None:
        """Why it would not be asked now, if so. Once the time is over, one question goes through."""
        with self._lock:
            left_s = self._closed_until_s - self._clock.monotonic()
            if left_s <= 0:
                return None
            reason = f"left alone for another {left_s:.0f} s after failing ({self._last_reason})"
            return NoAnswer("circuit_open", reason, left_s)

    def _note(self, question: VlmQuestion, outcome: VlmAnswer | NoAnswer) -> None:
        with self._lock:
            if isinstance(outcome, VlmAnswer):
                self._failures, self._pause_s, self._closed_until_s = 0, self.limits.open_s, float("-inf")
                if len(outcome.text) <= MAX_KEPT_TEXT:
                    self._answers[_key(question, self.name)] = outcome
                while len(self._answers) > self.limits.kept_answers:
                    self._answers.popitem(last=False)
                return
            self._failures += 1
            self._last_reason = outcome.reason
            asked_s = min(outcome.retry_after_s or 0.0, self.limits.max_open_s)
            if outcome.kind in _USELESS:
                self._pause_s = self.limits.max_open_s
            if self._failures >= self.limits.failures_to_open or outcome.kind in _USELESS or asked_s > 0:
                self._closed_until_s = self._clock.monotonic() + max(self._pause_s if asked_s == 0 else 0.0, asked_s)
                if self._failures >= self.limits.failures_to_open:
                    self._pause_s = min(2 * self._pause_s, self.limits.max_open_s)


class BudgetedVlm:
    """Implements `ports.vlm.VisionLanguageModel` for one run. Answers from memory cost nothing."""

    def __init__(self, guarded: GuardedVlm, clock: Clock) -> None:
        self._guarded = guarded
        self._clock = clock
        self._lock = threading.Lock()
        self.calls = 0
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self._guarded.name

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        known = self._guarded.known(question)
        if known is not None:
            return known
        if (left_alone := self._guarded.left_alone()) is not None:
            return left_alone
        limits = self._guarded.limits
        with self._lock:
            left_s = limits.seconds_per_run - self.seconds
            if self.calls >= limits.calls_per_run:
                return NoAnswer("budget", f"this run has asked {self.calls} times, as often as it may")
            if left_s <= 0:
                return NoAnswer("budget", f"this run has waited {self.seconds:.0f} s for answers, as long as it may")
            self.calls += 1
        began_s = self._clock.monotonic()
        limit_s = min(limits.timeout_s, left_s) if timeout_s is None else min(timeout_s, left_s)
        outcome = self._guarded.ask(question, timeout_s=limit_s)
        with self._lock:
            self.seconds += max(0.0, self._clock.monotonic() - began_s)
        return outcome


def _key(question: VlmQuestion, model: str) -> bytes:
    digest = hashlib.blake2b(digest_size=20)
    schema = json.dumps(dict(question.schema), sort_keys=True)
    for part in (model, question.instructions, question.text, schema, str(question.max_tokens)):
        digest.update(f"{len(part)}:{part}".encode("utf-8", "surrogatepass"))
    digest.update(question.picture)
    return digest.digest()
