"""Whether something is drawn fainter than it was, while all around it is painted as it was: then it is disabled.

A disabled field keeps its words and its frame; its ground turns grey and its letters pale. No outline tells that, and
nothing may have been detected there, but both pictures show it: the same drawing, with less between its darkest and its
lightest. What holds another value, or was ticked, is another drawing. A button may also be painted anew, in dark
letters on grey: then its colour is what is gone.
"""

from __future__ import annotations

import cv2
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
_FAINTER, _MUCH_FAINTER = 0.85, 0.6
_SAME_DRAWING, _MUCH_THE_SAME = 0.95, 0.7
"""How well the levels of one picture follow those of the other where both show the same drawing; another name in the
same frame follows it less, and is not much fainter."""
_LEAST_SEEN = 20.0
_MIN_DRAWN = 6
_ALIGN_AROUND_PX, _ASTRAY_PX, _AS_GOOD = 40, 6, 1.0
"""A detected box is a few pixels off: where exactly a place went is told by what stands around it."""
_FAR_ENDS = 2
_GREY, _OTHER_GROUND = 12.0, 5.0
"""How far apart the channels of a grey are at most, and from which step on a ground is another."""
_COLOURED, _HARDLY = 8.0, 0.2
"""How far apart the channels of something in colour are on the mean, and which share of it is hardly any."""

_Part = NDArray[np.int16]


def is_paled(
    then: Pixels,
    box: Box,
    now: Pixels,
    dx: int,
    dy: int,
    *,
    is_field: bool = False,
    is_button: bool = False,
    may_change: bool = False,
) -> bool:
    """Whether what a box held is fainter where a shift puts it, more or less, and what is painted around it is not; of
    a field, also whether its ground became grey; of a button, whether its colours did. `may_change`: it may hold
    something else and still be the same."""
    return any(
        _is_paled_at(then, box, now, *shift, is_field=is_field, is_button=is_button, may_change=may_change)
        for shift in {(dx, dy), aligned(then, box, now, dx, dy)}
    )


def _is_paled_at(
    then: Pixels, box: Box, now: Pixels, dx: int, dy: int, *, is_field: bool, is_button: bool, may_change: bool
) -> bool:
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
    if is_button and _lost_its_colour(before[inside], after[inside], ground):
        return True
    was, seen = before[inside].mean(axis=2), after[inside].mean(axis=2)
    return _is_fainter(was, seen) or (not may_change and _is_weaker(was, seen))


def _is_fainter(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Whether the levels follow those of before, but rise and fall less."""
    from_ground, to_ground = before - before.mean(), after - after.mean()
    spread, spread_now = float(np.square(from_ground).mean()), float(np.square(to_ground).mean())
    drawn = int((np.abs(before - np.median(before)) >= _LEAST_SEEN).sum())
    if drawn < _MIN_DRAWN or spread <= 0.0 or spread_now <= 0.0:
        return False
    together = abs(float((from_ground * to_ground).mean()))  # or against them: white on blue turns grey on white
    follows, rises = together / float(np.sqrt(spread * spread_now)), together / spread
    if follows >= _SAME_DRAWING:
        return rises <= _FAINTER or _is_weaker(before, after)
    return follows >= _MUCH_THE_SAME and rises <= _MUCH_FAINTER


def _is_weaker(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Whether there is less between its darkest and its lightest, whatever is drawn."""
    was, seen = _strength(before), _strength(after)
    return was >= _LEAST_SEEN and seen <= _FAINTER * was


def aligned(then: Pixels, box: Box, now: Pixels, dx: int, dy: int) -> tuple[int, int]:
    """The shift, put right by what stands around the box."""
    part = _on_both(box.padded(_ALIGN_AROUND_PX), then, now, dx, dy)
    if part is None:
        return dx, dy
    wider = part.moved(dx, dy).padded(_ASTRAY_PX).clamped(int(now.shape[1]), int(now.shape[0]))
    if wider is None or wider.width < part.width or wider.height < part.height:
        return dx, dy
    look, place = (
        np.ascontiguousarray(pixels[at.y1 : at.y2, at.x1 : at.x2, :3]) for pixels, at in ((then, part), (now, wider))
    )
    around = np.ones(look.shape[:2], np.uint8)
    around[max(0, box.y1 - part.y1) : box.y2 - part.y1, max(0, box.x1 - part.x1) : box.x2 - part.x1] = 0
    if not around.any():
        return dx, dy
    off = cv2.matchTemplate(place, look, cv2.TM_SQDIFF, mask=cv2.merge([around] * 3))
    least, _, (x, y), _ = cv2.minMaxLoc(off)
    given = part.moved(dx, dy)
    if off[given.y1 - wider.y1, given.x1 - wider.x1] <= least + _AS_GOOD * int(around.sum()):
        return dx, dy  # around it all is flat: no shift is better than another
    return wider.x1 + int(x) - part.x1, wider.y1 + int(y) - part.y1


def _turned_grey(before: _Part, after: _Part) -> bool:
    was, seen = (np.median(part.reshape(-1, 3), axis=0) for part in (before, after))
    return float(np.ptp(seen)) <= _GREY and abs(float((was - seen).mean())) >= _OTHER_GROUND


def _lost_its_colour(before: _Part, after: _Part, page: NDArray[np.float64]) -> bool:
    """Whether what had a colour has none, on a grey that is neither the ground it had nor that of the page: letters on
    it may be as clear as they were. What only is no longer chosen is drawn on the ground of the page."""
    was, seen = (float(np.ptp(part, axis=2).mean()) for part in (before, after))
    ground = np.median(after.reshape(-1, 3), axis=0)
    is_on_the_page = float(np.abs(ground - page).max()) <= _GREY
    return was >= _COLOURED and seen <= _HARDLY * was and not is_on_the_page and _turned_grey(before, after)


def _on_both(part: Box, then: Pixels, now: Pixels, dx: int, dy: int) -> Box | None:
    """What of a part lies on the recorded picture and, shifted, on the other one."""
    first = part.clamped(int(then.shape[1]), int(then.shape[0]))
    second = first.moved(dx, dy).clamped(int(now.shape[1]), int(now.shape[0])) if first is not None else None
    return second.moved(-dx, -dy) if second is not None else None


def _strength(part: NDArray[np.float64]) -> float:
    """How far its darkest and its lightest are apart; single pixels do not count."""
    dark, light = np.percentile(part, [_FAR_ENDS, 100 - _FAR_ENDS])
    return float(light - dark)


def _part(pixels: Pixels, box: Box) -> _Part:
    return np.asarray(pixels[box.y1 : box.y2, box.x1 : box.x2, :3], np.int16)
