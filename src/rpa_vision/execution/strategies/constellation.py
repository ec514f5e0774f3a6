"""By the constellation it stood in: texts of the recorded screen, found again, say where the target must be.

A scale and a shift are fitted through them (`landmark_fit`), so the answer survives zoom, density, another window size
and a scrolled page. Twins of the target (the same words elsewhere on the recorded screen) are landmarks as well: a
candidate that stands where a twin must be is that twin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.execution.strategies.landmark_fit import Fit, Match, fit_landmarks, letters_growth
from rpa_vision.execution.strategies.role import related
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Landmark, TargetSpec
from rpa_vision.models.ui_element import UIElement

NAME = "constellation"
MIN_AGREEING = 3
MIN_AGREEMENT = 0.45
SURE_AGREEMENT = 0.7
SURE_AGREEING = 5
_NEAR_PX = 11.0
_MADE_ROOM = 0.3
_ELSEWHERE = 0.5
_WORDS_IN_PLACE = 0.8
_ROW_OF_WORDS = 3.5
"""A line of a list or a button is at most so many times as high as its words."""
_TALL_PX = 80
"""From this height on something is an area, which grows and shrinks with its window."""
NAMED_FROM_OUTSIDE = ("text_input", "password_input", "textarea", "dropdown", "checkbox", "radio", "toggle")
"""Kinds whose words stand beside them, so that what is inside says nothing about which one it is."""
_CAPTIONS = ("label", "heading")
_CENTRED = ("button", "icon", "tab", "checkbox", "radio", "toggle", "dropdown", "text_input", "image")
"""Kinds of which the middle stays where it is when letters grow; of the others it is the left edge."""


@dataclass(frozen=True, slots=True)
class Sky:
    """How the recorded screen lies on the one that is seen."""

    fit: Fit
    expected: Box
    """Where the target must be."""
    twins: tuple[Box, ...]
    """Where those that said the same, or looked the same without words, must be."""
    known: frozenset[str]
    """What the recorded screen said, in letters."""

    @property
    def is_sure(self) -> bool:
        """So much agrees that whatever lies elsewhere moved, or is something else."""
        return self.fit.agreeing >= SURE_AGREEING and self.fit.agreement >= SURE_AGREEMENT


def sky_of(target: TargetSpec, label: str | None, elements: Sequence[UIElement]) -> Sky | None:
    """Lay the recorded screen over this one; None where too little of it is found again."""
    if target.place is None or len(target.landmarks) < MIN_AGREEING:
        return None
    place = Box.of(target.place.bbox)
    matches = landmark_matches(target.landmarks, elements)
    if len(matches) < MIN_AGREEING:
        return None
    fit = fit_landmarks(place, matches, letters_growth(matches))
    if fit is None or fit.agreeing < MIN_AGREEING or fit.agreement < MIN_AGREEMENT:
        return None
    own = letters(label or target.label or "")
    twins = [
        one
        for one in target.landmarks
        if (says_so(one, own, target) if own else not one.label and one.type == target.type)
    ]
    return Sky(
        fit=fit,
        expected=fit.box(place),
        twins=tuple(fit.box(Box.of(twin.bbox)) for twin in twins),
        known=frozenset(letters(one.label) for one in target.landmarks if one.label),
    )


def says_so(one: Landmark | UIElement, own: str, target: TargetSpec) -> bool:
    """The same words on something else; the caption of a field is no twin of it, nor anything of quite another kind."""
    caption = target.type in NAMED_FROM_OUTSIDE and one.type in _CAPTIONS
    other_kind = target.type is not None and target.type != one.type and not related(one.type, target.type)
    return letters(one.label) == own and not caption and not other_kind


def judge(search: Search) -> Verdicts | None:
    """Score every element by how near it is to where the constellation says; None when too little of it is seen."""
    sky = search.sky
    if sky is None:
        return None
    reach, at_the_right = reach_of(search), place_from_the_right(search)
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        box = Box.of(element.bbox)
        score = nearness_of(element, search)
        reason = f"lies where {sky.fit.agreeing} landmarks say ({score:.2f})"
        if at_the_right is not None and (near := nearness(box, at_the_right, reach)) > score:
            score, reason = near, f"is as far from the right edge as it was ({near:.2f})"
        verdicts[element.element_id] = Evidence(score, reason)
    return verdicts


def place_from_the_right(search: Search) -> Box | None:
    """Where something without words must be if it keeps its distance from the right edge, as icons of a bar do while
    the words in it keep theirs from the left. None for the left half, and where both are one place."""
    sky, recorded = search.sky, search.target.place
    if sky is None or recorded is None or search.label or search.target.type in NAMED_FROM_OUTSIDE:
        return None
    place, window = Box.of(recorded.bbox), search.screen.state.window.geometry
    left, right = 0, recorded.screen_resolution[0]
    if recorded.window_geometry is not None and window is not None:
        left, _, right, _ = recorded.window_geometry
    now = window[2] if recorded.window_geometry is not None and window is not None else search.screen.pixels.shape[1]
    if 2 * place.center[0] < left + right:
        return None
    x2 = round(int(now) - sky.fit.scale * (right - place.x2))
    box = sky.expected.moved(x2 - sky.expected.x2, 0)
    return box if nearness(box, sky.expected, reach_of(search)) < _ELSEWHERE else None


def nearness_of(element: UIElement, search: Search) -> float:
    """How near an element is to where the target must be. Where only its words were detected, then or now, they lie in
    its place, or its place in them."""
    sky = search.sky
    assert sky is not None
    box, reach = Box.of(element.bbox), reach_of(search)
    near = nearness(box, sky.expected, reach)
    own = letters(search.label or "")
    if near >= _WORDS_IN_PLACE or not own or letters(element.label) != own:
        return near
    small, large = sorted((box, sky.expected), key=lambda one: one.area)
    fits = large.padded(round(reach / 2)).encloses(small) and large.height <= _ROW_OF_WORDS * small.height
    return _WORDS_IN_PLACE if fits else near


def reach_of(search: Search) -> float:
    """How far from its place something may be and still be there."""
    scale = search.sky.fit.scale if search.sky is not None else 1.0
    return _NEAR_PX * max(1.0, scale) * search.profile.pad_mul * search.pixel_scale


def nearness(box: Box, expected: Box, reach: float) -> float:
    """1 where an element lies as expected, falling quickly; a field may have grown to one side, an area downwards."""
    dy = abs((box.y1 + box.y2) - (expected.y1 + expected.y2)) / 2
    if min(box.height, expected.height) >= _TALL_PX:
        dy = min(dy, abs(box.y1 - expected.y1))
    dx = min(
        abs((box.x1 + box.x2) - (expected.x1 + expected.x2)) / 2, abs(box.x1 - expected.x1), abs(box.x2 - expected.x2)
    )
    return exp(-0.5 * (dx * dx + dy * dy) / (reach * reach))


def made_room(line: Box, other: Box, expected: Box) -> bool:
    """A line moved up by half a line, and the other is below by as much: together they stand where it must be."""
    middle, loose = expected.center[1], _MADE_ROOM * line.height
    return line.center[1] < middle - loose and abs(line.center[1] + other.center[1] - 2 * middle) <= 2 * loose


def landmark_matches(landmarks: Sequence[Landmark], elements: Sequence[UIElement]) -> list[Match]:
    """Landmarks whose words stand once on both screens."""
    then: dict[str, list[Landmark]] = defaultdict(list)
    now: dict[str, list[UIElement]] = defaultdict(list)
    for landmark in landmarks:
        if len(said := letters(landmark.label)) >= 2:
            then[said].append(landmark)
    for element in elements:
        if (said := letters(element.label)) in then:
            now[said].append(element)
    found = []
    for said, recorded in then.items():
        seen = now.get(said, [])
        if len(recorded) == 1 and len(seen) == 1:
            one, other = recorded[0], seen[0]
            left = one.type not in _CENTRED or other.type not in _CENTRED
            found.append(Match(Box.of(one.bbox), Box.of(other.bbox), left))
    return found
