"""Where two pictures of one size differ, tile by tile: what work on pixels must be done again."""

from __future__ import annotations

import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

TILE_WIDTH_PX, TILE_HEIGHT_PX = 256, 128
_WORD_BYTES = 8


def changed_tiles(before: Pixels, after: Pixels) -> list[Box]:
    """The tiles in which two pictures of one size differ, each cut down to what differs."""
    height, width = int(after.shape[0]), int(after.shape[1])
    deep = int(after.shape[2]) if after.ndim == 3 else 1
    found = []
    for top in range(0, height, TILE_HEIGHT_PX):
        old, new = before[top : top + TILE_HEIGHT_PX], after[top : top + TILE_HEIGHT_PX]
        if same_bytes(old, new):
            continue
        differs = (old != new).reshape(old.shape[0], width * deep)  # channels side by side: reducing them is slow
        columns = differs.any(axis=0).reshape(width, deep).any(axis=1)
        for left in range(0, width, TILE_WIDTH_PX):
            across = np.flatnonzero(columns[left : left + TILE_WIDTH_PX])
            if across.size:
                rows = np.flatnonzero(differs[:, left * deep : (left + TILE_WIDTH_PX) * deep].any(axis=1))
                found.append(
                    Box(left + int(across[0]), top + int(rows[0]), left + int(across[-1]) + 1, top + int(rows[-1]) + 1)
                )
    return found


def same_bytes(one: Pixels, other: Pixels) -> bool:
    """Whether two pictures of one shape are equal; eight bytes at a time where they lie in one piece."""
    if one.nbytes % _WORD_BYTES == 0 and one.flags.c_contiguous and other.flags.c_contiguous:
        return np.array_equal(one.reshape(-1).view(np.uint64), other.reshape(-1).view(np.uint64))
    return np.array_equal(one, other)
