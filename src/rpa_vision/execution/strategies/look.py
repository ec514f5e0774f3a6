"""By its outlines: the recorded picture at the right scale, compared by edges, so that colours do not matter.

Small pictures (an icon in a bar) say much by this; large empty ones (a field) say little.
"""

from __future__ import annotations

from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.outlines import Edges, likeness, places_like, scaled_edges
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

NAME = "element_look"
SMALLEST, LARGEST = 0.5, 2.2
"""The scales at which a picture is looked for where no landmarks tell."""
_SIZE_FACTOR = 1.8
_SAME_SHAPE = 1.25
_NEAR = 0.3


def judge(search: Search) -> Verdicts | None:
    """Score the elements that are of about the right size; None when there is no picture, or one that shows nothing."""
    if search.look is None or scaled_edges(search.look, 1.0) is None:
        return None
    height, width = search.look.shape[:2]
    kept: dict[float, Edges | None] = {}
    verdicts: dict[str, Evidence] = {}
    for element in worth_a_look(search):
        box = Box.of(element.bbox)
        scale = search.sky.fit.scale if search.sky is not None else _own_scale(box, width, height)
        if scale is None:
            continue
        scale = round(scale, 2)
        if scale not in kept:
            kept[scale] = scaled_edges(search.look, scale)
        picture = kept[scale]
        if picture is None or not _of_size(box, picture):
            continue
        score = likeness(search.screen.pixels, box, picture, search.pixel_scale)
        verdicts[element.element_id] = Evidence(score, f"has the outlines of the recording ({score:.2f})")
    return verdicts


def worth_a_look(search: Search) -> list[UIElement]:
    """What may be meant at all by its words or its place: pictures cost time."""
    if search.label:
        wanted = letters(search.label)
        return [one for one in search.elements if one.label and _may_say(letters(one.label), wanted)]
    if search.sky is None:
        return list(search.elements)
    reach = 2 * constellation.reach_of(search)
    places = [box for box in (search.sky.expected, constellation.place_from_the_right(search)) if box is not None]
    return [
        one
        for one in search.elements
        if one.element_id.startswith("sighted")
        or any(constellation.nearness(Box.of(one.bbox), place, reach) > _NEAR for place in places)
    ]


def sightings(search: Search) -> list[tuple[Box, float]]:
    """Places anywhere on the screen that have the outlines of the recording, the best first."""
    if search.look is None:
        return []
    scale = search.sky.fit.scale if search.sky is not None else 1.0
    return places_like(search.screen.pixels, search.look, scale)


def _may_say(said: str, wanted: str) -> bool:
    return said == wanted or abs(len(said) - len(wanted)) <= 1 or same_meaning(said, wanted)


def _own_scale(box: Box, width: int, height: int) -> float | None:
    """The scale at which the recorded picture would be of this size; None where it has another shape."""
    across, down = box.width / width, box.height / height
    if not (SMALLEST <= down <= LARGEST and 1 / _SAME_SHAPE <= across / down <= _SAME_SHAPE):
        return None
    return 1.0 if abs(down - 1.0) <= 0.08 else float((across * down) ** 0.5)


def _of_size(box: Box, picture: Edges) -> bool:
    height, width = picture.shape[:2]
    return bool(
        width / _SIZE_FACTOR - 8 <= box.width <= width * _SIZE_FACTOR + 8
        and height / _SIZE_FACTOR - 8 <= box.height <= height * _SIZE_FACTOR + 8
    )
