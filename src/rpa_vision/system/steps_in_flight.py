"""Steps that have begun and not ended: they keep the policy and the version they began with."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.policy import AutoHealPolicy

_MAX_STEPS = 4096


@dataclass(frozen=True, slots=True)
class StepInFlight:
    """What held when the step began."""

    policy: AutoHealPolicy
    version_id: str | None
    state: ExecutionState | None
    """None when it is not known."""


class StepsInFlight:
    """By thread, workflow and step; a result told by another thread than the one that asked is found too."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, str], list[tuple[int, StepInFlight]]] = {}
        self._lock = threading.Lock()

    def begin(self, workflow_id: str, step_id: str, step: StepInFlight) -> None:
        """A step was allowed. A second permission for the same step in the same thread replaces the first."""
        me = threading.get_ident()
        with self._lock:
            while len(self._steps) >= _MAX_STEPS:  # runs that died between asking and telling
                del self._steps[next(iter(self._steps))]
            others = [entry for entry in self._steps.get((workflow_id, step_id), ()) if entry[0] != me]
            self._steps[workflow_id, step_id] = [*others[-16:], (me, step)]

    def get(self, workflow_id: str, step_id: str) -> StepInFlight | None:
        """The step, while it goes on; None when it was not begun here."""
        with self._lock:
            mine = _own(self._steps.get((workflow_id, step_id), []))
        return mine[1] if mine is not None else None

    def end(self, workflow_id: str, step_id: str) -> StepInFlight | None:
        """The step ended; None when it was not begun here (another process, or before a restart)."""
        with self._lock:
            entries = self._steps.pop((workflow_id, step_id), [])
            mine = _own(entries)
            left = [entry for entry in entries if entry is not mine]
            if left:
                self._steps[workflow_id, step_id] = left
        return mine[1] if mine is not None else None


def _own(entries: list[tuple[int, StepInFlight]]) -> tuple[int, StepInFlight] | None:
    """This thread's, else the oldest."""
    me = threading.get_ident()
    return next((entry for entry in entries if entry[0] == me), entries[0] if entries else None)
