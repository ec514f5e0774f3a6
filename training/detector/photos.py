"""Photographs in crops: nothing in them can be acted on, however much it looks like it.

Screens have few of them, and each is another; a net that saw few finds buttons in windows and bridges.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from factory.demo_packages import of_split

from detector.targets import CONTENT_INDEX, Truth

LONGEST_PX, MOST = 640, 150
"""Photographs are kept no larger, and no more of them."""
LEAST_BYTES = 30_000
"""Smaller files are thumbnails and drawings."""
LEAST_PX, TRIES = 56, 12
FAINTEST, STRONGEST = 0.25, 0.75
"""How much of a photograph shows where it is the ground of a page."""
NEAR = 6
"""How far the levels of a page's ground may lie apart."""


class Photos:
    """Photographs to lay into crops."""

    def __init__(self, paths: Sequence[Path], rng: random.Random) -> None:
        chosen = sorted(paths)
        rng.shuffle(chosen)
        read = (cv2.imread(str(path)) for path in chosen[:MOST])
        self._photos = [_small(cv2.cvtColor(photo, cv2.COLOR_BGR2RGB)) for photo in read if photo is not None]

    def __bool__(self) -> bool:
        return bool(self._photos)

    def __len__(self) -> int:
        return len(self._photos)

    def beside(self, piece: np.ndarray, truth: Truth, rng: random.Random) -> tuple[np.ndarray, Truth]:
        """With a photograph where the piece has nothing, if there is such a place."""
        rows, columns = piece.shape[:2]
        for _ in range(TRIES):
            wide, high = (round(LEAST_PX * (side / LEAST_PX) ** rng.random() * 0.8) for side in (columns, rows))
            if min(wide, high) < LEAST_PX:
                continue
            x, y = rng.randint(0, columns - wide), rng.randint(0, rows - high)
            place = np.array([x, y, x + wide, y + high], np.float32)
            low, high_ends = np.maximum(truth.boxes[:, :2], place[:2]), np.minimum(truth.boxes[:, 2:], place[2:])
            if ((high_ends > low).all(axis=1) & (truth.group < 2)).any():
                continue
            changed = piece.copy()
            changed[y : y + high, x : x + wide] = self._cut(wide, high, rng)
            return changed, _with_picture(truth, place)
        return piece, truth

    def under(self, piece: np.ndarray, rng: random.Random) -> np.ndarray:
        """With a photograph for the ground of the page: its commonest colour."""
        levels = piece.reshape(-1, 3)
        codes = (levels.astype(np.int32) >> 2) @ np.array([4096, 64, 1])
        counts = np.bincount(codes)
        code = int(counts.argmax())
        if counts[code] < 0.3 * len(codes):
            return piece
        ground = np.median(levels[codes == code], axis=0)
        lies = (np.abs(piece.astype(np.int32) - ground.astype(np.int32)).max(axis=2) <= NEAR)[..., None]
        share = rng.uniform(FAINTEST, STRONGEST)
        photo = self._cut(piece.shape[1], piece.shape[0], rng) * share + ground * (1 - share)
        return np.where(lies, photo, piece).astype(np.uint8)

    def _cut(self, wide: int, high: int, rng: random.Random) -> np.ndarray:
        """A piece of one, of a size and a scale by chance."""
        photo = rng.choice(self._photos)
        scale = max(wide / photo.shape[1], high / photo.shape[0]) * rng.uniform(1.0, 1.8)
        photo = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        x, y = rng.randint(0, max(0, photo.shape[1] - wide)), rng.randint(0, max(0, photo.shape[0] - high))
        return cv2.resize(photo[y : y + high, x : x + wide], (wide, high))


def photographs(fetched: Path) -> list[Path]:
    """Those that the packages of trained pages ship."""
    kept = [fetched / package.name for package in of_split("train")]
    found = (path for folder in kept for path in folder.rglob("*.jpg"))
    return [path for path in found if path.stat().st_size >= LEAST_BYTES]


def _small(photo: np.ndarray) -> np.ndarray:
    scale = min(1.0, LONGEST_PX / max(photo.shape[:2]))
    return cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def _with_picture(truth: Truth, place: np.ndarray) -> Truth:
    return Truth(
        np.concatenate([truth.boxes, place[None]]), np.append(truth.group, 1),
        np.append(truth.kind, CONTENT_INDEX["image"]), np.append(truth.on, np.float32(-1)),
        np.append(truth.enabled, np.float32(-1)), np.append(truth.ignore, False),
    )  # fmt: skip
