"""Runs that go on just now, and that they are to end."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.document import Document
from rpa_vision.models.ids import Id


class RunningRun(Document):
    """A run that has begun and not ended. Whose process is gone is not running, whatever is written."""

    schema_version: Literal["running_run_v1"] = "running_run_v1"
    run_id: Id
    workflow_id: Id
    pid: int = Field(ge=1)
    hostname: str = ""
    display: str = Field(default="", description="which display it is on, where there are several")
    started_at: AwareDatetime


class StopRequest(Document):
    """Somebody wants a run, or every run that had begun by then, to end before its next input."""

    schema_version: Literal["stop_request_v1"] = "stop_request_v1"
    run_id: Id | None = Field(default=None, description="without it: every run")
    at: AwareDatetime
    who: str
    reason: str = ""

    def told(self) -> str:
        """Why a run ended, in words."""
        return f"stopped by {self.who}" + (f" ({self.reason})" if self.reason else "")
