"""Auto-heal: the states a workflow can be in, what each allows, and the records of how it got there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field, JsonValue

from rpa_vision.models.document import Document
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id


class ExecutionState(StrEnum):
    """What a workflow may do just now."""

    RUNNING = "running"
    DEGRADED = "degraded"
    QUARANTINED = "quarantined"
    ROLLBACK = "rollback"
    PAUSED = "paused"


class ExecutionStateInfo(Document):
    """The state of one workflow, for people and scripts."""

    workflow_id: Id
    current_state: ExecutionState
    state_since: AwareDatetime
    failure_count: int = Field(default=0, ge=0)
    last_failure: AwareDatetime | None = None
    confidence_threshold: UnitInterval
    learning_enabled: bool
    quarantine_until: AwareDatetime | None = None


@dataclass(frozen=True, slots=True)
class StepThresholds:
    """How sure a step must be. Taken once when the step begins and kept until it ends."""

    min_confidence: float
    min_margin: float
    learning_enabled: bool
    hard_constraints_required: bool
    ambiguity_refused: bool
    policy_digest: str
    """Which policy these come from."""
    pixel_scale: float = 1.0
    """Multiplies tolerances that were measured in pixels of the recording (runtime drift)."""


@dataclass(frozen=True, slots=True)
class DisplayGeometry:
    """What a screen measures: pixels, and how many of them make one of the desktop's own units."""

    width_px: int
    height_px: int
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class StepPermission:
    """The answer to "may this step run": yes or no, why, and on which terms."""

    allowed: bool
    reason: str
    state: ExecutionState
    thresholds: StepThresholds


class StateTransition(Document):
    """One change of state: from where to where, when, why, and by whom."""

    workflow_id: Id
    from_state: ExecutionState
    to_state: ExecutionState
    at: AwareDatetime
    reason: str
    who: str = "auto_heal"
    forced: bool = False
    """Outside the table: only a person may."""
    number: int = Field(default=0, ge=0)
    """Counts the changes of one workflow, without gaps."""
    lasted_s: float | None = Field(default=None, ge=0)
    """How long the state before it had lasted."""


class VersionInfo(Document):
    """One version of everything learned of a workflow."""

    version_id: Id
    created_at: AwareDatetime
    workflow_id: Id
    success_rate_before: UnitInterval | None = None
    success_rate_after: UnitInterval | None = None
    components_versioned: tuple[Literal["workflow", "prototypes", "faiss", "memory"], ...] = ()
    reason: str = ""
    in_use: bool = False
    abandoned_at: AwareDatetime | None = Field(default=None, description="when it was rolled back from, if it was")


class AlertKind(StrEnum):
    """What somebody must hear about."""

    QUARANTINE = "quarantine"
    ROLLBACK = "rollback"
    GLOBAL_PAUSE = "global_pause"
    POLICY_ERROR = "policy_error"


class Alert(Document):
    """Something happened that a person should know."""

    alert_id: Id
    kind: AlertKind
    at: AwareDatetime
    workflow_id: Id | None = None
    message: str
    details: dict[str, JsonValue] = {}


class FailureEvent(Document):
    """One failed step."""

    at: AwareDatetime
    workflow_id: Id
    step_id: Id
    failure_type: FailureKind
