"""Where the last actions of runs are kept, so that they can be taken back."""

from __future__ import annotations

from typing import Protocol

from rpa_vision.models.undo import UndoLog


class UndoStore(Protocol):
    """Undo logs of runs, each replaced whole."""

    def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
        """Keep how something looked, and give its data-relative path."""

    def picture(self, path: str) -> bytes:
        """A picture as PNG."""

    def save(self, log: UndoLog) -> None:
        """Replace the log of a run."""

    def find(self, run_id: str) -> UndoLog | None:
        """The log of a run, if there is one."""

    def load(self, run_id: str) -> UndoLog:
        """The log of a run."""

    def latest(self) -> UndoLog | None:
        """The log of the run that acted last, if any did; UsageError where one acted since and has left no log."""
