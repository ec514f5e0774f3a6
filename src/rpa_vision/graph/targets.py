"""From a clicked element to a target that can be found again: what it is and says, and what stands around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import letters, naming_words, same_words
from rpa_vision.imaging.outlines import places_like
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import (
    MAX_LANDMARKS,
    Direction,
    Landmark,
    Neighbour,
    RecordedPlace,
    TargetLook,
    TargetSpec,
)
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded, is_sure

_MAX_NEIGHBOURS = 4
_MAX_DISTANCE_PX = 500
_SAME_OFFSET_PX = 24
_MIN_LANDMARK_LETTERS = 2
_MAX_TWINS = 16
_FILLS = 0.4
_TOUCHES = 0.15
_FILLS_WELL = 0.6
_MOSTLY = 0.6
_ONLY_WORDS = ("label", "heading", "cell", "link", "menu_item")
_SURE_LABEL = 0.7
_LIKE = 0.6


def target_of(
    steps: Sequence[DemoStep], *, label: str | None, row_contains: tuple[str, ...], look: TargetLook | None
) -> TargetSpec:
    """Describe what all repetitions of a step acted on."""
    elements = [step.element for step in steps if step.element is not None]
    last = steps[-1]
    place = RecordedPlace(
        bbox=place_of(last).bbox,
        screen_resolution=last.before.size,
        window_geometry=last.window.geometry,
    )
    return TargetSpec(
        role=_majority([element.role for element in elements]),
        type=elements[0].type if len({element.type for element in elements}) == 1 else None,
        label=label,
        row_contains=row_contains,
        neighbours=_neighbours(steps),
        landmarks=_shared_landmarks(steps),
        look=look,
        place=place,
    )


def _shared_landmarks(steps: Sequence[DemoStep]) -> tuple[Landmark, ...]:
    """The landmarks of the last repetition that stood in the same place, seen from the target, in every other one.

    A header says nothing about where a row that changes will be next time. What rows and fields hold is not kept: it
    names people, and is other tomorrow. A dialog stays, whatever it was called each time: it says what lay behind it.
    """
    last = steps[-1]
    place = place_of(last)
    own = letters(last.element.label) if last.element is not None else ""
    naming = {own, *(letters(text) for text in naming_words(last.before.state))}
    kept = []
    for one in landmarks_of(last.before, place, last.element):
        is_shared = letters(one.label) in naming and all(
            _stands_there(step, one.label, _from(Box.of(one.bbox), place)) for step in steps[:-1]
        )
        if not one.label or is_shared:
            kept.append(one)
        elif one.type == "dialog":
            kept.append(one.model_copy(update={"label": ""}))
    return tuple(kept)


def _from(landmark: Box, target: Box) -> tuple[int, int]:
    return (target.center[0] - landmark.center[0], target.center[1] - landmark.center[1])


def landmarks_of(screen: ObservedScreen, place: Box, own: UIElement | None) -> tuple[Landmark, ...]:
    """What else stood on the screen: first the target's twins, then whatever has words, the nearest first."""
    said, kind = (letters(own.label), own.type) if own is not None else ("", None)
    ranked: list[tuple[bool, float, Landmark]] = []
    for element in screen.state.ui_elements:
        if own is not None and element.element_id == own.element_id:
            continue
        box, words = Box.of(element.bbox), letters(element.label)
        is_twin = words == said and element.type == kind if not said else words == said
        if is_twin and (box.contains(place.center) or place.contains(box.center)):
            continue  # another sight of the target itself
        if not is_twin and len(words) < _MIN_LANDMARK_LETTERS and element.type != "dialog":
            continue
        dx, dy = box.center[0] - place.center[0], box.center[1] - place.center[1]
        distance = float((dx * dx + dy * dy) ** 0.5)
        if is_twin and not said and distance > _MAX_DISTANCE_PX:
            continue
        ranked.append((not is_twin, distance, Landmark(label=element.label, type=element.type, bbox=element.bbox)))
    ranked.sort(key=lambda one: one[:2])
    twins = [one for far, _, one in ranked if not far][:_MAX_TWINS]
    texts = [one for far, _, one in sorted(ranked, key=lambda one: (one[2].type != "dialog", one[1])) if far]
    return tuple((twins + texts)[:MAX_LANDMARKS])


def target_on(screen: ObservedScreen, box: Box) -> TargetSpec:
    """Describe what lies in a box of one screen, as far as one look can tell."""
    element = shown_in(screen, box)
    named = element is not None and _names_it(element, screen)
    if (
        element is not None
        and not named
        and (element.type in _ONLY_WORDS or Box.of(element.bbox).overlap(box) < _FILLS_WELL)
    ):
        element = None  # a drawing that was taken for words, or something else: what was shown counts
    place = Box.of(element.bbox) if element is not None else box
    return TargetSpec(
        role=element.role if element is not None else None,
        type=element.type if element is not None else None,
        label=literal(element.label) if element is not None and named else None,
        row_contains=_row_identity(screen, element) if element is not None else (),
        landmarks=landmarks_of(screen, place, element),
        look_is_unique=not named and looks_unique(screen, place),
        place=RecordedPlace(
            bbox=place.bbox,
            screen_resolution=screen.size,
            window_geometry=screen.state.window.geometry,
        ),
    )


def looks_unique(screen: ObservedScreen, place: Box) -> bool:
    """Whether nothing else on the screen looks like what is there."""
    look = screen.pixels[place.y1 : place.y2, place.x1 : place.x2]
    others = [score for box, score in places_like(screen.pixels, look, 1.0) if box.overlap(place) < _FILLS]
    return max(others, default=0.0) < _LIKE


def shown_in(screen: ObservedScreen, box: Box) -> UIElement | None:
    """The element of a box; where none fills it, the words in it: those that name something, and stand once."""
    elements = screen.state.ui_elements
    filling = max(elements, key=lambda one: Box.of(one.bbox).overlap(box), default=None)
    if filling is not None and Box.of(filling.bbox).overlap(box) >= _FILLS:
        return filling
    inside = [one for one in elements if box.contains(one.center) and letters(one.label) and _lies_in(one, box)]
    wide = [one for one in inside if one.bbox[2] - one.bbox[0] > 2 * box.width]
    inside = [one for one in inside if one not in wide] or wide or _around(elements, box)
    if not any(_names_it(one, screen) for one in inside):
        inside = _read_in(screen, box) or inside
    often = Counter(letters(one.label) for one in elements)
    inside.sort(key=lambda one: (not _names_it(one, screen), often[letters(one.label)], one.bbox[1], one.bbox[0]))
    if inside:
        return inside[0]
    return filling if filling is not None and _touches(Box.of(filling.bbox), box) else None


def _touches(own: Box, box: Box) -> bool:
    """It fills some of the box, and the middle of one lies in the other: what only reaches into it is beside it."""
    return own.overlap(box) >= _TOUCHES and (own.contains(box.center) or box.contains(own.center))


def _read_in(screen: ObservedScreen, box: Box) -> list[UIElement]:
    """Words that were read in a box although no element was seen there."""
    found = [
        UIElement(
            element_id=f"read_{line.bbox[0]}_{line.bbox[1]}",
            type="label",
            role="data_display",
            bbox=line.bbox,
            center=Box.of(line.bbox).center,
            label=line.text,
            label_confidence=line.confidence,
            confidence=line.confidence,
        )
        for line in screen.state.perception.text_lines
        if box.contains(Box.of(line.bbox).center)
    ]
    return [one for one in found if _lies_in(one, box) and _names_it(one, screen)]


def _lies_in(element: UIElement, box: Box) -> bool:
    """Most of it is in the box, or all of the box in it: words that run out of a field belong to something else."""
    own = Box.of(element.bbox)
    common = own.intersection(box)
    return common is not None and (common.area >= _MOSTLY * own.area or own.padded(4).encloses(box))


def _around(elements: Sequence[UIElement], box: Box) -> list[UIElement]:
    """The line of words that a box is a part of."""
    found = [one for one in elements if letters(one.label) and Box.of(one.bbox).padded(3).encloses(box)]
    found = [one for one in found if one.bbox[3] - one.bbox[1] < 2 * box.height]
    return sorted(found, key=lambda one: Box.of(one.bbox).area)[:1]


def _names_it(element: UIElement, screen: ObservedScreen) -> bool:
    """Words that were read for sure and are no value; a single letter or a sign is most likely a drawing of an icon."""
    if element.type in FIELD_TYPES:
        box, words = Box.of(element.bbox), letters(element.label)
        lines = screen.state.perception.text_lines
        if any(letters(line.text) == words and box.contains(Box.of(line.bbox).center) for line in lines):
            return False
    sure = is_sure(element.label, element.label_confidence, _SURE_LABEL)
    return sure and sum(char.isalnum() for char in element.label) >= _MIN_LANDMARK_LETTERS


def part_of(recorded: Box, part: Box, live: Box) -> Box | None:
    """Where a part of a recorded box is in the box it became; None where it is no small part of it."""
    inside = recorded.padded(4).encloses(part) and 2 * part.width < recorded.width
    if not inside:
        return None
    across, down = live.width / recorded.width, live.height / recorded.height
    x1, y1 = live.x1 + (part.x1 - recorded.x1) * across, live.y1 + (part.y1 - recorded.y1) * down
    made = Box(round(x1), round(y1), round(x1 + part.width * across), round(y1 + part.height * down))
    return made.intersection(live)


def _row_identity(screen: ObservedScreen, element: UIElement) -> tuple[str, ...]:
    """In a table whose rows hold the like, what makes this row the one: a text no other row says."""
    if "row" not in element.metadata or element.metadata.get("header"):
        return ()
    own = letters(element.label)
    elements = screen.state.ui_elements
    if not any(
        other.element_id != element.element_id and other.type == element.type and letters(other.label) == own
        for other in elements
    ):
        return ()
    often = Counter(letters(one.label) for one in elements)
    beside = [one for one in row_of(element, elements) if "row" in one.metadata and often[letters(one.label)] == 1]
    beside = [one for one in beside if len(letters(one.label)) >= _MIN_LANDMARK_LETTERS]
    return (literal(beside[0].label),) if beside else ()


def place_of(step: DemoStep) -> Box:
    """The box of what was acted on; a small one around the point where nothing was seen there."""
    if step.element is not None:
        return Box.of(step.element.bbox)
    x, y = step.point if step.point is not None else (0, 0)
    return Box(x - 40, y - 20, x + 40, y + 20).clamped(*step.before.size) or Box(0, 0, 1, 1)


def _majority(words: list[str]) -> str | None:
    return Counter(words).most_common(1)[0][0] if words else None


def surroundings_of(
    screen: ObservedScreen, place: Box, own: UIElement | None
) -> tuple[tuple[Neighbour, ...], tuple[Landmark, ...]]:
    """What stands around a place on one screen: neighbours and landmarks, without what rows and fields hold."""
    naming = {letters(own.label) if own is not None else "", *(letters(text) for text in naming_words(screen.state))}
    landmarks = tuple(one for one in landmarks_of(screen, place, own) if not one.label or letters(one.label) in naming)
    named = [element for element in screen.state.ui_elements if letters(element.label) in naming]
    return _nearest(named, place, folded(own.label) if own is not None else "", lambda label, offset: True), landmarks


def _neighbours(steps: Sequence[DemoStep]) -> tuple[Neighbour, ...]:
    """The nearest texts that stood in the same place, seen from the target, in every repetition."""
    last = steps[-1]
    own = folded(last.element.label) if last.element is not None else ""

    def stays(label: str, offset: tuple[int, int]) -> bool:
        return all(_stands_there(step, label, offset) for step in steps[:-1])

    return _nearest(last.before.state.ui_elements, place_of(last), own, stays)


def _nearest(
    elements: Sequence[UIElement], target: Box, own: str, stays: Callable[[str, tuple[int, int]], bool]
) -> tuple[Neighbour, ...]:
    found: list[tuple[float, Neighbour]] = []
    for element in elements:
        if not _is_landmark(element, own):
            continue
        dx, dy = _offset(target, element)
        if not stays(element.label, (dx, dy)):
            continue
        distance = float((dx * dx + dy * dy) ** 0.5)
        if 0 < distance <= _MAX_DISTANCE_PX:
            direction = _direction(dx, dy)
            found.append((distance, Neighbour(label=element.label, direction=direction, offset=(dx, dy))))
    return tuple(neighbour for _, neighbour in sorted(found, key=lambda item: item[0])[:_MAX_NEIGHBOURS])


def _offset(target: Box, element: UIElement) -> tuple[int, int]:
    x, y = Box.of(element.bbox).center
    return (target.center[0] - x, target.center[1] - y)


def _stands_there(step: DemoStep, label: str, offset: tuple[int, int]) -> bool:
    """Whether a repetition has this text at that distance: a header says nothing about a row that changes."""
    target = place_of(step)
    return any(
        same_words(element.label, label)
        and max(abs(a - b) for a, b in zip(_offset(target, element), offset, strict=True)) <= _SAME_OFFSET_PX
        for element in step.before.state.ui_elements
    )


def _is_landmark(element: UIElement, own_label: str) -> bool:
    label = folded(element.label)
    return len(label) >= 3 and label != own_label and not any(char.isdigit() for char in label)


def _direction(dx: int, dy: int) -> Direction:
    """Where the neighbour lies, seen from the target."""
    if abs(dx) >= abs(dy):
        return "left" if dx > 0 else "right"
    return "above" if dy > 0 else "below"


def click_offset(steps: Sequence[DemoStep]) -> tuple[int, int]:
    """Where in a large target the person clicked; small ones are clicked in the middle."""
    last = steps[-1]
    if last.element is None or last.point is None:
        return (0, 0)
    box = Box.of(last.element.bbox)
    if box.width <= 400 and box.height <= 120:
        return (0, 0)
    return (last.point[0] - box.center[0], last.point[1] - box.center[1])
