"""Where questions to people lie until somebody answers, whoever and wherever that is."""

from __future__ import annotations

from typing import Protocol

from rpa_vision.models.heal_question import HealAnswer, HealQuestion, QuestionStatus
from rpa_vision.ports.storage import Listing


class HealQuestionStore(Protocol):
    """Questions and answers, shared by all processes of a data directory."""

    def ask(self, question: HealQuestion, picture: bytes | None) -> HealQuestion:
        """Put a question where others find it, its picture first."""

    def end(self, question_id: str, status: QuestionStatus, why: str) -> None:
        """The question is over: answered, expired or withdrawn."""

    def answer(self, answer: HealAnswer) -> None:
        """Give the answer. The first one counts: UsageError where there is one, or the question is over."""

    def answer_of(self, question_id: str) -> HealAnswer | None:
        """What was answered, if anything was."""

    def load(self, question_id: str) -> HealQuestion:
        """Read a question."""

    def list(self) -> Listing[HealQuestion]:
        """All questions, the oldest first."""

    def picture(self, question_id: str) -> bytes | None:
        """The screen of the question, as PNG."""
