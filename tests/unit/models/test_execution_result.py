"""A step's result goes to the audit trail and comes back whole, attempts and all."""

from __future__ import annotations

import pytest

from rpa_vision.errors import DocumentError
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, HealingAttempt

ATTEMPT = HealingAttempt(
    attempt_level=1,
    success=True,
    strategy_used="som_text_match",
    criteria={"min_ratio": 0.78, "expand_roles": True},
    duration_ms=12.5,
)


@pytest.mark.parametrize("attempts", [(), (ATTEMPT,)], ids=["none", "one"])
def test_a_result_comes_back_as_it_was_written(attempts: tuple[HealingAttempt, ...]) -> None:
    """P002-7, P003-18"""
    result = ExecutionResult(status=ExecutionStatus.SUCCESS, attempts=attempts)
    assert ExecutionResult.from_json(result.model_dump_json()) == result


@pytest.mark.parametrize("torn", ['{"a": 1}', '"abc"', '[{"attempt_level": "0"}]'])
def test_attempts_that_are_none_are_refused(torn: str) -> None:
    """P002-7"""
    with pytest.raises(DocumentError, match="attempts"):
        ExecutionResult.from_json(f'{{"status": "success", "attempts": {torn}}}')
