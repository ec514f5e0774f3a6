"""Ctrl-C while a run goes on: answered at once, and heeded as soon as that leaves nothing half done.

The step that is being done may end, so that what it did is known; where it takes longer than a moment, its hands are
tied all the same. A signal may come while the program holds a lock of its own: its handler does nothing but set a flag,
and a thread that waits for the flag does the rest.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

from rpa_vision.cli.output import note
from rpa_vision.execution.guarded_desktop import InputGate

GRACE_S = 1.0
TOLD = f"stopping: this step is the last one, and after {GRACE_S:g} s nothing more is sent …"


class Interruption:
    """Whether somebody wants the run to end."""

    def __init__(self) -> None:
        self.gate = InputGate()
        """What the hands of the run go through."""
        self.say: Callable[[str], None] = note
        self._wanted = threading.Event()
        self._over = threading.Event()
        self._when_wanted: list[Callable[[], None]] = []
        threading.Thread(target=self._heed, name="interruption", daemon=True).start()

    def listen(self) -> Interruption:
        """Take SIGINT and SIGTERM for it."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.ask())
        return self

    def ask(self) -> None:
        """Have the run end."""
        self._wanted.set()

    @property
    def is_wanted(self) -> bool:
        return self._wanted.is_set()

    def then(self, do: Callable[[], None]) -> None:
        """What else is to be done once it is wanted, such as not to wait for an answer any more."""
        self._when_wanted.append(do)

    def close(self) -> None:
        """The run is over: there is nothing left to stop."""
        self._over.set()

    def _heed(self) -> None:
        self._wanted.wait()
        if self._over.is_set():
            return
        self.say(TOLD)
        for do in list(self._when_wanted):
            do()
        if not self._over.wait(GRACE_S):
            self.gate.close("stopped by a person")
