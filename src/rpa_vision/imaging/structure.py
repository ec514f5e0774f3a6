"""What a screen looks like when its colours and its words do not count: four small maps of one size for any picture.

Every map looks the same in a dark and a light theme and at any device scale: how much each small block stands out, how
far its brightness is from that of the background, and how much of it are upright and level edges.
"""

from __future__ import annotations

from functools import reduce
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.errors import ImageError
from rpa_vision.models.frame import Pixels

COLUMNS: Final = 256
ROWS: Final = 144
CHANNELS: Final = 4
_WORK_COLUMNS: Final = COLUMNS * 4
_WORK_ROWS: Final = ROWS * 4
_FLOOR: Final = 12
"""Of 255: contrasts below are gradients and compression noise, not structure."""
_REFERENCE_PERCENTILE: Final = 98
_REFERENCE_FLOOR: Final = 40


def structure_maps(image: Pixels) -> NDArray[np.uint8] | None:
    """`CHANNELS` maps of `ROWS` × `COLUMNS`, or None where there is nothing to see."""
    grey = _worked_on(image)
    contrast = (_of_blocks(grey, np.maximum) - _of_blocks(grey, np.minimum)).astype(np.float32)
    if not (contrast > _FLOOR).any():
        return None
    across = np.abs(cv2.Sobel(grey, cv2.CV_16S, 1, 0, ksize=1)).astype(np.float32)
    down = np.abs(cv2.Sobel(grey, cv2.CV_16S, 0, 1, ksize=1)).astype(np.float32)
    size = (COLUMNS, ROWS)
    brightness = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    ground = float(np.median(brightness))
    maps = (
        _scaled(contrast),
        np.abs(brightness - ground),
        _scaled(np.asarray(cv2.resize(across, size, interpolation=cv2.INTER_AREA), np.float32)),
        _scaled(np.asarray(cv2.resize(down, size, interpolation=cv2.INTER_AREA), np.float32)),
    )
    return np.stack([np.clip(np.rint(one), 0, 255).astype(np.uint8) for one in maps])


def _worked_on(image: Pixels) -> NDArray[np.uint8]:
    if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype != np.uint8 or not image.size:
        raise ImageError(f"a picture of height × width × 3 bytes was expected, not {image.dtype} {image.shape}")
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY if image.shape[2] == 3 else cv2.COLOR_BGRA2GRAY)
    smaller = image.shape[0] < _WORK_ROWS or image.shape[1] < _WORK_COLUMNS  # a crop: enlarged without inventing edges
    how = cv2.INTER_NEAREST if smaller else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, (_WORK_COLUMNS, _WORK_ROWS), interpolation=how), np.uint8)


def _of_blocks(grey: NDArray[np.uint8], pick: np.ufunc) -> NDArray[np.uint8]:
    """The largest or the smallest of each block of 4 × 4."""
    across = reduce(pick, (grey[:, column::4] for column in range(4)))
    return np.asarray(reduce(pick, (across[row::4] for row in range(4))), np.uint8)


def _scaled(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """So that the strongest of the screen are 255: a theme with soft contrasts looks like one with hard ones."""
    reference = max(float(_REFERENCE_FLOOR), float(np.percentile(values, _REFERENCE_PERCENTILE)))
    return values * np.float32(255 / reference)
