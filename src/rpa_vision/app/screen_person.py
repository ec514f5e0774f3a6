"""The person at the screen, asked by a bubble: before each step of a supervised run, and whether the robot does it all.

Silence is a no. What she does to answer is no interruption of the run.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from rpa_vision.app.guidance_words import KEY_MODIFIERS, choices, filled, hint, offered, say
from rpa_vision.app.phrases import Phrases
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import Answer, Language, Suggestion
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.ports.overlay import Overlay
from rpa_vision.ports.person import StepQuestion
from rpa_vision.ports.runtime import Clock

PATIENCE_S = 170.0
"""So long an answer is waited for: less than a step may take."""


@dataclass(slots=True)
class _Question:
    suggestion: Suggestion
    answer: Answer = "not_now"
    answered: threading.Event = field(default_factory=threading.Event)

    def take(self, answer: Answer) -> None:
        self.answer = answer
        self.answered.set()


class ScreenPerson:
    """Implements `ports.person.Person` with the overlay."""

    def __init__(
        self,
        overlay: Overlay,
        language: Language,
        clock: Clock,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.overlay = overlay
        self._phrases = Phrases(language)
        self._clock = clock
        self._answered_s = float("-inf")
        self._language = language
        self._patience_s = patience_s
        self._open: _Question | None = None

    def takes_offer(self, workflow_name: str, offer: str) -> bool:
        return self._ask(workflow_name, offered(self._language, offer), None, ("do_it", "not_now")) == "do_it"

    def answers(self, question: StepQuestion) -> Answer:
        text = say(self._language, "ask", sentence=self._sentence(question))
        return self._ask(question.workflow_name, text, question.target, ("confirm", "not_this", "not_now"))

    def _sentence(self, question: StepQuestion) -> str:
        if question.action is None:
            return question.sentence
        return self._phrases.action(filled(question.action, question.values))

    def hear(self, event: InputEvent) -> None:
        """Answers by the keyboard. From the ears' thread."""
        question = self._open
        if question is None or event.own or event.kind is not InputKind.KEY_PRESS or event.modifiers != KEY_MODIFIERS:
            return
        chosen = next((one for one in question.suggestion.choices if (event.key or "").upper() in one.keys), None)
        if chosen is not None:
            question.take(chosen.answer)

    def leave(self) -> None:
        """Take no answer for a no: she has stopped the run."""
        question = self._open
        if question is not None:
            question.take("not_now")

    def is_answer(self, event: InputEvent) -> bool:
        """Whether that is done to answer: while we ask, the way to the bubble and what is done there."""
        if event.at_s <= self._answered_s:
            return True  # heard after it was answered, and done before
        if self._open is None:
            return False
        if event.kind in (InputKind.KEY_PRESS, InputKind.KEY_RELEASE):
            return event.key in MODIFIER_NAMES or event.modifiers == KEY_MODIFIERS
        return event.kind is InputKind.MOTION or self.overlay.holds(event.pos)

    def _ask(self, title: str, text: str, target: Box | None, answers: tuple[Answer, ...]) -> Answer:
        suggestion = Suggestion(
            title, text, "strong", target, choices(self._language, answers), hint(self._language, answers)
        )
        question = _Question(suggestion)
        self._open = question
        self.overlay.suggest(suggestion, question.take)
        question.answered.wait(self._patience_s)
        self._answered_s = self._clock.monotonic()
        self.overlay.withdraw()
        self._open = None
        return question.answer
