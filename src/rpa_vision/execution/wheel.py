"""Where the wheel may be turned: over a number, a choice, a slider or a tab it changes what stands there.

It is turned where it was turned in the demonstration, or where the pointer is; where that is over such a control, as
near to it as there is none.
"""

from __future__ import annotations

from typing import Final

from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.screen_state import ScreenState

_CHANGED_BY_WHEEL: Final = ("text_input", "dropdown", "slider", "tab")
_AWAY_PX: Final = 6
_STEP_PX: Final = 24
_MOST_PX: Final = 360


def aim_wheel(action: Action, outcome: StepOutcome, pointer: Point) -> bool:
    """Put the wheel where turning it changes nothing but what is seen. False: the outcome says why it cannot be."""
    assert outcome.before is not None
    state, (height, width) = outcome.before.state, outcome.before.pixels.shape[:2]
    wanted = outcome.point or wheel_point(action.parameters, state, pointer)
    outcome.point = calm_point(wanted, state, Box(0, 0, int(width), int(height)))
    if outcome.point is None:
        outcome.message = "the wheel would be turned over a field, a choice or a slider, and change it"
        outcome.failure_kind = FailureKind.LOW_CONFIDENCE
    return outcome.point is not None


def wheel_point(parameters: ActionParameters, state: ScreenState, pointer: Point) -> Point:
    """Where the wheel is to be turned in the window as it is now."""
    geometry = state.window.geometry
    if parameters.scroll_at is None or geometry is None:
        return pointer
    window, (across, down) = Box.of(geometry), parameters.scroll_at
    return (round(window.x1 + across * window.width), round(window.y1 + down * window.height))


def calm_point(wanted: Point, state: ScreenState, screen: Box) -> Point | None:
    """The nearest point of the window where turning the wheel changes no value; None where there is none nearby."""
    window = Box.of(state.window.geometry) if state.window.geometry is not None else screen
    within = window if window.contains(wanted) else screen
    touchy = [Box.of(one.bbox).padded(_AWAY_PX) for one in state.ui_elements if one.type in _CHANGED_BY_WHEEL]
    around = range(-_MOST_PX, _MOST_PX + 1, _STEP_PX)
    near = sorted(((dx, dy) for dx in around for dy in around), key=lambda by: (by[0] ** 2 + by[1] ** 2, by))
    points = ((wanted[0] + dx, wanted[1] + dy) for dx, dy in near)
    return next((at for at in points if within.contains(at) and not any(box.contains(at) for box in touchy)), None)
