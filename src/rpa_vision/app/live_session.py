"""A session that is understood while it is recorded, and of which no picture is kept on disk.

It stands where a store of sessions stands: the recorder writes into it. What was understood is forgotten step by step,
so that it holds no more than the last few things the person did.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.graph.demonstration import DemoStep, demonstrated_steps
from rpa_vision.imaging.codec import decode
from rpa_vision.models.raw_session import CaptureMetrics, Event, RawSession, RecordedSession, Screenshot
from rpa_vision.models.window import WindowContext

QUIET_S = 1.5
"""After so long nothing more belongs to what was done last."""
TYPING_QUIET_S = 4.0
"""Whoever thinks while typing goes on with the same text, and a busy machine hears late."""
FIELD_QUIET_S = 20.0
"""A click into a field waits so long for what is typed there."""
_MOST_BYTES = 128 * 1024 * 1024
"""Pictures may be referred to again, as the same screen comes back; of older ones that is given up."""
_MOST_EVENTS = 2000
"""Of a person who never pauses, what is older is understood as it is."""


class LiveSession:
    """Implements `ports.storage.SessionWriter`, in memory; whoever watches takes what was done out of it."""

    def __init__(self, session: RawSession, on_change: Callable[[], None] = lambda: None) -> None:
        self._whole = session.snapshot()
        self._on_change = on_change
        self._lock = threading.Lock()
        self._events: list[Event] = []
        self._forgotten = 0
        self._shots: dict[str, tuple[Screenshot, bytes]] = {}
        self._screens: dict[str, ObservedScreen] = {}

    @property
    def path(self) -> str:
        return "memory"

    @property
    def session_id(self) -> str:
        return self._whole.session_id

    @property
    def latest_t(self) -> float | None:
        """When the last thing was done, in seconds of the session; None when nothing waits."""
        with self._lock:
            return self._events[-1].t if self._events else None

    def add_screenshot(self, screenshot: Screenshot, png: bytes) -> None:
        with self._lock:
            self._shots[screenshot.screenshot_id] = (screenshot, png)

    def add_event(self, event: Event) -> None:
        with self._lock:
            self._events.append(event)
        self._on_change()

    def add_aftermath(self, event_number: int, screenshot_id: str) -> None:
        with self._lock:
            index = event_number - self._forgotten
            if 0 <= index < len(self._events):
                known = self._events[index]
                self._events[index] = known.model_copy(update={"screenshot_after_id": screenshot_id})

    def end(self, ended_at: datetime, capture: CaptureMetrics) -> RecordedSession:
        return self._whole.model_copy(update={"ended_at": ended_at, "capture": capture})

    def take(self, now_t: float, observer: ScreenObserver, *, all_of_it: bool = False) -> list[DemoStep]:
        """What the person has done and certainly ended by now; it is forgotten here."""
        with self._lock:
            window = self._window()
        if not any(event.screenshot_id for event in window.events):
            self._forget(len(window.events) if all_of_it else 0)
            return []
        steps = demonstrated_steps(window, lambda _, shot_id: self._screen(window, shot_id, observer))
        ended = steps if all_of_it else [step for step in steps if self._is_over(step, steps, window, now_t)]
        count = len(window.events) if len(ended) == len(steps) else steps[len(ended)].events[0]
        self._forget(count)
        return ended

    def _window(self) -> RecordedSession:
        events = tuple(self._with_known_pictures(event) for event in self._events)
        wanted = {name for one in events for name in (one.screenshot_id, one.screenshot_after_id)}
        shots = tuple(shot for name, (shot, _) in self._shots.items() if name in wanted)
        return self._whole.model_copy(update={"events": events, "screenshots": shots})

    def _with_known_pictures(self, event: Event) -> Event:
        names = {"screenshot_id": event.screenshot_id, "screenshot_after_id": event.screenshot_after_id}
        lost = {field: None for field, name in names.items() if name is not None and name not in self._shots}
        return event.model_copy(update=lost) if lost else event

    def _is_over(self, step: DemoStep, steps: list[DemoStep], window: RecordedSession, now_t: float) -> bool:
        if step is not steps[-1]:
            return True  # the person has gone on
        last_t = window.events[-1].t
        is_field = step.kind == "mouse_click" and step.element is not None and step.element.type in FIELD_TYPES
        quiet_s = FIELD_QUIET_S if is_field else TYPING_QUIET_S if step.kind == "text_input" else QUIET_S
        return now_t - last_t >= quiet_s or len(window.events) > _MOST_EVENTS

    def _screen(self, window: RecordedSession, shot_id: str, observer: ScreenObserver) -> ObservedScreen:
        if shot_id not in self._screens:
            shot, png = self._shots[shot_id]
            owner = next((e.window for e in window.events if e.screenshot_id == shot_id), WindowContext())
            self._screens[shot_id] = observer.observe(
                decode(png),
                window=shot.window or owner,
                screen_state_id=f"live_{shot_id}",
                timestamp=shot.captured_at,
                screenshot_id=shot_id,
            )
        return self._screens[shot_id]

    def _forget(self, count: int) -> None:
        with self._lock:
            self._events = self._events[count:]
            self._forgotten += count
            used = {name for one in self._events for name in (one.screenshot_id, one.screenshot_after_id)}
            self._screens = {name: kept for name, kept in self._screens.items() if name in used}
            held = sum(len(png) for _, png in self._shots.values())
            for name in [one for one in self._shots if one not in used]:
                if held <= _MOST_BYTES:
                    break
                held -= len(self._shots.pop(name)[1])


class LiveSessions:
    """Implements what a recorder asks of a store: it begins one session, in memory."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self.current: LiveSession | None = None

    def begin(self, session: RawSession) -> LiveSession:
        self.current = LiveSession(session, self._on_change)
        return self.current
