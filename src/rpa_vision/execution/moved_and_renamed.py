"""A control that stands elsewhere under another name: when it is still the target, and when it is a stranger.

On the screen the target belongs to, the only control that means the same may have been moved and renamed at once. It
must stand among what stood there; « Accepter » of a bar about cookies means the same as « Valider » and is not it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.embedding.salience import front_of
from rpa_vision.execution.harm import is_dangerous
from rpa_vision.execution.strategies import text
from rpa_vision.execution.strategies.evidence import Search, Verdicts
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.execution.surroundings import AROUND_LINES, gap
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Landmark, TargetSpec
from rpa_vision.models.ui_element import UIElement

_AT_PLACE = 0.5
_AROUND_PX = 200
_STILL_THERE = 0.75
_CORNER = 0.3
_HEARD = 8
"""How many of the texts around something are heard."""
_MIN_SENTENCE_WORDS = 3
_SAYING = ("label", "heading")


def only_one_that_means_it(element: UIElement, search: Search, words: Verdicts) -> bool:
    """It is called otherwise and stands elsewhere: still it, on the screen the target belongs to, where nothing else
    then or now means the same, it is the same kind of control for the same deed, and it stands among what stood there:
    « Accepter » of a bar about cookies is no « Valider » that moved."""
    said, target = words.get(element.element_id), search.target
    if not search.on_its_screen or said is None or said.score != text.SYNONYM_SCORE or is_dangerous(element):
        return False
    if element.type != target.type or element.role != target.role or element.metadata.get("behind_dialog") is True:
        return False
    rivals = [
        one
        for one in search.elements
        if one.element_id in words
        and one.element_id != element.element_id
        and one.metadata.get("behind_dialog") is not True
        and one.type == target.type
    ]
    stood_beside = any(
        one.type == target.type and same_meaning(one.label, search.label or "") and one.label
        for one in target.landmarks
        if not was_behind(one, target)
    )
    return not rivals and not stood_beside and among_its_own(element, search)


def among_its_own(element: UIElement, search: Search) -> bool:
    """What stood around the target is on the screen, and stands around this. In a dialog, the dialog says so, or its
    place in the corner."""
    known = [one.label for one in search.target.landmarks if one.label]
    front = front_of(search.screen.state.ui_elements)
    if front is None or not front.contains(element.center):
        return place_in_sight(search) and _stands_among(known, element, search)
    if _in_the_same_corner(Box.of(element.bbox), front, search.target):
        return True
    lines = search.screen.state.perception.text_lines
    inside = [one.text for one in lines if front.contains(Box.of(one.bbox).center)]
    others = [said for said in inside if letters(said) != letters(element.label)]
    return any(letters(said) == letters(own) or same_meaning(said, own) for said in others for own in known)


def _stands_among(known: Sequence[str], element: UIElement, search: Search) -> bool:
    """What the recorded screen said stands next to it, be it in other words by now. All alone it may stand where
    nothing of its kind that stood beside it stayed behind."""
    said = {letters(one.label): one.label for one in search.elements if len(letters(one.label)) >= 2}
    meant = frozenset(map(letters, known))
    meant |= {name for name, label in said.items() if any(same_meaning(label, own) for own in known)}
    here, place = Box.of(element.bbox), search.target.place
    others = [one for one in search.elements if one.element_id != element.element_id and letters(one.label) in meant]
    reach = AROUND_LINES * max(12, min(30, here.height))
    alone = all(gap(here, Box.of(one.bbox)) > reach for one in others)
    siblings = {
        letters(one.label)
        for one in search.target.landmarks
        if place is not None
        and one.type == search.target.type
        and gap(Box.of(place.bbox), Box.of(one.bbox)) <= _AROUND_PX
    }
    left_behind = alone and any(letters(one.label) in siblings for one in others if one.type == search.target.type)
    return not left_behind and not _beside_a_stranger(element, search, meant)


def _beside_a_stranger(element: UIElement, search: Search, known: frozenset[str]) -> bool:
    """A sentence nobody knows stands in its line or right above it, or nothing at all around it is what the recorded
    screen said: then it came with that sentence. Names and values of a case are elsewhere each time, and not heard."""
    here = Box.of(element.bbox)
    line = max(12, min(30, here.height))
    others = [one for one in search.elements if one.element_id != element.element_id and len(letters(one.label)) >= 2]
    near = sorted(
        (apart, one.element_id, one) for one in others if (apart := gap(here, Box.of(one.bbox))) <= AROUND_LINES * line
    )
    heard = [one for _, _, one in near]
    for one in heard:
        box = Box.of(one.bbox)
        beside = min(here.y2, box.y2) - max(here.y1, box.y1) > 0 or 0 <= here.y1 - box.y2 <= line
        says = one.type in _SAYING and len(one.label.split()) >= _MIN_SENTENCE_WORDS
        if beside and says and letters(one.label) not in known and not any(map(str.isdigit, one.label)):
            return True
    return bool(heard) and not any(letters(one.label) in known for one in heard[:_HEARD])


def _in_the_same_corner(here: Box, dialog: Box, target: TargetSpec) -> bool:
    """It stands as far from two sides of its dialog as the target stood from those of its own, in lines of text."""
    if target.place is None:
        return False
    place = Box.of(target.place.bbox)
    own = [box for one in target.landmarks if one.type == "dialog" and (box := Box.of(one.bbox)).encloses(place)]
    if not own:
        return False
    then = min(own, key=lambda box: box.area)
    scale = here.height / place.height
    off = {
        "top": (here.y1 - dialog.y1) - scale * (place.y1 - then.y1),
        "bottom": (dialog.y2 - here.y2) - scale * (then.y2 - place.y2),
        "left": (here.x1 - dialog.x1) - scale * (place.x1 - then.x1),
        "right": (dialog.x2 - here.x2) - scale * (then.x2 - place.x2),
    }
    near = {side for side, distance in off.items() if abs(distance) <= _CORNER * here.height}
    return bool(near & {"top", "bottom"}) and bool(near & {"left", "right"})


def place_in_sight(search: Search) -> bool:
    """What stood around the target is still on the screen, be it where it was, moved along or renamed."""
    around, found = _around_its_place(search)
    return bool(around) and found >= _STILL_THERE * around


def place_is_covered(search: Search) -> bool:
    """Most of what stood around the target is not on the screen."""
    around, found = _around_its_place(search)
    return bool(around) and found < _STILL_THERE * around


def _around_its_place(search: Search) -> tuple[int, int]:
    """How much stood around the target, and how much of it is on the screen."""
    if search.target.place is None:
        return 0, 0
    place = Box.of(search.target.place.bbox)
    around = {
        letters(one.label): one.label
        for one in search.target.landmarks
        if len(letters(one.label)) >= 2 and gap(place, Box.of(one.bbox)) <= _AROUND_PX
    }
    seen = {letters(element.label): element.label for element in search.elements}
    new = [label for said, label in seen.items() if said not in around]
    found = [said for said, label in around.items() if said in seen or any(same_meaning(label, other) for other in new)]
    return len(around), len(found)


def was_behind(landmark: Landmark, target: TargetSpec) -> bool:
    """It lay outside of the dialog the target was in."""
    dialogs = [Box.of(one.bbox) for one in target.landmarks if one.type == "dialog"]
    return target.place is not None and any(
        box.contains(Box.of(target.place.bbox).center) and not box.contains(Box.of(landmark.bbox).center)
        for box in dialogs
    )
