"""What follows from how a place compares on two pictures, together with the words in it.

Where all around is drawn to the pixel as it was and what is there is not, something else stands there now; unless it
says the same in other words, or only holds another value.
"""

from __future__ import annotations

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.same_row import goes_on
from rpa_vision.execution.locating.same_sight import INSIDE, LIKE, MIN_TILES, NEAR_CRISP, SURE_FIT, Place
from rpa_vision.execution.locating.shapes import holds_a_sign
from rpa_vision.execution.locating.words_there import (
    GOES_ON,
    MIN_WORD,
    NOTHING_BUT_THEIR_NAME,
    difference,
    goes_on_from,
    is_value,
    lines_on,
    names_in,
    says_more,
    says_once,
    written,
)
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, SURE_AGREEMENT
from rpa_vision.execution.strategies.lexicon import is_kindred, same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.same_place import Comparison, compared
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec

_PARTLY = 0.6
_HALF, _ENOUGH, _MOSTLY = 0.5, 0.7, 0.75
"""How much of what stood around must be there: where the words are said once, where they are not, where nothing is."""
_MANY_LANDMARKS = 8
_CLOSELY = 0.9
_WELL_LIKE = 0.8
_FRAME = 0.9
_PIXELS = 0.98
_BESIDE_PX = 4
_MUCH_LARGER = 8


def says_the_same(place: Place, then: ObservedScreen, box: Box, now: ObservedScreen) -> bool:
    """The very words stand in it, it looks nearly the same, and enough of what stands around it is there: less
    where nothing else on either screen says so."""
    one = place.found
    if one is None or one.near.new or one.inside.new:
        return False
    said, says = ({word for word in written(*at) if len(word) >= MIN_WORD} for at in ((then, box), (now, one.box)))
    if not said or said != says or one.likeness < _WELL_LIKE or one.inside.share() < _CLOSELY:
        return False
    alone = all(says_once(screen, word) for screen in (then, now) for word in said)
    return one.around.share() >= (_HALF if alone else _ENOUGH)


def objection(
    place: Place, point: Point, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen
) -> str | None:
    """Why what was found at a point is not what was in the box, by what both pictures show; None where it may be."""
    seen = place.found
    if seen is None or place.is_unchanged:
        return None
    is_sign = not _words_fill(target, box) and holds_a_sign(box)
    at_place = seen.box.padded(_BESIDE_PX).contains(point)
    outside = target.type in NAMED_FROM_OUTSIDE
    sure = place.fit is not None and place.fit.agreement >= SURE_AGREEMENT
    if target.type in FIELD_TYPES and not at_place and not sure:
        return None  # it has its name, and nobody knows for sure where it belongs
    if is_sign and (not at_place or seen.likeness < LIKE):
        return "beside the words that were found, its picture is not there"
    if not at_place:
        known = place.is_in_sight and place.fit is not None and place.fit.agreement >= SURE_AGREEMENT
        return "what stood around the target is where it was, and so is its place" if known else None
    if target.type in FIELD_TYPES and says_more(then, box, now, seen.box):
        return GOES_ON
    said, says = set(written(then, box)), set(written(now, seen.box))
    new = [word for word in says - said if len(word) >= MIN_WORD and word.isalpha()]
    if new and not target.label and target.type not in FIELD_TYPES:
        return "something is written there that was not"
    if not target.label and target.type not in FIELD_TYPES and _other_number(said, says):
        return "another number stands there"
    if target.type in TICKED and not target.label and place.is_drawn_alike and sure and seen.near.share() < _ENOUGH:
        return "what stands right beside it is another, and nothing else tells it from its likes"
    replaced = seen.inside.inked >= MIN_TILES and not seen.inside.same  # not even a frame is left
    if replaced and not target.label and target.type in FIELD_TYPES and seen.clearness >= _CLOSELY and sure:
        return "not even the frame of the field is left"
    if not place.is_crisp:
        return None
    if target.type in FIELD_TYPES and seen.near.share() >= _FRAME and not replaced:
        return None
    if outside and target.type not in FIELD_TYPES and target.label and _is_beside_the_same(seen):
        return None  # ticked or not, and drawn otherwise by another theme: its name is beside it as it was
    own = letters(target.label or "")
    if own and own in said and says <= said and own in says and not seen.inside.new:
        return None  # a line or a menu is drawn otherwise around the very words
    named_there = target.type not in NAMED_FROM_OUTSIDE or letters(target.label or "") in said
    if target.label and target.place is not None and named_there and _words_fill(target, box):
        renamed = not said & says
        small = box.area < _MUCH_LARGER * Box.of(target.place.bbox).area
        if renamed or small or seen.inside.share() >= _HALF:
            return None
    if seen.inside.share() >= INSIDE and seen.likeness >= LIKE and not seen.inside.new and not seen.near.new:
        return None
    bare = not target.label and holds_a_sign(box)
    if bare and seen.likeness >= _PIXELS and not goes_on(then, box, now, seen.box, box.height):
        return None  # tiles may be laid beside it, and what touches it may be new; as a whole it is the same
    return "what is in its place is drawn otherwise, while what stands around it is not"


def changed_places(place: Place, found: Box, target: TargetSpec, then: ObservedScreen, now: ObservedScreen) -> bool:
    """Whether it and a neighbour changed places: its name stands where that one's stood, and that one's in its own.
    A button only within a line: in another row it does the same to another case."""
    fit, seen, own = place.fit, place.found, letters(target.label or "")
    if fit is None or seen is None or not own or seen.box.contains(found.center):
        return False
    if target.type not in NOTHING_BUT_THEIR_NAME and not seen.box.y1 <= found.center[1] < seen.box.y2:
        return False
    was = Box(
        *(round((value - shift) / fit.scale) for value, shift in zip(found.bbox, (fit.dx, fit.dy) * 2, strict=True))
    )
    there, here = names_in(then, was), names_in(now, seen.box)
    return own in names_in(now, found) and own not in here and bool(there & here)


def taken_over(place: Place, then: ObservedScreen, box: Box, now: ObservedScreen) -> str | None:
    """Why what stands in a place of which all around is as it was is still the target, although it looks otherwise: it
    is called by another name of the same meaning, or holds another value. None where that cannot be said."""
    seen = place.found
    if seen is None or place.fit is None or seen.around.share() < _HALF:
        return None
    before, after = lines_on(then, box), lines_on(now, seen.box)
    crisp = place.is_crisp and seen.around.share() >= _MOSTLY
    sure = place.fit.agreement >= SURE_FIT and place.fit.agreeing >= _MANY_LANDMARKS
    for one in before if crisp or sure else ():
        for other in after:
            was, says = difference(one, other)
            stood_there = any(letters(says) == letters(line.text) for line in then.state.perception.text_lines)
            if was and says and same_meaning(was, says) and (crisp or not stood_there):
                return f"says « {says} » in the very place of « {was} », which means the same"
            if crisp and not stood_there and is_kindred(says, was):
                return f"says « {says} » in the very place of « {was} », and nothing else changed"
    framed = crisp and place.is_in_sight and seen.near.share() >= NEAR_CRISP
    values = all(map(is_value, before)) and (all(map(is_value, after)) or _is_field(then, box))
    still = {letters(one) for one in before} & {letters(other) for other in after}
    if framed and before and after and values and not still and not goes_on_from(before, after):
        return "its place is unchanged but for the value in it"
    return None


def _is_field(screen: ObservedScreen, box: Box) -> bool:
    return any(one.type in FIELD_TYPES and box.contains(one.center) for one in screen.state.ui_elements)


def _is_beside_the_same(seen: Comparison) -> bool:
    return seen.near.share() >= INSIDE and not seen.near.new and not seen.inside.new


def _other_number(said: set[str], says: set[str]) -> bool:
    """A number that was read then and another one now: the third page is not the fourth."""
    then, now = ({word for word in words if word.isdigit()} for words in (said, says))
    return bool(then and now and not then & now)


def _words_fill(target: TargetSpec, box: Box) -> bool:
    """Whether the words that name a target are in its box, and not the box a small part of a line."""
    assert target.place is not None
    named = Box.of(target.place.bbox)
    common = named.intersection(box)
    return common is not None and common.area >= _PARTLY * named.area


def stood_there_already(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether a place and all around it were painted to the pixel as they are, while the target stood elsewhere: so
    it is something else that is called like it. What moved there has brought something along, or left something."""
    if place.padded(_BESIDE_PX).intersection(box) is not None or then.pixels.shape != now.pixels.shape:
        return False
    seen = compared(then.pixels, place, now.pixels, 1.0, 0.0, 0.0)
    return (
        seen is not None
        and seen.box.overlap(place) >= _FRAME
        and min(seen.clearness, seen.likeness) >= _PIXELS
        and seen.around.same >= MIN_TILES
        and min(seen.inside.share(), seen.around.share()) == 1.0
        and not seen.inside.new + seen.around.new
    )
