"""What is written in candidates: how much, where in it, in what colours, and what it sounds like."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.box_arrays import Boxes, array_of, inside, paired
from rpa_vision.detection.scene import Line, Scene
from rpa_vision.detection.words import has_digit, sounds_like_action
from rpa_vision.imaging.colour import Colour, chroma, contrast

Facts = NDArray[np.float32]
_CHEVRONS = frozenset("VvYyUuwW~▾▼∨⌄˅⋁﹀")
_A_SIGN = 0.04
"""The length of two letters, as it is told: hardly a word."""
_TEXT = 12
_ROOM = 2**32
WORD_FACTS = 11 + _TEXT


def word_facts(scene: Scene, boxes: Boxes) -> Facts:
    """What is written in it: how much, where in it, in what colours, and what it sounds like."""
    facts = np.zeros((len(boxes), WORD_FACTS), np.float32)
    theirs, told, is_chevron = _lines(scene)
    if not len(theirs):
        return facts
    x, y = (theirs[:, 0] + theirs[:, 2]) // 2, (theirs[:, 1] + theirs[:, 3]) // 2
    rows, members = np.nonzero(inside(x, y, boxes).T)
    if not rows.size:
        return facts
    # Where several lines stand in one, single signs among them are drawings read as letters.
    many = np.bincount(rows, minlength=len(boxes))
    spoken = np.bincount(rows, told[members, 0] > _A_SIGN, minlength=len(boxes)) > 0
    ends = _at_end(rows, theirs[members, 2], is_chevron[members], len(boxes))
    worded = (told[members, 0] > _A_SIGN) | ~spoken[rows]
    rows, members = rows[worded], members[worded]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    own = rows[starts]
    box = boxes[own].astype(np.float32)
    left, top = (np.minimum.reduceat(theirs[members, side], starts) for side in (0, 1))
    right, bottom = (np.maximum.reduceat(theirs[members, side], starts) for side in (2, 3))
    order = np.lexsort((theirs[members, 0], theirs[members, 1], rows))
    first = members[order][starts]
    levels = np.unique(rows * _ROOM + np.round(y[members] / scene.unit).astype(np.int64))  # as one number: soon sorted
    lines_high = np.bincount(levels // _ROOM, minlength=len(boxes))[own]
    wide, high = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    columns = [
        np.minimum(many[own], 6) / 6, np.minimum(lines_high, 4) / 4, (right - left) / wide, (bottom - top) / high,
        _bounded((left - box[:, 0]) / scene.unit), _bounded((box[:, 2] - right) / scene.unit),
        _bounded((top - box[:, 1]) / scene.unit), _bounded((box[:, 3] - bottom) / scene.unit),
        np.abs((left - box[:, 0]) - (box[:, 2] - right)) / wide, ends[own], paired(boxes[own], theirs[first]),
    ]  # fmt: skip
    facts[own, :11] = np.stack(columns, axis=1)
    facts[own, 11:] = told[first]
    return facts


def _lines(scene: Scene) -> tuple[Boxes, Facts, NDArray[np.bool_]]:
    """Of each line that says something, whatever it stands in: its box, what is told of it, and whether it is the sign
    of a drop-down."""

    def told() -> tuple[Boxes, Facts, NDArray[np.bool_]]:
        lines = [line for line in scene.lines if line.text]
        facts = [_text_facts(line.text) + _colour_facts(line, scene.font_px) for line in lines]
        signs = np.array([_is_chevron(line.text) for line in lines], np.bool_)
        return array_of(line.box for line in lines), np.array(facts, np.float32), signs

    return scene.noted("lines", told)


def _at_end(rows: NDArray[np.intp], right: Boxes, chevron: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Whether what stands furthest right in each is the sign of a drop-down."""
    order = np.lexsort((right, rows))
    last = order[np.flatnonzero(np.diff(rows[order], append=-1))]
    told = np.zeros(count, np.bool_)
    told[rows[last]] = chevron[last]
    return told


def _is_chevron(text: str) -> bool:
    return len(text) == 1 and text in _CHEVRONS


def _bounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(values, -4.0, 12.0) / 4, np.float32)


@lru_cache(maxsize=16_384)
def _text_facts(text: str) -> tuple[float, ...]:
    letters = sum(char.isalpha() for char in text)
    return (
        min(len(text), 50) / 50, min(len(text.split()), 8) / 8, float(has_digit(text)),
        float(letters > 1 and text.isupper()), float(sounds_like_action(text)),
        float(text.rstrip().endswith((":", "*"))), float(letters == 0), float(text[:1].isupper()),
    )  # fmt: skip


def _colour_facts(line: Line, usual: float) -> tuple[float, ...]:
    return (*_inks(line.paper, line.ink), min(line.font_px / usual, 3.0))


@lru_cache(maxsize=16_384)
def _inks(paper: Colour, ink: Colour) -> tuple[float, ...]:
    blue, _, red = ink
    return (chroma(ink) / 255, (blue - red) / 255, min(contrast(paper, ink), 12) / 12)
