"""Pictures by their outlines: the same for dark on light and light on dark, and whatever the colours.

The grey values are turned into their slopes, across and down. Where dark and light change places, all slopes change
their sign, so it is the size of the correlation that counts. What is looked for all over a screen is looked for at half
the size first; what looks promising is looked at again in full.
"""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_MARGIN_PX = 6
_MAX_SIDE_PX = 260
_MIN_SIDE_PX = 6
_NOTHING = 6.0
_MAX_PLACES = 6
_PROMISING = 0.4

Edges = NDArray[np.float32]


def scaled_edges(look: Pixels, scale: float) -> Edges | None:
    """The edges of the recorded picture at a scale; None where there is nothing to see, or too much."""
    height, width = round(look.shape[0] * scale), round(look.shape[1] * scale)
    if min(height, width) < _MIN_SIDE_PX or max(height, width) > _MAX_SIDE_PX * 2:
        return None
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    grey = cv2.cvtColor(np.ascontiguousarray(look[:, :, :3]), cv2.COLOR_BGR2GRAY)
    found = edges_of(cv2.resize(grey, (width, height), interpolation=how))
    return found if float(found.std()) > _NOTHING else None


def likeness(screen: Pixels, box: Box, picture: Edges, pixel_scale: float = 1.0) -> float:
    """How well the edges fit somewhere in and around a box, from 0 to 1."""
    height, width = picture.shape[:2]
    margin = round(_MARGIN_PX * pixel_scale)
    x, y = box.center
    part = Box(
        min(box.x1, x - width // 2) - margin, min(box.y1, y - height // 2) - margin,
        max(box.x2, x + width // 2) + margin, max(box.y2, y + height // 2) + margin,
    ).clamped(int(screen.shape[1]), int(screen.shape[0]))  # fmt: skip
    if part is None or part.width < width or part.height < height:
        return 0.0
    region = np.ascontiguousarray(screen[part.y1 : part.y2, part.x1 : part.x2, :3])
    return min(1.0, float(_correlation(edges_of(cv2.cvtColor(region, cv2.COLOR_BGR2GRAY)), picture).max()))


def edges_of(grey: MatLike) -> Edges:
    """The slopes of the grey values, across and down."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(np.dstack((across, down)), np.float32)


def _correlation(part: Edges, picture: Edges) -> NDArray[np.float32]:
    """How well the picture fits at each place. Its rim is left out: the slopes there would need what lay around it."""
    inner = np.ascontiguousarray(picture[1:-1, 1:-1])
    found = cv2.matchTemplate(np.ascontiguousarray(part[1:-1, 1:-1]), inner, cv2.TM_CCOEFF_NORMED)
    return np.asarray(np.abs(np.nan_to_num(found, posinf=0.0, neginf=0.0)), np.float32)


def places_like(screen: Pixels, look: Pixels, scale: float) -> list[tuple[Box, float]]:
    """Places anywhere on a screen that have the outlines of a picture, the best first."""
    picture, small = scaled_edges(look, scale), scaled_edges(look, scale / 2)
    height, width = int(screen.shape[0]), int(screen.shape[1])
    if picture is None or small is None or max(picture.shape[:2]) > _MAX_SIDE_PX:
        return []
    grey = cv2.cvtColor(np.ascontiguousarray(screen[:, :, :3]), cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    if half.shape[0] < small.shape[0] or half.shape[1] < small.shape[1]:
        return []
    found = _correlation(edges_of(half), small)
    places = []
    for _ in range(_MAX_PLACES):
        _, score, _, (x, y) = cv2.minMaxLoc(found)
        if score < _PROMISING:
            break
        down, across = max(1, small.shape[0] // 2), max(1, small.shape[1] // 2)
        found[max(0, y - down) : y + down + 1, max(0, x - across) : x + across + 1] = 0.0
        box = Box(2 * x, 2 * y, 2 * x + picture.shape[1], 2 * y + picture.shape[0]).clamped(width, height)
        if box is not None:
            places.append((box, likeness(screen, box, picture)))
    return sorted(places, key=lambda place: -place[1])
