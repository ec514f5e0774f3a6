"""Radio buttons by their drawing: a ring, empty or with a dot in it, alone before its words.

A reader that knows letters from drawings says nothing of a ring, and not every ring makes a box. So the place right
before a line of words is looked at: one round shape as high as a letter, drawn all around, with paper between the ring
and whatever is in its middle.
"""

from __future__ import annotations

import numpy as np

from rpa_vision.detection.components import components
from rpa_vision.detection.scene import Draft, Line, Scene
from rpa_vision.detection.words import count_letters
from rpa_vision.imaging.colour import Colour, off_from
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

SMALLEST_PX = 11
INKED = 40
"""Levels from the paper that make ink."""
AROUND = 0.9
"""The share of directions in which a ring must be drawn."""
_DIRECTIONS = 32
_ANGLES = np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False)
_DISC, _GAP = (0.84, 0.9, 0.96, 1.0), (0.55, 0.62, 0.68, 0.74)
"""Where the ring is, and where the paper in it, in shares of its radius."""

Ring = tuple[int, int, int, int, bool]


def find_rings(scene: Scene, drafts: list[Draft]) -> list[Draft]:
    """Radio buttons that nobody drafted yet."""
    found: list[Draft] = []
    places = [(line, where) for line in scene.lines if count_letters(line.text) and (where := _before(scene, line))]
    wheres, papers = [where for _, where in places], [line.paper for line, _ in places]
    rings = scene.work.of_places("ring", scene.image, wheres, papers, _ring)
    for (line, where), ring in zip(places, rings, strict=True):
        if ring is None:
            continue
        x1, y1, x2, y2, is_on = ring
        box = Box(x1, y1, x2, y2).moved(where.x1, where.y1)
        if any(draft.box.intersection(box) for draft in [*drafts, *found] if draft.box.area <= 6 * box.area):
            continue
        draft = Draft("radio", box, 0.65, line.text, line.confidence, shape="circle", checked=is_on)
        draft.paper, draft.ink = line.paper, line.ink
        draft.metadata["label_from"] = "right"
        found.append(draft)
    return found


def _before(scene: Scene, line: Line) -> Box | None:
    """The place before a line where a mark would stand."""
    side = round(2.2 * scene.unit)
    middle = line.box.center[1]
    return Box(line.box.x1 - side, middle - side // 2, line.box.x1, middle + side // 2).clamped(
        scene.width, scene.height
    )


def _ring(paper: Colour, crop: Pixels) -> Ring | None:
    off = off_from(crop, paper).max(axis=2)
    drawn = (off > INKED).astype(np.uint8)
    if not drawn.any():
        return None
    _, stats = components(drawn)
    high, wide = drawn.shape
    large = [part for part in stats[1:].tolist() if min(part[2], part[3]) >= SMALLEST_PX]
    if len(large) != 1:
        return None
    x, y, w, h, _ = large[0]
    if abs(w - h) > 1 or x == 0 or y == 0 or x + w == wide or y + h == high:
        return None
    radius, across, down = (w + h) / 4 - 0.5, x + (w - 1) / 2, y + (h - 1) / 2

    def inked(shares: tuple[float, ...]) -> np.ndarray:
        """In which directions there is ink at each share of the radius."""
        reach = radius * np.array(shares)[:, None]
        columns, rows = np.rint(across + reach * np.cos(_ANGLES)), np.rint(down + reach * np.sin(_ANGLES))
        return np.asarray(drawn[rows.astype(int), columns.astype(int)] > 0)

    gaps = inked(_GAP).mean(axis=1)
    part, side = drawn[y : y + h, x : x + w], max(2, w // 6)
    corners = [part[rows, columns].any() for rows in _ends(side) for columns in _ends(side)]
    if inked(_DISC).any(axis=0).mean() < AROUND or gaps.min() > 1 - AROUND or any(corners):
        return None
    return x, y, x + w, y + h, bool(drawn[round(down), round(across)])


def _ends(size: int) -> tuple[slice, slice]:
    return slice(None, size), slice(-size, None)
