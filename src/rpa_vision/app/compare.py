"""Are two pictures the same screen? Judged by how they look, what they say, their controls, and what lies in front.

The same screen may show another invoice in another theme; another screen may look much the same. So no witness decides
alone: a look that matches needs words that agree, and a dialog over one of them, or one that asks something else, makes
it another screen. Where there are few words, the heading is what tells.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rpa_vision.app.detect import ImageFiles
from rpa_vision.detection.layout_likeness import LayoutLikeness, compare_layouts
from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.embedding.similarity import MATCH_CONFIDENCE, UPDATE_CONFIDENCE, calibration_of, similarity
from rpa_vision.errors import ImageError, RpaVisionError, UsageError
from rpa_vision.graph.dialog_words import all_said, message_in_front
from rpa_vision.graph.vocabulary import naming_words, resembles_any, same_words
from rpa_vision.imaging.codec import decode
from rpa_vision.models.document import JsonObject
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock

FEW_WORDS: Final = 3  # below, words say too little to agree or disagree
WORDS_AGREE: Final = 0.5
WORDS_PART: Final = 0.25
MAX_LINE_CHARS: Final = 65_536
_SENTENCE_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Comparison:
    """How alike two screens are, and whether they are one."""

    similarity: float
    """What the cosine of the fingerprints is worth: .85 and more is a match by looks."""
    cosine: float
    layout: LayoutLikeness
    words: float | None
    """Which share of the words that name a screen both have; None where there are too few."""
    same_state: bool
    why: str
    space: str

    @property
    def layout_same(self) -> bool:
        """The controls and labels of one page, whatever it shows."""
        return self.layout.same

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "similarity": round(self.similarity, 4),
            "layout_same": self.layout_same,
            "layout_likeness": round(self.layout.likeness, 4),
            "same_state": self.same_state,
            "why": self.why,
            "cosine": round(self.cosine, 4),
            "words": None if self.words is None else round(self.words, 4),
            "space": self.space,
        }


class Comparer:
    """Reads pictures, each once while it is asked for again, and compares them."""

    def __init__(self, files: ImageFiles, observer: ScreenObserver, clock: Clock) -> None:
        self._files = files
        self._observer = observer
        self._clock = clock
        self._last: dict[Path, ObservedScreen] = {}

    def compare(self, first: Path, second: Path) -> Comparison:
        """Compare two pictures; an ImageError names the one that cannot be used."""
        space = self._observer.embedder.space.id
        one, other = self._seen(first), self._seen(second)
        self._last = {first: one, second: other}
        return compare_screens(one, other, space)

    def _seen(self, path: Path) -> ObservedScreen:
        if path in self._last:
            return self._last[path]
        try:
            pixels = decode(self._files.read(path))
        except ImageError as error:
            raise ImageError(f"{path}: {error}", remedy=error.remedy) from error
        return self._observer.observe(
            pixels, window=WindowContext(), screen_state_id="picture", timestamp=self._clock.now()
        )


def compare_screens(one: ObservedScreen, other: ObservedScreen, space: str) -> Comparison:
    """Compare two screens of one space."""
    cosine = similarity(one.vector, space, other.vector, space)
    look = calibration_of(space).confidence(cosine)
    words = shared_words(one.state, other.state)
    layout = compare_layouts(one.state.layout_signature, other.state.layout_signature)
    same, why = _judged(look, layout.same, words, one.state, other.state)
    return Comparison(look, cosine, layout, words, same, why, space)


def shared_words(one: ScreenState, other: ScreenState) -> float | None:
    """Which share of the words that name a screen both show."""
    ours, theirs = list(dict.fromkeys(naming_words(one))), list(dict.fromkeys(naming_words(other)))
    if min(len(ours), len(theirs)) < FEW_WORDS:
        return None
    shared = sum(resembles_any(theirs, word) for word in ours) + sum(resembles_any(ours, word) for word in theirs)
    return shared / (len(ours) + len(theirs))


def _judged(
    look: float, layout_same: bool, words: float | None, one: ScreenState, other: ScreenState
) -> tuple[bool, str]:
    looks = f"looks {look:.2f}"
    said = "too few words to go by" if words is None else f"{words:.0%} of the naming words shared"
    laid = "the same controls" if layout_same else "other controls"
    if (front_of(one.ui_elements) is None) != (front_of(other.ui_elements) is None):
        return False, f"a dialog lies over one of them only ({looks}, {said})"
    if _asks_otherwise(one, other):
        return False, f"the dialog in front says something else ({looks}, {said})"
    if words is None and _headed_otherwise(one, other):
        return False, f"another heading ({looks}, {said}, {laid})"
    if look >= MATCH_CONFIDENCE and (words is None or words >= WORDS_AGREE or (layout_same and words >= WORDS_PART)):
        return True, f"{looks}, {said}, {laid}"
    if look >= UPDATE_CONFIDENCE and layout_same and words is not None and words >= WORDS_AGREE:
        return True, f"{laid} and words, in another look ({looks}, {said})"
    if look >= MATCH_CONFIDENCE:
        return False, f"looks alike, but says something else ({looks}, {said}, {laid})"
    return False, f"another look ({looks}, {said}, {laid})"


def _asks_otherwise(one: ScreenState, other: ScreenState) -> bool:
    """Whether the dialogs in front tell or ask something else; numbers, names and what is merely listed may differ."""
    ours, theirs = message_in_front(one) or [], message_in_front(other) or []
    return not (all_said(_telling(ours), theirs) and all_said(_telling(theirs), ours))


def _telling(lines: Sequence[str]) -> list[str]:
    """What a dialog is called, and its sentences."""
    return [line for at, line in enumerate(lines) if at == 0 or "?" in line or len(line.split()) >= _SENTENCE_WORDS]


def _headed_otherwise(one: ScreenState, other: ScreenState) -> bool:
    """Whether both have headings and none of them is the same; here a number makes another one: « Étape 2 »."""
    ours, theirs = _headings(one), _headings(other)
    return bool(ours) and bool(theirs) and not any(same_words(text, said) for text in ours for said in theirs)


def _headings(state: ScreenState) -> list[str]:
    return [element.label for element in state.ui_elements if element.type == "heading" and element.label]


def compare_batch(comparer: Comparer, lines: Iterable[str]) -> Iterator[JsonObject]:
    """One answer for each line `{"a": PATH, "b": PATH}`; a line or picture that cannot be used is an answer too."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        answer: JsonObject = {"line": number}
        try:
            first, second, label = _pair(line, number)
            answer |= label
            yield {**answer, "a": str(first), "b": str(second), **comparer.compare(first, second).to_json()}
        except RpaVisionError as error:
            yield {**answer, "error": {"code": error.code, "message": str(error), "remedy": error.remedy}}


def _pair(line: str, number: int) -> tuple[Path, Path, JsonObject]:
    remedy = 'Write one object per line: {"a": "A.png", "b": "B.png"}.'
    if len(line) > MAX_LINE_CHARS:
        raise UsageError(f"line {number}: has more than {MAX_LINE_CHARS:,} characters", remedy=remedy)
    try:
        pair = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"line {number}: not valid JSON ({error})", remedy=remedy) from error
    if isinstance(pair, list) and len(pair) == 2:
        pair = {"a": pair[0], "b": pair[1]}
    if not isinstance(pair, dict) or not all(isinstance(pair.get(key), str) and pair[key] for key in ("a", "b")):
        raise UsageError(f"line {number}: names no two pictures", remedy=remedy)
    return Path(pair["a"]), Path(pair["b"]), {"id": pair["id"]} if "id" in pair else {}
