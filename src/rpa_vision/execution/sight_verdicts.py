"""What follows from how a place compares on two pictures, together with the words in it.

Where all around is drawn to the pixel as it was and what is there is not, something else stands there now; unless it
says the same in other words, or only holds another value.
"""

from __future__ import annotations

from collections.abc import Iterable

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.own_words import TICKED
from rpa_vision.execution.same_row import goes_on
from rpa_vision.execution.same_sight import INSIDE, LIKE, MIN_TILES, NEAR_CRISP, SURE_FIT, Place
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE, SURE_AGREEMENT
from rpa_vision.execution.strategies.lexicon import is_kindred, same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.same_place import Comparison, compared
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.wording import folded

GOES_ON = "what is written there goes on where it did not"
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
_SIGN = 1.8
"""Up to this width for its height a box holds a sign, no words."""
_MIN_WORD = 3
_MIN_DIGITS = 2
_MIN_NAME = 2
NOTHING_BUT_THEIR_NAME = (*NAMED_FROM_OUTSIDE, "menu_item", "tab", "list_item")
"""What its name says all of, whichever row it stands in."""


def goes_by_its_name(target: TargetSpec) -> bool:
    """Whether it is the same wherever its name stands; what has no name goes by its row."""
    return bool(target.label) and target.type in NOTHING_BUT_THEIR_NAME


def says_the_same(place: Place, then: ObservedScreen, box: Box, now: ObservedScreen) -> bool:
    """The very words stand in it, it looks nearly the same, and enough of what stands around it is there: less
    where nothing else on either screen says so."""
    one = place.found
    if one is None or one.near.new or one.inside.new:
        return False
    said, says = ({word for word in _written(*at) if len(word) >= _MIN_WORD} for at in ((then, box), (now, one.box)))
    if not said or said != says or one.likeness < _WELL_LIKE or one.inside.share() < _CLOSELY:
        return False
    alone = all(_says_once(screen, word) for screen in (then, now) for word in said)
    return one.around.share() >= (_HALF if alone else _ENOUGH)


def objection(
    place: Place, point: Point, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen
) -> str | None:
    """Why what was found at a point is not what was in the box, by what both pictures show; None where it may be."""
    seen = place.found
    if seen is None or place.is_unchanged:
        return None
    is_sign = not _words_fill(target, box) and box.width <= _SIGN * box.height
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
    said, says = set(_written(then, box)), set(_written(now, seen.box))
    new = [word for word in says - said if len(word) >= _MIN_WORD and word.isalpha()]
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
    bare = not target.label and box.width <= _SIGN * box.height
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
    there, here = _names(then, was), _names(now, seen.box)
    return own in _names(now, found) and own not in here and bool(there & here)


def _names(screen: ObservedScreen, box: Box) -> set[str]:
    """What the things that fill a place are called, and what is written in it."""
    labels = {
        letters(one.label)
        for one in screen.state.ui_elements
        if one.label and Box.of(one.bbox).padded(_BESIDE_PX).contains(box.center) and _as_large(Box.of(one.bbox), box)
    }
    return {name for name in labels | set(_written(screen, box)) if len(name) >= _MIN_NAME}


def _as_large(one: Box, other: Box) -> bool:
    return 1 / _MUCH_LARGER <= one.area / max(1, other.area) <= _MUCH_LARGER


def taken_over(place: Place, then: ObservedScreen, box: Box, now: ObservedScreen) -> str | None:
    """Why what stands in a place of which all around is as it was is still the target, although it looks otherwise: it
    is called by another name of the same meaning, or holds another value. None where that cannot be said."""
    seen = place.found
    if seen is None or place.fit is None or seen.around.share() < _HALF:
        return None
    before, after = _lines_on(then, box), _lines_on(now, seen.box)
    crisp = place.is_crisp and seen.around.share() >= _MOSTLY
    sure = place.fit.agreement >= SURE_FIT and place.fit.agreeing >= _MANY_LANDMARKS
    for one in before if crisp or sure else ():
        for other in after:
            was, says = _difference(one, other)
            stood_there = any(letters(says) == letters(line.text) for line in then.state.perception.text_lines)
            if was and says and same_meaning(was, says) and (crisp or not stood_there):
                return f"says « {says} » in the very place of « {was} », which means the same"
            if crisp and not stood_there and is_kindred(says, was):
                return f"says « {says} » in the very place of « {was} », and nothing else changed"
    framed = crisp and place.is_in_sight and seen.near.share() >= NEAR_CRISP
    values = all(map(_is_value, before)) and (all(map(_is_value, after)) or _is_field(then, box))
    still = {letters(one) for one in before} & {letters(other) for other in after}
    if framed and before and after and values and not still and not _more(before, after):
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


def _lines_on(screen: ObservedScreen, box: Box) -> list[str]:
    """The lines of text of which a good part stands in a box, or which fill a good part of it."""
    found = []
    for line in screen.state.perception.text_lines:
        own = Box.of(line.bbox)
        common = own.intersection(box)
        if common is None or 2 * common.height < min(own.height, box.height):
            continue
        if common.width >= _PARTLY * min(own.width, box.width):
            found.append(line.text)
    return found


def _difference(one: str, other: str) -> tuple[str, str]:
    """What two lines do not share: the words between those they begin and end with, without signs of icons."""
    first, second = _plain_words(one), _plain_words(other)
    while first and second and folded(first[0]) == folded(second[0]):
        first, second = first[1:], second[1:]
    while first and second and folded(first[-1]) == folded(second[-1]):
        first, second = first[:-1], second[:-1]
    was, says = " ".join(first), " ".join(second)
    if not was or not says or same_meaning(was, says):
        return was, says
    shared = next((at for at, (a, b) in enumerate(zip(was, says, strict=False)) if a != b), min(len(was), len(says)))
    return was[shared:].strip(), says[shared:].strip()  # a word was read together with what stands before it


def _plain_words(line: str) -> list[str]:
    words = line.split()
    while words and sum(map(str.isalnum, words[0])) <= 1:
        words = words[1:]
    while words and sum(map(str.isalnum, words[-1])) <= 1:
        words = words[:-1]
    return words


def _is_value(text: str) -> bool:
    """An address, a date, an amount, a number: mostly digits. A single one may be an icon, or count something."""
    digits, others = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return "@" in text or (digits >= _MIN_DIGITS and digits >= others)


def _words_fill(target: TargetSpec, box: Box) -> bool:
    """Whether the words that name a target are in its box, and not the box a small part of a line."""
    assert target.place is not None
    named = Box.of(target.place.bbox)
    common = named.intersection(box)
    return common is not None and common.area >= _PARTLY * named.area


def says_otherwise(target: TargetSpec, now: ObservedScreen, place: Box) -> bool:
    """Whether other words stand in a place than those that name the target: another drawing, be it fainter or not."""
    own = letters(target.label or "")
    written = [one for one in _written(now, place) if len(one) >= _MIN_WORD]
    return bool(own) and bool(written) and own not in written


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


def words_go_on(then: ObservedScreen, target: TargetSpec, now: ObservedScreen, place: Box) -> bool:
    """Whether the words of the target are the beginning or the end of a line that was read there, and the rest of it
    is no other entry that the recorded screen said: « Fermer » is not « Fermer tout », whoever says « tout »."""
    own = letters(target.label or "")
    if not own or target.type in NAMED_FROM_OUTSIDE:
        return False
    said = {letters(line.text) for line in then.state.perception.text_lines}
    for line in now.state.perception.text_lines:
        text, at = letters(line.text), Box.of(line.bbox)
        if text in said or not place.y1 <= at.center[1] < place.y2 or place.intersection(at) is None:
            continue
        if same_meaning(line.text, target.label or ""):
            continue  # « Page d’accueil » for « Accueil »
        rest = text.removeprefix(own) if text.startswith(own) else text.removesuffix(own)
        if rest != text and rest.isalpha() and not _is_made_of(rest, said):
            return True
    return False


def _is_made_of(text: str, said: set[str]) -> bool:
    """Whether a text is nothing but others, one after the other."""
    return not text or any(
        len(one) >= _MIN_WORD and text.startswith(one) and _is_made_of(text.removeprefix(one), said) for one in said
    )


def says_more(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """What is written there begins or ends with what was written there, and goes on: another deed, or another value."""
    return _more(_written(then, box), _written(now, place), at_least=_MIN_WORD)


def _more(before: Iterable[str], after: Iterable[str], at_least: int = 1) -> bool:
    said, says = [letters(one) for one in before], [letters(other) for other in after]
    return any(
        one != other and len(one) >= at_least and (other.startswith(one) or other.endswith(one))
        for one in said
        for other in says
    )


def _written(screen: ObservedScreen, box: Box) -> list[str]:
    lines = screen.state.perception.text_lines
    return [letters(line.text) for line in lines if _lies_in(Box.of(line.bbox), box)]


def _says_once(screen: ObservedScreen, word: str) -> bool:
    return sum(letters(line.text) == word for line in screen.state.perception.text_lines) == 1


def _lies_in(own: Box, box: Box) -> bool:
    common = own.intersection(box)
    return common is not None and common.area >= _PARTLY * own.area
