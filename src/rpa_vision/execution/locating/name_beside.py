"""What tells a thing from its likes: the text beside it or above it that is another one at each of them.

« Supprimer » stands in every row, and a box to tick has no words at all; which one is meant is said by the row, the
caption or the title of the card. A place may look the same to the pixel and belong to another row by now, so whoever
goes by looks asks here whether the name still stands where it stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.dialog_words import message_in_front, same_message
from rpa_vision.graph.vocabulary import letters, same_words
from rpa_vision.imaging.outlines import places_like
from rpa_vision.imaging.same_place import compared
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

_IN_LINE_PX = 10
"""How far likes are out of one line or column at most."""
_ABOVE_PX = 240
_BESIDE_PX = 60
_SAME_EDGE_PX = 14
_FLUSH_PX = 40
_MIN_LETTERS = 2
_BY_ITS_CAPTION = 0.6
_SAME_SCALE = 0.02
_TO_THE_PIXEL = 0.98
_ALIKE_SIZE = 1.35
_LIKE = 0.7
_RIM_PX = 4
_NAMED_NEAREST = FIELD_TYPES | {"checkbox", "radio", "toggle", "slider"}
"""What its caption names, and not the row it stands in."""

Name = Literal["same", "a like's", "another", "unread", "none"]
_WORST_FIRST: tuple[Name, ...] = ("a like's", "another", "unread", "same")


@dataclass(frozen=True, slots=True)
class NameBeside:
    """The text that tells a thing from its likes, how it stands to it, and what stands there at the likes."""

    text: str
    box: Box
    of_likes: tuple[str, ...]
    tells_rows: bool
    """It tells it from those above and below; otherwise from those in its line."""


def name_there(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, scale: float) -> Name:
    """What stands now where the name of a recorded thing must stand, if it is in that place: the same text, that of
    one of its likes, another, or nothing that was read; none where nothing tells it from its likes."""
    found = [_there(name, then, box, now, place, scale) for name in names_of(then, box)]
    return next((one for one in _WORST_FIRST if one in found), "none")


def is_in_its_row(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, scale: float) -> bool:
    """Whether what tells a thing from its likes above and below stands in the line of a place, and nothing else
    speaks against it. Of likes in one line the neighbour tells less: it stays when one of them is gone."""
    names = names_of(then, box)
    beside = [name for name in names if name.tells_rows and _in_line(name.box, box)]
    return bool(beside) and name_there(then, box, now, place, scale) == "same"


def is_in_its_column(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether what tells a thing from its likes in one line stands above a place too, however far."""
    heads = [name for name in names_of(then, box) if not name.tells_rows and name.box.y2 <= box.y1 + 2]
    lines = [(line.text, Box.of(line.bbox)) for line in now.state.perception.text_lines]
    return all(
        any(same_words(text, head.text) and at.y2 <= place.y1 + 2 and _in_column(at, place) for text, at in lines)
        for head in heads
    )


def _in_column(at: Box, box: Box) -> bool:
    return (at.x1 < box.x2 and box.x1 < at.x2) or abs(at.x1 - box.x1) <= _FLUSH_PX


def _there(name: NameBeside, then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, scale: float) -> Name:
    """What stands in the place of a name: what was read there, the same by its looks, or the name in the same line."""
    read = _read_there(name, box, now, place, scale)
    if read == "another" and _looks_as_it_did(name, then, box, now, place, scale):
        return "same"  # and was read otherwise
    if read == "unread" and name.tells_rows and _in_line(name.box, box):
        lines = [line for line in now.state.perception.text_lines if _in_line(Box.of(line.bbox), place)]
        return "same" if any(same_words(line.text, name.text) for line in lines) else read
    return read


def _looks_as_it_did(
    name: NameBeside, then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, scale: float
) -> bool:
    """At the same size and in the same letters."""
    is_as_large = abs(scale - 1.0) <= _SAME_SCALE
    return is_as_large and is_drawn_as_it_was(then, name.box, now, place.x1 - box.x1, place.y1 - box.y1)


def is_drawn_as_it_was(then: ObservedScreen, part: Box, now: ObservedScreen, dx: int, dy: int) -> bool:
    """To the pixel, and each piece of it: over a whole line one other digit hardly shows."""
    if not (_is_whole(part, then) and _is_whole(part.moved(dx, dy), now)):
        return False
    seen = compared(then.pixels, part, now.pixels, 1.0, dx, dy)
    if seen is None or seen.clearness < _TO_THE_PIXEL:
        return False
    return seen.inside.inked > 0 and seen.inside.share() == 1.0 and not seen.inside.new


def _is_whole(part: Box, screen: ObservedScreen) -> bool:
    return part == part.clamped(int(screen.pixels.shape[1]), int(screen.pixels.shape[0]))


def _read_there(name: NameBeside, box: Box, now: ObservedScreen, place: Box, scale: float) -> Name:
    wanted = Box(*(round(at) for at in _moved(name.box, box, place, scale)))
    there = [line.text for line in now.state.perception.text_lines if _stands_at(Box.of(line.bbox), wanted, scale)]
    if any(same_words(text, name.text) for text in there):
        return "same"
    if any(same_words(text, other) for text in there for other in name.of_likes):
        return "a like's"
    return "another" if there else "unread"


def stands_by_its_caption(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, caption: str) -> bool:
    """Whether a text that each screen says once stands to a place as it stood to the box, in letters of its size."""
    wanted = letters(caption)
    at_then, at_now = (
        [Box.of(line.bbox) for line in screen.state.perception.text_lines if letters(line.text) == wanted]
        for screen in (then, now)
    )
    if len(wanted) < _MIN_LETTERS or len(at_then) != 1 or len(at_now) != 1:
        return False
    was, seen = at_then[0], at_now[0]
    growth = seen.height / was.height
    apart = (
        max(
            abs((seen.x1 - place.x1) - growth * (was.x1 - box.x1)),
            abs((seen.center[1] - place.center[1]) - growth * (was.center[1] - box.center[1])),
        )
        / seen.height
    )
    return apart <= _BY_ITS_CAPTION


def names_of(screen: ObservedScreen, box: Box) -> list[NameBeside]:
    """The texts that tell what is in a box from its likes: one from those of its column, one from those of its row."""
    own = _kind_of(screen, box)
    lines = [line for line in screen.state.perception.text_lines if len(letters(line.text)) >= _MIN_LETTERS]
    likes = list(_likes(screen, box, own))
    in_row = [like for like in likes if abs(like.center[1] - box.center[1]) <= _IN_LINE_PX]
    in_column = [like for like in likes if like not in in_row]
    return [
        name
        for group in (in_column, in_row)
        if (name := _name_among(lines, box, group, group is in_column, takes_nearest=own in _NAMED_NEAREST))
    ]


def _name_among(
    lines: Sequence[TextLine], box: Box, likes: Sequence[Box], tells_rows: bool, *, takes_nearest: bool
) -> NameBeside | None:
    """Of what stands in a row the first text that tells, of a field or a box to tick the nearest; else the nearest
    above."""
    telling: list[NameBeside] = []
    for line in lines:
        at = Box.of(line.bbox)
        if box.padded(2).encloses(at) or not (_in_line(at, box) or _is_above(at, box)):
            continue
        asked = [like for like in likes if _may_tell(at, box, like)]
        others = [_text_at(lines, at.moved(like.x1 - box.x1, like.y1 - box.y1)) for like in asked]
        differing = tuple(other for other in others if other is not None and not same_words(other, line.text))
        if differing:
            telling.append(NameBeside(line.text, at, differing, tells_rows))
    beside = [one for one in telling if _in_line(one.box, box)]
    if beside and tells_rows and not takes_nearest:
        return min(beside, key=lambda one: one.box.x1)
    return min(beside or telling, key=lambda one: _gap(one.box, box), default=None)


def _may_tell(at: Box, box: Box, like: Box) -> bool:
    """Whether a text could be the name of one of two likes: what stands in the line of both only if it is near."""
    in_one_line = abs(like.center[1] - box.center[1]) <= _IN_LINE_PX
    return not in_one_line or not _in_line(at, box) or _gap(at, box) <= min(_BESIDE_PX, _gap(at, like))


def asks_otherwise(then: ObservedScreen, now: ObservedScreen, place: Box) -> bool:
    """Whether a place lies in a dialog that asks something else than the one that was in front."""
    front = front_of(now.state.ui_elements)
    if front is None or not front.contains(place.center):
        return False
    asked, asks = message_in_front(then.state), message_in_front(now.state)
    return asked is not None and asks is not None and not same_message(asked, asks)


def _kind_of(screen: ObservedScreen, box: Box) -> str | None:
    best = max(screen.state.ui_elements, key=lambda one: Box.of(one.bbox).overlap(box), default=None)
    return best.type if best is not None and Box.of(best.bbox).overlap(box) >= 0.5 else None


def _likes(screen: ObservedScreen, box: Box, kind: str | None) -> Iterable[Box]:
    """What says the same, or, of what says nothing, is of the same kind and size; in its line or its column."""
    said = {letters(line.text) for line in screen.state.perception.text_lines if _lies_in(Box.of(line.bbox), box)}
    if said:
        own = [Box.of(line.bbox) for line in screen.state.perception.text_lines if _lies_in(Box.of(line.bbox), box)]
        for line in screen.state.perception.text_lines:
            at = Box.of(line.bbox)
            if letters(line.text) in said and not box.padded(2).encloses(at):
                near = min(own, key=lambda one: abs(one.x1 - at.x1) + abs(one.y1 - at.y1))
                other = box.moved(at.x1 - near.x1, at.y1 - near.y1)
                if _lined_up(other, box):
                    yield other
        if kind not in _NAMED_NEAREST:
            return
    for element in screen.state.ui_elements:
        other = Box.of(element.bbox)
        alike = element.type == kind and _alike(other.width, box.width) and _alike(other.height, box.height)
        if alike and other.overlap(box) == 0 and _lined_up(other, box):
            yield other
    if not said:
        yield from _look_likes(screen, box)


def _look_likes(screen: ObservedScreen, box: Box) -> Iterable[Box]:
    """Places in its column and in its row that look the same, whatever was detected there."""
    height, width = int(screen.pixels.shape[0]), int(screen.pixels.shape[1])
    own = box.padded(_RIM_PX).clamped(width, height)
    if own is None:
        return
    look = screen.pixels[own.y1 : own.y2, own.x1 : own.x2]
    around = own.padded(_RIM_PX)
    for strip in (Box(around.x1, 0, around.x2, height), Box(0, around.y1, width, around.y2)):
        part = strip.clamped(width, height)
        if part is None:
            continue
        for found, alike in places_like(screen.pixels[part.y1 : part.y2, part.x1 : part.x2], look, 1.0):
            other = found.moved(part.x1, part.y1)
            if alike >= _LIKE and other.overlap(own) == 0:
                yield box.moved(other.x1 - own.x1, other.y1 - own.y1)


def _lined_up(one: Box, other: Box) -> bool:
    return min(abs(a - b) for a, b in zip(one.center, other.center, strict=True)) <= _IN_LINE_PX


def _alike(one: int, other: int) -> bool:
    return max(one, other) <= _ALIKE_SIZE * max(1, min(one, other))


def _text_at(lines: Sequence[TextLine], wanted: Box) -> str | None:
    return next((line.text for line in lines if _stands_at(Box.of(line.bbox), wanted, 1.0)), None)


def _stands_at(at: Box, wanted: Box, scale: float) -> bool:
    """On its line, and beginning or ending or lying mostly where it must."""
    shared = min(at.y2, wanted.y2) - max(at.y1, wanted.y1)
    if 2 * shared < min(at.height, wanted.height):
        return False
    edge = _SAME_EDGE_PX * max(1.0, scale)
    common = min(at.x2, wanted.x2) - max(at.x1, wanted.x1)
    return abs(at.x1 - wanted.x1) <= edge or abs(at.x2 - wanted.x2) <= edge or 2 * common >= min(at.width, wanted.width)


def _moved(name: Box, box: Box, place: Box, scale: float) -> tuple[float, float, float, float]:
    """Where a text that stood so to a box stands to the place the box became."""
    x, y = (new - scale * old for new, old in zip(place.center, box.center, strict=True))
    return (scale * name.x1 + x, scale * name.y1 + y, scale * name.x2 + x, scale * name.y2 + y)


def _in_line(at: Box, box: Box) -> bool:
    return at.y1 <= box.center[1] < at.y2 or box.y1 <= at.center[1] < box.y2


def _is_above(at: Box, box: Box) -> bool:
    return at.y2 <= box.y1 + 2 and box.y1 - at.y2 <= _ABOVE_PX and _in_column(at, box)


def _gap(at: Box, box: Box) -> float:
    across = max(0, at.x1 - box.x2, box.x1 - at.x2)
    down = max(0, at.y1 - box.y2, box.y1 - at.y2)
    return float(across + down)


def _lies_in(own: Box, box: Box) -> bool:
    common = own.intersection(box)
    return common is not None and common.area >= 0.6 * own.area
