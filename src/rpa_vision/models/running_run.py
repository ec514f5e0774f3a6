"""Runs that go on just now, and that they are to end."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import AwareDatetime, Field, field_validator

from rpa_vision.models.document import Document
from rpa_vision.models.ids import Id

MAX_REASON: Final = 500


class RunningRun(Document):
    """A run that has begun and not ended. Whose process is gone is not running, whatever is written."""

    schema_version: Literal["running_run_v1"] = "running_run_v1"
    run_id: Id
    workflow_id: Id
    pid: int = Field(ge=1)
    process: str = Field(default="", description="what no other process of that number has; empty if not known")
    hostname: str = ""
    beats: bool = Field(default=False, description="whether its file is touched again and again while it goes on")
    display: str = Field(default="", description="which display it is on, where there are several")
    started_at: AwareDatetime


class StopRequest(Document):
    """Somebody wants a run, or every run that had begun by then, to end before its next input."""

    schema_version: Literal["stop_request_v1"] = "stop_request_v1"
    run_id: Id | None = Field(default=None, description="without it: every run")
    at: AwareDatetime
    who: str
    reason: str = ""

    @field_validator("reason", mode="before")
    @classmethod
    def _is_short(cls, reason: object) -> object:
        """Whatever is said with it, a stop can be written and read."""
        return reason[:MAX_REASON].encode(errors="replace").decode() if isinstance(reason, str) else reason

    def told(self) -> str:
        """Why a run ended, in words."""
        return f"stopped by {self.who}" + (f" ({self.reason})" if self.reason else "")
