"""Fiche 16, simulation: what is played to the supervisor, what is expected of it, and what came of it.

docs/simulation.md is the manual of the scenario file; every field is documented there.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import AwareDatetime, Field, JsonValue, model_validator

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import AlertKind, ExecutionState
from rpa_vision.models.document import Document, JsonObject, Part
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.vector_ref import DataPath

MAX_STEPS = 1_000_000


class PlayedTransition(Part):
    """Somebody changes a state by hand."""

    to_state: ExecutionState
    who: str = "person"
    why: str = "by the scenario"


class ScriptEvent(Part):
    """One thing that happens: exactly one of step, wait_s, update, policy, transition, restart."""

    step: Id | None = None
    result: ExecutionStatus = ExecutionStatus.SUCCESS
    failure_kind: FailureKind | None = None
    message: str = ""
    confidence: UnitInterval | None = None
    margin: float | None = None
    times: int = Field(default=1, ge=1, le=MAX_STEPS)
    every_s: float | None = Field(default=None, ge=0, description="how long each of them takes")

    wait_s: float | None = Field(default=None, ge=0)
    update: bool | None = Field(default=None, description="learning makes a new version")
    policy: dict[str, JsonValue] | None = Field(default=None, description="the policy is replaced")
    transition: PlayedTransition | None = None
    restart: bool | None = Field(default=None, description="the supervisor's process ends and a new one begins")

    workflow_id: Id | None = Field(default=None, description="another workflow than the scenario's")

    @model_validator(mode="after")
    def _one_thing_happens(self) -> Self:
        named = [name for name in _EVENTS if getattr(self, name) not in (None, False)]
        if len(named) != 1:
            raise ValueError(f"script: an event is exactly one of {', '.join(_EVENTS)}; this is {named or 'none'}")
        if self.failure_kind is not None and self.result is not ExecutionStatus.FAILED:
            raise ValueError("failure_kind: only a failed step has one")
        _checked_policy(self.policy)
        return self


_EVENTS = ("step", "wait_s", "update", "policy", "transition", "restart")


class Expectation(Part):
    """Something that must be true: exactly one of the first eight fields."""

    state: ExecutionState | None = None
    transition: tuple[ExecutionState, ExecutionState] | None = Field(default=None, description="from, to")
    executed_steps: int | None = Field(default=None, ge=0)
    refused_steps: int | None = Field(default=None, ge=0)
    failure_cases: int | None = Field(default=None, ge=0)
    alert: AlertKind | None = None
    min_confidence: UnitInterval | None = None
    version_in_use: Id | None = None

    at_s: float | None = Field(default=None, ge=0, description="when; of a state or threshold, otherwise at the end")
    times: int | None = Field(
        default=None, ge=0, description="how often a transition or alert; otherwise at least once"
    )
    workflow_id: Id | None = None

    @model_validator(mode="after")
    def _one_thing_is_expected(self) -> Self:
        named = [name for name in _EXPECTED if getattr(self, name) is not None]
        if len(named) != 1:
            raise ValueError(f"expect: exactly one of {', '.join(_EXPECTED)} is expected; this is {named or 'none'}")
        return self

    @property
    def subject(self) -> str:
        """Which of them it is about."""
        return next(name for name in _EXPECTED if getattr(self, name) is not None)


_EXPECTED = (
    "state", "transition", "executed_steps", "refused_steps", "failure_cases", "alert", "min_confidence",
    "version_in_use",
)  # fmt: skip


class Scenario(Document):
    """A scenario file: a script or a recorded history, under a policy, and what is expected to come of it."""

    schema_version: Literal["scenario_v1"] = "scenario_v1"
    name: str
    description: str = ""
    workflow_id: Id
    policy: dict[str, JsonValue] = Field(default={}, description="as in auto_heal_policy.json: a mode and keys")
    start: AwareDatetime | None = None
    seconds_per_step: float = Field(default=10.0, ge=0)
    versions: int = Field(default=1, ge=0, description="how many versions were learned before the scenario begins")
    script: tuple[ScriptEvent, ...] = ()
    history: DataPath | None = Field(
        default=None, description="instead of a script: an audit trail (JSONL), in the folder of the scenario or below"
    )
    expect: tuple[Expectation, ...] = ()

    @model_validator(mode="after")
    def _something_happens(self) -> Self:
        if bool(self.script) == (self.history is not None):
            raise ValueError("script: a scenario has either a script or a history")
        if sum(event.times for event in self.script) > MAX_STEPS:
            raise ValueError(f"script: more than {MAX_STEPS:,} steps")
        _checked_policy(self.policy)
        return self


def _checked_policy(policy: JsonObject | None) -> None:
    if policy is None:
        return
    try:
        AutoHealPolicy.from_json(policy, where="policy")
    except DocumentError as error:
        raise ValueError(str(error)) from error


class SimulatedTransition(Part):
    """A change of state, in seconds since the beginning."""

    at_s: float
    workflow_id: Id
    from_state: ExecutionState
    to_state: ExecutionState
    reason: str
    who: str
    forced: bool = False


class ThresholdPoint(Part):
    """From this moment on a step of the workflow had to be so sure."""

    at_s: float
    workflow_id: Id
    state: ExecutionState
    min_confidence: UnitInterval
    min_margin: float
    learning_enabled: bool


class SimulatedAlert(Part):
    """Somebody was told."""

    at_s: float
    kind: AlertKind
    workflow_id: Id | None = None
    message: str


class StepCounts(Part):
    """What became of the steps."""

    asked: int = Field(default=0, ge=0)
    executed: int = Field(default=0, ge=0)
    refused: int = Field(default=0, ge=0)
    succeeded: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)
    blocked: int = Field(default=0, ge=0)


class ExpectationResult(Part):
    """Whether an expectation was met, and what was seen."""

    expected: str
    met: bool
    seen: str


class SimulationReport(Document):
    """What came of a simulation."""

    schema_version: Literal["simulation_v1"] = "simulation_v1"
    scenario: str
    workflow_id: Id
    policy_mode: str
    policy_digest: str
    started_at: AwareDatetime
    duration_s: float = Field(ge=0)
    steps: StepCounts
    transitions: tuple[SimulatedTransition, ...] = ()
    thresholds: tuple[ThresholdPoint, ...] = ()
    final_states: dict[str, ExecutionState] = {}
    versions_in_use: dict[str, str | None] = {}
    alerts: tuple[SimulatedAlert, ...] = ()
    failure_cases: int = Field(default=0, ge=0)
    expectations: tuple[ExpectationResult, ...] = ()
    problems: tuple[str, ...] = Field(default=(), description="what the supervisor itself had trouble with")
    passed: bool


class DecisionDifference(Part):
    """A step that was decided otherwise."""

    at: AwareDatetime
    workflow_id: Id
    step_id: Id
    then: Literal["allowed", "refused"]
    now: Literal["allowed", "refused"]
    why: str


class WhatIfReport(Document):
    """A recorded history under another policy."""

    schema_version: Literal["what_if_v1"] = "what_if_v1"
    policy_mode: str
    policy_digest: str
    started_at: AwareDatetime | None = Field(default=None, description="what `at_s` counts from")
    decisions: int = Field(ge=0)
    same_decisions: int = Field(ge=0)
    now_refused: int = Field(default=0, ge=0)
    now_allowed: int = Field(default=0, ge=0)
    differences: tuple[DecisionDifference, ...] = Field(default=(), description="the first ones")
    transitions_then: tuple[SimulatedTransition, ...] = ()
    transitions_now: tuple[SimulatedTransition, ...] = ()
    only_then: tuple[SimulatedTransition, ...] = ()
    only_now: tuple[SimulatedTransition, ...] = ()
    final_states_then: dict[str, ExecutionState] = {}
    final_states_now: dict[str, ExecutionState] = {}
    unknown_results: int = Field(default=0, ge=0, description="steps allowed now whose result nobody knows")
    notes: tuple[str, ...] = ()
