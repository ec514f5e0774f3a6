"""Where a screen tells the time: what changes there is nobody's doing."""

from __future__ import annotations

import re

from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.wording import folded

TIME = r"(\d{1,2}) ?[:h] ?(\d{2})(?: ?: ?(\d{2}))?"
"""A time of day, of text without case and accents."""
_TIME = re.compile(TIME)
_MARGIN_PX = 3
_MINUTE_S = 60.0
_DAY_S = 86_400.0


def clocks(then: ScreenState, now: ScreenState) -> list[Box]:
    """The lines that say the same on both screens but for a time that went on as long as it took from one to the other.
    An appointment that was put off is no clock."""
    passed_s = abs((now.timestamp - then.timestamp).total_seconds())
    before = [(Box.of(line.bbox), folded(line.text)) for line in then.perception.text_lines]
    found = []
    for line in now.perception.text_lines:
        box, text = Box.of(line.bbox), folded(line.text)
        for old, said in before:
            if old.intersection(box) is not None and _went_on(said, text, passed_s):
                found.append(box.union(old).padded(_MARGIN_PX))
    return found


def _went_on(said: str, text: str, passed_s: float) -> bool:
    was, now = _TIME.search(said), _TIME.search(text)
    if was is None or now is None or _TIME.sub("", said) != _TIME.sub("", text):
        return False
    return (_seconds(now) - _seconds(was)) % _DAY_S <= passed_s + _MINUTE_S


def _seconds(time: re.Match[str]) -> float:
    hours, minutes, seconds = (float(part or 0) for part in time.groups())
    return 3600.0 * hours + 60.0 * minutes + seconds
