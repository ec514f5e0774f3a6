"""How far a workflow has come on its way to running alone, and by what: everything that was counted.

Only data. What follows from the numbers is decided in `learning.maturity_rules`, and by people.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.workflow_standing import LearningState

WINDOW: Final = 20
"""Of how many runs the recent confidence is the mean."""

RunWay = Literal["observed", "assisted", "supervised", "alone", "authorised"]
"""Who did it: a person by hand; a person, guided; the robot, each step confirmed; the robot alone; the robot, on a
person's authorisation for this one run."""


class CountedRun(Part):
    """One run, as it counts."""

    way: RunWay
    source: str = Field(min_length=1, max_length=200, description="the run or the stretch of a session; counted once")
    verified: bool = Field(default=True, description="false: nothing was proven, neither success nor failure")
    succeeded: bool = True
    confidence: UnitInterval | None = Field(
        default=None, description="how sure its steps were; of an observed run, how like the learned workflow it was"
    )
    anomaly: str | None = Field(default=None, description="what went wrong after input was sent, or a person's no")


class Approval(Part):
    """Somebody let the workflow run alone, having seen this."""

    who: str
    at: AwareDatetime
    reason: str
    runs: int = Field(ge=0)
    successes: int = Field(ge=0)
    lower_bound: UnitInterval
    acknowledged: bool = Field(description="that the bound is low was said, and accepted")
    consented_steps: tuple[Id, ...] = Field(default=(), description="steps that ask for consent, and got it for good")


class Maturity(Document):
    """Where a workflow stands. Counts of a level begin anew whenever that level is entered."""

    schema_version: Literal["maturity_v1"] = "maturity_v1"
    workflow_id: Id
    state: LearningState = "OBSERVATION"
    since: AwareDatetime | None = None
    deeds: str | None = Field(default=None, description="a digest of what the workflow does; another is another task")
    observed_runs: int = Field(default=0, ge=0)
    similarity_total: float = Field(default=0.0, ge=0.0)
    assist_runs: int = Field(default=0, ge=0)
    assist_successes: int = Field(default=0, ge=0)
    auto_candidate_runs: int = Field(default=0, ge=0)
    auto_candidate_successes: int = Field(default=0, ge=0)
    auto_confirmed_runs: int = Field(default=0, ge=0)
    auto_confirmed_successes: int = Field(default=0, ge=0)
    recent: tuple[UnitInterval, ...] = Field(default=(), max_length=WINDOW, description="the last runs of the robot")
    total_executions: int = Field(default=0, ge=0, description="verified outcomes of runs, since ever")
    success_count: int = Field(default=0, ge=0)
    failure_count: int = Field(default=0, ge=0)
    authorised_runs: int = Field(default=0, ge=0)
    unverified_runs: int = Field(default=0, ge=0)
    approval: Approval | None = None

    @property
    def avg_similarity(self) -> float | None:
        return self.similarity_total / self.observed_runs if self.observed_runs else None
