"""What may be meant although no element was seen there: words that were read, and the place the landmarks point to."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, nearness, reach_of
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.execution.strategies.look import sightings, worth_a_look
from rpa_vision.execution.strategies.role import related
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.outlines import Edges, edges_of, likeness, scaled_edges
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementType, UIElement

_TAKEN = 0.5
_FILLS = 0.2
_ALIKE = 0.55
_SHOWN = 0.4
_EACH_WAY, _RIM_PX = 1 / 3, 6
"""How much of the share they had outlines of either direction keep at least, and how far off the place may be."""
_CONFIDENCE = 0.5
_FLUSH = 0.3
_AS_HIGH = 0.35
_BESIDE = 6.0
_NEAR_NAME = 0.5
_GROWN = (0.5, 2.5)
"""In heights of a line: how far the name of something may be from it, and how exactly it must stand there."""


def proposed(search: Search) -> tuple[UIElement, ...]:
    """Elements to consider beside those that were detected."""
    if not search.label:
        found = _sightings(search) + _place(search)
    else:
        found = _words(search) + _broken_words(search)
        if search.target.type in NAMED_FROM_OUTSIDE:
            found += _beside_its_name(search) or _place(search)
    front = front_of(search.screen.state.ui_elements)
    return tuple(one if front is None or front.contains(one.center) else _behind(one) for one in found)


def _behind(element: UIElement) -> UIElement:
    """A dialog lies before it, as before what was detected there."""
    return element.model_copy(update={"metadata": {**element.metadata, "behind_dialog": True}})


def _words(search: Search) -> tuple[UIElement, ...]:
    """Lines that say what is looked for, where no element says it; with healing also in other words. What a field holds
    was written into it."""
    label = search.label or ""
    wanted, heals = letters(label), search.profile.expand_roles and not search.label_is_exact
    fields = [Box.of(one.bbox) for one in search.elements if one.type in FIELD_TYPES]
    saying = [(letters(one.label), Box.of(one.bbox)) for one in search.elements if letters(one.label)]
    found = []
    for line in search.screen.state.perception.text_lines:
        box, said = Box.of(line.bbox), letters(line.text)
        if said != wanted and not (heals and same_meaning(line.text, label)):
            continue
        taken = [*fields, *(one for words, one in saying if words == said or _was_more(words, said, search))]
        if not any(one.contains(box.center) for one in taken):
            found.append(_element("read", "label", "text", box, line.text, line.confidence))
    return tuple(found)


def _was_more(words: str, said: str, search: Search) -> bool:
    """It said these words and more on the recorded screen already: « Brouillons 3 » was never « Brouillons »."""
    return search.sky is not None and words != said and words.startswith(said) and words in search.sky.known


def _broken_words(search: Search) -> tuple[UIElement, ...]:
    """Two lines that together say what is looked for, one right below the other, where a control became too narrow for
    its words. Where a third line stands as closely above or below, they may say more than that."""
    wanted = letters(search.label or "")
    lines = [(letters(line.text), Box.of(line.bbox), line) for line in search.screen.state.perception.text_lines]
    begun = [one for one in lines if one[0] and len(one[0]) < len(wanted) and wanted.startswith(one[0])]
    found = []
    for said, box, line in begun:
        for rest, below, other in lines:
            if said + rest != wanted or not follows(box, below):
                continue
            if not any(follows(below, third) or follows(third, box) for _, third, _ in lines):
                sure = min(line.confidence, other.confidence)
                found.append(_element("broken", "label", "text", box.union(below), search.label or "", sure))
    return tuple(found)


def follows(line: Box, other: Box) -> bool:
    """The other is the next line of the same text: as high, right below, flush with it or below its middle."""
    flush = min(abs(line.x1 - other.x1), abs(line.center[0] - other.center[0])) <= _FLUSH * line.height
    apart = other.y1 - line.y2
    return flush and abs(line.height - other.height) <= _AS_HIGH * line.height and abs(apart) <= _FLUSH * line.height


def _beside_its_name(search: Search) -> tuple[UIElement, ...]:
    """Something of the kind that has no name, where it stood beside the only text of that name: as far from it, and on
    the same side, as the letters have grown."""
    recorded, wanted = search.target.place, letters(search.label or "")
    names = [Box.of(one.bbox) for one in search.target.landmarks if letters(one.label) == wanted]
    lines = [Box.of(one.bbox) for one in search.screen.state.perception.text_lines if letters(one.text) == wanted]
    if recorded is None or len(names) != 1 or len(lines) != 1:
        return ()
    (then,), (now,) = names, lines
    place, growth = Box.of(recorded.bbox), now.height / max(1, then.height)
    dx, dy = place.x1 - then.x1, place.center[1] - then.center[1]
    if abs(dx) > _BESIDE * then.height or not _GROWN[0] <= growth <= _GROWN[1]:
        return ()
    reach = _NEAR_NAME * now.height
    return tuple(
        _element("beside", one.type, one.role, Box.of(one.bbox), search.label or "", one.confidence)
        for one in search.elements
        if related(one.type, search.target.type or "")
        and not one.label
        and abs(one.bbox[0] - now.x1 - growth * dx) <= reach
        and abs(one.center[1] - now.center[1] - growth * dy) <= reach
    )


def _sightings(search: Search) -> tuple[UIElement, ...]:
    """Places that look like the recording, where no element of about that size is looked at anyway."""
    if search.target.type in NAMED_FROM_OUTSIDE:
        return ()
    kind = search.target.type or "icon"
    looked_at = [Box.of(one.bbox) for one in worth_a_look(search)]
    return tuple(
        _element("sighted", kind, search.target.role or "unknown", box, "", round(score, 4))
        for box, score in sightings(search)
        if score >= _ALIKE and not any(one.overlap(box) >= _TAKEN for one in looked_at)
    )


def _place(search: Search) -> tuple[UIElement, ...]:
    """The place itself, where the landmarks are sure of it and nothing of the kind was detected there.

    What is named from outside, a field or a box to tick, has its name only if that stands where it stood.
    """
    sky = search.sky
    if sky is None or not sky.is_sure:
        return ()
    height, width = search.screen.pixels.shape[:2]
    place = sky.expected.clamped(int(width), int(height))
    if place is None or place != sky.expected:
        return ()
    kind, reach = search.target.type or "icon", reach_of(search)
    there = [one for one in search.elements if nearness(Box.of(one.bbox), place, reach) >= _TAKEN]
    if any(one.type == kind or (not search.label and Box.of(one.bbox).overlap(place) >= _FILLS) for one in there):
        return ()
    if search.label and not _name_is_beside(search, place):
        return ()
    picture = scaled_edges(search.look, sky.fit.scale) if search.look is not None else None
    if picture is None or likeness(search.screen.pixels, place, picture) < _SHOWN:
        return ()  # nothing like it is painted there
    if not _is_outlined_both_ways(search, place, picture):
        return ()
    role = search.target.role or "unknown"
    return (_element("expected", kind, role, place, search.label or "", _CONFIDENCE),)


def _is_outlined_both_ways(search: Search, place: Box, picture: Edges) -> bool:
    """Whether outlines run up and down as well as across, as they did: the line between two rows, or that below a bar,
    is as like the upper edge of a frame as any, and runs through where nothing is left."""
    height, width = search.screen.pixels.shape[:2]
    part = place.padded(_RIM_PX).clamped(int(width), int(height))
    if part is None:
        return False
    region = np.ascontiguousarray(search.screen.pixels[part.y1 : part.y2, part.x1 : part.x2, :3])
    was, seen = (
        np.abs(edges).sum(axis=(0, 1)) for edges in (picture, edges_of(cv2.cvtColor(region, cv2.COLOR_BGR2GRAY)))
    )
    return bool(np.all(seen / seen.sum() >= _EACH_WAY * was / was.sum())) if seen.sum() > 0 else False


def _name_is_beside(search: Search, place: Box) -> bool:
    """Whether the name stands where it stood beside the target."""
    sky, recorded = search.sky, search.target.place
    assert sky is not None
    assert recorded is not None
    wanted, reach = letters(search.label or ""), reach_of(search)
    names = [Box.of(one.bbox) for one in search.target.landmarks if letters(one.label) == wanted]
    then = min(names, key=lambda box: _distance(box, Box.of(recorded.bbox)), default=None)
    if then is None:
        return False
    now = [Box.of(one.bbox) for one in search.elements if letters(one.label) == wanted]
    return any(nearness(box, sky.fit.box(then), reach) >= _TAKEN for box in now)


def _distance(one: Box, other: Box) -> float:
    return float(abs(one.center[0] - other.center[0]) + abs(one.center[1] - other.center[1]))


def _element(name: str, kind: ElementType, role: str, box: Box, label: str, confidence: float) -> UIElement:
    return UIElement(
        element_id=f"{name}_{box.x1}_{box.y1}",
        type=kind,
        role=role,
        bbox=box.bbox,
        center=box.center,
        label=label,
        label_confidence=confidence if label else 0.0,
        confidence=confidence,
    )
