"""What a workflow says about forks and loops is read when it is loaded."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rpa_vision.models.branch_rule import BranchQuestion
from rpa_vision.models.workflow_graph import EdgeCondition, Loop

QUESTION = BranchQuestion(reason="too_few", question="What decides?", ways=("Valider", "Transmettre"))


def test_an_expression_that_cannot_be_read_is_refused_on_load() -> None:
    """L4-4: a clear error, and nothing is evaluated"""
    with pytest.raises(ValidationError, match="expression"):
        EdgeCondition(type="expression", expression="amount <<< 3", else_edge="E2")
    with pytest.raises(ValidationError, match="expression"):
        EdgeCondition(type="expression", expression="__import__('os').system('x')", else_edge="E2")
    with pytest.raises(ValidationError, match="filter"):
        Loop(type="for_each", iterator="row", filter="statut ==", max_iterations=5)


def test_a_fork_has_a_rule_or_a_question_and_never_both() -> None:
    """L4-4"""
    assert EdgeCondition(type="expression", question=QUESTION, else_edge="E2").expression is None
    with pytest.raises(ValidationError, match="or else a question"):
        EdgeCondition(type="expression", else_edge="E2")
    with pytest.raises(ValidationError, match="or else a question"):
        EdgeCondition(type="expression", expression="amount < 3", question=QUESTION, else_edge="E2")


def test_a_question_comes_back_from_json_as_it_was() -> None:
    """P003-18"""
    loop = Loop(type="for_each", iterator="row", max_iterations=5, question=QUESTION)
    assert Loop.model_validate_json(loop.model_dump_json()) == loop
