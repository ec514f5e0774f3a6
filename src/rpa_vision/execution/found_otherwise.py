"""Whether a target was found otherwise than it was recorded, and what it would be recorded as now.

Four things may differ: its words, its place among the landmarks, the texts around it, its look. A zoomed, scrolled or
moved page is none of these: there the landmarks moved along, and the target was found as recorded. What the run's own
values say never becomes a part of how a target is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.constellation import Sky
from rpa_vision.graph.targets import surroundings_of
from rpa_vision.graph.vocabulary import letters, misread_as, same_words
from rpa_vision.imaging.outlines import likeness, scaled_edges
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.heal_proposal import TargetChange
from rpa_vision.models.target import MAX_ALIASES, RecordedPlace, TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.wording import squeezed

_REACH_PX = 22.0
"""About so far from where its landmarks say a target may lie and still be there."""
_AT_PLACE = 0.5
_STILL_AROUND = 0.5
_MOVED_PX = 48
_LOOKS_OTHER = 0.4
_MIN_VALUE_LETTERS = 3


@dataclass(frozen=True, slots=True)
class FoundOtherwise:
    """What changed, and the target with it. `look` is the box of its new picture, where that changed."""

    changes: tuple[TargetChange, ...]
    after: TargetSpec
    look: Box | None = None


@dataclass(frozen=True, slots=True)
class _Sighting:
    target: TargetSpec
    element: UIElement
    screen: ObservedScreen
    values: Mapping[str, str]
    hidden: tuple[str, ...] = field(default=())

    @property
    def box(self) -> Box:
        return Box.of(self.element.bbox)

    @property
    def wanders(self) -> bool:
        """What depends on the run's values is where they are, which says nothing about the next run."""
        label = self.target.label
        return bool(self.target.row_contains) or (label is not None and bool(variables_in(label)))


def found_otherwise(
    target: TargetSpec,
    element: UIElement,
    screen: ObservedScreen,
    values: Mapping[str, str],
    *,
    look: Pixels | None = None,
    hidden: Iterable[str] = (),
) -> FoundOtherwise | None:
    """What is not as it was recorded; None where it was found as recorded. `hidden` texts are never kept."""
    seen = _Sighting(target, element, screen, values, tuple(text for text in hidden if text))
    sky = None if seen.wanders else constellation.sky_of(target, _label(seen), screen.state.ui_elements)
    words, place, around = _words(seen), _place(seen, sky), _around(seen)
    shown = _look(seen, sky, look)
    changes = tuple(change for change in (words, place, around, shown) if change is not None)
    if not changes:
        return None
    update: dict[str, object] = {}
    if words is not None:
        update["aliases"] = (*target.aliases, words.after)
    if place is not None or around is not None:
        update |= _recorded_now(seen)
    after = target.model_copy(update=update)
    if after == target and shown is None:
        return None
    return FoundOtherwise(changes, after, seen.box if shown is not None else None)


def _label(seen: _Sighting) -> str | None:
    label = seen.target.label
    return fill(label, dict(seen.values)) if label is not None else None


def _words(seen: _Sighting) -> TargetChange | None:
    """Other words than the label, and than the other names it is known by. A slip of the reader is no other word."""
    label, said = seen.target.label, seen.element.label
    if label is None or variables_in(label) or not letters(said) or len(seen.target.aliases) >= MAX_ALIASES:
        return None
    meant = fill(label, {})
    if same_words(said, meant) or misread_as(said, meant) or _tells(said, seen):
        return None
    if any(squeezed(said) == squeezed(alias) for alias in seen.target.aliases):
        return None
    return TargetChange(kind="label", before=meant, after=said)


def _place(seen: _Sighting, sky: Sky | None) -> TargetChange | None:
    recorded = seen.target.place
    if recorded is None or seen.wanders:
        return None
    before = f"at {Box.of(recorded.bbox).center} of {recorded.screen_resolution}"
    height, width = seen.screen.pixels.shape[:2]
    after = f"at {seen.box.center} of {(int(width), int(height))}"
    if sky is not None:
        reach = _REACH_PX * max(1.0, sky.fit.scale)
        if constellation.nearness(seen.box, sky.expected, reach) >= _AT_PLACE:
            return None
        return TargetChange(kind="place", before=before, after=f"{after}, where landmarks say {sky.expected.center}")
    if len(seen.target.landmarks) >= constellation.MIN_AGREEING:
        return None  # what stood around it is gone: that is another change
    then, now = _in_window(Box.of(recorded.bbox), recorded.window_geometry), _in_window(seen.box, _window(seen))
    far = max(abs(a - b) for a, b in zip(then, now, strict=True)) > _MOVED_PX
    same_screen = recorded.screen_resolution == (int(width), int(height))
    return TargetChange(kind="place", before=before, after=after) if far and same_screen else None


def _around(seen: _Sighting) -> TargetChange | None:
    """Most of the texts that stood around it are gone."""
    named = {letters(one.label) for one in seen.target.landmarks if len(letters(one.label)) >= 2}
    if seen.wanders or len(named) < constellation.MIN_AGREEING:
        return None
    there = named & {letters(element.label) for element in seen.screen.state.ui_elements}
    if len(there) >= _STILL_AROUND * len(named):
        return None
    return TargetChange(kind="landmarks", before=f"{len(named)} texts", after=f"{len(there)} of them are still there")


def _look(seen: _Sighting, sky: Sky | None, look: Pixels | None) -> TargetChange | None:
    """It is painted otherwise. Fields look as what they hold."""
    if look is None or seen.target.look is None or seen.element.type in FIELD_TYPES or seen.wanders:
        return None
    picture = scaled_edges(look, sky.fit.scale if sky is not None else 1.0)
    if picture is None or _tells(seen.element.label, seen):
        return None
    like = likeness(seen.screen.pixels, seen.box, picture)
    if like >= _LOOKS_OTHER:
        return None
    size = seen.target.look.size
    after = f"{seen.box.width}x{seen.box.height} pixels, alike by {like:.2f}"
    return TargetChange(kind="look", before=f"{size[0]}x{size[1]} pixels", after=after)


def _recorded_now(seen: _Sighting) -> dict[str, object]:
    """Place and landmarks belong together: they are of one screen."""
    neighbours, landmarks = surroundings_of(seen.screen, seen.box, seen.element)
    height, width = seen.screen.pixels.shape[:2]
    return {
        "neighbours": tuple(one for one in neighbours if not _tells(one.label, seen)),
        "landmarks": tuple(one for one in landmarks if not _tells(one.label, seen)),
        "place": RecordedPlace(
            bbox=seen.element.bbox,
            screen_resolution=(int(width), int(height)),
            screen_scale=seen.target.place.screen_scale if seen.target.place is not None else 1.0,
            window_geometry=_window(seen),
        ),
    }


def _tells(text: str, seen: _Sighting) -> bool:
    """Whether a text says something of this run only: a value, or a secret."""
    told = [value for value in seen.values.values() if len(letters(value)) >= _MIN_VALUE_LETTERS]
    return any(secret in text for secret in seen.hidden) or any(letters(value) in letters(text) for value in told)


def _window(seen: _Sighting) -> tuple[int, int, int, int] | None:
    return seen.screen.state.window.geometry


def _in_window(box: Box, window: tuple[int, int, int, int] | None) -> tuple[int, int]:
    x, y = box.center
    return (x - window[0], y - window[1]) if window is not None else (x, y)
