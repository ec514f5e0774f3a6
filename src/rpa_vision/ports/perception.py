"""What perception needs from the world: readers of text, encoders of pictures, and the question of secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Point
from rpa_vision.models.state_embedding import EmbeddingSpace

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ReadText:
    """What a reader read, and how sure it is."""

    text: str
    confidence: float


class TextRecognizer(Protocol):
    """Reads lines of text. The same pixels always give the same answer."""

    @property
    def name(self) -> str:
        """Which reader this is, version included: part of every cache key."""

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        """Read pictures of single lines (height × width × 3, blue-green-red), one answer each, in order."""


class TextCache(Protocol):
    """Remembers what was read, by a key made of the pixels and the reader's name."""

    def get(self, key: bytes) -> ReadText | None:
        """The answer kept for that key."""

    def put(self, key: bytes, answer: ReadText) -> None:
        """Keep an answer; older ones may be forgotten."""


class ScreenEncoder(Protocol):
    """Turns pictures and words into vectors of one space, all of length 1."""

    @property
    def space(self) -> EmbeddingSpace:
        """The space the vectors lie in."""

    def encode_image(self, image: Pixels) -> Vector:
        """Encode a picture (height × width × 3, blue-green-red)."""

    def encode_text(self, texts: Sequence[str]) -> Vector:
        """Encode words that belong together."""


class SecretFieldClassifier(Protocol):
    """Capture asks, detection answers: is what is being typed a secret?"""

    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        """Judge by the field's label and look.

        `before` is the screen before the first key, `clicked` where the person last clicked to get there (None when
        the focus came by keyboard), `after` the screen once some keys have been drawn, where there is one.
        Doubt is a yes.
        """
