"""The audit trail: what was decided, before it is done."""

from __future__ import annotations

from typing import Protocol

from pydantic import JsonValue


class AuditLog(Protocol):
    """Append-only. What was appended survives `kill -9`."""

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Write one decision down; returns when it is on disk."""
