"""Before something is done because of a text, somebody else reads it: does this place really say that?

The second reader is slower and stronger, and its slips are mostly others; where both are of one family they share
some (docs/models/reader.md). It is asked about one line at a time, and only
about lines that decide. When it reads something else, it looks again at two slightly different cuts: an answer that
changes with the cut is a slip of its own and tells nothing, the same other text every time is a difference. Of plain
words, one letter more or less tells nothing either; of numbers and codes every character counts.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from rapidfuzz.distance import Levenshtein

from rpa_vision.detection.second_reader import TRUST, Agreement, agreement, plain, without_spaces
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ReadText, TextCheck, TextRecognizer

Verdict = Literal["agree", "differ", "cannot_tell"]

AIR_PX = 2
SLIPS = {5: 1, 11: 2}
"""From how many letters on so many wrong ones are a slip of the reader, in a text without digits."""


class SecondLook:
    """Confirms texts by a second reader. Give it one that remembers: the same lines decide again and again."""

    def __init__(self, reader: TextRecognizer) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        """Who looks."""
        return f"second:{self._reader.name}"

    def confirm(self, picture: Pixels, box: Box, first: ReadText, *, wanted: str = "") -> TextCheck:
        """Have the line in a box read again. At most three readings of one line."""
        height, width = picture.shape[:2]
        place = box.clamped(int(width), int(height))
        if place is None:
            return TextCheck(wanted, box, "cannot_tell", first, ReadText("", 0.0), first.confidence)
        second = self._read(picture, place)
        expected = [text for text in (first.text, wanted) if text]
        agreed = _best([agreement(text, second.text) for text in expected])
        verdict: Verdict = "agree" if agreed in ("same", "alike") else "cannot_tell"
        if agreed == "different" and not any(_slip(text, second.text) for text in expected):
            verdict = self._looked_again(picture, place, second, expected)
        trust = {"agree": 1.0 if agreed == "alike" else TRUST["same"], "differ": TRUST["different"]}
        sure = min(0.999, max(0.001, first.confidence))
        odds = sure / (1 - sure) * trust.get(verdict, 1.0)
        return TextCheck(wanted, place, verdict, first, second, odds / (1 + odds))

    def _looked_again(self, picture: Pixels, place: Box, second: ReadText, expected: list[str]) -> Verdict:
        """Whether it reads that other text from other cuts, too."""
        for reading in (self._read(picture, place, air=AIR_PX), self._read(picture, place, air=-1)):
            if without_spaces(reading.text) != without_spaces(second.text):
                return "cannot_tell"
            if any(agreement(text, reading.text) != "different" for text in expected):
                return "cannot_tell"
        return "differ"

    def _read(self, picture: Pixels, place: Box, *, air: int = 0) -> ReadText:
        crop = picture[place.y1 : place.y2, place.x1 : place.x2, :3]
        if air > 0:
            crop = cv2.copyMakeBorder(crop, air, air, air, air, cv2.BORDER_REPLICATE)  # type: ignore[assignment]
        elif air < 0 and crop.shape[0] >= 12:
            crop = crop[1:-1]
        return self._reader.read([np.ascontiguousarray(crop)])[0]


def _best(found: list[Agreement]) -> Agreement:
    order: tuple[Agreement, ...] = ("same", "alike", "different", "unseen")
    return min(found, key=order.index, default="unseen")


def _slip(expected: str, read: str) -> bool:
    """Whether the other text is nothing but a misreading, or the text with one sign of an icon beside it."""
    one, other = plain(without_spaces(expected)), plain(without_spaces(read))
    if any(char.isdigit() for char in one + other):
        return False
    parts = read.split()
    shorter = [rest for rest, sign in ((parts[1:], parts[:1]), (parts[:-1], parts[-1:])) if len("".join(sign)) == 1]
    if any(rest and plain(without_spaces(" ".join(rest))) == one for rest in shorter):
        return True
    allowed = max((slips for size, slips in SLIPS.items() if len(one) >= size), default=0)
    return Levenshtein.distance(one, other, score_cutoff=allowed) <= allowed
