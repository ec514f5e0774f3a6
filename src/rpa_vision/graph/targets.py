"""From a clicked element to a target that can be found again: what it is and says, and what stands around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Direction, Neighbour, RecordedPlace, TargetLook, TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded

_MAX_NEIGHBOURS = 4
_MAX_DISTANCE_PX = 500
_SAME_OFFSET_PX = 24


def target_of(
    steps: Sequence[DemoStep], *, label: str | None, row_contains: tuple[str, ...], look: TargetLook | None
) -> TargetSpec:
    """Describe what all repetitions of a step acted on."""
    elements = [step.element for step in steps if step.element is not None]
    last = steps[-1]
    height, width = last.before.pixels.shape[:2]
    place = RecordedPlace(
        bbox=place_of(last).bbox,
        screen_resolution=(int(width), int(height)),
        window_geometry=last.window.geometry,
    )
    return TargetSpec(
        role=_majority([element.role for element in elements]),
        type=elements[0].type if len({element.type for element in elements}) == 1 else None,
        label=label,
        row_contains=row_contains,
        neighbours=_neighbours(steps),
        look=look,
        place=place,
    )


def place_of(step: DemoStep) -> Box:
    """The box of what was acted on; a small one around the point where nothing was seen there."""
    if step.element is not None:
        return Box.of(step.element.bbox)
    x, y = step.point if step.point is not None else (0, 0)
    height, width = step.before.pixels.shape[:2]
    return Box(x - 40, y - 20, x + 40, y + 20).clamped(int(width), int(height)) or Box(0, 0, 1, 1)


def _majority(words: list[str]) -> str | None:
    return Counter(words).most_common(1)[0][0] if words else None


def _neighbours(steps: Sequence[DemoStep]) -> tuple[Neighbour, ...]:
    """The nearest texts that stood in the same place, seen from the target, in every repetition."""
    last = steps[-1]
    target = place_of(last)
    own = folded(last.element.label) if last.element is not None else ""
    found: list[tuple[float, Neighbour]] = []
    for element in last.before.state.ui_elements:
        if not _is_landmark(element, own):
            continue
        dx, dy = _offset(target, element)
        if not all(_stands_there(step, element.label, (dx, dy)) for step in steps[:-1]):
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
