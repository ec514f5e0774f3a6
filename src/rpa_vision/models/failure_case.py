"""Fiche 19, FailureCase: a failed step with all that is needed to understand it, and to resolve its target again.

A case stands alone: the screen as it was understood, the picture it was understood from (screen.png beside it), what
was seen once something was sent (after.png), the recorded look of the target (look.png), what was looked for and with
which thresholds. Of secrets it has the names only.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import AwareDatetime, Field, JsonValue

from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import Document, Part
from rpa_vision.models.execution import CandidateReport, ExecutionResult, FailureKind
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.precision import Tally
from rpa_vision.models.raw_session import Environment
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.models.workflow_graph import WorkflowEdge

ResolutionOutcome = Literal["resolved", "not_found", "ambiguous", "disabled", "broken"]


class CaseCandidate(CandidateReport):
    """An element that was considered, so that it can be found again among the elements of the stored screen."""

    element_id: Id
    strategy: str


class SearchTolerance(Part):
    """The healing profile of the last attempt."""

    min_ratio: UnitInterval
    pad_mul: float = Field(gt=0)
    expand_roles: bool
    attempt_level: int = Field(ge=0)


class CaseMemory(Part):
    """What the target was known to have been on such a screen before (Fiche 18)."""

    stable_id: str
    label: str
    type: ElementType
    role: str
    bbox_relative: tuple[float, float, float, float]
    strategy: str
    score: UnitInterval
    successes: int = Field(ge=1)
    first_at: AwareDatetime
    last_at: AwareDatetime


class ResolverSettings(Part):
    """How sure the resolver had to be, by which counts it trusted its strategies (Fiche 10), and what it remembered."""

    min_score: UnitInterval
    min_margin: UnitInterval
    strategies: dict[str, Tally] = {}
    elements: dict[str, Tally] = {}
    memories: tuple[CaseMemory, ...] = ()


class CaseResolution(Part):
    """What the resolver said of the stored screen."""

    outcome: ResolutionOutcome
    message: str = ""
    candidates: tuple[CaseCandidate, ...] = Field(default=(), description="the best first")
    tolerance: SearchTolerance
    settings: ResolverSettings
    overruled: bool = Field(default=False, description="the resolver found it, but the screen had moved on by then")


class CaseNodeScore(Part):
    """How well one node of the workflow fitted the screen."""

    node_id: Id
    label: str
    confidence: UnitInterval
    embedding_similarity: float
    words: UnitInterval


class TermsInForce(Part):
    """The supervisor's terms when the step began."""

    state: ExecutionState
    min_confidence: UnitInterval
    min_margin: UnitInterval
    learning_enabled: bool
    hard_constraints_required: bool
    ambiguity_refused: bool
    policy_digest: str
    pixel_scale: float = Field(default=1.0, gt=0)


class FailureCase(Document):
    """One failed step, and how often the same thing happened again."""

    schema_version: Literal["failure_case_v1"] = "failure_case_v1"
    case_id: Id
    workflow_id: Id
    workflow_version: int | None = Field(default=None, ge=1)
    step_id: Id
    run_id: Id | None = None
    failure_kind: FailureKind | None = None
    result: ExecutionResult
    expected: str = ""
    observed: str = ""
    input_sent: bool = False
    edge: WorkflowEdge | None = None
    values: dict[str, str] = Field(default={}, description="the run's values; a secret one is `secret:<name>`")
    screen_state: ScreenState | None = None
    resolution: CaseResolution | None = None
    node_scores: tuple[CaseNodeScore, ...] = ()
    terms: TermsInForce | None = None
    environment: Environment | None = None
    details: dict[str, JsonValue] = Field(default={}, description="what else the supervisor knew")

    first_seen: AwareDatetime
    last_seen: AwareDatetime
    occurrences: int = Field(default=1, ge=1)
    last_workflow_version: int | None = Field(default=None, ge=1)
    report: dict[str, JsonValue] | None = Field(default=None, description="a simulation's report (Fiche 16)")

    @property
    def target(self) -> TargetSpec | None:
        """What the step was aimed at."""
        return self.edge.action.target if self.edge is not None and self.edge.action is not None else None


MAX_SENT_TO = 50
"""Of so many elements it is counted how often something was sent to them in vain."""


class CaseSightings(Document):
    """How often a case was seen: the small file (seen.json) that changes while the case itself does not."""

    schema_version: Literal["failure_sightings_v1"] = "failure_sightings_v1"
    case_id: Id
    workflow_id: Id
    step_id: Id
    failure_kind: FailureKind | None = None
    message: str = ""
    first_seen: AwareDatetime
    last_seen: AwareDatetime
    occurrences: int = Field(default=1, ge=1)
    last_workflow_version: int | None = Field(default=None, ge=1)
    sent_to: dict[str, int] = Field(
        default={}, max_length=MAX_SENT_TO, description="how often something was sent in vain to an element (stable_id)"
    )

    @classmethod
    def of(cls, case: FailureCase) -> CaseSightings:
        """What a case says of its own sightings."""
        elements = case.screen_state.ui_elements if case.screen_state is not None else ()
        return cls(
            sent_to={one.stable_id: 1 for one in elements if one.stable_id and one.interaction_history is not None},
            case_id=case.case_id,
            workflow_id=case.workflow_id,
            step_id=case.step_id,
            failure_kind=case.failure_kind,
            message=case.result.message,
            first_seen=case.first_seen,
            last_seen=case.last_seen,
            occurrences=case.occurrences,
            last_workflow_version=case.last_workflow_version,
        )


def case_id_for(workflow_id: str, step_id: str, kind: FailureKind | None, layout: str) -> str:
    """The id of a failure: the same step failing in the same way on the same layout is the same case."""
    said = "\n".join((workflow_id, step_id, kind.value if kind is not None else "", layout))
    return f"case_{hashlib.sha256(said.encode()).hexdigest()[:20]}"
