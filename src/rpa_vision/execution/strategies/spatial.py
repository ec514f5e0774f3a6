"""By what stands around it: each known neighbour says where the target must be."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import Neighbour
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded

NAME = "spatial_anchor"
_NEAR_PX = 60.0


def judge(search: Search) -> Verdicts | None:
    """Score every element by how near it is to where its neighbours say; None when no neighbour is on the screen."""
    scale = search.sky.fit.scale if search.sky is not None else 1.0
    predictions = predicted_points(search.target.neighbours, search.elements, scale)
    if not predictions:
        return None
    reach = _NEAR_PX * search.profile.pad_mul * search.pixel_scale
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        nearness = [_nearness(Box.of(element.bbox), points, reach) for points in predictions]
        score = sum(nearness) / len(nearness)
        verdicts[element.element_id] = Evidence(score, f"lies where {len(predictions)} neighbours say ({score:.2f})")
    return verdicts


def predicted_points(
    neighbours: Sequence[Neighbour], elements: Sequence[UIElement], scale: float = 1.0
) -> list[list[Point]]:
    """For each neighbour that is on the screen, the points at which it expects the target, at the screen's scale."""
    predictions: list[list[Point]] = []
    for neighbour in neighbours:
        wanted = folded(neighbour.label)
        places = [element.center for element in elements if folded(element.label) == wanted]
        if places:
            dx, dy = (round(scale * step) for step in neighbour.offset)
            predictions.append([(x + dx, y + dy) for x, y in places])
    return predictions


def _nearness(box: Box, points: Sequence[Point], reach: float) -> float:
    """1 where a point is the centre, falling to 0 at the reach."""
    distance = min(hypot(box.center[0] - x, box.center[1] - y) for x, y in points)
    return max(0.0, 1.0 - distance / reach)
