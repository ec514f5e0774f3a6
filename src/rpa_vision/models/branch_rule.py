"""Why one way and not the other: a rule that explains what people did, or the question to ask them.

Where demonstrations diverge, a rule is proposed only when the data supports it; everything else is a question.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from rpa_vision.errors import ExpressionError
from rpa_vision.models.document import Document, Part
from rpa_vision.models.expression import parse
from rpa_vision.models.geometry import UnitInterval

QuestionReason = Literal["too_few", "contradiction", "unexplained", "several_rules", "by_chance"]


class Doubt(Part):
    """A threshold lies between two observed values; what lies between them nobody has shown."""

    variable: str
    above: str = Field(description="the last value seen on the lower side")
    up_to: str = Field(description="the first value seen on the upper side")
    chosen: str = Field(description="the threshold in the rule")


class Support(Part):
    """What a rule rests on."""

    demonstrations: int = Field(ge=1)
    holds: int = Field(ge=0, description="demonstrations in which the rule holds, all of which went the one way")
    fails: int = Field(ge=0, description="demonstrations in which it does not, all of which went the other way")
    chance: UnitInterval = Field(description="how likely any rule as short would explain as much by accident")


class BranchRule(Document):
    """`expression` holds: the way `on_true`; otherwise `on_false`."""

    schema_version: Literal["branch_rule_v1"] = "branch_rule_v1"
    expression: str
    on_true: str
    on_false: str
    support: Support
    doubts: tuple[Doubt, ...] = ()

    @model_validator(mode="after")
    def _is_an_expression(self) -> Self:
        try:
            parse(self.expression)
        except ExpressionError as error:
            raise ValueError(f"expression: {error}") from error
        return self


class BranchQuestion(Document):
    """What a person is asked, because the demonstrations do not say."""

    schema_version: Literal["branch_question_v1"] = "branch_question_v1"
    reason: QuestionReason
    question: str
    ways: tuple[str, ...]
    candidates: tuple[str, ...] = Field(default=(), description="rules that would explain everything seen so far")
    contradicting: tuple[int, ...] = Field(default=(), description="demonstrations that look alike and went apart")
    missing_demonstrations: int = Field(default=0, ge=0, description="how many more would settle it, at least")
