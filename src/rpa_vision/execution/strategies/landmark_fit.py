"""Where a recorded place is now: a scale and a shift that take the landmarks of the recorded screen to those seen.

Zoom, density, another window size, a scrolled or moved page: things near each other move together, though not always
as the rest of the page does. So every pair of landmarks proposes a scale and a shift, the near ones of the target have
the most to say, and the proposal most of them agree with is taken and refined. What does not agree counts too: where
the nearest landmarks disagree, something came or went between them, and the place is not known for sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import Box

NEAREST = 18
"""So many landmarks have a say: the nearest ones."""
_MIN_SCALE, _MAX_SCALE = 0.4, 2.6
_TOLERANCE_PX = 5.0
_DRIFT = 0.02
"""How much farther a landmark may be off for each pixel it is away from the target: letters grow unevenly."""
_REACH_PX = 160.0
_APART_PX = 24.0
_STRAIGHT_SCALE_BONUS = 1e-3

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Match:
    """A landmark as it was recorded and as it is seen. `left` says that its left edge is what stays, not its middle."""

    then: Box
    now: Box
    left: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """x' = scale · x + shift, and how far it may be trusted."""

    scale: float
    dx: float
    dy: float
    agreeing: int
    """How many landmarks agree."""
    agreement: float
    """How much of what the near landmarks say agrees, from 0 to 1."""

    def box(self, recorded: Box) -> Box:
        """Where a recorded box is now."""
        x1, y1 = self.scale * recorded.x1 + self.dx, self.scale * recorded.y1 + self.dy
        width, height = self.scale * recorded.width, self.scale * recorded.height
        left, top = round(x1), round(y1)
        return Box(left, top, left + max(1, round(width)), top + max(1, round(height)))


def fit_landmarks(target: Box, matches: Sequence[Match], usual_scale: float) -> Fit | None:
    """The scale and shift around a recorded target; None where too little agrees.

    `usual_scale` is the growth of the letters over the whole screen: what a lone pair would go by.
    """
    if not matches:
        return None
    middle = np.array(target.center, float)
    then = np.array([_point(match.then, match.left) for match in matches], float)
    now = np.array([_point(match.now, match.left) for match in matches], float)
    away = np.linalg.norm(then - middle, axis=1)
    nearest = np.argsort(away, kind="stable")[:NEAREST]
    then, now, away = then[nearest], now[nearest], away[nearest]
    say = 1.0 / (1.0 + away / _REACH_PX)
    allowed = _TOLERANCE_PX * max(1.0, usual_scale) + _DRIFT * away
    scales, shifts = _proposals(then, now, usual_scale)
    error = np.linalg.norm(scales[:, None, None] * then[None] + shifts[:, None] - now[None], axis=2)
    agrees = error <= allowed[None]
    worth = (agrees * say[None] * (1.0 - 0.5 * error / allowed[None])).sum(axis=1)
    worth -= _STRAIGHT_SCALE_BONUS * np.abs(np.log(scales / usual_scale))
    best = int(np.argmax(worth))
    inliers = agrees[best]
    scale, shift = _refined(then[inliers], now[inliers], say[inliers], float(scales[best]))
    error = np.linalg.norm(scale * then + shift - now, axis=1)
    inliers = error <= 1.5 * allowed
    return Fit(
        scale=scale,
        dx=float(shift[0]),
        dy=float(shift[1]),
        agreeing=int(inliers.sum()),
        agreement=float(say[inliers].sum() / say.sum()),
    )


def letters_growth(matches: Sequence[Match]) -> float:
    """By how much the letters grew: the usual ratio of the heights of texts."""
    ratios = [match.now.height / max(1, match.then.height) for match in matches if match.left]
    ratios = ratios or [match.now.height / max(1, match.then.height) for match in matches]
    return float(np.clip(np.median(ratios), _MIN_SCALE, _MAX_SCALE)) if ratios else 1.0


def _point(box: Box, left: bool) -> tuple[float, float]:
    return (float(box.x1) if left else (box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2)


def _proposals(then: Array, now: Array, usual_scale: float) -> tuple[Array, Array]:
    """A scale and a shift from every pair that is far enough apart, and from each landmark alone at the usual scale."""
    scales, shifts = [], []
    for index in range(len(then)):
        for scale in dict.fromkeys((usual_scale, 1.0)):
            scales.append(scale)
            shifts.append(now[index] - scale * then[index])
    one, other = np.triu_indices(len(then), k=1)
    before = np.linalg.norm(then[one] - then[other], axis=1)
    after = np.linalg.norm(now[one] - now[other], axis=1)
    far = (before >= _APART_PX) & (after > 0)
    ratio = after[far] / before[far]
    sane = (ratio >= _MIN_SCALE) & (ratio <= _MAX_SCALE)
    pair_scales = ratio[sane]
    pair_shifts = now[one[far][sane]] - pair_scales[:, None] * then[one[far][sane]]
    return np.concatenate([scales, pair_scales]), np.concatenate([np.array(shifts), pair_shifts])


def _refined(then: Array, now: Array, say: Array, scale: float) -> tuple[float, Array]:
    """The best scale and shift for those that agree, by weighted least squares."""
    if len(then) >= 2:
        middle_then = np.average(then, axis=0, weights=say)
        middle_now = np.average(now, axis=0, weights=say)
        spread = (say[:, None] * (then - middle_then) ** 2).sum()
        if spread > say.sum() * _APART_PX**2:
            common = (say[:, None] * (then - middle_then) * (now - middle_now)).sum()
            scale = float(np.clip(common / spread, _MIN_SCALE, _MAX_SCALE))
        return scale, middle_now - scale * middle_then
    return scale, now[0] - scale * then[0]
