"""By what it looked like: the recorded picture of the target, searched in and around each candidate."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

NAME = "anchor_template"
_MARGIN_PX = 12
_FLAT_STD = 2.0
_SIZE_FACTOR = 2.5


def judge(search: Search) -> Verdicts | None:
    """Score every element of about the right size; None when there is no picture, or one that shows nothing."""
    if search.look is None or not _shows_something(search.look):
        return None
    width = search.look.shape[1]
    margin = round(_MARGIN_PX * search.profile.pad_mul * search.pixel_scale)
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        box = Box.of(element.bbox)
        if not (width / _SIZE_FACTOR <= box.width <= width * _SIZE_FACTOR):
            continue
        score = _best_match(search.screen.pixels, box, search.look, margin)
        if score is not None:
            verdicts[element.element_id] = Evidence(score, f"looks like the recording ({score:.2f})")
    return verdicts


def _best_match(screen: Pixels, box: Box, look: Pixels, margin: int) -> float | None:
    height, width = look.shape[:2]
    grow_x, grow_y = max(0, width - box.width) // 2 + margin, max(0, height - box.height) // 2 + margin
    part = box.padded(grow_x, grow_y).clamped(int(screen.shape[1]), int(screen.shape[0]))
    if part is None or part.width < width or part.height < height:
        return None
    region = np.ascontiguousarray(screen[part.y1 : part.y2, part.x1 : part.x2, :3])
    found = cv2.matchTemplate(region, np.ascontiguousarray(look[:, :, :3]), cv2.TM_CCOEFF_NORMED)
    own = found[_about(box.y1, box.y2, part.y1, height), _about(box.x1, box.x2, part.x1, width)]
    return float(np.clip(np.nan_to_num(own).max(), 0.0, 1.0)) if own.size else None


def _about(first: int, last: int, start: int, length: int) -> slice:
    """Where the picture may begin so that its middle lies in the element: what lies beside it is something else."""
    middle = start + length // 2
    return slice(max(0, first - middle), max(0, last - middle))


def _shows_something(look: Pixels) -> bool:
    """A uniform patch correlates with everything."""
    return float(look[:, :, :3].std()) > _FLAT_STD
