"""Where the words of a line stand: it is read as a whole, and its widest gaps are those between its words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_INK = 0.35
"""Of the strongest contrast of a line, what counts as ink."""
_RULE = 0.6
"""A row with ink in so much of its length is a rule below the words, or the edge of something."""
_UNEVEN = 2.0
"""How much wider or narrower a word may be for its letters than the others."""
_SIGN = 2
"""Up to so many letters it may be a sign, as wide as it likes."""


def word_boxes(pixels: Pixels, line: Box, words: Sequence[str]) -> list[Box] | None:
    """The boxes of the words of a line, from left to right; None where the gaps do not tell as many words as were
    read, each about as long as its letters are."""
    inked = _inked_columns(pixels, line)
    runs = _runs(inked)
    if not words or len(runs) < len(words):
        return None
    gaps = sorted(range(len(runs) - 1), key=lambda at: runs[at][1] - runs[at + 1][0])[: len(words) - 1]
    cuts = [0, *(at + 1 for at in sorted(gaps)), len(runs)]
    spans = [(runs[first][0], runs[last - 1][1]) for first, last in itertools.pairwise(cuts)]
    widths = [(right - left) / len(word) for (left, right), word in zip(spans, words, strict=True) if len(word) > _SIGN]
    usual = float(np.median(widths)) if widths else 0.0
    if not widths or not usual / _UNEVEN <= min(widths) <= max(widths) <= usual * _UNEVEN:
        return None
    return [Box(line.x1 + left, line.y1, line.x1 + right, line.y2) for left, right in spans]


def single_boxes(pixels: Pixels, line: Box, count: int) -> list[Box] | None:
    """The boxes of so many short words of a line, numbers say; None where the widest gaps do not stand out."""
    runs = _runs(_inked_columns(pixels, line))
    if count < 2 or len(runs) < count:
        return None
    gaps = sorted((runs[at + 1][0] - runs[at][1] for at in range(len(runs) - 1)), reverse=True)
    if len(gaps) >= count and gaps[count - 2] <= gaps[count - 1]:
        return None
    cuts = [0, *(at + 1 for at in range(len(runs) - 1) if runs[at + 1][0] - runs[at][1] >= gaps[count - 2]), len(runs)]
    spans = [(runs[first][0], runs[last - 1][1]) for first, last in itertools.pairwise(cuts)]
    return [Box(line.x1 + left, line.y1, line.x1 + right, line.y2) for left, right in spans]


def _inked_columns(pixels: Pixels, line: Box) -> NDArray[np.bool_]:
    part = np.ascontiguousarray(pixels[line.y1 : line.y2, line.x1 : line.x2, :3])
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.float32)
    away = np.abs(grey - float(np.median(grey)))
    ink = away > _INK * max(1.0, float(away.max()))
    ink[ink.mean(axis=1) > _RULE] = False
    return np.asarray(ink.any(axis=0), np.bool_)


def _runs(inked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where ink begins and ends along a line."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    return [(int(edges[at]), int(edges[at + 1])) for at in range(0, len(edges), 2)]
