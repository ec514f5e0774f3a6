"""Does the picture show where something ends? A field is a frame, a line under it or a ground of its own.

A net takes what it often sees beside buttons for what usually stands there: a question in a dialog for a field to write
in. But nobody could tell where to write into mere words: where neither the upper nor the lower end of a place is seen,
it is no field. A rule that runs on beyond a place is another's: it parts the head of a list from its rows, or a bar
from the page. An empty field begins where its frame, its line or its ground does.
"""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.scene import Scene
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_CLOSE_PX = 3
SEEN = 3
"""Grey levels from one row to the next beyond which there is an edge; a pale field on a white page differs by 4."""
ALONG = 0.7
"""The share of a side that must show it: words have gaps."""
_BEYOND_UNITS = 4
"""So far an edge is followed beyond a place: a net's boxes end a little too early, and an icon may stand in a field."""


def shows_field(scene: Scene, box: Box) -> bool:
    """Whether an edge runs along the upper or the lower side of a box, or near it."""
    return any(_shows_rule(scene, box, y, _reach(scene)) for y in (box.y1, box.y2))


def shows_edge(scene: Scene, box: Box) -> bool:
    """Whether an edge runs along the upper or the lower side of a box itself."""
    return any(_shows_rule(scene, box, y, _CLOSE_PX) for y in (box.y1, box.y2))


def shows_own_edge(scene: Scene, box: Box) -> bool:
    """Whether an edge along the upper or the lower side of a box ends where it does, at the left and at the right."""
    return any(left and right for left, right in _own_ends(scene, box, _CLOSE_PX))


def shows_beginning(scene: Scene, box: Box) -> bool:
    """Whether it can be seen where at the left a place begins: an edge stands there, or one along it begins there."""
    reach = _reach(scene)
    off = box.height // 5
    band = Box(box.x1 - reach, box.y1 + off, box.x1 + reach + 1, box.y2 - off).clamped(scene.width, scene.height)
    if box.x1 <= reach or band is None or band.height < 2:
        return True
    upright = scene.work.of_place("upright", scene.image, band, None, lambda crop: _is_ruled(crop.swapaxes(0, 1)))
    return upright or any(left for left, _ in _own_ends(scene, box, reach))


def _own_ends(scene: Scene, box: Box, reach: int) -> list[tuple[bool, bool]]:
    """Of each edge along the upper or the lower side, whether it ends at the left, and at the right."""
    air = round(_BEYOND_UNITS * scene.unit)
    ends: list[tuple[bool, bool]] = []
    for y in (box.y1, box.y2):
        band = Box(box.x1 - air, y - reach, box.x2 + air, y + reach + 1).clamped(scene.width, scene.height)
        if band is None or band.height < 2:
            ends.append((True, True))
            continue
        cuts = (max(0, box.x1 - band.x1), min(band.width, box.x2 - band.x1))
        ends += scene.work.of_place("own rule", scene.image, band, cuts, partial(_ends_of_rules, cuts))
    return ends


def _ends_of_rules(cuts: tuple[int, int], crop: Pixels) -> list[tuple[bool, bool]]:
    seen = _steps(crop)
    before, along, behind = np.split(seen, cuts, axis=1)
    rules = np.flatnonzero(along.mean(axis=1) >= ALONG)
    return [(_stops(before[row]), _stops(behind[row])) for row in rules]


def _stops(beyond: NDArray[np.bool_]) -> bool:
    return not beyond.size or bool(beyond.mean() < ALONG)


def _reach(scene: Scene) -> int:
    return max(6, round(0.6 * scene.unit))


def _shows_rule(scene: Scene, box: Box, y: int, reach: int) -> bool:
    band = Box(box.x1, y - reach, box.x2, y + reach + 1).clamped(scene.width, scene.height)
    if band is None or band.height < 2:
        return True  # at the end of the screen nothing can be seen of it, and nothing is held against it
    return scene.work.of_place("rule", scene.image, band, None, _is_ruled)


def _is_ruled(crop: Pixels) -> bool:
    return bool((_steps(crop).mean(axis=1) >= ALONG).any())


def _steps(crop: Pixels) -> NDArray[np.bool_]:
    """Where one row differs from the next."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.absdiff(grey[1:], grey[:-1]) > SEEN)
