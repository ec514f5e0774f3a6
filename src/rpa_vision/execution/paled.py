"""Whether something is drawn fainter than it was, while all around it is painted as it was: then it is disabled.

A disabled field keeps its words and its frame; its ground turns grey and its letters pale. No outline tells that, and
nothing may have been detected there, but both pictures show it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_AROUND_PX = 260
_RIM_PX = 3
_SAME_LEVELS = 8
_INK_LEVELS = 24
_MIN_INK = 120
_SAME_SHARE = 0.8
_FAINTER = 0.85
_LEAST_SEEN = 20.0
_FAR_ENDS = 2
_GREY, _OTHER_GROUND = 12.0, 5.0
"""How far apart the channels of a grey are at most, and from which step on a ground is another."""

_Part = NDArray[np.int16]


def is_paled(then: Pixels, box: Box, now: Pixels, dx: int, dy: int, *, is_field: bool = False) -> bool:
    """Whether what a box held is fainter where a shift puts it, and what is painted around it is not; of a field, also
    whether its ground became grey."""
    context = _on_both(box.padded(_AROUND_PX), then, now, dx, dy)
    if context is None or not context.encloses(box):
        return False
    before, after = _part(then, context), _part(now, context.moved(dx, dy))
    rim = box.padded(_RIM_PX)
    around = np.ones(before.shape[:2], np.bool_)
    around[max(0, rim.y1 - context.y1) : rim.y2 - context.y1, max(0, rim.x1 - context.x1) : rim.x2 - context.x1] = False
    ground = np.median(before.reshape(-1, 3), axis=0)
    ink = around & (np.abs(before - ground).max(axis=2) > _INK_LEVELS)
    same = np.abs(before - after).max(axis=2) <= _SAME_LEVELS
    if int(ink.sum()) < _MIN_INK or min(float(same[ink].mean()), float(same[around].mean())) < _SAME_SHARE:
        return False
    inside = (slice(box.y1 - context.y1, box.y2 - context.y1), slice(box.x1 - context.x1, box.x2 - context.x1))
    if is_field and _turned_grey(before[inside], after[inside]):
        return True
    was, seen = _strength(before[inside]), _strength(after[inside])
    return was >= _LEAST_SEEN and seen <= _FAINTER * was


def _turned_grey(before: _Part, after: _Part) -> bool:
    was, seen = (np.median(part.reshape(-1, 3), axis=0) for part in (before, after))
    return float(np.ptp(seen)) <= _GREY and abs(float((was - seen).mean())) >= _OTHER_GROUND


def _on_both(part: Box, then: Pixels, now: Pixels, dx: int, dy: int) -> Box | None:
    """What of a part lies on the recorded picture and, shifted, on the other one."""
    first = part.clamped(int(then.shape[1]), int(then.shape[0]))
    second = first.moved(dx, dy).clamped(int(now.shape[1]), int(now.shape[0])) if first is not None else None
    return second.moved(-dx, -dy) if second is not None else None


def _strength(part: _Part) -> float:
    """How far its darkest and its lightest are apart; single pixels do not count."""
    dark, light = np.percentile(part.mean(axis=2), [_FAR_ENDS, 100 - _FAR_ENDS])
    return float(light - dark)


def _part(pixels: Pixels, box: Box) -> _Part:
    return np.asarray(pixels[box.y1 : box.y2, box.x1 : box.x2, :3], np.int16)
