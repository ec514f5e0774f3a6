"""From recorded events to demonstrated steps: what the person did to what, on which screen.

Characters become typed text, a click into a field followed by typing becomes one input step, selecting everything
before typing becomes "replace what is there". Moves and noise never become steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import LearningError
from rpa_vision.graph.written_into import field_written_into
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.raw_session import Event, RecordedSession, Screenshot
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext

Observe = Callable[[RecordedSession, str], ObservedScreen]
"""Gives the understood screen of a screenshot of a session."""

_FIELD_FOCUS_MARGIN_PX = 24
_SMALL_SHARE = 0.01
_MUCH_COVERED = 0.05
_SILENT_MODIFIERS = {"SHIFT", "ALTGR"}
_NEVER_WRITTEN_INTO = frozenset({"button", "link", "menu_item", "tab", "checkbox", "radio", "toggle", "icon"})
_PADDING_PX = 8
"""What can be clicked is larger than its words."""
_ONE_LINE_FIELDS = ("text_input", "password_input")


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One thing the person meant to do."""

    kind: str
    """mouse_click, text_input, key_press, scroll or drag."""
    session_id: str
    events: tuple[int, int]
    """First and last event of the session it is made of."""
    t: float
    before: ObservedScreen
    window: WindowContext
    after: ObservedScreen | None = None
    settled: ObservedScreen | None = None
    """The screen as it came to rest after the step, before the person went on to the next thing."""
    point: Point | None = None
    element: UIElement | None = None
    button: str = "left"
    clicks: int = 1
    text: str | None = None
    secret_ref: str | None = None
    keys: tuple[str, ...] = ()
    scroll: Point | None = None
    end_point: Point | None = None
    replaces: bool = False
    at_focus: bool = False
    """Whether text was typed where the focus was already; its field is then told by what changed, if it can be told."""
    was_seen: bool = True
    """Whether the screen before it is its own. What was not seen cannot be learned from."""

    @property
    def app(self) -> str:
        """The application it was done in: of a click, the one it brought to the front."""
        front = self.settled if self.kind == "mouse_click" else None
        return (front.state.window.app_name if front is not None else "") or self.window.app_name


def demonstrated_steps(session: RecordedSession, observe: Observe) -> list[DemoStep]:
    """Say what the person did, step by step, each with the screen before and after it."""
    gestures = _gestures(session)
    if gestures and not session.screenshots:
        raise LearningError(f"session {session.session_id} holds no screenshot", remedy="Record the task again.")
    # One after the other: two screens are compared while both are still at hand.
    steps = _with_input_targets(_observed(gesture, session, observe) for gesture in gestures)
    steps = _with_screens_after(steps, session, observe)
    return [_with_field_written_into(step) for step in steps]


@dataclass(slots=True)
class _Gesture:
    kind: str
    first: int
    last: int
    event: Event
    text: str | None = None
    secret_ref: str | None = None


def _gestures(session: RecordedSession) -> list[_Gesture]:
    """Group characters into typed text; leave out moves and noise.

    What a segmentation called noise is looked at again: it only knew this one session, and what is done once in it may
    be a task that other sessions show too.
    """
    gestures: list[_Gesture] = []
    for index, event in enumerate(session.events):
        is_noise = event.noise_flag and not session.segments
        if is_noise or event.type in ("mouse_move", "window_change"):
            continue
        if event.type == "key_press":
            _add_key(gestures, index, event)
        elif event.type == "text_input":
            gestures.append(_Gesture("text_input", index, index, event, event.text, event.secret_ref))
        else:
            kind = {"mouse_click": "mouse_click", "mouse_drag": "drag", "mouse_scroll": "scroll"}[event.type]
            gestures.append(_Gesture(kind, index, index, event))
    return gestures


def _add_key(gestures: list[_Gesture], index: int, event: Event) -> None:
    previous = gestures[-1] if gestures else None
    typing = previous if previous is not None and previous.kind == "text_input" else None
    if typing is not None and typing.event.window.app_name != event.window.app_name:
        typing = None  # another program took the focus: what goes there is not part of this text
    plain = not set(event.modifiers) - _SILENT_MODIFIERS
    if event.secret_ref is not None:
        if typing is not None and typing.secret_ref == event.secret_ref:
            typing.last = index
        else:
            gestures.append(_Gesture("text_input", index, index, event, None, event.secret_ref))
    elif plain and event.key == "BACKSPACE" and typing is not None and typing.secret_ref is not None:
        typing.last = index
    elif plain and event.key == "BACKSPACE" and typing is not None and typing.text:
        typing.text, typing.last = typing.text[:-1], index
    elif plain and event.char and event.char.isprintable():
        if typing is not None and typing.secret_ref is None:
            typing.text, typing.last = (typing.text or "") + event.char, index
        else:
            gestures.append(_Gesture("text_input", index, index, event, event.char))
    else:
        gestures.append(_Gesture("key_press", index, index, event))


def _observed(gesture: _Gesture, session: RecordedSession, observe: Observe) -> DemoStep:
    event = gesture.event
    shot_id = _screenshot_before(session, gesture.first)
    before = observe(session, shot_id)
    element = element_at(before.state.ui_elements, event.pos) if event.pos and gesture.kind != "text_input" else None
    return DemoStep(
        kind=gesture.kind,
        session_id=session.session_id,
        events=(gesture.first, gesture.last),
        t=event.t,
        before=before,
        window=event.window,
        point=event.pos if gesture.kind in ("mouse_click", "drag", "scroll") else None,
        element=element if gesture.kind in ("mouse_click", "drag") else None,
        button=event.button or "left",
        clicks=event.clicks or 1,
        text=gesture.text,
        secret_ref=gesture.secret_ref,
        keys=_chord(event) if gesture.kind == "key_press" else (),
        scroll=event.scroll,
        end_point=event.end_pos,
        was_seen=event.screenshot_id is not None
        and not _holds_a_key(event)
        and not _is_covered(session.screenshot(shot_id), before, element if gesture.secret_ref is None else None),
    )


def _is_covered(shot: Screenshot | None, before: ObservedScreen, element: UIElement | None) -> bool:
    """Whether too much of the screen, or the thing itself, was painted over to keep a secret."""
    covered = [Box.of(bbox) for bbox in shot.covered] if shot is not None else []
    width, height = before.size
    if sum(box.area for box in covered) > _MUCH_COVERED * width * height:
        return True
    return element is not None and any(Box.of(element.bbox).intersection(box) is not None for box in covered)


def _holds_a_key(event: Event) -> bool:
    """A click or scroll with a key held down means something else, which cannot be learned yet."""
    return event.type != "key_press" and bool(set(event.modifiers) & {"CTRL", "SHIFT", "ALT", "SUPER"})


def _chord(event: Event) -> tuple[str, ...]:
    key = event.key or ""
    modifiers = [name for name in event.modifiers if name != key]
    return (*modifiers, key)


def _screenshot_before(session: RecordedSession, index: int) -> str:
    """The screenshot of the event, or the nearest one before it."""
    for event in reversed(session.events[: index + 1]):
        if event.screenshot_id is not None:
            return event.screenshot_id
    return session.screenshots[0].screenshot_id


def element_at(elements: Sequence[UIElement], point: Point) -> UIElement | None:
    """The smallest element under a point: the innermost thing a person would say they clicked."""
    under = [element for element in elements if Box.of(element.bbox).contains(point)]
    if not under:  # right beside the words of something that can be clicked, and of nothing else
        beside = [element for element in elements if element.type in _NEVER_WRITTEN_INTO and _is_beside(element, point)]
        under = beside if len(beside) == 1 else []
    return min(under, key=lambda element: (Box.of(element.bbox).area, element.element_id), default=None)


def _is_beside(element: UIElement, point: Point) -> bool:
    return Box.of(element.bbox).padded(_PADDING_PX).contains(point)


def _with_input_targets(steps: Iterable[DemoStep]) -> list[DemoStep]:
    """Merge click-into-field (+ select all) + typing into one step. What was typed and deleted again is none, and
    neither is the click before it if it did nothing else."""
    merged: list[DemoStep] = []
    for step in steps:
        if step.kind == "text_input" and not step.text and step.secret_ref is None:
            if merged and not _selects_all(merged[-1]) and _gives_focus(merged[-1], step):
                merged.pop()
            continue
        if step.kind == "text_input":
            replaces = bool(merged) and _selects_all(merged[-1])
            if replaces and merged[-1].kind == "key_press":
                merged.pop()
            if merged and _gives_focus(merged[-1], step):
                click = merged.pop()
                step = replace(
                    step,
                    events=(click.events[0], step.events[1]),
                    t=click.t,
                    before=click.before,
                    point=click.point,
                    element=click.element,
                    replaces=replaces or _selects_all(click),
                    was_seen=click.was_seen and step.was_seen,
                )
            elif replaces:
                step = replace(step, replaces=True)
        merged.append(step)
    return merged


def _selects_all(step: DemoStep) -> bool:
    """Everything the field holds. Where there may be several lines, a triple click selects one of them only."""
    if step.kind == "key_press":
        return set(step.keys) == {"CTRL", "A"}
    one_line = step.element is not None and step.element.type in _ONE_LINE_FIELDS
    return step.kind == "mouse_click" and step.clicks == 3 and one_line


def _gives_focus(click: DemoStep, typing: DemoStep) -> bool:
    """A click that changed nothing but the looks of the field it went into.

    A double click is more: it selects a word, which what is typed then replaces. It stays a step of its own.
    """
    if click.kind != "mouse_click" or click.button != "left" or click.point is None:
        return False
    if click.clicks != 1 and not _selects_all(click):
        return False
    if click.element is not None and click.element.type in _NEVER_WRITTEN_INTO:
        return False
    field = Box.of(click.element.bbox) if click.element is not None else Box(*click.point, *click.point)
    return only_field_changed(click.before, typing.before.pixels, field)


def only_field_changed(before: ObservedScreen, after: Pixels, field: Box) -> bool:
    """Whether a click into a field did no more than give it the focus, and take it from another field.

    Small changes elsewhere do not count.
    """
    if before.pixels.shape != after.shape:
        return False
    fields = [Box.of(element.bbox) for element in before.state.ui_elements if element.type in FIELD_TYPES]
    expected = [one.padded(_FIELD_FOCUS_MARGIN_PX) for one in (field, *fields)]
    changes = changed_boxes(before.pixels, after)
    elsewhere = [box for box in changes if not any(place.encloses(box) for place in expected)]
    return sum(box.area for box in elsewhere) < _SMALL_SHARE * Box(0, 0, after.shape[1], after.shape[0]).area


def _with_field_written_into(step: DemoStep) -> DemoStep:
    """Text typed where the focus already was went into the field in which it appeared."""
    if step.kind != "text_input" or step.point is not None:
        return step
    step = replace(step, at_focus=True)
    if step.after is None:
        return step
    field = field_written_into(step.before, step.after, step.text)
    return step if field is None else replace(step, element=field, point=field.center)


def _with_screens_after(steps: list[DemoStep], session: RecordedSession, observe: Observe) -> list[DemoStep]:
    completed: list[DemoStep] = []
    for index, step in enumerate(steps):
        recorded = session.events[step.events[1]].screenshot_after_id
        if index + 1 < len(steps) and (steps[index + 1].was_seen or recorded is None):
            after: ObservedScreen | None = steps[index + 1].before
        elif recorded is not None:
            after = observe(session, recorded)
        else:
            after = None
        settled = observe(session, recorded) if recorded is not None else after
        completed.append(replace(step, after=after, settled=settled))
    return completed
