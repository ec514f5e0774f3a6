"""What may be meant although no element was seen there: words that were read, and the place the landmarks point to."""

from __future__ import annotations

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, nearness, reach_of
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.execution.strategies.look import sightings
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.outlines import likeness, scaled_edges
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementType, UIElement

_TAKEN = 0.5
_FILLS = 0.2
_ALIKE = 0.55
_SHOWN = 0.4
_CONFIDENCE = 0.5


def proposed(search: Search) -> tuple[UIElement, ...]:
    """Elements to consider beside those that were detected."""
    if not search.label:
        found = _sightings(search) + _place(search)
    else:
        found = _words(search) + (_place(search) if search.target.type in NAMED_FROM_OUTSIDE else ())
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
        taken = [*fields, *(one for words, one in saying if words == said)]
        if not any(one.contains(box.center) for one in taken):
            found.append(_element("read", "label", "text", box, line.text, line.confidence))
    return tuple(found)


def _sightings(search: Search) -> tuple[UIElement, ...]:
    """Places that look like the recording, where no element of about that size was detected."""
    if search.target.type in NAMED_FROM_OUTSIDE:
        return ()
    kind = search.target.type or "icon"
    return tuple(
        _element("sighted", kind, search.target.role or "unknown", box, "", round(score, 4))
        for box, score in sightings(search)
        if score >= _ALIKE and not any(Box.of(one.bbox).overlap(box) >= _TAKEN for one in search.elements)
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
    role = search.target.role or "unknown"
    return (_element("expected", kind, role, place, search.label or "", _CONFIDENCE),)


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
