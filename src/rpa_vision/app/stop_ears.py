"""The stop key is heard for as long as a worker has something to do, also between two runs.

A run has ears of its own, which tell a person's hand from the robot's. They are closed when it ends, and the next one
begins a moment later: whoever presses the key in that moment means the robot too.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rpa_vision.capture.hotkey import Hotkey
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.input import InputEvent
from rpa_vision.ports.desktop import Ears


class StopEars:
    """Listens for the stop key on one display. Whatever it hears ties the hands of the run that goes on, or begins."""

    def __init__(self, ears: Ears, stop_key: str) -> None:
        self._ears = ears
        self._stop_key, self._name = Hotkey.parse(stop_key), stop_key
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._is_listening = False
        self._gate: InputGate | None = None
        self._heard: str | None = None

    @property
    def heard(self) -> str | None:
        """That somebody pressed the key, in words."""
        with self._lock:
            return self._heard

    def listen(self) -> None:
        """Begin to listen, if nobody does; raises where that is not possible."""
        with self._lock:
            is_listening, self._is_listening = self._is_listening, True
        if is_listening:
            return
        self._open.close()  # what was lost
        try:
            self._open.enter_context(self._ears.listen(self._hear, on_lost=self._lose))
        except BaseException:
            self._is_listening = False
            raise

    def rest(self) -> None:
        """Nothing is left to be done: listen no more."""
        self._open.close()
        with self._lock:
            self._is_listening = False

    def forget(self) -> None:
        """What was heard was heeded."""
        with self._lock:
            self._heard = None

    def guard(self, gate: InputGate | None) -> None:
        """From now on that gate is closed by the key; at once where it was pressed, or nobody listens any more."""
        with self._lock:
            self._gate, heard, is_deaf = gate, self._heard, not self._is_listening
        if gate is not None and heard is not None:
            gate.close(heard, by_person=True)
        elif gate is not None and is_deaf:
            gate.close("a person can no longer be heard")

    @contextmanager
    def guarding(self, gate: InputGate) -> Iterator[None]:
        """Listen, and close that gate, until the block ends."""
        self.listen()
        self.guard(gate)
        try:
            yield
        finally:
            self.guard(None)
            self.rest()

    def _hear(self, event: InputEvent) -> None:
        if event.own or not self._stop_key.is_within(event):
            return
        with self._lock:
            self._heard = heard = f"stopped with {self._name}"
            gate = self._gate
        if gate is not None:
            gate.close(heard, by_person=True)

    def _lose(self, error: Exception) -> None:
        with self._lock:
            self._is_listening = False
            gate = self._gate
        if gate is not None:
            gate.close(f"a person can no longer be heard: {error}")
