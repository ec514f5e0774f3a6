"""How a workflow stands: what came of it so far, how mature it is, and what it may therefore do."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import AliasChoices, BeforeValidator, Field

from rpa_vision.models.document import Part
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id

LearningStateName = Literal["OBSERVATION", "COACHING", "AUTO_CANDIDATE", "AUTO_CONFIRMÉ"]
AUTO_CONFIRMED: LearningStateName = "AUTO_CONFIRMÉ"
LEARNING_STATES: Final[tuple[LearningStateName, ...]] = get_args(LearningStateName)
"""From the least mature to the most."""
LearningState = Annotated[
    LearningStateName, BeforeValidator(lambda value: AUTO_CONFIRMED if value == "AUTO_CONFIRMED" else value)
]
ErrorType = Literal["generic", "authentication", "business_logic", "network", "timeout", "ui_not_found"]


class ErrorTransition(Part):
    """How often a screen led to an error."""

    from_node: Id
    to_node: Id
    count: int = Field(ge=1)


class WorkflowStats(Part):
    """What came of the workflow so far. `success_rate` is accepted for `success_rate_overall`."""

    observed_runs: int = Field(default=0, ge=0)
    assist_runs: int = Field(default=0, ge=0)
    auto_candidate_runs: int = Field(default=0, ge=0)
    auto_confirmed_runs: int = Field(default=0, ge=0)
    total_executions: int = Field(default=0, ge=0)
    success_count: int = Field(default=0, ge=0)
    failure_count: int = Field(default=0, ge=0)
    error_count: int = Field(default=0, ge=0)
    errors_by_type: dict[ErrorType, int] = {}
    error_transitions: tuple[ErrorTransition, ...] = ()
    recovery_success_rate: UnitInterval | None = None
    success_rate_overall: UnitInterval | None = Field(
        default=None, validation_alias=AliasChoices("success_rate_overall", "success_rate")
    )
    avg_similarity: float | None = Field(default=None, ge=-1.0, le=1.0)
    recent_confidence: UnitInterval | None = None
    avg_duration_seconds: float | None = Field(default=None, ge=0)


class LearningThresholds(Part):
    """How many runs each step of maturity asks for."""

    min_observed_runs_for_coaching: int = Field(default=5, ge=1)
    min_assist_runs_for_auto_candidate: int = Field(default=10, ge=1)
    min_auto_candidate_runs_for_auto_confirmed: int = Field(default=20, ge=1)


class Progression(Part):
    """How far it is to the next level."""

    current_phase: LearningState
    progress_percent: float = Field(ge=0.0, le=100.0)
    next_phase: LearningState | None = None


class LearningConfig(Part):
    """How mature the workflow is."""

    state: LearningState = "OBSERVATION"
    thresholds: LearningThresholds = LearningThresholds()
    progression: Progression | None = None


class PolicyCell(Part):
    """What is allowed in one mode at one level."""

    allowed_actions: tuple[str, ...]
    user_interaction: str
    reason: str | None = None
    pause_on_anomaly: bool | None = None
    rollback_on_error: bool | None = None


class ExecutionPolicy(Part):
    """What each mode may do at each level. It may only narrow what the general table allows."""

    shadow_mode: PolicyCell
    assist_mode: dict[LearningState, PolicyCell] = {}
    auto_mode: dict[LearningState, PolicyCell] = {}
