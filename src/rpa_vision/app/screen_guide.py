"""A run in assist mode, on the person's screen: each step is told and its target framed; she acts, and it is gone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from rpa_vision.app.guidance_words import KEY_MODIFIERS, choices, filled, hint, say
from rpa_vision.app.phrases import Phrases
from rpa_vision.models.guidance import Answer, Language, Strength, Suggestion
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind
from rpa_vision.ports.overlay import Overlay
from rpa_vision.ports.person import StepQuestion

_ACTS = (InputKind.BUTTON_PRESS, InputKind.KEY_PRESS, InputKind.SCROLL)
_ANSWERS: tuple[Answer, ...] = ("not_now",)


class ScreenGuide:
    """Shows what a person is to do now, as strongly as the workflow has earned it."""

    def __init__(
        self,
        overlay: Overlay,
        language: Language,
        strength: Strength,
        *,
        values: Mapping[str, str],
        on_not_now: Callable[[], None],
    ) -> None:
        """`on_not_now`: she wants no more of it."""
        self._overlay = overlay
        self._language = language
        self._strength = strength
        self._phrases, self._values = Phrases(language), values
        self._on_not_now = on_not_now
        self._lock = threading.Lock()
        self._shown: Suggestion | None = None

    def guide(self, question: StepQuestion) -> None:
        """Show the step that is hers now."""
        if question.action is None:
            sentence = question.sentence
        else:
            sentence = self._phrases.action(filled(question.action, self._values))
        suggestion = Suggestion(
            question.workflow_name,
            say(self._language, "yours", sentence=sentence),
            self._strength,
            question.target if self._strength == "strong" else None,
            choices(self._language, _ANSWERS),
            hint(self._language, _ANSWERS),
        )
        with self._lock:
            self._shown = suggestion
            self._overlay.suggest(suggestion, self._take)

    def hear(self, event: InputEvent) -> None:
        """She acts: what she sees of ours goes at once, unless it is an answer. From the ears' thread."""
        if event.own or event.kind not in _ACTS:
            return
        with self._lock:
            suggestion = self._shown
            if suggestion is None or (event.kind is InputKind.BUTTON_PRESS and self._overlay.holds(event.pos)):
                return
            if event.kind is InputKind.KEY_PRESS and event.key in MODIFIER_NAMES:
                return  # it may become an answer
            self._shown = None
            self._overlay.withdraw()
        is_answer = event.kind is InputKind.KEY_PRESS and event.modifiers == KEY_MODIFIERS
        if is_answer and (event.key or "").upper() in suggestion.choices[0].keys:
            self._on_not_now()

    def _take(self, _: Answer) -> None:
        with self._lock:
            self._shown = None
            self._overlay.withdraw()
        self._on_not_now()
