"""What came of executing: a step, a run. Stored in run reports and told to the supervisor."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import AwareDatetime, Field, JsonValue, model_validator

from rpa_vision.models.document import Document, JsonObject, Part
from rpa_vision.models.geometry import BBox, Point, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.workflow_standing import ErrorType

RunMode = Literal["shadow", "assist", "auto"]
RunStatus = Literal["success", "halted", "failed", "blocked"]


class ExecutionStatus(StrEnum):
    """How a step ended."""

    SUCCESS = "success"
    FAILED = "failed"
    BLOCKED = "blocked"


class FailureKind(StrEnum):
    """Why a step failed, in the supervisor's words."""

    TARGET_NOT_FOUND = "TARGET_NOT_FOUND"
    POSTCONDITION_FAILED = "POSTCONDITION_FAILED"
    WATCHDOG_TIMEOUT = "WATCHDOG_TIMEOUT"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    RUNTIME_DRIFT = "RUNTIME_DRIFT"


def is_healed(healing_level: int | None, strategy: str | None) -> bool:
    """Whether the target of a step was found, by some strategy, but only by looking more tolerantly than at first. A
    step whose target was not found has a level, too: that at which the search was given up."""
    return bool(healing_level) and bool(strategy)


class HealingAttempt(Part):
    """One attempt to find the target of a step: how tolerant it was, and what came of it."""

    attempt_level: int = Field(ge=0)
    success: bool
    strategy_used: str = Field(description="by which strategy it was found, or why it was not")
    criteria: dict[str, float | bool] = Field(description="what was asked for: min_ratio, pad_mul, expand_roles")
    duration_ms: float = Field(ge=0)


class ExecutionResult(Document):
    """The result of one step, after all its attempts. `success` and `reason` are accepted (seed names)."""

    status: ExecutionStatus
    message: str = ""
    failure_kind: FailureKind | None = None
    confidence: UnitInterval | None = None
    margin: float | None = None
    execution_time_ms: float | None = Field(default=None, ge=0)
    by_person: bool = Field(
        default=False, description="a person did the step and the robot only watched: written down, nothing follows"
    )
    attempts: tuple[HealingAttempt, ...] = Field(
        default=(), strict=False, description="how its target was looked for, level by level"
    )
    """Not strict: what `_seed_names` hands on is a list of Python where JSON had an array."""

    @model_validator(mode="before")
    @classmethod
    def _seed_names(cls, data: Any) -> Any:
        return cls._accept(data) if isinstance(data, dict) else data

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        accepted = dict(data)
        if isinstance(data.get("success"), bool) and "status" not in data:
            ended = ExecutionStatus.SUCCESS if accepted.pop("success") else ExecutionStatus.FAILED
            accepted["status"] = ended
        if "reason" in data and "message" not in data:
            reason = accepted.pop("reason")
            accepted["message"] = "" if reason is None else reason
        return accepted

    @property
    def success(self) -> bool:
        return self.status is ExecutionStatus.SUCCESS

    @property
    def reason(self) -> str | None:
        return self.message or None


class CandidateReport(Part):
    """One element that was considered as the target."""

    label: str
    type: str
    bbox: BBox
    score: UnitInterval
    reasons: tuple[str, ...] = ()


class RecoveryReport(Part):
    """An interruption (an error, an expiry, a notice) and what came of getting out of it."""

    error_node: Id
    error_type: ErrorType
    label: str = ""
    from_node: Id = Field(description="the screen that was expected, or on which the step began")
    edge_id: Id
    action: str
    run_id: Id | None = Field(default=None, description="the run of the workflow that was triggered, if one was")
    succeeded: bool
    reason: str = ""


class ValueRead(Part):
    """A value that was read on the way."""

    name: str
    value: str = Field(description="as it was used; `secret:<name>` where it is a secret")
    source: str = Field(description="where it stood, in words: « Total TTC », the column « Montant », the clipboard")


class StepReport(Part):
    """One step of a run, for people and scripts."""

    index: int = Field(ge=0)
    edge_id: Id
    action: str
    description: str = ""
    status: ExecutionStatus
    reason: str = ""
    strategy: str | None = None
    score: UnitInterval | None = None
    runner_up: CandidateReport | None = None
    chosen: CandidateReport | None = None
    nearest: CandidateReport | None = Field(default=None, description="what came nearest, where nothing was taken")
    point: Point | None = None
    healing_level: int = Field(default=0, ge=0)
    duration_ms: float = Field(ge=0)
    verified: bool
    expected: str = ""
    observed: str = ""
    screenshot_before: DataPath | None = None
    screenshot_after: DataPath | None = None
    timing_ms: dict[str, float] = {}
    input_sent: bool | None = Field(
        default=None,
        description="whether anything was sent in this step, ways out of trouble too; older ones do not say",
    )
    note: str = Field(default="", description="where in a loop it was done: row 3 of 12")
    extracted: dict[str, str] = Field(default={}, description="what was read into variables; secrets are not shown")
    read: tuple[ValueRead, ...] = Field(default=(), description="what was read for the step or in it, and where")
    recoveries: tuple[RecoveryReport, ...] = ()
    attempts: tuple[HealingAttempt, ...] = Field(
        default=(), description="how its target was looked for, level by level"
    )
    resolution_details: dict[str, JsonValue] = Field(
        default={}, description="how tolerantly it was looked for at last, and which other names of roles counted"
    )

    @property
    def is_healed(self) -> bool:
        return is_healed(self.healing_level, self.strategy)


class RunWarning(Part):
    """What a person should know of a run besides what came of it, and what to do about it."""

    said: str
    remedy: str = ""


class RunReport(Document):
    """One run of a workflow."""

    schema_version: Literal["run_v1"] = "run_v1"
    run_id: Id
    workflow_id: Id
    workflow_name: str
    workflow_version: int
    rolled_back_to: int | None = Field(
        default=None, ge=1, description="the version it went on with, where the one it began with was rolled back"
    )
    mode: RunMode
    status: RunStatus
    reason: str = ""
    authorised_because: str | None = None
    parameters: dict[str, JsonValue] = {}
    started_at: AwareDatetime
    ended_at: AwareDatetime
    duration_s: float = Field(ge=0)
    steps: tuple[StepReport, ...] = ()
    screen_resolution: Point | None = None
    values: dict[str, str] = Field(default={}, description="what the variables were at the end; secrets are not shown")
    input_sent: bool = Field(default=True, description="whether anything was sent to the desktop in any step")
    triggered_by: Id | None = Field(default=None, description="the run that triggered this one, to get out of an error")
    warnings: tuple[RunWarning, ...] = Field(
        default=(),
        description="what a person should know of it: it was learned with other eyes, heals could not be written down",
    )
