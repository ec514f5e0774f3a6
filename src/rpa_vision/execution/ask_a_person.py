"""What a person is asked when nothing is safe, and what may be made of the answer.

A person says which thing is meant; she is not believed against the screen. What is disabled, lies in another window or
behind a dialog, is in another row than the run's value names, or says another value, is refused however it was shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import hard_constraints, rows
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Candidate, Resolved, Unresolved
from rpa_vision.imaging.diff import plainly_changed_share
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import INTERACTIVE_TYPES, UIElement
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.wording import squeezed

SHOWN = "shown_by_person"
"""The strategy of a target that a person pointed out."""
MAX_CHOICES = 9
CHANGED_SHARE = 0.02
"""A screen of which more than this share changed is another one. A clock that goes on is less."""
_AROUND_PX = 24
_POINT_PX = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be meant, numbered."""

    number: int
    element: UIElement
    score: float
    reasons: tuple[str, ...]
    objection: str | None


def choices(
    target: TargetSpec, doubt: Unresolved, screen: ObservedScreen, values: Mapping[str, str]
) -> tuple[Choice, ...]:
    """What may be meant, the likeliest first: what was considered, then what is of its kind, the nearest first."""
    found = [(one.element, one.score, one.reasons) for one in doubt.candidates]
    known = {element.element_id for element, _, _ in found}
    wanted = {target.type} if target.type in INTERACTIVE_TYPES else set(INTERACTIVE_TYPES)
    others = [
        one
        for one in screen.state.ui_elements
        if one.element_id not in known and one.type in wanted and not one.metadata.get("behind_dialog")
    ]
    x, y = Box.of(target.place.bbox).center if target.place is not None else (0, 0)
    others.sort(key=lambda one: (abs(one.center[0] - x) + abs(one.center[1] - y), one.element_id))
    found += [(one, 0.0, (f"is a {one.type} too",)) for one in others]
    return tuple(
        Choice(number, element, max(0.0, min(1.0, score)), reasons, objection_to(element, target, screen, values))
        for number, (element, score, reasons) in enumerate(found[:MAX_CHOICES], start=1)
    )


def element_at(point: Point, target: TargetSpec, screen: ObservedScreen) -> UIElement:
    """The smallest thing under a point; where nothing was seen, a small box around it."""
    under = [one for one in screen.state.ui_elements if Box.of(one.bbox).contains(point)]
    acting = [one for one in under if one.type in INTERACTIVE_TYPES]
    if acting or under:
        return min(acting or under, key=lambda one: (Box.of(one.bbox).area, one.element_id))
    height, width = screen.pixels.shape[:2]
    x, y = point
    box = Box(x - _POINT_PX, y - _POINT_PX, x + _POINT_PX, y + _POINT_PX).clamped(int(width), int(height))
    place = box if box is not None else Box(0, 0, 1, 1)
    return UIElement(
        element_id=f"shown_{x}_{y}",
        type=target.type or "icon",
        role=target.role or "unknown",
        bbox=place.bbox,
        center=place.center,
        confidence=0.5,
    )


def objection_to(
    element: UIElement, target: TargetSpec, screen: ObservedScreen, values: Mapping[str, str]
) -> str | None:
    """Why something is not acted on, whoever shows it; None where nothing is against it."""
    named = f"« {element.label} »" if element.label else "that"
    window, over = screen.state.window.geometry, front_of(screen.state.ui_elements)
    if element.state is not None and element.state.enabled is False:
        return f"{named} is disabled"
    if window is not None and not Box.of(window).contains(element.center):
        return f"{named} lies outside the window « {screen.state.window.title} »"
    if over is not None and not over.contains(element.center):
        return f"{named} lies behind a dialog"
    if target.label is not None and variables_in(target.label):
        meant = fill(target.label, dict(values))
        if squeezed(element.label) != squeezed(meant):
            return f"{named} does not say « {meant} »"
    missing = rows.unsaid(element, [fill(row, dict(values)) for row in target.row_contains], screen.state.ui_elements)
    if missing is not None and not squeezed(missing):
        return "nothing says which row is meant: what it must say is empty"
    if missing is not None:
        return f"the row of {named} does not say « {missing} »"
    if not hard_constraints.holds(target.hard_constraints, element, screen.state, values, proof_required=False):
        return f"{named} breaks what the target must be: {', '.join(target.hard_constraints)}"
    return None


def is_same_screen(asked: ObservedScreen, now: Pixels, element: UIElement) -> bool:
    """Whether an answer still means what it meant: little changed at all, and nothing where the target is."""
    if asked.pixels.shape != now.shape:
        return False
    height, width = now.shape[:2]
    place = Box.of(element.bbox).padded(_AROUND_PX).clamped(int(width), int(height))
    if place is None or plainly_changed_share(asked.pixels, now) > CHANGED_SHARE:
        return False
    part = (slice(place.y1, place.y2), slice(place.x1, place.x2))
    return plainly_changed_share(asked.pixels[part], now[part]) <= CHANGED_SHARE


def shown(element: UIElement, who: str, profile: HealingProfile) -> Resolved:
    """The target, because a person said so."""
    return Resolved(Candidate(element, 1.0, SHOWN, (f"shown by {who}",)), None, profile)
