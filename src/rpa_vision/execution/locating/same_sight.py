"""What two pictures say about a place, whatever was read or detected there.

Where the whole recorded screen is at hand, not only what was understood of it, its place can be looked up on the live
one: the landmarks say where it is, or its picture is searched for, and both are compared (`imaging.same_place`). Where
the place and all around it are unchanged, that is the target; what else follows is in `sight_verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.shapes import holds_a_sign
from rpa_vision.execution.strategies.constellation import SURE_AGREEMENT, landmark_matches
from rpa_vision.execution.strategies.landmark_fit import Fit, fit_landmarks, letters_growth
from rpa_vision.graph.targets import landmarks_of, looks_unique
from rpa_vision.imaging.outlines import places_like
from rpa_vision.imaging.same_place import Comparison, compared
from rpa_vision.models.geometry import Box, Point

NAME = "same_place"
LIKE = 0.6
"""From this likeness on a picture is the same picture."""
INSIDE = 0.8
NEAR, NEAR_CRISP = 0.8, 0.93
MIN_TILES = 6
SURE_FIT = 0.9
_MIN_MATCHES = 2
_MIN_CLEARNESS = 0.5
_CRISP = 0.98
_AROUND = 0.8
_NEW_AROUND = 0.1
_STILL_THERE = 0.85
_SIGHTED = 0.93
_PARTLY = 0.6
_MANY_TILES, _VERY_MANY_TILES = 10, 30
_MANY_LANDMARKS = 10
_SEARCH_AROUND_PX = 20
_SEARCH_SIDE_PX = 250
_PLACES = 3
_ONE_PLACE_PX = 8
_SAME_SCALE = 0.02
_SAME_LETTERS = 0.04
_BAR = 0.1
"""Up to this share of the height something belongs to a bar at the top."""
_ZOOMS = (1.0, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2.0)
_LETTERS_TELL = 0.13
"""How far the growth of a few letters may be off from the zoom that made them grow."""
_SAME_LOOK, _HALF = 0.85, 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a recorded place is now, and how it and what stands around it compare."""

    found: Comparison | None
    fit: Fit | None
    is_kept: bool = False
    """It kept its distance from the edges of the screen."""

    @property
    def is_unchanged(self) -> bool:
        """It and what stands around it are as they were, with nothing new beside it. Where the landmarks are sure of
        the place, it and what touches it are enough, and its look alone where it kept its corner."""
        one = self.found
        return one is not None and (is_unchanged(one) or self.is_kept or (_is_sure(self.fit) and _is_untouched(one)))

    @property
    def is_crisp(self) -> bool:
        """What stands around it is drawn as it was, to the pixel: so whatever differs in it is different."""
        one = self.found
        if one is None or self.fit is None or one.clearness < _CRISP or one.around.same < MIN_TILES:
            return False
        if one.around.share() >= _PARTLY:
            return self.fit.agreement >= SURE_AGREEMENT
        return (
            self.fit.agreement >= SURE_FIT
            and self.fit.agreeing >= _MANY_LANDMARKS
            and one.around.same >= _VERY_MANY_TILES
        )

    @property
    def is_drawn_alike(self) -> bool:
        """What stands around it is drawn to the pixel as it was: so is every sign that is still the same."""
        one = self.found
        return one is not None and one.clearness >= _CRISP and one.around.same >= MIN_TILES

    @property
    def is_the_very_place(self) -> bool:
        """It and all around it, of which there is much, is drawn to the pixel as it was."""
        one = self.found
        return (
            one is not None
            and min(one.clearness, one.likeness) >= _CRISP
            and one.around.same >= _VERY_MANY_TILES
            and min(one.inside.share(), one.around.share()) == 1.0
            and not one.inside.new + one.around.new
        )

    @property
    def is_in_sight(self) -> bool:
        """Nearly all that stood around it stands there still: it is this place, and nothing covers it."""
        one = self.found
        return (
            one is not None
            and one.clearness >= _MIN_CLEARNESS
            and one.around.inked >= _MANY_TILES
            and one.around.share() >= _STILL_THERE
        )


def is_unchanged(one: Comparison) -> bool:
    """Whether a place is the same on both pictures; where they are the same to the pixel, more is asked for."""
    crisp = one.clearness >= _CRISP
    return (
        one.clearness >= _MIN_CLEARNESS
        and one.around.inked >= MIN_TILES
        and one.around.share() >= _AROUND
        and one.around.new <= _NEW_AROUND * one.around.inked
        and one.near.share() >= (NEAR_CRISP if crisp else NEAR)
        and not one.near.new
        and one.likeness >= LIKE
        and one.inside.share() >= (1.0 if crisp else INSIDE)
        and not one.inside.new
    )


def _is_untouched(one: Comparison) -> bool:
    """Whether all in it and all that touches it is the same, and nothing new is anywhere."""
    return (
        one.clearness >= _MIN_CLEARNESS
        and one.likeness >= LIKE
        and one.near.inked >= MIN_TILES
        and min(one.inside.share(), one.near.share()) == 1.0
        and one.around.share() >= _PARTLY
        and not one.inside.new + one.near.new + one.around.new
    )


def look_up(then: ObservedScreen, box: Box, now: ObservedScreen, found: Point | None = None) -> Place:
    """Find a place of one screen on another: where the landmarks say, or the only place that shows the same. Where the
    target was found by its words at the place the landmarks say, nothing else is looked for."""
    matches = landmark_matches(landmarks_of(then, box, None), now.state.ui_elements)
    growth = letters_growth(matches)
    fit = fit_landmarks(box, matches, growth) if len(matches) >= _MIN_MATCHES else None
    first = compared(then.pixels, box, now.pixels, fit.scale, fit.dx, fit.dy) if fit is not None else None
    here = Place(_on_screen(first, now), fit)
    at_place = found is not None and first is not None and first.box.contains(found)
    if at_place or (first is not None and is_unchanged(first)) or (here.is_in_sight and _is_sure(fit)):
        return here  # what stands around it is there: looking elsewhere takes time and finds its likes
    kept = _in_its_corner(then, box, now, 1.0 if abs(growth - 1.0) < _SAME_LETTERS else growth, fit)
    if kept is not None:
        return Place(kept, fit, is_kept=True)
    same: list[Comparison] = []
    for scale in _apart([1.0, fit.scale if fit is not None else 1.0, growth]):
        for one in _sighted(then, box, now, scale):
            if is_surely_it(one, box, fit) and not any(_is_one_place(one.box, other.box) for other in same):
                same.append(one)
    return Place(_on_screen(same[0], now), fit) if len(same) == 1 else here


def _in_its_corner(
    then: ObservedScreen, box: Box, now: ObservedScreen, growth: float, fit: Fit | None
) -> Comparison | None:
    """The place as far from the top and from the left or right edge as it was, if it is unchanged: a bar, or what lies
    above the page, stays while the page below it is laid out anew."""
    height, width = then.pixels.shape[:2]
    live, is_right, in_bar = int(now.pixels.shape[1]), 2 * box.center[0] >= width, box.y2 <= _BAR * height
    zooms = [zoom for zoom in _ZOOMS if abs(zoom / growth - 1.0) <= _LETTERS_TELL] if in_bar else []
    for scale in _apart([*zooms, growth]):
        for shift in dict.fromkeys((live - scale * int(width), 0.0) if is_right else (0.0,)):
            one = _on_screen(compared(then.pixels, box, now.pixels, scale, shift, 0.0), now)
            if one is None:
                continue
            if is_unchanged(one) if in_bar else is_surely_it(one, box, fit):
                return one
            if in_bar and _looks_the_same(one) and looks_unique(then, box):
                return one
    return None


def _looks_the_same(one: Comparison) -> bool:
    """A sign at another size is the same, whatever its bar became; nothing new is in it or touches it. To the pixel
    only the same is the same, and a word may have gone on over what stood beside it."""
    return (
        one.clearness < _CRISP
        and holds_a_sign(one.box)
        and one.likeness >= _SAME_LOOK
        and one.inside.share() >= _SAME_LOOK
        and one.near.share() >= _HALF
        and not one.inside.new + one.near.new
    )


def is_surely_it(one: Comparison, box: Box, fit: Fit | None) -> bool:
    """What was only sighted may be the like in another row: nearly all around it must be the same, and all the more
    where the landmarks are sure that it belongs elsewhere."""
    elsewhere = fit is not None and fit.agreement >= SURE_FIT and not _is_one_place(one.box, fit.box(box))
    return is_unchanged(one) and min(one.near.share(), one.around.share()) >= (1.0 if elsewhere else _SIGHTED)


def dialog_is_new(then: ObservedScreen, now: ObservedScreen, place: Box, fit: Fit | None) -> bool:
    """Whether a dialog lies before a place that is not painted where it must have been on the recorded screen."""
    front = front_of(now.state.ui_elements)
    if front is None or front.contains(place.center):
        return False
    if fit is None:
        return True
    recorded = Box(
        *(round((value - shift) / fit.scale) for value, shift in zip(front.bbox, (fit.dx, fit.dy) * 2, strict=True))
    )
    part = recorded.clamped(int(then.pixels.shape[1]), int(then.pixels.shape[0]))
    if part is None or part != recorded:
        return True
    one = compared(then.pixels, part, now.pixels, fit.scale, fit.dx, fit.dy)
    return one is None or one.inside.inked < MIN_TILES or one.inside.share() < _STILL_THERE


def _is_sure(fit: Fit | None) -> bool:
    return fit is not None and fit.agreement >= SURE_FIT and fit.agreeing >= _MANY_LANDMARKS


def _apart(scales: Iterable[float]) -> list[float]:
    """Scales that make a difference: pictures a fiftieth larger or smaller are found all the same."""
    found: list[float] = []
    for scale in scales:
        if all(abs(scale / other - 1.0) > _SAME_SCALE for other in found):
            found.append(scale)
    return found


def _sighted(then: ObservedScreen, box: Box, now: ObservedScreen, scale: float) -> Iterator[Comparison]:
    """Places that look like the beginning of the box with a little around it."""
    height, width = then.pixels.shape[:2]
    part = box.padded(_SEARCH_AROUND_PX).clamped(int(width), int(height))
    if part is None:
        return
    side = round(_SEARCH_SIDE_PX / max(scale, 0.1))
    part = Box(part.x1, part.y1, min(part.x2, part.x1 + side), min(part.y2, part.y1 + side))
    look = np.ascontiguousarray(then.pixels[part.y1 : part.y2, part.x1 : part.x2])
    for seen, _ in places_like(now.pixels, look, scale)[:_PLACES]:
        dx, dy = seen.x1 - scale * part.x1, seen.y1 - scale * part.y1
        found = compared(then.pixels, box, now.pixels, scale, dx, dy)
        if found is not None:
            yield found


def _on_screen(one: Comparison | None, now: ObservedScreen) -> Comparison | None:
    height, width = now.pixels.shape[:2]
    inside = one is not None and Box(0, 0, int(width), int(height)).contains(one.box.center)
    return one if inside else None


def _is_one_place(one: Box, other: Box) -> bool:
    return all(abs(a - b) < _ONE_PLACE_PX for a, b in zip(one.center, other.center, strict=True))
