"""A question to a person: which of these is it? And the answer. Terminal, dashboard and overlay share them.

A question is about one screen: where that has changed, its answer means nothing, and another question is asked.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import BBox, Point, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.vector_ref import DataPath

QuestionKind = Literal["show", "confirm"]
"""`show`: which one is the target? `confirm`: it may do harm; really this one?"""
QuestionStatus = Literal["open", "answered", "expired", "withdrawn"]
AnswerKind = Literal["number", "point", "none", "yes"]


class QuestionCandidate(Part):
    """Something on the screen that may be meant."""

    number: int = Field(ge=1)
    label: str = ""
    type: str
    role: str = ""
    bbox: BBox
    score: UnitInterval
    reasons: tuple[str, ...] = ()
    objection: str = Field(default="", description="why it would be refused, where it would be")


class HealQuestion(Document):
    """What a run asks because nothing on its screen is safe."""

    schema_version: Literal["heal_question_v1"] = "heal_question_v1"
    question_id: Id
    kind: QuestionKind = "show"
    run_id: Id
    workflow_id: Id
    workflow_name: str
    edge_id: Id
    step: str = Field(description="what the step does, in words")
    why: str = Field(description="why the robot does not know")
    asked_at: AwareDatetime
    expires_at: AwareDatetime
    screen_size: Point
    candidates: tuple[QuestionCandidate, ...] = ()
    picture: DataPath | None = Field(default=None, description="the screen, candidates numbered, secrets blacked out")
    replaces: Id | None = Field(default=None, description="the question before, whose screen is gone or was refused")
    status: QuestionStatus = "open"
    ended_because: str = ""


class HealAnswer(Document):
    """What a person said to a question."""

    schema_version: Literal["heal_answer_v1"] = "heal_answer_v1"
    question_id: Id
    kind: AnswerKind
    number: int | None = Field(default=None, ge=1)
    point: Point | None = None
    keep: bool = Field(default=False, description="find it so from now on, once the step has worked")
    who: str
    at: AwareDatetime

    @model_validator(mode="after")
    def _says_what_its_kind_needs(self) -> Self:
        if (self.number is not None) != (self.kind == "number"):
            raise ValueError("number: an answer of the kind `number` has one, and no other")
        if (self.point is not None) != (self.kind == "point"):
            raise ValueError("point: an answer of the kind `point` has one, and no other")
        return self
