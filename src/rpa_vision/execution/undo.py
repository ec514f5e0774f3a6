"""Taking back the last actions: text, toggles, selections, scrolling, window switches, navigation.

An action is taken back only where the screen still looks as the action left it and still says what it said then: a box
that is ticked on one invoice is ticked on the next one too. Only an input is sent that is known to be its opposite, and
afterwards the screen must look as it did before the action and say the same. Whatever may have had an effect that no
input takes back (a validation, a deletion, a key that did who knows what) says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.places import is_harmless
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.same_case import may_matter, other_than_left, texts_of
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.imaging.diff import changed_boxes, plainly_changed_share
from rpa_vision.models.action import Action
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.undo import ScreenTexts, UndoEntry, UndoWay
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.runtime import Clock

_TOGGLES = ("checkbox", "toggle")
_ONE_OF_MANY = ("radio", "tab", "list_item", "table_row", "cell")
_SURE_READING = 0.9
_AS_IT_WAS = 0.02
_LARGE_PX = 400_000
"""More than that is a screen, not a control."""
_RIM_PX = 8
_CARET_PX = 3
_WAIT_S = 3.0
_POLL_S = 0.1
_HOVER_S = 0.1
_BY_KEYS: tuple[UndoWay, ...] = ("go_back", "close")
"""Keys go to whatever window is in front."""
_CHANGED = "the screen changed while it was read"


@dataclass(frozen=True, slots=True)
class Undone:
    """What came of taking an action back."""

    done: bool
    message: str


def undo_entry(step: ExecutedStep, workflow: Workflow, what: str) -> UndoEntry | None:
    """How a step is taken back, or why it cannot be; None where it did nothing to the desktop."""
    outcome, action = step.outcome, step.edge.action
    if action is None or not outcome.anything_sent or action.type in ("extract", "wait"):
        return None
    unknown = _unknown_effect(step)
    if unknown is not None or outcome.before is None:
        why_not = unknown or "nobody knows what the screen was before"
        return UndoEntry(step_id=step.edge.edge_id, what=what, way="none", why_not=why_not, box=(0, 0, 1, 1))
    entry = _way_back(step, action, outcome.before, workflow, what)
    if entry.way == "none" or outcome.after is None:
        return entry
    said = {"texts_before": texts_of(outcome.before.state), "texts_after": texts_of(outcome.after.state)}
    return entry.model_copy(update=said)


def _unknown_effect(step: ExecutedStep) -> str | None:
    """Why nobody can tell what a step has done: what was done before it is not taken back as if it had not been."""
    if step.error is not None:
        return "the step broke after its input was sent, and nobody looked what came of it"
    if not step.outcome.input_sent:
        return "the step was interrupted after its input was sent, and was not done again"
    if step.outcome.sent_earlier:
        return "the step was interrupted and done again, and nobody looked what was there before the first time"
    return None


def _way_back(step: ExecutedStep, action: Action, before: ObservedScreen, workflow: Workflow, what: str) -> UndoEntry:
    outcome = step.outcome
    element = outcome.resolution.best.element if isinstance(outcome.resolution, Resolved) else None
    height, width = before.pixels.shape[:2]
    everything = Box(0, 0, int(width), int(height))
    box = everything if element is None else Box.of(element.bbox).padded(4).clamped(int(width), int(height))
    entry = UndoEntry(
        step_id=step.edge.edge_id, what=what, way="none", box=(box or everything).bbox, point=outcome.point
    )
    match action.type:
        case "text_input":
            return _text(entry, action, before, element)
        case "scroll":
            right, down = action.parameters.scroll or (0, 0)
            return _way(entry, "scroll_back", everything, scroll=(-right, -down))
        case "window_switch":
            return _way(entry, "switch_back", everything, window=before.state.window)
        case "mouse_click" if element is not None and action.parameters.click_count == 1:
            return _click(entry, step, element, before, everything, workflow)
        case _:
            return _cannot(entry, f"nobody knows what the opposite of {action.type} is")


def _text(entry: UndoEntry, action: Action, before: ObservedScreen, element: UIElement | None) -> UndoEntry:
    if action.parameters.secret_ref is not None:
        return _cannot(entry, "a secret was typed, and what stood there before was not read")
    if element is None or element.type not in FIELD_TYPES:
        return _cannot(entry, "it is not known which field the text went to")
    field = Box.of(element.bbox)
    lines = [line for line in before.state.perception.text_lines if field.contains(Box.of(line.bbox).center)]
    if len(lines) > 1 or any(line.confidence < _SURE_READING for line in lines):
        return _cannot(entry, "what stood in the field before was not read for sure")
    return entry.model_copy(update={"way": "retype", "text": lines[0].text if lines else ""})


def _click(
    entry: UndoEntry,
    step: ExecutedStep,
    element: UIElement,
    before: ObservedScreen,
    everything: Box,
    workflow: Workflow,
) -> UndoEntry:
    if element.type in _TOGGLES:
        return entry.model_copy(update={"way": "click_again"})
    if element.type in _ONE_OF_MANY:
        chosen = _chosen_before(element, before.state.ui_elements)
        if chosen is not None:
            box = Box.of(chosen.bbox).union(Box.of(entry.box))
            return _way(entry, "click_other", box, point=Box.of(chosen.bbox).center)
        return _cannot(entry, "it is not known what was chosen before")
    if element.type == "dropdown":
        return _way(entry, "close", everything)
    if element.type in FIELD_TYPES:
        return _cannot(entry, "a click into a field changes nothing")
    leads_elsewhere = step.edge.to_node != step.edge.from_node and not _ends_in_a_dialog(step, workflow)
    if leads_elsewhere and is_harmless(step.edge, workflow, step.outcome.resolution):
        return _way(entry, "go_back", everything)
    return _cannot(entry, f"« {element.label} » may have done something that no click takes back")


def _ends_in_a_dialog(step: ExecutedStep, workflow: Workflow) -> bool:
    """From there no key leads back to the page before."""
    after = workflow.get_node(step.edge.to_node)
    return after is None or after.metadata.get("has_dialog") is not False


def _chosen_before(element: UIElement, elements: Sequence[UIElement]) -> UIElement | None:
    """The one of the same kind that was chosen, where exactly one was."""
    chosen = [
        one
        for one in elements
        if one.type == element.type
        and one.element_id != element.element_id
        and one.state is not None
        and (one.state.checked is True or one.state.selected is True)
    ]
    return chosen[0] if len(chosen) == 1 else None


def _way(entry: UndoEntry, way: UndoWay, box: Box, **more: object) -> UndoEntry:
    return entry.model_copy(update={"way": way, "box": box.bbox, **more})


def _cannot(entry: UndoEntry, why: str) -> UndoEntry:
    return entry.model_copy(update={"way": "none", "why_not": why})


class Undoer:
    """Takes actions back on one desktop."""

    def __init__(self, desktop: Desktop, sight: Sight, clock: Clock) -> None:
        self._desktop = desktop
        self._sight = sight
        self._clock = clock

    def hindrance(self, entry: UndoEntry, after: Pixels | None) -> str | None:
        """Why an action is not taken back now; found out before anything is sent."""
        if entry.way == "none":
            return entry.why_not
        if after is None or not self._looks(entry, after):
            return "the screen is no longer as the action left it"
        if entry.texts_after is None:
            return None
        other = self._another_case(entry, entry.texts_after)
        return other if other is not None or self._looks(entry, after) else _CHANGED

    def undo(self, entry: UndoEntry, before: Pixels | None) -> Undone:
        """Do the opposite, once, and see whether all is as it was."""
        try:
            self._do(entry)
            return self._seen_to_be_undone(entry, before)
        except RpaVisionError as error:
            return Undone(False, str(error))

    def _seen_to_be_undone(self, entry: UndoEntry, before: Pixels | None) -> Undone:
        deadline, then = self._clock.monotonic() + _WAIT_S, entry.texts_before
        other: str | None = None
        while before is not None:
            looks = self._looks(entry, before)
            other = other_than_left(then, self._sight.look().state) if looks and then is not None else None
            if looks and other is None:
                return Undone(True, "it looks as it did before")
            if self._clock.monotonic() >= deadline:
                break
            self._clock.sleep(_POLL_S)
        if before is None:
            return Undone(False, "the opposite was done, and nobody can tell whether it looks as it did before")
        message = "the opposite was done, but it does not look as it did before"
        return Undone(False, message if other is None else f"{message}: {other}")

    def _another_case(self, entry: UndoEntry, left: ScreenTexts) -> str | None:
        """Why the screen that is shown is not the one the action left, though the place it was about looks so."""
        seen = self._sight.look()
        other = other_than_left(left, seen.state)
        if other is not None:
            return f"another case came up: {other}"
        window = seen.state.window
        if entry.way in _BY_KEYS and folded(window.app_name) != folded(left.window.app_name):
            return f"the keys would go to another window: « {window.title} »"
        height, width = seen.pixels.shape[:2]
        whole = Box(0, 0, int(width), int(height))
        shown = Box.of(left.window.geometry).clamped(whole.width, whole.height) if left.window.geometry else None
        if may_matter(self._sight.changes_since(seen, shown or whole), seen.state, was_left=True):
            return _CHANGED
        return None

    def _do(self, entry: UndoEntry) -> None:
        hands, point = self._desktop.hands, entry.point or Box.of(entry.box).center
        match entry.way:
            case "retype":
                hands.click(point)
                self._clock.sleep(_HOVER_S)
                hands.press(("CTRL", "A"))
                if entry.text:
                    hands.type_text(entry.text)
                else:
                    hands.press(("DELETE",))
            case "click_again" | "click_other":
                hands.click(point)
            case "scroll_back":
                right, down = entry.scroll or (0, 0)
                hands.scroll(self._inside(point), right=right, down=down)
            case "switch_back":
                window = entry.window
                if window is not None:
                    self._desktop.windows.activate(
                        app_name=window.app_name or None, title_contains=window.title or None
                    )
            case "go_back":
                hands.press(("ALT", "LEFT"))
            case "close":
                hands.press(("ESCAPE",))
            case "none":
                return

    def _inside(self, point: Point) -> Point:
        width, height = self._desktop.eyes.info().resolution
        return (min(max(point[0], 0), width - 1), min(max(point[1], 0), height - 1))

    def _looks(self, entry: UndoEntry, wanted: Pixels) -> bool:
        """Whether the part of the screen the action was about looks like that. Pointer and caret are in between."""
        seen = self._sight.grab().pixels
        box = Box.of(entry.box)
        part = seen[box.y1 : box.y2, box.x1 : box.x2]
        return part.shape[:2] == wanted.shape[:2] and _like(part, wanted)


def _like(seen: Pixels, wanted: Pixels) -> bool:
    """The same but for a caret and the ring of the focus; of a whole screen, all but a clock."""
    one, other = _four(seen), _four(wanted)
    height, width = one.shape[:2]
    if width * height > _LARGE_PX:
        return plainly_changed_share(one, other) <= _AS_IT_WAS
    rim = min(_RIM_PX, (width - 1) // 3, (height - 1) // 3)
    inner = (slice(rim, height - rim), slice(rim, width - rim))
    return not any(change.width > _CARET_PX for change in changed_boxes(one[inner], other[inner]))


def _four(pixels: Pixels) -> Pixels:
    """Blue, green, red and a byte that says nothing, as comparing needs them."""
    if pixels.shape[2] == 4:
        return np.ascontiguousarray(pixels)
    return np.ascontiguousarray(np.dstack((pixels[:, :, :3], np.zeros(pixels.shape[:2], np.uint8))))
