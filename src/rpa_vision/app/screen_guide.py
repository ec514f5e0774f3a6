"""A run in assist mode, on the person's screen: each step is told and its target framed; she acts, and it is gone.

Where she has begun and her step has not had its effect, it is told again once she rests: without a frame, for what she
did may have moved what was framed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from rpa_vision.app.guidance_words import KEY_MODIFIERS, choices, filled, hint, say
from rpa_vision.app.patience import Patience
from rpa_vision.app.phrases import Phrases
from rpa_vision.models.guidance import Answer, Language, Strength, Suggestion
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.ports.overlay import Overlay
from rpa_vision.ports.person import StepQuestion

_ACTS = (InputKind.BUTTON_PRESS, InputKind.KEY_PRESS, InputKind.SCROLL)
_ANSWERS: tuple[Answer, ...] = ("not_now",)
AGAIN_S = 5.0
"""So long she rests before a step that is not done yet is told again."""


class ScreenGuide:
    """Shows what a person is to do now, as strongly as the workflow has earned it."""

    def __init__(
        self,
        overlay: Overlay,
        language: Language,
        strength: Strength,
        *,
        on_not_now: Callable[[], None],
        again_s: float = AGAIN_S,
    ) -> None:
        """`on_not_now`: she wants no more of it."""
        self._overlay = overlay
        self._language = language
        self._strength = strength
        self._phrases = Phrases(language)
        self._on_not_now = on_not_now
        self._lock = threading.Lock()
        self._shown: Suggestion | None = None
        self._hers: Suggestion | None = None
        """The step that is hers now, also while nothing is shown of it."""
        self._resting = Patience(again_s, self._tell_again)

    def guide(self, question: StepQuestion) -> None:
        """Show the step that is hers now."""
        if question.action is None:
            sentence = question.sentence
        else:
            sentence = self._phrases.action(filled(question.action, question.values))
        suggestion = Suggestion(
            question.workflow_name,
            say(self._language, "yours", sentence=sentence),
            self._strength,
            question.target if self._strength == "strong" else None,
            choices(self._language, _ANSWERS),
            hint(self._language, _ANSWERS),
        )
        self._resting.end()
        with self._lock:
            self._shown = self._hers = suggestion
            self._overlay.suggest(suggestion, self._take)

    def over(self) -> None:
        """Her step is over: it is not told again."""
        self._resting.end()
        with self._lock:
            if self._shown is not None:
                self._overlay.withdraw()
            self._shown = self._hers = None

    def hear(self, event: InputEvent) -> None:
        """She acts: what she sees of ours goes at once, unless it is an answer. From the ears' thread."""
        if event.own or event.kind not in _ACTS:
            return
        with self._lock:
            suggestion = self._shown
            if suggestion is None and self._hers is not None:
                self._resting.begin()  # she goes on
            if suggestion is None or (event.kind is InputKind.BUTTON_PRESS and self._overlay.holds(event.pos)):
                return
            if event.kind is InputKind.KEY_PRESS and event.key in MODIFIER_NAMES:
                return  # it may become an answer
            self._shown = None
            self._overlay.withdraw()
        is_answer = event.kind is InputKind.KEY_PRESS and event.modifiers == KEY_MODIFIERS
        if is_answer and (event.key or "").upper() in suggestion.choices[0].keys:
            self.over()
            self._on_not_now()
        else:
            self._resting.begin()

    def _tell_again(self) -> None:
        with self._lock:
            if self._hers is not None and self._shown is None:
                self._shown = replace(self._hers, target=None)
                self._overlay.suggest(self._shown, self._take)

    def _take(self, _: Answer) -> None:
        self.over()
        self._on_not_now()
