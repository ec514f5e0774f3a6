"""Whether what a page says is there can be seen in its picture."""

from __future__ import annotations

import numpy as np

FAINT = 14
"""Difference in a place, in levels of a colour, below which nothing is drawn there."""


def is_drawn(picture: np.ndarray, box: list[int]) -> bool:
    """Whether anything is seen there: white words on white are in the page, but nobody can see them."""
    x1, y1, x2, y2 = box
    piece = picture[y1:y2, x1:x2]
    return bool(piece.size) and int(np.ptp(piece, axis=(0, 1)).max()) >= FAINT


def stands_out(picture: np.ndarray, box: list[int]) -> bool:
    """Whether a place of one colour lies on another."""
    x1, y1, x2, y2 = box
    around = [
        picture[max(0, y1 - 3) : y1, x1:x2], picture[y2 : y2 + 3, x1:x2],
        picture[y1:y2, max(0, x1 - 3) : x1], picture[y1:y2, x2 : x2 + 3],
    ]  # fmt: skip
    inside = np.median(picture[y1:y2, x1:x2], axis=(0, 1))
    ground = np.median(np.concatenate([side.reshape(-1, 3) for side in around]), axis=0)
    return bool(np.abs(inside - ground).max() >= FAINT / 2)
