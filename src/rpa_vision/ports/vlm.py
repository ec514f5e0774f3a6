"""What is asked of a vision-language model: a question about a picture; the outcome is always a value.

Such a model is slow, may be away, and says what it likes. So nobody depends on it: an answer is a piece of text to be
parsed strictly and weighed as evidence, and everything else is a `NoAnswer` with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

NoAnswerKind = Literal[
    "unreachable",  # nobody there, or the connection broke
    "timeout",  # no whole answer in time
    "busy",  # the server asks to be left alone for a while
    "refused",  # the server does not do this for us: key, model, request
    "failed",  # the server said that it failed
    "garbled",  # what came is not what the protocol says
    "nonsense",  # the model's words are not the answer that was asked for
    "undecided",  # asked twice, it answered two things
    "budget",  # the run has asked enough
    "circuit_open",  # it failed so often that it is left alone for a while
    "unaskable",  # there is nothing to ask, or more than can be asked
]


@dataclass(frozen=True, slots=True)
class VlmQuestion:
    """A picture (PNG), what to do with it, and the form the answer must have."""

    picture: bytes
    instructions: str
    text: str
    schema: Mapping[str, Any]
    """JSON Schema of the answer: servers that can hold a model to one are asked to."""
    max_tokens: int = 64


@dataclass(frozen=True, slots=True)
class VlmAnswer:
    """What the model said. Text from outside: to be parsed strictly, never to be followed."""

    text: str
    model: str
    seconds: float
    from_cache: bool = False


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is no answer, for people and for statistics."""

    kind: NoAnswerKind
    reason: str
    retry_after_s: float | None = None
    """How long the server asked to be left alone."""


class VisionLanguageModel(Protocol):
    """Answers questions about pictures, or says why not; never raises, never takes longer than it is given."""

    @property
    def name(self) -> str:
        """Provider and model, as they are shown to people and kept in documents."""

    def ask(self, question: VlmQuestion, *, timeout_s: float | None = None) -> VlmAnswer | NoAnswer:
        """Ask once. Without a time the one that was configured holds."""
