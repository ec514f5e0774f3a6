"""Input for one action, sent once; and what can be checked at once: the window in front, the clipboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import InputNotDeliveredError, RpaVisionError, UncertainDeliveryError
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.graph.demonstration import only_field_changed
from rpa_vision.models.action import Action
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import MouseButton
from rpa_vision.models.variables import fill
from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import folded
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.runtime import Clock

_HOVER_REST_S = 0.06
_HOVER_SETTLE_S = 0.5
"""What the pointer comes to and leaves may fade into another look: still for so long, and at most for so long."""
_FOCUS_SETTLE_S = 0.15
_POLL_S = 0.05
_WINDOW_S = 3.0
_CLIPBOARD_S = 3.0
_MARK = "rpa-vision-copy-{}"
"""Lies on the clipboard while something is copied, so that nobody takes what was there before for it."""


class InputDelivery:
    """Hands, windows and clipboard of one desktop."""

    def __init__(self, desktop: Desktop, sight: Sight, clock: Clock, secrets: Mapping[str, str]) -> None:
        self._desktop = desktop
        self._sight = sight
        self._clock = clock
        self._secrets = secrets
        self._copies = 0

    def deliver(
        self, action: Action, outcome: StepOutcome, values: Mapping[str, str], drop: Point | None = None
    ) -> bool:
        """Send the input, once. False: the outcome says what kept it, and whether some of it may have been sent."""
        sent_before = outcome.input_sent
        try:
            outcome.input_sent = True
            self._perform(action, outcome, values, drop)
            self._clock.sleep((action.parameters.wait_after_ms or 0) / 1000.0)
        except InputNotDeliveredError as error:
            # Only the first input of a step is known not to have been sent: a click may have gone before the text.
            outcome.input_sent = sent_before or action.type in ("text_input", "clipboard")
            outcome.message = str(error)
            return False
        except RpaVisionError as error:
            outcome.message = str(error)
            outcome.failure_kind = FailureKind.POSTCONDITION_FAILED
            return False
        outcome.input_sent = sent_before or action.type != "wait"
        return True

    def _perform(self, action: Action, outcome: StepOutcome, values: Mapping[str, str], drop: Point | None) -> None:
        hands, parameters, point = self._desktop.hands, action.parameters, outcome.point
        match action.type:
            case "mouse_click" if point is not None:
                if outcome.told_by_pixels:
                    self._hover(outcome, point)
                hands.click(point, button=MouseButton(parameters.button), count=parameters.click_count)
            case "text_input":
                self._type(action, outcome, values)
            case "key_press":
                hands.press(action.keys or ())
            case "scroll":
                right, down = parameters.scroll or (0, 0)
                hands.scroll(point or self._desktop.eyes.pointer(), right=right, down=down)
            case "drag" if point is not None and drop is not None:
                hands.drag(point, drop, button=MouseButton(parameters.button))
            case "wait":
                self._clock.sleep((action.duration_ms or 0) / 1000.0)
            case "window_switch":
                self._switch(action, values)
            case "clipboard":
                self._clipboard(action, outcome, values)
            case _:
                raise InputNotDeliveredError(f"the action {action.type} cannot be executed")

    def _type(self, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> None:
        hands, parameters = self._desktop.hands, action.parameters
        if parameters.secret_ref is not None and parameters.secret_ref not in self._secrets:
            raise InputNotDeliveredError(f"the secret {parameters.secret_ref!r} is not known here")
        is_secret = parameters.secret_ref is not None
        text = self._secrets[parameters.secret_ref or ""] if is_secret else fill(parameters.text or "", dict(values))
        self._focus(outcome)
        if parameters.replace_existing:
            hands.press(("CTRL", "A"))
        hands.type_text(text, is_secret=is_secret)

    def _focus(self, outcome: StepOutcome) -> None:
        """Click into the field of the step, where it has one, and make sure that nothing else came of it."""
        hands, field_box = self._desktop.hands, field_of(outcome.resolution)
        if outcome.point is None or field_box is None:
            return
        hovering = self._hover(outcome, outcome.point)
        hands.click(outcome.point)
        self._clock.sleep(_FOCUS_SETTLE_S)
        if not only_field_changed(hovering, self._sight.grab().pixels, field_box):
            # As learned, the click changed nothing but the field. Who knows where the text would go now.
            raise UncertainDeliveryError("the click into the field changed the screen; nothing was typed")

    def _hover(self, outcome: StepOutcome, point: Point) -> ObservedScreen:
        """Bring the pointer there first: what it leaves and what it comes to may change their looks by that alone. What
        changes after that is the step's doing."""
        assert outcome.before is not None
        self._desktop.hands.move(point)
        hovering = replace(outcome.before, pixels=self._sight.at_rest(_HOVER_REST_S, _HOVER_SETTLE_S).pixels)
        if outcome.told_by_pixels:
            outcome.before = hovering
        return hovering

    def _switch(self, action: Action, values: Mapping[str, str]) -> None:
        wanted = action.parameters.title_contains
        title = fill(wanted, dict(values)) if wanted is not None else None
        if self._desktop.windows.activate(app_name=action.target_app, title_contains=title) is None:
            named = f" with « {title} » in its title" if title else ""
            raise InputNotDeliveredError(f"no window of {action.target_app}{named} is open")
        deadline = self._clock.monotonic() + _WINDOW_S
        while not _is_window(self._desktop.eyes.active_window(), action.target_app, title):
            if self._clock.monotonic() >= deadline:
                raise UncertainDeliveryError(f"the window of {action.target_app} did not come to the front")
            self._clock.sleep(_POLL_S)

    def _clipboard(self, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> None:
        clipboard, parameters = self._desktop.clipboard, action.parameters
        text = fill(parameters.text, dict(values)) if parameters.text is not None else None
        if parameters.clipboard_operation == "copy":
            self._copy(action, outcome)
            return
        if text is not None:
            clipboard.write(text)
            if clipboard.read() != text:
                raise UncertainDeliveryError("the clipboard does not hold what was put on it")
        if parameters.clipboard_operation == "paste":
            if text is None and not clipboard.read():
                raise InputNotDeliveredError("there is nothing on the clipboard to paste")
            self._focus(outcome)
            if parameters.replace_existing:
                self._desktop.hands.press(("CTRL", "A"))
            self._desktop.hands.press(("CTRL", "V"))

    def _copy(self, action: Action, outcome: StepOutcome) -> None:
        clipboard, hands = self._desktop.clipboard, self._desktop.hands
        before = clipboard.read()
        self._copies += 1
        mark = _MARK.format(self._copies)
        clipboard.write(mark)
        if outcome.point is not None:
            hands.click(outcome.point, count=action.parameters.click_count)
        if action.parameters.replace_existing:
            hands.press(("CTRL", "A"))
        hands.press(("CTRL", "C"))
        deadline = self._clock.monotonic() + _CLIPBOARD_S
        while (copied := clipboard.read()) in (mark, None):
            if self._clock.monotonic() >= deadline:
                clipboard.write(before or "")
                raise UncertainDeliveryError("nothing was copied: the clipboard stayed as it was")
            self._clock.sleep(_POLL_S)
        if action.parameters.extract_to is not None:
            outcome.take(action.parameters.extract_to, copied or "", "the clipboard")


def field_of(resolution: Resolved | Unresolved | None) -> Box | None:
    """Where the field of a step is, with a little room around it."""
    return Box.of(resolution.best.element.bbox).padded(4) if isinstance(resolution, Resolved) else None


def _is_window(window: WindowContext | None, app_name: str | None, title: str | None) -> bool:
    if window is None:
        return False
    same_app = app_name is None or window.app_name.casefold() == app_name.casefold()
    return same_app and (title is None or folded(title) in folded(window.title))
