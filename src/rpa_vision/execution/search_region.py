"""The part of the screen that a target is looked for in, where it says so."""

from __future__ import annotations

import logging

from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_log = logging.getLogger(__name__)


def in_region(elements: tuple[UIElement, ...], search: Search) -> tuple[UIElement, ...]:
    """Where the target says in which part of the screen it lies, what is there; the part grows with the attempt."""
    if search.target.roi is None:
        return elements
    roi = Box.of(search.target.roi)
    grow_x, grow_y = (round(side * (search.profile.pad_mul - 1.0) / 2) for side in (roi.width, roi.height))
    wide = roi.padded(grow_x, grow_y)
    height, width = search.screen.pixels.shape[:2]
    part = wide.clamped(int(width), int(height))
    if part != wide:
        _log.info("the region %s reaches beyond the screen; searched is %s", wide.bbox, part and part.bbox)
    return tuple(element for element in elements if part is not None and part.contains(element.center))
