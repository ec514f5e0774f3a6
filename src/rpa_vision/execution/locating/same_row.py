"""What stands in a row by the texts of its row: a table that is sorted anew takes its signs and boxes to tick along.

The row is where most of its texts stand beside each other again, one of them said nowhere else, then or now; where a
text that only it said is gone, it may be another row. What is looked for stands there as far from the nearest of them
as it stood, and bears its name, is a box to tick as it was, or looks the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import said_once, shared_lines
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.shapes import may_be_a_mark
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.outlines import edges_of, scaled_edges
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec

NAME = "same_row"
_MIN_LETTERS = 2
_MOSTLY = 0.5
_IN_LINE = 0.6
"""How far the middles of texts in one row are apart at most, in lines."""
_STRAY_LINES = 1.5
_LOOKS_THE_SAME = 0.8
_CLEARLY = 0.1
_STAYED_PX = 4

_Text = tuple[str, Box]


@dataclass(frozen=True, slots=True)
class _Row:
    """Texts of a recorded row that stand beside each other again."""

    again: tuple[tuple[Box, Box], ...]
    share: float


def find(then: ObservedScreen, box: Box, target: TargetSpec, now: ObservedScreen) -> Box | None:
    """Where the row of a recorded thing is now, and it in it; None where that cannot be told."""
    lines = shared_lines(then, now, box)
    row = _row_again(then, box, now) if lines is not None else None
    if lines is None or row is None:
        return None
    was, line = min(row.again, key=lambda one: _across(one[0], box))
    x, y = (
        round(at + lines.growth * (own - old)) for at, own, old in zip(line.center, box.center, was.center, strict=True)
    )
    width, height = round(lines.growth * box.width), round(lines.growth * box.height)
    wanted = Box(x - width // 2, y - height // 2, x - width // 2 + width, y - height // 2 + height)
    stray = round(_STRAY_LINES * lines.growth * lines.height)
    if target.type in FIELD_TYPES:
        return _of_its_kind(now, wanted, FIELD_TYPES)  # what it holds is no name
    if target.label and target.type not in TICKED:
        if abs(was.center[1] - line.center[1]) < lines.height or not _has_twins(then, box, target.label):
            return None  # the words have been heard: only which of several is meant is asked here
        named = [
            at
            for one in now.state.ui_elements
            if letters(one.label) == letters(target.label)
            and abs((at := Box.of(one.bbox)).center[1] - y) <= stray / 2
            and abs(at.center[0] - x) <= max(stray, width)
        ]
        return named[0] if len(named) == 1 else None
    if target.type in TICKED and (one := _of_its_kind(now, wanted, (target.type,))) is not None:
        return one  # ticked or not
    if not may_be_a_mark(box):
        return None
    return _looking_the_same(then, box, now, wanted, lines.growth, stray)


def is_in_another_row(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether the texts of its row stand beside each other still, but a place stands among those of another row."""
    once, once_now = said_once(then), said_once(now)
    own, here = (
        {said for said, at in texts.items() if said in others and _holds(at, one) and not one.contains(at.center)}
        for texts, others, one in ((once, once_now, box), (once_now, once, place))
    )
    return not own & here and _is_a_row(own, once_now) and _is_a_row(here, once)


def _is_a_row(said: set[str], at: Mapping[str, Box]) -> bool:
    """Whether all texts stand in one line."""
    return bool(said) and all(_holds(at[one], at[other]) for one in said for other in said)


def _of_its_kind(screen: ObservedScreen, wanted: Box, kinds: Collection[str]) -> Box | None:
    there = [
        at
        for one in screen.state.ui_elements
        if one.type in kinds and (at := Box.of(one.bbox)).contains(wanted.center) and wanted.contains(at.center)
    ]
    return there[0] if len(there) == 1 else None


def _has_twins(screen: ObservedScreen, box: Box, label: str) -> bool:
    return any(
        letters(one.label) == letters(label) and not box.contains(one.center) for one in screen.state.ui_elements
    )


def goes_on(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, line_px: int) -> bool:
    """Whether something is written there, right before or after it or right below, that was not."""
    growth = place.height / box.height
    was, seen = (
        {said for said, at in _texts(screen) if at.intersection(around) is not None}
        for screen, around in ((then, _and_next(box, line_px)), (now, _and_next(place, round(growth * line_px))))
    )
    return not seen <= was


def says_the_same(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether the same is written in the line of a box and in that of a place, from one side to the other: what goes
    by order or by looks alone must not end in the row of another."""
    was, seen = (
        {said for said, line in _texts(screen) if at.y1 <= line.center[1] < at.y2}
        for screen, at in ((then, box), (now, place))
    )
    return was == seen


def _and_next(box: Box, line_px: int) -> Box:
    return Box(box.x1 - line_px // 2, box.y1, box.x2 + line_px // 2, box.y2 + line_px // 3)


def _row_again(then: ObservedScreen, box: Box, now: ObservedScreen) -> _Row | None:
    """The row now: it holds most of the texts the recorded one held, and one that only it holds."""
    own = [one for one in _texts(then) if box.y1 <= one[1].center[1] < box.y2 or _holds(one[1], box)]
    own = [one for one in own if not box.contains(one[1].center)]
    once, once_now = said_once(then), said_once(now)
    texts = _texts(now)
    if any(said in once and not any(said == other for other, _ in texts) for said, _ in own):
        return None  # its number may be what is gone: the rest of it is said of others too
    moved = [one for one in own if not any(said == one[0] and _stayed(at, one[1]) for said, at in texts)]
    if any(said in once and said in once_now for said, _ in moved):
        own = moved  # what stands beside the table stays where it is
    telling = [said for said, _ in own if said in once and said in once_now]
    rows = [row for said in telling if (row := _row_at(own, once_now[said], texts)) is not None]
    best = max(rows, key=lambda row: row.share, default=None)
    if best is None or best.share < _MOSTLY:
        return None
    places = {again.center[1] for _, again in best.again}
    astray = [said for said in telling if all(abs(once_now[said].center[1] - y) > box.height for y in places)]
    return None if len(astray) >= len(best.again) else best


def _row_at(own: Sequence[_Text], at: Box, texts: Sequence[_Text]) -> _Row | None:
    beside = [one for one in texts if abs(one[1].center[1] - at.center[1]) <= _IN_LINE * at.height]
    again = list[tuple[Box, Box]]()
    left = None
    for said, box in sorted(own, key=lambda one: one[1].x1):
        found = [other for name, other in beside if name == said and (left is None or other.x1 > left)]
        if found:
            again.append((box, min(found, key=lambda one: one.x1)))
            left = again[-1][1].x1
    return _Row(tuple(again), len(again) / len(own)) if again else None


def _looking_the_same(
    then: ObservedScreen, box: Box, now: ObservedScreen, wanted: Box, growth: float, stray: int
) -> Box | None:
    """The place about where it must be that looks the same, if no other there does."""
    picture = scaled_edges(np.ascontiguousarray(then.pixels[box.y1 : box.y2, box.x1 : box.x2]), growth)
    part = wanted.padded(stray, stray // 3).clamped(int(now.pixels.shape[1]), int(now.pixels.shape[0]))
    if picture is None or part is None or part.width < picture.shape[1] or part.height < picture.shape[0]:
        return None
    region = np.ascontiguousarray(now.pixels[part.y1 : part.y2, part.x1 : part.x2, :3])
    edges = edges_of(cv2.cvtColor(region, cv2.COLOR_BGR2GRAY))
    found = np.abs(np.nan_to_num(cv2.matchTemplate(edges, picture, cv2.TM_CCOEFF_NORMED), posinf=0.0, neginf=0.0))
    _, best, _, (x, y) = cv2.minMaxLoc(found)
    across = picture.shape[1] // 2
    found[:, max(0, x - across) : x + across + 1] = 0.0
    if best < _LOOKS_THE_SAME or best - float(found.max()) < _CLEARLY:
        return None
    return Box(part.x1 + x, part.y1 + y, part.x1 + x + picture.shape[1], part.y1 + y + picture.shape[0])


def _texts(screen: ObservedScreen) -> list[_Text]:
    lines = screen.state.perception.text_lines
    return [(said, Box.of(line.bbox)) for line in lines if len(said := letters(line.text)) >= _MIN_LETTERS]


def _holds(line: Box, box: Box) -> bool:
    return line.y1 <= box.center[1] < line.y2


def _stayed(one: Box, other: Box) -> bool:
    return all(abs(a - b) <= _STAYED_PX for a, b in zip(one.bbox[:2], other.bbox[:2], strict=True))


def _across(one: Box, other: Box) -> int:
    return max(0, other.x1 - one.x2, one.x1 - other.x2)
