"""A box to tick or a field by its caption, whatever was read in it or detected there.

What names it stands right beside it, or above it and flush with it, and nothing else stands between. So it is told by
geometry alone, on each screen for itself, at whatever size: what stood by a caption is what stands by it now, and what
stands by the caption of another is that other, be it drawn to the pixel where it was.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import said_once, shared_lines
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.shapes import each_once, may_be_a_mark
from rpa_vision.graph.vocabulary import letters, same_words
from rpa_vision.imaging.between import stands_between
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement

NAME = "caption"
MIN_LETTERS = 3
_MARK_LINES = 2.2
_BESIDE_LINES, _LEFT_LINES, _ABOVE_LINES = 3.5, 12.0, 1.3
_FLUSH_LINES = 0.8
_SIGN_LINES = 0.5
"""A sign so wide and high at most stands between a name and its field and is neither: « Nom * »."""
_IN_LINE = 0.6
_OFF_LINES = 1.0
_AS_LARGE = 1.7
_OTHERS = ("button", "tab", "menu_item")
"""What has words of its own, which name nothing else."""
_WORDS = ("label", "heading")
_WIDER, _HIGHER = 2.0, 3.0
_LARGE = ("dialog", "table", "table_row", "list_item")
"""What a line of a list lies in."""
_STACKED_LINES = 0.3
_AT_EDGE_PX = 4
_READ_ALONG = 0.6
"""How far before a mark a line may begin that it was read along with, in its heights."""
_IN_COLUMN_PX = 6
_UNKNOWN = (None, "slider")
"""What a switch is taken for where it is not known; a sign is none, it may be another deed."""

Kind = Literal["mark", "field"]
Side = Literal["right", "left", "above", "below"]
_OPPOSITE: dict[Side, Side] = {"right": "left", "left": "right", "above": "below", "below": "above"}
_AS_NEAR, _AT_ALL = 1.6, 0.3
"""A text on the other side is a rival up to this many times as far away, and this many lines."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What names a thing, and on which side of it that stands."""

    text: str
    box: Box
    side: Side
    listed: frozenset[str] = frozenset()
    """What the captions of the marks in its column say, where it stands alone in its line with it: how far apart they
    are says nothing then, but the column does."""

    @property
    def is_far(self) -> bool:
        """It stands at the other end of the line."""
        return bool(self.listed)


def kind_of(target: TargetSpec, box: Box, line_px: float) -> Kind | None:
    """Whether a target is named by a caption; None where it has words of its own, or may have."""
    is_small = may_be_a_mark(box) and box.height <= _MARK_LINES * line_px
    if is_small and (target.type in TICKED or (not target.label and target.type in _UNKNOWN)):
        return "mark"
    if target.type in FIELD_TYPES:
        return "field"
    return "field" if target.type in _WORDS and target.place is not None and _holds(box, target.place.bbox) else None


def _holds(box: Box, words: BBox) -> bool:
    """Whether a box is that of a field with words in it, which nobody took for a field."""
    own = Box.of(words)
    is_wider = _WIDER * own.width <= box.width and own.height < box.height <= _HIGHER * own.height
    return is_wider and box.contains(own.center) and own.x1 - box.x1 <= own.height


def caption_of(screen: ObservedScreen, box: Box, kind: Kind) -> Caption | None:
    """What names a thing: of a mark the text right of it, else left of it; of a field the text above it and flush with
    it, else left of it. None where a text on the opposite side is as near: pages differ in where captions stand, and
    one of the two names its neighbour; and where something is painted before the nearest text. A mark beside a name
    and a note in two lines goes by the name, and one that stands alone in its line with a single text by that, however
    far away it is: a switch at the end of its line."""
    lines = [
        (line.text, at)
        for line in screen.state.perception.text_lines
        if len(letters(line.text)) >= MIN_LETTERS and not box.padded(2).contains((at := Box.of(line.bbox)).center)
    ]
    if kind == "field":
        spoken_for = [
            Box.of(one.bbox) for one in screen.state.ui_elements if one.type in _OTHERS or one.type in FIELD_TYPES
        ]
        lines = [one for one in lines if not any(other.contains(one[1].center) for other in spoken_for)]
    sides: tuple[Side, ...] = ("right", "left") if kind == "mark" else ("above", "left")
    for side in sides:
        near = [(gap, text, at) for text, at in lines if (gap := gap_beside(side, at, box, kind)) is not None]
        if near:
            least = min(near, key=lambda one: one[0])[0]
            as_near = [one for one in near if one[0] <= least + _AT_ALL]
            far, text, at = min(as_near, key=lambda one: _off(side, one[2], box))
            sign_px = round(_SIGN_LINES * at.height) if kind == "field" else 0
            if stands_between(screen.pixels, box, at, sign_px=sign_px):
                return None  # it may name what stands between; then the other side may name a neighbour as well
            other = _OPPOSITE[side]
            rivals = [gap for _, one in lines if (gap := gap_beside(other, one, box, kind)) is not None]
            return None if min(rivals, default=99.0) <= _AS_NEAR * far + _AT_ALL else Caption(text, at, side)
    return (_first_of_two(lines, box) or _alone_in_line(screen, lines, box)) if kind == "mark" else None


def _off(side: Side, at: Box, box: Box) -> int:
    """How far out of line a text stands."""
    return abs(at.x1 - box.x1) if side in ("above", "below") else abs(at.center[1] - box.center[1])


def _first_of_two(lines: Sequence[tuple[str, Box]], box: Box) -> Caption | None:
    """The upper one of two lines right of a mark that stands between them."""
    beside = [
        (text, at)
        for text, at in lines
        if at.y1 < box.y2 and box.y1 < at.y2 and 0 <= at.x1 - box.x2 <= _BESIDE_LINES * at.height
    ]
    before = any(at.y1 < box.y2 and box.y1 < at.y2 and 0 <= box.x1 - at.x2 <= at.height for _, at in lines)
    if len(beside) != 2 or before:
        return None
    (text, at), (_, below) = sorted(beside, key=lambda one: one[1].y1)
    stands_between = at.center[1] < box.center[1] < below.center[1]
    flush = abs(at.x1 - below.x1) <= _STACKED_LINES * at.height
    return Caption(text, at, "right") if stands_between and flush else None


def _alone_in_line(screen: ObservedScreen, lines: Sequence[tuple[str, Box]], box: Box) -> Caption | None:
    """The only text in the line of a mark, left of it, where nothing else stands in the line, and the same is true of
    another mark above or below: a list of settings. What stands in its line in another card is no caption."""
    own = _only_text(screen, lines, box)
    if own is None:
        return None
    likes = [
        one
        for element in screen.state.ui_elements
        if element.type in TICKED
        and abs((one := Box.of(element.bbox)).center[0] - box.center[0]) <= _IN_COLUMN_PX
        and not one.padded(_AT_EDGE_PX).contains(box.center)
    ]
    others = [found for like in likes if (found := _only_text(screen, lines, like)) is not None]
    listed = frozenset(letters(text) for text, at in others if abs(at.x1 - own[1].x1) <= _IN_COLUMN_PX)
    return Caption(*own, "left", listed) if listed else None


def _only_text(screen: ObservedScreen, lines: Sequence[tuple[str, Box]], box: Box) -> tuple[str, Box] | None:
    """The only thing in the line of a mark, if that is a text left of it."""
    beside = [(text, at) for text, at in lines if at.y1 < box.y2 and box.y1 < at.y2]
    if len(beside) != 1:
        return None
    text, at = beside[0]
    others = [
        one
        for element in screen.state.ui_elements
        if element.type not in _LARGE
        and (one := Box.of(element.bbox)).y1 < box.y2
        and box.y1 < one.y2
        and one.intersection(box) is None
        and one.intersection(at) is None
    ]
    in_line = abs(at.center[1] - box.center[1]) <= _IN_LINE * max(at.height, box.height)
    return (text, at) if not others and in_line and at.x2 <= box.x1 else None


def find(then: ObservedScreen, box: Box, now: ObservedScreen, kind: Kind) -> Box | None:
    """What stands by its caption now, as it stood; None where that is not said once, or not one of its kind does."""
    was, lines = caption_of(then, box, kind), shared_lines(then, now, box)
    if was is None or lines is None or letters(was.text) not in said_once(then):
        return None
    at = said_once(now).get(letters(was.text))
    if at is None or (kind == "mark" and lost_of_its_row(then, box, now)):
        return None
    wanted = _expected(was, box, at, lines.growth)
    off = _OFF_LINES * lines.growth * lines.height
    high = lines.growth * box.height
    there = [
        one
        for element in now.state.ui_elements
        if is_of_kind(element, kind)
        and is_as_high(one := Box.of(element.bbox), high)
        and abs(one.center[1] - wanted[1]) <= off
        and (was.is_far or _is_across(one, wanted[0], off, kind))
    ]
    there = [one for one in each_once(there) if _is_captioned(now, one, kind, was)]
    return there[0] if len(there) == 1 and not is_switched_off(now, there[0]) else None


def is_switched_off(screen: ObservedScreen, place: Box) -> bool:
    """Whether anything detected there is disabled: what is seen twice need not be told so twice."""
    return any(
        element.state is not None and element.state.enabled is False and place.contains(Box.of(element.bbox).center)
        for element in screen.state.ui_elements
    )


def lost_of_its_row(then: ObservedScreen, box: Box, now: ObservedScreen, found: Set[str] = frozenset()) -> bool:
    """Whether a text that only its row said is gone: its number, say, which tells two of one name apart. `found` is
    what was found otherwise."""
    says = {*found, *(letters(line.text) for line in now.state.perception.text_lines)}
    return any(said not in says for said, at in said_once(then).items() if at.y1 <= box.center[1] < at.y2)


def _is_captioned(screen: ObservedScreen, place: Box, kind: Kind, caption: Caption) -> bool:
    seen = caption_of(screen, place, kind)
    if seen is None or seen.is_far != caption.is_far or (caption.is_far and not seen.listed & caption.listed):
        return False  # the switches of another list stand in another column
    return seen.side == caption.side and same_words(seen.text, caption.text)


def _expected(was: Caption, box: Box, at: Box, growth: float) -> tuple[float, float]:
    """Where it must begin, or, of what stands left of its caption, end; and how far down its middle must be."""
    down = at.center[1] + growth * (box.center[1] - was.box.center[1])
    if was.side == "right":
        return at.x1 - growth * (was.box.x1 - box.x2), down
    if was.side == "left":
        return at.x2 + growth * (box.x1 - was.box.x2), down
    return at.x1 + growth * (box.x1 - was.box.x1), down


def _is_across(one: Box, wanted: float, off: float, kind: Kind) -> bool:
    edges = (one.x1, one.x2) if kind == "mark" else (one.x1,)
    return any(abs(edge - wanted) <= off for edge in edges)


def is_of_kind(element: UIElement, kind: Kind) -> bool:
    """Whether something was detected as what a caption of this kind names."""
    if kind == "field":
        return element.type in FIELD_TYPES
    return element.type in TICKED or (element.type == "slider" and may_be_a_mark(Box.of(element.bbox)))


def is_as_high(one: Box, high: float) -> bool:
    """Whether something is about as high as it must be, and not only a part of it or more than it."""
    return one.height <= _AS_LARGE * high and high <= _AS_LARGE * one.height


def gap_beside(side: Side, at: Box, box: Box, kind: Kind) -> float | None:
    """How far a text is away on a side of a box, in lines; None where it does not stand there."""
    high = float(at.height)
    if side in ("above", "below"):
        flush = abs(at.x1 - box.x1) <= _FLUSH_LINES * high
        gap = (box.y1 - at.y2 if side == "above" else at.y1 - box.y2) / high
        return gap if flush and -0.3 <= gap <= _ABOVE_LINES else None
    if abs(at.center[1] - box.center[1]) > _IN_LINE * max(high, min(box.height, 2 * high)):
        return None
    if kind == "mark" and side == "right" and box.x1 - _READ_ALONG * box.height <= at.x1 < box.x2 < at.x2 - high / 2:
        return 0.0  # the mark was read along with it
    gap = (at.x1 - box.x2 if side == "right" else box.x1 - at.x2) / high
    return gap if -0.3 <= gap <= (_BESIDE_LINES if kind == "mark" else _LEFT_LINES) else None
