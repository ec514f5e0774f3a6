"""From a picture with known words to lines as the finder cuts them at run time, with what each says."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from alphabet import canonical, readable
from shards import Line

from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.imaging.line_picture import HEIGHT_PX, MOST_ENLARGED, as_ink, grey_line
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ReadText


@dataclass(frozen=True)
class Word:
    """A word as drawn, with the box of its line's height; `cut` when only part of it is visible."""

    text: str
    x1: float
    y1: float
    x2: float
    y2: float
    cut: bool = False


class _NoReader:
    """The finder needs none to find."""

    name = "none"

    def read(self, lines: object) -> list[ReadText]:
        raise NotImplementedError


_FINDER = TextDetector(_NoReader())  # type: ignore[arg-type]


def find(image: np.ndarray) -> list[Box]:
    """Where the finder of the package sees lines."""
    return _FINDER.find(image)


def labelled(boxes: Iterable[Box], words: list[Word]) -> list[tuple[Box, str | None]]:
    """What each box says, words in order; None where it cuts a word or holds something unreadable."""
    table = np.array([(w.x1, w.y1, w.x2, w.y2) for w in words], np.float64).reshape(-1, 4)
    return [(box, _said(box, words, table)) for box in boxes]


def _said(box: Box, words: list[Word], table: np.ndarray) -> str | None:
    if not len(table):
        return ""
    middle = (table[:, 1] + table[:, 3]) / 2
    height = table[:, 3] - table[:, 1]
    shared = np.minimum(table[:, 2], box.x2) - np.maximum(table[:, 0], box.x1)
    tall = np.minimum(table[:, 3], box.y2) - np.maximum(table[:, 1], box.y1)
    width = np.maximum(1, table[:, 2] - table[:, 0])
    level = (middle >= box.y1) & (middle < box.y2) & (tall > 0.35 * height)
    touched = np.flatnonzero(level & (shared > 0))
    inside = touched[shared[touched] >= 0.85 * width[touched]]
    slightly = touched[
        (shared[touched] < 0.85 * width[touched]) & (shared[touched] > np.minimum(3.5, 0.3 * width[touched]))
    ]
    cut = np.array([word.cut for word in words])
    unsure = cut & (shared > 2) & (tall > 0.3 * np.minimum(height, box.height))
    if slightly.size or unsure.any() or cut[inside].any():
        return None
    grazed = np.flatnonzero(~level & (shared > 2) & (tall > 0.45 * height))
    if grazed.size:
        return None
    if inside.size and (np.ptp(middle[inside]) > 0.5 * height[inside].min() or box.height > 2.4 * height[inside].max()):
        return None  # two lines in one box, or a line with something large beside it
    order = sorted(inside, key=lambda i: table[i, 0])
    text = ""
    for previous, i in zip([None, *order], order, strict=False):
        joined = previous is not None and table[i, 0] - table[previous, 2] < 0.06 * height[i]
        text += ("" if previous is None or joined else " ") + words[i].text
    covered = sum(min(table[i, 2], box.x2) - max(table[i, 0], box.x1) for i in order)
    if order and box.width - covered > 4 * box.height + 4 * len(order):
        return None  # something else is in it of which the truth says nothing
    text = canonical(text)
    return text if readable(text) else None


def is_as_drawn(image: np.ndarray, box: Box, words: list[Word]) -> bool:
    """Whether a box shows what the truth says of it and nothing else, judged by ink alone, without reading.

    The truth of a screen may name words that are partly hidden, and know nothing of a dialog's text that lies over them.
    Here ink begins where the words begin and ends where they end, and the margin around it is free.
    """
    ink = np.abs(as_ink(grey_line(image[box.y1 : box.y2, box.x1 : box.x2]))) > 0.35
    rows = np.flatnonzero(ink.any(axis=1))
    inked = np.flatnonzero(ink.any(axis=0))
    held = [w for w in words if box.y1 <= (w.y1 + w.y2) / 2 < box.y2 and w.x2 > box.x1 + 3 and w.x1 < box.x2 - 3]
    if not held or not inked.size:
        return False
    scale = ink.shape[1] / box.width
    slack = 0.3 * box.height * scale
    left, right = (min(w.x1 for w in held) - box.x1) * scale, (max(w.x2 for w in held) - box.x1) * scale
    tall = min(HEIGHT_PX, round(box.height * MOST_ENLARGED))
    top = (HEIGHT_PX - tall) // 2
    return bool(
        abs(inked[0] - left) <= slack
        and abs(inked[-1] + 1 - right) <= slack
        and rows[0] > top
        and rows[-1] < top + tall - 1
    )


def lines_of(
    image: np.ndarray, words: list[Word], source: str, chance: random.Random, *, empty_share: float = 0.25
) -> list[Line]:
    """Lines for training: boxes of the finder, some a little off, and some with nothing to read."""
    height, width = image.shape[:2]
    made = []
    for box, text in labelled(find(image), words):
        if text is None or (text == "" and chance.random() > empty_share):
            continue
        if chance.random() < 0.35:
            box = _nudged(box, chance, width, height)
        crop = image[box.y1 : box.y2, box.x1 : box.x2]
        if crop.shape[0] < 4 or crop.shape[1] < 2 or crop.shape[1] > 1200:
            continue
        made.append(Line(np.ascontiguousarray(grey_line(crop)), text, source))
    return made


def _nudged(box: Box, chance: random.Random, width: int, height: int) -> Box:
    off = [chance.choice((0, 0, -1, 1, 2)) for _ in range(4)]
    moved = Box(box.x1 - off[0], box.y1 - off[1], box.x2 + off[2], box.y2 + off[3]).clamped(width, height)
    return moved or box
