"""Views of screens for training: the same screen, changed as time, people and settings change it.

Families drawn in several themes, zooms and contents give true pairs. Every view, also of a screen that was drawn only
once, is changed further on its maps: words that are content are cut or replaced, rows come and go and push what is
below them, a zoom stretches it from the upper left or the middle, something lies over a part of it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Maps = NDArray[np.uint8]
TWICE = 2.1
"""The largest zoom: what a person who sees badly sets, or a screen of twice as many pixels."""


class Views:
    """Batches of pairs: applications with all their pages, and screens by themselves."""

    def __init__(self, sets: list[tuple[Maps, list[dict[str, Any]]]], seed: int) -> None:
        self._rng = random.Random(seed)
        self._apps: dict[str, dict[str, list[tuple[Maps, list[list[int]]]]]] = defaultdict(lambda: defaultdict(list))
        for maps, told in sets:
            for one, about in zip(maps, told, strict=True):
                self._apps[about["app"]][about["family"]].append((one, about["content"]))
        self._several = sorted(app for app, pages in self._apps.items() if len(pages) > 1)
        self._alone = sorted(app for app, pages in self._apps.items() if len(pages) == 1)

    def batch(self, apps: int, alone: int) -> NDArray[np.float32]:
        """Pairs of views, first all first ones, then all second ones, each of another screen than the others."""
        rng = self._rng
        chosen = rng.sample(self._several, min(apps, len(self._several))) + rng.sample(
            self._alone, min(alone, len(self._alone))
        )
        first, second = [], []
        for app in chosen:
            for family in sorted(self._apps[app]):
                seen = self._apps[app][family]
                pair = rng.sample(seen, 2) if len(seen) > 1 else seen * 2
                first.append(self.changed(*pair[0]))
                second.append(self.changed(*pair[1]))
        return np.stack(first + second)

    def changed(self, maps: Maps, content: list[list[int]]) -> NDArray[np.float32]:
        """One view of a screen."""
        rng = self._rng
        made = maps.copy()
        for x1, y1, x2, y2 in content:
            if rng.random() < 0.5:
                self._rewrite(made, x1, y1, x2, y2)
        if rng.random() < 0.4:
            made = self._pushed(made)
        made = self._stretched(made)
        if rng.random() < 0.25:
            rows, columns = made.shape[1:]
            high, wide = rng.randrange(4, rows // 4), rng.randrange(8, columns // 4)
            y, x = rng.randrange(rows - high), rng.randrange(columns - wide)
            made[:, y : y + high, x : x + wide] = rng.choice([0, 0, 60])
        view = made.astype(np.float32) / 255
        gains = np.array([rng.uniform(0.7, 1.3), rng.uniform(0.3, 1.4), rng.uniform(0.7, 1.3), rng.uniform(0.7, 1.3)])
        return np.clip(view * gains[:, None, None].astype(np.float32), 0, 1)

    def _rewrite(self, made: Maps, x1: int, y1: int, x2: int, y2: int) -> None:
        """Other words: shorter, gone, or longer by what they end with."""
        wide = x2 - x1
        if wide < 2 or y2 <= y1:
            return
        how = self._rng.random()
        if how < 0.6:
            cut = x1 + int(wide * self._rng.random())
            made[:, y1:y2, cut:x2] = made[:, y1:y2, min(x2, made.shape[2] - 1)][:, :, None] if x2 < made.shape[2] else 0
        else:
            longer = min(int(wide * self._rng.uniform(0.1, 0.8)), made.shape[2] - x2, wide)
            if longer > 0:
                made[:, y1:y2, x2 : x2 + longer] = made[:, y1:y2, x2 - longer : x2].copy()

    def _pushed(self, made: Maps) -> Maps:
        """Rows were added or removed: what is below moves, in the whole width or in a part of it."""
        rows, columns = made.shape[1:]
        at, by = self._rng.randrange(rows // 6, rows - 8), self._rng.choice([-1, 1]) * self._rng.randint(2, 20)
        left, right = self._rng.choice(
            [(0, columns), (columns // 6, columns), (0, columns // 2), (columns // 2, columns)]
        )
        out = made.copy()
        part = made[:, :, left:right]
        if by > 0:
            out[:, at + by :, left:right] = part[:, at : rows - by]
        else:
            out[:, at : rows + by, left:right] = part[:, at - by :]
            out[:, rows + by :, left:right] = 0
        return out

    def _stretched(self, made: Maps) -> Maps:
        rng = self._rng
        down = across = 1.0
        how = rng.random()
        if how < 0.4:
            down = rng.uniform(0.8, 1.5)
            across = down if rng.random() < 0.5 else rng.uniform(0.95, 1.05)
        elif how < 0.55:
            down = rng.uniform(1.5, TWICE)
            across = down if rng.random() < 0.7 else rng.uniform(1.0, down)
        x, y = rng.uniform(-3, 3), rng.uniform(-3, 3)
        rows, columns = made.shape[1:]
        if down < 1:
            down = max(down, 0.8)
        if rng.random() < 0.4:  # a column in the middle grows to both sides
            x += (1 - across) * columns / 2
        matrix = np.array([[across, 0, x], [0, down, y]], np.float32)
        moved = cv2.warpAffine(made.transpose(1, 2, 0), matrix, (columns, rows), flags=cv2.INTER_LINEAR)
        return np.ascontiguousarray(moved.transpose(2, 0, 1))
