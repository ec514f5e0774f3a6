"""Which version of a workflow is in use, asked often and answered cheaply."""

from __future__ import annotations

import threading

from rpa_vision.models.auto_heal import VersionInfo
from rpa_vision.ports.auto_heal import VersionKeeper
from rpa_vision.ports.runtime import Clock
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.step_judge import in_use

_FRESH_S = 1.0
_MAX_WORKFLOWS = 1024


class VersionView:
    """Remembers the version in use for a second. A keeper that fails counts as one without versions."""

    def __init__(self, keeper: VersionKeeper, clock: Clock, alarms: Alarms) -> None:
        self._keeper = keeper
        self._clock = clock
        self._alarms = alarms
        self._seen: dict[str, tuple[float, str | None]] = {}
        self._lock = threading.Lock()

    def in_use(self, workflow_id: str) -> str | None:
        """The version in use, at most a second old."""
        now_s = self._clock.monotonic()
        with self._lock:
            seen = self._seen.get(workflow_id)
        if seen is not None and now_s - seen[0] < _FRESH_S:
            return seen[1]
        return in_use(self.all(workflow_id))

    def all(self, workflow_id: str) -> list[VersionInfo]:
        """All versions, the newest first, as of now."""
        found = self._alarms.safely("list versions", lambda: self._keeper.list_versions(workflow_id)) or []
        with self._lock:
            if len(self._seen) >= _MAX_WORKFLOWS:
                self._seen.clear()
            self._seen[workflow_id] = (self._clock.monotonic(), in_use(found))
        return found

    def previous(self, workflow_id: str) -> str | None:
        """Where a rollback would go back to: the version in use itself, if something was learned on top of it."""
        return self._alarms.safely("previous version", lambda: self._keeper.previous_version(workflow_id))

    def forget(self, workflow_id: str) -> None:
        """Look again at the next question."""
        with self._lock:
            self._seen.pop(workflow_id, None)
