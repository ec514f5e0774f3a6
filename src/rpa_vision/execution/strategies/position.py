"""By where it was on the screen, as a share of its width and height. Weak: it may confirm, and never tells two apart.

It is heard where a workflow says so (`fallback_strategy: position`); whoever wins must lead without it.
"""

from __future__ import annotations

from math import hypot

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts

NAME = "approximate_position"
_REACH = 0.25


def judge(search: Search) -> Verdicts | None:
    """Score every element by how near it is to the recorded share of the screen; None where that must not count."""
    place = search.target.place
    if place is None or search.target.fallback_strategy != "position":
        return None
    height, width = search.screen.pixels.shape[:2]
    then_width, then_height = place.screen_resolution
    x, y = (place.bbox[0] + place.bbox[2]) / 2 / then_width, (place.bbox[1] + place.bbox[3]) / 2 / then_height
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        distance = hypot(element.center[0] / width - x, element.center[1] / height - y)
        score = max(0.0, 1.0 - distance / _REACH)
        verdicts[element.element_id] = Evidence(score, f"is about where it was ({score:.2f})")
    return verdicts
