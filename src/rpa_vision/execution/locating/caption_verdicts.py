"""What the captions of two screens say against a place: it is named otherwise than what is looked for."""

from __future__ import annotations

from rapidfuzz import fuzz

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.captions import MIN_LETTERS, Kind, Side, caption_of, find, gap_beside, is_as_high
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters, same_words
from rpa_vision.models.geometry import Box

_READ_OTHERWISE = 60.0
"""From this likeness on two readings may be one caption, badly read."""
_BESIDE: tuple[Side, ...] = ("right", "left")
_STACKED: tuple[Side, ...] = ("above", "below")


def is_named_otherwise(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, kind: Kind) -> bool:
    """Whether its caption stands by another of its kind; or, if only elsewhere, whether a text of the recorded screen
    has become the caption of a place."""
    other = find(then, box, now, kind)
    if other is not None:
        return other.intersection(place) is None
    if not is_as_high(place, box.height):
        return False  # only a part of it was detected, or more than it
    was, seen = caption_of(then, box, kind), caption_of(now, place, kind)
    if was is None or seen is None or was.side != seen.side or same_words(was.text, seen.text):
        return False
    said, says = ({letters(line.text) for line in one.state.perception.text_lines} for one in (then, now))
    return letters(was.text) in says and letters(seen.text) in said


def is_named_anew(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether the caption of a mark reads quite otherwise: neither the same badly read, nor of the same meaning. A list
    with other rows shows a mark in the same place, and it ticks somebody else."""
    was, seen = caption_of(then, box, "mark"), caption_of(now, place, "mark")
    if was is None or seen is None or was.side != seen.side or was.is_far != seen.is_far:
        return False
    if same_words(was.text, seen.text) or same_meaning(was.text, seen.text):
        return False
    if _digits(was.text) != _digits(seen.text):
        return True
    return fuzz.ratio(letters(was.text), letters(seen.text)) < _READ_OTHERWISE


def neighbour_has_changed(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, kind: Kind = "mark") -> bool:
    """Of a mark without a caption that can be told: whether the texts on both sides of it, or, where there are none,
    the text above it or below it changed places with others. Nothing says which of the two is its name, so either may
    be. Where it was read along with them, as one line, that line says something else. Of such a field the text above
    it: what stands left of it may be that of another column."""
    if kind == "field":
        return _has_changed(then, box, now, place, "above", kind)
    through, through_now = _running_through(then, box), _running_through(now, place)
    if through and through_now and fuzz.ratio(through, through_now) < _READ_OTHERWISE:
        return True
    beside = [_has_changed(then, box, now, place, side) for side in _BESIDE if _nearest(then, box, side) is not None]
    if beside:
        return all(beside)
    return any(_has_changed(then, box, now, place, side) for side in _STACKED)


def _has_changed(
    then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, side: Side, kind: Kind = "mark"
) -> bool:
    """Whether two texts that both screens say stand on one side of it, one then and another now."""
    said, says = ({letters(line.text) for line in one.state.perception.text_lines} for one in (then, now))
    was, seen = _nearest(then, box, side, kind), _nearest(now, place, side, kind)
    return was is not None and seen is not None and was != seen and was in says and seen in said


def _running_through(screen: ObservedScreen, box: Box) -> str | None:
    """The line that was read across a thing."""
    lines = [
        letters(line.text)
        for line in screen.state.perception.text_lines
        if Box.of(line.bbox).contains(box.center) and line.bbox[2] - line.bbox[0] > 2 * box.width
    ]
    return lines[0] if len(lines) == 1 else None


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _nearest(screen: ObservedScreen, box: Box, side: Side, kind: Kind = "mark") -> str | None:
    near = [
        (gap, letters(line.text))
        for line in screen.state.perception.text_lines
        if len(letters(line.text)) >= MIN_LETTERS
        and (gap := gap_beside(side, Box.of(line.bbox), box, kind)) is not None
    ]
    return min(near)[1] if near else None
