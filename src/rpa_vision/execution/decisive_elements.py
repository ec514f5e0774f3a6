"""Which elements may be meant at all, before anything is weighed.

A target with words is among those that say them. One without words is where the landmarks say, or is the only one that
looks like it; a field or a box to tick, whose look changes, is of the right kind in the right place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpa_vision.execution.moved_and_renamed import only_one_that_means_it, place_in_sight
from rpa_vision.execution.strategies import anchor_template, constellation, role, spatial, text
from rpa_vision.execution.strategies import look as element_look
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, nearness
from rpa_vision.execution.strategies.evidence import Search, Verdicts
from rpa_vision.execution.surroundings import surroundings_known
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement

Opinion = tuple[str, float, Verdicts]
"""A strategy's name, its weight and what it says."""

_AT_PLACE = 0.5
_LOOKS_ALIKE = 0.6
_LOOKS_THE_SAME = 0.85
_LOOKS_IDENTICAL = 0.95
_LOOKS_OTHER = 0.15
_LOOKS_LIKE_NOTHING_ELSE = 0.72
_CLEARLY = 0.15
_BESIDE_PX = 160
_VERY_PICTURE = 0.97


def decisive(search: Search, by_name: Mapping[str, Verdicts]) -> set[str]:
    """Which elements may be meant at all: those that say the right thing, or, for a target without words, look or
    stand right."""
    if search.label:
        return set(by_name.get(text.NAME, {}))
    if search.sky is not None and constellation.NAME in by_name:
        return _at_their_place(search, by_name)
    # Where landmarks were recorded and do not fit, this is hardly the screen: only the very picture will do.
    floor = _VERY_PICTURE if search.target.landmarks else search.profile.min_ratio
    # What a field holds changes its look; anything else without words is known by its look, where there is one.
    by_look = anchor_template.NAME in by_name and search.target.type not in FIELD_TYPES
    return {
        element_id
        for name in ((anchor_template.NAME,) if by_look else (anchor_template.NAME, spatial.NAME))
        for element_id, evidence in by_name.get(name, {}).items()
        if evidence.score >= floor
    }


def heard(element: UIElement, opinions: Sequence[Opinion], search: Search) -> Sequence[Opinion]:
    """What counts for an element: one known by words or a look that nothing else has or had may have moved. Where the
    whole screen was laid out anew, or its look depends on what it holds, its picture says nothing either."""
    if search.sky is None and not (search.label and search.target.landmarks and search.target.place is not None):
        return opinions
    by_name = {name: verdicts for name, _, verdicts in opinions}
    if search.label:
        words = by_name.get(text.NAME, {})
        alone = _alone_with_those_words(search, words)
        unheard: tuple[str, ...] = (constellation.NAME,)
        if alone is None and only_one_that_means_it(element, search, words):
            alone, unheard = element.element_id, (constellation.NAME, spatial.NAME)
        if search.sky is None or search.target.type in NAMED_FROM_OUTSIDE:
            unheard = (*unheard, element_look.NAME, anchor_template.NAME)
    else:
        alone = _alone_of_that_look(search, by_name.get(element_look.NAME, {}))
        unheard = (constellation.NAME,)
    if alone != element.element_id:
        return opinions
    return [opinion for opinion in opinions if opinion[0] not in unheard]


def _at_their_place(search: Search, by_name: Mapping[str, Verdicts]) -> set[str]:
    """Without words: of the right kind where the landmarks say, and, where its look does not change, of that look."""
    looks = by_name.get(element_look.NAME)
    by_look = search.target.type not in NAMED_FROM_OUTSIDE
    found = set()
    alone = _alone_of_that_look(search, looks or {})
    least = _least_likeness(search)
    at_the_right, reach = constellation.place_from_the_right(search), constellation.reach_of(search)
    for element in search.elements:
        near = by_name[constellation.NAME][element.element_id].score
        seen = looks.get(element.element_id) if looks is not None else None
        likeness = seen.score if seen is not None else 0.0
        of_kind = search.target.type is None or role.related(element.type, search.target.type)
        if by_look:
            by_edge = at_the_right is not None and nearness(Box.of(element.bbox), at_the_right, reach) >= _AT_PLACE
            wanted = _LOOKS_THE_SAME if by_edge else least
            fits = likeness >= wanted if near >= _AT_PLACE else element.element_id == alone
        else:
            fits = near >= _AT_PLACE and of_kind and not (seen is not None and likeness < _LOOKS_OTHER)
        if fits:
            found.add(element.element_id)
    return found


def _least_likeness(search: Search) -> float:
    """How much like the recording it must look: more where something else may have moved into its place, most where
    nothing was detected when it was recorded and other places looked like it."""
    if search.target.type is None and not search.target.look_is_unique:
        return _LOOKS_IDENTICAL
    return _LOOKS_THE_SAME if _siblings_missing(search) else _LOOKS_ALIKE


def _alone_with_those_words(search: Search, words: Verdicts) -> str | None:
    """The one element that says the very words, which stood on the recorded screen once, among what stood there.

    It moved only if its old place is in sight: under a pop-up, the target may still be where it was.
    """
    kind, own = search.target.type, letters(search.label or "")
    of_kind = {one.element_id for one in search.elements if kind is None or role.related(one.type, kind)}
    # A field's caption is no rival of it, nor is the box to tick one of the line whose name it bears.
    saying = {name: said for name, said in words.items() if name in of_kind}
    landmarks = search.target.landmarks
    twins = any(constellation.says_so(one, own, search.target) for one in landmarks)
    if twins or len(saying) != 1 or not place_in_sight(search):
        return None
    name, said = next(iter(saying.items()))
    if said.score < 1.0 or said.needs_place:
        return None
    element = next(one for one in search.elements if one.element_id == name)
    known = frozenset(letters(one.label) for one in landmarks if one.label)
    if search.on_its_screen:
        return name
    return name if surroundings_known(element, search.elements, known) >= _AT_PLACE else None


def _alone_of_that_look(search: Search, looks: Verdicts) -> str | None:
    """The one element that looks like the recording, where nothing else did then and nothing else does now."""
    if not search.target.look_is_unique or not looks:
        return None
    ranked = sorted(((evidence.score, name) for name, evidence in looks.items()), reverse=True)
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    best, name = ranked[0]
    return name if best >= _LOOKS_LIKE_NOTHING_ELSE and best - second >= _CLEARLY else None


def _siblings_missing(search: Search) -> bool:
    """One of those that stood beside it without words is not where it stood: they may have moved up into its place."""
    sky = search.sky
    assert sky is not None
    reach = constellation.reach_of(search)
    beside = [twin for twin in sky.twins if _apart(twin, sky.expected) <= _BESIDE_PX * max(1.0, sky.fit.scale)]
    boxes = [Box.of(element.bbox) for element in search.screen.state.ui_elements]
    return any(
        max((constellation.nearness(box, twin, reach) for box in boxes), default=0.0) < _AT_PLACE for twin in beside
    )


def _apart(one: Box, other: Box) -> float:
    return float(abs(one.center[0] - other.center[0]) + abs(one.center[1] - other.center[1]))
