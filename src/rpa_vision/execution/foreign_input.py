"""A person beside the robot: the stop key ends a run, and anybody else's mouse or keyboard pauses it.

Input that the robot did not send is a person's. It ties the robot's hands at once, wherever the run is; when nobody has
touched anything for a while, the run goes on, and looks at the screen first as it always does. A person who goes on
working has taken over: the run ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rpa_vision.capture.hotkey import Hotkey
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.ports.runtime import Clock

STOP_KEY = "CTRL+ALT+END"
QUIET_S = 3.0
PATIENCE_S = 300.0
_POLL_S = 0.05
_JITTER_PX = 4
"""A table that shakes is no person."""
_RELEASES = (InputKind.BUTTON_RELEASE, InputKind.KEY_RELEASE)

Presence = Literal["acting", "paused", "stopped"]
"""Who has the desktop: the robot, a person for the moment, or a person for good."""


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """How a person is heeded."""

    stop_key: str = STOP_KEY
    quiet_s: float = QUIET_S
    """The run goes on when nobody has touched anything for so long."""
    patience_s: float = PATIENCE_S
    """A person who works for longer than that has taken over."""


class PersonWatch:
    """Hears every input of a run and ties its hands when a person acts. `hear` is called from the ears' thread."""

    def __init__(
        self,
        gate: InputGate,
        clock: Clock,
        settings: AttentionSettings | None = None,
        on_change: Callable[[Presence], None] = lambda presence: None,
        is_answer: Callable[[InputEvent], bool] = lambda event: False,
    ) -> None:
        """`is_answer`: what a person does to answer a question of ours, which takes nothing from the robot."""
        self._gate = gate
        self._is_answer = is_answer
        self._clock = clock
        self._settings = settings or AttentionSettings()
        self._stop_key = Hotkey.parse(self._settings.stop_key)
        self._on_change = on_change
        self._lock = threading.Lock()
        self._presence: Presence = "acting"
        self._touched_s = 0.0
        self._since_s = 0.0
        self._rest: Point | None = None

    @property
    def presence(self) -> Presence:
        with self._lock:
            return self._presence

    def hear(self, event: InputEvent) -> None:
        """Take note of one input. What cannot be told from our own only counts when it is the stop key."""
        try:
            self._heed(event)
        except Exception as error:  # it ends the ears' thread, whose top this is for us
            self.lose(error)
            raise

    def lose(self, error: Exception) -> None:
        """Nobody is heard any more. A robot that cannot be stopped by whoever sits there does not go on."""
        self._gate.close(f"a person can no longer be heard: {error}")

    def _heed(self, event: InputEvent) -> None:
        if event.own:
            self._rest = event.pos
            return
        if self._stop_key.is_within(event):  # Shift may be held besides: by our hands, or by hers in a hurry
            self._gate.close(f"stopped with {self._settings.stop_key}", by_person=True)
            self._become("stopped")
        elif event.own is False and not self._is_answer(event) and self._is_deliberate(event):
            self._become("paused")

    def let_on_if_quiet(self) -> None:
        """Let the robot go on where nobody has touched anything for long enough; does not wait."""
        self._go_on()

    def may_go_on(self) -> bool:
        """Wait while a person works. False: the run was stopped, or the person has taken over."""
        while True:
            with self._lock:
                if self._presence != "paused":
                    return self._presence == "acting"
                now_s = self._clock.monotonic()
                quiet = now_s - self._touched_s >= self._settings.quiet_s
                taken_over = now_s - self._since_s >= self._settings.patience_s
            if quiet:
                self._go_on()
            elif taken_over:
                self._gate.close(f"a person has been working for {self._settings.patience_s:g} s")
                self._become("stopped")
            else:
                self._clock.sleep(_POLL_S)

    def _is_deliberate(self, event: InputEvent) -> bool:
        if event.kind in _RELEASES:
            return False
        if event.kind is not InputKind.MOTION:
            return True
        rest, here = self._rest, event.pos
        if rest is None:
            self._rest = here
            return False
        return max(abs(here[0] - rest[0]), abs(here[1] - rest[1])) >= _JITTER_PX

    def _become(self, presence: Presence) -> None:
        with self._lock:
            before, now_s = self._presence, self._clock.monotonic()
            if before == "stopped":
                return
            self._presence, self._touched_s = presence, now_s
            if presence == "paused":
                self._gate.hold("a person is using the mouse or the keyboard")
            if before == "acting":
                self._since_s = now_s
        if before != presence:
            self._on_change(presence)

    def _go_on(self) -> None:
        with self._lock:
            # Somebody may have touched something since it was found quiet.
            still_quiet = self._clock.monotonic() - self._touched_s >= self._settings.quiet_s
            if self._presence != "paused" or not still_quiet:
                return
            self._presence, self._rest = "acting", None
            self._gate.let_on()
        self._on_change("acting")
