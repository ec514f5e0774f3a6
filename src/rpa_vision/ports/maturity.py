"""Where it is kept how mature workflows are. The audit trail is the truth; what is kept can be made again from it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from pydantic import JsonValue

from rpa_vision.models.maturity import Maturity


class MaturityPages(Protocol):
    """The book, open, alone among all threads and processes."""

    def get(self, workflow_id: str) -> Maturity | None:
        """What is known of a workflow, or None where nothing ever was counted."""

    def all(self) -> list[Maturity]:
        """What is known of all workflows, by their ids."""

    def is_counted(self, workflow_id: str, source: str) -> bool:
        """Whether a run was counted already."""

    def audit(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Write to the audit trail what happened. Its `maturity` is where the workflow stands then, and only then does
        that hold; its `source`, where there is one, is counted."""


class MaturityBook(Protocol):
    """How mature every workflow of a data directory is."""

    def open(self) -> AbstractContextManager[MaturityPages]:
        """Read and change, as one: what was read still holds when something is written."""
