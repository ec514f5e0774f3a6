"""Where a screen tells the time: what changes there is nobody's doing."""

from __future__ import annotations

import re

from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.wording import folded

_TIME = re.compile(r"\d{1,2} ?[:h] ?\d{2}(?: ?: ?\d{2})?")
_MARGIN_PX = 3


def clocks(then: ScreenState, now: ScreenState) -> list[Box]:
    """The lines that say the same on both screens but for the time in them."""
    before = [(Box.of(line.bbox), folded(line.text)) for line in then.perception.text_lines]
    found = []
    for line in now.perception.text_lines:
        box, text = Box.of(line.bbox), folded(line.text)
        if not _TIME.search(text):
            continue
        for old, said in before:
            if _TIME.search(said) and old.intersection(box) is not None and _TIME.sub("", said) == _TIME.sub("", text):
                found.append(box.union(old).padded(_MARGIN_PX))
    return found
