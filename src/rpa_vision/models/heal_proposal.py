"""A heal is a proposal: a target was found otherwise than it was recorded, the step worked, and this is what changed.

Only how the target is found may change, never what it is or does: a document that says otherwise is no proposal.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.target import HOW_IT_IS_FOUND, TargetSpec
from rpa_vision.models.vector_ref import DataPath

ChangeKind = Literal["label", "place", "landmarks", "look"]
ProposalStatus = Literal["open", "kept", "rejected"]
ProposalPicture = Literal["before", "after", "look"]
HealSource = Literal["robot", "person"]
MAX_PROOFS = 20
"""Of so many runs that verified a proposal the particulars are kept; all are counted."""


class TargetChange(Part):
    """One thing about how a target is found that is not as it was, in words for a person."""

    kind: ChangeKind
    before: str
    after: str


class HealProof(Part):
    """A run in which the step was verified on the target as it is found now."""

    run_id: Id
    at: AwareDatetime
    strategy: str
    score: UnitInterval
    healing_level: int = Field(default=0, ge=0)
    reasons: tuple[str, ...] = ()
    expected: str = Field(default="", description="what the screen had to show afterwards, and did")
    counted: bool = Field(default=True, description="false: verified while the workflow was held to learn nothing")


class HealProposal(Document):
    """What changed in how a target is found, and what speaks for it."""

    schema_version: Literal["heal_proposal_v1"] = "heal_proposal_v1"
    proposal_id: Id
    workflow_id: Id
    workflow_version: int = Field(ge=1, description="the version the first of its runs had in hand")
    edge_id: Id
    step: str = Field(default="", description="what the step does, in words")
    created_at: AwareDatetime
    updated_at: AwareDatetime
    status: ProposalStatus = "open"
    source: HealSource = "robot"
    shown_by: str | None = Field(default=None, description="who pointed the target out")
    changes: tuple[TargetChange, ...] = Field(min_length=1)
    before: TargetSpec
    after: TargetSpec
    is_found_again: bool = Field(description="whether a strict search for `after` finds the same thing on that screen")
    verified_runs: int = Field(default=0, ge=0, description="runs that count towards keeping it")
    proofs: tuple[HealProof, ...] = Field(default=(), max_length=MAX_PROOFS)
    pictures: dict[ProposalPicture, DataPath] = {}
    wanted_by: str | None = Field(default=None, description="who said, while showing it, that it is to be kept")
    by_person_only: bool = Field(default=False, description="it was kept and undone: only a person may keep it again")
    decided_by: str | None = None
    decided_at: AwareDatetime | None = None
    reason: str = ""
    kept_version: str | None = Field(default=None, pattern=r"^v\d{3,}$")

    @model_validator(mode="after")
    def _changes_only_how_it_is_found(self) -> Self:
        how = set(HOW_IT_IS_FOUND)
        if self.before.model_dump(exclude=how) != self.after.model_dump(exclude=how):
            raise ValueError("after: a heal may change how a target is found, never what it is")
        if self.before == self.after:
            raise ValueError("after: is what it was before")
        return self
