"""Steps that did nothing: looking about, a click that went beside everything.

What a person points at next often glows before it is clicked. After a click on nothing such a glow is all there is to
be seen: small, somewhere else, and the words are what they were. A tick is as small, and is what was done.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.vocabulary import letters, words_of
from rpa_vision.imaging.diff import plainly_changed_share
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point

_CARET_SHARE: Final = 3e-5
_GLOW_SHARE: Final = 1e-3
_SWITCHES: Final = ("checkbox", "radio", "toggle", "slider")
_REACH_PX: Final = 24
"""What a click does to a control nobody recognised shows this near to it."""


def is_idle(step: DemoStep) -> bool:
    """A step that changed nothing, or only what is in view."""
    if step.kind == "scroll":
        return True
    after = step.settled or step.after
    if after is None or step.kind in ("text_input", "window_switch"):
        return False
    if after.size != step.before.size:
        return False
    changed = plainly_changed_share(step.before.pixels, after.pixels)
    if changed > _GLOW_SHARE or _ticked(step.before) != _ticked(after) or _was_switched(step, after):
        return False
    return changed <= _CARET_SHARE or _went_beside(step, after)


def _was_switched(step: DemoStep, after: ObservedScreen) -> bool:
    """Whether a click changed the box, the knob or the dot it went to. On a large screen it is smaller than a caret."""
    if step.kind != "mouse_click" or step.element is None or step.element.type not in _SWITCHES:
        return False
    box = Box.of(step.element.bbox)
    return plainly_changed_share(_part(step.before.pixels, box), _part(after.pixels, box)) > 0.0


def _ticked(screen: ObservedScreen) -> Counter[str]:
    """What is on, by its name."""
    return Counter(letters(one.label) for one in screen.state.ui_elements if one.state and one.state.checked)


def _went_beside(step: DemoStep, after: ObservedScreen) -> bool:
    """Whether a click met nothing, changed nothing where it went, and no words anywhere."""
    if step.kind != "mouse_click" or step.element is not None or step.point is None:
        return False
    here, then = _around(step.before.pixels, step.point), _around(after.pixels, step.point)
    return plainly_changed_share(here, then) == 0.0 and _say_the_same(step.before, after)


def _around(pixels: Pixels, point: Point) -> Pixels:
    x, y = point
    return _part(pixels, Box(x - _REACH_PX, y - _REACH_PX, x + _REACH_PX, y + _REACH_PX))


def _part(pixels: Pixels, box: Box) -> Pixels:
    part = box.clamped(int(pixels.shape[1]), int(pixels.shape[0]))
    if part is None:
        return pixels
    return np.ascontiguousarray(pixels[part.y1 : part.y2, part.x1 : part.x2])


def _say_the_same(one: ObservedScreen, other: ObservedScreen) -> bool:
    """In whatever order: a line that is underlined reaches lower, and is read after its neighbours."""
    return Counter(map(letters, words_of(one.state))) == Counter(map(letters, words_of(other.state)))
