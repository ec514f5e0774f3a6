"""What perception needs from the world: readers of text, encoders of pictures, and the question of secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.ui_element import ElementType

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


@runtime_checkable
class CalibratedReader(TextRecognizer, Protocol):
    """A reader whose confidence is how often it is right. Second looks by rules of thumb make it worse, not better."""

    @property
    def is_calibrated(self) -> Literal[True]:
        """Always: it is by this that such a reader is known."""


@dataclass(frozen=True, slots=True)
class TextCheck:
    """What came of reading a text again before something is done because of it."""

    wanted: str
    """The text that decides, as the workflow means it."""
    box: Box
    verdict: Literal["agree", "differ", "cannot_tell"]
    first: ReadText
    second: ReadText
    confidence: float
    """How sure both readers together are of what the first one read."""


class TextConfirmer(Protocol):
    """Answers, for a place on the screen: does it really say that?"""

    def confirm(self, picture: Pixels, box: Box, first: ReadText, *, wanted: str = "") -> TextCheck:
        """Have the line in a box read by another reader.

        `first` is what was read there, `wanted` what it was taken for. `differ` is said only
        where the other reader sees a definite other text, never where it cannot read.
        """


class TextCache(Protocol):
    """Remembers what was read, by a key made of the pixels and the reader's name."""

    def get(self, key: bytes) -> ReadText | None:
        """The answer kept for that key."""

    def put(self, key: bytes, answer: ReadText) -> None:
        """Keep an answer; older ones may be forgotten."""


@dataclass(frozen=True, slots=True)
class FoundElement:
    """An element as a detector proposes it: where, what kind, how sure, and what can be told of its state."""

    box: Box
    kind: ElementType
    """A detector maps its own classes to the element types of the models."""
    confidence: float
    checked: bool | None = None
    selected: bool | None = None
    enabled: bool | None = None
    doubts: tuple[tuple[ElementType, float], ...] = ()
    """What else it could be, each with its share of one, where the detector says so."""


class ElementFinder(Protocol):
    """Proposes elements by their look alone. The same pixels always give the same answer."""

    @property
    def name(self) -> str:
        """Which detector this is, version included: part of every cache key."""

    def find(self, image: Pixels) -> list[FoundElement]:
        """Elements of a picture (height × width × 3, blue-green-red), in its own pixels, the surest first."""


@runtime_checkable
class FollowingFinder(ElementFinder, Protocol):
    """A finder that need not look twice at what did not change."""

    def following(self) -> ElementFinder:
        """The same finder, with the same answers, for one screen that is followed; one picture after the other."""


class Look(Protocol):
    """A look at one picture that has begun. The picture stays as it is until the look has gone on."""

    def go_on(self) -> None:
        """Do what takes long; another thread may."""

    def found(self) -> list[FoundElement]:
        """What was seen, once it has gone on."""


@runtime_checkable
class SteppingFinder(ElementFinder, Protocol):
    """A finder of whose work only the long part needs to be done elsewhere."""

    def begin(self, image: Pixels) -> Look:
        """Begin to look at a picture; what is found is what `find` would find."""


class ElementJudge(Protocol):
    """Says what candidates are, by facts about each and small pictures of it. The same input gives the same answer."""

    @property
    def name(self) -> str:
        """Which judge this is, version included."""

    def judge(self, facts: Vector, looks: Vector) -> tuple[Vector, Vector]:
        """For each candidate its shares of "nothing" and of every kind, and how well its box fits, 0 to 1."""


class ScreenPairer(Protocol):
    """Says which thing of one screen is which of another, all together. The same input gives the same answer."""

    @property
    def name(self) -> str:
        """Which net this is, version included."""

    def pair(self, then: Vector, now: Vector, within_then: Vector, within_now: Vector, across: Vector) -> Vector:
        """For each of n things then: how much speaks for each of m things now, and, last, for none of them (n, m + 1).

        `then` and `now` tell of each thing, `within_then` and `within_now` of any two of a screen, `across` of any two
        of both.
        """


class PictureEncoder(Protocol):
    """Turns pictures into vectors of length 1; the same pixels always give the same answer."""

    @property
    def version(self) -> str:
        """What its vectors depend on, in a few letters: other weights are another space."""

    @property
    def dimensions(self) -> int:
        """How long its vectors are."""

    def encode(self, image: Pixels) -> Vector | None:
        """Encode a picture (height × width × 3 or 4, blue-green-red); None where there is nothing to see."""


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


@dataclass(frozen=True, slots=True)
class FieldJudgement:
    """What can be said of a text that is being typed. Capture keeps as a secret all that is not `clear`."""

    secrecy: Literal["clear", "secret", "undecided"]
    label: str = ""
    """The words of the field, where it has some: secrets are named by them."""
    room: Box | None = None
    """Where the text can come to stand, where that is known: the inside of its field."""
    firm: bool = True
    """False where too little was typed to be sure that it is clear: ask again when there is more."""


@runtime_checkable
class SecretFieldJudge(SecretFieldClassifier, Protocol):
    """A classifier that can say more: how sure it is, what the field is called, and whether dots hide the text."""

    def judge(
        self, before: Frame, clicked: Point | None, after: Frame | None, *, typed: str, late: bool
    ) -> FieldJudgement:
        """Judge as `is_secret` does, knowing that `typed` was typed: where nothing of it is seen it is not clear.

        `late`: when `after` was taken the person had left the field, so it may show what came of that, too.
        """

    def hides(self, frame: Frame, box: Box) -> bool:
        """Whether what is drawn there are dots that stand for the text."""
