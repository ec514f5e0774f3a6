"""A second encoder, for whoever needs two: another idea of what a screen looks like, in another number of dimensions.

A picture is where its edges run and in which direction, and what colours it has; words are their four-letter pieces.
Nothing of it is shared with the embedded encoder, so its vectors lie in another space for good reasons.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding.spaces import blank, unit
from rpa_vision.models.frame import Pixels
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.perception import Vector

DIMENSIONS: Final = 384
SPACE_ID: Final = "gradients_v1"
_SIZE: Final = (320, 180)
_GRID: Final = (8, 5)
_DIRECTIONS: Final = 8
_COLOURS: Final = 4
_PIECE: Final = 4


class GradientScreenEncoder:
    """Implements `ports.perception.ScreenEncoder`. Another `version` is another space."""

    def __init__(self, version: str = "1") -> None:
        self._version = version

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(
            id=f"gradients_v{self._version}", version=self._version, model_name="edges and colours",
            provider="rpa_vision_testing", dimensions=DIMENSIONS, purpose="runtime",
        )  # fmt: skip

    def encode_image(self, image: Pixels) -> Vector:
        small = cv2.resize(np.ascontiguousarray(image[:, :, :3]), _SIZE, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
        strength, angle = cv2.cartToPolar(across, down)
        direction = (angle / (2 * np.pi) * _DIRECTIONS).astype(int) % _DIRECTIONS
        edges = np.zeros((_GRID[1], _GRID[0], _DIRECTIONS), np.float64)
        rows = np.arange(_SIZE[1])[:, None] * _GRID[1] // _SIZE[1]
        columns = np.arange(_SIZE[0])[None, :] * _GRID[0] // _SIZE[0]
        np.add.at(edges, (np.broadcast_to(rows, grey.shape), np.broadcast_to(columns, grey.shape), direction), strength)
        colours, _ = np.histogramdd(small.reshape(-1, 3), bins=(_COLOURS,) * 3, range=((0, 256),) * 3)
        found = np.concatenate([_direction(np.sqrt(edges).ravel()), 0.5 * _direction(np.sqrt(colours).ravel())])
        return unit(found) if found.any() else blank(DIMENSIONS)

    def encode_text(self, texts: Sequence[str]) -> Vector:
        counts = np.zeros(DIMENSIONS, np.float64)
        for text in texts:
            framed = f" {' '.join(text.casefold().split())} "
            for start in range(max(1, len(framed) - _PIECE + 1)):
                counts[zlib.crc32(framed[start : start + _PIECE].encode()) % DIMENSIONS] += 1.0
        return unit(np.sqrt(counts))


def _direction(values: NDArray[np.float64]) -> NDArray[np.float64]:
    length = float(np.linalg.norm(values))
    return values / length if length else values
