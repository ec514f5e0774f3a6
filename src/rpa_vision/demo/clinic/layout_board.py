"""The last thing the open page said about where its controls are.

Only the scripted person reads it, in place of eyes; RPA Vision never does.
"""

from __future__ import annotations

import threading
from typing import Any


class LayoutBoard:
    """Keeps the newest report, numbered; a page that was left cannot overwrite the one that followed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sequence = 0
        self._report: dict[str, Any] = {}

    def post(self, report: dict[str, Any]) -> bool:
        """Take a report unless it comes from an older page than the one shown."""
        with self._lock:
            if float(report.get("page", 0)) < float(self._report.get("page", 0)):
                return False
            self._sequence += 1
            self._report = {**report, "seq": self._sequence}
            return True

    def latest(self) -> dict[str, Any]:
        """The newest report; `seq` is 0 while no page has reported."""
        with self._lock:
            return dict(self._report) or {"seq": 0}
